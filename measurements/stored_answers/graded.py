"""Every stored answer of the data folder with a verdict, a run at a time.

    livecodebench(folder) -> (tasks, [Run(..)])       43 runs of outputs, 205,970 answers
    predicted_inputs(folder) -> [Run]                 21 runs, executed in the sandbox, 100,590 answers
    cruxeval, qwen, cruxeval_x, exerscope             the other sources; RE2-Bench: re2.py
    leaderboard(folder, tasks) -> [Run]               35 models, verdicts without answers

A run keeps counts and wrong answers, no replies: all runs together fit in a few hundred MB.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from deskcheck.errors import BadSource
from deskcheck.evaluation.grade import Difference, Graded, grade_saved
from deskcheck.evaluation.sample_records import judge_all
from deskcheck.evaluation.truth import TaskSet, build_tasks
from deskcheck.importers import SavedRun, read_place, read_single
from deskcheck.importers import exerscope as exerscope_marks
from deskcheck.languages import parse_literal
from deskcheck.records import Answer, NoAnswer, Score, Task
from deskcheck.report import breakdown
from deskcheck.report.breakdown import Answered
from deskcheck.solutions.answers import execute

OLD, NEW = "2023/24", "2025/26"


class Run(Struct, frozen=True):
    """One model, asked in one way."""

    source: str
    model: str
    way: str
    """"direct", "cot", .."""
    years: str
    """Of the model: OLD or NEW."""
    tasks: list[Answered]
    n_answers: int
    """Read from the files; verdicts without answers count 0."""
    n_stored: int = 0
    n_published: int = 0
    """Stored verdicts that say right."""
    differs: Counter[str] = field(default_factory=Counter)
    """Why verdicts differ from the source's -> how many."""

    @property
    def name(self) -> str:
        """Model and way."""
        return f"{self.model}+cot" if self.way == "cot" else self.model


def livecodebench(folder: Path) -> tuple[TaskSet, list[Run]]:
    """The output runs."""
    tasks = build_tasks("livecodebench-exec", data=str(folder / "problems.jsonl"))
    files = sorted(file for file in (folder / "generations").iterdir() if ".json" in file.name)
    known = measured(tasks.tasks)
    return tasks, [_graded("LiveCodeBench", read_single(file), tasks, known) for file in files]


def predicted_inputs(folder: Path, workers: int) -> list[Run]:
    """The input runs: the source's rule, so a text without the call is no answer and any expression runs."""
    tasks = build_tasks("livecodebench-exec", kind="input", data=str(folder / "problems.jsonl"))
    runs = [read_single(file) for file in sorted((folder / "generations-input").iterdir())]
    return _executed("LiveCodeBench, input", runs, tasks, workers)


def cruxeval(folder: Path, workers: int) -> list[Run]:
    """CodeLlama-7B: outputs and inputs, each with the verdicts of the scored file."""
    data = str(folder / "cruxeval.jsonl")
    name = "sample_scored_codellama-7b_temp0.2_{}.json"
    outputs = build_tasks("cruxeval", data=data)
    saved = replace(read_single(folder / name.format("output")), model="CodeLlama-7B", strategy="direct")
    inputs = replace(read_single(folder / name.format("input")), model="CodeLlama-7B", strategy="direct")
    asked = build_tasks("cruxeval", kind="input", data=data)
    return [
        _graded("CRUXEval", saved, outputs, measured(outputs.tasks)),
        *_executed("CRUXEval, input", [inputs], asked, workers),
    ]


QWEN = (("7b", "output"), ("7b", "input"), ("1.5b", "output"))


