"""Run answers that are arguments or expressions, as a job in a child of the sandbox.

    run(encode(Request(program, texts, ["1, 2", "[3]"], whole=False))) -> encoded ["3", "raises TypeError"]

Every answer gets a new module of the program and a random seed of its own, so an answer gives the same
outcome in a batch and alone. An endless run is stopped after CPU_S seconds of processor time, so that a busy
machine changes no verdict. One gap remains: if a *program* changes the interpreter itself (builtins, an
imported library), the later answers of the job run with this change. An answer that is an expression
(`whole`) could make such a change too, so `answers.py` runs each of these answers alone.
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
"""Processor time of one answer, in seconds."""
_PLAIN = (int, float, complex, str, bytes, bool, type(None), type(...), type(NotImplemented))
_CONTAINERS = (list, tuple, set, frozenset, dict)
_DEPTH = 64  # deepest nesting of a value that counts as plain


class Request(Struct, frozen=True):
    """Answers to one program, to be executed together."""

    program: Program
    texts: list[str]
    """The unchanged texts of the answers, by which the sender of the request finds the outcomes."""
    answers: list[str]
    """Argument texts of the entry; with `whole`, expressions, as in `assert output == <text>`."""
    whole: bool


_decoder = msgspec.msgpack.Decoder(Request)


def run(payload: bytes) -> bytes:
    """Run every answer of a packed Request; return their outcomes as packed texts, in order."""
    request = _decoder.decode(payload)
    return msgspec.msgpack.encode([_outcome(request, answer) for answer in request.answers])


def _outcome(request: Request, answer: str) -> str:
    """Run one answer; return its value's literal, its exception, NOT_PLAIN or TIME_UP."""
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
    except BaseException as error:  # any exception of the program is its outcome, SystemExit included
        return f"raises {type(error).__name__}"


class _TimeUp(BaseException):
    """Raised when an answer has used up its processor time; few programs catch a BaseException."""


def _time_up(number: int, frame: FrameType | None) -> NoReturn:
    raise _TimeUp


@contextmanager
def _budget() -> Iterator[None]:
    """Raise _TimeUp in a body that runs too long, repeatedly if it is caught; only in the main thread."""
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
    except ValueError:  # an int with too many digits for Python's `repr`
        return NOT_PLAIN


def _is_plain(value: Any, depth: int) -> bool:
    kind = type(value)  # exact type; mypy cannot narrow `value` by it, hence Any
    if kind in _PLAIN:
        return True
    if kind not in _CONTAINERS or depth > _DEPTH:
        return False
    inner = [*value, *value.values()] if isinstance(value, Mapping) else list(value)
    return all(_is_plain(item, depth + 1) for item in inner)
