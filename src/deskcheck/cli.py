"""The commands: options in, one call, an exit code out. Nothing heavy is imported before it is needed.

Exit codes: 0 done, 1 the command ran and its answer is no, 2 asked wrongly or cannot be done, 130 Ctrl-C.
"""

from __future__ import annotations

import errno
import sys
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from deskcheck import cli_reports, cli_training
from deskcheck.errors import DeskcheckError, MissingExtra, UnknownName, UserError


class _Commands(TyperGroup):
    """An unknown command lists the known ones; Ctrl-C, which typer would swallow, says how to go on."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is None:
            raise UnknownName("command", cmd_name, self.list_commands(ctx))
        return command

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            again = "run the same command again to go on"
            if ctx.invoked_subcommand == "train":  # without it the folder of a run is refused
                again = "the same command with --resume goes on"
            print(f"deskcheck: interrupted; what was finished is kept, {again}", file=sys.stderr)
            raise typer.Exit(130) from None


app = typer.Typer(
    name="deskcheck",
    cls=_Commands,
    help="Record what programs do, teach language models to execute them, measure how well they can.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


Require = Annotated[str, typer.Option(help="Weakest sandbox level to accept: full, kernel, seccomp, limits.")]
Trust = Annotated[bool, typer.Option("--i-trust-this-code", help="Run untrusted code at level limits too.")]
Confirm = Annotated[bool, typer.Option(help="Run twice, elsewhere; say whether the bytes agree.")]
Ids = Annotated[str, typer.Option(help="Only these tasks, separated by commas.")]
Policy = Annotated[str, typer.Option(help="strict, lenient, lenient:1e-9 or published.")]
Filters = Annotated[
    list[str] | None, typer.Option(help="Only tasks with NAME=VALUE, NAME~PART, steps<100; repeatable.")
]
Options = Annotated[list[str] | None, typer.Option("-T", help="key=value for the benchmark; repeatable.")]


def _contain(require: str, trusted: bool = False) -> None:
    """SandboxUnavailable when the level cannot be had; what runs later runs at the strongest there is."""
    from deskcheck import sandbox

    sandbox.check(require)
    if trusted:
        sandbox.trust_this_code()


@app.callback()
def _root() -> None:
    """Keeps the commands named even while there is only one."""


@app.command()
def version() -> None:
    """Print the version."""
    from deskcheck import __version__

    print(__version__)


@app.command()
def doctor(
    json: Annotated[bool, typer.Option("--json", help="One JSON list instead of lines.")] = False,
) -> None:
    """What works on this machine, what is reduced, and the line that mends it."""
    from deskcheck.doctor import as_json, as_text, findings

    print((as_json if json else as_text)(findings()))


class _OfScript(TyperCommand):
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


@app.command(cls=_OfScript)
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
    _contain(require)
    found = run_request(request, program_of=program_of)
    print(sandbox.admit("named", file), file=sys.stderr)
    if confirm:
        same = found.packed.head.determinism.confirmed
        print(f"a second run elsewhere gave {'the same' if same else 'other'} bytes", file=sys.stderr)
    if out:
        from deskcheck.storage import write_packed

        write_packed(out, [(found.program, found.packed)])
    if format == "json":
        import msgspec

        sys.stdout.write(msgspec.json.encode(found.in_memory()).decode() + "\n")
        return
    from deskcheck.viewer.terminal import request_lines

    for line in request_lines(found, whole=whole):
        print(line)


@app.command()
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

    _contain(require, i_trust_this_code)
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


@app.command()
def data(
    path: Annotated[str, typer.Argument(help="A dataset folder, or one shard.")],
    show: Annotated[int, typer.Option(help="Also show the first N traces.", min=0)] = 0,
) -> None:
    """What a dataset holds; every shard is checked."""
    from pathlib import Path

    from deskcheck.dataset.show import as_text

    print(as_text(Path(path), n_shown=show))


@app.command()
def grade(
    benchmark: Annotated[str, typer.Option(help="Benchmark whose tasks were answered.")],
    generations: Annotated[
        str, typer.Option(help="File of saved generations (CRUXEval, LiveCodeBench, JSONL).")
    ] = "",
    samples: Annotated[
        str,
        typer.Option(help="Or solutions of humaneval, mbpp: JSONL of task_id, completion; by their tests."),
    ] = "",
    data: Annotated[str, typer.Option(help="File of the benchmark; without it the hub or what ships.")] = "",
    task: Annotated[str, typer.Option(help="What was asked: output, input, coverage, ..")] = "output",
    policy: Policy = "published",
    ids: Ids = "",
    limit: Annotated[int, typer.Option(help="Only the first N tasks; 0 = all.", min=0)] = 0,
    filter: Filters = None,
    json_file: Annotated[str, typer.Option("--json", help="Write the whole result here.")] = "",
    option: Options = None,
    require: Require = "limits",
    i_trust_this_code: Trust = False,
) -> None:
    """Grade saved generations against executed truth, or written solutions by their tests, in the sandbox."""
    from deskcheck.results import check_target

    if bool(generations) == bool(samples):
        raise UserError("name one file: --generations (answers) or --samples (solutions of humaneval, mbpp)")
    check_target(json_file, "--json")
    if samples:
        _grade_samples(benchmark, samples, data, json_file, require, i_trust_this_code)
        return
    from deskcheck.evaluation import grade as grading
    from deskcheck.evaluation import graded as shown
    from deskcheck.evaluation.chosen import filtered
    from deskcheck.evaluation.plan import check_name
    from deskcheck.evaluation.truth import build_tasks
    from deskcheck.grading.compare import tolerance_of
    from deskcheck.models._saved import read_saved
    from deskcheck.options import key_values
    from deskcheck.sandbox import level

    check_name("benchmark", benchmark)
    check_name("task", task)
    tolerance_of(policy)
    saved = read_saved(generations)
    _contain(require, i_trust_this_code)
    chosen = [one.strip() for one in ids.split(",") if one.strip()]
    options = key_values(option or [], "-T")
    task_set = build_tasks(benchmark, kind=task, data=data, options=options, ids=chosen, limit=limit)
    task_set = filtered(task_set, filter or [])
    result = grading.grade_saved(task_set, saved, policy=policy)
    print(shown.as_text(result, task_set, sandbox=level()))
    if json_file:
        shown.write_results(result, task_set, json_file, generations=generations, data=data)
        print(f"written to {json_file}")


def _grade_samples(benchmark: str, path: str, data: str, out: str, require: str, trusted: bool) -> None:
    from deskcheck.evaluation.samples import (
        as_text,
        grade_samples,
        read_problems,
        read_samples,
        write_results,
    )

    problems = read_problems(benchmark, data)
    found = read_samples(path, problems)
    _contain(require, trusted)
    graded = grade_samples(problems, found)
    print(as_text(graded, benchmark))
    if out:
        write_results(graded, out, benchmark=benchmark, samples=path, data=data)
        print(f"written to {out}")


@app.command(name="eval")
def evaluate(
    model: Annotated[
        list[str] | None, typer.Option(help="tiny, scripted, replay, or provider/model; repeatable.")
    ] = None,
    benchmark: Annotated[list[str] | None, typer.Option(help="Benchmark; repeatable; default core.")] = None,
    strategy: Annotated[
        list[str] | None, typer.Option(help="How to ask; repeatable; default vanilla (tiny: direct).")
    ] = None,
    data: Annotated[
        list[str] | None, typer.Option(help="The benchmark's file; NAME=PATH where there are several.")
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(help="What is asked: output (default), input, coverage, ..; repeatable."),
    ] = None,
    limit: Annotated[int, typer.Option(help="Only the first N tasks; 0 = all.")] = 0,
    ids: Ids = "",
    filter: Filters = None,
    samples: Annotated[int, typer.Option(help="How often each task is asked.")] = 1,
    max_steps: Annotated[int, typer.Option(help="Budget of a step loop.")] = 1000,
    policy: Policy = "strict",
    max_tokens: Annotated[int, typer.Option(help="Budget of a completion; 0 = the strategy's.")] = 0,
    temperature: Annotated[float, typer.Option(help="-1 = the provider's; at 0 votes keep theirs.")] = -1.0,
    effort: Annotated[str, typer.Option(help="Reasoning effort: minimal, low, medium, high.")] = "",
    reasoning_tokens: Annotated[int, typer.Option(help="Budget of the thinking; 0 = the provider's.")] = 0,
    timeout: Annotated[int, typer.Option(help="Seconds of one request, before it is tried again.")] = 600,
    price: Annotated[
        list[str] | None, typer.Option(help="Dollars per million tokens: IN,OUT or MODEL=IN,OUT or FILE.csv.")
    ] = None,
    max_cost: Annotated[
        float, typer.Option(help="Stop asking before this many dollars; 0 = no limit.")
    ] = 0.0,
    max_connections: Annotated[int, typer.Option(help="Requests at once; 0 = the provider's.")] = 0,
    json: Annotated[str, typer.Option(help="Write the results here.")] = "",
    log_dir: Annotated[
        str, typer.Option(help="Logs and answers; the same command goes on from them.")
    ] = "logs",
    report: Annotated[str, typer.Option(help="Write a one-file HTML report here.")] = "",
    show_prompt: Annotated[
        bool, typer.Option("--show-prompt", help="Print the first prompt and stop.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print calls, tokens and money and stop.")
    ] = False,
    model_arg: Annotated[
        list[str] | None, typer.Option("-M", help="key=value for the model; repeatable.")
    ] = None,
    knob: Annotated[
        list[str] | None, typer.Option("-S", help="key=value for the strategy; repeatable.")
    ] = None,
    option: Options = None,
    require: Require = "limits",
    i_trust_this_code: Trust = False,
) -> None:
    """Ask models to execute programs, and score them."""
    from deskcheck.evaluation.command import Outputs, run_eval
    from deskcheck.evaluation.generation import Generation
    from deskcheck.evaluation.plan import from_options

    def build_tasks(*names: str, **options: Any) -> Any:
        from deskcheck.evaluation import truth

        return truth.build_tasks(*names, **options)

    def render(folders: list[Any]) -> str:
        from deskcheck.report.page import render_cells

        return render_cells(folders)

    plan = from_options(
        models=model or [],
        benchmarks=benchmark or [],
        tasks=task or [],
        strategies=strategy or [],
        data=data or [],
        ids=ids,
        limit=limit,
        filters=filter or [],
        n_samples=samples,
        max_steps=max_steps,
        policy=policy,
        generation=Generation(max_tokens, temperature, effort, reasoning_tokens),
        timeout_s=timeout,
        prices=price or [],
        max_cost=max_cost,
        max_connections=max_connections,
        model_args=model_arg or [],
        knobs=knob or [],
        options=option or [],
        log_dir=log_dir,
        argv=sys.argv,
    )
    _contain(require, i_trust_this_code)
    run_eval(plan, Outputs(json, report, show_prompt, dry_run), build_tasks=build_tasks, render=render)


@app.command()
def execute(
    file: Annotated[str, typer.Argument(help="The program's file.")],
    call: Annotated[str, typer.Option(help='The call: "f(3)".')],
    model: Annotated[str, typer.Option(help="tiny, or provider/model.")] = "",
    max_steps: Annotated[int, typer.Option(help="Budget of the model's chain.", min=1)] = 200,
    everything: Annotated[bool, typer.Option("--all", help="Show every step of a long run.")] = False,
    model_arg: Annotated[list[str] | None, typer.Option("-M", help="key=value for the model.")] = None,
    require: Require = "limits",
) -> None:
    """Let a model execute a program step by step, beside what the program really does."""
    from deskcheck import sandbox
    from deskcheck.evaluation.execute import run_execute
    from deskcheck.programs._project import program_of
    from deskcheck.tracing.request import TraceRequest, run_request
    from deskcheck.viewer.execution import answer_text, execution_lines

    _contain(require)
    recorded = run_request(TraceRequest(file, call=call), program_of=program_of)
    program, found = recorded.program, recorded.in_memory()
    print(sandbox.admit("named", file), file=sys.stderr)
    execution = run_execute(program, found, model=model, max_steps=max_steps, model_args=model_arg or [])
    lines = execution_lines(
        program,
        execution.steps,
        answer=answer_text(execution.answer),
        expected=execution.expected,
        most=len(execution.steps) if everything else 40,
    )
    print("\n".join(lines))


for _command in (
    cli_reports.report,
    cli_reports.compare,
    cli_reports.study,
    cli_training.train,
    cli_training.export,
    cli_training.downstream,
):
    app.command()(_command)


def main() -> None:
    """Run a command; what we refuse, an extra or a disk that is missing become one line and exit code 2."""
    try:
        app()
    except DeskcheckError as error:
        _refuse(error)
    except ModuleNotFoundError as error:
        from deskcheck.doctor import extra_of

        library = error.name or ""
        if not extra_of(library):
            raise
        _refuse(MissingExtra(library, extra_of(library), " ".join(sys.argv[1:2])))
    except OSError as error:
        if error.errno not in _DISK:
            raise
        place = f"{error.filename2 or error.filename}: " if error.filename else ""
        _refuse(DeskcheckError(f"{place}{error.strerror}; what was finished before is kept"))


# What the machine says about files and folders, not a mistake of ours.
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.EISDIR, errno.ENOTDIR,
         errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP, errno.EMFILE}  # fmt: skip


def _refuse(error: DeskcheckError) -> NoReturn:
    print(f"deskcheck: {error}", file=sys.stderr)
    raise SystemExit(2) from None


if __name__ == "__main__":
    main()
