"""Decide whether a statement about a run is true, and at which event, by a rule for each form of statement.

    verdict_on(claim, facts, at, is_new=True) -> Judged(..), or None where the statement cannot be decided

In this file `at` is the event of the last true statement, and a history has event and value of each change.
"""

from __future__ import annotations

import ast
import re
from typing import Any

from msgspec.structs import replace

from deskcheck.languages import parse_literal
from deskcheck.statements.claims import ANYTHING, CALL, RESULT, Claim, Judged
from deskcheck.statements.decisions import Place, other_branch
from deskcheck.statements.expressions import Unknown, evaluated
from deskcheck.statements.growth import Left, changes_of, collected_in, left_at, passed_by
from deskcheck.statements.occurrences import (
    at_hand,
    calls_of,
    literals_of,
    of_same_form,
    place_of,
    place_of_number,
    value_instead,
)
from deskcheck.statements.operations import APPEND, ARGUMENTS, CONDITION, OPERATION, SPLIT
from deskcheck.statements.values import (
    NEVER,
    RunFacts,
    history_of,
    is_list_of_states,
    is_same,
    likeness,
    method_of,
    normal_source,
    values_of_run,
)

_SPLITS = {"split", "rsplit", "splitlines", "partition", "rpartition"}
_NEAR = 0.97
"""Share of the greatest likeness that an earlier value of the same variable needs to be taken instead."""
_ALIKE = 0.6
"""Least likeness (`values.likeness`) at which a stated value counts as a false version of a run's value."""


def verdict_on(claim: Claim, facts: RunFacts, at: int, *, is_new: bool) -> Judged | None:
    """Look up a statement in the run, from `at` on, the event of the last true statement; None = undecided.

    `is_new`: the text has stated nothing about the same variable or expression before.
    """
    if claim.about == RESULT:
        return _of_result(claim, facts)
    if claim.about == ANYTHING:
        return _of_anything(claim, facts, at)
    if claim.about == CONDITION:
        return _of_condition(claim, facts, at)
    if claim.about in (SPLIT, APPEND):
        return _of_operation(claim, facts, at)
    if claim.about == ARGUMENTS:
        return _of_arguments(claim, facts, at)
    if claim.about == OPERATION:
        return _of_number(claim, facts, at)
    if claim.about.startswith(CALL):
        claim = replace(claim, about=claim.about.removeprefix(CALL))
        if rows := calls_of(claim.about, facts):
            calls = [row for row in rows if row[0] > at] or rows[-1:]
            true = next((row for row in calls if is_same(row[2], claim.value)), None)
            event, source, value = true or calls[0]
            return Judged(claim, true is not None, event, source, "" if true else repr(value))
    if claim.about.endswith("()") and claim.about.removesuffix("()").isidentifier():
        return _of_method(claim, facts, at)
    if (fact := _constant(claim.about)) is not None:
        return _of_constants(claim, fact, facts, at)
    history = history_of(claim.about, facts)
    if not history:
        return None
    values = [value for _, value in history]
    if type(claim.value) in (int, float) and not any(isinstance(value, int | float) for value in values):
        return None  # the number may be a length or a count
    same = [event for event, value in history if is_same(value, claim.value)]
    if is_new and claim.is_first and claim.about.isidentifier():
        # An initial value is the first value of a variable, or the second if it replaces an argument.
        early = [value for _, value in history[:2]]
        if not any(is_same(value, claim.value) for value in early):
            return Judged(claim, False, history[0][0], claim.about, repr(history[0][1]))
    if later := [event for event in same if event >= at]:
        return Judged(claim, True, later[0], claim.about)
    if same or is_list_of_states(claim.value, values):
        return None
    if isinstance(claim.value, list) and not any(isinstance(value, list) for value in values):
        kinds = {type(value) for value in values}
        is_text = any(isinstance(value, str) and list(value) == claim.value for value in values)
        return (
            _of_rounds(claim, history)
            if {type(one) for one in claim.value} <= kinds and not is_text
            else None
        )
    if len(history) == 1 and history[0][0] == 0 and _is_telling(claim.value) and _is_made(claim.value, facts):
        return None  # it may be about a value made from the argument
    if claim.is_change and len(history) == 1 and isinstance(claim.value, str | list):
        # "The text becomes 'ab'" about a variable that never changes means a value made from it.
        made = [
            row for row in values_of_run(facts) if row[0] > max(at, history[0][0]) and row[1] != claim.about
        ]
        if best := _most_alike(claim.value, made):
            return Judged(claim, False, best[0], best[1], repr(best[2]))
    if claim.is_change and len(history) > 1 and type(claim.value) in (int, float):
        history = history[1:]  # a variable does not change to its first value
    if left := _left_after(claim.value, claim.about, at, facts):
        return Judged(claim, False, left[0], claim.about, repr(left[1]), left[2])
    place = _way_back(claim, facts) if isinstance(claim.value, list | str) else None
    if place and place.event > at:
        return Judged(
            replace(claim, stated=place.stated or claim.stated), False, place.event, place.about, place.true
        )
    event, value = place_of(claim, history, at, facts)
    return Judged(claim, False, event, claim.about, repr(value))


