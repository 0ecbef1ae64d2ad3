"""Precision and recall of the reader of claims (statements/reasoning.py) on 200 texts labeled by hand.

    DESKCHECK_DATA=.. python measurements/claims.py [--half development|held-out] [--show]

Labels: tests/statements/labels. Texts are read from DESKCHECK_DATA and checked against their hash. CWM's
transcripts are states, not sentences: the page compares them frame by frame, and they are not counted here.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

from deskcheck.importers.exerscope import own_words
from deskcheck.importers.re2_bench import STOPS
from deskcheck.records import Granularity, Limits, Program
from deskcheck.statements.reasoning import judged
from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.program import make_program, split_call

LABELS = Path(__file__).parents[1] / "tests" / "statements" / "labels" / "claims.tsv"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--half", choices=["", "development", "held-out"], default="")
    parser.add_argument("--show", action="store_true", help="print every text where reader and label differ")
    options = parser.parse_args()
    data = Path(os.environ["DESKCHECK_DATA"])
    rows = list(csv.DictReader(LABELS.open(encoding="utf-8"), delimiter="\t"))
    rest = {"development": 0, "held-out": 1}.get(options.half)
    chosen = [row for n, row in enumerate(rows) if rest is None or n % 2 == rest]
    chosen = [row for row in chosen if row["source"] != "cwm-traces"]
    texts = [text_of(data, row) for row in chosen]
    programs = [program_of(data, row) for row in chosen]
    runs = trace_programs(programs, Limits(max_steps=3000), granularity=Granularity.EXPRESSION, workers=1)
    flagged: list[float] = []
    found: list[float] = []
    exact = 0
    for row, text, (program, trace) in zip(chosen, texts, runs, strict=True):
        false = next((one.claim for one in judged(text, program, trace) if not one.is_true), None)
        is_false = int(row["start"]) >= 0
        if false is not None:
            flagged.append(float(is_false))
        if is_false:
            found.append(float(false is not None))
            exact += false is not None and overlaps(text, (false.start, false.end), row)
        if options.show and (false is not None) != is_false:
            said = text[false.start : false.end] if false else "nothing"
            print(row["source"], row["file"], row["id"], "| reader:", ascii(said)[:120])
    print(f"{len(chosen)} texts, {len(found)} with a false statement")
    print(line("precision: flagged texts that have one", flagged))
    print(line("recall: texts with one that are flagged", found))
    print(f"the first one itself, or its line: {exact} of {len(found)}")


def line(title: str, values: list[float]) -> str:
    """Share, counts and interval in one line."""
    interval = clustered_interval(values, range(len(values)))
    return f"{title}: {sum(values):.0f} of {len(values)}, 95 %: {percent_ends(interval.low, interval.high)}"


def overlaps(text: str, span: tuple[int, int], row: dict[str, str]) -> bool:
    """Whether both lie on one line of the text."""
    start, end = min(span[0], int(row["start"])), max(span[1], int(row["end"]))
    return "\n" not in text[start:end].strip() and end - start < 400


@cache
def rows_of(path: Path) -> list[Any]:
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as file
    ):
        return [json.loads(one) for one in file]


def text_of(data: Path, row: dict[str, str]) -> str:
    """The reasoning before the answer mark; it must be the text that was labeled."""
    saved = rows_of(data / row["source"] / row["file"])[int(row["index"])]
    text = saved["response"]
    if row["source"] == "exerscope":
        text = before(own_words(text), ("<<<Output>>>",))
    else:
        text = before(before(text, STOPS), ("[OUTPUT]", "[ANSWER]"))
    if hashlib.sha256(text.encode()).hexdigest()[:16] != row["sha256"]:
        raise SystemExit(f"{row['file']}, row {row['index']}: not the text that was labeled")
    return str(text)


def before(text: str, marks: tuple[str, ...]) -> str:
    ends = [place for mark in marks if (place := text.find(mark)) >= 0]
    return text[: min(ends)] if ends else text


def program_of(data: Path, row: dict[str, str]) -> Program:
    """The program and the call that the text is about."""
    if row["source"] == "exerscope":
        task = next(one for one in rows_of(data / "cruxeval/cruxeval.jsonl") if one["id"] == row["id"])
        code, call = task["code"], f"f({task['input']})"
    else:
        name = "loop" if ".loop." in row["file"] else "problems"
        task = next(one for one in rows_of(data / f"re2-bench/{name}.jsonl.gz") if one["id"] == row["id"])
        code = task["code"] if name == "problems" else "\n".join(map(bare, task["code"].split("\n")))
        given = json.loads(task["shown_input"])
        arguments = (given["args"] | given["kwargs"]).items()
        call = f"{task['function']}({', '.join(f'{key}={value!r}' for key, value in arguments)})"
    entry, arguments_text = split_call(call, code, file=row["id"])
    return make_program(code, entry, arguments_text, origin="measurement")


def bare(text: str) -> str:
    """A line of a loop task without its number and its marks."""
    return re.sub(r"## \[STATE\].*$", "", re.sub(r"^\d+ ?", "", text)).rstrip()


if __name__ == "__main__":
    main()
