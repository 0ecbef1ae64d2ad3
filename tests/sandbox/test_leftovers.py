"""Whatever a program leaves in its folder is gone before the next one runs, and nothing else is."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.sandbox import leftover_jobs

from deskcheck.records import Job, JobDone, Limits, Returned
from deskcheck.sandbox import leftovers
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.wire import Report
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.program import make_program

LIMITS = Limits(time_s=20.0, memory_bytes=512 << 20, output_bytes=1 << 16)
# The bound of 1,000 files of a program that nests them all.
DEEP = (
    "import os\n\n\ndef f(x):\n    fd = os.open('.', os.O_RDONLY)\n    for _ in range(998):\n"
    "        os.mkdir('d', dir_fd=fd)\n        inner = os.open('d', os.O_RDONLY, dir_fd=fd)\n"
    "        os.close(fd)\n        fd = inner\n    return x\n"
)
WITNESS = "import os\n\n\ndef f(x):\n    return os.listdir('.'), x\n"


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Folder that no program owns, beside the temporary folder; both are as before at the end."""
    temporary, precious = tmp_path / "tmp", tmp_path / "outside" / "precious"
    temporary.mkdir()
    precious.parent.mkdir()
    precious.write_text("do not touch")
    precious.chmod(0o640)
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    yield precious.parent
    assert list(temporary.iterdir()) == []
    assert precious.read_text() == "do not touch"
    assert precious.stat().st_mode & 0o7777 == 0o640
    assert precious.stat().st_nlink == 1


def run(payloads: list[str], *, level: str = "limits") -> tuple[list[bytes], Report]:
    reports: list[Report] = []
    jobs = [
        Job(str(n), "tests.sandbox.leftover_jobs:act", payload.encode(), LIMITS, alone=True)
        for n, payload in enumerate(payloads)
    ]
    results = [r.result for r in run_jobs(jobs, workers=1, level=level, report=reports.append)]
    return [
        result.payload if isinstance(result, JobDone) else repr(result).encode() for result in results
    ], reports[0]


def test_whatever_a_program_leaves_is_gone_and_nothing_else_is(outside: Path):
    payloads = [p for name in leftover_jobs.PLANTS for p in (f"plant {name} {outside}", "list")]
    answers, report = run(payloads)
    found = dict(zip(leftover_jobs.PLANTS, zip(answers[::2], answers[1::2], strict=True), strict=True))
    assert found == dict.fromkeys(leftover_jobs.PLANTS, (b"planted", b"[]"))
    assert len(found) >= 20
    assert (report.n_lost, report.n_zygotes, report.n_left) == (0, 1, 0)


def test_a_tree_is_removed_without_the_rights_of_an_administrator(outside: Path, tmp_path: Path):
    folder = tmp_path / "folder"
    folder.mkdir()
    folder.chmod(0o777)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.chdir(folder)  # before the rights are given up, because the folders above belong to the tests
            if os.getuid() == 0:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            leftover_jobs.folder_without_permissions(str(outside))
            os.makedirs("e/f")
            os.chmod("e", 0o500)
            code = 2 if leftovers.empty(".") else 0
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert list(folder.iterdir()) == []


def test_the_program_behind_a_deep_folder_has_the_trace_that_it_has_alone(outside: Path):
    sources = (WITNESS, DEEP, WITNESS, DEEP, WITNESS)
    programs = [make_program(source, "f", "3", origin="") for source in sources]
    traces = [trace for _, trace in trace_programs(programs, LIMITS, workers=1)]
    assert {type(trace.outcome) for trace in traces} == {Returned}
    assert traces[0] == traces[2] == traces[4]


def test_what_cannot_be_removed_is_named_and_the_run_goes_on(outside: Path, monkeypatch: pytest.MonkeyPatch):
    unlink = os.unlink

    def refuse(name: str, *, dir_fd: int | None = None) -> None:
        if name == "file":
            raise OSError(errno.EPERM, "Operation not permitted")
        unlink(name, dir_fd=dir_fd)

    folder = outside.parent / "folder"
    (folder / "a" / "b").mkdir(parents=True)
    for name in ("file", "a/file", "a/b/other"):
        (folder / name).touch()
    monkeypatch.setattr(os, "unlink", refuse)
    left = leftovers.remove(str(folder))
    assert sorted(left) == [
        "a/file: Operation not permitted",
        "a: not empty",
        "file: Operation not permitted",
    ]
    assert sorted(path.name for path in folder.rglob("*")) == ["a", "file", "file"]
    monkeypatch.undo()
    assert leftovers.remove(str(folder)) == []
    assert not folder.exists()


def test_a_leftover_costs_its_zygote_and_no_neighbour(outside: Path, monkeypatch: pytest.MonkeyPatch):
    removed = leftovers.remove

    def remove(folder: str) -> list[str]:
        return [*removed(folder), "run/stuck: Operation not permitted"]

    monkeypatch.setattr(leftovers, "remove", remove)
    monkeypatch.setattr(os.path, "lexists", lambda path: True)
    answers, report = run(["list", "list"])
    assert answers == [b"[]", b"[]"]
    assert (report.n_left, report.left) == (1, ["run/stuck: Operation not permitted"])


def test_what_never_ends_and_what_is_no_folder_raise_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(leftovers, "MOST", 100)
    for number in range(300):
        (tmp_path / str(number)).mkdir()
    (left,) = {name.split(": ")[1] for name in leftovers.empty(str(tmp_path))}
    assert left == "more than 100 leftovers"
    assert 150 < len(list(tmp_path.iterdir())) < 300
    assert leftovers.remove(str(tmp_path / "nowhere")) == []
    (tmp_path / "file").write_text("")
    assert leftovers.empty(str(tmp_path / "file")) == [f"{tmp_path}/file: Not a directory"]
    (tmp_path / "link").symlink_to(tmp_path / "299")
    assert leftovers.empty(str(tmp_path / "link"))
    assert (tmp_path / "299").exists()
