"""Whatever is typed wrongly: one clear error on stderr, exit code 2, no traceback, and nothing half-written.

One process makes all the calls, because only words and files matter here; `test_errors.py` has the same
through processes of their own.
"""

from __future__ import annotations

import errno
import importlib.util
import os
import sys
from pathlib import Path

import pytest

from deskcheck import cli
from deskcheck.errors import DataError
from deskcheck.results import write_whole

# What is typed (words apart by two spaces), and parts of what must be said.
WRONG = [
    ("nope", "no command called 'nope'; known: "),
    ("--foo", "no such option: --foo; deskcheck -h"),
    ("build", "deskcheck build needs SOURCE; files, generated, real; For example: deskcheck build"),
    ("execute  p.py", "deskcheck execute needs --call; For example: deskcheck execute examples/collatz.py"),
    ("eval  --limit  x", "deskcheck eval: invalid value for '--limit'; deskcheck eval -h lists"),
    ("trace", "name a program: a file, -m MODULE, or -c CODE; deskcheck trace examples/collatz.py"),
    ("trace  --trust  p.py  --stdin  empty", "--stdin is for the sandbox"),
    ("trace  -m  -c  1  p", "-c runs code and -m a module"),
    ("grade  --benchmark  humanevl  --samples  empty", "'humanevl'; known: ; did you mean 'humaneval'?"),
    ("grade  --benchmark  mbpp_sanitized  --samples  empty", "did you mean 'mbpp-sanitized'?"),
    ("grade  --benchmark  cruxeval  --samples  empty", "'cruxeval' has no tests of solutions; humaneval"),
    ("grade  --benchmark  humaneval  --samples  bytes  --data  problems.jsonl", "bytes: not text in UTF-8"),
    (
        "grade  --benchmark  humaneval  --samples  folder  --data  problems.jsonl",
        "no file of samples 'folder'",
    ),
    ("grade  --benchmark  humaneval  --samples  empty  --data  problems.jsonl", "empty: no samples; write"),
    ("grade  --benchmark  humaneval  --samples  torn.jsonl  --data  problems.jsonl", "torn.jsonl, line 1"),
    ("grade  --benchmark  humaneval  --samples  torn.jsonl  --data  folder", "no data file at 'folder'"),
    ("grade  --benchmark  cruxevl  --generations  empty", "no benchmark called; did you mean 'cruxeval'?"),
    ("grade  --benchmark  core  --task  outptu  --generations  empty", "no question; did you mean 'output'?"),
    (
        "grade  --benchmark  core  --generations  empty",
        "empty: no importer knows this layout; known: conversation",
    ),
    (
        "grade  --benchmark  core  --generations  torn.jsonl",
        "are not in benchmark 'core'; its ids look like 01-",
    ),
    (
        "grade  --benchmark  core  --generations  torn.jsonl  --json  folder",
        "--json folder is a folder; name",
    ),
    ("grade  --benchmark  core  --generations  torn.jsonl  --json  no/x", "no folder 'no' to write 'no/x'"),
    ("eval  --model  tinny", "no model called 'tinny'; did you mean 'tiny'?"),
    ("eval  --model  tiny  --benchmark  esy", "no benchmark called 'esy'; did you mean 'easy'?"),
    ("eval  --model  tiny  --json  folder", "--json folder is a folder; name a file"),
    ("eval  --model  tiny  --report  folder", "--report folder is a folder; name a file"),
    ("eval  --model  tiny  --log-dir  p.py", "--log-dir p.py is a file; name a folder"),
    ("eval  --model  tiny  --temperature  -3", "--temperature -3.0: 0 or more"),
    ("eval  --model  tiny  --max-tokens  -3", "--max-tokens -3: a number of tokens"),
    ("eval  --model  tiny  --reasoning-tokens  -3", "--reasoning-tokens -3"),
    ("eval  --model  tiny  --timeout  -3", "--timeout -3: seconds"),
    ("eval  --model  tiny  --max-connections  -3", "--max-connections -3: requests"),
    ("eval  --model  tiny  --max-steps  0", "knob max_steps=0: expected a number from 1 on"),
    ("eval  --model  tiny  -S  histry=1", "no knob called 'histry'; did you mean 'history'?"),
    ("eval  --model  tiny  --strategy  cot  -S  history=full", "knob 'history' belongs to none"),
    ("compare  empty  empty", "empty: not the JSON that"),
    ("compare  folder  folder  --json  folder", "--json folder is a folder"),
    ("study  nope.toml", "cannot read the study file 'nope.toml'"),
    ("study  empty  --picture  folder", "--picture folder is a folder"),
    ("study  empty  --report  no/x.html", "no folder 'no' to write 'no/x.html' to"),
    ("report  folder  --out  folder", "--out folder is a folder; name a file"),
    ("report  folder", "no finished evaluation in 'folder'"),
    ("build  generated  --n  3  --out  new", "no family of generated programs named; known: easy"),
    ("build  files  p.py  --call  f(1)  --out  p.py", "--out p.py is a file; name a folder"),
    ("build  files  p.py  --calls  torn.jsonl  --out  new", "--calls torn.jsonl, line 1"),
    ("data  folder", "folder is not a dataset"),
    ("data  bytes", "bytes is not a readable shard"),
    ("trace  folder", "folder is a folder: name a file in it"),
    ("trace  bytes  --call  f(1)", "bytes is not UTF-8 text"),
    ("trace  p.py  --call  f(1)  --out  x.txt", "--out x.txt must end in .parquet"),
    ("train  --preset  tny", "no preset called 'tny'; did you mean 'tiny'?"),
    ("train  --out  p.py", "--out p.py is a file; name a folder"),
    ("train  --data  folder", "--data is for tuning a model; --model NAME"),
    ("train  --set  lora=16", "--set is for tuning a model; --model NAME"),
    ("train  --out  /proc/foo", "--out /proc/foo cannot be made: ; name another folder"),
    ("train  --out  p.py/foo/bar", "--out p.py/foo/bar cannot be made: ; name another folder"),
    ("train  --model  x  --data  folder  --out  /proc/foo", "--out /proc/foo cannot be made"),
    ("train  --out  new/run  --carry  p.py", "--carry p.py is a file; name a folder"),
    ("train  --out  new/run  --carry  /proc/foo/bar", "--carry /proc/foo/bar cannot be made"),
    ("export  folder  --out  /proc/foo", "--out /proc/foo cannot be made"),
    ("export  folder  --out  p.py", "--out p.py is a file; name a folder"),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bit of everything that is not what was asked for."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").write_text("")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00\x01" * 20)
    (tmp_path / "torn.jsonl").write_text('{"id": "a", "completion": "1"}\n{"id": \n')
    (tmp_path / "p.py").write_text("def f(n):\n    return n + 1\n")
    problem = '"prompt": "def f():\\n", "entry_point": "f", "canonical_solution": "", "test": "", "x": 1'
    (tmp_path / "problems.jsonl").write_text(f'{{"task_id": "HumanEval/0", {problem}}}\n')
    return tmp_path


