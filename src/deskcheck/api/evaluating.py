"""Evaluate models from Python, and read finished evaluations as a table.

    found = deskcheck.evaluate("tiny", "easy", strategy="line-1", limit=20)
    found.accuracy, found.interval, found.to_pandas()
    deskcheck.evaluate(lambda prompt: my_model(prompt), "core", limit=30)
    deskcheck.results("logs")                  # one row per answer, from a folder of logs or a file

Prompts, grading, and the rule that withholds an accuracy if too many answers are missing, are those of
`deskcheck eval`.
"""

from __future__ import annotations

import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from deskcheck.api.executing import as_options, off_the_loop
from deskcheck.errors import MissingExtra, UserError
from deskcheck.result_rows import NULLABLE, Result, column_types, rows_at, split_name
from deskcheck.statistics.summary import unread_in_words

if TYPE_CHECKING:
    import pandas

Model = str | Callable[[str], str]
"""A model's name as in `deskcheck eval`, or a function from a prompt to a reply."""


class Evaluation:
    """Counts of one model's answers to one benchmark.

    Made by `deskcheck.evaluate`; iterating over it gives the answers.

    Attributes:

    - `model`: name of the model, or of the function used in its place.
    - `benchmark`: name of the benchmark whose tasks were asked.
    - `strategy`: name of the strategy, with settings that are not its defaults.
    - `n_answers`: number of answers that were requested: tasks times samples.
    - `right`: number of answers with the value and type of the true one.
    - `wrong`: number of answers with another value or type.
    - `no_answer`: reason -> number of answers that could not be read, were cut, were never requested, ..
    - `accuracy`: share of right answers; None if no answer came, or if too many are missing for a
      verdict.
    - `interval`: 95 % interval of the share, clustered by program; None if it cannot be computed.
    - `unread`: number of unread replies with the bounds of the accuracy; "" unless more than 10 % are
      unread.
    - `note`: warning about the interval: "too few clusters"; "" = none.
    - `answers`: one row per answer, in the order of the tasks.
    - `log_dir`: folder of the logs; "" if they were not kept.

    >>> counts = deskcheck.evaluate(lambda prompt: "[ANSWER]1[/ANSWER]", "core", limit=2)
    >>> len(counts), counts.benchmark, counts.strategy, counts.right
    (2, 'core', 'vanilla', 0)
    """

    def __init__(self, row: Any, note: str, answers: list[Result], log_dir: str, text: str) -> None:
        self.model: str = row.model
        self.benchmark: str = row.benchmark
        self.strategy: str = row.strategy
        self.n_answers: int = row.n_answers
        self.right: int = row.right
        self.wrong: int = row.wrong
        self.no_answer: dict[str, int] = {reason: n for reason, n in row.no_answer.items() if n}
        self.accuracy: float | None = None if row.is_withheld else row.accuracy
        low, high = row.interval
        self.interval: tuple[float, float] | None = None if low is None or high is None else (low, high)
        self.unread: str = unread_in_words(row)
        self.note = note
        self.answers = answers
        self.log_dir = log_dir
        self._text = text

    def __len__(self) -> int:
        return len(self.answers)

    def __iter__(self) -> Iterator[Result]:
        return iter(self.answers)

    def __repr__(self) -> str:
        rate = "no accuracy" if self.accuracy is None else f"{100 * self.accuracy:.1f} %"
        ends = f" [{100 * self.interval[0]:.1f}, {100 * self.interval[1]:.1f}]" if self.interval else ""
        counts = f"{self.right} right, {self.wrong} wrong, {sum(self.no_answer.values())} without an answer"
        ends += f", {self.unread}" if self.unread else ""
        return f"<{self.model} on {self.benchmark}, {self.strategy}: {rate}{ends}, {counts}>"

    def __str__(self) -> str:
        return self._text

    def to_pandas(self) -> pandas.DataFrame:
        """Return one row per answer, with the columns of `deskcheck.results`."""
        return _frame(self.answers)


