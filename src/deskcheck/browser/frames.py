"""Read the iterators and temporaries of running frames without the C extension, which no browser can load.

    trace_in_browser(program, Limits(max_steps=2000)) -> Trace, with the positions of loops

Iterators and temporaries lie on the value stack of a frame, which Python shows to no program. `ctypes` reads
the stack at the place where CPython 3.14 has it on a machine of 32 bits. Before that, three pointers of the
frame are compared with their known values.
"""

from __future__ import annotations

import ctypes
from types import CodeType, FrameType

from deskcheck.records import Limits, Program, Trace
from deskcheck.tracing.access import Access, Reading
from deskcheck.tracing.codes import CodeFacts
from deskcheck.tracing.execution import NothingRan, empty_trace, ready_program
from deskcheck.tracing.reference import run_traced
from deskcheck.tracing.reference.tracer import Tracer

WORD = 4
"""Bytes of a pointer in WebAssembly, whose addresses have 32 bits."""
FRAME, EXECUTABLE, GLOBALS, OBJECT, STACK_POINTER, LOCALS = 3, 0, 3, 6, 8, 10
"""Offsets in words of 4 bytes: of the inner frame in the frame object, then of fields in the inner frame."""
TAG = 3
"""Lowest two bits of a reference on the stack, which CPython uses as tags; the rest is the address."""


class FrameAccess(Access):
    """Access that reads the value stack by `ctypes`."""

    def __init__(self) -> None:
        super().__init__(native=False)
        self.sees_stack = True

    def read(self, frame: FrameType, facts: CodeFacts) -> Reading:
        """Return slots, value stack, and namespace of a class or module."""
        slots, _, namespace = super().read(frame, facts)
        return slots, self._stack(frame), namespace

    def _stack(self, frame: FrameType) -> list[object]:
        inner = _word(id(frame) + FRAME * WORD)
        known = (_word(inner + EXECUTABLE * WORD) & ~TAG, _word(inner + GLOBALS * WORD))
        if known != (id(frame.f_code), id(frame.f_globals)) or _word(inner + OBJECT * WORD) != id(frame):
            raise RuntimeError("frames of this Python lie otherwise in memory than those of CPython 3.14")
        first = inner + (LOCALS + _n_names(frame.f_code)) * WORD
        end = _word(inner + STACK_POINTER * WORD)
        return [self._object(_word(place) & ~TAG) for place in range(first, end, WORD)]

    def _object(self, address: int) -> object:
        return ctypes.cast(address, ctypes.py_object).value if address else self.missing


def _word(address: int) -> int:
    return ctypes.c_uint32.from_address(address).value


def _n_names(code: CodeType) -> int:
    cells = sum(name not in code.co_varnames for name in code.co_cellvars)
    return code.co_nlocals + cells + len(code.co_freevars)


def trace_in_browser(program: Program, limits: Limits) -> Trace:
    """Trace the program's call by the tracer in plain Python, with its value stacks.

    RuntimeError if frames do not lie in memory as in CPython 3.14.
    """
    access = FrameAccess()
    try:
        with ready_program(program, None) as ready:
            tracer = Tracer(ready.names, ready.namespace, ready.program_file, limits=limits, access=access)
            return run_traced(tracer, ready.call, program.id, limits=limits, codes=ready.codes, access=access)
    except NothingRan as nothing:
        return empty_trace(program.id, limits, nothing.outcome, native=False, notes=[nothing.note])
