"""Generated programs in JavaScript become training data: the same calls, every layout, the same checks."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice, product
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

pytest.importorskip("py_mini_racer", reason="needs the extra 'javascript'")
pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

from deskcheck import plugins
from deskcheck.dataset.build import build
from deskcheck.errors import UserError
from deskcheck.format.shards import read_pairs
from deskcheck.languages import MissingPart
from deskcheck.plugins import SourceOptions
from deskcheck.programs.generated import HELD_OUT, programs, traced
from deskcheck.records import Granularity
from deskcheck.training.presets import Mix
from deskcheck.training.stream import PartPlan, generated_examples, program_examples
from deskcheck.training.traces import granularity_of, in_process, in_sandbox

FAMILY = "easy:javascript"
WITHOUT_LISTING = {"instruction-1", "instruction-n"}
"""Layouts of Python's instructions, which JavaScript does not have."""


def test_every_layout_but_those_of_instructions_makes_examples():
    counts = Counter[str]()
    for program, trace in traced(FAMILY, seed=3, n=8):
        at = in_process(program, trace)
        for name in plugins.names("layout"):
            layout = plugins.load("layout", name)
            run = at(granularity_of(layout))
            if name in WITHOUT_LISTING:
                assert run is None
                with pytest.raises(MissingPart, match="javascript has no listing"):
                    layout.render(trace, program)
                continue
            assert run is not None, name
            counts[name] += bool(layout.render(run, program))
    assert counts == dict.fromkeys(set(plugins.names("layout")) - WITHOUT_LISTING, 8)


@pytest.mark.parametrize("family", ["easy", "medium", "hard"])
def test_a_family_in_javascript_has_the_calls_of_the_family(family: str):
    options = SourceOptions(source="generated", family=family, seed=5, n=4, calls_each=3)
    python = list(programs(options))
    twins = list(programs(replace(options, family=f"{family}:javascript")))
    assert [twin.origin for twin in twins] == [f"{program.origin}:javascript" for program in python]
    assert {twin.language for twin in twins} == {"javascript"}
    assert all("function " in twin.source for twin in twins)


def test_a_family_that_is_written_in_python_alone_is_refused():
    with pytest.raises(UserError, match="'real-1' are written in Python alone"):
        next(programs(SourceOptions(source="generated", family="real-1:javascript", n=1)))


def test_a_build_holds_runs_of_v8_that_are_traced_again_by_expression(tmp_path: Path):
    options = SourceOptions(source="generated", family=FAMILY, seed=6, n=6)
    assert build(options, tmp_path / "out", workers=1).n_kept >= 5
    pairs = in_sandbox(read_pairs(str(tmp_path / "out")), frozenset({Granularity.EXPRESSION}), workers=1)
    for program, trace, at in pairs:
        finer = at(Granularity.EXPRESSION)
        assert finer is not None and finer.granularity is Granularity.EXPRESSION, program.origin
        assert (finer.n_steps, trace.language) == (trace.n_steps, "javascript")


def test_a_stage_can_mix_both_languages_and_leaves_held_out_twins_out():
    mix = Mix({"sub": 1.0, "line-1": 1.0, "direct": 1.0}, max_steps=3)
    plan = PartPlan(0, 0, {"easy": 1.0, FAMILY: 1.0}, mix, 2, 512, 60)
    examples, counts = generated_examples(plan)
    heads = [example.prompt.split("\n")[1] for example in examples]
    n_javascript = sum(head.startswith("@1 function") for head in heads)
    assert 0.2 < n_javascript / len(heads) < 0.8
    assert counts().n_programs > 20 and counts().n_not_finer == 0
    held_out = PartPlan(0, 0, {FAMILY: 1.0}, mix, HELD_OUT["easy"], 512, 40)
    examples, counts = generated_examples(held_out)
    assert list(examples) == [] and counts().n_held_out > 10


def test_the_strings_of_twins_are_drawn_anew_as_those_of_python_are():
    """No string of the families has 20 characters; all new ones of this size have, in either language."""
    long = Counter[tuple[str, float]]()
    for family, natural in product(("easy", FAMILY), (0.0, 1.0)):
        mix = Mix({"direct": 1.0}, natural=natural, sizes={"long": 1.0})
        plan = PartPlan(0, 0, {family: 1.0}, mix, 2, 512, 60)
        prompts = [example.prompt for example in generated_examples(plan)[0]]
        assert len(prompts) > 15
        long[family, natural] = sum(bool(re.search(r"'\w{20,}'", text)) for text in prompts)
    assert [long[family, 0.0] for family in ("easy", FAMILY)] == [0, 0]
    assert min(long[family, 1.0] for family in ("easy", FAMILY)) > 3, long


def test_rows_are_the_same_in_a_second_process_of_v8():
    def rows() -> list[tuple[str, str]]:
        return [
            (example.prompt, example.target)
            for program, trace in traced(FAMILY, seed=9, n=3)
            for example in program_examples(
                program, trace, {"sub": plugins.load("layout", "sub")}, Mix({"sub": 1.0}), Random(1)
            )
        ]

    assert list(islice(rows(), 40)) == list(islice(rows(), 40)) != []
