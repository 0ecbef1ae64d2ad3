"""What a test that runs Inspect needs: its known warnings are ignored, and nowhere else.

A module sets `pytestmark = MARKS` and imports the fixture `collect_here`.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

MARKS = [
    # A library that Inspect uses, about a parameter that Inspect gives it.
    pytest.mark.filterwarnings("ignore:The .initial. parameter is deprecated:DeprecationWarning"),
    # Inspect leaves memory streams of its event loop to the garbage collector.
    pytest.mark.filterwarnings("ignore:Unclosed <MemoryObject:ResourceWarning"),
    pytest.mark.filterwarnings(
        "ignore:Exception ignored in. <function MemoryObject:pytest.PytestUnraisableExceptionWarning"
    ),
]


@pytest.fixture(autouse=True)
def collect_here() -> Iterator[None]:
    """What Inspect leaves is collected while its warnings are ignored; what stays is not looked at again."""
    yield
    gc.collect()
    gc.freeze()
