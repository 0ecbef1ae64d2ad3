"""What models write in one reply: read as states, beside the true ones, wrong only where it is wrong."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from tests.viewer.test_belief import SOURCE, truth

from deskcheck.layouts import compact, cwm, debugger, line_n, scratchpad
from deskcheck.states.steps import whole_run
from deskcheck.tracing.program import make_program
from deskcheck.viewer.belief import ModelRun, belief_of, chain_in, divergence_of

PROGRAM = make_program(SOURCE, "f", "4", origin="test")


def believed(chain: list[str], text: str = "", **more: Any) -> dict[str, Any]:
    trace, _ = truth()
    return belief_of(ModelRun("m", chain, text=text, **more), [trace])


def hows(found: dict[str, Any]) -> set[str]:
    return {step[0] for step in found["steps"]}


@pytest.mark.parametrize("layout", [scratchpad, compact])
def test_a_whole_run_in_one_reply_agrees_where_it_is_true(layout: Any) -> None:
    trace, _ = truth()
    (example,) = layout.render(trace, PROGRAM)
    lines = example.target.split("\n")[:-1]
    for form in ("", {"compact": "changes"}.get(layout.LAYOUT, "states")):
        found = believed(lines, form=form)
        assert found["first"] == -1 and hows(found) == {"same"}, found["steps"][:4]


def test_a_wrong_change_is_found_at_its_step_and_carried_on() -> None:
    trace, _ = truth()
    (example,) = compact.render(trace, PROGRAM)
    lines = example.target.split("\n")[:-1]
    at = next(k for k, line in enumerate(lines) if "total=1" in line)
    lines[at] = lines[at].replace("total=1", "total=2")
    found = believed(lines)
    assert found["first"] == at and "total is 1, not 2" in divergence_of(found, trace)


@pytest.mark.parametrize("layout", [line_n, debugger])
def test_jumps_leave_out_steps_and_are_no_divergence(layout: Any) -> None:
    trace, _ = truth()
    start, run = whole_run(trace)
    states = [start, *(state for _, state in run)]
    texts = [str(state) for state in states]
    landings = texts[3:-1:3]
    found = believed(landings, form="jumps")
    assert found["first"] == -1 and hows(found) == {"same", "skipped", "ended"} - (
        set() if len(landings) * 3 < len(texts) - 2 else {"ended"}
    )
    wrong = [text.replace("total=1", "total=0") for text in landings]
    assert wrong != landings
    place = next(k for k, (a, b) in enumerate(zip(wrong, landings, strict=True)) if a != b)
    found = believed(wrong, form="jumps")
    assert texts[found["first"]] == landings[place]
    assert layout.LAYOUT


def test_frames_of_a_code_world_model_agree_where_they_are_true() -> None:
    trace, _ = truth()
    (example,) = cwm.render(trace, PROGRAM)
    found = believed([], example.target)
    assert found["first"] == -1 and hows(found) == {"same"}
    assert len(found["steps"]) == len(whole_run(trace)[1]) + 2, "the call, and how main ends"


@pytest.mark.parametrize(
    ("old", "new", "name", "word"),
    [
        ('"total": "1"', '"total": "2"', "total", "off by one"),
        ('"total": "1"', '"total": "True"', "total", "wrong type"),
        ('"x": "2"', '"x": "1"', "x", "stale since"),
        ('"total": "1", ', "", "total", "missing"),
    ],
)
def test_a_wrong_frame_is_named(old: str, new: str, name: str, word: str) -> None:
    trace, _ = truth()
    frames = cwm.keeps(trace)
    texts = [
        f"{cwm.MARKS[kind]}{json.dumps(local) if kind in ('call', 'line') else ''}{cwm.ACTION}x\n"
        + (f"{cwm.ARG}{json.dumps(value)}" if value else "")
        for kind, local, value in frames
    ]
    at = next(k for k, text in enumerate(texts) if old in text)
    texts[at] = texts[at].replace(old, new)
    found = believed([], cwm.FRAME.join(texts) + cwm.FRAME)
    assert found["first"] == at - 1
    cells = {cell[1]: cell[3] for cell in found["steps"][found["first"]][3]}
    assert any((each if isinstance(each, str) else each[0]) == word for each in cells[name])


def test_frames_that_break_off_end_the_belief() -> None:
    trace, _ = truth()
    (example,) = cwm.render(trace, PROGRAM)
    found = believed([], example.target[: len(example.target) // 2])
    assert found["first"] == -1 and hows(found) == {"same", "ended"}


def test_a_text_without_states_holds_no_belief() -> None:
    found = believed(chain_in("The answer is 7."), "The answer is 7.")
    assert (found["first"], found["wrote"]) == (-1, 0)


def test_frames_without_observations_are_compared_by_kind_and_value() -> None:
    trace, _ = truth()
    (example,) = cwm.render(trace, PROGRAM)
    bare = re.sub(r"(<\|(?:line|call)_sep\|>)\{.*?\}(?=<\|action_sep\|>)", r"\1", example.target)
    assert believed([], bare)["first"] == -1
    wrong = bare.replace('<|arg_sep|>"', '<|arg_sep|>"9')
    found = believed([], wrong)
    assert found["steps"][found["first"]][3][0][1] == "<-" and found["steps"][found["first"]][3][0][0] >= 0
