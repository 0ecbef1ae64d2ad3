"""The command `view`, which writes the page in which a reader walks through a run step by step."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from deskcheck.cell_files import check_target, write_whole
from deskcheck.cli.shell import Require, contain, is_redacted, say_containment
from deskcheck.errors import UserError


def view(
    what: Annotated[
        str,
        typer.Argument(
            help="A program's file, a saved trace, a dataset, a log folder, saved answers.",
            show_default=False,
        ),
    ] = "",
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Arguments of a script; after -- if they begin with -.")
    ] = None,
    call: Annotated[
        str, typer.Option(help="What to call: 'f(3)'; without it the file runs as a script.")
    ] = "",
    code: Annotated[str, typer.Option("-c", help="Run this text, as python -c does.")] = "",
    module: Annotated[bool, typer.Option("-m", help="Run a module as python -m does, from here.")] = False,
    trust: Annotated[
        bool,
        typer.Option("--trust", help="Run outside the sandbox, with access to your files and network."),
    ] = False,
    more: Annotated[
        list[str] | None,
        typer.Option("--file", help="One more file that the program imports or reads; repeatable."),
    ] = None,
    step_in: Annotated[
        list[str] | None,
        typer.Option(help="Only step into this function, class or module; -NAME: not into it; repeatable."),
    ] = None,
    model: Annotated[
        list[str] | None,
        typer.Option(help="Let this model execute the program too, beside the truth; repeatable."),
    ] = None,
    model_arg: Annotated[list[str] | None, typer.Option("-M", help="key=value for the models.")] = None,
    reply: Annotated[
        list[str] | None, typer.Option(help="File with a model's reply to show beside the truth; repeatable.")
    ] = None,
    task: Annotated[
        str, typer.Option(help="Of logs or answers: the task; of a dataset: a number from 0, or an id.")
    ] = "",
    benchmark: Annotated[str, typer.Option(help="Of saved answers: the benchmark they answer.")] = "",
    data: Annotated[str, typer.Option(help="Of saved answers: file of the benchmark.")] = "",
    out: Annotated[str, typer.Option(help="The page to write; it replaces a page of that name.")] = "",
    statements: Annotated[
        bool, typer.Option("--statements", help="Experimental: check statements in free text too.")
    ] = False,
    stdin: Annotated[
        str, typer.Option(help="File for the program's standard input; - = this command's own.")
    ] = "",
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
        without_secrets,
    )
    from deskcheck.viewer.text import idle_text

    if not what and not code:
        raise UserError("name what is to be shown: a program's file, -m MODULE, -c CODE, a saved trace, ..")
    is_program = bool(code) or module
    taken_as = "program" if is_program else "answers" if benchmark else kind_of(what)
    target = Path(out or f"{'run' if is_program else Path(what).stem or 'run'}.html")
    check_target(str(target), "--out", ending=".html")
    if taken_as == "program":
        request = TraceRequest(
            "" if code else what,
            code=code,
            call=call.strip(),
            arguments=[*([what] if code and what else []), *(arguments or [])],
            is_module=module,
            is_trusted=trust,
            is_redacted=False,  # below, all granularities together
            hides_output=is_redacted(),
            stdin=stdin,
            files=more or [],
            step_in=[name for name in step_in or [] if name[0] != "-"],
            no_step_in=[name[1:] for name in step_in or [] if name[0] == "-"],
            max_steps=max_steps,
        )
        if not trust:
            contain(require)
        shown = view_of_program(request, program_of=program_of)
        if not trust:
            say_containment(what or "-c")
        if (why := idle_text(shown.traces[0], shown.program)) and model:
            raise UserError(f"{what}: there is nothing for a model to execute: {why}")
        shown = _executed(shown, model or [], model_arg or [], max_steps)
        shown = replace(shown, runs=[*shown.runs, *(run_of_reply(path) for path in reply or [])])
    elif taken_as == "evaluation":
        contain(require)
        shown = view_of_task(what, task, max_steps=max_steps)
    elif taken_as == "answers":
        contain(require)
        shown = view_of_saved(what, benchmark, data, task, max_steps=max_steps)
    else:
        shown = view_of_traces(what, task)
    if is_redacted() and taken_as in ("program", "trace", "dataset"):
        shown = without_secrets(shown)
    shown = replace(shown, reads_statements=statements)
    write_whole(target, page_of(shown).encode("utf-8"))
    n_steps = shown.traces[0].n_steps
    steps = "1 step" if n_steps == 1 else f"{n_steps:,} steps"
    print(f"{target}: {steps}, {target.stat().st_size / 1000:,.0f} kB; it opens from disk")
    if taken_as == "program":
        _end_as_trace(shown, is_trusted=trust)


def _end_as_trace(shown: Any, *, is_trusted: bool) -> None:
    """Print the outcome and advice on it, and end with its status, both as `deskcheck trace` does."""
    from deskcheck.cli.recording import exit_code
    from deskcheck.tracing.program import bundle_of
    from deskcheck.viewer.terminal import printable, shown_call, trace_lines
    from deskcheck.viewer.text import Sources, hint_lines, outcome_lines

    trace, program = shown.traces[0], shown.program
    bundle = bundle_of(program)
    if trace.n_steps:
        lines = [*outcome_lines(trace, Sources(trace, program.source, bundle.files if bundle else {}))]
        lines += [f"note: {note}" for note in trace.fidelity.notes]
    else:
        lines = [*trace_lines(trace, program.source, call=shown_call(program))]
    for line in (*lines, *hint_lines(trace, program, is_trusted=is_trusted)):
        print(printable(line))
    if status := exit_code(trace.outcome):
        raise typer.Exit(status)


def _executed(shown: Any, models: list[str], model_args: list[str], max_steps: int) -> Any:
    """Return the View with each model's execution of the program added to its runs."""
    if not models:
        return shown
    from msgspec.structs import replace

    from deskcheck.evaluation.execute import run_execute
    from deskcheck.pace import CountLine
    from deskcheck.tracing.redaction.redactor import Redactor, hidden_in_errors
    from deskcheck.viewer.execution import run_of_steps

    redactor = Redactor.here() if is_redacted() else None
    if redactor is not None:
        redactor.learn(shown.program, shown.traces)
    runs, notes = [], list(shown.notes)
    for name in models:
        counter = CountLine("steps", most=min(max_steps, 1000))
        with hidden_in_errors(redactor):
            execution = run_execute(
                shown.program,
                shown.traces[0],
                model=name,
                max_steps=min(max_steps, 1000),
                model_args=model_args,
                after_step=counter.count,
            )
        counter.end()
        if execution.note and execution.note not in notes:
            notes.append(execution.note)
        runs.append(
            run_of_steps(
                f"{name}, {execution.strategy}", execution.steps, execution.answer, execution.expected
            )
        )
    return replace(shown, runs=runs, notes=notes)
