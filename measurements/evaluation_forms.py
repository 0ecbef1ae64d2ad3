"""What training keeps out: the normal forms of every program that deskcheck evaluates on, by benchmark.

    DESKCHECK_DATA=.. python measurements/evaluation_forms.py           read all, say what is not in the file
    DESKCHECK_DATA=.. python measurements/evaluation_forms.py --write   add it; --only NAME: one of them

Run it on every Python: a held-out generated program can be another one there. Data that is not there is said
and left as it stands in the file. What `fresh` asks without options is in it; `real` is what is installed
(measurements/real_code.txt).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import msgspec

from deskcheck import plugins
from deskcheck.programs._forms import Forms, KnownForms
from deskcheck.programs._normal import normal_form
from deskcheck.programs.generated import HELD_OUT, N_HELD_OUT, traced
from deskcheck.records import Item

SHIPPED = ("core", "long", "easy", "fresh", "real")
PUBLIC = {
    "humaneval": "human-eval/HumanEval.jsonl",
    "mbpp": "mbpp/mbpp.jsonl",
    "mbpp-sanitized": "mbpp/sanitized-mbpp.json",
    "mbpp-nested": "mbpp/mbpp.jsonl",
    "cruxeval": "cruxeval/cruxeval.jsonl",
    "livecodebench-exec": "livecodebench-exec/problems.jsonl",
    "leetcode": "leetcode/LeetCodeDataset-v0.2.0-train.jsonl.gz",
}
TARGET = Path(__file__).parent.parent / "src/deskcheck/programs/evaluation_forms.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--write", action="store_true", help="add what is new to the file")
    parser.add_argument("--only", help="read this one alone")
    options = parser.parse_args()
    before = msgspec.json.decode(TARGET.read_bytes(), type=KnownForms).benchmarks if TARGET.exists() else {}
    found = dict(before)
    for name, sources in everything(options.only):
        forms = {form_of(source) for source in sources} - {""}
        known = set(before[name].forms) if name in before else set()
        new = len(forms - known)
        print(f"{name:22} {len(sources):6,} programs {len(forms):6,} forms, {new:5,} not in the file")
        n = max(len(sources), before[name].programs if name in before else 0)
        found[name] = Forms(n, sorted(known | forms))
    print(f"{len({form for one in found.values() for form in one.forms}):,} forms in all")
    if options.write:
        written = KnownForms(datetime.now(UTC).date().isoformat(), found)
        TARGET.write_bytes(msgspec.json.encode(written).replace(b'"]},', b'"]},\n') + b"\n")


def everything(only: str | None) -> Iterator[tuple[str, set[str]]]:
    """Name and sources."""
    for name, sources in readers():
        if only in (None, name):
            yield name, sources()


def readers() -> Iterator[tuple[str, Callable[[], set[str]]]]:
    for name in SHIPPED:
        yield name, partial(sources_of, name, "")
    for family, seed in HELD_OUT.items():
        yield f"held-out {family}", partial(held_out, family, seed)
    folder = Path(os.environ.get("DESKCHECK_DATA", ""))
    for name, path in PUBLIC.items():
        if os.environ.get("DESKCHECK_DATA") and (folder / path).exists():
            yield name, partial(sources_of, name, str(folder / path))
        else:
            print(f"{name:22} left as it is: no {path} in DESKCHECK_DATA")


def held_out(family: str, seed: int) -> set[str]:
    return {program.source for program, _ in traced(family, seed=seed, n=N_HELD_OUT)}


def sources_of(benchmark: str, data: str) -> set[str]:
    items = plugins.load("benchmark", benchmark).items(data)
    return {item.program.source for item in items if isinstance(item, Item)}


def form_of(source: str) -> str:
    """ "" where the source is not Python of this version."""
    try:
        return normal_form(source)
    except (SyntaxError, ValueError, RecursionError):
        return ""


if __name__ == "__main__":
    main()
