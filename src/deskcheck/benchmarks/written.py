"""written: held-out functions of the written corpus with their six calls, to look at during development.

    deskcheck eval --model tiny --benchmark written --strategy sub --limit 200

One function in twelve is held out, by a hash of its name (`programs/written.py`). Training uses the other
functions of the same families, so these programs show progress during development and say little about code
of another origin. The order is shuffled with a fixed seed. Source: this project; a language model wrote the
functions. License: Apache-2.0. There are no recorded answers; the truth is executed.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from deskcheck.errors import UserError
from deskcheck.plugins import SourceOptions
from deskcheck.programs.written import is_held_out, programs
from deskcheck.records import TaskDraft

HUB = None


def drafts(data: str) -> Iterator[TaskDraft]:
    """Yield the calls of the held-out functions; `data` must be empty."""
    if data:
        raise UserError(f"benchmark 'written' ships with deskcheck and reads no file; drop --data {data}")
    rows = []
    for program in programs(SourceOptions(source="written")):
        family, name, number = program.origin.removeprefix("written:").split(":")
        if is_held_out(name):
            tags = {"family": family}
            rows.append(TaskDraft(f"{name}:{number}", program, recorded="", cluster=name, tags=tags))
    Random("written").shuffle(rows)
    yield from rows
