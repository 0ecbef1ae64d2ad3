"""Make the hashes of every program in JavaScript and TypeScript that deskcheck evaluates on.

    python measurements/fingerprints_javascript.py FOLDER            print what would be written
    python measurements/fingerprints_javascript.py FOLDER --write    and write it

FOLDER holds `node_modules` with the packages of `javascript_packages.py`: how rare a feature is comes from
their functions. Reads cruxeval-x/js.jsonl.gz and ts.jsonl.gz below DESKCHECK_DATA. Needs the extra
`javascript`.
"""

from __future__ import annotations

import argparse
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from deskcheck.benchmarks import core, cruxeval_x, easy
from deskcheck.decontamination.javascript import name_of, units_of
from deskcheck.decontamination.near import JAVASCRIPT_FILE, packed
from deskcheck.decontamination.prints import MODULE, WEIGHT_UNIT, Edition, Unit
from deskcheck.records import Skipped, TaskDraft
from fingerprints import COMMON, LEAST_PROGRAM, MOST_BITS, Hashed, prints_of
from javascript_packages import PACKAGES, modules_of

TARGET = Path(__file__).parent.parent / "src/deskcheck/decontamination" / JAVASCRIPT_FILE


def hashed(drafts: Iterable[TaskDraft | Skipped], *, near: bool) -> list[Hashed]:
    """The function that each draft calls, with its helpers; each form once."""
    made: dict[str, Hashed] = {}
    for draft in drafts:
        if not isinstance(draft, TaskDraft):
            continue
        program = draft.program
        wanted = name_of(program.entry)
        for unit in units_of(program.source, program.language):
            if unit.name == wanted and (unit.size >= LEAST_PROGRAM or not near):
                features = unit.features if near else frozenset[int]()
                made.setdefault(unit.whole, Hashed(draft.id, [unit.whole], features, len(unit.features)))
    return list(made.values())


def package_units(folder: Path, packages: Iterable[str] = PACKAGES) -> Iterator[Unit]:
    """Units of the functions in all modules of npm packages that parse, each form once."""
    seen = set()
    for package in packages:
        for path in modules_of(folder / "node_modules" / package):
            try:
                units = units_of(path.read_text(encoding="utf-8"), "javascript")
            except (SyntaxError, UnicodeDecodeError, RecursionError):
                continue
            for unit in units:
                if unit.name != MODULE and unit.whole not in seen:
                    seen.add(unit.whole)
                    yield unit


def edition_of(benchmarks: dict[str, tuple[bool, list[Hashed]]], folder: Path) -> Edition:
    """All programs, with weights of their features by the functions of packages."""
    counts, n_units = Counter[int](), 0
    for unit in package_units(folder):
        counts.update(unit.features)
        n_units += 1
    print(f"{n_units:,} functions of packages give the weights")
    features = sorted(
        {feature for _, programs in benchmarks.values() for one in programs for feature in one.features}
    )
    weights = {
        feature: round(WEIGHT_UNIT * min(math.log2(n_units / (counts[feature] + 1)), MOST_BITS))
        for feature in features
        if counts[feature] <= COMMON * n_units
    }
    order = sorted(weights)
    numbered = {feature: number for number, feature in enumerate(order)}
    return Edition(
        datetime.now(UTC).date().isoformat(),
        packed("I", order),
        bytes(weights[feature] for feature in order),
        {name: prints_of(near, programs, numbered) for name, (near, programs) in benchmarks.items()},
    )


def main() -> None:
    """Print a line for each benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    if given.folder is None:
        print("not run: FOLDER holds node_modules with the packages of javascript_packages.py --list")
        return
    data = Path(os.environ["DESKCHECK_DATA"], "cruxeval-x")
    published = [
        draft for name in ("js", "ts") for draft in cruxeval_x.drafts(str(data / f"{name}.jsonl.gz"))
    ]
    benchmarks = {
        "cruxeval-x": (True, hashed(published, near=True)),
        "core": (True, hashed(core.drafts("", language="javascript"), near=True)),
        "easy": (False, hashed(easy.drafts("", language="javascript"), near=False)),
    }
    for name, (near, programs) in benchmarks.items():
        print(f"{name}: {len(programs):,} forms, near copies: {near}")
    content = msgspec.msgpack.encode(edition_of(benchmarks, given.folder))
    print(f"{len(content):,} bytes")
    if given.write:
        TARGET.write_bytes(content)


if __name__ == "__main__":
    main()
