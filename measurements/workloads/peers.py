"""Other tracers, and the plain ones that one writes oneself, set to record as much as they can.

    known() -> [(name, maker)]          maker() -> Tool, or ImportError where the library is not installed

They do not record the same: what each row holds stands in its `records`.
"""

from __future__ import annotations

import functools
import importlib
import io
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from workloads import programs

_FILE = programs.__file__


class Settrace:
    """A Python callback under sys.settrace; subclasses keep something at each line."""

    name = "settrace, nothing kept"
    records = "nothing"

    def __init__(self) -> None:
        self.kept: list[str] = []

    def at_line(self, frame: Any) -> None:
        """What is kept of a line."""

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        self.kept = []
        at_line = self.at_line

        def empty(_frame: Any, _event: str, _argument: Any) -> Any:
            return empty

        def local(frame: Any, _event: str, _argument: Any) -> Any:
            at_line(frame)
            return local

        def enter(frame: Any, _event: str, _argument: Any) -> Any:
            return local if frame.f_code.co_filename == _FILE else None

        sys.settrace(empty if type(self) is Settrace else enter)
        try:
            return function(argument)
        finally:
            sys.settrace(None)

    def n_bytes(self) -> int:
        return sum(map(len, self.kept))


class Reprs(Settrace):
    name = "settrace, all reprs"
    records = "repr of every local at each event"

    def at_line(self, frame: Any) -> None:
        found = ", ".join(f"{name}={value!r}" for name, value in frame.f_locals.items())
        self.kept.append(f"{frame.f_lineno} {found}")


class ChangedReprs(Settrace):
    name = "settrace, changed reprs"
    records = "repr of every local whose repr changed"

    def __init__(self) -> None:
        super().__init__()
        self.before: dict[int, dict[str, str]] = {}

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        self.before = {}
        return super().call(function, argument)

    def at_line(self, frame: Any) -> None:
        before = self.before.setdefault(id(frame), {})
        changed = []
        for name, value in frame.f_locals.items():
            text = repr(value)
            if before.get(name) != text:
                before[name] = text
                changed.append(f"{name}={text}")
        self.kept.append(f"{frame.f_lineno} {', '.join(changed)}")


class _Library:
    """A tracer from PyPI that writes text into a stream."""

    module = ""
    records = "changed locals, as text"

    def __init__(self) -> None:
        self.peer = importlib.import_module(self.module)
        if Path(self.peer.__file__ or "").parent == Path(__file__).parents[1]:  # a measurement of that name
            raise ImportError(f"{self.module} is not installed")
        self.out = io.StringIO()

    def n_bytes(self) -> int:
        return len(self.out.getvalue())


class PySnooper(_Library):
    name = "PySnooper"
    module = "pysnooper"

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        self.out = io.StringIO()
        snoop = self.peer.snoop(self.out, depth=40, max_variable_length=None, color=False)
        return snoop(function)(argument)


class Snoop(_Library):
    name = "snoop"
    module = "snoop"
    records = "changed locals, as text, truncated"

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        self.out = io.StringIO()
        configured = self.peer.Config(out=self.out, color=False, columns=())
        return configured.snoop(depth=40)(function)(argument)


class Hunter(_Library):
    name = "hunter, VarsSnooper"
    module = "hunter"

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        self.out = io.StringIO()
        action = self.peer.VarsSnooper(stream=self.out, force_colors=False)
        with self.peer.trace(filename=_FILE, action=action):
            return function(argument)


class Coverage(_Library):
    name = "coverage.py, C tracer"
    module = "coverage"
    records = "which lines ran"

    def prepare(self) -> None:
        self.measuring = self.peer.Coverage(data_file=None, include=[_FILE], config_file=False)
        self.measuring.start()
        self.measuring.stop()

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        self.measuring.start()
        try:
            return function(argument)
        finally:
            self.measuring.stop()

    def n_bytes(self) -> int:
        return 0


class VizTracer(_Library):
    name = "viztracer, args and results"
    module = "viztracer"
    records = "calls only, no lines"

    def __init__(self) -> None:
        super().__init__()
        self.tracer = self.peer.VizTracer(
            verbose=0, log_func_args=True, log_func_retval=True, tracer_entries=2_000_000
        )

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        self.tracer.clear()
        self.tracer.start()
        try:
            return function(argument)
        finally:
            self.tracer.stop()

    def n_bytes(self) -> int:
        return 0


class Tracesnap(_Library):
    name = "tracesnap, in memory"
    module = "tracesnap"
    records = "changed names with repr, identity and time; no change in place"

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        with self.peer.record("run", source_files=[_FILE], output=None) as recording:
            result = function(argument)
        self.recorded = recording.trace
        return result

    def n_bytes(self) -> int:
        return len(json.dumps(self.recorded, indent=2))


class CodeTracer(_Library):
    name = "codetracer-python-recorder, binary"
    module = "codetracer_python_recorder"
    records = "locals at each line, calls, results"

    def call(self, function: Callable[..., Any], argument: int) -> Any:
        self.folder = tempfile.TemporaryDirectory()
        self.peer.start(self.folder.name, format="binary")
        try:
            return function(argument)
        finally:
            self.peer.stop()

    def n_bytes(self) -> int:
        return Path(self.folder.name, "trace.bin").stat().st_size


def version_of(tool: Any) -> str:
    """The version that was measured."""
    library = getattr(tool, "library", None)
    return getattr(library, "__version__", "") if library is not None else ""


def known() -> list[tuple[str, Callable[[], Any]]]:
    """Every peer, cheapest first."""
    kinds = [
        Settrace,
        Coverage,
        VizTracer,
        ChangedReprs,
        Reprs,
        Tracesnap,
        CodeTracer,
        PySnooper,
        Hunter,
        Snoop,
    ]
    return [(kind.name, functools.partial(kind)) for kind in kinds]
