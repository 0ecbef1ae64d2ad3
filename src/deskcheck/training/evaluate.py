"""Scores of a trained model on held-out generated programs, for its card.

    score(model, "easy", ["direct", "line-1"], n=500) -> [LayoutScore], one line of the card each

`whole run`: one answer for a whole run; right = the last line is the true outcome, letter by letter. `one
step`: every step from the true state before it. `chained`: line-1 from its own states until it says that
the run is over; right = the outcome is. Intervals are 95 %, clustered by program up to names and
constants. Programs are held out by seed, and no training program has the form of one
(`programs/generated.py`).
"""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
from msgspec import Struct

from deskcheck import plugins
from deskcheck.models.tiny import Request, TinyModel
from deskcheck.programs._normal import normal_form
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.records import Answer, Completion, Example, Program, Trace
from deskcheck.representations._prompt import head
from deskcheck.representations._steps import first_state
from deskcheck.representations._tree import StateTree
from deskcheck.representations.line_1 import LAYOUT as LINE_1
from deskcheck.representations.line_1 import body, render
from deskcheck.statistics.interval import clustered_interval
from deskcheck.strategies.line_1 import advance
from deskcheck.training.data import split_prompt
from deskcheck.training.stream import Say

MAX_TOKENS = {"direct": 128, "scratchpad": 1024, "compact": 512, "line-1": 128}


class LayoutScore(Struct, frozen=True):
    """One line of the card."""

    layout: str
    question: str
    """"whole run", "one step" or "chained"."""
    n: int
    right: int
    low: float
    high: float
    """95 % interval; NaN where there are too few clusters for one."""
    n_unfinished: int
    """Cut at the token limit, or a chain without an end: counted as wrong."""
    tokens_per_answer: float
    verdicts: list[bool]
    """Right or not, one by one, in the order of the held-out programs and their steps."""
    clusters: list[str]
    """Form of the program that each verdict belongs to."""


def score(
    model: TinyModel, family: str, layouts: list[str], *, n: int, max_steps: int = 64, say: Say = print
) -> list[LayoutScore]:
    """All questions about the first `n` held-out programs of a family, in these layouts."""
    runs = list(traced(family, seed=HELD_OUT[family], n=n))
    found: list[LayoutScore] = []
    for layout in layouts:
        write = plugins.load("representation", layout).render
        examples = [example for program, trace in runs for example in write(trace, program)]
        question = "one step" if layout == LINE_1 else "whole run"
        found.append(_asked(model, layout, question, runs, examples))
        say(line(found[-1]))
        if layout == LINE_1:
            found.append(_chained(model, runs, max_steps))
            say(line(found[-1]))
    return found


def line(row: LayoutScore) -> str:
    """One score as text."""
    return (
        f"{row.layout:<11} {row.question:<9} {100 * row.right / row.n:5.1f} % "
        f"[{100 * row.low:.1f}, {100 * row.high:.1f}]  n={row.n}  unfinished={row.n_unfinished}  "
        f"{row.tokens_per_answer:.0f} tokens an answer"
    )


def _asked(
    model: TinyModel, layout: str, question: str, runs: list[tuple[Program, Trace]], examples: list[Example]
) -> LayoutScore:
    requests = [Request(*split_prompt(e.prompt), MAX_TOKENS[layout]) for e in examples]
    completions = model.generate(requests)
    right = [
        c.finish_reason == "stop" and c.text.split("\n")[-1] == e.target.split("\n")[-1]
        for c, e in zip(completions, examples, strict=True)
    ]
    forms = {program.id: normal_form(program.source) for program, _ in runs}
    unfinished = sum(c.finish_reason != "stop" for c in completions)
    tokens = sum(c.n_tokens_out for c in completions)
    return _row(layout, question, right, [forms[e.program_id] for e in examples], unfinished, tokens)


def _row(
    layout: str, question: str, right: list[bool], clusters: list[str], unfinished: int, tokens: int
) -> LayoutScore:
    interval = clustered_interval([float(r) for r in right], clusters)
    return LayoutScore(
        layout,
        question,
        len(right),
        sum(right),
        interval.low,
        interval.high,
        unfinished,
        tokens / len(right),
        right,
        clusters,
    )


class _Chain:
    """One program being executed from the model's own states."""

    def __init__(self, program: Program, trace: Trace) -> None:
        self.code = head(LINE_1, program)
        self.state: StateTree = first_state(trace)
        self.truth = render(trace, program)[-1].target
        self.form = normal_form(program.source)
        self.seen: set[str] = set()
        self.n_steps = 0
        self.n_tokens = 0
        self.end = ""
        """The last step as text, "-" where it broke off, "" while it goes on."""

    def take(self, completion: Completion, max_steps: int) -> None:
        self.n_tokens += completion.n_tokens_out
        self.state, answer = advance(self.state, completion, self.n_steps)
        self.n_steps += 1
        if answer is not None:
            ended = completion.finish_reason == "stop" and isinstance(answer, Answer)
            self.end = completion.text if ended else "-"
        elif self.n_steps >= max_steps or str(self.state) in self.seen:
            self.end = "-"
        self.seen.add(str(self.state))


def _chained(model: TinyModel, runs: list[tuple[Program, Trace]], max_steps: int) -> LayoutScore:
    chains = [_Chain(program, trace) for program, trace in runs]
    while live := [chain for chain in chains if not chain.end]:
        requests = [Request(chain.code, body(chain.state), MAX_TOKENS[LINE_1]) for chain in live]
        for chain, completion in zip(live, model.generate(requests), strict=True):
            chain.take(completion, max_steps)
    right = [chain.end == chain.truth for chain in chains]
    unfinished = sum(chain.end == "-" for chain in chains)
    tokens = sum(chain.n_tokens for chain in chains)
    return _row(LINE_1, "chained", right, [chain.form for chain in chains], unfinished, tokens)


def write_scores(rows: list[LayoutScore], path: Path) -> None:
    """`scores.json`; an end of an interval that there is none of is null."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(rows), indent=0) + b"\n")


def read_scores(path: Path) -> list[LayoutScore]:
    """What `write_scores` wrote."""
    raw = msgspec.json.decode(path.read_bytes())
    for row in raw:
        row.update({end: math.nan for end in ("low", "high") if row[end] is None})
    return msgspec.convert(raw, list[LayoutScore])
