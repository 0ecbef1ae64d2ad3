"""Laws of the state text: reading is the inverse of writing, and a step leads from one state to the next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.states.parse import read_state, read_step, read_value
from deskcheck.states.tree import (
    Change,
    Frame,
    StateTree,
    Step,
    Value,
    apply_step,
    difference,
    ordered,
)

literals = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.complex_numbers(), st.text(), st.binary()
).map(lambda v: Value("literal", repr(v)))
names = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True)
hashable = st.deferred(
    lambda: literals | st.lists(literals, max_size=3).map(lambda v: Value("tuple", "", 0, tuple(v)))
)


def _dicts(pairs: list[tuple[Value, Value]], label: int) -> Value:
    return Value("dict", "", label, tuple(v for pair in pairs for v in pair))


def _containers(inner: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    labels = st.integers(0, 3)
    several = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(lambda v, n: Value("list", "", n, v), several, labels),
        st.builds(lambda v, n: Value("list", "collections.deque", n, v), several, labels),
        st.builds(lambda v: Value("tuple", "", 0, v), several),
        st.builds(_dicts, st.lists(st.tuples(hashable, inner), max_size=3), labels),
        st.builds(
            lambda v, n: Value("set", n, 0, tuple(v)),
            st.lists(hashable, max_size=3),
            st.sampled_from(("", "frozenset")),
        ),
        st.builds(
            lambda v, n: Value("call", "Node", n, v, tuple(f"a{i}" for i in range(len(v)))), several, labels
        ),
        st.builds(lambda v, n: Value("call", "iter", 0, (v,), (), n), inner, st.integers(0, 99)),
        st.builds(lambda v: Value("call", "KeyError", 0, v), several),
        st.sampled_from(["function g", "function f.<locals>.g", "cut str 70000"]).map(
            lambda t: Value("opaque", t)
        ),
        st.integers(1, 3).map(lambda n: Value("label", "", n)),
    )


values = st.recursive(literals, _containers, max_leaves=8)
entry_names = names | st.sampled_from(["~1", "~2", "^1"])
entries = st.dictionaries(entry_names, values, max_size=4).map(ordered)
frames = st.builds(
    lambda mark, line, inside, pending, value: Frame(mark, line, inside, pending, value if pending else None),
    st.sampled_from("@>"), st.integers(1, 99), entries, st.sampled_from(["", "", "<-", "!"]), values,
)  # fmt: skip
state_trees = st.builds(
    lambda f, m: StateTree(tuple(f), m),
    st.lists(frames, min_size=1, max_size=3),
    st.dictionaries(names, values, max_size=2),
)
changes = st.builds(Change, st.sampled_from([-2, -1, 0, 1]), entry_names, st.none() | values)
all_steps = st.one_of(
    st.builds(
        lambda m, n, c: Step(m, n, None, tuple(c)),
        st.sampled_from("@>"),
        st.integers(1, 99),
        st.lists(changes, max_size=3),
    ),
    st.builds(
        lambda m, v, c: Step(m, 0, v, tuple(c)),
        st.sampled_from(["<-", "^", "!", "!!"]),
        values,
        st.lists(changes, max_size=3),
    ),
)


@given(values)
def test_a_value_is_read_as_it_was_written(value: Value) -> None:
    assert read_value(str(value)) == value


@given(state_trees)
def test_a_state_is_read_as_it_was_written(state: StateTree) -> None:
    assert read_state(str(state)) == state
    assert list(read_state(str(state)).frames[0].entries) == list(state.frames[0].entries)


@given(all_steps)
def test_a_step_is_read_as_it_was_written(step: Step) -> None:
    assert read_step(str(step)) == step


@given(state_trees, entries, st.integers(1, 99))
def test_the_difference_leads_from_one_state_to_the_next(
    before: StateTree, bindings: dict[str, Value], line: int
) -> None:
    after = StateTree((*before.frames[:-1], Frame("@", line, bindings)), before.module)
    step = difference(before, after, Step("@", line))
    reached = apply_step(before, read_step(str(step)))
    assert str(reached) == str(after)


@given(state_trees, entries, values)
def test_call_and_return_come_back_to_the_caller(
    before: StateTree, bindings: dict[str, Value], value: Value
) -> None:
    top = before.frames[-1]
    waiting = Frame("@", top.line, top.entries)
    inside = StateTree((*before.frames[:-1], waiting, Frame(">", 7, bindings)), before.module)
    entered = apply_step(before, difference(before, inside, Step(">", 7)))
    assert str(entered) == str(inside)
    back = apply_step(entered, read_step(str(Step("<-", 0, value))))
    assert back.frames[-1] == Frame("@", top.line, top.entries, "<-", value)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("@4 | n=3; n=4", "'n' occurs twice"),
        ("@4 | n=[1, 2", "expected ']' at character 12, found 'the end'"),
        ("@4 | n=__import__('os')", ""),
        ("4 | n=3", "expected '@' or '>' at character 0"),
        *(("@4 | n=" + opening * 200, "nested deeper than 80") for opening in ("[", "(", "{", "{1: ", "A([")),
        ('@4 | n="a"', "not written as repr"),
    ],
)
def test_text_outside_the_grammar_is_refused_with_its_place(text: str, place: str) -> None:
    if not place:  # a call of any name is only data: it is read, never executed
        assert read_state(text).frames[0].entries["n"].kind == "call"
        return
    with pytest.raises(ValueError, match=place.replace("(", r"\(").replace("[", r"\[").replace("]", r"\]")):
        read_state(text)


@pytest.mark.parametrize(
    ("state", "step", "reason"),
    [
        ("@2 | n=1", "@3 | -k", "deletes what is not there"),
        ("@2 | n=1", "@3 | 4.k=1", "names frame 4; there are 1"),
    ],
)
def test_a_step_that_does_not_fit_its_state_is_refused(state: str, step: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        apply_step(read_state(state), read_step(step))


def test_an_exchange_of_order_is_said() -> None:
    before, after = read_state("@2 | a=1; b=2"), read_state("@3 | b=2; a=1")
    assert str(difference(before, after, Step("@", 3))) == "@3 | -a; -b; b=2; a=1"


@pytest.mark.parametrize("text", ["@3 | s='\x00'", r"@3 | s='\xg'", r"@3 | s='\N{nothing}'"])
def test_a_string_that_python_cannot_read_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError):
        read_state(text)
