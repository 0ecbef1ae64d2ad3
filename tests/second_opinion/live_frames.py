"""Trees into Python objects: a state that was read from text, ready to be executed on.

    live_frames(program, namespace, read_state("@3 | xs=#1[1, 2]; ~1=iter(#1)@1")) -> [LiveFrame(...)]

Labels become identity: `#1` in two places is one list in two places. Classes and functions are looked up in
the namespace of the program's module. What text cannot bring back (opaque values, closures, live
generators) is a NotResumable that names it.
"""

from __future__ import annotations

import ast
import builtins
import collections
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from tests.second_opinion.resume import LiveFrame

from deskcheck.errors import NotResumable
from deskcheck.records import Program
from deskcheck.states.tree import StateTree, Value

_TYPED = {"collections.Counter": collections.Counter, "Counter": collections.Counter,
          "collections.OrderedDict": collections.OrderedDict, "OrderedDict": collections.OrderedDict,
          "collections.deque": collections.deque, "deque": collections.deque,
          "bytearray": bytearray}  # fmt: skip
_WORDS = {"nan": float("nan"), "inf": float("inf"), "-inf": -float("inf"), "Ellipsis": ...,
          "NotImplemented": NotImplemented}  # fmt: skip


def live_frames(program: Program, namespace: dict[str, object], state: StateTree) -> list[LiveFrame]:
    """The frames of a state, outermost first; module-level data is put into `namespace`."""
    maker = _Maker(namespace)
    for name, value in state.module.items():
        namespace[name] = maker.make(value)
    frames = []
    for frame in state.frames:
        if frame.pending or any(name[0] == "^" for name in frame.entries):
            raise NotResumable(f"line {frame.line} is in the middle of an expression")
        function, line = place_of(program, frame.mark, frame.line)
        entries = {name: maker.make(value) for name, value in frame.entries.items()}
        frames.append(
            LiveFrame(
                function=function,
                line=line,
                bindings={name: value for name, value in entries.items() if name[0] != "~"},
                iterators=[value for name, value in entries.items() if name[0] == "~"],
            )
        )
    return frames


def place_of(program: Program, mark: str, line: int) -> tuple[str, int]:
    """Qualified name of the function that a frame is in, and the line of the statement it is at.

    A frame that was just called stands on the header of its function and begins with the first statement of
    the body; any other frame on that line is executing the `def` itself, outside.
    """
    name, at = "<module>", line
    nodes: list[tuple[str, ast.AST]] = [("", ast.parse(program.source))]
    while nodes:
        outside, node = nodes.pop()
        for inner in ast.iter_child_nodes(node):
            if not isinstance(inner, ast.FunctionDef | ast.ClassDef):
                nodes.append((outside, inner))
                continue
            first = inner.lineno if mark == ">" else inner.lineno + 1
            if not first <= line <= (inner.end_lineno or inner.lineno):
                continue
            qualified = f"{outside}{inner.name}"
            if isinstance(inner, ast.FunctionDef):
                name = qualified
                if mark == ">" and line == inner.lineno:
                    at = inner.body[0].lineno
                qualified += ".<locals>"
            nodes.append((f"{qualified}.", inner))
    return name, at


