"""No code of the program runs because of a summary: witnesses count the same with and without a trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.summaries import witnesses
from tests.summaries.witnesses import COUNTS

import deskcheck
from deskcheck.tracing import shapes

GROUPS = [
    (witnesses.names_of_libraries, ""),
    (witnesses.of_the_standard_library, ""),
    (witnesses.of_numpy, "numpy"),
    (witnesses.of_pandas, "pandas"),
    (witnesses.of_torch, "torch"),
]


def pass_through(values: list[object]) -> int:
    n = 0
    for value in values:
        held = [value]
        n += len(held)
        other = held
    return n + len(other)


@pytest.mark.parametrize(("make", "library"), GROUPS, ids=lambda g: getattr(g, "__name__", g))
@pytest.mark.parametrize("granularity", ["line", "instruction"])
def test_no_hook_of_the_program_is_called(make: Callable[[], list[object]], library: str, granularity: str):
    if library:
        pytest.importorskip(library, reason=f"needs {library}")
    values = make()
    assert values
    COUNTS.clear()
    run = deskcheck.trace(pass_through, values, granularity=granularity)
    assert COUNTS == {}
    assert run.result == len(values) + 1


def test_no_mode_of_torch_is_called():
    torch = pytest.importorskip("torch", reason="needs torch")
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode

    class Functions(TorchFunctionMode):
        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            COUNTS["function"] += 1
            return function(*args, **(kwargs or {}))

    class Dispatch(TorchDispatchMode):
        def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            COUNTS["dispatch"] += 1
            return function(*args, **(kwargs or {}))

    values: list[object] = [torch.ones(3)]
    for mode in (Functions(), Dispatch()):
        COUNTS.clear()
        with mode:
            deskcheck.trace(pass_through, values)
        assert COUNTS == {}


def test_a_witness_counts_when_it_is_asked():
    """The guard itself: a summary that asked objects as people do would be seen."""
    for make, library in GROUPS:
        if library:
            pytest.importorskip(library, reason=f"needs {library}")
        COUNTS.clear()
        for value in make():
            for ask in (repr, str, lambda v: v.shape, lambda v: v.name):
                try:
                    ask(value)
                except Exception:
                    continue
        assert sum(COUNTS.values()) > 0, make


def test_a_class_with_the_name_of_a_library_has_no_summary():
    known = shapes.Shapes(shapes.Access(native=False), "__main__")
    for value in witnesses.names_of_libraries():
        shape = known.of(value)
        assert not shape.is_summary and not (shape.has_text and shape.text(value))
