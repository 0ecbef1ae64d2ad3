"""Objects with every hook a class can have; each call of one is counted in COUNTS."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import enum
import fractions
import io
import pathlib
import re
import threading
from typing import Any

COUNTS: collections.Counter[str] = collections.Counter()
HOOKS = (
    *(
        "__repr__",
        "__str__",
        "__format__",
        "__hash__",
        "__eq__",
        "__len__",
        "__iter__",
        "__bool__",
        "__index__",
    ),
    *("__int__", "__float__", "__getattr__", "__getattribute__", "__contains__", "__getitem__", "__array__"),
    *("__array_finalize__", "__array_function__", "__array_ufunc__", "__buffer__", "__torch_function__"),
    *("__fspath__", "__reduce__", "__reduce_ex__", "__getstate__", "__sizeof__", "__dir__", "__class__"),
)


def hooked(name: str, base: type, **more: Any) -> type:
    """A subclass of the base whose every hook counts its call, and then does what the base does."""
    namespace: dict[str, Any] = dict(more)
    for hook in HOOKS:
        inner = getattr(base, hook, None)
        if hook == "__class__":
            namespace[hook] = property(lambda self: counted(f"{name}.__class__", base))
        elif hook == "__torch_function__" and inner is not None:
            namespace[hook] = classmethod(
                lambda cls, *a, _f=inner, **k: counted(f"{name}.__torch_function__", _f(*a, **k))
            )
        elif callable(inner):
            namespace[hook] = method(f"{name}.{hook}", inner)
        elif hook in ("__getattr__", "__fspath__"):
            namespace[hook] = method(f"{name}.{hook}", None)
    return type(base)(name, (base,), namespace)


def method(name: str, inner: Any) -> Any:
    def hook(self: Any, *arguments: Any, **more: Any) -> Any:
        COUNTS[name] += 1
        if inner is None:
            raise AttributeError(name)
        return inner(self, *arguments, **more)

    return hook


def counted(name: str, value: Any) -> Any:
    COUNTS[name] += 1
    return value


class Loud(type):
    """A metaclass that counts every question to its classes."""

    def __getattribute__(cls, name: str) -> Any:
        COUNTS[f"meta.{name}"] += 1
        return type.__getattribute__(cls, name)

    def __eq__(cls, other: object) -> bool:
        COUNTS["meta.__eq__"] += 1
        return cls is other

    def __hash__(cls) -> int:
        COUNTS["meta.__hash__"] += 1
        return 1


def names_of_libraries() -> list[object]:
    """Instances of classes of the program that have the names of a library's."""
    made: list[object] = []
    names = (
        *(
            "numpy.ndarray",
            "numpy.float64",
            "pandas.DataFrame",
            "pandas.Series",
            "torch.Tensor",
            "_io.FileIO",
        ),
        *(
            "pathlib.PosixPath",
            "fractions.Fraction",
            "re.Pattern",
            "re.Match",
            "socket.socket",
            "_thread.lock",
        ),
        *("uuid.UUID", "_io.StringIO", "datetime.timezone", "pandas.Timestamp", "zoneinfo.ZoneInfo"),
        *("numpy.ma.MaskedArray", "numpy.matrix", "numpy.void", "pandas.MultiIndex", "memoryview"),
    )
    fields = (
        *(
            "dtype",
            "shape",
            "flat",
            "size",
            "nbytes",
            "_mgr",
            "_name",
            "closed",
            "mode",
            "name",
            "flags",
            "int",
        ),
        *(
            "pattern",
            "string",
            "_drv",
            "_root",
            "_parts",
            "_raw_paths",
            "_numerator",
            "_denominator",
            "family",
        ),
    )
    for full in names:
        module, _, name = full.rpartition(".")
        namespace: dict[str, Any] = {field: property(lambda self, f=full: counted(f, 1)) for field in fields}
        namespace |= {"__module__": module, "locked": method(full, None), "__repr__": method(full, None)}
        namespace |= {"span": method(full, None), "fileno": method(full, None), "tell": method(full, None)}
        made.append(Loud(name, (), namespace)())
    return made


