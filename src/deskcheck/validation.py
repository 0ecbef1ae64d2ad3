"""Check benchmarks and environments without a model: only the true answer may earn anything.

    checks_of_benchmark("core", "")     -> [Check("core, output", n={..}, paid={"truth": 50, "echo": 0}), ..]
    checks_of_rewards()                 -> the same for the rewards and environments of `deskcheck.rewards`

Up to six kinds of answer are given to each task: the true one, the prompt again (or its program and call),
the true answer of another task, code that reads a decoy file which says "right", `nan` and `inf`. Each reply
is read and graded as a model's would be. A benchmark's task whose true answer contains `nan` or `inf` does
not get that one. A task whose answers are executed (`input`) gets neither of the two, nor another task's
answer.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from msgspec import Struct

from deskcheck.evaluation.sample_records import judge_all
from deskcheck.evaluation.truth import build_tasks
from deskcheck.grading.verdict import answer_of
from deskcheck.records import Completion, Task
from deskcheck.rewards import functions
from deskcheck.rewards.functions import RewardFunction
from deskcheck.rewards.openenv import Episodes
from deskcheck.rewards.procedural import entry_of, score
from deskcheck.rewards.tasks import QUESTIONS, STEP, RewardTask, TaskOptions, tasks
from deskcheck.rewards.trl_environment import ExecutionEnvironment
from deskcheck.turns.question import source_of

N = 50
"""Number of tasks of a benchmark, from the start, that are checked for each kind of question."""
KINDS = ("output", "input", "state", "next-line")
SHIPPED = ("core", "easy", "fresh", "long", "classic", "real", "written")
"""Benchmarks that need no file."""
FOLDERS = ("reval",)
"""Benchmarks whose data are a folder."""
ATTACKS = ("echo", "another task's", "decoy file", "nan", "inf")
DECOYS = ("reward.txt", "answer.txt", "result.json", "verdict.json")
"""Files in the current folder during the check; their content says that the answer is right."""


class Check(Struct, frozen=True):
    """How often each kind of answer earned anything; a task may get several replies of one kind."""

    name: str
    n: dict[str, int]
    """Kind of answer -> replies of this kind that were graded."""
    paid: dict[str, int]
    """Kind of answer -> replies that earned anything; for "truth" those that earned all."""

    @property
    def failures(self) -> list[str]:
        """The kinds of answer that did not earn what they should."""
        unpaid = [] if self.paid["truth"] == self.n["truth"] else ["truth"]
        return unpaid + [name for name in ATTACKS if self.paid.get(name, 0)]


@contextlib.contextmanager
def decoys() -> Iterator[None]:
    """Run the block in a folder of files that claim a right answer."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="deskcheck-validate-") as folder:
        for name in DECOYS:
            text = '{"reward": 1, "verdict": "right"}' if name.endswith("json") else "1"
            (Path(folder) / name).write_text(text, encoding="utf-8")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def in_marks(text: str) -> str:
    """Return a reply that gives this answer in the usual marks."""
    return f"[ANSWER]{text}[/ANSWER]"


def at_hand(folder: str) -> tuple[list[tuple[str, str]], list[str]]:
    """Return (benchmark, place of its data) for each one that can be checked, and the names of the others.

    `folder`: folder of public data, "" = none. The place is "" for a benchmark that needs no file.
    """
    from deskcheck.dataset.published import FILES

    there = [(name, "") for name in SHIPPED]
    missing = []
    for name, files in FILES.items():
        places = [Path(folder) / file for file in files if folder and (Path(folder) / file).is_file()]
        place = places[0].parent if places and name in FOLDERS else next(iter(places), None)
        if place is None:
            missing.append(f"{name} ({files[0]})")
        else:
            there.append((name, str(place)))
    return there, missing


def checks_of_benchmark(name: str, data: str) -> list[Check]:
    """Return a check for each kind of question that the benchmark can ask. `data`: place of its data."""
    checks = []
    for kind in KINDS:
        built = build_tasks(name, data=data, kind=kind, limit=N).tasks
        if checked := [task for task in built if _is_checked(task)]:
            checks.append(_checked(f"{name}, {kind}", checked))
    return checks


def _is_checked(task: Task) -> bool:
    """Whether the truth can be given as a value, or as the program's own call."""
    return task.grading in ("value", "executed")


def truth_of(task: Task) -> str:
    """Return the text of a right answer: the true value, or for inputs the program's own call."""
    return task.program.call if task.grading == "executed" else task.expected


