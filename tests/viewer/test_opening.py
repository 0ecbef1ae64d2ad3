"""Every form of `deskcheck view`: what it is given is told apart by content, and the page holds that run."""

from __future__ import annotations

import base64
import json
import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from tests.report.test_page import sample, write_run
from typer.testing import CliRunner

from deskcheck.cli import app
from deskcheck.records import Limits
from deskcheck.tracing.execution import NOT_LOADED
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.viewer.document import View, page_of, shell_bytes

SOURCE = "def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n"
CHAIN = ["@2 | n=2", "@3 | n=2; total=0", "@4 | n=2; total=1; i=0; ~1=iter(range(1, 2))"]


@pytest.fixture
def program(tmp_path: Path) -> Path:
    file = tmp_path / "sums.py"
    file.write_text(SOURCE, encoding="utf-8")
    return file


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


def shown(*arguments: str, out: Path) -> dict[str, Any]:
    """What the written page holds, as its script unpacks it."""
    said = run("view", "--out", str(out), *arguments)
    assert "it opens from disk" in said
    return data_in(out)


def data_in(page: Path) -> dict[str, Any]:
    """The data of a page."""
    packed = re.search('id="data">([^<]*)<', page.read_text(encoding="utf-8"))
    assert packed
    data = zlib.decompress(base64.b64decode(packed[1]))
    size = int.from_bytes(data[:4], "little")
    found: dict[str, Any] = json.loads(data[4 : 4 + size])
    return found


def test_a_program_with_a_call(program: Path, tmp_path: Path) -> None:
    page = shown(str(program), "--call", "f(3)", out=tmp_path / "a.html")
    assert (page["call"], page["outcome"]["text"]) == ("f(3)", "returned 3 after 9 steps")


def test_a_file_that_only_defines_things_says_how_to_call(program: Path, tmp_path: Path) -> None:
    said = run("view", str(program), "--out", str(tmp_path / "a.html"))
    assert "note: the file only defines things; --call 'f(3)' traces a call" in said


def test_a_script_with_its_output_and_arguments(tmp_path: Path) -> None:
    file = tmp_path / "script.py"
    file.write_text("import sys\nprint('hello', sys.argv[1])\n", encoding="utf-8")
    page = shown(str(file), "--", "world", out=tmp_path / "a.html")
    assert page["output"] == "hello world\n"


@pytest.mark.parametrize(
    ("source", "status", "lines"),
    [
        ("import subprocess\ndef f():\n    subprocess.run(['ls'])\n", 125, ["refused: "]),
        ("x = {}[3]\ndef f():\n    pass\n", 1, ["raised KeyError: 3 after 0 steps", NOT_LOADED]),
    ],
)
def test_a_run_without_steps_ends_as_trace_ends_it(
    tmp_path: Path, source: str, status: int, lines: list[str]
) -> None:
    (tmp_path / "a.py").write_text(source, encoding="utf-8")
    words = [str(tmp_path / "a.py"), "--call", "f()"]
    traced = CliRunner().invoke(app, ["trace", *words])
    viewed = CliRunner().invoke(app, ["view", *words, "--out", str(tmp_path / "a.html")])
    assert viewed.exit_code == traced.exit_code == status
    assert traced.stdout in viewed.stdout and all(line in viewed.stdout for line in lines)


@pytest.mark.parametrize("ending", ["deskcheck", "parquet"])
def test_a_saved_trace(program: Path, tmp_path: Path, ending: str) -> None:
    saved = tmp_path / f"run.{ending}"
    run("trace", str(program), "--call", "f(3)", "--out", str(saved))
    page = shown(str(saved), out=tmp_path / "a.html")
    assert page["outcome"]["text"] == "returned 3 after 9 steps"
    assert page["files"][0]["lines"][0] == "def f(n):"


