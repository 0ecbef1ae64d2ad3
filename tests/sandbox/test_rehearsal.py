"""What a zygote rehearses is bounded: a job's samples can make its children slower, and cannot end it."""

from __future__ import annotations

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from types import FrameType

import pytest
from tests.sandbox import endless_samples

from deskcheck.sandbox import zygote
from deskcheck.sandbox.child import Function, rehearse
from deskcheck.sandbox.zygote import Zygote, at_most


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """A test that hangs all the same fails, and does not hold up the others."""
    hung: list[int] = []

    def give_up(number: int, frame: FrameType | None) -> None:
        hung.append(number)
        raise TimeoutError

    before, own = signal.getsignal(signal.SIGALRM), signal.signal(signal.SIGUSR1, give_up)
    timer = threading.Timer(20.0, lambda: os.kill(os.getpid(), signal.SIGUSR1))
    timer.start()
    yield
    timer.cancel()
    timer.join()
    signal.signal(signal.SIGUSR1, own)
    assert not hung, "nothing but this test's own alarm ended it"
    assert signal.getsignal(signal.SIGALRM) is before, "left as it was: a child begins with it"
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_samples_without_an_end_are_given_up_and_the_job_runs_without(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(zygote, "REHEARSAL_S", 0.2)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        job = Zygote(ours, folder="").load("tests.sandbox.endless_samples:echo")
    assert job.run(b"1") == b"1"


@pytest.mark.parametrize("payloads", [[b"1"], [b"2", b"1"]])
def test_a_rehearsal_without_an_end_is_given_up_and_no_other_begins(payloads: list[bytes]):
    began: list[bytes] = []

    def job(payload: bytes) -> bytes:
        began.append(payload)
        return endless_samples.endless(payload)

    with at_most(0.2):
        rehearse(Function(job), payloads, until=time.monotonic() + 0.2)
    assert began == [b"1"]


def test_what_ends_in_time_is_not_touched():
    done: list[bytes] = []
    with at_most(60.0):
        rehearse(
            Function(lambda payload: done.append(payload) or b""), [b"1", b"2"], until=time.monotonic() + 60.0
        )
    assert done == [b"2", b"1"]
