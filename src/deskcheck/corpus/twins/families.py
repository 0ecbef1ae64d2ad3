"""Trace the twins of generated programs: what families such as "easy:javascript" are made of.

    twin(program, limits) -> (Program, Trace), or None if the twin does not end within ten times the steps

A twin runs in V8, in a process that stays for the next one. Its origin is that of the program, with the
language behind it. Only families of `corpus/expressions.py` have twins.
"""

from __future__ import annotations

from msgspec.structs import replace

from deskcheck.corpus.twins.statements import in_javascript
from deskcheck.languages.javascript.tracer import trace_here
from deskcheck.records import Granularity, Limits, Program, Raised, Returned, Trace

MORE_STEPS = 10
"""A twin may take so many times the steps of its program."""


def twin(program: Program, limits: Limits) -> tuple[Program, Trace] | None:
    """Translate a program and trace it by lines; None if it ends by a limit or a crash."""
    translated = in_javascript(program)
    trace = again(translated, replace(limits, max_steps=MORE_STEPS * limits.max_steps))
    return (translated, trace) if isinstance(trace.outcome, Returned | Raised) else None


def again(program: Program, limits: Limits, granularity: Granularity = Granularity.LINE) -> Trace:
    """Trace a program in JavaScript in the process that stays."""
    return trace_here(program, limits, granularity=granularity)
