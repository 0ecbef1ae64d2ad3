"""Compare the steps of a trace with what V8's inspector reads from the stopped program, under node.

    node(words, text) -> what it prints                   for tests with the mark `needs_node`
    stepped(sources) -> one `Stepped` a program           node steps through it
    differences(record(run), stepped) -> Compared         steps and values compared, and what differs

Lines on which a step begins where V8 cannot stop (an empty body, a class) are left out, in both lists.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field

import deskcheck.languages.javascript as home
from deskcheck.languages.javascript.spelling import is_index, scalar_text
from deskcheck.records import EventKind, ObjectKind, Trace, ValueKind
from deskcheck.tracing.replay import HeapObject, State, states, text_of

needs_node = pytest.mark.skipif(
    shutil.which("node") is None, reason="needs node on the PATH: it is the oracle"
)
SCRIPT = Path(__file__).with_name("inspector.js")
ACORN = Path(home.__file__).parent / "vendor" / "acorn.js"
WRAPPER = frozenset({"exports", "require", "module", "__filename", "__dirname", "arguments"})


class Stepped(Struct):
    """What node saw of one program."""

    sites: list[tuple[int, bool]]
    """Line of each place where a step begins, and whether V8 can stop there."""
    stops: list[dict[str, Any]]
    is_full: bool
    """Whether there were more stops than are kept."""


class Compared(Struct):
    """How far two accounts of one run agree."""

    steps: int = 0
    left_out: int = 0
    """Steps on lines where V8 cannot stop at every step."""
    values: int = 0
    unassigned: int = 0
    """Variables before their declaration: V8 shows what their register last held, so nothing is compared."""
    differences: list[str] = field(default_factory=list)


def node(words: Sequence[object], text: str) -> str:
    """Run node on a text and return what it prints."""
    called = ["node", *map(str, words)]
    done = subprocess.run(called, input=text, capture_output=True, text=True, check=True, timeout=400)
    return done.stdout


def stepped(sources: Sequence[str]) -> list[Stepped]:
    """Step through programs under node, each from its first statement to its end."""
    text = "".join(json.dumps(source) + "\n" for source in sources)
    rows = [json.loads(line) for line in node(["--no-warnings", SCRIPT, ACORN], text).splitlines()]
    assert len(rows) == len(sources)
    return [Stepped(**row) for row in rows]


def differences(trace: Trace, seen: Stepped) -> Compared:
    """Compare order, depth, every variable and every object of a run with node's account of it."""
    hidden = {line for line, is_seen in seen.sites if not is_seen}
    stops = [stop for stop in seen.stops if seen.sites[stop["site"]][0] not in hidden]
    compared, numbers, at = Compared(), _Numbers(), 0
    for event, state in states(trace):
        if event.kind != EventKind.LINE:
            continue
        if event.line in hidden:
            compared.left_out += 1
            continue
        if at == len(stops):
            if not seen.is_full:
                compared.differences.append(f"line {event.line}: node has no such step")
            return compared
        stop, at = stops[at], at + 1
        line = seen.sites[stop["site"]][0]
        if line != event.line:
            compared.differences.append(f"step {event.step}: line {event.line}, node: {line}")
            return compared
        compared.steps += 1
        if len(state.frames) != stop["depth"]:
            compared.differences.append(f"line {line}: {len(state.frames)} frames, node: {stop['depth']}")
        compared.differences += [
            f"line {line}, step {event.step}: {text}"
            for text in _Stop(state, stop, numbers, compared).check()
        ]
    if at < len(stops):
        compared.differences.append(f"node has {len(stops) - at} steps more")
    return compared


class _Numbers:
    """Which object of node is which object of the trace."""

    def __init__(self) -> None:
        self._there: dict[int, int] = {}
        self._here: dict[int, int] = {}

    def agree(self, there: int, here: int) -> bool:
        """Tell whether these two have always been each other's counterpart."""
        return self._there.setdefault(there, here) == here and self._here.setdefault(here, there) == there


