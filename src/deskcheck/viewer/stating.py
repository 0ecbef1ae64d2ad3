"""Experimental: find where a reply in free text departs from the run, by the false statements in the reply.

    belief_in_text(ModelRun("m", [], text="`total` becomes 5"), traces, program) -> {"first": 4, "claims": ..}

`deskcheck view --statements` asks for it. `deskcheck.statements` finds and checks the statements.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from deskcheck.records import Granularity, Program, Trace
from deskcheck.statements.claims import RESULT, Judged, sentence_at
from deskcheck.statements.reasoning import first_false, judged, line_before
from deskcheck.states.steps import whole_run
from deskcheck.viewer.belief import MOST_TEXT, ModelRun, belief_of, is_free_text, on_page, step_events
from deskcheck.viewer.columns import shown_text


def belief_in_text(run: ModelRun, traces: list[Trace], program: Program) -> dict[str, Any]:
    """Return one model's run for the page, as `belief_of` does, with the statements of a free text.

    Statements are looked up in the trace that has expressions; without one there are none.
    """
    fine = next((trace for trace in traces if trace.granularity is Granularity.EXPRESSION), None)
    if fine is None or not is_free_text(run):
        return belief_of(run, traces)
    n_states = 1 + len(whole_run(traces[0])[1])
    events_of = step_events(fine)
    text = run.text[:MOST_TEXT]
    statements = judged(text, program, fine, answer=run.answer if run.verdict == "wrong" else "")
    first = first_false(statements)
    return on_page(
        run,
        traces,
        _steps(statements, fine, events_of, n_states),
        claims=[_span(text, each, events_of, n_states) for each in statements],
        quote=sentence_at(text, first.claim.start, first.claim.end) if first else "",
        ran=line_before(fine, first),
        first=min(bisect_left(events_of, first.event), n_states - 1) if first else -1,
    )


def _steps(statements: list[Judged], fine: Trace, events_of: list[int], n_states: int) -> list[list[Any]]:
    """Return the states that statements are about, with a cell for each; the others are silent."""
    start, rest = whole_run(fine)
    depths = [len(state.frames) - 1 for state in (start, *(state for _, state in rest))]
    steps: list[list[Any]] = [["silent"] for _ in range(n_states)]
    for each in statements:
        at = min(bisect_left(events_of, each.event), n_states - 1)
        is_result = each.about == RESULT
        words = [] if each.is_true else ["false" if each.claim.about else "no value of the run"]
        cell = [
            -1 if is_result else depths[min(at, len(depths) - 1)],
            "the result" if is_result else shown_text(each.about),
            shown_text(each.claim.stated)[:2000],
            [each.word] if each.word else words,
            shown_text(each.true)[:2000],
        ]
        how = "told" if each.is_true else "differs"
        if steps[at][0] == "silent" or (how == "differs" and steps[at][0] == "told"):
            steps[at] = [how, "", -1, [], -1]
        if steps[at][0] == how:
            steps[at][3].append(cell)
    return steps


def _span(text: str, statement: Judged, events_of: list[int], n_states: int) -> list[Any]:
    """Return [from, to, state, whether it is true] of a statement, with from and to in UTF-16 units."""
    places = [
        len(text[:place].encode("utf-16-le", "surrogatepass")) // 2
        for place in (statement.claim.start, statement.claim.end)
    ]
    return [*places, min(bisect_left(events_of, statement.event), n_states - 1), statement.is_true]
