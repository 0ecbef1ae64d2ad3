"""Turn programs of a benchmark into tasks with a true answer, by running each in the sandbox.

    build_tasks("cruxeval", data="cruxeval.jsonl") -> TaskSet(tasks, disagreements, dropped, ..)
    build_tasks("fresh", kind="next-line", options={"seed": "7"})

A draft is a call of the benchmark before its tasks are made. If a tracer here runs the program, the executed
answer is the truth. The answer that a file records is only compared with it: if the two differ, the pair is
listed with a reason. If no tracer here runs the program, the recorded answer is the truth, and the task is
tagged "recorded, not re-executed" and counted. Every draft either has tasks or is dropped with a reason.

The options of a benchmark are the keyword-only parameters of its `drafts`, except `kind`, the kind of
question that `build_tasks` passes on to it. Every benchmark also has the option perturb=NAME, which rewrites
its programs (`perturb.py`). The old and the new program are executed. A draft is dropped and counted if they
answer differently or if there was nothing to change. The other drafts keep their ids, so that `deskcheck
compare` can pair a run on old programs with one on new programs.
"""

from __future__ import annotations

import hashlib
import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Literal

import msgspec
from msgspec import Struct, field

from deskcheck import plugins
from deskcheck.errors import BadSource, DataError, UnknownName, UserError
from deskcheck.evaluation.perturb import PERTURBATIONS, perturb
from deskcheck.evaluation.plan import checked_options, shard_of
from deskcheck.evaluation.stores import open_store
from deskcheck.format.buffers import Packed, trace_of
from deskcheck.format.files import sha256_of
from deskcheck.grading.verdict import Raises, answer_language, answer_value
from deskcheck.languages import equal
from deskcheck.questions import Unasked, filled, places_left_out, runs_something, tasks_of, tasks_of_all
from deskcheck.records import EventKind, Limits, Program, Raised, Refused, Skipped, Task, TaskDraft, Trace
from deskcheck.tracers import languages, trace_packed
from deskcheck.tracing.literal import is_plain, outcome_text

# Programs in order -> each with its trace: `tracers.trace_programs`, or a function of a test.
Runner = Callable[[Iterable[Program], Limits], Iterator[tuple[Program, Trace]]]


def perturb_items(
    drafts: list[TaskDraft], name: str, *, run: Runner, limits: Limits
) -> tuple[list[TaskDraft], list[tuple[str, str, str]]]:
    """Return the drafts with programs rewritten by `name`, and (id, reason, detail) of dropped drafts.

    UnknownName for an unknown perturbation.
    """
    if name not in PERTURBATIONS:
        raise UnknownName("perturbation", name, list(PERTURBATIONS))
    changed = [(draft, perturb(draft.program, name)) for draft in drafts]
    dropped = [(draft.id, "nothing to perturb", name) for draft, program in changed if program is None]
    pairs = [(draft, program) for draft, program in changed if program is not None]
    before = [trace for _, trace in run([draft.program for draft, _ in pairs], limits)]
    after = [trace for _, trace in run([program for _, program in pairs], limits)]
    remaining = []
    for (draft, program), old, new in zip(pairs, before, after, strict=True):
        was, now = _answer(old), _answer(new)
        if was != now:
            dropped.append((draft.id, "the perturbation changed the answer", f"{was} became {now}"[:200]))
        else:
            remaining.append(msgspec.structs.replace(draft, program=program))
    return remaining, dropped


def _answer(trace: Trace) -> str:
    return outcome_text(trace) if is_plain(trace) else f"no plain answer: {type(trace.outcome).__name__}"


RECORDED = "recorded, not re-executed"
Grading = Literal["value", "marks", "witness"]
"""How the answer to a task is compared with the truth (`records.Task.grading`)."""


class Disagreement(Struct, frozen=True):
    """A recorded answer that differs from the executed one."""

    id: str
    recorded: str
    executed: str
    """The answer that the program gives, or the reason why it gives none."""
    reason: str
    """"another type", "another value", "the file's text is no literal", "an exception", "no truth"."""


class Dropped(Struct, frozen=True):
    """A draft without a truth."""

    id: str
    reason: str
    """"time limit", "crashed", "value is not plain", ..; dropped drafts are counted by it."""
    detail: str


