"""The command that compares layouts: from nothing to tables, nothing twice, and every look written down."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest
from tests.scripts import load_script

pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("onnx", reason="needs the extra 'train'")

import msgspec

from deskcheck.training import stream
from layout_study import inputs as layout_inputs
from layout_study import programs as layout_programs
from layout_study import runs as layouts
from layout_study import sets as layout_sets
from layout_study.scores import LayoutScores, ProgramScore

SMALL = (
    "--programs digits --layouts direct,line-1+plain --seeds 0 --flops 1e9 --rates 0.002 --hidden 16 "
    "--layers 1 --rows-per-step 1 --held-out 6 --points 0.5 --max-chain 8"
).split()


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(stream, "CANDIDATES_PER_PART", 60)
    monkeypatch.setattr(layout_programs, "program_copy", lambda program: None)
    return load_script("measurements/layouts.py")


def run(command: ModuleType, monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["layouts.py", *words])
    found: int = command.main()
    return found


@pytest.mark.slow
def test_from_nothing_to_tables_and_again(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / "out"
    assert run(command, monkeypatch, *SMALL, "--out", str(out)) == 0
    first = (out / "table.md").read_text()
    for words, flag in ((["--layouts", "sub"], "--layouts direct,line-1"), (["--shift", "1"], "--shift 0")):
        assert run(command, monkeypatch, *SMALL, *words, "--out", str(out)) == 2
        assert f"holds a comparison with {flag}" in capsys.readouterr().err
    for part in (
        "| direct | ",
        "| line-1+plain | ",
        "| driver alone | ",
        "Real code: ",
        "Long executions: ",
        "Input prediction after",
        "| commonest arguments | ",
        "line-1+plain minus direct: ",
    ):
        assert part in first
    assert {"rows", "differences", "on_the_way", "sets", "inputs"} <= set(
        json.loads((out / "table.json").read_text())
    )
    made = {
        path: path.stat().st_mtime_ns
        for path in out.rglob("*")
        if path.is_file() and "table" not in path.name
    }
    capsys.readouterr()
    assert run(command, monkeypatch, *SMALL, "--out", str(out)) == 0
    again = {path: path.stat().st_mtime_ns for path in made}
    assert {path.name for path in made if made[path] != again[path]} <= {"plan.json"}
    assert (out / "table.md").read_text() == first
    assert "step" not in capsys.readouterr().out.split("| layout |")[0]  # nothing was trained


def finish(out: Path) -> None:
    """Both runs of SMALL, without the work."""
    for layout in ("direct", "line-1+plain"):
        scores = LayoutScores(layout, [ProgramScore("form", "id", True, True, 9)], [], -1.0)
        result = layouts.Result(layout, 0, 0.002, 1e9, 100, 90, 100, 9, scores, None, 1.0)
        (out / f"{layout}-seed-0").mkdir(parents=True)
        (out / f"{layout}-seed-0" / layouts.RESULT).write_bytes(msgspec.json.encode(result))


def test_a_look_at_a_published_set_is_written_down_even_where_it_fails(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out = tmp_path / "out"
    torn = tmp_path / "cruxeval.jsonl"
    torn.write_text('{"id": "sample_0", "co', encoding="utf-8")
    finish(out)
    words = [*SMALL, "--out", str(out), "--sets", ""]
    assert run(command, monkeypatch, *words, "--release", f"cruxeval={torn}") == 2
    (look,) = (json.loads(line) for line in (out / "looks.jsonl").read_text().splitlines())
    assert look["benchmark"] == "cruxeval"
    assert str(torn) in capsys.readouterr().err


def test_no_look_is_noted_where_nothing_would_be_asked(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out, data = tmp_path / "out", tmp_path / "cruxeval.jsonl"
    data.write_text('{"id": "a", "code": "def f(n):\\n    return n", "input": "3", "output": "3"}\n')
    monkeypatch.setattr(layouts, "run_all", lambda comparison, out, **more: layouts.begin(comparison, out))
    words = [*SMALL, "--out", str(out), "--sets", "", "--release", f"cruxeval={data}"]
    assert run(command, monkeypatch, *words, "--table") == 2
    assert "--table asks nothing" in capsys.readouterr().err
    assert not out.exists()
    assert run(command, monkeypatch, *words) == 2
    assert "is finished yet, so no look was taken" in capsys.readouterr().err
    assert not list(out.rglob("looks.jsonl"))
    assert run(command, monkeypatch, *words, "--release", f"cruxeval={data}") == 2
    assert "named twice" in capsys.readouterr().err


def test_another_file_under_the_name_of_a_published_set_is_refused_before_the_look(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out, data = tmp_path / "out", tmp_path / "cruxeval.jsonl"
    data.write_text("{}\n")
    finish(out)
    (out / "sets").mkdir()
    scores = LayoutScores("direct", [ProgramScore("form", "id", True, True, 9)], [], -1.0)
    kept = layout_sets.SetScores("direct", 0, 0, scores, data_sha256="0" * 64)
    (out / "sets" / "cruxeval-direct-seed-0.json").write_bytes(msgspec.json.encode(kept))
    words = [*SMALL, "--out", str(out), "--sets", ""]
    assert run(command, monkeypatch, *words) == 0
    assert run(command, monkeypatch, *words, "--release", f"cruxeval={data}") == 2
    assert "holds answers to another file of cruxeval (sha256 0000000000000000, " in capsys.readouterr().err
    assert not (out / "looks.jsonl").exists()


def test_ctrl_c_is_one_line(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    def interrupted(*told: object, **more: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(layouts, "run_all", interrupted)
    assert run(command, monkeypatch, *SMALL, "--out", str(tmp_path / "out")) == 130
    assert capsys.readouterr().err == "interrupted; the same command goes on\n"


def test_the_tables_of_a_folder_say_what_was_not_run(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    out = tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(layouts, "run_all", lambda comparison, out, **more: layouts.begin(comparison, out))
        assert run(command, patch, *SMALL, "--out", str(out), "--sets", "") == 0
    assert run(command, monkeypatch, *SMALL, "--out", str(out), "--sets", "", "--table") == 0
    written = (out / "table.md").read_text()
    for part in (
        "| direct | not run |",
        "packages that no training saw: not run",
        "Input prediction: not run",
    ):
        assert part in written


def test_without_a_folder_nothing_is_run(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    assert run(command, monkeypatch) == 0
    assert "not run: this takes hours" in capsys.readouterr().out
    assert run(command, monkeypatch, "--table") == 2
    assert capsys.readouterr().err == "--table needs --out DIR\n"


def test_minutes_become_operations_of_all_that_is_trained(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    planned = []
    monkeypatch.setattr(command, "speed", lambda comparison, options: 1e6)
    monkeypatch.setattr(command, "run", lambda options, given: planned.append(command.plan(options)))
    words = [*SMALL, "--flops", "0", "--out", "x", "--budget-minutes", "10"]
    run(command, monkeypatch, *words, "--sets", "")
    run(command, monkeypatch, *words, "--seeds", "0,1,2", "--sets", "input")
    share = 1 - command.SPARE_SHARE
    assert planned[0].flops == pytest.approx(10 * 60 * share * 1e6 / (2 * 1.1), rel=0.01)
    share -= command.ASKED_SHARE  # what --sets asks, the brief training on inputs too
    assert planned[1].flops == pytest.approx(10 * 60 * share * 1e6 / (2 * 3.1), rel=0.01)


def test_a_share_of_the_minutes_is_kept_for_what_the_sets_ask(
    command: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    out, now, ends = tmp_path / "out", [1000.0], {}
    finish(out)

    def spend(what: str, until: float, share: float) -> None:
        ends[what] = until
        now[0] += share * (until - now[0])

    monkeypatch.setattr(command.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(
        layouts, "run_all", lambda comparison, out, *, until, machine: spend("runs", until, 1)
    )
    monkeypatch.setattr(
        layout_sets, "ask", lambda models, name, out, *, until, **more: spend(name, until, 0.5) or []
    )
    monkeypatch.setattr(
        layout_inputs, "ask_inputs", lambda *told, until, **more: spend("input", until, 0.5) or []
    )
    assert run(command, monkeypatch, *SMALL, "--out", str(out), "--budget-minutes", "20") == 0
    assert ends["runs"] == 1000 + 60 * 20 * (1 - command.ASKED_SHARE)
    # 300 s are left: a third; half of the other 250; all of the other 187.5
    assert [ends[name] - 1900 for name in ("long", "input", "real")] == [100.0, 175.0, 300.0]
    assert capsys.readouterr().out.endswith("the same command again asks the rest.\n")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--layouts", "direct,diff"], "layout 'diff' cannot be compared"),
        (["--from", "nowhere"], "no model in 'nowhere'"),
        (["--programs", "esay"], "did you mean 'easy'?"),
        (["--from", "tiny"], "--hidden has no place beside --from"),
        (["--device", "nothing"], "--device nothing: "),
        (["--seeds", "900001"], "seeds of training are 0 to 899999"),
        (["--table"], "no comparison in '"),
        (["--flops", "1e6"], "operations may be less than one step of direct"),
        (["--flops", "3e8"], "or leave input out: --sets real,long"),
        (["--release", "cruxeval=no/such.jsonl"], "there is no file 'no/such.jsonl'"),
        (["--release", "cruxeval"], "--release cruxeval=FILE"),
        (["--release", "crux=no/such.jsonl"], "no benchmark called 'crux'"),
        (["--sets", "real,cruxeval"], "--release cruxeval=FILE"),
    ],
)
def test_what_cannot_be_compared_is_refused_before_anything_is_trained(
    command: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    why: str,
):
    assert run(command, monkeypatch, *SMALL, *words, "--out", str(tmp_path / "out")) == 2
    assert why in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def refuse(command: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str]) -> None:
    """The command ends as it does for a wrong option, with nothing written."""
    with pytest.raises(SystemExit, match="2"):
        run(command, monkeypatch, *SMALL, *words, "--out", str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "words",
    [
        ["--drills", "2"],
        ["--drills", "-0.1"],
        ["--shift", "-1"],
        ["--seeds", "0,x"],
        ["--rates", "0"],
        ["--points", "0.5,1"],
        ["--held-out", "0"],
        ["--layers", "1.5"],
        ["--flops", "nan"],
    ],
)
def test_numbers_out_of_range_are_refused(
    command: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
):
    refuse(command, monkeypatch, tmp_path, words)
    said = capsys.readouterr().err
    assert f"argument {words[0]}: " in said
    assert "it takes a" in said


@pytest.mark.parametrize(
    "words",
    [["--seeds", "0,00"], ["--rates", "0.01,1e-2"], ["--points", "0.5,0.50"], ["--layouts", "direct,direct"]],
)
def test_a_run_that_would_count_twice_is_refused(
    command: ModuleType,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
):
    refuse(command, monkeypatch, tmp_path, words)
    assert f"argument {words[0]}: '{words[1]}' names " in capsys.readouterr().err
