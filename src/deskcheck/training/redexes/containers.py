"""List the primitive operations that read a container, each with a function that draws a redex.

Containers are lists, tuples and dictionaries. Operations that change one are in `mutators.py`.
"""

from __future__ import annotations

from deskcheck.training.redexes.operation import Draw, Operation
from deskcheck.training.redexes.texts import slice_of
from deskcheck.training.redexes.values import Drawer


def _form(form: str, *, numbers: bool = False) -> Draw:
    """Return a function that fills the form: `{x}` is a list."""
    return lambda d: form.format(x=d.listed(d.numbers() if numbers else d.elements()))


def _of_words(form: str) -> Draw:
    return lambda d: form.format(x=d.listed([d.word() for _ in range(d.n_items())]))


def _at(negative: bool) -> Draw:
    def draw(d: Drawer) -> str:
        elements = d.elements() or ["0"]
        at = d.below(len(elements))
        return f"{d.listed(elements)}[{at - len(elements) if negative else at}]"

    return draw


def _sliced(kind: str) -> Draw:
    def draw(d: Drawer) -> str:
        elements = d.elements()
        return f"{d.listed(elements)}[{slice_of(d, len(elements), kind)}]"

    return draw


def _element_or_value(d: Drawer, elements: list[str]) -> str:
    """Draw an element of the list or, a third of the time, another value."""
    return d.rng.choice(elements) if elements and d.rng.random() < 0.67 else d.scalar()


def _element(form: str) -> Draw:
    def draw(d: Drawer) -> str:
        elements = d.elements()
        return form.format(e=_element_or_value(d, elements), x=d.listed(elements))

    return draw


def _two(form: str) -> Draw:
    def draw(d: Drawer) -> str:
        left = d.elements()
        right = list(left) if d.rng.random() < 0.5 else d.elements()
        if right and d.rng.random() < 0.5:
            right[d.below(len(right))] = d.scalar()
        return form.format(d.listed(left), d.listed(right))

    return draw


def _range(d: Drawer) -> str:
    low, n = d.rng.randint(-9, 30), d.n_items()
    kind = d.rng.random()
    if kind < 0.3:
        return f"list(range({n}))"
    if kind < 0.6:
        return f"list(range({low}, {low + n}))"
    step = d.rng.choice((2, 3, 5, 10, -1, -1, -2))
    return f"list(range({low}, {low + n * step}, {step}))"


def _truths(form: str) -> Draw:
    return lambda d: form.format(x=d.listed([d.truth() for _ in range(d.n_items())]))


def _paired(form: str) -> Draw:
    """Return a function that fills the form with two lists of one length, of words and of numbers."""

    def draw(d: Drawer) -> str:
        n = d.n_items()
        words = [d.word() for _ in range(n)]
        return form.format(d.listed(words), d.listed(d.numbers(n)))

    return draw


def _tuple(form: str) -> Draw:
    return lambda d: form.format(t=d.tupled(d.elements()), u=d.tupled(d.elements()), e=d.scalar())


def _emptied(form: str) -> Draw:
    """Return a function that fills the form with a list, which is empty half of the time."""
    return lambda d: form.format(x=d.listed(d.elements(d.rng.choice((0, d.n_items())))))


