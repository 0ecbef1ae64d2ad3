"""Read answers off a run that a model wrote down: lines, branches, values, its end.

    derived(task, states, Answer("7")) -> Answer("[2, 3, 3, 4]") for a task "full-trace"

A layout writes the run and no answer to a question. The believed run is read by the same rules as the true
run (`predicted_run.py`). If the believed run never reaches the moment in question, the answer is wrong and
says so. A run that was cut gives no answer, with the reason of the cut; only "does it end within N lines?"
has an answer as soon as more than N lines are written. A value that the last line of a function gives cannot
be read, because the frame is gone by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from deskcheck.languages import facts, parse_literal, part, sequence, write
from deskcheck.questions import coverage, full_trace, hot_lines, loop_counts
from deskcheck.questions.annotation import blanks_in
from deskcheck.records import Answer, NoAnswer, Rollout, Task
from deskcheck.states.loops import outcomes, rounds
from deskcheck.states.parse import NO_LITERAL, read_state
from deskcheck.states.plain import is_plain
from deskcheck.states.tree import StateTree, Value
from deskcheck.states.visits import Visit, dict_text
from deskcheck.turns.predicted_run import Believed, believed, is_function, variables

VALUES = frozenset({"annotation", "loop-values", "next-state", "state"})
"""Kinds whose answers need variables, not only control flow."""
FITS = VALUES | {
    *("output", "exception", "coverage", "full-trace", "hot-lines", "reached", "loop-counts"),
    *("next-line", "branches", "halting"),
}
"""Every kind about the run itself; not `input` (another call) or `counterfactual` (another run)."""
WHY = "it predicts the run of the call: `input` asks for a call, and `counterfactual` about another run"
"""Reason for refusing every other kind."""
ENDS = frozenset({"output", "exception"})
"""Kinds that need only the end of the run."""


def derived(task: Task, states: Iterable[StateTree], ended: Answer | NoAnswer) -> Answer | NoAnswer:
    """Return the answer to the task's question.

    `states`: the believed states before each step. `ended`: the end of the believed run.
    """
    if task.kind == "output":
        return ended
    whole = isinstance(ended, Answer) or ended.detail.startswith(NO_LITERAL)
    if not whole and task.kind != "halting":
        return ended
    if task.kind == "exception":
        return Answer(write(task.program.language, _raised(ended) or None))
    run = believed(task.program, states, ends_raising=bool(_raised(ended)))
    if task.kind == "halting":
        late = len(run.reached) > int(_at(task))
        return Answer(write(task.program.language, not late)) if whole or late else ended
    if not run.reached:
        return NoAnswer("unparsable", "the run that was written down reaches no line")
    if task.kind == "next-state":
        return _next_state(task, run, ended)
    return ANSWERS[task.kind](task, run)


def from_chain(task: Task, start: StateTree, done: Rollout) -> Rollout:
    """Return the rollout of a loop that wrote every state after the first, with the derived answer."""
    states = [start, *map(read_state, done.chain)] if task.kind not in ENDS else []
    return replace(done, answer=derived(task, states, done.answer))


def _raised(ended: Answer | NoAnswer) -> str:
    """Return the name of the exception that ends the run, or ""."""
    text = ended.text if isinstance(ended, Answer) else ""
    return text.removeprefix("raises ").rpartition(".")[2] if text.startswith("raises ") else ""


def _at(task: Task) -> str:
    """Return the part of a task's id that names the moment in question."""
    return task.id.rpartition("@")[2]


def _place(task: Task, run: Believed) -> int:
    """Return the number of the visit in question, -1 if the believed run never reaches it."""
    line, nth = map(int, _at(task).split(".")[:2])
    found = (n for n, visit in enumerate(run.reached) if (visit.line, visit.nth) == (line, nth))
    return next(found, -1)


def _never(task: Task) -> Answer:
    """Return an answer that no right answer of this kind can equal."""
    line, nth = _at(task).split(".")[:2]
    return Answer(repr(f"line {line} is not reached {nth} times"))


def _next_line(task: Task, run: Believed) -> Answer:
    following = [*(visit.line for visit in run.reached[1:]), 0]
    place = _place(task, run)
    return Answer(str(following[place] if place >= 0 else 0))


def _reached(task: Task, run: Believed) -> Answer:
    is_reached = int(_at(task)) in {visit.line for visit in run.reached}
    return Answer(write(task.program.language, is_reached))


def _branches(task: Task, run: Believed) -> Answer:
    branches = facts(task.program).branches or []
    return Answer(write(task.program.language, outcomes(branches, run.reached, run.raised)))