def _is_telling(value: Any) -> bool:
    return isinstance(value, str | list | tuple | dict) and len(value) > 1


def _is_made(stated: Any, facts: RunFacts) -> bool:
    return any(is_same(value, stated) for event, _, value in values_of_run(facts) if event < facts.n_events)


def _most_alike(stated: Any, rows: list[tuple[int, str, Any]]) -> tuple[int, str, Any] | None:
    alike = [row for row in rows if type(row[2]) is type(stated) and likeness(row[2], stated) >= _ALIKE]
    return max(alike, key=lambda row: (likeness(row[2], stated), -row[0]), default=None)


def _left_after(stated: Any, name: str, at: int, facts: RunFacts) -> Left | None:
    """Find where a growing variable of the outermost call departs from a stated value, after an event."""
    if not facts.moments or not isinstance(stated, list | str | dict):
        return None
    rows = changes_of(name, facts.moments[0][1], facts)
    left = left_at(stated, rows)
    return left if left and left[0] > at else None


def verdict_in(
    window: tuple[int, int], claim: Claim, verdict: Judged | None, facts: RunFacts
) -> Judged | None:
    """Revise the verdict on a statement about one round of a loop: its value must occur in this round.

    `window` has the first and the last event of the round.
    """
    if not isinstance(claim.value, str | list | dict | int | float) or claim.about == RESULT:
        return verdict
    if claim.about == ANYTHING:
        rows = [row for row in values_of_run(facts) if window[0] <= row[0] <= window[1]]
        if any(is_same(value, claim.value) or _holds(value, claim.value) for _, _, value in rows):
            return verdict
        best = _most_alike(claim.value, rows)
        if best is None or (verdict and not verdict.is_true and window[0] <= verdict.event <= window[1]):
            return verdict
        return Judged(claim, False, best[0], best[1], repr(best[2]))
    if not claim.about.isidentifier():
        return verdict
    history = history_of(claim.about, facts)
    held = [row for row in history if row[0] <= window[1]]
    inside = [row for row in held if row[0] >= window[0]] or held[-1:]
    before = [] if claim.is_change else [row for row in held if row[0] < window[0]][-1:]
    if not inside or type(inside[-1][1]) is not type(claim.value):
        return verdict
    if any(is_same(value, claim.value) for _, value in [*before, *inside]):
        return verdict
    event, value = inside[-1]
    return Judged(claim, False, event, claim.about, repr(value))


def _of_rounds(claim: Claim, history: list[tuple[int, Any]]) -> Judged | None:
    """Check a list of the successive values of a variable; None unless its first item is right."""
    pairs = zip(claim.value, history, strict=False)
    at = next((k for k, (said, row) in enumerate(pairs) if not is_same(row[1], said)), len(history))
    if at == 0 or len(history) <= 1:
        return None
    if at < len(history):
        return Judged(claim, False, history[at][0], claim.about, repr(history[at][1]), f"value {at + 1}")
    true = f"not set again after {history[-1][1]!r}"
    return Judged(claim, False, history[-1][0], claim.about, true, f"value {at + 1}")


