"""easy: 500 programs of the generated family `easy`, with at most 12 steps and small values.

    deskcheck eval --model deskcheck/tiny --benchmark easy --strategy line-1

Source: `programs/generated.py` with a seed that training never uses, frozen before any training. Since
results were looked at between training recipes, it counts as a development set. License: Apache-2.0. There
are no recorded answers; the truth is executed.
A program is taken if its number of steps fits, and from CPython 3.12 on a comprehension has fewer steps. So
two of the 500 programs are different there, and later programs have shifted ids.
A twin is the same program in another language. `-T language=javascript` asks the twins of all programs, with
the same ids. Their tag `twin` is "same", or the reason why the twin has another outcome
(`easy_javascript.json`), or "not compared" for the programs of 3.12. `-T language=c` asks 100 twins in C:
those of the first 100 programs that return, have a twin by the rules of `corpus/twins/c_programs.py`, and
divide no negative number, because C rounds such a quotient towards zero.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec

from deskcheck.decontamination.canonical import normal_form
from deskcheck.errors import UserError
from deskcheck.programs.generated import HELD_OUT, N_HELD_OUT, traced
from deskcheck.records import Program, Returned, TaskDraft, Trace

HUB = None
COMPARED = "af50ba0d15a0"
"""Digest of the sources of the 500 programs whose outcomes in Python and JavaScript were compared."""


@cache  # generating them takes seconds, and each kind of question needs all of them
def _held_out() -> list[tuple[Program, Trace]]:
    return list(traced("easy", seed=HELD_OUT["easy"], n=N_HELD_OUT))


@cache
def are_compared() -> bool:
    """Whether the programs are those whose twins were run: the ones of CPython 3.11."""
    sources = "".join(program.source for program, _ in _held_out())
    return hashlib.sha256(sources.encode()).hexdigest()[:12] == COMPARED


@cache
def ends_otherwise() -> dict[str, str]:
    """Return id -> reason for the programs whose twin in JavaScript has another outcome."""
    text = (files(__package__) / "easy_javascript.json").read_bytes()
    return msgspec.json.decode(text, type=dict[str, str])


N_IN_C = 100
"""Number of programs that have a twin in C in this benchmark."""
ROUNDED = frozenset({"easy-201", "easy-354", "easy-365"})
"""Programs that have a twin in C but divide a negative number."""


def drafts(data: str, *, language: Literal["python", "javascript", "c"] = "python") -> Iterator[TaskDraft]:
    """Yield the held-out programs of the family; `data` must be empty."""
    if data:
        raise UserError(f"benchmark 'easy' is generated and reads no data; leave out --data {data}")
    if language == "c":
        yield from _in_c()
        return
    from deskcheck.corpus.twins.statements import in_javascript  # only where it is used

    for number, (program, trace) in enumerate(_held_out()):
        tags = {"family": "easy", "steps": str(trace.n_steps)}
        if language == "javascript":  # steps are Python's
            tags = {
                "family": "easy",
                "language": language,
                "twin": ends_otherwise().get(f"easy-{number}", "same") if are_compared() else "not compared",
            }
        yield TaskDraft(
            id=f"easy-{number}",
            program=program if language == "python" else in_javascript(program),
            recorded="",
            cluster=normal_form(program.source),
            tags=tags,
        )


def _in_c() -> Iterator[TaskDraft]:
    """Yield the first 100 programs that have a twin in C."""
    from deskcheck.corpus.twins.c_programs import in_c  # only where it is used
    from deskcheck.corpus.twins.expressions import Untranslated

    n = 0
    for number, (program, trace) in enumerate(_held_out()):
        if n == N_IN_C or not isinstance(trace.outcome, Returned) or f"easy-{number}" in ROUNDED:
            continue
        try:
            twin = in_c(program)
        except Untranslated:
            continue
        n += 1
        tags = {"family": "easy", "language": "c", "twin": "same" if are_compared() else "not compared"}
        yield TaskDraft(f"easy-{number}", twin, "", normal_form(program.source), tags=tags)
