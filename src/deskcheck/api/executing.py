"""Let a model execute a program from Python, step by step, and compare its states with the true run.

    run = deskcheck.execute(f, 27)                 # the shipped model; any other: model="openai/gpt-4o"
    run.is_right, run.answer, run.first_wrong, print(run), run.show()

The program is traced in the sandbox, as by `deskcheck execute`. The model sees only the program's text and
the call.
"""

from __future__ import annotations

import builtins
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, overload

from deskcheck.api.trace import Trace
from deskcheck.errors import UserError
from deskcheck.records import BeliefStep, Limits, Program
from deskcheck.records import Trace as Record
from deskcheck.states.values import literal_of

if TYPE_CHECKING:
    from types import FunctionType

_T = TypeVar("_T")


class ModelStep:
    """One state that a model wrote, beside the true one. An element of `Execution`.

    Attributes:

    - `name`: number of the step that comes next, as in a trace; or "call" before the first line of a
      call, "back" after its return, "raise" while an exception passes through, "end" with the outcome.
    - `line`: line that the true run is about to execute; None after its end.
    - `truth`: the true state as text: "@2 | n=3" = line 2 is next and n is 3; "" after the end.
    - `belief`: the model's state as text; "" if it wrote none.
    - `differs`: parts in which the two states differ: "variables", "control flow", ..; "" = they are
      equal.

    >>> def double(n):
    ...     return n + n
    >>> first = deskcheck.execute(double, 4)[0]
    >>> first.differs, first.truth == first.belief
    ('', True)
    """

    def __init__(self, name: str, step: BeliefStep, *, hide: Callable[[str], str]) -> None:
        self._hide = hide
        self.name = name
        self.line = step.line or None
        self.truth = step.true
        self.belief = step.believed
        self.differs = step.apart

    def __repr__(self) -> str:
        mark = f"≠ {self.belief or '(over)'}" if self.differs else "="
        return self._hide(f"<{self.name}: {self.truth or '(over)'} {mark}>")


class Execution(Sequence[ModelStep]):
    """A model's execution of one call, state by state. Made by `deskcheck.execute`.

    A sequence of `ModelStep`: `run[0]` is the state at the call, `run[k]` the state after k steps of the
    model. What is printed or shown as a page hides passwords, tokens and keys.

    Attributes:

    - `model`: name of the model that was asked.
    - `strategy`: strategy in which it was asked.
    - `answer`: the model's answer as a literal; "no answer: .." with a reason if there is none.
    - `expected`: the true outcome as a literal, or "raises KeyError".
    - `n_questions`: number of questions that the model was asked.
    - `n_again`: number of these questions that repeat an earlier one, because its reply could not be
      read.
    - `note`: what you must know to judge the model's steps on this program; "" = nothing.

    >>> def double(n):
    ...     return n + n
    >>> run = deskcheck.execute(double, 4)
    >>> run.call, run.expected, len(run) > 1
    ('double(4)', '8', True)
    """

    def __init__(self, model: str, program: Program, record: Record, execution: Any) -> None:
        from deskcheck.viewer.execution import answer_text, step_names

        self._program, self._record, self._execution = program, record, execution
        self.model = model
        self.strategy: str = execution.strategy
        self.answer: str = answer_text(execution.answer)
        self.expected: str = execution.expected
        self.n_questions: int = execution.n_questions
        self.n_again: int = execution.n_again
        self.note: str = execution.note
        self._steps = [
            ModelStep(name, step, hide=self._hidden)
            for name, step in zip(step_names(execution.steps), execution.steps, strict=True)
        ]

    @property
    def call(self) -> str:
        """The call that was executed: "f(27)"."""
        return self._program.call

    @property
    def is_right(self) -> bool:
        """Tell whether the model's answer has the value and type of the true one."""
        from deskcheck.grading.verdict import grade

        return grade(f"[ANSWER]{self.answer}[/ANSWER]", expected=self.expected).verdict == "right"

    @property
    def first_wrong(self) -> ModelStep | None:
        """The first state that differs from the true one; None if none does."""
        return next((step for step in self._steps if step.differs), None)

    @cached_property
    def trace(self) -> Trace:
        """The true run, recorded in the sandbox."""
        return Trace(self._program, self._record)

    def __len__(self) -> int:
        return len(self._steps)

    @overload
    def __getitem__(self, index: int) -> ModelStep: ...
    @overload
    def __getitem__(self, index: slice) -> list[ModelStep]: ...
    def __getitem__(self, index: int | slice) -> ModelStep | list[ModelStep]:
        return self._steps[index]

    def __iter__(self) -> Iterator[ModelStep]:
        return iter(self._steps)

    def __repr__(self) -> str:
        wrong = self.first_wrong
        place = f", differs from {wrong.name} on" if wrong else ""
        ending = "right" if self.is_right else f"wrong, it is {self.expected}"
        return self._hidden(f"<{self.model} on {self.call}: {self.answer} ({ending}){place}>")

    def _hidden(self, text: str) -> str:
        """Return a text without the run's secrets."""
        return self.trace._redactor.text(text)

    def __str__(self) -> str:
        from deskcheck.viewer.execution import execution_lines

        steps = self._execution.steps
        lines = execution_lines(self._program, steps, answer=self.answer, expected=self.expected)
        return self._hidden("\n".join([*lines, f"note: {self.note}"] if self.note else lines))

    def show(self, path: str | Path = "", *, is_opened: bool = True) -> Path:
        """Write the page that shows every state beside the truth, open it in a browser, return its path.

        Without a path the page is a temporary file.
        """
        from deskcheck.viewer.document import View, page_of, show_page
        from deskcheck.viewer.execution import run_of_steps
        from deskcheck.viewer.opening import without_secrets

        done = self._execution
        run = run_of_steps(f"{self.model}, {self.strategy}", done.steps, done.answer, done.expected)
        notes = [self.note] if self.note else []
        shown = View(self._program, [self._record], runs=[run], notes=notes)
        view = without_secrets(shown, option="--no-redact")
        return show_page(page_of(view), path, is_opened=is_opened)


