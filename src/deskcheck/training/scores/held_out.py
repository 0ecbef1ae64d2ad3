"""Score a trained model on held-out generated programs, for its card.

    score(model, "easy", ["direct", "line-1"], n=500) -> [LayoutScore], one line of the card each

`whole run`: one answer for a whole run; right if its last line is the true outcome, letter by letter. `one
step`: each step from the true state before it. `chained`: the layout's strategy from the model's own states
to the end of the run; right if the final outcome is right. The layouts whose names end in -n jump 4 lines (16
instructions) at a time.
Intervals are 95 %, clustered by program up to names and constants. Programs are held out by seed, and no
training program has the form of one (`programs/generated.py`).
"""

from __future__ import annotations

from pathlib import Path

import msgspec
from msgspec import Struct

from deskcheck import plugins
from deskcheck.decontamination.canonical import normal_form
from deskcheck.models.tiny import Request, TinyModel
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.records import Example, NoAnswer, Program, Trace
from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.strategies import Settings
from deskcheck.training.data import split_prompt
from deskcheck.training.scores.loops import is_right, rollouts, tasks
from deskcheck.training.stream import Say
from deskcheck.training.traces import granularity_of, in_process

ANSWER_TOKENS = 512
"""Token limit of an answer in layouts without an `ANSWER_TOKENS`."""
MOST_QUESTIONS = 5_000
"""Largest number of questions about one step in a layout; of more, every second, third, .. is asked."""
Run = tuple[Program, Trace]


class LayoutScore(Struct, frozen=True):
    """Score of one layout on one kind of question: a line of the card."""

    layout: str
    question: str
    """"whole run", "one step" or "chained"."""
    n: int
    right: int
    low: float
    high: float
    """95 % interval; NaN if there are too few clusters."""
    n_unfinished: int
    """Answers cut at the token limit and chains without an end; they count as wrong."""
    tokens_per_answer: float
    verdicts: list[bool]
    """Whether each answer is right, in the order of the held-out programs and their steps."""
    clusters: list[str]
    """Form of the program of each verdict."""


def score(
    model: TinyModel, family: str, layouts: list[str], *, n: int, max_steps: int = 64, say: Say = print
) -> list[LayoutScore]:
    """Score a model on the first `n` held-out programs of a family, in these layouts.

    `max_steps`: largest number of lines that a chain executes. `say` gets each score as text.
    """
    runs = list(traced(family, seed=HELD_OUT[family], n=n))
    finer = [in_process(program, trace) for program, trace in runs]
    scores: list[LayoutScore] = []
    for layout in layouts:
        module = plugins.load("layout", layout)
        again = [(program, at(granularity_of(module))) for (program, _), at in zip(runs, finer, strict=True)]
        examples = [one for program, run in again if run is not None for one in module.render(run, program)]
        if getattr(module, "WHOLE_RUN", False):
            scores.append(_asked(model, layout, "whole run", runs, examples))
            say(line(scores[-1]))
            continue
        scores.append(_asked(model, layout, "one step", runs, _some(examples)))
        say(line(scores[-1]))
        scores.append(_chained(model, layout, runs, max_steps))
        say(line(scores[-1]))
    return scores


def _some(examples: list[Example]) -> list[Example]:
    """Return all examples, or an evenly spaced sample of about MOST_QUESTIONS."""
    return examples[:: max(1, -(-len(examples) // MOST_QUESTIONS))]


def line(row: LayoutScore) -> str:
    """Render one score as a line of text."""
    return (
        f"{row.layout:<11} {row.question:<9} {100 * row.right / row.n:5.1f} % "
        f"[{percent_ends(row.low, row.high)}]  n={row.n}  unfinished={row.n_unfinished}  "
        f"{row.tokens_per_answer:.0f} tokens an answer"
    )


def _asked(
    model: TinyModel, layout: str, question: str, runs: list[Run], examples: list[Example]
) -> LayoutScore:
    module = plugins.load("layout", layout)
    budget = getattr(module, "ANSWER_TOKENS", ANSWER_TOKENS)
    counts = getattr(module, "scored", last_line)
    completions = model.generate([Request(*split_prompt(e.prompt), budget) for e in examples])
    right = [
        c.finish_reason == "stop" and counts(c.text) == counts(e.target)
        for c, e in zip(completions, examples, strict=True)
    ]
    forms = {program.id: normal_form(program.source) for program, _ in runs}
    unfinished = sum(c.finish_reason != "stop" for c in completions)
    tokens = sum(c.n_tokens_out for c in completions)
    return _row(layout, question, right, [forms[e.program_id] for e in examples], unfinished, tokens)


def last_line(text: str) -> str:
    """Return the last line of an answer, which alone counts in most layouts."""
    return text.rsplit("\n", 1)[-1]


def chain_settings(layout: str, max_lines: int) -> Settings:
    """Return a layout's settings for chains: its budget of questions for `max_lines` lines, and its jumps."""
    module = plugins.load("layout", layout)
    most = max_lines * getattr(module, "QUESTIONS_A_LINE", 1)
    return Settings(max_steps=most, skip=getattr(module, "SKIP", Settings().skip))


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


def _chained(model: TinyModel, layout: str, runs: list[Run], max_lines: int) -> LayoutScore:
    asked = tasks(runs)
    done = rollouts(model, layout, asked, chain_settings(layout, max_lines))
    right = [is_right(task, rollout) for task, rollout in zip(asked, done, strict=True)]
    unfinished = sum(isinstance(rollout.answer, NoAnswer) for rollout in done)
    tokens = sum(completion.n_tokens_out for rollout in done for completion in rollout.completions)
    return _row(layout, "chained", right, [task.cluster for task in asked], unfinished, tokens)


def write_scores(rows: list[LayoutScore], path: Path) -> None:
    """Write `scores.json`, with null for a missing end of an interval."""
    path.write_bytes(msgspec.json.format(msgspec.json.encode(rows), indent=0) + b"\n")
