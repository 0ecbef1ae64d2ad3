"""run-python: scripts of a model run contained, their output comes back, and the row is no fair one."""

from __future__ import annotations

import asyncio

from tests.strategies.programs import SUM, task_of

from deskcheck.records import Answer, Completion, Prompt, Rollout
from deskcheck.strategies import Settings, is_oracle, run_python

TASK = task_of(SUM, "f", "[1, 5, 2]")


def asked(*replies: str, statement_language: str = "en") -> tuple[Rollout, list[Prompt]]:
    prompts: list[Prompt] = []

    async def ask(prompt: Prompt) -> Completion:
        prompts.append(prompt)
        return Completion(replies[min(len(prompts), len(replies)) - 1], "stop")

    return asyncio.run(run_python.run(TASK, ask, Settings(statement_language=statement_language))), prompts


def test_a_script_runs_and_its_output_is_shown_before_the_answer() -> None:
    done, prompts = asked("[RUN]\n```python\nprint(6 * 7)\n```\n[/RUN] It prints 1.", "[ANSWER]8[/ANSWER]")
    assert done.answer == Answer("8")
    assert [message.role for message in prompts[1].messages] == ["user", "assistant", "user"]
    assert prompts[1].messages[-1].text == "It printed:\n42\n"


def test_a_script_that_fails_says_how_and_cannot_touch_the_machine() -> None:
    _, prompts = asked("[RUN]1 / 0[/RUN]", "[RUN]import os; os.kill(1, 9)[/RUN]", "[ANSWER]8[/ANSWER]")
    assert "ZeroDivisionError" in prompts[1].messages[-1].text
    assert "ended with" in prompts[2].messages[-1].text


def test_a_model_that_only_runs_is_told_to_answer_and_then_has_none() -> None:
    done, prompts = asked("[RUN]print(1)[/RUN]", statement_language="zh")
    assert len(prompts) == run_python.RUNS + 1
    assert prompts[-1].messages[-1].text.endswith("不能再运行脚本。")
    assert not isinstance(done.answer, Answer)


def test_its_rows_are_marked_as_oracles() -> None:
    assert is_oracle(run_python, Settings())
