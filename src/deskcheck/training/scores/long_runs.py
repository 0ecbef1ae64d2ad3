"""Score whole runs of the programs of `long`, step by step, on inputs that were never trained on.

    long_rows(model, "sub", which="evaluation", targets=(300, 1000)) -> LongRow, .., a line of the card each

A chain continues from its own states (`long_chains.py`), in a state-to-state layout, and stops at its first
wrong step. A whole chain is right if every step and the outcome are right. `one step` asks a sample of the
steps of the same runs, each from the true state.

The programs were trained on with other inputs. The looped programs, Fibonacci and the counter take the same
values whatever the input. A right chain of these shows execution without a mistake, not generalization to new
values. Collatz alone begins at another number for each input, but its runs join, so numbers in the run of an
unseen input occur in training.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

from msgspec import Struct

from deskcheck import plugins
from deskcheck.corpus.long_programs import steps_of
from deskcheck.models.tiny import Request, TinyModel
from deskcheck.states.steps import head, steps
from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.training.chains import CHAINS, run_of, side
from deskcheck.training.scores.held_out import last_line
from deskcheck.training.scores.long_chains import MAX_TOKENS, run_chains

TARGETS = (100, 300, 1000)
"""Lengths of runs, in steps, that are scored."""
MOST_STEPS = 30_000
"""Largest number of steps of a chain."""
SAMPLED = 25
"""Largest number of steps of a run that are asked for `one step`."""


class LongRow(Struct, frozen=True):
    """Score on one program at one length."""

    name: str
    target: int
    """Wanted number of steps; `inputs` are those whose runs come nearest to it."""
    inputs: list[int]
    lengths: list[int]
    """True steps of each run."""
    reached: list[int]
    """Right steps of each run before its first wrong one; the whole length if all are right."""
    right: int
    """Number of whole chains that are right."""
    low: float
    high: float
    """95 % interval of the share of right chains, clustered by input."""
    sampled: int
    """Number of steps that were asked for `one step`."""
    sampled_right: int
    sampled_low: float
    sampled_high: float


@cache
def inputs_near(name: str, which: str, target: int, how_many: int) -> list[int]:
    """Return the inputs of one use (`chains.side`) whose runs are nearest to `target` steps, ascending."""
    chain = CHAINS[name]
    found = [
        (abs(steps_of(chain.source, n, at_most=3 * target) - target), n)
        for n in chain.inputs
        if side(name, n) == which
    ]
    return sorted(n for _, n in sorted(found)[:how_many])


def long_rows(
    model: TinyModel,
    layout: str,
    *,
    which: str,
    names: tuple[str, ...] = tuple(CHAINS),
    targets: tuple[int, ...] = TARGETS,
    n_inputs: int = 20,
    sampled: int = SAMPLED,
) -> Iterator[LongRow]:
    """Yield a row for each program and each length that its inputs reach.

    `which`: use of the inputs (`chains.side`). `sampled`: largest number of steps of a run that are asked for
    `one step`.
    """
    for name in names:
        asked: list[list[int]] = []
        for target in targets:
            inputs = inputs_near(name, which, target, n_inputs)
            if inputs not in asked:  # the same inputs again: none has a longer run
                asked.append(inputs)
                yield _row(model, layout, name, target, inputs, sampled)


def _row(model: TinyModel, layout: str, name: str, target: int, inputs: list[int], sampled: int) -> LongRow:
    """Score whole chains and a sample of single steps of one program, at one length."""
    module = plugins.load("layout", layout)
    counts = getattr(module, "scored", last_line)
    runs = [run_of(name, n) for n in inputs]
    scores = run_chains(model, runs, layout=layout, stop_when_wrong=True, max_steps=MOST_STEPS)
    whole = [float(s.right and s.n_right == s.n_true) for s in scores]
    random = Random(f"{name}:{target}")
    sample = []
    for number, (program, trace) in enumerate(runs):
        top = head(layout, program)
        truth = [(module.body(before, program), str(step)) for before, step, _ in steps(trace)]
        places = random.sample(range(len(truth)), min(sampled, len(truth)))
        sample += [(number, top, *truth[at]) for at in sorted(places)]
    said = _answers(model, [(top, question) for _, top, question, _ in sample])
    right = [float(counts(text) == truth) for text, (_, _, _, truth) in zip(said, sample, strict=True)]
    chain_interval = clustered_interval(whole, inputs)
    step_interval = clustered_interval(right, [inputs[number] for number, *_ in sample])
    return LongRow(
        name,
        target,
        inputs,
        [s.n_true for s in scores],
        [s.n_right for s in scores],
        int(sum(whole)),
        chain_interval.low,
        chain_interval.high,
        len(right),
        int(sum(right)),
        step_interval.low,
        step_interval.high,
    )


def _answers(model: TinyModel, questions: list[tuple[str, str]]) -> list[str]:
    done = model.generate([Request(top, question, MAX_TOKENS) for top, question in questions])
    return [c.text if c.finish_reason == "stop" else "" for c in done]


def median_reached(row: LongRow) -> int:
    """Return the median over the runs of the right steps before the first wrong one."""
    return sorted(row.reached)[len(row.reached) // 2]


def line(row: LongRow) -> str:
    """Render one score of long runs as text."""
    return (
        f"{row.name:<15} {min(row.lengths)} to {max(row.lengths)} steps: {row.right} of {len(row.inputs)} "
        f"chains [{percent_ends(row.low, row.high, digits=0)}], {median_reached(row)} right steps in a row "
        f"(median); one step {100 * row.sampled_right / row.sampled:.1f} % "
        f"[{percent_ends(row.sampled_low, row.sampled_high)}] n={row.sampled}"
    )
