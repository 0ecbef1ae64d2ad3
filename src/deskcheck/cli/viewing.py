"""The command that writes the page in which a run can be walked through."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from deskcheck.cell_files import check_target, write_whole
from deskcheck.cli.shell import Require, contain, say_containment
from deskcheck.errors import UserError


def view(
    what: Annotated[
        str, typer.Argument(help="A program's file, a saved trace, a dataset, a log folder, saved answers.")
    ],
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Arguments of a script; after -- if they begin with -.")
    ] = None,
    call: Annotated[
        str, typer.Option(help="What to call: 'f(3)'; without it the file runs as a script.")
    ] = "",
    model: Annotated[
        list[str] | None, typer.Option(help="Execute it by this model too, beside the truth; repeatable.")
    ] = None,
    model_arg: Annotated[list[str] | None, typer.Option("-M", help="key=value for the models.")] = None,
    reply: Annotated[
        list[str] | None, typer.Option(help="File with a model's reply to show beside the truth; repeatable.")
    ] = None,
    task: Annotated[
        str, typer.Option(help="Of a log folder or of saved answers: the task whose answers are shown.")
    ] = "",
    benchmark: Annotated[str, typer.Option(help="Of saved answers: the benchmark they answer.")] = "",
    data: Annotated[str, typer.Option(help="Of saved answers: file of the benchmark.")] = "",
    program: Annotated[str, typer.Option(help="Of a dataset: number from 0, or the program's id.")] = "",
    out: Annotated[str, typer.Option(help="The page to write; it replaces a page of that name.")] = "",
    is_opened: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    statements: Annotated[
        bool, typer.Option("--statements", help="Experimental: check statements in free text too.")
    ] = False,
    stdin: Annotated[str, typer.Option(help="File that is its standard input; - = this command's own.")] = "",
    max_steps: Annotated[int, typer.Option(help="Stop after this many executed lines.")] = 100_000,
    require: Require = "limits",
) -> None:
    """Write one HTML page in which a run can be walked through, step by step, without a network."""
    from pathlib import Path

    from msgspec.structs import replace

    from deskcheck.programs.files import program_of
    from deskcheck.tracing.collect import TraceRequest
    from deskcheck.viewer.document import page_of
    from deskcheck.viewer.opening import (
        kind_of,
        run_of_reply,
        view_of_program,
        view_of_saved,
        view_of_task,
        view_of_traces,
    )
    from deskcheck.viewer.text import idle_text

    taken_as = "answers" if benchmark else kind_of(what)
    target = Path(out or f"{Path(what).stem or 'run'}.html")
    check_target(str(target), "--out", ending=".html")
    if taken_as == "program":
        contain(require)
        request = TraceRequest(
            what,
            call=call.strip(),
            arguments=arguments or [],
            stdin=stdin,
            max_steps=max_steps,
        )
        shown = view_of_program(request, program_of=program_of)
        say_containment(what)
        if why := idle_text(shown.traces[0], shown.program):
            if model:
                raise UserError(f"{what}: there is nothing for a model to execute: {why}")
            print(f"note: {why}", file=sys.stderr)
        shown = _executed(shown, model or [], model_arg or [], max_steps)
        shown = replace(shown, runs=[*shown.runs, *(run_of_reply(path) for path in reply or [])])
    elif taken_as == "evaluation":
        contain(require)
        shown = view_of_task(what, task, max_steps=max_steps)
    elif taken_as == "answers":
        contain(require)
        shown = view_of_saved(what, benchmark, data, task, max_steps=max_steps)
    else:
        shown = view_of_traces(what, program)
    shown = replace(shown, reads_statements=statements)
    write_whole(target, page_of(shown).encode("utf-8"))
    n_steps = shown.traces[0].n_steps
    steps = "1 step" if n_steps == 1 else f"{n_steps:,} steps"
    print(f"{target}: {steps}, {target.stat().st_size / 1000:,.0f} kB; it opens from disk")
    if is_opened:
        import webbrowser

        webbrowser.open(target.resolve().as_uri())
    if taken_as == "program" and not n_steps:
        _end_as_trace(shown)


def _end_as_trace(shown: Any) -> None:
    """Print how a run without a step ended, and end with its status, both as `deskcheck trace` does."""
    from deskcheck.cli.recording import exit_code
    from deskcheck.viewer.terminal import shown_call, trace_lines
    from deskcheck.viewer.text import hint_lines

    trace, program = shown.traces[0], shown.program
    for line in trace_lines(trace, program.source, call=shown_call(program)):
        print(line)
    for line in hint_lines(trace, program):
        print(line)
    if status := exit_code(trace.outcome):
        raise typer.Exit(status)


def _executed(shown: Any, models: list[str], model_args: list[str], max_steps: int) -> Any:
    """Return the View with each model's execution of the program added to its runs."""
    if not models:
        return shown
    from msgspec.structs import replace

    from deskcheck.evaluation.execute import run_execute
    from deskcheck.pace import CountLine
    from deskcheck.viewer.execution import run_of_steps

    runs = []
    for name in models:
        counter = CountLine("steps", most=min(max_steps, 1000))
        execution = run_execute(
            shown.program,
            shown.traces[0],
            model=name,
            max_steps=min(max_steps, 1000),
            model_args=model_args,
            after_step=counter.count,
        )
        counter.end()
        runs.append(
            run_of_steps(
                f"{name}, {execution.strategy}", execution.steps, execution.answer, execution.expected
            )
        )
    return replace(shown, runs=runs)
