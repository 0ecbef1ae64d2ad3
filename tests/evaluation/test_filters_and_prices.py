"""Which tasks are asked, and what that costs: filters, prices, the estimate before a run, the budget."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.strategies.programs import CLASS, RAISES, SUM, task_of

from deskcheck.errors import UserError
from deskcheck.evaluation import prices
from deskcheck.evaluation.dry_run import estimate
from deskcheck.evaluation.grade_runs import Request, _tasks
from deskcheck.evaluation.plan import Filter, Plan, filter_tasks, parse_filter
from deskcheck.evaluation.prices import Budget, OutOfMoney, Price, cost_usd, parse_prices, price_of
from deskcheck.evaluation.truth import TaskSet
from deskcheck.records import Completion, Task


def tasks() -> list[Task]:
    return [
        task_of(SUM, "f", "[1, 5, 2]"),
        task_of(CLASS, "Solution().solve", "n=5"),
        task_of(RAISES, "f", "{'a': 1}"),
    ]


def test_filters_compare_text_numbers_and_parts_and_all_must_hold():
    found = tasks()
    steps = [task.truth.n_steps for task in found]
    assert filter_tasks(found, [f"steps<{max(steps)}"], limit=0) == [
        task for task, n in zip(found, steps, strict=True) if n < max(steps)
    ]
    assert filter_tasks(found, [f"id={found[1].id}"], limit=0) == [found[1]]
    assert filter_tasks(found, [f"id!={found[1].id}"], limit=1) == [found[0]]
    assert filter_tasks(found, [f"cluster~{found[2].id[3:9]}"], limit=0) == [found[2]]
    assert filter_tasks(found, ["lines>=8", "lines<=10"], limit=0) == [found[0], found[1]]
    assert filter_tasks(found, [], limit=2) == found[:2]


def test_a_filter_that_is_none_or_names_nothing_is_refused_with_what_is_known():
    assert parse_filter(" steps <= 100") == Filter("steps", "<=", "100")
    for text in ("steps", "=3", "steps<many", ""):
        with pytest.raises(UserError, match="--filter"):
            parse_filter(text)
    with pytest.raises(UserError, match="no task has 'colour'; known: cluster, id, lines, steps"):
        filter_tasks(tasks(), ["colour=red"], limit=0)


def test_the_longest_known_name_decides_and_a_given_price_wins():
    assert price_of("openai/gpt-4o", {}).of(10**6, 10**6) == 12.5
    assert price_of("openai/gpt-4o-mini-2024-07-18", {}).of(10**6, 0) == 0.15
    # Models of their own, whatever their names begin with.
    for name in ("gpt-4o-pro", "gpt-4o-mini-2"):
        assert price_of(f"openai/{name}", {}) is None
    for found in prices.known_prices().values():
        assert re.fullmatch(r"20\d\d-\d\d", found.date) and found.source
        assert 0 <= found.tokens_in < 1000 and 0 <= found.tokens_out < 1000
    for name in (
        "openai/o1",
        "openai/gpt-3.5-turbo",
        "openai-api/deepseek/deepseek-chat",
        "google/gemini-2.5-pro",
    ):
        assert "LiteLLM" in price_of(name, {}).origin
    maintained = {line.split(",")[0] for line in prices.FILE.read_text().splitlines()[1:]}
    assert not maintained & prices.OURS.keys(), "a row of ours is only for what the maintained table lacks"
    assert price_of("openai/gpt-4oo", {}) is None
    assert price_of("nobody/knows", {}) is None
    assert price_of("deskcheck/tiny", {}).is_free and price_of("ollama/qwen3", {}).is_free
    given = parse_prices(["1,2", "openai/gpt-4o=3,.5"])
    assert price_of("nobody/knows", given) == Price(1, 2)
    assert price_of("openai/gpt-4o", given) == Price(3, 0.5)
    for text in ("1", "1,2,3", "a,b", "-1,2"):
        with pytest.raises(UserError, match="IN,OUT"):
            parse_prices([text])


def test_prices_come_from_a_file_of_the_users_own(tmp_path: Path):
    path = tmp_path / "prices.csv"
    path.write_text("model,in,out,date,source\nopenai/gpt-4o, 1, 2, 2027-01, our contract\nx/y,3,4\n")
    given = parse_prices([str(path), "x/z=5,6"])
    assert price_of("openai/gpt-4o", given) == Price(1, 2, "2027-01", "our contract")
    assert price_of("openai/gpt-4o", given).origin == "as of 2027-01, our contract"
    assert price_of("x/y", given) == Price(3, 4, "", str(path))
    assert price_of("x/z", given) == Price(5, 6)
    for text, words in (("a,b\n1,2\n", "lacks model, in, out"), ("model,in,out\nx/y,,2\n", "line 2")):
        path.write_text(text)
        with pytest.raises(UserError, match=words):
            parse_prices([str(path)])
    with pytest.raises(UserError, match="cannot be read"):
        parse_prices(["nowhere.csv"])


def test_what_nobody_reported_costs_an_unknown_sum_and_not_nothing():
    assert cost_usd(Completion("x", "stop", 1000, 100), Price(1, 10)) == pytest.approx(0.002)
    assert cost_usd(Completion("x", "stop"), Price(1, 10)) == -1
    assert cost_usd(Completion("x", "stop", 1000, 100), None) == -1
    assert cost_usd(Completion("x", "stop"), Price(0, 0)) == 0


def test_questions_under_way_together_never_spend_more_than_there_is():
    budget = Budget(1.0)
    asked: list[int] = []
    most: list[float] = []

    async def ask(number: int) -> bool:
        try:
            async with budget.pay(0.4) as paid:
                asked.append(number)
                most.append(budget.spent + budget.aside)
                await asyncio.sleep(0.001)
                paid.append(0.15)
        except OutOfMoney:
            return False
        return True

    async def all_of_them() -> list[bool]:
        return await asyncio.gather(*(ask(number) for number in range(10)))

    done = asyncio.run(all_of_them())
    assert sum(done) == len(asked) == 5  # after five, another one could make it 1.15
    assert max(most) <= 1.0
    assert budget.spent == pytest.approx(0.75)


def test_a_question_that_failed_is_paid_at_its_worst_case():
    budget = Budget(1.0)

    async def fail() -> None:
        async with budget.pay(0.4):
            raise ConnectionError

    with pytest.raises(ConnectionError):
        asyncio.run(fail())
    assert budget.spent == 0.4


def build(benchmark: str, *, ids: Sequence[str], limit: int, **given: Any) -> TaskSet:
    found = tasks()[: limit or None]
    return TaskSet(benchmark, found, [], [], [task.id for task in found], True, "test")


def test_the_estimate_says_calls_and_money_and_what_it_does_not_know():
    plan = Plan(
        models=["openai/gpt-4o", "nobody/knows", "tiny"],
        strategies=["self-consistency", "iip-dynamic", "line-1"],
        settings={"votes": "3", "max_steps": "5"},
        filters=["steps<10000"],
        limit=2,
        max_cost=7,
    )
    text = estimate(plan, build_tasks=build)
    assert "core · self-consistency(votes=3): 2 tasks, 1 sample each, 3 models: 18 calls" in text
    assert "core · iip-dynamic(max_steps=5): 2 tasks, 1 sample each, 3 models: 30 calls" in text
    assert "core · line-1(max_steps=5): 2 tasks, 1 sample each, 3 models: 30 calls" in text
    assert "openai/gpt-4o: $0." in text
    assert "--max-cost ends the run when all models together have cost $7" in text
    assert "nobody/knows: cost unknown: no price; give it in dollars per million tokens" in text
    assert "deskcheck/tiny: $0, it runs on your own machine" in text
    assert "nothing was asked" in text


@pytest.mark.parametrize(
    ("n_tasks", "n_programs", "words"),
    [
        (93, 93, "on a fifth of the tasks: 13.4 points (80 % power)\n"),
        (186, 93, "9.4 points (80 % power); 13.4 points if all tasks of a program get the same verdict"),
        (20, 5, "39.2 points (80 % power); none if all tasks of a program get the same verdict"),
        (5, 5, "core: no difference of two models or strategies is detectable on so few tasks\n"),
    ],
)
def test_the_estimate_says_what_so_many_tasks_can_show(n_tasks: int, n_programs: int, words: str):
    one = task_of(SUM, "f", "[1]")
    many = [structs.replace(one, cluster=str(n % n_programs)) for n in range(n_tasks)]

    def build_many(benchmark: str, *, ids: Sequence[str], limit: int, **given: Any) -> TaskSet:
        return TaskSet(benchmark, many, [], [], [task.id for task in many], True, "test")

    text = estimate(Plan(models=["tiny"], strategies=["vanilla"]), build_tasks=build_many)
    assert words in text


def test_grade_takes_the_limit_after_the_filters_as_eval_does() -> None:
    found = tasks()
    whole = TaskSet("b", found, [], [], [task.id for task in found], True, "test")
    made = []

    def make(benchmark: str, *, limit: int, **_: object) -> TaskSet:
        made.append(limit)
        return whole

    request = Request("b", [], filters=[f"id!={found[0].id}"], limit=1)
    assert _tasks(request, "output", make).tasks == [found[1]] and made == [0]
