"""List the primitive operations that change a list or a dictionary, each with a function that draws a redex.

    $4=[424, -7] | $4.pop(0) -> 424; $4[0:1]=[]

Before the bar stands the state, after the arrow the answer: the returned value and the change. The change is
Python code about the changed places alone, unless the whole container changes.
"""

from __future__ import annotations

import re
from typing import Any

from deskcheck.corpus.interpreted import effect_of
from deskcheck.training.redexes.operation import Draw, Operation
from deskcheck.training.redexes.values import Drawer


def _list(form: str, *, numbers: bool = False) -> Draw:
    """Return a function that fills the form: `{x}` is a list's name, `{i}` an index, `{h}` an element.

    `{e}` is a value, `{y}` a short list.
    """

    def draw(d: Drawer) -> str:
        elements = (d.numbers() if numbers else d.elements()) or ["0"]
        place = d.below(len(elements))
        return form.format(
            x=d.hold(f"[{', '.join(elements)}]"),
            i=place - len(elements) if d.rng.random() < 0.2 else place,
            h=d.rng.choice(elements),
            e=d.scalar(),
            y=f"[{', '.join(d.elements(d.rng.randint(0, 3)))}]",
        )

    return draw


def _mapping(form: str, *, numbers: bool = False) -> Draw:
    """Return a function that fills the form: `{m}` is a dictionary's name, `{h}` one of its keys.

    `{k}` is any key, `{v}` a value.
    """

    def draw(d: Drawer) -> str:
        pairs = d.pairs(numbers=numbers) or {"'a'": "1"}
        has = d.rng.choice(list(pairs))
        return form.format(
            m=d.hold(f"{{{', '.join(f'{key}: {value}' for key, value in pairs.items())}}}"),
            h=has,
            k=has if d.rng.random() < 0.5 else d.word(),
            v=d.small_number(),
        )

    return draw


OPERATIONS = tuple(
    Operation(name, draw, mutates=True)
    for name, draw in (
        ("xs.append(e)", _list("{x}.append({e})")),
        ("xs.extend(ys)", _list("{x}.extend({y})")),
        ("xs += ys", _list("{x} += {y}")),
        ("xs.insert(i, e)", _list("{x}.insert({i}, {e})")),
        ("xs.pop()", _list("{x}.pop()")),
        ("xs.pop(i)", _list("{x}.pop({i})")),
        ("xs.remove(e)", _list("{x}.remove({h})")),
        ("xs.reverse()", _list("{x}.reverse()")),
        ("xs.sort()", _list("{x}.sort()", numbers=True)),
        ("xs.clear()", _list("{x}.clear()")),
        ("xs[i] = e", _list("{x}[{i}] = {e}")),
        ("xs[i] += e", _list("{x}[{i}] += {e}", numbers=True)),
        ("del xs[i]", _list("del {x}[{i}]")),
        ("d[k] = v", _mapping("{m}[{k}] = {v}")),
        ("d[k] += v", _mapping("{m}[{h}] += {v}", numbers=True)),
        ("d.pop(k)", _mapping("{m}.pop({h})")),
        ("del d[k]", _mapping("del {m}[{h}]")),
        ("d.update(e)", _mapping("{m}.update({{{k}: {v}}})")),
        ("d.setdefault(k, v)", _mapping("{m}.setdefault({k}, {v})")),
        ("d.popitem()", _mapping("{m}.popitem()")),
        ("d.clear()", _mapping("{m}.clear()")),
    )
)
_NAME = re.compile(r"\$\d+")


def executed(text: str, literal: str) -> tuple[str, str]:
    """Execute a redex on a value of the state; return, as text, its returned value and the change.

    `text`: the redex, which names one value ("$4.pop(0)"). `literal`: that value, as Python text.
    """
    name = _NAME.search(text)
    assert name is not None, f"{text} names no value of the state"
    code = text.replace(name.group(), "held")
    returned, before, after = effect_of(code, literal, name="held")
    return repr(returned), change(name.group(), before, after)


def change(name: str, before: Any, after: Any) -> str:
    """Return the assignments that turn the value `before` into `after`, as text."""
    if isinstance(before, dict):
        return _of_mapping(name, before, after)
    same = [type(old) is type(new) and old == new for old, new in zip(before, after, strict=False)]
    start = same.index(False) if False in same else len(same)
    end = 0
    while end < min(len(before), len(after)) - start and _equal(before[-1 - end], after[-1 - end]):
        end += 1
    return f"{name}[{start}:{len(before) - end}]={after[start : len(after) - end]!r}"


def _equal(old: object, new: object) -> bool:
    return type(old) is type(new) and old == new


def _of_mapping(name: str, before: dict[Any, Any], after: dict[Any, Any]) -> str:
    if not after:
        return f"{name}={{}}"
    gone = [f"del {name}[{key!r}]" for key in before if key not in after]
    new = [
        f"{name}[{key!r}]={value!r}"
        for key, value in after.items()
        if key not in before or not _equal(before[key], value)
    ]
    return "; ".join([*gone, *new])
