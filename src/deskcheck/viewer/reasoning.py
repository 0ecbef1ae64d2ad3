"""A model's free text beside the run: which of its statements about the state are false, and where.

    judged("`n` is 3, then `n` becomes 5", program, trace) -> [Judged(claim, is_true=True, event=4, ..), ..]

A statement is true where its value is there at some later moment of the run than the statements before it,
and false where its value is there at no moment; one that is only out of order is left open: texts look back.
Of variables, and of expressions out of names, items, slices, lengths and comparisons; of what a method of the
program gave; of the call's result; and of any value at all. Never executed: what a text says is looked up.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.grading.literals import equal, parse_literal
from deskcheck.records import EventKind, Program, Returned, Trace
from deskcheck.states.visits import plain_text
from deskcheck.tracing.literal import is_plain, outcome_text
from deskcheck.tracing.replay import State, states
from deskcheck.viewer.claims import ANYTHING, CALL, RESULT, Claim, Judged, claims_in, literal_at
from deskcheck.viewer.expressions import Unknown, evaluated
from deskcheck.viewer.facts import facts_in
from deskcheck.viewer.operations import APPEND, ARGUMENTS, OPERATION, SPLIT, operations_in
from deskcheck.viewer.rounds import Moment, rounds_filled_in

_ERROR = re.compile(r"(?:raises\s+)?\w*(?:Error|Exception)\b")
MOST_EVENTS = 6_000
"""Events of a run in which statements are looked up; of a longer one none is judged."""
_MOST_TEXT = 20_000
_SPLITS = {"split", "rsplit", "splitlines", "partition", "rpartition"}
_NEVER = object()
_ALIKE = 0.6
"""Likeness from which a list is a false value of another one, not a list of the values of a variable."""
_NEAR = 0.97
"""Of the most similar value's likeness: an earlier value of the variable that is as near is meant."""


class _Told(Struct):
    """What a run gave."""

    moments: list[Moment]
    expressions: dict[str, list[tuple[int, Any]]]
    """Source text of an expression -> event and value."""
    names: set[str]
    result: list[Any]
    """The returned value; empty where there is none with a literal."""
    returned: list[Any]
    """What any call gave back."""
    n_events: int
    ran: dict[int, int]
    """Event of a moment -> the line of its frame that had run."""
    lines: list[str]
    """Of the program, without their indentation."""
    passed: dict[int, list[int]]
    """Line -> the events of its frame that followed it."""
    ends: dict[int, int]
    """Event of a moment -> the last event of its frame."""
    calls: list[tuple[int, dict[str, Any]]]
    """Event and arguments of every call."""
    appended: list[tuple[int, str]]
    """Line and source text of what is appended to lists."""


def judged(text: str, program: Program, trace: Trace, answer: str = "") -> list[Judged]:
    """Statements of a text that can be decided, in their order. Nothing of a run that is too long.

    `answer` is the result that a grader took from the text and found wrong: false where nothing before it is.
    """
    if len(trace.events.kind) > MOST_EVENTS:
        return []
    told = _told(program, trace)
    found: list[Judged] = []
    at, seen = 0, set[str]()
    for claim in _statements(_reasoning(text[:_MOST_TEXT]), told.names):
        if claim.about in (RESULT, ANYTHING) and _is_code(claim.value, program, told):
            continue
        verdict = _judge(claim, told, at, is_new=claim.about not in seen)
        seen.add(claim.about)
        if verdict is not None:
            found.append(verdict)
            if verdict.is_true and claim.about != RESULT:
                at = max(at, verdict.event)
    found += rounds_filled_in(text[:_MOST_TEXT], program, trace, told.moments)
    if answer and all(one.is_true for one in found):
        found += _of_answer(text[:_MOST_TEXT], answer, told)
    return sorted(found, key=lambda one: one.claim.start)


def first_false(found: list[Judged]) -> Judged | None:
    """The first false statement: in the text, and among lists that were filled in the earliest in the run."""
    first = next((one for one in found if not one.is_true), None)
    if first is None or not first.is_filled_in:
        return first
    return min((one for one in found if one.is_filled_in and not one.is_true), key=lambda one: one.event)


