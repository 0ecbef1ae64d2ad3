"""What is published is complete: the sdist, the wheel, and the wheel installed in an empty environment.

`make test` builds all of it into one folder (target `dist`) while the first tests run. It names the folder in
DESKCHECK_DIST:

    built, failed      an empty file, which of the two says how building ended
    *.tar.gz, *.whl    the wheel was built from the sdist
    env/               an empty environment with the wheel and its dependencies, no extra
    no-compiler/       the package as it installs where there is no compiler
"""

from __future__ import annotations

import os
import subprocess
import tarfile
import time
import zipfile
from pathlib import Path

import pytest
from tests.base_install import MOST_BYTES, environments, size, walk, wrong_line

from deskcheck.errors import install_line

ROOT = Path(__file__).parents[1]
MOST_SECONDS = 240
"""For which the tests wait while the wheel is built."""
PROGRAM = "def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n"


@pytest.fixture(scope="module")
def dist() -> Path:
    folder = os.environ.get("DESKCHECK_DIST", "")
    if not folder:
        pytest.skip("DESKCHECK_DIST names no built wheel; `make test` builds one")
    for _ in range(2 * MOST_SECONDS):
        if (Path(folder) / "built").exists():
            return Path(folder)
        if (Path(folder) / "failed").exists():
            break
        time.sleep(0.5)
    log = Path(folder).with_name("make-dist.log")
    pytest.fail(f"no wheel was built: {log.read_text()[-3000:] if log.exists() else 'no log'}", pytrace=False)


def source_files() -> set[str]:
    """Every file below src/ that belongs to the package: what git tracks, or would."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "src"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    return {name.removeprefix("src/") for name in listed if name and (ROOT / name).exists()}


def run(*command: str, cwd: Path, path: str = "") -> subprocess.CompletedProcess[str]:
    """Runs outside the tree, with nothing of this environment."""
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(cwd), "LC_ALL": "C.UTF-8", "PYTHONPATH": path}
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)


def test_the_wheel_holds_every_file_of_the_package_and_the_extension(dist: Path):
    (wheel,) = dist.glob("*.whl")
    held = set(zipfile.ZipFile(wheel).namelist())
    assert sorted(source_files() - held) == []
    assert [name for name in held if "/_native" in name and name.endswith(".so")]
    assert [name for name in held if name.endswith("licenses/LICENSE")]
    assert [name for name in held if name.startswith(("tests", "measurements"))] == []


def test_the_sdist_holds_all_that_building_and_testing_need(dist: Path):
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}
    needed = {f"src/{name}" for name in source_files()} | {
        "pyproject.toml",
        "setup.py",
        "LICENSE",
        "README.md",
    }
    needed |= {"Makefile", "constraints.txt", "CHANGELOG.md", "tests/conftest.py", "tests/test_wheel.py"}
    assert sorted(needed - held) == []


def test_the_installed_command_answers_outside_the_tree(dist: Path, tmp_path: Path):
    done = run(str(dist / "env/bin/deskcheck"), "--help", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "trace" in done.stdout


def test_the_installed_package_traces_a_file(dist: Path, tmp_path: Path):
    (tmp_path / "sums.py").write_text(PROGRAM)
    done = run(str(dist / "env/bin/deskcheck"), "trace", "sums.py", "--call", "f(4)", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "total" in done.stdout
    assert "6" in done.stdout


def test_the_installed_package_is_used_from_python_and_comes_from_the_wheel(dist: Path, tmp_path: Path):
    (tmp_path / "use.py").write_text(
        PROGRAM + "import deskcheck, pathlib\nprint(deskcheck.trace(f, 4).outcome)\n"
        "print(pathlib.Path(deskcheck.__file__).parts[-3])\n"
    )
    done = run(str(dist / "env/bin/python"), "use.py", cwd=tmp_path)
    assert done.stdout.split() == ["returned", "site-packages"], done.stderr


def test_what_an_extra_brings_is_named_with_the_line_that_installs_it(dist: Path, tmp_path: Path):
    done = run(
        str(dist / "env/bin/deskcheck"), "eval", "--model", "tiny", "--benchmark", "core", cwd=tmp_path
    )
    assert done.returncode == 2, done.stdout + done.stderr
    assert "-m pip install" in done.stderr and "[eval]'" in done.stderr


BASE = [
    ("trace sums.py --call f(4) --out run.deskcheck", 0, "returned 6"),
    ("view run.deskcheck --out page.html", 0, "page.html"),
    ("doctor", 0, "[data]'"),
    ("trace sums.py --call f(4) --out run.parquet", 2, "[data]'"),
    ("build files sums.py --call f(4) --out data", 2, "[data]'"),
    ("data data", 2, "[data]'"),
    ("execute sums.py --call f(4) --model tiny", 2, "deskcheck: "),
    ("report a", 2, "deskcheck: "),
    (
        "grade --benchmark core --filter id=01-packing-exact-fit:0 --generations a.jsonl",
        0,
        "right 0, wrong 1",
    ),
    ("grade --benchmark core --generations a.jsonl --out a.parquet", 2, "[data]'"),
]


def test_with_the_base_alone_every_command_works_or_names_what_it_needs(dist: Path, tmp_path: Path):
    (tmp_path / "sums.py").write_text(PROGRAM)
    (tmp_path / "a.jsonl").write_text('{"id": "01-packing-exact-fit:0", "completion": "1"}\n')
    for typed, code, expected in BASE:
        done = run(str(dist / "env/bin/deskcheck"), *typed.split(), cwd=tmp_path)
        said = done.stdout + done.stderr
        assert (done.returncode, "Traceback" in said) == (code, False), (typed, said)
        assert expected in said, (typed, said)
    faults = walk(dist / "env/bin/python", tmp_path)
    assert not faults, "\n".join(faults)


@pytest.mark.slow
def test_a_base_install_from_a_clone_is_as_good(tmp_path: Path):
    for what, python in environments(tmp_path):
        folder = tmp_path / what.replace(" ", "-")
        folder.mkdir()
        assert walk(python, folder) == [], what
        assert size(python) <= MOST_BYTES, what


def test_a_line_that_installs_the_wrong_thing_is_noticed():
    begin = "deskcheck: eval needs the library 'pyarrow', which is not installed; install it with: "
    assert list(wrong_line(f"{begin}{install_line('data')}")) == []
    assert list(wrong_line(f"{begin}{install_line('eval')}")) == []  # it brings [data] along
    for line in (
        "pip install 'deskcheck[data]'",
        install_line("mcp"),
        install_line("data", python="/no/python"),
    ):
        assert list(wrong_line(begin + line)), line


def test_the_base_is_small(dist: Path):
    assert size(dist / "env/bin/python") <= MOST_BYTES


def test_without_a_compiler_it_installs_and_says_what_is_reduced(dist: Path, tmp_path: Path):
    assert list((dist / "no-compiler").rglob("_native*.so")) == []
    python, path = str(dist / "env/bin/python"), str(dist / "no-compiler")
    doctor = run(python, "-m", "deskcheck", "doctor", cwd=tmp_path, path=path)
    full = run(python, "-m", "deskcheck", "doctor", cwd=tmp_path)
    assert "reduced" in doctor.stdout
    assert "reduced" not in full.stdout
    (tmp_path / "sums.py").write_text(PROGRAM)
    done = run(python, "-m", "deskcheck", "trace", "sums.py", "--call", "f(4)", cwd=tmp_path, path=path)
    assert done.returncode == 0, done.stderr
    assert "6" in done.stdout