def of_the_standard_library() -> list[object]:
    """Instances of subclasses, and exact instances that hold objects of the program."""
    text = hooked("Text", str)
    zone = hooked(
        "Zone", datetime.tzinfo, utcoffset=method("Zone.utcoffset", None), tzname=method("Zone.tzname", None)
    )

    class Raw(io.RawIOBase):
        def readable(self) -> bool:
            return counted("Raw.readable", True)

        name = property(lambda self: counted("Raw.name", "x"))
        mode = property(lambda self: counted("Raw.mode", "r"))
        closed = property(lambda self: counted("Raw.closed", io.IOBase.closed.__get__(self)))  # type: ignore[attr-defined]

    class Rest(enum.Enum):
        A = 1

        def __repr__(self) -> str:
            return counted("Rest.__repr__", "A")

        @property
        def extra(self) -> int:
            return counted("Rest.extra", 1)

        def __str__(self) -> str:
            return counted("Rest.__str__", "A")

    @dataclasses.dataclass
    class Data:
        x: object

        def __repr__(self) -> str:
            return counted("Data.__repr__", "D")

    half = fractions.Fraction(1, 2)
    half._numerator = text("7")  # type: ignore[attr-defined]  # a slot of 3.11 to 3.13
    with open(text("/dev/null")) as named:
        pass
    return [
        hooked("Path", pathlib.PurePosixPath)("a"),
        hooked("Fraction", fractions.Fraction)(1, 2),
        hooked("Strings", io.StringIO)("a"),
        datetime.datetime(2020, 1, 1, tzinfo=zone()),
        datetime.time(1, tzinfo=zone()),
        datetime.timezone(datetime.timedelta(hours=1), text("X")),
        io.BufferedReader(Raw()),
        io.TextIOWrapper(io.BufferedReader(Raw())),
        re.compile("a").match(text("a")),
        Rest.A,
        Data(text("t")),
        half,
        named,
        named.buffer,
        {text("k"): threading.Lock()},
        memoryview(hooked("Bytes", bytearray)(b"abc")),
    ]


def of_numpy() -> list[object]:
    import numpy as np

    text = hooked("Text", str)
    odd = hooked("Array", np.ndarray)
    hooks = {"__module__": "numpy", "__array_finalize__": lambda self, other: counted("fake", None)}
    fake = type("ndarray", (np.ndarray,), hooks)
    return [
        np.zeros(3).view(odd),
        np.ndarray.__new__(fake, (20,)),
        np.array([text("a"), hooked("Thing", object)(), None], dtype=object),
        np.array([(1, hooked("Thing", object)())], dtype=[("a", int), ("b", object)]),
        hooked("Float", np.float64)(1.5),
        np.array([(1, hooked("Thing", object)())], dtype=[("a", int), ("b", object)])[0],
        np.ma.masked_array(np.zeros(3).view(odd), mask=[True, False, True]),
        np.ma.masked_array([text("a"), hooked("Thing", object)()], mask=[True, False], dtype=object),
        np.rec.array([(1, text("b"))], dtype=[("a", int), ("b", object)]),
    ]


def of_pandas() -> list[object]:
    import pandas as pd

    thing = hooked("Thing", object)

    class Frame(pd.DataFrame):
        @property
        def _constructor(self) -> Any:
            return counted("Frame._constructor", Frame)

        def __repr__(self) -> str:
            return counted("Frame.__repr__", "")

    held = pd.DataFrame({"a": [1, 2]})
    held.columns = pd.Index([thing()])
    return [Frame({"a": [1]}), pd.Series([thing(), thing()]), held, pd.Index([thing()])]


def of_torch() -> list[object]:
    import torch

    class Tensor(torch.Tensor):
        @classmethod
        def __torch_function__(cls, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            COUNTS["Tensor.__torch_function__"] += 1
            return super().__torch_function__(function, types, args, kwargs or {})

    fake = type("Tensor", (Tensor,), {"__module__": "torch"})
    return [torch.ones(3).as_subclass(Tensor), torch.ones(3).as_subclass(fake)]
