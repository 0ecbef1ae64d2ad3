"""Programs of a comparison of layouts: what it learns from, is tuned on and is scored on; no two sides share.

    programs_of("easy", 900_001, 300, Granularity.LINE) -> (HeldOut, ..)      no two of one form
    Examples(comparison)                                -> what a part of the training rows is made from

Training programs of the form of any program of a shipped evaluation, or of those that this is tuned and
scored on, are left out and counted. Weights to go on from have seen other programs: they are scored on the
pinned held-out programs of the family, whose forms every training of ours leaves out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from random import Random
from typing import Protocol

from deskcheck import plugins
from deskcheck.decontamination.canonical import normal_form
from deskcheck.decontamination.near import program_copy
from deskcheck.programs.generated import HELD_OUT, N_HELD_OUT, candidate, family_of
from deskcheck.records import Example, Granularity, Limits, Program, Trace
from deskcheck.tracing.run import trace_program
from deskcheck.training import drills
from deskcheck.training.presets import DRILLS
from deskcheck.training.stream import Counted, PartPlan, program_examples
from deskcheck.training.traces import granularity_of, in_process
from layout_study import digits
from layout_study.scores import HeldOut

HELD_OUT_SEED, DEVELOPMENT_SEED = 900_100, 900_200
DIGITS = "digits"


class Asked(Protocol):
    """What of a comparison decides its programs."""

    @property
    def programs(self) -> str:
        """ "digits", or a family of generated programs."""

    @property
    def drills(self) -> float:
        """Of the training candidates, the share that is drills."""

    @property
    def n_held_out(self) -> int:
        """Programs that it is scored on, and as many that it is tuned on."""

    @property
    def start_from(self) -> str:
        """Weights to go on from; "" = none."""


def fine(layout: str) -> Granularity:
    """The granularity that a layout needs."""
    return granularity_of(plugins.load("representation", layout))


def drawn(source: str, seed: int, number: int, granularity: Granularity) -> tuple[Program, Trace] | None:
    """Candidate `number`, traced; None where it does not keep to its family, or cannot be had so finely."""
    if source == DIGITS:
        program = digits.candidate(seed=seed, number=number)
        return program, trace_program(program, Limits(max_steps=1000), granularity=granularity)
    if source == DRILLS:
        found = drills.drawn(Random(f"{seed}:{number}"))
    else:
        found = candidate(family_of(source), seed, number)
    trace = in_process(*found)(granularity) if found else None
    return (found[0], trace) if found and trace else None


@cache
def programs_of(source: str, seed: int, n: int, granularity: Granularity) -> tuple[HeldOut, ...]:
    """The first `n` programs of a seed, no two of one form."""
    found: dict[str, HeldOut] = {}
    number = 0
    while len(found) < n:
        made = drawn(source, seed, number, granularity)
        number += 1
        if made is not None:
            form = normal_form(made[0].source)
            found.setdefault(form, HeldOut(*made, form))
    return tuple(found.values())


def scored_seed(asked: Asked) -> int:
    """The seed of the programs that it is scored on."""
    return HELD_OUT.get(asked.programs, HELD_OUT_SEED) if asked.start_from else HELD_OUT_SEED


def scored_on(asked: Asked, granularity: Granularity) -> tuple[HeldOut, ...]:
    """The held-out programs."""
    n = min(asked.n_held_out, N_HELD_OUT) if asked.start_from else asked.n_held_out
    return programs_of(asked.programs, scored_seed(asked), n, granularity)


def tuned_on(asked: Asked, granularity: Granularity) -> tuple[HeldOut, ...]:
    """The development programs."""
    return programs_of(asked.programs, DEVELOPMENT_SEED, asked.n_held_out, granularity)


@cache
def kept_out(source: str, seeds: tuple[int, ...], n: int) -> frozenset[str]:
    """Forms that no training program may have: what this is scored and tuned on."""
    own = (one.form for seed in seeds for one in programs_of(source, seed, n, Granularity.LINE))
    return frozenset(own)


class TrainingPrograms:
    """What a comparison may learn from: its candidates, without those that it is scored or tuned on."""

    def __init__(self, asked: Asked) -> None:
        self.source = asked.programs
        self.drills = asked.drills
        self.n_held_out = asked.n_held_out
        self.seeds = (scored_seed(asked), DEVELOPMENT_SEED)

    def of_part(
        self, plan: PartPlan, granularity: Granularity, counts: Counter[str]
    ) -> Iterator[tuple[int, Program, Trace]]:
        """The candidates of a part that are fit, with their numbers; `counts` is told of every candidate."""
        forms = kept_out(self.source, self.seeds, self.n_held_out)
        first = plan.number * plan.candidates
        for number in range(first, first + plan.candidates):
            random = Random(f"drills:{plan.seed}:{number}")
            source = DRILLS if random.random() < self.drills else self.source
            found = drawn(source, plan.seed, number, granularity)
            if found is None:
                counts["unfit"] += 1
            elif normal_form(found[0].source) in forms or program_copy(found[0]):
                counts["held out"] += 1
            else:
                counts["kept"] += 1
                yield number, *found


def counted(counts: Counter[str], n_not_finer: int = 0) -> Counted:
    """What `of_part` counted."""
    return Counted(counts.total(), counts["unfit"], counts["held out"], counts["kept"], n_not_finer)


class Examples:
    """`MakeExamples` of a comparison: the programs of a part, in its layout."""

    def __init__(self, asked: Asked) -> None:
        self.programs = TrainingPrograms(asked)

    def __call__(self, plan: PartPlan) -> tuple[Iterable[Example], Callable[[], Counted]]:
        (granularity,) = {fine(layout) for layout in plan.mix.layouts}
        layouts = {layout: plugins.load("representation", layout) for layout in plan.mix.layouts}
        counts: Counter[str] = Counter()
        lost: list[str] = []

        def examples() -> Iterator[Example]:
            for number, program, trace in self.programs.of_part(plan, granularity, counts):
                rng = Random(f"{plan.seed}:{number}")
                yield from program_examples(program, trace, layouts, plan.mix, rng, lost=lost)

        return examples(), lambda: counted(counts, len(lost))
