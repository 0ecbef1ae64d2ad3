"""CRUXEval-X in its own languages: how many programs pass their test here, and whether stored verdicts do.

    DESKCHECK_DATA=.. python measurements/foreign.py --language js [--language sh] [--limit 100] [--seed 22]

Programs run in bubblewrap (`sandbox/foreign.py`). For a language with answers of phi-1 about the input, each
answer is put into the program's test, run, and compared with the stored verdict. --limit draws rows by seed.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

from deskcheck.benchmarks.cruxeval_x import BLANK, LANGUAGES
from deskcheck.sandbox.foreign import run_all_foreign


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--language", action="append", choices=list(LANGUAGES), default=[])
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--seed", type=int, default=22)
    given = parser.parse_args()
    if not given.language:
        print(
            "not run: --language says which programs; the data lies in the folder that DESKCHECK_DATA names"
        )
        return
    folder = Path(os.environ["DESKCHECK_DATA"]) / "cruxeval-x"
    for short in given.language:
        rows = {row["id"]: row for row in read(folder / f"{short}.jsonl.gz")}
        drawn = random.Random(given.seed).sample(sorted(rows), min(given.limit or len(rows), len(rows)))
        whys = Counter(run_all_foreign([rows[n]["code"] for n in drawn], LANGUAGES[short]))  # "" = it passes
        print(
            f"{short}: {whys.pop('', 0)} of {len(drawn)} programs pass their own test", dict(whys), flush=True
        )
        answers = folder / "phi-1" / f"{short}_input.jsonl.gz"
        if answers.is_file():
            compare(short, [rows[n] for n in drawn], {one["id"]: one for one in read(answers)})


def compare(short: str, rows: list[dict[str, Any]], answers: dict[int, dict[str, Any]]) -> None:
    """Stored verdicts beside those of a run here."""
    asked = [row for row in rows if answers[row["id"]]["answer"] is not None]
    tails = [row["input_reasoning"] for row in asked]
    sources = []
    for row, tail in zip(asked, tails, strict=True):
        answer = answers[row["id"]]["answer"]
        head = row["code"][: row["code"].rfind(tail.partition(BLANK)[0])]
        sources.append(head + tail.replace(f"candidate({BLANK})", answer))
    here = [not why for why in run_all_foreign(sources, LANGUAGES[short])]
    stored = [bool(answers[row["id"]]["right"]) for row in asked]
    differ = [row["id"] for row, a, b in zip(asked, here, stored, strict=True) if a != b]
    print(
        f"{short}, input: {len(asked) - len(differ)} of {len(asked)} stored verdicts reproduced",
        differ[:20],
        flush=True,
    )


def read(path: Path) -> list[Any]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


if __name__ == "__main__":
    main()