def _nested(d: Drawer) -> str:
    rows = [d.numbers(d.rng.randint(1, 3)) for _ in range(max(1, d.n_items() // 2))]
    literals = [f"[{', '.join(row)}]" for row in rows]
    return f"{d.listed(literals)}[{d.below(len(rows))}]"


def _mapping(form: str, *, numbers: bool = False) -> Draw:
    """Return a function that fills the form: `{m}` is a dictionary, `{h}` one of its keys, `{v}` a value.

    `{k}` is a key, mostly one of the dictionary's.
    """

    def draw(d: Drawer) -> str:
        pairs = d.pairs(numbers=numbers) or {"'a'": "1"}
        has = d.rng.choice(list(pairs))
        key = has if d.rng.random() < 0.6 else d.word()
        return form.format(m=d.mapped(pairs), k=key, h=has, v=d.small_number())

    return draw


def _two_mappings(form: str) -> Draw:
    def draw(d: Drawer) -> str:
        left = d.pairs()
        right = dict(left) if d.rng.random() < 0.4 else d.pairs()
        if left and d.rng.random() < 0.5:
            right[d.rng.choice(list(left))] = d.small_number()
        return form.format(d.mapped(left), d.mapped(right))

    return draw


def _same_length(d: Drawer) -> str:
    n = min(d.n_items(), 5)
    return f"list(zip({d.listed(d.numbers(n))}, {d.listed(d.elements(n))}, strict=True))"


_LISTS = (
    Operation("len(xs)", _form("len({x})")),
    Operation("xs[i]", _at(False)),
    Operation("xs[-i]", _at(True)),
    *(Operation(f"xs[{kind}]", _sliced(kind)) for kind in ("i:j", "i:", ":j", "i::k")),
    Operation("xs[::-1]", _form("{x}[::-1]")),
    Operation("xs + ys", lambda d: f"{d.listed(d.elements())} + {d.listed(d.elements())}"),
    Operation("xs + [e]", lambda d: f"{d.listed(d.elements())} + [{d.scalar()}]"),
    Operation("xs * n", lambda d: f"{d.listed(d.elements(min(4, d.n_items())))} * {d.rng.randint(0, 3)}"),
    Operation("e in xs", _element("{e} in {x}")),
    Operation("e not in xs", _element("{e} not in {x}")),
    Operation("xs == ys", _two("{} == {}")),
    Operation("xs != ys", _two("{} != {}")),
    Operation("max(xs)", _form("max({x})", numbers=True)),
    Operation("min(xs)", _form("min({x})", numbers=True)),
    Operation("sum(xs)", _form("sum({x})", numbers=True)),
    Operation("sorted(xs)", _form("sorted({x})", numbers=True)),
    Operation("sorted(xs, reverse)", _form("sorted({x}, reverse=True)", numbers=True)),
    Operation("sorted(words)", _of_words("sorted({x})")),
    Operation("max(words)", _of_words("max({x})")),
    Operation("max(words, len)", _of_words("max({x}, key=len)")),
    Operation("list(reversed(xs))", _form("list(reversed({x}))")),
    Operation("xs.index(e)", _element("{x}.index({e})")),
    Operation("xs.count(e)", _element("{x}.count({e})")),
    Operation("list(xs)", _form("list({x})")),
    Operation("xs.copy()", _form("{x}.copy()")),
    Operation("tuple(xs)", _form("tuple({x})")),
    Operation("any(xs)", _truths("any({x})")),
    Operation("all(xs)", _truths("all({x})")),
    Operation("list(enumerate(xs))", _form("list(enumerate({x}))")),
    Operation("list(zip(xs, ys, strict))", _same_length),
    Operation("list(zip(xs, ys))", _paired("list(zip({}, {}))")),
    Operation("range(n)", _range),
    Operation("bool(xs)", _emptied("bool({x})")),
    Operation("not xs", _emptied("not {x}")),
    Operation("sorted(set(xs))", _form("sorted(set({x}))", numbers=True)),
    Operation("len(set(xs))", _form("len(set({x}))", numbers=True)),
    Operation("xs[i] of lists", _nested),
    Operation("list(map(str, xs))", _form("list(map(str, {x}))", numbers=True)),
    Operation("list(map(len, words))", _of_words("list(map(len, {x}))")),
    Operation("[x * 2 for x in xs]", _form("[x * 2 for x in {x}]", numbers=True)),
    Operation(
        "[x for x if x > n]", lambda d: f"[x for x in {d.listed(d.numbers())} if x > {d.small_number()}]"
    ),
    Operation("[w.upper() for w]", _of_words("[w.upper() for w in {x}]")),
    Operation("''.join(words)", _of_words("''.join({x})")),
    Operation("str(xs)", _form("str({x})", numbers=True)),
)
_TUPLES = (
    Operation("len(t)", _tuple("len({t})")),
    Operation("t + u", _tuple("{t} + {u}")),
    Operation("e in t", _tuple("{e} in {t}")),
    Operation("t == u", _tuple("{t} == {u}")),
    Operation("list(t)", _tuple("list({t})")),
    Operation("t[0]", _tuple("{t}[0]")),
    Operation("t[-1]", _tuple("{t}[-1]")),
)
_MAPPINGS = (
    Operation("len(d)", _mapping("len({m})")),
    Operation("d[k]", _mapping("{m}[{h}]")),
    Operation("d.get(k)", _mapping("{m}.get({k})")),
    Operation("d.get(k, v)", _mapping("{m}.get({k}, {v})")),
    Operation("k in d", _mapping("{k} in {m}")),
    Operation("k not in d", _mapping("{k} not in {m}")),
    Operation("list(d)", _mapping("list({m})")),
    Operation("list(d.keys())", _mapping("list({m}.keys())")),
    Operation("list(d.values())", _mapping("list({m}.values())")),
    Operation("list(d.items())", _mapping("list({m}.items())")),
    Operation("sorted(d)", _mapping("sorted({m})")),
    Operation("max(d.values())", _mapping("max({m}.values())", numbers=True)),
    Operation("sum(d.values())", _mapping("sum({m}.values())", numbers=True)),
    Operation("dict(d)", _mapping("dict({m})")),
    Operation("dict(zip(xs, ys))", _paired("dict(zip({}, {}))")),
    Operation("d | e", _two_mappings("{} | {}")),
    Operation("d == e", _two_mappings("{} == {}")),
    Operation("dict.fromkeys(xs)", _element("dict.fromkeys({x}, {e})")),
)
OPERATIONS = (*_LISTS, *_TUPLES, *_MAPPINGS)
