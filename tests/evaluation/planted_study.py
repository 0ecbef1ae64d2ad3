"""What is planted is found again: intervals of forty seeds and more, against a server of planted skill.

    python -m tests.evaluation.planted_study --seeds 0-39       a line of JSON a seed, then the sums
    held_by(seed, folder) -> {"accuracy cot zh": True, ..}      one seed

Each seed draws its own tasks, writers of answers, and faults that pass. The planted value is that of the
population the tasks are drawn from (log2 of executed steps uniform from 0 to 9), since an interval speaks of
tasks like these. Quantities: the accuracy, horizon-50 and horizon-80 of three strategies in two languages,
each strategy's effect in each language, each language's effect on each strategy.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tenacity
from msgspec.structs import replace
from tests.evaluation.fakes import trace_of
from tests.evaluation.planted_server import PlantedServer, Skill, prompts_of

from deskcheck.evaluation import client
from deskcheck.evaluation.plan import Plan
from deskcheck.evaluation.run import run_plans
from deskcheck.evaluation.truth import TaskSet
from deskcheck.questions import output
from deskcheck.records import Program, Task
from deskcheck.report.compare import compare
from deskcheck.report.horizons import of_run
from deskcheck.report.read import Run, read_run

WAYS = ("vanilla", "cot", "iip-single")
STATEMENT_LANGUAGES = ("en", "zh")
SKILL = Skill(half=30, slope=1.0, effects={"cot": 1.2, "iip-single": 0.4}, chinese=-0.6)
N_TASKS = 60
DOUBLINGS = 9
WRITERS: tuple[Callable[[str], str], ...] = (
    lambda answer: f"[ANSWER]{answer}[/ANSWER]",
    lambda answer: f"It returns x.\n[ANSWER]\n{answer}\n[/ANSWER]",
    lambda answer: f"<think>[ANSWER]1[/ANSWER]</think>[ANSWER]{answer}[/ANSWER]",
    lambda answer: f"So the answer is:\n[ANSWER]`{answer}`[/ANSWER]",
)
FAULTS = ("429", "500", "garbage", "odd", "cut")


class Silent:
    """A screen that shows nothing."""

    def say(self, line: str) -> None: ...
    def begin(self, name: str, total: int, kept: int) -> None: ...
    def sample(self, verdict: Any) -> None: ...
    def end(self) -> None: ...


def drawn_tasks(seed: int, n: int = N_TASKS) -> list[Task]:
    """Programs of the population; their traces say how many steps they took."""
    draw = random.Random(f"tasks {seed}")
    made = []
    for number in range(n):
        source = f"def f():\n    return {number}\n"
        program = Program(f"p{number}", "python", source, "f", "", f"planted:{number}", "MIT")
        trace = trace_of(number)
        events = replace(trace.events, step=[int(2 ** draw.uniform(0, DOUBLINGS))])
        made.append(
            Task(
                f"t{number}", "core", "output", program, str(number), replace(trace, events=events),
                f"p{number}", question=dict(output.QUESTION), form=dict(output.FORM),
            )
        )  # fmt: skip
    return made


def planted(way: str, statement_language: str) -> float:
    """The share of the whole population that is answered right."""
    found = 0.0
    for steps in range(1, 2**DOUBLINGS):
        weight = (math.log2(steps + 1) - math.log2(steps)) / DOUBLINGS
        found += weight * SKILL.chance(steps, way, statement_language)
    return found


def planted_horizon(way: str, statement_language: str, level: float) -> float:
    """Steps at which the planted curve passes the level."""
    odds = SKILL.effects.get(way, 0.0) + (SKILL.chinese if statement_language == "zh" else 0.0)
    return float(SKILL.half * 2 ** ((odds - math.log(level / (1 - level))) / SKILL.slope))


def passing_faults(seed: int) -> Callable[[int, dict[str, Any]], str]:
    """The first try of one question in thirty meets a fault."""
    tried: set[str] = set()

    def fault(number: int, request: dict[str, Any]) -> str:
        asked = json.dumps(request["messages"])
        if asked in tried:
            return ""
        tried.add(asked)
        draw = random.Random(f"fault {seed} {asked}")
        return draw.choice(FAULTS) if draw.random() < 1 / 30 else ""

    return fault


def held_by(seed: int, folder: Path) -> dict[str, bool]:
    """Quantity -> whether its 95 % interval holds the planted value. No answer may be lost."""
    tasks = drawn_tasks(seed)
    ways = [
        (way, {"statement_language": statement_language})
        for way in WAYS
        for statement_language in STATEMENT_LANGUAGES
    ]
    server = PlantedServer(
        prompts_of(tasks, ways), skill=SKILL, seed=seed, writers=WRITERS, faults=passing_faults(seed)
    )

    def build(benchmark: str, **given: Any) -> TaskSet:
        return TaskSet(benchmark, tasks, [], [], [task.id for task in tasks], True, "planted")

    with server:
        plans = [
            Plan(
                ["openai-api/local/m"], strategies=[way], settings=settings, log_dir=str(folder),
                model_args={"base_url": server.url, "api_key": "x"},
            )
            for way, settings in ways
        ]  # fmt: skip
        results = run_plans(plans, build_tasks=build, screen=Silent())
        right = {
            way: sum(server.is_right("m", ask) for ask in server.asks.values() if _is(ask, way))
            for way in itertools.product(WAYS, STATEMENT_LANGUAGES)
        }
    runs = dict(
        zip(
            itertools.product(WAYS, STATEMENT_LANGUAGES),
            map(read_run, map(Path, results.folders)),
            strict=True,
        )
    )
    for way, run in runs.items():
        assert (run.row.right, run.row.right + run.row.wrong) == (right[way], N_TASKS), (seed, way, run.row)
    return _intervals(runs)


def _is(ask: Any, way: tuple[str, str]) -> bool:
    return (ask.strategy, ask.statement_language) == way


def _intervals(runs: dict[tuple[str, str], Run]) -> dict[str, bool]:
    held = {}
    for (way, statement_language), run in runs.items():
        low, high = run.row.interval
        assert low is not None and high is not None
        held[f"accuracy {way} {statement_language}"] = low <= planted(way, statement_language) <= high
        (pooled,) = of_run(run, [run])
        for name, found, level in (("50", pooled.half, 0.5), ("80", pooled.most, 0.8)):
            held[f"horizon-{name} {way} {statement_language}"] = (
                found.low <= planted_horizon(way, statement_language, level) <= found.high
            )
    pairs = [
        *(((a, lang), (b, lang)) for lang in STATEMENT_LANGUAGES for b, a in itertools.combinations(WAYS, 2)),
        *(((way, "zh"), (way, "en")) for way in WAYS),
    ]
    for one, other in pairs:
        (found,) = compare([runs[one]], [runs[other]])
        truth = planted(*one) - planted(*other)
        held[f"effect {' '.join(one)} - {' '.join(other)}"] = found.low <= truth <= found.high
    return held


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", default="0-39", help="first and last seed")
    first, last = map(int, parser.parse_args().seeds.split("-"))
    client.WAIT = tenacity.wait_fixed(0.01)
    held: Counter[str] = Counter()
    for seed in range(first, last + 1):
        with tempfile.TemporaryDirectory() as folder:
            found = held_by(seed, Path(folder))
        print(json.dumps({"seed": seed, "held": found}), flush=True)
        held.update({name: int(value) for name, value in found.items()})
    n = last + 1 - first
    print(f"{sum(held.values())} of {n * len(held)} intervals hold; fewest {held.most_common()[-1]} of {n}")


if __name__ == "__main__":
    main()
