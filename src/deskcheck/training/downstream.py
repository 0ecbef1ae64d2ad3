"""Compare two models on HumanEval, MBPP and GSM8K, paired: the side effects of tuning on other tasks.

    downstream(Asked(before="hf/Qwen/Qwen2.5-Coder-0.5B-Instruct", after="runs/qwen/model",
                     tasks=("humaneval", "gsm8k"), log_dir="downstream-logs")) -> [Difference(..)]

The tasks are Inspect's (package inspect_evals), with their prompts, epochs, temperature and scorers; their
logs are in `log_dir`. Both models answer the same samples. A sample's score is its mean over epochs, and
differences are paired by sample. HumanEval and MBPP execute the models' programs, in the Docker sandbox of
the tasks or, with sandbox="deskcheck", in ours. For these two, "local" is refused, since it protects nothing.
A sample that was scored with only one of the models is left out of the pairs and counted.

Source: the downstream table of Execution Tuning (arXiv 2503.05703, section 4), which found no gain.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from msgspec import Struct

from deskcheck.errors import DataError, MissingExtra, UnknownName, UserError
from deskcheck.sandbox import containment
from deskcheck.statistics.paired import paired_difference
from deskcheck.statistics.summary import Interval

TASKS = ("humaneval", "mbpp", "gsm8k")
EXECUTES = ("humaneval", "mbpp")
CONTAINED = "deskcheck"
"""Name of our sandbox in Inspect (`inspect_tasks.py`)."""
SANDBOXES = ("docker", "local", CONTAINED)
"""Sandboxes that come with Inspect and with deskcheck."""


class Asked(Struct, frozen=True, kw_only=True):
    """Options of one comparison of two models."""

    before: str
    """Model before tuning: a name for Inspect (hf/.., openai/..), or a folder that transformers reads."""
    after: str
    tasks: tuple[str, ...] = TASKS
    log_dir: str = "downstream-logs"
    limit: int = 0
    """Largest number of samples per task; 0 = all."""
    max_tokens: int = 0
    """Largest number of tokens of an answer; 0 = the task's."""
    epochs: dict[str, int] = {}
    """Task -> answers asked for per sample, in place of the task's, which for MBPP are five."""
    sandbox: str = ""
    """Sandbox in place of the task's, which is docker; "" = the task's."""
    options: dict[str, dict[str, Any]] = {}
    """Task -> its parameters, as `inspect eval -T` takes them."""


