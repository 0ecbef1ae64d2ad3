"""Compare a model's belief with the truth, for the viewer's page: where they diverge, and how.

    belief_of(ModelRun("tiny", chain=["@2 | n=3", ..]), traces) -> {"first": 12, "steps": [..], ..}
    chain_in("@2 | n=3\\n@3 | n=3; s=0") -> ["@2 | n=3", "@3 | n=3; s=0"]

State 0 is the call, which the model is given. State k comes after k steps in the sense of `states.steps`:
lines, calls, returns and exceptions. Belief and truth are compared state by state. A state that differs is
compared cell by cell: a cell is a variable of a frame, the line, or a value or exception on its way. Each
such state is also searched for elsewhere in the true run, because a wrong branch shifts the numbers of the
steps.
`transcripts.py` reads the text that the model wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Any

from msgspec import Struct

from deskcheck.languages import LITERALS, part
from deskcheck.layouts import cwm
from deskcheck.records import EventKind, Trace
from deskcheck.states.steps import whole_run
from deskcheck.states.tree import StateTree, Value
from deskcheck.tracing.replay import events
from deskcheck.viewer.columns import shown_text
from deskcheck.viewer.transcripts import SKIPPED, aligned, frames_of, is_framed, tree_of

MOST_TEXT = 20_000
"""Largest number of characters of a reply or an answer on the page."""
_WINDOW = 60
"""Number of states ahead within which a believed value counts as true too early."""


class ModelRun(Struct, frozen=True):
    """States, answer and verdict of one model for one program."""

    name: str
    """Model and strategy: "tiny, line-1"."""
    chain: list[str]
    """The model's state after each step, as text; "" if one could not be read."""
    answer: str = ""
    expected: str = ""
    verdict: str = ""
    """right, wrong, no answer; "" = not graded."""
    text: str = ""
    """The model's reply; "" = none."""
    form: str = ""
    """Form of the texts in `chain`: "states", "changes", or "jumps" of several steps; "" = not known."""


def chain_in(text: str) -> list[str]:
    """Return the lines of a reply that are states."""
    return [line.strip() for line in text.split("\n") if tree_of(line.strip()) is not None]


def belief_of(run: ModelRun, traces: list[Trace]) -> dict[str, Any]:
    """Return one model's run for the page; `events` has a list of event numbers for each trace."""
    start, rest = whole_run(traces[0])
    true = [start, *(state for _, state in rest)]
    if is_framed(run.text):
        believed, steps = _framed(run, traces[0], true)
    elif is_free_text(run):
        believed, steps = [""], [["silent"] for _ in true]
    else:
        believed, steps = _stated(run, true)
    return on_page(run, traces, steps, believed)


def is_free_text(run: ModelRun) -> bool:
    """Whether a reply has neither states nor frames."""
    return not run.chain and bool(run.text) and not is_framed(run.text)


def on_page(
    run: ModelRun,
    traces: list[Trace],
    steps: list[list[Any]],
    believed: Sequence[str] = ("",),
    *,
    claims: Sequence[list[Any]] = (),
    quote: str = "",
    ran: int = 0,
    first: int = -1,
) -> dict[str, Any]:
    """Return a belief in the form that the page reads.

    `steps`: for each true state, the row that `_step` returns, or ["silent"]. `believed`: the model's states
    as text. `claims`: statements of a free text (`stating.py`). `quote`: sentence of the first false one; ""
    = none. `ran`: line executed before the state that it is false of. `first`: number of the first state that
    differs; -1 = as the rows say.
    """
    wrong = [at for at, step in enumerate(steps) if step[0] == "differs"]
    first = first if first >= 0 else wrong[0] if wrong else -1
    rejoined = next((at for at in range(first + 1, len(steps)) if steps[at][0] == "same"), -1)
    return {
        "name": shown_text(run.name),
        "answer": shown_text(run.answer)[:MOST_TEXT],
        "expected": shown_text(run.expected)[:MOST_TEXT],
        "verdict": run.verdict,
        "text": run.text[:MOST_TEXT],
        "cut": max(0, len(run.text) - MOST_TEXT),
        "events": [step_events(trace) for trace in traces],
        "steps": steps,
        "states": [shown_text(text) for text in believed],
        "first": first,
        "rejoined": rejoined if first >= 0 else -1,
        "wrote": len(believed) - 1 + len(claims),
        "claims": list(claims),
        "quote": shown_text(quote),
        "ran": ran,
    }


