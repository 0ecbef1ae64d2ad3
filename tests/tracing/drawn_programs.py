"""Hypothesis strategy: small programs that end, over ints, strings, lists, dicts, with aliases and helpers.

@given(sources()) def test_x(source): ...      the entry is f(), which returns all that it made
"""

from __future__ import annotations

from hypothesis import strategies as st

NAMES = ["a", "b", "c", "d"]
HELPERS = """\
def touch(xs, v=1):
    xs.append(v)
    if len(xs) > 3:
        xs.pop(0)
    return xs
def pick(xs):
    for x in xs:
        if x != 0:
            return x
    raise IndexError('nothing')
class Box:
    def __init__(self, v):
        self.v = v
    def put(self, v):
        self.v = [self.v, v]
        return self
"""


@st.composite
def expressions(draw: st.DrawFn) -> str:
    name = st.sampled_from(NAMES)
    kind = draw(st.integers(0, 11))
    if kind <= 2:
        return str(draw(st.integers(-9, 99)))
    if kind == 3:
        return repr(draw(st.text("xyé", max_size=3)))
    if kind == 4:
        return f"[{draw(name)}, {draw(st.integers(0, 9))}]"
    if kind == 5:
        return f"{{'k': {draw(name)}, {draw(st.integers(0, 2))}: 0}}"
    if kind == 6:
        return f"({draw(name)}, {draw(name)})"
    if kind == 7:
        return f"touch([{draw(st.integers(0, 3))}, {draw(name)}])"
    if kind == 8:
        return f"Box({draw(name)}).put({draw(st.integers(0, 5))})"
    if kind == 9:
        return f"[x for x in range({draw(st.integers(0, 4))}) if x != {draw(st.integers(0, 3))}]"
    if kind == 10:
        return f"{{{draw(st.integers(0, 3))}, 'z', {draw(st.integers(0, 3))}.5}}"
    return draw(name)


@st.composite
def statements(draw: st.DrawFn, depth: int, indent: str) -> list[str]:
    name = draw(st.sampled_from(NAMES))
    other = draw(st.sampled_from(NAMES))
    value = draw(expressions())
    kind = draw(st.integers(0, 13 if depth else 6))
    simple = [
        f"{name} = {value}",
        f"{name} = {other}",
        f"log.append({value})",
        f"log += [{name}]",
        f"{name}, {other} = {other}, {name}",
        f"touch(log, {name})",
        f"store[len(log) % 3] = {name}",
    ]
    if kind < len(simple):
        return [indent + simple[kind]]
    body = draw(blocks(depth - 1, indent + "    "))
    if kind <= 8:
        return [f"{indent}for i{depth} in range({draw(st.integers(0, 3))}):", *body]
    if kind == 9:
        return [f"{indent}for {name} in [log[-2:], {value}, 5]:", *body]
    if kind == 10:
        counter = f"n{depth}"
        return [
            f"{indent}{counter} = {draw(st.integers(0, 3))}", f"{indent}while {counter}:",
            f"{indent}    {counter} -= 1", *body,
        ]  # fmt: skip
    if kind == 11:
        other_body = draw(blocks(depth - 1, indent + "    "))
        return [f"{indent}if len(log) % 2:", *body, f"{indent}else:", *other_body]
    if kind == 12:
        return [
            f"{indent}try:", *body, f"{indent}    pick([0, {draw(st.integers(0, 1))}])",
            f"{indent}except IndexError:", f"{indent}    log.append('none')",
        ]  # fmt: skip
    return [f"{indent}for k, {name} in enumerate(list(store.values())):", *body]


@st.composite
def blocks(draw: st.DrawFn, depth: int, indent: str) -> list[str]:
    lines: list[str] = []
    for _ in range(draw(st.integers(1, 3))):
        lines += draw(statements(depth, indent))
    return lines


@st.composite
def sources(draw: st.DrawFn) -> str:
    lines = ["def f():", "    a = b = c = d = 0", "    log = []", "    store = {}"]
    for _ in range(draw(st.integers(1, 5))):
        lines += draw(statements(2, "    "))
    return HELPERS + "\n".join([*lines, "    return a, b, c, d, log, store", ""])
