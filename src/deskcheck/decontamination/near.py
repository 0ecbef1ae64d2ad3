"""Decide, by the fingerprints that ship, whether a program is too similar to a benchmark to be trained on.

    near_copy("import os\\ndef g(ys): ..") -> Match("cruxeval", "sample_12", 1.0, ..)
    near_copy(source, entry="f")     look for near copies only in the functions that `f` can reach
    edition()                                   identify the fingerprints that ship
    units_of(source) -> (Unit("Solution.solve", 3, ..), ..)
    kept_out() -> the table of benchmarks and programs for a card

`build`, `train` and rewards all use `near_copy`, which compares units. A unit is a function or method with
its helpers in the same file, or the statements outside of functions (`units_of`). A unit is the same as a
benchmark's program if their forms are equal: similarity 1, `same` true. A unit is a near copy if it has at
least half of the features of the benchmark's program by weight. The weight of a feature, in bits, is its
rarity in the standard library; features of more than one function in a hundred weigh nothing. `canonical.py`
explains forms and features.
Much unrelated code contains the features of a small program. So programs under 15 bits have no near copies,
and those under 100 bits only at a similarity of 0.6 and in units that are not much longer. Generators that
combine statements at random produce small programs by chance. In generated programs, near copies of programs
under 100 bits therefore do not count (`program_copy`).
Fingerprints are hashes and contain no text of a benchmark. They ship with the package, so decontamination
does not depend on the public data on this machine. `python measurements/fingerprints.py --write` makes them.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files

import msgspec

from deskcheck.decontamination.canonical import (
    FUNCTIONS,
    Scope,
    Tree,
    features_of,
    form_of,
    function,
    methods_of,
    owner_of,
    scope_of,
    size_of,
    statements,
)
from deskcheck.decontamination.canonical import Match as Match
from deskcheck.decontamination.prints import (
    MODULE,
    MOST_HELPERS,
    MOST_REACHED,
    WEIGHT_UNIT,
    Edition,
    Fingerprints,
    Print,
    Unit,
)
from deskcheck.records import Program

COMPARED = frozenset({"python", "javascript", "typescript"})
"""Languages whose programs are compared with benchmarks."""
GENERATED = "generated:"
"""Beginning of the origins of generated programs."""
FILE, JAVASCRIPT_FILE = "fingerprints.msgpack", "javascript.msgpack"
"""Files of fingerprints: of programs in Python, and of those in JavaScript and TypeScript."""
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@lru_cache(maxsize=4)
def units_of(source: str) -> tuple[Unit, ...]:
    """Return all units in order; cached for a few texts. SyntaxError or ValueError if it is not Python."""
    tree = ast.parse(source)
    top = {node.name: node for node in tree.body if isinstance(node, _Definition)}
    reader = _Reader(top)
    found = [reader.unit(*one) for one in _functions(tree.body, "", None)]
    rest = [node for node in tree.body if not isinstance(node, _Definition) and not _is_guard(node)]
    body = reader.module(rest)
    return (*found, body) if body else tuple(found)


def name_of(entry: str) -> str:
    """Return the qualified name of the function that an entry calls: "Stack.push" for "Stack('(').push"."""
    if entry.isidentifier():
        return entry
    try:
        return _name_of(ast.parse(entry, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return entry


def _name_of(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _name_of(node.func)
    return f"{_name_of(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ast.unparse(node)


def _functions(
    body: list[ast.stmt], prefix: str, owner: ast.ClassDef | None
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef, ast.ClassDef | None]]:
    """Yield (qualified name, node, class around it) of all functions, nested ones included."""
    for node in body:
        if isinstance(node, FUNCTIONS):
            yield f"{prefix}{node.name}", node, owner
            yield from _functions(node.body, f"{prefix}{node.name}.", None)
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.", node)
        else:
            for field in ("body", "orelse", "finalbody", "handlers", "cases"):
                inner = getattr(node, field, None)
                if isinstance(inner, list):
                    yield from _functions(inner, prefix, owner)


def _is_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "__name__" in ast.dump(node.test)


class _Reader:
    """Reader of the units of one file, which caches the trees of helpers."""

    def __init__(self, top: dict[str, _Definition]) -> None:
        self._top = top
        self._read: dict[ast.AST, tuple[list[str], Tree, frozenset[int]]] = {}

    def unit(
        self, name: str, node: ast.FunctionDef | ast.AsyncFunctionDef, owner: ast.ClassDef | None
    ) -> Unit:
        """Make the unit of one function or method: its form, its helpers and its features."""
        called, tree, features = self._of(node, owner)
        alone = form_of((tree,))
        helpers = self._helpers(called, node, owner)
        reached = tuple(_lines(one) for one in (node, *(one for one, _ in helpers)))
        if not helpers:
            return Unit(name, node.lineno, alone, alone, size_of(tree), features, reached)
        read = [self._of(one, around) for one, around in helpers[:MOST_HELPERS]]
        features = features.union(*(one[2] for one in read))
        whole = form_of((tree, *(one[1] for one in read)))
        return Unit(name, node.lineno, alone, whole, size_of(tree), features, reached)

    def module(self, body: list[ast.stmt]) -> Unit | None:
        """Make the unit of the statements outside of functions, with the helpers that they call."""
        scope = scope_of(body)
        trees = statements(body, scope)
        if not trees:
            return None
        helpers = self._helpers(_named(body), None, None)
        read = [self._of(one, around) for one, around in helpers[:MOST_HELPERS]]
        features = features_of(trees).union(*(one[2] for one in read))
        whole = form_of((*trees, *(one[1] for one in read)))
        reached = tuple(_lines(one) for one in (*body, *(one for one, _ in helpers)))
        return Unit(MODULE, reached[0][0], form_of(trees), whole, sum(map(size_of, trees)), features, reached)

    def _of(self, node: _Definition, owner: ast.ClassDef | None) -> tuple[list[str], Tree, frozenset[int]]:
        """Return (names that a definition reads, tree, features)."""
        if node not in self._read:
            if isinstance(node, ast.ClassDef):
                trees = statements([node], scope_of([node]))
            else:
                trees = (function(node, _scope(node, owner)),)
            self._read[node] = _named([node]), trees[0], features_of(trees)
        return self._read[node]

    def _helpers(
        self, called: list[str], node: ast.AST | None, owner: ast.ClassDef | None
    ) -> list[tuple[_Definition, ast.ClassDef | None]]:
        """Return the called definitions of the same file, with those that they call, in order."""
        methods = {one.name: one for one in owner.body if isinstance(one, FUNCTIONS)} if owner else {}
        seen: set[ast.AST | None] = {node, owner}
        helpers: list[tuple[_Definition, ast.ClassDef | None]] = []
        waiting = list(called)
        while waiting:
            name = waiting.pop(0)
            of_class = methods.get(name[1:]) if name[0] == "." else None
            helper = of_class if name[0] == "." else self._top.get(name)
            if helper is None or helper in seen:
                continue
            seen.add(helper)
            helpers.append((helper, owner if of_class is not None else None))
            if len(helpers) == MOST_REACHED:
                return helpers
            waiting += self._of(*helpers[-1])[0]
        return helpers


def _lines(node: ast.stmt) -> tuple[int, int]:
    return node.lineno, node.end_lineno or node.lineno


def _scope(node: ast.FunctionDef | ast.AsyncFunctionDef, owner: ast.ClassDef | None) -> Scope:
    if owner is None:
        return scope_of([node])
    return scope_of([node], methods=methods_of(owner), owner=owner_of(node))


def _named(body: list[ast.stmt]) -> list[str]:
    """Return the names that are read, and ".attribute" for attributes of names, each once, in order."""
    places: dict[str, tuple[int, int]] = {}
    for root in body:
        for node in ast.walk(root):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                name, place = node.id, (node.lineno, node.col_offset)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                name, place = f".{node.attr}", (node.lineno, node.col_offset)
            else:
                continue
            places[name] = min(place, places.get(name, place))
    return sorted(places, key=places.__getitem__)


def fingerprints(name: str = FILE) -> Fingerprints:
    """Read the edition of fingerprints that ships; JAVASCRIPT_FILE has those of the other languages."""
    return _read(name)  # without the name too it is read once


@cache
def _read(name: str) -> Fingerprints:
    data = files("deskcheck.decontamination").joinpath(name).read_bytes()
    return opened(msgspec.msgpack.decode(data, type=Edition), hashlib.sha256(data).hexdigest()[:16])


def edition() -> str:
    """Identify the fingerprints of all languages together; another edition of any changes it."""
    digests = "".join(fingerprints(name).digest for name in (FILE, JAVASCRIPT_FILE))
    return hashlib.sha256(digests.encode("ascii")).hexdigest()[:16]


def kept_out() -> str:
    """Write the table for a card: every benchmark with the number of its programs, by language."""
    counts = {
        f"{benchmark}{language}": n
        for name, language in ((FILE, ""), (JAVASCRIPT_FILE, ", JavaScript and TypeScript"))
        for benchmark, n in fingerprints(name).benchmarks.items()
    }
    lines = ["| kept out of training | programs |", "|---|---|"]
    lines += [f"| {name} | {n:,} |" for name, n in counts.items()]
    lines.append(f"| fingerprints {edition()} | {sum(counts.values()):,} |")
    return "\n".join(lines) + "\n"


def opened(edition: Edition, digest: str) -> Fingerprints:
    """Turn an edition into tables for look-ups."""
    hashes = numbers("I", edition.features)
    weights = [weight / WEIGHT_UNIT for weight in edition.weights]
    programs: list[Print] = []
    forms: dict[str, int] = {}
    holders: list[list[int]] = [[] for _ in hashes]
    for name, prints in edition.benchmarks.items():
        for number, identity in enumerate(prints.ids):
            features = numbers("I", prints.features[number])
            form = prints.forms[number].hex()
            for start in range(0, len(form), 16):  # one or more forms of 16 digits each
                forms.setdefault(form[start : start + 16], len(programs))
            for feature in features:
                holders[feature].append(len(programs))
            weight = sum(weights[n] for n in features)
            programs.append(Print(name, identity, weight, prints.n_features[number]))
    by_feature = {
        value: (weight, who) for value, weight, who in zip(hashes, weights, holders, strict=True) if who
    }
    sizes = {name: len(prints.ids) for name, prints in edition.benchmarks.items()}
    return Fingerprints(digest, programs, forms, by_feature, sizes)


def packed(code: str, values: Iterable[int]) -> bytes:
    """Encode integers as little-endian bytes; `code` is a type code of the module `array`."""
    found = array(code, values)
    if sys.byteorder == "big":
        found.byteswap()
    return found.tobytes()


def numbers(code: str, data: bytes) -> array[int]:
    """Decode little-endian bytes into an array of integers with this type code."""
    found = array(code, data)
    if sys.byteorder == "big":
        found.byteswap()
    return found


SIMILAR = 0.5
"""Least similarity of a near copy."""
SMALL, SIMILAR_SMALL = 100.0, 0.6
"""Weight in bits under which a benchmark's program is small, and least similarity of its near copies."""
LEAST = 15.0
"""Least weight, in bits, of a benchmark's program whose near copies count."""
LONGER, MORE = 4, 10
"""A near copy of a small program with n features has at most LONGER * n + MORE features."""
LEAST_UNREACHED = 24
"""Least number of nodes of a unit that counts even if the entry does not reach it."""


