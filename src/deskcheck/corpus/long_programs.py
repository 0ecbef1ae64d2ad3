"""The programs of the benchmark `long`, and their inputs for a wanted number of steps.

    dial("sieve", 1000) -> (source, 165): the source and the n whose run is nearest to 1,000 steps

The steps of each program grow with n, so n is found by bisection. The programs run in this process to count
their steps. This is safe, because we wrote them and a run is stopped as soon as it is too long.
"""

from __future__ import annotations

import sys
from functools import cache
from types import FrameType
from typing import Any

from msgspec import Struct

DEFAULT_STEPS = (10, 30, 100, 300, 1000, 3000, 10_000)
"""Numbers of steps near which the benchmark `long` runs a program if no other numbers are named."""

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
# A single run of thousands of steps needs a start of many digits, so this program sums many short runs.
COLLATZ_MANY = """\
def f(count):
    total = 0
    for start in range(1, count + 1):
        n = start
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            total += 1
    return total
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
FIBONACCI_MANY = """\
def f(count):
    total = 0
    for start in range(count):
        a = start
        b = 1
        for i in range(start % 30):
            c = a + b
            a = b
            b = c
        total = (total + a) % 1000003
    return total
"""
GCD = """\
def f(count):
    total = 0
    x = 17
    for i in range(1, count + 1):
        x = (x * 31 + i) % 1009
        a = x
        b = i * 6
        while b != 0:
            r = a % b
            a = b
            b = r
        total += a
    return total
"""
SIEVE = """\
def f(n):
    prime = [True] * (n + 1)
    count = 0
    for i in range(2, n + 1):
        if prime[i]:
            count += 1
            j = i * i
            while j <= n:
                prime[j] = False
                j += i
    return count
"""
SORTING = """\
def f(n):
    items = []
    x = 7
    for i in range(n):
        x = (x * 29 + 13) % 101
        items.append(x)
    moves = 0
    for i in range(1, n):
        j = i
        while j > 0 and items[j - 1] > items[j]:
            items[j - 1], items[j] = items[j], items[j - 1]
            moves += 1
            j -= 1
    return moves, items[:5]
"""
STRINGS = """\
def f(n):
    text = "ab"
    kept = ""
    for i in range(n):
        letter = text[i % len(text)]
        if letter == "a":
            text = text + "b"
        else:
            text = text + "ca"
        kept = (kept + letter)[-8:]
        if len(text) > 20:
            text = text[9:]
    return kept + "-" + text
"""
MATRIX = """\
def f(n):
    m = [[1, 2], [3, 5]]
    p = [[1, 0], [0, 1]]
    for k in range(n):
        q = [[0, 0], [0, 0]]
        for i in range(2):
            for j in range(2):
                s = 0
                for t in range(2):
                    s += p[i][t] * m[t][j]
                q[i][j] = (s + k) % 97
        p = q
    return p
"""
RECURSION = """\
def g(n):
    if n < 2:
        return n + 1
    return (g(n - 1) + 2 * g(n - 2)) % 1009


def f(count):
    total = 0
    for i in range(count):
        total = (total * 3 + g(1 + i % 5)) % 1009
    return total
"""


class LongProgram(Struct, frozen=True):
    """One family of programs, run for many steps."""

    source: str
    many: str = ""
    """Source that repeats the computation for many starts, if single runs cannot be long; "" = they can."""
    single_to: int = 0
    """Maximum number of steps for which `dial` uses a single run."""


PROGRAMS = {
    "collatz": LongProgram(COLLATZ, COLLATZ_MANY, 0),
    "counter": LongProgram(COUNTER),
    "fibonacci": LongProgram(FIBONACCI, FIBONACCI_MANY, 230),
    "gcd": LongProgram(GCD),
    "sieve": LongProgram(SIEVE),
    "sorting": LongProgram(SORTING),
    "strings": LongProgram(STRINGS),
    "matrix": LongProgram(MATRIX),
    "recursion": LongProgram(RECURSION),
}


@cache
def dial(family: str, target: int) -> tuple[str, int]:
    """Return source and input of the run whose number of steps is nearest to `target`."""
    program = PROGRAMS[family]
    source = program.many if program.many and target > program.single_to else program.source
    high = 1
    while steps_of(source, high, at_most=target) < target:
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if steps_of(source, middle, at_most=target) < target else (low, middle)
    near = steps_of(source, low, at_most=2 * target) if low else -target
    return source, low if target - near < steps_of(source, high, at_most=2 * target) - target else high


class _Enough(BaseException):
    """Raised when a run reaches `at_most` steps; the programs do not catch a BaseException."""


def steps_of(source: str, n: int, *, at_most: int) -> int:
    """Count the line events of f(n), up to `at_most`."""
    steps = 0

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal steps
        if event == "line":
            steps += 1
            if steps >= at_most:
                raise _Enough
        return count

    def call(frame: FrameType, event: str, _: Any) -> Any:
        return count if frame.f_code.co_filename == "<long>" else None

    names: dict[str, Any] = {}
    exec(compile(source, "<long>", "exec"), names)
    before = sys.gettrace()
    sys.settrace(call)
    try:
        names["f"](n)
    except _Enough:
        return at_most
    finally:
        sys.settrace(before)
    return steps
