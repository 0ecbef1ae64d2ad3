"""Count the states of `core` version 4 by what can be asked about them: plain values, summaries, neither.

    python measurements/core_states.py

A value is one local variable at one executed line. A summary is the text that the tracer records for an
object of a library, as `numpy.ndarray int64 (3,): 0, 1, 2` (decision 031). "Neither" are other objects and
containers of objects. Moments left out are those that `--task state` drew and that have no literal.
"""

from __future__ import annotations

import sys
from collections import Counter

from deskcheck.benchmarks import core
from deskcheck.format.buffers import trace_of
from deskcheck.questions import Unasked, places_left_out, tasks_of
from deskcheck.records import EventKind, Limits, TaskDraft, Trace
from deskcheck.states.visits import plain_text
from deskcheck.tracing.collect import trace_packed
from deskcheck.tracing.replay import State, states, summary_of


def main() -> int:
    """Print one row for each family of version 4."""
    drafts = [row for row in core.drafts("", version=4) if isinstance(row, TaskDraft)]
    drafts = [draft for draft in drafts if int(draft.id.split("-")[0]) > core.VERSIONS[3].last]
    values: dict[str, Counter[str]] = {}
    questions: dict[str, Counter[str]] = {}
    runs = trace_packed([draft.program for draft in drafts], Limits())
    for draft, (_, packed) in zip(drafts, runs, strict=True):
        trace = trace_of(packed)
        family = draft.tags["family"]
        values.setdefault(family, Counter()).update(kinds_of(trace))
        tasks = tasks_of("state", draft, trace, benchmark="core")
        count = questions.setdefault(family, Counter())
        if isinstance(tasks, Unasked):
            count["runs without a question"] += 1
        else:
            count["asked"] += len(tasks)
            count["left out"] += len(places_left_out("state", draft, trace, tasks))
    print("| family | values | plain | summary | neither | state questions | left out | runs without one |")
    print("|---|---|---|---|---|---|---|---|")
    for family, kinds in values.items():
        total = kinds.total()
        shares = " | ".join(f"{100 * kinds[kind] / total:.1f} %" for kind in ("plain", "summary", "neither"))
        count = questions[family]
        asked = f"{count['asked']} | {count['left out']} | {count['runs without a question']}"
        print(f"| {family} | {total:,} | {shares} | {asked} |")
    return 0


def kinds_of(trace: Trace) -> Counter[str]:
    """Count the values of local variables at each line event, by kind."""
    kinds: Counter[str] = Counter()
    for event, state in states(trace):
        if event.kind is EventKind.LINE:
            frame = next(frame for frame in reversed(state.frames) if frame.number == event.frame)
            kinds.update(kind_of(trace, state, handle) for handle in frame.bindings.values())
    return kinds


def kind_of(trace: Trace, state: State, handle: int) -> str:
    """Return whether a value has a literal, else whether a summary stands for it."""
    if plain_text(trace, state, handle) is not None:
        return "plain"
    heap_object = state.object(handle)
    return "summary" if heap_object is not None and summary_of(trace, heap_object) else "neither"


if __name__ == "__main__":
    sys.exit(main())
