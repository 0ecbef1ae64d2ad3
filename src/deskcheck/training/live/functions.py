"""Draw functions with calls, and trace them, in worker processes while a model trains.

    functions = functions_of("written")                   the written corpus without its held-out functions
    functions = functions_of("functions:FILE.jsonl.xz")   functions of any code, with calls that were tried
    drawn(functions, Random(1)) -> Draw(program, trace), or None if the run is not kept

Only small files can be sent to the machine with a GPU, and a dataset of traces is not small: 70,000 runs are
40 MB. Sources and calls are sent instead, and run again where the model trains. More than half of the calls
are mutated, so that a function rarely comes twice with the same call. Every run is bounded before it is
traced: by its steps, the sizes of its values at each line, and its time.
The written functions are ours; functions of a file are foreign. The file's maker ran every call in the
sandbox and kept functions without effects, whose imports do nothing to the machine
(`measurements/carried_functions.py`). Here the functions run in the worker itself, outside the sandbox: with
a child process for each of some 100 programs a second, fourteen workers would make fewer rows than the model
reads, and a borrowed machine may have no sandbox. A file must therefore come from someone whose code may run
here. The bounds do not protect from hostile code.
"""

from __future__ import annotations

import builtins
import lzma
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from functools import cache
from io import StringIO
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec
from msgspec import Struct

from deskcheck.corpus.calls import entry_and_arguments
from deskcheck.corpus.expressions import Family
from deskcheck.corpus.mutation import Mined, mined_from, mutants
from deskcheck.corpus.plain_run import plain_steps
from deskcheck.decontamination.near import fingerprints, program_copy
from deskcheck.errors import DataError, UserError
from deskcheck.programs import written
from deskcheck.records import Limits, Program, Raised, Returned, Trace
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.training.presets import FUNCTIONS, WRITTEN

STEPS = (2, 400)
"""Smallest and largest number of steps of a run that is kept."""
# One step more than a run that is kept may have.
LIMITS = Limits(max_steps=STEPS[1] + 1, value_bytes=1 << 12, trace_bytes=1 << 18, nodes=2_000)
BOUNDS = Family("functions", (0, STEPS[1]), 10**30, 400, (0, 0), (0, 0), 0, 0.0)
"""Bounds of the values of a run, checked at each of its lines."""
MOST_S = 1.0
"""Processor seconds that the run before the traced one may take; a busy machine thus makes the same data.

One call of a built-in function can't be stopped midway.
"""
MUTATED = 0.6
"""Share of the draws whose call is mutated, half of them twice."""
RAISING = 0.3
"""Share of the raising runs that are kept; most of these runs raise because an input has a wrong type."""
_RAISED = frozenset(
    name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, Exception)
) - {"MemoryError", "RecursionError"}


class Function(Struct, frozen=True):
    """One function with the calls that may run."""

    origin: str
    source: str
    calls: list[tuple[str, str]]
    """Pairs of entry and arguments: ("Till(3).run", "[1]")."""
    license: str = "unknown"


class Header(Struct, frozen=True):
    """First line of a file of functions: how it was made."""

    fingerprints: str
    """Digest of the edition of benchmarks that all functions were compared with."""
    packages: list[str]
    """Sorted sources with their versions: "toolz==1.2.0"."""


class Functions(NamedTuple):
    """The functions of one family."""

    functions: tuple[Function, ...]
    compared: bool
    """Whether the file's maker compared the functions with this edition of the benchmarks."""


class Draw(NamedTuple):
    """A program with its run."""

    program: Program
    trace: Trace | None
    """None = the program is too near to a benchmark and did not run."""


def is_functions(path: str) -> bool:
    """Whether a path is that of a file of functions, by its name."""
    return path.endswith(".jsonl.xz")


def is_of_functions(family: str) -> bool:
    """Whether a family of a stage consists of functions with calls, so that `functions_of` reads it."""
    return family == WRITTEN or family.partition(":")[0] == FUNCTIONS