def _stated(run: ModelRun, true: list[StateTree]) -> tuple[list[str], list[list[Any]]]:
    """Return the texts of the belief, and for each state its comparison with the true one."""
    texts = [str(state) for state in true]
    believed = [texts[0], *aligned(run.chain, true, form=run.form)]
    history = _History(_texts_of(true))
    places = {text: at for at, text in reversed(list(enumerate(texts)))}
    pairs = enumerate(zip_longest(texts[:-1], believed, fillvalue=""))
    return believed, [_step(at, truth, belief, true, history, places) for at, (truth, belief) in pairs]


def _framed(run: ModelRun, trace: Trace, true: list[StateTree]) -> tuple[list[str], list[list[Any]]]:
    """Return the same as `_stated` for a transcript of frames, which has no loops and no identities."""
    wanted, found = cwm.keeps(trace)[1:], frames_of(run.text)
    if found and found[0] in (("line", {}, ""), ("line", cwm.UNTOLD, "")):
        found = found[1:]
    depths = [len(state.frames) - 1 for state in true]
    history = _History(
        (at, depths[min(at, len(depths) - 1)], name, text)
        for at, (_, local, _) in enumerate(wanted)
        for name, text in local.items()
    )
    steps: list[list[Any]] = []
    for at in range(max(len(true) - 1, len(found))):
        truth, belief = (frames[at] if at < len(frames) else None for frames in (wanted, found))
        depth = max(0, depths[min(at, len(depths) - 1)])
        if truth is not None and belief is not None and belief[1] is cwm.UNTOLD:
            truth = (truth[0], cwm.UNTOLD, truth[2])
        if belief is None:
            steps.append(["ended"])
        elif truth is None:
            steps.append(["differs", "", -1, [[0, "", "", ["goes on after the run is over"], ""]], -1])
        elif truth == belief:
            steps.append(["same"])
        else:
            steps.append(["differs", "", -1, _frame_cells(at, depth, truth, belief, history), -1])
    told = [
        " ".join(filter(None, (kind, str(local) if local and local is not cwm.UNTOLD else "", value)))
        for kind, local, value in found
    ]
    return [told[0] if told else "", *told[1:]], steps


def _frame_cells(
    at: int, depth: int, true: cwm.Shown, belief: cwm.Shown, history: _History
) -> list[list[Any]]:
    """Return the cells in which two frames differ."""
    if true[0] != belief[0]:
        return [[-1, "line", belief[0], ["wrong kind of step"], true[0]]]
    cells: list[list[Any]] = []
    for name in dict.fromkeys([*true[1], *belief[1]]):
        wanted, claimed = true[1].get(name), belief[1].get(name)
        if wanted != claimed:
            texts = [shown_text(each)[:2000] if each is not None else "" for each in (claimed, wanted)]
            words = _words_of_texts(depth, name, wanted, claimed, at, history)
            cells.append([depth, shown_text(name), texts[0], words, texts[1]])
    if true[2] != belief[2]:
        texts = [shown_text(each)[:2000] for each in (belief[2], true[2])]
        cells.append([depth, "<-", texts[0], ["other value on its way"], texts[1]])
    return cells