def execute(
    program: Callable[..., object] | str,
    /,
    *args: object,
    call: str = "",
    model: str = "tiny",
    strategy: str = "",
    max_steps: int = 200,
    model_args: Mapping[str, object] | None = None,
    **kwargs: object,
) -> Execution:
    """Let a model execute a call step by step, and put every state that it writes beside the true one.

    Arguments:

    - `program`, `*args`, `**kwargs`: a function and its arguments; or the text of a program, with `call`.
    - `call`: the call in a program's text: "f(27)".
    - `model`: "tiny" (ships with the package) or "provider/model"; `model_args`: arguments for opening it.
    - `strategy`: a way to go from state to state, such as "line-1"; "" = the first such strategy on the
      model's card.
    - `max_steps`: largest number of steps of the model's chain; an unreadable reply is asked for again.

    Errors: UserError if the function uses names from outside of it or the run does not end; MissingExtra
    without the extra `eval`.

    >>> def double(n):
    ...     total = n + n
    ...     return total
    >>> run = deskcheck.execute(double, 4)
    >>> run.answer, run.is_right, run[1].belief
    ('8', True, '@2 | n=4')
    """
    from deskcheck.evaluation.execute import run_execute
    from deskcheck.tracing.collect import trace_programs
    from deskcheck.tracing.program import make_program
    from deskcheck.tracing.redaction.redactor import hidden_in_errors

    if isinstance(program, str):
        entry, bracket, arguments = call.strip().partition("(")
        if not bracket or not arguments.endswith(")") or args or kwargs:
            raise UserError(f"call={call!r}: with the text of a program say what to call: call='f(3)'")
        made = make_program(program, entry.strip(), arguments[:-1], origin="python")
    else:
        source, entry = _source_of(program)
        made = make_program(source, entry, _arguments(args, kwargs), origin="python")
    (_, record), *_ = trace_programs([made], Limits(), workers=1)
    with hidden_in_errors(Trace(made, record)._redactor):
        execution = off_the_loop(
            lambda: run_execute(
                made,
                record,
                model=model,
                max_steps=max_steps,
                model_args=as_options(model_args or {}),
                strategy=strategy,
            )
        )
    return Execution(model, made, record, execution)


def _source_of(function: object) -> tuple[str, str]:
    """Return text and name of a function that uses no names from outside of it. UserError for any other."""
    plain: FunctionType | None = inspect.unwrap(function) if callable(function) else None
    if not inspect.isfunction(plain) or plain.__name__ == "<lambda>":
        raise UserError(
            f"deskcheck.execute needs a function made with def, or the text of a program, not {function!r}"
        )
    try:
        source = textwrap.dedent(inspect.getsource(plain))
    except (OSError, TypeError):
        raise UserError(
            f"the text of {plain.__name__} is not known; pass it: deskcheck.execute(text, call='f(3)')"
        ) from None
    lines = source.splitlines(keepends=True)
    first = next((at for at, line in enumerate(lines) if line.startswith(("def ", "async def "))), 0)
    used = [
        name for name in plain.__code__.co_names if name in plain.__globals__ and not hasattr(builtins, name)
    ]
    outside = [name for name in [*used, *plain.__code__.co_freevars] if name != plain.__name__]
    if outside:
        raise UserError(
            f"{plain.__name__} uses names from outside of it: {', '.join(dict.fromkeys(outside))}; "
            "a model sees the text of the program alone: pass it whole, deskcheck.execute(text, call='f(3)')"
        )
    return "".join(lines[first:]), plain.__name__


def _arguments(args: tuple[object, ...], kwargs: dict[str, object]) -> str:
    shown = [literal_of(value, "an argument") for value in args]
    shown += [f"{name}={literal_of(value, f'the argument {name}')}" for name, value in kwargs.items()]
    return ", ".join(shown)


def as_options(values: Mapping[str, object]) -> list[str]:
    """Write a model's arguments as on the command line: key=value; a value that is no text is JSON."""
    import msgspec

    return [
        f"{name}={value if isinstance(value, str) else msgspec.json.encode(value).decode()}"
        for name, value in values.items()
    ]


def off_the_loop(work: Callable[[], _T]) -> _T:
    """Return the result of `work()`; it runs in a thread if an event loop is running, as in a notebook."""
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(work).result()
