"""Literals spelled out: undone without loss, and each character is written in one way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.programs.generated import traced
from deskcheck.states.spelling import plain_again, spelled, spelled_code
from deskcheck.states.steps import run_of


@pytest.mark.parametrize(
    ("plain", "written"),
    [
        ("@3 | s='ab c'; n=120", "@3 | s=' a b   c '; n= 1 2 0"),
        ("@4.72 | x=-3.5e-07; x1=#12[0]", "@4.72 | x=- 3. 5e- 0 7; x1=#12[ 0]"),
        ("skip 12: @3 | d={b'x\\n1': \"it's\"}", "skip  1 2: @3 | d={b' x \\n 1 ': \" i t ' s \"}"),
        ("s=''; t='\\x00\\\\'", "s=' '; t=' \\x00 \\\\ '"),
    ],
)
def test_characters_and_digits_stand_alone(plain: str, written: str) -> None:
    assert spelled(plain) == written
    assert plain_again(written) == plain


@given(st.text("ab1 2'\"\\\\x@#~.e=-\n|rfé", max_size=14))
def test_spelling_is_undone_without_loss(text: str) -> None:
    assert plain_again(spelled(text)) == text


def test_states_and_steps_of_real_runs_come_back() -> None:
    for _, trace in traced("medium", seed=3, n=15):
        for before, step, _ in run_of(trace):
            for text in (str(before), str(step)):
                assert plain_again(spelled(text)) == text


def test_a_literal_that_is_not_spelled_stays_as_it_is() -> None:
    assert plain_again("@3 | s='a1 b2'; n=12") == "@3 | s='a1 b2'; n=12"


def test_comments_docstrings_and_other_bases_of_code_are_left() -> None:
    code = "x = 'a1'  # it's 3\ny = \"\"\"a 1\"\"\"; z = 0xFF + 1_000 + f'{x} 1' + r'\\d1'\n"
    assert spelled_code(code) == code.replace("'a1'  #", "' a 1 '  #")
