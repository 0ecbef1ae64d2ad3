"""Find calls of a method that can start a program: they construct an object of its class, then call it.

    entries(module, class_node, method, seed="a.py:Stack.push") -> [("Stack([1]).push", "3"), ..]

The arguments for the object come from the class's `__init__`, or from that of a base in the same module; for
a dataclass or NamedTuple, from its fields. A method that takes another object of its class gets such an
object.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy
from itertools import cycle, islice, zip_longest

from deskcheck.corpus.drawn_inputs import N_DRAWN, drawn
from deskcheck.corpus.library_inputs import calls
from deskcheck.corpus.library_module import Function, Module, Unfit

N_TRIED = 14
"""Largest number of calls to try for one method of an object, not counting calls drawn by Hypothesis."""
# Special methods of which no program is made.
_UNCALLED = frozenset(
    """__init__ __new__ __del__ __init_subclass__ __class_getitem__ __reduce__ __reduce_ex__ __getstate__
    __setstate__ __getattr__ __getattribute__ __setattr__ __delattr__ __repr__ __hash__ __sizeof__ __dir__
    __enter__ __exit__ __subclasshook__ __set_name__ __get__ __set__ __copy__ __deepcopy__""".split()
)


def defined_in(module: Module) -> Iterator[tuple[ast.ClassDef | None, Function]]:
    """Yield the functions at the top of a module and the methods of its classes, in order."""
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield None, node
        elif isinstance(node, ast.ClassDef):
            yield from ((node, method) for method in methods_of(node))


def methods_of(node: ast.ClassDef) -> list[ast.FunctionDef]:
    """Return the methods that can be called from outside, in order; properties are not among them."""
    return [
        one
        for one in node.body
        if isinstance(one, ast.FunctionDef) and one.name not in _UNCALLED and not _is_property(one)
    ]


def entries(
    module: Module, node: ast.ClassDef, method: ast.FunctionDef, *, seed: str, draws: bool = False
) -> list[tuple[str, str]]:
    """Return (entry, arguments) of the distinct calls to try. Unfit if no object of the class can be made.

    `seed` determines the drawn values; with `draws`, Hypothesis draws further arguments.
    """
    kinds = {_last_name(one) for one in method.decorator_list}
    is_static, is_of_class = "staticmethod" in kinds, "classmethod" in kinds
    called = method if is_static else without_first(method)
    arguments = calls(called, seed=seed)
    arguments += drawn(called, seed=seed) if draws else []
    if is_static or is_of_class:
        return [(f"{node.name}.{method.name}", given) for given in arguments]
    made = _constructions(module, node, seed=f"{seed}:{node.name}")
    if not made:
        raise Unfit("no inputs of the types that its class wants were found")
    if _is_of_two(called, node.name):
        others = [f"{node.name}({init})" for init in (*made[1:], made[0])]
        arguments = [one for pair in zip_longest(others, arguments) for one in pair if one is not None]
    n = min(N_TRIED + N_DRAWN * draws, max(len(made), len(arguments))) if arguments else 0
    pairs = islice(zip(cycle(made), cycle(arguments), strict=False), n)
    return list(dict.fromkeys((f"{node.name}({init}).{method.name}", given) for init, given in pairs))


def _is_of_two(method: ast.FunctionDef, owner: str) -> bool:
    """Whether a method takes just another object of its class, as `__eq__(self, other)` does."""
    spec = method.args
    if len(spec.posonlyargs + spec.args) != 1 or spec.vararg or spec.kwonlyargs or spec.kwarg:
        return False
    (other,) = spec.posonlyargs + spec.args
    named = other.annotation is not None and ast.unparse(other.annotation).strip("'\"") == owner
    return named or other.arg in ("other", "rhs", "that")


def without_first(method: ast.FunctionDef) -> ast.FunctionDef:
    """Copy a method without its first parameter, the object."""
    found, spec = copy(method), copy(method.args)
    if spec.posonlyargs:
        spec.posonlyargs = spec.posonlyargs[1:]
    else:
        spec.args = spec.args[1:]
    found.args = spec
    return found


def _constructions(module: Module, node: ast.ClassDef, *, seed: str) -> list[str]:
    """Return argument texts with which an object of the class can be made."""
    seen = {node.name}
    waiting = [node]
    while waiting:
        pending = waiting.pop(0)
        init = next(
            (m for m in pending.body if isinstance(m, ast.FunctionDef) and m.name == "__init__"), None
        )
        if init is not None:
            return calls(without_first(init), seed=seed)
        if _has_fields(pending):
            return calls(_of_fields(pending), seed=seed)
        for base in pending.bases:
            bound = module.bound.get(_last_name(base), [])
            if len(bound) == 1 and isinstance(bound[0], ast.ClassDef) and bound[0].name not in seen:
                seen.add(bound[0].name)
                waiting.append(bound[0])
    return [""]


def _has_fields(node: ast.ClassDef) -> bool:
    return any(map(_is_dataclass, node.decorator_list)) or any(
        _last_name(b) == "NamedTuple" for b in node.bases
    )


def _of_fields(node: ast.ClassDef) -> ast.FunctionDef:
    """Make an `__init__` whose parameters are the fields without defaults."""
    fields = [one for one in node.body if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)]
    wanted = [one for one in fields if one.value is None]
    text = f"def __init__({', '.join(ast.unparse(one.target) for one in wanted)}): pass"
    made = ast.parse(text).body[0]
    assert isinstance(made, ast.FunctionDef)
    for parameter, field in zip(made.args.args, wanted, strict=True):
        parameter.annotation = field.annotation
    return made


def _is_dataclass(node: ast.expr) -> bool:
    return _last_name(node.func if isinstance(node, ast.Call) else node) == "dataclass"


def _is_property(node: ast.FunctionDef) -> bool:
    names = {_last_name(one) for one in node.decorator_list}
    return bool(
        names & {"property", "cached_property", "setter", "getter", "deleter", "overload", "abstractmethod"}
    )


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        return _last_name(node.func)
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
