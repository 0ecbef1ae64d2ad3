"""Draw calls of a function by Hypothesis, with values of annotated types or of types that its body suggests.

    drawn(node, seed="a.py:climb") -> ["0, []", "-3, ['', 'A']", ..]

Hypothesis finds values that no list of words contains: empty and deeply nested values, long numbers, unusual
characters. The same function and seed give the same calls with the same version of Hypothesis. Hypothesis's
strategies are made from the syntax of annotations, so the module is not imported. A function with a parameter
that needs an object gets no calls.
"""

from __future__ import annotations

import ast
import warnings
import zlib
from typing import TYPE_CHECKING, Any

from deskcheck.corpus.library_inputs import MOST_CHARS, guessed
from deskcheck.corpus.library_words import ANNOTATED
from deskcheck.errors import MissingExtra

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

N_DRAWN = 12
"""Number of calls that Hypothesis draws; `drawn` returns those that are distinct and short enough."""
_MOST = 6
"""Maximum number of members of a drawn container."""
_LISTS = ("list", "List", "Sequence", "Iterable", "Collection", "MutableSequence", "Iterator")
_DICTS = ("dict", "Dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict")


def drawn(node: ast.FunctionDef, *, seed: str) -> list[str]:
    """Return distinct argument texts; none if a parameter needs a value that is no literal.

    MissingExtra if Hypothesis is not installed.
    """
    try:
        import hypothesis
        from hypothesis import strategies as st
    except ImportError:
        raise MissingExtra("hypothesis", "data", "--inputs hypothesis") from None
    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    wanted = positional[: len(positional) - len(spec.defaults)]
    named = [one for one, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True) if value is None]
    parts = [_of(node, one) for one in (*wanted, *named)]
    if not parts or any(one is None for one in parts):
        return []
    found: dict[str, None] = {}
    names = [""] * len(wanted) + [f"{one.arg}=" for one in named]

    @hypothesis.seed(zlib.crc32(seed.encode()))
    @hypothesis.settings(
        max_examples=N_DRAWN,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(st.tuples(*parts))
    def collect(values: tuple[object, ...]) -> None:
        text = ", ".join(f"{name}{value!r}" for name, value in zip(names, values, strict=True))
        if len(text) <= MOST_CHARS and "inf" not in text and "nan" not in text:
            found[text] = None

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings of Hypothesis do not matter here
        collect()
    return list(found)


def _of(node: ast.FunctionDef, parameter: ast.arg) -> SearchStrategy[Any] | None:
    """Return the Hypothesis strategy for a parameter; None if it needs an object."""
    from hypothesis import strategies as st

    annotation = parameter.annotation
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return None
    if annotation is not None and (found := _annotated(annotation)) is not None:
        return found
    kinds = [kind for kind in guessed(node, parameter, None) if kind in _plain()]
    return st.one_of(*(_plain()[kind] for kind in sorted(kinds))) if kinds else None


def _plain() -> dict[str, SearchStrategy[Any]]:
    from hypothesis import strategies as st

    text, number = st.text(max_size=12), st.integers(-1000, 1000)
    scalar = st.one_of(number, text)
    return {
        "int": number,
        "float": st.floats(-1e6, 1e6, allow_nan=False, width=32),
        "str": text,
        "bytes": st.binary(max_size=12),
        "bool": st.booleans(),
        "list": st.one_of(st.lists(number, max_size=_MOST), st.lists(text, max_size=_MOST)),
        "tuple": st.lists(scalar, max_size=3).map(tuple),
        "set": st.sets(number, max_size=_MOST),
        "dict": st.dictionaries(text, scalar, max_size=_MOST),
        "pairs": st.lists(st.tuples(scalar, number), max_size=_MOST),
    }


def _annotated(node: ast.expr) -> SearchStrategy[Any] | None:
    """Return the Hypothesis strategy for an annotation; None if its type is not plain."""
    from hypothesis import strategies as st

    if isinstance(node, ast.Constant):
        return st.none() if node.value is None else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _one_of([node.left, node.right])
    if isinstance(node, ast.Name | ast.Attribute):
        kind = ANNOTATED.get(_name(node), "")
        return _plain().get(kind)
    if not isinstance(node, ast.Subscript):
        return None
    name = _name(node.value)
    inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if name == "Literal":
        values = [one.value for one in inner if isinstance(one, ast.Constant)]
        return st.sampled_from(values) if values else None
    if name == "Optional":
        return _one_of([*inner, ast.Constant(None)])
    if name == "Union":
        return _one_of(inner)
    members = [_annotated(one) for one in inner if not (isinstance(one, ast.Constant) and one.value is ...)]
    if any(one is None for one in members):
        return None
    made: list[Any] = members
    if name in _LISTS and len(made) == 1:
        return st.lists(made[0], max_size=_MOST)
    if name in ("set", "Set", "frozenset", "AbstractSet") and len(made) == 1:
        return st.lists(made[0], max_size=_MOST).filter(_hashable).map(set)
    if name in _DICTS and len(made) == 2:
        pairs = st.lists(st.tuples(*made), max_size=_MOST)
        return pairs.filter(lambda given: _hashable([key for key, _ in given])).map(dict)
    if name in ("tuple", "Tuple"):
        endless = len(made) == 1 and len(inner) == 2
        return st.lists(made[0], max_size=_MOST).map(tuple) if endless else st.tuples(*made)
    return None


def _one_of(nodes: list[ast.expr]) -> SearchStrategy[Any] | None:
    from hypothesis import strategies as st

    known = [one for one in map(_annotated, nodes) if one is not None]
    return st.one_of(*known) if known else None


def _hashable(values: list[object]) -> bool:
    try:
        return len(set(values)) == len(values)
    except TypeError:
        return False


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
