"""Make the fingerprints of every program that deskcheck evaluates on: what training keeps out.

    DESKCHECK_DATA=.. python measurements/fingerprints.py           read all, print what would be written
    DESKCHECK_DATA=.. python measurements/fingerprints.py --write   and write it; --only NAME for one of them

Run it on every Python: a held-out generated program can be another one there, so forms of generated programs
are added to those in the file. Data that is not there is named and stays as it is in the file. Weights of
features come from the standard library of the Python that runs.
"""

from __future__ import annotations

import argparse
import math
import os
import sysconfig
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec

from deskcheck.dataset.published import FILES, Published, at_hand, published
from deskcheck.decontamination.near import FILE, numbers, packed, units_of
from deskcheck.decontamination.prints import MODULE, WEIGHT_UNIT, Edition, Prints, Unit
from deskcheck.programs.generated import HELD_OUT

TARGET = Path(__file__).parent.parent / "src/deskcheck/decontamination" / FILE
GENERATED = ("long", "easy", "fresh")
SHIPPED = ("core", "classic", "real", *GENERATED)
LEAST_HELPER = 40
"""Nodes of a function beside the entry that is looked for by itself."""
LEAST_PROGRAM = 8
"""Nodes of a published program; what is smaller (`return False`) is no benchmark's."""
COMMON = 0.01
"""A feature that more than this share of the functions has weighs nothing."""
MOST_BITS = 12.0


class Hashed(NamedTuple):
    """One program, or one method of a class, in hashes."""

    id: str
    forms: list[str]
    features: frozenset[int]
    n_features: int