def evaluate(
    model: Model,
    benchmark: str = "core",
    *,
    strategy: str = "",
    task: str = "output",
    limit: int | None = None,
    ids: Sequence[str] = (),
    filter: Sequence[str] = (),
    samples: int = 1,
    policy: str = "strict",
    data: str | Path = "",
    options: Mapping[str, object] | None = None,
    settings: Mapping[str, object] | None = None,
    model_args: Mapping[str, object] | None = None,
    base_url: str = "",
    max_steps: int = 1000,
    max_tokens: int | None = None,
    temperature: float | None = None,
    price: tuple[float, float] | None = None,
    max_cost: float | None = None,
    log_dir: str | Path = "",
) -> Evaluation:
    """Ask a model every task of a benchmark, and grade its answers against the executed truth.

    Arguments:

    - `model`: a name as in `deskcheck eval`, or a function from the text of a prompt to a reply.
    - `benchmark`: its name; `task`: the kind of question; `options`: options of the benchmark; `data`: its
      file.
    - `strategy`: a way to ask, "" = the one that `deskcheck eval` takes; `settings`: values of its settings.
    - `limit`, `ids`: the first tasks, or those with these ids; `filter`: conditions on tasks, as
      "family=graphs" or "steps<100"; `samples`: answers to each task.
    - `policy`: comparison of answers: strict, lenient, lenient:1e-9 or published, as in `deskcheck.grade`.
    - `model_args`: arguments for opening the model; `base_url`: address of a server of your own;
      `temperature`: of sampling, None = the provider's.
    - Budgets: `max_steps`: prompts of a run; `max_tokens`: tokens of one reply, None = the strategy's;
      `max_cost`: dollars of the evaluation, None = no limit; `price`: dollars per million tokens in and out,
      None = the price that deskcheck has for the model.
    - `log_dir`: folder of logs and answers, from which the same call continues; "" = "logs" for a named
      model. A function is asked again at every call, and its logs are kept only if the folder is given.

    Errors: UserError names an unknown model, benchmark or strategy; MissingExtra without the extra `eval`.

    >>> counts = deskcheck.evaluate(lambda prompt: "[ANSWER]1[/ANSWER]", "core", limit=6)
    >>> counts.n_answers, counts.right + counts.wrong, counts.no_answer
    (6, 6, {})
    """
    from deskcheck.evaluation.plan import Plan, generation, need_inspect, parse_model_args, split_ids
    from deskcheck.evaluation.prices import Price

    need_inspect()
    named, conditions = split_ids(filter)
    arguments = parse_model_args(as_options(model_args or {}))
    arguments |= {"base_url": base_url} if base_url else {}
    name = model if isinstance(model, str) else _name_of(model)
    failures: list[str] = []
    if not isinstance(model, str):
        if not callable(model):
            raise UserError(
                f"deskcheck.evaluate needs a model's name or a function of a prompt, not {model!r}"
            )
        arguments = {"answers": _speaker(model, name, failures)}
    kept = str(log_dir) or ("logs" if isinstance(model, str) else "")
    with tempfile.TemporaryDirectory(prefix="deskcheck-") as aside:
        plan = Plan(
            models=[model if isinstance(model, str) else "scripted"],
            benchmarks=[benchmark],
            tasks=[task],
            strategies=[strategy] if strategy else [],
            options=msgspec.convert(dict(options or {}), dict[str, str], strict=False),
            data={benchmark: str(data)} if data else {},
            ids=[*ids, *named],
            filters=conditions,
            limit=limit or 0,
            n_samples=samples,
            policy=policy,
            settings={"max_steps": max_steps, **(settings or {})},
            generation=generation(max_tokens or 0, temperature),
            prices={} if price is None else {"": Price(*price)},
            max_cost=max_cost or 0.0,
            model_args=arguments,
            log_dir=kept or aside,
            command="deskcheck.evaluate",
        )
        found = off_the_loop(lambda: _asked(plan, name, kept))
    if failures and found.no_answer.get("error", 0) == found.n_answers:
        raise UserError(f"{name} failed on every prompt; first: {failures[0]}")
    return found


