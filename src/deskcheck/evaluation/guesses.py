"""Grade the guesses that people made in a page of `deskcheck view`, as a human baseline for models.

read_guesses(["a.jsonl"]) -> [Guess(step=3, name="total", answer="6", truth="6", page="right", ..), ..]
baseline_lines(guesses)   -> "single steps: 12 of 15 right, 80.0 %, 95 %: 54.8 to 93.0", ..
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from deskcheck.errors import BadSource, DataError
from deskcheck.grading.verdict import Raises, answer_value
from deskcheck.languages import equal
from deskcheck.statistics.summary import clustered_interval, percent_ends


class Guess(Struct, frozen=True):
    """One question and a person's answer to it."""

    task: str
    """Id of the task that the page shows; the interval is clustered by it."""
    kind: str
    """step: a value or a line during the run; output: the result."""
    step: int
    """Number of the step about which the page asked."""
    name: str
    """Variable whose value was asked, or "next line"; "" if the result was asked."""
    answer: str
    truth: str
    page: str
    """Verdict of the page: right, wrong, shown (the reader had the page show the answer)."""

    @property
    def verdict(self) -> str:
        """Verdict of the grader: right, wrong, shown, or "not readable"."""
        if self.page == "shown":
            return "shown"
        try:
            said, truth = answer_value(self.answer), answer_value(self.truth)
        except BadSource:
            return "not readable"
        if isinstance(said, Raises) or isinstance(truth, Raises):
            same = isinstance(said, Raises) and isinstance(truth, Raises) and said.type == truth.type
            return "right" if same else "wrong"
        return "right" if equal(said, truth, "strict") else "wrong"


def read_guesses(paths: Sequence[str]) -> list[Guess]:
    """Return all guesses in the files. DataError names a line that is no guess, or a file without guesses."""
    guesses = []
    for path in paths:
        if not Path(path).is_file():
            raise DataError(f"no file of guesses: {path}")
        for number, line in enumerate(Path(path).read_text(encoding="utf-8-sig").split("\n"), 1):
            if line.strip():
                guesses.append(_guess(line, f"{path}:{number}"))
    if not guesses:
        raise DataError(f"{', '.join(paths)}: no guess in it; the button 'Save my answers' writes them")
    return guesses


def are_guesses(paths: Sequence[str]) -> bool:
    """Whether the first line of each file is a guess, so that no benchmark has to be named."""
    return all(Path(path).is_file() and _first_keys(Path(path)) >= {"guess", "id", "kind"} for path in paths)


def _first_keys(path: Path) -> set[str]:
    with path.open(encoding="utf-8-sig", errors="replace") as lines:
        text = next((line for line in lines if line.strip()), "")
    try:
        row = json.loads(text)
    except ValueError:
        return set()
    return set(row) if isinstance(row, dict) else set()


def _guess(line: str, where: str) -> Guess:
    try:
        row = json.loads(line)
        one = row["guess"]
        return Guess(
            str(row["id"]), str(row["kind"]), int(one["step"]), str(one["name"]), str(one["answer"]),
            str(one["truth"]), str(one["verdict"]),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{where}: not a guess that a page has saved ({error!r})") from None


def baseline_lines(guesses: Sequence[Guess]) -> Iterator[str]:
    """Yield the counts by kind with their 95 % interval by program, and how often page and grader differ."""
    for kind, title in (("step", "single steps"), ("output", "results")):
        counted = [one for one in guesses if one.kind == kind and one.verdict in ("right", "wrong")]
        if counted:
            right = [float(one.verdict == "right") for one in counted]
            interval = clustered_interval(right, [one.task for one in counted])
            share = f"{sum(right):.0f} of {len(right)} right, {100 * interval.mean:.1f} %"
            yield f"{title}: {share}, 95 %: {percent_ends(interval.low, interval.high)}"
    n = {verdict: sum(one.verdict == verdict for one in guesses) for verdict in ("shown", "not readable")}
    tasks = len({one.task for one in guesses})
    asked = "1 question" if len(guesses) == 1 else f"{len(guesses)} questions"
    over = "1 program" if tasks == 1 else f"{tasks} programs"
    yield f"{asked} over {over}; shown, not guessed: {n['shown']}; not readable: {n['not readable']}"
    differing = sum(one.page != one.verdict for one in guesses)
    yield f"the page graded {differing} otherwise" if differing else "the page's verdicts are the grader's"
