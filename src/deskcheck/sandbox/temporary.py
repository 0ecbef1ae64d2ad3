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


class _Names(_module._RandomNameSequence):  # type: ignore[misc]  # a class that the stubs leave out
    """Names drawn by a generator that is seeded anew for every program."""

    rng = random.Random(0)


# Without `Random.seed`'s code in Python.
seed = functools.partial(_CoreRandom.seed, _Names.rng)


def prepare(folder: str) -> None:
    """From here on `tempfile` makes files in the folder, under the names that `seed` determines."""
    _module.tempdir = folder
    _module._name_sequence = _Names()
