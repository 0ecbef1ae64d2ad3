"""`deskcheck grade`: numbers on stdout, the result as JSON, one line and exit code 2 for what cannot be."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck import cli

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
    chosen = "collatz-1,collatz-2,collatz-3,collatz-4"
    code, out, err = run("--benchmark", "long", "--generations", collatz, "--ids", chosen, "--json", wanted)
    assert (code, err) == (0, "")
    assert "right 1, wrong 1, no answer 2 (unparsable 1, error 1)" in out
    assert "pass@1 25.0000" in out
    content = json.loads(Path(wanted).read_text())
    assert content["rows"][0]["right"] == 1
    assert content["run"]["policy"] == "published"
    assert content["missing"] == ["collatz-4"]


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
    options = ("--benchmark", "long", "--task", "input", "--ids", "collatz-3", "--generations", str(path))
    code, out, _ = run(*options, "--policy", "strict")
    assert code == 0
    assert "long, task input: 1 tasks x 7 samples" in out
    assert "right 3, wrong 3, no answer 1 (unparsable 1)" in out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("--benchmark", "cruxeval_o"), "no benchmark called 'cruxeval_o'; known: "),
        (("--task", "inputs"), "no task called 'inputs'; known: "),
        (("-T", "seed=1"), "benchmark 'long' has no option 'seed'"),
        (("-T", "seed"), "write it as key=value"),
        (("--policy", "exact"), "known: "),
        (("--generations", "none.json"), "no saved generations at 'none.json'"),
        (("--ids", "collatz-0"), "has no collatz-0"),
        (("--data", "rows.jsonl"), "ships"),
        (("--json", "no/such/folder/out.json"), "no folder 'no/such/folder'"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_exit_code_2(
    run: Run, collatz: str, change: tuple[str, str], words: str
) -> None:
    options = {"--benchmark": "long", "--generations": collatz, "--ids": "collatz-1"} | dict([change])
    code, _, err = run(*(part for option in options.items() for part in option))
    assert code == 2
    assert words in err
    assert err.count("\n") == 1
    assert err.startswith("deskcheck: ")
