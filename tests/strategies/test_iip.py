"""Iterative prompting: what is fed, what a request shows of the history, what ends a loop."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.strategies.programs import CLASS, SUM, gold, last, program_of, roll_out, task_of, tasks

from deskcheck.grading.verdict import score
from deskcheck.questions import tasks_of_all
from deskcheck.records import Answer, Completion, Message, NoAnswer, Prompt, TaskDraft
from deskcheck.states.visits import entry_lines
from deskcheck.strategies import Settings, iip_dynamic, iip_oracle, iip_single, iip_static
from deskcheck.strategies._iip import REPLY_TOKENS, estimated
from deskcheck.turns.bindings import MAX_CHARACTERS, read_bindings
from deskcheck.turns.lines import first_line, runnable, statements, units

FORMS = {
    "iip-single": iip_single,
    "iip-static": iip_static,
    "iip-dynamic": iip_dynamic,
    "iip-oracle": iip_oracle,
}
SHORT = task_of("def f(n):\n    s = n + 1\n    return s\n", "f", "n=2")
forms = pytest.mark.parametrize("name", FORMS)


def shown(prompts: list[Prompt]) -> str:
    """A whole conversation as text."""
    parts = []
    for number, prompt in enumerate(prompts, 1):
        parts.append(f"##### request {number}, at most {prompt.max_tokens} tokens")
        parts += [f"--- {message.role}\n{message.text}" for message in prompt.messages]
    return "\n".join(parts) + "\n"


@forms
@pytest.mark.parametrize("statement_language", ["en", "zh"])
def test_the_conversation_is_the_golden_one(
    name: str, statement_language: str, golden: Callable[[str, str], None]
):
    settings = Settings(statement_language=statement_language, history="last-1")
    _, asked = roll_out(FORMS[name], SHORT, gold(name, FORMS[name], SHORT, settings), settings)
    golden(f"{name}-{statement_language}.txt", shown(asked))


@forms
@pytest.mark.parametrize("history", ["full", "last-2", "state"])
@pytest.mark.parametrize("on_error", ["stop", "check"])
def test_a_model_without_mistakes_is_right_in_every_form(name: str, history: str, on_error: str):
    strategy = FORMS[name]
    settings = Settings(history=history, on_error=on_error, passes=2)
    for task in tasks():
        done, asked = roll_out(strategy, task, gold(name, strategy, task, settings), settings)
        assert score(task, done.answer).verdict == "right", done.answer
        assert len(asked) == len(done.completions)
        assert all(len(prompt.messages) % 2 == 1 for prompt in asked)  # user, assistant, user ..


@forms
def test_the_true_answer_stands_in_no_request(name: str):
    task = task_of(SUM, "f", "[1, 50, 20]")
    _, asked = roll_out(FORMS[name], task, gold(name, FORMS[name], task, Settings()))
    assert not any("70" in message.text for prompt in asked[:-1] for message in prompt.messages)


def test_every_line_that_a_run_comes_to_may_be_said_to_be_next():
    """Parts of a statement of several lines too, and from 3.12 on a comprehension's."""
    source = (
        "def f(xs):\n    total = sum(\n        [\n            x * 2\n            for x in xs\n        ],\n"
        "        start=len(\n            xs\n        ),\n    )\n"
        "    return {\n        'total': total,\n    }\n"
    )
    task = task_of(source, "f", "[1, 2]")
    lines = {line for _, line in entry_lines(task.truth)}
    assert len(lines) > len(statements(task.program)) == 2
    assert lines <= runnable(task.program)
    done, _ = roll_out(iip_dynamic, task, gold("iip-dynamic", iip_dynamic, task, Settings()), Settings())
    assert score(task, done.answer).verdict == "right", done.answer


def test_the_lines_of_a_program_are_found_in_its_source():
    program = program_of(SUM, "f", "[1]")
    assert [(one.first, one.last) for one in units(program)] == [
        (1, 1), (3, 3), (4, 4), (5, 5), (6, 8), (9, 9), (11, 12),
    ]  # fmt: skip
    assert first_line(program) == 5
    assert statements(program) == {4, 5, 6, 7, 8, 9}
    method = program_of(CLASS, "Solution().solve", "5")
    assert [one.text.strip().split("\n")[0] for one in units(method)] == [
        "class Solution:", "limit = 3", "def solve(self, n):", "s = ''",
        "while n and len(s) < self.limit:", "return s[::-1]",
    ]  # fmt: skip
    assert first_line(method) == 5
    nothing = program_of("f = lambda x: x + 1\n", "f", "1")
    assert first_line(nothing) == 1


