"""Drills: programs that run within bounds, whose lines compute what they are there to practise."""

from __future__ import annotations

import math
import re
from random import Random
from types import SimpleNamespace

import msgspec
import pytest

from deskcheck.errors import UnknownName
from deskcheck.layouts.line_1 import LAYOUT, body
from deskcheck.programs.generated import traced
from deskcheck.records import Program, Returned, Trace
from deskcheck.states.steps import head, steps
from deskcheck.training import drills
from deskcheck.training.scores import drills as drill_scores

ALL = [found for n in range(300) if (found := drills.drawn(Random(n)))]


def test_most_drills_run_and_keep_to_their_bounds():
    assert len(ALL) > 200
    for program, trace in ALL:
        assert isinstance(trace.outcome, Returned), program.source
        assert 2 <= trace.n_steps <= drills.BOUNDS.steps[1]


def test_a_drill_is_its_random_stream():
    for n in range(20):
        one, again = drills.write(Random(n)), drills.write(Random(n))
        assert one == again


@pytest.mark.parametrize("kind", [kind for kind, _ in drills.KINDS], ids=drills.title)
def test_every_kind_of_drill_can_be_drawn(kind, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(drills, "KINDS", ((kind, 1.0),))
    found = [drills.drawn(Random(n)) for n in range(40)]
    assert sum(one is not None for one in found) >= 8


def test_what_a_drill_returns_is_what_python_returns():
    for program, trace in ALL[:60]:
        names: dict[str, object] = {}
        exec(program.source, names)
        assert repr(eval(program.call, names)) in str(list(steps(trace))[-1][1])


def test_steps_that_make_a_value_or_decide_are_more_frequent_than_in_generated_programs():
    """What drills are for: a line whose right side computes something, or that compares."""
    assert share_that_computes(ALL) > share_that_computes(list(traced("easy", seed=5, n=300))) + 0.04


def share_that_computes(runs: list[tuple[Program, Trace]]) -> float:
    """Of all steps."""
    made = n = 0
    for program, trace in runs:
        lines = program.source.split("\n")
        for before, _, _ in steps(trace):
            line = lines[before.frames[-1].line - 1]
            n += 1
            computes = any(sign in line for sign in "+*%/([") or line.lstrip().startswith("if ")
            made += computes and not line.startswith(("def", "    return"))
    return made / n


def comparisons(n: int) -> list[tuple[int, str, int]]:
    """Left side, operator and right side, as values, of every comparison that drills of them run."""
    found = []
    for seed in range(n):
        program, trace = drills.drawn(Random(seed), drills.named("compared")) or (None, None)
        lines = program.source.split("\n") if program and trace else []
        for before, _, _ in steps(trace) if trace else []:
            text = lines[before.frames[-1].line - 1].strip()
            if text.startswith("if "):
                names = {name: value.text for name, value in before.frames[-1].entries.items()}
                left, op, right = text[3:-1].split(" ")
                found.append((int(names.get(left, left)), op, int(names.get(right, right))))
    return found


def test_comparisons_are_often_close_and_as_often_true_as_false():
    found = comparisons(200)
    true = [eval(f"{left} {op} {right}") for left, op, right in found]
    assert len(found) > 500
    assert 0.4 < sum(true) / len(true) < 0.6
    assert sum(left == right for left, _, right in found) / len(found) > 0.15
    ends_alike = [a != b and str(a)[-1] == str(b)[-1] for a, _, b in found]
    assert sum(ends_alike) / len(found) > 0.08
    assert max(abs(a) for a, _, _ in found) > 900


@pytest.mark.parametrize(("many", "one"), [("side_by_side", "arithmetic"), ("truths", "compared")])
def test_several_operations_on_a_line_are_more_a_token(many: str, one: str):
    def density(kind: str) -> float:
        signs = n = 0
        for seed in range(60):
            found = drills.drawn(Random(seed), drills.named(kind))
            for before, step, _ in steps(found[1]) if found else []:
                frame = before.frames[-1]
                text = found[0].source.split("\n")[frame.line - 1] if found else ""
                signs += len(re.findall(r" (?:[-+*%<>]|//|[<>=!]=) ", text)) * (frame.mark == "@")
                n += len(f"{before}\n{text}\n{step}")
        return signs / n

    assert density(many) > 1.8 * density(one)


def test_a_number_beside_another_is_hard_to_tell_from_it():
    random = Random(1)
    found = {drills._beside(random, 41) for _ in range(300)}
    assert {41, 40, 42, 39, 43, -41, 141, 941, 31, 45} <= found
    assert all(abs(drills._beside(random, value)) <= 999 for value in (0, -7, 999, -999) for _ in range(50))


def decided(kind: str, *words: str) -> list[bool]:
    """Every step at a line that begins so: does it go into the block?"""
    found = []
    for seed in range(60):
        program, trace = drills.drawn(Random(seed), drills.named(kind)) or (None, None)
        lines = program.source.split("\n") if program and trace else []
        for before, step, _ in steps(trace) if trace else []:
            at = before.frames[-1].line
            if before.frames[-1].mark == "@" and lines[at - 1].strip().startswith(words):
                found.append(step.line == at + 1)
    return found


def test_loops_over_lists_go_on_and_end():
    inside = decided("walked", "for ")
    assert len(inside) > 300
    assert 0.2 < sum(inside) / len(inside) < 0.8


def test_what_is_empty_is_met_as_often_as_not():
    for words in (("if not ",), ("while ",), ("if ",)):
        there = decided("emptied", *words)
        assert len(there) > 50
        assert 0.2 < sum(there) / len(there) < 0.8, words


def test_a_kind_of_drill_is_found_by_its_name():
    assert drills.named("") is None
    assert drills.named("compared") is drills._compared
    with pytest.raises(UnknownName, match="compared"):
        drills.named("comparred")


class _Answers:
    """Says what it is told to."""

    def __init__(self, text):
        self.text = text

    def generate(self, requests):
        return [SimpleNamespace(finish_reason="stop", text=self.text(request)) for request in requests]


def test_scores_by_kind_count_the_lines_that_practise_something():
    kinds = [kind for kind, _ in (*drills.KINDS, *drill_scores.GATES)]
    truth: dict[tuple[str, str], str] = {}
    for kind in kinds:
        for program, trace in drill_scores._some(kind, 2):
            top = head(LAYOUT, program)
            truth |= {
                (top, question): answer
                for _, _, question, answer in drill_scores._lines(program, trace, body)
            }
    right = drill_scores.drill_rows(_Answers(lambda r: truth[r.head, r.body]), LAYOUT, n_drills=2)
    wrong = drill_scores.drill_rows(_Answers(lambda r: "@1"), LAYOUT, n_drills=2)
    assert len({row.kind for row in right}) == len(kinds) + 1
    assert [(row.kind, row.right) for row in right] == [(row.kind, row.n) for row in right]
    assert min(row.n for row in right) > 2
    assert all(row.right == 0 for row in wrong)
    none = msgspec.structs.replace(right[0], low=math.nan, high=math.nan)
    assert f"| unknown | {none.n} |" in drill_scores.table([none])
    assert len(drill_scores.table(right).split("\n")) == len(kinds) + 3


def test_gates_ask_for_what_their_title_says():
    asked: list[tuple[str, str, str]] = []

    def answer(request):
        *_, state, line = request.body.strip("\n").split("\n")
        asked.append((line, state, request.head))
        return ""

    rows = drill_scores.drill_rows(_Answers(answer), LAYOUT, n_drills=20)
    gates = [row for row in rows if row.gate]
    assert [(row.kind, row.gate) for row in gates] == [
        ("gate: `list(s)`", 0.9),
        ("gate: `s.upper()`", 0.9),
        ("gate: `s.replace(a, b)`", 0.9),
        ("gate: a variable returned", 0.95),
    ]
    at = len(asked)
    for row, sign in reversed(list(zip(gates, ("= list(", ".upper()", ".replace(", "return "), strict=True))):
        lines = [line for line, *_ in asked[at - row.n : at]]
        assert row.n >= 20 and all(sign in line for line in lines)
        at -= row.n


def test_most_replacements_replace_something():
    random, n, changed = Random(3), 0, 0
    while n < 100:
        program, trace = drills.drawn(random, drill_scores._replaced) or (None, None)
        names: dict[str, str] = {}
        for line in program.source.split("\n")[1:-2] if program and trace else []:
            name, _, value = line.strip().partition(" = ")
            if ".replace(" in value and value.split(".")[0] in names:
                n += 1
                changed += names[value.split(".")[0]] != eval(value, dict(names))
            try:
                names[name] = eval(value, dict(names))
            except NameError:
                names.pop(name, None)
    assert changed > 25


@pytest.mark.parametrize(
    ("line", "literal"),
    [("a = 4", True), ("a = 'x = 1'", True), ("a = [1, 2]", True), ("a = b", False), ("if a == 4:", False)],
)
def test_a_literal_given_to_a_name_practises_nothing(line: str, literal: bool):
    assert drill_scores._is_literal(line, "python") is literal
