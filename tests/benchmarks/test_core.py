"""core: every problem file is complete, runs to its recorded answer; the whole is what its page says.

Step counts here come from a counter of a few lines under sys.settrace, the second opinion of the tracer's.
They hold for CPython 3.11: later versions run comprehensions without a frame of their own.

    pytest tests/benchmarks/test_core.py --update-golden   # a new version: answers, docs/benchmarks/core.md
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import json
import os
import re
import statistics
import sys
import sysconfig
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import jinja2
import pytest

from deskcheck.benchmarks import core
from deskcheck.errors import DataError, UserError
from deskcheck.format.buffers import trace_of
from deskcheck.records import Limits, Refused, Skipped, TaskDraft
from deskcheck.tracing.collect import trace_packed, trace_programs
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

DOCUMENT = Path(__file__).parents[2] / "docs" / "benchmarks" / "core.md"
FOLDER = core.folder_of("")
PROBLEMS = [problem for problem in core.problems(FOLDER) if not core.missing_library(problem)]
CONTROLS = [problem for problem in PROBLEMS if problem.about["family"] == "control"]
PLAIN = [
    problem
    for problem in PROBLEMS
    if problem.about["family"] == "plain"
    and problem.control_for in {other.name.split("-")[0] for other in PROBLEMS}
]
FAMILIES = [
    "dynamic programming", "bit manipulation", "strings", "sorting", "graphs", "greedy", "math", "recursion",
    "simulation", "data structures", "matrices", "parsing", "exceptions", "aliases", "closures", "effects",
    "texts", "predicates", "dictionaries", "long runs", "system", "control",
    "numpy", "pandas", "re", "datetime", "sqlite3", "pathlib", "http", "plain",
]  # fmt: skip
LIBRARIES = {
    "numpy": {"numpy"},
    "pandas": {"pandas"},
    "re": {"re"},
    "datetime": {"datetime", "calendar"},
    "sqlite3": {"sqlite3"},
    "pathlib": {"pathlib", "shutil", "os"},
    "http": {"socket", "http", "urllib", "wsgiref", "json", "zlib"},
}
"""Families of version 4 and the modules that they may import."""
PATTERNS = ["take or skip", "two sequences", "grid", "interval", "subset"]
SYSTEM = {"jinja2", "json", "os", "pathlib", "sqlite3", "struct", "tempfile"}
IMPORTABLE = {
    "bisect",
    "collections",
    "functools",
    "heapq",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
    "string",
}
FORBIDDEN = {
    "open",
    "input",
    "print",
    "exec",
    "eval",
    "compile",
    "id",
    "hash",
    "globals",
    "vars",
    "dir",
    "__import__",
}
LONGEST_ANSWER = 80
MOST_STEPS = 400
on_3_11 = pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="step counts are those of CPython 3.11")


def number_of(problem: core.Problem) -> int:
    return int(problem.name.split("-")[0])


class Run:
    """One call under plain exec: its answer as literal text, its line events, whether anything was raised."""

    def __init__(self, problem: core.Problem, call: tuple[str, str]) -> None:
        self.steps = 0
        self.raised = False
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(compile(problem.source, "<program>", "exec"), names)
        entry, arguments = call
        code = compile(f"{entry}({arguments})", "<call>", "eval")
        before = sys.gettrace()
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            sys.settrace(self._watch)
            try:
                self.value: object = eval(code, names)
                self.answer = repr(self.value)
            except Exception as error:
                self.value = None
                self.answer = f"raises {type(error).__qualname__}"
            finally:
                sys.settrace(before)
            self.files_left = os.listdir(folder)

    def _watch(self, frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code.co_filename != "<program>":
            return None
        self.steps += event == "line"
        self.raised |= event == "exception" and argument[0] is not StopIteration
        return self._watch


RUNS = {problem.name: [Run(problem, call) for call in problem.calls] for problem in PROBLEMS}
BY_NUMBER = {problem.name.split("-")[0]: problem for problem in PROBLEMS}
each_problem = pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: problem.name)


@pytest.mark.parametrize("version", core.VERSIONS)
def test_the_problems_and_answers_are_the_frozen_ones(version: int):
    assert core.fingerprint(FOLDER, version) == core.VERSIONS[version].sha256, (
        "core is frozen: if the change is meant, follow 'Freezing' in docs/benchmarks/core.md"
    )


def test_one_changed_byte_changes_the_fingerprint(tmp_path: Path):
    copy_shipped(tmp_path)
    for version, name in ((1, PROBLEMS[0].name), (2, PROBLEMS[187].name)):
        assert core.fingerprint(tmp_path, version) == core.fingerprint(FOLDER, version)
        file = tmp_path / f"{name}.py"
        file.write_bytes(file.read_bytes() + b"#")
        assert core.fingerprint(tmp_path, version) != core.fingerprint(FOLDER, version)
        assert (
            core.fingerprint(tmp_path, 3 - version) == core.fingerprint(FOLDER, 3 - version) or version == 2
        )


def test_answers_are_those_of_plain_execution(request: pytest.FixtureRequest):
    answers = {name: [run.answer for run in runs] for name, runs in RUNS.items()}
    if request.config.getoption("--update-golden"):
        newest = core.VERSIONS[max(core.VERSIONS)]
        before = core.VERSIONS[max(core.VERSIONS) - 1].last
        lines = (
            f"{json.dumps(name)}: {json.dumps(texts)}"
            for name, texts in answers.items()
            if int(name.split("-")[0]) > before
        )
        text = "{\n" + ",\n".join(lines) + "\n}\n"
        Path(str(FOLDER), newest.answers).write_text(text, encoding="utf-8")
    recorded = core.recorded_answers(FOLDER)
    assert recorded.keys() == {problem.name for problem in core.problems(FOLDER)}
    assert {name: recorded[name] for name in answers} == answers


@each_problem
def test_answers_are_short_literals_that_differ_between_the_calls(problem: core.Problem):
    runs = RUNS[problem.name]
    yes_or_no = problem.about["family"] == "predicates" and isinstance(runs[0].value, bool)
    assert len({run.answer for run in runs}) == (2 if yes_or_no else core.CALLS)
    assert all(len(run.answer) <= LONGEST_ANSWER for run in runs)
    for run in runs:
        if not run.answer.startswith("raises "):
            assert repr(ast.literal_eval(run.answer)) == run.answer
            assert not isinstance(run.value, float) and isinstance(run.value, bool) == yes_or_no


@each_problem
def test_a_second_run_gives_the_same(problem: core.Problem):
    again = [Run(problem, call) for call in problem.calls]
    assert [(run.answer, run.steps) for run in again] == [
        (run.answer, run.steps) for run in RUNS[problem.name]
    ]


@each_problem
def test_a_program_imports_and_names_nothing_that_reaches_outside(problem: core.Problem):
    tree = ast.parse(problem.source)
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    family = problem.about["family"]
    assert imported <= {"effects": IMPORTABLE, "system": SYSTEM, **LIBRARIES}.get(family, set())
    assert imported or family not in LIBRARIES
    allowed = {"open"} if family == "system" else set()
    assert not {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & FORBIDDEN - allowed


@each_problem
def test_a_program_iterates_over_no_set(problem: core.Problem):
    # The order of a set of texts depends on the hash seed, so a trace would too.
    for node in ast.walk(ast.parse(problem.source)):
        if isinstance(node, ast.For | ast.comprehension):
            assert not isinstance(node.iter, ast.Set | ast.SetComp)
            called = node.iter.func if isinstance(node.iter, ast.Call) else None
            assert not (isinstance(called, ast.Name) and called.id in ("set", "frozenset"))


def families_of(problems: list[core.Problem]) -> Counter[str]:
    return Counter(problem.about["family"] for problem in problems)


def added_by(version: int) -> list[core.Problem]:
    """Problems that one version added, all of them, also of libraries that are not installed."""
    first = core.VERSIONS[version - 1].last
    last = core.VERSIONS[version].last
    return [problem for problem in core.problems(FOLDER) if first < number_of(problem) <= last]


def test_version_2_has_all_its_families_and_two_controls_for_each():
    second = [problem for problem in PROBLEMS if number_of(problem) <= core.VERSIONS[2].last]
    families = families_of(second)
    assert len(second) == 188
    assert all(9 <= families[family] <= 11 for family in FAMILIES[:16])
    partners = families_of([BY_NUMBER[problem.control_for] for problem in second if problem.control_for])
    assert partners == dict.fromkeys(FAMILIES[:16], 2)


def test_version_3_adds_thin_kinds_of_values_longer_runs_the_system_and_patterns():
    added = added_by(3)
    assert len(added) == 102
    assert Counter(problem.pattern for problem in added if problem.pattern) == dict.fromkeys(PATTERNS, 8)
    assert all((problem.about["family"] == FAMILIES[0]) == bool(problem.pattern) for problem in added)
    new = dict.fromkeys(["texts", "predicates", "dictionaries", "long runs"], 8) | {"system": 10}
    assert families_of(added) == new | {FAMILIES[0]: 40, "control": 20}
    controls = [problem for problem in added if problem.control_for]
    partners = families_of([BY_NUMBER[problem.control_for] for problem in controls])
    assert partners == dict.fromkeys(["texts", "predicates", "dictionaries", "long runs", FAMILIES[0]], 2) | {
        "system": 10
    }
    assert len({problem.control_for for problem in controls}) == len(controls)


def test_version_4_adds_sixty_problems_of_libraries_and_a_plain_control_of_each():
    added = added_by(4)
    families = families_of(added)
    assert families.pop("plain") == 60
    assert set(families) == set(LIBRARIES) and families.total() == 60
    assert all(8 <= count <= 9 for count in families.values())
    partners = [problem.control_for for problem in added if problem.control_for]
    assert sorted(partners) == [str(number) for number in range(291, 351)]
    by_number = {problem.name.split("-")[0]: problem for problem in added}
    for problem in added:
        if problem.control_for:
            partner = by_number[problem.control_for]
            assert problem.calls == partner.calls and problem.name.endswith(partner.name[3:])


@pytest.mark.parametrize("control", PLAIN, ids=lambda problem: problem.name)
def test_a_plain_control_gives_the_answers_of_its_partner(control: core.Problem):
    partner = BY_NUMBER[control.control_for]
    assert [run.answer for run in RUNS[control.name]] == [run.answer for run in RUNS[partner.name]]


@on_3_11
@pytest.mark.parametrize("control", PLAIN, ids=lambda problem: problem.name)
def test_a_plain_control_runs_about_as_many_steps_as_its_partner(control: core.Problem):
    partner = BY_NUMBER[control.control_for]
    for run, other in zip(RUNS[control.name], RUNS[partner.name], strict=True):
        assert abs(run.steps - other.steps) <= max(4, 0.2 * other.steps)
        assert 10 <= other.steps <= 300


def test_no_run_leaves_a_file_behind():
    assert [name for name, runs in RUNS.items() if any(run.files_left for run in runs)] == []


def test_of_the_new_answers_many_are_texts_booleans_or_dictionaries():
    new = [run.value for name, runs in RUNS.items() if int(name.split("-")[0]) > 188 for run in runs]
    kinds = Counter(type(value).__name__ for value in new)
    assert kinds["str"] >= 24 and kinds["bool"] >= 15 and kinds["dict"] >= 18


@on_3_11
def test_long_runs_are_long():
    steps = [run.steps for p in PROBLEMS if p.about["family"] == "long runs" for run in RUNS[p.name]]
    assert min(steps) > 390 and statistics.median(steps) > 800


def test_what_the_sandbox_refuses_is_an_outcome_and_no_answer():
    source = "import socket\n\n\ndef ask():\n    return socket.create_connection(('127.0.0.1', 9))\n"
    program = make_program(source, "ask", "", origin="test")
    ((_, trace),) = trace_programs([program], Limits())
    assert trace.outcome == Refused("network:socket")


@on_3_11
def test_a_seventh_of_the_problems_and_more_pass_through_exceptions_and_some_calls_end_in_one():
    through = [name for name, runs in RUNS.items() if any(run.raised for run in runs)]
    ending = [run for runs in RUNS.values() for run in runs if run.answer.startswith("raises ")]
    assert 7 * len(through) >= len(PROBLEMS)
    assert len(ending) >= 9
    assert len({run.answer for run in ending}) >= 6


@on_3_11
def test_no_length_is_rare():
    partners = {problem.name: BY_NUMBER.get(problem.control_for, problem) for problem in PROBLEMS}
    before = [problem for problem in PROBLEMS if number_of(problem) <= core.VERSIONS[3].last]
    short = [problem for problem in before if partners[problem.name].about["family"] != "long runs"]
    steps = [run.steps for problem in short for run in RUNS[problem.name]]
    thirds = [sum(low <= n <= high for n in steps) for low, high in ((3, 12), (13, 40), (41, MOST_STEPS))]
    assert sum(thirds) == len(steps)
    assert all(0.2 <= third / len(steps) <= 0.48 for third in thirds)


def family_table() -> str:
    """The table of the page: steps of the items by family."""
    names = {family: [p.name for p in PROBLEMS if p.about["family"] == family] for family in FAMILIES}
    rows = [
        "| family | problems | steps: least | quartile | median | quartile | most | tasks that raise |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for family, members in {**names, "all": list(RUNS)}.items():
        runs = [run for name in members for run in RUNS[name]]
        steps = [run.steps for run in runs]
        low, middle, high = statistics.quantiles(steps, n=4, method="inclusive")
        ending = sum(run.answer.startswith("raises ") for run in runs)
        cells = (len(members), min(steps), low, middle, high, max(steps), ending)
        rows.append(f"| {family} | {' | '.join(f'{cell:g}' for cell in cells)} |")
    return "\n".join(rows) + "\n"


@on_3_11
def test_the_table_of_the_document_is_what_is_measured(request: pytest.FixtureRequest):
    text = DOCUMENT.read_text(encoding="utf-8")
    if request.config.getoption("--update-golden"):
        start, end = "<!-- measured -->\n", "<!-- end -->"
        text = re.sub(f"{start}.*?{end}", f"{start}{family_table()}{end}", text, flags=re.DOTALL)
        DOCUMENT.write_text(text, encoding="utf-8")
    assert family_table() in text


@on_3_11
@pytest.mark.parametrize("control", CONTROLS, ids=lambda problem: problem.name)
def test_a_control_runs_as_many_steps_as_its_partner(control: core.Problem):
    partner = next(name for name in RUNS if name.startswith(f"{control.control_for}-"))
    for own, other in zip(RUNS[control.name], RUNS[partner], strict=True):
        assert abs(own.steps - other.steps) <= max(2, 0.05 * other.steps)


@pytest.mark.parametrize("control", CONTROLS, ids=lambda problem: problem.name)
def test_a_control_is_one_function_with_at_most_one_loop(control: core.Problem):
    tree = ast.parse(control.source)
    nodes = Counter(type(node).__name__ for node in ast.walk(tree))
    assert len(tree.body) == nodes["FunctionDef"] == 1
    assert nodes["For"] + nodes["While"] <= 1
    assert not {
        "ListComp",
        "GeneratorExp",
        "DictComp",
        "SetComp",
        "Lambda",
        "Try",
        "Slice",
        "Subscript",
    } & set(nodes)


@pytest.mark.parametrize("library", core.OPTIONAL)
def test_problems_of_a_library_that_is_absent_are_left_out_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, library: str
):
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name == library else find_spec(name, *rest)
    )
    rows = list(core.drafts("", version=4))
    reasons = Counter(row.reason for row in rows if isinstance(row, Skipped))
    assert reasons[f"{library} is not installed"] == 27
    assert len(rows) == core.CALLS * 410
    assert not any(draft.tags["family"] == library for draft in rows if isinstance(draft, TaskDraft))


def drafts_of(version: int) -> list[TaskDraft]:
    return [draft for draft in core.drafts("", version=version) if isinstance(draft, TaskDraft)]


def test_without_a_version_the_problems_are_those_that_models_were_asked():
    assert [draft.id for draft in drafts_of(3)] == [draft.id for draft in core.drafts("")]
    assert len(drafts_of(3)) == 870


def test_items_carry_the_header_as_tags_and_an_id_per_call():
    found = drafts_of(4)
    assert len(found) == len({draft.id for draft in found}) == core.CALLS * len(PROBLEMS)
    draft = found[45 * 3 + 1 - 3]
    assert draft.id == "45-drifting-pair:1"
    assert (draft.program.entry, draft.program.arguments, draft.recorded) == ("drift", "31, 39", "(24, 80)")
    assert draft.program.source.startswith("def drift(x, rounds):\n")
    assert draft.cluster == "45-drifting-pair"
    assert set(draft.tags) == {*core.HEADER, "lines", "control_for", "pattern"}
    assert (draft.tags["lines"], draft.tags["control_for"]) == ("6", "04-desks-by-mask")


def test_the_traced_answer_and_step_count_are_those_of_plain_execution(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    steps = {f"{name}:{k}": run.steps for name, runs in RUNS.items() for k, run in enumerate(runs)}
    for draft in drafts_of(4):
        trace = trace_program(draft.program, Limits())
        assert (draft.id, outcome_text(trace)) == (draft.id, draft.recorded)
        assert (draft.id, trace.n_steps) == (draft.id, steps[draft.id])
        assert draft.tags["family"] == "system" or trace.determinism.reads == of_files(draft)


def test_the_system_family_gives_its_answers_in_the_sandbox_too():
    chosen = [draft for draft in drafts_of(3) if draft.tags["family"] == "system"]
    if not Path(jinja2.__file__).resolve().is_relative_to(Path(sysconfig.get_path("purelib")).resolve()):
        chosen = [draft for draft in chosen if "jinja2" not in draft.program.source]  # linked from elsewhere
    for draft, (_, trace) in zip(
        chosen, trace_programs([draft.program for draft in chosen], Limits()), strict=True
    ):
        assert (draft.id, outcome_text(trace)) == (draft.id, draft.recorded)


@pytest.mark.slow
def test_every_run_of_version_4_is_confirmed_by_a_second_run_in_the_sandbox():
    drafts = [draft for draft in drafts_of(4) if int(draft.id.split("-")[0]) > core.VERSIONS[3].last]
    runs = trace_packed([draft.program for draft in drafts], Limits(), confirm=True)
    for draft, (_, packed) in zip(drafts, runs, strict=True):
        trace = trace_of(packed)
        assert (draft.id, outcome_text(trace)) == (draft.id, draft.recorded)
        assert (draft.id, trace.determinism.confirmed) == (draft.id, True)
        assert (draft.id, trace.determinism.reads) == (draft.id, of_files(draft))


def of_files(draft: TaskDraft) -> list[str]:
    """What a program is said to read that makes files and reads them."""
    return ["files"] if draft.tags["family"] == "pathlib" else []


GOOD = """\
# family: math
# title: t
# time: O(1)
# space: O(1)
# english: e
# chinese: c
# call: f(1)
# call: C(2).g(k=[3])
# call: f()
def f(): pass
"""


def copy_shipped(target: Path) -> None:
    for file in FOLDER.iterdir():
        if file.is_file():
            (target / file.name).write_bytes(file.read_bytes())


def test_a_folder_of_ones_own_is_read_in_the_same_form_and_needs_no_answers(tmp_path: Path):
    (tmp_path / "07-own-one.py").write_text(GOOD, encoding="utf-8")
    found = list(core.drafts(str(tmp_path)))
    assert [(draft.id, draft.program.call, draft.recorded) for draft in found] == [
        ("07-own-one:0", "f(1)", ""),
        ("07-own-one:1", "C(2).g(k=[3])", ""),
        ("07-own-one:2", "f()", ""),
    ]
    assert found[0].program.source == "def f(): pass\n"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("# title: t\n", "", "should have"),
        ("# time: O(1)\n# space: O(1)\n", "# space: O(1)\n# time: O(1)\n", "should have"),
        ("# call: f()\n", "", "should have"),
        ("# english: e", "# english:", "line 5"),
        ("# english: e", "# english", "line 5"),
        ("f(1)", "f(1", "does not parse"),
        ("f(1)", "f", "not of the form"),
        ("f(1)", "f(1) + 1", "not of the form"),
        ("f(1)", "(f(1))", "not of the form"),
        ("# call: f(1)", "# control-for: 99\n# call: f(1)", "no problem has the number 99"),
    ],
)
def test_a_header_that_is_not_of_the_form_is_refused(tmp_path: Path, old: str, new: str, message: str):
    assert old in GOOD
    (tmp_path / "07-own-one.py").write_text(GOOD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError, match="07-own-one") as caught:
        list(core.drafts(str(tmp_path)))
    assert message in str(caught.value)


def test_a_folder_without_problems_or_with_bad_answers_is_refused(tmp_path: Path):
    with pytest.raises(UserError, match="no folder"):
        list(core.drafts(str(tmp_path / "absent")))
    with pytest.raises(DataError, match="no problem files"):
        list(core.drafts(str(tmp_path)))
    (tmp_path / "07-own-one.py").write_text(GOOD, encoding="utf-8")
    for text in ('{"07-own-one": ["1"]}', '{"07-own-one": [1, 2, 3]}', "[]", "{"):
        (tmp_path / "answers.json").write_text(text, encoding="utf-8")
        with pytest.raises(DataError, match=core.ANSWERS.split(".")[0]):
            list(core.drafts(str(tmp_path)))
    (tmp_path / "answers.json").unlink()
    (tmp_path / "07-again.py").write_text(GOOD, encoding="utf-8")
    with pytest.raises(DataError, match="same number"):
        list(core.drafts(str(tmp_path)))
