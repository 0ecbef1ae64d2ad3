"""The commands `report`, `compare`, `merge`, `table` and `push` for finished evaluations, and `study`."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from deskcheck.cli.shell import counted_tasks, end
from deskcheck.pace import counted, shown


def report(
    results: Annotated[
        str, typer.Argument(help="A log folder (`inspect eval`'s too), or the JSON that `eval --json` wrote.")
    ],
    out: Annotated[str, typer.Option(help="The page to write.")] = "report.html",
) -> None:
    """Make a one-file HTML report of finished evaluations."""
    from deskcheck.report.page import write_report

    with shown():
        path, rows = write_report(_taken(results), out)
    print(f"report: {path}")
    if (beside := path.with_name(f"{path.stem}_answers")).is_dir():
        print(f"answers that did not fit into it: {beside}")
    end(rows)


def _taken(spec: str) -> str:
    """Convert the logs of `inspect eval` at a place, and return `spec` with the place to read instead.

    `spec` is [NAME=]PLACE[:conditions]. For a single log, the place to read is the folder made from it. If no
    file or folder is there, `spec` is returned as it is.
    """
    from pathlib import Path

    from deskcheck.evaluation.logs import convert_logs
    from deskcheck.result_rows import split_name

    place = spec if Path(spec).exists() else spec.rpartition(":")[0] or spec
    name, path = split_name(place)
    if not path or not Path(path).exists():  # refused later; "" would mean the current folder
        return spec
    taken = convert_logs(path, lambda line: print(f"deskcheck: {line}", file=sys.stderr))
    return f"{name}=" * bool(name) + taken + spec[len(place) :]


def compare(
    a: Annotated[str, typer.Argument(help="Log folder or results file; PLACE:strategy=cot narrows it.")],
    b: Annotated[str, typer.Argument(help="The other one, on the same tasks.")],
    json_file: Annotated[str, typer.Option("--json", help="Write the comparison here.")] = "",
) -> None:
    """Compare two evaluations: is their difference real, and how small a one is detectable?"""
    from pathlib import Path

    from deskcheck.cell_files import check_target
    from deskcheck.report import compare as comparing

    check_target(json_file, "--json")
    with shown():
        sides = comparing.select(_taken(a)), comparing.select(_taken(b))
    found = comparing.compare(*sides)
    print("\n".join(comparing.as_lines(found)))
    if alone := comparing.unpaired(*sides):
        print(f"left out, since the other side has no run to pair with it:\n{alone}")
    rows = [run.row for run in {run.folder: run for side in sides for run in side}.values()]
    if json_file:
        comparing.write_json(found, Path(json_file), rows=rows)
        print(f"written to {json_file}")
    end(rows)


def study(
    file: Annotated[
        str,
        typer.Argument(
            help="TOML: models, benchmarks, strategies, a baseline; or a preset: code-executors, "
            "execution-tuning, iip-forms, languages, sizes."
        ),
    ],
    model: Annotated[
        list[str] | None, typer.Option(help="In place of the file's models; repeatable.")
    ] = None,
    benchmark: Annotated[list[str] | None, typer.Option(help="Only these of the file's benchmarks.")] = None,
    data: Annotated[
        list[str] | None,
        typer.Option(help="NAME=PATH: the file of a benchmark, or an option that names one: doocs=CHECKOUT."),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Tasks of each benchmark. [the file's]", min=1)] = None,
    base_url: Annotated[
        str, typer.Option(help="Address of your own server: http://HOST:PORT/v1; same as -M base_url=..")
    ] = "",
    timeout: Annotated[
        int | None, typer.Option(help="Seconds a request may take. [the file's timeout_s]", min=1)
    ] = None,
    price: Annotated[
        list[str] | None, typer.Option(help="Dollars per million tokens: IN,OUT or MODEL=IN,OUT or FILE.csv.")
    ] = None,
    model_arg: Annotated[
        list[str] | None, typer.Option("-M", help="key=value for every model; repeatable.")
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="Spending limit for all cells in dollars. [the file's]", min=0.0)
    ] = None,
    log_dir: Annotated[str, typer.Option(help="In place of the file's log_dir.")] = "",
    show: Annotated[bool, typer.Option("--print", help="Print the file and stop: a preset to copy.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print calls, tokens and money of all cells and stop.")
    ] = False,
) -> None:
    """Run models x strategies x settings, and report each strategy's effect per model and overall."""
    from pathlib import Path

    from deskcheck import plugins
    from deskcheck.errors import UserError
    from deskcheck.evaluation import terminal
    from deskcheck.evaluation.dry_run import estimate_all
    from deskcheck.evaluation.plan import parse_model_args
    from deskcheck.evaluation.study import (
        Given,
        known_or_refused,
        parse_study,
        read_study,
        run_study,
        text_of_file,
    )
    from deskcheck.report import study as studying
    from deskcheck.report.read import read_run
    from deskcheck.report.study import models_apart
    from deskcheck.tables import presets
    from deskcheck.tables.kinds import tables_as
    from deskcheck.tables.render import render

    preset = file if not Path(file).exists() and file in presets.names() else ""
    if not preset:
        known_or_refused(file, presets.names())
    if show:
        print(presets.text_of(preset) if preset else text_of_file(file), end="")
        return
    if preset and not model:
        raise UserError(f"preset '{preset}' leaves the model to you: deskcheck study {preset} --model tiny")
    files, benchmarks = plugins.key_values(data or [], "--data"), plugins.names("benchmark")
    given = Given(
        models=model or [],
        benchmarks=benchmark or [],
        data={name: path for name, path in files.items() if name in benchmarks},
        options={name: path for name, path in files.items() if name not in benchmarks},
        limit=limit or 0,
        timeout_s=timeout or 0,
        prices=price or [],
        model_args=parse_model_args([*(model_arg or []), *([f"base_url={base_url}"] if base_url else [])]),
        max_cost=max_cost or 0.0,
        log_dir=log_dir,
    )
    command = " ".join(["deskcheck", *sys.argv[1:]])
    chosen = (
        parse_study(presets.text_of(preset), f"preset '{preset}'", command=command, given=given)
        if preset
        else read_study(file, command=command, given=given)
    )

    if dry_run:
        print(estimate_all(chosen.plans, build_tasks=counted_tasks, max_cost=chosen.max_cost))
        return
    results = run_study(chosen, build_tasks=counted_tasks, screen=terminal.Progress(sys.stderr))
    folders = [Path(folder) for folder in results.folders]
    runs = [read_run(folder) for folder in folders]
    print(render(tables_as(chosen.tables, models_apart(runs)), "plain"))
    print("\n".join(studying.as_lines(runs, baselines=chosen.baselines)))
    end([run.row for run in runs])


