"""Prepare an evaluation: open models, make tasks, print warnings, name the folder of each cell.

    open_model("openai/gpt-4o", plan) -> inspect_ai Model
    tasks_of("core", "output", plan, build_tasks, screen) -> [Task]
    marks_of(model, "line-1", strategy, settings, tasks, screen) -> ["layout not trained on", ..]

A mark is a reason why a row cannot be compared with others, for example a layout on which its model was not
trained. `deskcheck eval` writes marks into the row, `inspect eval` into the metadata of every score.

    Cell(model=.., benchmark=.., strategy=.., ..).folder_name -> "cruxeval-line-1-deskcheck-tiny-3f2a9c01"
    run_info(plan) -> {"command": .., "config": {..}, "commit": .., "versions": {..}, "sandbox": .., ..}

    logs/cruxeval-line-1-deskcheck-tiny-3f2a9c01/
        answers.jsonl   finished answers, appended one by one (stores.py)
        results.jsonl   the last run: one line per sample with task, prompt, answer, expected, chain
        cell.json       the cell's row, configuration and run information, written last
        *.eval          Inspect's logs (`inspect view --log-dir logs`)

A cell is one model x benchmark x strategy. Its folder's key is a hash over everything that can change an
answer. The choice of tasks and the number of samples are not part of it, so a larger run reuses the answers
of a smaller one. Secrets are left out.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import os
import platform
import re
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import msgspec
from inspect_ai.model import Model, get_model
from msgspec import Struct, field

from deskcheck import __version__, plugins
from deskcheck.errors import DeskcheckError, UserError
from deskcheck.evaluation.client import cause_text, watch
from deskcheck.evaluation.plan import Plan, built, chosen_settings, filter_tasks, load_strategy
from deskcheck.evaluation.prices import Budget, Price, price_of
from deskcheck.evaluation.provider import DeskcheckAPI
from deskcheck.evaluation.truth import TaskSet, revision_of
from deskcheck.format.files import commit
from deskcheck.inference.engine import Card, read_card
from deskcheck.languages import offers, part
from deskcheck.models import suited_strategy
from deskcheck.records import RunInfo, Score, Task
from deskcheck.sandbox import containment
from deskcheck.strategies import Settings, Strategy, check_program, label
from deskcheck.tracing.program import imports_of
from deskcheck.turns.wording import title


class Screen(Protocol):
    """Receiver of progress and messages, such as `terminal.Progress`.

    `begin` starts a cell of `total` samples, of which an earlier run answered `n_earlier`. `sample` gets each
    verdict, and `end` closes the cell.
    """

    def say(self, line: str) -> None: ...
    def begin(self, name: str, total: int, n_earlier: int) -> None: ...
    def sample(self, verdict: Score) -> None: ...
    def end(self) -> None: ...


def open_model(name: str, plan: Plan) -> Model:
    """Open Inspect's model; a refusal of the provider becomes a one-line UserError."""
    try:
        # Without Inspect's cache, whose key is the arguments' text: a file that they name may have changed.
        return watch(get_model(name, memoize=False, **_with_key(name, plan.model_args)))
    except DeskcheckError:
        raise
    except Exception as error:  # whatever a provider raises when it lacks a key, a library or a name
        raise UserError(
            f"cannot use model '{name}': {cause_text(error)} (deskcheck's own models: "
            f"{', '.join(plugins.names('model'))}; others are provider/model as Inspect names them)"
        ) from None


