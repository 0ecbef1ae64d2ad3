"""Without an import and without a builtin in Python, no name that shares a child leads into the library.

`watch.c` compares the inside of the library's objects only after programs that may have reached it. These are
programs with an import, with such a builtin, and with a name that `is_suspicious` runs alone. Here everything
is followed that other programs can name.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from deskcheck.tracing.collect import PURE, is_suspicious

HEAP = 1 << 9
"""Flag of the classes that are made at run time, most of them by Python code."""


def is_in_python(thing: Any) -> bool:
    kind = thing if isinstance(thing, type) else type(thing)
    return isinstance(thing, types.FunctionType | types.ModuleType) or bool(kind.__flags__ & HEAP)


def own_objects() -> list[Any]:
    """What a program without imports makes: of every kind one object."""

    def function() -> None:
        pass

    def generator() -> Iterator[int]:
        yield 1

    async def coroutine() -> None:
        pass

    async def stream() -> Any:
        yield 1

    waiting = coroutine()
    waiting.close()
    try:
        [][1]
    except IndexError as caught:
        error = caught
    return [
        function, generator(), waiting, stream(), error, {}.items(), [].append, str.join, property(function),
        classmethod(function), staticmethod(function), slice(1), iter([]), zip(), map(len, []), range(3),
        object(), (1).bit_length, bytearray(b"a"), frozenset([1]), 1j, None, NotImplemented, ..., list[int],
        int | str, b"a",
    ]  # fmt: skip


@cache
def shares_a_child(name: str) -> bool:
    return not is_suspicious(f"def f(x):\n    return x.{name}\n")


def walk(starts: list[tuple[str, Any]], is_free: Callable[[str], bool]) -> dict[str, Any]:
    """Follow attributes and elements; of a type of objects that are made anew at each look one is enough."""
    seen: dict[object, str] = {}
    waiting = starts[:]
    found: dict[str, Any] = {}
    for path, thing in waiting:
        made = types.BuiltinFunctionType, types.MethodWrapperType, types.MethodType
        key: object = (type(thing), thing.__name__) if isinstance(thing, made) else (type(thing), id(thing))
        if key in seen or path.count(".") > 5:
            continue
        seen[key] = path
        found[path] = thing
        for name in dir(thing):
            if is_free(name):
                try:
                    waiting.append((f"{path}.{name}", getattr(thing, name)))
                except Exception:  # an attribute that is not there
                    continue
        if isinstance(thing, tuple | list | frozenset):
            waiting += [(f"{path}[{number}]", one) for number, one in enumerate(thing)]
    return found


def starts() -> list[tuple[str, Any]]:
    named = [(name, value) for name, value in vars(builtins).items() if not is_in_python(value)]
    return named + [(type(thing).__name__, thing) for thing in own_objects()]


@pytest.mark.filterwarnings("ignore")
def test_what_a_program_names_without_an_import_leads_to_nothing_in_python():
    beginning = starts()
    own = {id(thing) for _, thing in beginning}
    found = walk(beginning, shares_a_child)
    assert len(found) > 500
    inside = [path for path, thing in found.items() if is_in_python(thing) and id(thing) not in own]
    assert inside == []


@pytest.mark.filterwarnings("ignore")
def test_with_every_name_the_same_walk_leads_into_the_library():
    found = walk(
        starts(), lambda name: name in ("__class__", "__init__", "__globals__", "__self__", "__module__")
    )
    assert any(isinstance(thing, types.ModuleType) for thing in found.values())


@pytest.mark.filterwarnings("ignore")
def test_what_a_program_names_of_a_pure_module_leads_to_no_other_module():
    """`contextlib.os.putenv` would change the environment of all programs that follow in the child."""
    for pure in sorted(PURE):
        module = import_module(pure)
        found = walk([(pure, module)], lambda name, pure=pure: shares_with(pure, name))
        others = [path for path, thing in found.items() if isinstance(thing, types.ModuleType)]
        assert {found[path].__name__.split(".")[0] for path in others} <= PURE, others


@cache
def shares_with(pure: str, name: str) -> bool:
    return not is_suspicious(f"import {pure}\ndef f(x):\n    return x.{name}\n")
