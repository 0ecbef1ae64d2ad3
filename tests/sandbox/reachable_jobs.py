"""Change any object that programs can reach, and read any of them, inside a child of the sandbox.

    act(b"count") -> the type of each object that can be changed
    act(b"change 7") -> what was changed, "" if that object refuses it        act(b"read 7") -> its contents

The walk is plain Python and follows attributes and elements from all loaded modules, as a program can. It
knows nothing of the sandbox's own walk in C. Every data descriptor of every type on the way is one way to
change an object of it; containers have their methods, and whatever has `__init__` or `__setstate__` can begin
anew. The objects of one type take these ways in turn, so that each way is tried at some object.
"""

from __future__ import annotations

import contextlib
import gc
import sys
import types
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from zlib import crc32

OURS = ("deskcheck", "msgspec", "tests", "_pytest", "pytest")
NEW = "was here"
SIMPLE = (int, float, complex, str, bytes, bool, type(None))
DESCRIPTORS = (types.GetSetDescriptorType, types.MemberDescriptorType)
# `__dict__` and `__weakref__` have ways of their own or none; to read a class's annotations changes it.
UNREAD = {"__dict__", "__weakref__", "__annotations__", "__type_params__", "__annotate__"}
NO_WAY = {"__dict__", "__weakref__", "__class__"}
# Values that a data descriptor may accept.
VALUES: tuple[Any, ...] = (NEW, 7, (), {NEW: 1}, [NEW], None, lambda: NEW, True)


def is_ours(module: object) -> bool:
    return isinstance(module, str) and module.split(".")[0] in OURS


def parts(thing: Any) -> Iterator[object]:
    """Everything that a program reaches from an object by one attribute or element."""
    if isinstance(thing, dict):
        yield from thing.keys()
        yield from thing.values()
    elif isinstance(thing, list | tuple | set | frozenset | deque):
        yield from thing
    for name in descriptors(type(thing)):
        if name not in UNREAD:
            with contextlib.suppress(Exception):
                yield getattr(thing, name)
    if isinstance(thing, types.FunctionType):  # its `__dict__` would be made by looking at it
        yield from gc.get_referents(thing)
        return
    with contextlib.suppress(Exception):
        yield from vars(thing).values()
        if not isinstance(thing, type | types.ModuleType):
            yield vars(thing)


_of_type: dict[type, tuple[str, ...]] = {}


def descriptors(kind: type) -> tuple[str, ...]:
    """Names of the attributes that are kept in the structure of an object of this type."""
    if kind not in _of_type:
        spaces = [vars(base) for base in type.__getattribute__(kind, "__mro__")]
        _of_type[kind] = tuple(
            dict.fromkeys(name for space in spaces for name, d in space.items() if isinstance(d, DESCRIPTORS))
        )
    return _of_type[kind]


def reachable() -> list[Any]:
    """All objects but our own, each once."""
    found: dict[int, Any] = {}
    waiting: list[Any] = [m for name, m in sys.modules.items() if not is_ours(name)]
    barrier = {id(vars(m)) for name, m in sys.modules.items() if is_ours(name)}
    barrier |= {id(m) for name, m in sys.modules.items() if is_ours(name)}
    for thing in waiting:
        waits = id(thing) not in found and id(thing) not in barrier and not isinstance(thing, SIMPLE)
        kind = type(thing)
        if waits and not is_ours(getattr(kind, "__module__", "")) and not is_own(thing):
            found[id(thing)] = thing
            waiting.extend(parts(thing))
    return list(found.values())


def is_own(thing: object) -> bool:
    return isinstance(thing, type | types.FunctionType) and is_ours(thing.__module__)


# ------------------------------------------------------------- ways to change an object


def _add_key(thing: Any) -> None:
    thing[NEW] = 1


def _move_key(thing: Any) -> None:
    key = next(iter(thing))
    thing[key] = thing.pop(key)


def _replace_value(thing: Any) -> None:
    thing[next(reversed(thing))] = NEW


def _append(thing: Any) -> None:
    thing.append(7 if isinstance(thing, bytearray) else NEW)


def _replace_first(thing: Any) -> None:
    thing[0] = 7 if isinstance(thing, bytearray) else NEW


def _reverse(thing: Any) -> None:
    thing.reverse()


def _clear(thing: Any) -> None:
    thing.clear()


def _add(thing: Any) -> None:
    thing.add(NEW)


def _exchange(thing: Any) -> None:
    thing.pop()
    thing.add(NEW)


def _put_attribute(thing: Any) -> None:
    thing.was_here = 1


def _put_in_dict(thing: Any) -> None:
    vars(thing)[NEW] = 1


def _put_by_object(thing: Any) -> None:
    (type if isinstance(thing, type) else object).__setattr__(thing, "was_here", 1)


def _replace_dict(thing: Any) -> None:
    thing.__dict__ = {NEW: 1}


def _replace_attribute(thing: Any) -> None:
    object.__setattr__(thing, next(reversed(vars(thing))), NEW)


def _change_class(thing: Any) -> None:
    thing.__class__ = type(NEW, (type(thing),), {"__slots__": ()})


def _begin_anew(thing: Any) -> None:
    for given in ((), (lambda self: NEW,), (">q",), (NEW,), ([NEW],), ({NEW: 1},), (len, 1)):
        before = look(thing)
        with contextlib.suppress(Exception):
            type(thing).__init__(thing, *given)
        if look(thing) != before:
            return


