"""Rank the lines at which a failing call probably went wrong, and name the wrong value that was made there.

    explain(program, "6", others=[(program_2, "3"), ..], runner=runner)
    -> Explanation(suspects=[Suspect(line=5, ..), ..])

Three sources of evidence, all from runs in the sandbox:

1. Repairs. Each executed line is edited in small ways (`languages.PARTS`: "edits"), and the edited programs
   run. An edit with which the failing call gives the expected result, and other calls give theirs, points to
   its line. The runs before and after are compared (`diff`): the first value that differs is the wrong one.
2. The slice: how near a line is to the failing value, along reads, writes and conditions (`slices`).
3. The spectrum: Ochiai's coefficient of the lines that failing and passing calls executed.

After MOST_S seconds no further edit is tried; the answer says how many edits were left out.

Lines with a repair come first, by the number of calls that give the expected result with it. Lines with as
many, and lines without a repair, are ordered by slice and spectrum together.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from deskcheck.errors import DataError, UserError
from deskcheck.languages import Edit, offers, part
from deskcheck.queries.answers import Explanation, Suspect, unread_text
from deskcheck.queries.diff import diff
from deskcheck.queries.run import Run
from deskcheck.queries.slices import slice_of
from deskcheck.queries.why import at_of
from deskcheck.records import EventKind, Limits, Program, Raised, Returned, Trace
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.replay import states
from deskcheck.viewer.text import fitting_text, outcome_lines, short

MOST_LINES = 3
"""Lines in an answer."""
MOST_S = 30.0
"""Seconds after which no further edit is tried: fewer than clients of `deskcheck mcp` wait for an answer."""
_AT_ONCE = 16
"""Programs that are run together before the time is looked at."""
_MOST_EDITS, _EDITS_PER_LINE = 600, 40
"""Edits that are tried in all, and for one line."""
_OTHERS = 12
"""Other calls that are run."""
Runner = Callable[[Sequence[Program], Limits], list[Trace]]
"""Function that runs programs and returns their traces in the same order."""


class Evidence(Struct):
    """Everything known of one line."""

    line: int
    ochiai: float
    """Ochiai's coefficient, 0 to 1."""
    distance: int
    """Links to the failing value; -1 = no chain."""
    repair: Edit | None = None
    """The best edit that mends the failing call."""
    n_passed: int = 0
    """Calls that give the expected result with `repair`, the failing call included."""
    n_repairs: int = 0
    """Number of edits that mend the failing call."""

    def rank(self) -> tuple[float, ...]:
        """Return the key by which lines are sorted, smallest first."""
        return (-self.n_passed, -self._prior(), self.line)

    def _prior(self) -> float:
        near = 1 / (2 + self.distance) if self.distance >= 0 else 0.0
        return self.ochiai + near


def result_of(trace: Trace) -> str:
    """Return the result of a run as text: a literal, "raises KeyError", "no plain value", "ended by ..."."""
    try:
        return outcome_text(trace)
    except DataError:
        if isinstance(trace.outcome, Returned):
            return "no plain value"
        return f"ended by {type(trace.outcome).__name__}"


def expected_text(text: str, language: str = "python") -> str:
    """Return an expected value as `result_of` writes it. UserError if it is no literal."""
    if text.startswith("raises ") or not text:
        return text
    try:
        written: str = part(language, "write")(part(language, "plain")(text))
        return written
    except (ValueError, UserError):
        raise UserError(f"--expect {text}: a literal is needed, such as 6, [1, 2] or 'a'") from None


def run_until(
    programs: Sequence[Program], limits: Limits, runner: Runner, until: float
) -> Iterator[tuple[Program, Trace]]:
    """Yield programs with their traces, in order; none is started after `until`, in `time.monotonic`."""
    for at in range(0, len(programs), _AT_ONCE):
        some = programs[at : at + _AT_ONCE]
        if time.monotonic() > until:
            return
        yield from zip(some, runner(some, limits), strict=True)


