"""The commands that read finished evaluations and say what they show; `cli` adds them to the others."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from deskcheck.cli.options import end


def report(
    results: Annotated[
        str, typer.Argument(help="A log folder (`inspect eval`'s too), or the JSON that `eval --json` wrote.")
    ],
    out: Annotated[str, typer.Option(help="The page to write.")] = "report.html",
) -> None:
    """Make a one-file HTML report of finished evaluations."""
    from deskcheck.report.page import write_report

    path, rows = write_report(_taken(results), out)
    print(f"report: {path}")
    end(rows)


def _taken(spec: str) -> str:
    """The same place, or PLACE:conditions, once what `inspect eval` logged there is taken out."""
    from pathlib import Path

    from deskcheck.evaluation.logs import take_over

    place = spec if Path(spec).exists() else spec.rpartition(":")[0]
    return take_over(place, lambda line: print(f"deskcheck: {line}", file=sys.stderr)) + spec[len(place) :]


def compare(
    a: Annotated[str, typer.Argument(help="Log folder or results file; PLACE:strategy=cot narrows it.")],
    b: Annotated[str, typer.Argument(help="The other one, on the same tasks.")],
    json_file: Annotated[str, typer.Option("--json", help="Write the comparison here.")] = "",
) -> None:
    """Compare two evaluations: is their difference real, and how small a one is detectable?"""
    from pathlib import Path

    from deskcheck.report import compare as comparing
    from deskcheck.results import check_target

    check_target(json_file, "--json")
    sides = comparing.select(_taken(a)), comparing.select(_taken(b))
    found = comparing.compare(*sides)
    print("\n".join(comparing.as_lines(found)))
    if json_file:
        comparing.write_json(found, Path(json_file))
        print(f"written to {json_file}")
    end([run.row for run in {run.folder: run for side in sides for run in side}.values()])


def study(
    file: Annotated[str, typer.Argument(help="TOML: models, benchmarks, strategies with knobs, a baseline.")],
    picture: Annotated[str, typer.Option(help="Write accuracy against tokens here, as SVG.")] = "",
    report: Annotated[str, typer.Option(help="Write a one-file HTML report here.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print calls, tokens and money of all cells and stop.")
    ] = False,
) -> None:
    """Run models x strategies x settings, and say what each strategy changes per model and on the whole."""
    from pathlib import Path

    from deskcheck.evaluation import shown
    from deskcheck.evaluation.dry_run import estimate_all
    from deskcheck.evaluation.study import read_study, run_study
    from deskcheck.report import study as studying
    from deskcheck.report.read import read_run
    from deskcheck.report.tokens_chart import tokens_chart
    from deskcheck.results import check_target, write_whole

    check_target(picture, "--picture")
    check_target(report, "--report")
    chosen = read_study(file, command=" ".join(["deskcheck", *sys.argv[1:]]))

    def build_tasks(*names: str, **options: Any) -> Any:
        from deskcheck.evaluation import truth

        return truth.build_tasks(*names, **options)

    if dry_run:
        print(estimate_all(chosen.plans, build_tasks=build_tasks, max_cost=chosen.max_cost))
        return
    results = run_study(chosen, build_tasks=build_tasks, screen=shown.Progress(sys.stderr))
    folders = [Path(folder) for folder in results.folders]
    runs = [read_run(folder) for folder in folders]
    print("\n".join(studying.as_lines(runs, baselines=chosen.baselines)))
    if picture:
        write_whole(Path(picture), tokens_chart(studying.costs(runs)).encode())
        print(f"picture: {picture}")
    if report:
        from deskcheck.report.page import render_cells

        write_whole(Path(report), render_cells(folders).encode())
        print(f"report: {report}")
    end([run.row for run in runs])
