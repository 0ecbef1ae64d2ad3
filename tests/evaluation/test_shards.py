"""A benchmark in parts on several machines: every task is in one part, and what comes back is one run."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import msgspec
import pytest

from deskcheck.cli import app, shell
from deskcheck.errors import DataError, UserError
from deskcheck.evaluation.dry_run import prompt_lines
from deskcheck.evaluation.plan import Plan, check, shard_of
from deskcheck.evaluation.truth import build_tasks
from deskcheck.report.read import read_runs
from deskcheck.result_rows import Result, merge, read_results, write_results


def row(task: str, verdict: str = "right", *, reason: str = "", sha: str = "a", **more: object) -> Result:
    made = Result(
        run="r", model="m", strategy="cot", benchmark="b", benchmark_version="1", question="output",
        task=task, sample=0, verdict=verdict, reason=reason, answer="1", expected="1", policy="strict",
        extraction="usual-1", reply_sha256=sha, log=f"log of {task} {sha}", cluster=task,
    )  # fmt: skip
    return msgspec.structs.replace(made, **more)


def test_the_parts_of_a_benchmark_are_its_whole_and_share_nothing() -> None:
    whole = [task.id for task in build_tasks("easy", limit=12).tasks]
    parts = [[task.id for task in build_tasks("easy", limit=12, shard=f"{k}/3").tasks] for k in (1, 2, 3)]
    assert sorted(name for part in parts for name in part) == sorted(whole) and len(whole) == 12
    assert sum(map(bool, parts)) > 1


@pytest.mark.parametrize("text", ["0/3", "4/3", "1", "a/b", "1/", "-1/3"])
def test_a_part_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="1/8 to 8/8"):
        shard_of(text)


def test_a_limit_that_counts_what_a_filter_leaves_cannot_be_parted() -> None:
    plan = Plan(models=["tiny"], benchmarks=["easy"], filters=["steps<50"], limit=8, shard="1/2")
    with pytest.raises(UserError, match="no part knows what the others leave"):
        check(plan)
    assert check(msgspec.structs.replace(plan, shard="")).limit == 8
    assert check(msgspec.structs.replace(plan, filters=[])).shard == "1/2"


def test_parts_become_one_run_in_which_each_answer_stands_once(tmp_path: Path) -> None:
    first = [row("a"), row("b", "wrong")]
    second = [row("b", "wrong", run="other"), row("c", run="other"), row("d", model="n", run="r")]
    merged = merge([*first, *second])
    assert [(one.run, one.task) for one in merged] == [("r", "a"), ("r", "b"), ("r", "c"), ("r-2", "d")]
    write_results(tmp_path / "all.parquet", merged)
    runs = read_runs(str(tmp_path / "all.parquet"))
    assert [(run.row.model, run.row.right, run.row.n_tasks) for run in runs] == [("m", 2, 3), ("n", 1, 1)]


def test_two_answers_to_one_question_are_refused_with_both() -> None:
    with pytest.raises(DataError, match="log of a a, wrong in log of a b"):
        merge([row("a"), row("a", "wrong", sha="b")])


def test_an_answer_takes_the_place_of_one_that_never_came() -> None:
    absent = row("a", "no answer", reason="not_asked", sha="")
    for rows in ([absent, row("a")], [row("a"), absent]):
        assert [one.verdict for one in merge(rows)] == ["right"]


def test_the_commands_go_from_prompts_to_one_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a cluster does: prompts out in two parts, completions in, graded, merged."""
    monkeypatch.chdir(tmp_path)

    def deskcheck(*arguments: str) -> str:
        monkeypatch.setattr("sys.argv", ["deskcheck", *arguments])
        with pytest.raises(SystemExit) as end:
            shell.run(app)
        said = capsys.readouterr()
        assert not end.value.code, said.err
        return said.out

    seeded = build_tasks("fresh", options={"seed": "7"}, limit=8)
    truth = {task.id: task.expected for task in seeded.tasks}
    asked = 0
    for name, chosen in (
        ("1", ("--shard", "1/2")),
        ("2", ("--shard", "2/2")),
        ("all", ("--filter", "steps>0")),
    ):
        said = deskcheck(
            "prompts", "--benchmark", "fresh", "-T", "seed=7", "--limit", "8", *chosen,
            "--out", f"{name}.jsonl",
        )  # fmt: skip
        rows = [json.loads(line) for line in Path(f"{name}.jsonl").read_text().splitlines()]
        asked += len(rows)
        answers = [one | {"completion": f"[ANSWER]{truth[one['id']]}[/ANSWER]", "model": "m"} for one in rows]
        Path(f"{name}-done.jsonl").write_text("".join(json.dumps(one) + "\n" for one in answers))
        _, *then = shlex.split(said.partition(", then: ")[2].replace("FILE", f"{name}-done.jsonl"))
        deskcheck(*then, "--out", f"{name}.parquet")  # the printed command; exit code 0: no answer is missing
    assert asked == 16
    said = deskcheck("merge", "1.parquet", "2.parquet", "--out", "both.parquet")
    assert said.startswith("8 answers of 1 run: both.parquet; 0 repeats left out")
    assert {one.verdict for one in read_results("both.parquet")} == {"right"}


def test_prompts_of_a_dialogue_are_not_written_out() -> None:
    with pytest.raises(UserError, match="sends several requests for a task"):
        prompt_lines(
            Plan([], strategies=["iip-dynamic"], benchmarks=["easy"], limit=1), build_tasks=build_tasks
        )