def qwen(folder: Path, data: Path, workers: int) -> list[Run]:
    """Qwen2.5-Coder, base models: what the project took from each reply, with its verdicts."""
    outputs = build_tasks("cruxeval", data=str(data))
    inputs = build_tasks("cruxeval", kind="input", data=str(data))
    known = measured(outputs.tasks)
    runs = []
    for size, asked in QWEN:
        file = folder / f"{size}-{asked}-completion_scored.json.gz"
        saved = replace(read_single(file), model=f"Qwen2.5-Coder-{size.upper()}", strategy="cot")
        if asked == "input":
            runs += _executed("CRUXEval, input", [saved], inputs, workers)
        else:
            run = _graded("CRUXEval", saved, outputs, known)
            runs.append(replace(run, differs=_bare_tuples(outputs, saved, run.differs)))
    return runs


def _bare_tuples(tasks: TaskSet, saved: SavedRun, differs: Counter[str]) -> Counter[str]:
    """Name the difference of a tuple without parentheses, of which an assertion sees the head alone."""
    found = grade_saved(tasks, saved, policy="published").differences
    bare = [
        one for one in found if one.why == "unexplained" and one.verdict == "right" and _is_bare(one.text)
    ]
    named = Counter({"a bare tuple, whose tail the source's assertion takes for a message": len(bare)})
    return +(differs - Counter({"unexplained": len(bare)}) + named)


def _is_bare(text: str) -> bool:
    try:
        value = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError):
        return False
    return isinstance(value, ast.Tuple) and bool(value.elts) and value.col_offset == value.elts[0].col_offset


def exerscope(folder: Path, problems: Path) -> list[tuple[Run, Run]]:
    """Each model by the source's rule and by ours (typed equality, level `usual`)."""
    tasks = build_tasks("cruxeval", data=str(problems))
    known = measured(tasks.tasks)
    found = []
    for saved in read_place(folder):
        if saved.only_verdicts:
            continue
        asked = replace(saved, strategy="cot")
        theirs = _graded("ExeRScope", asked, tasks, known)
        strict = grade_saved(tasks, asked, policy="strict")
        why = Counter(_why_by_text(one, saved.taken[one.task_id][0]) for one in strict.differences)
        ours = _run("ExeRScope", asked, tasks.tasks, strict.scores, known, strict.n_stored, why)
        found.append((theirs, ours))
    return found


def _why_by_text(one: Difference, taken: str) -> str:
    """Why a comparison of texts without blanks and one of typed values differ."""
    if one.verdict == "no answer":
        return "a text without proper quotes is no literal"
    if one.verdict == "wrong":
        return "blanks or quotes inside a text count"
    said = taken.removeprefix(exerscope_marks.MARKS[0]).removesuffix(exerscope_marks.MARKS[1])
    if said.strip() == parse_literal(one.expected):
        return "a text without quotes between the marks is that text"
    try:
        same = parse_literal(said.strip()) == parse_literal(one.expected)
    except BadSource:
        same = False
    return "the same value, written otherwise" if same else "the source took another part of the reply"


def cruxeval_x_runs(folder: Path) -> list[Run]:
    """phi-1 in three languages; only outputs have a verdict here, as nothing runs the other languages."""
    runs = []
    for file in sorted((folder / "phi-1").iterdir()):
        language, _, asked = file.name.partition(".")[0].partition("_")
        saved = read_single(file)
        n_answers = sum(map(len, saved.texts.values()))
        if asked == "input":
            runs.append(Run("CRUXEval-X, input", f"phi-1 {language}", "direct", OLD, [], n_answers))
            continue
        tasks = build_tasks("cruxeval-x", data=str(folder / f"{language}.jsonl.gz"))
        run = _graded("CRUXEval-X", replace(saved, model=f"phi-1 {language}"), tasks, {}, policy="strict")
        n = sum(run.differs.values())
        differs = Counter({"the language compares values of two types": n}) if n else Counter()
        runs.append(replace(run, differs=differs))
    return runs


