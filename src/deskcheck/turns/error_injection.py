"""Replace a model's first states by true or wrong states, before the model continues by itself.

    injected(task, visits, "3wrong") -> ["n = 6; s = 0", ..]     after each of the first three lines
    injected_units(task, units, "3wrong") -> the same, for each piece of the source
    injected_states(task, "3wrong") -> [StateTree, ..]           after each of the first three steps

In a wrong state one variable has another value of its type. If possible, the variable is one that the next
line does not change: a model that copies the state keeps the error, a model that follows the program corrects
it. Comparing wrong with true injected states on the same tasks gives the effect of the errors alone.
Source: the injected errors of "The Illusion of Diminishing Returns" (arXiv 2509.09677).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from deskcheck.languages import Unit
from deskcheck.questions.counterfactual import other_value
from deskcheck.records import Granularity, Task, Trace
from deskcheck.states.parse import read_value
from deskcheck.states.plain import is_plain
from deskcheck.states.steps import run_of, steps
from deskcheck.states.tree import StateTree
from deskcheck.states.visits import entry_lines, entry_locals
from deskcheck.turns.lines import statements
from deskcheck.turns.settings import how_many


def injected(task: Task, lines: Sequence[tuple[int, int]], setting: str) -> list[str]:
    """Return the states to inject after the first lines; [] if the setting is "0".

    `lines`: event and line of each visit of the entry, as in `states.visits.entry_lines`. `setting`: number
    of states and their kind, "3wrong" or "3true".
    """
    n = how_many(setting, len(lines))
    if not n:
        return []
    held = entry_locals(task.truth)
    after = [held[event] for event, _ in lines[1 : n + 2]]
    return [_state_text(true, [*after, {}][number + 1], setting) for number, true in enumerate(after[:n])]


def injected_units(task: Task, units: Sequence[Unit], setting: str) -> list[str]:
    """Return states after pieces of the source; those before the first piece of the entry's body are true.

    `units`: the pieces, as in `lines.units`.
    """
    inside = statements(task.program)
    visits = entry_lines(task.truth)
    left = how_many(setting, sum(unit.first in inside for unit in units))
    if not left or not visits:
        return []
    begin = next(number for number, unit in enumerate(units) if unit.first in inside)
    if not begin:  # the entry is no function of the source
        return []
    events: list[int] = []
    for unit in units[begin - 1 :]:  # the header comes first; the state after it holds the arguments
        after = next((event for event, line in visits if line > unit.last), -1)
        if after < 0 or (events and unit.first not in inside):
            break
        events.append(after)
    held = entry_locals(task.truth)
    states = [held[event] for event in events]
    told = ["none"] * (begin - 1) + [_text(state) for state in states[:1]]
    pairs = zip(states[1 : left + 1], [*states[2:], {}], strict=False)
    return told + [_state_text(true, following, setting) for true, following in pairs]


def injected_states(
    task: Task,
    setting: str,
    *,
    entry_only: bool = False,
    truth: Trace | None = None,
    granularity: Granularity = Granularity.LINE,
) -> list[StateTree]:
    """Return the states to inject into loops over states; `entry_only`: those before a line of the entry.

    Loops over finer steps than lines pass the true run in such steps (`finer.py`) as `truth`.
    """
    if setting == "0":
        return []
    fine = granularity is not Granularity.LINE
    run = list(steps(truth or task.truth, granularity=granularity)) if fine else run_of(task.truth)
    states = [after for _, _, after in run[:-1]]
    if entry_only:
        tops = [(state, state.frames[-1]) for state in states if len(state.frames) == 1]
        states = [state for state, top in tops if top.mark == "@" and not top.pending]
    n = how_many(setting, len(states) + 1)
    following = [*states[1:], StateTree(())]
    if setting.endswith("true"):
        return states[:n]
    return [_with_error(state, after) for state, after in zip(states[:n], following, strict=False)]


def _with_error(state: StateTree, following: StateTree) -> StateTree:
    """Return the state with another value of one variable of the running frame."""
    texts = []
    for frame in (state.frames[-1], following.frames[-1] if following.frames else None):
        entries = frame.entries.items() if frame else ()
        # A labeled object is also held elsewhere; a change in one place would make the state inconsistent.
        plain = {name: str(one) for name, one in entries if is_plain(one) and "#" not in str(one)}
        texts.append({name: text for name, text in plain.items() if name[0] not in "~^."})
    name = _changed(*texts) if len(following.frames) == len(state.frames) else _changed(texts[0], {})
    if not name:
        return state
    top = state.frames[-1]
    wrong = {**top.entries, name: read_value(other_value(texts[0][name]))}
    return replace(state, frames=(*state.frames[:-1], replace(top, entries=wrong)))


def _state_text(true: Mapping[str, str], following: Mapping[str, str], setting: str) -> str:
    """Return the text of the state, true or with one wrong value."""
    name = _changed(true, following) if setting.endswith("wrong") else ""
    return _text({**true, name: other_value(true[name])} if name else true)


def _changed(true: Mapping[str, str], following: Mapping[str, str]) -> str:
    """Return the variable that gets a wrong value; "" if none can."""
    changeable = [name for name, text in true.items() if other_value(text)]
    lasting = [name for name in changeable if following.get(name) == true[name]]
    return next(iter([*lasting, *changeable]), "")


def _text(state: Mapping[str, str]) -> str:
    return "; ".join(f"{name} = {text}" for name, text in state.items()) or "none"
