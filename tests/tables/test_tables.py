"""Tables of finished runs: their numbers are the runs', in every form, and what is not there is named."""

from __future__ import annotations

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest
from tests.report.test_compare import answered
from tests.report.test_page import sample, write_run
from tests.report.test_study import RUNS, run

from deskcheck.cell_files import StepCount
from deskcheck.cli import app, shell
from deskcheck.errors import UnknownName, UserError
from deskcheck.evaluation.study import Given, parse_study
from deskcheck.report import breakdown, charts
from deskcheck.report.compare import compare
from deskcheck.report.read import Run
from deskcheck.tables import presets
from deskcheck.tables.code_executors import code_executors, iip_forms, sizes
from deskcheck.tables.execution_tuning import execution_tuning, part_of
from deskcheck.tables.figures import write_figures
from deskcheck.tables.kinds import KINDS, tables_as
from deskcheck.tables.leaderboard import leaderboard
from deskcheck.tables.render import FORMS, format_of, render
from deskcheck.tables.results import results
from deskcheck.tables.table import Cell, Table


def named(tables: list[Table], start: str) -> Table:
    return next(table for table in tables if table.name.startswith(start))


def cell(table: Table, row: str, column: str) -> Cell:
    (found,) = [line for line in table.rows if line[0].text == row]
    return found[table.columns.index(column)]


def in_language(run: Run, statement_language: str, spelling: str = "statement_language") -> Run:
    cell = {"knobs": {spelling: statement_language}}
    return msgspec.structs.replace(run, cell=cell, folder=f"{run.folder}/{statement_language}")


def test_models_stand_down_and_strategies_across() -> None:
    (table,) = results(RUNS)
    assert table.title == "b: accuracy over received answers (%)"
    assert table.columns == ["model", "vanilla", "cot", "iip-dynamic"]
    assert cell(table, "z", "vanilla").value == pytest.approx(100 * 10 / 60)
    assert cell(table, "z", "cot").n == 60
    assert cell(table, "z", "iip-dynamic").text == "not run"


@pytest.mark.parametrize("form", FORMS)
def test_no_form_loses_a_number_or_obeys_a_name(form: str) -> None:
    hostile = msgspec.structs.replace(
        RUNS[0], row=msgspec.structs.replace(RUNS[0].row, model="a|b & 5 %_$\\x\u202e<b>")
    )
    text = render(results([hostile, RUNS[1]]), form)
    assert "33.3" in text and "50.0" in text
    assert form == "json" or "\u202e" not in text
    if form == "html":
        assert "<b>" not in text and "&lt;b&gt;" in text
    if form == "latex":
        assert r"a|b \& 5 \%\_\$\textbackslash{}x" in text and r"\toprule" in text
    if form == "markdown":
        (line,) = [line for line in text.splitlines() if "a\\|b" in line]
        assert line.replace("\\|", "").count("|") == 3
    if form == "json":
        assert json.loads(text)["tables"][0]["rows"][0][1]["n"] == 60
    if form == "csv":
        rows = list(csv.DictReader(io.StringIO(text)))
        assert [float(row["value"]) for row in rows] == pytest.approx([100 / 3, 50.0])


def test_a_withheld_verdict_is_its_bounds_and_no_value() -> None:
    made = run("x", "vanilla", 20)
    missing = [
        msgspec.structs.replace(one, verdict="no answer", reason="not_asked") for one in made.samples[:30]
    ]
    row = msgspec.structs.replace(
        made.row, right=0, wrong=30, no_answer={"not_asked": 30}, interval=[None, None], bounds=[0.0, 0.5]
    )
    short = msgspec.structs.replace(made, row=row, samples=made.samples[30:], missing=missing)
    (table,) = results([short])
    assert table.rows[0][1].value is None
    assert "withheld, within 0.0 to 50.0 %" in table.rows[0][1].text


def test_ranks_are_what_the_paired_differences_leave_open() -> None:
    close, far = run("y", "cot", 32), run("z", "cot", 5)
    (table,) = leaderboard([run("x", "cot", 30), close, far])
    assert [row[0].text for row in table.rows] == ["y", "x", "z"]
    assert [row[1].text.rpartition("#")[2] for row in table.rows] == ["1–2", "1–2", "3"]
    assert not compare([close], [RUNS[0]])[0].difference <= 0


