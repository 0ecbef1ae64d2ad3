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

import deskcheck
from deskcheck import cli
from deskcheck.cell_files import write_whole
from deskcheck.errors import DataError
from deskcheck.viewer.document import show_page

# What is typed (words apart by two spaces), and parts of what must be said.
WRONG = [
    ("nope", "no command called 'nope'; known: "),
    ("--foo", "no such option: --foo; deskcheck -h"),
    ("build", "deskcheck build needs SOURCE; files, generated, real; For example: deskcheck build"),
    ("execute  p.py", "deskcheck execute needs --call; For example: deskcheck execute examples/collatz.py"),
    ("eval  --limit  x", "deskcheck eval: --limit x: a whole number is needed; deskcheck eval -h lists"),
    ("trace", "name a program: a file, -m MODULE, or -c CODE; deskcheck trace examples/collatz.py"),
    ("trace  --trust  p.py  --stdin  empty", "--stdin is for the sandbox"),
    ("trace  -m  -c  1  p", "-c runs code and -m a module"),
    (
        "grade  --benchmark  humanevl  --task  solution  --generations  empty",
        "'humanevl'; known: ; did you mean 'humaneval'?",
    ),
    (
        "grade  --benchmark  mbpp_sanitized  --task  solution  --generations  empty",
        "did you mean 'mbpp-sanitized'?",
    ),
    (
        "grade  --benchmark  cruxeval  --task  solution  --generations  empty",
        "'cruxeval' has no tests of solutions; humaneval",
    ),
    (
        "grade  --benchmark  humaneval  --task  solution  --generations  bytes  --data  problems.jsonl",
        "bytes: not text in UTF-8",
    ),
    (
        "grade  --benchmark  humaneval  --task  solution  --generations  folder  --data  problems.jsonl",
        "no file of samples 'folder'",
    ),
    (
        "grade  --benchmark  humaneval  --task  solution  --generations  empty  --data  problems.jsonl",
        "empty: no samples; write",
    ),
    (
        "grade  --benchmark  humaneval  --task  solution  --generations  torn.jsonl  --data  problems.jsonl",
        "torn.jsonl, line 1",
    ),
    (
        "grade  --benchmark  humaneval  --task  solution  --generations  torn.jsonl  --data  folder",
        "no data file at 'folder'",
    ),
    ("validate  cruxeval=folder", "no data file at 'folder', which is a folder:; in it: cruxeval=PATH"),
    (
        "explain  p.py  --expect  3",
        "--expect 3 is the right result of one call; name the call, --call 'f(3)'",
    ),
    ("prompts  --benchmark  files  --data  p.py", "no call to make:; p.py; for eval -T call='f(3)'"),
    (
        "prompts  --benchmark  files  --data  p.py  -T  calls=nope",
        "the file of calls nope cannot be read: No such file",
    ),
    ("grade  --benchmark  cruxevl  --generations  empty", "no benchmark called; did you mean 'cruxeval'?"),
    ("grade  --benchmark  core  --task  outptu  --generations  empty", "no question; did you mean 'output'?"),
    (
        "grade  --benchmark  core  --generations  empty",
        "empty: no importer knows this file format; other importers: batch",
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
    ("eval  --model  tiny  --log-dir  p.py", "--log-dir p.py is a file; name a folder"),
    ("eval  --model  tiny  --temperature  -3", "deskcheck eval: --temperature -3: at least"),
    ("eval  --model  tiny  --max-tokens  -3", "deskcheck eval: --max-tokens -3: at least"),
    ("eval  --model  a/b  -G  reasoning_tokens=-3", "-G reasoning_tokens -3: a number of tokens"),
    ("eval  --model  tiny  -G  attempt_timeout=0", "-G attempt_timeout=0: a whole number from 1 on"),
    ("eval  --model  tiny  -G  max_connections=many", "-G max_connections=many: a whole number from 1 on"),
    ("eval  --model  tiny  --max-steps  0", "setting max_steps=0: expected a number from 1 on"),
    ("eval  --model  tiny  -S  histry=1", "no setting called 'histry'; did you mean 'history'?"),
    ("eval  --model  tiny  --strategy  cot  -S  history=full", "setting 'history' belongs to none"),
    ("compare  empty  empty", "empty: not the JSON that"),
    ("compare  folder  folder  --json  folder", "--json folder is a folder"),
    ("study  nope.toml", "no study file at 'nope.toml', preset; presets: code-executors; looks like this"),
    ("study  sizs", "did you mean 'sizes'?"),
    ("study  nope  --print", "no study file at 'nope'; presets: code-executors"),
    ("study  folder  --print", "cannot read the study file 'folder'"),
    ("study  sizes", "preset 'sizes' leaves the model to you: deskcheck study sizes --model tiny"),
    ("table  nope  --as  wild", "no kind of table called 'wild'; known: code-executors"),
    ("table  nope  --format  wild", "no format of a table called 'wild'; known: csv"),
    ("table  nope  --figures  p.py", "--figures p.py is a file; name a folder"),
    ("table  nope  --out  x.doc", "--out x.doc: '.doc' names no form of a table"),
    ("build  functions  empty  --out  new", "the file empty is none that functions are read from; .py"),
    ("build  functions  folder  --out  new", "the folder folder holds no *.py file"),
    ("build  functions  nope-xyz  --out  new", "no file or folder at 'nope-xyz', no installed package"),
    ("report  folder  --out  folder", "--out folder is a folder; name a file"),
    ("report  folder", "no finished evaluation in 'folder'"),
    (
        "build  generated  p.py  --family  easy  --n  3  --inputs  hypothesis  --out  new",
        "generated takes no PATH or --inputs; it reads --family, --seed",
    ),
    ("build  files  p.py  --call  f(1)  --n  3  --out  new", "files takes no --n; it reads PATH, --call"),
    ("build  generated  --n  3  --out  new", "no family of generated programs named; known: easy"),
    ("build  files  p.py  --call  f(1)  --out  p.py", "--out p.py is a file; name a folder"),
    ("build  files  p.py  --call  torn.jsonl  --out  new", "torn.jsonl, line 1"),
    ("data  folder", "folder is not a dataset"),
    ("data  bytes", "bytes is not a readable shard: it is no Parquet file; name the folder of a dataset"),
    ("data  p.py", "p.py is not a readable shard: it is no Parquet file; name the folder of a dataset"),
    ("trace  notes.txt", "notes.txt, line 1 does not parse: invalid syntax; Python program is needed"),
    ("trace  -c  def f(:", "-c, line 1 does not parse: invalid syntax"),
    ("trace  --trust  -c  def f(:", "-c, line 1 does not parse: invalid syntax"),
    (
        "view  p.py  --model  tiny",
        "p.py: there is nothing for a model to execute: the file only defines; --call",
    ),
    ("view  notes.ipynb", "notes.ipynb is no Python program: a notebook; nbconvert"),
    ("trace  bytes.deskcheck", "bytes.deskcheck is no Python program: a saved run; deskcheck view"),
    ("report  p.py", "p.py: not the JSON that; name that file, a log folder"),
    ("help", "no command called 'help'; known: build; `deskcheck -h` says what each does"),
    ("trace  folder", "folder is a folder: name a file in it"),
    ("trace  bytes  --call  f(1)", "bytes is no Python program: it is not UTF-8 text"),
    ("trace  p.py  --call  f(1)  --out  x.txt", "--out x.txt must end in .parquet"),
    ("train  --preset  tny", "no preset called 'tny'; did you mean 'tiny'?"),
    ("train  --out  p.py", "--out p.py is a file; name a folder"),
    ("train  --data  nowhere", "--data 'nowhere': no folder of `deskcheck build`; with --model"),
    ("train  --data  folder", "folder is not a dataset"),
    ("train  --set  lora=16", "--set lora for tuning a model; --model NAME"),
    ("train  --out  /proc/foo", "--out /proc/foo cannot be made: ; name another folder"),
    ("train  --out  p.py/foo/bar", "--out p.py/foo/bar cannot be made: ; name another folder"),
    ("train  --model  x  --data  folder  --out  /proc/foo", "--out /proc/foo cannot be made"),
    ("export  folder  --out  /proc/foo", "--out /proc/foo cannot be made"),
    ("export  folder  --out  p.py", "--out p.py is a file; name a folder"),
    ("view  nope.py", "no such file or folder: nope.py"),
    ("view  p.py  --call  g(1)", "p.py defines no 'g'; it defines: f"),
    ("view  p.py  --out  run.txt", "--out run.txt must end in .html"),
    ("view  bytes.deskcheck", "bytes.deskcheck is not a saved run; record it again"),
    ("view  bytes.parquet", "bytes.parquet is not a readable shard: it is no Parquet file; build it again"),
    ("view  folder", "folder is neither a dataset; name one"),
    ("trace  p.py  --call  f(", "call 'f(' for p.py does not parse"),
    ("trace  p.py  --call  g(1)", "p.py defines no 'g'; it defines: f"),
    ("trace  p.py  --call  f(1)  --call=f(2)", "--call is given 2 times; trace takes 1"),
    ("view  p.py  --call  f(1)  --call  f(2)  --out  x.html", "--call is given 2 times; view takes 1"),
    ("diff  p.py  --call  f(1)  --call  f(2)  --call  f(3)", "--call is given 3 times; diff takes 2"),
    ("trace  p.py  --call=", "--call is empty: name a call; leave the option out"),
    ("ask  p.py  x  --call  ", "--call is empty: name a call; leave the option out"),
    ("trace  -", "-: a program is read from a file; text from a pipe: deskcheck trace -c"),
    ("trace  nope.py", "no such file: nope.py; there are: p.py"),
    ("trace  p.py  --call  f(1)  --granularity  words", "no granularity called 'words'; known: expression"),
    ("trace  p.py  --call  f(1)  --format  xml", "no format called 'xml'; known: json"),
    ("trace  p.py  --call  f(1)  --max-steps  0", "--max-steps and --time-limit must be greater than 0"),
    ("trace  p.py  --call  f(1)  --time-limit  0", "--max-steps and --time-limit must be greater than 0"),
    ("trace  p.py  --call  f(1)  --require  most", "no containment level called 'most'; known: full"),
    ("trace  p.py  --call  f(1)  --file  nope.txt", "--file nope.txt: no such file"),
    ("trace  -m  nomodule", "no module 'nomodule'"),
    (
        "eval  --model  tiny  --strategy  chain-of-thought",
        "no strategy called 'chain-of-thought'; did you mean 'cot'?",
    ),
    ("eval  --model  tiny  --task  core", "no question called 'core'; 'core' is the name of a benchmark"),
    ("eval  --tasks  core", "no such option: --tasks; --benchmark names the tasks, --task their question"),
    ("execute  p.py  --call  f(1)  --model  tinny", "no model called 'tinny'; did you mean 'tiny'?"),
    ("execute  nope.py  --call  f(1)  --model  tiny", "no such file: nope.py; there are: p.py"),
    (
        "execute  p.py  --call  f(1)  --model  tiny  --max-steps  0",
        "--max-steps 0: at least 1",
    ),
    ("demo  --out  x.txt", "--out x.txt must end in .html"),
    ("report  folder  --out  x.md", "--out x.md must end in .html"),
    ("eval  tiny  easy", "takes no argument 'tiny easy'; for example: deskcheck eval --model tiny"),
    (
        "execute  p.py  --call  f(x)  --model  tiny",
        "f(x) raised NameError: 'x' before its first line; 'f(3)'",
    ),
    ("demo  --out  folder", "--out folder is a folder; name a file"),
    ("demo  --out  no/x.html", "no folder 'no' to write 'no/x.html' to"),
    ("data  nope", "no such folder: nope"),
    ("data  empty", "empty is not a readable shard; name the folder of a dataset"),
    ("report  nope", "no log folder or results file at 'nope'"),
    ("report  empty", "empty: not the JSON that"),
    ("compare  nope  nope", "no log folder or results file at 'nope'"),
    ("table  nope", "no log folder or results file at 'nope'"),
    ("table  folder", "no finished evaluation in 'folder'; makes one"),
    ("table  nope  --as  leaderboard", "no log folder or results file at 'nope'"),
    ("build  generated  --family  esy  --n  3  --out  new", "called 'esy'; did you mean 'easy'?"),
    ("build  generated  --family  easy  --n  0  --out  new", "--n 0: at least 1"),
    (
        "build  generated  --family  easy  --n  3  --out  new  --workers  0",
        "--workers 0: at least 1",
    ),
    (
        "build  generated  --family  easy  --n  3  --out  new  --time-limit  0",
        "--time-limit 0: at least 0.01",
    ),
    ("build  generated  --family  easy  --n  3  --seed  x  --out  new", "--seed x: a whole number is needed"),
    ("build  files  --out  new", "name a file or folder: deskcheck build files PATH"),
    ("build  files  empty  --call  f(1)  --out  new", "empty defines no 'f'; nothing that can be called"),
    ("build  files  p.py  --call  g(1)  --out  new", "p.py defines no 'g'; it defines: f"),
    ("build  files  p.py  --out  new", "no call to make: write a line"),
    (
        "build  functions  p.py  --inputs  hypothesi  --out  new",
        "--inputs hypothesi: no source of inputs; known: hypothesis, provider/model as; did you mean",
    ),
    ("build  functions  p.py  --inputs  gpt-4o  --out  new", "--inputs gpt-4o: known: openai/gpt-4o"),
    ("build  functions  p.py  --inputs  nope/x  --out  new", "nope/x: cannot use this model; known"),
    ("build  nowhere  --out  new", "no program source called 'nowhere'; known: files"),
    ("study", "deskcheck study needs FILE; For example: deskcheck study examples/study.toml"),
    ("eval  --limit  0", "--limit 0: at least 1"),
    ("prompts  --limit  0", "--limit 0: at least 1"),
    ("eval  --model  tiny  --samples  0", "--samples 0: at least 1"),
    ("eval  --model  tiny  --data  nope", "no data for benchmark 'core' at 'nope'"),
    ("eval  --model  tiny  --filter  x", "--filter 'x': write NAME=VALUE"),
    ("eval  --model  tiny  --strategy  ctt", "no strategy called 'ctt'; known: base-completion"),
    ("eval  --model  tiny  --task  otput", "no question called 'otput'; did you mean"),
    ("eval  --model  tiny  -M  x", "-M 'x': write it as key=value"),
    ("eval  --model  tiny  -T  x", "-T 'x': write it as key=value"),
    ("eval  --model  tiny  --price  x", "--price 'x': write dollars per million tokens"),
    ("eval  --model  tiny  --policy  kind", "no policy called 'kind'; known: lenient"),
    ("eval  --model  a/b  -G  reasoning_effort=most", "reasoning_effort=most: one of none, minimal"),
    ("eval  --model  tiny  --require  most", "no containment level called 'most'; known: full"),
    ("eval  --model  tiny  --filter  id=", "--filter 'id=' names nothing after =; is a variable"),
    ("prompts  --filter  id=,", "--filter 'id=,' names nothing after ="),
    ("eval  --model  tiny  --filter  family~", "--filter 'family~' names nothing after ~"),
    (
        "prompts  --benchmark  easy  --limit  2  --filter  steps<0",
        "'easy' fulfils --filter steps<0; steps is",
    ),
    (
        "grade  --benchmark  easy  --limit  2  --filter  steps<0  --generations  torn.jsonl",
        "no task of benchmark 'easy' fulfils --filter steps<0",
    ),
    ("eval  --model  tiny  -T  seed=7  -T  seed=8", "-T seed is given twice, as '7' and as '8'; leave"),
    ("eval  --model  tiny  -S  votes=2  -S  votes=3", "-S votes is given twice"),
    ("eval  --model  tiny  -M  path=a  -M  path=b", "-M path is given twice"),
    ("eval  --model  tiny  -M  base_url=a  --base-url  b", "-M base_url is given twice"),
    ("eval  --model  tiny  -G  seed=1  -G  seed=2", "-G seed is given twice"),
    (
        "eval  --model  tiny  --max-steps  2  -S  max_steps=3",
        "-S max_steps is given twice, as '2' and as '3'",
    ),
    ("eval  --model  tiny  --data  a  --data  b", "--data core is given twice"),
    ("prompts  -T  seed=7  -T  seed=8", "-T seed is given twice"),
    ("study  sizes  --model  tiny  --data  doocs=a  --data  doocs=b", "--data doocs is given twice"),
    ("push  --benchmark  core  -T  seed=7  -T  seed=8", "-T seed is given twice"),
    ("train  --set  held_out=1  --set  held_out=2", "--set held_out is given twice"),
    ("grade  --benchmark  core  --generations  torn.jsonl  --json  -", "--json -: name one, or /dev/stdout"),
    (
        "grade  --benchmark  core  --limit  2  --generations  torn.jsonl  --marks  [X],[Y]",
        "--marks '[X],[Y]': no reply in torn.jsonl holds '[X]'; copy the mark",
    ),
    *(
        (
            "grade  --benchmark  humaneval  --data  problems.jsonl  --task  solution  --generations  empty  "
            + option,
            f"deskcheck grade reads no {option.split()[0]} for --task solution; leave that out",
        )
        for option in (
            "--limit  1",
            "--filter  nope=3",
            "--importer  batch",
            "--field  completion=foo",
            "-T  foo=1",
            "--policy  strict",
            "--extraction  exact",
            "--marks  [A],[B]",
        )
    ),
    ("grade", "deskcheck grade needs --benchmark; For example: deskcheck grade"),
    ("grade  --benchmark  core", "name one file; --generations"),
    ("grade  --benchmark  core  --generations  nope", "no saved generations at 'nope'"),
    (
        "grade  --benchmark  core  --generations  bytes",
        "bytes: no importer knows this file format; other importers: batch",
    ),
    (
        "grade  --benchmark  core  --generations  torn.jsonl  --extraction  wild",
        "no extraction level called 'wild'; known: exact",
    ),
    (
        "grade  --benchmark  core  --generations  torn.jsonl  --out  x.csv",
        "--out x.csv: results are written as .parquet",
    ),
    (
        "grade  --benchmark  core  --generations  torn.jsonl  --limit  0",
        "--limit 0: at least 1",
    ),
    ("export  nope  --out  new", "no model in 'nope'; give a folder"),
    ("downstream  a", "deskcheck downstream needs AFTER; For example: deskcheck downstream"),
    ("doctor  x", "takes no argument 'x'; deskcheck doctor -h; deskcheck doctor"),
    ("train  --minutes  x", "--minutes x: a number is needed"),
    ("train  --set  held_out=-1", "--set: Expected `int` >= 0"),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a bit of everything that is not what was asked for."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty").write_text("")
    for name in ("bytes", "bytes.deskcheck", "bytes.parquet"):
        (tmp_path / name).write_bytes(b"\xff\xfe\x00\x01" * 20)
    (tmp_path / "torn.jsonl").write_text('{"id": "a", "completion": "1"}\n{"id": \n')
    (tmp_path / "p.py").write_text("def f(n):\n    return n + 1\n")
    (tmp_path / "notes.txt").write_text("buy some milk\n")
    (tmp_path / "notes.ipynb").write_text('{"cells": []}')
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
    assert len({typed for typed, _ in WRONG}) >= 120
    before = sorted(here.rglob("*"))
    for typed, expected in WRONG:
        if (
            typed.startswith(("train  --preset", "train  --data"))
            and importlib.util.find_spec("onnx") is None
        ):
            continue  # needs the extra `train`, and says so
        said = refusal(typed, capsys, monkeypatch)
        assert said.startswith("deskcheck: "), (typed, said)
        missing = [part for part in expected.split("; ") if not all(word in said for word in part.split())]
        assert missing == [], (typed, said)
        assert sorted(here.rglob("*")) == before, typed


def test_only_the_named_places_are_searched_for_logs(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    for place in (here, here / "folder"):
        (place / "torn.eval").write_bytes(b"PK")
    absent = "deskcheck: no log folder or results file at 'nope'\n"
    assert refusal("compare  nope  folder", capsys, monkeypatch) == absent
    assert refusal("compare  A=nope:strategy=cot  folder", capsys, monkeypatch) == absent
    said = refusal("compare  A=folder  B=folder", capsys, monkeypatch)
    assert said.startswith("deskcheck: folder/torn.eval: cut or damaged (its end); ")
    assert said.count("torn.eval") == 1


def test_a_disk_that_takes_no_more_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    target = tmp_path / "report.html"
    target.write_text("the old one")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(DataError, match=r"the disk is full: .*report\.html could not be written"):
        write_whole(target, b"the new one")
    assert [path.read_text() for path in tmp_path.iterdir()] == ["the old one"]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EFBIG, errno.EACCES, errno.EROFS])
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
    assert said.startswith(f"deskcheck: some/file: {os.strerror(code)}; what was finished before is kept; ")
    assert (
        "free some space there" if code in (errno.ENOSPC, errno.EFBIG) else "name another file or folder"
    ) in said


def test_a_full_disk_that_names_no_file_is_told_with_the_place_that_was_typed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def refuse() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(cli, "app", refuse)
    monkeypatch.setattr(sys, "argv", ["deskcheck", "nothing", "--out", "full/data"])
    with pytest.raises(SystemExit):
        cli.main()
    assert capsys.readouterr().err.startswith("deskcheck: full/data: No space left on device; ")


def test_a_page_that_does_not_fit_the_disk_leaves_none(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    deskcheck.trace(lambda n: n + 1, 3).save("run.deskcheck")
    before = sorted(here.iterdir())
    monkeypatch.setattr(os, "replace", refuse)
    said = refusal("view  run.deskcheck  --out  run.html", capsys, monkeypatch)
    assert said == (
        "deskcheck: the disk is full: run.html could not be written; free some space and run the same "
        "command again, what was finished is kept\n"
    )
    with pytest.raises(DataError, match=r"page\.html could not be written"):
        show_page("<p>", "page.html", is_opened=False)
    assert sorted(here.iterdir()) == before


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