def _asked(plan: Any, name: str, log_dir: str) -> Evaluation:
    from msgspec.structs import replace

    from deskcheck.evaluation import terminal
    from deskcheck.evaluation.run import run_plan
    from deskcheck.evaluation.truth import build_tasks
    from deskcheck.result_rows import results_of_folder

    screen = terminal.Progress(sys.stderr) if sys.stderr and sys.stderr.isatty() else SilentScreen()
    found = run_plan(plan, build_tasks=build_tasks, screen=screen)
    row, note = found.rows[0], found.notes[0]
    answers = results_of_folder(Path(found.folders[0]))
    if plan.models == ["scripted"] and callable(plan.model_args.get("answers")):
        row = replace(row, model=name)
        answers = [replace(one, model=name, log=one.log if log_dir else "") for one in answers]
    return Evaluation(row, note, answers, log_dir, terminal.table([row], [note]))


class SilentScreen:
    """A screen that shows nothing, since calls from a program print no progress."""

    def say(self, line: str) -> None:
        """Ignore a line that a terminal would show."""

    def begin(self, name: str, total: int, n_earlier: int) -> None:
        """Ignore the beginning of a cell."""

    def sample(self, verdict: object) -> None:
        """Ignore one more scored answer."""

    def end(self) -> None:
        """Ignore the end of a cell."""


def _name_of(model: object) -> str:
    return str(getattr(model, "__qualname__", type(model).__name__)).rpartition(".")[2]


def _speaker(model: Callable[[str], str], name: str, failures: list[str]) -> Callable[[Any], Any]:
    """Wrap a function for the engine `models.scripted`, under a new name, so that no old answer is reused."""
    from deskcheck.records import Completion

    def speak(question: Any) -> Any:
        text = "\n\n".join(message.text for message in question.prompt.messages)
        try:
            reply = model(text)
            if not isinstance(reply, str):
                raise TypeError(f"it returned {type(reply).__name__}, not the text of a reply")
        except Exception as error:  # the caller's function can raise anything
            failures.append(f"{type(error).__name__}: {error}")
            return Completion(failures[-1], "error")
        return Completion(reply, "stop")

    speak.__qualname__ = f"{name}-{uuid.uuid4().hex}"
    return speak


def results(*places: str | Path) -> pandas.DataFrame:
    """Read finished evaluations as a data frame: one row per answer, in the order of the places.

    Arguments:

    - `*places`: log folders, Parquet files of results, or "NAME=PATH", which gives its runs that name.

    The main columns, beside run, model, strategy and benchmark:

    - `task`, `sample`: name of the task, and number of the answer to it, from 0; `question`: its kind.
    - `verdict`: "right", "wrong" or "no answer"; `reason`: why there is no answer, as in `deskcheck.Score`.
    - `answer`, `expected`: the value that was read, and the true one, as text; `call`: the call.
    - `n_steps`: executed lines of the true run; `n_calls`: requests for the answer.
    - `tokens_in`, `tokens_out`, `cost_usd`, `seconds`: what the answer took.

    The schema of all columns is `schemas/row.json` in the package. Unknown numbers are missing values.

    Errors: UserError where a place holds no finished evaluation; MissingExtra without the extra `eval`.

    >>> counts = deskcheck.evaluate(lambda prompt: "[ANSWER]1[/ANSWER]", "core", limit=2, log_dir="logs")
    >>> frame = deskcheck.results("logs")
    >>> list(frame["verdict"]), list(frame.columns)[:4]
    (['wrong', 'wrong'], ['run', 'model', 'strategy', 'benchmark'])
    """

    if not places:
        raise UserError("name a log folder or a file of results: deskcheck.results('logs')")
    rows: list[Result] = []
    for place in places:
        name, path = split_name(str(place))
        stored = rows_at(Path(path))
        rows += [msgspec.structs.replace(row, run=name) for row in stored] if name else stored
    return _frame(rows)


def _frame(rows: Sequence[Result]) -> pandas.DataFrame:
    """Return the rows as a data frame, in which unknown numbers are missing."""
    try:
        import pandas
    except ModuleNotFoundError:
        raise MissingExtra("pandas", "eval", "a data frame") from None
    frame = pandas.DataFrame([msgspec.structs.asdict(row) for row in rows], columns=list(column_types()))
    for column in NULLABLE:
        frame[column] = frame[column].where(frame[column] != -1)
    return frame
