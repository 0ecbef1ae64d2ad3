"""Find calls of a library's function: the calls in its docstring, then calls with values of guessed types.

    calls(node of bisect_left, seed="python:bisect:bisect.py:bisect_left") -> ["13, 4, hi=0", "4, 0.5", ..]

Types are guessed from annotations, defaults, the uses of a parameter in the body, and its name. If the body
uses a parameter as an object of a class, no calls are made. Values are small literals that are typical of
programs: words, dates, paths, versions, numbers of a few digits. The k-th call of a function depends only on
the function's text and the seed, so a pinned call is identified by its number.
"""

from __future__ import annotations

import ast
import doctest
from collections import Counter
from collections.abc import Iterator
from random import Random

from deskcheck.corpus.library_words import (
    ANNOTATED,
    BYTES,
    FLOATS,
    INTS,
    ITERATING,
    NAMED_TEXTS,
    NAMES,
    TEXTS,
    TEXTUAL,
    WORDS,
)

N_MADE = 14
"""Number of calls with guessed values that are tried, beside those of the docstring."""
Kinds = dict[str, Counter[str]]
"""Parameter -> kind of value ("int", "list", "pairs", ..) -> its weight."""
MOST_CHARS = 240
"""Maximum length of the argument text of a call, in characters."""
# Kind of value -> its type.
KINDS = {"int": int, "float": float, "str": str, "bytes": bytes, "list": list, "dict": dict, "tuple": tuple,
         "set": set, "bool": bool}  # fmt: skip
_METHODS = {kind: {name for name in dir(made) if name[0] != "_"} for kind, made in KINDS.items()}


def calls(node: ast.FunctionDef, *, seed: str) -> list[str]:
    """Return the distinct argument texts of the calls, those of the docstring first."""
    texts = dict.fromkeys(text for text in documented(node) if len(text) <= MOST_CHARS)
    kinds: Kinds = {}
    for number in range(N_MADE):
        text = arguments_for(node, Random(f"{seed}:{number}"), kinds)
        if text is not None and len(text) <= MOST_CHARS:
            texts[text] = None
    return list(texts)


def documented(node: ast.FunctionDef) -> Iterator[str]:
    """Yield the arguments of the calls with literals in the examples of a docstring."""
    try:
        examples = doctest.DocTestParser().get_examples(ast.get_docstring(node) or "")
    except ValueError:
        return
    for example in examples:
        try:
            tree = ast.parse(example.source)
        except (SyntaxError, ValueError):
            continue
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and _name_of(call.func) == node.name:
                text = literal_arguments(call)
                if text is not None:
                    yield text


def literal_arguments(call: ast.Call) -> str | None:
    """Return the arguments of a call as text; None if one of them is no literal."""
    arguments = [*call.args, *(one.value for one in call.keywords)]
    if not all(map(_is_literal, arguments)) or not all(one.arg for one in call.keywords):
        return None
    parts = [ast.unparse(one) for one in call.args]
    parts += [f"{one.arg}={ast.unparse(one.value)}" for one in call.keywords]
    return ", ".join(parts)


