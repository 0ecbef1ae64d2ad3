"""Every benchmark of the folder: gold scores right, a wrong answer wrong, junk none with a reason.

A new file is tested on arrival. One that reads a file of public data names it here.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from deskcheck import plugins
from deskcheck.evaluation.truth import build_tasks
from deskcheck.grading.verdict import grade, score
from deskcheck.records import Answer, NoAnswer

FILES = {
    "cruxeval": "cruxeval/cruxeval.jsonl",
    "livecodebench-exec": "livecodebench-exec/problems.jsonl",
}
N_TASKS = 5
NAMES = plugins.names("benchmark")


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_keeps_the_contract(name: str, data: Callable[[str], Path]) -> None:
    module = plugins.load("benchmark", name)
    assert module.__doc__ and "icence" in module.__doc__, "the first lines say source and licence"
    if module.HUB is not None:
        assert name in FILES, f"benchmark '{name}' reads a file: name its copy of public data in FILES"
        repository, revision, file = module.HUB
        assert "/" in repository and len(revision) == 40 and file
    path = str(data(FILES[name])) if name in FILES else ""
    task_set = build_tasks(name, data=path, limit=N_TASKS)
    assert len(task_set.tasks) + len(task_set.dropped) == N_TASKS
    assert task_set.tasks
    assert task_set.disagreements == []
    for task in task_set.tasks:
        assert task.benchmark == name
        assert score(task, Answer(task.expected)).verdict == "right"
        assert grade(f"[ANSWER]{task.expected}[/ANSWER]", expected=task.expected).verdict == "right"
        assert score(task, Answer("'certainly not'")).verdict == "wrong"
        assert score(task, Answer("raises NoSuchError")).verdict == "wrong"
        junk = score(task, Answer("who ( knows"))
        assert (junk.verdict, junk.reason) == ("no answer", "unparsable")
        none = score(task, NoAnswer("truncated"))
        assert (none.verdict, none.reason) == ("no answer", "truncated")


def test_the_folder_holds_what_the_commands_promise() -> None:
    assert {"core", "cruxeval", "livecodebench-exec", "long"} <= set(NAMES)