def test_what_saw_the_truth_is_in_no_rank() -> None:
    seen = msgspec.structs.replace(RUNS[1], row=msgspec.structs.replace(RUNS[1].row, oracle=True))
    (table,) = leaderboard([RUNS[0], seen])
    assert [row[0].text for row in table.rows] == ["x"]
    assert any("1 rows that saw the truth" in note for note in table.notes)
    with pytest.raises(UserError, match="nothing to rank"):
        leaderboard([seen])


@pytest.mark.parametrize("spelling", ["statement_language", "language"])  # the second in older folders
def test_iterative_prompting_stands_over_both_baselines_in_each_language(spelling: str) -> None:
    runs = [in_language(run, code, spelling) for run in RUNS for code in ("en", "zh")]
    tables = code_executors(runs)
    prompts = named(tables, "prompts")
    assert "VP, en" in prompts.columns and "CoT, zh" in prompts.columns
    over = named(tables, "iip-over-vanilla")
    found = cell(over, "x", "iip-dynamic, en").value
    assert found == pytest.approx(100 * 10 / 60)
    mean, largest, published = over.rows[-3:]
    assert mean[1].value == pytest.approx(100 * (10 + 1) / 60 / 2)
    assert largest[1].value == pytest.approx(found) and published[1].text == "+7.22, +18.96"
    assert cell(named(tables, "iip-over-cot"), "y", "iip-dynamic, zh").value is not None
    assert named(tables, "by-lines-of-code").rows
    assert "No table by types" in tables[-1].notes[-1]


def test_absent_prompts_and_languages_are_named() -> None:
    notes = " ".join(code_executors(RUNS[:3])[0].notes)
    assert "Not among these runs: CoT, IIP, Chinese." in notes


def test_forms_and_sizes_are_set_against_vanilla() -> None:
    forms = iip_forms(RUNS)
    assert [row[0].text for row in forms[0].rows] == ["cot"] * 3 + ["iip-dynamic"] * 2
    (table,) = sizes(RUNS)
    assert [row[0].text for row in table.rows] == ["x", "y"], "the weaker model first"
    assert table.rows[0][2].value == pytest.approx(100 * 10 / 60)


def test_single_steps_are_counted_by_part() -> None:
    counts = StepCount(10, 3, {"control flow": 2, "variables": 3}, {"assignment": [10, 3]})
    made = answered([True] * 12, model="m", strategy="line-1")
    samples = [msgspec.structs.replace(one, steps=counts) for one in made.samples]
    row = msgspec.structs.replace(made.row, benchmark="cruxeval", strategy="line-1")
    made = msgspec.structs.replace(
        made, samples=samples, row=row, cell={"knobs": {"teacher_forcing": "true"}}
    )
    tables = execution_tuning([made])
    steps = named(tables, "single-steps").rows[0]
    assert [one.text.split()[0] for one in steps[2:7]] == ["70.0", "80.0", "70.0", "100.0", "100.0"]
    assert steps[-1].text == "96.3"
    assert part_of(made, "control flow").mean == pytest.approx(0.8)
    assert cell(named(tables, "outputs"), "m, line-1", "published for the layout").text == "73.3"
    assert "MBPP with nested loops (no run on mbpp-nested)" in tables[-1].notes[-1]


def test_long_runs_are_counted_by_program() -> None:
    made = answered([True, True, False], model="m", strategy="line-1")
    samples = [
        msgspec.structs.replace(one, n_steps=n, tags={"family": family})
        for one, n, family in zip(made.samples, (10, 30, 900), ("collatz", "collatz", "counter"), strict=True)
    ]
    row = msgspec.structs.replace(made.row, benchmark="long")
    (table,) = execution_tuning([msgspec.structs.replace(made, samples=samples, row=row)])
    assert cell(table, "m, line-1", "collatz").text == "2 of 2, longest right 30 steps"
    assert cell(table, "m, line-1", "counter").text == "0 of 1, none right"
    assert table.rows[-1][1].text == "619 steps"