def _words_of_texts(
    depth: int, name: str, true: str | None, text: str | None, at: int, history: _History
) -> list[Any]:
    if text is None or true is None:
        return ["missing" if text is None else "extra"]
    words: list[Any] = ["wrong type"] if _type(text) != _type(true) else []
    words += history.words(depth, name, text, at)
    if text.lstrip("-").isdigit() and true.lstrip("-").isdigit() and abs(int(text) - int(true)) == 1:
        words.append("off by one")
    return words or ["wrong value"]


def divergence_of(belief: dict[str, Any], trace: Trace) -> str:
    """Describe the first divergence of a belief: "step 12: total is 3, not 6 (stale)"; "" = none."""
    if belief["first"] < 0:
        return ""
    events_of = belief["events"][0]
    event = events_of[belief["first"]] if belief["first"] < len(events_of) else len(trace.events.kind)
    cells = belief["steps"][belief["first"]][3]
    frame, name, said, words, true = cells[0]
    word = words[0] if isinstance(words[0], str) else words[0][0].partition(" ")[0].rstrip(":")
    is_named = (frame >= 0 and name) or (belief["claims"] and name)
    name = "the returned value" if name == "<-" else name
    what = f"{name} is {true or 'not there'}, not {said or 'nothing'} ({word})" if is_named else word
    return f"step {step_name(trace, event)}: {what}"


def step_name(trace: Trace, event: int) -> str:
    """Return the name of an event on the page: "12" for a line, "12.2" for the second event after it."""
    if event >= len(trace.events.kind):
        return "end"
    step, at = trace.events.step[event], event
    while at > 0 and trace.events.step[at - 1] == step and trace.events.kind[at] != EventKind.LINE:
        at -= 1
    return f"{step}.{event - at}" if event > at else str(step)


def step_events(trace: Trace) -> list[int]:
    """Return the event of every state of `states.steps`, in order."""
    wanted = set(EventKind) - {EventKind.EXPRESSION, EventKind.INSTRUCTION, EventKind.CATCH, EventKind.FREE}
    step_numbers: list[int] = []
    unwinding = False
    for event in events(trace):
        if event.kind not in wanted:
            continue
        if event.kind is EventKind.RAISE and unwinding:
            unwinding = False
            continue
        unwinding = event.kind is EventKind.UNWIND
        step_numbers.append(event.index)
    return step_numbers


def _texts_of(states: list[StateTree]) -> Iterator[tuple[int, int, str, str]]:
    """Yield number of the state, depth of the frame, name and text of every variable."""
    for at, state in enumerate(states):
        for depth, frame in enumerate(state.frames):
            for name, value in frame.entries.items():
                yield at, depth, name, str(value)


class _History:
    """All texts of each variable over the run, by depth of its frame and name."""

    def __init__(self, rows: Iterable[tuple[int, int, str, str]]) -> None:
        self._changes: dict[tuple[int, str], list[tuple[int, str]]] = {}
        for at, depth, name, text in rows:
            changes = self._changes.setdefault((depth, name), [])
            if not changes or changes[-1][1] != text:
                changes.append((at, text))

    def words(self, depth: int, name: str, text: str, at: int) -> list[str | list[Any]]:
        """Tell whether the text was true earlier or is true soon: [[words, number of that state]], or []."""
        changes = self._changes.get((depth, name), [])
        for (_, old), (changed, _) in reversed(list(pairwise(changes))):
            if changed <= at and old == text:
                return [["stale since", changed]]
        for begins, new in changes:
            if at < begins <= at + _WINDOW and new == text:
                return [["early: true from", begins]]
        return []


