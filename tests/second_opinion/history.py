"""What led to a state: where each frame can stand in its code, and which exceptions are being handled.

    history = History(trace, program, index)     followed from the first event to that one
    history.state, history.offsets[frame], history.handled[frame]

A line event says a line and not an instruction; following the control flow from one to the next leaves,
nearly always, one instruction (`flow`). NotResumable where the code of a frame is not known.
"""

from __future__ import annotations

import ast
from types import CodeType

from tests.second_opinion.flow import flow_of

from deskcheck.errors import NotResumable
from deskcheck.records import EventKind, Program, Trace
from deskcheck.tracing.codes import CodeFacts, code_objects
from deskcheck.tracing.execution import FILENAME
from deskcheck.tracing.replay import State, states


class History:
    """Where each frame can stand in its code, and which exceptions are being handled."""

    def __init__(self, trace: Trace, program: Program, index: int) -> None:
        self.trace = trace
        whole = compile(program.source, FILENAME, "exec", dont_inherit=True)
        self.found = list(code_objects(whole))
        calls = [node for node in ast.walk(ast.parse(program.source)) if isinstance(node, ast.Call)]
        self.may_limit_deques = "maxlen" in program.source or any(
            len(call.args) > 1 and ast.unparse(call.func).endswith("deque") for call in calls
        )
        self.offsets: dict[int, frozenset[int]] = {}
        self.handled: dict[int, list[int]] = {}
        """Handles of the exceptions whose handlers are running in a frame, innermost last."""
        self._raising: dict[int, int] = {}
        self.calls: dict[int, int] = {}
        """How often each code was entered."""
        self.state: State | None = None
        if index >= len(trace.events.kind) or trace.events.kind[index] != EventKind.LINE:
            raise NotResumable(f"event {index} is not a line that is about to run")
        if trace.events.thread:
            raise NotResumable("the program has several threads or tasks")
        for event, state in states(trace):
            self._see(event.kind, event.frame, event.line, event.value)
            if event.index == index:
                self.state = state
                break

    def code(self, frame: int) -> CodeType:
        """The code object of a frame."""
        code = self.trace.codes[self.trace.frames.code[frame]]
        found = [c for c in self.found if (c.co_qualname, c.co_firstlineno) == (code.name, code.first_line)]
        if code.file or len(found) != 1:
            raise NotResumable(
                f"{len(found)} functions are called {code.name} and begin on line {code.first_line}"
            )
        if not found[0].co_flags & 1:
            raise NotResumable(f"the body of a module or class is running: {code.name}")
        if CodeFacts(found[0]).kind == "coroutine":
            raise NotResumable(f"a coroutine is running: {code.name}")
        return found[0]

    def _see(self, kind: EventKind, frame: int, line: int, value: int) -> None:
        if kind is EventKind.CALL:
            code = self.trace.frames.code[frame]
            self.calls[code] = self.calls.get(code, 0) + 1
            self.offsets[frame] = frozenset({-1})
        elif kind is EventKind.RAISE:
            self._raising[frame] = value
        elif kind is EventKind.LINE:
            flow = flow_of(self.code(frame))
            before = self.offsets[frame]
            raised = self._raising.pop(frame, None)
            if -1 in before:
                found = flow.line_starts(line) if raised is not None else flow.first(line)
            else:
                found = flow.follow(before, line, raised=raised is not None)
            self.offsets[frame] = found
            self._see_handlers(frame, {flow.n_handled(offset) for offset in found}, raised)

    def _see_handlers(self, frame: int, depths: set[int], raised: int | None) -> None:
        old = self.handled.setdefault(frame, [])
        n = max(depths, default=0)
        if raised is not None and n:
            self.handled[frame] = [*old[: n - 1], raised]
        elif n > len(old) > 0:  # raised again by a bare "raise"
            self.handled[frame] = [*old, *old[-1:] * (n - len(old))]
        else:
            self.handled[frame] = old[:n]
