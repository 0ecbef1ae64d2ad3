"""Over real HTTP: faults of a server lose nothing and make nothing wrong; requests are as they are meant."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import tenacity
from inspect_ai.log import list_eval_logs, read_eval_log
from tests.evaluation.http_model import FAULTS, Proxy, Served
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401
from tests.evaluation.test_run import Silent, build
from tests.strategies.programs import SUM, task_of

from deskcheck.cell_files import RESULTS, Sampled
from deskcheck.errors import UserError
from deskcheck.evaluation.client import LOGGED
from deskcheck.evaluation.plan import Plan, generation
from deskcheck.evaluation.prices import Ledger, Price
from deskcheck.evaluation.run import Results, run_plan
from deskcheck.evaluation.terminal import cost_lines, is_same_model, table
from deskcheck.evaluation.truth import TaskSet

HTTP_MARKS = [
    *MARKS,
    # Connections that the proxy cuts are left to the garbage collector by the client.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]
pytestmark = HTTP_MARKS
PATIENT_S = 4
"""A server that stalls is given up after this; one that answers on a busy machine isn't."""
NEVER: Callable[[int, dict[str, Any]], str] = lambda number, request: ""  # noqa: E731


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries without the minutes between them."""
    monkeypatch.setattr("deskcheck.evaluation.client.WAIT", tenacity.wait_fixed(0.01))
    monkeypatch.setattr("deskcheck.evaluation.client.RETRIES", 1)


def number_in(request: dict[str, Any]) -> str:
    """Which task a request is about."""
    return re.findall(r"return (\d+)", request["messages"][-1]["content"])[-1]


def gold(request: dict[str, Any]) -> str:
    return f"I see. [ANSWER]{number_in(request)}[/ANSWER]"


@pytest.fixture
def evaluate(tmp_path: Path) -> Callable[..., Results]:
    """A function: address of a server -> results; all calls share a log folder."""

    def go(url: str, **changes: Any) -> Results:
        fields = {
            "models": ["openai-api/local/m"],
            "strategies": ["vanilla"],
            "model_args": {"base_url": url, "api_key": "s3cret"},
            "log_dir": str(tmp_path / "logs"),
            "timeout_s": 60,
        }
        tasks = changes.pop("build_tasks", build)
        return run_plan(Plan(**{**fields, **changes}), build_tasks=tasks, screen=Silent())

    return go


def sampled(results: Results) -> list[Sampled]:
    lines = (Path(results.folders[0]) / RESULTS).read_bytes().splitlines()
    return [msgspec.json.decode(line, type=Sampled) for line in lines]


def test_a_fault_that_passes_costs_no_answer(evaluate: Callable[..., Results]):
    seen: Counter[str] = Counter()

    def once(number: int, request: dict[str, Any]) -> str:
        seen[task := number_in(request)] += 1
        return FAULTS[int(task)] if seen[task] == 1 and int(task) < 4 else ""

    with Served(gold) as server, Proxy(server.url, once) as proxy:
        results = evaluate(proxy.url, timeout_s=PATIENT_S)
    (row,) = results.rows
    assert (row.right, row.wrong, sum(row.no_answer.values())) == (12, 0, 0)
    assert sorted(proxy.broken) == sorted(FAULTS[:4])


def test_a_fault_that_stays_is_an_error_and_never_wrong_and_the_next_run_goes_on(
    evaluate: Callable[..., Results],
):
    faults = dict(enumerate(FAULTS))

    def always(number: int, request: dict[str, Any]) -> str:
        return faults.get(int(number_in(request)), "")

    with Served(gold) as server, Proxy(server.url, always) as proxy:
        (row,) = evaluate(proxy.url, timeout_s=PATIENT_S).rows
        assert (row.right, row.wrong) == (12 - len(FAULTS), 0)
        assert row.no_answer["error"] == len(FAULTS)
        assert set(proxy.broken) == set(FAULTS)
        faults.clear()
        before = len(proxy.requests)
        (row,) = evaluate(proxy.url).rows
        assert row.right == 12
        assert len(proxy.requests) - before == len(FAULTS)


@pytest.mark.parametrize("fault", ["cut", "short"])
def test_a_stream_that_breaks_off_is_an_error_and_its_half_an_answer_is_not_read(
    fault: str, evaluate: Callable[..., Results], monkeypatch: pytest.MonkeyPatch
):
    """Half of "[ANSWER]123[/ANSWER]" can be "[ANSWER]1", and an answer's closing tag may be missing."""
    monkeypatch.setattr("deskcheck.evaluation.client.RETRIES", 0)
    broken = {"3", "4"}

    def sometimes(number: int, request: dict[str, Any]) -> str:
        return fault if number_in(request) in broken else ""

    def answers(request: dict[str, Any]) -> str:
        return f"[ANSWER]{number_in(request)}.00[/ANSWER]"

    with Served(answers) as server, Proxy(server.url, sometimes) as proxy:
        args = {"base_url": proxy.url, "api_key": "s3cret", "stream": True}
        (row,) = evaluate(proxy.url, model_args=args, limit=6, policy="lenient").rows
        assert all(request["stream"] for request in proxy.requests)
        assert (row.right, row.wrong, row.no_answer["error"]) == (4, 0, 2)
        before = len(proxy.requests)
        broken.clear()
        (row,) = evaluate(proxy.url, model_args=args, limit=6, policy="lenient").rows
        assert (row.right, len(proxy.requests) - before) == (6, 2)


