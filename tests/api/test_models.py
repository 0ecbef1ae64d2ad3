"""deskcheck.execute, .evaluate and .results: what the commands say, as Python objects."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.evaluation.inspecting import MARKS, collect_here  # noqa: F401
from tests.scripts import load_script

import deskcheck
from deskcheck.errors import UserError
from deskcheck.evaluation.prices import Price
from deskcheck.viewer import document
from deskcheck.viewer.document import View

pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
pytestmark = MARKS

outside = 3


collatz = load_script("examples/collatz.py").f


def borrows(n: int) -> int:
    return n + outside


def test_the_shipped_model_executes_a_function_state_by_state(tmp_path: Path):
    run = deskcheck.execute(collatz, 6, strategy="line-1")
    assert (run.call, run.answer, run.expected, run.is_right) == ("f(6)", "8", "8", True)
    assert run.first_wrong is None and len(run.trace) == 35
    assert [step.name for step in run][:3] == ["call", "1", "2"] and run[1].belief == run[1].truth
    assert repr(run) == "<tiny on f(6): 8 (right)>"
    assert "model and truth agree in all 35 steps" in str(run)
    page = run.show(tmp_path / "run.html", is_opened=False)
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>") and page.stat().st_size > 20_000


def test_a_strategy_that_goes_from_state_to_state_can_be_named():
    run = deskcheck.execute("def f(n):\n    m = n\n    return m\n", call="f(6)", strategy="line-1")
    assert run.is_right and run.strategy == "line-1"
    known = "'direct': a run is executed by one that goes from state to state: line-1, sub"
    with pytest.raises(UserError, match=known):
        deskcheck.execute(collatz, 6, strategy="direct")


def test_the_text_of_a_program_is_executed_and_a_wrong_answer_is_placed():
    text = "def f(a, b):\n    c = a * b\n    return c\n"
    run = deskcheck.execute(text, call="f(7919, 6101)")
    assert run.expected == "48313819"
    assert not run.is_right and run.first_wrong is not None and run.first_wrong.differs == "variables"
    assert "(wrong, it is 48313819), differs from 2 on>" in repr(run)


def test_execute_works_where_an_event_loop_runs_as_in_a_notebook():
    async def cell() -> bool:
        return deskcheck.execute("def f(n):\n    return n\n", call="f(2)").is_right

    assert asyncio.run(cell())


def test_what_a_model_could_not_see_is_refused():
    with pytest.raises(UserError, match="borrows uses names from outside of it: outside; a model sees"):
        deskcheck.execute(borrows, 1)
    with pytest.raises(UserError, match="needs a function made with def, or the text of a program, not"):
        deskcheck.execute(lambda n: n, 1)
    with pytest.raises(UserError, match="say what to call"):
        deskcheck.execute("def f(n):\n    return n\n")
    with pytest.raises(UserError, match="an argument holds a object, which has no literal"):
        deskcheck.execute(collatz, object())


def test_a_function_is_evaluated_like_a_model_and_asked_anew_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    prompts: list[str] = []

    def knows(prompt: str) -> str:
        prompts.append(prompt)
        return "[ANSWER][0, 0, 4, 5, 5, 8][/ANSWER]" if len(prompts) == 1 else "I don't know."

    found = deskcheck.evaluate(knows, "core", limit=3)
    assert (found.model, found.n_answers, found.right, found.wrong) == ("knows", 3, 1, 0)
    assert found.no_answer == {"unparsable": 2} and found.accuracy == pytest.approx(1 / 3)
    assert [one.verdict for one in found] == ["right", "no answer", "no answer"]
    assert "pack([(2, 3), (3, 4), (4, 4)], 5)" in prompts[0]
    assert repr(found).startswith("<knows on core, vanilla: 33.3 %") and "knows" in str(found)
    assert deskcheck.evaluate(knows, "core", limit=3).right == 0 and len(prompts) == 6
    assert list(tmp_path.iterdir()) == []  # a function leaves nothing behind


def test_an_evaluation_takes_the_policy_the_conditions_and_the_price_of_the_command(
    monkeypatch: pytest.MonkeyPatch,
):
    def rounds(prompt: str) -> str:
        return "[ANSWER]0[/ANSWER]"

    some = deskcheck.evaluate(rounds, "core", filter=["steps<5"], policy="lenient", limit=4)
    assert {one.policy for one in some.answers} == {"lenient"} and all(
        one.n_steps < 5 for one in some.answers
    )
    one = deskcheck.evaluate(rounds, "core", filter=[f"id={some.answers[0].task}"])
    assert [answer.task for answer in one.answers] == [some.answers[0].task]
    monkeypatch.setattr("deskcheck.api.evaluating._asked", lambda plan, *more: plan)
    plan: Any = deskcheck.evaluate("any", price=(1.0, 2.0), base_url="http://127.0.0.1:1/v1")
    assert plan.prices == {"": Price(1.0, 2.0)} and plan.model_args == {"base_url": "http://127.0.0.1:1/v1"}


def test_a_function_that_fails_on_every_prompt_is_named_with_its_error():
    def broken(prompt: str) -> str:
        return prompt.nothing  # type: ignore[attr-defined]

    with pytest.raises(UserError, match=r"broken failed on every prompt; first: AttributeError: 'str'"):
        deskcheck.evaluate(broken, "core", limit=2)
    with pytest.raises(UserError, match="needs a model's name or a function of a prompt, not 3"):
        deskcheck.evaluate(3, "core")  # type: ignore[arg-type]
    with pytest.raises(UserError, match=r"no benchmark called 'esy'.*did you mean 'easy'"):
        deskcheck.evaluate("tiny", "esy")


def test_a_named_model_keeps_its_logs_for_the_next_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    found = deskcheck.evaluate("tiny", "easy", strategy="direct", limit=4)
    assert (found.model, found.n_answers) == ("deskcheck/tiny", 4)
    pandas = pytest.importorskip("pandas", reason="needs the extra 'eval'")
    frame = deskcheck.results("logs", "again=logs")
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 8
    assert list(frame["run"].unique())[1] == "again"
    assert list(frame["verdict"][:4]) == [one.verdict for one in found]
    assert frame["tokens_hidden"].isna().all()  # never reported, and never -1
    assert (frame["n_steps"] > 0).all()
    with pytest.raises(UserError, match="no log folder or results file at 'nowhere'"):
        deskcheck.results("nowhere")
    with pytest.raises(UserError, match="name a log folder or a file of results"):
        deskcheck.results()


def test_a_run_of_a_model_of_another_python_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = deskcheck.execute("def f(n):\n    return [i for i in range(n)]\n", call="f(2)")
    assert bool(run.note) == (run.first_wrong is not None) == (sys.version_info < (3, 12))
    assert ("note: The model learned" in str(run)) == bool(run.note)
    shown: list[View] = []
    monkeypatch.setattr(document, "page_of", lambda view: shown.append(view) or "")
    run.show(tmp_path / "run.html", is_opened=False)
    assert shown[0].notes == ([run.note] if run.note else [])