class TaskSet(Struct, frozen=True):
    """All tasks of a benchmark (or the chosen ones) and the reasons for the other drafts."""

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
    """Ids of the drafts whose answer is the file's because they are not run here."""
    skipped: list[Dropped] = field(default_factory=list)
    """Cases of the file that are no drafts, for example an assert that compares no call with a literal."""

    @property
    def dropped_by_reason(self) -> dict[str, int]:
        """Number of dropped drafts by reason, most frequent first."""
        return dict(Counter(one.reason for one in self.dropped).most_common())

    @property
    def skipped_by_reason(self) -> dict[str, int]:
        """Number of skipped cases by reason, most frequent first."""
        return dict(Counter(one.reason for one in self.skipped).most_common())


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
    after_draft: Callable[[int, int], None] = lambda number, total: None,
) -> TaskSet:
    """Make tasks: load, choose (`ids`, then `limit`, 0 = all, then `shard`), execute, compare, ask.

    `after_draft` is called after each draft with its number and the number of all. UserError for unknown ids
    and options; DataError for a benchmark that is empty or whose ids repeat.
    """
    module = plugins.load("benchmark", benchmark)
    if kind not in plugins.names("question"):
        raise UnknownName("question", kind, plugins.names("question"))
    given = checked_options(module, benchmark, options or {})
    changed = given.pop("perturb", "")
    if "kind" in inspect.signature(module.drafts).parameters:  # its files hold answers to several kinds
        given["kind"] = kind
    rows = list(module.drafts(data, **given))
    drafts = [row for row in rows if isinstance(row, TaskDraft)]
    chosen = in_shard(_choose(drafts, benchmark, ids, limit), shard)
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
    for number, (draft, trace, outcome) in enumerate(asked, 1):
        after_draft(number, len(chosen))
        if trace is None:
            recorded += [] if "truth" in draft.tags else [draft.id]
        elif (
            disagreement := _disagreement(draft, outcome if kind == "output" else _outcome(draft, trace))
        ) is not None:
            disagreements.append(disagreement)
        if isinstance(outcome, Unasked):
            dropped.append(Dropped(draft.id, outcome.reason, outcome.detail))
        else:
            tasks += outcome
            if trace is not None:
                dropped += [Dropped(*place) for place in places_left_out(kind, draft, trace, outcome)]
    pinned, note = _origin(module, data)
    ids_of_drafts = [draft.id for draft in drafts]
    skipped = [Dropped(row.id, row.reason, "") for row in rows if isinstance(row, Skipped)]
    return TaskSet(
        benchmark, tasks, disagreements, dropped, ids_of_drafts, pinned, note, kind, recorded, skipped
    )


def _traces(drafts: list[TaskDraft], run: Runner, limits: Limits) -> Iterator[Trace | None]:
    """Yield a trace for every draft that can be run here, None for the others, in order."""
    ran = run([draft.program for draft in drafts if _is_traced(draft)], limits)
    for draft in drafts:
        yield next(ran)[1] if _is_traced(draft) else None


def _is_traced(draft: TaskDraft) -> bool:
    """Tell whether a run here gives the truth of a draft; a tag "truth" or "spelling" says that none does."""
    return draft.program.language in languages() and not {"spelling", "truth"} & draft.tags.keys()


def _asked(
    kind: str, drafts: list[TaskDraft], traces: Iterator[Trace | None], benchmark: str, module: ModuleType
) -> Iterator[tuple[TaskDraft, Trace | None, list[Task] | Unasked]]:
    """Yield every draft with its trace and tasks.

    Runs are taken one at a time, but all together if this kind of question runs programs of its own.
    """
    pairs: Iterable[tuple[TaskDraft, Trace | None]] = zip(drafts, traces, strict=True)
    together: Iterator[list[Task] | Unasked] | None = None
    if runs_something(kind):
        pairs = list(pairs)
        runs = [(draft, trace) for draft, trace in pairs if trace is not None]
        together = tasks_of_all(kind, runs, benchmark=benchmark)
    for draft, trace in pairs:
        if trace is None:
            yield draft, trace, _recorded_task(kind, draft, benchmark, module)
        elif isinstance(trace.outcome, Raised) and EventKind.CALL not in trace.events.kind:
            yield draft, trace, Unasked("ends before the call", outcome_text(trace))
        elif together is not None:
            yield draft, trace, next(together)
        else:
            yield draft, trace, tasks_of(kind, draft, trace, benchmark=benchmark)


