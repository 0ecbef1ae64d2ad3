"""The level is found by trying, what is missing is named, untrusted code is refused where none holds it."""

from __future__ import annotations

import subprocess
import sys
from functools import cache

import pytest

from deskcheck.errors import SandboxUnavailable, UnknownName, UserError
from deskcheck.records import Job, JobDone, Limits
from deskcheck.sandbox import containment
from deskcheck.sandbox.containment import StrongestLevel
from deskcheck.sandbox.worker import Warm, Worker

SMALL = Limits(time_s=20.0)
ONLY_LIMITS = StrongestLevel("limits", {"full": "no users", "kernel": "no Landlock", "seccomp": "no seccomp"})


@pytest.fixture
def only_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containment, "find", lambda: ONLY_LIMITS)
    monkeypatch.setattr(containment, "find", lambda: ONLY_LIMITS)
    monkeypatch.setattr(containment, "_said", [])


def test_the_strongest_level_whose_probe_holds_is_found_and_the_others_say_why_not(
    monkeypatch: pytest.MonkeyPatch,
):
    failures = {"full": "unshare: no", "kernel": "", "seccomp": "never asked", "limits": "never asked"}
    monkeypatch.setattr(containment, "probe", failures.get)
    found = containment.try_levels()
    assert found == StrongestLevel("kernel", {"full": "unshare: no"})
    assert containment.describe_level(found).endswith("signal; not full: unshare: no)")
    monkeypatch.setattr(containment, "probe", lambda level, warm: "broken")
    with pytest.raises(SandboxUnavailable, match="broken"):
        containment.try_levels()


def test_the_line_is_one_line_and_names_the_level():
    assert containment.describe().startswith(f"sandbox: {containment.find().level} (")
    assert "\n" not in containment.describe()


def test_a_probe_fails_when_a_program_gets_further_than_the_level_promises(monkeypatch: pytest.MonkeyPatch):
    """At the layers of `limits`, `escape` gets everything done: no stronger level is had so."""
    run = containment.run_jobs
    monkeypatch.setattr(
        containment, "run_jobs", lambda jobs, workers, level, warm: run(jobs, workers=workers)
    )
    for level in ("seccomp", "kernel", "full"):
        failure = containment.probe(level)
        assert failure.startswith("a program could ") and "write a file" in failure and "fork" in failure


@pytest.mark.usefixtures("only_limits")
def test_a_level_that_cannot_be_had_is_refused_with_what_is_missing_and_what_to_do():
    with pytest.raises(
        SandboxUnavailable, match=r"'kernel' is required.*no Landlock.*pip install.*--require limits"
    ):
        containment.run([], require="kernel")
    with pytest.raises(UnknownName, match="known: full, kernel, limits, seccomp"):
        containment.run([], require="strict")
    containment.check("limits")


@pytest.mark.usefixtures("only_limits")
def test_untrusted_code_is_refused_at_limits_and_every_other_source_says_who_answers_for_it():
    with pytest.raises(SandboxUnavailable, match=r"scraped: nobody answers.*no seccomp.*i-trust-this-code"):
        containment.admit("untrusted", "scraped")
    assert "because you said" in containment.admit("untrusted", "scraped", i_trust_this_code=True)
    assert "known by sha256" in containment.admit("pinned", "cruxeval")
    assert containment.admit("named", "a.py").endswith("a.py: you named it")
    containment.trust_this_code()
    assert "because you said" in containment.admit("untrusted", "scraped")


def test_untrusted_code_runs_where_something_contains_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(containment, "find", lambda: StrongestLevel("seccomp", {"full": "a", "kernel": "b"}))
    assert "scraped: nobody answers" in containment.admit("untrusted", "scraped")


lacking = cache(containment.probe)


def at(level: str) -> str:
    if failure := lacking(level):
        pytest.skip(f"no level {level} here: {failure}")
    return level


@pytest.mark.parametrize("level", ["full", "kernel", "seccomp"])
def test_what_a_rule_refused_is_named_and_the_next_program_is_right(level: str):
    jobs = {
        "write_a_file": ["write:openat"], "open_a_socket": ["network:socket"],
        "signal_the_parent": ["signal:kill"], "attach": ["inspect:ptrace"],
        "raise_a_limit": ["limits:prlimit64"], "change_folder": ["folder:chdir"], "echo": [],
        "start_threads": [], "run_an_event_loop": [], "import_much": [],
    }  # fmt: skip
    here = "tests.sandbox.hostile_jobs"
    results = containment.run(
        [Job(name, f"{here}:{name}", b"", SMALL) for name in jobs], workers=1, level=at(level)
    )
    for result in results:
        assert isinstance(result.result, JobDone), result
        assert result.refusals == jobs[result.id], result


