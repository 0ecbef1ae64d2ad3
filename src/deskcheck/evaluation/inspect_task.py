"""All that Inspect is given: tasks and a strategy as its task, our own models as its provider.

    make_task("cruxeval", tasks, asked) -> inspect_ai.Task

Sample ids are task ids, epochs are samples. The log holds the first prompt and its hash, the last text, the
verdict with its reason, finish reasons, tokens (hidden ones too), cost, and, for a step loop, the chain
once as a table. Without a `memory`, that is under `inspect eval`, the log is all there is: it also holds what
`deskcheck report` needs (`logs.py` takes it out) and the marks of its row. The verdict is ours.

    inspect eval ... --model deskcheck/tiny        deskcheck eval --model tiny

Requests to a model of ours meet in a queue; one thread takes those that wait, up to a batch, and runs the
engine, so that the event loop is never blocked and the engine never runs twice at a time. An engine that is a
Stream (tiny) takes new questions between any two calls of its network, so no chain waits for another's
answer. `inspect_tasks.py` registers the class. A request with tools is refused: nothing here may call a tool.
"""

from __future__ import annotations

import asyncio
import atexit
import queue
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, cast

import msgspec
from inspect_ai import Epochs, task
from inspect_ai import Task as InspectTask
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    get_model,
)
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
from inspect_ai.tool import ToolChoice, ToolInfo
from msgspec import Struct

from deskcheck.cell_files import Sampled
from deskcheck.errors import DeskcheckError, UserError
from deskcheck.evaluation.client import Asker, Channel, as_messages, attempt, was_not_asked
from deskcheck.evaluation.prepare import marks_of
from deskcheck.evaluation.prices import Price, price_of
from deskcheck.evaluation.sample_records import Judge, as_sampled, spent
from deskcheck.evaluation.stores import Kept, question_hash
from deskcheck.models import Engine, Question, Stream, load_engine
from deskcheck.records import Attempt, Completion, Message, NoAnswer, Prompt, Score, Task
from deskcheck.strategies import Settings, Strategy, is_oracle, label

TASK_VERSION = 1
"""Goes up when the same task may be scored otherwise. Tags tell cells apart in Inspect's viewer."""
TAG_CHARS = 60  # longer ones are statements of problems, and would be stored once per sample
VALUES = {"right": CORRECT, "wrong": INCORRECT, "no answer": NOANSWER}


class Asked(Struct, frozen=True):
    """How the tasks of one cell are asked."""

    strategy_name: str
    strategy: Strategy
    settings: Settings
    policy: str
    n_samples: int = 1
    """How often each task is asked."""


class Memory:
    """Where finished samples go, and where they come from when the run is repeated."""

    def __init__(self, kept: Kept | None, on_sample: Callable[[Task, int, Attempt, Score], None]) -> None:
        self.kept = kept
        self.on_sample = on_sample
        self.attempts: dict[tuple[str, int], Attempt] = {}
        self.failure: DeskcheckError | None = None
        """Why the run must stop; Inspect itself would pass on only its text."""

    def find(self, task: Task, sample: int, asked: str) -> Attempt | None:
        """A finished attempt of an earlier run."""
        return self.kept.find(task.id, sample, asked) if self.kept else None

    def add(self, task: Task, sample: int, asked: str, done: Attempt) -> None:
        """Keep a finished attempt; one that was not asked is asked by the next run."""
        if self.kept and not was_not_asked(done):
            self.kept.add(task.id, sample, asked, done)


def make_task(
    name: str,
    tasks: list[Task],
    asked: Asked,
    *,
    channel: Channel | None = None,
    memory: Memory | None = None,
    metadata: dict[str, Any] | None = None,
) -> InspectTask:
    """The Inspect task; `memory` makes it go on from earlier answers and hands out what finishes."""
    is_inspects = memory is None
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


def _with_arguments(made: InspectTask, asked: Asked, kind: str) -> InspectTask:
    """The same task, whose arguments in Inspect's log are strategy and settings, as with -T."""

    @task(name="deskcheck_cell")  # type: ignore[untyped-decorator]  # mypy skips Inspect
    def cell(strategy: str, task: str, **settings: Any) -> InspectTask:
        return made

    found: InspectTask = cell(asked.strategy_name, kind, **msgspec.to_builtins(asked.settings))
    return found