def test_figures_are_drawn_or_their_absence_is_said(tmp_path: Path) -> None:
    runs = []
    for made in RUNS[:4]:
        samples = [
            msgspec.structs.replace(
                one, n_steps=4 * (1 + number), tags={"family": "ab"[number % 2]}, cost_usd=0.01
            )
            for number, one in enumerate(made.samples)
        ]
        runs.append(msgspec.structs.replace(made, samples=samples))
    made_files, absent = write_figures(runs, tmp_path)
    assert sorted(file.name.split("-")[0] for file in made_files) == [
        "dollars",
        "families",
        "horizons",
        "tokens",
    ]
    assert not absent
    for file in made_files:
        ET.fromstring(file.read_text())
    horizons = next(file for file in made_files if file.name.startswith("horizons")).read_text()
    drawn = [charts.Curve("", breakdown.of_run(run), None) for run in runs]
    axes, _ = charts.horizon_body(drawn)
    assert axes[0] in horizons, "the axes of the report's chart"
    assert horizons.count('class="whisker s0"') > 1, "intervals, as in the report"
    used = {name for words in re.findall(r' class="([^"]+)"', horizons) for name in words.split()}
    style = horizons[horizons.index("<style>") : horizons.index("</style>")]
    assert used - {"full"} <= set(re.findall(r"\.([a-z]+\d*)", style)), "each class has a rule in the file"
    _, absent = write_figures(RUNS[:1], tmp_path)
    assert any("no figure of dollars" in line for line in absent)
    assert any("no figure of families" in line for line in absent)


@pytest.mark.parametrize("name", presets.names())
def test_a_preset_is_a_study_of_the_models_that_are_named(name: str, tmp_path: Path) -> None:
    file = tmp_path / "data.jsonl"
    file.write_text("{}")
    with pytest.raises(UserError, match="names no model"):
        parse_study(presets.text_of(name), name)
    data = dict.fromkeys(("leetcode", "cruxeval", "mbpp-nested"), str(file))
    kept = [one for one in data if one in presets.text_of(name)]
    study = parse_study(
        presets.text_of(name), name, given=Given(models=["tiny"], data={one: data[one] for one in kept})
    )
    assert study.plans and study.tables in KINDS
    assert {tuple(plan.models) for plan in study.plans} == {("deskcheck/tiny",)}


def test_one_benchmark_of_a_preset_leaves_the_other_blocks_out() -> None:
    text = presets.text_of("execution-tuning")
    study = parse_study(text, "preset", given=Given(models=["tiny"], benchmarks=["long"], limit=3))
    assert {tuple(plan.benchmarks) for plan in study.plans} == {("long",)}
    assert {plan.limit for plan in study.plans} == {3}
    with pytest.raises(UserError, match="none of its blocks asks core; they ask cruxeval, mbpp-nested, long"):
        parse_study(text, "preset", given=Given(models=["tiny"], benchmarks=["core"]))


def test_a_server_of_ones_own_needs_no_provider_in_a_study() -> None:
    given = Given(models=["mine"], benchmarks=["long"], timeout_s=7, model_args={"base_url": "http://h/v1"})
    (name,), args, seconds = {
        (tuple(plan.models), plan.model_args["base_url"], plan.timeout_s)
        for plan in parse_study(presets.text_of("execution-tuning"), "preset", given=given).plans
    }.pop()
    assert (name, args, seconds) == ("openai-api/server/mine", "http://h/v1", 7)


def test_an_unknown_kind_or_ending_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="code-executors"):
        tables_as("code-executor", RUNS)
    with pytest.raises(UserError, match=r"\.tex"):
        format_of("table.docx")


def test_the_commands_write_tables_of_a_log_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path / "logs", "direct", [sample(k, v) for k, v in enumerate(["right", "wrong", "right"])])
    write_run(tmp_path / "logs", "cot", [sample(k, v) for k, v in enumerate(["wrong", "wrong", "right"])])

    def deskcheck(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["deskcheck", *arguments])
        with pytest.raises(SystemExit) as end:
            shell.run(app)
        return int(end.value.code or 0), *capsys.readouterr()

    assert deskcheck("table", "logs", "--out", "t.tex", "--figures", "figures")[0] == 0
    assert r"\begin{tabular}{lrr}" in Path("t.tex").read_text()
    assert "#1" in deskcheck("table", "logs", "--as", "leaderboard")[1]
    code, _, said = deskcheck("table", "logs", "--out", "t.tex")
    assert code == 2 and "remove it first" in said
    code, said, _ = deskcheck("study", "iip-forms", "--print")
    assert code == 0 and said == presets.text_of("iip-forms")


def test_figures_known_only_by_position_are_marked():
    from deskcheck.tables.execution_tuning import BY_POSITION, OUTPUTS, _published

    assert _published("cruxeval", "line-n").endswith("§") and _published("cruxeval", "compact") == "79.7"
    assert all(layout in OUTPUTS[benchmark] for benchmark, known in BY_POSITION.items() for layout in known)
