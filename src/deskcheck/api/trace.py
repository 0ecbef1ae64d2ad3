"""One recorded run: its steps, the variables at each of them, and how it ended.

    t = deskcheck.trace(f, 3)
    len(t), t.result                     number of steps, value that the call returned
    for step in t: step.number, step.line, step.text, step.locals
    t.at(4).locals["n"]                  the state before step 4
    print(t); t.to_pandas(); t.save("run.deskcheck")

A step is an executed line (an expression or an instruction at those granularities). Steps count from 1:
`t.steps[0].number == 1`, and `t.at(1)` is the state before the first of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, overload

from deskcheck.api.ask import Ask
from deskcheck.errors import NoResult, UserError
from deskcheck.format.buffers import packed_of
from deskcheck.queries.answers import Difference
from deskcheck.queries.run import Run
from deskcheck.records import EventKind, Granularity, Program, Raised, Returned
from deskcheck.records import Trace as Record
from deskcheck.states.values import ValueReader
from deskcheck.tracing.program import CELL, bundle_of, make_program
from deskcheck.tracing.redaction.redactor import Redactor
from deskcheck.tracing.replay import FrameState, final_state, states
from deskcheck.tracing.replay import State as RecordedState

if TYPE_CHECKING:
    import pandas

_STEP_EVENTS = {
    Granularity.LINE: EventKind.LINE,
    Granularity.EXPRESSION: EventKind.EXPRESSION,
    Granularity.INSTRUCTION: EventKind.INSTRUCTION,
}


class Exit:
    """The exception by which a run ended. The value of `Trace.raised`.

    Attributes:

    - `type`: qualified name of the exception's class: "KeyError".
    - `message`: text of the exception's arguments that are plain data; no code of the program makes it.
    - `line`: line of the program's file at which the exception left the last traced call; None if
      unknown.
    - `value`: the exception as a stand-in, with its recorded attributes.

    >>> def first(xs):
    ...     return xs[0]
    >>> exit = deskcheck.trace(first, []).raised
    >>> exit.type, exit.message
    ('IndexError', 'list index out of range')
    """

    def __init__(self, outcome: Raised, value: object, *, hide: Callable[[str], str]) -> None:
        self._hide = hide
        self.type = outcome.type
        self.message = outcome.message
        self.line = outcome.line if outcome.line > 0 else None
        self.value = value

    def __repr__(self) -> str:
        where = f" on line {self.line}" if self.line else ""
        return f"{self.type}: {self._hide(self.message)}{where}" if self.message else f"{self.type}{where}"


class Frame:
    """One live call at a state. An element of `State.frames`, the outermost call first.

    Attributes:

    - `function`: qualified name: "f", "Node.insert".
    - `line`: line of the file that the call is at, from 1.
    - `locals`: variables by name, in the order in which they were first bound.

    >>> def outer(n):
    ...     def inner(m):
    ...         return m + 1
    ...
    ...     return inner(n)
    >>> [frame.function for frame in deskcheck.trace(outer, 4).at(3).frames]
    ['outer', 'outer.<locals>.inner']
    """

    def __init__(
        self, function: str, line: int, locals: dict[str, object], *, shown: Callable[[], Frame] | None
    ) -> None:
        self._shown_frame = shown
        self.function = function
        self.line = line
        self.locals = locals

    def __repr__(self) -> str:
        shown = self._shown_frame() if self._shown_frame else self
        return f"<{self.function}, line {self.line}: {_bindings(shown.locals)}>"


class State:
    """All live variables before a step; `locals` are those of the call that runs the step.

    Made by `Trace.at`.

    Attributes:

    - `number`: number of the step that comes next, from 1.
    - `frames`: live calls, outermost first.
    - `globals`: recorded variables of the program's module.

    >>> def double(n):
    ...     total = n + n
    ...     return total
    >>> state = deskcheck.trace(double, 4).at(2)
    >>> state.number, state.locals, len(state.frames)
    (2, {'n': 4, 'total': 8}, 1)
    """

    def __init__(
        self,
        number: int,
        frames: list[Frame],
        running: int,
        globals: dict[str, object],
        *,
        shown: Callable[[], State] | None = None,
    ) -> None:
        self._shown_state = shown
        self.number = number
        self.frames = frames
        self.globals = globals
        self._running = running

    @property
    def line(self) -> int:
        """Line that comes next, from 1."""
        return self.frames[self._running].line

    @property
    def locals(self) -> dict[str, object]:
        """Variables of the call that runs the step."""
        return self.frames[self._running].locals

    def __repr__(self) -> str:
        shown = self._shown_state() if self._shown_state else self
        return f"<state before step {self.number}, line {self.line}: {_bindings(shown.locals)}>"


class Step:
    """One executed line (expression, instruction); its variables are those before it ran.

    An element of `Trace`.

    Attributes:

    - `number`: number of the step in its run, from 1.
    - `line`: line in its file, from 1.

    >>> def double(n):
    ...     return n + n
    >>> step = deskcheck.trace(double, 4).steps[0]
    >>> step.number, step.text, step.function, step.locals
    (1, 'return n + n', 'double', {'n': 4})
    """

    def __init__(self, trace: Trace, number: int, event: int) -> None:
        self._trace = trace
        self._event = event
        self.number = number
        self.line: int = trace._record.events.line[event]

    @property
    def text(self) -> str:
        """Source of the line or expression, or name of the instruction; "" if the source is not known."""
        return self._trace._step_text(self._event)

    @property
    def value(self) -> object:
        """Value of the expression. UserError at other granularities, because their steps have no value."""
        handle = self._trace._record.events.value[self._event]
        if self._trace.granularity != "expression":
            raise UserError(
                f"a {self._trace.granularity} step has no value; record with granularity='expression'"
            )
        return ValueReader(self._trace._state_at(self._event)).value(handle)

    @property
    def function(self) -> str:
        """Qualified name of the function that the line belongs to."""
        record = self._trace._record
        return record.codes[record.frames.code[record.events.frame[self._event]]].name

    @cached_property
    def state(self) -> State:
        """All live variables before the step."""
        return self._trace.at(self.number)

    @property
    def locals(self) -> dict[str, object]:
        """Variables of the running call before the step, as Python values."""
        return self.state.locals

    @property
    def globals(self) -> dict[str, object]:
        """Recorded variables of the module before the step."""
        return self.state.globals

    def __repr__(self) -> str:
        text = self._trace._shown[self.number - 1].text if not self._trace._is_shown else self.text
        return f"<step {self.number}, line {self.line}{': ' + text if text else ''}>"


class Steps(Sequence[Step]):
    """The steps of a run, in order: `steps[0].number == 1`."""

    def __init__(self, trace: Trace, events: list[int]) -> None:
        self._trace = trace
        self._events = events

    def __len__(self) -> int:
        return len(self._events)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        i = index if index >= 0 else len(self) + index
        if not 0 <= i < len(self):
            raise IndexError(f"steps[{index}] of a run of {len(self)} steps")
        return Step(self._trace, i + 1, self._events[i])

    def __repr__(self) -> str:
        return f"<{len(self)} steps>"


class Trace(Sequence[Step]):
    """Record of one run, step by step. Made by `deskcheck.trace`, `deskcheck.record`, `deskcheck.load`.

    A sequence of `Step`: `t[0]` is step 1. `print(t)` shows the run as a table. Values are exact; what is
    printed, shown as a page or saved hides passwords, tokens and keys.

    >>> def double(n):
    ...     return n + n
    >>> t = deskcheck.trace(double, 4)
    >>> t.call, t.outcome, t.result, [step.line for step in t] == [t[0].line]
    ('double(4)', 'returned', 8, True)
    """

    def __init__(self, program: Program | None, record: Record, *, is_shown: bool = False) -> None:
        self._is_shown = is_shown  # whether its secrets are hidden already
        self._program = program
        self._record = record
        self._replay: Iterator[tuple[int, RecordedState]] | None = None
        self._position: tuple[int, RecordedState] | None = None

    # ------------------------------------------------------------------ what ran, and how it ended

    @property
    def call(self) -> str:
        """The call as source text, "f(3)"; for a notebook's cell "cell 3"; "" if the program is not known."""
        if self._program is not None and self._program.origin.startswith(CELL):
            return f"cell {self._program.origin.removeprefix(CELL)}"
        return self._program.call if self._program else ""

    @property
    def source(self) -> str:
        """Text of the program's file; "" if it is not known."""
        return self._program.source if self._program else ""

    @property
    def granularity(self) -> str:
        """Granularity of the steps: "line", "expression" or "instruction"."""
        return self._record.granularity.name.lower()

    @property
    def outcome(self) -> str:
        """How the run ended: "returned", "raised", "step limit", "time limit", "refused", .."""
        return str(self._record.outcome.__struct_config__.tag)

    @property
    def notes(self) -> list[str]:
        """Warnings about gaps in this trace: "values truncated", "thread not recorded", .."""
        return list(self._record.fidelity.notes)

    @property
    def result(self) -> object:
        """Value that the call returned. NoResult if it did not return."""
        outcome = self._record.outcome
        if isinstance(outcome, Returned):
            return self._result_value(outcome.value)
        reason = f"it raised {self.raised!r}" if self.raised else f"its run ended by: {self.outcome}"
        raise NoResult(f"{self.call or 'the call'} has no result: {reason}")

    @cached_property
    def raised(self) -> Exit | None:
        """The exception by which the run ended; None if there was none."""
        outcome = self._record.outcome
        if not isinstance(outcome, Raised):
            return None
        value = self._result_value(outcome.value) if outcome.value >= 0 else None
        return Exit(outcome, value, hide=self._hidden)

    def _result_value(self, handle: int) -> object:
        return ValueReader(final_state(self._record)).value(handle)

    # ------------------------------------------------------------------ steps

    @cached_property
    def steps(self) -> Steps:
        """All executed steps of the run, in order."""
        wanted = _STEP_EVENTS[self._record.granularity]
        return Steps(self, [i for i, kind in enumerate(self._record.events.kind) if kind == wanted])

    def __len__(self) -> int:
        return len(self.steps)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        return self.steps[index]

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def at(self, number: int) -> State:
        """Return the state before step `number`, counted from 1. UserError if there is no such step."""
        if not 1 <= number <= len(self.steps):
            raise UserError(f"there is no step {number}: {self!r}; steps count from 1")
        recorded = self._state_at(self.steps._events[number - 1])
        reader = ValueReader(recorded)
        shown = self._state_of_shown(number)
        frames = [
            self._frame(frame, reader, shown=shown and partial(_frame_of, shown, place))
            for place, frame in enumerate(recorded.frames)
        ]
        running = next(i for i, frame in enumerate(recorded.frames) if frame.number == recorded.running)
        names = {name: reader.value(handle) for name, handle in recorded.globals.items()}
        return State(number, frames, running, names, shown=shown)

    def _state_of_shown(self, number: int) -> Callable[[], State] | None:
        """Return a function that makes the state without secrets, for printing; None if this run has none."""
        return None if self._is_shown else lambda: self._shown.at(number)

    def _frame(self, frame: FrameState, reader: ValueReader, *, shown: Callable[[], Frame] | None) -> Frame:
        values = {name: reader.value(handle) for name, handle in frame.bindings.items()}
        return Frame(self._record.codes[frame.code].name, frame.line, values, shown=shown)

    def _state_at(self, event: int) -> RecordedState:
        """Replay to an event: forward from the last state if possible, else from the beginning."""
        if self._position is None or self._position[0] > event:
            self._replay = ((at.index, state) for at, state in states(self._record))
            self._position = None
        while self._position is None or self._position[0] < event:
            assert self._replay is not None
            self._position = next(self._replay)
        return self._position[1]

    def _step_text(self, event: int) -> str:
        record, columns = self._record, self._record.events
        if record.granularity is Granularity.INSTRUCTION:
            return record.names[columns.opcode[event]]
        number = columns.line[event]
        is_own = record.codes[record.frames.code[columns.frame[event]]].file == 0
        if not is_own or not 0 < number <= len(self._lines):
            return ""
        line = self._lines[number - 1]
        if record.granularity is Granularity.LINE or columns.end_line[event] != number:
            return line.strip()
        return line.encode()[columns.column[event] : columns.end_column[event]].decode(errors="replace")

    @cached_property
    def _redactor(self) -> Redactor:
        """Return the redactor that hides this run's secrets in whatever is printed, shown or saved."""
        redactor = Redactor.here("redact=False")
        redactor.learn(self._program, [self._record])
        return redactor

    def _hidden(self, text: str) -> str:
        """Return a text without the run's secrets."""
        return text if self._is_shown else self._redactor.text(text)

    @cached_property
    def _shown(self) -> Trace:
        """Return the run as it is printed, shown and saved: without secrets."""
        if self._is_shown:
            return self
        return Trace(*Redactor.here("redact=False").run(self._program, self._record), is_shown=True)

    @cached_property
    def _lines(self) -> list[str]:
        return self.source.split("\n")

    # ------------------------------------------------------------------ questions

    @cached_property
    def ask(self) -> Ask:
        """Questions to the run: `t.ask.why("total", step=17)`, `t.ask.where("n > 10")`; see `Ask`."""
        return Ask(Run(self._record, self._program), hide=self._redactor.text)

    def diff(self, other: Trace) -> Difference:
        """Return the first values and the first executed line in which this run and another differ.

        The answer has `to_dict()` and `to_json()`, and `print` shows it; docs/ask.md says which steps of the
        two runs correspond. The texts of the answer hide secrets.
        """
        from deskcheck.queries.diff import diff

        found = diff(Run(self._record, self._program), Run(other._record, other._program))
        return found.with_texts(self._redactor.text).with_texts(other._redactor.text)

    # ------------------------------------------------------------------ printing, pages and files

    def __repr__(self) -> str:
        ending = self.outcome
        if isinstance(self._record.outcome, Returned):
            text = repr(self._shown.result)
            ending = f"returned {text if len(text) <= 80 else text[:77] + '...'}"
        elif self.raised:
            ending = f"raised {self._shown.raised!r}"
        n = len(self)
        noun = {"line": "step"}.get(self.granularity, f"{self.granularity} step")
        return f"<trace of {self._shown.call or 'a run'}: {n} {noun}{'' if n == 1 else 's'}, {ending}>"

    def _repr_html_(self) -> str:
        from deskcheck.viewer.notebook import frame_of

        shown = self._shown
        return frame_of(shown._program or make_program("", "run", "", origin="python"), shown._record)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        """Return the run as text and as a Markdown table, for notebooks that show no HTML frames."""
        from deskcheck.viewer.notebook import MOST_ROWS, table_of

        steps = self._shown.steps[:MOST_ROWS]
        rows = [(step.number, step.line, step.text, step.locals) for step in steps]
        table = table_of(self._shown.call or "a run", rows, n_steps=len(self.steps), outcome=self.outcome)
        return {"text/plain": repr(self), "text/markdown": table}

    def __str__(self) -> str:
        from deskcheck.viewer.terminal import trace_lines

        shown = self._shown
        bundle = bundle_of(shown._program) if shown._program else None
        files = bundle.files if bundle else {}
        return "\n".join(trace_lines(shown._record, shown.source, call=shown.call or "a run", files=files))

    def show(self, path: str | Path = "", *, is_opened: bool = True, redact: bool = True) -> Path:
        """Write the step viewer's page of this run, open it in a browser, return its path.

        Without a path the page is a temporary file. `is_opened=False` leaves the browser alone.
        `redact=False` shows passwords, tokens and keys, which the page hides otherwise.
        """
        from deskcheck.viewer.document import View, page_of, show_page

        shown = self._shown if redact else self
        notes = [] if self._program else ["The trace was saved without its program."]
        program = shown._program or make_program("", "run", "", origin="python")
        return show_page(page_of(View(program, [shown._record], notes=notes)), path, is_opened=is_opened)

    def to_pandas(self) -> pandas.DataFrame:
        """Return one row per step: number, function, line, text, and a dict of the local variables before it.

        The values are those of `Step.locals`. Needs pandas, which the extra `eval` brings.
        """
        try:
            import pandas
        except ModuleNotFoundError:
            from deskcheck.errors import MissingExtra

            raise MissingExtra("pandas", "eval", "to_pandas") from None
        rows = [(s.number, s.function, s.line, s.text, s.locals) for s in self]
        return pandas.DataFrame(rows, columns=["step", "function", "line", "text", "locals"])

    def save(self, path: str | Path, *, redact: bool = True) -> Path:
        """Write the run to a file that `deskcheck.load` reads; return its path.

        The name ends in .deskcheck (small, needs nothing more) or .parquet (for DuckDB and polars; needs the
        extra `data`). `redact=False` keeps passwords, tokens and keys, which the file lacks otherwise.
        UserError for any other ending.
        """
        from deskcheck.tracing.packed import SUFFIX, write_run

        target, shown = Path(path), self._shown if redact else self
        if target.suffix == SUFFIX:
            write_run(target, shown._program, packed_of(shown._record))
        elif target.suffix == ".parquet":
            from deskcheck.format.shards import write_pairs

            write_pairs(target, [(shown._program, shown._record)])
        else:
            raise UserError(f"{target} cannot be written: name a file that ends in {SUFFIX} or .parquet")
        return target


def _frame_of(state: Callable[[], State], place: int) -> Frame:
    return state().frames[place]


def _bindings(names: dict[str, object]) -> str:
    """Write variables on one line, shortened if there are many."""
    parts = [f"{name}={value!r}" for name, value in names.items()]
    text = ", ".join(parts) or "no variables"
    return text if len(text) <= 120 else f"{text[:117]}..."
