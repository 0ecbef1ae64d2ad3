"""Every strategy makes a right prompt about a program of every language, or refuses it before asking.

The programs are those of `tests/languages/programs_of`, and one of a language that offers no part at all.
"""

from __future__ import annotations

from functools import cache

import pytest
from msgspec.structs import replace
from tests.languages.test_every_language import RUN, draft_of, trace_of
from tests.strategies.programs import fine_enough, gold, layout_of, roll_out

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.evaluation.plan import load_strategy
from deskcheck.questions import Unasked, tasks_of
from deskcheck.records import Answer, Limits, Task, TaskDraft
from deskcheck.states.steps import run_of
from deskcheck.strategies import Settings, check_program, settings_of, template
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.turns.question import NAMES
from deskcheck.turns.wording import Wording

STRATEGIES = plugins.names("strategy")
SETTINGS = [{}, {"shots": 2}, {"literals": "spelled"}]


@cache
def task_in(language: str) -> Task:
    asked = tasks_of("output", draft_of(language), trace_of(language), benchmark="test")
    assert not isinstance(asked, Unasked)
    return asked[0]


def is_refused(name: str, task: Task, settings: Settings) -> bool:
    try:
        check_program(name, load_strategy(name), task, settings=settings)
    except UserError as refusal:
        assert str(refusal).startswith(f"strategy '{name}' ")
        assert f"is in {task.program.language}" in str(refusal)
        assert "\n" not in str(refusal)
        return True
    return False


@pytest.mark.parametrize("language", RUN)
@pytest.mark.parametrize(
    ("name", "values"),
    [(name, values) for name in STRATEGIES for values in SETTINGS
     if values.keys() <= load_strategy(name).SETTINGS],
)  # fmt: skip
def test_a_prompt_is_about_the_language_of_its_program(language: str, name: str, values: dict[str, object]):
    strategy = load_strategy(name)
    if not fine_enough(name):
        pytest.skip("its true steps need the C extension")
    task = task_in(language)
    settings = settings_of(name, strategy, Settings(**values))  # type: ignore[arg-type]  # a dict of settings
    if is_refused(name, task, settings):
        assert language != "python", "a program in Python is asked about by every strategy"
        return
    _, prompts = roll_out(strategy, task, lambda prompt: "[ANSWER]1[/ANSWER]", settings)
    for prompt in prompts:
        text = "\n".join(message.text for message in prompt.messages)
        others = {"Python", *NAMES.values()} - {NAMES.get(language, "Python")}
        named = [other for other in others if other in text.replace(NAMES.get(language, "Python"), "")]
        assert named == [], text
    # The helper that traces again in finer steps traces Python alone.
    is_fine = layout_of(name, strategy) in ("adaptive", "sub", "expression-1") and language != "python"
    if not values and not is_fine:
        done, _ = roll_out(strategy, task, gold(name, strategy, task, settings), settings)
        assert isinstance(done.answer, Answer), done.answer


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_language_without_parts_is_refused_or_named(name: str):
    task = task_in("python")
    program = replace(task.program, language="ruby")
    words = {"en": "the returned value"}  # benchmarks in such a language state their own question and form
    foreign = replace(task, program=program, question=words, form=words)
    if not is_refused(name, foreign, Settings()):
        prompt = load_strategy(name).opening(foreign, Settings())
        text = "\n".join(message.text for message in prompt.messages)
        assert "Python" not in text


def test_a_published_prompt_about_python_is_not_sent_about_another_language(monkeypatch: pytest.MonkeyPatch):
    published = Wording("cruxeval-direct", "You are given a Python function.\n{code}\n{call}", kind="output")
    monkeypatch.setattr(template, "wording", lambda text: published)
    settings = Settings(prompt="cruxeval-direct")
    assert is_refused("template", task_in("javascript"), settings)
    assert not is_refused("template", task_in("python"), settings)


WAITS = "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 3\n"
CALLED_BACK = "class A:\n    def __del__(self):\n        return 5\ndef f():\n    a = A()\n    return 3\n"


@pytest.mark.parametrize("source", [WAITS, CALLED_BACK])
def test_a_run_that_goes_on_without_its_call_has_no_steps_but_an_output(source: str):
    program = make_program(source, "f", "", origin="test")
    asked = tasks_of(
        "output", TaskDraft("a", program, "", "a"), trace_program(program, Limits()), benchmark="t"
    )
    assert not isinstance(asked, Unasked)
    assert asked[0].expected == "3"
    with pytest.raises(UserError, match="goes on after its outermost call has paused or ended"):
        run_of(asked[0].truth)
    for name in ("line-1", "line-n", "sub", "debugger", "expression-1"):
        with pytest.raises(UserError, match=f"strategy '{name}' asks for steps"):
            check_program(name, load_strategy(name), asked[0], settings=Settings())
    check_program("direct", load_strategy("direct"), asked[0], settings=Settings())
