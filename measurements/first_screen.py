"""First screen of `deskcheck view` for ten wrong answers with reasoning: where does belief leave the truth?

    DESKCHECK_DATA=.. python measurements/first_screen.py --seed N [--shots DIR]     a development ten
    DESKCHECK_DATA=.. python measurements/first_screen.py --held-out 3 [--shots DIR]  a held-out ten

A ten is five answers of ExeRScope, three of RE2-Bench's loops and two transcripts of CWM. An answer is in the
draw if it is wrong by its source and by us, has at least 120 characters of reasoning before its answer, and
is about a program that runs here in at most 3,000 steps; the others are counted by reason. "Wrong by us"
means, of a loop, that the list of a loop's variable fits no way of counting rounds: most published truths
leave out a round that a return or break ends. Tens of a seed leave out the programs of the held-out ten and
of the held-out half of the labels (`claims.py`); the held-out ten leaves out the labeled ones. Of the ten
stored transcripts two leave the truth (one has a right answer), so every ten has these two.

Prints what the first screen says. `--shots` opens the pages in Chromium at 1280 x 800, prints what can be
read there without scrolling, and keeps page and picture (extra `dev`).
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import hashlib
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from msgspec import Struct

from claims import LABELS, before, program_of, rows_of
from deskcheck.errors import DeskcheckError
from deskcheck.grading.literals import equal, parse_literal
from deskcheck.importers.exerscope import own_words
from deskcheck.importers.re2_bench import STOPS
from deskcheck.records import Granularity, Limits, Program, Returned, Trace
from deskcheck.tracing.collect import trace_programs
from deskcheck.viewer.belief import ModelRun, belief_of, chain_in, divergence_of
from deskcheck.viewer.document import View, page_of
from deskcheck.viewer.opening import view_of_saved
from deskcheck.viewer.rounds import Moment, rounds_filled_in
from deskcheck.viewer.values import plain_moments
from stored_answers import re2

HELD_OUT = (20261124, 20261125, 20261126, 20261127, 20261128, 20261129, 20261130, 20261201)
"""Seeds of the held-out tens, each looked at once: the reader was mended after each of the first seven."""
DEVELOPMENT = (
    ((range(1, 11), 5), (range(301, 306), 25)),
    ((range(306, 307), 30),),
    ((range(307, 308), 30), (range(308, 309), 24), (range(309, 310), 26), (range(310, 311), 20)),
    ((range(307, 308), 30), (range(308, 309), 24), (range(309, 310), 26)),
    ((range(311, 313), 24),),
    ((range(314, 319), 5),),
)
"""Seeds, and answers of ExeRScope, looked at before the third ten and each that follows: not in them.

