"""What functions, methods, views and other library objects show of themselves, read without their help.

FUNCTIONS[id(type)] -> (text, attributes)       RECORDS[id(type)] -> attributes
CONTAINERS[id(type)] -> ObjectKind
"""

from __future__ import annotations

import functools
import gc
from array import array
from collections import defaultdict, deque
from collections.abc import Callable
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    WrapperDescriptorType,
)

from deskcheck.records import ObjectKind
from deskcheck.tracing import iterators

Pairs = list[tuple[str, object]]
Reader = Callable[[object, iterators.Memo], Pairs]

# Tables by id of the type: hash() and == of a class may be code of the program's metaclass.
CONTAINERS: dict[int, ObjectKind] = {
    id(list): ObjectKind.LIST,
    id(tuple): ObjectKind.TUPLE,
    id(dict): ObjectKind.DICT,
    id(set): ObjectKind.SET,
    id(frozenset): ObjectKind.FROZENSET,
    id(deque): ObjectKind.ARRAY,
    id(bytearray): ObjectKind.ARRAY,
    id(array): ObjectKind.ARRAY,
}
_NAMED = (BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType)

_module_dict: Callable[[object], dict[str, object]] = vars(ModuleType)["__dict__"].__get__


def module_text(value: object) -> str:
    name = _module_dict(value).get("__name__")
    return name if type(name) is str else "module"


def generator_text(value: object) -> str:
    return type(value).__dict__["__qualname__"].__get__(value)  # type: ignore[no-any-return]  # a str


def _function_text(value: object) -> str:
    return FunctionType.__dict__["__code__"].__get__(value).co_qualname  # type: ignore[no-any-return]  # a str


def _function_pairs(value: object, _memo: iterators.Memo) -> Pairs:
    """Closure variables by name; defaults that can change as "name="."""
    assert isinstance(value, FunctionType)
    code = value.__code__
    found: Pairs = []
    for name, cell in zip(code.co_freevars, value.__closure__ or (), strict=False):
        try:
            found.append((name, cell.cell_contents))
        except ValueError:
            continue  # not assigned yet
    defaults = value.__defaults__ or ()
    positional = code.co_varnames[: code.co_argcount]
    named = list(zip(positional[len(positional) - len(defaults) :], defaults, strict=False))
    named += list((value.__kwdefaults__ or {}).items())
    changing = [(f"{name}=", item) for name, item in named if id(type(item)) in CONTAINERS]
    return found + [pair for pair in changing if type(pair[1]) is not tuple]


def _method_text(value: object) -> str:
    assert isinstance(value, MethodType)
    function = value.__func__
    return _function_text(function) if type(function) is FunctionType else "method"


def _method_pairs(value: object, _memo: iterators.Memo) -> Pairs:
    assert isinstance(value, MethodType)
    return [("__self__", value.__self__)]


def _builtin_text(value: object) -> str:
    return type(value).__dict__["__qualname__"].__get__(value)  # type: ignore[no-any-return]  # a str


def _builtin_pairs(value: object, _memo: iterators.Memo) -> Pairs:
    owner = getattr(value, "__self__", None) if type(value) is BuiltinFunctionType else None
    return [("__self__", owner)] if id(type(owner)) in CONTAINERS else []


def _range_pairs(value: object, _memo: iterators.Memo) -> Pairs:
    assert isinstance(value, range | slice)
    return [("start", value.start), ("stop", value.stop), ("step", value.step)]


def _view_pairs(value: object, _memo: iterators.Memo) -> Pairs:
    return [("source", found) for found in gc.get_referents(value) if isinstance(found, dict)]


def factory_pairs(value: object, _memo: iterators.Memo) -> Pairs:
    return [("default_factory", defaultdict.__dict__["default_factory"].__get__(value))]


def _partial_pairs(value: object, _memo: iterators.Memo) -> Pairs:
    assert isinstance(value, functools.partial)
    return [("func", value.func), ("args", value.args), ("keywords", value.keywords)]


FUNCTIONS: dict[int, tuple[Callable[[object], str], Reader | None]] = {
    id(FunctionType): (_function_text, _function_pairs),
    id(MethodType): (_method_text, _method_pairs),
    **dict.fromkeys(map(id, _NAMED), (_builtin_text, _builtin_pairs)),
}
_empty: dict[int, int] = {}
_VIEWS = (type(_empty.keys()), type(_empty.values()), type(_empty.items()))
FROZEN = frozenset(map(id, (range, slice, MethodType, *_NAMED, *_VIEWS)))
"""Types of which nothing that is shown can change."""
RECORDS: dict[int, Reader] = {
    id(range): _range_pairs,
    id(slice): _range_pairs,
    **dict.fromkeys(map(id, _VIEWS), _view_pairs),
    id(functools.partial): _partial_pairs,
}
