"""The declared table holds: every strategy on what it fits, with a scripted model and without one mistake.

Gold answers are right, wrong ones wrong, junk is no answer with a reason, a cut one is truncated, a loop
without an end is over budget. Every strategy is asked all its kinds of task on one benchmark, and a seeded
part of the other triples. Programs are traced in this process; gold is written from the truth.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from tests.benchmarks import rows
from tests.strategies.programs import fine_enough, gold, roll_out

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.evaluation.sample_records import judge_all
from deskcheck.evaluation.truth import build_tasks
from deskcheck.records import (
    Answer,
    Completion,
    Executed,
    Limits,
    NoAnswer,
    Program,
    Prompt,
    Rollout,
    Score,
    Task,
    Trace,
)
from deskcheck.states.parse import outcome
from deskcheck.states.steps import whole_run
from deskcheck.strategies import (
    ANY,
    Settings,
    check_fit,
    check_program,
    language_refusal,
    sends_one_request,
    settings_of,
)
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.turns import derived

CRUXEVAL = [
    {"id": "sample_0", "input": "2", "output": "4",
     "code": "def f(x):\n    y = x + 1\n    for i in range(2):\n        y += i\n    return y"},
    {"id": "sample_1", "code": "def f(x):\n    if x[0]:\n        return x[1]\n    return x", "input": "'ab'",
     "output": "'b'"},
]  # fmt: skip
OTHERS = [name for name in plugins.names("benchmark") if name != "cruxeval"]
STRATEGIES = plugins.names("strategy")
KINDS = plugins.names("question")
SEED, PART = 5, 0.05
OUTPUT_ALONE = {"cruxeval-x", "re2-bench"}
"""Benchmarks whose runs are recorded or in another language: nothing but their output is asked."""
ANOTHER_FILE = {("re2-bench", "branches"), ("re2-bench", "loop-values"), ("cruxeval-x", "input")}
"""Asked by tests of their own: tests/importers/test_re2_rule.py, tests/sandbox/test_foreign.py."""
NONE_AT_FIRST = {
    *(("core", "branches"), ("easy", "branches")),
    *(("fresh", "counterfactual"), ("leetcode", "next-state")),
    *(("real", kind) for kind in ("counterfactual", "hot-lines", "loop-counts", "loop-values", "state")),
    *(("written", kind) for kind in ("hot-lines", "loop-counts", "loop-values")),
}
"""Kinds of question that the first two programs of a benchmark do not have; every other one is asked."""


def here(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Trace]]:
    """Traces in this process: these programs are the tests' own or ship with the package."""
    for program in programs:
        yield program, traced(program, limits)


@cache
def traced(program: Program, limits: Limits) -> Trace:
    """The same program is asked about in many ways."""
    return trace_program(program, limits)


def execute(pairs: Sequence[tuple[Task, Answer]]) -> list[Executed]:
    """The same for predicted arguments."""
    found = []
    for task, answer in pairs:
        program = make_program(
            task.program.source, task.program.entry, answer.text, origin="test", prelude=task.program.prelude
        )
        found.append(Executed(answer.text, outcome_text(trace_program(program, Limits()))))
    return found


def fits(name: str, kind: str) -> bool:
    try:
        check_fit(name, plugins.load("strategy", name), kind=kind)
    except UserError as refusal:
        assert kind in str(refusal)
        assert "output" in str(refusal)
        assert str(refusal).endswith(f"; {plugins.load('strategy', name).WHY}")
        return False
    return True


def triples() -> list[tuple[str, str, str]]:
    """(benchmark, kind, strategy): all of `cruxeval`, and a seeded part of the rest.

    With `vanilla` every benchmark is asked every kind by tests/benchmarks/test_contract.py.
    """
    pairs = [(kind, name) for kind in KINDS for name in STRATEGIES if fits(name, kind)]
    rest = [(benchmark, *pair) for benchmark in OTHERS for pair in pairs if pair[1] != "vanilla"]
    return [("cruxeval", *pair) for pair in pairs] + [
        triple for triple in rest if triple[:2] not in ANOTHER_FILE and is_drawn(triple)
    ]


def is_drawn(triple: tuple[str, str, str]) -> bool:
    """Drawn by its names alone, so that a new plug-in leaves the draw of all others as it was."""
    return random.Random(f"{SEED} {' '.join(triple)}").random() < PART


@cache
def tasks_of(benchmark: str, kind: str, folder: Path) -> list[Task]:
    if benchmark == "cruxeval":
        data, options = str(rows.written(folder / "cruxeval.jsonl", CRUXEVAL)), {}
    else:
        data, options = rows.data_of(benchmark, folder)
    found = build_tasks(benchmark, kind=kind, data=data, options=options, limit=2, runner=here)
    return [task for task in found.tasks if not rows.is_unanswerable(task)][:4]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("benchmarks")


