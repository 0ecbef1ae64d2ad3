"""Data workers: a dead one is named with its signal and draw, replaced, and only its own task is lost."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from deskcheck.errors import DeskcheckError, UserError
from deskcheck.training.live import workers as module
from deskcheck.training.live.workers import WorkerDied, Workers, begin_draw


def echo(value: int) -> int:
    return value


def die_at(number: int, how: int) -> None:
    begin_draw(number)
    os.kill(os.getpid(), how)


def leave(status: int) -> None:
    os._exit(status)


def hang() -> None:
    time.sleep(60)


def fill_memory() -> int:
    return len(bytes(module.MEMORY_BYTES))


class Odd(Exception):
    """An exception that cannot be sent to another process."""

    def __init__(self, value: int) -> None:
        super().__init__("odd")
        self.value = lambda: value


def fail() -> None:
    raise Odd(3)


def test_a_dead_worker_is_named_logged_and_replaced(tmp_path: Path):
    said: list[str] = []
    log = tmp_path / "failures.jsonl"
    with Workers(1, log=log, say=said.append) as workers:
        before = workers.submit(echo, 1, what="first")
        dead = workers.submit(die_at, 4_711, signal.SIGSEGV, what="stage 2, programs, shard 9, seed 8")
        after = workers.submit(echo, 2, what="last")
        gone = workers.submit(leave, 7, what="another")
        assert before.result(60) == 1
        with pytest.raises(WorkerDied) as death:
            dead.result(60)
        assert after.result(60) == 2, "another process took the place"
        with pytest.raises(WorkerDied, match="exit status 7"):
            gone.result(60)
    assert (death.value.how, death.value.draw) == ("SIGSEGV", 4_711)
    assert said[0] == (
        "a data worker died (SIGSEGV) making stage 2, programs, shard 9, seed 8, at draw 4,711; "
        "another worker takes its place"
    )
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    assert [(row["how"], row["draw"]) for row in rows] == [("SIGSEGV", 4_711), ("exit status 7", -1)]
    assert workers.n_deaths == 2


def test_a_task_that_needs_the_machines_memory_fails_alone():
    with Workers(1) as workers:
        with pytest.raises(MemoryError):
            workers.submit(fill_memory, what="much").result(60)
        assert workers.submit(echo, 5, what="little").result(60) == 5
        assert workers.n_deaths == 0


def test_a_hung_worker_is_killed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "TASK_S", 0.2)
    with Workers(1) as workers, pytest.raises(WorkerDied, match="no result within"):
        workers.submit(hang, what="endless").result(60)


def test_an_exception_that_cannot_be_sent_is_told_in_words():
    with Workers(1) as workers, pytest.raises(RuntimeError, match=r"Odd.*cannot be sent"):
        workers.submit(fail, what="odd").result(60)


def test_workers_that_keep_dying_end_the_run(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MOST_FAILURES", 2)
    with Workers(1) as workers:
        for _ in range(2):
            with pytest.raises(DeskcheckError):
                workers.submit(leave, 1, what="dead").result(60)
        with pytest.raises(UserError, match="2 tasks of the data workers failed in a row"):
            workers.submit(echo, 1, what="next")


def test_closing_ends_what_runs_and_cancels_what_waits():
    said: list[str] = []
    started = time.monotonic()
    with Workers(1, say=said.append) as workers:
        running, waiting = workers.submit(hang, what="a"), workers.submit(hang, what="b")
        while not running.running():
            time.sleep(0.01)
    assert time.monotonic() - started < 30
    assert waiting.cancelled()
    assert running.done()
    assert said == [], "a worker that is ended on purpose did not die"