Benchmark = tuple[bool, list[Hashed]]
"""Whether near copies count, and the programs."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the file")
    parser.add_argument("--only", help="read this benchmark alone")
    parser.add_argument(
        "--generated", action="store_true", help="read generated programs alone: on other Pythons"
    )
    options = parser.parse_args()
    edition = edition_of(dict(everything(options.only, options.generated)), before())
    for name, prints in edition.benchmarks.items():
        n_forms = len({form[n : n + 8] for form in prints.forms for n in range(0, len(form), 8)})
        print(f"{name:22} {len(prints.ids):6,} programs {n_forms:6,} forms  near copies: {prints.near}")
    data = msgspec.msgpack.encode(edition)
    print(f"{len(edition.weights):,} features, {len(data):,} bytes")
    if options.write:
        TARGET.write_bytes(data)


def everything(only: str | None, generated: bool) -> Iterator[tuple[str, Benchmark]]:
    """Every benchmark that is there."""
    folder = Path(os.environ.get("DESKCHECK_DATA", ""))
    for name in GENERATED if generated else SHIPPED:
        if only in (None, name):
            near = name not in GENERATED
            yield name, (near, hashed(published(name), near))
    for family in HELD_OUT:
        if only in (None, f"held-out {family}"):
            yield f"held-out {family}", (False, hashed(at_hand(f"held-out {family}", ""), False))
    for name, paths in FILES.items() if not generated else ():
        there = [
            folder / path for path in paths if "DESKCHECK_DATA" in os.environ and (folder / path).exists()
        ]
        if only in (None, name) and there:
            yield name, (True, hashed((one for path in there for one in published(name, str(path))), True))
        elif only in (None, name):
            print(f"{name:22} left as it is: no {paths[0]} in DESKCHECK_DATA")


def hashed(programs: Iterable[Published], near: bool) -> list[Hashed]:
    """Programs that are Python of this version."""
    made: dict[str, Hashed] = {}
    for one in programs:
        try:
            units = units_of(one.source)
        except (SyntaxError, ValueError, RecursionError) as error:
            print(f"left out: {one.id}: {error}")
            continue
        for prints in hashes_of(one, units, near):
            made.setdefault(prints.id, prints)
    return list(made.values())


def hashes_of(one: Published, units: list[Unit], near: bool) -> Iterator[Hashed]:
    """The entry with its helpers; where the benchmark is about a class, each of its methods of some size."""
    main = [unit for unit in units if unit.name == one.entry][-1:]
    methods = [unit for unit in units if unit.name.startswith(f"{one.entry}.")] if not main else []
    main = main or [unit for unit in units if unit.name == MODULE and not methods]
    large = [unit for unit in units if unit.size >= LEAST_HELPER and unit.name != MODULE]
    for unit in main:
        forms = {unit.whole, *(other.form for other in large if near)}
        if near and unit.size < LEAST_PROGRAM:
            continue
        features = unit.features if near else frozenset[int]()
        yield Hashed(one.id, sorted(forms), features, len(unit.features))
    for unit in methods:
        if unit in large:
            yield Hashed(f"{one.id} {unit.name}", [unit.form], unit.features, len(unit.features))


def before() -> dict[str, Benchmark]:
    """What the file holds."""
    if not TARGET.exists():
        return {}
    edition = msgspec.msgpack.decode(TARGET.read_bytes(), type=Edition)
    values = numbers("I", edition.features)
    return {name: (prints.near, _read(prints, values)) for name, prints in edition.benchmarks.items()}


def _read(prints: Prints, values: Iterable[int]) -> list[Hashed]:
    known = list(values)
    return [
        Hashed(
            identity,
            [forms[k : k + 8].hex() for k in range(0, len(forms), 8)],
            frozenset(known[k] for k in numbers("I", features)),
            n_features,
        )
        for identity, forms, features, n_features in zip(
            prints.ids, prints.forms, prints.features, prints.n_features, strict=True
        )
    ]


def edition_of(made: dict[str, Benchmark], old: dict[str, Benchmark]) -> Edition:
    """New programs instead of old ones, but for the forms of generated ones, which stay."""
    benchmarks = dict(old)
    for name, (near, programs) in made.items():
        benchmarks[name] = near, programs if near else joined(old.get(name, (near, []))[1], programs)
    features = frozenset[int]().union(*(one.features for _, all_of in benchmarks.values() for one in all_of))
    weights = weights_of(features) if any(near for near, _ in made.values()) else known_weights()
    order = sorted(weights)
    numbered = {feature: number for number, feature in enumerate(order)}
    return Edition(
        datetime.now(UTC).date().isoformat(),
        packed("I", order),
        bytes(weights[feature] for feature in order),
        {name: prints_of(near, programs, numbered) for name, (near, programs) in benchmarks.items()},
    )


def weights_of(features: Iterable[int]) -> dict[int, int]:
    """How rare each feature is, in sixteenths of a bit; common ones are left out."""
    counts, n_units = library()
    return {
        feature: round(WEIGHT_UNIT * min(math.log2(n_units / (counts[feature] + 1)), MOST_BITS))
        for feature in features
        if counts[feature] <= COMMON * n_units
    }


def known_weights() -> dict[int, int]:
    """Those in the file."""
    edition = msgspec.msgpack.decode(TARGET.read_bytes(), type=Edition)
    return dict(zip(numbers("I", edition.features), edition.weights, strict=True))


def joined(old: list[Hashed], new: list[Hashed]) -> list[Hashed]:
    """Both, by id: a program that differs from Python to Python has a form of each."""
    both = {one.id: one for one in old}
    for one in new:
        forms = sorted({*one.forms, *(both[one.id].forms if one.id in both else ())})
        both[one.id] = one._replace(forms=forms)
    return list(both.values())


def prints_of(near: bool, programs: list[Hashed], numbered: dict[int, int]) -> Prints:
    """The programs of one benchmark as they are stored."""
    return Prints(
        near,
        [one.id for one in programs],
        [b"".join(map(bytes.fromhex, one.forms)) for one in programs],
        [packed("I", sorted(numbered[f] for f in one.features if f in numbered)) for one in programs],
        [one.n_features for one in programs],
    )


def library() -> tuple[Counter[int], int]:
    """In how many units of the standard library each feature is, and how many units there are."""
    counts: Counter[int] = Counter()
    n = 0
    for unit in library_units(Path(sysconfig.get_paths()["stdlib"])):
        counts.update(unit.features)
        n += 1
    return counts, n


def library_units(root: Path) -> Iterator[Unit]:
    """Units of all modules below a folder."""
    for source in library_sources(root):
        yield from units_of(source)


def library_sources(root: Path) -> Iterator[str]:
    """All modules below a folder that are Python of this version, tests and installed packages left out."""
    for path in sorted(root.rglob("*.py")):
        folders = path.relative_to(root).parts[:-1]
        if any("test" in part or part == "site-packages" for part in folders):
            continue
        try:
            source = path.read_text(encoding="utf-8")
            units_of(source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        yield source


if __name__ == "__main__":
    main()
