"""Read iterators, functions, views and other library objects without running code of the program.

    READERS[id(type)](iterator, memo) -> [("source", list), ("position", 2)]     one memo (dict) per iterator
    FUNCTIONS[id(type)] -> (function that returns the text, reader of attributes or None)
    RECORDS[id(type)]   -> reader of the attributes of a range, slice, view or partial
    CONTAINERS[id(type)] -> ObjectKind
    canonical(member)   -> sort key for the members of a set, the same in every process

Only exact types of the standard library are read. Iterators are read through their C `__reduce__`,
`__length_hint__` and `gc.get_referents`; none of that runs the program's code or moves the iterator. Other
iterators stay opaque.

`position` is the number of items already taken; for a reversed list or string it is the index of the next
item. An exhausted iterator of a sequence, dictionary or set has neither source nor position. Set iterators
also have "order": the members still to come when the iterator was first seen. Not covered: itertools (the
`__reduce__` of its iterators is deprecated), files, iterators in other C code.
"""

from __future__ import annotations

import functools
import gc
import sys
from array import array
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from types import (
    BuiltinFunctionType,
    FunctionType,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    NoneType,
    WrapperDescriptorType,
)
from typing import Any

from deskcheck.records import ObjectKind

Pairs = list[tuple[str, object]]
Memo = dict[str, object]
IN_LOOP = "loop"  # memo key: first seen as the iterator of a running loop, so one item has been taken


def _reduced(iterator: object) -> tuple[Any, ...]:
    return type(iterator).__reduce__(iterator)  # type: ignore[return-value]  # an iterator's is a tuple


def _hint(iterator: Any) -> int:
    return type(iterator).__length_hint__(iterator)  # type: ignore[no-any-return]  # C's own: an int


def _sequence(iterator: object, _memo: Memo) -> Pairs:
    reduced = _reduced(iterator)
    # A reversed list that has given its first item is exhausted; before 3.13 __reduce__ still names the list.
    if len(reduced) < 3 or reduced[2] < 0:
        return []
    return [("source", reduced[1][0]), ("position", reduced[2])]


def _deque(iterator: object, _memo: Memo) -> Pairs:
    source, position = _reduced(iterator)[1]
    return [("source", source), ("position", position)]


def _range(iterator: object, memo: Memo) -> Pairs:
    """Read a range iterator. Python 3.12 moves its start, so the range at first sight is kept in the memo."""
    reduced = _reduced(iterator)
    rest = reduced[1][0]
    index = reduced[2] if len(reduced) > 2 and isinstance(reduced[2], int) else 0
    if "source" not in memo:
        first = rest.start
        if sys.version_info >= (3, 12) and memo.get(IN_LOOP):
            first -= rest.step
        memo["source"] = range(first, rest.start + _count(rest) * rest.step, rest.step)
    source = memo["source"]
    assert isinstance(source, range)
    return [("source", source), ("position", _count(source) - (_count(rest) - index))]


