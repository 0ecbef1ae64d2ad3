"""The commands that run programs and keep their traces: trace, build, data."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from deskcheck.cli.options import Confirm, Require, Trust, contain
from deskcheck.errors import UserError


class ScriptCommand(TyperCommand):
    """Says where the options of a script stand: behind "--"."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except Exception as error:  # told by its name: which copy of click raises it changes with typer
            if type(error).__name__ != "NoSuchOption":  # of click, or of typer's own copy of it
                raise
            name = getattr(error, "option_name", "")
            raise UserError(
                f"deskcheck trace has no option {name} (its own: deskcheck trace -h); options of the script "
                f"come after --: deskcheck trace FILE -- {name}"
            ) from None


def trace(
    file: Annotated[str, typer.Argument(help="The program's file; with -m the name of a module.")],
    arguments: Annotated[
        list[str] | None, typer.Argument(help="Of a script; after -- where they begin with -.")
    ] = None,
    call: Annotated[
        str, typer.Option(help="What to call: 'f(3)'; without it the file runs as a script.")
    ] = "",
    module: Annotated[bool, typer.Option("-m", help="Run a module as python -m does, from here.")] = False,
    stdin: Annotated[str, typer.Option(help="File that is its standard input; - = this command's own.")] = "",
    more: Annotated[
        list[str] | None, typer.Option("--file", help="One more file that it imports or reads; repeatable.")
    ] = None,
    step_in: Annotated[
        list[str] | None, typer.Option(help="Only step into this function, class or module; repeatable.")
    ] = None,
    no_step_in: Annotated[
        list[str] | None, typer.Option(help="Don't step into this function, class or module; repeatable.")
    ] = None,
    granularity: Annotated[
        str, typer.Option(help="Steps to record: line, expression, instruction.")
    ] = "line",
    format: Annotated[str, typer.Option(help="text or json.")] = "text",
    out: Annotated[str, typer.Option(help="Also write the trace to this .parquet file.")] = "",
    max_steps: Annotated[int, typer.Option(help="Stop after this many executed lines.")] = 100_000,
    time_limit: Annotated[float, typer.Option(help="Stop after this many seconds.")] = 10.0,
    whole: Annotated[bool, typer.Option("--all", help="Show every step of a long run.")] = False,
    confirm: Confirm = False,
    require: Require = "limits",
) -> None:
    """Run a call, a script or a module in the sandbox and show every step."""
    from deskcheck import sandbox
    from deskcheck.programs._project import program_of
    from deskcheck.tracing.request import TraceRequest, read_stdin, run_request

    request = TraceRequest(
        file,
        call=call.strip(),
        arguments=arguments or [],
        is_module=module,
        stdin=read_stdin(stdin),
        files=more or [],
        step_in=step_in or [],
        no_step_in=no_step_in or [],
        granularity=granularity,
        format=format,
        out=out,
        max_steps=max_steps,
        time_limit_s=time_limit,
        confirm=confirm,
    )
    contain(require)
    found = run_request(request, program_of=program_of)
    print(sandbox.admit("named", file), file=sys.stderr)
    if confirm:
        same = found.packed.head.determinism.confirmed
        print(f"a second run elsewhere gave {'the same' if same else 'other'} bytes", file=sys.stderr)
    if out:
        from deskcheck.format.shards import write_packed

        write_packed(out, [(found.program, found.packed)])
    if format == "json":
        import msgspec

        sys.stdout.write(msgspec.json.encode(found.in_memory()).decode() + "\n")
        return
    from deskcheck.viewer.terminal import request_lines

    for line in request_lines(found, whole=whole):
        print(line)


def build(
    source: Annotated[str, typer.Argument(help="Where programs come from: files, generated, real.")],
    path: Annotated[str, typer.Argument(help="files: a file or a folder; real: one package.")] = "",
    out: Annotated[str, typer.Option(help="Folder of the dataset; the same command goes on with it.")] = "",
    call: Annotated[list[str] | None, typer.Option(help="files: a call, 'f(3)'; repeatable.")] = None,
    calls: Annotated[str, typer.Option(help='files: JSON lines {"call": "f(3)"}.')] = "",
    licence: Annotated[str, typer.Option(help="files: SPDX name of their licence.")] = "unknown",
    family: Annotated[
        str, typer.Option(help="generated: easy, medium, hard, real-1, ..; real: train, held-out.")
    ] = "",
    seed: Annotated[int, typer.Option(help="generated: same seed, same programs.")] = 0,
    start: Annotated[int, typer.Option(help="generated: number of the first program.")] = 0,
    n: Annotated[int, typer.Option(help="generated: how many programs.")] = 0,
    limit: Annotated[int, typer.Option(help="Stop after this many programs; 0 = all.")] = 0,
    workers: Annotated[int, typer.Option(help="Processes; 0 = one per core.", min=0)] = 0,
    shard_size: Annotated[int, typer.Option(help="Programs in the range of one shard.")] = 1000,
    max_steps: Annotated[int, typer.Option(help="Line events of one run.", min=1)] = 100_000,
    time_s: Annotated[float, typer.Option(help="Seconds of one run.", min=0.01)] = 10.0,
    require: Require = "limits",
    i_trust_this_code: Trust = False,
    confirm: Confirm = False,
) -> None:
    """Run programs in the sandbox and keep their traces as a dataset; stopped, it goes on where it was."""
    if not out:
        raise UserError("name the folder of the dataset: --out DIR")
    from pathlib import Path

    from deskcheck.dataset.command import run_build
    from deskcheck.options import SourceOptions
    from deskcheck.records import Limits

    contain(require, i_trust_this_code)
    options = SourceOptions(
        source=source,
        path=path,
        calls=call or [],
        calls_file=calls,
        licence=licence,
        family=family,
        seed=seed,
        start=start,
        n=n,
        limit=limit,
    )
    run_build(
        options,
        Path(out),
        limits=Limits(max_steps=max_steps, time_s=time_s),
        shard_size=shard_size,
        workers=workers,
        require=require,
        command=" ".join(sys.argv),
        confirm=confirm,
    )


def data(
    path: Annotated[str, typer.Argument(help="A dataset folder, or one shard.")],
    show: Annotated[int, typer.Option(help="Also show the first N traces.", min=0)] = 0,
) -> None:
    """What a dataset holds; every shard is checked."""
    from pathlib import Path

    from deskcheck.dataset.show import as_text

    print(as_text(Path(path), n_shown=show))
