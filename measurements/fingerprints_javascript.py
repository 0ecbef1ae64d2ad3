"""Make the hashes of every program in JavaScript and TypeScript that deskcheck evaluates on.

    DESKCHECK_DATA=.. python measurements/fingerprints_javascript.py            print what would be written
    DESKCHECK_DATA=.. python measurements/fingerprints_javascript.py --write    and write it

Reads cruxeval-x/js.jsonl.gz and ts.jsonl.gz below DESKCHECK_DATA. Needs the extra `javascript`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable
from pathlib import Path

import msgspec

from deskcheck.benchmarks import core, cruxeval_x, easy
from deskcheck.decontamination.javascript import FILE, forms_of
from deskcheck.records import Skipped, TaskDraft

TARGET = Path(__file__).parent.parent / "src/deskcheck/decontamination" / FILE


def hashed(drafts: Iterable[TaskDraft | Skipped]) -> dict[str, int]:
    """Return id -> hash of the function that a draft calls, each form once."""
    numbers: dict[int, str] = {}
    for draft in drafts:
        if isinstance(draft, TaskDraft):
            program = draft.program
            for name, _, number in forms_of(program.source, program.language):
                if name == program.entry:
                    numbers.setdefault(number, draft.id)
    return {id: number for number, id in numbers.items()}


def main() -> None:
    """Print a line for each benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    folder = Path(os.environ["DESKCHECK_DATA"], "cruxeval-x")
    published = [
        draft for name in ("js", "ts") for draft in cruxeval_x.drafts(str(folder / f"{name}.jsonl.gz"))
    ]
    rows = {
        "cruxeval-x": hashed(published),
        "core": hashed(core.drafts("", language="javascript")),
        "easy": hashed(easy.drafts("", language="javascript")),
    }
    for name, programs in rows.items():
        print(f"{name}: {len(programs):,} forms")
    if given.write:
        TARGET.write_bytes(msgspec.msgpack.encode(rows))
        print(f"written to {TARGET}, {TARGET.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
