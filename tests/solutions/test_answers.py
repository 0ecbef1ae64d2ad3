"""Predicted inputs: run in the sandbox, each as if it were alone; then graded as values."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec
import pytest

from deskcheck.errors import DataError
from deskcheck.evaluation.grade import grade_saved
from deskcheck.evaluation.sample_records import Judge, judge_all
from deskcheck.evaluation.truth import build_tasks
from deskcheck.grading.verdict import answer_of, score
from deskcheck.importers import read_single
from deskcheck.questions import tasks_of
from deskcheck.records import (
    Answer,
    Completion,
    Crashed,
    Executed,
    Job,
    JobDone,
    JobFailed,
    JobResult,
    Limits,
    NoAnswer,
    Task,
    TaskDraft,
)
from deskcheck.solutions import answer_job
from deskcheck.solutions.answers import SHARED, Pair, execute
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program


def task(source: str, arguments: str, entry: str = "f") -> Task:
    """An input task about one program."""
    program = make_program(source, entry, arguments, origin="test")
    draft = TaskDraft("a", program, "", "a")
    (made,) = tasks_of("input", draft, trace_program(program, Limits()), benchmark="test")
    return made


ADD = task("def f(a, b=2):\n    return a + b", "1")


def here(jobs: Iterable[Job]) -> Iterator[JobResult]:
    """Jobs in this process: the programs are the tests' own."""
    for job in jobs:
        yield JobResult(job.id, JobDone(answer_job.run(job.payload)), b"", 0.0)


def outcomes(asked: Task, *texts: str, whole: bool = False) -> list[str]:
    """What the answers come to, run here."""
    return [one.outcome for one in execute([(asked, Answer(text)) for text in texts], whole=whole, run=here)]


def test_the_question_shows_the_outcome_and_not_the_arguments() -> None:
    assert ADD.expected == "3"
    assert ADD.call == "f(??)"
    assert "3" in ADD.question["en"] and "3" in ADD.question["zh"]
    assert ADD.grading == "executed"


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("[ANSWER]f(1, b=[2])[/ANSWER]", "1, b=[2]"),
        ("[ANSWER]assert f(1, 'a') == 3[/ANSWER]", "1, 'a'"),
        ("[ANSWER]3 == f(-1, 4)[/ANSWER]", "-1, 4"),
        ("thinking about f(0)\nf(2, 1)", "2, 1"),
        ("```python\nf(())\n```", "()"),
        ("f()", ""),
    ],
)
def test_arguments_are_found_in_what_a_model_writes(text: str, arguments: str) -> None:
    assert answer_of(ADD, Completion(text, "stop")) == Answer(arguments)


@pytest.mark.parametrize(
    "text",
    [
        "[ANSWER]1, 2[/ANSWER]",
        "g(1)",
        "f(x)",
        "f(*[1])",
        "f(**{'a': 1})",
        "f(lambda: 1)",
        "f(f(1))",
        "f(1",
        "",
    ],
)
def test_anything_but_one_call_with_literals_is_no_answer(text: str) -> None:
    found = answer_of(ADD, Completion(text, "stop"))
    assert isinstance(found, NoAnswer) and found.reason == "unparsable"


def test_a_method_may_be_called_by_its_name_alone() -> None:
    asked = task("class S:\n    def m(self, n):\n        return n * 2", "4", "S().m")
    for text in ("S().m(4)", "m(4)"):
        assert answer_of(asked, Completion(text, "stop")) == Answer("4")
    assert outcomes(asked, "4") == ["8"]


def test_every_kind_of_ending_is_an_outcome() -> None:
    source = "def f(n):\n    if n < 0:\n        raise KeyError(n)\n    return object() if n == 0 else {n}"
    asked = task(source, "1")
    assert outcomes(asked, "1", "-1", "0", "'a'", "1, 2") == [
        "{1}", "raises KeyError", answer_job.NOT_PLAIN, "raises TypeError", "raises TypeError",
    ]  # fmt: skip


def test_an_answer_sees_nothing_of_the_answers_before_it() -> None:
    source = "import random\nseen = []\ndef f(n):\n    seen.append(n)\n    return seen, random.random()"
    asked = task(source, "1")
    together = outcomes(asked, "1", "2", "3", "1")
    assert together == [outcome for text in ("1", "2", "3", "1") for outcome in outcomes(asked, text)]
    assert together[0] == together[3]
    assert [text[:6] for text in together] == ["([1], ", "([2], ", "([3], ", "([1], "]


def test_the_same_answer_is_run_once_and_answers_share_children_up_to_a_bound() -> None:
    sizes = []

    def counting(jobs: Iterable[Job]) -> Iterator[JobResult]:
        for job in jobs:
            sizes.append(len(msgspec.msgpack.decode(job.payload, type=answer_job.Request).answers))
            yield from here([job])

    pairs: list[Pair] = [(ADD, Answer(str(n % (SHARED + 5)))) for n in range(300)]
    done = execute(pairs, run=counting)
    assert sizes == [SHARED, 5]
    assert [one.outcome for one in done] == [str(n % (SHARED + 5) + 2) for n in range(300)]


