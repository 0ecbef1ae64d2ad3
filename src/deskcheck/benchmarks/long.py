"""Long executions: three programs that every model has seen, run for 10 to about 14,000 steps.

Collatz, counting in binary on a list of bits, iterative Fibonacci, as in arXiv 2503.05703, whose own programs
are not published; these are ours and pinned. Ids say family and input: "collatz-7", "counter-1600".
Licence: Apache-2.0; nothing is downloaded. Steps are line events on CPython 3.11: collatz-3038 takes 619,
counter-1600 takes 14,395.
Every row is tagged "program": "seen": the programs are textbook ones and may be trained on with other inputs,
and Fibonacci can be answered from memory. Three clusters, so intervals say "too few clusters".
"""

from __future__ import annotations

from collections.abc import Iterator

from deskcheck.errors import UserError
from deskcheck.records import Item
from deskcheck.tracing.program import make_program

HUB = None

COLLATZ = """\
def f(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps
"""

COUNTER = """\
def f(n):
    bits = []
    count = 0
    while count < n:
        i = 0
        while i < len(bits) and bits[i] == 1:
            bits[i] = 0
            i += 1
        if i == len(bits):
            bits.append(1)
        else:
            bits[i] = 1
        count += 1
    return bits
"""

FIBONACCI = """\
def f(n):
    a = 0
    b = 1
    for i in range(n):
        c = a + b
        a = b
        b = c
    return a
"""

SMALL = range(1, 21)
# Collatz up to about 1,000 steps; Fibonacci while values have at most 12 digits; the counter goes on.
INPUTS: dict[str, tuple[str, list[int]]] = {
    "collatz": (COLLATZ, [*SMALL, 27, 97, 171, 327, 649, 871, 1161, 2223, 3038, 6171]),
    "counter": (COUNTER, [*SMALL, 32, 50, 64, 100, 200, 400, 800, 1600]),
    "fibonacci": (FIBONACCI, [*SMALL, 25, 30, 35, 40, 45, 50, 55, 58]),
}


def items(data: str) -> Iterator[Item]:
    """All items, family by family, inputs ascending."""
    if data:
        raise UserError(f"benchmark 'long' ships with deskcheck and reads no file; drop --data {data}")
    for family, (source, inputs) in INPUTS.items():
        for n in inputs:
            identity = f"{family}-{n}"
            program = make_program(source, "f", str(n), origin=f"long:{identity}", licence="Apache-2.0")
            tags = {"family": family, "program": "seen", "n": str(n)}
            yield Item(id=identity, program=program, recorded="", cluster=family, tags=tags)
