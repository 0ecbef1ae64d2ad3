"""Turn the argument of `deskcheck view` into a View (the content of a page).

view_of_program(TraceRequest("a.py", call="f(3)"), program_of=program_of) -> View
view_of_traces("shard.parquet", which="3") -> View
view_of_task("logs", "sample_5", max_steps=1000) -> View       a task of an evaluation: all models' answers
view_of_saved("answers.jsonl.gz", "cruxeval", "cruxeval.jsonl", "sample_5", max_steps=1000) -> View
kind_of("a.py") -> "program"
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.cell_files import CELL, Sampled, cell_folders, read_cell, read_samples
from deskcheck.errors import BadSource, DataError, UserError
from deskcheck.file_requests import is_foreign, run_request
from deskcheck.format.buffers import trace_of
from deskcheck.grading.verdict import grade
from deskcheck.importers import SavedRun, read_places
from deskcheck.languages import offers
from deskcheck.records import Granularity, Limits, Program, TaskDraft, Trace
from deskcheck.strategies import says
from deskcheck.tracers import trace_packed
from deskcheck.tracing.access import has_native
from deskcheck.tracing.collect import Recorded, TraceRequest
from deskcheck.tracing.literal import is_plain, outcome_text
from deskcheck.tracing.packed import is_run, read_run
from deskcheck.tracing.printing import printed_at
from deskcheck.tracing.program import make_program, split_call
from deskcheck.tracing.redaction.redactor import Redactor
from deskcheck.viewer.belief import ModelRun, chain_in
from deskcheck.viewer.document import View

_MOST_EXPRESSION_STEPS, _MOST_INSTRUCTION_STEPS = 20_000, 5_000  # steps of runs that are recorded finer, too
_MOST_NAMED = 5  # programs of one origin that are named


def kind_of(path: str) -> str:
    """Return the kind of a file or folder: dataset, evaluation, answers, trace or program.

    Its name or its content tells. UserError if it does not exist or is a folder of another kind.
    """
    place = Path(path)
    if not place.exists():
        raise UserError(f"no such file or folder: {path}")
    if place.is_dir():
        if (place / "manifest.jsonl").exists():
            return "dataset"
        if next(place.glob(f"**/{CELL}"), None) is not None:
            return "evaluation"
        raise UserError(
            f"{path} is neither a dataset (manifest.jsonl) nor a log folder ({CELL}): name one, a program's "
            "file or a saved trace"
        )
    if place.suffix in (".jsonl", ".json", ".gz"):
        return "answers"
    if place.suffix in (".deskcheck", ".parquet"):
        return "trace"  # even a damaged one is no program
    with open(place, "rb") as file:
        return "trace" if file.read(4) == b"PAR1" or is_run(place) else "program"


def view_of_program(request: TraceRequest, *, program_of: Callable[[TraceRequest], Program]) -> View:
    """Run a program; in the sandbox a short run is also recorded by expressions and instructions.

    A trusted program runs once, because it may change files: expression by expression.
    """
    if request.is_trusted and has_native():
        request = replace(request, granularity="expression")
    limits = Limits(max_steps=request.max_steps, time_s=request.time_limit_s or Limits().time_s)
    first = run_request(request, program_of=program_of)
    steps = first.packed.n_steps
    if is_foreign(request):  # its tracer tells what was printed when
        has_finer = Granularity.EXPRESSION in _levels(first.program.language)
        if has_finer and 0 < steps <= _MOST_EXPRESSION_STEPS:
            by_expression = run_request(replace(request, granularity="expression"), program_of=program_of)
            first = by_expression if _is_same(by_expression, first) else first
        return View(first.program, [first.in_memory()], first.output, printed=[first.printed])
    if request.is_trusted or not has_native() or not 0 < steps <= _MOST_EXPRESSION_STEPS:
        return _view([first], limits)
    finer = ["expression", *(["instruction"] if steps <= _MOST_INSTRUCTION_STEPS else [])]
    recorded = [run_request(replace(request, granularity=name), program_of=program_of) for name in finer]
    same = [each for each in recorded if _is_same(each, first)]
    return _view(same or [first], limits)


def without_secrets(view: View, *, option: str = "--no-redact") -> View:
    """Return a View without the secrets of its program and runs (`redaction`)."""
    redactor = Redactor.here(option)
    redactor.learn(view.program, view.traces, output=view.output)
    program = redactor.program(view.program)
    output, text = redactor.printed(view.output), redactor.text
    runs = [
        replace(
            run,
            chain=list(map(text, run.chain)),
            answer=text(run.answer),
            expected=text(run.expected),
            text=text(run.text),
        )
        for run in view.runs
    ]
    notes = list(map(text, view.notes))
    traces = [redactor.trace(trace, program.id) for trace in view.traces]
    if not redactor.n_hidden:
        return view
    return replace(view, program=program, traces=traces, output=output, runs=runs, notes=notes)


def _is_same(recorded: Recorded, first: Recorded) -> bool:
    """Whether two runs of one program have the same number of steps and the same kind of outcome."""
    mine, other = recorded.packed, first.packed
    return mine.n_steps == other.n_steps and type(mine.outcome) is type(other.outcome)


def _view(recorded: list[Recorded], limits: Limits) -> View:
    first = recorded[0]
    traces = [each.in_memory() for each in recorded]
    if not first.output or not has_native():
        return View(first.program, traces, first.output)
    told = [
        printed_at(first.program, limits, trace.granularity, first.output, len(trace.events.kind))
        for trace in traces
    ]
    if {output for output, _ in told} != {told[0][0]} or not told[0][0]:
        return View(first.program, traces, first.output)
    return View(first.program, traces, told[0][0], printed=[places for _, places in told])


def view_of_traces(path: str, which: str) -> View:
    """Return the View of a saved run, or of one trace of a dataset.

    `which`: number of the trace from 0, program id, or origin if no other program has it; "" = the only or
    first one of a file. UserError if a dataset has no such trace or none is named.
    """
    if Path(path).is_file() and (is_run(path) or path.endswith(".deskcheck")):
        program, packed = read_run(path)
        return View(program or _unknown(packed.program_id), [trace_of(packed)], notes=_notes(program))
    from deskcheck.format.shards import read_packed

    n_rows = 0
    of_origin: dict[int, View] = {}
    for number, (program, packed) in enumerate(read_packed(path)):
        n_rows += 1
        if which in ("", str(number), packed.program_id):
            if not which and Path(path).is_dir():
                break
            return View(program or _unknown(packed.program_id), [trace_of(packed)], notes=_notes(program))
        if program and program.origin == which and len(of_origin) < _MOST_NAMED:
            of_origin[number] = View(program, [trace_of(packed)])
    if len(of_origin) == 1:
        return next(iter(of_origin.values()))
    if of_origin:
        numbers = ", ".join(map(str, of_origin))
        raise UserError(f"{path} has several programs of {which!r}; name one by its number: {numbers}, ..")
    if not n_rows:
        raise DataError(f"{path} holds no trace")
    if not which:
        raise UserError(f"{path} is a dataset: name one program: --task NUMBER (from 0) or its id")
    raise UserError(f"{path} has no program {which!r}; it holds {n_rows}, numbered from 0")


def _notes(program: Program | None) -> list[str]:
    return [] if program else ["This trace was saved without its program: its source cannot be shown."]


def _unknown(program_id: str) -> Program:
    return Program(program_id, "python", "", "?", "", "", "unknown")


def view_of_task(path: str, task: str, *, max_steps: int) -> View:
    """Return the View of one task: answers of all models in a log folder, beside a new true run.

    UserError if the folder has no such task, or if the run cannot be made again.
    """
    asked: dict[str, list[tuple[ModelRun, Sampled]]] = {}
    for folder in cell_folders(Path(path)):
        row = read_cell(folder).row
        for sample in read_samples(folder):
            asked.setdefault(sample.task, []).append(
                (run_of_answer(f"{row.model}, {row.strategy}", row.strategy, sample), sample)
            )
    if task not in asked:
        wrong = [name for name, found in asked.items() if any(each.verdict == "wrong" for _, each in found)]
        known = ", ".join([*wrong, *(name for name in asked if name not in set(wrong))][:8])
        raise UserError(f"{path} has {len(asked)} tasks; name one: --task ID (wrong ones first: {known}, ..)")
    limits = Limits(max_steps=max_steps)
    levels = _levels(asked[task][0][1].tags.get("language", "python"))
    view = next((view for _, view in views_of_answers({task: asked[task]}, limits, levels=levels)), None)
    if view is None:
        raise UserError(
            f"{task}: its call {asked[task][0][1].call!r} cannot be made again, so there is no run to show"
        )
    if view.traces[0].n_steps == 0:
        raise UserError(f"{task}: the run cannot be made again ({view.traces[0].outcome})")
    return view


def view_of_saved(path: str, benchmark: str, data: str, task: str, *, max_steps: int) -> View:
    """Return the View of one task: saved answers of one or more models, beside a new true run.

    UserError without a benchmark, or if the file or the benchmark has no such task.
    """
    try:
        saved = read_places([path])
    except UserError as error:
        if "--importer" not in str(error):
            raise
        raise UserError(f"{error}; view has no such options: deskcheck grade has them") from None
    if not benchmark:
        raise UserError(f"{path} holds answers: name what they answer: --benchmark cruxeval --data FILE")
    runs = [run for run in saved if run.kind in ("", "output") and run.texts]
    if not any(task in run.texts for run in runs):
        known = ", ".join([*dict.fromkeys(name for run in runs for name in run.texts)][:5])
        raise UserError(f"{path} has no answer to task {task!r}; name one: --task ID ({known}, ..)")
    drafts = plugins.load("benchmark", benchmark).drafts(data)
    draft = next((one for one in drafts if isinstance(one, TaskDraft) and one.id == task), None)
    if draft is None:
        raise UserError(f"benchmark '{benchmark}' has no task {task!r}")
    limits = Limits(max_steps=max_steps)
    traces = [
        trace_of(packed)
        for level in _levels(draft.program.language)
        for _, packed in trace_packed([draft.program], limits, granularity=level, workers=1)
    ]
    expected = outcome_text(traces[0]) if is_plain(traces[0]) else ""
    answers = [
        _run_of_saved(run, task, at, expected) for run in runs for at in range(len(run.texts.get(task, [])))
    ]
    return View(draft.program, traces, runs=answers, task=task)


def _run_of_saved(saved: SavedRun, task: str, at: int, expected: str) -> ModelRun:
    reply = saved.texts[task][at]
    name = f"{saved.model}, {saved.strategy}" + (f", sample {at}" if at else "")
    text = saved.whole[task][at] if saved.whole else reply
    found = grade(saved.in_our_marks(reply), expected=expected) if expected else None
    if found is None:
        return ModelRun(name, chain_in(text), text=text)
    return ModelRun(name, chain_in(text), found.answer, expected, found.verdict, text)


def views_of_answers(
    asked: dict[str, list[tuple[ModelRun, Sampled]]],
    limits: Limits,
    *,
    levels: Sequence[Granularity] = (Granularity.LINE,),
) -> Iterator[tuple[str, View]]:
    """Yield each task with the View of its answers, beside a new true run in the sandbox.

    Tasks whose program cannot be called again are left out.
    """
    programs: dict[str, Program] = {}
    for task, answers in asked.items():
        sample = answers[0][1]
        try:
            programs[task] = _program_of(sample, task)
        except (BadSource, SyntaxError, ValueError):
            continue
    traces: dict[str, list[Trace]] = {task: [] for task in programs}
    for level in levels:
        recorded = trace_packed(list(programs.values()), limits, granularity=level, workers=1)
        for task, (_, packed) in zip(programs, recorded, strict=True):
            traces[task].append(trace_of(packed))
    for task, program in programs.items():
        runs = [run for run, _ in asked[task]]
        sample, steps = asked[task][0][1], traces[task][0].n_steps
        yield task, View(program, traces[task], runs=runs, task=task, notes=_told_otherwise(sample, steps))


def _program_of(sample: Sampled, task: str) -> Program:
    """Make the program of a stored answer again. BadSource or ValueError if it cannot be called."""
    language = sample.tags.get("language", "python")
    if language == "python":
        entry, arguments = split_call(sample.call, sample.source, file=task)
    else:  # as `Program.call` writes it
        entry, _, rest = sample.call.partition("(")
        arguments = rest.removesuffix(")")
    return make_program(sample.source, entry, arguments, origin=f"evaluation:{task}", language=language)


def _levels(language: str) -> list[Granularity]:
    """Return the granularities of a page: expressions too where the tracer has them."""
    finer = has_native() if language == "python" else offers(language, "expressions")
    return [Granularity.LINE, *([Granularity.EXPRESSION] if finer else [])]


def _told_otherwise(sample: Sampled, steps: int) -> list[str]:
    if steps == sample.n_steps:
        return []
    return [
        f"In the evaluation this run had {sample.n_steps:,} steps, here it has {steps:,}: "
        "the log does not hold the prelude of its benchmark."
    ]


def run_of_answer(name: str, strategy: str, sample: Sampled) -> ModelRun:
    """Return one answer as a ModelRun, with its recorded states or else those found in its reply."""
    return ModelRun(
        f"{name}, sample {sample.sample}" if sample.sample else name,
        sample.chain or chain_in(sample.text),
        answer=sample.answer,
        expected=sample.expected,
        verdict=sample.reason or sample.verdict,
        text=sample.text,
        form=_form(strategy.partition("(")[0]),
    )


@cache  # called for each answer of a report
def _form(strategy: str) -> str:
    """Return the form of the states that a strategy writes, as its file declares it; default "states"."""
    return says(strategy, "WRITES") or ("jumps" if says(strategy, "CHAIN") == "jumps" else "states")


def run_of_reply(path: str) -> ModelRun:
    """Read a saved reply as a ModelRun: one state per line, or frames. DataError if it cannot be read."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig", errors="surrogateescape")
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}") from None
    return ModelRun(Path(path).stem, chain_in(text), text=text)
