"""Every hostile program ends as its first line says, harms nothing, and the next program is right.

At `kernel` and at `full`, as this user and, when this user is root, as nobody. The positive control runs some
of the programs with the layers off, as nobody, in a throw-away folder: there they do harm.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.sandbox.hostile_run import FOLDER

from deskcheck.sandbox.containment import probe

NOBODY = 65534
ROOT = Path(__file__).parents[2]
# Regular expressions of how a program may end; the first line of each program says the same in words.
TIME = "(time|step) limit"
ENDS = {
    "01_infinite_loop": TIME,
    "02_busy_c_loop": f"{TIME}|memory limit",
    "03_busy_c_pow": f"{TIME}|memory limit",
    "04_regex_backtrack": TIME,
    "06_memory_bomb": f"(memory|output) limit|{TIME}",  # its trace's, on a fast machine
    "07_memory_bomb_one_shot": "memory limit",
    "09_fork_bomb": "refused process:(fork|clone)",
    "10_thread_spam": "memory limit.*|returned 500 .*",
    "11_deep_recursion": "raised RecursionError",
    "13_segfault_ctypes": "crashed SIGSEGV",
    "14_segfault_bytecode": "crashed SIG.*|raised .*",
    "15_os_exit": "crashed exit 0.*",
    "16_sys_exit": "raised SystemExit",
    "18_alarm_off": TIME,
    "19_sleep_long": TIME,
    "20_huge_stdout": "output limit",
    "21_close_fds": "crashed exit .*|rejected .*",
    "22_forge_result_fd": "rejected result frame: .*",
    "24_settrace_off": r"returned 6 in 3 lines|returned 6 \[program called sys.settrace.*",
    "25_monitoring_off": r"returned 'no monitoring' .*profile.* in 2 lines|returned 3 in 22.*|rejected .*",
    "26_gc_find_tracer": rf"returned \d+.*|raised .*|rejected .*|crashed SIG.*|{TIME}",
    "28_patch_builtins": "returned 6",
    "29_patch_open_import": "returned 1",
    "30_frame_walk": rf"returned \[\]|raised .*|{TIME}",
    "32_env_secrets": r"returned \[\] \[environment, files\]",
    "33_read_etc_passwd": "raised (PermissionError|FileNotFoundError).*",
    "34_read_harness": r"returned \[\] \[files\]",
    "35_write_files": "refused write:.*",
    "37_socket_loopback": "refused network:socket",
    "38_socket_unix_udp": "refused network:socket",
    "40_subprocess_shell": "refused process:(vfork|clone)",
    "42_kill_parent": "refused signal:kill",
    "43_ptrace_parent": "refused inspect:ptrace",
    "44_repr_raises": "opaque: an object of type A.*",
    "46_repr_mutates": r"returned \[3, 0\]",
    "47_getattribute_trap": "opaque: an object of type A.*",
    "48_equal_to_everything": "opaque: an object of type A.*",
    "50_pickle_payload": "opaque: an object of type P.*",
    "51_heavy_import": f"returned 1|raised (ModuleNotFound|Import)Error|{TIME}",
    "52_atexit_del": "returned 1",
    "54_daemon_thread_left": r"returned 1 \[.*thread.*\]",
    "56_nondeterministic_time": r"returned \d+ \[time\]",
    "57_nondeterministic_random": r"returned \[.*\] \[entropy, random\]",
    "59_huge_locals": rf"returned 110001226 \[values truncated\]|{TIME}|memory limit",
    "60_huge_result": rf"opaque: .*|returned .*|(output|memory|step) limit|{TIME}",
    "62_deep_nesting": rf"opaque: a value that is truncated .* \[values truncated\]|{TIME}",
    "63_odd_strings": r"returned \['\\ud800', 'a\\x00b', '\\u202eabc', '\\r\\n', '😀', '\\x85\\u2028'\]",
    "64_odd_floats": r"returned \[nan, inf, -inf, -0.0, 5e-324, inf, 0.30000000000000004\]",
    "65_generator_suspended": "opaque: an object of type generator.*",
    "67_stdin_read": r"raised EOFError \[environment\]",
    "68_lazy_eq_grader": "opaque: an object of type A.*",
    "70_stop_self": TIME,
    "72_module_level_loop": TIME,
    "73_huge_source_constant": f"raised (SyntaxError|MemoryError|RecursionError).*|compile failure|{TIME}",
    "76_prng_state_inherited": r"returned \[0\.\d+, \d+\] \[random\]",
}
# Those that end by the clock, or take a second each: only in the slow run.
LONG = {name for name, pattern in ENDS.items() if TIME in pattern or "RecursionError" in pattern}
SHORT_ONES_OF_THEM = {"01_infinite_loop", "02_busy_c_loop", "18_alarm_off", "70_stop_self"}
FAST = sorted(ENDS.keys() - LONG | SHORT_ONES_OF_THEM)


@cache
def lacking(level: str) -> str:
    return probe(level)


@cache
def nobodys_python() -> list[str]:
    """A command that runs this Python's version as nobody with the same libraries; [] where there is none."""
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info[1]}"):
        command = [python, "-c", "import deskcheck.sandbox.supervisor, tests.sandbox.hostile_run"]
        try:
            tried = subprocess.run(
                command,
                cwd=ROOT,
                env=environment(),
                user=NOBODY,
                group=NOBODY,
                extra_groups=[],
                capture_output=True,
            )
        except OSError:
            continue
        if tried.returncode == 0:
            return [python]
    return []


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that nobody can reach: pytest closes its own folders to other users."""
    with tempfile.TemporaryDirectory(prefix="deskcheck-hostile-") as name:
        yield Path(name)


def environment() -> dict[str, str]:
    paths = [str(ROOT), str(ROOT / "src"), *(path for path in sys.path if path.endswith("-packages"))]
    return {"PATH": "/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}


def run(level: str, user: str, names: list[str], folder: Path, *, time_s: float) -> dict[str, Any]:
    """The programs' ends and the harm seen. Skips, with the reason, where this cannot be had.

    `time_s`: of the programs that the clock may end; the others have all the time that a slow machine takes.
    """
    command, uid = [sys.executable], os.getuid()
    if user == "nobody":
        if os.getuid() != 0:
            pytest.skip("only root can become nobody; this user's own run shows the same")
        command, uid = nobodys_python(), NOBODY
        if not command:
            pytest.skip(f"nobody may not run {sys.executable}")
        os.chown(folder, NOBODY, NOBODY)
    request = {
        "level": level, "names": names, "uid": uid, "folder": str(folder), "time_s": time_s,
        "timed": [name for name in names if TIME in ENDS[name]],
    }  # fmt: skip
    ended = subprocess.run(
        [*command, "-m", "tests.sandbox.hostile_run", json.dumps(request)],
        cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=900,
        user=uid if uid != os.getuid() else None, group=uid if uid != os.getuid() else None,
        extra_groups=[] if uid != os.getuid() else None,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr[-2000:]
    return json.loads(ended.stdout)


def contained(level: str, user: str, names: list[str], folder: Path, *, time_s: float) -> None:
    if lacking(level):
        pytest.skip(f"no level {level} here: {lacking(level)}")
    found = run(level, user, names, folder, time_s=time_s)
    ends = found.pop("ends")
    assert list(ends) == names
    assert [f"{name}: {end}" for name, end in ends.items() if not re.fullmatch(ENDS[name], end)] == []
    assert found == {
        "nexts": ["right"],
        "harm": [],
        "mismatched": 0,
        "descriptors left": 0,
        "files left": [],
        "processes left": 0,
    }


def test_every_program_of_the_corpus_has_an_expected_end():
    assert sorted(ENDS) == sorted(path.stem for path in FOLDER.glob("*.py"))


@pytest.mark.parametrize(("level", "user"), [("full", "own"), ("kernel", "own"), ("kernel", "nobody")])
def test_hostile_programs_end_as_they_should_and_harm_nothing(level: str, user: str, folder: Path):
    contained(level, user, FAST, folder, time_s=0.3)


@pytest.mark.slow
@pytest.mark.parametrize("user", ["own", "nobody"])
@pytest.mark.parametrize("level", ["full", "kernel"])
def test_the_whole_corpus_ends_as_it_should_and_harms_nothing(level: str, user: str, folder: Path):
    contained(level, user, sorted(ENDS), folder, time_s=4.0)


def test_with_the_layers_off_the_same_programs_do_harm(folder: Path):
    names = [
        "33_read_etc_passwd",
        "34_read_harness",
        "35_write_files",
        "37_socket_loopback",
        "40_subprocess_shell",
    ]
    found = run("limits", "nobody", names, folder, time_s=20.0)
    ends = found["ends"]
    assert re.match(r"returned [1-9]\d*( \[|$)", ends["33_read_etc_passwd"])
    assert "/proc/self/maps" in ends["34_read_harness"]
    assert "truncated" in ends["35_write_files"] or "removed" in ends["35_write_files"]
    assert ends["37_socket_loopback"] == "returned 'connected'"
    assert "uid=" in ends["40_subprocess_shell"]
    assert "the canary was changed" in found["harm"]
    assert "the listener was called" in found["harm"]
    assert any("was written" in one for one in found["harm"])
