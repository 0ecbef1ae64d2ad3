"""Run answers that are pieces of program: bytes in, bytes out, in the sandbox's child.

    run(encode(Request(program, texts, ["1, 2", "[3]"], whole=False))) -> encoded ["3", "raises TypeError"]

Covered: every answer gets the program's module anew and the same random seed, so none sees what another
did, and an answer in a batch gives what it gives alone; an endless one is stopped after CPU_S seconds of
processor time, so a busy machine changes no verdict. Not covered: a *program* that changes the interpreter
itself (builtins, an imported library) is changed for the answers after it in the same job; an answer that is
an expression (`whole`) could do so too, which is why `answers.py` runs those alone.
"""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import CoroutineType, FrameType
from typing import Any, NoReturn

import msgspec
from msgspec import Struct

from deskcheck.records import Program
from deskcheck.tracing.coroutines import run_coroutine
from deskcheck.tracing.execution import module_namespace

FUNCTION = "deskcheck.solutions.answer_job:run"
NOT_PLAIN = "a value that no literal denotes"
TIME_UP = "ended by its budget of processor time"
CPU_S = 1.0
_PLAIN = (int, float, complex, str, bytes, bool, type(None), type(...), type(NotImplemented))
_CONTAINERS = (list, tuple, set, frozenset, dict)
_DEPTH = 64


class Request(Struct, frozen=True):
    """Answers to one program, to be executed together."""

    program: Program
    texts: list[str]
    """The answers as they were given, for whoever made the request."""
    answers: list[str]
    """Argument texts of its entry; with `whole` expressions, as `assert output == <text>` runs them."""
    whole: bool


_decoder = msgspec.msgpack.Decoder(Request)


def run(payload: bytes) -> bytes:
    """The outcome of every answer, in order, as text."""
    request = _decoder.decode(payload)
    return msgspec.msgpack.encode([_outcome(request, answer) for answer in request.answers])


def _outcome(request: Request, answer: str) -> str:
    program = request.program
    text = answer if request.whole else f"{program.entry}({answer}\n)"
    random.seed(program.source + answer)
    try:
        code = compile(text.strip(), "<answer>", "eval", dont_inherit=True)
        with _budget(), module_namespace(program) as namespace:
            result = eval(code, namespace)
            return _text(run_coroutine(result) if type(result) is CoroutineType else result)
    except MemoryError:
        raise
    except _TimeUp:
        return TIME_UP
    except BaseException as error:  # whatever the program raises is its outcome, SystemExit included
        return f"raises {type(error).__name__}"


class _TimeUp(BaseException):
    """The answer has used up its time; BaseException, so that few programs catch it."""


def _time_up(number: int, frame: FrameType | None) -> NoReturn:
    raise _TimeUp


@contextmanager
def _budget() -> Iterator[None]:
    """Raise _TimeUp in what runs too long, again and again if that is caught. Only a main thread can."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _time_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, CPU_S, CPU_S / 4)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _text(value: object) -> str:
    try:
        return repr(value) if _is_plain(value, 0) else NOT_PLAIN
    except ValueError:  # an int of more digits than Python writes
        return NOT_PLAIN


def _is_plain(value: Any, depth: int) -> bool:
    kind = type(value)  # exactly: mypy does not follow it to `value`, hence Any
    if kind in _PLAIN:
        return True
    if kind not in _CONTAINERS or depth > _DEPTH:
        return False
    inner = [*value, *value.values()] if isinstance(value, Mapping) else list(value)
    return all(_is_plain(item, depth + 1) for item in inner)
