"""What a true run is like beyond its length: how deep its calls go, how much it holds at once.

    run_sizes(trace) -> RunSizes(call_depth=3, state_size=41)

The state size is the most values that variables and the objects they lead to hold together at one line event;
of a long run about MOST_LOOKED_AT line events, evenly spread, are looked at. An empty trace has neither.
"""

from __future__ import annotations

from msgspec import Struct

from deskcheck.records import EventKind, Trace
from deskcheck.tracing.replay import State, states

MOST_LOOKED_AT = 200
UNKNOWN = -1


class RunSizes(Struct, frozen=True):
    """Sizes of one true run; -1 where unknown."""

    call_depth: int = UNKNOWN
    """Most activations alive at once, the entry's included."""
    state_size: int = UNKNOWN
    """Most variables, elements, keys and attributes at once."""


def run_sizes(trace: Trace) -> RunSizes:
    """Measure the sizes of one true run."""
    if not trace.events.kind:
        return RunSizes()
    step = max(1, trace.n_steps // MOST_LOOKED_AT)
    deepest = largest = seen = 0
    for event, state in states(trace):
        deepest = max(deepest, len(state.frames))
        if event.kind == EventKind.LINE:
            seen += 1
            if seen % step == 0 or seen == 1:
                largest = max(largest, size_of(state))
    return RunSizes(deepest, largest)


def size_of(state: State) -> int:
    """Variables of all frames and what they lead to, each object once."""
    handles = [handle for frame in state.frames for handle in frame.bindings.values()]
    size, known = len(handles), set[int]()
    while handles:
        found = state.object(handles.pop())
        if found is None or found.number in known:
            continue
        known.add(found.number)
        inside = [*found.items, *found.entries.values(), *found.attributes.values()]
        size += len(inside)
        handles += inside
    return size