def _set_state(thing: Any) -> None:
    for given in ((len, (), {}, {}), {NEW: 1}, ({NEW: 1}, {NEW: 1}), NEW, 7):
        before = look(thing)
        with contextlib.suppress(Exception):
            thing.__setstate__(given)
        if look(thing) != before:
            return


def _go_on(thing: Any) -> None:
    next(thing)


def _set(name: str) -> Callable[[Any], None]:
    def change(thing: Any) -> None:
        before = look(thing)
        for value in VALUES:
            with contextlib.suppress(Exception):
                setattr(thing, name, value)
            if look(thing) != before:
                return

    change.__name__ = f"set {name}"
    return change


_ways_of_type: dict[type, list[Callable[[Any], None]]] = {}


def ways(kind: type) -> list[Callable[[Any], None]]:
    """Ways to change objects of this type."""
    if kind in _ways_of_type:
        return _ways_of_type[kind]
    found: list[Callable[[Any], None]] = []
    if issubclass(kind, dict):
        found += [_add_key, _move_key, _replace_value]
    elif issubclass(kind, list | deque | bytearray):
        found += [_append, _replace_first, _reverse, _clear]
    elif issubclass(kind, set):
        found += [_add, _exchange, _clear]
    if issubclass(kind, type | types.ModuleType | types.FunctionType):
        found += [_put_attribute, _put_by_object]
    elif hasattr(kind, "__dict__") and "__dict__" in descriptors(kind):
        found += [_put_attribute, _put_in_dict, _put_by_object, _replace_attribute, _replace_dict]
    if kind.__flags__ & (1 << 9) and not issubclass(kind, type):  # a class in Python
        found.append(_change_class)
    found += [_set(name) for name in descriptors(kind) if name not in NO_WAY]
    if not issubclass(kind, type | types.ModuleType):
        if kind.__init__ is not object.__init__ and isinstance(kind.__init__, types.WrapperDescriptorType):
            found.append(_begin_anew)
        if hasattr(kind, "__setstate__"):
            found.append(_set_state)
        if hasattr(kind, "__next__"):
            found.append(_go_on)
    _ways_of_type[kind] = found
    return found


# ------------------------------------------------------------- what a program sees of an object


def value(thing: object) -> object:
    """Value of a plain object, identities of the elements of a container, else the object's identity."""
    if isinstance(thing, SIMPLE):
        return f"{type(thing).__name__} {thing!r}"
    if type(thing) is tuple:
        return tuple(map(value, thing))
    if isinstance(thing, dict | types.MappingProxyType):
        return tuple((id(k), id(v)) for k, v in thing.items())
    if isinstance(thing, list | deque):
        return tuple(map(id, thing))
    if isinstance(thing, set):
        return tuple(sorted(map(id, thing)))
    return id(thing)


def look(thing: Any) -> object:
    seen: list[object] = [id(type(thing)), value(thing)]
    if isinstance(thing, bytearray | OrderedDict):
        seen.append(repr(thing)[:1000])
    for name in descriptors(type(thing)):
        if name not in UNREAD:
            with contextlib.suppress(Exception):
                one, other = getattr(thing, name), getattr(thing, name)
                is_steady = one is other or isinstance(one, (*SIMPLE, tuple, dict, list))
                seen.append((name, value(one) if is_steady else type(one).__name__))
    if isinstance(thing, types.FunctionType):
        seen.append(value(thing.__annotations__))
    with contextlib.suppress(Exception):
        seen.append(value(vars(thing)))
    if type(thing).__name__ in ("Context", "count", "cycle", "partial", "Struct"):
        seen.append(repr(thing) + str(getattr(thing, "format", "")))
    return seen


Change = tuple[Any, Callable[[Any], None]]
# Types of whose objects nothing can be changed, by the language; most objects are of these.
FIXED = (
    tuple, frozenset, types.CodeType, types.WrapperDescriptorType, types.MethodDescriptorType,
    types.ClassMethodDescriptorType, *DESCRIPTORS,
)  # fmt: skip


def changes(things: Iterable[Any]) -> list[Change]:
    """One change of every object, the ways of its type in turn."""
    n_of_type: dict[type, int] = {}
    found: list[Change] = []
    for thing in things:
        possible = () if type(thing) in FIXED else ways(type(thing))
        number = n_of_type[type(thing)] = n_of_type.get(type(thing), -1) + 1
        if possible:
            found.append((thing, possible[number % len(possible)]))
    return found


CHANGES: tuple[Change, ...] = ()


def act(payload: bytes) -> bytes:
    """One function for all jobs, because a batch has one."""
    word, _, number = payload.decode().partition(" ")
    if word == "count":
        return " ".join(type(thing).__qualname__ for thing, _ in CHANGES).encode()
    thing, change = CHANGES[int(number)]
    if word == "read":
        return b"%d" % crc32(repr(look(thing)).encode("utf-8", "replace"))
    before = look(thing)
    with contextlib.suppress(Exception):
        change(thing)
    if look(thing) == before:
        return b""
    kind = f"{type(thing).__module__}.{type(thing).__qualname__}"
    return f"{kind}: {change.__name__}: {named(thing)}".encode("utf-8", "replace")


def named(thing: Any) -> str:
    name = getattr(thing, "__qualname__", "")
    return name if isinstance(name, str) and name else f"0x{id(thing):x} {ascii(type(thing))[:40]}"


if "deskcheck.sandbox.zygote" in sys.modules and sys.modules["__main__"].__spec__ is None:
    CHANGES = tuple(changes(reachable()))
