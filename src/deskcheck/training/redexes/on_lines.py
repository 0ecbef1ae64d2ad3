"""Score a model on lines of programs, each with one operation on held-out operands.

    line_rows(model, "sub", n=25) -> [GateRow("len(s)", "short", n=25, right=24, ..), ..]

The question is one step from the true state. An answer is right if its step is the true one, letter by
letter, whatever working precedes the step. Unlike in `gates.py`, the model must also find operands by their
names and choose the next line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.models.tiny import Request, TinyModel
from deskcheck.records import Example
from deskcheck.training.data import split_prompt
from deskcheck.training.redexes.gates import SEALED, TRIES, GateRow, gate_row
from deskcheck.training.redexes.operation import Operation
from deskcheck.training.redexes.programs import ON_LINES, named, run_of, written
from deskcheck.training.redexes.table import is_sealed, redex
from deskcheck.training.redexes.values import SIZES, Drawer
from deskcheck.training.scores.held_out import last_line
from deskcheck.training.traces import granularity_of, in_process

ANSWER_TOKENS = 256
"""Token limit of an answer."""
LINE = "@2 | "
"""Mark of the line that computes: the second, because the first is the step into the function."""


def line_rows(
    model: TinyModel,
    layout: str,
    *,
    operations: Iterable[Operation] = ON_LINES,
    size: str = "short",
    n: int = 25,
    seed: str = "development",
) -> list[GateRow]:
    """Score a model on each operation with held-out redexes; a seed always gives the same questions.

    `n`: questions per operation. An operation with fewer than half as many gets no row.
    """
    counts = getattr(plugins.load("layout", layout), "scored", last_line)
    rows = []
    for operation in operations:
        if size not in operation.sizes:
            continue
        asked = list(_questions(operation, layout, size, n, seed))
        if len(asked) < n // 2:
            continue
        done = model.generate([Request(*split_prompt(one.prompt), ANSWER_TOKENS) for one in asked])
        right = [
            c.finish_reason == "stop" and counts(c.text) == counts(one.target)
            for c, one in zip(done, asked, strict=True)
        ]
        rows.append(replace(gate_row(operation.name, size, right), asked=0.0))  # gates are for redexes
    return rows


def _questions(operation: Operation, layout: str, size: str, n: int, seed: str) -> Iterator[Example]:
    module = plugins.load("layout", layout)
    rng, n_yielded = Random(f"{seed}: lines: {operation.name}:{size}"), 0
    for _ in range(TRIES * n):
        drawer = Drawer(rng, SIZES[size], by_name=0.9)
        example, is_held_out = redex(operation, drawer)
        if not is_held_out or is_sealed(drawer.plain(example.text)) != seed.startswith(SEALED):
            continue
        is_truth = example.value in ("True", "False") and not operation.mutates
        program = written([(named(example.text, drawer), is_truth)], drawer)
        ran = run_of(*program) if program else None
        run = in_process(*ran)(granularity_of(module)) if ran else None
        if ran is None or run is None:
            continue
        steps = [one for one in module.render(run, ran[0]) if f"\n{LINE}" in one.prompt]
        if steps:
            n_yielded += 1
            yield steps[0]
        if n_yielded == n:
            return
