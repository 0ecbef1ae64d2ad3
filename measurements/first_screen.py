"""First screen of `deskcheck view` for ten wrong answers with reasoning: where does belief leave the truth?

    DESKCHECK_DATA=.. python measurements/first_screen.py --seed N [--shots DIR]     a development ten
    DESKCHECK_DATA=.. python measurements/first_screen.py --held-out [--shots DIR]   the held-out ten

A ten is five answers of ExeRScope, three of RE2-Bench's loops and two transcripts of CWM. An answer is in the
draw if it is wrong by its source and by us, has at least 120 characters of reasoning before its answer, and
is about a program that runs here in at most 3,000 steps; the others are counted by reason. Tens of a seed leave out
the programs of the held-out ten and of the held-out half of the labels (`claims.py`); the held-out ten leaves
out the labeled ones. Of the ten stored transcripts two leave the truth, so every ten has these two.

Prints what the first screen says. `--shots` opens the pages in Chromium at 1280 x 800 and prints what can be read
there without scrolling (extra `dev`).
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from claims import LABELS, before, program_of, rows_of
from msgspec import Struct
from stored_answers import re2

from deskcheck.errors import DeskcheckError
from deskcheck.grading import marks
from deskcheck.grading.compare import equal
from deskcheck.grading.literals import parse_literal
from deskcheck.importers.exerscope import own_words
from deskcheck.importers.re2_bench import STOPS
from deskcheck.records import Granularity, Limits, Program, Returned
from deskcheck.tracing.collect import trace_programs
from deskcheck.viewer.belief import ModelRun, belief_of, chain_in, divergence_of
from deskcheck.viewer.document import View, page_of

HELD_OUT = 20261124
"""Seed of the ten that was fixed before the reader was changed."""
LEAST = 120
"""Characters of reasoning before the answer."""
LIMITS = Limits(max_steps=3000)
WANTED = {"exerscope": 5, "re2-bench": 3, "cwm-traces": 2}
MODELS = ("gpt-4-turbo", "gemini-1.5-pro", "deepseek-coder-33b-instruct", "semcoder_s", "starcoder2-15b")


class Wrong(Struct, frozen=True):
    """One wrong answer."""

    source: str
    file: str
    index: int
    """Row of the file, from 0."""
    id: str
    text: str
    """The reply as the page gets it."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, help="of a development ten")
    parser.add_argument("--held-out", action="store_true", help="the ten that is looked at once")
    parser.add_argument("--data", type=Path, default=os.environ.get("DESKCHECK_DATA"))
    parser.add_argument("--shots", type=Path, help="folder for pages and screenshots")
    options = parser.parse_args()
    data = Path(options.data)
    pool, left_out = pool_of(data)
    print("answers in the draw:", ", ".join(f"{name} {len(pool[name])}" for name in WANTED))
    for reason, n in sorted(left_out.items()):
        print(f"left out: {reason}: {n}")
    ten = drawn(pool, None if options.held_out else options.seed)
    n_named = 0
    screens = list(first_screens(data, ten, options.shots))
    for number, (wrong, said) in enumerate(screens, 1):
        n_named += bool(said)
        print(f"\n{number}. {wrong.file}, {wrong.id}\n   {ascii(said or 'names no place')}")
    print(f"\n{n_named} of {len(ten)} first screens name a place; whether it is the right one is checked by hand")


def drawn(pool: dict[str, list[Wrong]], seed: int | None) -> list[Wrong]:
    """The ten of a seed, or the held-out ten (None)."""
    labels = list(csv.DictReader(LABELS.open(encoding="utf-8"), delimiter="\t"))
    held = _sample(pool, HELD_OUT, {row["id"] for row in labels})
    if seed is None:
        return held
    hidden = {row["id"] for row in labels[1::2]} | {wrong.id for wrong in held}
    return _sample(pool, seed, hidden)


def _sample(pool: dict[str, list[Wrong]], seed: int, without: set[str]) -> list[Wrong]:
    chance, found = random.Random(seed), []
    for source, n in WANTED.items():
        free = [one for one in pool[source] if source == "cwm-traces" or one.id not in without]
        found += chance.sample(free, min(n, len(free)))
    return found


# ------------------------------------------------------------------ who is in the draw


def pool_of(data: Path) -> tuple[dict[str, list[Wrong]], Counter[str]]:
    """Wrong answers with reasoning by source, and how many of the stored ones are none, by reason."""
    left_out: Counter[str] = Counter()
    pool: dict[str, list[Wrong]] = {source: [] for source in WANTED}
    for found in (_exerscope(data), _loops(data), _transcripts(data)):
        for source, wrong, reason in found:
            if wrong is None:
                left_out[f"{source}: {reason}"] += 1
            else:
                pool[source].append(wrong)
    return pool, left_out


Found = Iterator[tuple[str, Wrong | None, str]]


def _exerscope(data: Path) -> Found:
    tasks = {row["id"]: row for row in rows_of(data / "cruxeval/cruxeval.jsonl")}
    for model in MODELS:
        file = f"{model}.jsonl.gz"
        for index, row in enumerate(rows_of(data / "exerscope" / file)):
            if row["right"]:
                continue
            text = own_words(row["response"] or "")
            if len(before(text, ("<<<Output>>>",)).strip()) < LEAST:
                yield "exerscope", None, "wrong, with less than 120 characters of reasoning"
            elif _reads_equal(str(row["predict"]), tasks[row["id"]]["output"]):
                yield "exerscope", None, "wrong by the source, right by us"
            else:
                yield "exerscope", Wrong("exerscope", file, index, row["id"], text), ""