def verdict(task: Task, done: Rollout) -> Score:
    return judge_all([(task, 0, done.answer)], policy="strict", run=execute)[0]


def wrong_run(task: Task) -> list[str]:
    """Steps of a well-formed run that is not the true one, nor in what the task asks."""
    line, _, nth = task.id.rpartition("@")[2].partition(".")
    steps = ["@77", "@78"]
    if task.kind == "reached" and task.expected == "False":
        steps = [f"@{line}"]
    elif task.kind == "next-line":
        steps = [f"@{line}"] * int(nth) + ["@77"]
    elif task.kind == "halting":
        steps = [f"@{77 + number}" for number in range(int(line) + 1 if task.expected == "True" else 1)]
    return [*steps, "!!Certainly('not')" if task.kind == "exception" else "<- 'certainly not'"]


STEPPING = {"line-1", "line-1-full", "sub", "expression-1", "instruction-1", "line-n", "instruction-n"}
STEPPING |= {name for name in STRATEGIES if getattr(plugins.load("strategy", name), "CHAIN", "") == "states"}


def wrong_text(task: Task, name: str) -> str:
    """A well-formed answer that is not the true one."""
    if name in ("scratchpad", "compact"):
        return "\n".join([">1", *wrong_run(task)])
    if name == "cwm":
        kind, value = (
            ("exception", "Certainly()") if task.kind == "exception" else ("return", "'certainly not'")
        )
        return f'<|{kind}_sep|><|action_sep|>..<|arg_sep|>"{value}"<|frame_sep|>'
    if plugins.load("strategy", name).TRAINED:
        return wrong_run(task)[-1]
    said = f"{task.program.entry}(no_such=1)" if task.grading == "executed" else "'certainly not'"
    if task.form.get("en", "").startswith("the JSON object"):
        said = '{"output": "certainly not"}'
    return f"STATE: none\n[ANSWER]{said}[/ANSWER]" if name == "iip-dynamic" else f"[ANSWER]{said}[/ANSWER]"


def is_not_written(task: Task, done: Rollout) -> bool:
    """REval also asks what a call's last line assigns; no layout writes a state after it."""
    why = done.answer.detail if isinstance(done.answer, NoAnswer) else ""
    return (task.benchmark, task.kind) == ("reval", "state") and "with which its call ends" in why


@pytest.mark.parametrize(("benchmark", "kind", "name"), triples())
def test_a_scripted_model_is_graded_as_it_deserves(benchmark: str, kind: str, name: str, folder: Path):
    if not fine_enough(name):
        pytest.skip("its true steps need the C extension")
    strategy = plugins.load("strategy", name)
    settings = settings_of(
        name, strategy, Settings(max_steps=10_000, skip="4" if kind in derived.ENDS else "1")
    )
    tasks = tasks_of(benchmark, kind, folder)
    if not tasks:
        assert benchmark in OUTPUT_ALONE or (benchmark, kind) in NONE_AT_FIRST, (
            f"the first two tasks of {benchmark} have no '{kind}' question; if so, add it to NONE_AT_FIRST"
        )
        pytest.skip(f"no '{kind}' question can be asked of the first programs of '{benchmark}'")
    if language_refusal(strategy, tasks[0].program.language, settings):
        with pytest.raises(
            UserError, match=f"strategy '{name}' reads .*; task .* is in (ruby|python of a project)"
        ):
            check_program(name, strategy, tasks[0], settings=settings)
        return
    for task in tasks:
        done, asked = roll_out(strategy, task, gold(name, strategy, task, settings), settings)
        assert verdict(task, done).verdict == "right" or is_not_written(task, done), done.answer
        assert asked[0] == strategy.opening(task, settings)

        wrong_steps = iter(wrong_run(task))

        def wrong(prompt: Prompt, task: Task = task, wrong_steps: Iterator[str] = wrong_steps) -> str:
            if name in STEPPING:
                return next(wrong_steps)
            turn = name in ("iip-static", "iip-oracle") and "[ANSWER]" not in prompt.messages[-1].text
            return "STATE: none" if turn else wrong_text(task, name)

        done, _ = roll_out(strategy, task, wrong, settings)
        assert verdict(task, done).verdict == "wrong" or is_not_written(task, done), done.answer
        done, _ = roll_out(strategy, task, lambda prompt: "%%% let me think about it", settings)
        assert (verdict(task, done).verdict, verdict(task, done).reason) == ("no answer", "unparsable")
        done, _ = roll_out(strategy, task, lambda prompt: Completion("@4 | x", "length", 1, 9), settings)
        assert (verdict(task, done).verdict, verdict(task, done).reason) == ("no answer", "truncated")


