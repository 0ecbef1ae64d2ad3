"""Make one Inspect task from a benchmark's tasks and a strategy: Inspect asks and logs, deskcheck grades.

    make_task("cruxeval", tasks, asked) -> inspect_ai.Task

Sample ids are task ids, epochs are samples. The log holds the first prompt and its hash, the last text, the
verdict with its reason, finish reasons, tokens (hidden ones too), cost, and, for a step loop, the chain once
as a table. `inspect eval` passes no `memory` and writes no other file than the log. So the log then also
holds the marks of the row and the fields that `deskcheck report` needs; `logs.py` reads them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import msgspec
from inspect_ai import Epochs, task
from inspect_ai import Task as InspectTask
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ModelOutput, get_model
from inspect_ai.scorer import (
    CORRECT,
    INCORRECT,
    NOANSWER,
    Scorer,
    Target,
    accuracy,
    scorer,
    stderr,
)
from inspect_ai.scorer import Score as InspectScore
from inspect_ai.solver import Generate, Solver, TaskState, solver
from msgspec import Struct

from deskcheck.cell_files import Sampled
from deskcheck.errors import DeskcheckError
from deskcheck.evaluation.client import Asker, Channel, as_messages, roll_out, was_not_asked
from deskcheck.evaluation.prepare import marks_of
from deskcheck.evaluation.prices import Price, price_of
from deskcheck.evaluation.sample_records import Judge, as_sampled, spent, wrong_if_astray
from deskcheck.evaluation.stores import AnswerStore, question_hash
from deskcheck.records import NoAnswer, Rollout, Score, Task
from deskcheck.strategies import Settings, Strategy, is_oracle, label

TASK_VERSION = 1
"""Version of scoring, increased when the score of the same task may change."""
TAG_CHARS = 60  # longer ones are statements of problems, and would be stored once per sample
VALUES = {"right": CORRECT, "wrong": INCORRECT, "no answer": NOANSWER}


class Asked(Struct, frozen=True):
    """Strategy, settings and policy with which the tasks of one cell are asked."""

    strategy_name: str
    strategy: Strategy
    settings: Settings
    policy: str
    n_samples: int = 1
    """Number of rollouts of each task."""


class Memory:
    """Store of finished samples, read when the run is repeated."""

    def __init__(
        self, store: AnswerStore | None, on_sample: Callable[[Task, int, Rollout, Score], None]
    ) -> None:
        self.store = store
        self.on_sample = on_sample
        self.rollouts: dict[tuple[str, int], Rollout] = {}
        self.failure: DeskcheckError | None = None
        """Reason why the run must stop; Inspect would pass on only its text."""

    def find(self, task: Task, sample: int, asked: str) -> Rollout | None:
        """Return a finished rollout of an earlier run, or None."""
        return self.store.find(task.id, sample, asked) if self.store else None

    def add(self, task: Task, sample: int, asked: str, done: Rollout) -> None:
        """Store a finished rollout; one that was not asked is left to the next run."""
        if self.store and not was_not_asked(done):
            self.store.add(task.id, sample, asked, done)


def make_task(
    name: str,
    tasks: list[Task],
    asked: Asked,
    *,
    channel: Channel | None = None,
    memory: Memory | None = None,
    metadata: dict[str, Any] | None = None,
) -> InspectTask:
    """Return the Inspect task; `memory` supplies earlier answers and receives each finished sample."""
    is_inspects = memory is None  # the task is for `inspect eval`, not for `deskcheck eval`
    memory = memory or Memory(None, lambda task, sample, done, verdict: None)
    channel = channel or Channel()
    table = {task.id: task for task in tasks}
    facts: dict[str, Any] = {
        "strategy": asked.strategy_name,
        "knobs": msgspec.to_builtins(asked.settings),
        "oracle": is_oracle(asked.strategy, asked.settings),
        "task": tasks[0].kind if tasks else "",
    }
    if is_inspects:
        facts |= {
            "benchmark": name,
            "label": label(asked.strategy_name, asked.settings),
            "policy": asked.policy,
        }
    made = InspectTask(
        name=name,
        dataset=MemoryDataset([as_sample(task, asked, whole=is_inspects) for task in tasks], name=name),
        solver=_asking(table, asked, channel, memory),
        scorer=_verdict(table, asked, channel.price, memory, whole=is_inspects),
        epochs=Epochs(asked.n_samples, "mean"),
        version=TASK_VERSION,
        tags=[label(asked.strategy_name, asked.settings), *([tasks[0].kind] if tasks else [])],
        metadata={**facts, **(metadata or {})},
    )
    return made if is_inspects else _with_arguments(made, asked, facts["task"])


def _with_arguments(inspect_task: InspectTask, asked: Asked, kind: str) -> InspectTask:
    """Return the same task, whose arguments in Inspect's log are strategy and settings, as with -T."""

    @task(name="deskcheck_cell")  # type: ignore[untyped-decorator]  # mypy skips Inspect
    def cell(strategy: str, task: str, **settings: Any) -> InspectTask:
        return inspect_task

    found: InspectTask = cell(asked.strategy_name, kind, **msgspec.to_builtins(asked.settings))
    return found


