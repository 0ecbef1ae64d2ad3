"""The commands that ask models and score their answers: eval, execute."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from deskcheck.cli.shell import (
    Filters,
    Options,
    Policy,
    Require,
    WordingOption,
    contain,
    counted_tasks,
    is_redacted,
    say_containment,
)


def evaluate(
    model: Annotated[
        list[str] | None,
        typer.Option(
            help="tiny, hub (a transformers model: -M path=FOLDER), scripted, replay, or provider/model; "
            "repeatable."
        ),
    ] = None,
    base_url: Annotated[
        str, typer.Option(help="Address of your own server: http://HOST:PORT/v1; same as -M base_url=..")
    ] = "",
    benchmark: Annotated[list[str] | None, typer.Option(help="Benchmark; repeatable; default core.")] = None,
    strategy: Annotated[
        list[str] | None, typer.Option(help="How to ask; repeatable; default vanilla (tiny: direct).")
    ] = None,
    prompt: WordingOption = "",
    data: Annotated[
        list[str] | None, typer.Option(help="File of the benchmark; NAME=PATH for several benchmarks.")
    ] = None,
    task: Annotated[
        list[str] | None,
        typer.Option(help="Question: output (default), input, coverage, ..; repeatable."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first N tasks. [all]", min=1)] = None,
    filter: Filters = None,
    shard: Annotated[
        str,
        typer.Option(help="2/8: the second of eight parts, in a log folder of its own; `merge` joins them."),
    ] = "",
    samples: Annotated[
        int | None, typer.Option(help="Rollouts of each task. [1, or the number of a published prompt]")
    ] = None,
    max_steps: Annotated[int | None, typer.Option(help="Maximum number of prompts per run. [1000]")] = None,
    policy: Policy = "strict",
    max_tokens: Annotated[
        int | None, typer.Option(help="Budget of a completion. [the strategy's]", min=1)
    ] = None,
    temperature: Annotated[
        float | None,
        typer.Option(
            help="Sampling temperature; at 0 self-consistency keeps its own. [the provider's]", min=0.0
        ),
    ] = None,
    price: Annotated[
        list[str] | None, typer.Option(help="Dollars per million tokens: IN,OUT or MODEL=IN,OUT or FILE.csv.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="Spending limit in dollars. [no limit]", min=0.0)
    ] = None,
    json: Annotated[str, typer.Option(help="Write the results here.")] = "",
    log_dir: Annotated[
        str, typer.Option(help="Logs and answers; the same command continues from them.")
    ] = "logs",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print the first prompts, calls, tokens and money, and stop.")
    ] = False,
    model_arg: Annotated[
        list[str] | None, typer.Option("-M", help="key=value for the model; repeatable.")
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option("-S", help="key=value for the strategy; repeatable.")
    ] = None,
    config: Annotated[
        list[str] | None,
        typer.Option(
            "-G", help="key=value of Inspect's GenerateConfig: reasoning_effort, max_connections, seed, .."
        ),
    ] = None,
    option: Options = None,
    require: Require = "limits",
) -> None:
    """Ask models to execute programs, and score them."""
    from deskcheck.evaluation.plan import from_options, generation, parse_model_args, take_number
    from deskcheck.evaluation.terminal import run_eval

    fields = parse_model_args(config or [], "-G")
    plan = from_options(
        models=model or [],
        benchmarks=benchmark or [],
        tasks=task or [],
        strategies=strategy or [],
        data=data or [],
        limit=limit or 0,
        filters=filter or [],
        shard=shard,
        n_samples=-1 if samples is None else samples,
        max_steps=max_steps,
        policy=policy,
        timeout_s=take_number(fields, "attempt_timeout", default=600),
        max_connections=take_number(fields, "max_connections", default=0),
        generation=generation(max_tokens or 0, temperature, **fields),
        prompt=prompt,
        prices=price or [],
        max_cost=max_cost or 0.0,
        model_args=[*(model_arg or []), *([f"base_url={base_url}"] if base_url else [])],
        settings=setting or [],
        options=option or [],
        log_dir=log_dir,
        argv=sys.argv,
    )
    contain(require)
    raise typer.Exit(run_eval(plan, build_tasks=counted_tasks, json=json, dry_run=dry_run))


def prompts(
    benchmark: Annotated[str, typer.Option(help="Benchmark whose tasks are asked.")] = "core",
    strategy: Annotated[
        str, typer.Option(help="How to ask: one that sends one request a task; default vanilla.")
    ] = "",
    prompt: WordingOption = "",
    out: Annotated[str, typer.Option(help="JSONL to write: a prompt a line.")] = "prompts.jsonl",
    data: Annotated[str, typer.Option(help="The benchmark's file.")] = "",
    task: Annotated[str, typer.Option(help="Question: output, input, coverage, ..")] = "output",
    limit: Annotated[int | None, typer.Option(help="Only the first N tasks. [all]", min=1)] = None,
    filter: Filters = None,
    shard: Annotated[str, typer.Option(help="2/8: the second of eight parts.")] = "",
    setting: Annotated[
        list[str] | None, typer.Option("-S", help="key=value for the strategy; repeatable.")
    ] = None,
    option: Options = None,
    require: Require = "limits",
) -> None:
    """Write a benchmark's prompts for a cluster; `grade` reads what comes back, with "completion" added."""
    import json
    import shlex
    from pathlib import Path

    from deskcheck.cell_files import check_new, write_parts
    from deskcheck.evaluation import truth
    from deskcheck.evaluation.dry_run import prompt_lines
    from deskcheck.evaluation.plan import from_options, generation

    check_new(out, "--out")
    plan = from_options(
        models=[],
        benchmarks=[benchmark],
        tasks=[task],
        strategies=[strategy] if strategy else [],
        data=[data] if data else [],
        limit=limit or 0,
        filters=filter or [],
        shard=shard,
        generation=generation(),
        prompt=prompt,
        prices=[],
        model_args=[],
        settings=setting or [],
        options=option or [],
        argv=sys.argv,
    )
    contain(require)
    lines = prompt_lines(plan, build_tasks=truth.build_tasks)
    write_parts(Path(out), lines)
    print(f"{len(lines)} prompts: {out}")
    words = ["deskcheck", "grade", "--benchmark", benchmark, "--generations", "FILE"]
    words += ["--data", data] * bool(data)
    words += [word for text in option or [] for word in ("-T", text)]
    if shard:
        words += ["--filter", f"id={','.join(dict.fromkeys(json.loads(line)['id'] for line in lines))}"]
    else:
        words += ["--limit", str(limit)] * bool(limit)
        words += [word for text in filter or [] for word in ("--filter", text)]
    print(f'add "completion" (and "model") to each line, then: {shlex.join(words)}')