class _Maker:
    """Makes values; one object for each label."""

    def __init__(self, namespace: dict[str, object]) -> None:
        self.namespace = namespace
        self.made: dict[int, object] = {}

    def make(self, value: Value) -> object:
        if value.kind == "label":
            if value.label not in self.made:
                raise NotResumable(f"#{value.label} refers to nothing")
            return self.made[value.label]
        if value.kind == "literal":
            return _WORDS[value.text] if value.text in _WORDS else ast.literal_eval(value.text)
        if value.kind == "opaque":
            return self._named(value.text.removeprefix("function ").removeprefix("class "))
        made: Callable[[Value], object] = getattr(self, f"_{value.kind}")
        return made(value)

    def _keep(self, value: Value, made: object) -> object:
        if value.label:
            self.made[value.label] = made
        return made

    def _named(self, name: str) -> object:
        found = self.namespace.get(name, getattr(builtins, name, None))
        if found is None:
            raise NotResumable(f"<{name}> cannot be made from text")
        return found

    def _list(self, value: Value) -> object:
        made: list[object] = []
        if value.text:
            typed = self._type(value.text)
            return self._keep(value, typed([self.make(v) for v in value.items]))
        self._keep(value, made)
        made += [self.make(v) for v in value.items]
        return made

    def _type(self, name: str) -> Callable[[object], object]:
        if name not in _TYPED:
            raise NotResumable(f"a {name} cannot be made from text")
        return _TYPED[name]

    def _tuple(self, value: Value) -> object:
        return self._keep(value, tuple(self.make(v) for v in value.items))

    def _dict(self, value: Value) -> object:
        made: dict[object, object] = {}
        pairs = list(zip(value.items[::2], value.items[1::2], strict=True))
        if value.text:
            return self._keep(value, self._type(value.text)({self.make(k): self.make(v) for k, v in pairs}))
        self._keep(value, made)
        for key, item in pairs:
            made[self.make(key)] = self.make(item)
        return made

    def _set(self, value: Value) -> object:
        made = {self.make(v) for v in value.items}
        return self._keep(value, frozenset(made) if value.text == "frozenset" else made)

    def _call(self, value: Value) -> object:
        special = {"iter": self._iter, "items": self._view, "values": self._view, "reversed": self._reversed}
        if value.text in special:
            return self._keep(value, special[value.text](value))
        if value.text in ("range", "slice", "enumerate", "zip"):
            return self._keep(value, self._builtin(value))
        kind = self.namespace.get(value.text, getattr(builtins, value.text, None))
        if not isinstance(kind, type):
            raise NotResumable(f"'{str(value)[:60]}' cannot be made from text")
        if issubclass(kind, BaseException):
            return self._keep(value, kind(*(self.make(v) for v in value.items)))
        if len(value.names) != len(value.items):
            return self._keep(value, kind(*(self.make(v) for v in value.items)))
        made = self._keep(value, object.__new__(kind))
        for name, item in zip(value.names, value.items, strict=True):
            object.__setattr__(made, name, self.make(item))
        return made

    def _builtin(self, value: Value) -> object:
        items = [self.make(v) for v in value.items]
        if value.text == "enumerate":
            return enumerate(_iterable(items[0]), max(value.position, 0))
        makers: dict[str, Callable[..., object]] = {"range": range, "slice": slice, "zip": zip}
        return makers[value.text](*items)

    def _iter(self, value: Value) -> object:
        if not value.items:  # exhausted: it has let go of what it iterated over
            return iter(())
        source = self.make(value.items[0])
        made: Any = iter(_iterable(source))  # every iterator of a built-in sequence has __setstate__
        position = max(value.position, 0)
        if isinstance(source, (set, frozenset, dict)):
            return _advanced(made, position)
        made.__setstate__(position)
        return made

    def _view(self, value: Value) -> object:
        source = self.make(value.items[0])
        if not isinstance(source, dict):
            raise NotResumable(f"'{str(value)[:60]}' does not iterate over a dict")
        view: Iterable[object] = source.items() if value.text == "items" else source.values()
        return _advanced(iter(view), max(value.position, 0))

    def _reversed(self, value: Value) -> object:
        source = self.make(value.items[0])
        if not isinstance(source, list):
            raise NotResumable(f"'{str(value)[:60]}' does not iterate over a list")
        made: Any = reversed(source)
        made.__setstate__(value.position)
        return made


def _iterable(source: object) -> Iterable[object]:
    if not isinstance(source, collections.abc.Iterable):
        raise NotResumable(f"{type(source).__name__} is not iterable")
    return source


def _advanced(made: Iterator[object], position: int) -> Iterator[object]:
    for _ in range(position):
        next(made)
    return made