def _reads_equal(said: str, truth: str) -> bool:
    try:
        return equal(parse_literal(truth), parse_literal(said.strip()), "strict")
    except DeskcheckError:
        return False


def _loops(data: Path) -> Found:
    truths = re2.truths(data / "re2-bench")
    runs = _runs_of_loops(data)
    for path in sorted((data / "re2-bench/answers").glob("*.loop.jsonl.gz")):
        for index, row in enumerate(rows_of(path)):
            if row["right"] != 0:
                continue
            task = truths.loop[row["id"]]
            if task["source"] not in re2.OLDER or not runs.get(row["id"]):
                yield "re2-bench", None, "wrong, but the program does not run here (most are of real projects)"
                continue
            text = before(row["response"], STOPS)
            if len(before(text, ("[ANSWER]",)).strip()) < LEAST:
                yield "re2-bench", None, "wrong, with less than 120 characters of reasoning"
            elif not _differs(text, task):
                yield "re2-bench", None, "wrong by the source; no variable's filled-in values differ from its truth"
            else:
                yield "re2-bench", Wrong("re2-bench", f"answers/{path.name}", index, row["id"], text), ""


def _differs(text: str, task: dict[str, Any]) -> bool:
    """Whether a variable was filled in otherwise than in the truth, which is moved to the shown lines."""
    truth, blanks = task["truth"] or {}, marks.blanks_of("state", task["code"])
    lines, places = sorted(truth, key=int), sorted(blanks, key=int)
    if len(lines) != len(places):
        return False
    said = marks.marks_in("state", marks.last_answer(text))
    return any(
        name.isidentifier()
        and name in blanks[place]
        and name in said.get(place, {})
        and marks.as_lists(said[place][name]) != marks.as_lists(values)
        for line, place in zip(lines, places, strict=True)
        for name, values in truth[line].items()
    )


def _runs_of_loops(data: Path) -> dict[str, bool]:
    """Task -> whether its program returns here."""
    programs: dict[str, Program] = {}
    for row in rows_of(data / "re2-bench/loop.jsonl.gz"):
        if row["source"] in re2.OLDER and row["function"]:
            try:
                programs[row["id"]] = program_of(data, {"source": "re2-bench", "file": "x.loop.", "id": row["id"]})
            except (DeskcheckError, SyntaxError, ValueError, KeyError):
                continue
    runs = trace_programs(list(programs.values()), LIMITS, workers=1)
    return {
        name: isinstance(trace.outcome, Returned)
        for name, (_, trace) in zip(programs, runs, strict=True)
    }


def _transcripts(data: Path) -> Found:
    for file in ("cwm-32b.greedy.sample.jsonl.gz", "cwm-32b-codi.sample.jsonl.gz"):
        for index, row in enumerate(rows_of(data / "cwm-traces" / file)):
            exact = row.get("metrics", {}).get("state_exact_match", 1.0) == 1.0
            if row["correct"] and exact:
                yield "cwm-traces", None, "answer and every state right"
            else:
                yield "cwm-traces", Wrong("cwm-traces", file, index, row["id"], row["generation"]), ""


# ------------------------------------------------------------------ what the screen says


def first_screens(data: Path, wrongs: list[Wrong], shots: Path | None) -> Iterator[tuple[Wrong, str]]:
    """Each answer with what its page says in its first screen; "" = the page names no place."""
    programs = [_program(data, wrong) for wrong in wrongs]
    recorded = [
        list(trace_programs(programs, LIMITS, granularity=level, workers=1))
        for level in (Granularity.LINE, Granularity.EXPRESSION)
    ]
    views = []
    for wrong, (program, trace), (_, fine) in zip(wrongs, *recorded, strict=True):
        run = ModelRun(wrong.file.partition(".jsonl")[0], chain_in(wrong.text), text=wrong.text)
        views.append(View(program, [trace, fine], runs=[run]))
    if shots is not None:
        yield from zip(wrongs, _opened(views, shots), strict=True)
        return
    for wrong, view in zip(wrongs, views, strict=True):
        yield wrong, divergence_of(belief_of(view.runs[0], view.traces, view.program), view.traces[0])


def _program(data: Path, wrong: Wrong) -> Program:
    row = {"source": wrong.source, "file": wrong.file, "id": wrong.id}
    return program_of(data, row | ({"source": "exerscope"} if wrong.source == "cwm-traces" else {}))


def _opened(views: list[View], folder: Path) -> Iterator[str]:
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"])
        for number, view in enumerate(views, 1):
            file = folder / f"{number}.html"
            file.write_text(page_of(view), encoding="utf-8")
            tab = browser.new_page(viewport={"width": 1280, "height": 800})
            tab.goto(file.as_uri())
            tab.evaluate("deskcheck.ready.then(() => true)")
            tab.screenshot(path=str(folder / f"{number}.png"))
            yield str(tab.evaluate(_IN_SIGHT))
            tab.close()
        browser.close()


_IN_SIGHT = """() => {
  const finding = document.querySelector("#divergence .verdict"), box = finding.getBoundingClientRect();
  const seen = box.top >= 0 && box.bottom <= innerHeight && box.width > 0 && deskcheck.belief.run.first >= 0;
  return seen ? finding.innerText : "";
}"""


if __name__ == "__main__":
    main()
