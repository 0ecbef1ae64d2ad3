"""Read the run that a model's written states describe: lines reached, exceptions, variables.

    run = believed(program, [read_state(">1 | n=3"), read_state("@2 | n=3"), ..])
    run.reached -> [Visit(event=1, frame=0, line=2, nth=1), ..]      `event` is the number of a state

This module reads from states what `states/visits.py` reads from a true trace, by the same rules. It uses
neither the truth nor an execution of the program. States within a line (expressions, instructions) belong to
their line; a line is reached in the state at its beginning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from msgspec import Struct

from deskcheck.languages import facts
from deskcheck.records import Program
from deskcheck.states.tree import Frame, StateTree, Value, is_span
from deskcheck.states.visits import Visit, visits_of

MOST_PARTS = 100_000
"""Largest number of parts of one value; an object counts each time that it is written out."""


class Believed(Struct, frozen=True):
    """Run that the states of a model's text describe."""

    states: Sequence[StateTree]
    """States before each step; the run may be cut after the last one."""
    rows: Sequence[tuple[int, int, int]]
    """(number of the state, activation, line) for each beginning of a line of the program's own functions.

    An activation is one call of a function, numbered from 0."""
    reached: Sequence[Visit]
    raised: dict[int, list[int]]
    """Activation -> states in which an exception has just been raised in it, or has reached it."""


def believed(program: Program, states: Iterable[StateTree], *, ends_raising: bool = False) -> Believed:
    """Return the run in these states, up to the first state without a frame.

    `ends_raising`: whether the run ends by an exception.
    """
    text = facts(program)
    stack: list[tuple[int, bool]] = []  # (number of the activation, is it a function of the program)
    beliefs: list[StateTree] = []
    rows: list[tuple[int, int, int]] = []
    arrived: list[tuple[int, int]] = []  # (activation, state) with an exception on its way
    before: dict[int, tuple[int, int]] = {}  # activation -> the line and instruction that it was at
    n_activations = 0
    for number, state in enumerate(states):
        if not state.frames:
            break
        beliefs.append(state)
        del stack[len(state.frames) :]
        top = state.frames[-1]
        while len(stack) < len(state.frames):
            line = state.frames[len(stack)].line
            stack.append((n_activations, line in text.definitions or line not in text.inline))
            n_activations += 1
        activation, is_own = stack[-1]
        if top.pending == "!":
            arrived.append((activation, number))
        if is_own and _begins(top, before.get(activation, (0, -1)), text.one_line_loops):
            rows.append((number, activation, top.line))
        if top.mark == "@" or top.line not in text.definitions:  # a generator resumes in the middle of a line
            before[activation] = top.line, top.offset
    raised: dict[int, list[int]] = {}
    for activation, number in arrived:
        if _is_raised(beliefs, number, text.handlers, ends_raising):
            raised.setdefault(activation, []).append(number)
    return Believed(beliefs, rows, visits_of(program, rows), raised)


def _is_raised(states: Sequence[StateTree], number: int, handlers: Set[int], ends_raising: bool) -> bool:
    """Return whether the exception in this state reaches its frame; a callee's may end before, in C code.

    An example is the end of a generator inside `all`: the frame then continues normally.
    """
    depth = len(states[number].frames)
    if number and len(states[number - 1].frames) <= depth:
        return True
    if number + 1 == len(states):
        return ends_raising
    following = states[number + 1].frames
    if len(following) < depth:
        return following[-1].pending == "!"
    return len(following) == depth and (following[-1].pending == "!" or following[-1].line in handlers)


def _begins(top: Frame, before: tuple[int, int], loops: Set[int]) -> bool:
    """Return whether a line begins in this state.

    Of the instructions, the first one of a line begins it, and so does the jump back of a loop on one line.
    Other jumps back on a line (a comprehension, `yield from`) are in the middle of a statement.
    """
    if top.mark != "@" or top.pending or any(is_span(name) for name in top.entries):
        return False
    return top.offset < 0 or top.line != before[0] or (top.offset <= before[1] and top.line in loops)


def variables(state: StateTree) -> dict[str, Value]:
    """Return the variables of the running frame, every label resolved.

    ValueError for a label without an object.
    """
    labelled: dict[int, Value] = {}
    waiting = [*state.module.values()]
    for frame in state.frames:
        waiting += [*frame.entries.values(), *([frame.value] if frame.value is not None else [])]
    while waiting:
        value = waiting.pop()
        if value.label and value.kind != "label":
            labelled[value.label] = value
        waiting += value.items
    entries = state.frames[-1].entries.items()
    return {
        name: _resolved(value, labelled, frozenset(), [MOST_PARTS])
        for name, value in entries
        if name[0] not in "~^."
    }


def _resolved(value: Value, labelled: dict[int, Value], above: frozenset[int], room: list[int]) -> Value:
    """Return the value with objects in place of labels, except for an object inside itself."""
    room[0] -= 1
    if room[0] < 0:
        raise ValueError(f"written out, a value has more than {MOST_PARTS} parts")
    label = value.label
    if label in above:
        return Value("label", "", label)
    if value.kind == "label":
        if label not in labelled:
            raise ValueError(f"#{label} refers to nothing")
        value = labelled[label]
    inside = above | {label} if label else above
    items = tuple([_resolved(item, labelled, inside, room) for item in value.items])
    return Value(value.kind, value.text, 0, items, value.names, value.position)


def is_function(value: Value) -> bool:
    """Return whether a value is a function, or another object without a literal: "<g>", "<f>(n=3)"."""
    return value.kind == "opaque" or (value.kind == "call" and value.text.startswith("<"))