@pytest.mark.parametrize("level", ["full", "kernel", "seccomp"])
def test_starting_a_program_is_refused_and_named_though_libc_blocks_all_signals_there(level: str):
    job = Job("1", "tests.sandbox.hostile_jobs:start_a_program", b"", SMALL)
    (result,) = containment.run([job], workers=1, level=at(level))
    assert isinstance(result.result, JobDone)
    assert [refusal.split(":")[0] for refusal in result.refusals] == ["process"]


WITHOUT_USERS = """
import os
from pathlib import Path
from deskcheck.sandbox import confine, containment
uid, gid = os.getuid(), os.getgid()
confine.native.unshare(0x10000000)
for name, line in (("setgroups", "deny"), ("uid_map", f"0 {uid} 1"), ("gid_map", f"0 {gid} 1")):
    Path(f"/proc/self/{name}").write_text(line)
Path("/proc/sys/user/max_user_namespaces").write_text("0")
confine.native.drop_privileges()
print(containment.describe_level(containment.find()))
"""


def test_where_no_namespaces_are_allowed_the_level_is_kernel_and_says_why():
    """As in plain Docker: a user namespace that allows no further one, and no capability."""
    at("full")
    done = subprocess.run([sys.executable, "-c", WITHOUT_USERS], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("sandbox: kernel ("), done.stderr
    assert "not full: [Errno 1] unshare: Operation not permitted" in done.stdout


@pytest.mark.parametrize("level", ["full", "kernel", "seccomp", "limits"])
def test_a_job_finds_its_files_in_its_folder_and_the_next_job_does_not(level: str):
    read = Job("1", "tests.sandbox.hostile_jobs:read_folder", b"", SMALL)
    files = {"d.txt": b"hello", "a/b.txt": b"x"}
    with_files = Job("2", "tests.sandbox.hostile_jobs:read_folder", b"", SMALL, files=files)
    results = containment.run([read, with_files, read], workers=1, level=at(level))
    found = [result.result for result in results]
    assert found == [JobDone(b"{}"), JobDone(b"{'a/b.txt': b'x', 'd.txt': b'hello'}"), JobDone(b"{}")]


@pytest.mark.parametrize("name", ["../a", "/tmp/a", "", "a/../../b", "a\0b"])
def test_a_file_outside_the_folder_is_a_mistake_of_the_caller(name: str):
    job = Job("1", "tests.sandbox.hostile_jobs:echo", b"", SMALL, files={name: b""})
    with pytest.raises(UserError, match="must lie in its folder"):
        list(containment.run([job], workers=1, level="limits"))


def test_the_zygote_of_the_self_test_runs_the_jobs_that_come_after_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(containment, "_found", [])
    started: list[str] = []
    start = Worker.__init__

    def count(self: Worker, function: str, *rest: object) -> None:
        started.append(function)
        start(self, function, *rest)

    monkeypatch.setattr(Worker, "__init__", count)
    name = "deskcheck.sandbox.selftest:give_back"
    jobs = [Job(str(n), name, b"%d" % n, SMALL) for n in range(3)]
    results = list(containment.run(jobs, workers=1))
    assert [one.result for one in results] == [JobDone(b"0"), JobDone(b"1"), JobDone(b"2")]
    assert started == [name] * (1 + len(containment.find().missing))
    assert list(containment.run(jobs, workers=1))[2].result == JobDone(b"2")
    assert len(started) == 2 + len(containment.find().missing)


def test_zygotes_of_a_level_that_does_not_hold_are_stopped_and_none_outlives_the_run(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(containment, "_found", [])
    tried: list[str] = []
    probe, stop, stopped = containment.probe, Worker.stop, []

    def fail_once(level: str, warm: Warm | None) -> str:
        held = probe("limits", warm)
        assert not held, held
        tried.append(level)
        return "planted" if len(tried) == 1 else ""

    def count(self: Worker) -> None:
        stopped.append(self.level)
        stop(self)

    monkeypatch.setattr(containment, "probe", fail_once)
    monkeypatch.setattr(Worker, "stop", count)
    job = Job("0", "deskcheck.sandbox.selftest:give_back", b"x", SMALL)
    results = containment.run([job], workers=1)
    assert next(results).result == JobDone(b"x")
    assert tried == ["full", "kernel"] and stopped[0] == "limits"
    results.close()  # type: ignore[attr-defined]
    assert sorted(stopped) == sorted(["limits", "limits", "kernel"])
