"""Ten small programs with one wrong line each: source, tests, the wrong line, a question that shows it."""

from __future__ import annotations

BUGS = {
    "limit": (
        "def f(xs, k):\n    total = 0\n    for x in xs:\n        if x < k:\n            total += x\n    return total\n",
        "assert f([1, 2, 3], 2) == 3\nassert f([], 2) == 0\nassert f([5], 2) == 0\n", 4, "why total"),
    "start": (
        "def f(xs):\n    best = 0\n    for x in xs:\n        if x > best:\n            best = x\n    return best\n",
        "assert f([-3, -1]) == -1\nassert f([4, 2]) == 4\n", 2, "changes best"),
    "index": (
        "def f(xs):\n    pairs = []\n    for i in range(len(xs) - 1):\n        pairs.append(xs[i] * xs[i])\n    return pairs\n",
        "assert f([2, 3, 4]) == [6, 12]\nassert f([1]) == []\n", 4, "changes pairs"),
    "halving": (
        "def f(xs, x):\n    low, high = 0, len(xs)\n    while low < high:\n        mid = (low + high) // 2\n"
        "        if xs[mid] < x:\n            low = mid\n        else:\n            high = mid\n        if high - low == 1 and xs[low] < x:\n"
        "            return high\n    return low\n",
        "assert f([1, 3, 5], 2) == 1\nassert f([1, 3, 5], 9) == 3\nassert f([2, 4], 2) == 1\nassert f([], 1) == 0\n", 0,
        "changes low"),
    "missing key": (
        "def f(words):\n    table = {}\n    for word in words:\n        size = len(word)\n        table[size] = table[size] + 1\n    return table\n",
        "assert f(['a', 'bb', 'c']) == {1: 2, 2: 1}\nassert f([]) == {}\n", 5, "raised"),
    "alias": (
        "def f(n):\n    row = [0] * n\n    rows = [row for _ in range(n)]\n    rows[0][0] = 1\n    return rows\n",
        "assert f(2) == [[1, 0], [0, 0]]\nassert f(1) == [[1]]\n", 3, "why rows"),
    "sign": (
        "def f(a, b):\n    gap = a - b\n    if gap < 0:\n        gap = gap\n    return gap * 2\n",
        "assert f(1, 3) == 4\nassert f(3, 1) == 4\n", 4, "why gap"),
    "stop": (
        "def f(n):\n    steps = 0\n    while n > 1:\n        n = n // 2 if n % 2 == 0 else n * 3 + 1\n        steps += 2\n    return steps\n",
        "assert f(4) == 2\nassert f(1) == 0\nassert f(3) == 7\n", 5, "where steps > 2"),
    "slice": (
        "def f(text):\n    head = text[:1].upper()\n    tail = text[2:].lower()\n    return head + tail\n",
        "assert f('hELLO') == 'Hello'\nassert f('a') == 'A'\n", 3, "why tail"),
    "logic": (
        "def f(year):\n    leap = year % 4 == 0 and year % 100 != 0 and year % 400 == 0\n    days = 366 if leap else 365\n    return days\n",
        "assert f(2024) == 366\nassert f(1900) == 365\nassert f(2000) == 366\nassert f(2023) == 365\n", 2, "why days"),
}  # fmt: skip
"""Name -> source, asserts, wrong line (0 = none is the only one), a question about the failing run."""
