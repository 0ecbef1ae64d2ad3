"""A run that is killed at random moments and started again: nothing is lost, nothing paid for twice.

    python -m tests.evaluation.killed_run --kills 50        what was killed, and what the server saw
    killed(50, folder) -> Seen(..)

A child asks 400 tasks. It is killed (SIGKILL) after a drawn number of new requests, started again, and so on;
the last one may finish. The server remembers each question and which were under way when a child died.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import tenacity
from msgspec import Struct
from tests.evaluation.planted_server import PlantedServer, key_of, prompts_of
from tests.evaluation.planted_study import SKILL, Silent, drawn_tasks

from deskcheck.evaluation import client
from deskcheck.evaluation.plan import Plan, generation
from deskcheck.evaluation.prices import Price
from deskcheck.evaluation.run import run_plan
from deskcheck.evaluation.truth import TaskSet

CONNECTIONS = 4
PRICE = Price(1000.0, 4000.0)
CAP = 3_000.0


class Seen(Struct, frozen=True):
    """What a server saw of a run that was killed again and again."""

    n_kills: int
    n_tasks: int
    n_requests: int
    most_twice: int
    """Requests beyond the first for a question."""
    under_way: int
    """Questions that were being answered at some kill, or whose answer had just been sent."""
    unexplained: list[str]
    """Questions that were asked again though their answer had been sent before."""
    n_results: int
    n_right: int
    n_right_drawn: int
    spent: float


class CountingServer(PlantedServer):
    """Knows which questions are under way; an answer counts as given once it was sent and time has passed."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.begun: Counter[str] = Counter()
        self.sent_at: dict[str, float] = {}

    def _reply(self, handler: BaseHTTPRequestHandler, request: dict[str, Any], fault: str) -> None:
        key = key_of(message["content"] for message in request["messages"])
        with self._lock:
            self.begun[key] += 1
        super()._reply(handler, request, fault)
        with self._lock:
            self.sent_at[key] = time.monotonic()


def child(url: str, folder: str, n_tasks: int, cap: float = CAP) -> None:
    """Ask all tasks, going on from what is there; a failed request is tried again at once."""
    client.WAIT = tenacity.wait_fixed(0.01)
    tasks = drawn_tasks(7, n_tasks)

    def build(benchmark: str, **given: Any) -> TaskSet:
        return TaskSet(benchmark, tasks, [], [], [task.id for task in tasks], True, "planted")

    plan = Plan(
        ["openai-api/local/m"], strategies=["vanilla"], log_dir=folder, max_connections=CONNECTIONS,
        model_args={"base_url": url, "api_key": "x"}, prices={"": PRICE}, max_cost=cap,
        generation=generation(max_tokens=50), timeout_s=2,
    )  # fmt: skip
    run_plan(plan, build_tasks=build, screen=Silent())


def killed(n_kills: int, folder: Path, *, n_tasks: int = 400, seed: int = 1, settle_s: float = 1.0) -> Seen:
    """Kill a run so often, let it end, and compare what the server saw with what was kept.

    `settle_s`: an answer sent so long before a kill must be on the disk.
    """
    draw = random.Random(seed)
    tasks = drawn_tasks(7, n_tasks)
    server = CountingServer(prompts_of(tasks, ["vanilla"]), skill=SKILL, seed=seed, pause_s=0.01)
    excused: set[str] = set()
    again: set[str] = set()
    with server:
        for number in range(n_kills + 1):
            command = [sys.executable, "-m", "tests.evaluation.killed_run", "--child", server.url]
            command += ["--folder", str(folder), "--tasks", str(n_tasks)]
            running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            before, known = len(server.requests), dict(server.begun)
            stop_after = draw.randrange(1, max(2, 2 * (n_tasks - before) // (n_kills + 1 - number)))
            while number < n_kills and running.poll() is None and len(server.requests) - before < stop_after:
                time.sleep(0.002)
            if number < n_kills:
                time.sleep(draw.random() * 0.05)
                os.kill(running.pid, signal.SIGKILL)
                killed_at = time.monotonic()
            else:
                killed_at = float("inf")
            running.wait()
            with server._lock:
                again |= {
                    key for key, count in server.begun.items() if count > known.get(key, 0) and key in known
                }
                open_now = {
                    key
                    for key, count in server.begun.items()
                    if count > known.get(key, 0)
                    and server.sent_at.get(key, float("inf")) > killed_at - settle_s
                }
            excused |= open_now
    asked = Counter(key_of(one["content"] for one in request["messages"]) for request in server.requests)
    (results,) = folder.glob("*/results.jsonl")
    rows = [json.loads(line) for line in results.read_text().splitlines()]
    assert len({row["task"] for row in rows}) == len(rows)
    return Seen(
        n_kills, n_tasks, len(server.requests), sum(count - 1 for count in asked.values()), len(excused),
        sorted(again - excused), len(rows), sum(row["verdict"] == "right" for row in rows),
        sum(server.is_right("m", ask) for ask in server.asks.values()), PRICE.of(*server.tokens),
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--tasks", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--child", default="")
    parser.add_argument("--folder", default="")
    parser.add_argument("--cap", type=float, default=CAP)
    given = parser.parse_args()
    if given.child:
        child(given.child, given.folder, given.tasks, given.cap)
        return
    with tempfile.TemporaryDirectory() as folder:
        print(killed(given.kills, Path(folder), n_tasks=given.tasks, seed=given.seed))


if __name__ == "__main__":
    main()
