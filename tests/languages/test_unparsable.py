"""A text of someone else may be anything: readers of Python's texts return, or raise what they promise."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from deskcheck.errors import DeskcheckError
from deskcheck.languages import python
from deskcheck.tracing.redaction import masks
from deskcheck.tracing.redaction.redactor import Rules

TEXTS = {
    "a NUL": "a = 1\0",
    "brackets 5,000 deep": "(" * 5_000 + "1" + ")" * 5_000,
    "50,000 signs": "-" * 50_000 + "1",
    "a sum of 20,000": "+".join(["1"] * 20_000),
    "a sum of 1,200 that parses": "password = " + "+".join(["x", *["'y'"] * 1_199]),
    "1,200 conditions that parse": "password = " + "'y' if x else " * 1_200 + "''",
    "20,000 attributes": "x" + ".a" * 20_000,
    "half a character": "x = '\ud800'",
    "10,000 digits": "x = " + "9" * 10_000,
    "tabs and spaces": "if 1:\n\tx = 1\n        y = 2",
    "an open string": "x = '''abc",
    "a cookie": "# coding: rot13\nx = 1",
    "nothing": "",
}
READ = ("source", "text")
"""Names of a first parameter that is read."""
OTHERS: dict[str, Any] = {
    "line": 1,
    "name": "f",
    "entry": "f",
    "kind": "output",
    "arguments": "1",
    "lines": [],
    "rules": Rules.of(Path("/nowhere")),
    "spans": [(1, 0, 1, 5)],
    "hide": str.upper,
    "is_hidden": str.isdigit,
}
"""Values of further parameters without a default, by name."""


def readers() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Yield name, function and further arguments of every reader of a text in the package."""
    names = [f"{python.__name__}.{module.name}" for module in pkgutil.iter_modules(python.__path__)]
    for path in [*names, masks.__name__]:
        loaded = importlib.import_module(path)
        for name, function in inspect.getmembers(loaded, inspect.isroutine):
            if name.startswith("_") or getattr(function, "__module__", "") != loaded.__name__:
                continue
            first, *others = inspect.signature(function).parameters.values()
            needed = [one.name for one in others if one.default is one.empty]
            if first.name in READ and set(needed) <= set(OTHERS):
                yield f"{loaded.__name__}.{name}", function, {one: OTHERS[one] for one in needed}


FOUND = {name: (function, more) for name, function, more in readers()}


def test_there_are_readers():
    assert len(FOUND) > 15, sorted(FOUND)


@pytest.mark.parametrize("name", FOUND)
def test_a_reader_returns_or_raises_what_it_promises(name):
    function, more = FOUND[name]
    promised = inspect.getdoc(function) or ""
    for what, text in TEXTS.items():
        try:
            result = function(text, **more)
            if inspect.isgenerator(result):
                list(islice(result, 20))
        except DeskcheckError:
            continue
        except Exception as error:
            names = {kind.__name__ for kind in type(error).__mro__}
            assert any(kind in promised for kind in names - {"Exception", "object", "BaseException"}), (
                f"{name} of {what}: {error!r:.200}, which its docstring does not name"
            )