def _count(source: range) -> int:
    """Return the length of a range; len() is limited to 2**63."""
    step = source.step
    distance = source.stop - source.start if step > 0 else source.start - source.stop
    return max(0, -(-distance // abs(step)))


def _of_dict(iterator: object, _memo: Memo) -> Pairs:
    for source in gc.get_referents(iterator):
        if isinstance(source, dict):
            return [("source", source), ("position", dict.__len__(source) - _hint(iterator))]
    return []


def _of_set(iterator: object, memo: Memo) -> Pairs:
    for source in gc.get_referents(iterator):
        if isinstance(source, set | frozenset):
            if "order" not in memo:
                try:
                    memo["order"] = tuple(_reduced(iterator)[1][0])
                except RuntimeError:  # the set has changed since the iterator was made: it has no next member
                    return [("source", source), ("order", ()), ("position", 0)]
            order = memo["order"]
            assert isinstance(order, tuple)
            return [("source", source), ("order", order), ("position", len(order) - _hint(iterator))]
    return []


def _enumerate(iterator: object, _memo: Memo) -> Pairs:
    source, position = _reduced(iterator)[1]
    return [("source", source), ("position", position)]


def _zip(iterator: object, _memo: Memo) -> Pairs:
    return [(f"source{i}", source) for i, source in enumerate(_reduced(iterator)[1])]


def _map(iterator: object, _memo: Memo) -> Pairs:
    function, *sources = _reduced(iterator)[1]
    return [("function", function), *((f"source{i}", source) for i, source in enumerate(sources))]


def _filter(iterator: object, _memo: Memo) -> Pairs:
    function, source = _reduced(iterator)[1]
    return [("function", function), ("source", source)]


def _callable(iterator: object, _memo: Memo) -> Pairs:
    reduced = _reduced(iterator)
    if len(reduced[1]) < 2:
        return []
    function, sentinel = reduced[1]
    return [("function", function), ("sentinel", sentinel)]


class _OldSequence:
    def __getitem__(self, index: int) -> int:
        raise IndexError


def _types(*examples: Iterator[object]) -> list[type]:
    return [type(example) for example in examples]


def _readers() -> dict[type, Callable[[object, Memo], Pairs]]:
    empty: dict[int, int] = {}
    found: dict[type, Callable[[object, Memo], Pairs]] = {}
    sequences = _types(
        iter([]), iter(()), iter(""), iter("\u1234"), iter(b""), iter(bytearray()), iter(_OldSequence()),
        reversed([]), reversed("a"),
    )  # fmt: skip
    found.update(dict.fromkeys(sequences, _sequence))
    found.update(dict.fromkeys(_types(iter(deque()), reversed(deque())), _deque))
    found.update(dict.fromkeys(_types(iter(range(0)), iter(range(1 << 70))), _range))
    keys, values, items = empty.keys(), empty.values(), empty.items()
    found.update(dict.fromkeys(_types(iter(keys), iter(values), iter(items)), _of_dict))
    found.update(dict.fromkeys(_types(reversed(keys), reversed(values), reversed(items)), _of_dict))
    found.update(dict.fromkeys(_types(iter(set())), _of_set))
    found.update({enumerate: _enumerate, zip: _zip, map: _map, filter: _filter})
    found[type(iter(int, 0))] = _callable
    return found


READERS = {id(kind): reader for kind, reader in _readers().items()}  # by id, for the reason given below


Reader = Callable[[object, Memo], Pairs]

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
    """Return the name of a module; "module" if the program has replaced the name by something else."""
    name = _module_dict(value).get("__name__")
    return name if type(name) is str else "module"


def generator_text(value: object) -> str:
    """Return the qualified name of a generator or coroutine."""
    return type(value).__dict__["__qualname__"].__get__(value)  # type: ignore[no-any-return]  # a str


def _function_text(value: object) -> str:
    return FunctionType.__dict__["__code__"].__get__(value).co_qualname  # type: ignore[no-any-return]  # a str


def function_pairs(value: object, _memo: Memo) -> Pairs:
    """Return closure variables by name, and those defaults that can change, each under "name="."""
    assert isinstance(value, FunctionType)
    code = value.__code__
    pairs: Pairs = []
    for name, cell in zip(code.co_freevars, value.__closure__ or (), strict=False):
        try:
            pairs.append((name, cell.cell_contents))
        except ValueError:
            continue  # not assigned yet
    defaults = value.__defaults__ or ()
    positional = code.co_varnames[: code.co_argcount]
    named = list(zip(positional[len(positional) - len(defaults) :], defaults, strict=False))
    named += list((value.__kwdefaults__ or {}).items())
    changing = [(f"{name}=", item) for name, item in named if id(type(item)) in CONTAINERS]
    return pairs + [pair for pair in changing if type(pair[1]) is not tuple]


def _method_text(value: object) -> str:
    assert isinstance(value, MethodType)
    function = value.__func__
    return _function_text(function) if type(function) is FunctionType else "method"


def _method_pairs(value: object, _memo: Memo) -> Pairs:
    assert isinstance(value, MethodType)
    return [("__self__", value.__self__)]


def _builtin_text(value: object) -> str:
    return type(value).__dict__["__qualname__"].__get__(value)  # type: ignore[no-any-return]  # a str


def _builtin_pairs(value: object, _memo: Memo) -> Pairs:
    owner = getattr(value, "__self__", None) if type(value) is BuiltinFunctionType else None
    return [("__self__", owner)] if id(type(owner)) in CONTAINERS else []


def _range_pairs(value: object, _memo: Memo) -> Pairs:
    assert isinstance(value, range | slice)
    return [("start", value.start), ("stop", value.stop), ("step", value.step)]


def _view_pairs(value: object, _memo: Memo) -> Pairs:
    return [("source", found) for found in gc.get_referents(value) if isinstance(found, dict)]


def factory_pairs(value: object, _memo: Memo) -> Pairs:
    """Return the factory of a defaultdict, as its only attribute."""
    return [("default_factory", defaultdict.__dict__["default_factory"].__get__(value))]


def _partial_pairs(value: object, _memo: Memo) -> Pairs:
    assert isinstance(value, functools.partial)
    return [("func", value.func), ("args", value.args), ("keywords", value.keywords)]


FUNCTIONS: dict[int, tuple[Callable[[object], str], Reader | None]] = {
    id(FunctionType): (_function_text, None),
    id(MethodType): (_method_text, _method_pairs),
    **dict.fromkeys(map(id, _NAMED), (_builtin_text, _builtin_pairs)),
}
_empty: dict[int, int] = {}
_VIEWS = (type(_empty.keys()), type(_empty.values()), type(_empty.items()))
FROZEN = frozenset(map(id, (range, slice, MethodType, *_NAMED, *_VIEWS)))
"""Types whose recorded contents cannot change."""
RECORDS: dict[int, Reader] = {
    id(range): _range_pairs,
    id(slice): _range_pairs,
    **dict.fromkeys(map(id, _VIEWS), _view_pairs),
    id(functools.partial): _partial_pairs,
}


_HAVE_REPR = frozenset(map(id, (str, float, complex, bytes, bool, NoneType)))


def canonical(value: Any) -> tuple[int, float, str]:
    """Return the sort key of a set member: numbers, nan, strings, then the rest by a text.

    This text is the content of a tuple or frozenset, the repr of other plain data, else the type's name.
    """
    kind = type(value)  # exactly: mypy does not follow it to `value`, hence Any
    if kind is int or kind is bool:
        try:
            return 0, float(value), repr(value)[:400]
        except (OverflowError, ValueError):
            return 0, float("inf") if value > 0 else float("-inf"), hex(value)
    if kind is float:
        return (0, value, "") if value == value else (1, 0.0, "nan")
    if kind is str:
        return 2, 0.0, value
    return 3, 0.0, _canonical_text(value)


def _canonical_text(value: Any) -> str:
    kind = type(value)
    if kind is tuple:
        return f"({', '.join(_canonical_text(item) for item in value)})"
    if kind is frozenset:
        return f"{{{', '.join(sorted(_canonical_text(item) for item in value))}}}"
    if id(kind) in _HAVE_REPR:
        return repr(value)
    if kind is int:
        return hex(value)
    return type.__dict__["__qualname__"].__get__(kind)  # type: ignore[no-any-return]  # a str
