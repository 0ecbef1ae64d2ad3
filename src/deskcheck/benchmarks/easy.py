"""easy: the held-out programs of the generated family `easy` (at most 12 steps, small values).

    deskcheck eval --model deskcheck/tiny --benchmark easy --strategy line-1

Source: `programs/generated.py` with the held-out seed, frozen before any training. Licence: Apache-2.0. There
are no recorded answers; the truth is executed. Our models have seen other programs of this family, never
these.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from deskcheck.decontamination.canonical import normal_form
from deskcheck.errors import UserError
from deskcheck.programs.generated import HELD_OUT, N_HELD_OUT, traced
from deskcheck.records import Program, TaskDraft, Trace

HUB = None


@cache  # generating them takes seconds, and each kind of question needs all of them
def _held_out() -> list[tuple[Program, Trace]]:
    return list(traced("easy", seed=HELD_OUT["easy"], n=N_HELD_OUT))


def drafts(data: str) -> Iterator[TaskDraft]:
    """Yield the held-out programs of the family; `data` must be empty."""
    if data:
        raise UserError(f"benchmark 'easy' is generated and reads no data; leave out --data {data}")
    for number, (program, trace) in enumerate(_held_out()):
        yield TaskDraft(
            id=f"easy-{number}",
            program=program,
            recorded="",
            cluster=normal_form(program.source),
            tags={"family": "easy", "steps": str(trace.n_steps)},
        )
