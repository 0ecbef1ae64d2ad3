"""The commands that run programs and keep their traces: trace, build, data."""

from __future__ import annotations

import re
import signal
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from deskcheck.cli.shell import (
    Command,
    Confirm,
    Require,
    contain,
    is_redacted,
    say_containment,
    usage_in_our_words,
    without_words_of_runs,
)
from deskcheck.errors import MissingExtra, UserError
from deskcheck.records import CompileFailure, Crashed, Outcome, Raised, Refused, Rejected, Returned


class TraceCommand(Command):
    """The command `trace`, whose error for an unknown option says that a script's options follow "--"."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        typed = list(args)
        try:
            return TyperCommand.parse_args(self, ctx, without_words_of_runs("trace", args))
        except Exception as error:
            if type(error).__name__ != "NoSuchOption":  # click's class, or that of typer's copy of click
                with usage_in_our_words("trace", typed):
                    raise
            name = getattr(error, "option_name", "")
            raise UserError(
                f"deskcheck trace has no option {name} (its own: deskcheck trace -h); options of the script "
                f"come after --: deskcheck trace FILE -- {name}"
            ) from None


def trace(
    file: Annotated[
        str, typer.Argument(help="The program's file; with -m the name of a module.", show_default=False)
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
    stdin: Annotated[
        str, typer.Option(help="File for the program's standard input; piped input is read too.")
    ] = "",
    more: Annotated[
        list[str] | None,
        typer.Option("--file", help="One more file that the program imports or reads; repeatable."),
    ] = None,
    step_in: Annotated[
        list[str] | None,
        typer.Option(help="Only step into this function, class or module; -NAME: not into it; repeatable."),
    ] = None,
    granularity: Annotated[
        str, typer.Option(help="Steps to record: line, expression, instruction.")
    ] = "line",
    format: Annotated[str, typer.Option(help="text or json.")] = "text",
    out: Annotated[
        str, typer.Option(help="Also write the trace here: NAME.deskcheck, or NAME.parquet for tables.")
    ] = "",
    max_steps: Annotated[int, typer.Option(help="Stop after this many executed lines.")] = 100_000,
    time_limit: Annotated[
        float | None,
        typer.Option(help="Stop after this many seconds. [10 in the sandbox, none with --trust]"),
    ] = None,
    whole: Annotated[bool, typer.Option("--all", help="Show every step of a long run.")] = False,
    confirm: Confirm = False,
    require: Require = "limits",
) -> None:
    """Run a call, a script or a module and show its steps; the exit code is the program's."""
    from deskcheck.file_requests import LANGUAGES
    from deskcheck.file_requests import run_request as run_file
    from deskcheck.programs.files import program_of
    from deskcheck.tracing.collect import TraceRequest, run_request

    request = TraceRequest(
        "" if code else file,
        code=code,
        call=call.strip(),
        arguments=[*([file] if code and file else []), *(arguments or [])],
        is_module=module,
        is_trusted=trust,
        is_redacted=is_redacted(),
        stdin=stdin,
        files=more or [],
        step_in=[name for name in step_in or [] if name[0] != "-"],
        no_step_in=[name[1:] for name in step_in or [] if name[0] == "-"],
        granularity=granularity,
        format=format,
        out=out,
        max_steps=max_steps,
        time_limit_s=time_limit,
        confirm=confirm,
    )
    if not trust:
        contain(require)
    is_python = code or module or Path(file).suffix not in LANGUAGES
    run = run_request if is_python else run_file
    recorded = run(request, program_of=program_of)
    if not trust:
        say_containment(file or "-c")
    if confirm:
        same = recorded.packed.head.determinism.confirmed
        print(f"a second run elsewhere gave {'the same' if same else 'other'} bytes", file=sys.stderr)
    if out:
        _write_run(out, recorded)
        size = Path(out).stat().st_size / 1000
        print(
            f"{out}: {recorded.packed.n_steps:,} step{'s' * (recorded.packed.n_steps != 1)}, {size:,.1f} kB",
            file=sys.stderr,
        )
    if format == "json":
        import msgspec

        sys.stdout.write(msgspec.json.encode(recorded.in_memory()).decode() + "\n")
    else:
        from deskcheck.viewer.terminal import paint_of, request_lines

        for line in request_lines(recorded, whole=whole, paint=paint_of(sys.stdout)):
            print(line)
    raise typer.Exit(exit_code(recorded.packed.head.outcome))


