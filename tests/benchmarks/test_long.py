"""long: the pinned programs compute what their names say, in the number of steps that is dialled."""

from __future__ import annotations

import hashlib
import math

import pytest

from deskcheck.benchmarks import long
from deskcheck.corpus import long_programs as programs
from deskcheck.errors import UnknownName, UserError

NEW = [name for name in programs.PROGRAMS if name not in long.INPUTS]


def result(source: str, n: int) -> object:
    """f(n)."""
    names: dict[str, object] = {}
    exec(compile(source, "<program>", "exec"), names)
    return names["f"](n)  # type: ignore[operator]


def test_the_programs_are_pinned() -> None:
    old = "\0".join([programs.COLLATZ, programs.COUNTER, programs.FIBONACCI])
    assert hashlib.sha256(old.encode()).hexdigest()[:16] == "2ee5e1b667f6ebfe"
    everything = "\0".join(part for one in programs.PROGRAMS.values() for part in (one.source, one.many))
    assert hashlib.sha256(everything.encode()).hexdigest()[:16] == "b8883ea79924c0e0"


def test_collatz_of_3038_takes_619_steps() -> None:
    assert result(programs.COLLATZ, 3038) == 154
    assert programs.steps_of(programs.COLLATZ, 3038, at_most=10_000) == 619


def test_the_counter_counts_in_binary() -> None:
    for n in range(40):
        bits = result(programs.COUNTER, n)
        assert isinstance(bits, list)
        assert sum(bit << place for place, bit in enumerate(bits)) == n
    assert programs.steps_of(programs.COUNTER, 1600, at_most=20_000) == 14_395


def test_fibonacci_has_at_most_12_digits() -> None:
    assert [result(programs.FIBONACCI, n) for n in range(8)] == [0, 1, 1, 2, 3, 5, 8, 13]
    assert len(str(result(programs.FIBONACCI, 58))) == 12


def test_the_others_compute_what_their_names_say() -> None:
    assert [result(programs.SIEVE, n) for n in (2, 10, 100)] == [1, 4, 25]
    assert result(programs.COLLATZ_MANY, 4) == 0 + 1 + 7 + 2
    assert result(programs.MATRIX, 0) == [[1, 0], [0, 1]]
    for n in (1, 5, 20):
        x, numbers = 7, []
        for _ in range(n):
            x = (x * 29 + 13) % 101
            numbers.append(x)
        inversions = sum(a > b for i, a in enumerate(numbers) for b in numbers[i + 1 :])
        assert result(programs.SORTING, n) == (inversions, sorted(numbers)[:5])
    x, total = 17, 0
    for i in range(1, 30):
        x = (x * 31 + i) % 1009
        total += math.gcd(x, i * 6)
    assert result(programs.GCD, 29) == total


@pytest.mark.parametrize("target", [100, 1000, 10_000])
def test_runs_are_as_long_as_dialled(target: int) -> None:
    for name in programs.PROGRAMS:
        source, n = programs.dial(name, target)
        steps = programs.steps_of(source, n, at_most=10 * target)
        assert abs(steps - target) <= (0.2 if target == 100 else 0.05) * target, (name, steps)


def test_items_are_named_tagged_and_complete() -> None:
    drafts = {draft.id: draft for draft in long.drafts("")}
    assert {f"{family}-{n}" for family in long.INPUTS for n in range(1, 21)} <= set(drafts)
    assert {f"{name}-at-1000" for name in NEW} <= set(drafts)
    assert "collatz-3038" in drafts
    draft = drafts["counter-7"]
    assert draft.program.call == "f(7)"
    assert draft.tags == {"family": "counter", "program": "seen", "n": "7"}
    assert draft.cluster == "counter"
    assert draft.recorded == ""
    assert len({draft.program.id for draft in drafts.values()}) == len(drafts) == 127


def test_steps_and_programs_are_options() -> None:
    found = list(long.drafts("", steps="100,1000", programs="sieve,collatz"))
    assert [draft.id for draft in found] == [
        "sieve-at-100",
        "sieve-at-1000",
        "collatz-at-100",
        "collatz-at-1000",
    ]
    assert {draft.tags["program"] for draft in found} == {"seen"}
    assert [draft.id for draft in long.drafts("", steps="10,30", programs="matrix")] == ["matrix-at-30"]


def test_what_cannot_be_dialled_is_refused() -> None:
    with pytest.raises(UserError, match="ships"):
        list(long.drafts("some.jsonl"))
    with pytest.raises(UserError, match="10 to 100,000"):
        list(long.drafts("", steps="5"))
    with pytest.raises(UserError, match="10 to 100,000"):
        list(long.drafts("", steps="1e3"))
    with pytest.raises(UnknownName, match="sieve"):
        list(long.drafts("", programs="sieves"))
