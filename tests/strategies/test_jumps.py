"""Loops over states: steps, jumps of three kinds, a debugger's commands; and what ends each."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import msgspec
import pytest
from tests.strategies.programs import CLASS, SUM, last, roll_out, task_of, tasks, trained

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.grading.verdict import score
from deskcheck.layouts.debugger import stop
from deskcheck.records import Answer, Completion, Granularity, NoAnswer, Prompt, Task
from deskcheck.states.jumps import landing
from deskcheck.states.parse import read_state
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree
from deskcheck.strategies import Settings, check_fit, debugger, instruction_n, is_oracle, line_1, line_n
from deskcheck.tracing.access import has_native
from deskcheck.turns.finer import finer
from deskcheck.turns.skips import LENGTHS


def jumper(task: Task, right: Callable[[int], bool] = lambda skip: True) -> Callable[[Prompt], str]:
    """A model that is right for some lengths and elsewhere names a state that cannot be."""
    run = list(steps(task.truth))
    places = {str(before): number for number, (before, _, _) in reversed(list(enumerate(run)))}

    def speak(prompt: Prompt) -> str:
        state, skip = last(prompt).rstrip("\n").split("\n")[-2:]
        length = int(skip.removeprefix("skip "))
        if not right(length) or state not in places:
            return "@2 | wrong=1"
        return str(landing(run, places[state], length))

    return speak


@pytest.mark.parametrize("skip", ["1", "3", "7", "1000"])
def test_fixed_jumps_are_right_and_overshoot_into_the_answer(skip: str):
    for task in tasks():
        done, asked = roll_out(line_n, task, jumper(task), Settings(skip=skip))
        assert score(task, done.answer).verdict == "right"
        assert len(asked) == math.ceil(len(list(steps(task.truth))) / int(skip))


def test_the_likely_jump_is_the_longest_of_which_the_model_is_sure():
    task = task_of(SUM, "f", "[1, 5, 2]")
    right = jumper(task, lambda skip: skip <= 2)

    def speak(prompt: Prompt) -> Completion:
        text = right(prompt)
        assert prompt.logprobs
        return Completion(text, "stop", 1, 1, logprob=math.log(0.5 if "wrong" in text else 0.95))

    done, asked = roll_out(line_n, task, speak, Settings(skip="likely"))
    assert score(task, done.answer).verdict == "right"
    lengths = [int(last(prompt).rstrip("\n").rsplit(" ", 1)[1]) for prompt in asked[:6]]
    assert lengths == [10, 4, 2, 10, 4, 2]
    n = len(list(steps(task.truth)))
    assert len(done.chain) == math.ceil(n / 2) - 1


def test_a_model_without_log_probabilities_is_refused_with_the_reason():
    task = task_of(SUM, "f", "[1]")
    with pytest.raises(UserError, match=r"skip=likely needs the log-probabilities .* this model gives none"):
        roll_out(line_n, task, jumper(task), Settings(skip="likely"))


def test_search_finds_the_way_that_exists_and_is_marked_as_oracle():
    task = task_of(SUM, "f", "[1, 5, 2]")
    n = len(list(steps(task.truth)))
    done, _ = roll_out(line_n, task, jumper(task, lambda skip: skip in (1, 4)), Settings(skip="search"))
    assert score(task, done.answer).verdict == "right"
    assert len(done.chain) == n // 4 + n % 4 - 1 or len(done.chain) < n
    done, _ = roll_out(line_n, task, jumper(task, lambda skip: False), Settings(skip="search"))
    assert done.answer == NoAnswer("budget", "no length is right from the state after step 0")
    assert is_oracle(line_n, Settings(skip="search"))
    assert not is_oracle(line_n, Settings(skip="likely"))


def test_search_asks_within_its_budget():
    task = task_of(SUM, "f", "[1, 5, 2]")
    done, asked = roll_out(
        line_n, task, jumper(task, lambda skip: skip == 1), Settings(skip="search", max_steps=9)
    )
    assert len(asked) == 9
    assert done.answer == NoAnswer("budget", "not over after 9 questions")
    assert LENGTHS == (10, 4, 2, 1)


def test_the_commands_of_the_debugger_stop_where_a_debugger_does():
    task = task_of(SUM, "f", "[1, 5]")
    run = list(steps(task.truth))

    def lines(found: object) -> list[int]:
        assert isinstance(found, StateTree)
        return [frame.line for frame in found.frames]

    assert lines(stop(run, 0, "over")) == [5]
    called = next(number for number, (before, _, _) in enumerate(run) if lines(before) == [8])
    assert lines(stop(run, called, "over")) == [6]
    inside = next(number for number, (before, _, _) in enumerate(run) if lines(before) == [8, 11])
    assert lines(stop(run, inside, "return")) == [8]
    assert str(stop(run, 0, "return")) == str(stop(run, 0, "breakpoint 99")) == "<- 5"
    assert lines(stop(run, 0, "breakpoint 12")) == [8, 12]
    with pytest.raises(ValueError, match="known: over, return, breakpoint LINE"):
        stop(run, 0, "jump")


@pytest.mark.parametrize(("jump", "most"), [("over", 20), ("return", 1), ("breakpoint", 2)])
def test_every_policy_of_the_debugger_comes_to_the_end(jump: str, most: int):
    for task in (task_of(SUM, "f", "[1, 5, 2]"), task_of(CLASS, "Solution().solve", "n=5")):
        done, asked = roll_out(debugger, task, trained("debugger", task), Settings(jump=jump))
        assert score(task, done.answer).verdict == "right", done.answer
        assert len(asked) <= most
        if jump == "over":
            assert all(len(read_state(state).frames) == 1 for state in done.chain)


def test_a_belief_that_goes_round_in_a_circle_ends():
    task = task_of(SUM, "f", "[1]")
    done, _ = roll_out(line_n, task, lambda prompt: "@4 | xs=[1]")
    assert isinstance(done.answer, NoAnswer)
    assert (done.answer.reason, "51th time" in done.answer.detail) == ("budget", True)


def test_what_cannot_be_read_says_at_which_step():
    task = task_of(SUM, "f", "[1]")
    replies = iter(["@5 | xs=[1]", "hm"])
    done, _ = roll_out(line_n, task, lambda prompt: next(replies))
    assert isinstance(done.answer, NoAnswer)
    assert done.answer.detail.startswith("step 2: ")
    done, _ = roll_out(line_n, task, lambda prompt: "<- 4")
    assert done.answer == Answer("4")


@pytest.mark.skipif(not has_native(), reason="the true instructions need the C extension")
def test_instructions_are_searched_though_the_truth_has_lines():
    task = task_of(SUM, "f", "[1, 5]")
    done, _ = roll_out(instruction_n, task, trained("instruction-n", task), Settings(skip="search"))
    assert score(task, done.answer).verdict == "right"
    assert len(done.chain) < task.truth.n_steps  # it jumps over instructions, ten at a time
    assert is_oracle(instruction_n, Settings(skip="search"))
    other = msgspec.structs.replace(task, program=task_of(SUM, "f", "[1]").program)
    with pytest.raises(UserError, match="cannot be traced instruction by instruction"):
        finer(other, Granularity.INSTRUCTION)


@pytest.mark.skipif(not has_native(), reason="the true instructions need the C extension")
@pytest.mark.parametrize("name", ["instruction-1", "instruction-n", "expression-1", "sub"])
def test_a_model_without_mistakes_is_right_below_the_line_too(name: str):
    strategy = plugins.load("strategy", name)
    for task in tasks():
        done, asked = roll_out(strategy, task, trained(name, task))
        assert score(task, done.answer).verdict == "right", done.answer
        assert len(asked) == len(done.chain) + 1
        assert len(asked) <= 8 * len(strategy.estimate(task, Settings(), 100))


class Faltering:
    """Knows every step, but says something unusable some times after the fourth state."""

    def __init__(self, truth: dict[str, str], unusable: str, times: int) -> None:
        self.truth = truth
        self.unusable = unusable
        self.times = times

    def __call__(self, prompt: Prompt) -> str:
        state = last(prompt).split("\n")[0]
        if state == list(self.truth)[3] and self.times:
            self.times -= 1
            return self.unusable
        return self.truth[state]


def test_a_reply_that_cannot_be_read_or_applied_is_asked_for_again_at_a_temperature():
    task = task_of(SUM, "f", "[1, 5, 2]")
    truth = {str(before): str(step) for before, step, _ in steps(task.truth)}
    for unusable in ("?", "@3 | -nobody"):
        model = Faltering(truth, unusable, times=2)
        done, asked = roll_out(line_1, task, model, Settings(on_error="reask"))
        assert score(task, done.answer).verdict == "right"
        assert [prompt.temperature for prompt in asked[3:7]] == [-1.0, 0.7, 0.7, -1.0]
        assert len(asked) == len(truth) + 2
        stopped, _ = roll_out(line_1, task, Faltering(truth, unusable, times=2), Settings())
        assert isinstance(stopped.answer, NoAnswer) and stopped.answer.reason == "unparsable"
        model = Faltering(truth, unusable, times=100)
        given_up, asked = roll_out(line_1, task, model, Settings(on_error="reask"))
        assert isinstance(given_up.answer, NoAnswer)
        assert len(asked) == 3 + 1 + 3


def test_a_vote_takes_the_commonest_reply_that_can_be_read():
    task = task_of(SUM, "f", "[1, 5, 2]")
    truth = {str(before): str(step) for before, step, _ in steps(task.truth)}
    state, wrong = list(truth)[3], "@3 | s=77"
    for drawn, is_right in (("?rwr?", True), ("?wwr?", False), ("rwwrr", True), ("?????", False)):
        replies = iter(["?", *({"r": truth[state], "w": wrong, "?": "?"}[mark] for mark in drawn)])

        def model(prompt: Prompt, replies: Iterator[str] = replies) -> str:
            now = last(prompt).split("\n")[0]
            return next(replies, truth[state]) if now == state else truth.get(now, "?")

        done, asked = roll_out(line_1, task, model, Settings(on_error="vote"))
        assert (score(task, done.answer).verdict == "right") == is_right, drawn
        assert [prompt.temperature for prompt in asked[3:9]] == [-1.0, *[0.7] * 5]
        assert len(done.completions) == len(asked)
        if drawn == "?????":
            assert isinstance(done.answer, NoAnswer) and len(asked) == 9
    spent, asked = roll_out(
        line_1, task, Faltering(truth, "?", times=9), Settings(on_error="vote", max_steps=6)
    )
    assert isinstance(spent.answer, NoAnswer) and len(asked) == 6
    with pytest.raises(UserError, match="no votes"):
        check_fit("iip-dynamic", plugins.load("strategy", "iip-dynamic"), kind="output",
                  settings=Settings(on_error="vote"))  # fmt: skip


@pytest.mark.skipif(not has_native(), reason="the true instructions need the C extension")
@pytest.mark.parametrize(
    "name",
    ["line-1", "sub", "line-1-full", "expression-1", "instruction-1", "adaptive", "debugger", "line-n",
     "instruction-n"],
)  # fmt: skip
def test_every_loop_over_states_can_ask_again_and_only_jumps_can_be_checked(name: str):
    task, strategy = task_of(SUM, "f", "[1, 5, 2]"), plugins.load("strategy", name)
    right, faltered = trained(name, task), iter(["?", "?"])
    done, asked = roll_out(strategy, task, lambda prompt: next(faltered, "") or right(prompt),
                          Settings(on_error="reask"))  # fmt: skip
    assert score(task, done.answer).verdict == "right", done.answer
    assert [prompt.temperature for prompt in asked[:4]] == [-1.0, 0.7, 0.7, -1.0][: len(asked)]
    assert "on_error" in strategy.SETTINGS
    if name in ("line-n", "instruction-n"):
        done, _ = roll_out(strategy, task, right, Settings(on_error="check"))
        assert score(task, done.answer).verdict == "right", done.answer
        return
    with pytest.raises(UserError, match=f"'{name}' .* nothing to check a step against"):
        check_fit(name, strategy, kind="output", settings=Settings(on_error="check"))


@pytest.mark.parametrize("wrong", [{4}, {1}, set()])
def test_jumps_are_checked_by_single_steps_and_the_steps_are_believed(wrong: set[int]):
    task = task_of(SUM, "f", "[1, 5, 2]")
    n = len(list(steps(task.truth)))
    done, asked = roll_out(
        line_n, task, jumper(task, lambda skip: skip not in wrong), Settings(skip="4", on_error="check")
    )
    assert (score(task, done.answer).verdict == "right") == (1 not in wrong)
    assert done.apart == (math.ceil(n / 4) if 4 in wrong else 0 if not wrong else done.apart)
    assert done.apart >= 0
    if 1 not in wrong:
        assert roll_out(line_n, task, jumper(task), Settings(skip="4"))[0].apart == -1, "not looked for"
        assert len(asked) == n + math.ceil(n / 4)
        assert len(done.chain) == n - 1
    with pytest.raises(UserError, match="fixed skip"):
        check_fit("line-n", line_n, kind="output", settings=Settings(skip="likely", on_error="check"))
