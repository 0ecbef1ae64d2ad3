"""Functions of the standard library and of PyPI packages as programs: find them, and pin those that hold.

    pip install --no-deps -r measurements/real_code.txt
    python measurements/real_code.py [--only NAME,NAME]     count what there is
    python measurements/real_code.py --write                and store the set that ships
    python measurements/real_code.py --check                which of the stored ones can be made here

Every call is run in the sandbox, those that are kept twice more there and once under each of three hash
seeds, traced to the same bytes. A few minutes of one core.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from deskcheck.corpus.library import HELD_OUT, TRAIN, Package, find_package, installed, standard_library
from deskcheck.corpus.library_pins import LIMITS, Missing, Pins, pinned
from deskcheck.format.buffers import trace_of
from deskcheck.records import Limits, Program, Trace
from deskcheck.sandbox import containment
from deskcheck.tracing.collect import trace_packed
from deskcheck.tracing.packed import pack
from deskcheck.tracing.run import packed_program
from pinning import find

TARGET = Path(__file__).parent.parent / "src/deskcheck/corpus/library_pins.json"
PACKAGES = Path(__file__).with_name("real_code.txt")
SEEDS = ("0", "1", "2")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="store the set in the package")
    parser.add_argument("--check", action="store_true", help="make the stored set again")
    parser.add_argument("--only", default="", help="these packages alone, by their names")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--digests", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.digests:
        print_digests()
        return
    if options.check:
        check()
        return
    if options.write and options.only:
        parser.error("--write stores the whole set; leave --only out")
    found = find(
        list(packages(options.only)),
        run=lambda programs, limits: traced(programs, limits, options.workers),
        steady=lambda programs: steady(programs, options.workers),
        date=datetime.now(UTC).date().isoformat(),
        python=platform.python_version(),
    )
    show(found)
    if options.write:
        TARGET.write_bytes(msgspec.json.encode(found).replace(b'{"name"', b'\n{"name"') + b"\n")


def packages(only: str) -> Iterator[Package]:
    """Those asked for: the standard library, and what real_code.txt names and is installed."""
    if only:
        for name in only.split(","):
            found = find_package(name)
            if found is None:
                sys.exit(f"no package '{name}' is installed here")
            yield found
        return
    yield from standard_library()
    for line in PACKAGES.read_text(encoding="utf-8").splitlines():
        name, equals, version = line.partition("==")
        if not equals:
            continue
        found = installed(name)
        if found is None or found.version != version:
            sys.exit(f"{line} is wanted, {found.version if found else 'nothing'} is installed")
        if not found.license:
            sys.exit(f"{line}: its license is not one that lets functions be passed on")
        yield found


def traced(programs: Iterable[Program], limits: Limits, workers: int) -> Iterator[tuple[Program, Trace]]:
    for number, (program, packed) in enumerate(trace_packed(programs, limits, workers=workers)):
        if number % 2_000 == 0:
            print(f"{number:,} calls: {program.origin}", file=sys.stderr, flush=True)
        yield program, trace_of(packed)


def steady(programs: list[Program], workers: int) -> list[bool]:
    """Twice more in the sandbox; then by the digest of the trace under other seeds."""
    print(f"{len(programs):,} programs once more", file=sys.stderr, flush=True)
    same = [
        packed.head.determinism.confirmed
        for _, packed in trace_packed(programs, LIMITS, workers=workers, confirm=True)
    ]
    payload = msgspec.msgpack.encode(programs)
    by_seed = [
        subprocess.run(
            [sys.executable, __file__, "--digests"],
            input=payload,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONHASHSEED": seed},
            check=True,
        ).stdout.split()
        for seed in SEEDS
    ]
    return [one and len(set(digests)) == 1 for one, *digests in zip(same, *by_seed, strict=True)]


def print_digests() -> None:
    """A line each. These programs ran contained before, and import only what touches nothing."""
    for program in msgspec.msgpack.decode(sys.stdin.buffer.read(), type=list[Program]):
        print(hashlib.sha256(pack(packed_program(program, LIMITS))).hexdigest())


def check() -> None:
    for side in (HELD_OUT, TRAIN):
        counts: Counter[str] = Counter()
        for one in pinned(side):
            counts["made again" if not isinstance(one, Missing) else one.reason.partition(" of ")[0]] += 1
        print(f"{side}: " + ", ".join(f"{n:,} {what}" for what, n in counts.most_common()))


def show(found: Pins) -> None:
    print(f"CPython {found.python}, {found.date}, sandbox {containment.find().level}")
    print(f"{found.functions:,} functions seen, {found.n_kept:,} kept")
    for reason, n in found.dropped.items():
        print(f"{n:7,}  {reason}")
    for side in (HELD_OUT, TRAIN):
        of_side = [one for one in found.packages if one.side == side]
        modules = [module for one in of_side for module in one.modules]
        functions = {(id(module), call.function) for module in modules for call in module.programs}
        n = sum(len(module.programs) for module in modules)
        print(f"{side}: {len(of_side)} packages, {len(functions):,} functions, {n:,} programs")
        sizes = {one.name: sum(len(module.programs) for module in one.modules) for one in of_side}
        print("  " + ", ".join(f"{name} {n}" for name, n in sorted(sizes.items(), key=lambda s: -s[1])))


if __name__ == "__main__":
    main()
