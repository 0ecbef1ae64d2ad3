"""Steps from the true state, from the model's own, after injected errors: each counts where it is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.strategies.programs import gold, last, roll_out, task_of, trained

from deskcheck.cell_files import StepCount
from deskcheck.evaluation.step_scores import judged, parted
from deskcheck.records import Prompt
from deskcheck.states.steps import whole_run
from deskcheck.states.visits import entry_lines
from deskcheck.strategies import Settings, iip_dynamic, iip_oracle, is_oracle, line_1
from deskcheck.turns.error_injection import injected

SOURCE = """\
def f(n):
    s = 10
    for i in range(n):
        s = s + i
    t = str(s)
    return t
"""
TASK = task_of(SOURCE, "f", "3")
FED = Settings(teacher_forcing="true")


def counted(strategy: str, done: object, settings: Settings) -> StepCount:
    found = judged(TASK, done, strategy=strategy, settings=settings)  # type: ignore[arg-type]
    assert found is not None
    return found


START, RUN = whole_run(TASK.truth)
KNOWN = {str(START), *(str(state) for _, state in RUN)}
GOLD = trained("line-1", TASK)


def mistaken(prompt: Prompt) -> str:
    """Right but for one sum: where s is 10 and i is 1 it says 12 for 11, and is lost from there."""
    state = last(prompt).split("\n")[0]
    if state.startswith("@4 | n=3; s=10; i=1"):
        return "@3 | s=12"
    return GOLD(prompt) if state in KNOWN else "@3"


def test_from_the_true_states_one_mistake_is_one_wrong_step_and_from_its_own_the_rest_follows():
    done, asked = roll_out(line_1, TASK, mistaken, FED)
    found = counted("line-1", done, FED)
    assert (found.wrong, found.parts, found.kinds["arithmetic"]) == (1, {"variables": 1}, [3, 1])
    assert found.n == len(asked) - 1
    assert done.answer.text == TASK.expected  # type: ignore[union-attr]
    done, _ = roll_out(line_1, TASK, mistaken, Settings(max_steps=50))
    free = counted("line-1", done, Settings(max_steps=50))
    assert (free.n, free.parts["variables"]) == (found.n, free.wrong)
    assert free.wrong > 1
    assert is_oracle(line_1, FED) and not is_oracle(line_1, Settings())


def test_steps_that_cannot_be_read_or_end_too_early_are_wrong_and_the_next_one_is_asked():
    replies = iter(["%%%", "<- 7"])
    done, asked = roll_out(line_1, TASK, lambda prompt: next(replies, None) or GOLD(prompt), FED)
    found = counted("line-1", done, FED)
    assert (found.wrong, found.parts) == (2, {"format": 1, "control flow": 1})
    short = Settings(teacher_forcing="true", max_steps=4)
    done, asked = roll_out(line_1, TASK, GOLD, short)
    assert (len(asked), counted("line-1", done, short).n) == (4, 4)
    assert done.answer.reason == "budget"  # type: ignore[union-attr]


def in_words(change: Callable[[int, str], str]) -> Callable[[Prompt], str]:
    """A model that says every true state, changed by its number; by history it knows how far it is."""
    visits = entry_lines(TASK.truth)
    states = injected(TASK, visits, f"{len(visits) - 1}true")

    def speak(prompt: Prompt) -> str:
        if "[ANSWER]" in last(prompt) and "NEXT" not in last(prompt):
            return f"[ANSWER]{TASK.expected}[/ANSWER]"
        at = len(prompt.messages) // 2
        if at == len(states):
            return f"STATE: none\n[ANSWER]{TASK.expected}[/ANSWER]"
        return f"STATE: {change(at, states[at])}\nNEXT: {visits[at + 1][1]}"

    return speak


@pytest.mark.parametrize("name", ["iip-dynamic", "iip-oracle"])
def test_states_in_words_are_compared_by_typed_value(name: str):
    strategy = {"iip-dynamic": iip_dynamic, "iip-oracle": iip_oracle}[name]
    done, _ = roll_out(strategy, TASK, in_words(lambda at, state: state.replace("; ", ";  ")))
    right = counted(name, done, Settings())
    assert (right.n, right.wrong) == (len(entry_lines(TASK.truth)) - 1, 0)
    changes: dict[int, Callable[[str], str]] = {
        0: lambda state: state.replace("10", "10.0"),  # another type
        2: lambda state: f"{state}; t = '13'",  # not there yet
        4: lambda state: "who knows",
    }
    done, _ = roll_out(strategy, TASK, in_words(lambda at, state: changes.get(at, str)(state)))
    assert counted(name, done, Settings()).parts == {"variables": 3}
    done, _ = roll_out(strategy, TASK, gold(name, strategy, TASK, Settings()))
    assert counted(name, done, Settings()).wrong == right.n  # it says "x = 1" every time


@pytest.mark.parametrize(("after", "change"), [("corrected", lambda at, state: state), ("followed", None)])
def test_a_planted_wrong_state_is_followed_or_corrected(after: str, change: Callable[[int, str], str] | None):
    visits = entry_lines(TASK.truth)
    settings = Settings(inject_states="2wrong")
    wrong = injected(TASK, visits, "2wrong")
    true = injected(TASK, visits, "2true")
    assert [one == other for one, other in zip(wrong, true, strict=True)] == [False, False]
    assert true == ["n = 3; s = 10", "n = 3; s = 10; i = 0"]
    follow = change or (lambda at, state: state.replace("n = 3", wrong[-1].partition(";")[0]))
    done, asked = roll_out(iip_oracle, TASK, in_words(follow), settings)
    assert f"STATE: {wrong[1]}" in [message.text for message in asked[0].messages]
    assert len(asked) == len(visits) - 2 + 1  # two lines are told, and the result is asked
    found = counted("iip-oracle", done, settings)
    assert (found.after_plant, found.n) == (after, len(visits) - 1 - 2)
    control, asked = roll_out(
        iip_oracle, TASK, in_words(lambda at, state: state), Settings(inject_states="2true")
    )
    assert f"STATE: {true[1]}" in [message.text for message in asked[0].messages]
    assert counted("iip-oracle", control, Settings(inject_states="2true")).after_plant == ""


def test_where_a_conversation_parts_from_the_run_is_said_as_of_a_layout():
    def first(change: Callable[[int, str], str], answer: str = TASK.expected) -> tuple[int, str, str]:
        speak = in_words(change)
        done, _ = roll_out(
            iip_dynamic, TASK, lambda prompt: speak(prompt).replace(f"R]{TASK.expected}[", f"R]{answer}[")
        )
        found = parted(TASK, done, Settings())
        assert found is not None
        return found.together, found.part, found.cause

    n = len(entry_lines(TASK.truth)) - 1
    assert first(lambda at, state: state) == (n, "", "")
    assert first(lambda at, state: state, "'7'") == (n, "outcome", "call or return")
    assert first(lambda at, state: state.replace("s = 11", "s = 12")) == (4, "variables", "arithmetic")
    early, _ = roll_out(iip_dynamic, TASK, lambda prompt: "STATE: n = 3\n[ANSWER]'13'[/ANSWER]")
    assert parted(TASK, early, Settings()) is None  # no state before the answer