def as_sample(task: Task, asked: Asked, *, whole: bool = False) -> Sample:
    """One task as Inspect shows it; `whole`: with the program, for a reader who has nothing but the log."""
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
    # Made here, not at module level: what a solver is called with goes into the log; the tasks must not.
    @solver(name="deskcheck_asking")  # type: ignore[untyped-decorator]  # mypy skips Inspect
    def asking(strategy: str, settings: dict[str, Any]) -> Solver:
        async def solve(state: TaskState, generate: Generate) -> TaskState:
            task, sample = tasks[str(state.sample_id)], state.epoch - 1
            question = str(state.metadata["prompt_hash"])
            done = memory.find(task, sample, question)
            if done is None:
                asker = Asker(get_model(), (task.id, sample), channel)
                try:
                    done = await attempt(asked.strategy, task, asker, asked.settings)
                except DeskcheckError as error:
                    memory.failure = error
                    raise
                failed = isinstance(done.answer, NoAnswer) and done.answer.reason == "error"
                if failed and memory.kept is None:
                    # Run by Inspect itself: the sample fails, so that its retries and eval sets ask it again.
                    raise RuntimeError(f"the model failed: {done.answer}")
                memory.add(task, sample, question, done)
            memory.attempts[task.id, state.epoch] = done
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
            done = memory.attempts.pop((task.id, state.epoch))
            result = await judge_one(task, done.answer, sample=state.epoch - 1, policy=policy)
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
"""Fields of `Sampled` that the log of a sample holds anyway."""


def _rest_of(one: Sampled) -> dict[str, Any]:
    """What the log does not hold yet; a chain whose states have lines of their own is no table."""
    facts: dict[str, Any] = msgspec.to_builtins(one)
    kept = [name for name in ELSEWHERE if name != "chain" or not any("\n" in state for state in one.chain)]
    return {name: value for name, value in facts.items() if name not in kept}


class Silent:
    """What is said while samples are scored was said before."""

    def say(self, line: str) -> None:
        """Drop a line that nobody is to see."""


def _facts(done: Attempt, result: Score, price: Price | None) -> dict[str, Any]:
    """What the log keeps of an attempt besides its last text."""
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


# How many requests may be there at once; a batch is never larger. Inspect's default of 10 would starve the
# engine; with more than tiny has slots, chains would push each other's keys out.
MAX_CONNECTIONS = 64
BATCH = 64
# How long the thread waits for one more request before it runs what it has. The answers of a batch wake as
# many coroutines, which ask again one after the other; without this pause the next batch would hold one
# question.
SETTLE_S = 0.005
DEFAULT_MAX_TOKENS = 1024

STOP_REASONS = {"stop": "stop", "length": "max_tokens", "content_filter": "content_filter"}

# What wakes the thread when it is to end, and how long the call that it is in may take.
NOTHING = Question(Prompt(messages=[], max_tokens=1), "", 0, 0)
LAST_CALL_S = 30.0


class Batcher:
    """A queue in front of an engine, emptied by one thread."""

    def __init__(self, engine: Engine, *, settle_s: float = SETTLE_S) -> None:
        self.engine = engine
        self.settle_s = settle_s
        self._queue: queue.SimpleQueue[tuple[Question, Future[Completion]]] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._ended = False

    async def ask(self, question: Question) -> Completion:
        """Wait for the answer without holding up the event loop."""
        future: Future[Completion] = Future()
        self._queue.put((question, future))
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="deskcheck-model", daemon=True)
            self._thread.start()
            # An interpreter that ends while the thread is inside a C++ library is aborted by that library.
            atexit.register(self.end)
        return await asyncio.wrap_future(future)

    def end(self) -> None:
        """Let the thread end after the call that it is in; what still waits is not answered."""
        self._ended = True
        if self._thread is not None:
            self._queue.put((NOTHING, Future()))
            self._thread.join(timeout=LAST_CALL_S)

    def _work(self) -> None:
        if hasattr(self.engine, "step"):
            self._stream(cast("Stream", self.engine))
        while not self._ended:
            batch = self._next()
            if self._ended:
                return
            try:
                answers = self.engine.answer([question for question, _ in batch])
                if len(answers) != len(batch):
                    raise RuntimeError(f"the engine gave {len(answers)} answers to {len(batch)} questions")
            except Exception as error:  # whoever waits gets it; the thread goes on
                for _, future in batch:
                    future.set_exception(error)
                continue
            for (_, future), answer in zip(batch, answers, strict=True):
                future.set_result(answer)

    def _stream(self, engine: Stream) -> None:
        """Let questions in and answers out between the engine's steps, until the end."""
        live: set[Future[Completion]] = set()
        while not self._ended:
            try:
                while len(live) < MAX_CONNECTIONS:
                    question, future = self._queue.get(block=not live)
                    if self._ended:
                        return
                    if future.set_running_or_notify_cancel():
                        live.add(future)
                        engine.submit(question, future)
            except queue.Empty:
                pass
            except Exception as error:  # a question that cannot be taken ends alone
                live.discard(future)
                future.set_exception(error)
                continue
            try:
                done = engine.step()
            except Exception as error:  # whoever waits gets it; the thread goes on
                engine.clear()
                for waiting in live:
                    waiting.set_exception(error)
                live = set()
                continue
            for ticket, answer in done:
                answered = cast("Future[Completion]", ticket)
                live.discard(answered)
                answered.set_result(answer)

    def _next(self) -> list[tuple[Question, Future[Completion]]]:
        waiting = [self._queue.get()]
        while len(waiting) < self.engine.batch:
            try:
                waiting.append(self._queue.get(timeout=self.settle_s))
            except queue.Empty:
                break
        # What was cancelled while it waited (Ctrl-C) is dropped here; the others can't be any more.
        started = [
            (question, future) for question, future in waiting if future.set_running_or_notify_cancel()
        ]
        return started or self._next()