def _constant(about: str) -> list[Any] | None:
    """Evaluate an expression without names except `len`: [value], or [] if it has none.

    None for any other text, and for a single constant.
    """
    source = normal_source(about)
    tree = ast.parse(source, mode="eval").body if source else None
    if tree is None or isinstance(tree, ast.Constant):
        return None
    if any(isinstance(one, ast.Name) and one.id != "len" for one in ast.walk(tree)):
        return None
    try:
        return [evaluated(tree, {})]
    except Unknown:
        return []


def _of_constants(claim: Claim, fact: list[Any], facts: RunFacts, at: int) -> Judged | None:
    """Check a statement about literals alone; None if it is true, or has no value.

    A false one is placed where a search of the program finds that position, else where the program evaluates
    the same expression, else where most of the statement's literals are values of variables.
    """
    if not fact or is_same(fact[0], claim.value):
        return None
    wanted = [parse_literal(text) for text in literals_of(claim.about)]
    if any(isinstance(one, str) and one in facts.names for one in wanted):
        return None  # a name in quotes
    if ".find(" in claim.about or ".rfind(" in claim.about:
        searches = ("find", "rfind", "index", "rindex")
        own = [row for row in values_of_run(facts) if row[1].isidentifier() or method_of(row[1]) in searches]
        whole = parse_literal(literals_of(claim.about)[0])
        is_here = any(is_same(row[2], whole) for row in own)
        if is_here and (place := place_of_number(claim, fact[0], own, at)):
            return Judged(claim, False, place[0], place[1], repr(place[2]))
    if rows := sorted(of_same_form(claim.about, fact[0], facts, at)):
        return Judged(claim, False, rows[0][0], rows[0][1], repr(fact[0]))
    best = max(
        (row for row in facts.moments if row[0] >= at),
        key=lambda row: (
            sum(any(is_same(value, one) for value in row[2].values()) for one in wanted),
            -row[0],
        ),
        default=None,
    )
    return Judged(claim, False, best[0] if best else at, claim.about, repr(fact[0]))


def _of_result(claim: Claim, facts: RunFacts) -> Judged | None:
    if not facts.result:
        return None
    if is_same(facts.result[0], claim.value):
        return Judged(claim, True, facts.n_events, RESULT)
    if any(is_same(value, claim.value) for value in facts.returned):
        return None  # it may be about an inner call
    return of_false_result(claim, facts)


def _way_back(claim: Claim, facts: RunFacts) -> Place | None:
    """Find where a false value of the result, or of a growing variable, was decided."""
    try:
        if claim.about != RESULT:
            return passed_by(claim.value, claim.about, facts)
        return other_branch(claim.value, facts) or collected_in(claim.value, facts)
    except RecursionError:  # a program of a thousand nested statements or operations
        return None


def of_false_result(claim: Claim, facts: RunFacts) -> Judged:
    """Place a false result at the check or the first false part that it goes back to, else at the return."""
    if place := _way_back(replace(claim, about=RESULT), facts):
        claim = replace(claim, stated=place.stated or claim.stated)
        return Judged(claim, False, place.event, place.about, place.true, place.word)
    return Judged(claim, False, facts.n_events, RESULT, repr(facts.result[0]))


def _of_method(claim: Claim, facts: RunFacts, at: int) -> Judged | None:
    """Check a statement about the result of a method; "find()" stands for every search of a position."""
    method = claim.about.removesuffix("()")
    wanted = {"find": ("find(", "index("), "len": ("len(",)}.get(method, (f"{method}(",))
    history = sorted(
        (row for source, rows in facts.expressions.items() if _is_call(source, wanted) for row in rows),
        key=lambda row: row[0],
    )
    if not history:
        return None
    if any(is_same(value, claim.value) for _, value in history):
        return None  # it does not say which call is meant
    if method == "find" and _is_position(claim.value, facts):
        return None
    if method == "len" and any(_length(value) == claim.value for _, _, value in values_of_run(facts)):
        return None
    event, value = value_instead(history, at, claim.value)
    about = next(s for s, rows in facts.expressions.items() if (event, value) in rows)
    return Judged(claim, False, event, about, repr(value))


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str | list | tuple | dict | set | frozenset) else -1


