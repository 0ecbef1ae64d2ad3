"""Split programs in JavaScript and TypeScript into the units that are compared with benchmarks.

    units_of(source, "javascript") -> (Unit("f", 3, ..), ..)

Units are functions at any depth, methods, and the statements outside of functions. Each is written as a
canonical tree, as units in Python are. `engine/forms.js` writes the trees in V8; here the same rules as in
`canonical.py` remove differences of writing. Kinds of statements are those of Python where the languages
agree, so that features have the same meaning.
`javascript.msgpack` holds hashes of the programs of CRUXEval-X (js, ts) and of the twins of `core` and
`easy`. `python measurements/fingerprints_javascript.py --write` makes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from deskcheck.decontamination.canonical import (
    NAME,
    Tree,
    features_of,
    form_of,
    joined,
    negation,
    size_of,
)
from deskcheck.decontamination.prints import MODULE, MOST_HELPERS, MOST_REACHED, Unit
from deskcheck.errors import BadSource
from deskcheck.languages.javascript.reading import tables

_BLOCKS = frozenset({"body", "else", "finalbody"})  # kinds of nodes that hold statements


class _Function(NamedTuple):
    """A function, method or set of statements of a source, with its canonical tree; lines count from 1."""

    name: str
    line: int
    last: int
    owner: str
    """Class of a method; "" for another function."""
    tree: Tree

    @property
    def plain(self) -> str:
        """Name without those of the class and of the functions around it."""
        return self.name.rpartition(".")[2]


def name_of(entry: str) -> str:
    """Return the name of the unit that an entry calls: "Stack.push" for "new Stack(3).push"."""
    return re.sub(r"\bnew\s+|\(.*?\)|\s", "", entry)


@lru_cache(maxsize=64)
def units_of(source: str, language: str) -> tuple[Unit, ...]:
    """Return all units in order. SyntaxError if the source does not parse."""
    try:
        forms = tables(source, language)["forms"]
    except BadSource as error:
        raise SyntaxError(str(error)) from None
    functions = [
        _Function(name, line, last, owner, _function(tree))
        for name, line, last, owner, tree in forms["functions"]
    ]
    units = [_unit(function, functions) for function in functions]
    module = joined([_settled(tree) for _, _, tree in forms["module"]])
    if not module:
        return tuple(units)
    spans = tuple((line, last) for line, last, _ in forms["module"])
    whole = _Function(MODULE, spans[0][0], spans[-1][1], "", ("def", *_without_unread(module)))
    return (*units, _unit(whole, functions, spans))


def _unit(
    function: _Function, functions: Sequence[_Function], spans: tuple[tuple[int, int], ...] = ()
) -> Unit:
    """Make the unit of one function: its form, its helpers and its features."""
    helpers = _helpers(function, functions)
    trees = (function.tree, *(helper.tree for helper in helpers[:MOST_HELPERS]))
    reached = (*(spans or [(function.line, function.last)]), *((one.line, one.last) for one in helpers))
    features = frozenset[int]().union(*(features_of((tree,)) for tree in trees))
    form, whole = form_of(trees[:1]), form_of(trees)
    return Unit(function.name, function.line, form, whole, size_of(function.tree), features, reached)


def _helpers(function: _Function, functions: Sequence[_Function]) -> list[_Function]:
    """Return the functions of the same source that it calls, with those that they call, in order."""
    inside = range(function.line, function.last + 1) if function.name != MODULE else range(0)
    known = {
        other.plain: other
        for other in functions
        if other.line not in inside and (not other.owner or other.owner == function.owner)
    }
    seen, helpers, waiting = {function.plain}, list[_Function](), list(_names(function.tree))
    while waiting and len(helpers) < MOST_REACHED:
        name = waiting.pop(0)
        if name in seen or name not in known:
            continue
        seen.add(name)
        helpers.append(known[name])
        waiting += _names(known[name].tree)
    return helpers


def _names(tree: Tree) -> Iterator[str]:
    """Yield the names in a tree, in order."""
    if type(tree) is str:
        return
    if tree[0] == NAME:
        yield tree[1]
        return
    for part in tree:
        yield from _names(part)


def _function(raw: list[Any]) -> Tree:
    """Settle a function's tree: ["def", name, parameters, statement, ..]."""
    kind, name, parameters, *body = raw
    statements = _without_unread(joined([_settled(statement) for statement in body]))
    return (kind, _settled(name), _settled(parameters), *statements)


def _inner(raw: list[Any]) -> Tree:
    """Settle a function inside of an expression; one that only returns a value is a Lambda."""
    _, parameters, (_, *body) = raw
    statements = _without_unread(joined([_settled(statement) for statement in body]))
    if len(statements) == 1 and statements[0][0] == "Return":
        return ("Lambda", _settled(parameters), statements[0][1])
    return ("Function", _settled(parameters), ("body", *statements))


def _settled(raw: Any) -> Tree:
    """Turn lists into tuples, write negations in canonical form and join the statements of blocks."""
    if isinstance(raw, str):
        return raw
    if raw[0] == "def":
        return _function(raw)
    if raw[0] == "Function":
        return _inner(raw)
    parts = [_settled(part) for part in raw]
    if raw[0] == "Not":
        return negation(parts[1])
    if raw[0] in _BLOCKS:
        return (parts[0], *joined(parts[1:]))
    return tuple(parts)


def _without_unread(body: tuple[Tree, ...]) -> tuple[Tree, ...]:
    """Leave out assignments of a literal to names that nothing in the function reads."""
    read = set(_read(body))

    def counts(tree: Tree) -> bool:
        if tree[0] != "Assign" or type(tree[1]) is not str or not tree[1].startswith("="):
            return True
        return any(type(target) is str or target[0] != NAME or target[1] in read for target in tree[2:])

    return tuple(tree for tree in body if counts(tree))


def _read(trees: Sequence[Tree]) -> Iterator[str]:
    """Yield the names that trees read: all but the targets of assignments."""
    for tree in trees:
        if type(tree) is str:
            continue
        if tree[0] == NAME:
            yield tree[1]
        elif tree[0] == "Assign":
            yield from _read([tree[1], *(one for one in tree[2:] if one[0] != NAME)])
        else:
            yield from _read(tree[1:])