def test_a_program_of_a_dataset_by_number(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    run("build", "generated", "--family", "easy", "--n", "4", "--out", str(folder))
    page = shown(str(folder), "--task", "2", out=tmp_path / "a.html")
    assert "after" in page["outcome"]["text"] and page["files"][0]["lines"]
    assert (
        shown(str(folder), "--task", "generated:easy:0:3", out=tmp_path / "b.html")["files"] == page["files"]
    )
    (tmp_path / "a.py").write_text(SOURCE)
    calls = ["--call", "f(1)", "--call", "f(2)"]
    run("build", "files", str(tmp_path / "a.py"), *calls, "--out", str(tmp_path / "own"))
    refused = CliRunner().invoke(app, ["view", str(tmp_path / "own"), "--task", "files:a.py"])
    assert "has several programs of 'files:" in str(refused.exception) and "0, 1" in str(refused.exception)


def test_a_task_of_an_evaluation_with_all_who_answered_it(tmp_path: Path) -> None:
    for number, (name, chain) in enumerate([("direct", []), ("line-1", CHAIN)]):
        own = sample(0, "wrong", source=SOURCE, call="f(2)", expected="1", answer="2", chain=chain, n_steps=7)
        write_run(tmp_path / "logs", name, [own], number=number)
    page = shown(str(tmp_path / "logs"), "--task", "t_0", out=tmp_path / "a.html")
    direct, line = page["runs"]
    assert direct["first"] == -1 and {step[0] for step in direct["steps"]} == {"silent"}
    assert line["first"] == 3
    refused = CliRunner().invoke(app, ["view", str(tmp_path / "logs"), "--task", "nobody"])
    assert "name one: --task ID (wrong ones first: t_0" in str(refused.exception)


def test_a_saved_reply_beside_the_truth(program: Path, tmp_path: Path) -> None:
    reply = tmp_path / "someone.txt"
    reply.write_text("Let me see.\n" + "\n".join(CHAIN) + "\nSo it is 2.\n", encoding="utf-8")
    page = shown(str(program), "--call", "f(2)", "--reply", str(reply), out=tmp_path / "a.html")
    (found,) = page["runs"]
    assert (found["name"], found["wrote"], found["first"]) == ("someone", 3, 3)
    assert found["steps"][3][3][0][:3] == [0, "total", "1"]


def test_free_text_is_searched_for_statements_on_request_alone(program: Path, tmp_path: Path) -> None:
    """The reader of statements is experimental: without --statements its code is not even imported."""
    (tmp_path / "reply.txt").write_text("First `total` becomes 7.", encoding="utf-8")
    code = (
        "import sys; from typer.testing import CliRunner; from deskcheck.cli import app; "
        "sys.exit(CliRunner().invoke(app, sys.argv[1:]).exit_code or "
        "9 * any(name.startswith('deskcheck.statements') for name in sys.modules))"
    )
    words = ["view", str(program), "--call", "f(2)", "--reply", str(tmp_path / "reply.txt"), "--out"]
    plain = [sys.executable, "-c", code, *words, str(tmp_path / "plain.html")]
    assert subprocess.run(plain).returncode == 0
    read = shown(*words[1:-1], "--statements", out=tmp_path / "read.html")["runs"][0]
    assert [claim[3] for claim in read["claims"]] == [False] and read["first"] >= 0
    unread = data_in(tmp_path / "plain.html")["runs"][0]
    assert (unread["claims"], unread["first"]) == ([], -1)


def test_a_hundred_thousand_steps_are_half_a_megabyte_and_the_empty_page_a_tenth() -> None:
    source = "def f():\n    xs = [n * 7919 % 1000 for n in range(600)]\n    at = 0\n"
    source += "    while True:\n        xs[at % 600] += xs[at // 7 % 600]\n        at += 1\n"
    program = make_program(source, "f", "", origin="test")
    trace = trace_program(program, Limits(max_steps=100_000, trace_bytes=1 << 30))
    size = len(page_of(View(program, [trace])).encode())
    assert trace.n_steps == 100_000 and 100_000 < size < 500_000
    assert 50_000 < shell_bytes() <= 100_000


def test_what_is_none_of_these_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "rows.json").write_text('{"exit": 0, "run": {}, "rows": []}')
    for arguments, words in [
        (["view", str(tmp_path / "rows.json")], "view has no such options: deskcheck grade has them"),
        (["view", str(tmp_path)], "neither a dataset"),
        (["view", str(tmp_path / "nothing.py")], "no such file"),
    ]:
        found = CliRunner().invoke(app, arguments)
        assert found.exit_code != 0 and words in str(found.exception)
