"""Results of expressions that the expression around them has yet to use, by frame.

    spans.saw(event);  spans.of(frame, line) -> {"^13-17": handle}

A result is dropped when its frame goes to another line, unless an expression around it is still to get its
value (a call over several lines). That is looked up in the trace, so a state holds what is needed, no more.
"""

from __future__ import annotations

from deskcheck.records import Event, EventKind, Trace
from deskcheck.states.tree import span_text

Span = tuple[tuple[int, int], tuple[int, int]]
_ENDS = (EventKind.RETURN, EventKind.UNWIND)


class Spans:
    """Follows the expression events of one trace."""

    def __init__(self, trace: Trace) -> None:
        self._trace = trace
        self._used = _used_later(trace)
        self._live: dict[int, dict[Span, tuple[int, int]]] = {}

    def saw(self, event: Event) -> None:
        """Take note of one event."""
        live = self._live.setdefault(event.frame, {})
        if event.kind == EventKind.EXPRESSION:
            span = _span(self._trace, event.index)
            for inner in [one for one in live if _contains(span, one)]:
                del live[inner]
            live[span] = (event.index, event.value)
        elif event.kind == EventKind.LINE:
            for span, (index, _) in list(live.items()):
                if index not in self._used:
                    del live[span]
        elif event.kind in _ENDS:
            self._live.pop(event.frame, None)

    def of(self, frame: int, line: int) -> dict[str, int]:
        """Entry name -> handle, in order of evaluation."""
        live = self._live.get(frame, {})
        return {f"^{span_text(*span, line)}": handle for span, (_, handle) in live.items()}


def _span(trace: Trace, index: int) -> Span:
    events = trace.events
    return (events.line[index], events.column[index]), (events.end_line[index], events.end_column[index])


def _contains(outer: Span, inner: Span) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _used_later(trace: Trace) -> set[int]:
    """Events whose result a later expression around them uses."""
    found: set[int] = set()
    live: dict[int, dict[Span, int]] = {}
    for index, kind in enumerate(trace.events.kind):
        frame = trace.events.frame[index]
        if kind == EventKind.EXPRESSION:
            span = _span(trace, index)
            own = live.setdefault(frame, {})
            for inner in [one for one in own if _contains(span, one)]:
                if inner != span:
                    found.add(own[inner])
                del own[inner]
            own[span] = index
        elif kind in _ENDS:
            live.pop(frame, None)
    return found