def _loop_values(task: Task, run: Believed) -> Answer | NoAnswer:
    line = int(_at(task))
    loops = facts(task.program).loops or []
    name = next(loop.variable for loop in loops if loop.line == line)
    texts = []
    for index in rounds(loops, run.reached)[line]:
        text = _text(run.states[run.reached[index].event], name)
        if isinstance(text, NoAnswer):
            return text
        texts.append(text)
    return Answer(f"[{', '.join(texts)}]")


def _state(task: Task, run: Believed) -> Answer | NoAnswer:
    place = _place(task, run)
    if place < 0:
        return _never(task)
    visit, name = run.reached[place], _at(task).split(".", 2)[2]
    found = _after(run, visit, name)
    if found is None:
        return Answer(repr(f"line {visit.line} ends by an exception"))
    if isinstance(found, NoAnswer):
        return found
    language = task.program.language
    kind: str = part(language, "type_name")(parse_literal(found, language=language))
    return Answer(sequence(language, [found, write(language, kind)]))


def _after(run: Believed, visit: Visit, name: str) -> str | NoAnswer | None:
    """Return the literal of a variable after a line has been executed; None if an exception ends the line."""
    after = next((n for n, frame, _ in run.rows if frame == visit.frame and n > visit.event), -1)
    raised = next((n for n in run.raised.get(visit.frame, ()) if n > visit.event), -1)
    if raised >= 0 and (after < 0 or raised < after):
        return None
    if after < 0:
        return NoAnswer("unparsable", f"nothing is written after line {visit.line}, with which its call ends")
    return _text(run.states[after], name)


def _annotation(task: Task, run: Believed) -> Answer | NoAnswer:
    """Return the values of every blank; a value that an exception prevents is left out."""
    text = facts(task.program)
    tests = outcomes(text.conditions or [], run.reached, run.raised)
    loops = {loop.line: loop for loop in text.loops or []}
    begun = rounds(list(loops.values()), run.reached)
    texts = {}
    for line, name in blanks_in(task.question["en"]):
        values: list[str | NoAnswer | None]
        if name == "test":
            values = [write(task.program.language, result) for result in tests[line]]
        elif line in loops:
            values = [_text(run.states[run.reached[index].event], name) for index in begun[line]]
        else:
            values = [_after(run, visit, name) for visit in run.reached if visit.line == line]
        if unclear := next((value for value in values if isinstance(value, NoAnswer)), None):
            return unclear
        texts[f"{line}.{name}"] = f"[{', '.join(str(value) for value in values if value is not None)}]"
    return Answer(dict_text(texts, task.program.language))


def _next_state(task: Task, run: Believed, ended: Answer | NoAnswer) -> Answer | NoAnswer:
    """Answer with the line and variables of the next visit or, after the last visit, the end of the run."""
    language = task.program.language
    place = _place(task, run)
    if place < 0:
        return _never(task)
    if place + 1 == len(run.reached):
        if isinstance(ended, NoAnswer):
            return ended
        raised = _raised(ended)
        pair = [write(language, "raises"), write(language, raised)]
        return Answer(sequence(language, pair if raised else [write(language, "returns"), ended.text]))
    following = run.reached[place + 1]
    try:
        held = variables(run.states[following.event])
    except ValueError as error:
        return NoAnswer("unparsable", str(error))
    held = {name: value for name, value in held.items() if not is_function(value)}
    unclear = [f"{name}={value}"[:60] for name, value in held.items() if not is_plain(value)]
    if unclear:
        return NoAnswer("unparsable", f"'{unclear[0]}' is no plain value")
    values = dict_text({name: str(value) for name, value in held.items()}, language)
    return Answer(sequence(language, [str(following.line), values]))


def _text(state: StateTree, name: str) -> str | NoAnswer:
    """Return the literal of a variable of the running frame."""
    try:
        value: Value | None = variables(state).get(name)
    except ValueError as error:
        return NoAnswer("unparsable", str(error))
    line = state.frames[-1].line
    if value is None:
        return NoAnswer("unparsable", f"before line {line} no {name} is written")
    return str(value) if is_plain(value) else NoAnswer("unparsable", f"'{name}={value}' is no plain value")


ANSWERS: dict[str, Callable[[Task, Believed], Answer | NoAnswer]] = {
    "coverage": lambda task, run: Answer(coverage.answer(run.reached)),
    "full-trace": lambda task, run: Answer(full_trace.answer(run.reached)),
    "hot-lines": lambda task, run: Answer(hot_lines.answer(run.reached)),
    "loop-counts": lambda task, run: Answer(loop_counts.answer(task.program, run.reached)),
    "reached": _reached,
    "next-line": _next_line,
    "branches": _branches,
    "loop-values": _loop_values,
    "state": _state,
    "annotation": _annotation,
}