def execute(
    file: Annotated[str, typer.Argument(help="The program's file.")],
    call: Annotated[str, typer.Option(help='The call: "f(3)".')],
    model: Annotated[str, typer.Option(help="tiny, or provider/model.")] = "tiny",
    strategy: Annotated[
        str, typer.Option(help="How to ask: line-1, sub, ..; default: the first on the model's card.")
    ] = "",
    max_steps: Annotated[
        int, typer.Option(help="Maximum number of steps that the model executes.", min=1)
    ] = 200,
    everything: Annotated[bool, typer.Option("--all", help="Show every step of a long run.")] = False,
    model_arg: Annotated[list[str] | None, typer.Option("-M", help="key=value for the model.")] = None,
    require: Require = "limits",
) -> None:
    """Let a model execute a program step by step, beside what the program really does."""
    from deskcheck.evaluation.execute import run_execute
    from deskcheck.pace import CountLine
    from deskcheck.programs.files import program_of
    from deskcheck.tracing.collect import TraceRequest, run_request
    from deskcheck.tracing.redaction.redactor import Redactor, hidden_in_errors
    from deskcheck.viewer.execution import answer_text, execution_lines
    from deskcheck.viewer.terminal import paint_of

    contain(require)
    recorded = run_request(TraceRequest(file, call=call, is_redacted=False), program_of=program_of)
    program, found = recorded.program, recorded.in_memory()
    say_containment(file)
    redactor = Redactor.here() if is_redacted() else None
    if redactor is not None:
        redactor.learn(program, [found])
    counter = CountLine("steps", most=max_steps)
    with hidden_in_errors(redactor):
        execution = run_execute(
            program,
            found,
            model=model,
            max_steps=max_steps,
            model_args=model_arg or [],
            strategy=strategy,
            after_step=counter.count,
        )
    counter.end()
    lines = execution_lines(
        program,
        execution.steps,
        answer=answer_text(execution.answer),
        expected=execution.expected,
        paint=paint_of(sys.stdout),
        most=len(execution.steps) if everything else 40,
    )
    text = "\n".join(lines)
    print(text if redactor is None else redactor.text(text))
    if execution.note:
        print(f"note: {execution.note}")
    if execution.n_again:
        print(
            f"asked again: {execution.n_again} of {execution.n_questions} questions, since a reply could "
            "not be read"
        )
