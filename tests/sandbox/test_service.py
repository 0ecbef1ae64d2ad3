"""A process that serves messages: what its engine hears when it dies, hangs or does not start."""

from __future__ import annotations

import os
import signal

from deskcheck.sandbox.service import Service

WORKER = "deskcheck.languages.c.worker"


def test_a_process_that_died_gives_an_empty_answer_and_can_be_started_again() -> None:
    service = Service(WORKER, "limits", prefix="deskcheck-test-")
    for _ in range(2):
        assert service.start(60.0) == b"ready"
        assert service._process is not None
        os.kill(service._process.pid, signal.SIGKILL)
        service._process.wait()
        assert service.ask(b"x" * 100_000, 10.0) == b""
        assert service.exit_code() == -signal.SIGKILL
        service.close()
        assert not service.is_running


def test_time_that_is_up_is_told_from_an_end() -> None:
    service = Service(WORKER, "limits", prefix="deskcheck-test-")
    assert service.start(0.0) is None
    service.close()
    assert service.start(60.0) == b"ready"
    assert service.ask(b"no request", 10.0) == b""
    assert "msgspec" in service.errors()
    service.close()


def test_a_process_that_does_not_start_says_why() -> None:
    service = Service("deskcheck.no_such_module", "limits", prefix="deskcheck-test-")
    assert service.start(60.0) == b""
    assert "no_such_module" in service.errors()
    service.close()
