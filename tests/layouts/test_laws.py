"""Laws of the layouts on real traces: text and trace say the same, and a run can go on from text alone."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.second_opinion.live_frames import live_frames
from tests.second_opinion.resume import resume

from deskcheck.errors import NotResumable
from deskcheck.plugins import load, names
from deskcheck.programs.generated import FAMILIES, candidate
from deskcheck.records import Granularity, Limits, Program, Raised, Returned, Trace
from deskcheck.states.calls import stepped_over
from deskcheck.states.parse import outcome, read_state, read_step
from deskcheck.states.steps import first_state, steps
from deskcheck.states.tree import StateTree, apply_step
from deskcheck.tracing import run as tracing_run
from deskcheck.tracing.access import has_native
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

# Where the extension was not built, only lines can be traced.
GRANULARITIES = list(Granularity) if has_native() else [Granularity.LINE]
LAYOUTS = [
    name
    for name in names("layout")
    if getattr(load("layout", name), "GRANULARITY", Granularity.LINE) in GRANULARITIES
]

PROGRAMS = {path.stem: path for path in sorted((Path(__file__).parent / "programs").glob("*.py"))}


@cache
def _traced(name: str) -> tuple[Program, Trace]:
    call, source = PROGRAMS[name].read_text().split("\n", 1)
    entry, arguments = call.removeprefix("# call: ").removesuffix(")").split("(", 1)
    program = make_program(source, entry, arguments, origin="test")
    return program, trace_program(program, Limits(max_steps=500))


@pytest.fixture(params=PROGRAMS, ids=list(PROGRAMS))
def run(request: pytest.FixtureRequest) -> tuple[Program, Trace]:
    return _traced(request.param)


RUNS: dict[tuple[Program, Granularity, bool], Trace] = {}
"""Runs of this session's programs: each layout writes the same ones."""


def finer(program: Program, trace: Trace, granularity: Granularity, *, over: bool = False) -> Trace:
    """The same run, step by step as asked, or with each call as one step; a line trace is what it is."""
    key = (program, granularity, over)
    if key not in RUNS:
        if over:
            RUNS[key] = stepped_over(finer(program, trace, granularity))
        elif granularity is Granularity.LINE:
            RUNS[key] = trace
        else:
            RUNS[key] = tracing_run.trace_program(program, trace.limits, granularity=granularity)
            assert isinstance(RUNS[key].outcome, Returned | Raised)
    return RUNS[key]


def _check_layout(name: str, program: Program, trace: Trace) -> None:
    """What a layout says of a run is what it claims to keep of it, with calls and without."""
    layout = load("layout", name)
    granularity = getattr(layout, "GRANULARITY", Granularity.LINE)
    for over in (False, True):
        run = finer(program, trace, granularity, over=over)
        examples = layout.render(run, program)
        where = f"calls stepped over: {over}\n{program.source}"
        assert examples, where
        assert layout.parse(program, examples) == layout.keeps(run), where


def _check_states(program: Program, trace: Trace) -> None:
    """Each step, read from its text, makes the next state out of the state before."""
    for over in (False, True):
        for granularity in GRANULARITIES:
            state = first_state(trace)
            run = finer(program, trace, granularity, over=over)
            for before, step, after in steps(run, granularity=granularity):
                assert str(state) == str(before)
                state = apply_step(read_state(str(state)), read_step(str(step)))
                assert str(state) == str(after)
            assert not state.frames
    if isinstance(trace.outcome, Raised):
        answer = outcome(step)
        assert answer.text == f"raises {trace.outcome.type}"  # type: ignore[union-attr]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout_keeps_what_it_claims(layout: str) -> None:
    for name in PROGRAMS:
        _check_layout(layout, *_traced(name))


@cache
def _generated(family: str, number: int) -> tuple[Program, Trace] | None:
    return candidate(FAMILIES[family], 77, number)


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=50)
@given(st.sampled_from(["easy", "medium"]), st.integers(0, 10**6))
def test_a_layout_keeps_what_it_claims_of_generated_programs(layout: str, family: str, number: int) -> None:
    drawn = _generated(family, number)
    assume(drawn is not None)
    assert drawn is not None
    _check_layout(layout, *drawn)


def test_a_step_read_from_its_text_makes_the_next_state(run: tuple[Program, Trace]) -> None:
    _check_states(*run)


def test_a_run_stepped_over_has_the_states_of_the_entry_alone(run: tuple[Program, Trace]) -> None:
    program, trace = run
    if "yield" in program.source or " for " in program.source.partition("return")[2]:
        pytest.skip("the inside of a generator is not shown")
    own = [
        str(before)
        for before, _, _ in steps(trace)
        if len(before.frames) == 1 and before.frames[0].pending != "<-"
    ]
    over = stepped_over(trace)
    assert [str(before) for before, _, _ in steps(over)] == own
    assert stepped_over(over) is over