def _of_operation(claim: Claim, facts: RunFacts, at: int) -> Judged | None:
    """Check a statement about the pieces of a split, or about an appended item."""
    rows = []
    for source, position in facts.expressions.items():
        tree = ast.parse(source, mode="eval").body
        method = tree.func.attr if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Attribute) else ""
        if claim.about == SPLIT and method in _SPLITS:
            rows += [(event, source, value) for event, value in position if isinstance(value, list | tuple)]
    if claim.about == APPEND:
        for line, argument in facts.appended:
            rows += at_hand(line, argument, facts)
    rows.sort(key=lambda row: row[0])
    later = [row for row in rows if row[0] > at] or rows[-1:]
    for event, source, value in later:
        is_it = is_same(value, claim.value)
        if claim.about == SPLIT:
            is_it = any(is_same(list(one), claim.value) for one in (value, value[::2]))
        if is_it:
            return Judged(claim, True, event, source)
    if not later or any(is_same(value, claim.value) for _, _, value in rows):
        return None
    return Judged(claim, False, later[0][0], later[0][1], repr(later[0][2]))


def _of_condition(claim: Claim, facts: RunFacts, at: int) -> Judged | None:
    """Check "the condition is true": false if no condition of the program ever has that value."""
    rows = sorted(
        (event, source, value) for source in facts.tests for event, value in facts.expressions.get(source, ())
    )
    if not rows or any(source not in facts.expressions for source in facts.tests):
        return None
    if any(bool(value) == claim.value for _, _, value in rows):
        return None
    event, source, value = next((row for row in rows if row[0] > at), rows[-1])
    return Judged(claim, False, event, source, repr(bool(value)))


def _of_arguments(claim: Claim, facts: RunFacts, at: int) -> Judged | None:
    """Check the arguments of a call; if no call has them, false at the next inner call."""
    calls = [row for row in facts.calls if len(row[1]) == len(claim.value)]
    for event, values in calls:
        if is_same(list(values.values()), claim.value):
            return Judged(claim, True, event, next(iter(values)))
    inner = [row for row in calls if row[0] > at] or calls[1:]
    if not inner or len(calls) < 2:
        return None
    event, values = inner[0]
    pairs = zip(values.items(), claim.value, strict=True)
    (name, true), said = next((pair, said) for pair, said in pairs if not is_same(pair[1], said))
    return Judged(replace(claim, stated=repr(said)), False, event, name, repr(true))


def _of_number(claim: Claim, facts: RunFacts, at: int) -> Judged | None:
    """Check "the result of this operation is N".

    If N is no value of the run, the statement is false at the event where a variable next gets a number.
    """
    if any(is_same(value, claim.value) for _, _, value in values_of_run(facts)):
        return None
    before: dict[str, Any] = {}
    for event, _, values in facts.moments:
        for name, value in values.items():
            if event > at and type(value) in (int, float) and not is_same(before.get(name), value):
                return Judged(claim, False, event, name, repr(value))
        before = values
    return None


def _is_call(source: str, wanted: tuple[str, ...]) -> bool:
    return source.endswith(")") and any(
        name in source and source.rindex(name) > source.rfind(").") for name in wanted
    )


def _is_position(value: int, facts: RunFacts) -> bool:
    """Whether a variable ever has the number, which may then be a position that nothing searched for."""
    return any(is_same(value, one) for _, _, values in facts.moments for one in values.values())