def line_before(trace: Trace, one: Judged | None) -> int:
    """The line that had run when the true value was there: what returned, of a result; 0 = the call."""
    if one is None:
        return 0
    columns, n = trace.events, len(trace.events.kind)
    at = min(one.event, n - 1)
    if one.event >= n:  # the outermost call is over
        frame = columns.frame[0]
    elif columns.kind[at] == EventKind.EXPRESSION:
        return columns.line[at]
    else:
        frame = columns.frame[at]
    rows = range(at if one.event >= n else at - 1, -1, -1)
    if columns.kind[at] == EventKind.CALL:  # what the caller's line gave
        return next((columns.line[k] for k in rows if columns.kind[k] == EventKind.LINE), 0)
    return next(
        (columns.line[k] for k in rows if columns.kind[k] == EventKind.LINE and columns.frame[k] == frame), 0
    )


def _reasoning(text: str) -> str:
    """The text without a program that an answer fills in: its lines state nothing by themselves."""
    head, mark, answer = text.rpartition("[ANSWER]")
    return head if mark and ("[STATE]" in answer or "[BRANCH]" in answer) else text


def _statements(text: str, names: set[str]) -> list[Claim]:
    """What a text says of the run, and of its own literals, in the order of the text."""
    facts = [*facts_in(text)]
    for claim in operations_in(text):
        if not any(claim.start < fact.end and fact.start < claim.end for fact in facts):
            facts.append(claim)
    claims = [
        claim
        for claim in claims_in(text, names)
        if not any(claim.start < fact.end and fact.start < claim.end for fact in facts)
    ]
    return sorted([*claims, *facts], key=lambda claim: claim.start)


def _is_code(value: Any, program: Program, told: _Told) -> bool:
    """Whether a text in quotes is a name or a piece of the program."""
    return isinstance(value, str) and (value in told.names or (len(value) > 1 and value in program.source))


def _told(program: Program, trace: Trace) -> _Told:
    lines = program.source.split("\n")
    told = _Told(
        [], {}, set(), [], [], len(trace.events.kind), {}, [line.strip() for line in lines], {}, {}, [], []
    )
    told.appended = _appended(program.source)
    known: dict[str, Any] = {}
    line_of: dict[int, int] = {}
    last: dict[int, int] = {}
    for event, state in states(trace):
        if event.changes or event.kind in (EventKind.CALL, EventKind.RETURN):
            values = _plain_values(trace, state, known)
            told.names.update(values)
            told.moments.append((event.index, event.frame, values))
            code = trace.codes[trace.frames.code[event.frame]]
            if event.kind is EventKind.CALL and not code.name.rpartition(".")[2].startswith("<"):
                told.calls.append((event.index, values))
            told.ran[event.index] = line_of.get(event.frame, 0)
        if event.kind in (EventKind.LINE, EventKind.RETURN, EventKind.UNWIND):
            if event.frame in line_of:
                told.passed.setdefault(line_of[event.frame], []).append(event.index)
            line_of[event.frame] = event.line
            last[event.frame] = event.index
        if event.kind is EventKind.RETURN and event.value >= 0:
            told.returned += _value_of(trace, state, event.value, known)
        if event.kind is EventKind.EXPRESSION and event.value >= 0:
            source = _source(trace, event.index, event.line, lines)
            value = _value_of(trace, state, event.value, known)
            if source and value:
                told.expressions.setdefault(source, []).append((event.index, value[0]))
    told.ends = {event: last.get(frame, event) for event, frame, _ in told.moments}
    if isinstance(trace.outcome, Returned) and is_plain(trace):
        told.result = [parse_literal(outcome_text(trace))]
    return told


def _appended(source: str) -> list[tuple[int, str]]:
    try:
        calls = [one for one in ast.walk(ast.parse(source)) if isinstance(one, ast.Call)]
    except (SyntaxError, ValueError, RecursionError):
        return []
    adds = [one for one in calls if isinstance(one.func, ast.Attribute) and one.func.attr == "append"]
    return [(one.lineno, ast.unparse(one.args[0])) for one in adds if len(one.args) == 1]


def plain_moments(trace: Trace) -> list[Moment]:
    """Moments of a run at which something changed, with the plain values of the running frame."""
    known: dict[str, Any] = {}
    return [
        (event.index, event.frame, _plain_values(trace, state, known))
        for event, state in states(trace)
        if event.changes or event.kind in (EventKind.CALL, EventKind.RETURN)
    ]