def leaderboard(folder: Path, tasks: TaskSet) -> list[Run]:
    """Verdicts of LiveCodeBench's page on the same tasks."""
    known = measured(tasks.tasks)
    return [
        Run(
            "LiveCodeBench's page", saved.model, saved.strategy, OLD,
            [_answered(task, _verdicts(saved, task), [], known) for task in tasks.tasks], 0,
        )
        for saved in read_place(folder / "performances-execution.jsonl.gz")
    ]  # fmt: skip


def measured(tasks: Iterable[Task]) -> dict[str, breakdown.Measures | None]:
    """Measures of each program, taken once for all runs."""
    return {task.id: breakdown.measured(task.program.source) for task in tasks}


def _verdicts(saved: SavedRun, task: Task) -> list[str]:
    return ["right" if verdict else "wrong" for verdict in saved.stored.get(task.id, [])]


def _graded(
    source: str,
    saved: SavedRun,
    tasks: TaskSet,
    known: dict[str, breakdown.Measures | None],
    policy: str = "published",
) -> Run:
    graded: Graded = grade_saved(tasks, saved, policy=policy)
    why = Counter(one.why for one in graded.differences)
    return _run(source, saved, tasks.tasks, graded.scores, known, graded.n_stored, why)


def _run(
    source: str,
    saved: SavedRun,
    tasks: list[Task],
    scores: list[Score],
    known: dict[str, breakdown.Measures | None],
    n_stored: int,
    differs: Counter[str],
) -> Run:
    by_task: dict[str, list[Score]] = {}
    for score in scores:
        if score.reason != "not_asked":
            by_task.setdefault(score.task_id, []).append(score)
    answered = [
        _answered(
            task,
            [score.verdict for score in by_task[task.id]],
            [score.answer for score in by_task[task.id] if score.verdict == "wrong"],
            known,
        )
        for task in tasks
        if task.id in by_task
    ]
    n_answers = sum(map(len, saved.texts.values()))
    n_published = sum(bool(verdict) for verdicts in saved.stored.values() for verdict in verdicts)
    return Run(source, saved.model, saved.strategy, OLD, answered, n_answers, n_stored, n_published, differs)


def _answered(
    task: Task, verdicts: list[str], wrong: list[str], known: dict[str, breakdown.Measures | None]
) -> Answered:
    return Answered(
        task=task.id,
        cluster=task.cluster,
        steps=task.truth.n_steps,
        verdicts=verdicts,
        expected=task.expected,
        wrong=wrong,
        measures=known.get(task.id),
        tags=task.tags,
    )


def _executed(source: str, runs: list[SavedRun], tasks: TaskSet, workers: int) -> list[Run]:
    """All runs in one go, so that a text that many models gave is run once."""
    by_id = {task.id: task for task in tasks.tasks}
    asked = [
        (by_id[identity], sample, _call(by_id[identity], text))
        for run in runs
        for identity, texts in run.texts.items()
        for sample, text in enumerate(texts)
    ]
    scores = iter(judge_all(asked, policy="published", run=partial(execute, whole=True, workers=workers)))
    known = measured(tasks.tasks)
    found = []
    for run in runs:
        own = [next(scores) for texts in run.texts.values() for _ in texts]
        known_verdicts = [score for score in own if run.stored]
        differs = Counter(
            _why_executed(by_id[score.task_id].program.source)
            for score in known_verdicts
            if (score.verdict == "right") != run.stored[score.task_id][score.sample]
        )
        found.append(_run(source, run, tasks.tasks, own, known, len(known_verdicts), differs))
    return found


def _why_executed(source: str) -> str:
    """Why an executed input is right here and wrong there, as far as the program shows it."""
    newer = ".removeprefix(" in source or ".removesuffix(" in source
    return (
        "scored by a Python before 3.9, which lacks removeprefix and removesuffix" if newer else "unexplained"
    )


def _call(task: Task, text: str) -> Answer | NoAnswer:
    if f"{task.program.entry}(" not in text:
        return NoAnswer("unparsable", "holds no call")
    return Answer(text)
