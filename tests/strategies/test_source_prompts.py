"""Prompts of a source with one text a task are sent word for word."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.strategies.programs import tasks

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.records import Answer, Completion, Prompt
from deskcheck.strategies import Settings
from deskcheck.turns.question import name_of
from deskcheck.turns.wording import as_text, wording

TEXT = 'Predict. {code} stays as it is; {"a": XXX}\n[STRUCTURE]\n```\n{ \n  "output": XXX   \n}\n```\n'


def checkout(folder: Path, task_id: str) -> str:
    file = folder / "prompts" / "output_prediction" / "easy" / f"{task_id}.txt"
    file.parent.mkdir(parents=True)
    file.write_text(TEXT, encoding="utf-8")
    return str(folder)


def rows(folder: Path, task_id: str) -> str:
    file = folder / "prompts.jsonl"
    lines = [{"prefix": "p", "text": TEXT[:9]}]
    lines.append({"id": task_id, "task": "output", "prefix": "p", "question": TEXT[9:]})
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("place", [checkout, rows])
def test_the_text_is_sent_as_it_is_and_its_marks_are_read(place, tmp_path: Path):
    task = replace(tasks()[0], expected="[1, 2]")
    template = plugins.load("strategy", "template")
    settings = Settings(max_steps=1, prompt=as_text(wording(f"re2-bench={place(tmp_path, task.id)}")))
    assert template.opening(task, settings).messages[-1].text == TEXT

    async def ask(prompt: Prompt) -> Completion:
        return Completion("[THOUGHT] hm [/THOUGHT]\n[OUTPUT]\n```json\n[1, 2]\n```\n[/OUTPUT]", "stop")

    assert asyncio.run(template.run(task, ask, settings)).answer == Answer("[1, 2]")
    with pytest.raises(UserError, match="no prompt for 'output' of task 'other'"):
        template.opening(replace(task, id="other"), settings)


def test_another_text_is_another_setting_and_a_place_without_texts_is_refused(tmp_path: Path):
    place = checkout(tmp_path, "t")
    first = wording(f"re2-bench={place}").digest
    with pytest.raises(UserError, match="no prompts there; name a checkout"):
        wording(f"re2-bench={tmp_path / 'nothing'}")
    with pytest.raises(UserError, match="re2-bench=CHECKOUT"):
        wording("re2-bench")
    other = tmp_path / "other"
    other.mkdir()
    (Path(checkout(other, "t")) / "prompts/output_prediction/easy/t.txt").write_text("x", encoding="utf-8")
    assert wording(f"re2-bench={other}").digest != first


def test_a_language_with_an_addition_has_its_plain_name_in_prompts():
    task = tasks()[0]
    program = replace(task.program, language="python of a project that is not here")
    assert name_of(replace(task, program=program)) == "Python"