def _plain_values(trace: Trace, state: State, known: dict[str, Any]) -> dict[str, Any]:
    rows = ((name, _value_of(trace, state, handle, known)) for name, handle in state.top.bindings.items())
    return {name: found[0] for name, found in rows if found}


def _value_of(trace: Trace, state: State, handle: int, known: dict[str, Any]) -> list[Any]:
    text = plain_text(trace, state, handle)
    if text is None or len(text) > _MOST_TEXT:
        return []
    if text not in known:
        known[text] = parse_literal(text)
    return [known[text]]


def _source(trace: Trace, event: int, line: int, lines: list[str]) -> str:
    """Source text of an expression of one line, written as ast.unparse does; "" where it has several."""
    columns = trace.events
    if not columns.end_line or columns.end_line[event] != line or columns.column[event] < 0:
        return ""
    raw = lines[line - 1].encode()[columns.column[event] : columns.end_column[event]]
    return _normal(raw.decode("utf-8", "replace"))


def _normal(text: str) -> str:
    try:
        return ast.unparse(ast.parse(text.strip(), mode="eval"))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


# ------------------------------------------------------------------ one statement


def _judge(claim: Claim, told: _Told, at: int, *, is_new: bool) -> Judged | None:
    if claim.about == RESULT:
        return _of_result(claim, told)
    if claim.about == ANYTHING:
        return _of_anything(claim, told, at)
    if claim.about in (SPLIT, APPEND):
        return _of_operation(claim, told, at)
    if claim.about == ARGUMENTS:
        return _of_arguments(claim, told, at)
    if claim.about == OPERATION:
        return _of_number(claim, told, at)
    if claim.about.startswith(CALL):
        claim = replace(claim, about=claim.about.removeprefix(CALL))
        if rows := _calls_of(claim.about, told):
            calls = [row for row in rows if row[0] > at] or rows[-1:]
            true = next((row for row in calls if _same(row[2], claim.value)), None)
            event, source, value = true or calls[0]
            return Judged(claim, true is not None, event, source, "" if true else repr(value))
    if (fact := _constant(claim.about)) is not None:
        return _of_constants(claim, fact, told, at)
    if claim.about.endswith("()"):
        return _of_method(claim, told, at)
    history = _history(claim.about, told)
    if not history:
        return None
    values = [value for _, value in history]
    if type(claim.value) in (int, float) and not any(isinstance(value, int | float) for value in values):
        return None  # of a length, or of how many there are
    same = [event for event, value in history if _same(value, claim.value)]
    if is_new and claim.is_first and claim.about.isidentifier():
        # What a variable is set to is its first value, or the one it gets instead of an argument.
        early = [value for _, value in history[:2]]
        if not any(_same(value, claim.value) for value in early):
            return Judged(claim, False, history[0][0], claim.about, repr(history[0][1]))
    if later := [event for event in same if event >= at]:
        return Judged(claim, True, later[0], claim.about)
    if same or _is_list_of_states(claim.value, values):
        return None
    if isinstance(claim.value, list) and not any(isinstance(value, list) for value in values):
        kinds = {type(value) for value in values}
        is_text = any(isinstance(value, str) and list(value) == claim.value for value in values)
        return (
            _of_rounds(claim, history)
            if {type(one) for one in claim.value} <= kinds and not is_text
            else None
        )
    event, value = _place_of(claim, history, at, told)
    return Judged(claim, False, event, claim.about, repr(value))


def _place_of(claim: Claim, history: list[tuple[int, Any]], at: int, told: _Told) -> tuple[int, Any]:
    """Event and true value that a false statement about a variable or an expression stands for.

    What the line made that the text quotes before it; the last value, of a statement about the end; else the
    next or most similar value. Where a loop was left instead of another round, the end of its call.
    """
    if claim.is_last:
        return history[-1]
    line = _quoted_line(claim, told.lines)
    made = [row for row in history if line and row[0] >= at and told.ran.get(row[0]) == line]
    if made:
        return made[0] if len(made) == 1 else _instead(made, at, claim.value)
    event, value = _instead(history, at, claim.value)
    if (
        line
        and claim.about in told.lines[line - 1]
        and (after := [one for one in told.passed.get(line, ()) if one >= at])
    ):
        known = [row for row in history if row[0] <= after[0]]
        return after[0], (known or history)[-1][1]
    if 0 < event <= at and event == history[-1][0]:
        return told.ends.get(event, event), value
    return event, value


