"""Every layout can be trained from scratch: its answers alone carry loss, and a batch is learned by heart."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

import msgspec

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.programs.generated import FAMILIES, candidate
from deskcheck.records import Granularity, Limits, Program, StepLimit, Trace
from deskcheck.tracing.access import has_native
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.training import traces
from deskcheck.training.data import Rows, encode, pack, select, split_prompt
from deskcheck.training.presets import Mix, preset
from deskcheck.training.stream import generated_examples, plan_of, program_examples
from deskcheck.training.tokenizer import WIDE_SIZE, build_tokenizer

FINE = [
    name
    for name in plugins.names("layout")
    if getattr(plugins.load("layout", name), "GRANULARITY", Granularity.LINE) is not Granularity.LINE
]
LAYOUTS = [name for name in plugins.names("layout") if has_native() or name not in FINE]
FOUND = [found for number in range(40) if (found := candidate(FAMILIES["first"], 11, number))][:6]
TOKENIZER = build_tokenizer(size=WIDE_SIZE)


def rows_of(layout: str, *, max_length: int = 1024) -> tuple[Rows, int, int]:
    """Packed rows of some programs in one layout; tokens of their targets; how many heads they have."""
    mix = Mix({layout: 1.0}, max_steps=6)
    modules = {layout: plugins.load("layout", layout)}
    examples = [
        one
        for number, (program, trace) in enumerate(FOUND)
        for one in program_examples(program, trace, modules, mix, Random(number))
    ]
    questions = list(encode(examples, TOKENIZER))
    rows, report = pack(questions, max_length=max_length)
    assert report.n_too_long == 0
    return rows, sum(len(q.target) for q in questions), len({e.prompt.split("\n")[0] for e in examples})


@pytest.mark.parametrize("layout", LAYOUTS)
def test_exactly_the_answers_of_a_layout_carry_loss(layout: str):
    rows, n_targets, _ = rows_of(layout)
    assert int(rows.loss.sum()) == n_targets > 0
    heads = [split_prompt(one.prompt)[0] for one in render(layout, *FOUND[0])]
    assert len(set(heads)) == 1, "questions about one program share their head"


def render(layout: str, program: Program, trace: Trace):
    module = plugins.load("layout", layout)
    found = traces.in_process(program, trace)(traces.granularity_of(module))
    assert found is not None
    return module.render(found, program)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_example_of_any_layout_is_learned_by_heart(layout: str, tmp_path: Path):
    torch = pytest.importorskip("torch", reason="needs the extra 'train'")
    pytest.importorskip("transformers", reason="needs the extra 'train'")
    from deskcheck.training import network, trainer

    torch.set_num_threads(1)
    tokenizer = build_tokenizer(size=preset("micro", [layout]).shape.vocabulary)
    questions = encode(render(layout, *FOUND[0]), tokenizer)
    shortest = min(questions, key=lambda one: one.n_tokens)
    one, report = pack([shortest], max_length=shortest.n_tokens)
    micro = preset("micro", [layout], row_length=shortest.n_tokens)
    optimiser = msgspec.structs.replace(micro.optimiser, learning_rate=2e-2, weight_decay=0.0)
    small = msgspec.structs.replace(micro, rows_per_step=1, optimiser=optimiser)
    model = trainer.run(small, select(one, [0] * 80), tmp_path, seed=0, threads=1, save_steps=10**9).model
    with torch.no_grad():
        assert float(network.loss_of(model, one, bf16=False)) / report.n_loss < 0.3


@pytest.mark.skipif(not has_native(), reason="the tracer in C is not built")
def test_the_stream_makes_fine_layouts_beside_plain_ones():
    chosen = preset("micro", ["line-1", "sub", "instruction-1"], row_length=1024)
    plan = plan_of(chosen, 0, seed=3, candidates=12)
    assert plan.vocabulary == WIDE_SIZE
    examples, counts = generated_examples(plan)
    made = {one.layout for one in examples}
    assert made == {"line-1", "sub", "instruction-1"}
    assert counts().n_not_finer == 0


def test_a_layout_in_the_smaller_vocabulary_keeps_it():
    assert preset("micro", ["line-n"]).shape == preset("micro").shape
    assert preset("micro", ["line-1-full"]).shape.vocabulary == WIDE_SIZE


@pytest.mark.skipif(not has_native(), reason="the tracer in C is not built")
def test_a_run_that_comes_out_otherwise_is_left_out_and_counted():
    program = make_program("def f(n, seen=[]):\n    seen.append(n)\n    return n\n", "f", "3", origin="t")
    trace = trace_program(program, Limits())
    other = msgspec.structs.replace(trace, outcome=StepLimit(3))
    lost: list[str] = []
    modules = {name: plugins.load("layout", name) for name in ("line-1", "sub")}
    mix = Mix({"line-1": 1.0, "sub": 1.0})
    made = list(program_examples(program, other, modules, mix, Random(0), lost=lost))
    assert {one.layout for one in made} == {"line-1"}
    assert lost == ["sub"]


def test_without_the_tracer_in_c_a_fine_layout_says_what_to_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(traces, "has_native", lambda: False)
    with pytest.raises(UserError, match="layout 'sub' needs traces of expression granularity"):
        preset("micro", ["sub"])


@pytest.mark.skipif(not has_native(), reason="the tracer in C is not built")
def test_programs_of_others_are_traced_again_in_the_sandbox():
    pairs = [(program, trace) for program, trace in FOUND[:3]]
    wanted = frozenset({Granularity.LINE, Granularity.EXPRESSION})
    for (program, trace), (same, line, at) in zip(
        pairs, traces.in_sandbox(pairs, wanted, workers=1), strict=True
    ):
        assert (same, line) == (program, trace)
        assert at(Granularity.LINE) is trace
        found = at(Granularity.EXPRESSION)
        assert found is not None
        assert (found.granularity, found.n_steps) == (Granularity.EXPRESSION, trace.n_steps)
