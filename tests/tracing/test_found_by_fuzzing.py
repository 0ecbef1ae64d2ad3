"""What fuzzing found once: both tracers and all granularities agree on it, each trace passes its check."""

from __future__ import annotations

import pytest
from tests.tracing import fuzz

from deskcheck.tracing import access
from deskcheck.tracing.program import make_program

FOUND = {
    "the last item of a reversed list": """
def f():
    r = reversed([1, 2, 3])
    next(r)
    for x in r:
        y = x
    return [z for z in reversed([y])]
""",
    "a frame's f_locals writes to what locals() gave": """
def f():
    x = 1
    d = locals()
    import sys
    sys._getframe().f_locals
    y = 2
    return 'y' in d
""",
    "texts with addresses, equal by chance": """
class Node:
    def __init__(self, rest):
        self.rest = repr(rest)
def f():
    head = None
    for i in range(4):
        head = Node(head)
    return len(head.rest) > 3
""",
}


@pytest.mark.skipif(not access.has_native(), reason="the C extension is not built")
@pytest.mark.parametrize("name", FOUND)
def test_nothing_is_wrong_with_it(name: str):
    assert list(fuzz.examine(make_program(FOUND[name].lstrip(), "f", "", origin="found"))) == []
