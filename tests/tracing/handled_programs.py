"""Functions that never end, each inside another kind of block: what a tracer stops in the middle of them.

BLOCKS["with"]()    runs for ever
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator


class Manager:
    def __enter__(self) -> Manager:
        return self

    def __exit__(self, *details: object) -> None:
        return None


def work() -> None:
    n = 0
    while True:
        n += 1


def in_with() -> None:
    n = 0
    with Manager():
        while True:
            n += 1


def in_finally() -> None:
    try:
        raise KeyError(4242)
    finally:
        with Manager():
            work()


def in_finally_at_once() -> None:
    n = 0
    try:
        raise KeyError(4242)
    finally:
        while True:
            n += 1


def in_except() -> None:
    try:
        raise KeyError(4242)
    except KeyError as error:
        with Manager():
            work()
        error.args = ()


def counting() -> Iterator[int]:
    n = 0
    with Manager():
        while True:
            n += 1
            yield n


def in_generator() -> None:
    with Manager():
        for _ in counting():
            pass


@contextlib.contextmanager
def managed() -> Iterator[None]:
    try:
        yield
    finally:
        work()


def in_context_manager() -> None:
    with managed():
        raise KeyError(4242)


def swallowed() -> None:
    while True:
        try:
            in_with()
        except BaseException:
            in_finally_at_once()


def in_threads() -> None:
    with Manager():
        threads = [threading.Thread(target=in_with) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        in_finally()


BLOCKS: dict[str, Callable[[], None]] = {
    "with": in_with,
    "finally": in_finally,
    "finally at once": in_finally_at_once,
    "except": in_except,
    "generator": in_generator,
    "context manager": in_context_manager,
    "swallowed": swallowed,
    "threads": in_threads,
}
