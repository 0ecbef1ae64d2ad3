"""Completions that try to score without executing: none is paid more than a random answer."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import pytest
from tests.rewards.attacks import ATTACKS

from deskcheck.rewards import functions
from deskcheck.rewards import tasks as streams
from deskcheck.rewards.baselines import baselines, scored, written
from deskcheck.rewards.tasks import LINE, QUESTIONS, STEP, Balance, Counts, RewardTask, TaskOptions, tasks

EASY = TaskOptions(questions=QUESTIONS, steps=(3, 40), families=("easy", "medium"), seed=11)


@pytest.fixture(scope="module")
def asked() -> list[RewardTask]:
    return list(islice(tasks(EASY), 40))


def whole_pairs(found: list[RewardTask]) -> list[RewardTask]:
    """Without the half of a pair whose other half was cut off."""
    last = found[-1]
    return found[:-1] if "next_line" in last.pays and len(of(found, "next_line")) % 2 else found


def of(found: list[RewardTask], reward: str) -> list[RewardTask]:
    return [task for task in found if reward in task.pays]


def test_there_are_a_hundred_attacks_and_more() -> None:
    assert len(ATTACKS) >= 100
    assert len({write(*_one()) for write in ATTACKS.values()}) >= 100


def _one() -> tuple[RewardTask, list[RewardTask]]:
    task = RewardTask(
        "a", STEP, [{"role": "user", "content": "@2 | x=1\nx += 1\n"}], "@3 | x=2", ["state"], "@3", 5, ""
    )
    return task, [task]


def test_no_attack_is_paid_more_than_a_random_answer(asked: list[RewardTask]) -> None:
    asked = whole_pairs(asked)
    bars = {one.reward: one for one in baselines(asked)}
    assert set(bars) == {"outcome", "next_line", "state"}
    paid_too_much = []
    for name, write in ATTACKS.items():
        completions = [write(task, asked[n + 1 :] or asked[:1]) for n, task in enumerate(asked)]
        for reward, bar in bars.items():
            scores = [one for one in scored(functions.NAMES[reward], asked, completions) if one is not None]
            mean = sum(scores) / len(scores)
            if mean > bar.bar + 1e-9:
                paid_too_much.append((name, reward, round(mean, 4), round(bar.bar, 4)))
    assert paid_too_much == []


def test_no_attack_gets_more_than_nothing_for_its_form(asked: list[RewardTask]) -> None:
    for write in ATTACKS.values():
        completions = [write(task, asked[n + 1 :] or asked[:1]) for n, task in enumerate(asked[:25])]
        scores = functions.form(completions, [task.kind for task in asked[:25]])
        assert max(one for one in scores if one is not None) <= 0


def test_the_first_argument_is_no_answer() -> None:
    """State questions and tuples had been let through: 18 of 400 state questions."""
    found = islice(
        tasks(TaskOptions(questions=("output", streams.VALUE), families=("easy", "medium"), seed=12)), 150
    )
    assert [task for task in found if task.expected in (task.copy, _valued(task))] == []


def _valued(task: RewardTask) -> str:
    """Return the answer of a state question whose value is the first argument."""
    return f"({task.copy}, {task.expected.rpartition(', ')[2]}" if task.kind == streams.VALUE else task.copy


def test_the_truth_is_paid_in_full(asked: list[RewardTask]) -> None:
    for reward, function in functions.NAMES.items():
        scores = scored(function, asked, [written(task, task.expected) for task in asked])
        assert {one for one in scores if one is not None} == ({0.0} if reward == "form" else {1.0})


def test_a_stream_without_its_rules_pays_blind_answers() -> None:
    """The guard itself: without balance, copying and constants would earn more than a random answer."""
    from deskcheck.rewards import tasks as module

    kept = module.Balance.balanced
    try:
        module.Balance.balanced = lambda self, task, line_kind: [task]  # type: ignore[method-assign]
        found = list(islice(tasks(EASY), 120))
    finally:
        module.Balance.balanced = kept  # type: ignore[method-assign]
    bars = {one.reward: one for one in baselines(found)}
    assert max(bars["next_line"].copy - 0.5, bars["outcome"].majority - bars["outcome"].no_program) > 0.03


def test_lines_come_in_pairs(asked: list[RewardTask]) -> None:
    lines = [task for task in whole_pairs(asked) if task.kind == LINE]
    pairs = lines[: len(lines) // 2 * 2]
    entered = [task.expected == task.copy for task in pairs]
    assert all(entered[n] != entered[n + 1] for n in range(0, len(pairs), 2))


def test_a_text_longer_than_the_limit_is_no_answer_and_no_step() -> None:
    answer, step = "[ANSWER]1[/ANSWER]", "@2 | x='{}'"
    assert functions.read(" " * (20_000 - len(answer)) + answer, "output") == "1"
    assert functions.read(" " * (20_001 - len(answer)) + answer, "output") is None
    assert functions.step_of(step.format("a" * (20_000 - len(step) + 2))) is not None
    assert functions.step_of(step.format("a" * (20_001 - len(step) + 2))) is None


def test_an_answer_comes_again_after_256_tasks_and_not_before() -> None:
    def task(expected: str) -> RewardTask:
        return RewardTask(expected, "output", [], expected, ["outcome"], "", 5, "")

    balance = Balance(Counts())
    answers = [str(n) for n in range(1_000, 1_256)]
    assert all(balance.balanced(task(answer), "") for answer in answers)
    assert balance.balanced(task("1000"), "") == balance.balanced(task("1255"), "") == []
    assert balance.balanced(task("999"), "")  # the 257th: the first is forgotten
    assert balance.balanced(task("1000"), "")
    assert balance.balanced(task("1255"), "") == []


def test_no_more_than_two_steps_of_a_run_are_asked() -> None:
    options = TaskOptions(questions=(STEP,), steps=(10, 40), families=("easy", "medium"), seed=3)
    runs = Counter(task.task_id.partition("@")[0] for task in islice(tasks(options), 80))
    assert max(runs.values()) == 2 and list(runs.values()).count(2) > 20