def parse_tasks(text: str) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the tasks of "humaneval,mbpp*1", and the answers to each sample where they are given.

    UserError if the number of answers is not a whole number from 1 on.
    """
    names, epochs = [], {}
    for part in text.split(","):
        name, star, number = part.strip().partition("*")
        names.append(name)
        if star and not (number.isdecimal() and int(number)):
            raise UserError(
                f"--tasks {part.strip()}: the number of answers to a sample is behind the *, 1 or more"
            )
        if star:
            epochs[name] = int(number)
    return tuple(names), epochs


class Difference(Struct, frozen=True):
    """Scores of both models on one task, and their difference."""

    task: str
    before: float
    """Mean score of the common samples before tuning, between 0 and 1."""
    after: float
    points: Interval
    """After minus before, with its interval, as shares between -1 and 1."""
    n: int
    """Samples that were scored with both models."""
    n_left_out: int
    """Samples that were scored with only one of the models."""


def downstream(asked: Asked, *, say: Callable[[str], None] = print) -> list[Difference]:
    """Ask both models every task; return the difference on each task, and pass it to `say` as text.

    UserError, before any model is asked, if an option, a model or the data of a task cannot be used.
    DataError if a task does not finish.
    """
    tasks = checked(asked)
    check_models(asked)
    for name, make in tasks:  # load the data before hours are spent on another task
        _with_data(make, name, asked)
    differences = []
    for name, make in tasks:
        before, after = (_scores(make, name, model, asked) for model in (asked.before, asked.after))
        differences.append(difference(name, before, after))
        say(line(differences[-1]))
    return differences


def checked(asked: Asked) -> list[tuple[str, Callable[..., Any]]]:
    """Return (name, function that makes the task) for each task. UserError if the options are not possible.

    MissingExtra without the package inspect_evals.
    """
    for name in asked.tasks:
        if name not in TASKS:
            raise UnknownName("downstream task", name, list(TASKS))
    if len(set(asked.tasks)) != len(asked.tasks):
        raise UserError(f"--tasks names one twice: {','.join(asked.tasks)}")
    if asked.sandbox == "local" and set(asked.tasks) & set(EXECUTES):
        raise UserError(
            "--sandbox local would run what the model writes on this machine as you; "
            "HumanEval and MBPP need docker, deskcheck or another sandbox of Inspect's"
        )
    if asked.sandbox == CONTAINED:
        containment.admit("untrusted", "what the models write")
    try:
        from inspect_evals.gsm8k import gsm8k
        from inspect_evals.humaneval import humaneval
        from inspect_evals.mbpp import mbpp
    except ImportError as error:
        raise MissingExtra(error.name or "inspect_evals", "downstream", "downstream tasks") from None
    if asked.sandbox and asked.sandbox not in SANDBOXES and not _extensions():
        raise UserError(
            f"no sandbox called '{asked.sandbox}'; Inspect has docker, deskcheck brings deskcheck, "
            "others come with packages of their own"
        )
    made = {"humaneval": humaneval, "mbpp": mbpp, "gsm8k": gsm8k}
    return [(name, made[name]) for name in asked.tasks]


def _extensions() -> set[str]:
    """Return the other packages that extend Inspect; Inspect itself checks the sandboxes that they bring."""
    found = {entry.dist.name for entry in entry_points(group="inspect_ai") if entry.dist}
    return found - {"deskcheck", "inspect_evals", "inspect-evals"}


def check_models(asked: Asked) -> None:
    """Raise UserError for a model that is neither a folder of transformers nor a name that Inspect knows."""
    from inspect_ai.model import get_model

    for model in (asked.before, asked.after):
        folder = Path(model)
        if folder.is_dir():
            if not any((folder / name).is_file() for name in ("config.json", "adapter_config.json")):
                raise UserError(
                    f"no model of transformers in '{model}' (no config.json); a run of "
                    "`deskcheck train --model` keeps it in RUN/model"
                )
            config = folder / "config.json"
            if config.is_file() and not _model_type(config):
                raise UserError(
                    f"the model in '{model}' is none of transformers (config.json without model_type); "
                    f"one trained from scratch runs by: deskcheck eval --model tiny -M path={model}"
                )
            continue
        try:
            if not model.startswith(("hf/", "vllm/")):  # those would be loaded, both at once
                get_model(model)
        except Exception as error:  # each provider has errors of its own
            first = (str(error).strip() or type(error).__name__).splitlines()[0]
            raise UserError(
                f"no model '{model}': neither a folder nor a name that Inspect knows ({first}); "
                "hf/NAME is a model of the hub"
            ) from None


def _model_type(config: Path) -> str:
    """Read the type of model from a configuration; "" if it has none."""
    try:
        found = json.loads(config.read_text(encoding="utf-8"))
    except ValueError:
        return ""
    return str(found.get("model_type", "")) if isinstance(found, dict) else ""


def _with_data(make: Callable[..., Any], name: str, asked: Asked) -> Any:
    """Make a task with its data. UserError if the data is not available."""
    try:
        return make(**asked.options.get(name, {}))
    except OSError as error:  # ConnectionError too
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise UserError(
            f"the data of {name} cannot be had: {first}; they come from the hub (network)"
        ) from None


def _scores(make: Callable[..., Any], name: str, model: str, asked: Asked) -> dict[str, float]:
    """Run a task and return the score of each sample. DataError if Inspect did not finish it.

    UserError if Inspect lacks what it needs, such as Docker.
    """
    from inspect_ai import Epochs
    from inspect_ai import eval as inspect_eval

    settings: dict[str, Any] = {"max_tokens": asked.max_tokens} if asked.max_tokens else {}
    if name in asked.epochs:  # the task's own reducers, such as pass_at_5, need more answers
        settings["epochs"] = Epochs(asked.epochs[name], "mean")
    if asked.sandbox:
        settings["sandbox"] = asked.sandbox
    try:
        (log,) = inspect_eval(
            _with_data(make, name, asked),
            model=opened(model),
            log_dir=asked.log_dir,
            limit=asked.limit or None,
            display="none",
            **settings,
        )
    except Exception as error:
        if type(error).__name__ != "PrerequisiteError":  # of Inspect; it has no public name
            raise
        lines = re.sub(r"\[/?\w+\]", "", str(error)).removeprefix("ERROR: ").splitlines()
        reason = "; ".join(line.strip() for line in lines if line.strip())
        other = "; --sandbox deskcheck needs no Docker" if "docker" in reason.lower() else ""
        raise UserError(f"{name} cannot be asked: {reason}{other}") from None
    if log.status != "success":
        reason = log.error.message if log.error else log.status
        raise DataError(f"{name} with {model} did not finish: {reason}; its log: {log.location}")
    return sample_scores(log.samples or [])


def opened(model: str) -> Any:
    """Open a model in Inspect; a folder is opened by the Hugging Face provider."""
    from inspect_ai.model import get_model

    if Path(model).is_dir():
        return get_model(f"hf/{Path(model).resolve()}", memoize=False)
    return get_model(model)


def sample_scores(samples: Sequence[Any]) -> dict[str, float]:
    """Return the mean over epochs by sample id; samples without a score are absent."""
    from inspect_ai.scorer import value_to_float

    number = value_to_float()
    values: dict[str, list[float]] = {}
    for sample in samples:
        for score in (sample.scores or {}).values():
            values.setdefault(str(sample.id), []).append(number(score.value))
    return {name: sum(own) / len(own) for name, own in values.items()}


def difference(task: str, before: dict[str, float], after: dict[str, float]) -> Difference:
    """Compare the scores of common samples. DataError if there are none."""
    common = [name for name in before if name in after]
    if not common:
        raise DataError(f"{task}: no sample was scored with both models")
    a, b = [after[name] for name in common], [before[name] for name in common]
    return Difference(
        task,
        sum(b) / len(b),
        sum(a) / len(a),
        paired_difference(a, b, common),
        len(common),
        len(before.keys() ^ after.keys()),
    )


def line(paired: Difference) -> str:
    """Render the difference on one task as text."""
    points = paired.points
    ends = f" [{100 * points.low:+.1f}, {100 * points.high:+.1f}]" if points.low == points.low else ""
    left_out = f", {paired.n_left_out} left out" if paired.n_left_out else ""
    return (
        f"{paired.task:<10} before {100 * paired.before:5.1f} %  after {100 * paired.after:5.1f} %  "
        f"after minus before {100 * points.mean:+.1f} points{ends}, paired, n={paired.n}{left_out}"
    )
