"""`deskcheck.load_environment`: the tasks as an environment of verifiers, and so of prime-rl.

    import verifiers as vf
    env = vf.load_environment("deskcheck", questions=["output"], steps=(5, 40), families=["easy"])  # 0.3

verifiers 0.3 imports the module that an environment is named after, here `deskcheck` itself, and calls its
`load_environment`; prime-rl names environments in the same way. verifiers 0.4 takes a taskset (taskset.py).
Questions of `tasks.QUESTIONS` take a single turn; RUN, which cannot be combined with them, is the step loop
with one turn per step. For 0.3, rows are made when the environment is loaded. The seed determines them, and
the evaluation split has another seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import islice
from typing import Any

import msgspec

from deskcheck.errors import UserError
from deskcheck.rewards import functions
from deskcheck.rewards.libraries import need
from deskcheck.rewards.step_loop import RunTask, StepLoop, runs
from deskcheck.rewards.tasks import FIRST_HELD_OUT, QUESTIONS, RewardTask, TaskOptions, tasks

RUN = "run"
"""Question about a whole run, step by step."""
DEFAULT_QUESTIONS, DEFAULT_FAMILIES = QUESTIONS[:3], ("easy", "medium", "hard")


def load_environment(
    questions: Sequence[str] = DEFAULT_QUESTIONS,
    steps: Sequence[int] = (5, 200),
    families: Sequence[str] = DEFAULT_FAMILIES,
    *,
    contains: Sequence[str] = (),
    without: Sequence[str] = (),
    seed: int = 0,
    n: int = 1000,
    n_eval: int = 100,
) -> Any:
    """Make an environment of verifiers from fresh programs: single questions, or ["run"], the step loop.

    `steps` is the range of executed lines; `contains` and `without` name constructs (`tasks.CONSTRUCTS`);
    `n` and `n_eval` are numbers of rows, the second for verifiers 0.3 alone. Needs the extra rl. UserError
    for options that no program fits.
    """
    options = options_of(questions, steps, families, contains=contains, without=without, seed=seed)
    vf = need("verifiers")
    if not hasattr(vf, "SingleTurnEnv"):
        return _taskset_environment(vf, options, questions, n)
    evaluation = held_out(options)
    if RUN in questions:
        return _step_environment(vf, _run_rows(options, n), _run_rows(evaluation, n_eval))
    rubric = vf.Rubric(funcs=[outcome, next_line, state, form], weights=[1.0, 1.0, 1.0, 1.0])
    return vf.SingleTurnEnv(
        dataset=_dataset(_task_rows(options, n)),
        eval_dataset=_dataset(_task_rows(evaluation, n_eval)),
        rubric=rubric,
    )


def options_of(
    questions: Sequence[str],
    steps: Sequence[int],
    families: Sequence[str],
    *,
    contains: Sequence[str] = (),
    without: Sequence[str] = (),
    seed: int = 0,
) -> TaskOptions:
    """Return options from the values of a configuration file.

    UserError if steps are no pair, or RUN is mixed.
    """
    if len(steps) != 2:
        raise UserError(f"steps={list(steps)}: two numbers, from and to, [5, 200] say")
    if RUN in questions and len(questions) > 1:
        raise UserError(
            f"questions={list(questions)}: '{RUN}' takes many turns, the others one; load two environments "
            "and join them by verifiers' EnvGroup"
        )
    return TaskOptions(
        questions=() if RUN in questions else tuple(questions),
        steps=(int(steps[0]), int(steps[1])),
        families=tuple(families),
        contains=tuple(contains),
        without=tuple(without),
        seed=seed,
    )


def held_out(options: TaskOptions) -> TaskOptions:
    """Return the options of the evaluation split: the same with another seed."""
    return msgspec.structs.replace(options, seed=FIRST_HELD_OUT - 1 - options.seed)


async def outcome(completion: Any, info: dict[str, Any]) -> float:
    """Return the reward `functions.outcome` of one rollout; 0 if it does not apply."""
    return _one(functions.outcome, completion, info)


async def next_line(completion: Any, info: dict[str, Any]) -> float:
    """Return the reward `functions.next_line` of one rollout; 0 if it does not apply."""
    return _one(functions.next_line, completion, info)


async def state(completion: Any, info: dict[str, Any]) -> float:
    """Return the reward `functions.state` of one rollout; 0 if it does not apply."""
    return _one(functions.state, completion, info)


async def form(completion: Any, info: dict[str, Any]) -> float:
    """Return the reward `functions.form` of one rollout: 0, or -1 without a readable answer."""
    return _one(functions.form, completion, info)


def _one(function: functions.RewardFunction, completion: Any, info: dict[str, Any]) -> float:
    columns = {name: [info[name]] for name in ("kind", "expected", "pays")}
    return function(completions=[completion], **columns)[0] or 0.0


def _task_rows(options: TaskOptions, n: int) -> Iterator[dict[str, Any]]:
    for task in islice(tasks(options), n):
        yield {"prompt": task.prompt, "answer": task.expected, "info": _info(task)}


def _info(task: RewardTask) -> dict[str, Any]:
    kept = ("task_id", "kind", "expected", "pays", "steps", "family")
    return {name: getattr(task, name) for name in kept}


def _run_rows(options: TaskOptions, n: int) -> Iterator[dict[str, Any]]:
    for run in islice(runs(options), n):
        yield {"prompt": run.prompt, "answer": "", "info": {"run": msgspec.json.encode(run).decode()}}


def _taskset_environment(vf: Any, options: TaskOptions, questions: Sequence[str], n: int) -> Any:
    """Make an environment of verifiers 0.4 from our taskset. UserError for a version without tasksets."""
    v1: Any = None
    with suppress(ImportError):
        v1 = import_module("verifiers.v1")
    if not hasattr(v1, "Interaction"):
        version = getattr(vf, "__version__", "of this environment")
        raise UserError(
            f"verifiers {version} has neither SingleTurnEnv, as 0.3, nor v1.Interaction, as 0.4; "
            "pip install 'verifiers>=0.3,<0.5'"
        )
    dials = {**msgspec.to_builtins(options), "questions": list(questions)}
    env = v1.load_environment(v1.resolve_env_config({"taskset": {"id": "deskcheck", **dials}}))
    env.taskset = env.taskset.take(n)
    next(iter(env.taskset), None)  # options that no program fits are refused now
    return env


def _dataset(rows: Iterable[dict[str, Any]]) -> Any:
    return need("datasets").Dataset.from_list(list(rows))


def _step_environment(vf: Any, rows: Iterable[dict[str, Any]], eval_rows: Iterable[dict[str, Any]]) -> Any:
    async def executed(state: Any) -> float:
        """Return the share of the run's paid steps that were right before the first mistake."""
        _play(state)
        return float(state["loop"].total)

    async def turns_right(state: Any) -> float:
        """Return the number of right steps, paid or not."""
        return float(state["loop"].at)

    class StepEnvironment(vf.MultiTurnEnv):  # type: ignore[misc]  # the library is optional: no types
        """The step loop; `loop` in a rollout's state holds its conversation."""

        async def setup_state(self, state: Any) -> Any:
            """Begin the run of the row."""
            run = msgspec.json.decode(state["info"]["run"], type=RunTask)
            state["loop"], state["played"] = StepLoop(run), 0
            return state

        @vf.stop  # type: ignore[untyped-decorator]
        async def run_is_over(self, state: Any) -> bool:
            """Return whether the last step was wrong, or ended the run."""
            _play(state)
            return bool(state["loop"].done)

        async def env_response(self, messages: Any, state: Any, **_: Any) -> Any:
            """Return the next state, after the last step."""
            _play(state)
            loop = state["loop"]
            return [{"role": "user", "content": loop.run.turns[loop.at].body}]

    rubric = vf.Rubric(funcs=[executed, turns_right], weights=[1.0, 0.0])
    return StepEnvironment(dataset=_dataset(rows), eval_dataset=_dataset(eval_rows), rubric=rubric)


def _play(state: Any) -> None:
    """Pass the loop the replies that it has not received yet."""
    loop = state["loop"]
    for turn in state["trajectory"][state["played"] :]:
        state["played"] += 1
        if not loop.done:
            loop.reply(functions.text_of(turn["completion"]))
