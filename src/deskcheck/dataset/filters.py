"""Filters that leave a program or its run out of a dataset, each with its own drop reason.

    filters = Filters(["near-duplicate=0.8", "trivial=3", "mine.py"])
    filters.by_text(program) -> Drop("near duplicate", "functions:a.py:f:0")     before it runs
    filters.by_run(program, packed, first) -> Drop("", "")                        after it

A filter file is a Python file with `drop(program, trace) -> str`, which returns the drop reason or "" to keep
the run. The file runs outside of the sandbox, and its sha256 is recorded in dataset.json. The state of the
filters depends only on the order of the programs, so a resumed build makes the same decisions.
"""

from __future__ import annotations

import hashlib
import runpy
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from deskcheck.decontamination.families import SIMILAR, Families
from deskcheck.decontamination.near import name_of
from deskcheck.errors import UnknownName, UserError
from deskcheck.format.buffers import COLUMN_NUMBER, Packed, trace_of
from deskcheck.format.shards import ManifestEntry, check_shard, read_packed
from deskcheck.languages import offers, part
from deskcheck.records import CompileFailure, Program, Raised, Returned, Trace

NEAR, PATH, FILE = "near-duplicate", "duplicate-path", ".py"
DEFAULTS: dict[str, float] = {
    "does-not-run": 0,
    "nondeterministic": 0,
    "side-effects": 0,
    "long-source": 10_000,
    "trivial": 3,
    "too-long": 1_000,
    "too-large": 1 << 20,
    NEAR: SIMILAR,
    PATH: 0,
}
"""Filter -> its default number: steps (trivial, too-long), characters (long-source), bytes (too-large),
similarity, or 0 = unused."""
WITHOUT_NUMBER = ("does-not-run", "nondeterministic", "side-effects", PATH)
# Exceptions by which a program shows that it cannot run as it is, for the filter "does-not-run".
_WRONG = frozenset({"NameError", "UnboundLocalError", "ImportError", "ModuleNotFoundError", "SyntaxError"})
_KIND, _LINE, _FRAME = (COLUMN_NUMBER[f"events.{name}"] for name in ("kind", "line", "frame"))


class Drop(NamedTuple):
    """Decision of a filter, with the drop reason."""

    reason: str
    """Drop reason; "" = the input is kept."""
    like: str = ""
    """Origin of the earlier program that it repeats."""


NOTHING = Drop("")


