"""Saved generations replayed through the whole evaluation get the verdicts that grading the file gives."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401

from deskcheck.cell_files import RESULTS, Sampled
from deskcheck.evaluation.grade import grade_saved
from deskcheck.evaluation.plan import Plan
from deskcheck.evaluation.run import run_plan
from deskcheck.evaluation.terminal import Progress
from deskcheck.evaluation.truth import TaskSet, build_tasks
from deskcheck.importers import read_single
from deskcheck.records import Limits, Program, Trace
from deskcheck.tracing.reference import trace_program

N_TASKS, N_SAMPLES = 20, 3
pytestmark = MARKS


def here(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Trace]]:
    """Traces in this process: CRUXEval's programs only compute."""
    for program in programs:
        yield program, trace_program(program, limits)


def test_replay_of_cruxeval_generations_equals_the_grade(data: Callable[[str], Path], tmp_path: Path):
    items = data("cruxeval/cruxeval.jsonl")
    generations = data("cruxeval/sample_codellama-7b_temp0.2_output.generations.json")
    texts = json.loads(generations.read_text(encoding="utf-8"))
    path = tmp_path / "generations.json"
    chosen = {name: texts[name][:N_SAMPLES] for name in (f"sample_{number}" for number in range(N_TASKS))}
    path.write_text(json.dumps(chosen), encoding="utf-8")

    def build(benchmark: str, **options: object) -> TaskSet:
        return build_tasks(benchmark, data=str(items), limit=N_TASKS, runner=here)

    plan = Plan(
        models=["replay"],
        benchmarks=["cruxeval"],
        n_samples=N_SAMPLES,
        model_args={"path": str(path)},
        log_dir=str(tmp_path / "logs"),
    )
    results = run_plan(plan, build_tasks=build, screen=Progress())
    graded = grade_saved(build("cruxeval"), read_single(path), policy="strict")
    lines = (Path(results.folders[0]) / RESULTS).read_bytes().splitlines()
    replayed = [msgspec.json.decode(line, type=Sampled) for line in lines]
    assert {(one.task, one.sample): (one.verdict, one.reason) for one in replayed} == {
        (one.task_id, one.sample): (one.verdict, one.reason) for one in graded.scores
    }
    assert 0 < results.rows[0].right < N_TASKS * N_SAMPLES
