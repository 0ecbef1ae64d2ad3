"""sub: line-1 whose answer first writes out the operations nested in the line, innermost first.

    @2     s = (a + b) % 10
    @2 | a=3; b=9
    s = (a + b) % 10
    -> 3 + 9 -> 12 | 12 % 10 -> 2 | @3 | s=2

A step with fewer than two operations is written as line-1 writes it. What stands before the step is the
model's own working: it is read, so that a malformed answer is none, and then forgotten; nothing corrects it.
A quarter of CRUXEval's steps hold two operations or more; written out they cost about 8 tokens a step.

Source: in-answer sub-steps as in ET-CoT / PyTracify (Eguchi and Akiba), on the dynamic scratchpad of
Execution Tuning. Needs a trace of expression granularity.
"""

from __future__ import annotations

import re

from deskcheck.records import Example, Granularity, Program, Trace
from deskcheck.representations._nested import Operation, nested_steps
from deskcheck.states.parse import read_leading_value, read_state, read_step
from deskcheck.states.prompt import example, line_body, state_of
from deskcheck.states.tree import StateTree, Step, Value

LAYOUT = "sub"
GRANULARITY = Granularity.EXPRESSION
FEWEST = 2
"""Operations that are written out; a single one is the step itself."""
_STEP_MARKS = "@><!^"
# Strings are passed over: an arrow may stand in them.
_BEFORE_ARROW = re.compile(r"(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|(?! -> ).)+? -> ")


def body(state: StateTree, program: Program) -> str:
    """The question: one state, and the line that it is at."""
    return line_body(state, program)


def answer(operations: list[Operation], step: Step) -> str:
    """The operations, then the step."""
    return " | ".join([*map(str, written(operations)), str(step)])


def written(operations: list[Operation]) -> list[Operation]:
    """Those that an answer writes out."""
    return operations if len(operations) >= FEWEST else []


def read_answer(text: str) -> tuple[list[Operation], Step]:
    """The inverse. ValueError where the text is not of that form."""
    operations = []
    at = 0
    while text[at : at + 1] not in _STEP_MARKS or at == len(text):
        found = _BEFORE_ARROW.match(text, at)
        if not found:
            raise ValueError(f"neither a step nor an operation with its value: {text[at : at + 40]!r}")
        value, at = read_leading_value(text, found.end())
        operations.append(Operation(found.group()[: -len(" -> ")], value))
        if not text.startswith(" | ", at):
            raise ValueError(f"expected ' | ' at character {at}, found {text[at : at + 20]!r}")
        at += len(" | ")
    return operations, read_step(text[at:])


def render(trace: Trace, program: Program) -> list[Example]:
    """One example a step."""
    return [
        example(LAYOUT, program, trace, body(before, program), answer(operations, step), number)
        for number, (before, operations, step, _) in enumerate(nested_steps(trace, program))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[StateTree, list[Value], Step]]:
    """Every state with the values of the operations, and the step, that follow it."""
    rows = []
    for one in examples:
        operations, step = read_answer(one.target)
        state = read_state(state_of(one.prompt, program, LAYOUT))
        rows.append((state, [operation.value for operation in operations], step))
    return rows


def keeps(trace: Trace) -> list[tuple[StateTree, list[Value], Step]]:
    """Every state with the values of the operations, and the step, that follow it."""
    return [
        (before, [operation.value for operation in written(found)], step)
        for before, found, step, _ in nested_steps(trace)
    ]


def scored(text: str) -> str:
    """The part of an answer that counts: the step after its working; "" where there is none."""
    try:
        return str(read_answer(text)[1])
    except ValueError:
        return ""
