"""Twelve kinds of faults, two kills and a cap: counts and money are the server's, to the unit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.inspecting import MARKS
from tests.evaluation.killed_run import PRICE, CountingServer
from tests.evaluation.planted_server import key_of, prompts_of
from tests.evaluation.planted_study import SKILL, drawn_tasks

from deskcheck.evaluation.prices import Ledger

pytestmark = [*MARKS, pytest.mark.one_python]
PASSING = ("429", "500", "hang", "garbage", "odd", "cut")
"""Faults of the first try alone: they cost no answer."""
LASTING = {
    "empty": ("no answer", "unparsable"),
    "filtered": ("no answer", "refused"),
    "refusal": ("no answer", "refused"),
    "malformed": ("no answer", "unparsable"),
    "tool call": ("no answer", "unparsable"),
    "other model": ("", ""),
}
"""Faults of every try -> verdict and reason; "" = the answer counts."""
KINDS = (*PASSING, *LASTING)
N_TASKS = 36


@pytest.mark.slow
def test_twelve_faults_two_kills_and_a_cap_leave_counts_and_money_to_the_unit(tmp_path: Path) -> None:
    tasks = drawn_tasks(7, N_TASKS)
    asks = prompts_of(tasks, ["vanilla"])
    kinds = {key: KINDS[number % len(KINDS)] for number, key in enumerate(asks)}
    tries: Counter[str] = Counter()

    def faults(number: int, request: dict[str, Any]) -> str:
        key = key_of(message["content"] for message in request["messages"])
        tries[key] += 1
        return kinds[key] if kinds[key] in LASTING or tries[key] == 1 else ""

    with CountingServer(asks, skill=SKILL, faults=faults, pause_s=0.02) as server:
        longest = max(len(key.encode()) for key in asks)
        worst = PRICE.of(longest + 20, 50)  # what is set aside for a request
        high = 10 * N_TASKS * worst

        def run(cap: float, stop_after: int = 0) -> None:
            command = [sys.executable, "-m", "tests.evaluation.killed_run", "--child", server.url]
            command += ["--folder", str(tmp_path), "--tasks", str(N_TASKS), "--cap", str(cap)]
            child, before = subprocess.Popen(command, stdout=subprocess.DEVNULL), len(server.requests)
            try:
                while stop_after and child.poll() is None and len(server.requests) - before < stop_after:
                    time.sleep(0.005)
                if stop_after:
                    assert child.poll() is None, "it ended before it could be killed"
                    os.kill(child.pid, signal.SIGKILL)
                child.wait(270)  # on two busy cores requests run into their two seconds and are sent again
            finally:
                child.kill()

        run(high, 6)
        run(high, 5)
        low = ledger_of(tmp_path).total + 7 * worst
        run(low)
        assert PRICE.of(*server.tokens) <= low, "the cap is passed"
        assert {"", "not_asked"} <= {row["reason"] for row in results(tmp_path)}
        run(high)
        assert PRICE.of(*server.tokens) <= high
        rows = {row["task"]: row for row in results(tmp_path)}
        ledger = ledger_of(tmp_path)
    assert len(rows) == N_TASKS
    for key, ask in asks.items():
        drawn = "right" if server.is_right("m", ask) else "wrong"
        verdict, reason = LASTING.get(kinds[key], ("", ""))
        row = rows[ask.task.id]
        assert (row["verdict"], row["reason"]) == (verdict or drawn, reason), kinds[key]
        assert row["served"] == ("another-model" if kinds[key] == "other model" else "m")
    answered = sum(PRICE.of(len(key.encode()) // 4 + 1, 20) for key in asks)
    assert sum(row["cost_usd"] for row in rows.values()) == pytest.approx(answered, abs=1e-6)
    assert ledger.total - ledger.lost == pytest.approx(answered, abs=1e-6)
    assert ledger.total >= PRICE.of(*server.tokens) - 1e-6, "what was worked on is never under-reported"


def ledger_of(folder: Path) -> Ledger:
    """The ledger of the only cell of a folder."""
    return Ledger.open(next(folder.glob("*/money.jsonl")).parent)


def results(folder: Path) -> list[dict[str, Any]]:
    """Rows of the only cell of a folder; none before its first end."""
    files = list(folder.glob("*/results.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]