def _checked(name: str, asked: Sequence[Task]) -> Check:
    """Grade the replies to these tasks; count for each kind of answer those that earned anything."""
    given: list[tuple[str, Task, str]] = []
    for number, task in enumerate(asked):
        given.append(("truth", task, in_marks(truth_of(task))))
        given.append(("echo", task, f"{source_of(task)}\n\nCall: {task.call}"))
        others = [truth_of(one) for one in (*asked[number + 1 :], *asked[:number])]
        if task.grading == "value":
            others = [text for text in others if _differ(text, task.expected)]
            if others:
                given.append(("another task's", task, in_marks(others[0])))
        for decoy_name in DECOYS:
            given.append(("decoy file", task, in_marks(f"open({decoy_name!r}).read()")))
        for value in ("nan", "inf"):
            if task.grading == "value" and value not in task.expected:
                given += [(value, task, in_marks(text)) for text in (value, f"float('{value}')")]
    answered = [
        (task, number, answer_of(task, Completion(reply, "stop")))
        for number, (_, task, reply) in enumerate(given)
    ]
    with decoys():
        scores = judge_all(answered, policy="strict")
    n: dict[str, int] = {}
    paid: dict[str, int] = {}
    for (answer, _, _), graded in zip(given, scores, strict=True):
        n[answer] = n.get(answer, 0) + 1
        paid[answer] = paid.get(answer, 0) + (graded.verdict == "right")
    return Check(name, n, paid)


def _differ(first: str, other: str) -> bool:
    return "".join(first.split()) != "".join(other.split())


Scorer = Callable[[RewardTask, str, int], float | None]
"""Task, reply and number of the task in its stream -> reward; None if the reward does not apply."""


def checks_of_rewards() -> list[Check]:
    """Return a check for the reward functions of each question, and for the environments built on them."""
    checks = []
    for question in QUESTIONS:
        options = TaskOptions(questions=(question,), steps=(5, 40), families=("easy",))
        drawn = list(islice(tasks(options), N))
        for name, scorer in _scorers(question, drawn).items():
            is_bare = question == STEP or name.startswith("reasoning-gym")
            checks.append(_paid_by(name, scorer, drawn, is_bare=is_bare))
    return checks


def _scorers(question: str, drawn: Sequence[RewardTask]) -> dict[str, Scorer]:
    episodes, environment = Episodes([question], (5, 40), ("easy",), 0), ExecutionEnvironment()

    def openenv(task: RewardTask, text: str, number: int) -> float:
        episodes.begin(number)
        return episodes.reply(text)[0]

    def trl(task: RewardTask, text: str, number: int) -> float:
        environment.reset(kind=task.kind, expected=task.expected, pays=task.pays)
        environment.submit(text)
        return environment.get_reward()

    found: dict[str, Scorer] = {
        f"reward {name}, {question}": partial(_by_function, function)
        for name, function in functions.NAMES.items()
        if name != "form" and any(name in task.pays for task in drawn)
    }
    found[f"reasoning-gym, {question}"] = lambda task, text, number: score(text, entry_of(task, number))
    return {**found, f"OpenEnv, {question}": openenv, f"TRL, {question}": trl}


def _by_function(function: RewardFunction, task: RewardTask, text: str, number: int) -> float | None:
    return function([text], kind=[task.kind], expected=[task.expected], pays=[task.pays])[0]


def _paid_by(name: str, scorer: Scorer, drawn: Sequence[RewardTask], *, is_bare: bool) -> Check:
    n: dict[str, int] = {}
    paid: dict[str, int] = {}
    with decoys():
        for number, task in enumerate(drawn):
            answers = {"truth": task.expected, "decoy file": f"open({DECOYS[0]!r}).read()"}
            answers |= {"nan": "nan", "inf": "inf"}
            # Programs have few lines, so the answer of a task about the same line may be right here too.
            others = [one.expected for one in drawn if _line_of(one.expected) != _line_of(task.expected)]
            answers |= {"another task's": others[number % len(others)]} if others else {}
            texts = {key: text if is_bare else in_marks(text) for key, text in answers.items()}
            for key, text in {**texts, "echo": task.prompt[-1]["content"]}.items():
                if (reward := scorer(task, text, number)) is not None:
                    n[key] = n.get(key, 0) + 1
                    paid[key] = paid.get(key, 0) + (reward == 1.0 if key == "truth" else reward > 0.0)
    return Check(name, n, paid)


def _line_of(expected: str) -> str:
    return expected.partition(" | ")[0]


def as_lines(checks: Sequence[Check]) -> list[str]:
    """Return a line for each benchmark or reward: true answers paid in full, and others paid at all."""
    named: dict[str, dict[str, Check]] = {}
    for check in checks:
        name, _, question = check.name.rpartition(", ")
        named.setdefault(name, {})[question] = check
    lines = []
    for name, asked in named.items():
        truths = ", ".join(f"{key} {one.paid['truth']} of {one.n['truth']}" for key, one in asked.items())
        others = ", ".join(
            f"{answer} {sum(one.paid.get(answer, 0) for one in asked.values())} of {n:,}"
            for answer in ATTACKS
            if (n := sum(one.n.get(answer, 0) for one in asked.values()))
        )
        lines.append(f"{name}: truth of {truths}; paid: {others}")
        lines += [f"   {key} FAILS: {', '.join(one.failures)}" for key, one in asked.items() if one.failures]
    return lines