def _quoted_line(claim: Claim, lines: list[str]) -> int:
    """Number of the program's line that a text quotes last, from 1; 0 = none, or one that is there twice.

    A whole line, or a piece of one in backticks.
    """
    places = [(claim.before.rfind(line), number) for number, line in enumerate(lines, 1) if len(line) > 5]
    place, number = max(places, default=(-1, 0))
    number = number if place >= 0 and lines.count(lines[number - 1]) == 1 else 0
    for code in re.finditer(r"`([^`\n]{6,80})`", claim.before):
        holding = [at for at, line in enumerate(lines, 1) if code[1] in line]
        if code.start() > place and len(holding) == 1:
            place, number = code.start(), holding[0]
    return number


def _of_rounds(claim: Claim, history: list[tuple[int, Any]]) -> Judged | None:
    """Of a list of the values that a variable takes one after the other, from its second value on."""
    pairs = zip(claim.value, history, strict=False)
    at = next((k for k, (said, row) in enumerate(pairs) if not _same(row[1], said)), len(history))
    if at == 0 or len(history) <= 1:
        return None
    if at < len(history):
        return Judged(claim, False, history[at][0], claim.about, repr(history[at][1]), f"value {at + 1}")
    true = f"not set again after {history[-1][1]!r}"
    return Judged(claim, False, history[-1][0], claim.about, true, f"value {at + 1}")


def _constant(about: str) -> list[Any] | None:
    """The value of an expression without names, in a list, which is empty where there is none; else None."""
    source = _normal(about)
    tree = ast.parse(source, mode="eval").body if source else None
    if tree is None or isinstance(tree, ast.Constant):
        return None
    if any(isinstance(one, ast.Name) and one.id != "len" for one in ast.walk(tree)):
        return None
    try:
        return [evaluated(tree, {})]
    except Unknown:
        return []


def _of_constants(claim: Claim, fact: list[Any], told: _Told, at: int) -> Judged | None:
    """Of what the text's own literals decide; its step is where most of them are values of the run."""
    if not fact or _same(fact[0], claim.value):
        return None
    wanted = [parse_literal(text) for text in _literals_of(claim.about)]
    if any(isinstance(one, str) and one in told.names for one in wanted):
        return None  # a name in quotes
    if ".find(" in claim.about or ".rfind(" in claim.about:
        searches = ("find", "rfind", "index", "rindex")
        own = [row for row in _values(told) if row[1].isidentifier() or _method_of(row[1]) in searches]
        whole = parse_literal(_literals_of(claim.about)[0])
        is_here = any(_same(row[2], whole) for row in own)
        if is_here and (place := _place_of_number(claim, fact[0], own, at)):
            return Judged(claim, False, place[0], place[1], repr(place[2]))
    if rows := sorted(_of_same_form(claim.about, fact[0], told, at)):
        return Judged(claim, False, rows[0][0], rows[0][1], repr(fact[0]))
    best = max(
        (row for row in told.moments if row[0] >= at),
        key=lambda row: (sum(any(_same(value, one) for value in row[2].values()) for one in wanted), -row[0]),
        default=None,
    )
    return Judged(claim, False, best[0] if best else at, claim.about, repr(fact[0]))


