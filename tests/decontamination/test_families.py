"""Families of programs: the same function under other names, nearly the same one, and another one."""

from __future__ import annotations

import pytest

from deskcheck.decontamination.families import Families
from deskcheck.decontamination.near import name_of
from deskcheck.tracing.program import make_program

SOURCE = """\
def runs(xs, least):
    found = []
    length = 0
    for a, b in zip(xs, xs[1:]):
        if b > a:
            length += 1
        elif length >= least:
            found.append(length)
            length = 0
        else:
            length = 0
    if length >= least:
        found.append(length)
    return sorted(found, reverse=True)
"""
RENAMED = SOURCE.replace("found", "out").replace("length", "n").replace("xs", "values")
NEAR = RENAMED.replace("    return sorted", "    out = list(out)\n    return sorted")
OTHER = """\
def words(text):
    counts = {}
    for word in text.lower().split():
        counts[word] = counts.get(word, 0) + 1
    return max(counts, key=counts.get)
"""


def program(source: str, name: str, arguments: str = "[1], 2"):
    return make_program(source, source[4:].partition("(")[0], arguments, origin=name)


def test_renamed_and_nearly_equal_functions_are_of_the_first_ones_family():
    families = Families(0.8)
    found = [
        families.of(program(s, n)) for s, n in ((SOURCE, "a"), (OTHER, "b"), (RENAMED, "c"), (NEAR, "d"))
    ]
    assert found == [("a", True), ("b", True), ("a", False), ("a", False)]
    assert families.of(program(SOURCE, "a:2", "[], 0")) == ("a", True), "another call of the founder"


def test_calls_of_a_method_on_other_objects_are_calls_of_the_first():
    source = "class Box:\n    def __init__(self, n):\n        self.n = n\n\n" + "".join(
        f"    {line}\n" for line in SOURCE.replace("def runs(xs", "def runs(self, xs").splitlines()
    )
    families = Families(0.8)
    for number, made in enumerate(("Box(1)", "Box('(')", "Box(n=[2])")):
        call = make_program(source, f"{made}.runs", "[1], 2", origin=f"box:{number}")
        assert families.of(call) == ("box:0", True)


def test_a_stricter_similarity_keeps_what_is_only_near():
    families = Families(0.99)
    families.of(program(SOURCE, "a"))
    assert families.of(program(RENAMED, "c")) == ("a", False)
    assert families.of(program(NEAR, "d")) == ("d", True)


@pytest.mark.parametrize(
    ("entry", "name"),
    [("f", "f"), ("Solution().solve", "Solution.solve"), ("Stack([1, (2,)], k=g(3)).push", "Stack.push"),
     ("Stack('(').push", "Stack.push"), ("f g", "f g")],
)  # fmt: skip
def test_the_name_of_what_an_entry_calls(entry: str, name: str):
    assert name_of(entry) == name
