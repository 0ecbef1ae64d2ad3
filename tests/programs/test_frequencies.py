"""What is counted, and the table that ships."""

from __future__ import annotations

from frequencies import count, table

SOURCE = '''
import os

def f(xs: list[int], n: int = len("x")) -> dict[str, int]:
    """Not counted."""
    total = 0
    for x in xs:
        if x > 1 and not x == 3:
            total += x
        else:
            continue
    else:
        raise ValueError(f"{total}")
    try:
        xs.append(len(xs[1:]))
    except (KeyError, Own):
        return f(xs, 1)
    finally:
        del xs[0]

class A:
    def g(self):
        """Not counted."""
        def h(): yield [y for y in self.items()]
        return h

print("not in a function")
'''


def test_functions_are_counted_by_what_they_hold() -> None:
    found = count([SOURCE])
    assert found.functions == 2
    assert found.statements == {
        "return": 2, "assign": 1, "for": 1, "if": 1, "augment": 1, "continue": 1, "raise": 1, "try": 1,
        "call": 1, "delete": 1, "function": 1, "yield": 1,
    }  # fmt: skip
    assert found.methods == {"append": 1, "items": 1}
    assert found.builtins == {"len": 1}
    assert found.raised == {"ValueError": 1}
    assert found.caught == {"KeyError": 1, "other": 1}
    assert found.comparisons == {">": 1, "==": 1}
    expected = {
        "else of a loop",
        "finally",
        "else of an if",
        "recursion",
        "list comprehension",
        "yield",
        "f-string",
    }
    assert expected <= set(found.holding)
    assert found.expressions["slice"] == 1
    assert found.expressions["index"] == 1


def test_functions_without_a_loop_can_be_left_out() -> None:
    assert count([SOURCE], looping=True).functions == 1


def test_the_table_says_when_and_on_what_it_was_made() -> None:
    found = table()
    assert found.date >= "2026-11-20"
    assert "CPython" in found.sources
    assert all(version[0].isdigit() for version in found.sources.values())
    assert found.looping.functions < found.all.functions
    assert found.looping.statements["for"] > 1000
