"""Find the failing call of a program, and its other calls with their right results, for `explain`.

    case_of(program_of, "a.py", "f(3)", "4", tests="test_a.py", runner=runner)
    -> Case(program, "4", [(program, "5"), ..])

Results are stated by `assert f(..) == literal` and by examples in docstrings, in the program's file and in
the file of tests.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.file_requests import language_of
from deskcheck.languages import offers, part
from deskcheck.queries.answers import unread_text
from deskcheck.queries.explain import MOST_S, Runner, expected_text, result_of, run_until
from deskcheck.records import Limits, Program
from deskcheck.tracing.program import decoded, make_program


class Case(Struct, frozen=True):
    """A failing call with its right result, and other calls with theirs."""

    program: Program
    expected: str
    """Right result, as `explain.result_of` writes it; "" = any but an exception."""
    others: list[tuple[Program, str]]
    """(call, right result) of the other calls."""
    unread: list[str] = []
    """Calls of the tests that are among neither."""


def case_of(
    program_of: Callable[[str], Program],
    file: str,
    call: str,
    expect: str,
    *,
    tests: str = "",
    runner: Runner,
    until: float | None = None,
) -> Case:
    """Return the case of a file; `program_of` makes the program of a call.

    `call`: the failing call; "" = the first stated call with a wrong result. `expect`: its right result; ""
    = the stated one. `tests`: a file with further calls. `runner`: runs programs. `until`: moment of
    `time.monotonic` after which no further call is tried; None = MOST_S from now. UserError if no call is
    known to fail, or a file cannot be read.
    """
    language = language_of(file) or "python"
    if not offers(language, "edits"):
        raise UserError(
            f"{file} is in {language}, whose statements explain cannot change: it is for Python alone; "
            "for a page of the run: deskcheck view"
        )
    until = time.monotonic() + MOST_S if until is None else until
    if expect and not call:
        raise UserError(
            f"--expect {expect} is the right result of one call: name the call, --call 'f(3)', or leave it "
            "out"
        )
    stated, unread = _stated(file, tests)
    if not call and not stated:
        raise UserError(
            f"{file}: name the failing call, --call 'f(3)', or a file with lines such as assert f(3) == 4"
            + unread_text(unread)
        )
    first = program_of(call or f"{stated[0][0]}({stated[0][1]})")
    others = [
        (_with_arguments(first, arguments), expected_text(text))
        for entry, arguments, text in stated
        if entry == first.entry
    ]
    if call:
        unread = [one for one in unread if one.partition("(")[0].rpartition(".")[2] == first.entry]
        # Written as the stated calls are: f(3,4) is f(3, 4).
        alike, _ = part("python", "stated_calls")(f"assert {first.call} == 0", "")
        arguments = alike[0][1] if alike else first.arguments
        known = {program.arguments: want for program, want in others}
        expected = expected_text(expect) if expect else known.get(arguments, "")
        return Case(first, expected, [pair for pair in others if pair[0].arguments != arguments], unread)
    unread += [f"{entry}({arguments})" for entry, arguments, _ in stated if entry != first.entry]
    n_right = 0
    ran = run_until([program for program, _ in others], Limits(), runner, until)
    for pair, (_, trace) in zip(others, ran, strict=False):
        if result_of(trace) != pair[1]:
            return Case(*pair, [other for other in others if other is not pair], unread)
        n_right += 1
    if n_right < len(others):
        raise UserError(
            f"{n_right} of {len(others)} calls give the expected results, and the time was up: "
            f"name the failing call with --call{unread_text(unread)}"
        )
    raise UserError(
        f"all {len(others)} calls give the expected results: nothing to explain{unread_text(unread)}"
    )


def _with_arguments(program: Program, arguments: str) -> Program:
    return make_program(
        program.source, program.entry, arguments, origin=program.origin, prelude=program.prelude
    )


def _stated(file: str, tests: str) -> tuple[list[tuple[str, str, str]], list[str]]:
    """Return the stated calls of a program and its tests, named as in the program, and the calls not read."""
    stated: list[tuple[str, str, str]] = []
    unread: list[str] = []
    program = _text(file)
    for name in filter(None, (file, tests)):
        try:
            calls, others = part("python", "stated_calls")(program if name == file else _text(name), program)
        except SyntaxError as error:
            raise UserError(f"{name}, line {error.lineno}: {error.msg}") from None
        module = f"{Path(file).stem}."
        stated += [(entry.removeprefix(module), arguments, want) for entry, arguments, want in calls]
        unread += others
    return list(dict.fromkeys(stated)), unread


def _text(name: str) -> str:
    try:
        return decoded(Path(name).read_bytes())
    except (OSError, UnicodeError, SyntaxError) as error:  # SyntaxError: the named encoding is unknown
        reason = (
            error.strerror if isinstance(error, OSError) else f"it is not text as Python reads it: {error}"
        )
        raise UserError(f"{name} cannot be read: {reason}; name a Python file") from None
