"""States that are said in a model's place: where they stand, what is wrong in them, what follows."""

from __future__ import annotations

import pytest
from tests.strategies.programs import fine_enough, gold, last, roll_out, task_of, trained

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.evaluation.step_scores import judged
from deskcheck.grading.verdict import score
from deskcheck.records import Granularity, Prompt
from deskcheck.states.parse import read_state
from deskcheck.states.steps import run_of, steps
from deskcheck.strategies import Settings, check_fit, is_oracle, line_1
from deskcheck.tracing.access import has_native
from deskcheck.turns.error_injection import injected_states
from deskcheck.turns.finer import finer

SOURCE = """\
import math

def f(n, xs):
    s = 10
    for x in xs:
        s += x
    t = s - n
    if t:
        s = math.floor(t)
    return str(s)
"""
TASK = task_of(SOURCE, "f", "3, [1, 2]")
FINE = {
    "expression-1": Granularity.EXPRESSION,
    "instruction-1": Granularity.INSTRUCTION,
    "instruction-n": Granularity.INSTRUCTION,
}
LOOPS = ["line-1", "line-1-full", "sub", "line-n", "debugger", *FINE]
WALKS = ["iip-dynamic", "iip-static", "iip-oracle"]


def settings_for(name: str, setting: str) -> Settings:
    return (
        Settings(inject_states=setting, skip="1")
        if name in ("line-n", "instruction-n")
        else Settings(inject_states=setting)
    )


def states_of(name: str, setting: str) -> list[str]:
    if name in FINE and setting != "0":
        truth, granularity = finer(TASK, FINE[name]), FINE[name]
        return [str(s) for s in injected_states(TASK, setting, truth=truth, granularity=granularity)]
    return [str(s) for s in injected_states(TASK, setting, entry_only=name == "debugger")]


@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_goes_on_from_the_last_planted_state(name: str):
    if not fine_enough(name):
        pytest.skip("its true steps need the C extension")
    strategy = plugins.load("strategy", name)
    for setting in ("0", "2true", "2wrong"):
        settings = settings_for(name, setting)
        states = states_of(name, setting)
        assert len(states) == int(setting[0])
        asked: list[Prompt] = []

        def ask_first(prompt: Prompt, asked: list[Prompt] = asked) -> str:
            asked.append(prompt)
            return "<- 'no matter'"

        done, _ = roll_out(strategy, TASK, ask_first, settings)
        assert done.chain == states
        assert not states or states[-1] in last(asked[0])
        assert is_oracle(strategy, settings) == (setting != "0")
    done, asked = roll_out(strategy, TASK, trained(name, TASK), settings_for(name, "2true"))
    assert score(TASK, done.answer).verdict == "right"


@pytest.mark.skipif(not has_native(), reason="finer steps need the C extension")
@pytest.mark.parametrize("name", FINE)
def test_states_between_lines_are_planted_after_each_expression_or_instruction(name: str):
    """Wrong is a variable, never a value of the stack or of an expression."""
    true, wrong = states_of(name, "9true"), states_of(name, "9wrong")
    run = list(steps(finer(TASK, FINE[name]), granularity=FINE[name]))
    assert true == [str(after) for _, _, after in run[:9]]
    for own, other in zip(map(read_state, wrong), map(read_state, true), strict=True):
        entries, held = own.frames[-1].entries, other.frames[-1].entries
        apart = [name for name, value in entries.items() if held[name] != value]
        assert len(apart) == 1 and apart[0] in ("n", "xs", "s", "t", "x")
    assert len(set(true)) == 9 and len({state.partition(" | ")[0] for state in true}) > 3


def test_a_planted_wrong_state_has_one_wrong_value_of_the_same_type_and_else_the_true_ones():
    true = [after for _, _, after in run_of(TASK.truth)[:-1]]
    wrong = injected_states(TASK, "5wrong")
    assert [str(state) for state in injected_states(TASK, "5true")] == [str(state) for state in true[:5]]
    for one, other in zip(wrong, true, strict=False):
        apart = {k for k, v in one.frames[-1].entries.items() if other.frames[-1].entries[k] != v}
        assert len(apart) == 1 and one.frames[-1].line == other.frames[-1].line
        assert read_state(str(one)) == one
    assert "n=6" in str(wrong[0])  # the next line leaves it alone
    assert injected_states(TASK, "0") == []
    assert len(injected_states(TASK, "99wrong")) == len(true)


@pytest.mark.parametrize(("follows", "after"), [(True, "followed"), (False, "corrected")])
def test_what_the_first_own_step_makes_of_it_is_counted(follows: bool, after: str):
    true = [state for _, _, state in run_of(TASK.truth)[:-1]]
    wrong = injected_states(TASK, "2wrong")
    own = str(true[2]) if not follows else str(true[2]).replace("n=3", "n=6")
    replies = iter([f"{own}", "<- '9'"])
    strategy = plugins.load("strategy", "line-1-full")
    settings = Settings(inject_states="2wrong")
    done, asked = roll_out(strategy, TASK, lambda prompt: next(replies), settings)
    assert str(wrong[1]) in last(asked[0])
    found = judged(TASK, done, strategy="line-1-full", settings=settings)
    assert found is not None and found.after_plant == after
    assert found.n == len(true) - 2  # the injected states are not the model's
    control = judged(TASK, done, strategy="line-1-full", settings=Settings(inject_states="2true"))
    assert control is not None and control.after_plant == ""


@pytest.mark.parametrize("name", WALKS)
@pytest.mark.parametrize("history", ["full", "state"])
def test_a_conversation_has_the_planted_states_in_the_model_s_place(name: str, history: str):
    strategy = plugins.load("strategy", name)
    counts, texts = {}, {}
    for setting in ("0", "2true", "2wrong"):
        settings = Settings(inject_states=setting, history=history)
        done, asked = roll_out(strategy, TASK, gold(name, strategy, TASK, settings), settings)
        counts[setting] = len(asked)
        texts[setting] = "\n".join(message.text for message in asked[0].messages)
        assert is_oracle(strategy, settings) == (setting != "0" or name == "iip-oracle")
        if name != "iip-dynamic":  # whose scripted model would begin at the first line
            assert score(TASK, done.answer).verdict == "right"
    assert "n = 6" not in texts["2true"].replace("n=", "n = ")
    if history == "full":
        assert "n = 3; xs = [1, 2]; s = 10" in texts["2true"]
        assert "n = 6; xs = [1, 2]; s = 10" in texts["2wrong"]
    else:
        assert "n=6" in texts["2wrong"]
    if name != "iip-dynamic":
        # iip-static also says what stands before the body: two pieces, the import and the header.
        assert (
            counts["0"] - counts["2true"]
            == counts["0"] - counts["2wrong"]
            == (4 if name == "iip-static" else 2)
        )


def test_pairs_that_cannot_be_are_refused_with_the_reason():
    with pytest.raises(UserError, match="so none can be injected"):
        check_fit(
            "line-1", line_1, kind="output", settings=Settings(teacher_forcing="true", inject_states="2wrong")
        )
    with pytest.raises(UserError, match="does not go with skip=search"):
        line_n = plugins.load("strategy", "line-n")
        check_fit("line-n", line_n, kind="output", settings=Settings(inject_states="2true", skip="search"))
