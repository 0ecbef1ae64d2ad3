"""What the page draws is what replay says: the 33 fidelity programs, all granularities, random moments."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.viewer.drawn import Drawing, differences

from deskcheck.records import Event, EventKind, Granularity, Limits, Program, Trace
from deskcheck.tracing import access, run
from deskcheck.tracing.program import make_program
from deskcheck.tracing.replay import State, final_state, states
from deskcheck.viewer.document import View, page_of

FOLDER = Path(__file__).parents[1] / "fidelity_programs"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))
N_MOMENTS = 50
"""Of a run at each granularity; the first 15 of them where the whole suite runs."""
MOVES = """\
class Box:
    pass

def numbers(n):
    for i in range(n):
        got = yield i
        box = got

def f():
    xs = list(range(6))
    xs.insert(1, 9)
    xs.insert(0, xs)
    del xs[2]
    xs[3] = (xs, 'a')
    d = {'a': 1, 'b': 2, 3: xs}
    del d['a']
    d['a'] = 4
    s = {1, 2}
    s.discard(1)
    s.add(7)
    b = Box()
    b.x = b
    b.y = d
    del b.x
    g = numbers(3)
    total = next(g)
    total += g.send(b)
    grid = [[0] * 3 for _ in range(3)]
    grid[1][2] = 5
    long = list(range(100))
    long[50] = -1
    del total
    text = ''
    for c in 'abc':
        text += c
    return xs, d, s, b, grid, long, text
"""
# Sets a field of the page and reads what is drawn, for one moment after the other.
WALK = """async ([level, moments]) => {
  const radio = document.querySelector(`[name="level"][value="${level}"]`);
  const field = document.getElementById("step");
  if (radio) radio.click();
  const drawn = [];
  for (const moment of moments) {
    field.value = moment;
    field.dispatchEvent(new Event("change"));
    drawn.push(await deskcheck.state());
  }
  return drawn;
}"""


@cache
def recorded(name: str) -> tuple[Program, tuple[Trace, ...]]:
    source = MOVES if name == "moves" else (FOLDER / f"{name}.py").read_text().replace("30000", "300")
    program = make_program(source, "f", "", origin="test")
    limits = Limits(max_steps=20_000)
    levels = [Granularity.LINE, Granularity.EXPRESSION, Granularity.INSTRUCTION]
    return program, tuple(run.trace_program(program, limits, granularity=level) for level in levels)


def is_stop(event: Event, level: str) -> bool:
    finer = {"expression": EventKind.EXPRESSION, "instruction": EventKind.INSTRUCTION}.get(level)
    wanted = {EventKind.RETURN, EventKind.RAISE, EventKind.YIELD, finer}
    return event.kind in wanted or (event.kind is EventKind.LINE and level != "instruction")


def moment_name(trace: Trace, index: int) -> str:
    """ "12" for the line of step 12, "12.3" for the third event after it, as the page counts."""
    step, at = trace.events.step[index], index
    while trace.events.step[at] == step and at >= 0 and trace.events.kind[at] != EventKind.LINE:
        at -= 1
    return str(step) if at == index else f"{step}.{index - at}"


def chosen(trace: Trace, level: str, seed: str, n_moments: int) -> set[int]:
    stops = [
        event.index for event, _ in states(trace) if is_stop(event, level) and trace.events.step[event.index]
    ]
    return set(random.Random(seed).sample(stops, min(N_MOMENTS, len(stops)))[:n_moments])


@pytest.mark.skipif(not access.has_native(), reason="finer steps need the C extension")
@pytest.mark.parametrize("n_moments", [15, pytest.param(N_MOMENTS, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", [*NAMES, "moves"])
def test_the_drawn_state_is_the_replayed_one(name: str, n_moments: int, open_page: Any) -> None:
    program, traces = recorded(name)
    page = open_page(page_of(View(program, list(traces))))
    n_compared = 0
    for level, trace in zip(("line", "expression", "instruction"), traces, strict=True):
        wanted = chosen(trace, level, f"{name} {level}", n_moments)
        order = sorted(wanted, key=lambda index: (index * 7919) % 1009)  # back and forth
        names = [moment_name(trace, index) for index in order]
        walked = page.evaluate(WALK, [level, [*names, "end"]])
        drawn = dict(zip(order, walked, strict=False))
        for event, state in states(trace):
            if event.index in wanted:
                assert drawn[event.index]["step"] == moment_name(trace, event.index)
                assert differences(drawn[event.index], Drawing(trace, state, event, level)) == []
                n_compared += 1
        end: State = final_state(trace)
        assert differences(walked[-1], Drawing(trace, end, None, level)) == []
    assert n_compared > 5
