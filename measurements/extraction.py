"""Recall and precision of the extraction levels on labeled real replies.

    python measurements/extraction.py --data DIR [--half dev|held-out] [--show 20]
    python measurements/extraction.py --data DIR --labels rare.tsv       replies with LaTeX and other scripts
    python measurements/extraction.py --data DIR --labels sources.tsv    replies of five other sources, which
                                                                         reply_sources.py lays out in DIR
    python measurements/extraction.py --data DIR --labels fresh.tsv       420 later ones of these sources
    python measurements/extraction.py --data DIR --labels sealed.tsv      780 of six sources used nowhere else
    python measurements/extraction.py --data DIR --labels sealed-2.tsv    871 of eight later sources
    python measurements/extraction.py --data DIR --labels sealed-3.tsv    445 of five later sources

With --cuts 2 each reply is read cut at two random places, where a value that is not its answer is a step.

Reads tests/grading/labels/replies.tsv or rare.tsv (how they were made: the README there) and the replies in
DIR, the folder of public data. Recall: replies with an answer that is read as labeled. Precision: of what is
read, what is as labeled. Wilson intervals, 95 %. Every look at the held-out half is entered in
docs/grading.md.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

from msgspec import Struct

from deskcheck.errors import BadSource
from deskcheck.grading.envelopes import Wanted
from deskcheck.grading.extraction import LEVELS, VERSION, Level, extract
from deskcheck.grading.run_marks import Marks, found_marks, in_our_tags
from deskcheck.grading.verdict import json_value_in, value_in
from deskcheck.importers import SavedRun, read_place
from deskcheck.languages import parse_literal
from deskcheck.records import Answer, Completion
from deskcheck.result_rows import hash_of

LABELS = Path(__file__).parents[1] / "tests" / "grading" / "labels"
WHOLE = ("rare.tsv", "fresh.tsv", "sealed.tsv", "sealed-2.tsv", "sealed-3.tsv")
"""Labels that are not split into halves."""


class Label(Struct, frozen=True):
    source: str
    file: str
    index: str
    reply_sha256: str
    value_sha256: str
    """16 digits; "-" = the reply gives no answer."""
    kind: str
    by: str
    first: str = ""
    second: str = ""

    @property
    def half(self) -> str:
        return "dev" if int(self.reply_sha256[0], 16) % 2 == 0 else "held-out"


def labels(name: str = "replies.tsv") -> list[Label]:
    lines = (LABELS / name).read_text(encoding="utf-8").splitlines()[1:]
    return [Label(*line.split("\t")) for line in lines]


def replies(data: Path, wanted: list[Label]) -> Iterator[tuple[Label, SavedRun, str]]:
    """Every label with its reply as the reader gets it; DataError where the data differ from the labeled."""
    runs: dict[str, SavedRun] = {}
    for label in wanted:
        if label.file not in runs:
            (runs[label.file],) = read_place(data / label.file)
        run = runs[label.file]
        task, _, sample = label.index.rpartition("[")
        raw = run.texts[task][int(sample.rstrip("]"))]
        if hash_of(raw) != label.reply_sha256:
            raise SystemExit(f"{label.file} {label.index}: another reply than the one that was labeled")
        yield label, run, run.in_our_marks(raw)


def value_hash(answer: str) -> str:
    """As labeled: of the repr of the value, or of "raises X"."""
    try:
        text = repr(parse_literal(answer))
    except BadSource:
        text = answer
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def reader_of(run: SavedRun) -> Wanted:
    """Return the function that reads a value in the notation that the run asked for."""
    return Wanted(value_in) if run.spelling == "python" else Wanted(json_value_in, objects=False)


def read_at(level: Level, run: SavedRun, reply: str) -> str:
    """The hash of what is read; "-" where nothing is. At `generous` with the marks that the run shares."""
    read = reader_of(run)
    found = extract(Completion(reply, "stop"), level, read)
    if level == "generous" and not isinstance(found, Answer) and (marks := marks_of(run)) is not None:
        found = extract(Completion(in_our_tags(reply, marks) or "", "stop"), level, read)
    return value_hash(found.text) if isinstance(found, Answer) else "-"


_MARKS: dict[str, Marks | None] = {}


def marks_of(run: SavedRun) -> Marks | None:
    if run.path not in _MARKS:
        replies = [run.in_our_marks(text) for texts in run.texts.values() for text in texts]
        _MARKS[run.path] = found_marks(replies, Wanted(value_in))
    return _MARKS[run.path]


def wilson(hits: int, n: int) -> str:
    if not n:
        return "none"
    z, share = 1.959964, hits / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return f"{hits} of {n}, {100 * share:.1f} % [{100 * (middle - half):.1f}, {100 * (middle + half):.1f}]"


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data", default=os.environ.get("DESKCHECK_DATA", ""))
    options.add_argument("--half", default="dev")
    options.add_argument("--labels", default="replies.tsv", choices=["replies.tsv", "sources.tsv", *WHOLE])
    options.add_argument("--show", type=int, default=0)
    options.add_argument("--cuts", type=int, default=0, help="read each reply cut at N places instead")
    chosen = options.parse_args()
    if not chosen.data:
        sys.exit("name the folder of public data: --data DIR or DESKCHECK_DATA")
    halves = ("dev", "held-out") if chosen.labels in WHOLE else (chosen.half,)
    wanted = [label for label in labels(chosen.labels) if label.half in halves]
    found = list(replies(Path(chosen.data), wanted))
    n_given = sum(label.value_sha256 != "-" for label, _, _ in found)
    print(f"{' and '.join(halves)}: {len(found)} replies, {n_given} with an answer")
    if chosen.cuts:
        report_cuts(found, chosen.cuts, chosen.show)
        return
    for level in LEVELS:
        report(level, found, chosen.show)


def report_cuts(found: list[tuple[Label, SavedRun, str]], n_cuts: int, n_shown: int) -> None:
    """Values that are read in replies cut at random places, a third to nearly all of their length.

    A reply that was cut may still hold its answer; any other value belongs to a step of its reasoning.
    """
    random = Random(5)
    n, read, false = 0, 0, []
    for label, run, reply in found:
        if label.value_sha256 == "-" or len(reply) < 200:
            continue
        for _ in range(n_cuts):
            part = reply[: int(len(reply) * random.uniform(0.3, 0.97))]
            part = part.rpartition("\n")[0] if random.random() < 0.5 and "\n" in part else part
            answer = extract(Completion(part, "stop"), "usual", reader_of(run))
            n += 1
            if isinstance(answer, Answer):
                read += 1
                if value_hash(answer.text) != label.value_sha256:
                    false.append((part[-120:], answer.text[:60]))
    print(f"usual-{VERSION}: {n} cut replies, {read} values read, {len(false)} of them not the answer")
    for part, text in false[:n_shown]:
        print(f"      {part!r} -> {text}")


def report(level: Level, found: list[tuple[Label, SavedRun, str]], n_shown: int) -> None:
    """Totals, and recall by kind of reply."""
    answers = [(label, read_at(level, run, reply), reply) for label, run, reply in found]
    given = [row for row in answers if row[0].value_sha256 != "-"]
    read = [row for row in answers if row[1] != "-"]
    right = [row for row in read if row[1] == row[0].value_sha256]
    print(f"{level}: recall {wilson(len(right), len(given))}; precision {wilson(len(right), len(read))}")
    kinds = Counter((label.source, label.kind) for label, _, _ in given)
    hits = Counter((label.source, label.kind) for label, _, _ in right)
    for kind, n in sorted(kinds.items()):
        print(f"    {' · '.join(kind)}: {hits[kind]} of {n}")
    false = [row for row in read if row[1] != row[0].value_sha256]
    by_kind = Counter(f"{label.source} · {label.kind}" for label, _, _ in false)
    if false:
        print(f"    read otherwise: {', '.join(f'{kind} {n}' for kind, n in by_kind.most_common())}")
    missed = [row for row in given if row[1] == "-"]
    for label, _, reply in (false + missed)[:n_shown]:
        print(f"      {label.kind} {label.file} {label.index}: {reply[-200:]!r}")


if __name__ == "__main__":
    main()
