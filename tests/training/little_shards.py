"""Shards of a few rows, for tests; workers import this module, so it is light."""

from __future__ import annotations

import os
import signal

from deskcheck.training.live import mixed_feed
from deskcheck.training.live.mixed_feed import Shard, make_shard
from deskcheck.training.stream import PartReport

LITTLE = {"ROWS_OF_REDEXES": 4, "ROWS_OF_PROGRAMS": 8, "CANDIDATES": 10}


def little_shard(shard: Shard, path: str) -> PartReport:
    """Make a small shard, in a worker too, which has the modules as they are on disk."""
    vars(mixed_feed).update(LITTLE)
    return make_shard(shard, path)


def dying(shard: Shard, path: str) -> PartReport:
    """Die as a process does that the system kills, on every third shard."""
    if shard.number % 3 == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return little_shard(shard, path)
