"""Translate generated programs into JavaScript and trace them, for families such as "easy:javascript".

    twin(program, limits) -> (Program, Trace), or None if the twin does not end within its limits

The twin of a program is the same program in the other language. It runs in V8, in a process that is kept for
the next twin. Its origin is that of the program, followed by the language. Only families of
`corpus/expressions.py` have twins.
"""

from __future__ import annotations

from msgspec.structs import replace

from deskcheck.corpus.twins.statements import in_javascript
from deskcheck.languages.javascript.tracer import trace_here
from deskcheck.records import Granularity, Limits, Program, Raised, Returned, Trace

MORE_STEPS = 10
"""A twin's limit of steps, as a multiple of the limit of its program."""


def twin(program: Program, limits: Limits) -> tuple[Program, Trace] | None:
    """Translate a program and trace it by lines; None if it ends by a limit or a crash."""
    translated = in_javascript(program)
    trace = again(translated, replace(limits, max_steps=MORE_STEPS * limits.max_steps))
    return (translated, trace) if isinstance(trace.outcome, Returned | Raised) else None


def again(program: Program, limits: Limits, granularity: Granularity = Granularity.LINE) -> Trace:
    """Trace a program in JavaScript in the process that is kept between twins."""
    return trace_here(program, limits, granularity=granularity)