def _recorded_task(kind: str, draft: TaskDraft, benchmark: str, module: ModuleType) -> list[Task] | Unasked:
    """Return the task of a draft that cannot be run here, with the file's answer and an empty trace.

    Unasked if the file has no answer, or if the question is not about the output. A module's RECORDED adds
    kinds of question: kind -> (question, form of the answer, grading).
    """
    own: dict[str, tuple[dict[str, str], dict[str, str], Grading]] = getattr(module, "RECORDED", {})
    if (kind != "output" and kind not in own) or not draft.recorded:
        return Unasked("not run here", f"no tracer for {draft.program.language}, so only the recorded output")
    output = plugins.load("question", "output")
    question, form, grading = own.get(kind) or (
        output.QUESTION,
        _form(draft),
        "value",
    )
    return [
        Task(
            id=draft.id,
            benchmark=benchmark,
            kind=kind,
            program=draft.program,
            expected=draft.recorded,
            truth=_no_trace(draft.program),
            cluster=draft.cluster,
            tags={"truth": RECORDED, **draft.tags},
            question=question,
            form=form,
            statement=draft.statement,
            grading=grading,
        )
    ]


def _form(draft: TaskDraft) -> dict[str, str]:
    """Return the form of the answer, spelled in the draft's language or as JSON."""
    spelling = draft.tags.get("spelling", "")
    if not spelling:
        return filled(plugins.load("question", "output").FORM, answer_language(draft.tags), {})
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


def _outcome(draft: TaskDraft, trace: Trace) -> list[Task] | Unasked:
    return tasks_of("output", draft, trace, benchmark="") if draft.recorded else []


def _disagreement(draft: TaskDraft, outputs: list[Task] | Unasked) -> Disagreement | None:
    """Return the difference between recorded and executed answer; None if they agree.

    `outputs`: the task about the output of this run, or the reason why there is none.
    """
    if not draft.recorded:
        return None
    found = outputs if isinstance(outputs, Unasked) else outputs[0]
    if isinstance(found, Unasked):
        return Disagreement(draft.id, draft.recorded, f"{found.reason}: {found.detail}"[:200], "no truth")
    reason = _difference(draft.recorded, found.expected, answer_language(found.tags))
    return Disagreement(draft.id, draft.recorded, found.expected, reason) if reason else None


def _sandboxed(workers: int, require: str) -> Runner:
    def packed(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Packed]]:
        return trace_packed(programs, limits, workers=workers, require=require)

    def run(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Trace]]:
        store = open_store(limits)
        if store is None:
            return ((program, trace_of(one)) for program, one in packed(programs, limits))
        return store.runs(programs, lambda missing: packed(missing, limits))

    return run


def _choose(drafts: list[TaskDraft], benchmark: str, ids: Sequence[str], limit: int) -> list[TaskDraft]:
    if not drafts:
        raise DataError(f"benchmark '{benchmark}' has no tasks")
    twice = [identity for identity, count in Counter(draft.id for draft in drafts).items() if count > 1]
    if twice:
        raise DataError(f"benchmark '{benchmark}': ids that repeat: {', '.join(twice[:5])}")
    unknown = sorted(set(ids) - {draft.id for draft in drafts})
    if unknown:
        raise UserError(
            f"benchmark '{benchmark}' has no {', '.join(unknown[:5])}; "
            f"its ids look like {drafts[0].id}, {drafts[-1].id}"
        )
    chosen = [draft for draft in drafts if draft.id in set(ids)] if ids else drafts
    return chosen[:limit] if limit else chosen


def in_shard(drafts: list[TaskDraft], shard: str) -> list[TaskDraft]:
    """Return the drafts of part "2/8", chosen by the hash of their cluster, or else id; "" = all of them."""
    number, n = shard_of(shard)
    return (
        [draft for draft in drafts if _hash(draft.cluster or draft.id) % n == number - 1] if n > 1 else drafts
    )


def _hash(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def _difference(recorded: str, executed: str, language: str) -> str:
    """Return why two answers differ; "" if they are the same."""
    try:
        a = answer_value(recorded, language=language)
    except BadSource:
        return "the file's text is no literal"
    b = answer_value(executed, language=language)
    if isinstance(a, Raises) or isinstance(b, Raises):
        same = isinstance(a, Raises) and isinstance(b, Raises) and a.type == b.type
        return "" if same else "an exception"
    if equal(a, b, "strict", language=language):
        return ""
    return "another type" if equal(a, b, "lenient", language=language) else "another value"


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
