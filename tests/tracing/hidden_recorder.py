"""A plain recorder of the programs of hidden_programs.py, and the same from a trace.

recorded(program) -> (moments, ending)             by an own sys.settrace function, at each line
traced(program, ..) -> Trace                       by the native core, with or without its guard and its net
shown(trace) -> (moments, ending) or None          None: the run was rejected
"""

from __future__ import annotations

import re
import sys
from collections import deque
from collections.abc import Iterator
from types import FrameType
from typing import Any

from tests.tracing.hidden_programs import NAMES, WORLD, HiddenProgram
from tests.tracing.plain_text import text, text_of_handle

from deskcheck.records import EventKind, Granularity, Limits, Program, Raised, Rejected, Returned, Trace
from deskcheck.tracing import run
from deskcheck.tracing.execution import FILENAME
from deskcheck.tracing.replay import State, final_heap, states

Moments = list[tuple[int, str]]


_ADDRESS = re.compile(r"at 0x[0-9a-f]+|'collected': \d+")


def recorded(made: HiddenProgram) -> tuple[Moments, str]:
    """Run it under an own trace function: the line and the containers at each line, and how it ended."""
    namespace: dict[str, Any] = {"__name__": "__program__"}
    exec(compile(made.source, FILENAME, "exec"), namespace)
    world = eval(f"({WORLD})", {"deque": deque})
    moments: Moments = []

    def watch(frame: FrameType, event: str, _argument: object) -> Any:
        if frame.f_code.co_filename != FILENAME:
            return None
        if event == "line":
            moments.append((frame.f_lineno, _ADDRESS.sub("", " ".join(_text(value) for value in world))))
        return watch

    call = namespace["f"]
    before = sys.gettrace()
    streams = sys.stdout, sys.stderr
    try:
        sys.settrace(watch)
        call(*world)
        sys.settrace(before)
        ended = "returned " + _text(world[4])
    except Exception as error:
        sys.settrace(before)
        ended = f"raised {type(error).__name__}"
    finally:
        sys.settrace(before)
        sys.stdout, sys.stderr = streams
    return moments, _ADDRESS.sub("", ended)


def _text(value: object) -> str:
    if type(value) is deque:
        return f"deque {[text(item) for item in value]}"
    return text(value)


def traced(
    program: Program, *, granularity: Granularity = Granularity.LINE, guard: int = 1, net: int = 1
) -> Trace:
    original = run.Native.__init__

    def start(self: run.Native, *args: object, **more: object) -> None:
        original(self, *args, **more)  # type: ignore[arg-type]
        self.core.guard, self.core.net = guard, net

    run.Native.__init__ = start  # type: ignore[method-assign]
    streams = sys.stdout, sys.stderr
    try:
        return run.trace_program(program, Limits(), granularity=granularity, tracer="native")
    finally:
        run.Native.__init__ = original  # type: ignore[method-assign]
        sys.stdout, sys.stderr = streams


def shown(trace: Trace) -> tuple[Moments, str] | None:
    outcome = trace.outcome
    if isinstance(outcome, Rejected):
        return None
    return list(_moments(trace)), _ADDRESS.sub("", _ended(trace))


def _moments(trace: Trace) -> Iterator[tuple[int, str]]:
    world: dict[str, int] = {}
    for event, state in states(trace):
        if event.kind == EventKind.LINE:
            # Once f has returned, what dies with its variables can run lines of other functions.
            world = next((f.bindings for f in state.frames if f.bindings.keys() >= set(NAMES)), world)
            contents = " ".join(_shown(state, world[name]) for name in NAMES)
            yield event.line, _ADDRESS.sub("", contents)


def _ended(trace: Trace) -> str:
    outcome = trace.outcome
    if isinstance(outcome, Returned):
        return "returned " + _shown(final_heap(trace), outcome.value)
    return f"raised {outcome.type}" if isinstance(outcome, Raised) else type(outcome).__name__


def _shown(state: State, handle: int) -> str:
    found = state.object(handle)
    if found is not None and found.type.endswith("deque"):
        return f"deque {[text_of_handle(state, item) for item in found.items]}"
    return text_of_handle(state, handle)
