"""Every summary, at every step of every program, is what the value's own library says at that moment."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.summaries.programs import PROGRAMS
from tests.summaries.recorder import differences, record

import deskcheck

NEEDS = {
    "array": "numpy",
    "frame": "pandas",
    "series": "pandas",
    "tensor": "torch",
    "attrs": "attr",
    "in": "numpy",
}


def ready(program: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = NEEDS.get(program.__name__.partition("_")[0])
    if library:
        pytest.importorskip(library, reason=f"{program.__name__} needs {library}")
    monkeypatch.setattr(tempfile, "mkdtemp", lambda **_: str(tmp_path))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_every_summary_is_right_at_every_step(
    program: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    ready(program, tmp_path, monkeypatch)
    program()  # libraries load parts of themselves at the first use
    expected = record(program)
    run = deskcheck.trace(program)
    assert run.raised is None
    assert [step.line for step in run.steps] == [line for line, _ in expected]
    found: list[str] = []
    fingerprints: dict[str, str] = {}
    for step, (line, names) in zip(run.steps, expected, strict=True):
        for name, value in names.items():
            if name.startswith("_"):  # what a class body begins with
                continue
            where = f"step {step.number}, line {line}: {name}"
            found += differences(value, step.locals[name], fingerprints, where)
    assert not found, "\n".join(found[:10])
    assert len(set(fingerprints.values())) == len(fingerprints), "two contents, one fingerprint"
