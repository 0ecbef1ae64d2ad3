"""What was answered is found again, word for word, and only under the same question."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.fakes import trace_of

from deskcheck.errors import UserError
from deskcheck.evaluation.stores import FILE, AnswerStore, as_line, as_rollout, locked, question_hash
from deskcheck.records import (
    Answer,
    Completion,
    Message,
    NoAnswer,
    Program,
    Prompt,
    Rollout,
    Task,
)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
completions = st.builds(
    Completion,
    text=texts,
    finish_reason=st.sampled_from(["stop", "length", "error"]),
    n_tokens_in=st.integers(-1, 9),
    n_tokens_out=st.integers(-1, 9),
    latency_s=st.floats(-1, 9),
)
answers = st.one_of(
    st.builds(Answer, texts), st.builds(NoAnswer, st.sampled_from(["truncated", "budget"]), texts)
)
rollouts = st.builds(
    Rollout, answers, st.lists(completions, max_size=4), st.lists(texts, max_size=4), st.integers(-1, 9)
)
DONE = Rollout(Answer("1"), [Completion("[ANSWER]1[/ANSWER]", "stop")])


@given(rollouts)
def test_a_rollout_comes_back_as_it_was(rollout: Rollout):
    assert as_rollout(as_line("t", 0, "q", rollout)) == rollout


def test_a_chain_that_is_the_text_of_its_calls_is_stored_once():
    chain = Rollout(
        Answer("1"), [Completion("@2 | x=1", "stop"), Completion("<- 1", "stop")], ["@2 | x=1", "<- 1"]
    )
    line = as_line("t", 0, "q", chain)
    assert line.chain == []
    assert as_rollout(line) == chain


def test_it_is_found_in_a_new_process_but_not_under_another_question_or_sample(tmp_path: Path):
    kept = AnswerStore.open(tmp_path / "cell")
    kept.add("t", 0, "q", DONE)
    kept.close()
    again = AnswerStore.open(tmp_path / "cell")
    assert again.find("t", 0, "q") == DONE
    assert again.find("t", 0, "other") is None
    assert again.find("t", 1, "q") is None


def test_an_error_of_the_model_is_asked_again_and_a_wrong_answer_is_not(tmp_path: Path):
    kept = AnswerStore.open(tmp_path)
    kept.add("a", 0, "q", Rollout(NoAnswer("error", "dead server"), []))
    kept.add("b", 0, "q", Rollout(NoAnswer("truncated"), []))
    kept.close()
    again = AnswerStore.open(tmp_path)
    assert again.find("a", 0, "q") is None
    assert again.find("b", 0, "q") is not None


def test_a_line_that_a_kill_tore_is_skipped_and_the_next_one_is_whole(tmp_path: Path):
    kept = AnswerStore.open(tmp_path)
    kept.add("a", 0, "q", DONE)
    kept.close()
    with (tmp_path / FILE).open("ab") as file:
        file.write(b'{"task": "b", "samp')
    second = AnswerStore.open(tmp_path)
    assert second.find("b", 0, "q") is None
    second.add("c", 0, "q", DONE)
    second.close()
    third = AnswerStore.open(tmp_path)
    assert third.find("a", 0, "q") == third.find("c", 0, "q") == DONE


def test_another_program_or_prompt_is_another_question():
    def task(source: str) -> Task:
        program = Program(source, "python", source, "f", "", "test", "MIT")
        return Task("t", "b", "output", program, "1", trace_of(1), "t")

    prompt = Prompt([Message("user", "?")], max_tokens=8)
    longer = Prompt([Message("user", "?")], max_tokens=9)
    hashes = {
        question_hash(task("a"), prompt),
        question_hash(task("b"), prompt),
        question_hash(task("a"), longer),
    }
    assert len(hashes) == 3


def test_one_run_at_a_time_asks_a_cell(tmp_path: Path):
    with locked(tmp_path / "cell"):
        with pytest.raises(UserError, match="another deskcheck run is using"), locked(tmp_path / "cell"):
            pass
        with locked(tmp_path / "other"):
            pass
    with locked(tmp_path / "cell"):
        assert list((tmp_path / "cell").iterdir()) == []


@pytest.mark.parametrize("is_paid", [True, False])
def test_an_answer_that_cost_money_is_on_the_disk_at_once(
    is_paid: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    synced: list[int] = []
    monkeypatch.setattr("deskcheck.evaluation.stores.os.fsync", synced.append)
    kept = AnswerStore.open(tmp_path)
    kept.is_paid = is_paid
    kept.add("t", 0, "h", Rollout(Answer("1"), [Completion("1", "stop")]))
    assert len(synced) == is_paid
    kept.close()
