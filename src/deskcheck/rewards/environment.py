"""Offer the tasks as an environment of verifiers 0.4, and so of prime-rl: `deskcheck.load_environment`.

    env = deskcheck.load_environment(questions=["output"], steps=(5, 40), families=["easy"])

The function loads the taskset of taskset.py, which `vf-eval deskcheck` finds by name. A question of
`tasks.QUESTIONS` takes a single turn. The question RUN is the step loop, with one turn per step; it cannot be
combined with others. The seed determines the tasks, and the evaluation split has another seed.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import msgspec

from deskcheck.errors import UserError
from deskcheck.rewards.libraries import need
from deskcheck.rewards.tasks import FIRST_HELD_OUT, QUESTIONS, TaskOptions

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
) -> Any:
    """Make an environment of verifiers from fresh programs: single questions, or ["run"], the step loop.

    Arguments:

    - `questions`: kinds of question, or ["run"]; `families`: families of generated programs.
    - `steps`: smallest and largest number of executed lines of a program's run.
    - `contains`, `without`: constructs that every program has, or has not (`tasks.CONSTRUCTS`).
    - `seed`: the same seed gives the same tasks; `n`: number of tasks.

    Errors: UserError for options that no program fits, or another version of verifiers; MissingExtra without
    verifiers, which the extra `rl` brings.

    >>> env = deskcheck.load_environment(["output"], (3, 25), ["easy"], n=2)
    >>> len(list(env.taskset))
    2
    """
    options = options_of(questions, steps, families, contains=contains, without=without, seed=seed)
    vf = need("verifiers")
    v1: Any = None
    with suppress(ImportError):
        v1 = import_module("verifiers.v1")
    if not hasattr(v1, "Interaction"):
        version = getattr(vf, "__version__", "of this environment")
        raise UserError(
            f"verifiers {version} has no v1.Interaction, as 0.4 has; pip install 'verifiers>=0.4,<0.5'"
        )
    chosen = {**msgspec.to_builtins(options), "questions": list(questions)}
    env = v1.load_environment(v1.resolve_env_config({"taskset": {"id": "deskcheck", **chosen}}))
    env.taskset = env.taskset.take(n)
    next(iter(env.taskset), None)  # options that no program fits are refused now
    return env


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

    UserError if `steps` is not a pair, or if RUN stands beside other questions.
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