class _Stop:
    """One step as our trace has it, beside the same stop of V8's inspector."""

    def __init__(self, state: State, stop: dict[str, Any], numbers: _Numbers, compared: Compared) -> None:
        self._state, self._trace = state, state.trace
        self._stop, self._numbers, self._compared = stop, numbers, compared
        self._done: set[int] = set()

    def check(self) -> Iterator[str]:
        """Yield a line for each variable and object that differs at this step."""
        bindings, stop = self._state.top.bindings, self._stop
        for name, where, value in zip(stop["names"], stop["where"], stop["values"], strict=True):
            if name in WRAPPER or (name == "this" and name not in bindings):
                continue
            handle = bindings.get(name, self._state.globals.get(name) if where != "outer" else None)
            if handle is None:
                if where == "own" and value != "undefined":
                    yield f"{name} is missing, node: {value}"
            elif self._trace.values.kind[handle] == ValueKind.UNASSIGNED:
                self._compared.unassigned += 1  # V8 shows what its register last held
            else:
                self._compared.values += 1
                yield from self._same(name, value, handle)

    def _same(self, path: str, value: Any, handle: int) -> Iterator[str]:
        trace = self._trace
        if isinstance(value, str):
            here = self._text(handle)
            if here != (json.loads(value) if value.startswith('"') else value):
                yield f"{path} is {here!r}, node: {value}"
            return
        if trace.values.kind[handle] != ValueKind.REF:
            yield f"{path} is {self._text(handle)!r}, node: an object"
            return
        number = trace.values.number[handle]
        if not self._numbers.agree(value["id"], number):
            yield f"{path} is another object than node's"
            return
        if "leaf" in value or number in self._done:
            return
        self._done.add(number)
        inside = self._stop["objects"].get(str(value["id"]))
        if inside is not None:
            yield from self._object(path, inside, self._state.numbered(number))

    def _text(self, handle: int) -> str:
        kind = self._trace.values.kind[handle]
        if kind in (ValueKind.STR, ValueKind.CONCAT):
            return text_of(self._trace, handle)
        if kind == ValueKind.REF:
            return "an object"
        return scalar_text(self._trace, handle) or self._trace.values.data[handle].decode()

    def _object(self, path: str, inside: dict[str, Any], here: HeapObject) -> Iterator[str]:
        if inside["kind"] == "opaque" or here.kind is ObjectKind.OPAQUE:
            return
        rows: Iterable[tuple[int, int]] = here.entries.items()
        if inside["kind"] in ("array", "content"):
            rows = here.attributes.items() if inside["kind"] == "array" else rows
            yield from self._items(path, inside["items"], here.items)
        elif inside["kind"] == "set":
            rows = here.attributes.items()
            yield from self._items(path, inside["items"], list(here.entries))
        elif inside["kind"] == "map":
            rows = here.attributes.items()
            yield from self._items(path, [k for k, _ in inside["pairs"]], list(here.entries))
            yield from self._items(path, [v for _, v in inside["pairs"]], list(here.entries.values()))
        ordered = sorted(rows, key=self._order)
        for column, where in ((0, f"{path} keys"), (1, path)):
            yield from self._items(
                where, [row[column] for row in inside["rows"]], [row[column] for row in ordered]
            )

    def _order(self, row: tuple[int, int]) -> tuple[int, int]:
        """Whole numbers first, symbols last, as the language lists properties."""
        if self._trace.values.kind[row[0]] not in (ValueKind.STR, ValueKind.CONCAT):
            return (2, 0)
        name = text_of(self._trace, row[0])
        return (0, int(name)) if is_index(name) else (1, 0)

    def _items(self, path: str, there: Sequence[Any], here: Sequence[int]) -> Iterator[str]:
        if len(there) != len(here):
            yield f"{path} has {len(here)} parts, node: {len(there)}"
            return
        for i, (value, handle) in enumerate(zip(there, here, strict=True)):
            yield from self._same(f"{path}[{i}]", value, handle)
