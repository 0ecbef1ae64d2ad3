"""Programs of other languages in bubblewrap: what ends well, what is kept from them, what is missing."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from pathlib import Path

import pytest

from deskcheck.benchmarks import cruxeval_x
from deskcheck.errors import UserError
from deskcheck.evaluation.grade import grade_saved
from deskcheck.evaluation.truth import build_tasks
from deskcheck.importers import read_single
from deskcheck.records import Skipped, TaskDraft
from deskcheck.sandbox.foreign import check_foreign, run_all_foreign, run_foreign


def bubblewrap_works() -> bool:
    command = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    return bool(shutil.which("bwrap")) and not subprocess.run(command, capture_output=True).returncode


contained = pytest.mark.skipif(not bubblewrap_works(), reason="needs bubblewrap and user namespaces")


@contained
@pytest.mark.parametrize(
    ("source", "ends_well"),
    [
        ("exit 0", True),
        ("exit 3", False),
        ("echo x > here && test -s here", True),
        ("echo x > /usr/x", False),
        ("ls /var", False),
        ("exec 3<>/dev/tcp/127.0.0.1/22", False),
        ("test $(cat /proc/net/dev | grep -vc lo:) = 2", True),  # two lines of headings, no device but lo
        ("test $(ls -d /proc/[0-9]* | wc -l) -lt 9", True),
        ("cat /etc/passwd", False),
        ('test -z "$DESKCHECK_DATA$PYTHONPATH"', True),
        ("test $(ulimit -u) = 4096 && test $(ulimit -d) = 4000000", True),
        ("head -c 65000000 /dev/zero > large", False),
    ],
)
def test_a_program_reaches_its_own_folder_and_nothing_else(
    source: str, ends_well: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DESKCHECK_DATA", "secret")
    assert (run_foreign(source, "shell") == "") == ends_well


CS = "using System.Diagnostics; class P { static void Main() { Debug.Assert(1 + 1 == %d); } }"
TS = "declare var require: any;\nconst a: string = 1;\nrequire('node:assert').equal(1 + 1, %d)"


@contained
@pytest.mark.parametrize(("language", "source"), [("cs", CS), ("typescript", TS)])
def test_an_assertion_that_fails_is_seen(language: str, source: str) -> None:
    """Mono writes that it failed and goes on; a type that does not fit is no failure."""
    needed = ("mcs", "mono") if language == "cs" else ("tsc", "node")
    if not all(map(shutil.which, needed)):
        pytest.skip(f"needs {' and '.join(needed)}")
    assert run_foreign(source % 2, language) == ""
    assert run_foreign(source % 3, language).startswith("exit status 1")


@contained
@pytest.mark.skipif(shutil.which("node") is None, reason="needs node")
def test_memory_of_a_runtime_that_reserves_much_is_limited() -> None:
    assert run_foreign("new Uint8Array(2e9)", "javascript") == ""
    assert run_foreign("new Uint8Array(4.2e9)", "javascript").startswith("exit status 1: ")


@contained
def test_a_program_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("deskcheck.sandbox.foreign.TIME_S", 0.5)
    assert run_foreign("while true; do :; done", "shell") == "time limit"


def test_what_is_missing_is_said_with_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="no toolchain for cobol"):
        check_foreign("cobol")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(UserError, match="bwrap, ruby not found; on Debian: apt-get install bubblewrap ruby"):
        list(run_all_foreign(["1"], "ruby"))


@contained
def test_where_no_program_passes_the_first_one_says_why(tmp_path: Path) -> None:
    row = {"id": 1, "code": "use No::Such;\ndie unless candidate(1) == 2;\n",
           "input_reasoning": "die unless candidate(????) == 2;\n",
           "output_reasoning": "die unless candidate(1) == ????;\n"}  # fmt: skip
    with gzip.open(tmp_path / "pl.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(row))
    with pytest.raises(UserError, match="none of the 1 programs passes its own test here; the first: exit"):
        list(cruxeval_x.drafts(str(tmp_path / "pl.jsonl.gz"), run_foreign="yes"))


@contained
def test_rows_of_cruxeval_x_are_kept_where_their_own_test_passes(tmp_path: Path) -> None:
    tail = 'candidate() {\n    f "$@"\n}\nrun_test() {\n    [[ $(candidate "1 2") = ???? ]]\n}\nrun_test'
    asked = tail.replace("????", '"1 2"').replace('candidate "1 2"', "candidate ????")
    rows = [
        {"id": n, "code": f'f() {{\n    echo "{said}"\n}}\n' + tail.replace("????", '"1 2"'),
         "input_reasoning": asked, "output_reasoning": tail}
        for n, said in enumerate(("$1", "other"))
    ]  # fmt: skip
    with gzip.open(tmp_path / "sh.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write("\n".join(map(json.dumps, rows)))
    path = str(tmp_path / "sh.jsonl.gz")
    recorded = list(cruxeval_x.drafts(path))
    assert [isinstance(draft, TaskDraft) and "truth" not in draft.tags for draft in recorded] == [True, True]
    first, second = cruxeval_x.drafts(path, run_foreign="yes")
    assert isinstance(first, TaskDraft) and first.tags["truth"] == "re-executed"
    assert second == Skipped("sh-1", "its own test fails here: exit status 1")


@contained
def test_predicted_arguments_are_run_in_the_programs_own_test(tmp_path: Path) -> None:
    head = "sub candidate { return $_[0] + 1 }\n"
    row = {"id": 7, "code": head + "die unless candidate(1) == 2;\n",
           "input_reasoning": "die unless candidate(????) == 2;\n",
           "output_reasoning": "die unless candidate(1) == ????;\n"}  # fmt: skip
    with gzip.open(tmp_path / "pl.jsonl.gz", "wt", encoding="utf-8") as file:
        file.write(json.dumps(row))
    replies = {
        "candidate(1)": "right",
        "candidate(1.0)": "right",
        "candidate(2)": "wrong",
        "candidate(1) == 2; exit(0); (": "no answer",
        'candidate("@{[exit 0]}")': "no answer",
    }
    saved = tmp_path / "answers.jsonl"
    saved.write_text(json.dumps({"id": "pl-7", "completions": list(replies)}), encoding="utf-8")
    path = str(tmp_path / "pl.jsonl.gz")
    with pytest.raises(UserError, match="answers to input have to be run; add -T run_foreign=yes"):
        build_tasks("cruxeval-x", kind="input", data=path)
    tasks = build_tasks("cruxeval-x", kind="input", data=path, options={"run_foreign": "yes"})
    assert tasks.tasks[0].program.source == head + row["input_reasoning"]
    graded = grade_saved(tasks, read_single(saved), policy="strict")
    assert [score.verdict for score in graded.scores] == list(replies.values())
