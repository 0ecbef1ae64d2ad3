"""States that are put into a model's mouth before it goes on by itself: true ones, or wrong ones.

    planted(task, visits, "3wrong") -> ["n = 6; s = 0", ..]     after each of the first three lines

In a wrong state one variable has another value of its type. Where it can be, it is one that the following
line leaves alone: whoever copies the state follows the error, whoever goes by the program corrects it. Both
ways of planting, compared on the same tasks, give what the errors cost beyond being told states at all.
Source: the planted errors of "The Illusion of Diminishing Returns" (arXiv 2509.09677).
"""

from __future__ import annotations

from collections.abc import Sequence

from deskcheck.records import EventKind, Task, Trace
from deskcheck.tasks._runs import locals_at
from deskcheck.tasks.counterfactual import other_value


def entry_lines(trace: Trace) -> list[tuple[int, int]]:
    """(event, line) of the lines that run in the frame of the entry."""
    events = trace.events
    calls = (frame for kind, frame in zip(events.kind, events.frame, strict=True) if kind == EventKind.CALL)
    entry = next(calls, -1)
    rows = enumerate(zip(events.kind, events.frame, events.line, strict=True))
    return [(index, line) for index, (kind, frame, line) in rows if kind == EventKind.LINE and frame == entry]


def how_many(knob: str, n_lines: int) -> int:
    """States that are planted in a run of so many lines: one is left for the model."""
    return min(int(knob.rstrip("wrongtue") or 0), max(0, n_lines - 1))


def planted(task: Task, lines: Sequence[tuple[int, int]], knob: str) -> list[str]:
    """The states; none where the knob is 0."""
    n = how_many(knob, len(lines))
    if not n:
        return []
    held = locals_at(task.truth, [event for event, _ in lines[: n + 2]])
    after = [held[event] for event, _ in lines[1 : n + 2]]
    states = []
    for number, true in enumerate(after[:n]):
        said = dict(true)
        if knob.endswith("wrong"):
            following = after[number + 1] if number + 1 < len(after) else {}
            changeable = [name for name, text in true.items() if other_value(text)]
            lasting = [name for name in changeable if following.get(name) == true[name]]
            for name in (lasting or changeable)[:1]:
                said[name] = other_value(true[name])
        states.append("; ".join(f"{name} = {text}" for name, text in said.items()) or "none")
    return states
