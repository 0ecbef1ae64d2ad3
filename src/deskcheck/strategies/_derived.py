"""Answers that a written-down run holds, whatever was asked: which lines it reached, how often, how it ended.

    derived(task, states, Answer("7")) -> Answer("[2, 3, 3, 4]") for a task "full-trace"

A layout writes the run and no answer to a question; the run that the model believes in is read as the tasks
read the true one (`tasks/_runs.py`). What its states do not tell here: values at a line, tests of branches.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from deskcheck.grading.literals import parse_module
from deskcheck.records import Answer, NoAnswer, Task
from deskcheck.representations._tree import StateTree
from deskcheck.tasks import coverage, full_trace, hot_lines, loop_counts
from deskcheck.tasks._runs import Visit, visits_of

FITS = frozenset(
    {"output", "exception", "coverage", "full-trace", "hot-lines", "reached", "loop-counts", "next-line"}
)


def derived(task: Task, states: Iterable[StateTree], ended: Answer | NoAnswer) -> Answer | NoAnswer:
    """The answer to the task's own question; `ended` is how the believed run ends."""
    if task.kind == "output" or isinstance(ended, NoAnswer):
        return ended
    if task.kind == "exception":
        raised = ended.text.startswith("raises ")
        return Answer(repr(ended.text.removeprefix("raises ")) if raised else "None")
    reached = visits_of(task.program.source, believed_lines(task.program.source, states))
    if not reached:
        return NoAnswer("unparsable", "the run that was written down reaches no line")
    return Answer(_answer(task, reached))


def _answer(task: Task, reached: list[Visit]) -> str:
    at = task.id.rpartition("@")[2]
    if task.kind == "reached":
        return str(int(at) in {visit.line for visit in reached})
    if task.kind == "next-line":
        line, nth = map(int, at.split("."))
        following = [*(visit.line for visit in reached[1:]), 0]
        found = (n for v, n in zip(reached, following, strict=True) if (v.line, v.nth) == (line, nth))
        return str(next(found, 0))
    if task.kind == "loop-counts":
        return loop_counts.answer(task.program.source, reached)
    of_lines = {
        "coverage": coverage.answer,
        "full-trace": full_trace.answer,
        "hot-lines": hot_lines.answer,
    }
    return of_lines[task.kind](reached)


def believed_lines(source: str, states: Iterable[StateTree]) -> list[tuple[int, int, int]]:
    """(number, activation, line) of every state before a line of one of the program's own functions."""
    headers, inner = _functions(source)
    stack: list[tuple[int, bool]] = []  # (number of the activation, is it a function of the program)
    found: list[tuple[int, int, int]] = []
    n_activations = 0
    for number, state in enumerate(states):
        if not state.frames:
            break
        del stack[len(state.frames) :]
        top = state.frames[-1]
        while len(stack) < len(state.frames):
            line = state.frames[len(stack)].line
            stack.append((n_activations, line in headers or line not in inner))
            n_activations += 1
        activation, is_own = stack[-1]
        if is_own and top.mark == "@" and not top.pending:
            found.append((number, activation, top.line))
    return found


def _functions(source: str) -> tuple[set[int], set[int]]:
    """Lines of headers of functions and classes; lines that hold a lambda or a comprehension."""
    headers: set[int] = set()
    inner: set[int] = set()
    for node in ast.walk(parse_module(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            headers.add(min([node.lineno, *(one.lineno for one in node.decorator_list)]))
        elif isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            inner.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return headers, inner