@pytest.mark.parametrize(
    "name", [n for n in STRATEGIES if "max_steps" in plugins.load("strategy", n).SETTINGS]
)
def test_a_loop_that_does_not_end_in_its_budget_is_over_budget(name: str, folder: Path):
    if not fine_enough(name):
        pytest.skip("its true steps need the C extension")
    strategy = plugins.load("strategy", name)
    (task, _) = tasks_of("cruxeval", "output", folder)
    settings = settings_of(name, strategy, Settings(max_steps=2, skip="1"))
    done, asked = roll_out(strategy, task, gold(name, strategy, task, settings), settings)
    assert (verdict(task, done).verdict, verdict(task, done).reason) == ("no answer", "budget")
    assert len(asked) == 2


@pytest.mark.parametrize("name", STRATEGIES)
def test_the_first_prompt_holds_program_and_call_and_no_request_can_hold_a_tool(name: str, folder: Path):
    if not fine_enough(name):
        pytest.skip("its true steps need the C extension")
    strategy = plugins.load("strategy", name)
    (task, _) = tasks_of("cruxeval", "output", folder)
    settings = settings_of(name, strategy, Settings())
    _, asked = roll_out(strategy, task, gold(name, strategy, task, settings), settings)
    text = "\n".join(message.text for message in asked[-1].messages)  # iip-static shows line after line
    for line in task.program.source.splitlines():
        assert (line.strip() in text) != getattr(strategy, "BLIND", False)
    first = "\n".join(message.text for message in asked[0].messages)
    assert any(call in first for call in ("f(2)", "x=2", '{"x": "2"}'))
    assert set(Prompt.__struct_fields__) == {
        "messages",
        "max_tokens",
        "stop",
        "temperature",
        "logprobs",
        "schema",
    }


@pytest.mark.parametrize("name", STRATEGIES)
def test_one_request_is_declared_if_and_only_if_a_run_of_several_steps_is_asked_in_one(
    name: str, folder: Path
):
    if not fine_enough(name):
        pytest.skip("its true steps need the C extension")
    strategy = plugins.load("strategy", name)
    (task, _) = tasks_of("cruxeval", "output", folder)
    settings = settings_of(name, strategy, Settings(skip="1"))
    model = gold(name, strategy, task, settings)
    if name == "run-python":
        model = iter(["[RUN]print(f(2))[/RUN]", "[ANSWER]4[/ANSWER]"]).__next__
        _, asked = roll_out(strategy, task, lambda prompt: model(), settings)
    else:
        _, asked = roll_out(strategy, task, model, settings)
    assert sends_one_request(name, settings) == (len(asked) == 1)
    if "passes" in strategy.SETTINGS:
        assert not sends_one_request(name, Settings(passes=2))


def test_the_table_of_what_fits_what_is_the_declared_one():
    by_kind = {kind: {name for name in STRATEGIES if fits(name, kind)} for kind in KINDS}
    anything = {name for name in STRATEGIES if plugins.load("strategy", name).FITS == ANY}
    assert {"vanilla", "cot", "self-consistency", "few-shot"} <= anything
    walks = {"iip-single", "iip-static", "iip-dynamic"}
    runs = {"scratchpad", "compact", *STEPPING}
    assert by_kind["output"] == set(STRATEGIES)
    assert by_kind["input"] == anything | {"base-completion"}  # nothing can be executed before it is known
    assert by_kind["annotation"] == anything | runs  # its question shows the program, which walks must not
    assert by_kind["counterfactual"] == anything | walks  # a layout writes the run that there is
    assert by_kind["coverage"] == by_kind["next-line"] == by_kind["branches"] == anything | walks | runs
    assert by_kind["halting"] == by_kind["next-state"] == anything | walks | runs
    assert by_kind["exception"] == anything | walks | runs | {"iip-oracle", "cwm", "debugger", "adaptive"}
    assert by_kind["state"] == by_kind["loop-values"] == anything | walks | runs | {"iip-oracle"}
    for name in ("line-n", "instruction-n"):
        with pytest.raises(UserError, match="writes only some of the states; use -S skip=1"):
            check_fit(name, plugins.load("strategy", name), kind="coverage", settings=Settings())
    with pytest.raises(UserError, match="teacher_forcing=true asks single steps"):
        check_fit(
            "line-1",
            plugins.load("strategy", "line-1"),
            kind="state",
            settings=Settings(teacher_forcing="true"),
        )


@pytest.mark.parametrize("kind", sorted(derived.FITS))
def test_a_right_run_holds_the_answer_to_every_question_that_is_read_off_it(kind: str):
    """All of core and all of CRUXEval were tried once: 9,201 and 9,836 answers, every one right."""
    tasks = build_tasks("core", kind=kind, runner=here, limit=60).tasks[::2]
    assert len(tasks) > 20
    for task in tasks:
        start, run = whole_run(task.truth)
        states = [start, *(state for _, state in run[:-1])]
        assert (
            verdict(task, Rollout(derived.derived(task, states, outcome(run[-1][0])), [])).verdict == "right"
        )
