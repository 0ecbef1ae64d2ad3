"""cwm: the trace format of Meta's Code World Model; the whole run in one answer, frame by frame.

    <|trace_context_start|>def f(n):..      def main():  # << START_OF_TRACE    return f(3)
    <|frame_sep|><|call_sep|>{}<|action_sep|>def main():  # << START_OF_TRACE<|frame_sep|>      (given)
    -> <|line_sep|>{}<|action_sep|>    return f(3)<|frame_sep|><|call_sep|>{"n": "3"}<|action_sep|>def f(n):..
       <|line_sep|>{"n": "..", "s": "4"}<|action_sep|>    return s<|frame_sep|><|return_sep|>..<|arg_sep|>"4"

Locals are JSON with every value as the text of its repr; ".." = as in this scope's frame before. A frame's
source is the line as it stands. What an exception leaves has no return frame; its caller has an exception
frame, and after one every value is told in full. Not kept: iterators, identity, globals (CWM has none).
Source: PROMPTING_GUIDE.md of github.com/facebookresearch/cwm (arXiv 2510.02387) and the seeded `main` of its
CRUXEval evaluation; how it writes what an exception leaves is not documented.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from deskcheck.records import Example, Program, Trace
from deskcheck.representations._cwm import ACTION, ARG, FRAME, MARKS, START, Shown, read_frames, told
from deskcheck.representations._plain import plain_locals, plain_text
from deskcheck.representations._steps import steps
from deskcheck.representations._tree import StateTree

LAYOUT = "cwm"
HEADER = "def main():  # << START_OF_TRACE\n"


def context(program: Program) -> str:
    """The prompt: the program, the call as `main`, and the frame of main's call."""
    code = program.source.rstrip("\n")
    return f"{START}{code}\n\n{HEADER}{_call(program)}{FRAME}{MARKS['call']}{{}}{ACTION}{HEADER}{FRAME}"


def render(trace: Trace, program: Program) -> list[Example]:
    """One example: every frame after that of main's call."""
    lines = ["", *(f"{line}\n" for line in program.source.split("\n"))]
    scopes: list[dict[str, str]] = [{}]
    texts = []
    for line, (kind, local, value) in _frames(trace):
        source = lines[line] if line else _call(program)
        texts.append(f"{MARKS[kind]}{told(kind, local, scopes)}{ACTION}{source}")
        texts.append(f"{ARG}{json.dumps(value, ensure_ascii=False)}{FRAME}" if value else FRAME)
    return [Example(program.id, LAYOUT, context(program), "".join(texts), 0, trace.n_steps)]


def parse(program: Program, examples: list[Example]) -> list[Shown]:
    """The frames, ".." resolved."""
    return list(read_frames(examples[0].target))


def keeps(trace: Trace) -> list[Shown]:
    """The frames of a trace."""
    return [shown for _, shown in _frames(trace)]


def _frames(trace: Trace) -> Iterator[tuple[int, Shown]]:
    """Line (0 = main's) and frame for every frame of the run."""
    yield 0, ("line", {}, "")
    first = True
    for before, step, after in steps(trace):
        if first:
            yield before.frames[-1].line, ("call", plain_locals(before), "")
            first = False
        if step.mark in ("@", ">"):
            yield step.line, ("line" if step.mark == "@" else "call", plain_locals(after), "")
            continue
        value = plain_text(step.value, {}) if step.value is not None else "None"
        if step.mark == "!!":
            yield _line(after), ("exception", {}, value)
        else:
            kind = "exception" if step.mark == "!" else "return"
            yield _line(before), (kind, {}, value)
    if step.mark == "<-":
        yield 0, ("return", {}, value)


def _line(state: StateTree) -> int:
    return state.frames[-1].line if state.frames else 0


def _call(program: Program) -> str:
    return f"    return {program.call}\n"
