"""Write whole programs of the family `idioms`: functions, helpers, recursion, classes.

    write_idioms(Random("idioms:1:17"), IDIOMS["idioms"])
    -> Written("import heapq\\n\\ndef move_words(arr, mapping, depth): ..", "move_words", "[7, 5, 13, ..", ..)

The letters for kinds of values are those of `values.py`: "L" is a list of integers.
"""

from __future__ import annotations

import re
from random import Random

from deskcheck.corpus.expressions import Written
from deskcheck.corpus.idioms.classes import Definitions, add_class, uses_of
from deskcheck.corpus.idioms.templates import recursive
from deskcheck.corpus.idioms.values import Values
from deskcheck.corpus.idioms.writer import Writer
from deskcheck.corpus.real_expressions import RealFamily


class IdiomFamily(RealFamily, frozen=True):
    """Bounds on the programs of the family `idioms`; the templates decide everything else."""


IDIOMS = {
    "idioms": IdiomFamily(
        name="idioms",
        steps=(2, 200),
        max_int=9_999_999,
        max_length=40,
        max_text=120,
        statements=(2, 5),
        entries=(2, 20),
        words=(1, 2, 5),
        depth=2,
        raising=0.3,
    )
}
# Kinds of parameters and of results, with weights.
_PARAMETERS = (
    ("I", 9),
    ("S", 9),
    ("L", 10),
    ("W", 5),
    ("D", 3),
    ("G", 2),
    ("P", 2),
    ("F", 1),
    ("Q", 1),
    ("M", 1),
    ("Z", 1),
    ("K", 1),
    ("B", 1),
    ("O", 1),
)
_RETURNS = (
    ("I", 30),
    ("S", 16),
    ("L", 13),
    ("W", 6),
    ("B", 7),
    ("D", 5),
    ("F", 4),
    ("T", 8),
    ("P", 2),
    ("G", 2),
    ("O", 1),
    ("K", 1),
    ("M", 1),
)
_ANNOTATIONS = {
    "I": "int",
    "S": "str",
    "L": "list[int]",
    "W": "list[str]",
    "D": "dict[str, int]",
    "G": "list[list[int]]",
    "B": "bool",
    "F": "float",
    "Q": "list[float]",
}
_VERBS = (
    "get find count make build check update merge split format parse compute calc solve process "
    "convert collect filter sort sum can reduce apply group fix move clean score rank fill pack"
).split()
_NOUNS = (
    "items words total value list score path text pairs max min len grid order price label "
    "state range digits parts names steps moves groups result cost sum index"
).split()
# Pattern of a program's text -> import that the program then needs.
_IMPORTS = {
    r"\bCounter\(": "from collections import Counter",
    r"\bdefaultdict\(": "from collections import defaultdict",
    r"\bdeque\(": "from collections import deque",
    r"\breduce\(": "from functools import reduce",
    r"@dataclass": "from dataclasses import dataclass",
    r"\bmath\.": "import math",
    r"\bheapq\.": "import heapq",
    r"\bbisect\.": "import bisect",
    r"\bitertools\.": "import itertools",
    r"\bre\.": "import re",
    r"@lru_cache": "from functools import lru_cache",
}
# Kind of a global constant, and its line.
_CONSTANTS = (
    ("S", "VOWELS = 'aeiou'"),
    ("I", "LIMIT = {n}"),
    ("I", "MOD = {n}7"),
    ("S", "DIGITS = '0123456789'"),
    ("D", "PRICES = {d}"),
    ("L", "PRIMES = [2, 3, 5, 7, 11, 13]"),
    ("D", "VALUES = {d}"),
    ("W", "COLORS = {w}"),
    ("I", "BASE = {n}"),
    ("F", "RATE = 0.{n}"),
    ("S", "ALPHABET = 'abcdefghijklmnopqrstuvwxyz'"),
    ("L", "STEPS = {l}"),
)


def _drawn(rng: Random, weighted: tuple[tuple[str, int], ...]) -> str:
    kinds, weights = zip(*weighted, strict=True)
    return str(rng.choices(kinds, weights)[0])


def function_name(rng: Random) -> str:
    """Draw a name of a function in one of several styles."""
    luck = rng.random()
    verb, noun = rng.choice(_VERBS), rng.choice(_NOUNS)
    if luck < 0.35:
        return "f"
    if luck < 0.55:
        return rng.choice(
            ("solve", "main", "run", "func", "process", "compute", "task", "work", "test", verb)
        )
    return f"{verb}_{noun}" if luck < 0.78 else f"{verb}{noun.capitalize()}"


