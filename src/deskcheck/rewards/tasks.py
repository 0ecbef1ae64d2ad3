"""Make tasks for reinforcement learning: questions about fresh generated programs, with the true answers.

    for task in tasks(TaskOptions(questions=("output",), steps=(5, 40), seed=3)): ..
    dataset(TaskOptions(), 1000)     rows for TRL: prompt (messages) and the columns that the rewards read

A reward is sound only if answers without execution earn nothing. Three rules work towards this, and `Counts`
counts the tasks that each rule leaves out:

blind     a task is not asked if its truth is one of the most frequent values (COMMON), an exception, or the
          first argument of the call; a step is not asked if "no change, next line of the text" is right,
          unless its line branches
repeated  among the last WINDOW tasks of a question, no two have the same answer or set a variable of the same
          name to the same value; questions about the next line are exempt
paired    tasks about branching lines (such as the head of an `if` or a loop) come in pairs: one run enters
          the block of the line, the other does not

Every program is compared with the benchmarks (`decontamination.near`) before it is used. Options set the
range of executed lines and the constructs (CONSTRUCTS). Source of the idea of adjustable, verifiable tasks:
Reasoning Gym (arXiv 2505.24760); of stepwise rewards from traces: ExecVerify (arXiv 2603.11226).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct, field

from deskcheck.decontamination.near import program_copy
from deskcheck.errors import UnknownName, UserError
from deskcheck.languages import is_literal, part
from deskcheck.layouts import line_1
from deskcheck.programs.generated import HELD_OUT, candidate, family_of
from deskcheck.questions import Unasked, tasks_of
from deskcheck.records import Program, Task, TaskDraft, Trace
from deskcheck.rewards.step_parts import is_blind, parts_of
from deskcheck.states.steps import head, run_of
from deskcheck.turns.question import text_of
from deskcheck.turns.settings import Settings

STEP = line_1.LAYOUT
"""Question about one step in the notation of a trained layout."""
LINE, VALUE = "next-line", "state"
QUESTIONS = ("output", VALUE, LINE, STEP)
OUTCOME, NEXT_LINE, STATE = "outcome", "next_line", "state"
"""Names of the rewards that a task can pay."""
TAGGED = {
    "en": "You may reason first. End with {form} between [ANSWER] and [/ANSWER], once and nothing after it."
}
BARE = {"en": "The answer is {form}."}
"""Last paragraph of a prompt: TAGGED with marks around the answer, BARE without."""
COMMON = frozenset(
    "None True False 0 1 2 -1 '' [] {} () set() 0.0 ([],'list') ({},'dict') ('','str') (0,'int') (1,'int') "
    "(True,'bool') (False,'bool') (None,'NoneType')".split()
)
"""Answers that are right too often by chance, written without blanks."""
CONSTRUCTS = (
    "for", "while", "if", "try", "comprehension", "index", "slice", "method", "dict", "lambda", "break",
    "continue",
)  # fmt: skip
"""Constructs that a program may be asked to have."""
WINDOW = 256
"""Number of tasks of one question within which no answer is repeated."""
WAITING = 64
"""Most tasks of one question, one kind of line and one outcome that wait for their counterpart; further ones
are left out and counted."""
PATIENCE = 5000
"""Number of programs without a task, or of candidates of one family without a program, after which the
options are refused."""
STEPS_A_RUN = 2
"""Most tasks about single steps of one run."""
FIRST_HELD_OUT = min(HELD_OUT.values())


class TaskOptions(Struct, frozen=True, kw_only=True):
    """Questions to ask, and the programs to ask them about."""

    questions: tuple[str, ...] = QUESTIONS[:3]
    """Names in QUESTIONS; "line-1" is for models that know the layout."""
    steps: tuple[int, int] = (5, 200)
    """Executed lines of a run, from and to (inclusive)."""
    families: tuple[str, ...] = ("easy", "medium", "hard")
    """Families of generated programs; each has its own sizes of values and kinds of statements."""
    contains: tuple[str, ...] = ()
    """Constructs that every program has."""
    without: tuple[str, ...] = ()
    """Constructs that no program has."""
    seed: int = 0
    """Seed from 0 to 899,999; higher numbers belong to evaluations."""


class RewardTask(Struct, frozen=True):
    """One question about one run, with its truth."""

    task_id: str
    kind: str
    """Question, one of QUESTIONS."""
    prompt: list[dict[str, str]]
    """Messages: {"role": .., "content": ..}."""
    expected: str
    """A literal or a step. A task whose truth is an exception is never yielded (`_is_blind`)."""
    pays: list[str]
    """Rewards that this task can pay."""
    copy: str
    """Answer that needs no execution: the first argument of the call, or the next line of the text."""
    steps: int
    """Executed lines of the whole run."""
    family: str


class Counts(Struct):
    """Numbers of generated programs and of their tasks, with those left out."""

    candidates: int = 0
    """Generated programs, those that were left out included."""
    programs: int = 0
    """Programs that were used."""
    near: int = 0
    """Programs too near to a benchmark."""
    unfit: int = 0
    """Generated programs outside of their family or of the options."""
    tasks: int = 0
    dropped: Counter[str] = field(default_factory=Counter)
    """Reason -> tasks: blind, repeated, unpaired, no question."""


def tasks(options: TaskOptions, counts: Counts | None = None, *, tags: bool = True) -> Iterator[RewardTask]:
    """Yield tasks without end. UserError if no program fits the options.

    Without `tags` the prompts ask for the answer alone.
    """
    if not options.questions:
        raise UserError("name at least one question")
    counts = Counts() if counts is None else counts
    balance = Balance(counts)
    since = 0
    for program, trace, family in fresh_runs(options, counts):
        before = counts.tasks
        for kind in options.questions:
            candidates = (
                _steps(program, trace, family)
                if kind == STEP
                else _worded(kind, program, trace, family, TAGGED if tags else BARE)
            )
            for task, line_kind in candidates:
                for paid in balance.balanced(task, line_kind):
                    counts.tasks += 1
                    yield paid
            if not candidates:
                counts.dropped["no question"] += 1
        since = 0 if counts.tasks > before else since + 1
        if since > PATIENCE:
            raise UserError(
                f"{since:,} programs gave no task of {', '.join(options.questions)}; widen steps or families"
            )


def dataset(options: TaskOptions, n: int, counts: Counts | None = None) -> Any:
    """Return the first `n` tasks as a dataset that TRL reads. Needs the library datasets (extra rl)."""
    from deskcheck.rewards.libraries import need

    rows = [msgspec.to_builtins(task) for task, _ in zip(tasks(options, counts), range(n), strict=False)]
    return need("datasets").Dataset.from_list(rows)


def _checked(options: TaskOptions) -> TaskOptions:
    """Return the options. UserError names one that is unknown or out of range."""
    for name in options.questions:
        if name not in QUESTIONS:
            raise UnknownName("question with a reward", name, list(QUESTIONS))
    for name in (*options.contains, *options.without):
        if name not in CONSTRUCTS:
            raise UnknownName("construct", name, list(CONSTRUCTS))
    for name in options.families:
        family_of(name)
    low, high = options.steps
    if not 1 <= low <= high <= 10_000:
        raise UserError(f"steps={low}-{high}: from 1 to 10,000 executed lines, the smaller number first")
    if not options.families:
        raise UserError("name at least one family")
    if not 0 <= options.seed < FIRST_HELD_OUT:
        raise UserError(f"seed={options.seed}: from {FIRST_HELD_OUT:,} on they belong to evaluations")
    return options


def fresh_runs(options: TaskOptions, counts: Counts) -> Iterator[tuple[Program, Trace, str]]:
    """Yield fresh programs that fit the options, with trace and family, from each family in turn.

    UserError if an option is out of range, or if no program fits.
    """
    _checked(options)
    dials = [
        # Because of the other name, these are not the programs of the benchmark `fresh` with the same seed.
        msgspec.structs.replace(family_of(name), name=f"rewards-{name}", steps=options.steps)
        for name in options.families
    ]
    number, since = 0, 0
    while True:
        family, name = dials[number % len(dials)], options.families[number % len(dials)]
        drawn = candidate(family, options.seed, number // len(dials))
        number += 1
        since += 1
        counts.candidates += 1
        if since > PATIENCE * len(dials):
            raise UserError(
                f"{since:,} candidates of {', '.join(options.families)} kept no program with "
                f"{options.steps[0]}-{options.steps[1]} steps; widen steps, contains or without"
            )
        if drawn is None or not _fits(*drawn, options):
            counts.unfit += 1
        elif program_copy(drawn[0]) is not None:
            counts.near += 1
        else:
            since = 0
            counts.programs += 1
            yield *drawn, name


def _fits(program: Program, trace: Trace, options: TaskOptions) -> bool:
    if not options.steps[0] <= trace.n_steps <= options.steps[1]:
        return False
    has: set[str] = part(program.language, "constructs")(program.source)
    return set(options.contains) <= has and not set(options.without) & has


LinedTasks = list[tuple[RewardTask, str]]
"""Tasks, each with its kind of line ("For", "If", ..) if that is a branching line, else ""."""


def _worded(kind: str, program: Program, trace: Trace, family: str, how: dict[str, str]) -> LinedTasks:
    """Return tasks in words, as the question of this kind makes them; [] if it does not fit the run."""
    found = tasks_of(kind, TaskDraft(program.id, program, "", program.id), trace, benchmark="rewards")
    if isinstance(found, Unasked):
        return []
    turns = _turns(program)
    tasks = []
    for task in found:
        line_kind, copy = "", _argument(program)
        if kind == LINE:
            at = int(task.id.rpartition("@")[2].partition(".")[0])
            line_kind, copy = turns.get(at, ""), str(at + 1)
            if not line_kind:  # no branching line, so the text shows the next line
                continue
        pays = NEXT_LINE if kind == LINE else OUTCOME
        tasks.append((_task(task, kind, family, copy, pays, text_of(task, how, Settings())), line_kind))
    return tasks


def _task(task: Task, kind: str, family: str, copy: str, pays: str, prompt: str) -> RewardTask:
    return RewardTask(
        task_id=task.id,
        kind=kind,
        prompt=[{"role": "user", "content": prompt}],
        expected=task.expected,
        pays=[pays],
        copy=copy,
        steps=task.truth.n_steps,
        family=family,
    )


def _steps(program: Program, trace: Trace, family: str) -> LinedTasks:
    """Return tasks about single steps, from the true state before each."""
    turns = _turns(program)
    run = run_of(trace)
    tasks: LinedTasks = []
    for number in sorted(range(len(run)), key=lambda n: hash_of(f"{program.id}:{n}")):
        before, step, _ = run[number]
        line = before.frames[-1].line if before.frames else 0
        line_kind = turns.get(line, "") if step.mark == "@" and before.frames[-1].mark == "@" else ""
        pays = [STATE] if parts_of(step) else []
        if line_kind:
            pays.append(NEXT_LINE)
        elif is_blind(before, step) or not pays:  # a step that changes nothing pays nothing
            continue
        task = RewardTask(
            task_id=f"{program.id}@{number}",
            kind=STEP,
            prompt=[
                {"role": "system", "content": head(STEP, program)},
                {"role": "user", "content": line_1.body(before, program)},
            ],
            expected=str(step),
            pays=pays,
            copy=f"@{line + 1}",
            steps=trace.n_steps,
            family=family,
        )
        tasks.append((task, line_kind))
        if len(tasks) == STEPS_A_RUN:
            break
    return tasks


def hash_of(text: str) -> str:
    """Hash a text, for an order that is the same everywhere and independent of the text's meaning."""
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()