def merge(
    runs: Annotated[list[str], typer.Argument(help="Log folders and Parquet files: the shards of a run.")],
    out: Annotated[str, typer.Option(help="The file to write (.parquet).")],
) -> None:
    """Join the shards of a run; duplicate answers must agree."""
    from pathlib import Path

    import msgspec

    from deskcheck import result_rows
    from deskcheck.cell_files import check_target

    result_rows.check_output(out)
    check_target(out, "--out")
    rows: list[Any] = []
    places = [result_rows.split_name(_taken(place)) for place in runs]
    for name, path in places:
        with shown():
            stored = result_rows.rows_at(Path(path))
        rows += [msgspec.structs.replace(row, run=name) for row in stored] if name else stored
    merged = result_rows.merge(rows)
    with shown():
        n = result_rows.write_results(out, counted(merged, "answers written"))
    of = _number_of(len({row.run for row in merged}), "run")
    print(f"{n:,} answers of {of}: {out}; {_number_of(len(rows) - n, 'repeat')} left out")
    if absent := result_rows.absent_parts(Path(path) for _, path in places):
        print("\n".join(absent))
        raise typer.Exit(1)


def _number_of(n: int, noun: str) -> str:
    """Write a number with its noun: "1 run", "1,200 runs"."""
    return f"{n:,} {noun}{'' if n == 1 else 's'}"