def _of_same_form(about: str, fact: Any, told: _Told, at: int) -> Iterator[tuple[int, str]]:
    """Event and source of the program's own expressions that ask what a statement about constants asks.

    The same method or `len` with the same value, or a comparison of the same two values.
    """
    tree = ast.parse(_normal(about), mode="eval").body
    for source, rows in told.expressions.items():
        other = ast.parse(source, mode="eval").body
        if isinstance(tree, ast.Compare) and isinstance(other, ast.Compare) and len(other.ops) == 1:
            wanted = [evaluated(one, {}) for one in (tree.left, tree.comparators[0])]
            for event, _ in rows:
                at_hand = max(
                    (row for row in told.moments if row[0] <= event), default=None, key=lambda r: r[0]
                )
                try:
                    has = (
                        [evaluated(one, at_hand[2]) for one in (other.left, other.comparators[0])]
                        if at_hand
                        else []
                    )
                except Unknown:
                    continue
                if event >= at and (_same(has, wanted) or _same(has, wanted[::-1])):
                    yield event, source
        elif isinstance(tree, ast.Call) and isinstance(other, ast.Call):
            names = [
                one.func.attr if isinstance(one.func, ast.Attribute) else ast.unparse(one.func)
                for one in (tree, other)
            ]
            if names[0] == names[1]:
                yield from ((event, source) for event, value in rows if event >= at and _same(value, fact))


def _method_of(source: str) -> str:
    """Name of the method that an expression calls; "" = it is no such call."""
    tree = ast.parse(source, mode="eval").body if source != RESULT else None
    return tree.func.attr if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) else ""


def _calls_of(source: str, told: _Told) -> list[tuple[int, str, Any]]:
    """Event, source and value of the program's calls of the same method of the same thing, in order."""
    wanted, owner = _method_of(_normal(source) or "0"), source.partition(".")[0]
    return sorted(
        (
            (event, own, value)
            for own, rows in told.expressions.items()
            if wanted and _method_of(own) == wanted and own.partition(".")[0] == owner
            for event, value in rows
        ),
        key=lambda row: row[0],
    )


def _place_of_number(
    claim: Claim, true: Any, rows: list[tuple[int, str, Any]], at: int
) -> tuple[int, str, Any] | None:
    """Where a run has a position: a search that gives it, else a variable that the sentence speaks of.

    A variable becomes it, or a list gets it as its last item; the first of the others where none is named.
    """
    last: dict[str, Any] = {}
    places = []
    for event, about, value in rows:
        is_new = about not in last or not _same(last[about], value)
        last[about] = value
        is_it = value[-1:] == [true] if isinstance(value, list) else type(value) is int and value == true
        if is_it and is_new and event > at:
            places.append((event, about, value))
    if called := [row for row in places if not row[1].isidentifier()]:
        return min(called, key=lambda row: row[0])
    words = {word.rstrip("s") for word in re.findall(r"[a-z]+", claim.before.rpartition(".")[2].lower())}
    words |= {"index", "indice", "position", "pos", "idx"}
    named = [row for row in places if row[1].lower().rstrip("s").removesuffix("e") in words]
    return min(named or places, key=lambda row: row[0], default=None)


def _literals_of(about: str) -> list[str]:
    return [
        ast.unparse(one) for one in ast.walk(ast.parse(about, mode="eval")) if isinstance(one, ast.Constant)
    ]


def _history(about: str, told: _Told) -> list[tuple[int, Any]]:
    """Values of a variable or an expression, each with the first event at which it is there."""
    found: list[tuple[int, Any]] = []
    source = _normal(about)
    if not source:
        return []
    tree = ast.parse(source, mode="eval").body
    if isinstance(tree, ast.Constant):
        return []
    last: dict[int, Any] = {}
    for event, frame, values in told.moments:
        try:
            value = evaluated(tree, values)
        except Unknown:
            continue
        if frame not in last or not equal(last[frame], value):
            found.append((event, value))
            last[frame] = value
    found += told.expressions.get(source, ())
    return sorted(found, key=lambda row: row[0])


def _instead(history: list[tuple[int, Any]], at: int, said: Any) -> tuple[int, Any]:
    """The true value that a false one stands for: the next one, the last where there is none."""
    later = [row for row in history if row[0] > at]
    alike = [row for row in later if type(row[1]) is type(said) and isinstance(said, list | str | dict)]
    if alike:
        return max(alike, key=lambda row: (_likeness(row[1], said), -row[0]))
    return later[0] if later else history[-1]


def _of_result(claim: Claim, told: _Told) -> Judged | None:
    if not told.result:
        return None
    if _same(told.result[0], claim.value):
        return Judged(claim, True, told.n_events, RESULT)
    if any(_same(value, claim.value) for value in told.returned):
        return None  # of an inner call
    return Judged(claim, False, told.n_events, RESULT, repr(told.result[0]))


