"""Find the moments of a run at which "the line has been executed" is ambiguous, so that none is asked about.

unclear(visits, trace) -> ambiguous line events
"""

from __future__ import annotations

from deskcheck.records import Trace
from deskcheck.states.loops import raises_of
from deskcheck.states.visits import Visit


def unclear(reached: list[Visit], trace: Trace) -> set[int]:
    """Return the line events of visits whose "executed for the 2nd time" can be read in two ways.

    These are visits during which a deeper call reaches the same line, the deeper visits themselves, and all
    visits of a line after a visit that an exception left before its end.
    """
    last = {frame: index for index, frame in enumerate(trace.events.frame)}
    raised = raises_of(trace)
    done: dict[int, int] = {}  # line event -> event at which its frame continues, or ends
    following: dict[int, int] = {}
    for visit in reversed(reached):
        done[visit.event] = following.get(visit.frame, last[visit.frame])
        following[visit.frame] = visit.event
    waiting: dict[int, list[Visit]] = {}
    broken: set[int] = set()
    events: set[int] = set()
    for visit in reached:
        above = [one for one in waiting.get(visit.line, []) if done[one.event] > visit.event]
        if above or visit.line in broken:
            events |= {visit.event, *(one.event for one in above)}
        waiting[visit.line] = [*above, visit]
        if any(visit.event < index < done[visit.event] for index in raised.get(visit.frame, ())):
            broken.add(visit.line)
    return events
