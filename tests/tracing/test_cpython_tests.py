"""CPython's own tests, traced under small and large budgets: they end as they do untraced."""

from __future__ import annotations

import subprocess
import sys

import pytest
from tests.tracing.cpython_run import MODULES

from deskcheck.tracing import access

pytest.importorskip("test.test_copy", reason="this Python comes without its own tests")
needs_native = pytest.mark.skipif(not access.has_native(), reason="the C extension is not built")


def traced(module: str) -> str:
    """The row of one module, run in a process of its own; fails with what it printed."""
    run = subprocess.run(
        [sys.executable, "-m", "tests.tracing.cpython_run", module],
        capture_output=True,
        text=True,
        timeout=1_500,
    )
    assert run.returncode == 0, (run.stdout + run.stderr)[-3_000:]
    return run.stdout


@needs_native
@pytest.mark.parametrize("module", ["test_asyncgen"])
def test_a_module_ends_as_it_does_untraced(module: str) -> None:
    assert module in traced(module)


@needs_native
@pytest.mark.slow
@pytest.mark.parametrize("module", MODULES)
def test_every_module_ends_as_it_does_untraced(module: str) -> None:
    assert module in traced(module)
