"""The head of every prompt: the layout's name and the numbered code, and how examples are made from steps.

    head("line-1", program) -> "[line-1]\\n@1 def f(n):\\n@2     return n\\n"

The head is the same for all questions about one program in one layout, so a model reads it once.
"""

from __future__ import annotations

from functools import lru_cache

from deskcheck.records import Example, Program, Trace
from deskcheck.states.steps import run_of
from deskcheck.states.tree import StateTree, Step, Value
from deskcheck.tracing.program import bundle_of

NOTATION = 2
"""Raised when the text of any layout changes: rows made from another one must not be mixed with these."""


@lru_cache(maxsize=64)  # asked for with every question about a program
def _lines(source: str) -> list[str]:
    return source.rstrip("\n").split("\n")


@lru_cache(maxsize=64)
def _numbered(source: str) -> str:
    return "".join([f"@{n} {line}\n" for n, line in enumerate(_lines(source), 1)])


@lru_cache(maxsize=64)
def _has_other_files(program: Program) -> bool:
    bundle = bundle_of(program)
    return bundle is not None and bool(bundle.files)


def head(layout: str, program: Program) -> str:
    """The layout's name, and the program's lines after the marks by which states name them."""
    return f"[{layout}]\n{_numbered(program.source)}"


def call_body(program: Program) -> str:
    """The question for layouts that answer a whole run at once."""
    return f"call {program.call}\n"


def line_body(state: StateTree, program: Program) -> str:
    """The question about one line: the state before it, and below it its text (docs/decisions/012).

    "@2 | n=4\\nreturn n * 2\\n"; no text where the innermost frame is at no line of the program, nor in a
    program of several files: a state does not say whose line it is at.
    """
    lines = [] if program.prelude and _has_other_files(program) else _lines(program.source)
    number = state.frames[-1].line if state.frames else 0
    return f"{state}\n{lines[number - 1].strip()}\n" if 0 < number <= len(lines) else f"{state}\n"


def example(layout: str, program: Program, trace: Trace, body: str, target: str, step: int = 0) -> Example:
    """One Example; `step` counts the steps before its prompt."""
    return Example(
        program_id=program.id,
        representation=layout,
        prompt=head(layout, program) + body,
        target=target,
        step=step,
        n_steps=trace.n_steps,
    )


def body_of(example_text: str, program: Program, layout: str) -> str:
    """What stands after the head in a prompt. ValueError where the head is another one."""
    start = head(layout, program)
    if not example_text.startswith(start):
        raise ValueError(f"the prompt does not begin with the head of program {program.id}")
    return example_text[len(start) :]


def state_of(example_text: str, program: Program, layout: str) -> str:
    """The state in a prompt whose question may go on with other lines. ValueError as `body_of`."""
    return body_of(example_text, program, layout).partition("\n")[0]


def whole_run(trace: Trace) -> tuple[StateTree, list[tuple[Step, StateTree]]]:
    """The state of the call, and every step with the state after it."""
    rows = run_of(trace)
    if not rows:
        raise ValueError(f"the run of program {trace.program_id} has no steps: {trace.outcome}")
    return rows[0][0], [(step, after) for _, step, after in rows]


def last_value(step: Step) -> tuple[str, Value | None]:
    """How a run ends: the mark ("<-" or "!!") and the value."""
    return step.mark, step.value