@pytest.mark.parametrize("fault", ["later 1", "at 2"])
def test_a_server_that_says_when_to_come_back_is_not_asked_before(
    fault: str, evaluate: Callable[..., Results]
):
    with Served(gold) as server, Proxy(server.url, lambda n, request: fault if n == 0 else "") as proxy:
        (row,) = evaluate(proxy.url, limit=1).rows
    assert (row.right, len(proxy.requests)) == (1, 2)
    assert proxy.times[1] - proxy.times[0] >= 0.9  # a date has whole seconds


def test_no_request_carries_a_tool_and_each_carries_what_was_asked_for(evaluate: Callable[..., Results]):
    with Served(gold) as server:
        evaluate(server.url, limit=1, generation=generation(77, 0.5, "low"))
        for strategy in ("cot", "few-shot", "self-consistency", "iip-single", "iip-dynamic"):
            evaluate(server.url, limit=1, strategies=[strategy])
        n_before = len(server.requests)
        evaluate(server.url, limit=1, generation=generation(temperature=0.0), strategies=["self-consistency"])
        greedy = server.requests[n_before:]
        del server.requests[n_before:]
    assert {request["temperature"] for request in greedy} == {0.7}, "greedy votes would all be the same"
    first, *others = server.requests
    assert (first["max_tokens"], first["temperature"], first["reasoning_effort"]) == (77, 0.5, "low")
    for request in (first, *others):
        assert not {"tools", "tool_choice", "functions", "function_call", "stop"} & set(request)
        assert "def f():" in json.dumps(request["messages"])
    assert {request.get("temperature") for request in others} == {None, 0.7}


def test_thinking_is_not_read_and_hidden_tokens_are_counted(evaluate: Callable[..., Results]):
    def thinks(request: dict[str, Any]) -> dict[str, Any]:
        text = f"<think>it is [ANSWER]999[/ANSWER]</think>[ANSWER]{number_in(request)}[/ANSWER]"
        if number_in(request) == "1":  # a budget that went into thinking
            return {
                "role": "assistant",
                "content": "<think>it is [ANSWER]1[/ANSWER] or",
                "finish_reason": "length",
            }
        return {"role": "assistant", "content": text, "reasoning_tokens": 5}

    with Served(thinks) as server:
        results = evaluate(server.url, limit=3)
    (row,) = results.rows
    assert (row.right, row.wrong, row.no_answer["truncated"]) == (2, 0, 1)
    assert [one.tokens_hidden for one in sampled(results)] == [5, 0, 5]
    assert "<think>" not in sampled(results)[0].text
    (info,) = list_eval_logs(results.folders[0])
    score = read_eval_log(info).samples[0].scores["deskcheck_verdict"]
    assert (score.metadata["tokens_hidden"], score.metadata["finish_reasons"]) == (5, {"stop": 1})


def test_money_is_counted_and_what_would_exceed_it_is_not_asked(evaluate: Callable[..., Results]):
    with Served(gold) as server:
        # Every call costs 50 tokens in and 7 out; what one might cost is known before it is asked.
        price = Price(1000.0, 10_000.0)
        results = evaluate(server.url, prices={"": price}, max_cost=1.0, generation=generation(max_tokens=50))
        n_asked = len(server.requests)
        (row,) = results.rows
        assert 0 < row.right == n_asked < 12
        assert row.no_answer["not_asked"] == 12 - n_asked
        assert (row.accuracy, row.n_counted, row.interval) == (1.0, n_asked, [None, None])
        assert results.totals[0]["cost_usd"] == pytest.approx(n_asked * price.of(50, 7))
        assert results.totals[0]["cost_usd"] <= 1.0
        more = evaluate(server.url, prices={"": price}, max_cost=50, generation=generation(max_tokens=50))
    assert more.rows[0].right == 12
    assert len(server.requests) == 12


