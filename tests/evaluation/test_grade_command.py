"""`deskcheck grade`: numbers on stdout, the result as JSON, one line and exit code 2 for what cannot be."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.importers import test_harness_files as harnesses

from deskcheck import cli
from deskcheck.report.compare import compare, select
from deskcheck.result_rows import hash_of, read_results

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """A function: arguments -> exit code, stdout, stderr."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["deskcheck", "grade", *arguments])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        shown = capsys.readouterr()
        return int(stop.value.code or 0), shown.out, shown.err

    return call


@pytest.fixture
def collatz(tmp_path: Path) -> str:
    """Answers to three tasks of `long`."""
    path = tmp_path / "run.json"
    path.write_text(json.dumps({"collatz-1": ["0"], "collatz-2": ["2"], "collatz-3": ["7 steps"]}))
    return str(path)


def test_it_grades_what_ships(run: Run, collatz: str, tmp_path: Path) -> None:
    wanted = str(tmp_path / "out.json")
    chosen = "id=collatz-1,collatz-2,collatz-3,collatz-4"
    code, out, err = run(
        "--benchmark", "long", "--generations", collatz, "--filter", chosen, "--json", wanted
    )
    assert (code, err) == (1, "")
    assert "right 1, wrong 1, no answer 2 (1 unparsable, 1 not asked)" in out
    assert "pass@k: withheld" in out
    assert "1 of 4 answers are missing (1 not asked) and in no rate" in out.splitlines()[-1]
    content = json.loads(Path(wanted).read_text())
    assert content["rows"][0]["right"] == 1
    assert content["run"]["schema"] == 1
    assert content["runs"][0]["policy"] == "published"
    assert content["runs"][0]["missing"] == ["collatz-4"]
    assert [(row["task"], row["verdict"], row["reason"]) for row in content["answers"]] == [
        ("collatz-1", "right", ""),
        ("collatz-2", "wrong", ""),
        ("collatz-3", "no answer", "unparsable"),
        ("collatz-4", "no answer", "not_asked"),
    ]


def test_several_runs_become_rows_that_compare_reads(run: Run, tmp_path: Path) -> None:
    answers = {"one.json": ["0", "1"], "two.json": ["5", "1"]}
    for name, (first, second) in answers.items():
        (tmp_path / name).write_text(json.dumps({"collatz-1": [first], "collatz-2": [second]}))
    rows, wanted = tmp_path / "rows.parquet", tmp_path / "out.json"
    options = (
        "--benchmark",
        "long",
        "--filter",
        "id=collatz-1,collatz-2",
        "--out",
        str(rows),
        "--json",
        str(wanted),
    )
    places = ("--generations", str(tmp_path / "one.json"), "--generations", f"named={tmp_path / 'two.json'}")
    code, out, err = run(*options, *places)
    assert (code, err) == (0, "")
    assert "one    2 of 2, 100.0" in out
    assert "named  1 of 2, 50.0" in out
    assert json.loads(wanted.read_text())["answers_file"] == str(rows)
    found = list(read_results(rows))
    assert [(row.run, row.task, row.verdict) for row in found] == [
        ("one", "collatz-1", "right"),
        ("one", "collatz-2", "right"),
        ("named", "collatz-1", "wrong"),
        ("named", "collatz-2", "right"),
    ]
    assert found[0].log == f"{tmp_path / 'one.json'}#collatz-1[0]"
    assert found[0].reply_sha256 == hash_of("0")
    (difference,) = compare(select(f"{rows}:model=one"), select(f"{rows}:model=named"))
    assert (difference.a_alone, difference.b_alone, difference.n_tasks) == (1, 0, 2)
    code, _, err = run(*options, *places)
    assert (code, err) == (
        2,
        f"deskcheck: --out {rows} is there already; remove it first, or name another file\n",
    )


def test_answers_to_rows_without_a_task_are_counted_and_unknown_ids_refused(run: Run, tmp_path: Path) -> None:
    rows = [
        {"id": "good", "code": "def f(x):\n    return x", "input": "1", "output": "1"},
        {"id": "opaque", "code": "def f(x):\n    return object()", "input": "1", "output": "1"},
    ]
    data, answers = tmp_path / "rows.jsonl", tmp_path / "answers.json"
    data.write_text("\n".join(map(json.dumps, rows)))
    answers.write_text(json.dumps({"good": ["1"], "opaque": ["1"]}))
    options = ("--benchmark", "cruxeval", "--data", str(data), "--generations", str(answers))
    code, out, _ = run(*options, "--require", "i-trust-this-code")
    assert code == 0
    assert "right 1, wrong 0" in out
    assert "answers to rows of the benchmark that are no tasks, left out: 1" in out
    answers.write_text(json.dumps({"good": ["1"], "elsewhere": ["1"]}))
    code, _, err = run(*options, "--require", "i-trust-this-code")
    assert code == 2
    assert "1 ids of the generations are not in benchmark 'cruxeval': elsewhere" in err