def nearest(
    units: Sequence[Unit],
    reached: Sequence[Unit],
    known: Fingerprints,
    *,
    but: Collection[str] = (),
    least: float = LEAST,
) -> Match | None:
    """Return the most similar program of a benchmark, if it is too similar.

    Units that are not reached count only if they are the same as a benchmark's program and have at least
    LEAST_UNREACHED nodes. Benchmarks in `but` are left out. `least` is the least weight of a benchmark's
    program, in bits, whose near copies count.
    """
    for unit in units:
        number = known.forms.get(unit.form, known.forms.get(unit.whole, -1))
        if number >= 0 and (unit in reached or unit.size >= LEAST_UNREACHED):
            same = known.programs[number]
            if same.benchmark not in but:
                return Match(same.benchmark, same.id, 1.0, True, unit.name, unit.line)
    found = [match for unit in reached for match in _near(unit, known, but, least)]
    return max(found, key=lambda match: match.similarity, default=None)


def reached_from(units: Sequence[Unit], name: str) -> Sequence[Unit]:
    """Return the units that a call of the function `name` can run; all units if none has this name."""
    chosen = [unit for unit in units if unit.name == name]
    if not chosen:
        return units
    spans = chosen[-1].reached
    return [unit for unit in units if any(first <= unit.line <= last for first, last in spans)]


