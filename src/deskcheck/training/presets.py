"""Define the presets: named training recipes for the small models, with size, data and optimizer.

    PRESETS["tiny"]         2 M parameters, from random weights on a CPU: drills, generated programs, chains
    PRESETS["tiny-h100"]    11 M parameters, all operations, five layouts, ten minutes of a GPU
    PRESETS["tiny-broad"]   continues tiny-h100: code as people write it, longer rows, ten more minutes
    PRESETS["tiny-further"] continues the shipped model on one core, for minutes: on the families of --data
    PRESETS["micro"]        a run of seconds on one core, for tests and first trials

A stage is a share of the run with its own families of programs. Easy ones come first, so that copying and
looking up are learned before long programs need them. docs/training.md gives the measurements behind these
numbers.
"""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.errors import UnknownName, UserError
from deskcheck.layouts.line_1 import LAYOUT as LINE_1
from deskcheck.models.tiny import Shape
from deskcheck.strategies import says
from deskcheck.training.tokenizer import BASE, COMPUTING_SIZE, WIDE_SIZE
from deskcheck.training.traces import granularity_of

CHAINS = "chains"
"""Family of a stage: steps of the programs of `long` (`chains.py`)."""
DRILLS = "drills"
"""Family of a stage: drills (`drills.py`), each with one kind of line; "drills:compared" = only that kind."""
OPERATED = "operations"
"""Family of a stage: programs whose lines have one operation of the redexes each (`redexes/programs.py`)."""
WRITTEN = "written"
"""Family of a stage: the written corpus without its held-out functions (`live/functions.py`)."""
FUNCTIONS = "functions"
"""Family of a stage: "functions:FILE" = functions of that file.

In a preset, "functions" alone is the file of `--data`; without a file, the family drops out.
"""
BASE_LAYOUTS = ("direct", "scratchpad", "compact", "line-1", "line-n")
"""Layouts whose names are tokens of the smallest vocabulary; any other layout needs a larger one."""


class Stage(Struct, frozen=True):
    """One part of a training run, with its own mix of programs; records of older runs have further fields."""

    share: float
    """Share of the run's rows; the shares of a preset add up to 1."""
    families: dict[str, float]
    """Family of programs -> its share of the draws; empty if the stage has only redexes."""
    redexes: float = 0.0
    """Share of the rows that are redexes and look-ups (`redexes/`); only for runs with --minutes."""
    sizes: dict[str, float] = field(default_factory=lambda: {"short": 1.0})
    """Size of the redexes' operands -> its weight."""
    operations: str = "all"
    """Set of operations to practice: a name of PRACTISED, such as "usual" (`redexes/programs.py`)."""


class Mix(Struct, frozen=True, forbid_unknown_fields=True):
    """Choice of the examples that are made from a program."""

    layouts: dict[str, float]
    """Layout -> chance that a program is written in it."""
    max_steps: int = 8
    """Largest number of steps of a program in a layout with one example per step; drawn at random."""
    natural: float = 0.0
    """Share of the generated programs whose strings are drawn anew (`natural.py`)."""
    sizes: dict[str, float] = field(default_factory=dict)
    """Size of these strings, and of the operands of OPERATED programs -> its weight; {} = mostly short."""
    chains: str = ""
    """Layout for steps of chains; "" = that of `chain_layout`."""


class Optimiser(Struct, frozen=True, forbid_unknown_fields=True):
    """AdamW, or Muon and AdamW, with warm-up, a plateau and a decay of the learning rate to zero."""

    muon: bool = False
    """Muon for the matrices between hidden values, AdamW for the rest."""
    learning_rate: float = 3e-3
    """Rate of the plateau."""
    weight_decay: float = 0.1
    beta2: float = 0.98
    max_gradient_norm: float = 1.0
    warmup_share: float = 0.02
    """Share of the steps at the start, in which the learning rate rises."""
    decay_share: float = 0.3
    """Share of the steps at the end, in which the learning rate falls."""