def explain(
    program: Program,
    expected: str,
    *,
    others: Sequence[tuple[Program, str]] = (),
    unread: Sequence[str] = (),
    runner: Runner,
    until: float | None = None,
) -> Explanation:
    """Return the lines of a failing call that are likeliest wrong.

    `expected`: the right result as `result_of` writes it; "" if any result but an exception is right.
    `others`: calls of the same source with their right results. `unread`: calls of the tests that are not
    among them. `until`: moment of `time.monotonic` after which nothing more is tried; None = MOST_S from now.
    UserError if the call does not fail or runs no line.
    """
    until = time.monotonic() + MOST_S if until is None else until
    (trace,) = runner([program], Limits())
    ran = run_until([other for other, _ in list(others)[:_OTHERS]], Limits(), runner, until)
    rest = [other_trace for _, other_trace in ran]
    others = list(others)[: len(rest)]
    run = Run(trace, program)
    if not run.lines:
        raise UserError(f"{program.call}: {next(outcome_lines(trace, run.sources))}")
    if _is_right(trace, expected):
        result, more = result_of(trace), unread_text(unread)
        if not expected:
            raise UserError(
                f"{program.call} gives {result}, and nothing says what is right; give it: --expect 4{more}"
            )
        raise UserError(f"{program.call} gives the expected result, {result}: nothing to explain{more}")
    passed = [_is_right(t, wanted) for t, (_, wanted) in zip(rest, others, strict=True)]
    evidence = _evidence(run, [(t, ok) for t, ok in zip(rest, passed, strict=True)])
    n_tried, n_edits = _try_edits(run, expected, others, evidence, runner, until)
    ranked = sorted(evidence.values(), key=Evidence.rank)[:MOST_LINES]
    outcome = short(next(outcome_lines(trace, run.sources)))
    suspects = [_suspect(run, each, 1 + len(others), runner) for each in ranked]
    return Explanation(program.call, outcome, expected, suspects, n_tried, n_edits - n_tried, list(unread))


def _is_right(trace: Trace, expected: str) -> bool:
    return result_of(trace) == expected if expected else isinstance(trace.outcome, Returned)


def executed(run: Run) -> list[int]:
    """Return the statements of the program's file that a run executed, by their first lines."""
    lines = [run.statement(event) for event in run.lines if run.file(event) == 0]
    return list(dict.fromkeys(lines))


def ochiai(run: Run, others: Sequence[tuple[Trace, bool]]) -> dict[int, float]:
    """Return Ochiai's coefficient of each line that the failing run executed."""
    failing, passing = Counter(executed(run)), Counter[int]()
    n_failing = 1
    for trace, is_right in others:
        lines = executed(Run(trace, run.program)) if trace.n_steps else []
        (passing if is_right else failing).update(lines)
        n_failing += not is_right
    return {
        line: failing[line] / math.sqrt(n_failing * (failing[line] + passing[line])) for line in executed(run)
    }


def _evidence(run: Run, others: Sequence[tuple[Trace, bool]]) -> dict[int, Evidence]:
    distances = slice_of(run)
    return {
        line: Evidence(line, value, distances.get(line, -1)) for line, value in ochiai(run, others).items()
    }


def _try_edits(
    run: Run,
    expected: str,
    others: Sequence[tuple[Program, str]],
    evidence: dict[int, Evidence],
    runner: Runner,
    until: float,
) -> tuple[int, int]:
    """Run edited programs, and note for each line the edit with which most calls give the expected result.

    Return the number of edited programs that were run, and the number of all.
    """
    assert run.program is not None
    if not offers(run.trace.language, "edits"):
        return 0, 0
    of_line = part(run.trace.language, "edits")
    ranked = sorted(evidence.values(), key=Evidence.rank)
    tried = _in_turn([(each, of_line(run.program.source, each.line)) for each in ranked])
    limits = Limits(max_steps=5 * len(run.lines) + 1000, time_s=2.0)
    ran = run_until([_edited(run.program, edit) for _, edit in tried], limits, runner, until)
    traces = [trace for _, trace in ran]
    mended = [pair for pair, t in zip(tried, traces, strict=False) if _is_right(t, expected)]
    programs = [_edited(other, edit) for _, edit in mended for other, _ in others]
    results = run_until(programs, Limits(max_steps=100_000, time_s=2.0), runner, until)
    for each, edit in mended:
        passed = [_is_right(t, wanted) for (_, wanted), (_, t) in zip(others, results, strict=False)]
        each.n_repairs += 1
        if 1 + sum(passed) > each.n_passed:
            each.n_passed, each.repair = 1 + sum(passed), edit
    return len(traces), len(tried)


