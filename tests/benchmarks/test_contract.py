"""Every benchmark on all its kinds of task with a scripted model: gold scores 1.0, wrong 0, junk no answer.

A new file is tested on arrival. One that reads a file names here a few rows in its layout.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.benchmarks import rows

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.evaluation.sample_records import judge_all
from deskcheck.evaluation.truth import TaskSet, build_tasks
from deskcheck.models import Question
from deskcheck.models.scripted import Scripted
from deskcheck.records import (
    Completion,
    Job,
    JobDone,
    JobResult,
    Limits,
    NoAnswer,
    Program,
    Prompt,
    Score,
    Task,
    Trace,
)
from deskcheck.solutions import answer_job
from deskcheck.solutions.answers import execute
from deskcheck.strategies import Settings
from deskcheck.tracing.reference import trace_program

N_ITEMS = 6
N_RUN = 2
"""Of a kind whose truth takes runs of the sandbox."""
NAMES = plugins.names("benchmark")
KINDS = plugins.names("question")
SEEN: dict[tuple[str, str], int] = {}
"""(benchmark, kind) -> tasks that were asked."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rows")


def here(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Trace]]:
    """Traces in this process: these programs are the tests' own or ship with the package."""
    for program in programs:
        yield program, _trace(program, limits)


@cache
def _trace(program: Program, limits: Limits) -> Trace:
    return trace_program(program, limits)


def tasks(name: str, kind: str, folder: Path) -> TaskSet:
    """Tasks about the first drafts."""
    data, options = rows.data_of(name, folder)
    if not data and rows.reads_a_file(name):
        pytest.fail(
            f"benchmark '{name}' has no row for its tests: write tests/benchmarks/rows_of/{name}.jsonl, "
            f"as `deskcheck new benchmark {name}` does"
        )
    limit = N_RUN if kind == "counterfactual" else N_ITEMS
    return build_tasks(name, kind=kind, data=data, options=options, limit=limit, runner=here)


def run_here(jobs: Iterable[Job]) -> Iterator[JobResult]:
    for job in jobs:
        yield JobResult(job.id, JobDone(answer_job.run(job.payload)), b"", 0.0)


def verdicts(asked: list[Task], speak: Callable[[Task], Completion]) -> list[Score]:
    """Ask a scripted model with the strategy `vanilla`, and judge what it says."""
    by_id = {task.id: task for task in asked}
    model = Scripted(lambda question: speak(by_id[question.task_id]), fingerprint="test")
    vanilla = plugins.load("strategy", "vanilla")

    async def answered(task: Task) -> tuple[Task, int, object]:
        async def ask(prompt: Prompt) -> Completion:
            return model.answer([Question(prompt, task.id, 0, 0)])[0]

        return task, 0, (await vanilla.run(task, ask, Settings())).answer

    found = [asyncio.run(answered(task)) for task in asked]
    return judge_all(found, policy="strict", run=lambda pairs: execute(pairs, run=run_here))  # type: ignore[arg-type]


def said(text: str, finish_reason: str = "stop") -> Completion:
    return Completion(text, finish_reason, 1, 1)


def gold(task: Task) -> Completion:
    """What a model that is never wrong says: for an input, the arguments that the draft has."""
    if task.kind == "input":
        return said(f"[ANSWER]{task.program.call}[/ANSWER]")
    return said(f"[ANSWER]{task.expected}[/ANSWER]")


