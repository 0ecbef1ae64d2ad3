"""Build datasets of traces from Python, and load them for training.

data = deskcheck.build("generated", family="easy", n=1000, out="data/easy")
data.n_kept, data.dropped
for trace in data: ..
deskcheck.load_dataset("data/easy")                     # one row per run, as a Hugging Face dataset
deskcheck.load_dataset("data/easy", layout="line-1")    # prompts and completions
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from deskcheck.api.files import read_traces
from deskcheck.api.trace import Trace
from deskcheck.errors import MissingExtra, UserError
from deskcheck.plugins import SourceOptions
from deskcheck.records import Limits, Returned

if TYPE_CHECKING:
    import datasets

_USUAL_LIMITS = Limits()


class Dataset(Iterable[Trace]):
    """A folder of traces that `deskcheck.build` made, with its counts; iterating reads the runs from disk.

    Attributes:

    - `path`: folder that holds the shards and the manifest.
    - `n_read`: number of programs read from the source.
    - `n_kept`: number of programs whose trace is in the dataset.
    - `dropped`: drop reason -> number of programs that were left out; `n_read` is `n_kept` plus all of
      these.
    - `n_steps`: total number of steps of all kept runs.

    >>> data = deskcheck.build("generated", family="easy", n=4, out="data/four")
    >>> data.n_read == data.n_kept + sum(data.dropped.values()), data.n_steps > 0
    (True, True)
    """

    def __init__(self, path: Path, summary: Any) -> None:
        self.path = path
        self.n_read: int = summary.n_read
        self.n_kept: int = summary.n_kept
        self.dropped: dict[str, int] = dict(summary.dropped)
        self.n_steps: int = summary.n_steps

    def __len__(self) -> int:
        return self.n_kept

    def __iter__(self) -> Iterator[Trace]:
        return read_traces(self.path)

    def __repr__(self) -> str:
        dropped = ", ".join(f"{n} {reason}" for reason, n in self.dropped.items())
        left = f", dropped {self.n_read - self.n_kept} ({dropped})" if dropped else ""
        return f"<dataset {self.path}: {self.n_kept} runs, {self.n_steps:,} steps{left}>"


def build(
    source: str,
    path: str | Path = "",
    *,
    out: str | Path,
    calls: Sequence[str] = (),
    family: str = "",
    n: int | None = None,
    seed: int = 0,
    start: int = 0,
    calls_each: int | None = None,
    limit: int | None = None,
    license: str = "unknown",
    limits: Limits = _USUAL_LIMITS,
    workers: int | None = None,
    keep_benchmarks: bool = False,
) -> Dataset:
    """Run programs in the sandbox and keep their traces as a dataset; after a stop, the same call continues.

    Arguments:

    - `source`: "generated" with `family`, `n`, `seed` and `start`; "functions" with `path`; "files" with
      `path` and `calls`; "written" and "real" with `family`. The UserError of another source names what it
      needs.
    - `path`: a file or folder of programs; `calls`: calls as text: "f(3)"; `license`: SPDX name, stored
      with each program.
    - `out`: folder of the dataset.
    - `n`: number of generated programs, the first of which has the number `start`.
    - `calls_each`: calls of each program (None = 1 for generated, up to 6 for functions); `limit`: largest
      number of programs.
    - `limits`: budgets of each run in steps, seconds and bytes; `workers`: processes, None = one per core.
    - `keep_benchmarks`: keep also programs that are too similar to one in a benchmark.

    Errors: UserError names a wrong argument; MissingExtra without the extra `data`.

    >>> data = deskcheck.build("generated", family="easy", n=5, out="data/easy")
    >>> data.n_read, len(list(data)) == data.n_kept
    (5, True)
    """
    from deskcheck.dataset.build import build as run_build

    asked = SourceOptions(
        source=source,
        path=str(path),
        calls=list(calls),
        family=family,
        seed=seed,
        start=start,
        n=n or 0,
        calls_each=calls_each,
        limit=limit or 0,
        license=license,
    )
    summary = run_build(
        asked,
        Path(out),
        limits=limits,
        workers=workers or 0,
        decontaminate=not keep_benchmarks,
        command="deskcheck.build",
    )
    return Dataset(Path(out), summary)


def load_dataset(path: str | Path, *, layout: str = "") -> datasets.Dataset:
    """Load a dataset folder as a Hugging Face dataset: one row per run, or with `layout` one per example.

    Arguments:

    - `path`: the folder that `deskcheck.build` wrote.
    - `layout`: name of a layout, such as "line-1"; "" = one row per run.

    The columns of a run are program_id, origin, license, source, call, outcome, result (the returned value as
    a literal; "" if no literal denotes it) and steps: number, function, line, text and the local variables as
    text. The columns of an example are program_id, prompt, completion and step.

    Errors: UserError if there is no such folder or it yields no row; UnknownName for a layout that is not
    known; MissingExtra without the library `datasets`, which the extra `train` brings.

    >>> data = deskcheck.build("generated", family="easy", n=2, out="data/two")
    >>> rows = deskcheck.load_dataset("data/two", layout="line-1")
    >>> rows.column_names, rows[0]["prompt"].startswith("[line-1]")
    (['program_id', 'prompt', 'completion', 'step'], True)
    """
    try:
        import datasets
    except ModuleNotFoundError:
        raise MissingExtra("datasets", "train", "deskcheck.load_dataset") from None
    if not Path(path).exists():
        raise UserError(f"no such dataset: {path}")
    rows = list(_examples(path, layout) if layout else map(_row, read_traces(path)))
    if not rows:
        raise UserError(f"{path} holds nothing" + (f" that layout '{layout}' can write" if layout else ""))
    return datasets.Dataset.from_list(rows)


def _row(trace: Trace) -> dict[str, object]:
    """Return one run as a row with the columns that `load_dataset` lists."""
    from deskcheck.tracing.literal import is_plain, outcome_text

    record, program = trace._record, trace._program
    is_literal = isinstance(record.outcome, Returned) and is_plain(record)
    return {
        "program_id": record.program_id,
        "origin": program.origin if program else "",
        "license": program.license if program else "",
        "source": trace.source,
        "call": trace.call,
        "outcome": trace.outcome,
        "result": outcome_text(record) if is_literal else "",
        "steps": [
            {
                "number": step.number,
                "function": step.function,
                "line": step.line,
                "text": step.text,
                "locals": ", ".join(f"{name}={value!r}" for name, value in step.locals.items()),
            }
            for step in trace
        ],
    }


def _examples(path: str | Path, layout: str) -> Iterator[dict[str, object]]:
    from deskcheck import plugins
    from deskcheck.format.shards import read_pairs
    from deskcheck.training.traces import granularity_of, in_sandbox

    module = plugins.load("layout", layout)
    wanted = granularity_of(module)
    for program, _, at in in_sandbox(read_pairs(path), frozenset({wanted})):
        record = at(wanted)
        if record is None:
            continue
        try:
            examples = module.render(record, program)
        except UserError:  # the run has no text in this layout
            continue
        for example in examples:
            yield {
                "program_id": example.program_id,
                "prompt": example.prompt,
                "completion": example.target,
                "step": example.step,
            }
