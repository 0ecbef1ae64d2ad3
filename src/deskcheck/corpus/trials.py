"""Trial runs: a source of programs tries candidates, and what it keeps of them is run no second time.

trials = Trials(trace, Limits(max_steps=20_000, time_s=2.0))
for candidate, packed in trials.run(programs): ...         in order, through the tracer of the build
trials.keep(program, packed); trials.take(program)         the run of a program that was chosen
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from deskcheck.format.buffers import Packed
from deskcheck.records import Limits, Program

Tracing = Callable[[Iterable[Program], Limits], Iterator[tuple[Program, Packed]]]


class Trials:
    """The tracer of a build, as a source of programs uses it; and how far the source is."""

    def __init__(self, trace: Tracing, limits: Limits) -> None:
        self._trace = trace
        self._limits = limits
        self._kept: dict[str, Packed] = {}
        self.n_places = 0
        """Files or rows of the source."""
        self.n_open = 0
        """Number of the one whose functions are being tried."""
        self.n_tried = 0
        """Runs that were made to find programs."""

    def run(self, programs: Iterable[Program]) -> Iterator[tuple[Program, Packed]]:
        """Trace the programs, in order, and count them as tried."""
        for pair in self._trace(programs, self._limits):
            self.n_tried += 1
            yield pair

    def keep(self, program: Program, packed: Packed) -> None:
        """Hold the run of a program that is about to be yielded."""
        self._kept[program.id] = packed

    def take(self, program: Program) -> Packed | None:
        """The run of a program, once; None where it was not tried or tried under other limits."""
        return self._kept.pop(program.id, None)

    @property
    def share(self) -> float:
        """How much of the source is read, 0 to 1; 0 where nobody counted it."""
        return self.n_open / self.n_places if self.n_places else 0.0