def test_the_published_numbers_are_printed(run: Run, data: Callable[[str], Path]) -> None:
    code, out, _ = run(
        *("--benchmark", "cruxeval", "--task", "output"),
        *("--data", str(data("cruxeval/cruxeval.jsonl"))),
        *("--generations", str(data("cruxeval/sample_codellama-7b_temp0.2_output.generations.json"))),
    )
    assert code == 0
    assert "pass@1 34.2125\npass@5 40.2867\n" in out
    assert "over 800 programs" in out


def test_predicted_inputs_are_run_and_then_compared(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    # collatz-3 takes 7 rounds: 3 does, 20 and 21 do too, 4 does not, 0 never ends.
    texts = ["f(3)", "f(20)", "assert f(21) == 7", "f(4)", "f(0)", "f('a')", "3 or so"]
    path.write_text(json.dumps({"collatz-3": texts}))
    options = (
        "--benchmark",
        "long",
        "--task",
        "input",
        "--filter",
        "id=collatz-3",
        "--generations",
        str(path),
    )
    code, out, _ = run(*options, "--policy", "strict")
    assert code == 1
    assert "NOT READ: 1 of 7 replies could not be read" in out
    assert "long, task input: 1 tasks x 7 samples" in out
    assert "right 3, wrong 3, no answer 1 (1 unparsable)" in out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("--benchmark", "cruxeval_o"), "no benchmark called 'cruxeval_o'; known: "),
        (("--task", "inputs"), "no question called 'inputs'; known: "),
        (("-T", "seed=1"), "benchmark 'long' has no option 'seed'"),
        (("-T", "seed"), "write it as key=value"),
        (("--policy", "exact"), "known: "),
        (("--generations", "none.json"), "no saved generations at 'none.json'"),
        (("--filter", "id=collatz-0"), "has no collatz-0"),
        (("--data", "rows.jsonl"), "ships"),
        (("--json", "no/such/folder/out.json"), "no folder 'no/such/folder'"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_2(
    run: Run, collatz: str, change: tuple[str, str], words: str
) -> None:
    options = {"--benchmark": "long", "--generations": collatz, "--filter": "id=collatz-1"} | dict([change])
    code, _, err = run(*(part for option in options.items() for part in option))
    assert code == 2
    assert words in err
    assert err.count("\n") == 1
    assert err.startswith("deskcheck: ")


def test_files_of_twelve_makers_are_graded_by_one_command_each(run: Run, tmp_path: Path) -> None:
    tasks = [
        {"id": f"sample_{n}", "code": "def f(x):\n    return x", "input": str(n), "output": str(n)}
        for n in range(2)
    ]
    data = tmp_path / "tasks.jsonl"
    data.write_text("\n".join(map(json.dumps, tasks)))
    assert len({write.__name__.partition("_display")[0] for write in harnesses.MAKERS}) >= 12
    for write in harnesses.MAKERS:
        (tmp_path / write.__name__).mkdir()
        written = write(tmp_path / write.__name__)
        code, out, err = run(
            *("--benchmark", "cruxeval", "--data", str(data), "--generations", str(written)),
            *("--require", "i-trust-this-code"),
        )
        assert (code, "right 1, wrong 1" in out) == (0, True), (write.__name__, out, err)


def test_the_message_for_a_thirteenth_maker_leads_to_a_command_that_works(run: Run, tmp_path: Path) -> None:
    task = {"id": "sample_0", "code": "def f(x):\n    return x", "input": "0", "output": "0"}
    data, answers = tmp_path / "tasks.jsonl", tmp_path / "odd.jsonl"
    data.write_text(json.dumps(task))
    answers.write_text(json.dumps({"nr": "sample_0", "said": {"text": "0"}}))
    options = ("--benchmark", "cruxeval", "--data", str(data), "--generations", str(answers))
    code, _, err = run(*options)
    assert code == 2
    assert "line 1 has nr, said" in err and "--field id=nr --field completion=said.text" in err
    code, out, _ = run(
        *options, "--field", "id=nr", "--field", "completion=said.text", "--require", "i-trust-this-code"
    )
    assert (code, "right 1, wrong 0" in out) == (0, True)