def _with_key(name: str, args: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a model; one on a server of its own gets an empty key if none is given."""
    provider, *rest = name.split("/")
    variable = f"{(rest[0] if provider == 'openai-api' else provider).upper().replace('-', '_')}_API_KEY"
    given = "api_key" in args or os.environ.get(variable)
    return (
        {**args, "api_key": "none"}
        if args.get("base_url") and not given and rest and provider.startswith("openai")
        else args
    )


def budget_of(models: list[Model], prices: dict[str, Price], max_cost: float) -> Budget | None:
    """Return the budget of --max-cost, None without one; UserError if a model's price is unknown."""
    if not max_cost:
        return None
    for model in models:
        if price_of(str(model), prices) is None:
            raise UserError(
                f"--max-cost needs the price of {model}, which is not known; "
                "give it in dollars per million tokens: --price IN,OUT"
            )
    return Budget(max_cost)


def tasks_of(
    benchmark: str, kind: str, plan: Plan, build_tasks: Callable[..., TaskSet], screen: Screen
) -> list[Task]:
    """Make the tasks of one kind and benchmark with executed truth; report those left out or contradicted.

    UserError if no task is left.
    """
    screen.say(f"{benchmark}: executing the programs for the truth ...")
    found = built(benchmark, kind, plan, build_tasks)
    tasks = filter_tasks(found.tasks, plan.filters, limit=plan.limit)
    if found.dropped:
        reasons = ", ".join(f"{count} {reason}" for reason, count in found.dropped_by_reason.items())
        screen.say(f"{benchmark}: {len(found.dropped)} tasks have no truth and are left out: {reasons}")
    if found.skipped:
        reasons = ", ".join(f"{count} {reason}" for reason, count in found.skipped_by_reason.items())
        screen.say(f"{benchmark}: {len(found.skipped)} cases are no tasks and are left out: {reasons}")
    for row in found.disagreements[:5]:
        screen.say(
            f"{benchmark} {row.id}: the file says {row.recorded[:80]}, the program gives {row.executed[:80]}"
        )
    if len(found.disagreements) > 5:
        screen.say(f"{benchmark}: {len(found.disagreements)} such disagreements; the executed answer counts")
    if not tasks:
        asked = f" with --filter id={','.join(plan.ids)}" if plan.ids else ""
        raise UserError(f"benchmark '{benchmark}' has no tasks{asked}: there is nothing to ask")
    return tasks


def made_for_inspect(benchmark: str, kind: str, plan: Plan) -> tuple[TaskSet, list[Task]]:
    """Make the tasks of an Inspect task; UserError if there is none, or if a program cannot be asked."""
    from deskcheck.evaluation.truth import build_tasks

    found: TaskSet = built(benchmark, kind, plan, build_tasks)
    tasks = filter_tasks(found.tasks, plan.filters, limit=0)
    if not tasks:
        raise UserError(f"benchmark '{benchmark}' has no tasks: there is nothing to ask")
    for name in plan.strategies:
        for task in tasks:
            check_program(name, load_strategy(name), task, settings=chosen_settings(name, plan))
    return found, tasks


def facts_of(task_set: TaskSet, tasks: list[Task]) -> dict[str, Any]:
    """Return the facts that a log stores about the source of its tasks and the versions that ran them."""
    return {
        "commit": commit(),
        "versions": versions(),
        "sandbox": containment.find().level,
        "tasks_sha256": hash_of_tasks(tasks),
        "data": revision_of(task_set.benchmark),
        "origin": task_set.note,
        "disagreements": len(task_set.disagreements),
        "dropped": task_set.dropped_by_reason,
        "skipped": task_set.skipped_by_reason,
    }


NOT_TRAINED_ON = "layout not trained on"


class Saying(Protocol):
    """Receiver of warnings, such as a terminal."""

    def say(self, line: str) -> None: ...


def marks_of(
    model: Model, name: str, strategy: Strategy, settings: Settings, tasks: list[Task], screen: Saying
) -> list[str]:
    """Return the reasons why this row cannot be compared with plain ones, and report each of them."""
    card = card_of(model)
    marks = warn_unless_trained(str(model), card, name, strategy, settings, screen)
    marks += warn_of_comments(str(model), card, strategy, tasks, screen)
    marks += warn_of_comprehensions(str(model), card, strategy, settings, tasks, screen)
    return marks + (["injected states"] if settings.inject_states != "0" else [])


def card_of(model: Model) -> Card:
    """Read the card in a model's folder (its layouts, for example); an empty one without such a folder."""
    path = model.model_args.get("model_path", "")
    if isinstance(model.api, DeskcheckAPI):
        path = getattr(getattr(model.api.engine, "model", None), "path", "")
    return read_card(Path(str(path))) if path else Card()


def warn_unless_trained(
    model: str, card: Card, name: str, strategy: Strategy, settings: Settings, screen: Saying
) -> list[str]:
    """Warn of a layout on which the model was not trained, and return a mark for the row."""
    trained = strategy.TRAINED and not settings.shots
    if name in card.layouts and not settings.shots:
        return []
    if trained and card.layouts:
        known = ", ".join(card.layouts)
        screen.say(
            f"warning: {model} was not trained on the layout of strategy '{name}', so the row says little "
            f"about it; its card names {known}"
        )
        return [NOT_TRAINED_ON]
    if trained and not suited_strategy(model):
        shots = "; -S shots=3 shows it to a chat model" if "shots" in strategy.SETTINGS else ""
        screen.say(
            f"warning: strategy '{name}' is a layout for models trained on it; {model} is not known to be"
            + shots
        )
    elif not trained and suited_strategy(model):
        screen.say(
            f"warning: {model} is no chat model; strategy '{name}' asks it in words it was not trained on"
        )
        return ["words not trained on"]
    return []


def warn_of_comments(
    model: str, card: Card, strategy: Strategy, tasks: list[Task], screen: Saying
) -> list[str]:
    """Warn of comments, and return a mark, if the model was trained without any."""
    if card.comments or not strategy.TRAINED:
        return []
    programs = {
        task.program.id: task.program for task in tasks if offers(task.program.language, "has_comment")
    }
    n = sum(has_comment(program.source, program.language) for program in programs.values())
    if not n:
        return []
    screen.say(
        f"warning: {n} of {len(programs)} programs hold comments, and {model} was trained without any (its "
        "card): expect more wrong answers there; the programs are asked about as they are"
    )
    return [f"comments in {n} of {len(programs)} programs, trained without"]


def warn_of_comprehensions(
    model: str, card: Card, strategy: Strategy, settings: Settings, tasks: list[Task], screen: Saying
) -> list[str]:
    """Warn of steps that the model learned from another Python; return a mark if each starts in a true state.

    Without teacher forcing the model goes on from its own states, so its answers are not affected.
    """
    forced = settings.teacher_forcing == "true"
    by_steps = forced or getattr(strategy, "CHAIN", "") == "states"
    if not card.comprehensions or not strategy.TRAINED or not by_steps:
        return []
    programs = {
        task.program.id: task.program for task in tasks if offers(task.program.language, "is_inlined")
    }
    n = sum(part(program.language, "is_inlined")(program.source) for program in programs.values())
    if not n:
        return []
    screen.say(
        f"warning: {n} of {len(programs)} programs have comprehensions. {card.comprehensions} So right steps "
        "there count as wrong" + ("" if forced else "; answers are not affected")
    )
    return [f"comprehensions of another Python in {n} of {len(programs)} programs"] if forced else []


def has_comment(source: str, language: str) -> bool:
    """Return whether a program has a comment. MissingPart if its language doesn't tell."""
    has: bool = part(language, "has_comment")(source)
    return has


SECRET = re.compile(r"key|token(?!s)|secret|password|credential|authorization", re.IGNORECASE)


PACKAGE = Path(__file__).parents[1]
PROMPT_CODE = tuple(f"deskcheck.{name}." for name in ("strategies", "turns", "states", "layouts"))
"""Packages whose code makes prompts."""


class Cell(Struct, frozen=True):
    """Everything that the answers of one table row depend on."""

    model: str
    """"provider/name"."""
    model_args: dict[str, str]
    """-M, as JSON text, secrets replaced."""
    fingerprint: str
    """Hash of weights, file or script for our own models; "" for models that cannot be read here."""
    benchmark: str
    options: dict[str, str]
    """Options of the benchmark: name -> value, as given with -T."""
    task: str
    """Kind of question: output, state, next-line, .."""
    strategy: str
    strategy_code: str
    """Hash of the strategy's file and of the files of PROMPT_CODE that it imports (`code_hash`)."""
    settings: Settings = field(name="knobs")  # its name in stored files
    generation: dict[str, str]
    """Settings of every request, under Inspect's names, as JSON text, secrets replaced."""
    version: str = __version__

    @property
    def key(self) -> str:
        """Key of 8 hex digits over every field."""
        return hashlib.sha256(msgspec.json.encode(self, order="sorted")).hexdigest()[:8]

    @property
    def strategy_label(self) -> str:
        """Name of the strategy with the settings that differ from their defaults."""
        return label(self.strategy, self.settings)

    @property
    def folder_name(self) -> str:
        """Readable name of the folder, unique by the key."""
        kind = "" if self.task == "output" else f"-{self.task}"
        named = f"{self.benchmark}{kind}-{self.strategy_label}-{self.model}"
        plain = re.sub(r"[^A-Za-z0-9_.]+", "-", named).strip("-")
        return f"{plain[:120]}-{self.key}"


def code_hash(strategy: Strategy, settings: Settings) -> str:
    """Hash the code that makes the prompts: the strategy, and the turns, states and layouts that it imports.

    The settings do not change the hash.
    """
    digest = hashlib.sha256()
    for file in shared_files(Path(str(getattr(strategy, "__file__", "")))):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def shared_files(file: Path) -> list[Path]:
    """Return the file and those of PROMPT_CODE that it imports, directly or not; not `turns/settings.py`."""
    files = {file: True}
    waiting = [file]
    while waiting:
        for path in _imported(waiting.pop()):
            if path not in files and path.is_file():
                files[path] = True
                waiting.append(path)
    return [file, *sorted(path for path in files if path != file)]


@cache
def _imported(file: Path) -> list[Path]:
    names = imports_of(file.read_text(encoding="utf-8"), file.name)
    parts = [name.split(".")[1:3] for name in names if name.startswith(PROMPT_CODE)]
    return [PACKAGE.joinpath(*part).with_suffix(".py") for part in parts if part != ["turns", "settings"]]


def without_secrets(args: dict[str, Any]) -> dict[str, str]:
    """Return model arguments as text without secrets; functions are shown by their name."""
    shown = {}
    for name, value in sorted(args.items()):
        if SECRET.search(name):
            shown[name] = "(secret)"
        elif callable(value):
            shown[name] = getattr(value, "__qualname__", type(value).__name__)
        else:
            shown[name] = msgspec.json.encode(value).decode()
    return shown


LIBRARIES = ("inspect_ai", "onnxruntime", "tokenizers", "openai", "msgspec")


def run_info(plan: Plan) -> dict[str, Any]:
    """Return the "run" part of a results file."""
    from deskcheck.sandbox import containment

    config = {
        "models": ", ".join(plan.models),
        "benchmarks": ", ".join(plan.benchmarks),
        "strategies": ", ".join(plan.strategies),
        "data": ", ".join(f"{name}={path}" for name, path in plan.data.items()),
        "ids": ",".join(plan.ids),
        "tasks": ", ".join(plan.tasks),
        "limit": str(plan.limit),
        "filter": ", ".join(plan.filters),
        **({"shard": plan.shard} if plan.shard not in ("", "1/1") else {}),
        "samples": str(plan.n_samples),
        "policy": plan.policy,
        **{f"-G {name}": text for name, text in without_secrets(plan.generation.config).items()},
        "timeout_s": str(plan.timeout_s),
        "max_cost": str(plan.max_cost),
        **{f"price {model}": _price(model, plan) for model in plan.models},
        **{f"-T {name}": value for name, value in plan.options.items()},
        **{f"-S {name}": shown(name, str(value)) for name, value in plan.settings.items()},
        **{f"-M {name}": text for name, text in without_secrets(plan.model_args).items()},
    }
    info = RunInfo(
        command=public_command(plan.command),
        config=config,
        commit=commit(),
        versions=versions(),
        seed=0,
        sandbox=containment.find().level,
        started_unix_s=round(time.time(), 3),
    )
    facts: dict[str, Any] = msgspec.to_builtins(info)
    return facts


def shown(name: str, value: str) -> str:
    """Return a setting as text to print; for a prompt its name and hash, since its text is in the cell."""
    return title(value) if name == "prompt" else value


def _price(model: str, plan: Plan) -> str:
    found = price_of(model, plan.prices)
    if found is None:
        return "unknown"
    return f"${found.tokens_in:g} in, ${found.tokens_out:g} out per million tokens ({found.origin})"


def public_command(command: str) -> str:
    """Return the command line without the values of secrets."""
    names = rf"(\S*(?:{SECRET.pattern})\S*?=)\S+"
    return re.sub(names, r"\1(secret)", command, flags=re.IGNORECASE)


def versions() -> dict[str, str]:
    """Return the versions of deskcheck, Python and the libraries that decide results."""
    numbers = {"deskcheck": __version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            numbers[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            numbers[name] = "absent"
    return numbers


def hash_of_tasks(tasks: list[Task]) -> str:
    """Return the sha256 over ids, programs and true answers, whatever file they came from."""
    digest = hashlib.sha256()
    for task in tasks:
        digest.update(f"{task.id}\0{task.program.id}\0{task.expected}\n".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
