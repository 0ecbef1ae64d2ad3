"""Breakdowns: every answer is in exactly one group, and what is injected in the data is found."""

from __future__ import annotations

import random

import pytest

from deskcheck.errors import UserError
from deskcheck.report.breakdown import (
    PROPERTIES,
    Answered,
    by_construct,
    classes,
    effects,
    measured,
    shares,
    tag_tables,
)

SHORT = "def f(x):\n    return x"
LONG = "def f(x):\n" + "".join(f"    for i{n} in x:\n        x += {n}\n" for n in range(8)) + "    return x"


def tasks(n: int) -> list[Answered]:
    draw = random.Random(2)
    found = []
    for index in range(n):
        steps = draw.choice((2, 8, 30, 120))
        right = draw.random() < 0.9 - 0.1 * steps.bit_length()
        source = draw.choice((SHORT, LONG, LONG + "\n\ny = 1\nz = 2", LONG.replace("x +=", "x = x or")))
        verdicts = ["right" if right else "wrong", "no answer"]
        wrong = [] if right else ["3"]
        found.append(Answered(f"t{index}", f"p{index}", steps, verdicts, "4", wrong, measured(source)))
    return found


@pytest.mark.parametrize("name", list(PROPERTIES))
def test_every_answer_is_in_exactly_one_group(name: str) -> None:
    made = tasks(80)
    found = shares(made, name)
    assert sum(share.n for _, share in found) == 160
    assert sum(share.right for _, share in found) == sum(task.right for task in made)
    assert len({label for label, _ in found}) == len(found)


def test_constructs_split_the_tasks_in_two() -> None:
    made = tasks(60)
    name, with_it, without = by_construct(made)[0]
    assert name == "loop"
    assert with_it.n + without.n == 120


def test_the_regression_finds_what_was_planted() -> None:
    made = tasks(400)
    found = {effect.name: effect for effect in effects([*made])[:1]}
    assert found["log2 executed steps"].high < 1
    with pytest.raises(UserError):
        effects(made[:20])


def test_wrong_answers_are_counted_by_class() -> None:
    made = tasks(50)
    found = classes(made)
    assert found["off by one"] == sum(len(task.wrong) for task in made)
    odd = Answered("t", "p", 3, ["wrong"], "4", ["f(3)"], None)
    assert classes([odd])["no literal"] == 1


def test_a_source_in_another_language_has_no_measures() -> None:
    odd = Answered("t", "p", 3, ["right"], "4", [], measured("int main() {"))
    assert shares([odd], "nesting")[0][0] == "unknown"


def varied(n: int) -> list[Answered]:
    """Right depends on the state's size alone; steps go with it."""
    draw = random.Random(4)
    found = []
    for index in range(n):
        size = draw.choice((4, 16, 64, 256))
        right = draw.random() < 1.1 - 0.13 * size.bit_length()
        source = draw.choice((SHORT, LONG, "def g(x):\n    return x\n\ndef f(x):\n    return g(x)"))
        found.append(
            Answered(
                f"t{index}", f"p{index}", size + draw.randrange(3), ["right" if right else "wrong"],
                draw.choice(("[1]", "'a'", "raises KeyError", "2")), [], measured(source),
                {"type": draw.choice(("Array", "Array; String")), "time": draw.choice(("O(n)", "O(1)"))},
                state_size=draw.choice((size, 16 * size)), call_depth=draw.choice((1, 2)),
                characters=50 + index,
            )
        )  # fmt: skip
    return found


def test_the_regression_takes_up_what_the_programs_carry_and_says_nothing_twice() -> None:
    few, many = [effect.name for effect in effects(varied(90))], effects(varied(600))
    assert few == [
        "log2 executed steps",
        "lines of code",
        "log2 state size",
    ]  # 37 programs with right answers
    named = {effect.name: effect for effect in many}
    assert "branches" not in named  # here the lines tell it already
    assert {"call depth", "abstraction", "gives text", "gives a collection"} <= set(named)
    assert not {"has recursion", "uses sorting"} & set(named)  # no program has any
    assert min(named["log2 executed steps"].high, named["log2 state size"].high) < 1


def test_tags_of_several_values_count_in_each_and_types_are_read_off_the_answer() -> None:
    made = varied(60)
    tables = tag_tables(made)
    assert list(tables) == ["type", "time"]
    assert [name for name, _ in tables["type"]] == ["Array", "String"]
    assert tables["type"][0][1].n == 60 > tables["type"][1][1].n
    assert {label for label, _ in shares(made, "output type")} == {"list", "str", "exception", "int"}
    assert [label for label, _ in shares(made, "abstraction")] == [
        "one flat function", "helper functions or comprehensions",
    ]  # fmt: skip


def test_numbers_of_people_who_solve_a_problem_stand_in_bins_in_order() -> None:
    tagged = [
        Answered(f"t{n}", f"p{n}", 3, ["right"], "4", [], None, {"rating": rating, "acceptance": share})
        for n, (rating, share) in enumerate(
            [("2422.5", "0.61"), ("1199", "61"), ("1400", "29.9"), ("1599", "75"), ("", "")]
        )
    ]
    found = {tag: [(name, share.n) for name, share in table] for tag, table in tag_tables(tagged).items()}
    assert found["rating"] == [("under 1400", 1), ("1400 to 1600", 2), ("from 2200", 1), ("none", 1)]
    assert found["acceptance"] == [("under 30 %", 1), ("60 to 75 %", 2), ("from 75 %", 1), ("none", 1)]


def test_tasks_are_grouped_by_the_pattern_that_their_benchmark_names() -> None:
    tagged = [
        Answered(f"t{n}", f"p{n}", 3, ["right"], "4", [], None, {"pattern": pattern} if pattern else {})
        for n, pattern in enumerate(["grid", "", "grid", "subset"])
    ]
    assert [(name, share.n) for name, share in tag_tables(tagged)["pattern"]] == [
        ("grid", 2), ("subset", 1), ("none", 1),
    ]  # fmt: skip