def _turns(program: Program) -> dict[int, str]:
    """Return line -> kind of statement, for branching lines."""
    kinds: dict[int, str] = part(program.language, "branching")(program.source)
    return kinds


def _argument(program: Program) -> str:
    """Return the first argument of the call if it is a literal, else "None"."""
    first: str = part(program.language, "first_argument")(program.arguments)
    return first if is_literal(first) else "None"


class Balance:
    """Filter for the three rules above: it passes a task, holds it for its counterpart, or drops it."""

    def __init__(self, counts: Counts) -> None:
        self.counts = counts
        self.recent: dict[str, deque[frozenset[str]]] = {}
        self.seen: dict[str, set[str]] = {}
        self.waiting: dict[tuple[str, str, bool], deque[RewardTask]] = {}

    def balanced(self, task: RewardTask, line_kind: str) -> list[RewardTask]:
        """Return [task], or a pair of tasks if the task's counterpart was waiting, else [].

        [] means that the task is dropped, or waits for its counterpart. `line_kind` is the kind of its
        branching line, "" for other tasks.
        """
        if OUTCOME in task.pays and self._is_blind(task):
            self.counts.dropped["blind"] += 1
            return []
        if not line_kind:
            return [task] if self._is_new(task) else []
        enters = task.expected.partition(" | ")[0].removeprefix("@") == task.copy.removeprefix("@")
        mine = self.waiting.setdefault((task.kind, line_kind, enters), deque())
        others = self.waiting.setdefault((task.kind, line_kind, not enters), deque())
        if len(mine) >= WAITING:
            self.counts.dropped["unpaired"] += 1
            return []
        if not self._is_new(task):
            return []
        if not others:
            mine.append(task)
            return []
        return [others.popleft(), task]

    def _is_blind(self, task: RewardTask) -> bool:
        bare = task.expected.replace(" ", "")
        if bare in COMMON:
            return True
        copy = task.copy.replace(" ", "")
        is_copy = bare.startswith(f"({copy},'") if task.kind == VALUE else bare == copy
        return is_copy or bare.startswith("raises")

    def _is_new(self, task: RewardTask) -> bool:
        """Return whether no recent task has an answer, or a changed variable, in common with this one."""
        own = _marks(task)
        if not own:
            return True
        seen = self.seen.setdefault(task.kind, set())
        if own & seen:
            self.counts.dropped["repeated"] += 1
            return False
        recent = self.recent.setdefault(task.kind, deque())
        recent.append(own)
        seen |= own
        if len(recent) > WINDOW:
            seen -= recent.popleft()
        return True


def _marks(task: RewardTask) -> frozenset[str]:
    """Return what must not be repeated: an answer, or every part of a step; nothing for a next line."""
    if task.kind == LINE:
        return frozenset()
    if task.kind != STEP:
        return frozenset([task.expected.replace(" ", "")])
    from deskcheck.states.parse import read_step

    return frozenset(f"{name}={value}" for name, value in parts_of(read_step(task.expected)).items())