class Preset(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings of a training run except its seed; the command line can replace some of them."""

    name: str
    shape: Shape
    rows_per_step: int
    """Rows of `shape.trained_length` tokens per optimizer step."""
    mix: Mix
    stages: tuple[Stage, ...]
    optimiser: Optimiser = field(default_factory=Optimiser)
    rows_per_pass: int = 8
    """Rows in one pass through the network. The number affects memory and speed, not the result."""
    bf16: bool = True
    """Whether matrix products are in bfloat16 (autocast); weights and optimizer stay in fp32."""
    mixed: bool = False
    """Whether every step has rows of redexes and of programs, in fixed shares (`live/mixed_feed.py`)."""
    initial_deviation: float = 0.04
    """Standard deviation of the random initial weights."""
    tokens: int = 20_000_000
    """Tokens of the run if neither --tokens nor --minutes is given."""

    @property
    def practises(self) -> bool:
        """Whether some stage of the preset has redexes."""
        return any(stage.redexes for stage in self.stages)

    @property
    def takes_functions(self) -> bool:
        """Whether some stage of the preset has a place for a file of functions."""
        return any(FUNCTIONS in stage.families for stage in self.stages)


def _shape(
    hidden: int,
    layers: int,
    heads: int,
    intermediate: int,
    trained_length: int,
    *,
    last_digit_first: bool = False,
    vocabulary: int = BASE,
    shift: int = 0,
) -> Shape:
    return Shape(
        vocabulary=vocabulary,
        hidden=hidden,
        layers=layers,
        heads=heads,
        intermediate=intermediate,
        rope_base=1e5,
        norm_epsilon=1e-6,
        trained_length=trained_length,
        max_positions=4096,
        last_digit_first=last_digit_first,
        shift=shift,
    )


_EVEN = Mix({"direct": 1.0, "scratchpad": 1.0, "compact": 1.0, "line-1": 1.0})
# Comparisons stay at chance level while they are one kind among many drills. They are learned once they are
# most of the data. One draw of `long` gives many steps: a quarter of the draws are three fifths of the
# tokens.
_COMPARED = f"{DRILLS}:compared"
_FROM_NOTHING = (
    Stage(0.25, {DRILLS: 0.5, "easy": 0.5}),
    Stage(0.12, {_COMPARED: 0.5, f"{DRILLS}:conditions": 0.2, "easy": 0.3}),
    Stage(0.63, {DRILLS: 0.2, _COMPARED: 0.05, "easy": 0.42, "medium": 0.05, CHAINS: 0.28}),
)
_CHAIN_MIX = Mix({"direct": 1.0, "scratchpad": 0.1, "compact": 0.3, "line-1": 1.0})
_TINY = _shape(128, 6, 4, 640, 512, last_digit_first=True, shift=2)
# For ten minutes of an H100, from random weights: operands of all sizes from the start, all layouts that the
# model is asked in, library-like programs most of all at the end. No stage is without redexes, because a
# model forgets operations that it does not practice. Shares are of draws; in tokens the second stage is 15 %
# easy, 13 medium, 7 hard, 30 real-1, 4 states-1, 15 operations, 9 drills and 7 chains.
_ALL_SIZES = {"short": 0.4, "middle": 0.35, "long": 0.25}
_H100 = (
    Stage(
        0.08,
        {"easy": 0.45, OPERATED: 0.4, DRILLS: 0.15},
        redexes=0.5,
        sizes={"short": 0.7, "middle": 0.2, "long": 0.1},
        operations="common",
    ),
    Stage(
        0.52,
        {
            "easy": 0.256,
            "medium": 0.256,
            "hard": 0.093,
            "real-1": 0.073,
            "states-1": 0.016,
            OPERATED: 0.219,
            DRILLS: 0.066,
            CHAINS: 0.021,
        },
        redexes=0.25,
        sizes=_ALL_SIZES,
    ),
    Stage(
        0.4,
        {
            "easy": 0.25,
            "medium": 0.28,
            "hard": 0.13,
            "real-1": 0.11,
            "states-1": 0.02,
            OPERATED: 0.15,
            DRILLS: 0.035,
            CHAINS: 0.025,
        },
        redexes=0.15,
        sizes=_ALL_SIZES,
    ),
)
# The same model continues with code as people write it, in rows of 2,048 tokens: its states outgrow 1,024.
# Shares are of draws; in tokens they are about 30 % idioms, 17 written, 15 functions, 10 real-1, 6 easy,
# 6 medium, 5 hard, 5 operations, 3 chains and 2 each of drills and states-1.
_BROAD = (
    Stage(
        1.0,
        {
            "idioms": 0.073,
            WRITTEN: 0.086,
            FUNCTIONS: 0.048,
            "real-1": 0.035,
            "easy": 0.156,
            "medium": 0.135,
            "hard": 0.137,
            "states-1": 0.012,
            OPERATED: 0.11,
            DRILLS: 0.017,
            CHAINS: 0.014,
        },
        redexes=0.12,
        sizes=_ALL_SIZES,
    ),
)
_FIRST = Optimiser(learning_rate=3e-3, decay_share=0.4, muon=True)
PRESETS = {
    preset.name: preset
    for preset in (
        Preset("tiny", _TINY, 8, _CHAIN_MIX, _FROM_NOTHING, _FIRST, tokens=30_000_000),
        Preset(
            "tiny-h100",
            # A shift of four tokens reaches from the 9 in `$4=[9` back to the name.
            _shape(320, 8, 5, 896, 1024, last_digit_first=True, vocabulary=COMPUTING_SIZE, shift=4),
            128,
            Mix(
                {"sub": 1.0, "line-1": 0.25, "direct": 0.35, "compact": 0.08, "scratchpad": 0.04},
                max_steps=12,
                natural=0.5,
                sizes=_ALL_SIZES,
                chains=LINE_1,
            ),
            _H100,
            Optimiser(learning_rate=4e-3, weight_decay=0.05, decay_share=0.5, muon=True),
            rows_per_pass=128,
            initial_deviation=0.03,
            mixed=True,
        ),
        Preset(
            "tiny-broad",
            _shape(320, 8, 5, 896, 2048, last_digit_first=True, vocabulary=COMPUTING_SIZE, shift=4),
            64,
            Mix(
                {"sub": 1.0, "line-1": 0.2, "direct": 0.4, "compact": 0.08, "scratchpad": 0.04},
                max_steps=16,
                natural=0.4,
                sizes=_ALL_SIZES,
                chains=LINE_1,
            ),
            _BROAD,
            Optimiser(learning_rate=3e-3, weight_decay=0.05, decay_share=0.6, muon=True),
            rows_per_pass=64,
            initial_deviation=0.03,
            mixed=True,
        ),
        Preset(
            "tiny-further",
            _shape(320, 8, 5, 896, 512, last_digit_first=True, vocabulary=COMPUTING_SIZE, shift=4),
            8,
            Mix({"sub": 0.5, "line-1": 0.5, "direct": 1.0}, max_steps=6),
            (Stage(1.0, {"easy": 1.0}),),
            Optimiser(learning_rate=2e-4, warmup_share=0.05, decay_share=0.5),
            rows_per_pass=4,
            bf16=False,
            tokens=500_000,
        ),
        Preset(
            "micro",
            _shape(32, 2, 2, 64, 256),
            4,
            _EVEN,
            (Stage(1.0, {"easy": 1.0}),),
            bf16=False,
            tokens=50_000,
        ),
    )
}


def stage_at(preset: Preset, share: float) -> int:
    """Return the number of the stage at this share of a run."""
    end = 0.0
    for number, stage in enumerate(preset.stages):
        end += stage.share
        if share < end:
            return number
    return len(preset.stages) - 1


def chain_layout(mix: Mix) -> str:
    """Return the layout for scoring steps: the state-to-state layout with the largest weight, or line-1."""
    states = [name for name in mix.layouts if says(name, "CHAIN") == "states"]
    return max(states, key=lambda name: mix.layouts[name], default=LINE_1)


def long_layout(mix: Mix) -> str:
    """Return the layout in which steps of chains are drawn, and whole runs of `long` are scored."""
    return mix.chains or chain_layout(mix)


def with_functions(preset: Preset, path: str) -> Preset:
    """Return the preset with the family FUNCTIONS bound to the file `path`, or without this family for "".

    UserError if a file is given and no stage of the preset has this family.
    """
    named = f"{FUNCTIONS}:{path}"
    stages = tuple(
        replace(
            stage,
            families={
                named if family == FUNCTIONS else family: share
                for family, share in stage.families.items()
                if path or family != FUNCTIONS
            },
        )
        for stage in preset.stages
    )
    if path and not any(named in stage.families for stage in stages):
        has = ", ".join(known.name for known in PRESETS.values() if known.takes_functions)
        raise UserError(f"--data {path}: preset '{preset.name}' takes no functions; {has} does")
    return replace(preset, stages=stages)


def preset(name: str, layouts: list[str] | None = None, *, row_length: int = 0) -> Preset:
    """Return the named preset, limited to `layouts` if given, with rows of `row_length` tokens if given.

    UnknownName for the name of no preset; UserError for a repeated layout.
    """
    if name not in PRESETS:
        raise UnknownName("preset", name, list(PRESETS))
    found = PRESETS[name]
    shape = replace(found.shape, trained_length=row_length or found.shape.trained_length)
    if not layouts:
        return replace(found, shape=shape)
    for layout in layouts:
        granularity_of(plugins.load("layout", layout))
    if len(set(layouts)) != len(layouts):
        raise UserError(f"--layouts names one twice: {','.join(layouts)}")
    if not set(layouts) <= set(BASE_LAYOUTS):
        shape = replace(shape, vocabulary=max(shape.vocabulary, WIDE_SIZE))
    weights = {layout: found.mix.layouts.get(layout, 1.0) for layout in layouts}
    chains = found.mix.chains if found.mix.chains in weights else ""
    return replace(found, shape=shape, mix=replace(found.mix, layouts=weights, chains=chains))