@cache
def functions_of(family: str) -> Functions:
    """Read the functions of a family. UserError without the file, DataError if it is malformed."""
    if family == WRITTEN:
        return Functions(tuple(_written()), compared=False)
    path = Path(family.partition(":")[2])
    try:
        rows = list(read_functions(path))
    except OSError as error:
        raise UserError(
            f"family '{family}': no file of functions at '{path}' ({error.strerror}); "
            "measurements/carried_functions.py makes one"
        ) from None
    functions = tuple(row for row in rows if isinstance(row, Function))
    if not functions:
        raise UserError(f"family '{family}': '{path}' holds no function; make it again")
    digests = [row.fingerprints for row in rows if isinstance(row, Header)]
    return Functions(functions, compared=digests == [fingerprints().digest])


def _written() -> Iterator[Function]:
    for family in written.families():
        for source, calls in written.blocks(written.text_of(family)):
            name = written.name_of(calls)
            if not written.is_held_out(name):
                split = [entry_and_arguments(call) for call in calls]
                yield Function(f"written:{family}:{name}", source, split, "Apache-2.0")


def write_functions(path: Path, header: Header, functions: Iterator[Function]) -> None:
    """Write a file of functions: JSON lines, the header first, compressed by xz."""
    with lzma.open(path, "wb", preset=9 | lzma.PRESET_EXTREME) as file:
        for one in (header, *functions):
            file.write(msgspec.json.encode(one) + b"\n")


def read_functions(path: Path) -> Iterator[Header | Function]:
    """Yield the header of a file, then its functions. OSError without the file; DataError: malformed."""
    kind: type[Header | Function] = Header
    try:
        with lzma.open(path, "rb") as file:
            for line in file:
                yield msgspec.json.decode(line, type=kind)
                kind = Function
    except (lzma.LZMAError, EOFError, msgspec.DecodeError) as error:
        raise DataError(f"'{path}' is no file of functions: {error}; make it again") from None


def drawn(functions: Functions, rng: Random) -> Draw | None:
    """Draw a function, then a call, and trace it; None if the run is not kept."""
    function = rng.choice(functions.functions)
    entry, arguments = rng.choice(function.calls)
    if rng.random() < MUTATED:
        mined = _mined(function.source)
        for _ in range(rng.choice((1, 2))):
            arguments = next(mutants(arguments, rng, mined, n=1), arguments)
    keeps_raising = rng.random() < RAISING
    program = make_program(
        function.source, entry, arguments, origin=function.origin, license=function.license
    )
    if not functions.compared and _is_near(function.source, entry, program):
        return Draw(program, None)
    trace = run_of(program)
    if trace is None or (isinstance(trace.outcome, Raised) and not keeps_raising):
        return None
    return Draw(program, trace)


def run_of(program: Program) -> Trace | None:
    """Trace a program in this process; None if it exceeds the bounds.

    None also if it ends neither with a value nor with a built-in exception (_RAISED). The first run is not
    traced. It checks the bounds, so that the traced one cannot fill the memory.
    """
    with redirect_stdout(StringIO()):
        try:
            with _stopped_after(MOST_S):
                if plain_steps(program, BOUNDS) < STEPS[0]:
                    return None
        except (Exception, SystemExit, _TooSlow):  # or the module's body fails, on a newer Python for example
            return None
        trace = trace_program(program, LIMITS)
    if not STEPS[0] <= trace.n_steps <= STEPS[1]:
        return None
    if isinstance(trace.outcome, Raised):
        if trace.outcome.type == "KeyboardInterrupt":
            raise KeyboardInterrupt  # Ctrl-C of the user while the program ran; no outcome of the program
        return trace if trace.outcome.type in _RAISED else None
    return trace if isinstance(trace.outcome, Returned) else None


class _TooSlow(BaseException):
    """Raised when a run takes too long; a BaseException, so that `except Exception` does not catch it."""


@contextmanager
def _stopped_after(seconds: float) -> Iterator[None]:
    """Raise _TooSlow after so many processor seconds; does nothing outside a process's main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_: object) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


_near: dict[tuple[str, str], bool] = {}


def _is_near(source: str, entry: str, program: Program) -> bool:
    """Whether a function is near a benchmark's; remembered, because a comparison takes longer than a run."""
    key = source, entry
    if key not in _near:
        try:
            _near[key] = program_copy(program) is not None
        except SyntaxError:  # of a newer Python
            _near[key] = True
    return _near[key]


@cache
def _mined(source: str) -> Mined:
    return mined_from(source)