def as_sample(task: Task, asked: Asked, *, whole: bool = False) -> Sample:
    """Convert one task to Inspect's sample; `whole`: with the program, for a reader who has only the log."""
    prompt = asked.strategy.opening(task, asked.settings)
    return Sample(
        id=task.id,
        input=prompt.messages[0].text
        if len(prompt.messages) == 1
        else as_messages(prompt, {"task": task.id}),
        target=task.expected,
        metadata={
            "cluster": task.cluster,
            "n_steps": task.truth.n_steps,
            "kind": task.kind,
            "prompt_hash": question_hash(task, prompt),
            **{f"tag_{name}": value for name, value in task.tags.items() if len(value) <= TAG_CHARS},
            **({"source": task.program.source, "call": task.program.call} if whole else {}),
        },
    )


def _asking(tasks: dict[str, Task], asked: Asked, channel: Channel, memory: Memory) -> Solver:
    # Made here, not at module level: arguments of a solver go into the log, and the tasks must not.
    @solver(name="deskcheck_asking")  # type: ignore[untyped-decorator]  # mypy skips Inspect
    def asking(strategy: str, settings: dict[str, Any]) -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            task, sample = tasks[str(state.sample_id)], state.epoch - 1
            question = str(state.metadata["prompt_hash"])
            done = memory.find(task, sample, question)
            if done is None:
                asker = Asker(get_model(), (task.id, sample), channel)
                try:
                    done = await roll_out(asked.strategy, task, asker, asked.settings)
                except DeskcheckError as error:
                    memory.failure = error
                    raise
                failed = isinstance(done.answer, NoAnswer) and done.answer.reason == "error"
                if failed and memory.store is None:
                    # Under `inspect eval` the sample fails, so that retries and eval sets ask it again.
                    raise RuntimeError(f"the model failed: {done.answer}")
                memory.add(task, sample, question, done)
                if channel.ledger and not (failed or was_not_asked(done)):
                    channel.ledger.keep(asker.requests)
            memory.rollouts[task.id, state.epoch] = done
            text = done.completions[-1].text if done.completions else ""
            state.messages.append(ChatMessageAssistant(content=text))
            state.output = ModelOutput.from_content(str(state.model), text)
            return state

        return solve

    return asking(strategy=asked.strategy_name, settings=msgspec.to_builtins(asked.settings))


def _verdict(
    tasks: dict[str, Task], asked: Asked, price: Price | None, memory: Memory, *, whole: bool
) -> Scorer:
    metrics = [accuracy(), stderr(cluster="cluster")]
    judge_one = Judge()
    asking = (asked.strategy_name, asked.strategy, asked.settings)
    marks: dict[str, list[str]] = {}

    @scorer(metrics=metrics, name="deskcheck_verdict")  # type: ignore[untyped-decorator]  # as above
    def verdict(policy: str) -> Scorer:
        async def judge(state: TaskState, target: Target) -> InspectScore:
            task = tasks[str(state.sample_id)]
            done = memory.rollouts.pop((task.id, state.epoch))
            result = await judge_one(task, done.answer, sample=state.epoch - 1, policy=policy)
            result = wrong_if_astray(task, done, result, asked.strategy_name, asked.settings)
            memory.on_sample(task, state.epoch - 1, done, result)
            paid = price or price_of(str(state.model), {})
            facts = _facts(done, result, paid)
            if whole:
                if str(state.model) not in marks:
                    marks[str(state.model)] = marks_of(get_model(), *asking, list(tasks.values()), Silent())
                facts["marks"] = marks[str(state.model)]
                facts["sampled"] = _rest_of(as_sampled(task, done, result, asking, paid))
            return InspectScore(
                value=VALUES[result.verdict],
                answer=result.answer,
                explanation=result.reason or None,
                metadata=facts,
            )

        return judge

    return verdict(policy=asked.policy)


ELSEWHERE = ("prompt", "text", "chain", "source", "call")
"""Fields of `Sampled` that are in the log of a sample already."""


def _rest_of(answer: Sampled) -> dict[str, Any]:
    """Return the fields that the log lacks; among them a chain whose states have several lines."""
    facts: dict[str, Any] = msgspec.to_builtins(answer)
    kept = [name for name in ELSEWHERE if name != "chain" or not any("\n" in state for state in answer.chain)]
    return {name: value for name, value in facts.items() if name not in kept}


class Silent:
    """Receiver that drops messages, because they were printed before scoring."""

    def say(self, line: str) -> None:
        """Drop one line without printing it."""


def _facts(done: Rollout, result: Score, price: Price | None) -> dict[str, Any]:
    """Return the facts about a rollout that the log stores besides its last text."""
    facts: dict[str, Any] = {
        "verdict": result.verdict,
        "reason": result.reason,
        "policy": result.policy,
        "n_calls": len(done.completions),
        "finish_reason": done.completions[-1].finish_reason if done.completions else "",
        "finish_reasons": dict(Counter(completion.finish_reason for completion in done.completions)),
        **spent(done, price),
    }
    if done.apart >= 0:
        facts["apart"] = done.apart
    if done.chain:
        facts["chain"] = "\n".join(f"{number}\t{state}" for number, state in enumerate(done.chain, start=1))
    return facts
