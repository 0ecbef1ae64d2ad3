"""The items of a benchmark with their programs changed in ways that leave the answer as it was.

    perturb_items(items, "rename", run=.., limits=..) -> (items, dropped)

Both programs are executed; a pair that answers differently is dropped and counted, so is an item in which
there is nothing to change. The rest keep their ids: `deskcheck compare` sets the two runs side by side, task
by task, and original minus perturbed is the difference it prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import msgspec

from deskcheck.errors import UnknownName
from deskcheck.programs._perturb import PERTURBATIONS, perturb
from deskcheck.records import Item, Limits, Program, Trace
from deskcheck.tracing.literal import is_plain, outcome_text

Run = Callable[[Iterable[Program], Limits], Iterator[tuple[Program, Trace]]]


def perturb_items(
    items: list[Item], name: str, *, run: Run, limits: Limits
) -> tuple[list[Item], list[tuple[str, str, str]]]:
    """Changed items, and (id, reason, detail) of those that are left out. UnknownName for the name."""
    if name not in PERTURBATIONS:
        raise UnknownName("perturbation", name, list(PERTURBATIONS))
    changed = [(item, perturb(item.program, name)) for item in items]
    dropped = [(item.id, "nothing to perturb", name) for item, program in changed if program is None]
    pairs = [(item, program) for item, program in changed if program is not None]
    before = [trace for _, trace in run([item.program for item, _ in pairs], limits)]
    after = [trace for _, trace in run([program for _, program in pairs], limits)]
    kept = []
    for (item, program), old, new in zip(pairs, before, after, strict=True):
        was, now = _answer(old), _answer(new)
        if was != now:
            dropped.append((item.id, "the perturbation changed the answer", f"{was} became {now}"[:200]))
        else:
            kept.append(msgspec.structs.replace(item, program=program))
    return kept, dropped


def _answer(trace: Trace) -> str:
    return outcome_text(trace) if is_plain(trace) else f"no plain answer: {type(trace.outcome).__name__}"