def _of_anything(claim: Claim, facts: RunFacts, at: int) -> Judged | None:
    """Check a value without a name: false if no variable, expression or part of a value ever equals it.

    The true value is that of the code in backticks before the statement, else the most similar one. Without a
    value that is similar enough, the statement is not decided.
    """
    alike: list[tuple[float, int, str, Any]] = []
    is_held, latest = False, dict[str, Any]()
    for event, about, value in values_of_run(facts):
        if is_same(value, claim.value):
            is_kept = event >= at and about.isidentifier() and isinstance(value, list | dict | str)
            return Judged(claim, True, event, about) if is_kept and event < facts.n_events else None
        is_held = is_held or _holds(value, claim.value)
        is_kept = about.isidentifier() and is_same(latest.get(about, NEVER), value)
        if event >= max(at, 1) and type(value) is type(claim.value) and not is_kept:
            alike.append((likeness(value, claim.value), event, about, value))
        latest[about] = value
    alike = [row for row in alike if row[1] > at] or alike
    best = max(alike, key=lambda row: (row[0], row[2].isidentifier(), -row[1]), default=None)
    if (
        is_held
        or claim.value in ([], {}, (), set())
        or (
            not (claim.is_change and _is_one_repeated(claim.value))
            and is_list_of_states(claim.value, [value for _, _, value in values_of_run(facts)])
            and not (claim.is_change and best is not None and best[0] >= _ALIKE)
        )
    ):
        return None
    rows = facts.expressions.get(normal_source(claim.source)) if claim.source else None
    if rows and type(rows[0][1]) is type(claim.value):
        event, value = value_instead(rows, at, claim.value)
        return Judged(claim, False, event, claim.source, repr(value))
    if best is None or best[0] < _ALIKE:
        names = {row[2] for row in alike if row[2].isidentifier()}
        if len(names) != 1 or isinstance(claim.value, str) or not claim.is_change:
            return None
        best = next(row for row in alike if row[2] in names)
    if best[2] == RESULT and (own := _of_same_method(claim, facts, at)):
        return Judged(claim, False, own[0], own[1], repr(own[2]))
    if best[2] == RESULT and facts.result:
        return of_false_result(replace(claim, about=RESULT), facts)
    if claim.is_last:
        best = max((row for row in alike if row[2] == best[2]), key=lambda row: row[1])
        return Judged(claim, False, best[1], best[2], repr(best[3]))
    if left := _left_after(claim.value, best[2], at, facts):
        return Judged(claim, False, left[0], best[2], repr(left[1]), left[2])
    near = min(
        (row for row in alike if row[2] == best[2] and row[0] >= _NEAR * best[0]), key=lambda row: row[1]
    )
    return Judged(claim, False, near[1], near[2], repr(near[3]))


def _of_same_method(claim: Claim, facts: RunFacts, at: int) -> tuple[int, str, Any] | None:
    """Find the next call of the method that the sentence names, even if it changed nothing."""
    sentence = re.split(r"[.\n](?=\s)|\n", claim.before)[-1].lower()
    results = []
    for number, line in enumerate(facts.lines, 1):
        call = re.match(r"(\w+)\.(extend|append|insert|reverse|sort|pop|remove|clear|update)\(", line)
        if call and call[2].rstrip("e") in sentence:
            for event in facts.passed.get(number, ()):
                values = next((row[2] for row in reversed(facts.moments) if row[0] <= event), {})
                if event > at and call[1] in values:
                    results.append((event, call[1], values[call[1]]))
    return min(results, key=lambda row: row[0], default=None)


def _holds(value: Any, stated: Any) -> bool:
    """Whether a container holds the stated value at any depth."""
    if isinstance(value, dict):
        parts = [*value, *value.values(), list(value), list(value.values()), list(value.items())]
        return any(is_same(one, stated) or _holds(one, stated) for one in parts)
    if isinstance(value, str) and isinstance(stated, list):
        return list(value) == stated
    if isinstance(value, list | tuple | set | frozenset):
        if isinstance(stated, list) and list(enumerate(value)) == stated:
            return True
        return any(
            is_same(one, stated) or (not isinstance(one, str) and _holds(one, stated)) for one in value
        )
    return False


def _is_one_repeated(stated: Any) -> bool:
    return isinstance(stated, list) and len(stated) > 1 and all(one == stated[0] for one in stated)
