"""What tests of tracing share: a program that is traced in this process may leave it a limit of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def recursion_limit() -> Iterator[None]:
    """A budget ends a program before it has put its recursion limit back."""
    before = sys.getrecursionlimit()
    yield
    sys.setrecursionlimit(before)