def _of_answer(text: str, answer: str, told: _Told) -> list[Judged]:
    """A wrong answer as the last statement of its text; nothing where it stands in no such form."""
    found = literal_at(answer, 0) or ((answer, len(answer), answer) if answer in text else None)
    if found is None or not told.result or _same(told.result[0], found[0]):
        return []
    start = max(text.rfind(answer), text.rfind(answer.replace("'", '"')), 0)
    claim = Claim(start, start + len(answer), RESULT, found[0], answer)
    return [Judged(claim, False, told.n_events, RESULT, repr(told.result[0]))]


def _of_method(claim: Claim, told: _Told, at: int) -> Judged | None:
    """Of what the calls of one method gave; positions come from any search."""
    method = claim.about.removesuffix("()")
    wanted = {"find": ("find(", "index("), "len": ("len(",)}.get(method, (f"{method}(",))
    history = sorted(
        (row for source, rows in told.expressions.items() if _is_call(source, wanted) for row in rows),
        key=lambda row: row[0],
    )
    if not history:
        return None
    if any(_same(value, claim.value) for _, value in history):
        return None  # of which call is not said
    if method == "find" and _is_position(claim.value, told):
        return None
    event, value = _instead(history, at, claim.value)
    about = next(s for s, rows in told.expressions.items() if (event, value) in rows)
    return Judged(claim, False, event, about, repr(value))


def _of_operation(claim: Claim, told: _Told, at: int) -> Judged | None:
    """Of the pieces that splits gave, or of the items that were appended."""
    rows = []
    for source, found in told.expressions.items():
        tree = ast.parse(source, mode="eval").body
        method = tree.func.attr if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) else ""
        if claim.about == SPLIT and method in _SPLITS:
            rows += [(event, source, value) for event, value in found if isinstance(value, list | tuple)]
    if claim.about == APPEND:
        for line, argument in told.appended:
            rows += _at_hand(line, argument, told)
    rows.sort(key=lambda row: row[0])
    later = [row for row in rows if row[0] > at] or rows[-1:]
    for event, source, value in later:
        is_it = _same(value, claim.value)
        if claim.about == SPLIT:
            is_it = any(_same(list(one), claim.value) for one in (value, value[::2]))
        if is_it:
            return Judged(claim, True, event, source)
    if not later or any(_same(value, claim.value) for _, _, value in rows):
        return None
    return Judged(claim, False, later[0][0], later[0][1], repr(later[0][2]))


def _of_arguments(claim: Claim, told: _Told, at: int) -> Judged | None:
    """Of a call's arguments: false at the first one that differs, of the next call inside the run."""
    calls = [row for row in told.calls if len(row[1]) == len(claim.value)]
    for event, values in calls:
        if _same(list(values.values()), claim.value):
            return Judged(claim, True, event, next(iter(values)))
    inner = [row for row in calls if row[0] > at] or calls[1:]
    if not inner or len(calls) < 2:
        return None
    event, values = inner[0]
    pairs = zip(values.items(), claim.value, strict=True)
    name, true = next(pair for pair, said in pairs if not _same(pair[1], said))
    return Judged(claim, False, event, name, repr(true))


def _at_hand(line: int, source: str, told: _Told) -> Iterator[tuple[int, str, Any]]:
    """Values of an expression each time that its line has run."""
    if rows := told.expressions.get(source):
        yield from ((event, source, value) for event, value in rows)
        return
    tree = ast.parse(source, mode="eval").body
    for event in told.passed.get(line, ()):
        values = next((row[2] for row in reversed(told.moments) if row[0] <= event), {})
        with contextlib.suppress(Unknown):
            yield event, source, evaluated(tree, values)


def _of_number(claim: Claim, told: _Told, at: int) -> Judged | None:
    """Of "the result of this operation": false at the next number that is kept, where no number is it."""
    if any(_same(value, claim.value) for _, _, value in _values(told)):
        return None
    before: dict[str, Any] = {}
    for event, _, values in told.moments:
        for name, value in values.items():
            if event > at and type(value) in (int, float) and not _same(before.get(name), value):
                return Judged(claim, False, event, name, repr(value))
        before = values
    return None


