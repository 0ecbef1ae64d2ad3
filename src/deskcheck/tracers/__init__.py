"""Trace programs with the tracer of their language, one file each; trial runs for a source of programs.

    trace_programs(programs, Limits())    -> (program, trace), ..   in input order
    trace_packed(programs, Limits())      -> (program, packed), ..  the same as columns, for a shard
    trials = Trials(trace, Limits(max_steps=20_000, time_s=2.0))
    for program, packed in trials.run(programs): ...           in order, with the tracer of the build
    trials.keep(program, packed); trials.take(program)         the run of a program that was chosen

A file `tracers/LANGUAGE.py` offers `trace_packed(programs, limits, **how)`, an iterator of (program, packed):
exactly one for each program, in input order, even if the program fails; `how` has the options of
`tracing.collect.trace_packed`. `format.buffers.packed_of` turns a Trace into columns. Programs are untrusted:
a tracer runs them contained. `NEEDS` is the import name of a package of an extra that it cannot do without. A
program in a language without a tracer is refused; its outcome gives the reason. A source of programs runs
trials to choose programs; the chosen ones are not run a second time.

For files of a command line it offers `run_one(program, limits, *, confirm, granularity)`, which gives
`packed`, `output`, and `places`: events during which the program printed, each with the end of what was
printed.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterable, Iterator, MutableMapping, Sequence
from functools import cache
from itertools import groupby
from typing import Any

from msgspec import Struct

from deskcheck import plugins
from deskcheck.format.buffers import Packed, trace_of
from deskcheck.records import Limits, Program, Trace


@cache
def languages() -> frozenset[str]:
    """Return the languages whose programs can be traced here."""
    return frozenset(name for name in plugins.names("tracer") if _is_installed(name))


def _is_installed(name: str) -> bool:
    """Tell whether a tracer has the package that it needs; `NEEDS` names one of an extra."""
    needed = getattr(plugins.load("tracer", name), "NEEDS", "")
    return not needed or importlib.util.find_spec(needed) is not None


def trace_programs(
    programs: Iterable[Program], limits: Limits, **how: Any
) -> Iterator[tuple[Program, Trace]]:
    """Trace every program with the tracer of its language. `how`: workers, require, granularity."""
    for program, packed in trace_packed(programs, limits, **how):
        yield program, trace_of(packed)


def trace_packed(programs: Iterable[Program], limits: Limits, **how: Any) -> Iterator[tuple[Program, Packed]]:
    """Trace every program and yield raw columns. `how`: also report and confirm, as in `tracing.collect`."""
    known = languages()
    for language, group in groupby(programs, key=lambda program: program.language):
        if language in known or language in plugins.names("tracer"):
            yield from plugins.load("tracer", language).trace_packed(group, limits, **how)
        else:
            yield from _refused(language, group, limits)


def _refused(language: str, programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Packed]]:
    from deskcheck.format.buffers import packed_of
    from deskcheck.records import Refused
    from deskcheck.tracing.execution import empty_trace

    for program in programs:
        yield program, packed_of(empty_trace(program.id, limits, Refused(f"no tracer for {language}")))


Tracing = Callable[[Iterable[Program], Limits], Iterator[tuple[Program, Packed]]]
"""Function that traces programs, as `trace_packed` does."""

Asking = Callable[[Sequence[str]], list[str]]
"""Prompts to a language model -> its answers."""


class Choice(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What the trial runs of one function led to."""

    calls: list[tuple[str, str, str]] = []
    """Entry, arguments and origin of each call that makes a program."""
    reason: str = ""
    """Drop reason of a function without such a call; "" = it has some."""


class Trials:
    """The tracer of a build, for trial runs of a source of programs, and the progress of the source."""

    def __init__(
        self,
        trace: Tracing,
        limits: Limits,
        ask: Asking | None = None,
        choices: MutableMapping[str, Choice] | None = None,
    ) -> None:
        self._trace = trace
        self.ask = ask
        """Language model that writes inputs; None = none was named."""
        self.choices: MutableMapping[str, Choice] = {} if choices is None else choices
        """Choices of this build and of earlier attempts at it, by function; such a function is not tried
        again."""
        self._limits = limits
        self._traces: dict[str, Packed] = {}
        self.n_places = 0
        """Number of files or rows of the source."""
        self.n_open = 0
        """Number of files or rows read so far."""
        self.n_tried = 0
        """Number of trial runs so far."""

    def run(self, programs: Iterable[Program]) -> Iterator[tuple[Program, Packed]]:
        """Trace the programs, in order, and count them as tried."""
        for pair in self._trace(programs, self._limits):
            self.n_tried += 1
            yield pair

    def keep(self, program: Program, packed: Packed) -> None:
        """Keep the run of a program that is about to be yielded."""
        self._traces[program.id] = packed

    def has(self, program: Program) -> bool:
        """Whether the run of a program was kept."""
        return program.id in self._traces

    def take(self, program: Program) -> Packed:
        """Return and forget the kept run of a program. KeyError if none was kept."""
        return self._traces.pop(program.id)

    @property
    def share(self) -> float:
        """Share of the source that has been read, 0 to 1; 0 if its size is unknown."""
        return self.n_open / self.n_places if self.n_places else 0.0
