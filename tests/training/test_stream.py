"""Parts depend on their plan alone, are made once, and hold no held-out program."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec
import pytest

np = pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("tokenizers", reason="needs the extra 'eval'")

from tests.training.toys import examples, toy_preset  # noqa: E402

from deskcheck.decontamination.canonical import normal_form  # noqa: E402
from deskcheck.decontamination.near import SMALL, near_copy  # noqa: E402
from deskcheck.errors import UserError  # noqa: E402
from deskcheck.programs import generated  # noqa: E402
from deskcheck.training import stream  # noqa: E402
from deskcheck.training.presets import Mix  # noqa: E402
from deskcheck.training.stream import Counted, PartPlan, generated_examples, make_part, prepare, read_part  # noqa: E402

ALL = Mix({"direct": 1.0, "scratchpad": 1.0, "compact": 1.0, "line-1": 1.0}, max_steps=3)


def toy_part(plan: PartPlan, made: list[int] | None = None):
    if made is not None:
        made.append(plan.number)
    return examples(plan.seed * 1000 + plan.number, 10), lambda: Counted(10, 0, 0, 10, 0)


def plan(**changes) -> PartPlan:
    return PartPlan(
        **{
            "stage": 0,
            "number": 0,
            "families": {"easy": 1.0},
            "mix": ALL,
            "seed": 1,
            "max_length": 512,
            "candidates": 12,
            **changes,
        }
    )


def test_every_candidate_is_counted_and_a_program_gives_what_the_mix_says():
    found, counts = generated_examples(plan())
    made = list(found)
    found = counts()
    n_programs = found.n_programs
    assert found.n_candidates == 12 == found.n_unfit + found.n_held_out + n_programs
    assert found.n_not_finer == 0
    by_program: dict[str, list[str]] = {}
    for example in made:
        by_program.setdefault(example.program_id, []).append(example.layout)
    assert len(by_program) == n_programs > 3
    for layouts in by_program.values():
        assert {"direct", "scratchpad", "compact"} <= set(layouts)
        assert 1 <= layouts.count("line-1") <= 3


def test_a_stage_can_name_a_kind_of_drill():
    made, counts = generated_examples(plan(families={"drills:compared": 1.0}))
    sources = {source_of(example.prompt) for example in made}
    assert counts().n_programs == len(sources) > 8
    assert all(source.count("    if ") >= 2 for source in sources)
    with pytest.raises(UserError, match="no kind of drill called 'sums'"):
        list(generated_examples(plan(families={"drills:sums": 1.0}))[0])


@pytest.mark.parametrize("family", ["easy", "real-1"])
def test_nothing_is_made_of_programs_that_are_evaluated_on(family: str):
    """Candidates of the held-out seed itself: all that fit are held out."""
    found, counts = generated_examples(plan(families={family: 1.0}, seed=generated.HELD_OUT[family]))
    assert not list(found)
    assert counts()[2] > 3
    assert counts()[3] == 0


def test_a_program_with_the_form_of_a_held_out_one_is_left_out(monkeypatch: pytest.MonkeyPatch):
    everything = {p.source for p, _ in generated.traced("easy", seed=1, n=5)}
    forms = frozenset(normal_form(source) for source in everything)
    monkeypatch.setattr(stream, "program_copy", lambda program: normal_form(program.source) in forms or None)
    found, counts = generated_examples(plan())
    sources = {source_of(example.prompt) for example in found}
    assert counts()[2] >= 5
    assert len(sources) > 2
    assert not everything & sources


def source_of(prompt: str) -> str:
    """The program of a prompt, without the numbers of its lines."""
    lines: list[str] = []
    for line in prompt.split("\n")[1:]:
        mark = f"@{len(lines) + 1} "
        if not line.startswith(mark):
            break
        lines.append(line.removeprefix(mark))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    ("family", "layout", "candidates", "twins"),
    [
        ("first", "direct", 800, 2),
        ("easy", "direct", 300, 1),
        ("medium", "direct", 200, 1),
        ("hard", "direct", 60, 1),
        ("real-1", "direct", 80, 1),
        ("states-1", "direct", 30, 1),
        ("drills", "line-1", 100, 1),  # drills give no direct answers
    ],
)
def test_what_the_generator_gives_to_train_on_holds_no_benchmark_item(
    monkeypatch: pytest.MonkeyPatch, family: str, layout: str, candidates: int, twins: int
):
    """All that comes out, against the forms of every benchmark; of short programs some are met by chance.

    One candidate is made a benchmark item, so that every family meets one.
    """
    asked = plan(families={family: 1.0}, seed=4, mix=Mix({layout: 1.0}, max_steps=1), candidates=candidates)
    twin = next(iter(generated_examples(asked)[0]))
    planted = normal_form(source_of(twin.prompt))

    def near(source: str) -> bool:
        return normal_form(source) == planted or near_copy(source, least=SMALL) is not None

    monkeypatch.setattr(stream, "program_copy", lambda program: near(program.source) or None)
    found, counts = generated_examples(asked)
    sources = {source_of(example.prompt) for example in found}
    assert len(sources) > 5
    assert not any(near(source) for source in sources)
    assert counts().n_held_out >= twins


def test_steps_of_chains_are_drawn_in_the_layout_that_the_mix_names_for_them():
    mix = Mix({"sub": 1.0, "line-1": 0.1})
    for given, layout in ((mix, "sub"), (msgspec.structs.replace(mix, chains="line-1"), "line-1")):
        found, _ = generated_examples(plan(families={"chains": 1.0}, mix=given, candidates=2))
        assert {example.layout for example in found} == {layout}


def test_a_part_has_the_same_bytes_whenever_it_is_made(tmp_path: Path):
    reports = [make_part(plan(), str(tmp_path / f"{n}.npz")) for n in range(2)]
    assert reports[0] == reports[1] == read_part(tmp_path / "0.npz")[1]
    assert (tmp_path / "0.npz").read_bytes() == (tmp_path / "1.npz").read_bytes()


def test_rows_do_not_depend_on_workers_or_on_where_it_stopped(tmp_path: Path):
    made: list[int] = []
    make = partial(toy_part, made=made)
    quiet = {"seed": 2, "say": lambda text: None}
    first, report = prepare(toy_preset(), 30, tmp_path / "a", workers=0, make_examples=make, **quiet)
    assert len(first.ids) == 30
    assert report.n_candidates == 10 * len(made)
    n_made = len(made)
    again, _ = prepare(toy_preset(), 30, tmp_path / "a", workers=0, make_examples=make, **quiet)
    assert len(made) == n_made, "parts that are there were made again"
    (tmp_path / "a" / "stage-0-part-0001.npz").unlink()
    mended, _ = prepare(toy_preset(), 30, tmp_path / "a", workers=0, make_examples=make, **quiet)
    other, _ = prepare(toy_preset(), 30, tmp_path / "b", workers=2, make_examples=toy_part, **quiet)
    for rows in (again, mended, other):
        assert all(np.array_equal(x, y) for x, y in zip(first, rows, strict=True))


def test_data_of_another_run_is_not_mixed_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    quiet = {"workers": 0, "say": lambda text: None, "make_examples": toy_part}
    prepare(toy_preset(), 4, tmp_path, seed=1, **quiet)
    with pytest.raises(UserError, match="holds the data of another run"):
        prepare(toy_preset(), 4, tmp_path, seed=2, **quiet)
    monkeypatch.setattr(stream, "NOTATION", stream.NOTATION + 1)  # the text of a layout has changed since
    with pytest.raises(UserError, match="holds the data of another run"):
        prepare(toy_preset(), 4, tmp_path, seed=1, **quiet)


def test_seeds_of_held_out_programs_are_refused(tmp_path: Path):
    assert all(seed not in stream.TRAINING_SEEDS for seed in generated.HELD_OUT.values())
    with pytest.raises(UserError, match="seeds of training"):
        prepare(toy_preset(), 4, tmp_path, seed=generated.HELD_OUT["easy"], workers=0, say=print)
