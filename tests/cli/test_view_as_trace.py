"""`view` takes what `trace` takes and ends as it does; installed modules run; hints are right."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest


def deskcheck(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deskcheck", *words],
        cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "rows.txt").write_text("3\n4\n")
    (tmp_path / "reading.py").write_text(
        "import sys\nfrom prices import total\nprint(total(open('rows.txt')))\nsys.exit(len(sys.argv))\n"
    )
    (tmp_path / "prices.py").write_text(
        "def one(line):\n    return int(line)\n\ndef total(lines):\n    return sum(map(one, lines))\n"
    )
    return tmp_path


def test_a_script_that_reads_a_file_is_told_how_to_and_then_runs(shop: Path):
    done = deskcheck(shop, "view", "reading.py")
    assert done.returncode == 1
    assert "raised FileNotFoundError" in done.stdout and "--file PATH" in done.stdout
    assert "--trust all of yours" in done.stdout
    for words, code in (
        (["--file", "rows.txt", "reading.py"], 1),
        (["--trust", "reading.py", "a", "b"], 3),
        (["--trust", "-m", "reading"], 1),
    ):
        done = deskcheck(shop, "view", *words, "--out", "a.html")
        assert done.returncode == code, done.stdout + done.stderr
        assert "raised" not in done.stdout and f"exited with {code} after" in done.stdout
        assert "note: the program is given" not in done.stdout
    assert (shop / "a.html").stat().st_size > 50_000


def test_view_runs_code_and_leaves_functions_out(shop: Path):
    done = deskcheck(shop, "view", "-c", "x = 3\ny = x + 1\n")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "returned None after 2 steps")
    assert (shop / "run.html").is_file()
    steps = {}
    for rule in ("total", "-one", "one"):
        done = deskcheck(shop, "view", "prices.py", "--call", "total(['1', '2'])", "--step-in", rule)
        steps[rule] = int(done.stdout.rpartition("after ")[2].split()[0])
    assert steps["-one"] == steps["total"] < steps["one"] + 1


def test_a_trusted_program_runs_once_for_its_page(shop: Path):
    (shop / "count.py").write_text("with open('times', 'a') as file:\n    file.write('x')\n")
    assert deskcheck(shop, "view", "--trust", "count.py").returncode == 0
    assert (shop / "times").read_text() == "x"


def test_an_installed_module_runs_with_trust_alone(shop: Path):
    done = deskcheck(shop, "trace", "-m", "pytest")
    assert done.returncode == 2 and "deskcheck trace --trust -m pytest" in done.stderr
    (shop / "test_prices.py").write_text(
        "from prices import total\ndef test_it():\n    assert total(['1']) == 2\n"
    )
    done = deskcheck(shop, "trace", "--trust", "-m", "pytest", "--", "-q")
    assert "-- --assert=plain steps into them" in done.stdout
    assert "\npython -m pytest -q\n" in f"\n{done.stdout}"
    done = deskcheck(shop, "trace", "--trust", "-m", "pytest", "--", "-q", "--assert=plain")
    assert "single steps" not in done.stdout
    assert done.returncode == 1, done.stdout + done.stderr
    assert "call total(lines=" in done.stdout and "exited with 1 after" in done.stdout
    assert "return sum(map(one, lines))" in done.stdout
    done = deskcheck(shop, "trace", "-m", "no_such_module")
    assert done.returncode == 2 and "none is installed" in done.stderr


def test_a_missing_library_is_not_a_missing_file(shop: Path):
    done = deskcheck(shop, "trace", "-c", "import no_such_library")
    note = next(line for line in done.stdout.splitlines() if line.startswith("note: there is no file"))
    assert f"{sys.executable} -m pip install no_such_library" in note


def test_out_says_what_it_wrote(shop: Path):
    done = deskcheck(shop, "trace", "-c", "x = 1", "--out", "a.deskcheck")
    assert done.stderr.splitlines()[-1].startswith("a.deskcheck: 1 step")