def _write_run(out: str, recorded: Any) -> None:
    """Write a run to a .deskcheck or a .parquet file."""
    if out.endswith(".parquet"):
        from deskcheck.format.shards import write_packed

        write_packed(out, [(recorded.program, recorded.packed)])
        return
    from deskcheck.tracing.packed import write_run

    write_run(out, recorded.program, recorded.packed)


def exit_code(outcome: Outcome) -> int:
    """Return the exit code of `trace`: the program's, 124 for a limit, 125 for a refused run."""
    if isinstance(outcome, Returned):
        return 0
    if isinstance(outcome, Raised) and outcome.type == "SystemExit":
        return _exit_status(outcome.message)
    if isinstance(outcome, Raised):
        return 130 if outcome.type == "KeyboardInterrupt" else 1
    if isinstance(outcome, Crashed):
        return _crash_status(outcome.cause)
    if isinstance(outcome, Refused | Rejected):
        return 125
    return 1 if isinstance(outcome, CompileFailure) else 124


def _exit_status(message: str) -> int:
    """Return the exit code of `sys.exit(..)` as Python defines it: a number, 1 for a text, 0 for nothing."""
    if message in ("", "None", "False"):
        return 0
    return int(message) & 0xFF if re.fullmatch(r"-?\d{1,18}", message) else 1


def _crash_status(cause: str) -> int:
    """Return the process's exit code, or as shells do 128 plus the number of the signal that ended it."""
    if cause.startswith("exit "):
        return int(cause.removeprefix("exit ")) & 0xFF
    return 128 + signal.Signals[cause].value if cause in signal.Signals.__members__ else 1


