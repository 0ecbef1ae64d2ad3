"""A package of somebody else brings a plug-in of each kind through entry points alone; all of them work."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")

from deskcheck.format.shards import read_traces
from deskcheck.report.read import bare, read_runs
from deskcheck.scaffold import KINDS

PACKAGE = {
    "sums.py": '''"""A benchmark of one program."""
from deskcheck.records import TaskDraft
from deskcheck.tracing.program import make_program

HUB = None

def drafts(data):
    program = make_program("def f(n):\\n    m = n + 1\\n    return m * 2\\n", "f", "3", origin="acme")
    yield TaskDraft("sum-1", program, "8", "sum-1")
''',
    "line.py": '''"""A layout of its own: a state in, a step out."""
from deskcheck.states.steps import example, line_body, run_of, state_of

LAYOUT = "acme-line"
body = line_body

def render(trace, program):
    return [
        example(LAYOUT, program, trace, body(before, program), str(step), number)
        for number, (before, step, _) in enumerate(run_of(trace))
    ]

def parse(program, examples):
    return [(state_of(each.prompt, program, LAYOUT), each.target) for each in examples]

def keeps(trace):
    return [(str(before), str(step)) for before, step, _ in run_of(trace)]
''',
    "steps.py": '''"""A strategy that steps, in that layout."""
from acme.line import LAYOUT, body
from deskcheck.turns import derived
from deskcheck.turns.chain import Stepwise

FITS, WHY, TRAINED, CHAIN = derived.FITS, derived.WHY, True, "states"
SETTINGS = frozenset({"max_steps", "on_error"})
LOOP = Stepwise(LAYOUT, body)
opening, run, estimate, refusal = LOOP.opening, LOOP.run, LOOP.estimate, LOOP.refusal
''',
    "length.py": '''"""A kind of question: how many lines does the call run?"""
from deskcheck.records import RunQuestion
from deskcheck.states.visits import visits

QUESTION = {"en": "How many lines does {call} run?", "zh": "{call}?"}
FORM = {"en": "the number", "zh": "n"}

def questions(draft, trace):
    return [RunQuestion("", str(len(visits(draft.program, trace))), {"call": draft.program.call})]
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
PACKAGE[
    "counting.py"
] = '''"""A tracer of a toy language: lines "add N" or "mul N" change the one variable, x."""
from deskcheck.format.buffers import packed_of
from deskcheck.records import (
    FORMAT_VERSION, ChangeColumns, Code, Determinism, EventColumns, EventKind, Fidelity, FrameColumns,
    Granularity, ObjectColumns, Op, Place, Returned, Trace, ValueColumns, ValueKind,
)

def trace_packed(programs, limits, **how):
    for program in programs:
        yield program, packed_of(trace(program, limits))

def trace(program, limits):
    lines = [line.split() for line in program.source.splitlines()]
    numbers = [int(program.arguments)]
    for word, n in lines:
        numbers.append(numbers[-1] + int(n) if word == "add" else numbers[-1] * int(n))
    n = len(lines)
    last = n + 1  # values: the name x, then what it was bound to
    kinds = [EventKind.CALL] + [EventKind.LINE] * n + [EventKind.RETURN]
    return Trace(
        FORMAT_VERSION, program.id, program.language, "acme 1", Granularity.LINE,
        Fidelity("acme", ["values"]), limits, Determinism(), Returned(last),
        [Code("f", 0, 1, "function")], FrameColumns([0], [-1]),
        EventColumns(
            kinds, [0, *range(1, n + 1), n], [0] * (n + 2), [1, *range(1, n + 1), n],
            [-1] * (n + 1) + [last], [1, *range(1, n + 1), n + 1],
        ),
        ChangeColumns(
            [Place.LOCAL] * (n + 1), [0] * (n + 1), [0] * (n + 1), [-1] * (n + 1), [Op.SET] * (n + 1),
            list(range(1, n + 2)),
        ),
        ValueColumns(
            [ValueKind.STR] + [ValueKind.INT] * (n + 1), [0, *numbers], [0.0] * (n + 2),
            [b"x"] + [b""] * (n + 1), [0] + [1] * (n + 1),
        ),
        ObjectColumns([], [], []), ["str", "int"],
    )
'''
PACKAGE[
    "toy.py"
] = '''"""A benchmark of one program in that language, and one in a language that nobody traces."""
from deskcheck.records import TaskDraft
from deskcheck.tracing.program import make_program

HUB = None

def drafts(data):
    program = make_program("add 1\\nmul 2\\n", "f", "0", origin="acme", language="acme-count")
    yield TaskDraft("toy-1", program, "2", "toy-1")
    other = make_program("?", "f", "0", origin="acme", language="acme-unknown")
    yield TaskDraft("toy-2", other, "2", "toy-2")
'''
PACKAGE[
    "words.py"
] = '''"""What is known of a text in that language: each line is a statement of its own, with no loop."""
from deskcheck.errors import BadSource
from deskcheck.languages import EntryLines, Facts, Unit

def facts(source):
    lines = range(1, len(source.splitlines()) + 1)
    return Facts(statement_lines=list(lines), assigned={line: ["x"] for line in lines})

def entry(source, name):
    lines = source.splitlines()
    numbers = frozenset(range(1, len(lines) + 1))
    units = [Unit(number, number, text) for number, text in enumerate(lines, 1)]
    return EntryLines(units, 1, numbers, numbers, [])

def read(text, *, most):
    if not text.strip().lstrip("-").isdigit() or len(text) > most:
        raise BadSource(f"no number: {text[:40]}")
    return int(text)

def write(value):
    return str(value)

def same(a, b, *, policy, tolerance):
    return a == b
'''
PACKAGE["lists.py"] = '''"""A source of two programs, each in a language of its own."""
from deskcheck.tracing.program import make_program

def programs(options):
    yield make_program("def f(n):\\n    return n + 1\\n", "f", "3", origin="acme")
    yield make_program("add 1\\nmul 2\\n", "f", "0", origin="acme", language="acme-count")
'''
POINTS = {
    "benchmarks": "acme-sums = acme.sums\nacme-toy = acme.toy",
    "layouts": "acme-line = acme.line",
    "strategies": "acme-steps = acme.steps",
    "questions": "acme-length = acme.length",
    "models": "acme-hand = acme.hand",
    "programs": "acme-lists = acme.lists",
    "tracers": "acme-count = acme.counting",
    "languages": "acme-count = acme.words",
}


RUNS = {
    "sums": ["--benchmark", "acme-sums"],
    "length": ["--benchmark", "acme-sums", "--strategy", "vanilla", "--task", "acme-length"],
    "toy": ["--benchmark", "acme-toy", "--strategy", "vanilla"],
    "steps": ["--benchmark", "acme-toy", "--strategy", "line-1", "--limit", "1"],
}
"""Log folder -> what `eval --model acme-hand` is asked for."""
TYPED = """\
import json, sys
from deskcheck import cli