def refusal(typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """What stands on stderr when the command is refused."""
    monkeypatch.setattr(sys, "argv", ["deskcheck", *typed.split("  ")])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2, typed
    return capsys.readouterr().err


def test_whatever_is_typed_wrongly_is_one_clear_error(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    before = sorted(here.rglob("*"))
    for typed, expected in WRONG:
        if typed.startswith("train  --preset") and importlib.util.find_spec("onnx") is None:
            continue  # needs the extra `train`, and says so
        said = refusal(typed, capsys, monkeypatch)
        assert said.startswith("deskcheck: "), (typed, said)
        missing = [part for part in expected.split("; ") if not all(word in said for word in part.split())]
        assert missing == [], (typed, said)
        assert sorted(here.rglob("*")) == before, typed


def test_a_disk_that_takes_no_more_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    target = tmp_path / "report.html"
    target.write_text("the old one")

    def refuse(self: Path, *_: object) -> Path:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(DataError, match=r"report\.html could not be written: No space left on device"):
        write_whole(target, b"the new one")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["the old one"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS])
def test_what_the_system_says_about_a_file_is_one_line(
    code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def refuse() -> None:
        raise OSError(code, os.strerror(code), "some/file")

    monkeypatch.setattr(cli, "app", refuse)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr().err
    assert (ended.value.code, said.count("\n")) == (2, 1)
    assert said.startswith(f"deskcheck: some/file: {os.strerror(code)}")


def test_any_other_failure_of_the_system_is_a_bug_and_shows_as_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def fail() -> None:
        raise OSError(errno.EBADF, "bad file descriptor")

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    said = capsys.readouterr().err
    assert ended.value.code == 70 and "OSError: [Errno 9] bad file descriptor" in said
