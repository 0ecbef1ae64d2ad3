"""Temporary files of programs: in their own working folder, under names that are the same in every run.

prepare("/run")        in the zygote: where `tempfile` makes them
seed(7)                in the child, before each program
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
"""Seed of the program that runs, until it wants a name: most want none."""


class _Names(_module._RandomNameSequence):  # type: ignore[misc]  # a class that the stubs leave out
    """Names drawn by a generator that is seeded anew for every program."""

    @property
    def rng(self) -> random.Random:
        """The generator, as its program has left it."""
        if _due[0] >= 0:
            _CoreRandom.seed(_rng, _due[0])  # without `Random.seed`'s code in Python
            _due[0] = -1
        return _rng


seed = functools.partial(_due.__setitem__, 0)


def prepare(folder: str) -> None:
    """From here on `tempfile` makes files in the folder, under the names that `seed` determines."""
    _module.tempdir = folder
    _module._name_sequence = _Names()
