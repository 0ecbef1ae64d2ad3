"""sub: line-1 whose answer first writes out the operations of the line, innermost first.

    @2     s = (a + b) % 7
    @2 | a=3; b=9
    s = (a + b) % 7
    -> 3 + 9 -> 12 | 12 % 7 -> 1 0 1; 12 1 5 = 5 | @3 | s=5

Every operation is written, even if the line has only one. A condition is written before its jump: `9 < 3 ->
False | @5`. Some operations, such as products and divisions, have intermediate results before their value
(`languages/python/working.py`). The model's operations are parsed, because a malformed answer counts as no
answer. They are neither checked nor corrected.

Source: sub-steps in the answer as in ET-CoT / PyTracify (Eguchi and Akiba), combined with the dynamic
scratchpad of Execution Tuning. The trace must have expression granularity.
"""

from __future__ import annotations

import re

from deskcheck.layouts._nested import Operation, nested_steps
from deskcheck.records import Example, Granularity, Program, Trace
from deskcheck.states.parse import read_leading_value, read_state, read_step
from deskcheck.states.steps import example, line_body, state_of
from deskcheck.states.tree import StateTree, Step, Value

LAYOUT = "sub"
GRANULARITY = Granularity.EXPRESSION
_STEP_MARKS = "@><!^"  # signs with which a step begins
# _BEFORE_ARROW skips whole strings, because an arrow may stand in one. It never tries a string both ways: a
# text of n strings without an arrow would take 2 ** n attempts.
ARROW, EQUALS, END = " -> ", " = ", " | "
_BEFORE_ARROW = re.compile(r"(?>'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|(?! -> ).)+? -> ")
_PLACE = re.compile(r"#\d+ ")
_BEFORE_EQUALS = re.compile(r"[0-9+; -]* = ")
"""Pattern of the rest of a working: numbers and their signs, up to an equals sign."""


body = line_body
"""Write the prompt after the head: one state, and the text of its line."""


def answer(operations: list[Operation], step: Step) -> str:
    """Write an answer: the operations, then the step."""
    return " | ".join([*map(str, operations), str(step)])


def read_answer(text: str) -> tuple[list[Operation], Step]:
    """Read an answer, as written by `answer`. ValueError if the text is malformed."""
    operations = []
    at = 0
    while text[at : at + 1] not in _STEP_MARKS or at == len(text):
        match = _BEFORE_ARROW.match(text, at)
        if not match:
            raise ValueError(f"neither a step nor an operation with its value: {text[at : at + 40]!r}")
        operation, at = _read_value(text, match.group()[: -len(ARROW)], match.end())
        operations.append(operation)
    return operations, read_step(text[at:])


def _read_value(text: str, operation: str, start: int) -> tuple[Operation, int]:
    """Read the working and the value from `start`; return them with the start of the next part."""
    equals = _after_places(text, start) - len(EQUALS)
    while True:
        value, at = read_leading_value(text, equals + len(EQUALS))
        if text.startswith(END, at):
            return Operation(operation, value, text[start : max(start, equals)]), at + len(END)
        # This value is a part of the working; the operation's value follows the last equals sign.
        match = _BEFORE_EQUALS.match(text, at)
        if not match:
            raise ValueError(f"expected ' | ' at character {at}, found {text[at : at + 20]!r}")
        equals = match.end() - len(EQUALS)


def _after_places(text: str, start: int) -> int:
    """Return the start of the value after a working of elements with indices; `start` if there is none."""
    at = start
    while found := _PLACE.match(text, at):
        at = read_leading_value(text, found.end())[1]
        if text.startswith(EQUALS, at):
            return at + len(EQUALS)
        at += 1
    if at > start:
        raise ValueError(f"expected a place or ' = ' at character {at}, found {text[at : at + 20]!r}")
    return start


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example for each executed line, with its operations."""
    return [
        example(LAYOUT, program, trace, body(before, program), answer(operations, step), number)
        for number, (before, operations, step, _) in enumerate(nested_steps(trace, program))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, list[Value], Step]]:
    """Read each example back: its state, the values of the operations, and the next step."""
    rows = []
    for written in examples:
        operations, step = read_answer(written.target)
        state = read_state(state_of(written.prompt, program, LAYOUT))
        rows.append((state, [operation.value for operation in operations], step))
    return rows


def keeps(trace: Trace) -> list[tuple[StateTree, list[Value], Step]]:
    """List each state of the trace with the values of the operations and the next step."""
    return [
        (before, [operation.value for operation in found], step)
        for before, found, step, _ in nested_steps(trace)
    ]


def scored(text: str) -> str:
    """Return the scored part of an answer: the step after the operations, or "" if malformed."""
    try:
        return str(read_answer(text)[1])
    except ValueError:
        return ""
