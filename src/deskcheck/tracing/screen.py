"""Which programs get a child process of their own: those whose text names what could reach a neighbour's run.

    is_suspicious("import sys\\nsys.setrecursionlimit(9)") -> True
    is_suspicious("def f(n):\\n    return n + 1\\n")         -> False

No boundary and no judgement: a program that it flags runs all the same, alone. It looks at the words of the
text and never parses it (parsing foreign text can take the parser down), so a word in a comment flags too.
What it misses is met by the sandbox's comparison of the process before and after (sandbox/watch.c), by the
kernel's limits, and by the share of the programs that runs a second time alone.
"""

from __future__ import annotations

import re
import unicodedata

# Modules that keep no state between two programs, or only state that the sandbox resets or compares.
PURE = frozenset(
    """__future__ abc array bisect calendar cmath collections contextlib copy dataclasses datetime decimal
    enum fractions functools heapq itertools json keyword math numbers operator random re statistics string
    struct textwrap time typing unicodedata""".split()
)
# Ways to other modules' names, to frames, to the interpreter, to files.
WORDS = frozenset(
    """open exec eval compile globals locals vars getattr setattr delattr breakpoint memoryview modules stdin
    stdout stderr f_back f_globals f_locals f_builtins f_code tb_frame tb_next gi_frame gi_code cr_frame
    ag_frame co_code settrace setprofile setcontext register""".split()
)
# Methods that a class may define, and the few other such names of tiny programs. Not __del__: it runs when it
# likes. Not __class__, __dict__, __globals__ and the rest that lead elsewhere.
DUNDER = frozenset(
    f"__{name}__"
    for name in """init new name main future doc repr str bytes format eq ne lt le gt ge hash bool len iter
    next getitem setitem delitem contains reversed missing call enter exit aenter aexit aiter anext await add
    radd iadd sub rsub isub mul rmul imul matmul rmatmul truediv rtruediv floordiv rfloordiv mod rmod divmod
    rdivmod pow rpow and rand iand or ror ior xor rxor ixor lshift rshift neg pos abs invert int float complex
    index round trunc floor ceil slots post_init annotations length_hint""".split()
)
_NAME = re.compile(r"[^\W\d]\w*")
_FROM = re.compile(r"^[ \t]*from[ \t]+(\S+)[ \t]+import\b", re.MULTILINE)
_IMPORT = re.compile(r"^[ \t]*import[ \t]+([^#\n;]+)", re.MULTILINE)
_PRIVATE = re.compile(r"\b(\w+)\s*\.\s*_(?!_)\w")


def is_suspicious(text: str) -> bool:
    """Whether a program with this text is to run in a child process of its own."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)  # as the parser reads names
    words = set(_NAME.findall(text))
    if not WORDS.isdisjoint(words):
        return True
    if "__" in text and any(word.startswith("__") and word not in DUNDER for word in words):
        return True
    if "import" not in words:
        return False
    return not _imports_only_pure(text) or not PURE.isdisjoint(_PRIVATE.findall(text))


def _imports_only_pure(text: str) -> bool:
    """Whether every `import` stands at the beginning of its line and names modules of `PURE`."""
    sources = _FROM.findall(text)
    lists = _IMPORT.findall(text)
    if len(re.findall(r"\bimport\b", text)) != len(sources) + len(lists):
        return False  # after a semicolon, over several lines, in a text: not worth telling apart
    names = [*sources, *(part.split()[0] for line in lists for part in line.split(",") if part.strip())]
    return all(name.split(".")[0] in PURE for name in names)
