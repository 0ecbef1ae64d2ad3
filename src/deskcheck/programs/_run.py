"""A plain run of a generated program in this process: its moves, how it ends, whether it stays small.

    plain_run(source, "f(3)", family) -> Ran(moves=17, raised="")      None where it left its family

A move is a line event that enters another line of its frame, in functions that have a name. Unlike line
events themselves, moves are the same on every Python: comprehensions have frames of their own on some.
The program is ours, has no imports, and at most squares a number or multiplies a string by 5 in one line, so
a look at the variables at every move is soon enough to guard our own memory.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any, NamedTuple

from deskcheck.programs._real import RealFamily

_FILENAME = "<candidate>"
_MODULE = "__program__"


class Ran(NamedTuple):
    """How a candidate's run ended."""

    moves: int
    raised: str
    """Name of the exception that ended it; "" = it returned."""


class _Left(BaseException):
    """Left its family; BaseException so that the program's own handlers do not catch it."""


def plain_run(source: str, call: str, family: RealFamily) -> Ran | None:
    """None where the program left its family. KeyboardInterrupt goes through."""
    most, left = family.steps[1], _Left()
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
                if moves > most or not all(_is_small(v, family, 2) for v in frame.f_locals.values()):
                    raise left
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
    except _Left:
        return None
    except Exception as error:  # what a program raises is how it ends
        raised = type(error).__name__
    finally:
        sys.settrace(before)
    return Ran(moves, raised) if _is_small(result, family, 3) else None


def _is_small(value: Any, family: RealFamily, depth: int) -> bool:
    """Numbers, strings and containers, to a depth."""
    kind = type(value)  # exactly, and asked once: mypy does not follow it to `value`, hence Any
    if kind is int:
        return -family.max_int <= value <= family.max_int  # type: ignore[no-any-return]  # of three ints
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
    return depth == 0 or all(_is_small(one, family, depth - 1) for one in inside)
