"""loop-counts: how often does each loop go round?

Source: CodeMind and CES (arXiv 2510.15079) ask for the values of a loop; RE2-Bench for its counts.
"""

from __future__ import annotations

from collections.abc import Sequence

from deskcheck.questions import NotAsked
from deskcheck.questions._drawn import asked_visits
from deskcheck.records import Item, Probe, Trace
from deskcheck.states.loops import loops_of, rounds
from deskcheck.states.visits import Visit

QUESTION = {
    "en": "How many rounds does each loop of the program begin during the call {call}, all times that the "
    "loop is run taken together? The loops (`for` and `while` statements) stand on lines {lines}.",
    "zh": "在调用 {call} 期间，程序中每个循环总共开始多少轮（循环被执行的各次合计）？"
    "循环（`for` 和 `while` 语句）位于第 {lines} 行。",
}
FORM = {
    "en": "a Python dict from the line number of each loop to its rounds, for example {{2: 5, 3: 0}}",
    "zh": "Python 字典，从每个循环的行号到它的轮数，例如 {{2: 5, 3: 0}}",
}
NUMBERED = True


def probes(item: Item, trace: Trace) -> list[Probe]:
    """One question a run that begins a round."""
    loops = loops_of(item.program.source)
    if loops is None:
        raise NotAsked("a loop that lines cannot count")
    if not loops:
        raise NotAsked("no loop")
    reached = asked_visits(item.program, trace)
    begun = rounds(loops, reached)
    if not any(begun.values()):
        raise NotAsked("no loop begins a round")
    lines = ", ".join(map(str, begun))
    return [Probe("", answer(item.program.source, reached), {"call": item.program.call, "lines": lines})]


def answer(source: str, reached: Sequence[Visit]) -> str:
    """The rounds of each loop in a run."""
    return str({line: len(begun) for line, begun in rounds(loops_of(source) or [], reached).items()})
