"""A module of jobs whose `samples()` never come to an end; `endless` is a job that does not either."""

from __future__ import annotations

import itertools


def samples() -> list[bytes]:
    return [b"" for _ in itertools.count() if False]


def echo(payload: bytes) -> bytes:
    return payload


def endless(payload: bytes) -> bytes:
    try:
        while payload != b"short":
            pass
    except TimeoutError:  # as a traced program is ended: a result all the same
        return b"ended"
    return payload
