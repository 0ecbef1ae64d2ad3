"""cwm: the trace format of Meta's Code World Model; the whole run in one answer, frame by frame.

    <|trace_context_start|>def f(n):..      def main():  # << START_OF_TRACE    return f(3)
    <|frame_sep|><|call_sep|>{}<|action_sep|>def main():  # << START_OF_TRACE<|frame_sep|>     (prompt)
    -> <|line_sep|>{}<|action_sep|>    return f(3)<|frame_sep|><|call_sep|>{"n": "3"}<|action_sep|>def f(n):..
       <|line_sep|>{"n": "..", "s": "4"}<|action_sep|>    return s<|frame_sep|><|return_sep|>..<|arg_sep|>"4"

Locals are JSON, with every value as the text of its repr; ".." stands for the value in the previous frame of
the same scope. A frame's source is the line with its indentation. A function that an exception leaves has no
return frame; its caller gets an exception frame, after which every value is written in full. Iterators,
identity and globals are lost, because CWM does not have them. Source: PROMPTING_GUIDE.md of
github.com/facebookresearch/cwm (arXiv 2510.02387) and the seeded `main` of its CRUXEval evaluation. Neither
documents the text for a function that an exception leaves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from deskcheck.records import Example, Program, Trace
from deskcheck.states.plain import plain_locals, plain_text
from deskcheck.states.steps import steps
from deskcheck.states.tree import StateTree

LAYOUT = "cwm"
ANSWER_TOKENS = 2048
WHOLE_RUN = True
HEADER = "def main():  # << START_OF_TRACE\n"
START, FRAME, ACTION, ARG = "<|trace_context_start|>", "<|frame_sep|>", "<|action_sep|>", "<|arg_sep|>"
MARKS = {
    "call": "<|call_sep|>",
    "line": "<|line_sep|>",
    "return": "<|return_sep|>",
    "exception": "<|exception_sep|>",
}
Shown = tuple[str, dict[str, str], str]
"""(kind of the frame, locals of a call or line, value of a return or exception)."""


def context(program: Program) -> str:
    """Write the prompt: the program, the call as `main`, and the frame of main's call."""
    code = program.source.rstrip("\n")
    return f"{START}{code}\n\n{HEADER}{_call(program)}{FRAME}{MARKS['call']}{{}}{ACTION}{HEADER}{FRAME}"


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example: every frame after that of main's call."""
    lines = ["", *(f"{line}\n" for line in program.source.split("\n"))]
    scopes: list[dict[str, str]] = [{}]
    texts = []
    for line, (kind, local, value) in _frames(trace):
        source = lines[line] if line else _call(program)
        texts.append(f"{MARKS[kind]}{locals_text(kind, local, scopes)}{ACTION}{source}")
        texts.append(f"{ARG}{json.dumps(value, ensure_ascii=False)}{FRAME}" if value else FRAME)
    return [Example(program.id, LAYOUT, context(program), "".join(texts), 0, trace.n_steps)]


def parse(program: Program, examples: list[Example]) -> list[Shown]:
    """Read the frames of the example, with each ".." replaced by its value."""
    return list(read_frames(examples[0].target))


def keeps(trace: Trace) -> list[Shown]:
    """Return all frames of a trace after that of main's call."""
    return [shown for _, shown in _frames(trace)]


def _frames(trace: Trace) -> Iterator[tuple[int, Shown]]:
    """Yield (line, frame) for every frame of the run; line 0 is the line of main."""
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


UNTOLD: dict[str, str] = {"": "not told"}
"""Locals of a frame without an observation; some fine-tuned models write no observations."""


def read_frames(text: str, *, may_leave_out: bool = False) -> Iterator[Shown]:
    """Yield all frames of a text; ValueError if one is malformed.

    With `may_leave_out`, a call or line without an observation has the locals `UNTOLD`.
    """
    scopes: list[dict[str, str]] = [{}]
    for part in text.split(FRAME):
        if not part.strip():
            continue
        kind = next((kind for kind, mark in MARKS.items() if part.lstrip().startswith(mark)), "")
        observed, action, rest = part.lstrip().removeprefix(MARKS.get(kind, "")).partition(ACTION)
        if not kind or not action:
            raise ValueError(f"no frame: '{part[:60]}'")
        _, _, value = rest.partition(ARG)
        if may_leave_out and kind in ("call", "line") and not observed.strip():
            yield kind, UNTOLD, ""
        elif kind in ("call", "line"):
            yield kind, _resolved(kind, _strings(observed), scopes), ""
        else:
            _left(kind, scopes)
            yield kind, {}, str(json.loads(value))


def locals_text(kind: str, local: dict[str, str], scopes: list[dict[str, str]]) -> str:
    """Write the observation of a frame, with ".." for each value that is unchanged in its scope."""
    if kind in ("return", "exception"):
        _left(kind, scopes)
        return ""
    if kind == "call":
        scopes.append({})
    shown = {name: ".." if scopes[-1].get(name) == text else text for name, text in local.items()}
    scopes[-1] = local
    return json.dumps(shown, ensure_ascii=False)


def _resolved(kind: str, values: dict[str, str], scopes: list[dict[str, str]]) -> dict[str, str]:
    if kind == "call":
        scopes.append({})
    unknown = [name for name, text in values.items() if text == ".." and name not in scopes[-1]]
    if unknown:
        raise ValueError(f"'{unknown[0]}' is \"..\" and was never told")
    scopes[-1] = {name: scopes[-1][name] if text == ".." else text for name, text in values.items()}
    return scopes[-1]


def _strings(text: str) -> dict[str, str]:
    found = json.loads(text)
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise ValueError(f"no JSON object of strings: '{text[:60]}'")
    return found


def _left(kind: str, scopes: list[dict[str, str]]) -> None:
    """Return to the caller's scope, or forget all values after an exception, whose scope is not known."""
    if kind == "return" and len(scopes) > 1:
        scopes.pop()
    else:
        scopes[:] = [{}]