class DeskcheckAPI(ModelAPI):  # type: ignore[misc]  # mypy skips Inspect
    """Inspect's view of one of our models."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008  (Inspect's own signature)
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        self.engine = load_engine(model_name, model_args)
        self.batcher = Batcher(self.engine)

    async def generate(
        self,
        input: list[ChatMessage],  # Inspect calls it so
        tools: list[ToolInfo],
        tool_choice: ToolChoice,
        config: GenerateConfig,
    ) -> ModelOutput:
        """Answer one conversation by our own engine."""
        if tools:
            raise UserError(f"deskcheck/{self.model_name} takes no tools; {len(tools)} were in the request")
        completion = await self.batcher.ask(as_question(input, config))
        if completion.finish_reason == "error":
            return ModelOutput(model=self.model_name, error=completion.text or "the model failed")
        return as_output(self.model_name, completion)

    def max_connections(self) -> int:
        """Enough for a full batch."""
        return MAX_CONNECTIONS

    def connection_key(self) -> str:
        """Each of our models has its own pool."""
        return str(self.model_name)


def as_question(messages: list[ChatMessage], config: GenerateConfig) -> Question:
    """Inspect's messages as a question; what the last one carries under "deskcheck" says where it stands."""
    turns = [Message(_role(message), message.text) for message in messages]
    place = (messages[-1].metadata or {}).get("deskcheck", {}) if messages else {}
    prompt = Prompt(
        turns,
        max_tokens=config.max_tokens or DEFAULT_MAX_TOKENS,
        stop=list(config.stop_seqs or []),
        logprobs=bool(config.logprobs),
        temperature=-1.0 if config.temperature is None else config.temperature,
    )
    return Question(
        prompt, str(place.get("task", "")), int(place.get("sample", 0)), int(place.get("call", 0))
    )


def _role(message: ChatMessage) -> Any:
    if message.role == "tool":
        raise UserError("a conversation with tool results was sent to a model that takes no tools")
    return message.role


def as_output(model_name: str, completion: Completion) -> ModelOutput:
    """A completion as Inspect keeps it."""
    usage = None
    if completion.n_tokens_in >= 0 and completion.n_tokens_out >= 0:
        total = completion.n_tokens_in + completion.n_tokens_out
        usage = ModelUsage(
            input_tokens=completion.n_tokens_in, output_tokens=completion.n_tokens_out, total_tokens=total
        )
    message = ChatMessageAssistant(content=completion.text, source="generate", model=model_name)
    stop_reason: Any = STOP_REASONS.get(completion.finish_reason, "unknown")
    known = completion.logprob <= 0  # of the whole answer, told as if it were one token
    said = Logprobs(content=[Logprob(token="", logprob=completion.logprob)]) if known else None
    choice = ChatCompletionChoice(message=message, stop_reason=stop_reason, logprobs=said)
    return ModelOutput(model=model_name, choices=[choice], usage=usage)
