"""Plant changed copies of every benchmark program and count how many are found; count false alarms.

    DESKCHECK_DATA=.. python measurements/decontamination.py                 copies of all programs
    python measurements/decontamination.py --library                         functions of the standard library
    python measurements/decontamination.py --library --folder FOLDER         and of packages in a folder
    python measurements/decontamination.py --generated 2000                 programs of the generated families

Copies are found where `near_copy` names any benchmark. The standard library is without its tests; the
benchmark `real` is left out there, since it is made of such functions.
"""

from __future__ import annotations

import argparse
import os
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from copies import APART, CHANGES, Change
from deskcheck.dataset.published import FILES, Published, at_hand
from deskcheck.decontamination.near import near_copy, program_copy, units_of
from deskcheck.decontamination.prints import MODULE
from deskcheck.tracing.program import make_program
from fingerprints import library_sources

ASKED = ("cruxeval", "livecodebench-exec", "humaneval", "mbpp", "core")
"""The benchmarks whose programs are planted."""


class Planted(NamedTuple):
    """Copies of one benchmark under one change."""

    n: int
    found: int
    missed: list[str]


def plant(programs: Iterable[Published], change: Change) -> Planted:
    """Copies of programs under a change, where there is something to change."""
    n = 0
    missed = []
    for one in programs:
        entry = one.entry.rpartition(".")[2]
        copy = change(one.source, entry)
        if copy is None:
            continue
        n += 1
        if near_copy(copy) is None:
            missed.append(one.id)
    return Planted(n, n - len(missed), missed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--every", type=int, default=1, help="plant every nth program alone")
    parser.add_argument("--missed", action="store_true", help="name the copies that were not found")
    parser.add_argument("--library", action="store_true", help="false alarms instead of copies")
    parser.add_argument("--folder", default=sysconfig.get_paths()["stdlib"], help="where the library lies")
    parser.add_argument("--generated", type=int, default=0, help="programs of each generated family instead")
    options = parser.parse_args()
    if options.library:
        lines = library_table(Path(options.folder))
    elif options.generated:
        lines = generated_table(options.generated)
    else:
        lines = copies_table(options.every, named=options.missed)
    for line in lines:
        print(line, flush=True)


def copies_table(every: int, *, named: bool) -> Iterator[str]:
    """A row a change, a column a benchmark: copies found of copies planted."""
    folder = os.environ.get("DESKCHECK_DATA", "")
    programs = {name: list(at_hand(name, folder))[::every] for name in ASKED if folder or name not in FILES}
    yield f"| change | {' | '.join(programs)} | together |"
    yield "|---" * (len(programs) + 2) + "|"
    for changes in (CHANGES, APART):
        sums = Counter[str]()
        for name, change in changes.items():
            planted = {benchmark: plant(of, change) for benchmark, of in programs.items()}
            n, found = sum(one.n for one in planted.values()), sum(one.found for one in planted.values())
            sums.update(n=n, found=found)
            cells = [f"{one.found:,} of {one.n:,}" for one in planted.values()]
            yield f"| {name} | {' | '.join(cells)} | {100 * found / max(n, 1):.2f} % |"
            if named:
                yield from (
                    f"  {benchmark}: {', '.join(p.missed)}" for benchmark, p in planted.items() if p.missed
                )
        if changes is CHANGES:
            yield f"| all of these: {sums['found']:,} of {sums['n']:,} |"


def library_table(folder: Path) -> Iterator[str]:
    """How many functions of a library are taken for copies."""
    n, counts, benchmarks = 0, Counter[str](), Counter[str]()
    for source in library_sources(folder):
        for unit in units_of(source):
            if unit.name == MODULE:
                continue
            n += 1
            match = near_copy(source, unit.name, but=("real",))
            if match is not None:
                counts["the same" if match.same else "near"] += 1
                benchmarks[match.benchmark] += 1
    yield f"functions {n:,}, taken for copies {counts.total():,} = {100 * counts.total() / n:.2f} %"
    yield f"{dict(counts)}, {dict(benchmarks)}"


def generated_table(n: int) -> Iterator[str]:
    """How many programs of the generated families, of a training seed, are left out of training."""
    from deskcheck.programs.generated import HELD_OUT, candidate, family_of
    from deskcheck.training import drills
    from deskcheck.training.chains import CHAINS

    yield "| family | programs | left out | the same | near | benchmarks |"
    yield "|---|---|---|---|---|---|"
    for family in (*HELD_OUT, "drills", "chains"):
        counts, benchmarks = Counter[str](), Counter[str]()
        for number in range(n):
            random = Random(f"77:{number}")
            if family == "chains":
                name = random.choice(list(CHAINS))
                program = make_program(CHAINS[name].source, "f", "1", origin="generated:chains", license="")
            else:
                made = (
                    drills.drawn(random) if family == "drills" else candidate(family_of(family), 77, number)
                )
                if made is None:
                    continue
                program = made[0]
            match = program_copy(program)
            counts["programs"] += 1
            if match is not None:
                counts["the same" if match.same else "near"] += 1
                benchmarks[match.benchmark] += 1
        left_out = counts["the same"] + counts["near"]
        part = f"{left_out} ({100 * left_out / max(counts['programs'], 1):.2f} %)"
        names = ", ".join(f"{name} {k}" for name, k in benchmarks.most_common(6))
        cells = [family, f"{counts['programs']:,}", part, str(counts["the same"]), str(counts["near"]), names]
        yield f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
