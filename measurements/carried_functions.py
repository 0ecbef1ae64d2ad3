"""Functions of packages, of the standard library and of `real`, with their calls, as a file to train on.

    pip download --no-deps --only-binary :all: --platform any --abi none --implementation py \\
        -r measurements/carried_functions.txt -d WHEELS
    deskcheck build functions WHEEL,WHEEL,.. --calls-each 14 --max-steps 400 --filter trivial=3 \\
        --filter near-duplicate=0.8 --out BUILT
    pip install --no-deps -r measurements/real_code.txt            # the pinned functions of `real`
    python measurements/carried_functions.py BUILT [BUILT ..] --out functions.jsonl.xz

A preset draws from the file by the family "functions:functions.jsonl.xz" (`training/live/functions.py`).
Left out are packages on the held-out side of `real`, functions near a benchmark, those equal to another one,
and those with imports or calls that may act on the machine, because the training mutates calls and has no
sandbox.
The build ran each call twice in the sandbox; those that raise by a wrong type of input are left out, too.
The texts keep their licenses, so the file is for training and not for passing on.
"""

from __future__ import annotations

import argparse
import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from deskcheck.corpus.library import TRAIN, side_of
from deskcheck.decontamination.near import fingerprints, name_of, program_copy, units_of
from deskcheck.format.buffers import trace_of
from deskcheck.format.shards import check_shard, read_manifest, read_packed
from deskcheck.programs.real import whole
from deskcheck.records import Program, Raised, Returned, Trace
from deskcheck.training.live.functions import Function, Header, write_functions

STEPS = (3, 150)
MOST_CHARS = 2_500
"""Longest text of a function; longer ones do not fit into rows of 1,024 tokens."""
PURE = frozenset(
    """__future__ abc ast base64 binascii bisect calendar cmath codecs collections copy csv dataclasses
    datetime decimal difflib email enum fnmatch fractions functools hashlib heapq html ipaddress itertools
    json keyword math numbers operator pprint re statistics string struct textwrap token types typing
    unicodedata urllib zlib""".split()
)
"""Modules that do nothing to the machine: mutated calls run outside of the sandbox."""
ACTS = frozenset(
    "open exec eval compile input breakpoint __import__ now today utcnow print exit quit urlopen".split()
)
PLAIN = frozenset(("ValueError", "KeyError", "IndexError", "ZeroDivisionError", "StopIteration"))


class Collected:
    """Functions by their text, with calls, and counts of what is left out."""

    def __init__(self) -> None:
        self.functions: dict[tuple[str, str], tuple[Program, list[tuple[str, str]]]] = {}
        self.left_out: Counter[str] = Counter()
        self._refused: set[tuple[str, str]] = set()
        self._forms: dict[str, tuple[str, str]] = {}

    def add(self, program: Program, trace: Trace | None = None) -> None:
        """Take a call of a build, unless its package, its text or its run is unfit."""
        key = program.source, name_of(program.entry)
        if key in self._refused:
            return
        if key not in self.functions:
            reason = self._reason(program, key)
            self.left_out[reason or "taken"] += 1
            if reason:
                self._refused.add(key)
                return
            self.functions[key] = program, []
        if trace is None or is_fit(trace):
            self.functions[key][1].append((program.entry, program.arguments))

    def _reason(self, program: Program, key: tuple[str, str]) -> str:
        if side_of(package_of(program.origin)) != TRAIN:
            return "held-out side of real"
        if len(program.source) > MOST_CHARS:
            return f"longer than {MOST_CHARS:,} characters"
        try:
            if not is_pure(program.source):
                return "imports or calls what may act on the machine"
            if program_copy(program) is not None:
                return "near a benchmark"
            form = next((one.whole for one in units_of(program.source) if one.name == key[1]), "")
        except SyntaxError:
            return "not read"
        if form and self._forms.setdefault(form, key) != key:
            return "equal to another function"
        return ""


def package_of(origin: str) -> str:
    """Return "toolz" or "python:textwrap" for the origin of a program."""
    source, _, rest = origin.partition(":")
    if source == "real":
        return rest.rsplit(":", 3)[0]
    place = rest.partition(":")[0]
    name, _, version = place.rpartition("-")
    if not version[:1].isdigit():  # a module of the standard library
        return f"python:{place.partition('/')[0].removesuffix('.py')}"
    return name.replace("_", "-").lower()


def is_pure(source: str) -> bool:
    """Whether code imports only PURE modules and calls nothing of ACTS. SyntaxError if it is not Python."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and not {one.name.partition(".")[0] for one in node.names} <= PURE:
            return False
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] not in PURE:
            return False
        if isinstance(node, ast.Name) and node.id in ACTS:
            return False
        if isinstance(node, ast.Attribute) and node.attr in ACTS - {"compile"}:
            return False
    return True


def is_fit(trace: Trace) -> bool:
    """Whether a run is short, and returns or raises as a program may."""
    if not STEPS[0] <= trace.n_steps <= STEPS[1]:
        return False
    return isinstance(trace.outcome, Returned) or is_plain(trace)


def is_plain(trace: Trace) -> bool:
    """Whether a run raises by its values, and not by a wrong type of input."""
    return isinstance(trace.outcome, Raised) and trace.outcome.type in PLAIN


def runs(folders: Iterable[Path]) -> Iterator[tuple[Program, Trace | None]]:
    """Yield the pinned programs of `real`, then the runs of each dataset."""
    for one in whole(TRAIN):
        if isinstance(one, Program):
            yield one, None
    for folder in folders:
        for entry in read_manifest(folder):
            if entry.n_kept:
                for program, packed in read_packed(check_shard(folder, entry)):
                    assert program is not None
                    yield program, trace_of(packed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("built", type=Path, nargs="*", help="folders of `deskcheck build functions`")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    if not options.built or options.out is None:
        print("not run: name folders of `deskcheck build functions`, and --out")
        return
    collected = Collected()
    for program, trace in runs(options.built):
        collected.add(program, trace)
    for reason, number in collected.left_out.most_common():
        print(f"{number:7,} functions: {reason}")
    found = [
        Function(program.origin.rpartition(":")[0], program.source, calls, program.license)
        for program, calls in collected.functions.values()
        if calls
    ]
    Random(2).shuffle(found)
    packages = sorted({one.origin.split(":")[1] for one in found})
    write_functions(options.out, Header(fingerprints().digest, packages), iter(found))
    size = options.out.stat().st_size
    n_calls = sum(len(one.calls) for one in found)
    print(f"{len(found):,} functions, {n_calls:,} calls, {size / 1e6:.2f} MB: {options.out}")


if __name__ == "__main__":
    main()
