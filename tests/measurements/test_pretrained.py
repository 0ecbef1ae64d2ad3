"""The study of a pretrained model: its layout `input`, its plan, its draws."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

import pretrained
from deskcheck.records import Answer, Completion, Limits, Prompt, Task
from deskcheck.strategies import Settings
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program


def study(out: Path, **changes: object) -> pretrained.Study:
    plain = pretrained.Study(
        out, None, None, 300, 100, 50, 0, "", ["direct", "input"], True, pretrained.SOURCES, 100, 1
    )
    return plain._replace(**changes)


def test_the_layout_input_asks_as_it_trains_and_reads_the_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [*sys.path, str(pretrained.STUDY)])
    import deskcheck_input as layout

    program = make_program("def f(n):\n    return n * 2\n", "f", "4", origin="t")
    trace = trace_program(program, Limits())
    (example,) = layout.render(trace, program)
    assert example.prompt == "[input]\n@1 def f(n):\n@2     return n * 2\ngives <- 8\n"
    assert layout.parse(program, [example]) == "f(4)"
    task = Task("t", "b", "input", program, "f(4)", trace, "t")

    async def ask(prompt: Prompt) -> Completion:
        assert "".join(message.text for message in prompt.messages) == example.prompt
        return Completion("f(4)\n", "stop")

    assert asyncio.run(layout.run(task, ask, Settings())).answer == Answer("f(4)")


def test_a_plan_says_what_its_n_can_show_before_anything_is_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pretrained.plan(study(tmp_path))
    told = capsys.readouterr().out
    assert "n = 100: a paired difference is found 80 % of the time from 1" in told
    assert "missing: GSM8K" in told and "missing: instruction data" in told
    pretrained.plan(study(tmp_path))
    with pytest.raises(SystemExit, match="plan of another study"):
        pretrained.plan(study(tmp_path, tokens=301))


def test_every_model_is_asked_the_same_tasks(tmp_path: Path) -> None:
    drawn = [pretrained.drawn(study(tmp_path, n=n), "fresh", n) for n in (5, 3)]
    assert drawn[0][:3] == drawn[1] and len(set(drawn[0])) == 5
    assert pretrained.cells(study(tmp_path), "input")[0][:3] == ("fresh", "input", "input")
    assert pretrained.cells(study(tmp_path), "before")[0][2] == "base-completion"
