"""A compact set of ids is a set, also for ids that are none of ours."""

from __future__ import annotations

from random import Random

from deskcheck.dataset.intake import Seen


def test_it_answers_as_a_set_does():
    random = Random(1)
    pool = [f"{random.getrandbits(64):016x}" for _ in range(3_000)]
    pool += ["0" * 16, "functions:a.py:f", "F" * 16, "0x" + "1" * 14, " " * 15 + "1", "\u0661" * 16, ""]
    pool += [f"{number << 10:016x}" for number in range(200)]  # all at one place of the first table
    seen, expected = Seen(), set[str]()
    for _ in range(20_000):
        id = random.choice(pool)
        assert seen.add(id) == (id in expected)
        expected.add(id)
    assert len(expected) > 3_000