def _in_turn(lines: list[tuple[Evidence, Iterator[Edit]]]) -> list[tuple[Evidence, Edit]]:
    """Return the edits in the order in which they are run: the first of each line, the second of each, .."""
    tried: list[tuple[Evidence, Edit]] = []
    for _ in range(_EDITS_PER_LINE):
        for each, waiting in lines:
            edit = next(waiting, None) if len(tried) < _MOST_EDITS else None
            tried += [(each, edit)] if edit is not None else []
    return tried


def _edited(program: Program, edit: Edit) -> Program:
    return make_program(
        edit.source, program.entry, program.arguments, origin=program.origin, prelude=program.prelude
    )


# ------------------------------------------------------------------ the wrong value


def _suspect(run: Run, evidence: Evidence, n_calls: int, runner: Runner) -> Suspect:
    value, repair = _made_there(run, evidence.line), ""
    if evidence.repair is not None and run.program is not None:
        mended = _edited(run.program, evidence.repair)
        repair = mended.source.split("\n")[evidence.line - 1].strip().removesuffix("\\").strip()
        (trace,) = runner([mended], Limits())
        value = _wrong_value(run, Run(trace, mended)) or value
    text = run.line_text(evidence.line)
    return Suspect(
        evidence.line, text, value, repair, evidence.n_passed, n_calls, round(evidence.ochiai, 3),
        evidence.distance,
    )  # fmt: skip


def _wrong_value(run: Run, mended: Run) -> str:
    """Return, in words, the first value that differs from the mended run; "" if none does."""
    parted = diff(run, mended)
    first = parted.values or parted.path
    if first is None or first.a is None:
        return ""
    if parted.values and parted.values.names:
        each = parted.values.names[0]
        step, right = first.a.step, each.b or "not bound"
        return f"made {each.name} = {each.a or 'not bound'}, seen before step {step}; right: {right}"
    where = f"line {first.b.line}" if first.b else "the end"
    return f"led to line {first.a.line} at step {first.a.step}; right: {where}"


def _made_there(run: Run, line: int) -> str:
    """Return, in words, what the line did when it ran last: the variables that it made, or where it led."""
    events = [e for e in run.lines if run.file(e) == 0 and run.statement(e) == line]
    if not events:
        return "it did not run"
    last = events[-1]
    names: list[str] = []
    for event, state in states(run.trace):
        if event.index > last and run.makers[event.index] == last:
            for change in event.changes:
                if change.place < 4 and change.value >= 0:
                    name = run.cell_of(_row(run, event.index, change, event.changes)).name
                    names.append(f"made {name} = {short(fitting_text(state, change.value))}")
            if event.kind is EventKind.RETURN and event.value >= 0:
                names.append(f"returned {short(fitting_text(state, event.value))}")
    step = run.trace.events.step[last]
    if names:
        return f"{', '.join(names[:3])} at step {step}"
    if isinstance(run.trace.outcome, Raised) and last == run.lines[-1]:
        return f"raised {run.trace.outcome.type} at step {step}"
    following = next((e for e in run.lines if e > last), -1)
    if following < 0:
        return f"ran last at step {step}"
    at = at_of(run, following)
    return f"led to line {at.line} at step {at.step}"


def _row(run: Run, event: int, change: object, changes: Sequence[object]) -> int:
    start = run.trace.events.changes_end[event] - len(changes)
    return start + next(at for at, each in enumerate(changes) if each is change)