def build(
    source: Annotated[
        str, typer.Argument(help="Where programs come from: files, functions, generated, written, real.")
    ],
    path: Annotated[
        str,
        typer.Argument(
            help="files: a file or a folder; functions: also an archive, rows, a package; real: one package."
        ),
    ] = "",
    out: Annotated[str, typer.Option(help="Folder of the dataset; the same command continues it.")] = "",
    call: Annotated[
        list[str] | None,
        typer.Option(help="files: a call, 'f(3)', or JSON lines of {\"call\": ..}: FILE.jsonl; repeatable."),
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(help="functions: columns of rows: code=NAME, tests=NAME, license=NAME."),
    ] = None,
    inputs: Annotated[
        list[str] | None,
        typer.Option(help="functions: more inputs: hypothesis, or a MODEL that writes them; repeatable."),
    ] = None,
    license: Annotated[str, typer.Option(help="files, functions: SPDX name of their license.")] = "unknown",
    family: Annotated[
        str,
        typer.Option(
            help="generated: easy, hard, easy:javascript, ..; written: text, ..; real: train, held-out."
        ),
    ] = "",
    seed: Annotated[int, typer.Option(help="generated: same seed, same programs.")] = 0,
    start: Annotated[int, typer.Option(help="generated: number of the first program.")] = 0,
    calls_each: Annotated[
        int | None, typer.Option(help="Calls of each program. [generated: 1, functions: up to 6]")
    ] = None,
    n: Annotated[int | None, typer.Option(help="generated: how many programs.", min=1)] = None,
    limit: Annotated[
        int | None, typer.Option(help="Stop after this many programs.", min=1, show_default=False)
    ] = None,
    workers: Annotated[
        int | None, typer.Option(help="Processes. [one per core]", min=1, show_default=False)
    ] = None,
    ray: Annotated[
        str, typer.Option(help="Run on the Ray cluster at this address: auto, HOST:6379, local.")
    ] = "",
    shard_size: Annotated[
        int, typer.Option(help="Number of programs per shard, dropped ones included.")
    ] = 1000,
    max_steps: Annotated[
        int | None,
        typer.Option(
            help="Maximum executed lines per run. [100000; functions 20000]", min=1, show_default=False
        ),
    ] = None,
    time_limit: Annotated[
        float | None,
        typer.Option(help="Maximum seconds per run. [10; functions 2]", min=0.01, show_default=False),
    ] = None,
    filter: Annotated[
        list[str] | None,
        typer.Option(
            help="Leave out by: trivial=3, too-long=1000, duplicate-path, FILE.py, ..; or none; repeatable."
        ),
    ] = None,
    require: Require = "limits",
    confirm: Confirm = False,
    keep_benchmarks: Annotated[
        bool,
        typer.Option("--keep-benchmarks", help="Keep programs too near to a benchmark; training drops them."),
    ] = False,
) -> None:
    """Run programs in the sandbox, store their traces as a dataset; the same command resumes it."""
    if not out:
        raise UserError("name the folder of the dataset: --out DIR")
    from pathlib import Path

    import msgspec

    from deskcheck.dataset.build import limits_of
    from deskcheck.dataset.command import run_build
    from deskcheck.plugins import SourceOptions, key_values, load

    require = contain(require)
    options = SourceOptions(
        source=source,
        path=path,
        calls=[text for text in call or [] if not text.endswith(".jsonl")],
        calls_file=_file_of_calls(call or []),
        columns=key_values(column or [], "--column"),
        inputs=inputs or [],
        license=license,
        family=family,
        seed=seed,
        start=start,
        calls_each=calls_each,
        n=n or 0,
        limit=limit or 0,
    )
    module = load("program source", source)
    status = run_build(
        options,
        Path(out),
        source=module,
        limits=msgspec.structs.replace(
            limits_of(module),
            **{k: v for k, v in {"max_steps": max_steps, "time_s": time_limit}.items() if v is not None},
        ),
        filters=None if not filter else [name for name in filter if name != "none"],
        shard_size=shard_size,
        workers=workers or 0,
        require=require,
        command=" ".join(sys.argv),
        confirm=confirm,
        decontaminate=not keep_benchmarks,
        ray=ray,
        ask=_writer(inputs or []),
    )
    if status:
        raise typer.Exit(status)


def _file_of_calls(given: list[str]) -> str:
    """Return the file of calls among the texts of --call; "" if there is none."""
    files = [text for text in given if text.endswith(".jsonl")]
    if len(files) > 1:
        raise UserError(f"--call {' --call '.join(files)}: one file of calls at a time")
    return files[0] if files else ""


def _writer(inputs: list[str]) -> Any:
    """Return the function that asks the model named in --inputs to write inputs; None if none is named."""
    models = [one for one in inputs if one != "hypothesis"]
    if len(models) > 1:
        raise UserError(f"--inputs {' --inputs '.join(models)}: one model at a time")
    if not models:
        return None
    try:
        from deskcheck.evaluation.written_inputs import writer
    except ModuleNotFoundError as error:
        raise MissingExtra(error.name or "inspect_ai", "eval", f"--inputs {models[0]}") from None
    return writer(models[0])


def data(
    path: Annotated[
        str, typer.Argument(help="A dataset folder, a shard, a removed.jsonl, or a mixture: FILE.toml.")
    ],
    show: Annotated[int, typer.Option(help="Also print the first N runs, step by step.", min=0)] = 0,
    layout: Annotated[
        str, typer.Option(help="Show the first programs (--show) as training reads them: line-1, compact, ..")
    ] = "",
) -> None:
    """Say what a dataset holds, and check every shard."""
    from pathlib import Path

    if Path(path).name == "removed.jsonl":
        from deskcheck.dataset.command import removed_text

        print(removed_text(Path(path).parent))
        return
    if layout or path.endswith(".toml"):
        from deskcheck.training.preview import examples_text

        print(examples_text(Path(path), layout, n=show or 1))
        return
    from deskcheck.dataset.command import as_text

    print(as_text(Path(path), n_shown=show))
