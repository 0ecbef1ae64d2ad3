"""`deskcheck eval`: what is printed and written around a run.

    run_eval(plan, outputs, build_tasks=.., render=..)

The truth and the report are handed in by cli: report/ and evaluation/ meet through files only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import Struct

from deskcheck import sandbox
from deskcheck.evaluation import dry_run, shown
from deskcheck.evaluation.plan import Plan, check, need_inspect, need_model
from deskcheck.evaluation.rows import as_json
from deskcheck.results import check_target, read_samples, write_whole
from deskcheck.statistics.levels import levels_in_words
from deskcheck.statistics.missing import closing


class Outputs(Struct, frozen=True):
    """Where results go besides the log folder; "" = nowhere."""

    json: str = ""
    report: str = ""
    show_prompt: bool = False
    dry_run: bool = False


def run_eval(
    plan: Plan,
    outputs: Outputs,
    *,
    build_tasks: Callable[..., Any],
    render: Callable[[list[Path]], str],
) -> int:
    """Run the plan and say what came out; 1 where an answer is missing, else 0.

    `render` makes the report's page from the cells' folders.
    """
    if outputs.show_prompt or outputs.dry_run:
        show = dry_run.prompts if outputs.show_prompt else dry_run.estimate
        print(show(plan, build_tasks=build_tasks))
        return 0
    need_model(plan)
    plan = check(plan)
    check_target(outputs.json, "--json")
    check_target(outputs.report, "--report")
    need_inspect()
    # Imported here: Inspect takes a second or more, and a wrong name should not.
    from deskcheck.evaluation.run import run_plan

    results = run_plan(plan, build_tasks=_told(build_tasks), screen=shown.Progress(sys.stderr))
    print(shown.table(results.rows, results.notes))
    print("\n".join(shown.costs(results.totals)), end="")
    samples = (one for folder in results.folders for one in read_samples(Path(folder)))
    for line in levels_in_words(one.levels for one in samples):
        print(f"\n{line}", end="")
    print(f"\nlogs: {plan.log_dir}  (inspect view --log-dir {plan.log_dir})")
    if outputs.json:
        write_whole(Path(outputs.json), as_json(results.run, results.rows))
        print(f"results: {outputs.json}")
    if outputs.report:
        page = render([Path(folder) for folder in results.folders])
        write_whole(Path(outputs.report), page.encode("utf-8"))
        print(f"report: {outputs.report}")
    if missing := closing(results.rows):
        print(missing)
    return int(bool(missing))


def _told(build_tasks: Callable[..., Any]) -> Callable[..., Any]:
    """The same; before the first program runs, the sandbox's level is printed."""
    told: list[str] = []

    def build(*args: Any, **options: Any) -> Any:
        if not told:
            told.append(sandbox.describe())
            print(told[0], file=sys.stderr)
        return build_tasks(*args, **options)

    return build
