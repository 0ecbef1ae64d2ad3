"""Items of a benchmark -> tasks with a true answer, by running every program in the sandbox.

    build_tasks("cruxeval", data="cruxeval.jsonl") -> TaskSet(tasks, disagreements, dropped, ..)

The answer that a file records is compared and never used: where it differs from what the program does, the
pair is listed and the executed one is the truth. Read = tasks + dropped, each dropped with its reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType

from msgspec import Struct

from deskcheck import plugins
from deskcheck.benchmarks._rows import sha256_of
from deskcheck.errors import BadSource, DataError, UserError
from deskcheck.grading.compare import equal
from deskcheck.grading.verdict import Raises, answer_value
from deskcheck.records import Item, Limits, Program, Raised, Returned, Task, Trace
from deskcheck.tracing.literal import outcome_text

# Programs in order -> every one with its trace: `tracing.collect.trace_programs`, or what a test puts there.
Runner = Callable[[Iterable[Program], Limits], Iterator[tuple[Program, Trace]]]


class Disagreement(Struct, frozen=True):
    """The file says one thing, the program does another."""

    id: str
    recorded: str
    executed: str


class Dropped(Struct, frozen=True):
    """An item without a truth."""

    id: str
    reason: str
    """"time limit", "crashed", "value is not plain", ..: what is counted."""
    detail: str


class TaskSet(Struct, frozen=True):
    """All tasks of a benchmark (or the chosen ones) and what became of the other items."""

    benchmark: str
    tasks: list[Task]
    disagreements: list[Disagreement]
    dropped: list[Dropped]
    ids: list[str]
    """Every id that the benchmark has, chosen or not."""
    pinned: bool
    """The programs are known by hash, or shipped: they may run at any sandbox level."""
    note: str
    """One line that says where the programs came from and why they may run."""

    @property
    def dropped_by_reason(self) -> dict[str, int]:
        """Counts, most frequent first."""
        return dict(Counter(one.reason for one in self.dropped).most_common())


def build_tasks(
    benchmark: str,
    *,
    data: str = "",
    ids: Sequence[str] = (),
    limit: int = 0,
    limits: Limits | None = None,
    workers: int = 0,
    require: str = "limits",
    runner: Runner | None = None,
) -> TaskSet:
    """Load, choose, execute, compare. `ids` and then `limit` (0 = all) choose; order is the benchmark's.

    UserError for ids that are not there; DataError for a benchmark that is empty or whose ids repeat.
    """
    module = plugins.load("benchmark", benchmark)
    items = list(module.items(data))
    chosen = _choose(items, benchmark, ids, limit)
    run = runner or _sandboxed(workers, require)
    tasks: list[Task] = []
    disagreements: list[Disagreement] = []
    dropped: list[Dropped] = []
    traced = run([item.program for item in chosen], limits or Limits())
    for item, (_, trace) in zip(chosen, traced, strict=True):
        made = _task(item, trace, benchmark)
        if isinstance(made, Dropped):
            dropped.append(made)
            continue
        tasks.append(made)
        if item.recorded and not _same(item.recorded, made.expected):
            disagreements.append(Disagreement(item.id, item.recorded, made.expected))
    pinned, note = _origin(module, data)
    return TaskSet(benchmark, tasks, disagreements, dropped, [item.id for item in items], pinned, note)


def _sandboxed(workers: int, require: str) -> Runner:
    from deskcheck.tracing.collect import trace_programs

    def run(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Trace]]:
        return trace_programs(programs, limits, workers=workers, require=require)

    return run


def _choose(items: list[Item], benchmark: str, ids: Sequence[str], limit: int) -> list[Item]:
    if not items:
        raise DataError(f"benchmark '{benchmark}' has no items")
    twice = [identity for identity, count in Counter(item.id for item in items).items() if count > 1]
    if twice:
        raise DataError(f"benchmark '{benchmark}': ids that repeat: {', '.join(twice[:5])}")
    unknown = sorted(set(ids) - {item.id for item in items})
    if unknown:
        raise UserError(
            f"benchmark '{benchmark}' has no {', '.join(unknown[:5])}; "
            f"its ids look like {items[0].id}, {items[-1].id}"
        )
    chosen = [item for item in items if item.id in set(ids)] if ids else items
    return chosen[:limit] if limit else chosen


def _task(item: Item, trace: Trace, benchmark: str) -> Task | Dropped:
    outcome = trace.outcome
    if not isinstance(outcome, Returned | Raised):
        return Dropped(item.id, str(outcome.__struct_config__.tag), str(outcome))
    try:
        expected = outcome_text(trace)
    except DataError as error:
        return Dropped(item.id, "value is not plain", str(error))
    try:
        answer_value(expected)
    except BadSource as error:
        return Dropped(item.id, "answer is no literal", str(error))
    return Task(
        id=item.id,
        benchmark=benchmark,
        kind="output",
        program=item.program,
        expected=expected,
        truth=trace,
        cluster=item.cluster,
        tags=item.tags,
    )


def _same(recorded: str, executed: str) -> bool:
    try:
        a, b = answer_value(recorded), answer_value(executed)
    except BadSource:
        return False
    if isinstance(a, Raises) or isinstance(b, Raises):
        return isinstance(a, Raises) and isinstance(b, Raises) and a.type == b.type
    return equal(a, b, "strict")


def _origin(module: ModuleType, data: str) -> tuple[bool, str]:
    if not data:
        return True, "its programs ship with deskcheck or come from the pinned revision of the hub"
    if sha256_of(Path(data)) in getattr(module, "PINNED", frozenset()):
        return True, "its programs are known (the file's sha256 is pinned), so they run at any sandbox level"
    return False, "its file is not a known one (sha256); its programs run because you named the file"
