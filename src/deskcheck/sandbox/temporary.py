"""Put temporary files of programs into their working folder, under names that are the same in every run.

prepare("/run")        in the zygote: sets the folder of `tempfile`
seed(7)                in the child, before each program: determines the names
"""

from __future__ import annotations

import functools
import random
import tempfile
from _random import Random as _CoreRandom
from typing import Any

_module: Any = tempfile


_rng = random.Random(0)
_due = [-1]
"""Seed of the running program until it first needs a name, then -1; most programs need none."""


class _Names(_module._RandomNameSequence):  # type: ignore[misc]  # a class that the stubs leave out
    """Sequence of names from a generator that is seeded anew for every program."""

    @property
    def rng(self) -> random.Random:
        """Generator of the names, seeded at its first use by a program."""
        if _due[0] >= 0:
            _CoreRandom.seed(_rng, _due[0])  # without `Random.seed`'s code in Python
            _due[0] = -1
        return _rng


seed = functools.partial(_due.__setitem__, 0)


def prepare(folder: str) -> None:
    """Make `tempfile` create files in the folder from now on, under names that `seed` determines."""
    _module.tempdir = folder
    _module._name_sequence = _Names()
