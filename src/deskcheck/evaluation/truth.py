"""Turn programs of a benchmark into tasks with a true answer, by running each in the sandbox.

    build_tasks("cruxeval", data="cruxeval.jsonl") -> TaskSet(tasks, disagreements, dropped, ..)
    build_tasks("fresh", kind="next-line", options={"seed": "7"})

An Item is a program of the benchmark with its call. The answer that a file records is compared and never
used: if it differs from the executed answer, the pair is listed with a reason and the executed answer is the
truth. Every item either has tasks or is dropped with a reason. A program in a language without a tracer here
keeps the recorded answer, is tagged "recorded, not re-executed" and counted.

Benchmark options are the keyword-only parameters of its `items`. Every benchmark also has perturb=NAME: both
programs are executed, and a pair that answers differently or has nothing to change is dropped and counted.
The others keep their ids, so that `deskcheck compare` can pair the two runs.
"""

from __future__ import annotations

import hashlib
import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, Literal, get_type_hints

import msgspec
from msgspec import Struct, field

from deskcheck import plugins
from deskcheck.data_files import sha256_of
from deskcheck.errors import BadSource, DataError, UnknownName, UserError
from deskcheck.evaluation.perturb import PERTURBATIONS, perturb
from deskcheck.evaluation.plan import shard_of
from deskcheck.evaluation.stores import open_store
from deskcheck.format.buffers import Packed, trace_of
from deskcheck.grading.literals import equal
from deskcheck.grading.verdict import Raises, answer_value
from deskcheck.questions import Unasked, runs_something, tasks_of, tasks_of_all
from deskcheck.records import Item, Limits, Program, Refused, Skipped, Task, Trace
from deskcheck.tracers import languages, trace_packed
from deskcheck.tracing.literal import is_plain, outcome_text

Run = Callable[[Iterable[Program], Limits], Iterator[tuple[Program, Trace]]]


def perturb_items(
    items: list[Item], name: str, *, run: Run, limits: Limits
) -> tuple[list[Item], list[tuple[str, str, str]]]:
    """Return changed items, and (id, reason, detail) of dropped ones.

    UnknownName for an unknown perturbation.
    """
    if name not in PERTURBATIONS:
        raise UnknownName("perturbation", name, list(PERTURBATIONS))
    changed = [(item, perturb(item.program, name)) for item in items]
    dropped = [(item.id, "nothing to perturb", name) for item, program in changed if program is None]
    pairs = [(item, program) for item, program in changed if program is not None]
    before = [trace for _, trace in run([item.program for item, _ in pairs], limits)]
    after = [trace for _, trace in run([program for _, program in pairs], limits)]
    kept = []
    for (item, program), old, new in zip(pairs, before, after, strict=True):
        was, now = _answer(old), _answer(new)
        if was != now:
            dropped.append((item.id, "the perturbation changed the answer", f"{was} became {now}"[:200]))
        else:
            kept.append(msgspec.structs.replace(item, program=program))
    return kept, dropped


def _answer(trace: Trace) -> str:
    return outcome_text(trace) if is_plain(trace) else f"no plain answer: {type(trace.outcome).__name__}"


# Programs in order -> each with its trace: `tracers.trace_programs`, or a function of a test.
Runner = Callable[[Iterable[Program], Limits], Iterator[tuple[Program, Trace]]]
RECORDED = "recorded, not re-executed"
Grading = Literal["value", "marks", "witness"]


class Disagreement(Struct, frozen=True):
    """A recorded answer that differs from the executed one."""

    id: str
    recorded: str
    executed: str
    """The answer that the program gives, or the reason why it gives none."""
    reason: str
    """"another type", "another value", "the file's text is no literal", "an exception", "no truth"."""


class Dropped(Struct, frozen=True):
    """An item without a truth."""

    id: str
    reason: str
    """"time limit", "crashed", "value is not plain", ..; dropped items are counted by it."""
    detail: str


class TaskSet(Struct, frozen=True):
    """All tasks of a benchmark (or the chosen ones) and the reasons for the other items."""

    benchmark: str
    tasks: list[Task]
    disagreements: list[Disagreement]
    dropped: list[Dropped]
    ids: list[str]
    """Every id that the benchmark has, chosen or not."""
    pinned: bool
    """Whether the programs are known by hash, or ship: these may run at any containment level."""
    note: str
    """One line on the source of the programs and why they may run."""
    kind: str = "output"
    """Kind of question, a name in `questions/`."""
    recorded: list[str] = field(default_factory=list)
    """Items whose answer is the file's because no tracer here runs their language."""
    skipped: list[Dropped] = field(default_factory=list)
    """Cases of the file that are no items, for example an assert that compares no call with a literal."""

    @property
    def dropped_by_reason(self) -> dict[str, int]:
        """Number of dropped items by reason, most frequent first."""
        return dict(Counter(one.reason for one in self.dropped).most_common())


