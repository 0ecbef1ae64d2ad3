"""classic: thirty frozen programs compute what their names say, on inputs of growing length."""

from __future__ import annotations

import itertools
import math
import sys
from functools import cache
from types import FrameType
from typing import Any

import pytest

from deskcheck.benchmarks import classic
from deskcheck.decontamination.near import near_copy
from deskcheck.errors import UnknownName, UserError

FILE = "<classic>"


@cache
def runs() -> dict[str, list[tuple[tuple[Any, ...], Any, int]]]:
    """Run every call: name -> (arguments, result, executed lines), in the order of the file."""
    found: dict[str, list[tuple[tuple[Any, ...], Any, int]]] = {}
    for name, text in classic.program_texts().items():
        source, calls = classic.parse_text(text)
        found[name] = [run(source, call) for call in calls]
    return found


def run(source: str, call: str) -> tuple[tuple[Any, ...], Any, int]:
    """Run one call of a program and count its executed lines."""
    entry, _, arguments = call.partition("(")
    names: dict[str, Any] = {}
    exec(compile(source, FILE, "exec"), names)
    given = eval(f"({arguments.removesuffix(')')},)")
    copy = eval(f"({arguments.removesuffix(')')},)")
    n_lines = 0

    def count(frame: FrameType, event: str, _: object) -> Any:
        nonlocal n_lines
        n_lines += event == "line" and frame.f_code.co_filename == FILE
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        result = names[entry](*given)
    finally:
        sys.settrace(before)
    return copy, result, n_lines


def test_thirty_programs_with_ten_calls_are_frozen():
    assert classic.fingerprint() == classic.SHA256
    assert len(classic.program_texts()) == 30
    assert len({draft.id for draft in classic.drafts("")}) == 300


def test_each_run_of_a_program_is_longer_than_the_one_before():
    for name, found in runs().items():
        lengths = [n_lines for _, _, n_lines in found]
        assert lengths == sorted(set(lengths)), name
    lengths = [n_lines for found in runs().values() for _, _, n_lines in found]
    assert (min(lengths), max(lengths)) == (6, 3583)


def test_every_program_is_kept_out_of_training():
    for name, text in classic.program_texts().items():
        source, calls = classic.parse_text(text)
        match = near_copy(source, entry=calls[0].partition("(")[0])
        assert match is not None and match.id.startswith(name), name


SORTS = ["bubble-sort", "insertion-sort", "selection-sort", "merge-sort", "quicksort"]


@pytest.mark.parametrize("name", SORTS)
def test_the_sorts_sort(name: str):
    assert all(result == sorted(values) for (values,), result, _ in runs()[name])


def test_numbers_are_what_arithmetic_says():
    assert all(result == a * b for (a, b), result, _ in runs()["binary-multiplication"])
    for (a, b), (divisor, x, y), _ in runs()["extended-euclid"]:
        assert divisor == math.gcd(a, b) == a * x + b * y
    for (limit,), primes, _ in runs()["sieve"]:
        assert primes == [n for n in range(2, limit + 1) if all(n % d for d in range(2, n))]
    assert all(int(text, base) == number for (number, base), text, _ in runs()["base-conversion"])
    for (number,), powers, _ in runs()["prime-factors"]:
        assert math.prod(prime**power for prime, power in powers.items()) == number
    for (height,), rows, _ in runs()["pascals-triangle"]:
        assert rows == [[math.comb(n, k) for k in range(n + 1)] for n in range(height)]


def test_searches_find_what_a_plain_search_finds():
    for (values, wanted), places, _ in runs()["binary-search"]:
        assert places == [values.index(value) if value in values else -1 for value in wanted]
    for (text, pattern), hits, _ in runs()["string-search"]:
        assert hits == [at for at in range(len(text)) if text.startswith(pattern, at)]


def test_permutations_are_those_of_itertools_in_order():
    for (word,), words, _ in runs()["permutations"]:
        assert words == sorted({"".join(letters) for letters in itertools.permutations(word)})


def test_a_satisfying_assignment_is_found_where_there_is_one():
    for (clauses, n), values, _ in runs()["satisfiability"]:
        worlds = itertools.product((False, True), repeat=n)
        holds = [w for w in worlds if all(any(w[abs(v) - 1] == (v > 0) for v in c) for c in clauses)]
        assert (values is None) == (not holds)
        assert values is None or tuple(values) in holds


def test_products_of_matrices():
    for (a, b), rows, _ in runs()["matrix-product"]:
        columns = list(zip(*b, strict=True))
        assert rows == [[sum(x * y for x, y in zip(r, c, strict=True)) for c in columns] for r in a]


def test_towers_of_hanoi_take_two_to_the_n_less_one_moves():
    assert all(len(moves) == 2**n - 1 for (n,), moves, _ in runs()["hanoi"])


def test_programs_are_selected_by_name():
    assert [draft.id for draft in classic.drafts("", programs="queens, luhn")][::10] == ["queens:1", "luhn:1"]
    with pytest.raises(UnknownName, match="quens"):
        list(classic.drafts("", programs="quens"))
    with pytest.raises(UserError, match="drop --data rows"):
        list(classic.drafts("rows"))
