"""Request and result of one `deskcheck trace`, for modules that never load the sandbox.

TraceRequest("a.py", call="f(3)");  Recorded(program, packed, b"printed", {"": source}).trace
"""

from __future__ import annotations

from msgspec import Struct

from deskcheck.format.buffers import Packed, trace_of, view_of
from deskcheck.records import Program, Trace

Places = list[tuple[int, int]]
"""Pairs in order: number of the last event before a write, and bytes printed so far, that write included.

Each event has only its last write."""


class TraceRequest(Struct, frozen=True):
    """Options of one `deskcheck trace` command."""

    file: str
    """A path, or a module's dotted name; "" where `code` is the program."""
    code: str = ""
    """Text of the program, as `python -c` takes it."""
    call: str = ""
    """"" = run it as a script."""
    arguments: list[str] = []
    """Command-line arguments of a script."""
    is_module: bool = False
    is_trusted: bool = False
    """Run it in a separate process with all rights of its user, not in the sandbox."""
    is_redacted: bool = True
    """Whether secrets in what was recorded are hidden (`redaction`): for all that is shown or shared."""
    hides_output: bool = False
    """Whether secrets are hidden in what a trusted program prints, though its trace stays exact."""
    stdin: str = ""
    """File that a program in the sandbox reads as its standard input.

    "-" = the standard input of this command; "" = the same, if it is a pipe and the program reads input."""
    files: list[str] = []
    """Other modules of the program, and data files."""
    step_in: list[str] = []
    no_step_in: list[str] = []
    granularity: str = "line"
    """line, expression or instruction."""
    format: str = "text"
    out: str = ""
    max_steps: int = 100_000
    time_limit_s: float | None = None
    """None = 10 s in the sandbox, no limit for a trusted program."""
    confirm: bool = False
    """Run it once more in another process; `determinism.confirmed` is set if the bytes were the same."""


class Recorded(Struct, frozen=True):
    """Result of one `deskcheck trace` command."""

    program: Program
    packed: Packed
    """Trace of the program as it was received, in memory or in a file of this process."""
    output: bytes
    """Printed output of the program, up to `Limits.output_bytes`."""
    sources: dict[str, str]
    """Name of a file in the trace -> its text; "" is the program's source."""
    printed: Places = []
    """Places of the printed output in the run; empty unless the language's tracer tells them."""
    is_trusted: bool = False

    @property
    def trace(self) -> Trace:
        """View of the trace (`buffers.view_of`): for runs of any length."""
        return view_of(self.packed)

    def in_memory(self) -> Trace:
        """Load the trace into lists: for runs of moderate length."""
        return trace_of(self.packed)