def build_tasks(
    benchmark: str,
    *,
    kind: str = "output",
    data: str = "",
    options: Mapping[str, str] | None = None,
    ids: Sequence[str] = (),
    limit: int = 0,
    shard: str = "",
    limits: Limits | None = None,
    workers: int = 0,
    require: str = "limits",
    runner: Runner | None = None,
    after_item: Callable[[int, int], None] = lambda number, total: None,
) -> TaskSet:
    """Make tasks: load, choose (`ids`, then `limit`, 0 = all, then `shard`), execute, compare, ask.

    `after_item` gets the number of each item that was run, and the number of all. UserError for unknown ids
    and options; DataError for a benchmark that is empty or whose ids repeat.
    """
    module = plugins.load("benchmark", benchmark)
    if kind not in plugins.names("question"):
        raise UnknownName("question", kind, plugins.names("question"))
    given = dict(options or {})
    changed = given.pop("perturb", "")
    if "kind" in inspect.signature(module.items).parameters:  # its files hold answers to several kinds
        given["kind"] = kind
    rows = list(module.items(data, **checked_options(module, benchmark, given)))
    items = [row for row in rows if isinstance(row, Item)]
    chosen = in_shard(_choose(items, benchmark, ids, limit), shard)
    run = runner or _sandboxed(workers, require)
    tasks: list[Task] = []
    disagreements: list[Disagreement] = []
    dropped: list[Dropped] = []
    recorded: list[str] = []
    limits = limits or Limits(**getattr(module, "LIMITS", {}))
    if changed:
        chosen, left_out = perturb_items(chosen, changed, run=run, limits=limits)
        dropped += [Dropped(*one) for one in left_out]
    asked = _asked(kind, chosen, _traces(chosen, run, limits), benchmark, module)
    for number, (item, trace, made) in enumerate(asked, 1):
        after_item(number, len(chosen))
        if trace is None:
            recorded += [] if "truth" in item.tags else [item.id]
        elif (found := _disagreement(item, made if kind == "output" else _outcome(item, trace))) is not None:
            disagreements.append(found)
        if isinstance(made, Unasked):
            dropped.append(Dropped(item.id, made.reason, made.detail))
        else:
            tasks += made
    pinned, note = _origin(module, data)
    ids_of_items = [item.id for item in items]
    skipped = [Dropped(row.id, row.reason, "") for row in rows if isinstance(row, Skipped)]
    return TaskSet(
        benchmark, tasks, disagreements, dropped, ids_of_items, pinned, note, kind, recorded, skipped
    )


def checked_options(module: ModuleType, benchmark: str, options: Mapping[str, str]) -> dict[str, Any]:
    """Convert options to the benchmark's types.

    UserError for an unknown option or a value of another type.
    """
    parameters = inspect.signature(module.items).parameters
    known = [name for name, one in parameters.items() if one.kind is one.KEYWORD_ONLY]
    hints = get_type_hints(module.items)
    checked = {}
    for name, text in options.items():
        if name not in known:
            takes = f"it takes: {', '.join(known)}" if known else "it takes none"
            raise UserError(f"benchmark '{benchmark}' has no option '{name}'; {takes}")
        try:
            checked[name] = msgspec.convert(text, hints[name], strict=False)
        except msgspec.ValidationError as error:
            raise UserError(f"benchmark '{benchmark}', option {name}={text}: {error}") from None
    return checked


def _traces(items: list[Item], run: Runner, limits: Limits) -> Iterator[Trace | None]:
    """Yield a trace for every item that can be run here, None for the others, in order."""
    known = languages()
    ran = run([item.program for item in items if item.program.language in known], limits)
    for item in items:
        yield next(ran)[1] if item.program.language in known else None


def _asked(
    kind: str, items: list[Item], traces: Iterator[Trace | None], benchmark: str, module: ModuleType
) -> Iterator[tuple[Item, Trace | None, list[Task] | Unasked]]:
    """Yield every item with its trace and its tasks, one run at a time unless the kind must run something."""
    pairs: Iterable[tuple[Item, Trace | None]] = zip(items, traces, strict=True)
    together: Iterator[list[Task] | Unasked] | None = None
    if runs_something(kind):
        pairs = list(pairs)
        runs = [(item, trace) for item, trace in pairs if trace is not None]
        together = tasks_of_all(kind, runs, benchmark=benchmark)
    for item, trace in pairs:
        if trace is None:
            yield item, trace, _recorded_task(kind, item, benchmark, module)
        elif together is not None:
            yield item, trace, next(together)
        else:
            yield item, trace, tasks_of(kind, item, trace, benchmark=benchmark)


