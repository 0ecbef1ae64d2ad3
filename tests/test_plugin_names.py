"""No part of the core knows a plug-in by its name: what it must know of one, the plug-in's own file states.

A name in quotes is a fault, unless it is in KNOWN with a reason. Files that are plug-ins may name others
(what they fit). Names that are also everyday words ("output", "state") are not looked for.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.trees import nodes, parsed

from deskcheck import plugins

SOURCE = Path(__file__).parents[1] / "src" / "deskcheck"
KINDS = ("strategy", "layout", "model", "question")
EVERYDAY = {
    *("output", "input", "state", "exception", "branches", "annotation", "counterfactual", "coverage"),
    *("direct", "sub", "replay", "reached"),
}

PROGRAMS = ("core_problems", "classic_programs", "written")
"""Folders of programs to execute, which are no modules of the package."""
KNOWN: dict[str, set[str]] = {
    # the default of a command, or of an option
    "cli/evaluating.py": {"tiny"},
    "cli/training.py": {"tiny"},
    "evaluation/plan.py": {"vanilla"},
    "inspect_tasks.py": {"vanilla"},
    "lm_eval_tasks/tasks.py": {"vanilla"},
    "cli/demo.py": {"tiny"},
    "api/executing.py": {"tiny"},
    # a key of a JSON object beside the answer
    "grading/cues.py": {"cot"},
    # the model that a callable stands behind
    "api/evaluating.py": {"scripted"},
    "doctor.py": {"tiny"},
    "training/hub/data.py": {"line-1"},
    "training/scores/long_chains.py": {"line-1"},
    # the only kind of question whose answer is a line: it has a reward of its own
    "rewards/tasks.py": {"next-line"},
    "training/export.py": {"tiny"},
    # what a recipe of training mixes, and what its model is checked with
    "training/presets.py": {"tiny", "scratchpad", "compact", "line-1", "line-n"},
    "training/scores/parity.py": {"line-1"},
    # the only kind of question that a published prompt asks for
    "turns/wording.py": {"next-line"},
    # the only kind of question that a prompt of RE2-Bench asks for beside outputs and inputs
    "turns/source_prompts.py": {"loop-values"},
    # the kind of question whose reward the check must know
    "validation.py": {"next-line"},
    # laws between two kinds of question
    "report/coherence.py": {
        *("full-trace", "hot-lines", "loop-counts", "loop-values", "next-line"),
    },
    "report/shortcuts.py": {"next-line"},
    # how a written run answers each kind of question: to be stated by the question's own file
    "turns/derived.py": {
        *("full-trace", "hot-lines", "loop-counts", "loop-values", "next-line", "next-state", "halting"),
    },
}  # fmt: skip


def named(path: str, text: str, names: set[str]) -> set[str]:
    """Names of plug-ins in quotes, in one file; docstrings do not count, nor do files that are plug-ins."""
    folder, _, file = path.rpartition("/")
    if folder in plugins.FOLDERS.values() and file[0] != "_":
        return set()
    tree = parsed(text)
    docs = {id(n.value) for n in nodes(tree) if isinstance(n, ast.Expr)}
    found = {
        node.value
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
    }
    return found & names


def known_names() -> set[str]:
    """Names of all plug-ins that can only be meant as such."""
    return {name for kind in KINDS for name in plugins.names(kind)} - EVERYDAY


def test_no_file_of_the_core_names_a_plug_in():
    names = known_names()
    paths = (p.relative_to(SOURCE).as_posix() for p in SOURCE.rglob("*.py") if p.parent.name not in PROGRAMS)
    found = {path: named(path, (SOURCE / path).read_text(encoding="utf-8"), names) for path in paths}
    new = {path: sorted(own - KNOWN.get(path, set())) for path, own in found.items()}
    assert {path: own for path, own in new.items() if own} == {}
    gone = {path: sorted(own - found.get(path, set())) for path, own in KNOWN.items()}
    assert {path: own for path, own in gone.items() if own} == {}, "take these out of KNOWN"


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("evaluation/a.py", 'STEPWISE = {"line-1"}', {"line-1"}),
        ("evaluation/a.py", '"""Asks line-1."""\nif name == "line-1": pass', {"line-1"}),
        ("evaluation/a.py", '"""line-1"""', set()),
        ("strategies/line_1.py", 'LAYOUT = "line-1"', set()),
        ("turns/chain.py", 'LAYOUT = "line-1"', {"line-1"}),
    ],
)
def test_a_name_is_found_outside_docstrings_and_plug_ins(path: str, text: str, found: set[str]):
    assert named(path, text, {"line-1"}) == found
