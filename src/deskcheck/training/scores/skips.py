"""Compare several steps in one answer with the same steps one by one: accuracy, questions and tokens.

    skip_rows(model, runs) -> [SkipRow("jump", "4 steps at once", n=200, right=150, ..), ..]

There are two comparisons, for a model that was trained on the layout `line-n`:

jump      from the same true states, JUMP steps in one answer against JUMP answers of one step: is the state
          after these steps right? A difference is due to the jump alone, since both begin at a true state.
chained   whole programs from the call, with skip=1, skip=JUMP and skip=likely (the longest jump of which the
          model is sure), the strategy `line-n` as in `deskcheck eval`: right outcomes, questions and tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from deskcheck.decontamination.canonical import normal_form
from deskcheck.layouts.line_n import LAYOUT, body
from deskcheck.models.tiny import Request
from deskcheck.records import Answer, NoAnswer
from deskcheck.states.jumps import landing
from deskcheck.states.parse import outcome
from deskcheck.states.steps import head, run_of
from deskcheck.states.tree import StateTree, Step
from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.strategies import Settings
from deskcheck.training.scores.loops import Run, is_right, rollouts, tasks
from deskcheck.turns.chain import readable
from deskcheck.turns.skips import read

JUMP = 4
"""Steps in one jump."""
MAX_TOKENS = 512
"""Token limit of an answer."""
MAX_STEPS = 64
"""Largest number of questions of a chain."""
KINDS = ("1", str(JUMP), "likely")
"""Values of the setting `skip` that are compared."""

Landed = StateTree | Answer | NoAnswer


class SkipRow(Struct, frozen=True):
    """Score of one way to take several steps."""

    question: str
    """"jump" or "chained"."""
    how: str
    """Way to take the steps: "4 steps at once", "1 step, 4 times", "skip=likely", .."""
    n: int
    right: int
    low: float
    high: float
    """95 % interval, clustered by program up to names and constants."""
    questions: float
    """Mean number of questions for one jump or one program."""
    tokens: float
    """Mean number of tokens written for one jump or one program."""


def skip_rows(model: Any, runs: Sequence[Run]) -> list[SkipRow]:
    """Return all rows; intervals are 95 %, clustered by program up to names and constants."""
    return [*_jumps(model, runs), *(_chained(model, runs, skip) for skip in KINDS)]


def _jumps(model: Any, runs: Sequence[Run]) -> list[SkipRow]:
    starts: list[tuple[str, StateTree, Landed, str]] = []
    for program, trace in runs:
        run = run_of(trace)
        for number in range(0, len(run) - JUMP + 1, JUMP):
            end = landing(run, number, JUMP)
            true = outcome(end) if isinstance(end, Step) else end
            starts.append((head(LAYOUT, program), run[number][0], true, normal_form(program.source)))
    at_once, by_ones = [_ask(model, starts, n) for n in (JUMP, 1)]
    return [
        _row("jump", f"{JUMP} steps at once", *at_once, starts),
        _row("jump", f"1 step, {JUMP} times", *by_ones, starts),
    ]


def _ask(
    model: Any, starts: Sequence[tuple[str, StateTree, Landed, str]], length: int
) -> tuple[list[Landed], int, int]:
    """Follow each start in jumps of one length; return the ends, and the number of questions and tokens."""
    at: list[Landed] = [state for _, state, _, _ in starts]
    n_questions = n_tokens = 0
    for number in range(1, JUMP // length + 1):
        live = [(n, state) for n, state in enumerate(at) if isinstance(state, StateTree)]
        asked = [Request(starts[n][0], body(state, length), MAX_TOKENS) for n, state in live]
        for (n, state), completion in zip(live, model.generate(asked), strict=True):
            n_questions += 1
            n_tokens += completion.n_tokens_out
            at[n] = readable(read, state, completion, number)
    return at, n_questions, n_tokens


def _row(
    question: str,
    how: str,
    landings: Sequence[Landed],
    n_questions: int,
    n_tokens: int,
    starts: Sequence[tuple[str, StateTree, Landed, str]],
) -> SkipRow:
    right = [float(one == true) for one, (_, _, true, _) in zip(landings, starts, strict=True)]
    return _counted(question, how, right, [form for *_, form in starts], n_questions, n_tokens)


def _chained(model: Any, runs: Sequence[Run], skip: str) -> SkipRow:
    asked = tasks(runs)
    done = rollouts(model, LAYOUT, asked, Settings(skip=skip, max_steps=MAX_STEPS))
    said = [completion for rollout in done for completion in rollout.completions]
    right = [float(is_right(task, rollout)) for task, rollout in zip(asked, done, strict=True)]
    n_tokens = sum(one.n_tokens_out for one in said)
    return _counted("chained", f"skip={skip}", right, [task.cluster for task in asked], len(said), n_tokens)


def _counted(
    question: str, how: str, right: list[float], forms: list[str], n_questions: int, n_tokens: int
) -> SkipRow:
    interval = clustered_interval(right, forms)
    n = len(right)
    return SkipRow(
        question, how, n, int(sum(right)), interval.low, interval.high, n_questions / n, n_tokens / n
    )


def table(rows: Sequence[SkipRow]) -> str:
    """Render the rows as a Markdown table."""
    lines = ["| question | how | right | 95 % | n | questions | tokens |", "|---" * 7 + "|"]
    for row in rows:
        cells = [
            row.question,
            row.how,
            f"{100 * row.right / row.n:.1f} %",
            percent_ends(row.low, row.high),
            str(row.n),
            f"{row.questions:.1f}",
            f"{row.tokens:.1f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)