def test_a_limit_on_money_needs_a_price(evaluate: Callable[..., Results]):
    with (
        Served(gold) as server,
        pytest.raises(UserError, match="--max-cost needs the price of openai-api/local/m"),
    ):
        evaluate(server.url, max_cost=1.0)
    assert server.requests == []


def test_a_log_says_what_a_run_depended_on_and_holds_no_secret(
    evaluate: Callable[..., Results], tmp_path: Path
):
    with Served(gold) as server:
        results = evaluate(server.url, limit=2)
    (info,) = list_eval_logs(results.folders[0])
    log = read_eval_log(info)
    about = log.eval.metadata
    assert {"commit", "versions", "sandbox", "tasks_sha256", "data", "strategy", "knobs", "oracle"} <= set(
        about
    )
    assert all(len(sample.metadata["prompt_hash"]) == 16 for sample in log.samples)
    assert [sample.metadata["prompt_hash"] for sample in log.samples] == [
        one.prompt_hash for one in sampled(results)
    ]
    assert not any(b"s3cret" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert "s3cret" not in log.model_dump_json()


def test_a_long_loop_leaves_few_calls_and_one_table_in_the_log(evaluate: Callable[..., Results]):
    def round_and_round(request: dict[str, Any]) -> str:
        return "STATE: none\nNEXT: 2"

    with Served(round_and_round) as server:
        results = evaluate(
            server.url, limit=1, strategies=["iip-dynamic"], settings={"max_steps": 60, "history": "state"}
        )
    assert len(server.requests) == 60
    assert results.rows[0].no_answer["budget"] == 1
    (info,) = list_eval_logs(results.folders[0])
    (sample,) = read_eval_log(info).samples
    assert sum(event.event == "model" for event in sample.events) == LOGGED
    chain = sample.scores["deskcheck_verdict"].metadata["chain"].split("\n")
    assert (len(chain), chain[0], chain[-1]) == (60, "1\t@2", "60\t@2")


def test_the_likely_skip_is_refused_by_a_server_that_gives_no_log_probabilities(
    evaluate: Callable[..., Results],
):
    silent = Served(lambda request: "<- 8")
    with silent as server, pytest.raises(UserError, match="this model gives none"):
        evaluate(server.url, limit=1, strategies=["line-n"], settings={"skip": "likely"}, build_tasks=traced)
    assert server.requests[0]["logprobs"] is True


def test_the_likely_skip_uses_those_that_a_server_gives(evaluate: Callable[..., Results]):
    def sure(request: dict[str, Any]) -> dict[str, Any]:
        said = [{"token": "<- 8", "logprob": -0.01, "bytes": None, "top_logprobs": []}]
        return {"role": "assistant", "content": "<- 8", "logprobs": {"content": said}}

    with Served(sure) as server:
        results = evaluate(
            server.url, limit=1, strategies=["line-n"], settings={"skip": "likely"}, build_tasks=traced
        )
    assert (results.rows[0].right, len(server.requests)) == (1, 1)


def traced(benchmark: str, **given: Any) -> TaskSet:
    """One task with a true trace."""
    task = task_of(SUM, "f", "[1, 8]")
    return TaskSet(benchmark, [task], [], [], [task.id], True, "test")


def test_the_name_that_a_server_reports_stands_in_each_row_and_another_one_is_warned_of(
    evaluate: Callable[..., Results],
):
    def sometimes_another(request: dict[str, Any]) -> dict[str, Any]:
        other = {"served": "some-other-model-2026"} if number_in(request) in ("1", "2", "3") else {}
        return {"role": "assistant", "content": gold(request), **other}

    with Served(sometimes_another) as server:
        results = evaluate(server.url)
        n_asked = len(server.requests)
        again = evaluate(server.url)
        assert len(server.requests) == n_asked, "stored answers keep the name"
    (row,) = results.rows
    assert row.served == {"m": 9, "some-other-model-2026": 3}
    assert [one.served for one in sampled(results)][:4] == ["m", *["some-other-model-2026"] * 3]
    assert "names another model in 3 of 12 answers: 3 by some-other-model-2026" in table(results.rows, [""])
    assert again.rows[0].served == row.served


@pytest.mark.parametrize(
    ("asked", "served", "same"),
    [
        ("openai/gpt-4o", "gpt-4o-2024-08-06", True),
        ("openai/gpt-4o", "gpt-4o-mini", False),
        ("anthropic/claude-3-5-haiku-latest", "claude-3-5-haiku-20241022", True),
        ("openai-api/mine/Qwen/Qwen3-8B", "Qwen/Qwen3-8B", True),
        ("openai-api/mine/Qwen/Qwen3-8B", "qwen3-8b", True),
        ("google/gemini-2.5-pro", "models/gemini-2.5-pro-001", True),
        ("openai-api/mine/m", "some-other-model-2026", False),
        ("openai/gpt-4", "gpt-4-turbo", False),
        ("openai/davinci-002", "davinci-003", False),
        ("openai/davinci-002", "davinci-002", True),
        ("openai/gpt-4-0613", "gpt-4", True),
        ("openai/gpt-4-0613", "gpt-4-0314", False),
        ("openai/gpt-4o-2024-05-13", "gpt-4o-20240513", True),
        ("ollama/llama3:8b", "llama3:70b", False),
        ("ollama/llama3:latest", "llama3", True),
    ],
)
def test_a_dated_version_is_the_model_that_was_asked(asked: str, served: str, same: bool):
    assert is_same_model(asked, served) == same


def test_a_server_of_your_own_needs_neither_provider_nor_key(evaluate: Callable[..., Results]):
    with Served(gold) as server:
        for name in ("mine", "Qwen/Qwen3-8B", "openai-api/mine/m"):
            (row,) = evaluate(server.url, models=[name], model_args={"base_url": server.url}, limit=1).rows
            assert row.right == 1
        asked = [request["model"] for request in server.requests]
    assert asked == ["mine", "Qwen/Qwen3-8B", "m"]
    with pytest.raises(UserError, match="--base-url http"):
        evaluate("", models=["mine"], model_args={})


PRICED = {"prices": {"": Price(1000.0, 10_000.0)}, "generation": generation(max_tokens=50)}


def test_a_lost_connection_is_no_lack_of_money_and_its_worst_case_is_reported(
    evaluate: Callable[..., Results], monkeypatch: pytest.MonkeyPatch
):
    cut = lambda number, request: "cut" if number == 0 else ""  # noqa: E731
    with Served(gold) as server, Proxy(server.url, cut) as proxy:
        results = evaluate(proxy.url, limit=1, max_cost=1.5, **PRICED)
    (row,) = results.rows
    assert (row.no_answer["error"], row.no_answer["not_asked"]) == (1, 0)
    assert re.search("not sent again, because .* are spent", sampled(results)[0].answer)
    assert "money" not in sampled(results)[0].answer.split(";")[0]
    totals = results.totals[0]
    assert (totals["lost_requests"], totals["lost_usd"] > 0.5) == (1, True)
    assert f"${totals['lost_usd']:.4f} more for 1 requests" in "\n".join(cost_lines(results.totals))


def test_money_under_way_at_a_kill_counts_and_a_resumed_cap_is_never_passed(
    evaluate: Callable[..., Results],
):
    with Served(gold) as server:
        first = evaluate(server.url, limit=4, max_cost=9.0, **PRICED)
        ledger = Ledger.open(Path(first.folders[0]))
        spent = ledger.total
        assert spent == pytest.approx(first.totals[0]["cost_usd"])
        ledger.sent(8.5)  # the process is killed here
        ledger.close()
        with (Path(first.folders[0]) / "money.jsonl").open("ab") as file:
            file.write(b'{"request": 99, "wor')
        resumed = evaluate(server.url, limit=8, max_cost=9.0, **PRICED)
        assert len(server.requests) == 4, "all the rest of the cap was under way"
        assert resumed.rows[0].no_answer["not_asked"] == 4
        assert (resumed.totals[0]["lost_requests"], resumed.totals[0]["lost_usd"]) == (1, 8.5)
        larger = evaluate(server.url, limit=8, max_cost=20.0, **PRICED)
    assert larger.rows[0].right == 8
    assert Ledger.open(Path(first.folders[0])).total == pytest.approx(8.5 + larger.totals[0]["cost_usd"])


def test_the_bound_of_retries_is_reported(
    evaluate: Callable[..., Results], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("deskcheck.evaluation.client.RETRIES", 2)
    monkeypatch.setattr("deskcheck.evaluation.client.PAUSE_S", 0.0)
    lines: list[str] = []
    monkeypatch.setattr(Silent, "say", lambda self, line: lines.append(line))
    with Served(gold) as server, Proxy(server.url, lambda n, request: "500") as proxy:
        (row,) = evaluate(proxy.url, limit=1).rows
    assert (row.no_answer["error"], len(proxy.requests)) == (1, 3)
    tries = [found[0] for line in lines if (found := re.search(r"try \d of \d", line))]
    assert tries == ["try 2 of 3", "try 3 of 3"]
