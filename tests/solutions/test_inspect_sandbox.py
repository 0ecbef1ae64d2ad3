"""The sandbox that Inspect sees: scripts run contained, all else is refused in words."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")

from deskcheck.sandbox import containment
from deskcheck.solutions.inspect_sandbox import Contained

pytestmark = pytest.mark.skipif(
    containment.find().level == "limits", reason="untrusted code runs at level seccomp and above"
)


def run(*words: str, **settings: Any) -> Any:
    return asyncio.run(Contained().exec(list(words), **settings))


def test_a_script_is_run_and_its_end_is_the_result():
    done = run("python", "-c", "print(1)")
    assert (done.success, done.returncode, done.stdout, done.stderr) == (True, 0, "1\n", "")
    done = run("python3", "-c", "print(1); assert 0, 'no'", timeout=10)
    assert (done.success, done.returncode, done.stdout) == (False, 1, "1\n")
    assert done.stderr == "AssertionError: no"
    assert "refused network:socket" in run("python", "-c", "import socket; socket.socket()").stderr


def test_a_script_that_does_not_end_is_late():
    with pytest.raises(TimeoutError, match="not over after 1 s"):
        run("python", "-c", "while True: pass", timeout=1)


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        (["ls"], {}),
        (["bash", "-c", "ls"], {}),
        (["python", "file.py"], {}),
        (["python", "-c", "1", "argument"], {}),
        (["python", "-c", "1"], {"input": "x"}),
    ],
)
def test_anything_else_is_refused_in_words(words: list[str], settings: dict[str, Any]):
    done = run(*words, **settings)
    assert (done.success, done.returncode) == (False, 127)
    assert "runs python -c CODE, without input, and nothing else" in done.stderr


def test_there_are_no_files():
    with pytest.raises(PermissionError, match=r"'a\.txt' was to be written"):
        asyncio.run(Contained().write_file("a.txt", "1"))
    with pytest.raises(FileNotFoundError, match=r"'a\.txt' was to be read"):
        asyncio.run(Contained().read_file("a.txt"))


def test_inspect_finds_it_by_its_name():
    from inspect_ai.util._sandbox.registry import registry_find_sandboxenv

    assert registry_find_sandboxenv("deskcheck").__name__ == "Contained"
