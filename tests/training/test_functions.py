"""Functions with calls that a worker traces: held-out and near ones stay out, and bounds hold."""

from __future__ import annotations

import lzma
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

from deskcheck.benchmarks.core import folder_of, problems
from deskcheck.benchmarks.written import drafts
from deskcheck.decontamination.near import fingerprints
from deskcheck.errors import DataError, UserError
from deskcheck.programs import written
from deskcheck.records import Raised, Returned
from deskcheck.tracing.program import make_program
from deskcheck.training.live.functions import (
    STEPS,
    Function,
    Header,
    drawn,
    functions_of,
    run_of,
    write_functions,
)
from deskcheck.training.presets import Mix
from deskcheck.training.stream import PartPlan, generated_examples

SPREAD = """
def spread(words):
    found = []
    for word in words:
        found.append(word * 2)
    return found
"""
GROWS = """
def grow(n):
    found = [0]
    while n:
        found += found
        n -= 1
    return found
"""


def plan(family: str, candidates: int) -> PartPlan:
    mix = Mix({"direct": 1.0, "sub": 1.0}, max_steps=3)
    return PartPlan(0, 0, {family: 1.0}, mix, 1, 1024, candidates)


def written_to(path: Path, *functions: Function, digest: str = "") -> str:
    write_functions(path, Header(digest or fingerprints().digest, ["mine==1"]), iter(functions))
    return f"functions:{path}"


def test_training_and_benchmark_share_no_function_of_the_written_corpus():
    trained = {one.origin.rpartition(":")[2] for one in functions_of("written").functions}
    asked = {one.cluster for one in drafts("")}
    texts = map(written.text_of, written.families())
    everything = {written.name_of(calls) for text in texts for _, calls in written.blocks(text)}
    assert trained | asked == everything and not trained & asked
    assert len(everything) / 16 < len(asked) < len(everything) / 9


def test_draws_of_the_written_corpus_keep_to_their_bounds_and_are_the_same_again():
    functions = functions_of("written")
    first, again = ([drawn(functions, rng) for rng in map(Random, range(120))] for _ in range(2))
    assert [one and one.program.id for one in first] == [one and one.program.id for one in again]
    traces = [one.trace for one in first if one and one.trace]
    assert len(traces) > 60
    assert all(isinstance(trace.outcome, Returned | Raised) for trace in traces)
    assert all(STEPS[0] <= trace.n_steps <= STEPS[1] for trace in traces)
    calls = {(f.source, *call) for f in functions.functions for call in f.calls}
    programs = {(p.source, p.entry, p.arguments) for p in (one.program for one in first if one)}
    assert programs - calls and programs & calls  # mutated ones, and those as written


def test_a_run_that_grows_is_not_kept():
    small, large = (make_program(GROWS, "grow", n, origin="a", license="MIT") for n in ("3", "12"))
    assert run_of(small) is not None
    assert run_of(large) is None


def test_a_run_that_takes_too_long_is_stopped():
    slow = make_program("def f(n):\n    while n:\n        sum(range(10**6))\n", "f", "1", origin="a")
    assert run_of(slow) is None


def test_a_function_near_a_benchmark_is_left_out_unless_its_file_was_compared(tmp_path: Path):
    problem = problems(folder_of(""))[0]
    copied = Function("copied", problem.source, problem.calls)
    family = written_to(tmp_path / "other.xz", copied, digest="another edition")
    examples, counts = generated_examples(plan(family, 8))
    assert not list(examples)
    assert counts().n_held_out == 8


def test_examples_come_from_the_functions_of_a_file(tmp_path: Path):
    family = written_to(tmp_path / "a.xz", Function("a", SPREAD, [("spread", "['ab', '']"), ("spread", "1")]))
    examples, counts = generated_examples(plan(family, 20))
    prompts = [example.prompt for example in examples]
    assert prompts and all("def spread" in prompt for prompt in prompts)
    assert counts().n_programs > 3 and counts().n_held_out == 0


def test_a_missing_or_foreign_file_is_refused(tmp_path: Path):
    with pytest.raises(UserError, match="no file of functions"):
        functions_of(f"functions:{tmp_path / 'none.xz'}")
    (tmp_path / "text.xz").write_text("no archive")
    with pytest.raises(DataError, match="is no file of functions"):
        functions_of(f"functions:{tmp_path / 'text.xz'}")
    lzma.open(tmp_path / "empty.xz", "w").close()
    with pytest.raises(UserError, match="holds no function"):
        functions_of(f"functions:{tmp_path / 'empty.xz'}")
