"""A package of somebody else brings a plug-in of each kind through entry points alone; all of them work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")

from deskcheck.report.names import bare
from deskcheck.report.read import read_runs

PACKAGE = {
    "sums.py": '''"""A benchmark of one program."""
from deskcheck.records import Item
from deskcheck.tracing.program import make_program

HUB = None

def items(data):
    program = make_program("def f(n):\\n    m = n + 1\\n    return m * 2\\n", "f", "3", origin="acme")
    yield Item("sum-1", program, "8", "sum-1")
''',
    "line.py": '''"""A layout of its own: a state in, a step out."""
from deskcheck.states.prompt import body_of, example, line_body
from deskcheck.states.steps import run_of

LAYOUT = "acme-line"
body = line_body

def render(trace, program):
    return [
        example(LAYOUT, program, trace, body(before, program), str(step), number)
        for number, (before, step, _) in enumerate(run_of(trace))
    ]

def parse(program, examples):
    return [(body_of(one.prompt, program, LAYOUT), one.target) for one in examples]

def keeps(trace):
    return [(str(before), str(step)) for before, step, _ in run_of(trace)]
''',
    "steps.py": '''"""A strategy that steps, in that layout."""
from acme.line import LAYOUT, body
from deskcheck.turns import derived
from deskcheck.turns.stepwise import Stepwise

FITS, WHY, TRAINED, CHAIN = derived.FITS, derived.WHY, True, "states"
KNOBS = frozenset({"max_steps", "on_error"})
LOOP = Stepwise(LAYOUT, body)
opening, run, estimate, refusal = LOOP.opening, LOOP.run, LOOP.estimate, LOOP.refusal
''',
    "length.py": '''"""A kind of question: how many lines does the call run?"""
from deskcheck.records import Probe
from deskcheck.states.visits import visits

QUESTION = {"en": "How many lines does {call} run?", "zh": "{call}?"}
FORM = {"en": "the number", "zh": "n"}

def probes(item, trace):
    return [Probe("", str(len(visits(item.program, trace))), {"call": item.program.call})]
''',
    "hand.py": '''"""An engine that knows this one program; it has the second line wrong."""
from deskcheck.records import Completion

STRATEGY = "acme-steps"

class Hand:
    batch, fingerprint = 4, "hand-1"

    def answer(self, questions):
        return [Completion(self.said(one.prompt.messages[-1].text), "stop") for one in questions]

    def said(self, text):
        if text.startswith(">1"):
            return "@2"
        if text.startswith("@2"):
            return "@3 | m=5"
        return "<- 8" if text.startswith("@3") else "[ANSWER]2[/ANSWER]"

def engine():
    return Hand()
''',
}
POINTS = {
    "benchmarks": "acme-sums = acme.sums",
    "representations": "acme-line = acme.line",
    "strategies": "acme-steps = acme.steps",
    "questions": "acme-length = acme.length",
    "models": "acme-hand = acme.hand",
}


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder that holds the package as pip leaves it."""
    folder = tmp_path / "site"
    for name, text in {"__init__.py": "", **PACKAGE}.items():
        file = folder / "acme" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    about = folder / "acme-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    groups = [f"[deskcheck.{folder}]\n{line}\n" for folder, line in POINTS.items()]
    (about / "entry_points.txt").write_text("\n".join(groups))
    return folder


def deskcheck(installed: Path, *words: str) -> str:
    path = os.pathsep.join(filter(None, [str(installed), os.environ.get("PYTHONPATH", "")]))
    done = subprocess.run(
        [sys.executable, "-m", "deskcheck", *words],
        capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_benchmark_a_strategy_that_steps_a_layout_and_an_engine_of_others_work(
    installed: Path, tmp_path: Path
):
    logs = str(tmp_path / "logs")
    deskcheck(installed, "eval", "--model", "acme-hand", "--benchmark", "acme-sums", "--log-dir", logs)
    (run,) = read_runs(logs)
    (sample,) = run.samples
    assert (bare(run.row.strategy), sample.verdict, sample.answer) == ("acme-steps", "right", "8")
    assert sample.steps is not None and (sample.steps.n, sample.steps.wrong) == (2, 1)
    assert (sample.together, sample.part) == (1, "variables")


def test_a_kind_of_question_of_others_is_asked(installed: Path, tmp_path: Path):
    logs = str(tmp_path / "logs")
    asked = ("--strategy", "vanilla", "--task", "acme-length")
    deskcheck(
        installed, "eval", "--model", "acme-hand", "--benchmark", "acme-sums", *asked, "--log-dir", logs
    )
    (run,) = read_runs(logs)
    assert [(one.expected, one.answer, one.verdict) for one in run.samples] == [("2", "2", "right")]