def test_a_call_is_one_step_and_its_effects_are_there() -> None:
    source = (
        "def g(xs, n):\n    if n == 0:\n        raise KeyError(n)\n    xs.append(n)\n"
        "    return g(xs, n - 1)\n"
        "def f(n):\n    xs = []\n    try:\n        g(xs, n)\n    except KeyError:\n        n = len(xs)\n"
        "    return n\n"
    )
    program = make_program(source, "f", "2", origin="test")
    trace = trace_program(program, Limits())
    layout = load("layout", "line-1")
    assert [example.target for example in layout.render(stepped_over(trace), program)] == [
        "@7", "@8 | xs=[]", "@9", "!KeyError(0) | xs=[2, 1]", "@10", "@11", "@12", "<- 2",
    ]  # fmt: skip
    assert stepped_over(trace).n_steps == 6 < trace.n_steps
    assert layout.render(trace, program)[3].target == ">1 | 0.xs=#1[]; xs=#1; n=2"


def test_a_packed_trace_is_stepped_over_like_any_other() -> None:
    from deskcheck.evaluation.truth import build_tasks

    (task,) = build_tasks("fresh", ids=["1-1"], options={"n": "2"}).tasks
    over = stepped_over(task.truth)
    layout = load("layout", "line-1")
    assert layout.parse(task.program, layout.render(over, task.program)) == layout.keeps(over)


def test_the_last_step_is_the_answer(run: tuple[Program, Trace]) -> None:
    _, trace = run
    *_, (_, step, _) = steps(trace)
    assert outcome(step).text == outcome_text(trace)  # type: ignore[union-attr]


@settings(max_examples=50)
@given(st.sampled_from(["easy", "medium"]), st.integers(0, 10**6))
def test_a_step_of_a_generated_program_makes_the_next_state(family: str, number: int) -> None:
    drawn = _generated(family, number)
    assume(drawn is not None)
    assert drawn is not None
    _check_states(*drawn)


def _resume_everywhere(program: Program, trace: Trace) -> tuple[int, int]:
    """How many states went on to the same end, and how many refused."""
    done = refused = 0
    for before, _, _ in steps(trace):
        namespace: dict[str, object] = {}
        exec(compile(program.source, "<program>", "exec"), namespace)
        try:
            frames = live_frames(program, namespace, read_state(str(before)))
            try:
                result = f"{resume(program, frames, namespace)!r}"
            except Exception as error:
                if isinstance(error, NotResumable):
                    raise
                result = f"raises {type(error).__name__}"
        except NotResumable:
            refused += 1
            continue
        expected = outcome_text(trace)
        assert result == expected or _plain(result) == _plain(expected), f"{before}: {result}, not {expected}"
        done += 1
    return done, refused


def _plain(text: str) -> object:
    import ast

    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return text


def test_the_program_goes_on_from_the_parsed_text(run: tuple[Program, Trace]) -> None:
    done, refused = _resume_everywhere(*run)
    assert done > 0, f"all {refused} states refused"


@settings(max_examples=60)
@given(st.sampled_from(["easy", "medium"]), st.integers(0, 10**6))
def test_generated_programs_go_on_from_any_parsed_text(family: str, number: int) -> None:
    found = candidate(FAMILIES[family], 78, number)
    assume(found is not None)
    assert found is not None
    program, trace = found
    done, refused = _resume_everywhere(program, trace)
    if "\ndef " not in program.source:  # without calls every line of a generated program can be gone on from
        assert refused <= 1, f"{refused} of {done + refused} states refused"


def variables(state: StateTree) -> set[str]:
    """Names, frame by frame; a finer trace may show more temporaries."""
    return {
        f"{n}.{name}" for n, frame in enumerate(state.frames) for name in frame.entries if name[0] not in "~^"
    }


@pytest.mark.skipif(not has_native(), reason="finer traces need the C extension")
def test_any_trace_gives_line_steps(run: tuple[Program, Trace]) -> None:
    program, trace = run

    def way(found: Trace) -> list[tuple[str, int, set[str]]]:
        rows = [(step, after) for _, step, after in steps(found)]
        return [(step.mark, step.line, variables(after)) for step, after in rows]

    for granularity in GRANULARITIES:
        assert way(finer(program, trace, granularity)) == way(trace)
    with pytest.raises(ValueError, match="has line events, none of granularity instruction"):
        list(steps(trace, granularity=Granularity.INSTRUCTION))


def test_aliases_and_iterators_are_visible_in_every_state_text() -> None:
    program, trace = _traced("a_changing_list")
    for name in ("scratchpad", "compact", "line-1"):
        text = "\n".join(e.prompt + e.target for e in load("layout", name).render(trace, program))
        assert "xs=#1[1, 2, 2, 3]" in text
        assert "~1=iter(#1)@1" in text