def test_history_decides_what_a_request_shows():
    task = task_of(SUM, "f", "[1, 5, 2]")
    lengths = {}
    for history in ("full", "last-2", "state"):
        settings = Settings(history=history)
        _, asked = roll_out(iip_dynamic, task, gold("iip-dynamic", iip_dynamic, task, settings), settings)
        lengths[history] = [len(prompt.messages) for prompt in asked[:5]]
        assert all("Call: f([1, 5, 2])" in prompt.messages[0].text for prompt in asked)
        if history == "state":
            assert "The state so far: x=1" in last(asked[1])
    assert lengths == {"full": [1, 3, 5, 7, 9], "last-2": [1, 3, 5, 5, 5], "state": [1, 1, 1, 1, 1]}


def test_the_oracle_feeds_the_lines_that_run_and_the_dynamic_form_those_that_the_model_names():
    task = task_of(SUM, "f", "[1]")
    _, asked = roll_out(iip_oracle, task, gold("iip-oracle", iip_oracle, task, Settings()))
    fed = [last(prompt).rsplit("Line ", 1)[1].split(" ")[0] for prompt in asked[:-1]]
    assert fed == ["5", "6", "7", "6", "9"]
    replies = iter(["STATE: none\nNEXT: 9", "STATE: none\n[ANSWER]0[/ANSWER]"])
    done, asked = roll_out(iip_dynamic, task, lambda prompt: next(replies))
    assert [last(prompt).rsplit("Line ", 1)[1].split(" ")[0] for prompt in asked] == ["5", "9"]
    assert done.chain == ["@9"]
    assert done.answer == Answer("0")


def test_the_budget_of_a_loop_is_what_was_given_and_never_the_truth():
    task = task_of(SUM, "f", "[1, 5, 2]")
    done, asked = roll_out(iip_dynamic, task, lambda prompt: "STATE: x = 1\nNEXT: 5", Settings(max_steps=7))
    assert len(asked) == 7
    assert done.answer == NoAnswer("budget", "not over after 7 steps")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x is 3", "turn 1: no line begins with STATE:"),
        ("STATE: x = 3", "turn 1: no line begins with NEXT: and there is no answer"),
        ("STATE: x = 3\nNEXT: 77", "turn 1: NEXT: 77 is no line"),
        ("STATE: x = 3\n[ANSWER]x + 1[/ANSWER]", "turn 1: no literal between"),
    ],
)
def test_a_reply_that_cannot_be_read_ends_the_loop_and_says_where(text: str, why: str):
    done, _ = roll_out(iip_dynamic, SHORT, lambda prompt: text)
    assert isinstance(done.answer, NoAnswer)
    assert done.answer.reason == "unparsable"
    assert done.answer.detail.startswith(why)


def test_reask_says_what_was_wrong_and_a_good_reply_goes_on():
    replies = iter(["what?", "STATE: s = 3\nNEXT: 3", "[ANSWER]3[/ANSWER]"])
    done, asked = roll_out(iip_dynamic, SHORT, lambda prompt: next(replies), Settings(on_error="reask"))
    assert done.answer == Answer("3")
    assert "no line begins with STATE:" in last(asked[1])
    assert len(asked[2].messages) == 3  # the bad reply is not part of the conversation


def test_check_lets_the_model_correct_itself():
    replies = iter(
        ["STATE: s = 4\nNEXT: 3", "STATE: s = 3\nNEXT: 3", "[ANSWER]4[/ANSWER]", "[ANSWER]3[/ANSWER]"]
    )
    done, asked = roll_out(iip_dynamic, SHORT, lambda prompt: next(replies), Settings(on_error="check"))
    assert done.answer == Answer("3")
    assert done.chain == ["@3 | s=3"]
    assert "Check this" in last(asked[1])
    assert [message.text for message in asked[2].messages if message.role == "assistant"] == [
        "STATE: s = 3\nNEXT: 3"
    ]


@forms
def test_a_cut_reply_is_truncated_and_a_refused_one_refused(name: str):
    done, _ = roll_out(FORMS[name], SHORT, lambda prompt: Completion("STATE: x", "length", 1, 9))
    assert isinstance(done.answer, NoAnswer)
    assert done.answer.reason == "truncated"
    done, _ = roll_out(FORMS[name], SHORT, lambda prompt: Completion("I cannot", "content_filter", 1, 9))
    assert isinstance(done.answer, NoAnswer)
    assert done.answer.reason == "refused"


def test_a_later_pass_is_told_the_answer_of_the_one_before_and_counts():
    replies = iter(["[ANSWER]1[/ANSWER]", "[ANSWER]3[/ANSWER]"])
    done, asked = roll_out(iip_single, SHORT, lambda prompt: next(replies), Settings(passes=2))
    assert done.answer == Answer("3")
    assert "An earlier pass ended with 1." in last(asked[1])


