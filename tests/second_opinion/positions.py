"""Iterators that stand where recorded ones stood: the inverse of `iterators`.

    iterator_at("list_iterator", {"source": 3, "position": 4}, value) -> iterator

Numbers are handles; `value` makes objects of them. An iterator over a set goes on over the recorded order of
what was still to come. NotResumable where the position was not recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from deskcheck.errors import NotResumable

_VIEWS = {"key": "keys", "val": "values", "ite": "items"}


def iterator_at(type_name: str, names: dict[str, int], value: Callable[[int], Any]) -> Any:
    """An iterator of that type with these attributes."""
    kind = type_name.rpartition(".")[2]
    if kind in ("zip", "map", "filter", "enumerate", "callable_iterator"):
        return _composed(kind, names, value)
    if "source" not in names:
        if "iterator" not in kind:
            raise NotResumable(f"an iterator whose position was not recorded: {kind}")
        return iter(())  # exhausted
    source, position = value(names["source"]), value(names["position"])
    if "order" in names:
        return iter(value(names["order"])[position:])
    if kind in ("list_reverseiterator", "reversed"):
        made: Any = reversed(source)
        made.__setstate__(position)
        return made
    if kind.startswith("dict_"):
        view = getattr(source, _VIEWS[kind.removeprefix("dict_").removeprefix("reverse")[:3]])()
        made = reversed(view) if "reverse" in kind else iter(view)
    else:
        made = reversed(source) if "reverse" in kind else iter(source)
    if hasattr(made, "__setstate__") and "range" not in kind:
        made.__setstate__(position)
        return made
    for _ in range(position):
        next(made, None)
    return made


def _composed(kind: str, names: dict[str, int], value: Callable[[int], Any]) -> Any:
    sources = [value(handle) for name, handle in names.items() if name.startswith("source")]
    if kind == "zip":
        return zip(*sources, strict=False)
    if kind == "enumerate":
        return enumerate(sources[0], value(names["position"]))
    function = value(names["function"])
    if kind == "callable_iterator":
        return iter(function, value(names["sentinel"]))
    return map(function, *sources) if kind == "map" else filter(function, sources[0])