def _recorded_task(kind: str, item: Item, benchmark: str, module: ModuleType) -> list[Task] | Unasked:
    """Return the task of an item that cannot be run here, with the file's answer and an empty trace."""
    own: dict[str, tuple[dict[str, str], dict[str, str], Grading]] = getattr(module, "RECORDED", {})
    if (kind != "output" and kind not in own) or not item.recorded:
        return Unasked("not run here", f"no tracer for {item.program.language}, so only the recorded output")
    output = plugins.load("question", "output")
    question, form, grading = own.get(kind) or (output.QUESTION, _form(item, output.FORM), "value")
    return [
        Task(
            id=item.id,
            benchmark=benchmark,
            kind=kind,
            program=item.program,
            expected=item.recorded,
            truth=_no_trace(item.program),
            cluster=item.cluster,
            tags={"truth": RECORDED, **item.tags},
            question=question,
            form=form,
            statement=item.statement,
            grading=grading,
        )
    ]


def _form(item: Item, form: dict[str, str]) -> dict[str, str]:
    """Return the form of the answer, spelled in the item's language or as JSON."""
    spelling = item.tags.get("spelling", "")
    if not spelling:
        return form
    if spelling == "json":
        return {
            "en": 'the JSON object of what the call returns, under the key "output"',
            "zh": '调用返回值的 JSON 对象，键为 "output"',
        }
    return {
        "en": f"the returned value as one exact literal of {spelling}",
        "zh": f"返回值，写成一个精确的 {spelling} 字面量",
    }


def _no_trace(program: Program) -> Trace:
    from deskcheck.tracing.execution import empty_trace

    return empty_trace(program.id, Limits(), Refused(f"no tracer for {program.language}"))


def _outcome(item: Item, trace: Trace) -> list[Task] | Unasked:
    return tasks_of("output", item, trace, benchmark="") if item.recorded else []


def _disagreement(item: Item, outputs: list[Task] | Unasked) -> Disagreement | None:
    """Return the difference between recorded and executed answer; None if they agree.

    `outputs`: the task about the output of this run, or the reason why there is none.
    """
    if not item.recorded:
        return None
    found = outputs if isinstance(outputs, Unasked) else outputs[0]
    if isinstance(found, Unasked):
        return Disagreement(item.id, item.recorded, f"{found.reason}: {found.detail}"[:200], "no truth")
    reason = _difference(item.recorded, found.expected)
    return Disagreement(item.id, item.recorded, found.expected, reason) if reason else None


def _sandboxed(workers: int, require: str) -> Runner:
    def packed(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Packed]]:
        return trace_packed(programs, limits, workers=workers, require=require)

    def run(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Trace]]:
        store = open_store(limits)
        if store is None:
            return ((program, trace_of(one)) for program, one in packed(programs, limits))
        return store.runs(programs, lambda missing: packed(missing, limits))

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


def in_shard(items: list[Item], shard: str) -> list[Item]:
    """Return the items of part "2/8", chosen by the hash of their program's cluster; "" = all of them."""
    number, n = shard_of(shard)
    return [item for item in items if _hash(item.cluster or item.id) % n == number - 1] if n > 1 else items


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def _difference(recorded: str, executed: str) -> str:
    """Return why two answers differ; "" if they are the same."""
    try:
        a = answer_value(recorded)
    except BadSource:
        return "the file's text is no literal"
    b = answer_value(executed)
    if isinstance(a, Raises) or isinstance(b, Raises):
        same = isinstance(a, Raises) and isinstance(b, Raises) and a.type == b.type
        return "" if same else "an exception"
    if equal(a, b, "strict"):
        return ""
    return "another type" if equal(a, b, "lenient") else "another value"


def _origin(module: ModuleType, data: str) -> tuple[bool, str]:
    if not data:
        return True, "its programs ship with deskcheck or come from the pinned revision of the hub"
    if Path(data).is_file() and sha256_of(Path(data)) in getattr(module, "PINNED", frozenset()):
        return (
            True,
            "its programs are known (the file's sha256 is pinned), so they run at any containment level",
        )
    return False, "its file is not a known one (sha256); its programs run because you named the file"


def revision_of(benchmark: str) -> str:
    """Return the pinned revision of the benchmark's data ("repository@commit/file"), or that it ships."""
    hub = getattr(plugins.load("benchmark", benchmark), "HUB", None)
    return f"{hub[0]}@{hub[1]}/{hub[2]}" if hub else "ships with deskcheck"
