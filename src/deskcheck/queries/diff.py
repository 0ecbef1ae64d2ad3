"""Compare two runs: two inputs of a program, or one call before and after a change of its source.

    diff(run_a, run_b) -> Difference(values=Parting(a=At(step=7, ..), b=At(step=7, ..), ..), path=None, ..)

Lines correspond if they are equal and difflib's longest matching blocks pair them. If a block was replaced by
a block of as many lines, the k-th line of one corresponds to the k-th line of the other. Lines of other files
correspond if file and number are equal.

Steps on lines without a counterpart are left out. Of the other steps, the k-th of one run corresponds to the
k-th of the other run, until the first pair whose lines or depths of calls differ. There the paths part. The
values part at the first pair before that, or at that pair itself, before which the variables differ: those of
the running functions, or the recorded globals of their modules. Variables differ in names, types, values, or
in which of them refer to one object.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import zip_longest

from deskcheck.queries.answers import At, Difference, Differing, Parting
from deskcheck.queries.run import Run
from deskcheck.queries.same import common_events, differing_names
from deskcheck.queries.why import at_of
from deskcheck.records import EventKind
from deskcheck.tracing.replay import State, states
from deskcheck.viewer.text import fitting_text, outcome_lines, short

_Place = tuple[str, int, int]
"""File, line and depth of calls."""


def line_pairs(source_a: str, source_b: str) -> dict[int, int]:
    """Return line of A -> corresponding line of B, both from 1."""
    a, b = source_a.split("\n"), source_b.split("\n")
    pairs: dict[int, int] = {}
    for kind, a1, a2, b1, b2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if kind == "equal" or (kind == "replace" and a2 - a1 == b2 - b1):
            pairs.update(zip(range(a1 + 1, a2 + 1), range(b1 + 1, b2 + 1), strict=True))
    return pairs


def diff(run_a: Run, run_b: Run) -> Difference:
    """Return the first steps at which the values and the paths of two runs part."""
    source_a, source_b = (run.program.source if run.program else "" for run in (run_a, run_b))
    pairs = line_pairs(source_a, source_b)
    path: Parting | None = None
    values: Parting | None = None
    n, n_same = 0, common_events(run_a.trace, run_b.trace)
    steps = [_steps(run_a, set(pairs)), _steps(run_b, set(pairs.values()))]
    for a, b in zip_longest(*steps):
        if a is None or b is None or not _corresponds(a[1], b[1], pairs):
            path = _parting(run_a, run_b, a, b) if a or b else None
            break
        n += 1
        is_known = a[0] == b[0] < n_same
        if values is None and not is_known and (names := differing_names(a[2], b[2])):
            values = _parting(run_a, run_b, a, b, names)
    outcomes = [short(next(outcome_lines(run.trace, run.sources))) for run in (run_a, run_b)]
    return Difference(
        n, len(run_a.lines), len(run_b.lines), values, path, outcomes[0], outcomes[1],
        is_same=n > 0 and path is None and values is None and outcomes[0] == outcomes[1],
    )  # fmt: skip


_Step = tuple[int, _Place, State]
"""LINE event, its place, and the state before it, which changes afterwards."""


def _steps(run: Run, known: set[int]) -> Iterator[_Step]:
    """Yield the steps on lines that have a counterpart in the other run."""
    for event, state in states(run.trace):
        if event.kind is EventKind.LINE:
            file = run.file_name(event.index)
            if file or event.line in known:
                yield event.index, (file, event.line, len(state.frames)), state


def _corresponds(a: _Place, b: _Place, pairs: dict[int, int]) -> bool:
    line = a[1] if a[0] else pairs.get(a[1])
    return (a[0], line, a[2]) == b


def _parting(
    run_a: Run, run_b: Run, a: _Step | None, b: _Step | None, names: list[str] | None = None
) -> Parting:
    at_a, at_b = (_at(run, step) for run, step in ((run_a, a), (run_b, b)))
    if names is None:
        names = differing_names(a[2], b[2], any_function=True) if a and b else []
    texts = [Differing(name, _text(a, name), _text(b, name)) for name in names]
    return Parting(at_a, at_b, texts)


def _at(run: Run, step: _Step | None) -> At | None:
    return at_of(run, step[0]) if step else None


def _text(step: _Step | None, name: str) -> str:
    """Return the text of a variable before a step; "" if it is not bound."""
    if step is None:
        return ""
    state = step[2]
    frame = state.top
    module = state.modules.get(state.trace.codes[frame.code].file, {})
    handle = frame.bindings.get(name, module.get(name, -1))
    return short(fitting_text(state, handle)) if handle >= 0 else ""
