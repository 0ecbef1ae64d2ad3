"""The commands that answer questions about runs: ask, diff, explain, and mcp, a debugger for agents."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from deskcheck.cell_files import check_target, write_whole
from deskcheck.cli.shell import contain, is_redacted, say_containment
from deskcheck.errors import UnknownName, UserError

Trust = Annotated[
    bool, typer.Option("--trust", help="Run outside the sandbox, with access to your files and network.")
]
Format = Annotated[str, typer.Option(help="text or json.")]


def ask(
    file: Annotated[str, typer.Argument(help="A saved run (NAME.deskcheck), or a program's file.")] = "",
    question: Annotated[
        list[str] | None,
        typer.Argument(help="why NAME [at step N], where CONDITION, changes NAME, or raised."),
    ] = None,
    call: Annotated[
        str, typer.Option(help="What to call: 'f(3)'; without it the file runs as a script.")
    ] = "",
    trust: Trust = False,
    format: Format = "text",
) -> None:
    """Answer a question about a run: where a value came from, when a condition held, what was raised."""
    from deskcheck.queries.ask import FORMS
    from deskcheck.queries.ask import ask as answer_of

    if not question:
        raise UserError(f"name a question behind the file: {FORMS}")
    check_format(format)
    _print(answer_of(run_of(file, call, is_trusted=trust), " ".join(question)), format)


def diff(
    a: Annotated[str, typer.Argument(help="A saved run (NAME.deskcheck), or a program's file.")] = "",
    b: Annotated[str, typer.Argument(help="The other one; without it give --call twice, both for A.")] = "",
    call: Annotated[
        list[str] | None, typer.Option(help="What to call: 'f(3)'; given twice, A and then B.")
    ] = None,
    trust: Trust = False,
    out: Annotated[
        str, typer.Option(help="NAME.html: a page with both runs side by side; NAME.json: the answer.")
    ] = "",
) -> None:
    """Compare two runs: the first step at which values differ, and at which the paths part."""
    from deskcheck.queries.diff import diff as difference_of

    if out and not out.endswith((".html", ".json")):
        raise UserError(f"--out {out}: name a file that ends in .html (a page) or .json (the answer)")
    if out:
        check_target(out, "--out", ending=out[-5:])
    calls = (call or [""])[:2]
    if not b and len(calls) < 2:
        raise UserError(
            "name two runs: two files, or one file and two calls. "
            "For example: deskcheck diff a.py --call 'f(3)' --call 'f(4)'"
        )
    first, second = run_of(a, calls[0], is_trusted=trust), run_of(b or a, calls[-1], is_trusted=trust)
    difference = difference_of(first, second)
    _print(difference, "text")
    if out:
        names = (a, b) if b and a != b else ("", "")
        _write_difference(out, difference, (first, second), names)


def _write_difference(out: str, difference: Any, runs: tuple[Any, Any], names: tuple[str, str]) -> None:
    """Write the page of two runs, or the answer as JSON, and say what was written."""
    from deskcheck.queries.comparison import comparison_page

    is_page = out.endswith(".html")
    text = comparison_page(*runs, difference, names=names) if is_page else difference.to_json()
    write_whole(Path(out), text.encode("utf-8"))
    print(f"{out}: {Path(out).stat().st_size / 1000:,.0f} kB", file=sys.stderr)


def explain(
    file: Annotated[str, typer.Argument(help="The program's file.")] = "",
    tests: Annotated[
        str,
        typer.Argument(help="File with lines such as assert f(3) == 4; examples of docstrings count too."),
    ] = "",
    call: Annotated[
        str, typer.Option(help="The failing call: 'f(3)'; without it the first that fails in the tests.")
    ] = "",
    expect: Annotated[str, typer.Option(help="The call's right result, a literal: 4, [1, 2], 'a'.")] = "",
    format: Format = "text",
) -> None:
    """Name at most three lines at which a call likely went wrong, with their wrong values, within 30 s."""
    from deskcheck.queries.cases import case_of
    from deskcheck.queries.explain import MOST_S
    from deskcheck.queries.explain import explain as explanation_of
    from deskcheck.records import Limits
    from deskcheck.tracing.redaction.redactor import Redactor, hidden_in_errors

    check_format(format)
    if not file:
        raise UserError(
            "name the program's file. For example: deskcheck explain a.py --call 'f(3)' --expect 4"
        )
    contain("limits")
    until = time.monotonic() + MOST_S
    case = case_of(
        lambda text: program_of_call(file, text), file, call, expect, tests=tests, runner=run_all, until=until
    )
    say_containment(file)
    redactor = Redactor.here() if is_redacted() else None
    if redactor is not None:
        redactor.learn(case.program, run_all([case.program], Limits()))
    with hidden_in_errors(redactor):
        answer = explanation_of(
            case.program, case.expected, others=case.others, unread=case.unread, runner=run_all, until=until
        )
    _print(answer if redactor is None else answer.with_texts(redactor.text), format)


def mcp(
    folder: Annotated[str, typer.Argument(help="Folder below which programs may be run.")] = ".",
    trust: Annotated[
        bool,
        typer.Option(
            "--trust", help="Run programs outside the sandbox, with access to your files and network."
        ),
    ] = False,
) -> None:
    """Serve a debugger to a coding agent over standard input and output (Model Context Protocol)."""
    from deskcheck.queries.server import serve
    from deskcheck.queries.tools import Tools
    from deskcheck.tracing.redaction.redactor import Redactor

    if not Path(folder).is_dir():
        raise UserError(f"no folder {folder}")
    if not trust:
        contain("limits")

    def record(file: str, call: str) -> Any:
        return run_of(file, call, is_trusted=trust)

    redactor_of = Redactor.here if is_redacted() else None
    serve(
        Tools(
            Path(folder), runner=run_all, record=record, program_of=program_of_call, redactor_of=redactor_of
        )
    )


def program_of_call(file: str, call: str) -> Any:
    """Return the program of a call of a file."""
    from deskcheck.programs.files import program_of
    from deskcheck.tracing.collect import TraceRequest

    return program_of(TraceRequest(file, call=call.strip()))


def run_all(programs: Any, limits: Any) -> list[Any]:
    """Run programs in the sandbox, one worker per core."""
    from deskcheck.tracing.collect import trace_programs

    return [trace for _, trace in trace_programs(programs, limits)]


def check_format(format: str) -> None:
    """Raise UnknownName for a format that no answer has."""
    if format not in ("text", "json"):
        raise UnknownName("format", format, ["json", "text"])


def _print(answer: Any, format: str) -> None:
    from deskcheck.viewer.terminal import printable

    if format == "json":
        print(answer.to_json())
        return
    for line in answer.lines():
        print(printable(line))


def run_of(file: str, call: str, *, is_trusted: bool) -> Any:
    """Return the run that a file holds; a program is run, in the sandbox unless it is trusted."""
    from deskcheck.format.buffers import trace_of
    from deskcheck.queries.run import Run
    from deskcheck.tracing.packed import SUFFIX, is_run, read_run
    from deskcheck.tracing.redaction.redactor import Redactor
    from deskcheck.viewer.text import outcome_lines

    if not file:
        raise UserError(
            "name a saved run or a program's file. For example: deskcheck ask run.deskcheck raised"
        )
    if Path(file).is_file() and (is_run(file) or file.endswith(SUFFIX)):
        if call:
            raise UserError(f"{file} is a saved run, which is not called again: leave out --call")
        program, packed = read_run(file)
        trace = trace_of(packed)
        run = Run(*reversed(Redactor.here().run(program, trace)) if is_redacted() else (trace, program))
    else:
        recorded = _recorded(file, call, is_trusted=is_trusted)
        run = Run(recorded.in_memory(), recorded.program)
    if not run.lines:
        raise UserError(f"{file}: no step was recorded: {next(outcome_lines(run.trace, run.sources))}")
    return run


def _recorded(file: str, call: str, *, is_trusted: bool) -> Any:
    from deskcheck.file_requests import run_request
    from deskcheck.programs.files import program_of
    from deskcheck.tracing.collect import TraceRequest

    request = TraceRequest(
        file,
        call=call.strip(),
        is_trusted=is_trusted,
        is_redacted=is_redacted(),
        format="json",  # a trusted program prints to standard error, and only the answer to standard output
    )
    if not is_trusted:
        contain("limits")
    recorded = run_request(request, program_of=program_of)
    if not is_trusted:
        say_containment(file)
    return recorded
