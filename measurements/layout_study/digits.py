"""digits: programs on one digit, where a small model on a CPU can learn to execute within minutes.

    candidate(seed=3, number=17) -> Program

    def f(n):
        n = (n * 3) % 10
        if n > 4:
            n = (n - 2) % 10
        return n

One variable, a digit after every step: to find the line and to do one operation is all there is to learn,
and what is compared is the layout. Made for that alone: how a layout does here says nothing about programs
with lists or strings. Every choice comes from the seed and the number.
"""

from __future__ import annotations

from random import Random

from deskcheck.records import Program
from deskcheck.tracing.program import make_program

NAME = "n"
STATEMENTS = (3, 5)
LARGEST = 5
"""Largest constant of an operation."""
GUARDED = 0.25


def candidate(*, seed: int, number: int) -> Program:
    """Program `number` of a seed."""
    rng = Random(f"digits:{seed}:{number}")
    lines = [f"def f({NAME}):"]
    for _ in range(rng.randint(*STATEMENTS)):
        is_guarded = rng.random() < GUARDED
        if is_guarded:
            lines.append(f"    if {NAME} {rng.choice('<>')} {rng.randint(1, 8)}:")
        value = f"({NAME} {rng.choice('+-*')} {rng.randint(1, LARGEST)}) % 10"
        lines.append(f"{'        ' if is_guarded else '    '}{NAME} = {value}")
    lines.append(f"    return {NAME}")
    return make_program(
        "\n".join(lines) + "\n",
        "f",
        str(rng.randint(0, 9)),
        origin=f"digits:{seed}:{number}",
        licence="Apache-2.0",
    )