def test_single_keeps_the_states_that_the_model_writes():
    text = "L2: n = 2; s = 3\n**L3**: n = 2; s = 3\n[ANSWER]3[/ANSWER]"
    done, _ = roll_out(iip_single, SHORT, lambda prompt: text)
    assert done.chain == ["after 2 | n=2; s=3", "after 3 | n=2; s=3"]


def test_variables_come_in_one_spelling_and_what_is_no_assignment_stays():
    assert read_bindings(" n = 3;  s=[1,2]; t = {'a':(1,)} ") == "n=3; s=[1, 2]; t={'a': (1,)}"
    assert read_bindings("none") == read_bindings("") == ""
    assert read_bindings("the list of one and two") == "the list of one and two"
    assert read_bindings("x = __import__('os').system('true')").startswith(
        "x=__import__"
    )  # parsed, never run
    assert read_bindings("(" * 10_000).startswith("((")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("s = 'a  b'", "s='a  b'"),
        ("`s = ' a'; t = '\\t  '`", "s=' a'; t='\\t  '"),
        ("s = 'a\tb'; n = 1", "s='a\\tb'; n=1"),
        ("n = 3\ns = '  '", "n=3; s='  '"),
        ("n = 3;\n  s = 4", "n=3; s=4"),
        ("xs = [1,\n  2]", "xs=[1, 2]"),
    ],
)
def test_white_space_inside_a_literal_is_part_of_the_value(text: str, read: str):
    assert read_bindings(text) == read


def test_a_text_of_another_form_is_one_line_of_bounded_length():
    assert read_bindings("the `list`  of\none") == "the `list` of one"
    assert len(read_bindings("x = 1; " * 10_000)) <= MAX_CHARACTERS


def test_the_message_before_the_question_is_the_assistant_s():
    _, asked = roll_out(iip_static, SHORT, gold("iip-static", iip_static, SHORT, Settings()))
    assert asked[1].messages[1] == Message("assistant", "STATE: x = 1; y = [2]")


CALLS = """\
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def upto(n):
    for k in range(n):
        yield fib(k)

def f(n):
    def more(x):
        return x + n
    total = 0
    for x in upto(n):
        total += more(x)
    if n > 1:
        total += f(n - 1)[0]
    return [total, sum(y for y in (n, total))]
"""


@pytest.mark.parametrize("name", ["iip-dynamic", "iip-oracle"])
def test_a_line_that_calls_functions_of_the_program_is_one_step(name: str):
    """Helpers, recursion of the entry, generators, closures: only lines of the first activation are fed."""
    task = task_of(CALLS, "f", "3")
    done, asked = roll_out(FORMS[name], task, gold(name, FORMS[name], task, Settings()))
    assert score(task, done.answer).verdict == "right"
    said = [last(prompt) for prompt in asked if "Line " in last(prompt)]
    fed = [int(text.rsplit("Line ", 1)[1].split(" ")[0]) for text in said]
    assert list(dict.fromkeys(fed)) == [9, 11, 12, 13, 14, 15, 16]
    assert fed.count(9) == fed.count(14) == fed.count(16) == 1
    assert fed.count(13) == 3
    inside = roll_out(iip_dynamic, task, lambda prompt: "STATE: n = 3\nNEXT: 2")[0].answer
    assert isinstance(inside, NoAnswer) and "no line of the function" in inside.detail


@pytest.mark.parametrize("name", ["iip-single", "iip-static", "iip-dynamic"])
def test_another_question_is_said_at_the_beginning_and_answered_at_the_end(name: str):
    run = TaskDraft("t", SHORT.program, "", "t"), SHORT.truth
    (task,) = next(tasks_of_all("full-trace", [run], benchmark="test"))
    done, asked = roll_out(FORMS[name], task, gold(name, FORMS[name], task, Settings()))
    assert done.answer == Answer("[2, 3]")
    assert task.question["en"] in asked[0].messages[0].text
    assert task.form["en"] in "".join(message.text for message in asked[-1].messages)
    zh = FORMS[name].opening(task, Settings(statement_language="zh"))
    assert task.question["zh"] in zh.messages[0].text


def test_the_estimate_of_a_conversation_grows_with_its_history():
    """It decides what --dry-run says and what is set aside of the budget."""
    reply = 2 * REPLY_TOKENS
    assert estimated(3, Settings(), 100) == [100, 100 + reply, 100 + 2 * reply]
    assert estimated(4, Settings(history="last-2"), 100)[2:] == [100 + 2 * reply] * 2
    assert estimated(3, Settings(history="state"), 100) == [100, 100 + reply, 100 + reply]
    assert estimated(9, Settings(max_steps=2), 100) == [100, 100 + reply]
    assert estimated(1, Settings(on_error="check", passes=3), 100) == [100] * 6
