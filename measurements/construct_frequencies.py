"""What Python code uses how often: the standard library and pinned PyPI packages, for the family `real`.

    python measurements/construct_frequencies.py                  print the table
    python measurements/construct_frequencies.py --write          and store it beside this file
    python measurements/construct_frequencies.py --fit            fit the writer's weights to the stored table

Packages are those of constraints.txt that are installed and are plain Python; test folders and tables of data
are left out. Nothing of a benchmark is read.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import msgspec

from deskcheck.corpus.real_expressions import REAL, templates, weights
from deskcheck.programs.generated import is_accepted, write_candidate
from frequencies import (
    Frequencies,
    Table,
    apart,
    count,
    covered,
    per_statement,
    shares,
    statement_shares,
    table,
    wanted,
)

PACKAGES = {"jinja2": "jinja2", "rich": "rich", "typer": "typer", "hypothesis": "hypothesis",
            "pytest": "_pytest", "huggingface_hub": "huggingface_hub", "pandas": "pandas"}  # fmt: skip
LEFT_OUT = {"test", "tests", "idle_test", "site-packages", "encodings", "pydoc_data", "lib2to3", "turtledemo",
            "__pycache__", "_vendor", "vendored"}  # fmt: skip
TARGET = Path(__file__).with_name("frequencies.json")
WEIGHTS = Path(__file__).parent.parent / "src/deskcheck/corpus/real_weights.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="store the table beside this file")
    parser.add_argument("--fit", action="store_true", help="fit real_weights.json to the stored table")
    options = parser.parse_args()
    if options.fit:
        fit()
        return
    sources = {"CPython": sys.version.split()[0]}
    folders = [Path(sysconfig.get_paths()["stdlib"])]
    for name, module in PACKAGES.items():
        spec = find_spec(module)
        if spec is None or spec.origin is None:
            print(f"left out: {name} is not installed")
            continue
        sources[name] = version(name)
        folders.append(Path(spec.origin).parent)
    texts = [text for folder in folders for text in texts_of(folder)]
    found = Table(
        datetime.now(UTC).date().isoformat(), sources, len(texts), count(texts), count(texts, looping=True)
    )
    show(found)
    if options.write:
        TARGET.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")


def texts_of(folder: Path) -> Iterator[str]:
    for path in sorted(folder.rglob("*.py")):
        if LEFT_OUT.isdisjoint(path.relative_to(folder).parts):
            yield path.read_text("utf-8")


def fit(rounds: int = 7, candidates: int = 2500) -> None:
    """Raise the weight of what comes too seldom in kept programs, lower that of what comes too often."""
    wanted_counts = table().looping
    now = weights()
    for number in range(rounds):
        WEIGHTS.write_bytes(msgspec.json.format(msgspec.json.encode(now), indent=1) + b"\n")
        weights.cache_clear()
        templates.cache_clear()
        tried = [write_candidate(REAL["real-1"], 800_000 + number, k) for k in range(candidates)]
        sources = [
            program.source for program, random in tried if is_accepted(program, random, REAL["real-1"])
        ]
        found = count(sources, looping=True)
        methods, functions = covered()
        pairs = [
            (now.statements, statement_shares(wanted_counts), statement_shares(found)),
            (now.groups, per_statement(wanted_counts), per_statement(found)),
            (now.names, wanted(wanted_counts.methods, methods), shares(found.methods, methods)),
            (now.names, wanted(wanted_counts.builtins, functions), shares(found.builtins, functions)),
        ]
        distances = [f"{apart(target, observed):.3f}" for _, target, observed in pairs]
        print(f"round {number}: apart from the table by {', '.join(distances)}")
        if number == rounds - 1:
            _, target, observed = pairs[1]
            print({name: (round(share, 3), round(observed[name], 3)) for name, share in target.items()})
            break
        for held, target, observed in pairs:
            for name, share in target.items():
                change = ((share + 1e-4) / (observed.get(name, 0.0) + 1e-4)) ** 0.5
                held[name] = round(min(max(held.get(name, 1.0) * min(max(change, 0.4), 2.5), 0.02), 30.0), 3)


def show(table: Table) -> None:
    print(f"{table.date}; " + ", ".join(f"{name} {text}" for name, text in table.sources.items()))
    print(f"{table.files:,} files")
    for title, counts in (("all", table.all), ("with a loop", table.looping)):
        show_counts(title, counts)


def show_counts(title: str, counts: Frequencies) -> None:
    print(f"\n=== functions, {title}: {counts.functions:,}")
    for name in Frequencies.__struct_fields__[1:]:
        column: dict[str, int] = getattr(counts, name)
        whole = counts.functions if name == "holding" else sum(column.values())
        shown = ", ".join(f"{what} {100 * n / whole:.1f}" for what, n in list(column.items())[:40])
        print(f"{name} (% of {whole:,}): {shown}")


if __name__ == "__main__":
    main()
