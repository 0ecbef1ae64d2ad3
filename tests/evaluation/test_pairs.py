"""Every strategy asks every benchmark that it is declared to fit: gold is right, junk has a reason.

The programs are those of the benchmarks, traced in this process; what would be the model's part is written
from the true trace by the strategy's representation.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from deskcheck import plugins
from deskcheck.evaluation.truth import build_tasks
from deskcheck.grading.verdict import score
from deskcheck.records import Attempt, Completion, Limits, Program, Prompt, Task, Trace
from deskcheck.tracing.reference import trace_program

CRUXEVAL = [
    {"id": "sample_0", "code": "def f(x):\n    y = x + 1\n    return y", "input": "2", "output": "3"},
    {"id": "sample_1", "code": "def f(x):\n    return x[0]", "input": "'ab'", "output": "'a'"},
]
LIVECODEBENCH = [
    {
        "id": f"sample_{number}",
        "question_id": number,
        "function_name": "g",
        "code": "def g(xs):\n    total = 0\n    for x in xs:\n        total += x\n    return total",
        "input": f"g(xs = [1, {number}])",
        "output": str(1 + number),
    }
    for number in (0, 1)
]
FILES = {"cruxeval": CRUXEVAL, "livecodebench-exec": LIVECODEBENCH}


def here(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Trace]]:
    """Traces in this process: these programs are the tests' own or ship with the package."""
    for program in programs:
        yield program, trace_program(program, limits)


@cache
def tasks_of(benchmark: str, folder: Path) -> list[Task]:
    data = ""
    if benchmark in FILES:
        path = folder / f"{benchmark}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in FILES[benchmark]), encoding="utf-8")
        data = str(path)
    return build_tasks(benchmark, data=data, limit=2, runner=here).tasks


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("benchmarks")


def gold_texts(name: str, strategy: ModuleType, task: Task) -> list[str]:
    """What a model that is never wrong says, call by call."""
    if not strategy.TRAINED:
        return [f"[ANSWER]{task.expected}[/ANSWER]"]
    representation = plugins.load("representation", name)
    return [example.target for example in representation.render(task.truth, task.program)]


def attempt(strategy: ModuleType, task: Task, texts: list[str]) -> Attempt:
    calls = iter(texts)

    async def ask(prompt: Prompt) -> Completion:
        return Completion(next(calls), "stop", 1, 1)

    done: Attempt = asyncio.run(strategy.run(task, ask, max_steps=10_000))
    return done


pairs = pytest.mark.parametrize(
    ("benchmark", "name"), [(b, s) for b in plugins.names("benchmark") for s in plugins.names("strategy")]
)


@pairs
def test_gold_answers_are_right(benchmark: str, name: str, folder: Path):
    strategy = plugins.load("strategy", name)
    tasks = tasks_of(benchmark, folder)
    assert tasks
    for task in tasks:
        assert task.kind in strategy.FITS
        done = attempt(strategy, task, gold_texts(name, strategy, task))
        assert score(task, done.answer).verdict == "right", done.answer


@pairs
def test_junk_is_no_answer_with_a_reason(benchmark: str, name: str, folder: Path):
    strategy = plugins.load("strategy", name)
    for task in tasks_of(benchmark, folder):
        verdict = score(task, attempt(strategy, task, ["%%% let me think about it"]).answer)
        assert (verdict.verdict, verdict.reason) == ("no answer", "unparsable")


@pytest.mark.parametrize("name", plugins.names("strategy"))
def test_the_first_prompt_holds_program_and_call_and_no_request_can_hold_a_tool(name: str, folder: Path):
    strategy = plugins.load("strategy", name)
    (task, _) = tasks_of("cruxeval", folder)
    prompt = strategy.opening(task)
    text = "\n".join(message.text for message in prompt.messages)
    for line in task.program.source.splitlines():
        assert line.strip() in text
    assert ("x=2" if name == "line-1" else "f(2)") in text
    assert set(Prompt.__struct_fields__) == {"messages", "max_tokens", "stop"}