From 307 on without the programs of all that was looked at before."""
SEEN = ("sample_27",)
"""A program looked at before the eighth ten, in a draw that left out too many."""
LEAST = 120
"""Characters of reasoning before the answer."""
LIMITS = Limits(max_steps=3000)
WANTED = {"exerscope": 5, "re2-bench": 3, "cwm-traces": 2}
MODELS = ("gpt-4-turbo", "gemini-1.5-pro", "deepseek-coder-33b-instruct", "semcoder_s", "starcoder2-15b")


class Wrong(Struct, frozen=True):
    """A wrong answer with reasoning, of a program that can be executed here."""

    source: str
    file: str
    index: int
    """Row of the file, from 0."""
    id: str
    text: str
    """The reply as the page gets it."""
    answer: str = ""
    """What its source took from it; "" = not known."""


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, help="of a development ten")
    parser.add_argument("--held-out", type=int, choices=range(1, 9), help="a ten that was looked at once")
    parser.add_argument("--data", type=Path, default=os.environ.get("DESKCHECK_DATA"))
    parser.add_argument("--shots", type=Path, help="folder for pages and screenshots")
    options = parser.parse_args()
    data = Path(options.data)
    pool, left_out = pool_of(data)
    print("answers in the draw:", ", ".join(f"{name} {len(pool[name])}" for name in WANTED))
    for reason, n in sorted(left_out.items()):
        print(f"left out: {reason}: {n}")
    ten = drawn(pool, options.seed, options.held_out or 0)
    n_named = 0
    screens = list(first_screens(data, ten, options.shots))
    for number, (wrong, said) in enumerate(screens, 1):
        n_named += bool(said)
        print(f"\n{number}. {wrong.file}, {wrong.id}\n   {said or 'names no place'!a}")
    print(f"\n{n_named} of {len(ten)} first screens name a place; whether it is right is checked by hand")


def drawn(pool: dict[str, list[Wrong]], seed: int, held_out: int = 0) -> list[Wrong]:
    """The ten of a seed, or one of the held-out tens; its programs differ from those of the tens before it.

    No loops are left for a third ten without those of the others, and there are but two transcripts.
    """
    labels = list(csv.DictReader(LABELS.open(encoding="utf-8"), delimiter="\t"))
    labeled = {row["id"] for row in labels}
    held = _sample(pool, HELD_OUT[0], labeled)
    again = _sample(pool, HELD_OUT[1], labeled | {wrong.id for wrong in held})
    if held_out in (1, 2):
        return (held, again)[held_out - 1]
    hidden = {row["id"] for row in labels[1::2]} | {wrong.id for wrong in held}
    hidden |= {wrong.id for wrong in again if wrong.source == "exerscope"}
    if not held_out:
        return _sample(pool, seed, hidden)
    free = [one for one in pool["exerscope"] if one.id not in hidden]
    known = labeled | {wrong.id for wrong in held + again}
    tens: list[list[Wrong]] = []
    for number, looked_at in enumerate(DEVELOPMENT, 2):
        before = set(known)
        for seeds, n in looked_at:
            rest = [one for one in free if number < 4 or one.id not in before]
            known |= {one.id for each in seeds for one in sorted(rest, key=partial(_rank, each))[:n]}
        known |= {*SEEN} if number == 7 else set()
        tens.append(_with_loops(pool, HELD_OUT[number], known))
        known |= {wrong.id for wrong in tens[-1]}
    return tens[held_out - 3]


def _with_loops(pool: dict[str, list[Wrong]], seed: int, known: set[str]) -> list[Wrong]:
    """A sample without the known programs; of loops known ones, where too few are left."""
    third = _sample(pool, seed, known)
    missing = WANTED["re2-bench"] - sum(one.source == "re2-bench" for one in third)
    loops = [one for one in _sample(pool, seed, set()) if one.source == "re2-bench" and one not in third]
    print(f"loops of the ten of seed {seed} that were in another one: {missing}")
    return sorted(third + loops[:missing], key=lambda one: list(WANTED).index(one.source))


def _sample(pool: dict[str, list[Wrong]], seed: int, without: set[str]) -> list[Wrong]:
    """The first of each source by a hash: an answer keeps its place when others leave the draw."""
    found = []
    for source, n in WANTED.items():
        free = [one for one in pool[source] if source == "cwm-traces" or one.id not in without]
        found += sorted(free, key=lambda one: _rank(seed, one))[:n]
    return found


def _rank(seed: int, wrong: Wrong) -> str:
    return hashlib.sha256(f"{seed} {wrong.file} {wrong.id}".encode()).hexdigest()


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
                yield "exerscope", Wrong("exerscope", file, index, row["id"], text, str(row["predict"])), ""


def _reads_equal(said: str, truth: str) -> bool:
    bare = re.sub(r"^```(?:python)?|```$", "", said.strip()).strip()
    if repr(bare) == truth:  # right but for its quotes
        return True
    try:
        return equal(parse_literal(truth), parse_literal(bare), "strict")
    except DeskcheckError:
        return False


def _loops(data: Path) -> Found:
    sources = {row["id"]: row["source"] for row in rows_of(data / "re2-bench/loop.jsonl.gz")}
    runs = _runs_of_loops(data)
    for path in sorted((data / "re2-bench/answers").glob("*.loop.jsonl.gz")):
        for index, row in enumerate(rows_of(path)):
            if row["right"] != 0:
                continue
            text = before(row["response"], STOPS)
            if sources[row["id"]] not in re2.OLDER:
                yield "re2-bench", None, "wrong, about code of a project that is not here"
            elif row["id"] not in runs:
                yield "re2-bench", None, "wrong, about a program that does not run here"
            elif len(before(text, ("[ANSWER]",)).strip()) < LEAST:
                yield "re2-bench", None, "wrong, with less than 120 characters of reasoning"
            elif not _differs(text, *runs[row["id"]]):
                yield "re2-bench", None, "wrong by the source; no loop variable's list is false in the run"
            else:
                yield "re2-bench", Wrong("re2-bench", f"answers/{path.name}", index, row["id"], text), ""


def _differs(text: str, program: Program, trace: Trace, moments: list[Moment]) -> bool:
    """Whether the values filled in for a loop variable fit no way of counting rounds."""
    filled = rounds_filled_in(text, program, trace, moments)
    return any(not one.is_true for one in filled)


def _runs_of_loops(data: Path) -> dict[str, tuple[Program, Trace, list[Moment]]]:
    """Program, run and its states of each task whose program returns here."""
    programs: dict[str, Program] = {}
    for row in rows_of(data / "re2-bench/loop.jsonl.gz"):
        if row["source"] in re2.OLDER and row["function"]:
            asked = {"source": "re2-bench", "file": "answers/any.loop.jsonl.gz", "id": row["id"]}
            with contextlib.suppress(DeskcheckError, SyntaxError, ValueError):
                programs[row["id"]] = program_of(data, asked)
    runs = trace_programs(list(programs.values()), LIMITS, workers=1)
    return {
        name: (program, trace, plain_moments(trace))
        for name, (program, trace) in zip(programs, runs, strict=True)
        if isinstance(trace.outcome, Returned)
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
    views = [_view(data, wrong) for wrong in wrongs]
    if shots is not None:
        yield from zip(wrongs, _opened(views, shots), strict=True)
        return
    for wrong, view in zip(wrongs, views, strict=True):
        yield wrong, divergence_of(belief_of(view.runs[0], view.traces, view.program), view.traces[0])


def _view(data: Path, wrong: Wrong) -> View:
    """What `deskcheck view` shows: of a stored answer to CRUXEval, or of a program with `--reply`."""
    if wrong.source == "exerscope":
        file = str(data / "exerscope" / wrong.file)
        return view_of_saved(
            file, "cruxeval", str(data / "cruxeval/cruxeval.jsonl"), wrong.id, max_steps=3000
        )
    program = program_of_answer(data, wrong)
    traces = [
        next(trace_programs([program], LIMITS, granularity=level, workers=1))[1]
        for level in (Granularity.LINE, Granularity.EXPRESSION)
    ]
    run = ModelRun(wrong.file.partition(".jsonl")[0], chain_in(wrong.text), text=wrong.text)
    return View(program, traces, runs=[run])


def program_of_answer(data: Path, wrong: Wrong) -> Program:
    """The program and the call that an answer is about."""
    row = {"source": wrong.source, "file": wrong.file, "id": wrong.id}
    return program_of(data, row | ({"source": "exerscope"} if wrong.source == "cwm-traces" else {}))


def _opened(views: list[View], folder: Path) -> Iterator[str]:
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
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
  const names = document.querySelector("#divergence .jump");
  const seen = names && box.top >= 0 && box.bottom <= innerHeight && box.width > 0;
  return seen ? finding.innerText : "";
}"""


if __name__ == "__main__":
    main()
