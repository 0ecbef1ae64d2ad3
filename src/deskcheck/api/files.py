"""Read recorded runs from disk as `deskcheck.Trace` objects, or record the run of a program's file.

deskcheck.trace_file("a.js", call="f(3)") -> Trace     run a file in Python, JavaScript or C now
deskcheck.load("run.deskcheck") -> Trace               read a file that holds one run
for trace in deskcheck.read_traces("data/easy"): ..    read a shard, or a dataset folder
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from deskcheck.api.trace import Trace
from deskcheck.errors import DataError, UserError
from deskcheck.format.buffers import trace_of
from deskcheck.records import Limits
from deskcheck.tracing.packed import is_run, read_run

_LIMITS = Limits()


def read_traces(path: str | Path) -> Iterator[Trace]:
    """Yield every trace of a file that `Trace.save` wrote, of a shard or of a dataset folder, in order.

    Arguments:

    - `path`: a `.deskcheck` file, a `.parquet` shard, or the folder that `deskcheck.build` wrote.

    Errors: CorruptShard or DataError names the defect and its place; MissingExtra if Parquet's library,
    which the extra `data` brings, is not installed.

    >>> data = deskcheck.build("generated", family="easy", n=3, out="data/three")
    >>> len(list(deskcheck.read_traces("data/three"))) == data.n_kept
    True
    """
    if Path(path).is_file() and is_run(path):
        program, packed = read_run(path)
        yield Trace(program, trace_of(packed))
        return
    from deskcheck.format.shards import read_rows

    for program, record in read_rows(path):
        yield Trace(program, record)


def trace_file(
    path: str | Path,
    *,
    call: str = "",
    arguments: Sequence[str] = (),
    granularity: str = "line",
    limits: Limits = _LIMITS,
) -> Trace:
    """Run a file in the sandbox and return the trace of the run.

    Arguments:

    - `path`: a file in Python, in JavaScript or TypeScript (with the extra `javascript`), or in C (with the
      extra `c`).
    - `call`: a call of a function of the file, as text; "" runs the file as a script.
    - `arguments`: command-line arguments of a script.
    - `granularity`: what a step is: "line", "expression" or "instruction".
    - `limits`: budgets in steps and seconds (`deskcheck.Limits`); its other fields cannot be changed here.

    Errors: UserError or BadSource names the mistake, UnknownName another granularity; MissingExtra if the
    language's extra is not installed.

    >>> with open("twice.py", "w") as file:
    ...     _ = file.write("def twice(n):\\n    return n + n\\n")
    >>> deskcheck.trace_file("twice.py", call="twice(4)").result
    8
    """
    from deskcheck.file_requests import run_request
    from deskcheck.programs.files import program_of
    from deskcheck.tracing.collect import TraceRequest

    if replace(limits, max_steps=_LIMITS.max_steps, time_s=_LIMITS.time_s) != _LIMITS:
        raise UserError(f"trace_file takes max_steps and time_s of its limits alone, not {limits!r}")
    request = TraceRequest(
        str(path),
        call=call,
        arguments=list(arguments),
        granularity=granularity,
        max_steps=limits.max_steps,
        time_limit_s=limits.time_s,
        is_redacted=False,
    )
    recorded = run_request(request, program_of=program_of)
    return Trace(recorded.program, recorded.in_memory())


def load(path: str | Path) -> Trace:
    """Return the run that a file holds.

    Arguments:

    - `path`: a file that `Trace.save` or `deskcheck trace --out` wrote.

    Errors: UserError if there is no such file, DataError if it holds no run or several.

    >>> def double(n):
    ...     return n + n
    >>> path = deskcheck.trace(double, 4).save("run.deskcheck")
    >>> deskcheck.load(path).result
    8
    """
    if not Path(path).exists():
        raise UserError(f"no such file: {path}")
    runs = list(islice(read_traces(path), 2))
    if len(runs) != 1:
        held = "no run" if not runs else "several runs"
        raise DataError(f"{path} holds {held}; deskcheck.read_traces({str(path)!r}) goes through all of them")
    return runs[0]