def _near(unit: Unit, known: Fingerprints, but: Collection[str], least: float) -> Iterator[Match]:
    shared: dict[int, float] = {}
    for feature in unit.features:
        if feature in known.by_feature:
            weight, holders = known.by_feature[feature]
            for number in holders:
                shared[number] = shared.get(number, 0.0) + weight
    for number, weight in shared.items():
        fingerprint = known.programs[number]
        similarity = weight / fingerprint.weight
        if fingerprint.weight < least:
            continue
        if (
            similarity >= SIMILAR
            and fingerprint.benchmark not in but
            and _counts(unit, fingerprint, similarity)
        ):
            yield Match(fingerprint.benchmark, fingerprint.id, similarity, False, unit.name, unit.line)


def _counts(unit: Unit, fingerprint: Print, similarity: float) -> bool:
    if fingerprint.weight >= SMALL:
        return True
    longer = len(unit.features) > LONGER * fingerprint.n_features + MORE
    return similarity >= SIMILAR_SMALL and not longer


def near_copy(
    source: str, entry: str = "", *, but: Collection[str] = (), least: float = LEAST
) -> Match | None:
    """Return the most similar program of a benchmark, if it is too similar. SyntaxError: not Python.

    With an entry, units that it does not reach are not executed. They count only if they are the same as a
    benchmark's program and have at least LEAST_UNREACHED nodes. `but` and `least` are those of `nearest`.
    """
    try:
        units = units_of(source)
    except (ValueError, RecursionError) as error:
        raise SyntaxError(f"no Python that can be read: {error}") from None
    reached = reached_from(units, name_of(entry))
    return nearest(units, reached, fingerprints(), but=but, least=least)


def program_copy(program: Program) -> Match | None:
    """Apply `near_copy` to a Program with its entry, more leniently if it is generated.

    SyntaxError if it does not parse.
    Programs in JavaScript and TypeScript are compared with benchmarks in these languages.
    """
    least = SMALL if program.origin.startswith(GENERATED) else LEAST
    if program.language == "python":
        return near_copy(program.source, program.entry, least=least)
    from deskcheck.decontamination import javascript  # only where it is used

    units = javascript.units_of(program.source, program.language)
    reached = reached_from(units, javascript.name_of(program.entry))
    return nearest(units, reached, fingerprints(JAVASCRIPT_FILE), least=least)
