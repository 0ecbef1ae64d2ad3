"""Turn generated programs into packed rows, in numbered parts that worker processes make.

    prepare(preset, 5_000, folder, seed=0, workers=2, say=print) -> 5,000 rows, and their counts

A part is a file with the rows of a fixed range of a seed's draws. Its bytes therefore depend neither on the
number of workers nor on an interruption of the run. Parts on disk are not made again. Programs too near to a
program of a benchmark (`decontamination`) are left out and counted.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from types import ModuleType
from typing import NamedTuple

import msgspec
import numpy as np
from msgspec import Struct

from deskcheck.decontamination.near import program_copy
from deskcheck.errors import UserError
from deskcheck.records import Example, Program, Trace
from deskcheck.states.steps import NOTATION
from deskcheck.training.data import PackReport, Rows, concatenate, encode, pack, select
from deskcheck.training.live.functions import Functions, functions_of, is_of_functions
from deskcheck.training.live.functions import drawn as drawn_function
from deskcheck.training.live.workers import Workers, begin_draw
from deskcheck.training.natural import natural
from deskcheck.training.presets import CHAINS, DRILLS, OPERATED, Mix, Preset, long_layout
from deskcheck.training.tokenizer import BASE, build_tokenizer
from deskcheck.training.traces import DATA, At, as_recorded, granularity_of, in_process, runs_of

CANDIDATES_PER_PART = 2_000
"""Number of draws for a part."""
TRAINING_SEEDS = range(900_000)
"""Held-out seeds of the generated families begin at 900,000."""

DRILL_STEPS = 16
"""Largest number of steps of one drill."""
CHAIN_STEPS = 33
"""Largest number of steps of one draw of the family of chains."""
FAILURES = "failures.jsonl"
"""File of a run that lists workers that died, and shards that could not be made."""

Say = Callable[[str], None]


class PartPlan(Struct, frozen=True, forbid_unknown_fields=True):
    """The recipe of one part: everything that its rows depend on."""

    stage: int
    number: int
    """Number of the part in its stage."""
    families: dict[str, float]
    """Family of programs -> its share of the draws."""
    mix: Mix
    seed: int
    max_length: int
    """Tokens of a row."""
    candidates: int
    """Number of draws for the part."""
    last_digit_first: bool = False
    vocabulary: int = BASE


class PartReport(Struct, frozen=True):
    """Counts of the drawn programs and the examples of one part, or of many together."""

    n_candidates: int
    n_unfit: int
    """Drawn programs that did not keep to the bounds of their family (steps, sizes) or did not run."""
    n_held_out: int
    """Drawn programs that are too near to a program of a benchmark."""
    n_programs: int
    """Drawn programs that examples were made from."""
    examples: PackReport
    n_not_finer: int = 0
    """Times that a program was left out of a layout, because no trace of the granularity needed was made."""


class Counted(NamedTuple):
    """Counts of the drawn programs of one part, as in PartReport."""

    n_candidates: int
    n_unfit: int
    n_held_out: int
    n_programs: int
    n_not_finer: int


MakeExamples = Callable[[PartPlan], tuple[Iterable[Example], Callable[[], Counted]]]
"""Function that makes the examples of a part, such as `generated_examples`."""


def generated_examples(plan: PartPlan) -> tuple[Iterable[Example], Callable[[], Counted]]:
    """Return the examples of a plan, and a function that returns the counts once all examples are read."""
    from deskcheck import plugins
    from deskcheck.programs.generated import candidate, family_of, in_language, split_name
    from deskcheck.training import drills
    from deskcheck.training.chains import drawn
    from deskcheck.training.redexes import programs as operations

    # loaded once: looking a plug-in up reads the metadata of all installed packages, 20 ms
    layouts = {layout: plugins.load("layout", layout) for layout in plan.mix.layouts}
    drill_mix = _for_drills(plan.mix)
    counts = [0, 0, 0, 0]  # the first four of Counted: candidates, unfit, held out, programs
    lost: list[str] = []
    datasets = {
        family: runs_of(family.partition(":")[2], Random(f"{plan.seed}:{plan.stage}:{plan.number}:{family}"))
        for family in plan.families
        if family.startswith(f"{DATA}:")
    }

    called = {family: functions_of(family) for family in plan.families if is_of_functions(family)}

    def of_dataset(program: Program, trace: Trace, rng: Random) -> tuple[int, list[Example]]:
        """Return the place in `counts`, and the examples."""
        try:
            if program_copy(program) is not None:
                return 2, []
            at = as_recorded(trace)
            return 3, list(program_examples(program, trace, layouts, plan.mix, rng, at=at, lost=lost))
        except (SyntaxError, UserError):  # of a newer Python; or without a text in a layout
            return 1, []

    def of_functions(functions: Functions, rng: Random) -> tuple[int, list[Example]]:
        """Return the place in `counts`, and the examples of a function with one of its calls."""
        found = drawn_function(functions, rng)
        if found is None:
            return 1, []
        program, trace = found
        if trace is None:
            return 2, []
        try:
            with redirect_stdout(StringIO()):  # a layout may run the program again
                return 3, list(program_examples(program, trace, layouts, plan.mix, rng, lost=lost))
        except (UserError, ValueError):  # no text in a layout; or a returned generator, closed later
            return 1, []

    def examples() -> Iterator[Example]:
        """Yield the examples of all draws of the part, and count the draws."""
        first = plan.number * plan.candidates
        for number in range(first, first + plan.candidates):
            begin_draw(number)
            rng = Random(f"{plan.seed}:{plan.stage}:{number}")
            family = rng.choices(list(plan.families), list(plan.families.values()))[0]
            if family == CHAINS:
                counts[0] += 1
                counts[3] += 1
                yield from drawn(rng, long_layout(plan.mix), most=CHAIN_STEPS)[1]
                continue
            if family in called:
                place, result = of_functions(called[family], rng)
                counts[0] += 1
                counts[place] += 1
                yield from result
                continue
            group, _, kind = family.partition(":")
            # Candidates of every stage have a range of numbers of their own.
            group_draw = (
                next(datasets[family])
                if group == DATA
                else drills.drawn(rng, drills.named(kind))
                if group == DRILLS
                else operations.drawn(rng, plan.mix.sizes)
                if group == OPERATED
                else candidate(family_of(group), plan.seed, plan.stage * 100_000_000 + number)
            )
            language = split_name(family)[1]
            counts[0] += 1
            if group_draw is None:
                counts[1] += 1
            elif group == DATA:
                place, result = of_dataset(*group_draw, rng)
                counts[place] += 1
                yield from result
            elif program_copy(group_draw[0]) is not None:
                counts[2] += 1
            else:
                if plan.mix.natural and rng.random() < plan.mix.natural:
                    group_draw = natural(*group_draw, rng, plan.mix.sizes) or group_draw
                if language and (group_draw := in_language(*group_draw)) is None:
                    counts[1] += 1
                    continue
                if language and program_copy(group_draw[0]) is not None:
                    counts[2] += 1
                    continue
                counts[3] += 1
                mix = drill_mix if group in (DRILLS, OPERATED) else plan.mix
                yield from program_examples(*group_draw, layouts, mix, rng, lost=lost)

    return examples(), lambda: Counted(counts[0], counts[1], counts[2], counts[3], len(lost))


def _for_drills(mix: Mix) -> Mix:
    """Return the mix for drills: without direct answers, which ten unrelated lines make too hard."""
    layouts = {name: chance for name, chance in mix.layouts.items() if name != "direct"}
    return Mix(layouts or mix.layouts, max_steps=DRILL_STEPS)


def program_examples(
    program: Program,
    trace: Trace,
    layouts: dict[str, ModuleType],
    mix: Mix,
    rng: Random,
    *,
    at: At | None = None,
    lost: list[str] | None = None,
) -> Iterator[Example]:
    """Yield the examples of one program in the layouts that the mix draws for it.

    `at` returns the trace at the granularity of a layout. By default it runs the program again in this
    process, so the program must be ours. `lost` receives the layouts for which that failed.
    """
    at = at or in_process(program, trace)

    def choose(n: int) -> Sequence[int]:
        return range(n) if n <= mix.max_steps else sorted(rng.sample(range(n), mix.max_steps))

    for layout, chance in mix.layouts.items():
        if rng.random() >= chance:
            continue
        run = at(granularity_of(layouts[layout]))
        if run is None:
            if lost is not None:
                lost.append(layout)
            continue
        some = getattr(layouts[layout], "render_some", None)
        if some is not None:
            yield from some(run, program, choose)
            continue
        rendered: list[Example] = layouts[layout].render(run, program)
        yield from (rendered[n] for n in choose(len(rendered)))


def named(plan: PartPlan) -> str:
    """Name a part in a report: "stage 2, part 117, seed 8"."""
    return f"stage {plan.stage + 1}, part {plan.number}, seed {plan.seed}"


def make_part(plan: PartPlan, path: str, make_examples: MakeExamples = generated_examples) -> PartReport:
    """Make one part and write it to `path`; runs in a worker process."""
    examples, counts = make_examples(plan)
    rows, packed = pack(
        encode(examples, build_tokenizer(size=plan.vocabulary), last_digit_first=plan.last_digit_first),
        max_length=plan.max_length,
        seed=plan.seed * 1000 + plan.number,
    )
    report = PartReport(examples=packed, **counts()._asdict())
    write_part(rows, report, path)
    return report


def write_part(rows: Rows, report: PartReport, path: str) -> None:
    """Write rows and their report as one file, whole or not at all."""
    temporary = Path(path).with_suffix(".tmp")
    with temporary.open("wb") as file:
        np.savez(file, report=np.frombuffer(msgspec.json.encode(report), np.uint8), **rows._asdict())
    os.replace(temporary, path)


def read_part(path: Path) -> tuple[Rows, PartReport]:
    """Read rows and report of one part."""
    with np.load(path) as file:
        report = msgspec.json.decode(file["report"].tobytes(), type=PartReport)
        return Rows(*(file[name] for name in Rows._fields)), report


def check_fits(report: PartReport, max_length: int) -> None:
    """Raise UserError if no example of a part fits into a row, since later parts would be no better."""
    packed = report.examples
    if packed.n_read and packed.n_too_long == packed.n_read:
        raise UserError(
            f"rows of {max_length:,} tokens are too short: none of the {packed.n_read:,} examples of "
            f"{report.n_programs:,} programs fits into one; ask for longer ones by --set row_length"
        )


def check_seed(seed: int) -> None:
    """Raise UserError for a seed whose programs are held out."""
    if seed not in TRAINING_SEEDS:
        raise UserError(
            f"--seed {seed}: seeds of training are {TRAINING_SEEDS.start} to {TRAINING_SEEDS.stop - 1}"
        )


def plan_of(preset: Preset, stage: int, *, seed: int, candidates: int) -> PartPlan:
    """Return the plan of the first part of a stage."""
    return PartPlan(
        stage,
        0,
        preset.stages[stage].families,
        preset.mix,
        seed,
        preset.shape.trained_length,
        candidates,
        preset.shape.last_digit_first,
        preset.shape.vocabulary,
    )


def prepare(
    preset: Preset,
    n_rows: int,
    folder: Path,
    *,
    seed: int,
    workers: int,
    say: Say,
    make_examples: MakeExamples = generated_examples,
) -> tuple[Rows, PartReport]:
    """Make `n_rows` rows in the order of the stages; return them with the report of all their parts.

    `folder`: place of the parts. `workers`: number of processes; 0 = this process makes the parts. UserError
    if the folder holds the data of another run, or if no rows come of the preset.
    """
    check_seed(seed)
    folder.mkdir(parents=True, exist_ok=True)
    plan_of_all = {"preset": msgspec.to_builtins(preset), "seed": seed, "notation": NOTATION}
    check_same(folder / "plan.json", plan_of_all)
    parts: list[Rows] = []
    reports: list[PartReport] = []
    pool = Workers(workers, log=folder.parent / FAILURES, say=say) if workers > 0 else None
    done = 0
    try:
        for number in range(len(preset.stages)):
            wanted = round(n_rows * sum(s.share for s in preset.stages[: number + 1])) - done
            plan = plan_of(preset, number, seed=seed, candidates=CANDIDATES_PER_PART)
            rows, stage_rows = _stage(plan, wanted, folder, pool, workers, say, make_examples)
            parts.append(rows)
            reports += stage_rows
            done += wanted
    finally:
        if pool is not None:
            pool.close()
    return concatenate(parts), total(reports)


def _stage(
    plan: PartPlan,
    wanted: int,
    folder: Path,
    pool: Workers | None,
    workers: int,
    say: Say,
    make: MakeExamples,
) -> tuple[Rows, list[PartReport]]:
    """Make the parts of a stage, one for each worker at a time, until they hold `wanted` rows."""
    rows: list[Rows] = []
    reports: list[PartReport] = []
    n_rows = number = 0
    while n_rows < wanted:
        wave = [
            (n, folder / f"stage-{plan.stage}-part-{n:04}.npz")
            for n in range(number, number + max(workers, 1))
        ]
        todo = [
            (msgspec.structs.replace(plan, number=n), str(path), make)
            for n, path in wave
            if not path.exists()
        ]
        for future in [pool.submit(make_part, *task, what=named(task[0])) for task in todo] if pool else []:
            future.result()
        for task in [] if pool else todo:
            make_part(*task)
        for _, path in wave:
            part, report = read_part(path)
            check_fits(report, plan.max_length)
            if n_rows < wanted:
                rows.append(part)
                reports.append(report)
                n_rows += len(part.ids)
        number += len(wave)
        say(f"data: stage {plan.stage + 1}, {min(n_rows, wanted):,} of {wanted:,} rows")
        if number >= 50 * (n_rows + 1):
            raise UserError(f"stage {plan.stage + 1} gives no rows: {number} parts made {n_rows} rows")
    return select(concatenate(rows), slice(0, wanted)), reports


def total(reports: list[PartReport]) -> PartReport:
    """Add up the counts of many reports."""
    packs = [report.examples for report in reports]
    return PartReport(
        **{n: sum(getattr(r, n) for r in reports) for n in PartReport.__struct_fields__ if n != "examples"},
        examples=PackReport(**{n: sum(getattr(p, n) for p in packs) for n in PackReport.__struct_fields__}),
    )


def check_same(path: Path, plan: dict[str, object]) -> None:
    """Write the plan. UserError if the folder has another one, because parts of two plans must not mix."""
    if path.exists() and json.loads(path.read_text()) != json.loads(json.dumps(plan)):
        raise UserError(
            f"'{path.parent}' holds the data of another run (see {path.name}); choose another --out"
        )
    path.write_text(json.dumps(plan, indent=1) + "\n")
