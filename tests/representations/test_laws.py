"""Laws of the layouts on real traces: text and trace say the same, and a run can go on from text alone."""

from __future__ import annotations

from collections.abc import Callable
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
    for name in names("representation")
    if getattr(load("representation", name), "GRANULARITY", Granularity.LINE) in GRANULARITIES
]

PROGRAMS = {path.stem: path for path in sorted((Path(__file__).parent / "programs").glob("*.py"))}


def _traced(name: str) -> tuple[Program, Trace]:
    call, source = PROGRAMS[name].read_text().split("\n", 1)
    entry, arguments = call.removeprefix("# call: ").removesuffix(")").split("(", 1)
    program = make_program(source, entry, arguments, origin="test")
    return program, trace_program(program, Limits(max_steps=500))


@pytest.fixture(params=PROGRAMS, ids=list(PROGRAMS))
def run(request: pytest.FixtureRequest) -> tuple[Program, Trace]:
    return _traced(request.param)


def finer(program: Program, trace: Trace, granularity: Granularity) -> Trace:
    """The same run, step by step as asked; a line trace is what it is."""
    if granularity is Granularity.LINE:
        return trace
    found = tracing_run.trace_program(program, trace.limits, granularity=granularity)
    assert isinstance(found.outcome, Returned | Raised)
    return found


def _check_laws(program: Program, trace: Trace, seen: Callable[[Trace], Trace] = lambda trace: trace) -> None:
    for name in LAYOUTS:
        layout = load("representation", name)
        found = seen(finer(program, trace, getattr(layout, "GRANULARITY", Granularity.LINE)))
        assert layout.parse(program, layout.render(found, program)) == layout.keeps(found), name
    for granularity in GRANULARITIES:
        state = first_state(trace)
        for before, step, after in steps(seen(finer(program, trace, granularity)), granularity=granularity):
            assert str(state) == str(before)
            state = apply_step(read_state(str(state)), read_step(str(step)))
            assert str(state) == str(after)
        assert not state.frames
    answer = outcome(step)
    if isinstance(trace.outcome, Raised):
        assert answer.text == f"raises {trace.outcome.type}"  # type: ignore[union-attr]


def test_every_layout_keeps_what_it_claims(run: tuple[Program, Trace]) -> None:
    _check_laws(*run)


def test_every_layout_keeps_what_it_claims_where_a_call_is_one_step(run: tuple[Program, Trace]) -> None:
    program, trace = run
    _check_laws(program, trace, stepped_over)


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
    layout = load("representation", "line-1")
    assert [example.target for example in layout.render(stepped_over(trace), program)] == [
        "@7", "@8 | xs=[]", "@9", "!KeyError(0) | xs=[2, 1]", "@10", "@11", "@12", "<- 2",
    ]  # fmt: skip
    assert stepped_over(trace).n_steps == 6 < trace.n_steps
    assert layout.render(trace, program)[3].target == ">1 | 0.xs=#1[]; xs=#1; n=2"


def test_a_packed_trace_is_stepped_over_like_any_other() -> None:
    from deskcheck.evaluation.truth import build_tasks

    (task,) = build_tasks("fresh", ids=["1-1"], options={"n": "2"}).tasks
    over = stepped_over(task.truth)
    layout = load("representation", "line-1")
    assert layout.parse(task.program, layout.render(over, task.program)) == layout.keeps(over)


def test_the_last_step_is_the_answer(run: tuple[Program, Trace]) -> None:
    _, trace = run
    *_, (_, step, _) = steps(trace)
    assert outcome(step).text == outcome_text(trace)  # type: ignore[union-attr]


@settings(max_examples=50)
@given(st.sampled_from(["easy", "medium"]), st.integers(0, 10**6))
def test_laws_hold_on_generated_programs(family: str, number: int) -> None:
    found = candidate(FAMILIES[family], 77, number)
    assume(found is not None)
    assert found is not None
    _check_laws(*found)


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
        text = "\n".join(e.prompt + e.target for e in load("representation", name).render(trace, program))
        assert "xs=#1[1, 2, 2, 3]" in text
        assert "~1=iter(#1)@1" in text