class Filters:
    """The filters of one build, with their state."""

    def __init__(self, wanted: Iterable[str]) -> None:
        """Parse names, numbers and files of filters. UserError or UnknownName if one is not valid."""
        self._numbers: dict[str, float] = {}
        self._from_files: list[tuple[str, Callable[[Program, Trace], str]]] = []
        self.recorded: list[str] = []
        """Names and numbers of the filters, as in dataset.json."""
        for text in wanted:
            if text.partition(":")[0].endswith(FILE):
                self._from_files.append(_filter_in_file(text))
                self.recorded.append(self._from_files[-1][0])
            else:
                name, number = _read(text)
                self._numbers[name] = number
                self.recorded.append(name if name in WITHOUT_NUMBER else f"{name}={number:g}")
        self._families = Families(self._numbers[NEAR]) if NEAR in self._numbers else None
        self._paths: dict[bytes, tuple[int, str]] = {}
        """Function and executed lines of a kept run -> first input of its shard, origin of its program."""

    def resume(self, folder: Path, finished: Iterable[ManifestEntry]) -> None:
        """Read the paths of the finished shards, for the filter `duplicate-path`."""
        if PATH not in self._numbers:
            return
        for entry in finished:
            for program, packed in read_packed(check_shard(folder, entry)):
                if program is not None:
                    self._paths.setdefault(_path(program, packed), (entry.first, program.origin))

    def by_text(self, program: Program) -> Drop:
        """Decide from its text whether a program is dropped before it runs."""
        if self._families is not None and program.language == "python":
            try:
                family = self._families.of(program)
            except SyntaxError:
                return Drop("does not parse")
            if not family.is_first:
                return Drop("near duplicate", family.name)
        if len(program.source) > self._numbers.get("long-source", len(program.source)):
            return Drop("long source")
        if "side-effects" in self._numbers and (effect := _effect(program)):
            return Drop(f"side effects ({effect})")
        return NOTHING

    def by_run(self, program: Program, packed: Packed, first: int) -> Drop:
        """Decide whether a run is dropped; `first` is the number of the first input of its shard."""
        reason = self._run(packed)
        if reason:
            return Drop(reason)
        for _, drop in self._from_files:
            if reason := drop(program, trace_of(packed)):
                return Drop(str(reason))
        if PATH in self._numbers:
            key = _path(program, packed)
            shard, origin = self._paths.get(key, (first, ""))
            if origin and shard <= first:
                return Drop("duplicate path", origin)
            self._paths[key] = first, program.origin
        return NOTHING

    def _run(self, packed: Packed) -> str:
        numbers, outcome, head = self._numbers, packed.outcome, packed.head
        if "does-not-run" in numbers:
            if isinstance(outcome, CompileFailure) or (
                isinstance(outcome, Raised) and outcome.type in _WRONG
            ):
                return "does not run"
            if not isinstance(outcome, Raised | Returned):
                return f"does not run to its end ({outcome.__struct_config__.tag})"
        if "nondeterministic" in numbers and head.determinism.reads:
            return f"nondeterministic (reads {', '.join(head.determinism.reads)})"
        if packed.n_steps < numbers.get("trivial", 0):
            return "trivial"
        if packed.n_steps > numbers.get("too-long", packed.n_steps):
            return "too long"
        if "too-large" in numbers:
            n_bytes = sum(len(column) for column in packed.columns)
            if n_bytes > numbers["too-large"] or "values truncated" in head.fidelity.notes:
                return "too large"
        return ""


def _read(text: str) -> tuple[str, float]:
    name, equals, number = text.partition("=")
    if name not in DEFAULTS:
        raise UnknownName("filter (--filter)", name, [*DEFAULTS, "FILE.py"])
    if not equals:
        return name, DEFAULTS[name]
    if name in WITHOUT_NUMBER:
        raise UserError(f"--filter {text}: '{name}' takes no number")
    try:
        found = float(number)
    except ValueError:
        raise UserError(f"--filter {text}: '{number}' is no number") from None
    if name == NEAR and not 0.5 <= found <= 1:
        raise UserError(f"--filter {text}: a similarity between 0.5 and 1")
    if not found >= 0:
        raise UserError(f"--filter {text}: 0 or more")
    return name, found


def _filter_in_file(text: str) -> tuple[str, Callable[[Program, Trace], str]]:
    path = Path(text)
    try:
        source = path.read_text("utf-8-sig")
        space = runpy.run_path(str(path), run_name=path.stem)
    except (OSError, ValueError, SyntaxError) as error:
        raise UserError(f"--filter {text}: {getattr(error, 'strerror', None) or error}") from None
    drop = space.get("drop")
    if not callable(drop):
        raise UserError(
            f"--filter {text} defines no `drop(program, trace) -> str`: the reason, '' to keep it"
        )
    return f"{path.name}:{hashlib.sha256(source.encode()).hexdigest()[:16]}", drop


def _effect(program: Program) -> str:
    """Return a side effect in the text of a program; "" if none is found or its language has no check."""
    if not offers(program.language, "effect"):
        return ""
    effect: str = part(program.language, "effect")(program.source)
    return effect


def _path(program: Program, packed: Packed) -> bytes:
    """Hash a function together with the lines that a run of it executed."""
    found = hashlib.sha256(f"{name_of(program.entry)}\n{program.source}\n".encode("utf-8", "surrogatepass"))
    for column in (_KIND, _LINE, _FRAME):
        found.update(packed.columns[column])
    return found.digest()
