"""Prompts in other words: a user's file, and published texts, refused unless their hash is known."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path

import msgspec
import pytest
from tests.evaluation.fakes import trace_of

from deskcheck.errors import UserError
from deskcheck.evaluation.plan import Plan, check
from deskcheck.records import Answer, Completion, NoAnswer, Program, Prompt, Task
from deskcheck.strategies import Settings, base_completion, check_fit, json_answer, label, template
from deskcheck.turns import wording as words
from deskcheck.turns.settings import make_settings

SOURCE = "def f(text, k):\n    return {'{code}': text * k}\n"
PROGRAM = Program("0" * 16, "python", SOURCE, "f", "'{call}', k=2", "test", "MIT")
TASK = Task("t", "test", "output", PROGRAM, "{'{code}': '{call}{call}'}", trace_of(1), "t")


def said_by(reply: str, strategy, settings: Settings, finish: str = "stop") -> Answer | NoAnswer:
    async def ask(prompt: Prompt) -> Completion:
        return Completion(reply, finish)

    return asyncio.run(strategy.run(TASK, ask, settings)).answer


def settings_of(path: Path, text: str) -> Settings:
    path.write_text(text, encoding="utf-8")
    return make_settings({"prompt": str(path)})


def test_the_blanks_of_a_file_are_filled_once_and_other_braces_stay(tmp_path: Path):
    settings = settings_of(tmp_path / "mine.txt", '{code}|{call}|{arguments}|{entry}|{"json": {x}}|{form}')
    (message,) = template.opening(TASK, settings).messages
    assert message.text == (
        f"{SOURCE.rstrip()}|f('{{call}}', k=2)|'{{call}}', k=2|f|{{\"json\": {{x}}}}|"
        + message.text.rpartition("|")[2]
    )
    assert "literal" in message.text.rpartition("|")[2]


def test_the_words_are_stored_whole_and_named_by_their_hash(tmp_path: Path):
    one = settings_of(tmp_path / "mine.txt", "{code} {call}")
    other = settings_of(tmp_path / "mine.txt", "{code} {call}!")
    names = {label("template", settings) for settings in (one, other)}
    assert len(names) == 2
    assert all(name.startswith("template(prompt=mine.txt#") and len(name) < 40 for name in names)
    assert make_settings(msgspec.to_builtins(one)) == one  # the file is not needed any more


@pytest.mark.parametrize(
    ("text", "why"), [("{call}", "has no {code}"), ("{code}", "has no {call}"), (None, "No such file")]
)
def test_words_that_cannot_ask_are_refused(text: str | None, why: str, tmp_path: Path):
    path = tmp_path / "mine.txt"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError, match=why):
        make_settings({"prompt": str(path)})


def test_a_prompt_chooses_its_strategy_and_a_study_can_try_several(tmp_path: Path):
    (tmp_path / "a.txt").write_text("{code} {call}")
    plan = check(Plan(["scripted"], settings={"prompt": str(tmp_path / "a.txt")}))
    assert plan.strategies == ["template"]
    assert plan.n_samples == 1


PUBLIC = '''
def make_direct_output_prompt(s):
    code, input = s
    return f"""Complete.\\n{code}\\nassert f({input}) == ??\\n[ANSWER]\\n"""
def other():
    return "You are an oracle."
'''


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A text under the name of a published one, with its hashes."""
    path = tmp_path / "prompts.py"
    path.write_text(PUBLIC)
    text = "Complete.\n{code}\nassert f({input}) == ??\n[ANSWER]\n"
    real = words.PUBLISHED["cruxeval-direct"]
    mine = msgspec.structs.replace(real, sha256=hashlib.sha256(text.encode()).hexdigest(), system=real.source)
    monkeypatch.setitem(words.PUBLISHED, "cruxeval-direct", mine)
    monkeypatch.setattr(words, "SYSTEM", hashlib.sha256(b"You are an oracle.").hexdigest())
    words._published.cache_clear()
    return path


