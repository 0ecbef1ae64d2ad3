"""A zygote loads what programs import, and little else: all of it is compared after each program."""

from __future__ import annotations

import subprocess
import sys

import pytest

from deskcheck.records import Job, JobDone, Limits
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.worker import can_batch
from deskcheck.sandbox.zygote import PRELOADED

pytestmark = pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")
MOST_BESIDE = 24
"""So many do msgspec, the sandbox and the tracer need; `importlib.metadata` alone loads fifty."""
OURS = {"deskcheck", "msgspec", "tests"}


def names_of(text: str) -> set[str]:
    """Modules in Python that are not ours."""
    return {
        name
        for name in text.split()
        if name.split(".")[0] not in OURS and not name.startswith(("_", "ctypes."))
    }


def loaded_alone(*modules: str) -> set[str]:
    """What an interpreter has loaded that imports these modules and nothing else."""
    code = f"import sys; [__import__(name) for name in {modules}]; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    return names_of(done.stdout)


def test_a_zygote_loads_little_beside_what_programs_import():
    (result,) = run_jobs([Job("names", "tests.sandbox.loaded_jobs:act", b"", Limits())], workers=1)
    assert isinstance(result.result, JobDone)
    wanted = loaded_alone(*(name for name in PRELOADED if not name.startswith("deskcheck")))
    in_child, by_tracer = names_of(result.result.payload.decode()), loaded_by_the_tracer()
    beside = sorted((in_child | by_tracer) - wanted)
    assert len(beside) <= MOST_BESIDE, beside


def loaded_by_the_tracer() -> set[str]:
    """What a zygote loads before it takes a job of the tracer."""
    code = (
        "sys.modules['typing_extensions'] = None; import deskcheck.sandbox.zygote, deskcheck.tracing.job; "
        "del sys.modules['typing_extensions']; print(*sys.modules)"
    )
    path = f"import sys; sys.path[:] = {[p for p in sys.path if p]!r}; "
    done = subprocess.run(
        [sys.executable, "-S", "-c", path + code], capture_output=True, text=True, check=True
    )
    return names_of(done.stdout)
