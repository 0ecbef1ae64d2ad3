"""self-consistency, few-shot, and layouts shown to chat models."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.strategies.programs import last, roll_out, task_of, tasks, trained

from deskcheck import plugins
from deskcheck.grading.verdict import score
from deskcheck.records import Answer, Completion, Executed, NoAnswer, Prompt
from deskcheck.strategies import Settings, few_shot, self_consistency
from deskcheck.strategies.self_consistency import majority
from deskcheck.turns import worked_examples

TASK = task_of("def f(n):\n    s = n + 1\n    return s\n", "f", "n=2")
SHOWN = [name for name in ("scratchpad", "compact", "line-1", "line-n") if name in plugins.names("strategy")]


def text_of(prompt: Prompt) -> str:
    return "".join(f"--- {message.role}\n{message.text}\n" for message in prompt.messages)


def test_the_most_frequent_value_counts_whatever_its_spelling():
    said = [
        Answer("[1,2]"),
        Answer("3"),
        Answer("[1, 2]"),
        NoAnswer("truncated"),
        Answer("3"),
        Answer("[1, 2 ]"),
    ]
    assert majority(said) == Answer("[1,2]")
    assert majority([Answer("True"), Answer("1"), Answer("1")]) == Answer("1")
    assert majority([Answer("{1, 2}"), Answer("1.0"), Answer("{2, 1}")]) == Answer("{1, 2}")
    assert majority([Answer("raises KeyError"), Answer("'KeyError'")]) == Answer("raises KeyError")


def test_of_equally_frequent_answers_the_first_counts_and_without_any_the_most_frequent_reason():
    assert majority([Answer("1"), Answer("2")]) == Answer("1")
    reasons: list[Answer | NoAnswer] = [NoAnswer("refused"), NoAnswer("truncated"), NoAnswer("truncated")]
    assert majority(reasons) == NoAnswer("truncated")


def test_every_vote_is_asked_with_the_same_prompt_and_sampled():
    replies = iter(["[ANSWER]4[/ANSWER]", "[ANSWER]3[/ANSWER]", "[ANSWER]3[/ANSWER]"])
    done, asked = roll_out(self_consistency, TASK, lambda prompt: next(replies), Settings(votes=3))
    assert done.answer == Answer("3")
    assert len(done.completions) == 3
    assert asked == [asked[0]] * 3
    assert asked[0].temperature == 0.7


def test_few_shot_is_the_golden_prompt_and_its_examples_are_true(golden: Callable[[str, str], None]):
    prompt = few_shot.opening(TASK, Settings(shots=3))
    golden("few-shot.txt", text_of(prompt))
    assert len(prompt.messages) == 7
    assert len(few_shot.opening(TASK, Settings()).messages) == 5


@pytest.mark.parametrize("name", SHOWN)
def test_a_layout_shown_to_a_chat_model_is_the_golden_prompt(name: str, golden: Callable[[str, str], None]):
    strategy = plugins.load("strategy", name)
    golden(f"{name}-shots.txt", text_of(strategy.opening(TASK, Settings(shots=3))))


@pytest.mark.parametrize("name", SHOWN)
def test_a_chat_model_that_follows_a_shown_layout_is_right_even_in_a_fence(name: str):
    strategy = plugins.load("strategy", name)
    for task in tasks():
        speak = trained(name, task)

        def fenced(prompt: Prompt, speak: Callable[[Prompt], str] = speak) -> str:
            assert prompt.messages[0].role == "system"
            return f"```\n{speak(Prompt([prompt.messages[-1]], max_tokens=1))}\n```"

        done, asked = roll_out(strategy, task, fenced, Settings(shots=2))
        assert score(task, done.answer).verdict == "right", done.answer
        assert last(asked[0]).startswith(f"[{name}]\n@1 ")


def test_a_cut_reply_in_a_shown_layout_is_truncated():
    strategy = plugins.load("strategy", "compact")
    done, _ = roll_out(
        strategy, TASK, lambda prompt: Completion(">1 | n=2", "length", 1, 9), Settings(shots=1)
    )
    assert isinstance(done.answer, NoAnswer)
    assert done.answer.reason == "truncated"


@pytest.mark.parametrize("kind", plugins.names("question"))
def test_there_are_right_examples_of_every_kind_for_few_shot(kind: str):
    examples = worked_examples.tasks(kind)
    assert examples and {example.kind for example in examples} == {kind}
    for example in examples:
        text = example.program.call if example.grading == "executed" else example.expected
        found = Executed(text, example.expected) if example.grading == "executed" else Answer(text)
        assert score(example, found).verdict == "right"
        assert score(example, Answer("'no'") if kind != "input" else Executed("", "'no'")).verdict == "wrong"
    shown = few_shot.opening(examples[-1], Settings(shots=1)).messages
    assert examples[0].question.get("en", "") in shown[0].text
    assert len(shown) == 3