def test_a_published_prompt_is_sent_word_for_word_with_the_sampling_of_its_source(published: Path):
    plan = check(Plan(["openai/x"], settings={"prompt": f"cruxeval-direct={published}"}))
    assert (plan.n_samples, plan.generation.temperature) == (10, 0.2)
    prompt = template.opening(TASK, make_settings(plan.settings))
    assert [(one.role, one.text) for one in prompt.messages] == [
        ("system", "You are an oracle."),
        ("user", f"Complete.\n{SOURCE.rstrip()}\nassert f('{{call}}', k=2) == ??\n[ANSWER]\n"),
    ]
    assert (prompt.max_tokens, prompt.stop) == (100, ["[/ANSWER]"])
    with pytest.raises(UserError, match="asks for 'output'"):
        check_fit("template", template, kind="input", settings=make_settings(plan.settings))


ASKED = "{code}\n{invocation}\nIs Line {line} ({codeline}) reached by {invocation_abbr}? {var} {x}\n[ANSWER]"


@pytest.fixture
def reval(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Wordings of REval's kind, made of another text: name -> settings."""

    def make(name: str) -> Settings:
        real = words.PUBLISHED[name]
        path = tmp_path / f"{name}.txt"
        path.write_text(ASKED)
        (tmp_path / real.system.path).write_text("S = 'You are an oracle.'")
        mine = msgspec.structs.replace(real, sha256=hashlib.sha256(ASKED.encode()).hexdigest())
        monkeypatch.setitem(words.PUBLISHED, name, mine)
        monkeypatch.setattr(words, "SYSTEM", hashlib.sha256(b"You are an oracle.").hexdigest())
        words._published.cache_clear()
        return make_settings({"prompt": f"{name}={path}"})

    yield make
    words._published.cache_clear()


LOOP = "def f(n):\n    while n:\n        n -= 1\n    n = 5\n    n = 5\n    return n\n"


def task_about(kind: str, at: str, expected: str) -> Task:
    program = msgspec.structs.replace(PROGRAM, source=LOOP, arguments="2")
    asked = {"question": {"en": "?"}, "form": {"en": "it"}}
    return msgspec.structs.replace(
        TASK, id=f"a.b@{at}", kind=kind, program=program, expected=expected, **asked
    )


@pytest.mark.parametrize(
    ("name", "kind", "at", "shown"),
    [
        ("reval-coverage", "reached", "3", f"{LOOP}\nf(2)\nIs Line 3 (        n -= 1) reached by f(2)?  {{"),
        ("reval-state", "state", "3.1.n", f"{LOOP}\nf(2)\nIs Line 3 (        n -= 1) reached by f(2)? n {{"),
        ("reval-path", "next-line", "3.2", "1\tdef f(n):\n2\t    while n:\n"),
        ("reval-output", "output", "", f"{LOOP}\n\nassert f(2) == ??\nIs Line  () reached"),
    ],
)  # fmt: skip
def test_the_blanks_of_reval_are_filled_as_reval_fills_them(reval, name: str, kind: str, at: str, shown: str):
    settings = reval(name)
    system, message = template.opening(task_about(kind, at, "0"), settings).messages
    assert system.text == "You are an oracle."
    assert message.text.startswith(shown)


@pytest.mark.parametrize(
    ("name", "reply", "expected", "answer"),
    [
        ("reval-coverage", "YES", "True", "True"),
        ("reval-coverage", "[ANSWER]\nno.\n", "True", "False"),
        ("reval-path", "return n", "6", "6"),
        ("reval-path", "n = 5", "5", "5"),
        ("reval-path", "n = 5", "6", "4"),
        ("reval-path", "-1", "0", "0"),
        ("reval-state", "[1; 2]; list[int]", "", "([1; 2], 'list')"),
        ("reval-state", "1; <class 'int'>", "", "(1, 'int')"),
        ("reval-state", "'a'; string", "", "('a', 'str')"),
        ("reval-state", "nil", "", "(None, 'Nil')"),
    ],
)
def test_answers_in_reval_s_own_form_are_read(reval, name: str, reply: str, expected: str, answer: str):
    settings = reval(name)
    task = task_about(words.PUBLISHED[name].kind, "3.1.n", expected)

    async def ask(prompt: Prompt) -> Completion:
        return Completion(reply, "stop")

    found = asyncio.run(template.run(task, ask, settings)).answer
    if answer.startswith("([1;"):
        assert isinstance(found, NoAnswer)
    else:
        assert found == Answer(answer)


@pytest.mark.parametrize("before", ["Complete.", "You are"])
def test_another_text_than_the_published_one_is_refused(published: Path, before: str):
    published.write_text(PUBLIC.replace(before, before + " "))
    with pytest.raises(UserError, match=r"sha256|does not hold"):
        make_settings({"prompt": f"cruxeval-direct={published}"})


@pytest.mark.parametrize(
    "reply", ["assert f(1) == [2]", "[ANSWER]\nassert f(1) == [2]\n", "[2]", "[ANSWER][2][/ANSWER]"]
)
def test_a_reply_goes_on_where_the_prompt_broke_off(published: Path, reply: str):
    settings = make_settings({"prompt": f"cruxeval-direct={published}"})
    assert said_by(reply, template, settings) == Answer("[2]")
    cut = said_by("assert f(1) == [2", template, settings, "length")
    assert isinstance(cut, NoAnswer) and cut.reason == "truncated"


@pytest.mark.parametrize(
    ("reply", "answer"),
    [
        ('{"answer": "(1, 2)"}', Answer("(1, 2)")),
        ('```json\n{"answer": "raises KeyError"}\n```', Answer("raises KeyError")),
        ('{"answer": [1, 2]}', Answer("[1, 2]")),
        ("[ANSWER]5[/ANSWER]", Answer("5")),
    ],
)
def test_an_answer_in_an_object_is_read(reply: str, answer: Answer):
    assert said_by(reply, json_answer, Settings()) == answer
    assert json.loads(json_answer.opening(TASK, Settings()).schema)["required"] == ["answer"]


@pytest.mark.parametrize(
    ("reply", "finish", "reason"),
    [(" [2]\n\ndef g():", "length", ""), (" [2", "length", "truncated"), (" [2\n", "stop", "unparsable")],
)
def test_a_base_model_s_line_is_read_to_its_end(reply: str, finish: str, reason: str):
    found = said_by(reply, base_completion, Settings(), finish)
    assert found == Answer("[2]") if not reason else isinstance(found, NoAnswer) and found.reason == reason
    assert base_completion.opening(TASK, Settings()).messages[0].text.endswith("assert f('{call}', k=2) ==")


@pytest.mark.parametrize(
    ("reply", "finish", "answer"),
    [
        ("'a', k=3)\n\ndef g():", "length", "'a', k=3"),
        ("{'k': [1]})", "stop", "{'k': [1]}"),
        ("'a'", "length", ""),
        (") + f(2", "stop", ""),
    ],
)
def test_a_base_model_completes_a_call(reply: str, finish: str, answer: str):
    asked = [
        msgspec.structs.replace(TASK, kind="input", grading="executed", expected=e)
        for e in ("9", "raises KeyError")
    ]
    shown = [base_completion.opening(task, Settings()).messages[0].text for task in asked]
    assert [text.rpartition("\n")[2] for text in shown] == ["assert 9 == f(", "with raises(KeyError): f("]
    assert "assert 7 == f([1, 5, 2])\n" in shown[0], "an example with its call"
    found = base_completion.read(asked[0], Completion(reply, finish))
    assert found == Answer(answer) if answer else isinstance(found, NoAnswer)
