"""Turn answers into verdicts, and verdicts into samples and rows of the results (docs/evaluation.md).

    judge = Judge();  verdict = await judge(task, answer, sample=0, policy="strict")
    judge_all([(task, 0, answer), ..], policy="strict") -> [Score, ..]
    as_sampled(task, rollout, verdict, ("line-1", strategy, settings), price) -> Sampled
    row_of((model, benchmark, label), tasks, scores, n_samples=1, oracle=False) -> (Row, note)

`grading` compares answers and runs nothing; `Judge` first executes the answers that need it in the sandbox.
Answers that arrive together from many samples are collected for PAUSE_S and run as one batch, in a thread, so
that no model waits.

`run.py` writes a sample into `results.jsonl`; under `inspect eval` it goes into the log, from which `logs.py`
reads it. Every task of a row must have all its samples; `statistics.summarise` refuses anything else. An
answer that was never asked for, or whose request failed, is in no rate; `bounds` are the limits of the rate
over all tasks. An interval that cannot be computed is `[null, null]`, and the notes give the reason ("too few
clusters", "withheld").
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from deskcheck.cell_files import ResultsFile, Row, Sampled
from deskcheck.evaluation.prices import Price, cost_usd
from deskcheck.evaluation.step_scores import Parted, divergence, judged, parted
from deskcheck.evaluation.stores import question_hash
from deskcheck.grading.extraction import level_name
from deskcheck.grading.verdict import USUAL, answers_of, score
from deskcheck.records import OUT_OF_STEPS, Answer, Executed, NoAnswer, Rollout, Score, Task
from deskcheck.solutions.answers import Pair, execute
from deskcheck.states.steps import run_sizes
from deskcheck.statistics.summary import Summary, exit_of, summarise
from deskcheck.strategies import Settings, Strategy, says
from deskcheck.turns.settings import stepping

PAUSE_S = 0.05
"""Seconds for which the first answer of a batch waits for more; starting the sandbox takes longer."""

Execute = Callable[[Sequence[Pair]], list[Executed]]
"""Function that runs the answers that need it: (task, answer) pairs -> what each run gave, in order."""


def needs_running(task: Task, answer: Answer | NoAnswer) -> bool:
    """Return whether the answer must be executed before it can be graded."""
    return task.grading == "executed" and isinstance(answer, Answer)


def judge_all(
    answered: Sequence[tuple[Task, int, Answer | NoAnswer]], *, policy: str, run: Execute = execute
) -> list[Score]:
    """Return the verdicts on (task, sample, answer), in order."""
    waiting = [
        (task, answer)
        for task, _, answer in answered
        if isinstance(answer, Answer) and needs_running(task, answer)
    ]
    executed = iter(run(waiting) if waiting else [])
    return [
        score(task, next(executed) if needs_running(task, answer) else answer, sample=sample, policy=policy)
        for task, sample, answer in answered
    ]


class Judge:
    """Grader of single samples that finish at different times in one event loop."""

    def __init__(self, run: Execute = execute) -> None:
        self._run = run
        self._waiting: list[tuple[Pair, asyncio.Future[Executed]]] = []
        self._flushing: asyncio.Task[None] | None = None

    async def __call__(self, task: Task, answer: Answer | NoAnswer, *, sample: int, policy: str) -> Score:
        """Return the verdict on one sample; programs in answers of many samples run as one batch."""
        if not isinstance(answer, Answer) or not needs_running(task, answer):
            return score(task, answer, sample=sample, policy=policy)
        future: asyncio.Future[Executed] = asyncio.get_running_loop().create_future()
        self._waiting.append(((task, answer), future))
        if self._flushing is None:
            self._flushing = asyncio.create_task(self._flush())
        return score(task, await future, sample=sample, policy=policy)

    async def _flush(self) -> None:
        await asyncio.sleep(PAUSE_S)
        waiting, self._waiting, self._flushing = self._waiting, [], None
        try:
            done = await asyncio.to_thread(self._run, [pair for pair, _ in waiting])
        except BaseException as error:  # passed on to all waiting samples, a cancellation too
            for _, future in waiting:
                if not future.done():
                    future.set_exception(error)
            raise
        for (_, future), executed in zip(waiting, done, strict=True):
            if not future.done():  # a cancelled sample no longer waits
                future.set_result(executed)


def row_of(
    names: tuple[str, str, str],
    tasks: list[Task],
    scores: list[Score],
    *,
    n_samples: int,
    oracle: bool,
    marks: list[str] | None = None,
    served: Mapping[str, int] | None = None,
) -> tuple[Row, str]:
    """Return the row of (model, benchmark, strategy), and a note on its interval or ""."""
    clusters = {task.id: task.cluster for task in tasks}
    return row_from(
        names,
        tasks[0].kind,
        scores,
        clusters,
        n_samples=n_samples,
        oracle=oracle,
        marks=marks or [],
        served=served or {},
    )


def row_from(
    names: tuple[str, str, str],
    kind: str,
    scores: list[Score],
    clusters: Mapping[str, str],
    *,
    n_samples: int,
    oracle: bool,
    marks: list[str],
    served: Mapping[str, int],
) -> tuple[Row, str]:
    """Return the same row as `row_of` where no tasks are at hand; `clusters`: id of a task -> its cluster."""
    model, benchmark, strategy = names
    summary = summarise(scores, clusters, n_samples=n_samples, ks=())
    row = Row(
        model=model,
        benchmark=benchmark,
        task=kind,
        strategy=strategy,
        oracle=oracle,
        n_tasks=summary.n_tasks,
        n_samples=summary.n_samples,
        right=summary.right,
        wrong=summary.wrong,
        no_answer=summary.no_answer,
        accuracy=None if math.isnan(summary.accuracy) else summary.accuracy,
        interval=_interval(summary),
        marks=marks,
        bounds=[round(bound, 6) for bound in summary.bounds],
        served=dict(served),
    )
    return row, summary.interval.note


def served_by(answers: Iterable[str]) -> dict[str, int]:
    """Count answers by the names that their servers report, the most frequent first."""
    return dict(Counter(name for name in answers if name).most_common())


def names_of(rollout: Rollout) -> str:
    """Return the names of the models that gave a rollout, joined by ", "."""
    return ", ".join(dict.fromkeys(one.served for one in rollout.completions if one.served))


def _interval(summary: Summary) -> list[float | None]:
    both = (summary.interval.low, summary.interval.high)
    return [None if math.isnan(bound) else round(bound, 6) for bound in both]


def as_json(run: dict[str, Any], rows: list[Row]) -> bytes:
    """Encode the rows as the file of results."""
    text = msgspec.json.encode(ResultsFile(exit_of(rows), run, rows))
    return msgspec.json.format(text, indent=2) + b"\n"


SUMS = ("tokens_in", "tokens_out", "tokens_hidden", "seconds", "cost_usd")
"""Columns of an answer that `Totals` adds up."""


class Totals:
    """Sums over the answers of a row that reported a count, and the number without one (`unknown_..`)."""

    def __init__(self) -> None:
        self._calls, self._asked = 0, 0
        self._sums: dict[str, float] = dict.fromkeys(SUMS, 0)
        self._unknown = dict.fromkeys(SUMS, 0)

    def add(self, answer: Sampled) -> Sampled:
        """Count one sample, and return it."""
        self._calls += answer.n_calls
        self._asked += answer.n_calls > 0
        for name in SUMS if answer.n_calls else ():
            if (count := getattr(answer, name)) < 0:
                self._unknown[name] += 1
            else:
                self._sums[name] = round(self._sums[name] + count, 6)
        return answer

    @property
    def counts(self) -> dict[str, float]:
        """Calls, answers, each sum (-1 = never reported), and the number of answers without a report."""
        sums = {
            name: -1 if self._asked and self._unknown[name] == self._asked else value
            for name, value in self._sums.items()
        }
        silent = {f"unknown_{name}": count for name, count in self._unknown.items() if count}
        return {"calls": self._calls, "answers": self._asked, **sums, **silent}


def as_sampled(
    task: Task, rollout: Rollout, verdict: Score, asking: tuple[str, Strategy, Settings], price: Price | None
) -> Sampled:
    """Return one sample with all fields of the results; `asking` holds the strategy and its settings."""
    name, strategy, settings = asking
    last = rollout.completions[-1] if rollout.completions else None
    prompt = strategy.opening(task, settings)
    return Sampled(
        **task_columns(task),
        **score_columns(verdict),
        prompt=[[message.role, message.text] for message in prompt.messages],
        text=last.text if last else "",
        chain=rollout.chain,
        finish_reason=last.finish_reason if last else "unknown",
        n_calls=len(rollout.completions),
        apart=rollout.apart,
        served=names_of(rollout),
        prompt_hash=question_hash(task, prompt),
        **_read_at_levels(task, rollout, verdict),
        **_parting(task, rollout, name, settings),
        **spent(rollout, price),
    )


def task_columns(task: Task) -> dict[str, Any]:
    """Return the columns that all answers to one task share, whoever gave them."""
    sizes = run_sizes(task.truth)
    return {
        "task": task.id,
        "cluster": task.cluster,
        "tags": task.tags,
        "source": task.program.source,
        "call": task.program.call,
        "n_steps": task.truth.n_steps,
        **msgspec.structs.asdict(sizes),
    }


def score_columns(score: Score) -> dict[str, Any]:
    """Return the columns of a verdict."""
    return {
        "sample": score.sample,
        "verdict": score.verdict,
        "reason": score.reason,
        "answer": score.answer,
        "expected": score.expected,
        "policy": score.policy,
    }


def _read_at_levels(task: Task, rollout: Rollout, verdict: Score) -> dict[str, Any]:
    """Return the verdict at every extraction level, if the answer was read from the last reply."""
    if not rollout.completions or rollout.chain or task.grading == "executed":
        return {}
    found = answers_of(task, rollout.completions[-1])
    if found[USUAL] != rollout.answer:  # a layout's own reader, a vote, a step loop
        return {}
    verdicts = {level: score(task, answer, policy=verdict.policy).verdict for level, answer in found.items()}
    return {"extraction": level_name(USUAL), "levels": verdicts}


def _parting(task: Task, rollout: Rollout, name: str, settings: Settings) -> dict[str, Any]:
    task = stepping(task, settings)
    facts: dict[str, Any] = {"steps": judged(task, rollout, strategy=name, settings=settings)}
    first = _first_wrong_step(task, rollout, name, settings)
    if first is not None:
        facts |= {"together": first.together, "part": first.part, "cause": first.cause}
    return facts


def _first_wrong_step(task: Task, rollout: Rollout, name: str, settings: Settings) -> Parted | None:
    if says(name, "CHAIN") == "words":
        return parted(task, rollout, settings)
    # Under teacher forcing every step begins anew, so later errors do not follow from a first one.
    # A chain from an injected state has diverged before its first step.
    plain = settings.teacher_forcing == "false" and settings.inject_states == "0"
    return divergence(task, rollout, strategy=name) if plain else None


def wrong_if_astray(task: Task, rollout: Rollout, verdict: Score, name: str, settings: Settings) -> Score:
    """Return the verdict, or "wrong" for a chain that ran out of steps after it had left the true run.

    Such a chain needs no more steps: what it has already said is not true.
    """
    if verdict.reason not in OUT_OF_STEPS:
        return verdict
    first = _first_wrong_step(stepping(task, settings), rollout, name, settings)
    if first is None or not first.part:
        return verdict
    place = f"left the true run after {first.together:,} right steps, and did not end"
    return msgspec.structs.replace(verdict, verdict="wrong", reason="", answer=place)


def spent(done: Rollout, price: Price | None) -> dict[str, Any]:
    """Return tokens, seconds and dollars of one rollout; -1 if one of its calls did not report them."""
    calls = done.completions
    return {
        "tokens_in": known_sum([one.n_tokens_in for one in calls]),
        "tokens_out": known_sum([one.n_tokens_out for one in calls]),
        "tokens_hidden": known_sum([one.n_tokens_hidden for one in calls]),
        "seconds": round(known_sum([one.latency_s for one in calls]), 3),
        "cost_usd": round(known_sum([cost_usd(one, price) for one in calls]), 8),
    }


def known_sum(counts: list[Any]) -> Any:
    """Return the sum, or -1 (unknown) if one count is unknown or there is none."""
    return -1 if not counts or min(counts) < 0 else sum(counts)