def arguments_for(node: ast.FunctionDef, random: Random, known: Kinds) -> str | None:
    """Make the arguments of one call; None if a parameter needs a value that is no literal.

    `known` caches the guessed kinds of each parameter.
    """

    def kinds_of(parameter: ast.arg, default: ast.expr | None) -> Counter[str]:
        if parameter.arg not in known:
            known[parameter.arg] = guessed(node, parameter, default)
        return known[parameter.arg]

    spec = node.args
    positional = [*spec.posonlyargs, *spec.args]
    n_wanted = len(positional) - len(spec.defaults)
    defaults: dict[str, ast.expr | None] = dict(
        zip([wanted_parameter.arg for wanted_parameter in positional[n_wanted:]], spec.defaults, strict=True)
    )
    defaults |= {
        wanted_parameter.arg: value
        for wanted_parameter, value in zip(spec.kwonlyargs, spec.kw_defaults, strict=True)
        if value
    }
    parts = []
    for wanted_parameter in positional[:n_wanted]:
        kinds = kinds_of(wanted_parameter, None)
        if not kinds:
            return None
        parts.append(_value(_drawn(kinds, random), wanted_parameter.arg, random))
    if spec.vararg is not None:
        kinds = (
            kinds_of(ast.arg("values"), None) if spec.vararg.arg == "args" else Counter({"int": 1, "str": 1})
        )
        kind = _drawn(kinds, random)
        parts += [_value(kind, spec.vararg.arg, random) for _ in range(random.randint(1, 3))]
    for wanted_parameter in [*positional[n_wanted:], *spec.kwonlyargs]:
        default = defaults.get(wanted_parameter.arg)
        kinds = kinds_of(wanted_parameter, default)
        if default is None and wanted_parameter in spec.kwonlyargs and not kinds:
            return None
        if kinds and (default is None or random.random() < 0.3):
            parts.append(
                f"{wanted_parameter.arg}={_value(_drawn(kinds, random), wanted_parameter.arg, random)}"
            )
            if wanted_parameter in spec.posonlyargs:
                return None
    return ", ".join(parts)


def guessed(node: ast.FunctionDef, parameter: ast.arg, default: ast.expr | None) -> Counter[str]:
    """Guess the kinds of value for a parameter, with weights; none for an object, function or type."""
    weights: Counter[str] = Counter()
    if parameter.annotation is not None:
        named = [ANNOTATED.get(name, "") for name in _names_in(parameter.annotation)]
        weights.update({kind: 12 for kind in named[:3] if kind})
        if not any(named):
            return Counter()
    if isinstance(default, ast.Constant) and default.value is not None and default.value is not ...:
        return Counter({type(default.value).__name__: 1})
    used = _uses(node, parameter.arg)
    if used is None:
        return Counter()
    weights.update(used)
    if default is not None and not weights:  # None or a name: the default is kept
        return Counter()
    for kind, names in NAMES.items():
        if parameter.arg.rstrip("s0123456789_") in names or parameter.arg in names:
            weights[kind] += 3
        elif any(
            parameter.arg.endswith(f"_{name}") or parameter.arg.startswith(f"{name}_") for name in names
        ):
            weights[kind] += 1
    return weights or Counter({"int": 3, "str": 3, "list": 3, "dict": 1})


def _uses(node: ast.FunctionDef, name: str) -> Counter[str] | None:
    """Count the types that fit the uses of a parameter in the body; None if an unknown type is needed."""
    weights: Counter[str] = Counter()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute) and _is(inner.value, name):
            kinds = [kind for kind, methods in _METHODS.items() if inner.attr in methods]
            if not kinds:
                return None
            weights.update(dict.fromkeys(kinds, 8))
        elif isinstance(inner, ast.Call):
            if _is(inner.func, name):
                return None
            if any(_is(argument, name) for argument in inner.args):
                called = _name_of(inner.func)
                if called in ("isinstance", "issubclass") and len(inner.args) > 1:
                    weights.update({kind: 3 for kind in _names_in(inner.args[1]) if kind in KINDS})
                elif called == "range":
                    weights["int"] += 8
                elif called in TEXTUAL:
                    weights["str"] += 5
                elif called in ("max", "min") and len(inner.args) > 1:
                    weights.update(int=4, float=2)
                elif called in ITERATING:
                    weights.update(list=4, str=2)
                elif called in ("int", "float", "divmod", "abs", "round"):
                    weights.update(int=4, float=1)
        elif isinstance(inner, ast.For | ast.comprehension) and _is(inner.iter, name):
            weights.update(list=4, str=2)
            if isinstance(inner.target, ast.Tuple):
                weights["pairs"] += 12
        elif isinstance(inner, ast.Subscript) and _is(inner.value, name):
            weights.update(list=3, str=3, dict=1)
            if isinstance(inner.slice, ast.Constant) and isinstance(inner.slice.value, str):
                weights["dict"] += 8
        elif isinstance(inner, ast.BinOp) and (_is(inner.left, name) or _is(inner.right, name)):
            if isinstance(inner.op, ast.Add):
                other = inner.right if _is(inner.left, name) else inner.left
                text = isinstance(other, ast.Constant) and isinstance(other.value, str)
                weights.update({"str": 6} if text else {"int": 3, "str": 1})
            elif not (isinstance(inner.op, ast.Mod) and _is(inner.right, name)):
                weights.update(int=6, float=1)
        elif isinstance(inner, ast.Compare):
            sides = [inner.left, *inner.comparators]
            if any(_is(side, name) for side in sides):
                held = [type(side.value).__name__ for side in sides if isinstance(side, ast.Constant)]
                weights.update({kind: 5 for kind in held if kind in KINDS})
                if isinstance(inner.ops[0], ast.In) and _is(sides[-1], name):
                    weights.update(list=2, str=2, dict=1)
    return weights


