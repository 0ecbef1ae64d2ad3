"""The tools of a debugger for agents: record, steps, state_at, ask, diff, failing_test, more.

    tools = Tools(Path.cwd(), runner=.., record=.., program_of=..)
    tools.record("a.py", "f(3)")        -> "run 1: f(3): returned 7 after 31 steps .."
    tools.ask(1, "why total")           -> an answer of at most MOST_TOKENS tokens
    tools.more("a2")                    -> what did not fit

An answer of more than MOST_TOKENS tokens is cut and ends with a cursor. Tokens are counted by `n_tokens`,
which counts more than usual tokenizers do. A run is kept until the server ends, or until MOST_RUNS newer runs
were made.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from deskcheck.errors import UserError
from deskcheck.queries.ask import FORMS, ask
from deskcheck.queries.cases import case_of
from deskcheck.queries.diff import diff
from deskcheck.queries.explain import MOST_S, Runner, explain
from deskcheck.queries.run import Run
from deskcheck.records import Limits, Program
from deskcheck.tracing.program import bundle_of
from deskcheck.tracing.redaction.redactor import Redactor, hidden_in_errors
from deskcheck.tracing.replay import state_at
from deskcheck.viewer.terminal import printable, trace_lines
from deskcheck.viewer.text import fitting_text, outcome_lines, short

MOST_TOKENS, MOST_RUNS, MOST_ANSWERS = 800, 20, 50
"""Tokens of one answer, runs that are kept, and cut answers whose rest is kept."""
_FOR_CURSOR = 40  # tokens left for the line with the cursor
_MOST_LETTERS = 1000  # characters of one line in an answer; a longer line is split
_PIECES = re.compile(r"[A-Za-z]+|\d+|[^\sA-Za-z\d]|\n")


def n_tokens(text: str) -> int:
    """Count tokens generously: one for every four ASCII letters, three digits or single other byte."""
    n = 0
    for piece in _PIECES.findall(text):
        size = 4 if piece.isascii() and piece.isalpha() else 3 if piece.isascii() and piece.isdigit() else 1
        n += -(-len(piece.encode("utf-8", "replace")) // size)
    return n


class Tools:
    """State of one session: its runs, and the rest of long answers."""

    def __init__(
        self,
        root: Path,
        *,
        runner: Runner,
        record: Callable[[str, str], Run],
        program_of: Callable[[str, str], Program],
        redactor_of: Callable[[], Redactor] | None = None,
    ) -> None:
        """Set the folder below which programs lie.

        `record`: function from file and call to the run. `runner` and `program_of` make the runs of
        `failing_test`, always in the sandbox. `redactor_of` makes the redactor that hides secrets in these
        runs; None = nothing is hidden.
        """
        self._root = root.resolve()
        self._record, self._runner, self._program_of = record, runner, program_of
        self._redactor_of = redactor_of
        self._runs: dict[int, Run] = {}
        self._rest: dict[str, list[str]] = {}
        self._n_runs = self._n_answers = 0

    def record(self, file: str, call: str = "") -> str:
        """Run a call of a Python file, such as f(3), or the file as a script, and keep every step.

        The answer gives the number of the run for the other tools, its outcome and its variables.
        """
        return self._bounded(self._summary(self._keep(self._record(self._path(file), call))))

    def steps(self, run: int, start: int = 1) -> str:
        """Show executed lines of a run, with what each changed, from a step on."""
        held = self._run(run)
        first = f"{start:5} "
        lines = list(
            trace_lines(
                held.trace, self._source(held), call=self._call(held), whole=True, files=self._files(held)
            )
        )
        at = next((i for i, line in enumerate(lines) if line.startswith(first)), 0 if start <= 1 else -1)
        if at < 0:
            raise UserError(f"run {run} has {len(held.lines)} steps; there is no step {start}")
        return self._bounded(lines[at:])

    def state_at(self, run: int, step: int) -> str:
        """Show all variables of the live calls before a step."""
        held = self._run(run)
        if not 1 <= step <= len(held.lines):
            raise UserError(f"run {run} has {len(held.lines)} steps; there is no step {step}")
        event = held.lines[step - 1]
        state = state_at(held.trace, event)
        lines = [f"before step {step}, line {held.trace.events.line[event]}: {held.text(event)}"]
        for frame in reversed(state.frames):
            lines.append(f"{held.trace.codes[frame.code].name}, at line {frame.line}:")
            lines += [f"  {name} = {short(fitting_text(state, h))}" for name, h in frame.bindings.items()]
        shown = {name: h for name, h in state.globals.items() if not name.startswith("__")}
        if shown:
            lines.append("module:")
            lines += [f"  {name} = {short(fitting_text(state, handle))}" for name, handle in shown.items()]
        return self._bounded(lines)

    def ask(self, run: int, question: str) -> str:
        """Answer a question about a run: why NAME [at step N], where CONDITION, changes NAME, or raised."""
        return self._bounded(ask(self._run(run), question).lines())

    def diff(self, run_a: int, run_b: int) -> str:
        """Compare two runs: the first step at which values differ, and at which the paths part."""
        return self._bounded(diff(self._run(run_a), self._run(run_b)).lines())

    def failing_test(self, file: str, tests: str = "", call: str = "", expect: str = "") -> str:
        """Find a failing call of a file and name at most three lines that are likely wrong.

        `tests` is a file with lines such as assert f(3) == 4. Without it name the failing call and the
        literal that it should return. The failing run is kept for the other tools. It always runs in the
        sandbox.
        """
        path, until = self._path(file), time.monotonic() + MOST_S
        case = case_of(
            lambda text: self._program_of(path, text), path, call, expect,
            tests=self._path(tests) if tests else "", runner=self._runner, until=until,
        )  # fmt: skip
        (trace,) = self._runner([case.program], Limits())
        redactor = self._redactor_of() if self._redactor_of is not None else None
        shown = (case.program, trace) if redactor is None else redactor.run(case.program, trace)
        with hidden_in_errors(redactor):
            answer = explain(
                case.program, case.expected, others=case.others, unread=case.unread,
                runner=self._runner, until=until,
            )  # fmt: skip
        if redactor is not None:
            answer = answer.with_texts(redactor.text)
        program, trace = shown
        number = self._keep(Run(trace, program))
        return self._bounded([f"run {number} is the failing call", *answer.lines()])

    def more(self, cursor: str) -> str:
        """Continue an answer that was too long, from the cursor at its end."""
        if cursor not in self._rest:
            raise UserError(f"no cursor '{cursor}'; known: {', '.join(self._rest) or 'none'}")
        return self._bounded(self._rest.pop(cursor))

    # ------------------------------------------------------------------ sizes

    def _bounded(self, lines: Iterable[str]) -> str:
        """Return the lines that fit, and a cursor if there are more."""
        pieces = [piece for line in lines for piece in _cut(printable(line))]
        left, n = MOST_TOKENS - _FOR_CURSOR, 0
        for n, piece in enumerate(pieces):
            left -= n_tokens(piece) + 1
            if left < 0 and n:
                break
        else:
            return "\n".join(pieces)
        self._n_answers += 1
        cursor = f"a{self._n_answers}"
        self._rest[cursor] = pieces[n:]
        while len(self._rest) > MOST_ANSWERS:
            del self._rest[next(iter(self._rest))]
        return "\n".join([*pieces[:n], f".. {len(pieces) - n} more lines: more(cursor='{cursor}')"])

    # ------------------------------------------------------------------ runs

    def _path(self, file: str) -> str:
        path = (self._root / file).resolve()
        if not path.is_relative_to(self._root) or not path.is_file():
            raise UserError(f"no file {file} below the folder of this server, {self._root}")
        return str(path)

    def _keep(self, run: Run) -> int:
        self._n_runs += 1
        self._runs[self._n_runs] = run
        while len(self._runs) > MOST_RUNS:
            del self._runs[next(iter(self._runs))]
        return self._n_runs

    def _run(self, number: int) -> Run:
        if number not in self._runs:
            known = ", ".join(map(str, self._runs)) or "none; record a call first"
            raise UserError(f"there is no run {number}; known: {known}")
        return self._runs[number]

    def _summary(self, number: int) -> list[str]:
        run = self._runs[number]
        names = [name for name in run.names() if not name.startswith("__")]
        head = [f"run {number}: {self._call(run)}", *outcome_lines(run.trace, run.sources)]
        return [*head, f"variables: {', '.join(names[:40])}", f"questions: {FORMS}"]

    def _source(self, run: Run) -> str:
        return run.program.source if run.program else ""

    def _files(self, run: Run) -> dict[str, str]:
        bundle = bundle_of(run.program) if run.program else None
        return dict(bundle.files) if bundle else {}

    def _call(self, run: Run) -> str:
        return run.program.call if run.program else "a run"


def _cut(line: str) -> list[str]:
    """Return a line in pieces that fit into an answer."""
    if len(line) <= _MOST_LETTERS and n_tokens(line) < MOST_TOKENS - _FOR_CURSOR:
        return [line]
    size = min(_MOST_LETTERS, (MOST_TOKENS - _FOR_CURSOR) // 4 - 2)
    return [line[at : at + size] for at in range(0, len(line), size)]
