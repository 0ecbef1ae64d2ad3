"""What is published is complete: the sdist, the wheel, and the wheel installed in an empty environment.

`make test` builds all of it into one folder (target `dist`) and names the folder in DESKCHECK_DIST:

    *.tar.gz, *.whl    the wheel was built from the sdist
    env/               an empty environment with the wheel and its dependencies, no extra
    no-compiler/       the package as it installs where there is no compiler
"""

from __future__ import annotations

import os
import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROGRAM = "def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n"


@pytest.fixture(scope="module")
def dist() -> Path:
    folder = os.environ.get("DESKCHECK_DIST", "")
    if not folder:
        pytest.skip("DESKCHECK_DIST names no built wheel; `make test` builds one")
    return Path(folder)


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
    assert "pip install 'deskcheck[eval]'" in done.stderr


BASE = [
    ("trace sums.py --call f(4) --out run.deskcheck", 0, "returned 6"),
    ("view sums.py --call f(4) --out page.html", 0, "page.html"),
    ("view run.deskcheck --out page.html", 0, "page.html"),
    ("doctor", 0, "deskcheck[data]"),
    ("--version", 0, "deskcheck"),
    ("trace sums.py --call f(4) --out run.parquet", 2, "deskcheck[data]"),
    ("build files sums.py --call f(4) --out data", 2, "deskcheck[data]"),
    ("data data", 2, "deskcheck[data]"),
    ("eval --model tiny --benchmark core", 2, "deskcheck[eval]"),
    ("execute sums.py --call f(4) --model tiny", 2, "deskcheck["),
    ("study study.toml", 2, "deskcheck: "),
    ("train --preset tiny --out run", 2, "deskcheck["),
    ("export run --out model", 2, "deskcheck["),
    ("downstream a b --tasks gsm8k", 2, "deskcheck["),
    ("compare a b", 2, "deskcheck: "),
    ("report a", 2, "deskcheck: "),
    (
        "grade --benchmark core --filter id=01-packing-exact-fit:0 --generations a.jsonl",
        0,
        "right 0, wrong 1",
    ),
    ("grade --benchmark core --generations a.jsonl --out a.parquet", 2, "deskcheck[data]"),
]


def test_with_the_base_alone_every_command_works_or_names_what_it_needs(dist: Path, tmp_path: Path):
    (tmp_path / "sums.py").write_text(PROGRAM)
    (tmp_path / "study.toml").write_text(
        'models = ["tiny"]\nbenchmarks = ["core"]\nstrategies = ["direct"]\n'
    )
    (tmp_path / "a.jsonl").write_text('{"id": "01-packing-exact-fit:0", "completion": "1"}\n')
    for typed, code, expected in BASE:
        done = run(str(dist / "env/bin/deskcheck"), *typed.split(), cwd=tmp_path)
        said = done.stdout + done.stderr
        assert (done.returncode, "Traceback" in said) == (code, False), (typed, said)
        assert expected in said, (typed, said)


def test_the_base_is_small(dist: Path):
    places = list((dist / "env/lib").rglob("site-packages"))
    size = sum(
        file.lstat().st_size
        for file in places[0].rglob("*")
        if file.is_file() and not {"pip", "setuptools", "__pycache__"} & set(file.parts)
    )
    assert size <= 60_000_000


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
