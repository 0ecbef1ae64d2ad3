"""No answer takes long to read, however a model repeats itself: every reader gets thousands of characters.

A pattern that can match a text in two ways may try 2 ** n of them. A model that writes quotes or stars
without end would then stop an evaluation.
"""

from __future__ import annotations

import importlib
import pkgutil
import signal
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

import deskcheck.strategies
from deskcheck.grading import foreign, marks, verdict
from deskcheck.grading.extraction import LEVELS
from deskcheck.statements.claims import claims_in
from deskcheck.states.parse import read_state
from deskcheck.turns import chain, skips

N_CHARS = 3_000
SECONDS = 0.75
"""Processor time for one text. A pattern with two ways through it would not end; one whose time grows by the
square of the text and that takes three seconds for 6,000 characters takes this for 3,000."""
PIECES = (
    "'", '"', "'a'", '"b", ', "\\'", "\\", "(", "[", "{", "[1, ", "{'a': ", "a(", "(**", "`", "```\n",
    "*", "**", "#", "- ", "_", "$", "\\boxed{", "\\text{", "<", "</a>", "[ANSWER]", "-> ", " -> ", "= ",
    " = ", " | ", "; ", "@1 ", "#1 ", "$1", "a", "1", "1.", "1 ", " ", "\n", "\t", "a.b", "a, ",
    "x=1; ", "'a' -> 'b' | ", "assert f(", "f(1) == ", "so ", "it returns ", "The answer is: ", " of ",
    "empty ", "raises ValueError ", "because ", "will then ", "or ", "，", "因此", "答案是",
)  # fmt: skip


def _readers() -> Iterator[tuple[str, Callable[[str], object]]]:
    for level in LEVELS:
        yield (
            f"grade, {level}",
            lambda text, level=level: verdict.grade(text, expected="[1, 'a']", level=level),
        )
    for language in ("java", "cpp", "javascript"):
        yield language, lambda text, language=language: foreign.as_literal(text, language)
    state = read_state("@2 | x=1")
    for module in pkgutil.iter_modules(deskcheck.strategies.__path__):
        read = getattr(importlib.import_module(f"deskcheck.strategies.{module.name}"), "read", None)
        if read is not None and "state" in read.__annotations__:
            yield f"strategy {module.name}", lambda text, read=read: read(state, text)
    yield "one step", lambda text: chain.stepped(state, text)
    yield "one step that skips", lambda text: skips.read(state, text)
    yield "claims", lambda text: claims_in(text, ["x", "a"])
    yield "marks", lambda text: marks.marks_in("annotation", marks.last_answer(text))


class Slow(BaseException):
    """Raised when the time for a text is over; it is no Exception, so that no reader catches it."""


READERS = dict(_readers())


@pytest.fixture
def alarm() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Slow

    before = signal.signal(signal.SIGVTALRM, stop)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


@pytest.mark.parametrize("name", READERS)
def test_reading_ends(name: str, alarm: None) -> None:
    slow = []
    for piece in PIECES:
        for text in (piece, piece + "x", piece + "'", "The answer is " + piece):
            long = text * (N_CHARS // len(text))
            # Replies are read as they are; only readers of steps look for a state in front.
            for form in (long,) if name.startswith("grade") else (long, "@2 | x=" + long):
                signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
                try:
                    with suppress(ValueError, LookupError, ArithmeticError, RecursionError):
                        READERS[name](form)
                except Slow:
                    slow.append(form[:40])
                finally:
                    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    assert not slow