class Program(Definitions):
    """A program that is being written, without imports: its definitions, and the calls that they offer."""

    def __init__(self, rng: Random, family: IdiomFamily) -> None:
        super().__init__(rng)
        self.family = family
        self.calls: list[tuple[str, str]] = []
        self.constants: dict[str, str] = {}
        self.free = False
        """Whether a function may return another kind than it was asked to."""
        self.used: set[str] = set()
        """Names of the functions so far."""

    def constant(self) -> None:
        """Add a global constant, which all functions may read."""
        kind, text = self.rng.choice(_CONSTANTS)
        values = Values(self.rng)
        drawn = {"d": values.literal("D"), "w": values.literal("W"), "l": values.literal("L")}
        text = text.format(n=self.rng.randint(2, 60), **drawn)
        self.parts.append(text)
        self.constants[text.split(" = ")[0]] = kind

    def function(
        self, name: str, kinds: list[str], returns: str, count: int, depth: int, words: tuple[str, ...] = ()
    ) -> list[str]:
        """Write one function and return its lines.

        `kinds` are those of its parameters, `returns` that of its result. The body has `count` statements,
        with at most `depth` levels of blocks. `words` are words of the arguments, so that look-ups hit.
        """
        rng = self.rng
        writer = Writer(rng, returns)
        writer.words = words
        writer.calls = list(self.calls)
        writer.scope |= self.constants
        writer.frozen |= set(self.constants)
        writer.full |= set(self.constants)
        names = []
        for kind in kinds:
            parameter = writer.new(kind)
            names.append(parameter)
            writer.scope[parameter] = kind
            writer.full.add(parameter)
            writer.unread.add(parameter)
        shown = list(names)
        if rng.random() < 0.12:
            shown = [
                f"{n}: {_ANNOTATIONS[k]}" if k in _ANNOTATIONS else n
                for n, k in zip(names, kinds, strict=True)
            ]
        elif kinds and kinds[-1] in "ISFB" and rng.random() < 0.12:
            shown[-1] += f"={writer.literal(kinds[-1])}"
        lines = [f"def {name}({', '.join(shown)}):"]
        if rng.random() < 0.04:
            lines.append(f'    """{rng.choice(_VERBS).capitalize()} the {rng.choice(_NOUNS)}."""')
        lines += ["    " + line for line in self.body(writer, count, depth)]
        return lines

    def body(self, writer: Writer, count: int, depth: int) -> list[str]:
        """Write a body that ends with a return and calls functions and classes written before."""
        rng = self.rng
        lines: list[str] = []
        for made in self.objects:
            lines += uses_of(writer, made)
        at = rng.randrange(max(count, 1)) if self.calls else -1
        for number in range(count):
            if number == at:
                lines += writer.called(*rng.choice(self.calls))
            lines += writer.block(1, depth)
        if any(line.startswith("return ") for line in lines):
            lines = lines[: next(i for i, line in enumerate(lines) if line.startswith("return "))]
        unread = [
            n for n in writer.scope if n in writer.unread and n not in writer.empty and "self." not in n
        ]
        if (
            self.free
            and unread
            and not any(writer.scope[n] == writer.returns for n in unread)
            and rng.random() < 0.6
        ):
            last = unread[-1]
            luck = rng.random()
            others = [n for n in writer.scope if n != last and n not in self.constants]
            if others and luck < 0.25:
                return [*lines, f"return {rng.choice((f'{last}, {others[-1]}', f'({others[-1]}, {last})'))}"]
            writer.returns = writer.scope[last]
        return [*lines, f"return {writer.result(2)}"]

    def helper(self) -> None:
        """Add a helper function, which later functions may call."""
        rng = self.rng
        kinds = [_drawn(rng, _PARAMETERS[:4]) for _ in range(rng.choice((1, 1, 2)))]
        returns = _drawn(rng, _RETURNS[:6])
        name = self._fresh()
        lines = self.function(name, kinds, returns, rng.choice((1, 1, 1, 2)), rng.choice((0, 1)))
        self.parts.append("\n".join(lines))
        self.calls.append((returns, f"{name}({', '.join('$' + k for k in kinds)})"))

    def _fresh(self) -> str:
        for _ in range(20):
            name = function_name(self.rng)
            if name not in self.used and name != "f":
                break
        self.used.add(name)
        return name

    def recursive(self) -> None:
        """Add a recursive function, which later functions may call."""
        rng = self.rng
        text, call, kind = rng.choice(recursive())
        writer = Writer(rng, kind)
        name = (
            self._fresh()
            if rng.random() < 0.6
            else rng.choice(("rec", "walk", "dfs", "go", "visit", "helper", "calc", "count"))
        )
        self.used.add(name)
        labels = {"f": (name, "X")}
        self.parts.append("\n".join(writer.lines_of(text, 0, labels)))
        self.calls.append((kind, writer._with_choices(call).replace("$.f", name)))


def write_idioms(rng: Random, family: IdiomFamily) -> Written:
    """Write one random program of this family, with the arguments of one call."""
    program = Program(rng, family)
    if rng.random() < 0.1:
        program.constant()
    luck = rng.random()
    if luck < 0.14:
        program.recursive()
    elif luck < 0.28:
        add_class(program)
    elif luck < 0.46:
        for _ in range(rng.choice((1, 1, 2, 3))):
            program.helper()
    program.free = True
    kinds = [_drawn(rng, _PARAMETERS) for _ in range(rng.choice((1, 1, 2, 2, 2, 3)))]
    values = Values(rng)
    arguments = ", ".join(values.literal(kind) for kind in kinds)
    words = tuple(re.findall(r"[A-Za-z]{1,8}", arguments))[:12]
    entry = function_name(rng)
    while entry in program.used:
        entry = function_name(rng)
    count = rng.choice((2, 2, 3, 3, 4, 5)) if not program.parts else rng.choice((1, 1, 2, 2, 3))
    lines = program.function(entry, kinds, _drawn(rng, _RETURNS), count, family.depth, words)
    source = "\n\n".join([*program.parts, "\n".join(lines)])
    imports = [line for pattern, line in _IMPORTS.items() if re.search(pattern, source)]
    if imports:
        source = "\n".join(imports) + "\n\n" + source
    return Written(source + "\n", entry, arguments, tuple(kinds))