for words in json.loads(sys.argv[1]):
    sys.argv = ["deskcheck", *words]
    try:
        cli.main()
    except SystemExit as ended:
        if ended.code:
            raise
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the package lies as pip leaves it."""
    site = tmp_path_factory.mktemp("acme") / "site"
    for name, text in {"__init__.py": "", **PACKAGE}.items():
        file = site / "acme" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    about = site / "acme-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    groups = [f"[deskcheck.{kind}]\n{line}\n" for kind, line in POINTS.items()]
    (about / "entry_points.txt").write_text("\n".join(groups))
    return site


def run_beside(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A Python that has the package installed."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
    return subprocess.run(
        [sys.executable, *words], cwd=Path(__file__).parents[1], env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def done(site: Path) -> Path:
    """A folder with the results of commands that were typed beside the package."""
    folder = site.parent
    commands = [
        ["eval", "--model", "acme-hand", *asked, "--log-dir", str(folder / name)]
        for name, asked in RUNS.items()
    ]
    asked = ["--task", "toy-1", "--out", str(folder / "toy.html")]
    commands.append(["view", str(folder / "toy"), *asked])
    commands.append(["report", str(folder / "steps"), "--out", str(folder / "steps.html")])
    commands.append(["build", "acme-lists", "--out", str(folder / "data"), "--keep-benchmarks"])
    ended = run_beside(site, "-c", TYPED, json.dumps(commands))  # one process: Inspect starts in seconds
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return folder


def test_a_benchmark_a_strategy_that_steps_a_layout_and_an_engine_of_others_work(done: Path):
    (run,) = read_runs(str(done / "sums"))
    (sample,) = run.samples
    assert (bare(run.row.strategy), sample.verdict, sample.answer) == ("acme-steps", "right", "8")
    assert sample.steps is not None and (sample.steps.n, sample.steps.wrong) == (2, 1)
    assert (sample.together, sample.part) == (1, "variables")


HELD = {"layout": "acme-line", "question": "acme-length", "strategy": "acme-steps"}
"""Kind of plug-in -> the package's own; the pages that a benchmark of ours needs are no law for others."""


def test_plug_ins_of_others_are_held_to_the_laws_of_ours(site: Path):
    places = {place for kind in HELD for place in KINDS[kind].tests.split() if "training" not in place}
    chosen = f"({' or '.join(HELD.values())}) and not acme-toy and not acme-sums"  # theirs are small
    done = run_beside(site, "-m", "pytest", "-v", "-p", "no:cacheprovider", *sorted(places), "-k", chosen)
    passed = [line for line in done.stdout.splitlines() if " PASSED " in line]
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-1000:]
    assert all(any(name in line for line in passed) for name in HELD.values()), done.stdout[-4000:]