def _value(kind: str, name: str, random: Random) -> str:
    """Draw a literal of a kind; texts may depend on the parameter's name."""
    if kind == "int":
        return repr(random.choice(INTS[:14] if random.random() < 0.6 else INTS))
    if kind == "float":
        return repr(random.choice(FLOATS) if random.random() < 0.7 else random.choice(INTS))
    if kind == "bool":
        return repr(random.random() < 0.5)
    if kind == "bytes":
        return repr(random.choice(BYTES))
    if kind == "str":
        for part, texts in NAMED_TEXTS.items():
            if (part == name or (len(part) > 2 and part in name.lower())) and random.random() < 0.7:
                return repr(random.choice(texts))
        return repr(random.choice(WORDS if random.random() < 0.25 else TEXTS))
    n = random.choice((0, 1, 2, 3, 3, 4, 5, 6, 8))
    inner = random.choice(("int", "int", "word", "text", "float"))
    if kind == "set":
        return f"{{{', '.join(_values(inner, n, random))}}}" if n else "set()"
    if kind == "dict":
        keys = dict.fromkeys(_values(random.choice(("word", "word", "int")), n, random))
        inner = random.choice(("int", "word", "list", "text"))
        return "{" + ", ".join(f"{key}: {_inner(inner, random)}" for key in keys) + "}"
    if kind == "pairs":
        first = random.choice(("int", "word"))
        return "[" + ", ".join(f"({_inner(first, random)}, {_inner('int', random)})" for _ in range(n)) + "]"
    values = _values(inner, n, random)
    if kind == "list" and random.random() < 0.15:
        values = [f"[{', '.join(_values(inner, 3, random))}]" for _ in range(n)]
    elif kind == "list" and inner in ("int", "float") and random.random() < 0.4:
        values.sort(key=float)
    return f"[{', '.join(values)}]" if kind == "list" else f"({', '.join(values)}{',' * (n == 1)})"


def _values(kind: str, n: int, random: Random) -> list[str]:
    return [_inner(kind, random) for _ in range(n)]


def _inner(kind: str, random: Random) -> str:
    if kind == "int":
        return repr(random.choice(INTS[:20]))
    if kind == "float":
        return repr(random.choice(FLOATS))
    if kind == "list":
        return f"[{', '.join(_values('int', random.randint(0, 3), random))}]"
    return repr(random.choice(WORDS if kind == "word" else TEXTS))


def _drawn(kinds: Counter[str], random: Random) -> str:
    known = [kind for kind in kinds if kind in KINDS or kind == "pairs"] or ["str"]
    return random.choices(known, [kinds[kind] or 1 for kind in known])[0]


def _names_in(node: ast.AST) -> Iterator[str]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            yield inner.id
        elif isinstance(inner, ast.Attribute):
            yield inner.attr
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            yield from (word for word in inner.value.replace("[", " ").replace("|", " ").split() if word)


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_literal(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True
