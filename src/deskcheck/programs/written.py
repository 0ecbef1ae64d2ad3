"""written: short functions in many styles and domains, each with six calls, written for this project.

    programs(SourceOptions(source="written"))                                  -> Program ... six calls each
    programs(SourceOptions(source="written", family="text", calls_each=100))   -> up to a hundred calls each

A file of `corpus/written/` is one family. Its blocks begin with six lines "# call: f(3)"; the function and
what it needs follow. The six inputs are of different kinds: two ordinary inputs, an empty or smallest input,
a longer input, an input that takes a rare branch, and an input that raises or has an unusual type or order of
values. Further calls change these inputs slightly (`corpus/mutation.py`); a build runs all calls and drops
equal ones. Source: this project; a language model wrote the functions (docs/written.md). License: Apache-2.0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from random import Random

from deskcheck.corpus.calls import entry_and_arguments
from deskcheck.corpus.mutation import mined_from, mutants
from deskcheck.errors import UnknownName
from deskcheck.plugins import SourceOptions
from deskcheck.records import Program
from deskcheck.tracing.program import make_program

TRUST = "ours"  # containment.admit: the texts ship with the package
TAKES = ("family", "seed", "start", "n", "calls_each")
CALLS = 6
MARK = "# call: "
HELD_OUT_OF = 12
"""One function in 12 is held out: no training of ours uses it, and the benchmark `written` asks about it."""


def programs(options: SourceOptions) -> Iterator[Program]:
    """Yield the calls of `n` functions (0 = all) from number `start` on. UnknownName: no such family."""
    known = families()
    if options.family and options.family not in known:
        raise UnknownName("family of the source 'written' (--family)", options.family, known)
    names = [options.family] if options.family else known
    functions = [(family, *block) for family in names for block in blocks(text_of(family))]
    end = options.start + options.n if options.n else None
    for family, source, calls in functions[options.start : end]:
        split = [entry_and_arguments(call) for call in calls]
        origin = f"written:{family}:{name_of(calls)}"
        further = mutated(source, split, options.calls_each or CALLS, seed=f"{options.seed}:{origin}")
        for number, (entry, arguments) in enumerate([*split, *further][: options.calls_each], 1):
            yield make_program(source, entry, arguments, origin=f"{origin}:{number}", license="Apache-2.0")


def families() -> list[str]:
    """List the families in alphabetical order."""
    folder = files("deskcheck.corpus").joinpath("written")
    return sorted(path.name.removesuffix(".py") for path in folder.iterdir() if path.name.endswith(".py"))


def text_of(family: str) -> str:
    """Read the file of one family."""
    return files("deskcheck.corpus").joinpath("written", f"{family}.py").read_text(encoding="utf-8")


def blocks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the source of each function of a file with its calls."""
    source: list[str] = []
    calls: list[str] = []
    for line in text.split("\n"):
        if line.startswith(MARK) and source:
            yield "\n".join(source).strip("\n") + "\n", calls
            source, calls = [], []
        if line.startswith(MARK):
            calls.append(line.removeprefix(MARK))
        elif calls:
            source.append(line)
    if calls:
        yield "\n".join(source).strip("\n") + "\n", calls


def name_of(calls: list[str]) -> str:
    """Return the name of the function or class that the calls of a block begin with."""
    return calls[0].partition("(")[0].partition(".")[0]


def is_held_out(name: str) -> bool:
    """Whether a function or class of the corpus is held out, by a hash of its name."""
    digest = hashlib.sha256(f"deskcheck written {name}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % HELD_OUT_OF == 0


def mutated(source: str, split: list[tuple[str, str]], n_calls: int, *, seed: str) -> list[tuple[str, str]]:
    """Return further calls, with changed arguments, until there are `n_calls` calls with the written ones.

    `split`: (entry, arguments) of the written calls. Fewer are returned if no more changes are found.
    """
    mined = mined_from(source)
    random = Random(seed)
    each = -(-n_calls // max(1, len(split)))
    known = dict.fromkeys(split)
    for entry, arguments in split:
        known.update(((entry, text), None) for text in mutants(arguments, random, mined, n=each))
    return list(known)[len(split) : n_calls]
