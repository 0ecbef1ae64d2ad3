"""The commit that is written into datasets, runs and cards: one answer, in every kind of checkout."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from deskcheck.format import files


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository whose package is this one file, committed once."""
    package = tmp_path / "src" / "deskcheck"
    (package / "format").mkdir(parents=True)
    shutil.copy(files.__file__, package / "format/files.py")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "first")
    monkeypatch.setattr(files, "__file__", str(package / "format/files.py"))
    return tmp_path


def git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(folder), *words], capture_output=True, text=True, check=True
    ).stdout


def test_the_commit_is_known_in_a_packed_checkout(checkout: Path):
    head = git(checkout, "rev-parse", "HEAD").strip()
    git(checkout, "pack-refs", "--all")
    assert files.commit() == head


def test_a_change_of_the_package_is_marked_and_another_is_not(checkout: Path):
    (checkout / "notes.txt").write_text("beside the package")
    assert "with changes" not in files.commit()
    (checkout / "src" / "deskcheck" / "new.py").write_text("x = 1\n")
    assert files.commit().endswith(" with changes")


def test_an_installed_wheel_has_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(files, "__file__", str(tmp_path / "format/files.py"))
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    assert files.commit() == "unknown"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert files.commit() == "unknown"