def _is_call(source: str, wanted: tuple[str, ...]) -> bool:
    return source.endswith(")") and any(
        name in source and source.rindex(name) > source.rfind(").") for name in wanted
    )


def _is_position(value: int, told: _Told) -> bool:
    """Whether a number is a value of the run at all: then it can be a position that was not searched."""
    return any(_same(value, one) for _, _, values in told.moments for one in values.values())


def _of_anything(claim: Claim, told: _Told, at: int) -> Judged | None:
    """False where no variable, no expression and no part of one ever has the value.

    Its true value is the one of the code in backticks before it, else the most similar one.
    """
    alike: list[tuple[float, int, str, Any]] = []
    is_held, latest = False, dict[str, Any]()
    for event, about, value in _values(told):
        if _same(value, claim.value):
            is_kept = event >= at and about.isidentifier() and isinstance(value, list | dict | str)
            return Judged(claim, True, event, about) if is_kept and event < told.n_events else None
        is_held = is_held or _holds(value, claim.value)
        is_kept = about.isidentifier() and _same(latest.get(about, _NEVER), value)
        if event >= max(at, 1) and type(value) is type(claim.value) and not is_kept:
            alike.append((_likeness(value, claim.value), event, about, value))
        latest[about] = value
    alike = [row for row in alike if row[1] > at] or alike
    best = max(alike, key=lambda row: (row[0], row[2].isidentifier(), -row[1]), default=None)
    if (
        is_held
        or claim.value in ([], {}, (), set())
        or (
            not (claim.is_change and _is_one_repeated(claim.value))
            and _is_list_of_states(claim.value, [value for _, _, value in _values(told)])
            and not (claim.is_change and best is not None and best[0] >= _ALIKE)
        )
    ):
        return None
    rows = told.expressions.get(_normal(claim.source)) if claim.source else None
    if rows and type(rows[0][1]) is type(claim.value):
        event, value = _instead(rows, at, claim.value)
        return Judged(claim, False, event, claim.source, repr(value))
    if best is None or best[0] < 0.6:
        names = {row[2] for row in alike if row[2].isidentifier()}
        if len(names) != 1 or isinstance(claim.value, str) or not claim.is_change:
            return None
        best = next(row for row in alike if row[2] in names)
    if claim.is_last:
        best = max((row for row in alike if row[2] == best[2]), key=lambda row: row[1])
        return Judged(claim, False, best[1], best[2], repr(best[3]))
    near = min(
        (row for row in alike if row[2] == best[2] and row[0] >= _NEAR * best[0]), key=lambda row: row[1]
    )
    return Judged(claim, False, near[1], near[2], repr(near[3]))


def _values(told: _Told) -> Iterator[tuple[int, str, Any]]:
    for event, _, values in told.moments:
        yield from ((event, name, value) for name, value in values.items())
    for source, rows in told.expressions.items():
        yield from ((event, source, value) for event, value in rows)
    yield from ((told.n_events, RESULT, value) for value in told.result)


def _holds(value: Any, said: Any) -> bool:
    """Whether a container has it inside."""
    if isinstance(value, dict):
        parts = [*value, *value.values(), list(value), list(value.values()), list(value.items())]
        return any(_same(one, said) or _holds(one, said) for one in parts)
    if isinstance(value, str) and isinstance(said, list):
        return list(value) == said
    if isinstance(value, list | tuple | set | frozenset):
        if isinstance(said, list) and list(enumerate(value)) == said:
            return True
        return any(_same(one, said) or (not isinstance(one, str) and _holds(one, said)) for one in value)
    return False


def _same(value: Any, said: Any) -> bool:
    return equal(value, said, "lenient:1e-9") or (value is said)


def _is_list_of_states(said: Any, values: list[Any]) -> bool:
    """Whether "i = [0, 1, 2]" lists the values that a variable takes one after the other."""
    if not isinstance(said, list | tuple) or not said:
        return False
    return all(any(_same(value, one) for value in values) for one in said)


def _is_one_repeated(said: Any) -> bool:
    return isinstance(said, list) and len(said) > 1 and all(one == said[0] for one in said)


def _likeness(value: Any, said: Any) -> float:
    return SequenceMatcher(None, repr(value)[:500], repr(said)[:500], autojunk=False).ratio()
