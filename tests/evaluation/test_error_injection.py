"""Against models of injected skill over HTTP: no fault and no missing answer in a rate, no cap exceeded.

`test_intervals_hold_the_planted_skill` runs one seed here, and forty under `slow`.
"""

from __future__ import annotations

import contextlib
import random
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tenacity
from msgspec.structs import replace
from tests.evaluation.fakes import trace_of
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401
from tests.evaluation.killed_run import CONNECTIONS, killed
from tests.evaluation.planted_server import PlantedServer, Skill, prompts_of
from tests.evaluation.planted_study import held_by

from deskcheck import cli
from deskcheck.errors import DeskcheckError, UserError
from deskcheck.evaluation import client
from deskcheck.evaluation.client import ModelGone
from deskcheck.evaluation.plan import Plan
from deskcheck.evaluation.prices import Price
from deskcheck.evaluation.run import run_plan
from deskcheck.evaluation.study import parse_study, run_study
from deskcheck.evaluation.truth import TaskSet
from deskcheck.questions import output
from deskcheck.records import Program, Task
from deskcheck.report.read import Run, read_run
from deskcheck.report.study import as_lines

pytestmark = [*MARKS, pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"), pytest.mark.one_python]
WAYS = ["vanilla", "cot", "iip-single"]


def planted_tasks(n: int) -> list[Task]:
    """Programs with 1 to 500 executed steps, as their traces say."""
    made = []
    draw = random.Random(5)
    for number in range(n):
        source = f"def f():\n    return {number}\n"
        program = Program(f"p{number}", "python", source, "f", "", f"injected:{number}", "MIT")
        trace = trace_of(number)
        steps = 2 ** draw.uniform(0, 9)
        events = replace(trace.events, step=[int(steps)])
        made.append(
            Task(
                f"t{number}", "core", "output", program, str(number), replace(trace, events=events),
                f"p{number}", question=dict(output.QUESTION), form=dict(output.FORM),
            )
        )  # fmt: skip
    return made


TASKS = planted_tasks(40)
N_ASKED = 4 * len(TASKS)
"""Questions of a study of two models and two strategies."""


def build(benchmark: str, **given: Any) -> TaskSet:
    limit = given.get("limit") or len(TASKS)
    return TaskSet(benchmark, TASKS[:limit], [], [], [task.id for task in TASKS], True, "inject_states")


class Lines:
    """A screen that remembers what was said."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, line: str) -> None:
        self.said.append(line)

    def begin(self, name: str, total: int, kept: int) -> None: ...
    def sample(self, verdict: Any) -> None: ...
    def end(self) -> None: ...


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries without the minutes between them."""
    monkeypatch.setattr("deskcheck.evaluation.client.WAIT", tenacity.wait_fixed(0.01))
    monkeypatch.setattr("deskcheck.evaluation.client.RETRIES", 2)


def study_of(url: str, folder: Path, *, more: str = "", models: int = 2) -> Any:
    named = ", ".join(
        f'{{ name = "openai-api/local/m{k}", args = {{ base_url = "{url}", api_key = "x" }} }}'
        for k in range(models)
    )
    return parse_study(
        f'models = [{named}]\nstrategies = ["vanilla", "cot"]\nbaselines = ["vanilla"]\n'
        f'log_dir = "{folder}"\n{more}',
        "test",
    )


def run_of(url: str, folder: Path, strategy: str = "vanilla", **changes: Any) -> Run:
    args = {"base_url": url, "api_key": "x"}
    plan = Plan(["openai-api/local/m"], strategies=[strategy], model_args=args, log_dir=str(folder))
    results = run_plan(replace(plan, timeout_s=10, **changes), build_tasks=build, screen=Lines())
    return read_run(Path(results.folders[0]))


# ------------------------------------------------------------------ money

PRICE = 'prices = ["1000,4000"]\nmax_tokens = 50\n'
A_QUESTION = Price(1000.0, 4000.0)


SLOW_CAPS = [pytest.param(cap, marks=pytest.mark.slow) for cap in (2.0, 20.0)]


@pytest.mark.parametrize("cap", [0.0, 9.0, *SLOW_CAPS])
def test_one_cap_holds_for_all_cells_and_parallel_requests_of_a_study(cap: float, tmp_path: Path) -> None:
    """Equal strategies whose money ends: no effect is printed, and the server's own sum is under the cap."""
    with PlantedServer(prompts_of(TASKS, WAYS)) as server:
        study = study_of(server.url, tmp_path, more=f"{PRICE}max_cost = {cap or 0.01}")
        results = run_study(study, build_tasks=build, screen=Lines())
        spent = A_QUESTION.of(*server.tokens)
        assert spent <= (cap or 0.01)
        assert len(server.requests) == sum(row.n_counted for row in results.rows)
        assert sum(row.n_missing for row in results.rows) == N_ASKED - len(server.requests)
        assert cap < 20 or len(server.requests) > 20
        text = "\n".join(as_lines([read_run(Path(f)) for f in results.folders], baselines=["vanilla"]))
        assert "no verdict; missing:" in text and "p =" not in text
        if cap == 9:  # once is enough: the same command with more money asks the rest
            whole = run_study(replace(study, max_cost=10_000.0), build_tasks=build, screen=Lines())
            assert [row.n_missing for row in whole.rows] == [0] * 4
            assert len(server.requests) == N_ASKED, "what was answered is not asked again"


def test_a_cap_holds_while_requests_fail_after_they_were_worked_on(tmp_path: Path) -> None:
    """A reply that was cut, cannot be read, or never came was made all the same, and may be billed."""
    draw = random.Random(2)
    kinds = ["cut", "garbage", "odd", "no usage", "", "", ""]
    with PlantedServer(prompts_of(TASKS, WAYS), faults=lambda n, r: draw.choice(kinds)) as server:
        study = study_of(server.url, tmp_path, more=f"{PRICE}max_cost = 14")
        run_study(study, build_tasks=build, screen=Lines())
        assert sum(server.broken.values()) > 5
        assert 0 < A_QUESTION.of(*server.tokens) <= 14


def test_cells_of_several_models_are_asked_side_by_side(tmp_path: Path) -> None:
    with PlantedServer(prompts_of(TASKS, WAYS), pause_s=0.05) as server:
        study = study_of(server.url, tmp_path, more="max_connections = 2\nlimit = 20\n", models=3)
        run_study(study, build_tasks=build, screen=Lines())
        first = {request["model"] for request in server.requests[:40]}
    assert first == {"m0", "m1", "m2"}
    assert 2 < server.most_at_once <= 6
    assert not list(tmp_path.glob(".under-way*"))


# ------------------------------------------------------------------ faults


def test_no_fault_enters_a_rate(tmp_path: Path) -> None:
    """Faults that pass and faults that stay: right and wrong are those of the tasks that were answered."""
    stays = {"t3": "500", "t9": "garbage", "t20": "odd", "t33": "cut"}
    passes = ["429", "500", "garbage", "odd", "cut", "no usage"]
    tries: dict[str, int] = {}

    def faults(number: int, request: dict[str, Any]) -> str:
        task = "t" + request["messages"][-1]["content"].split("return ")[1].split("\n")[0]
        tries[task] = tries.get(task, 0) + 1
        if task in stays:
            return stays[task]
        return passes[int(task[1:]) % len(passes)] if tries[task] == 1 else ""

    asks = prompts_of(TASKS, ["vanilla"])
    with PlantedServer(asks, faults=faults, skill=Skill(unreadable=0.1)) as server:
        run = run_of(server.url, tmp_path)
        drawn = {ask.task.id: server.is_right("m", ask) for ask in asks.values()}
        unread = {one.task for one in run.samples if one.verdict == "no answer"}
        assert {one.task for one in run.missing} == set(stays)
        assert {one.reason for one in run.missing} == {"error"}
        assert run.row.right == sum(drawn[one.task] for one in run.samples if one.task not in unread)
        assert {one.reason for one in run.samples if one.task in unread} <= {"unparsable"}
        assert run.row.accuracy == run.row.right / (len(TASKS) - 4) and run.row.is_withheld
        before = len(server.requests)
        stays.clear()
        again = run_of(server.url, tmp_path)
        assert (again.missing, len(server.requests) - before) == ([], 4)


def test_an_answer_without_usage_leaves_a_partial_sum(tmp_path: Path) -> None:
    with PlantedServer(prompts_of(TASKS, WAYS), faults=lambda n, r: "no usage" if n == 7 else "") as server:
        args = {"base_url": server.url, "api_key": "x"}
        plan = Plan(["openai-api/local/m"], model_args=args, log_dir=str(tmp_path), prices={"": A_QUESTION})
        results = run_plan(plan, build_tasks=build, screen=Lines())
    (totals,) = results.totals
    assert totals["unknown_tokens_in"] == totals["unknown_cost_usd"] == 1
    assert totals["tokens_out"] == (len(TASKS) - 1) * 20
    assert 0 < totals["cost_usd"] < A_QUESTION.of(*server.tokens)


@pytest.mark.parametrize(("status", "words"), [("404", "openai-api/SERVICE/NAME"), ("401", "api_key")])
def test_a_wrong_address_or_key_stops_at_once_and_names_the_right_spelling(
    status: str, words: str, tmp_path: Path
) -> None:
    with PlantedServer(prompts_of(TASKS, WAYS), faults=lambda n, r: status) as server:
        with pytest.raises(UserError, match=words):
            run_of(server.url, tmp_path, max_connections=1)
        assert len(server.requests) <= 2


def test_a_server_that_is_not_there_is_said_within_ten_seconds(tmp_path: Path) -> None:
    with PlantedServer({}) as server:
        url = server.url
    before = time.monotonic()
    with pytest.raises(ModelGone, match=f"no server answers at {url}"):
        run_of(url, tmp_path)
    assert time.monotonic() - before < 10


def test_a_server_that_hangs_is_said_within_ten_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes connections and answers nothing more after three replies. The patience is a fifth of ours."""
    shown_s = 2 * client.SILENT_S + 1
    assert shown_s < 10
    monkeypatch.setattr(client, "SILENT_S", client.SILENT_S / 5)
    screen = Lines()
    hung_at: list[float] = []
    said_at: list[float] = []

    def fault(number: int, request: dict[str, Any]) -> str:
        if number < 3:
            return ""
        hung_at.append(time.monotonic())
        server.is_hanging = True
        return "hang"

    def say(line: str) -> None:
        if "hangs" in line:
            said_at.append(time.monotonic())
            server.ended.set()

    screen.say = say  # type: ignore[method-assign]
    with PlantedServer(prompts_of(TASKS, WAYS), faults=fault) as server:
        args = {"base_url": server.url, "api_key": "x"}
        plan = Plan(["openai-api/local/m"], model_args=args, log_dir=str(tmp_path), limit=5, timeout_s=4)
        with contextlib.suppress(DeskcheckError):
            run_plan(replace(plan, max_connections=1), build_tasks=build, screen=screen)
    assert said_at and said_at[0] - hung_at[0] < shown_s


def test_requests_that_fail_are_said_in_words(tmp_path: Path) -> None:
    screen = Lines()
    with PlantedServer(prompts_of(TASKS, WAYS), faults=lambda n, r: "500" if n < 3 else "") as server:
        args = {"base_url": server.url, "api_key": "x"}
        plan = Plan(["openai-api/local/m"], model_args=args, log_dir=str(tmp_path), limit=5)
        run_plan(plan, build_tasks=build, screen=screen)
    (line,) = [line for line in screen.said if "failed" in line]
    assert line.startswith("openai-api/local/m: a request failed and is sent again") and "500" in line


def test_one_server_that_is_gone_leaves_the_other_models_their_verdicts(tmp_path: Path) -> None:
    with PlantedServer({}) as dead:
        pass
    screen = Lines()
    with PlantedServer(prompts_of(TASKS, WAYS)) as server:
        study = study_of(server.url, tmp_path)
        args = {"base_url": dead.url, "api_key": "x"}
        gone = [replace(plan, model_args=args) for plan in study.plans if plan.models[0].endswith("m1")]
        alive = [plan for plan in study.plans if plan.models[0].endswith("m0")]
        results = run_study(replace(study, plans=[*alive, *gone]), build_tasks=build, screen=screen)
    assert [(row.n_missing, row.accuracy is None) for row in results.rows] == [(0, False)] * 2 + [
        (len(TASKS), True)
    ] * 2
    assert sum("no server answers" in line for line in screen.said) == 2


def test_the_command_ends_with_one_and_says_that_it_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("deskcheck.evaluation.truth.build_tasks", build)
    file, codes = tmp_path / "study.toml", []
    with PlantedServer(prompts_of(TASKS, WAYS)) as server:
        for cap in (7.0, 10_000.0):
            file.write_text(
                f'models = [{{ name = "openai-api/local/m", args = {{ base_url = "{server.url}", '
                'api_key = "x" } }]\nstrategies = ["vanilla", "cot"]\nbaselines = ["vanilla"]\n'
                f'log_dir = "{tmp_path / "logs"}"\n{PRICE}max_cost = {cap}\n'
            )
            monkeypatch.setattr(sys, "argv", ["deskcheck", "study", str(file)])
            with pytest.raises(SystemExit) as stop:
                cli.main()
            codes.append((int(stop.value.code or 0), capsys.readouterr().out.strip().splitlines()[-1]))
    assert [code for code, _ in codes] == [1, 0]
    assert "not asked) and in no rate; verdicts on" in codes[0][1]


# ------------------------------------------------------------------ what is injected is recovered


@pytest.mark.slow
def test_intervals_hold_the_planted_skill(tmp_path: Path) -> None:
    """Accuracies, effects, horizons, languages: of 40 seeds each interval holds the truth in 35 or more.

    All of them together do in 93 to 97 %.
    """
    seeds = 40
    held: Counter[str] = Counter()
    for seed in range(seeds):
        found = held_by(seed, tmp_path / str(seed))
        held.update({name: int(value) for name, value in found.items()})
    assert len(held) == 27
    assert min(held.values()) >= 35, held
    assert 0.93 <= held.total() / (seeds * len(held)) <= 0.97, held


@pytest.mark.slow
def test_a_run_that_is_killed_fifty_times_loses_nothing_and_pays_nothing_twice(tmp_path: Path) -> None:
    """Asked again is only what was under way, or had just been sent."""
    seen = killed(50, tmp_path, n_tasks=600)
    assert seen.unexplained == []
    assert (seen.n_results, seen.n_right) == (600, seen.n_right_drawn)
    assert seen.n_requests - 600 == seen.most_twice <= 50 * CONNECTIONS


def test_every_writer_and_language_is_read_as_what_was_drawn(tmp_path: Path) -> None:
    writers: list[Callable[[str], str]] = [
        lambda answer: f"[ANSWER]{answer}[/ANSWER]",
        lambda answer: f"It returns x.\n[ANSWER]\n{answer}\n[/ANSWER]",
        lambda answer: f"<think>[ANSWER]1[/ANSWER]</think>[ANSWER]{answer}[/ANSWER]",
    ]
    ways: list[Any] = [("cot", {"statement_language": "zh"}), ("cot", {"statement_language": "en"})]
    asks = prompts_of(TASKS, ways)
    with PlantedServer(asks, writers=writers, skill=Skill(half=60, chinese=-2.0)) as server:
        for statement_language in ("zh", "en"):
            run = run_of(server.url, tmp_path, "cot", settings={"statement_language": statement_language})
            own = [ask for ask in asks.values() if ask.statement_language == statement_language]
            assert run.row.right == sum(server.is_right("m", ask) for ask in own)
            assert (run.row.n_missing, run.row.right + run.row.wrong) == (0, len(TASKS))