def _step(
    at: int, truth: str, belief: str, true: list[StateTree], history: _History, places: dict[str, int]
) -> list[Any]:
    """Return ["same"], ["ended"], ["skipped"], or a row of a state that differs.

    This row is ["differs", mark of the belief, line of the belief, differing cells (`_cells`), number of a
    true state that equals the belief, or -1].
    """
    if truth == belief:
        return ["same"]
    if not belief:
        return ["ended"]
    if belief == SKIPPED:
        return ["skipped"]
    tree = tree_of(belief)
    if tree is None:
        return ["differs", "", -1, [[0, "", belief[:200], ["not readable as a state"], ""]], -1]
    top = tree.frames[-1]
    elsewhere = places.get(belief, -1)
    if not truth:
        return [
            "differs",
            top.mark,
            top.line,
            [[0, "", "", ["goes on after the run is over"], ""]],
            elsewhere,
        ]
    return ["differs", top.mark, top.line, _cells(at, true[at], tree, history), elsewhere]


def _cells(at: int, true: StateTree, belief: StateTree, history: _History) -> list[list[Any]]:
    """Return each cell in which two states differ: [frame, name, believed text, words, true text]."""
    cells: list[list[Any]] = []
    mine, yours = true.frames[-1], belief.frames[-1]
    if len(true.frames) != len(belief.frames):
        calls = len(belief.frames) - len(true.frames)
        cells.append([-1, "calls", str(len(belief.frames)), [f"{calls:+d} calls"], str(len(true.frames))])
    elif (mine.mark, mine.line) != (yours.mark, yours.line):
        word = "wrong branch" if mine.mark == yours.mark else "wrong kind of step"
        cells.append([-1, "line", f"line {yours.line}", [word], f"line {mine.line}"])
    for depth, (frame, other) in enumerate(zip(true.frames, belief.frames, strict=False)):
        names = dict.fromkeys([*frame.entries, *other.entries])
        for name in names:
            wanted, claimed = frame.entries.get(name), other.entries.get(name)
            if wanted is not None and claimed is not None and str(wanted) == str(claimed):
                continue
            words = _words(depth, name, wanted, claimed, at, history)
            texts = [shown_text(str(each))[:2000] if each is not None else "" for each in (claimed, wanted)]
            cells.append([depth, shown_text(name), texts[0], words, texts[1]])
        if (frame.pending, str(frame.value)) != (other.pending, str(other.value)):
            texts = [
                shown_text(f"{each.pending}{each.value}") if each.pending else "nothing"
                for each in (other, frame)
            ]
            cells.append([depth, "<-", texts[0][:2000], ["other value on its way"], texts[1][:2000]])
    if {n: str(v) for n, v in true.module.items()} != {n: str(v) for n, v in belief.module.items()}:
        cells.append([-1, "globals", "", ["globals differ"], ""])
    return cells or [[-1, "state", "", ["written otherwise"], ""]]


def _words(
    depth: int, name: str, true: Value | None, value: Value | None, at: int, history: _History
) -> list[Any]:
    """Return words for the ways in which a cell is wrong, the most informative first."""
    if value is None:
        return ["missing"]
    if true is None:
        return ["extra"]
    words: list[Any] = []
    if true.kind == "label" and value.kind != "label":
        words.append("alias missed")
    text, wanted = str(value), str(true)
    if _type(text) != _type(wanted):
        words.append("wrong type")
    words += history.words(depth, name, text, at)
    if _off_by_one(value, true):
        words.append("off by one")
    return words or ["wrong value"]


def _type(text: str) -> str:
    try:
        plain = text.partition("[")[0] if text.startswith("#") else text
        return type(part(LITERALS, "plain")(plain)).__name__
    except ValueError:
        return text[:1] if text[:1] in "[({<" else ""


def _off_by_one(value: Value, true: Value) -> bool:
    """Whether two values differ by one: as numbers, in their positions, or by one item at an end."""
    if value.kind != true.kind:
        return False
    if value.kind == "literal":
        try:
            return abs(int(value.text) - int(true.text)) == 1
        except ValueError:
            return False
    if value.position >= 0 or true.position >= 0:
        return abs(value.position - true.position) == 1 and value.items == true.items
    short, long = sorted((value.items, true.items), key=len)
    return len(long) == len(short) + 1 and (long[:-1] == short or long[1:] == short)
