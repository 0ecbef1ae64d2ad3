"""Offer the tasks as a taskset of verifiers 0.4, with an environment that plays them and a harness for chats.

    vf-eval deskcheck -n 20 --env.taskset.questions '["output"]' --client.base-url http://127.0.0.1:8000/v1

verifiers imports the package that a taskset is named after, here `deskcheck`. It takes one class of each kind
from the package's `__all__`, which lists these classes once verifiers is loaded. A model with a shell could
execute the programs, so the harness only passes messages on; it starts no process and needs no container.
"""

# mypy: disable-error-code="misc, untyped-decorator"
# (the library is optional, so its classes have no types)
# ruff: noqa: RUF012  (pydantic copies defaults)

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
import verifiers.v1 as vf
from verifiers.v1.dialects.chat import message_to_wire

from deskcheck.rewards import functions
from deskcheck.rewards.environment import DEFAULT_FAMILIES, DEFAULT_QUESTIONS, RUN, held_out, options_of
from deskcheck.rewards.libraries import need
from deskcheck.rewards.step_loop import RunTask, StepLoop, runs
from deskcheck.rewards.tasks import STEP, tasks


class DeskcheckData(vf.TaskData):
    """One question with its truth, or one run; the model sees its prompt alone."""

    kind: str
    """Question, one of `tasks.QUESTIONS`, or "run"."""
    expected: str = ""
    pays: list[str] = []
    run: str = ""
    """JSON of a RunTask, for the step loop."""
    steps: int
    """Executed lines of the whole run."""
    family: str


class DeskcheckTask(vf.Task[DeskcheckData]):
    """Rewards of one task. A reward that does not apply to the task's question is left out."""

    @vf.reward
    async def outcome(self, trace: vf.Trace) -> dict[str, float]:
        """Return the reward `functions.outcome` of one rollout, if it applies."""
        return self._paid(functions.outcome, trace)

    @vf.reward
    async def next_line(self, trace: vf.Trace) -> dict[str, float]:
        """Return the reward `functions.next_line` of one rollout, if it applies."""
        return self._paid(functions.next_line, trace)

    @vf.reward
    async def state(self, trace: vf.Trace) -> dict[str, float]:
        """Return the reward `functions.state` of one rollout, if it applies."""
        return self._paid(functions.state, trace)

    @vf.reward
    async def form(self, trace: vf.Trace) -> dict[str, float]:
        """Return the reward `functions.form` of one rollout, if it applies."""
        return self._paid(functions.form, trace)

    @vf.reward
    async def executed(self, trace: vf.Trace) -> dict[str, float]:
        """Return the share of the run's paid steps before the first mistake; {} for a single question."""
        return {"executed": self._played(trace).total} if self.data.run else {}

    @vf.metric
    async def turns_right(self, trace: vf.Trace) -> dict[str, float]:
        """Return the number of right steps, paid or not; {} for a single question."""
        return {"turns_right": self._played(trace).at} if self.data.run else {}

    async def validate(self, runtime: Any) -> bool:
        """Return whether the true answer earns 1 and the prompt itself nothing, without a model."""
        if self.data.run:
            loop = self.loop()
            for turn in loop.run.turns:
                loop.reply(turn.expected)
            return abs(loop.total - 1.0) < 1e-9
        is_step = self.data.kind == STEP
        truth = self.data.expected if is_step else f"[ANSWER]{self.data.expected}[/ANSWER]"
        columns = {name: [getattr(self.data, name)] for name in ("kind", "expected", "pays")}
        echo = str(self.data.prompt)
        return all(
            functions.NAMES[name]([truth], **columns)[0] == 1.0
            and not functions.NAMES[name]([echo], **columns)[0]
            for name in self.data.pays
        )

    def loop(self) -> StepLoop:
        """Begin the run of this task."""
        return StepLoop(msgspec.json.decode(self.data.run, type=RunTask))

    def _paid(self, function: functions.RewardFunction, trace: vf.Trace) -> dict[str, float]:
        if self.data.run:
            return {}
        columns = {name: [getattr(self.data, name)] for name in ("kind", "expected", "pays")}
        value = function(completions=[trace.messages], **columns)[0]
        return {} if value is None else {function.__name__: value}

    def _played(self, trace: vf.Trace) -> StepLoop:
        loop = self.loop()
        for message in trace.messages:
            if message.role == "assistant" and not loop.done:
                loop.reply(functions.text_of([message]))
        return loop


class DeskcheckConfig(vf.TasksetConfig):
    """Options of the tasks, as in `load_environment`."""

    questions: list[str] = list(DEFAULT_QUESTIONS)
    steps: list[int] = [5, 200]
    families: list[str] = list(DEFAULT_FAMILIES)
    contains: list[str] = []
    without: list[str] = []
    seed: int = 0
    split: Literal["train", "eval"] = "train"
    """Programs to train on, or those of another seed, as in the evaluation split of `load_environment`."""


class DeskcheckTaskset(vf.Taskset[DeskcheckTask, DeskcheckConfig]):
    """Fresh programs without end, with questions about them; the seed determines both."""

    INFINITE = True

    def load(self) -> Iterator[DeskcheckTask]:
        """Yield the tasks. UserError for options that no program fits."""
        config = self.config
        constructs = {"contains": config.contains, "without": config.without}
        options = options_of(config.questions, config.steps, config.families, **constructs, seed=config.seed)
        if config.split == "eval":
            options = held_out(options)
        for task in runs(options) if RUN in config.questions else tasks(options):
            about: dict[str, Any] = (
                {"kind": RUN, "run": msgspec.json.encode(task).decode()}
                if isinstance(task, RunTask)
                else {"kind": task.kind, "expected": task.expected, "pays": task.pays}
            )
            about |= {"prompt": task.prompt, "steps": task.steps, "family": task.family}
            yield DeskcheckTask(DeskcheckData(id=task.task_id, **about), config.task)


class DeskcheckEnvConfig(vf.EnvConfig):
    """Configuration with the model as the only agent; its harness runs nothing, so it needs no container."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class DeskcheckEnv(vf.Env[DeskcheckEnvConfig]):
    """Environment that asks for one reply to a question, or for a reply to every state of a run.

    A run ends with the model's first mistake.
    """

    async def run(self, task: DeskcheckTask, agents: vf.Agents) -> None:
        """Play one task with the model."""
        if not task.data.run:
            await agents.agent.run(task)
            return
        loop = task.loop()
        async with agents.agent.interaction(task) as exchange:
            segment = await exchange.turn()
            while not segment.terminated:
                reply = loop.reply(functions.text_of(exchange.trace.messages))
                if reply.done:
                    break
                segment = await exchange.turn(reply.body)


class DeskcheckHarness(vf.Harness[vf.HarnessConfig]):
    """Harness that sends one request to the model for each turn, from this process."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Ask for one reply; verifiers' server at `endpoint` records it."""
        openai = need("openai")
        system, prompt = self.resolve_prompt(data)
        messages = [vf.UserMessage(content=prompt)] if isinstance(prompt, str) else list(prompt or [])
        if system:
            messages.insert(0, vf.SystemMessage(content=system))
        async with openai.AsyncOpenAI(base_url=endpoint, api_key=secret, timeout=None) as client:
            wire = [message_to_wire(message) for message in messages]
            await client.chat.completions.create(model=ctx.model, messages=wire)
        return vf.ProgramResult(0, "", "")