def test_a_kind_of_question_of_others_is_asked(done: Path):
    (run,) = read_runs(str(done / "length"))
    assert [(one.expected, one.answer, one.verdict) for one in run.samples] == [("2", "2", "right")]


def test_programs_are_traced_by_the_tracer_of_their_language(done: Path):
    (run,) = read_runs(str(done / "toy"))
    assert [(one.task, one.n_steps, one.answer, one.verdict) for one in run.samples] == [
        ("toy-1", 2, "2", "right"),
        ("toy-2", 0, "2", "right"),
    ]
    assert [one.tags.get("truth", "executed") for one in run.samples] == [
        "executed",
        "recorded, not re-executed",
    ]


WALKED = """
import sys
from deskcheck.report.read import read_runs
from deskcheck.report.walks import walks_of

print(walks_of(read_runs(sys.argv[1]), ["steps"], ["toy-1"])["toy-1"].parted)
"""


def test_pages_show_answers_about_a_program_in_another_language(done: Path, site: Path):
    """`view LOGS --task` runs the program again by its own tracer, and so do the walks of `report`."""
    assert "mul 2" in (done / "toy.html").read_text()
    assert (done / "steps.html").is_file()
    walked = run_beside(site, "-c", WALKED, str(done / "steps"))
    assert walked.returncode == 0, walked.stderr
    assert walked.stdout.startswith("['step "), walked.stdout


def test_a_source_of_others_is_built_each_program_in_its_language(done: Path):
    assert [(trace.language, trace.n_steps) for trace in read_traces(done / "data")] == [
        ("python", 1),
        ("acme-count", 2),
    ]


ASKED = """
import json
from acme.counting import trace
from acme.toy import drafts
from deskcheck import languages, plugins
from deskcheck.questions import Unasked, tasks_of
from deskcheck.records import Limits
from deskcheck.viewer.document import View, page_of

draft, other = drafts(None)
run = trace(draft.program, Limits())
kinds = [kind for kind in plugins.names("question") if kind != "counterfactual"]  # which runs programs
tasks = {kind: tasks_of(kind, draft, run, benchmark="acme-toy") for kind in kinds}
unknown = tasks_of("next-line", other, trace(draft.program, Limits()), benchmark="acme-toy")
laws = {}
for name in plugins.names("layout"):
    layout = plugins.load("layout", name)
    try:
        examples = layout.render(run, draft.program)
        laws[name] = str(list(layout.parse(draft.program, examples)) == list(layout.keeps(run)))
    except (languages.MissingPart, ValueError) as why:
        laws[name] = str(why)
numbers = [-3, 0, 12]
read, write = (languages.part("acme-count", name) for name in ("read", "write"))
print(json.dumps({
    "tasks": {kind: made.reason if isinstance(made, Unasked) else [task.expected for task in made]
              for kind, made in tasks.items()},
    "unknown": unknown.reason,
    "laws": laws,
    "written": [read(write(number), most=9) for number in numbers],
    "page": "mul 2" in page_of(View(draft.program, [run])),
}))
"""


@pytest.fixture(scope="module")
def toy(site: Path) -> dict[str, Any]:
    """What the toy language answers, by everything that asks a language."""
    ended = run_beside(site, "-c", ASKED)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    answers: dict[str, Any] = json.loads(ended.stdout.splitlines()[-1])
    return answers


def test_every_question_about_lines_is_asked_in_another_language(toy: dict[str, Any]):
    reasons = {kind: made for kind, made in toy["tasks"].items() if isinstance(made, str)}
    assert reasons == {
        "branches": "no branch", "hot-lines": "no line is reached twice", "loop-counts": "no loop",
        "loop-values": "no loop",
    }  # fmt: skip
    assert toy["tasks"]["next-line"] == ["2", "0"]


def test_a_question_names_the_part_that_a_language_does_not_have(toy: dict[str, Any]):
    assert toy["unknown"] == "acme-unknown has no facts"


def test_layouts_keep_their_law_in_another_language_or_name_the_missing_part(toy: dict[str, Any]):
    others = {name: law for name, law in toy["laws"].items() if law != "True"}
    assert [law for law in others.values() if " of granularity " not in law and " has no " not in law] == []
    assert {"compact", "direct", "line-1", "line-1-full", "line-n", "scratchpad"} & others.keys() == set()


def test_literals_of_another_language_are_read_as_they_were_written_and_a_page_shows_its_program(
    toy: dict[str, Any],
):
    assert toy["written"] == [-3, 0, 12]
    assert toy["page"]