_RUNS = "Log folders, Parquet files that `grade` wrote, NAME=PATH; PLACE:strategy=cot narrows one."


def table(
    runs: Annotated[list[str], typer.Argument(help=_RUNS)],
    kind: Annotated[
        str,
        typer.Option(
            "--as",
            help="results, leaderboard, code-executors, execution-tuning, iip-forms, languages, sizes.",
        ),
    ] = "results",
    form: Annotated[
        str,
        typer.Option(
            "--format", help="plain, markdown, latex, csv, json, html; the end of --out says it too."
        ),
    ] = "",
    out: Annotated[str, typer.Option(help="Write here: .md, .tex, .csv, .json, .html, .txt.")] = "",
    figures: Annotated[str, typer.Option(help="Also write figures as SVG into this folder.")] = "",
) -> None:
    """Make tables for a paper from finished evaluations: models x strategies, or as in a published study."""
    _write_tables(runs, kind, form, out, figures)


def _write_tables(places: list[str], kind: str, form: str, out: str, figures: str) -> None:
    from pathlib import Path

    from deskcheck.cell_files import check_folder, check_new, write_whole
    from deskcheck.tables.figures import write_figures
    from deskcheck.tables.kinds import check_kind, tables_as
    from deskcheck.tables.render import check_form, format_of, render
    from deskcheck.tables.results import runs_of

    check_kind(kind)
    chosen = form or (format_of(out) if out else "plain")
    check_form(chosen)
    if figures:
        check_folder(figures, "--figures")
    check_new(out, "--out")
    with shown():
        runs = runs_of(_taken(place) for place in places)
    text = render(tables_as(kind, runs), chosen)
    if out:
        write_whole(Path(out), text.encode("utf-8", "backslashreplace"))
        print(f"written to {out}")
    else:
        print(text, end="")
    if figures:
        made, absent = write_figures(runs, Path(figures))
        for line in [*(f"figure: {path}" for path in made), *absent]:
            print(line, file=sys.stderr)
    end([run.row for run in runs])


def push(
    runs: Annotated[list[str] | None, typer.Argument(help=_RUNS)] = None,
    benchmark: Annotated[
        str, typer.Option(help="In place of results: the tasks of a benchmark of our own programs.")
    ] = "",
    option: Annotated[
        list[str] | None, typer.Option("-T", help="NAME=VALUE: an option of the benchmark (seed=1).")
    ] = None,
    to: Annotated[
        str,
        typer.Option(help="Upload to this data set on the hub: USER/NAME; else only the folder is written."),
    ] = "",
    out: Annotated[str, typer.Option(help="Folder to write; it must not exist yet.")] = "dataset",
) -> None:
    """Write a Hugging Face dataset with a card from results or a benchmark. --to uploads it."""
    from pathlib import Path

    from deskcheck.errors import UserError
    from deskcheck.plugins import key_values
    from deskcheck.tables.hub_folder import (
        benchmark_folder,
        dataset_folder,
        is_dataset,
        results_folder,
        upload,
    )

    if bool(runs) == bool(benchmark):
        raise UserError("name results (a log folder, a Parquet file) or --benchmark NAME, one of the two")
    if to and not to.count("/") == 1:
        raise UserError(f"--to {to}: name the data set as USER/NAME")
    built = runs is not None and len(runs) == 1 and is_dataset(runs[0])
    if Path(out).exists() and not built:
        raise UserError(f"--out {out} is there already; name a new folder")
    made = (
        dataset_folder(Path((runs or [""])[0]))
        if built
        else benchmark_folder(benchmark, key_values(option or [], "-T"), Path(out))
        if benchmark
        else results_folder([_taken(place) for place in runs or []], Path(out))
    )
    for path in made.files:
        print(f"{path}: {path.stat().st_size:,} bytes")
    if to:
        print(f"uploaded: {upload(made, to)}")
    else:
        print(f"{made.n_rows:,} rows; nothing was uploaded: --to USER/NAME does that")
