"""Ten small programs with one wrong line each: source, tests, the wrong line, a question that shows it."""

from __future__ import annotations

BUGS = {
    "limit": (
        """\
def f(xs, k):
    total = 0
    for x in xs:
        if x < k:
            total += x
    return total
""",
        """\
assert f([1, 2, 3], 2) == 3
assert f([], 2) == 0
assert f([5], 2) == 0
""",
        4,
        "why total",
    ),
    "start": (
        """\
def f(xs):
    best = 0
    for x in xs:
        if x > best:
            best = x
    return best
""",
        """\
assert f([-3, -1]) == -1
assert f([4, 2]) == 4
""",
        2,
        "changes best",
    ),
    "index": (
        """\
def f(xs):
    pairs = []
    for i in range(len(xs) - 1):
        pairs.append(xs[i] * xs[i])
    return pairs
""",
        """\
assert f([2, 3, 4]) == [6, 12]
assert f([1]) == []
""",
        4,
        "changes pairs",
    ),
    "halving": (
        """\
def f(xs, x):
    low, high = 0, len(xs)
    while low < high:
        mid = (low + high) // 2
        if xs[mid] < x:
            low = mid
        else:
            high = mid
        if high - low == 1 and xs[low] < x:
            return high
    return low
""",
        """\
assert f([1, 3, 5], 2) == 1
assert f([1, 3, 5], 9) == 3
assert f([2, 4], 2) == 1
assert f([], 1) == 0
""",
        0,
        "changes low",
    ),
    "missing key": (
        """\
def f(words):
    table = {}
    for word in words:
        size = len(word)
        table[size] = table[size] + 1
    return table
""",
        """\
assert f(['a', 'bb', 'c']) == {1: 2, 2: 1}
assert f([]) == {}
""",
        5,
        "raised",
    ),
    "alias": (
        """\
def f(n):
    row = [0] * n
    rows = [row for _ in range(n)]
    rows[0][0] = 1
    return rows
""",
        """\
assert f(2) == [[1, 0], [0, 0]]
assert f(1) == [[1]]
""",
        3,
        "why rows",
    ),
    "sign": (
        """\
def f(a, b):
    gap = a - b
    if gap < 0:
        gap = gap
    return gap * 2
""",
        """\
assert f(1, 3) == 4
assert f(3, 1) == 4
""",
        4,
        "why gap",
    ),
    "stop": (
        """\
def f(n):
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else n * 3 + 1
        steps += 2
    return steps
""",
        """\
assert f(4) == 2
assert f(1) == 0
assert f(3) == 7
""",
        5,
        "where steps > 2",
    ),
    "slice": (
        """\
def f(text):
    head = text[:1].upper()
    tail = text[2:].lower()
    return head + tail
""",
        """\
assert f('hELLO') == 'Hello'
assert f('a') == 'A'
""",
        3,
        "why tail",
    ),
    "logic": (
        """\
def f(year):
    leap = year % 4 == 0 and year % 100 != 0 and year % 400 == 0
    days = 366 if leap else 365
    return days
""",
        """\
assert f(2024) == 366
assert f(1900) == 365
assert f(2000) == 366
assert f(2023) == 365
""",
        2,
        "why days",
    ),
}
"""Name -> source, asserts, wrong line (0: several lines are as wrong), a question about the failing run."""
