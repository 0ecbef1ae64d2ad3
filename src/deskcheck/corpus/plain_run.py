"""Run a generated program without recording it, and check that it keeps to the limits of its family.

    plain_run(source, "f(3)", family) -> Ran(moves=17, raised="")   None if it exceeds a limit of the family
    plain_steps(program, family)      -> 12 line events             -1 if it exceeds a limit of the family

The limits bound the number of moves or line events, and the sizes of values. Both functions set a trace
function of Python (`sys.settrace`) that counts and checks, which is cheaper than a recorded trace.

A move is a line event in a named function, on another line than the event before in the same frame. Line
events differ between Python versions, because some give comprehensions a frame of their own; moves do not.
The programs are deskcheck's own and import nothing. A line multiplies only a few bounded numbers, or repeats
a string a few times, so checking the variables at each move limits memory.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, NamedTuple

from deskcheck.corpus.expressions import Family
from deskcheck.corpus.real_expressions import RealFamily
from deskcheck.records import Program

_FILENAME = "<candidate>"
_MODULE = "__program__"
_SIZED = (str, list, dict, tuple)
_VARIABLE_DEPTH, _RESULT_DEPTH = 2, 3
"""Levels of items that are checked below a value: of variables at each move, and of the result, once."""


class Ran(NamedTuple):
    """Number of moves of a run, and its end."""

    moves: int
    raised: str
    """Name of the exception that ended the run; "" = the call returned."""


class _TooLarge(BaseException):
    """Raised when a run exceeds a limit of its family; `except Exception` does not catch it."""


def plain_run(source: str, call: str, family: RealFamily) -> Ran | None:
    """Run `call`; None if it exceeds a limit of its family. KeyboardInterrupt is not caught."""
    most = family.steps[1]
    moves = 0

    def enter(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename != _FILENAME or frame.f_code.co_name[0] == "<":
            return None
        last = -1

        def local(frame: FrameType, event: str, _: Any) -> Any:
            nonlocal last, moves
            if event == "line" and frame.f_lineno != last:
                last = frame.f_lineno
                moves += 1
                if moves > most or not all(
                    _is_small(v, family, _VARIABLE_DEPTH) for v in frame.f_locals.values()
                ):
                    raise _TooLarge
            return local

        return local

    namespace: dict[str, object] = {"__name__": _MODULE}
    exec(compile(source, _FILENAME, "exec", dont_inherit=True), namespace)
    code = compile(call, "<call>", "eval", dont_inherit=True)
    before = sys.gettrace()
    raised, result = "", None
    sys.settrace(enter)
    try:
        result = eval(code, namespace)
    except _TooLarge:
        return None
    except Exception as error:  # an exception of the program ends its run
        raised = type(error).__name__
    finally:
        sys.settrace(before)
    return Ran(moves, raised) if _is_small(result, family, _RESULT_DEPTH) else None


def _is_small(value: Any, family: RealFamily, depth: int) -> bool:
    """Whether a value, and its items down to `depth` levels below it, keep to the limits of the family.

    Of a dictionary the values are checked, not the keys; of an object of the program, its attributes.
    """
    kind = type(value)  # exact type; mypy cannot narrow `value` by it, hence Any
    if kind is int:
        return -family.max_int <= value <= family.max_int  # type: ignore[no-any-return]  # compares ints
    if kind is str:
        return len(value) <= family.max_text
    if kind in (list, tuple, set):
        inside = value
    elif kind is dict:
        inside = value.values()
    elif kind.__module__ == _MODULE:
        inside = vars(value).values()
    else:
        return True
    if len(inside) > family.max_length:
        return False
    return depth == 0 or all(_is_small(item, family, depth - 1) for item in inside)


def plain_steps(program: Program, family: Family) -> int:
    """Count the line events of a run that is not recorded; -1 if it exceeds a limit of the family.

    Only the variables themselves and the result are checked, not their items.
    """
    steps, most = 0, family.steps[1]
    max_int, max_length = family.max_int, family.max_length

    def local(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal steps
        if event == "line":
            steps += 1
            if steps > most:
                raise _TooLarge
            for value in frame.f_locals.values():
                if isinstance(value, int):
                    if not -max_int <= value <= max_int:
                        raise _TooLarge
                elif isinstance(value, _SIZED) and len(value) > max_length:
                    raise _TooLarge
        return local

    def call(frame: FrameType, event: str, _: Any) -> Any:
        return local if frame.f_code.co_filename == _FILENAME else None

    namespace: dict[str, object] = {}
    exec(compile(program.source, _FILENAME, "exec", dont_inherit=True), namespace)
    code = compile(program.call, "<call>", "eval", dont_inherit=True)
    before = sys.gettrace()
    sys.settrace(call)
    try:
        result = eval(code, namespace)
    except _TooLarge:
        return -1
    except Exception:  # the program ended with an exception; the caller judges its trace
        return steps
    finally:
        sys.settrace(before)
    if isinstance(result, int):
        return steps if abs(result) <= max_int else -1
    return -1 if isinstance(result, _SIZED) and len(result) > max_length else steps
