"""`deskcheck doctor` says what is reduced or absent, and the line that mends it."""

from __future__ import annotations

import importlib.util

import pytest

from deskcheck import doctor
from deskcheck.sandbox import containment


@pytest.fixture
def absent(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """A set of modules that cannot be found while the test runs."""
    names: set[str] = set()
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name in names else find(name))
    return names


def finding(what: str) -> doctor.Finding:
    (found,) = [f for f in doctor.findings() if f.what == what]
    return found


def test_a_missing_extension_is_reduced_and_says_what_that_costs(absent: set[str]):
    absent.add("deskcheck.tracing._native")
    assert finding("tracer").state == "reduced"
    assert "iterator positions" in finding("tracer").detail


def test_a_missing_library_is_named_with_the_line_that_installs_it(absent: set[str]):
    absent.add("onnxruntime")
    assert finding("[eval]").state == "absent"
    assert "without onnxruntime; install: " in finding("[eval]").detail


def test_every_library_of_an_extra_is_one_that_pyproject_names():
    import tomllib
    from pathlib import Path

    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    for extra, libraries in doctor.EXTRAS.items():
        named = " ".join(project["optional-dependencies"][extra])
        assert [library for library in libraries if library not in named] == []


def test_the_sandbox_level_is_one_line():
    detail = finding("sandbox").detail
    assert detail.split()[0] == containment.find().level
    assert "\n" not in detail


def test_a_missing_level_is_reduced_and_says_what_it_needs(monkeypatch: pytest.MonkeyPatch):
    found = containment.StrongestLevel("kernel", {"full": "unshare: Operation not permitted"})
    monkeypatch.setattr(containment, "find", lambda: found)
    assert finding("sandbox").state == "reduced"
    assert "not full: unshare: Operation not permitted" in finding("sandbox").detail
    assert "to mend: allow user namespaces" in finding("sandbox").detail