def wrong(task: Task) -> Completion:
    """A value that no task has, or a call that no function takes."""
    if task.kind == "input":
        return said(f"[ANSWER]{task.program.entry}(1, 2, 3, 4, 5, 6, 7, 8, 9)[/ANSWER]")
    return said('[ANSWER]"certainly not"[/ANSWER]')


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_benchmark_keeps_the_contract(name: str, kind: str, folder: Path) -> None:
    if kind in getattr(plugins.load("benchmark", name), "FILES", ()):
        with pytest.raises(UserError, match=rf"has no field 'truth': name \w+.jsonl.gz, .* for {kind}"):
            tasks(name, kind, folder)  # it has a file of its own: tests/importers
        SEEN[name, kind] = 0
        return
    if (name, kind) == ("cruxeval-x", "input"):  # its row is Ruby: tests/sandbox/test_foreign.py
        with pytest.raises(UserError, match="answers to input have to be run; add -T run_foreign=yes"):
            tasks(name, kind, folder)
        SEEN[name, kind] = 0
        return
    found = tasks(name, kind, folder)
    asked = [task for task in found.tasks if not rows.is_unanswerable(task)]
    drafts = {task.id.partition("@")[0] for task in found.tasks}
    whole = [drop for drop in found.dropped if "@" not in drop.id]  # others are places of a run
    assert len(drafts) + len(whole) == min(N_RUN if kind == "counterfactual" else N_ITEMS, len(found.ids))
    assert found.disagreements == []
    for task in asked:
        assert (task.benchmark, task.kind) == (name, kind)
        assert task.question["en"] and task.question["zh"] and task.form["en"] and task.form["zh"]
    assert {one.verdict for one in verdicts(asked, gold)} <= {"right"}
    # A call that no function takes raises TypeError, so it is right where the true call does so, too.
    other = [task for task in asked if (kind, task.expected) != ("input", "raises TypeError")]
    assert {one.verdict for one in verdicts(other, wrong)} <= {"wrong"}
    junk = verdicts(asked, lambda task: said("%%% who ( knows"))
    assert {(one.verdict, one.reason) for one in junk} <= {("no answer", "unparsable")}
    cut = verdicts(asked, lambda task: said("[ANSWER]", "length"))
    assert {(one.verdict, one.reason) for one in cut} <= {("no answer", "truncated")}
    SEEN[name, kind] = len(asked)


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_says_where_it_comes_from(name: str, folder: Path) -> None:
    module = plugins.load("benchmark", name)
    assert module.__doc__ and re.search("[Ll]icen[cs]e", module.__doc__), "it says its license"
    assert tasks(name, "output", folder).tasks
    page = Path(__file__).parents[2] / "docs" / "benchmarks" / f"{name}.md"
    assert page.is_file(), f"write docs/benchmarks/{name}.md"


@pytest.mark.parametrize("name", NAMES)
def test_an_unknown_option_is_refused_with_the_known_ones(name: str, folder: Path) -> None:
    data, options = rows.data_of(name, folder)
    with pytest.raises(UserError, match=f"benchmark '{name}' has no option 'nonsense'; it takes"):
        build_tasks(name, data=data, options={**options, "nonsense": "1"}, runner=here)


def test_every_kind_was_asked_of_something_and_every_benchmark_in_most_kinds() -> None:
    if len(SEEN) < len(NAMES) * len(KINDS):
        pytest.skip("only a part of the contract was run")
    few = {kind: sum(SEEN[name, kind] for name in NAMES) for kind in KINDS}
    assert {kind: n for kind, n in few.items() if n < 10} == {}
    kinds = {name: sum(SEEN[name, kind] > 0 for kind in KINDS) for name in NAMES}
    assert kinds.pop("cruxeval-x") == 1  # not run here: its recorded outputs alone
    assert kinds.pop("re2-bench") == 1  # the same
    assert {name: n for name, n in kinds.items() if n < 12} == {}


def test_no_answer_goes_through_the_same_way(folder: Path) -> None:
    (task, *_) = tasks("core", "input", folder).tasks
    (one,) = judge_all([(task, 0, NoAnswer("refused"))], policy="strict")
    assert (one.verdict, one.reason) == ("no answer", "refused")


def test_the_folder_holds_what_the_commands_promise() -> None:
    promised = "core cruxeval cruxeval-x files fresh humaneval leetcode livecodebench-exec long mbpp "
    assert {*promised.split(), "mbpp-nested", "mbpp-sanitized", "reval"} <= set(NAMES)