def test_what_a_shared_child_does_not_deliver_is_run_alone() -> None:
    def failing(jobs: Iterable[Job]) -> Iterator[JobResult]:
        for job in jobs:
            answers = msgspec.msgpack.decode(job.payload, type=answer_job.Request).answers
            if "7" in answers:
                yield JobResult(job.id, JobFailed(Crashed("SIGSEGV")), b"", 0.0)
            else:
                yield from here([job])

    done = execute([(ADD, Answer(text)) for text in ("1", "7", "3")], run=failing)
    assert [one.outcome for one in done] == ["3", "ended by crashed", "5"]


def test_an_endless_answer_costs_no_other_its_verdict() -> None:
    asked = task("def f(n):\n    while n:\n        n -= 1\n    return n", "1")
    done = execute([(asked, Answer(text)) for text in ("3", "-1", "5", "'x'")], workers=1)
    assert [one.outcome for one in done] == ["0", answer_job.TIME_UP, "0", "raises TypeError"]


def test_whole_texts_are_expressions_and_only_plain_calls_share() -> None:
    seen = []

    def watching(jobs: Iterable[Job]) -> Iterator[JobResult]:
        for job in jobs:
            seen.append((msgspec.msgpack.decode(job.payload, type=answer_job.Request).whole, job.alone))
            yield from here([job])

    texts = ("f(1)", "f(*[1, 5])", "f(2) + 1", "f(1) and", "f(0, b=3)")
    done = execute([(ADD, Answer(text)) for text in texts], whole=True, run=watching)
    assert [one.outcome for one in done] == ["3", "6", "5", "raises SyntaxError", "3"]
    assert seen == [(False, False), (True, True), (True, True)]  # what does not parse is not run


def test_an_answer_that_was_not_run_cannot_be_graded() -> None:
    with pytest.raises(DataError, match="has to be executed"):
        score(ADD, Answer("1"))
    assert score(ADD, Executed("1", "3")).verdict == "right"
    assert score(ADD, Executed("1", "3.0")).verdict == "wrong"
    assert score(ADD, Executed("0", answer_job.NOT_PLAIN)).verdict == "wrong"
    assert score(ADD, NoAnswer("truncated")).reason == "truncated"


def test_one_by_one_or_together_the_verdicts_are_the_same() -> None:
    other = task("def f(x):\n    return [x, x]", "'a'")
    answered = [
        (ADD, 0, Answer("1")),
        (other, 0, Answer("'a'")),
        (ADD, 1, NoAnswer("refused")),
        (ADD, 2, Answer("7")),
        (other, 1, Answer("'b'")),
    ]
    batches = []

    def run(pairs: list[Pair]) -> list[Executed]:
        batches.append(len(pairs))
        return execute(pairs, run=here)

    async def singly() -> list[object]:
        judge = Judge(run)
        return list(await asyncio.gather(*(judge(t, a, sample=s, policy="strict") for t, s, a in answered)))

    together = judge_all(answered, policy="strict", run=run)
    assert [one.verdict for one in together] == ["right", "right", "no answer", "wrong", "wrong"]
    assert asyncio.run(singly()) == together
    assert batches == [4, 4]


def test_a_failure_of_ours_reaches_every_sample_that_waits() -> None:
    def broken(pairs: list[Pair]) -> list[Executed]:
        raise DataError("no sandbox")

    async def both() -> list[object]:
        judge = Judge(broken)
        calls = [judge(ADD, Answer(text), sample=0, policy="strict") for text in ("1", "2")]
        return list(await asyncio.gather(*calls, return_exceptions=True))

    assert [str(one) for one in asyncio.run(both())] == ["no sandbox", "no sandbox"]


def test_a_cancelled_sample_leaves_the_verdicts_of_the_others() -> None:
    started = threading.Event()

    def slow(pairs: list[Pair]) -> list[Executed]:
        started.set()
        time.sleep(0.2)
        return execute(pairs, run=here)

    async def one_of_two() -> object:
        judge = Judge(slow)
        first, second = (
            asyncio.ensure_future(judge(ADD, Answer(text), sample=0, policy="strict")) for text in ("1", "2")
        )
        await asyncio.to_thread(started.wait)
        first.cancel()
        return await asyncio.wait_for(second, 10)

    assert asyncio.run(one_of_two()) == judge_all([(ADD, 0, Answer("2"))], policy="strict", run=slow)[0]


def test_a_sample_of_the_stored_predictions_meets_the_stored_verdicts(data: Callable[[str], Path]) -> None:
    ids = [f"sample_{number}" for number in range(3, 800, 20)]
    tasks = build_tasks("cruxeval", kind="input", data=str(data("cruxeval/cruxeval.jsonl")), ids=ids)
    saved = read_single(data("cruxeval/sample_scored_codellama-7b_temp0.2_input.json"))
    saved = msgspec.structs.replace(
        saved,
        texts={name: saved.texts[name] for name in ids},
        stored={name: saved.stored[name] for name in ids},
    )
    graded = grade_saved(tasks, saved)
    assert (graded.n_stored, graded.differences) == (400, [])
    assert 100 < graded.summary.right < 200
