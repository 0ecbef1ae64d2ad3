"""Change the arguments of a call slightly: to neighboring values, and to constants of the called code.

    mined = values_of(node)                        {"int": [7, 8, 6], "str": ["-v"]}: constants of a function
    mutants("3, ['a']", Random(0), mined, n=4)     "3, []", "3, ['a', 'a']", ..: distinct texts of literals

Most branches that the first inputs do not take compare with a constant of the function or test for an empty
value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from random import Random

from deskcheck.corpus.library_inputs import MOST_CHARS

Mined = Mapping[str, list[object]]
"""Type -> constants of that type in the code."""
MOST_MINED, MOST_TEXT = 24, 40
"""Largest number of constants of one type, and largest length of a string or bytes among them."""
_TYPES = {"int": int, "float": float, "str": str, "bytes": bytes}


def values_of(node: ast.AST) -> dict[str, list[object]]:
    """Return the constants of a piece of code by type, each integer with its two neighbors."""
    found: dict[str, dict[object, None]] = {kind: {} for kind in _TYPES}
    for part in ast.walk(node):
        if not isinstance(part, ast.Constant) or isinstance(part.value, bool):
            continue
        kind = type(part.value).__name__
        if kind == "int" and abs(part.value) < 10**9:  # type: ignore[arg-type]  # an int, by its kind
            found[kind].update(dict.fromkeys((part.value, part.value + 1, part.value - 1)))  # type: ignore[operator]
        elif kind == "float" or (kind in ("str", "bytes") and len(part.value) <= MOST_TEXT):  # type: ignore[arg-type]
            found[kind][part.value] = None
    return {kind: list(values)[:MOST_MINED] for kind, values in found.items() if values}


def mined_from(source: str) -> Mined:
    """Return the constants of a program by type. SyntaxError if it does not parse."""
    return values_of(ast.parse(source))


def mutants(arguments: str, random: Random, mined: Mined, *, n: int) -> Iterator[str]:
    """Yield up to `n` other arguments for the same call; none if an argument is no literal."""
    try:
        call = ast.parse(f"f({arguments}\n)", mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        return
    assert isinstance(call, ast.Call)
    given = [*call.args, *(one.value for one in call.keywords)]
    try:
        values = [ast.literal_eval(one) for one in given]
    except (ValueError, TypeError, RecursionError):
        return
    if not values:
        return
    names = [""] * len(call.args) + [f"{one.arg}=" for one in call.keywords]
    seen = {arguments}
    for _ in range(3 * n):
        at = random.randrange(len(values))
        changed = [_changed(value, random, mined) if i == at else value for i, value in enumerate(values)]
        text = ", ".join(f"{name}{value!r}" for name, value in zip(names, changed, strict=True))
        if text not in seen and len(text) <= MOST_CHARS and "inf" not in text and "nan" not in text:
            seen.add(text)
            yield text
            if len(seen) > n:
                return


def _changed(value: object, random: Random, mined: Mined) -> object:
    """Return a value with one change; the result is usually of the same type."""
    kind = type(value).__name__
    if kind in mined and random.random() < 0.4:
        return random.choice(mined[kind])
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice((value + 1, value - 1, -value, 0, 1, value * 2, value // 2, 10, 100))
    if isinstance(value, float):
        return random.choice((-value, 0.0, value / 2, value + 1, 1e6))
    if isinstance(value, str):
        return _text(value, random, [one for one in mined.get("str", []) if isinstance(one, str)])
    if isinstance(value, bytes):
        return random.choice((b"", value[1:], value + value[:1], value[::-1]))
    if isinstance(value, list | tuple):
        return type(value)(_items(list(value), random, mined))
    if isinstance(value, set):
        return set(_items(sorted(value, key=repr), random, mined))
    if isinstance(value, dict):
        return _entries(dict(value), random, mined)
    return random.choice((0, "", [], True)) if value is None else None


def _text(value: str, random: Random, mined: list[str]) -> str:
    at = random.randrange(len(value) + 1)
    ways = ["", value[:at], value[at:], value[::-1], value.upper(), value + value[:1], f"{value} {value}",
            value[:at] + random.choice(" 0a-_.,\n") + value[at:]]  # fmt: skip
    ways += [value[:at] + random.choice(mined) + value[at:]] * 3 if mined else []
    return random.choice(ways)[:MOST_CHARS]


def _items(items: list[object], random: Random, mined: Mined) -> list[object]:
    if not items:
        pool = [one for values in mined.values() for one in values] or [0, "a"]
        return [random.choice(pool)]
    at = random.randrange(len(items))
    way = random.randrange(6)
    if way == 0:
        return []
    if way == 1:
        return items[:at] + items[at + 1 :]
    if way == 2:
        return [*items, items[at]]
    if way == 3:
        return items[::-1]
    return [*items[:at], _changed(items[at], random, mined), *items[at + 1 :]]


def _entries(entries: dict[object, object], random: Random, mined: Mined) -> dict[object, object]:
    keys = list(entries)
    way = random.randrange(4)
    if way == 0 or not keys:
        names = mined.get("str") or ["a"]
        return entries | {random.choice(names): random.choice(list(entries.values()) or [1])}
    if way == 1:
        del entries[random.choice(keys)]
        return entries
    at = random.choice(keys)
    return entries | {at: _changed(entries[at], random, mined)}
