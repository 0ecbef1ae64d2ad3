"""The text of the Code World Model's format stands beside the program that it shows."""

from __future__ import annotations

import pytest

from deskcheck.layouts import cwm
from deskcheck.layouts.cwm import read_frames
from deskcheck.records import Completion, Limits, NoAnswer
from deskcheck.states.parse import read_value
from deskcheck.states.plain import plain_text
from deskcheck.strategies.cwm import read_answer
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

SOURCE = "def f(xs):\n    s = g(xs[0])\n    return s\n\ndef g(x):\n    return x + 1\n"
FRAMES = """\
<|line_sep|>{}<|action_sep|>    return f([1, 'a'])
<|call_sep|>{"xs": "[1, 'a']"}<|action_sep|>def f(xs):
<|line_sep|>{"xs": ".."}<|action_sep|>    s = g(xs[0])
<|call_sep|>{"x": "1"}<|action_sep|>def g(x):
<|line_sep|>{"x": ".."}<|action_sep|>    return x + 1
<|return_sep|><|action_sep|>    return x + 1
<|arg_sep|>"2"
<|line_sep|>{"xs": "..", "s": "2"}<|action_sep|>    return s
<|return_sep|><|action_sep|>    return s
<|arg_sep|>"2"
<|return_sep|><|action_sep|>    return f([1, 'a'])
<|arg_sep|>"2"
"""


def text_of(source: str, arguments: str) -> tuple[str, str]:
    program = make_program(source, "f", arguments, origin="test")
    (example,) = cwm.render(trace_program(program, Limits()), program)
    return example.prompt, example.target


def test_a_run_is_written_frame_by_frame():
    prompt, target = text_of(SOURCE, "[1, 'a']")
    assert target.replace("\n<|frame_sep|>", "\n").replace("<|frame_sep|>", "\n") == FRAMES
    assert prompt == (
        f"<|trace_context_start|>{SOURCE}\ndef main():  # << START_OF_TRACE\n    return f([1, 'a'])\n"
        "<|frame_sep|><|call_sep|>{}<|action_sep|>def main():  # << START_OF_TRACE\n<|frame_sep|>"
    )


def test_an_exception_is_a_frame_of_whoever_it_passes():
    _, target = text_of("def f(d):\n    return g(d)\n\ndef g(d):\n    return d['k']\n", "{}")
    ends = [frame for frame in read_frames(target) if frame[0] in ("return", "exception")]
    assert ends == [("exception", {}, "KeyError('k')")] * 3
    assert read_answer(Completion(target, "stop")).text == "raises KeyError"  # type: ignore[union-attr]


def test_values_are_written_as_repr_writes_them_and_a_circle_ends():
    assert plain_text(read_value("#1[#2[0], #2, #1]"), {}) == "[[0], [0], ...]"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("the answer is 2", "unparsable"),
        ('<|line_sep|>{"a": ".."}<|action_sep|>x<|frame_sep|>', "unparsable"),
        ('<|line_sep|>["a"]<|action_sep|>x<|frame_sep|>', "unparsable"),
        ("<|line_sep|>{}<|action_sep|>x<|frame_sep|>", "unparsable"),
        ('<|return_sep|><|action_sep|>x<|arg_sep|>"<object>"<|frame_sep|>', "unparsable"),
        ("<|return_sep|><|action_sep|>x<|arg_sep|>", "unparsable"),
        ("", "unparsable"),
    ],
)
def test_what_is_no_trace_is_no_answer(text: str, reason: str):
    found = read_answer(Completion(text, "stop"))
    assert isinstance(found, NoAnswer)
    assert found.reason == reason
