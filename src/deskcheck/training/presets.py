"""Recipes: size, data, optimiser of a model trained from scratch; one name each.

    PRESETS["tiny"]        the size that ships, from random weights: drills, generated programs, chains
    PRESETS["tiny-drills"] the same, to go on from trained weights with
    PRESETS["tiny-chains"] mostly steps of long chains, likewise
    PRESETS["tiny-redexes"] single operations and look-ups alone, from random weights
    PRESETS["tiny-computes"] the same as a first stage, then lines with every operation written, in `sub`
    PRESETS["tiny-lines"] what follows the first gate in a run of its own, from weights of tiny-redexes
    PRESETS["tiny-sub"]   from the shipped weights: operations, then lines in `sub` with each one written
    PRESETS["tiny-operations"] from the shipped weights: single operations in the layouts that these have
    PRESETS["tiny-gpu"]   14 M parameters and all layouts of lines, for half an hour of a large GPU
    PRESETS["computes-gpu"] 25 M parameters, tiny-computes' stages from files (`measurements/gpu_shards.py`)
    PRESETS["micro"]      seconds on one core: tests, and trying things out

A stage is a share of the run with its own families of programs: easy ones first, so that copying and
looking up are learned before long programs need them. What was measured to choose these numbers:
docs/training.md.
"""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.errors import UnknownName, UserError
from deskcheck.models.tiny import Shape
from deskcheck.representations.line_1 import LAYOUT as LINE_1
from deskcheck.strategies import says
from deskcheck.training.tokenizer import BASE, COMPUTING_SIZE, WIDE_SIZE
from deskcheck.training.traces import granularity_of

CHAINS = "chains"
"""Family of a stage: steps of the programs of `long` (`chains.py`)."""
DRILLS = "drills"
"""Family of a stage: programs whose lines are all of one kind (`drills.py`); "drills:compared" = of one."""
OPERATED = "operations"
"""Family of a stage: programs whose lines have one operation of the redexes each (`redexes/programs.py`)."""
BASE_LAYOUTS = ("direct", "scratchpad", "compact", "line-1", "line-n")
"""Those whose names are tokens of the smaller vocabulary; any other asks for the larger one."""


class Stage(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the run with its own mix of programs."""

    share: float
    """Of the run's rows; the shares of a preset add up to 1."""
    families: dict[str, float]
    """Family of generated programs -> its share of the candidates; none where all is redexes."""
    redexes: float = 0.0
    """Share of the tokens that are redexes and look-ups (`redexes/`); runs by the clock only."""
    sizes: dict[str, float] = field(default_factory=lambda: {"short": 1.0})
    """Sizes of their operands, with weights."""
    operations: str = "all"
    """Which of them are practised: "first", "frequent", "usual" or "all" (`redexes/programs.py`)."""
    gate: bool = False
    """A run that has not met the first gate at the end of this stage stops there (`redexes/gates.py`)."""
    tokens: int = 0
    """The stage ends after so many at the latest; 0 = by its share alone."""


class Mix(Struct, frozen=True, forbid_unknown_fields=True):
    """Which examples a program gives."""

    layouts: dict[str, float]
    """Layout -> chance that a program is written in it."""
    max_steps: int = 8
    """Layouts with one example a step: at most this many steps of a program, drawn at random."""
    natural: float = 0.0
    """Share of the generated programs whose strings are drawn anew (`natural.py`)."""


class Optimiser(Struct, frozen=True, forbid_unknown_fields=True):
    """AdamW with warm-up, a plateau and a decay to nothing."""

    muon: bool = False
    """Muon for the matrices between hidden values, AdamW for the rest."""
    learning_rate: float = 3e-3
    weight_decay: float = 0.1
    beta2: float = 0.98
    max_gradient_norm: float = 1.0
    warmup_share: float = 0.02
    """Of the steps."""
    decay_share: float = 0.3
    """Of the steps, at the end."""


class Preset(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a run depends on but its seed and its length."""

    name: str
    shape: Shape
    rows_per_step: int
    """Rows of `shape.trained_length` tokens per optimiser step."""
    mix: Mix
    stages: tuple[Stage, ...]
    optimiser: Optimiser = field(default_factory=Optimiser)
    rows_per_pass: int = 8
    """Rows that go through the network together; a memory and speed matter, the result is the same."""
    bf16: bool = True
    """Matrix products in bfloat16 (autocast), weights and optimiser in fp32."""
    initial_deviation: float = 0.04
    """Standard deviation of the first weights."""
    tokens: int = 20_000_000
    """Length of the run where neither --tokens nor --minutes is given."""

    @property
    def practises(self) -> bool:
        """Whether redexes are a part of it."""
        return any(stage.redexes for stage in self.stages)


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
# A draw of a program of `long` is many steps: a quarter of the candidates is three fifths of the tokens.
_CHAINS = {"easy": 0.4, "medium": 0.05, DRILLS: 0.3, CHAINS: 0.25}
# A kind of line takes some two million tokens of practice (docs/log/training.md), so drills are two thirds
# of what is read first; exact chains and whole programs come with the falling rate.
_DRILLED = (
    Stage(0.45, {DRILLS: 0.66, "easy": 0.25, "medium": 0.05, CHAINS: 0.04}),
    Stage(0.3, {DRILLS: 0.46, "easy": 0.34, "medium": 0.1, CHAINS: 0.1}),
    Stage(0.25, _CHAINS),
)
# Comparisons stay a coin while they are one kind of many, and are learned when they are most of what is seen.
_COMPARED = f"{DRILLS}:compared"
_FROM_NOTHING = (
    Stage(0.25, {DRILLS: 0.5, "easy": 0.5}),
    Stage(0.12, {_COMPARED: 0.5, f"{DRILLS}:conditions": 0.2, "easy": 0.3}),
    Stage(0.63, {DRILLS: 0.2, _COMPARED: 0.05, "easy": 0.42, "medium": 0.05, CHAINS: 0.28}),
)
_CHAIN_MIX = Mix({"direct": 1.0, "scratchpad": 0.1, "compact": 0.3, "line-1": 1.0})
# A model that computes: operations first. Four tokens of shift reach over `$4=[9` from the 9 to the name.
_COMPUTES = _shape(128, 5, 4, 384, 512, last_digit_first=True, vocabulary=COMPUTING_SIZE, shift=4)
FIRST_TOKENS = 9_000_000
"""Tokens after which the first gate must be met."""
_REDEXES = (Stage(1.0, {}, redexes=1.0, operations="first", gate=True, tokens=FIRST_TOKENS),)
# Then all operations beside lines that write every operation; never without redexes: what is not practised is
# forgotten (docs/training.md, "Redexes").
_LINES = {"easy": 0.36, "real-1": 0.45, "states-1": 0.19}
_GROWING = {"short": 0.6, "middle": 0.3, "long": 0.1}
_COMPUTING = (
    Stage(0.15, {}, redexes=1.0, operations="first", gate=True, tokens=FIRST_TOKENS),
    Stage(0.6, _LINES, redexes=0.45, sizes=_GROWING),
    Stage(0.25, _LINES, redexes=0.25, sizes=_GROWING),
)
# On a large GPU: all operations and lengths soon, the gate at 50 M tokens, a tenth of the run at most for it.
_COMPUTING_GPU = (
    Stage(0.1, {}, redexes=1.0, operations="first", gate=True, tokens=50_000_000),
    Stage(0.1, {}, redexes=1.0, sizes=_GROWING),
    Stage(0.5, _LINES, redexes=0.45, sizes=_GROWING),
    Stage(0.3, _LINES, redexes=0.25, sizes=_GROWING),
)
_PLAIN = Optimiser(learning_rate=3e-3, weight_decay=0.05, decay_share=0.4, muon=True)
_TINY = _shape(128, 6, 4, 640, 512, last_digit_first=True, shift=2)
# From trained weights, which copy and jump: operations are what they lack. `sub` writes them as redexes do.
# A step of the counter with eight bits is longer than 256 tokens.
_TINY_SUB = _shape(128, 6, 4, 640, 320, last_digit_first=True, vocabulary=COMPUTING_SIZE, shift=4)
# Then what `easy` has most: sums to remainders, comparisons, methods of lists, values moved and walked over.
# Arithmetic first and nearly alone: among fifty operations none of it was met often enough to be learned.
# By tokens, a third of the last lines are chains, a third `easy`: with fewer chains, long runs are lost
# (docs/log/training.md).
_SUB = (
    Stage(0.15, {OPERATED: 0.5, "easy": 0.5}, redexes=0.85, operations="frequent"),
    Stage(0.2, {OPERATED: 0.46, "easy": 0.5, CHAINS: 0.04}, redexes=0.72, operations="usual"),
    Stage(
        0.65,
        {
            OPERATED: 0.16,
            "easy": 0.655,
            DRILLS: 0.03,
            f"{DRILLS}:moved": 0.06,
            f"{DRILLS}:walked": 0.035,
            CHAINS: 0.06,
        },
        redexes=0.22,
        operations="usual",
    ),
)
# What the shipped weights lack, beside what they can: by tokens, a third of the lines has one operation,
# a third is `easy`, a fifth are steps of chains.
_OPERATIONS = (
    Stage(0.35, {OPERATED: 0.6, "easy": 0.36, DRILLS: 0.026, CHAINS: 0.014}, redexes=0.5, operations="first"),
    Stage(
        0.65, {OPERATED: 0.475, "easy": 0.46, DRILLS: 0.039, CHAINS: 0.026}, redexes=0.25, operations="usual"
    ),
)
# For a GPU (docs/training.md, "On a GPU"): not trained yet; `tiny`, with heads as large, can grow into it.
# Steps written out and diffs carry the run; direct answers and whole runs are there to be compared with.
_BROAD = Mix(
    {
        "direct": 0.4,
        "scratchpad": 0.1,
        "compact": 0.2,
        "line-1": 1.0,
        "sub": 1.0,
        "line-n": 0.5,
        "line-1-full": 0.2,
    }
)
_REAL_AND_LONG = {
    "easy": 0.15,
    "medium": 0.15,
    "hard": 0.1,
    "real-1": 0.3,
    "states-1": 0.1,
    DRILLS: 0.1,
    CHAINS: 0.1,
}
_BROADENING = (
    Stage(0.05, {"first": 1.0}),
    Stage(0.25, {"easy": 0.5, DRILLS: 0.4, CHAINS: 0.1}),
    Stage(0.7, _REAL_AND_LONG),
)
# These go on from trained weights, whose last mistakes are seldom met: a long decay.
_LEARNING = Optimiser(learning_rate=1e-3, decay_share=0.7, muon=True)
_PRACTISING = Optimiser(learning_rate=2e-3, decay_share=0.7, muon=True)
_FIRST = Optimiser(learning_rate=3e-3, decay_share=0.4, muon=True)
PRESETS = {
    preset.name: preset
    for preset in (
        Preset("tiny", _TINY, 8, _CHAIN_MIX, _FROM_NOTHING, _FIRST, tokens=30_000_000),
        Preset("tiny-chains", _TINY, 8, _CHAIN_MIX, (Stage(1.0, _CHAINS),), _LEARNING),
        Preset("tiny-drills", _TINY, 8, _CHAIN_MIX, _DRILLED, _PRACTISING),
        Preset(
            "tiny-redexes",
            _COMPUTES,
            4,
            Mix({}),
            _REDEXES,
            _PLAIN,
        ),
        Preset(
            "tiny-computes",
            _COMPUTES,
            4,
            Mix({"sub": 1.0}, natural=0.5),
            _COMPUTING,
            _PLAIN,
        ),
        Preset(
            "tiny-lines",
            _COMPUTES,
            4,
            Mix({"sub": 1.0}, natural=0.5),
            (Stage(0.6, _LINES, redexes=0.45), Stage(0.4, _LINES, redexes=0.25)),
            _PLAIN,
        ),
        Preset(
            "tiny-sub",
            _TINY_SUB,
            8,
            Mix({"sub": 1.0, "line-1": 0.1, "direct": 0.15}, natural=0.2),
            _SUB,
            Optimiser(learning_rate=1.5e-3, weight_decay=0.05, decay_share=0.75, muon=True),
        ),
        Preset(
            "tiny-operations",
            _TINY_SUB,
            8,
            Mix({"direct": 0.6, "scratchpad": 0.1, "compact": 0.2, "line-1": 1.0}, natural=0.15),
            _OPERATIONS,
            Optimiser(learning_rate=1e-3, weight_decay=0.05, decay_share=0.7, muon=True),
        ),
        Preset(
            "tiny-gpu",
            _shape(384, 8, 12, 960, 1024, last_digit_first=True, vocabulary=WIDE_SIZE, shift=2),
            64,
            _BROAD,
            _BROADENING,
            Optimiser(learning_rate=1e-3),
            rows_per_pass=64,
            tokens=1_000_000_000,
        ),
        Preset(
            "computes-gpu",
            _shape(512, 8, 8, 1280, 1024, last_digit_first=True, vocabulary=COMPUTING_SIZE, shift=4),
            64,
            Mix({"sub": 1.0}, natural=0.5),
            _COMPUTING_GPU,
            Optimiser(learning_rate=1e-3, weight_decay=0.05, decay_share=0.3, muon=True),
            rows_per_pass=64,
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


def chain_layout(mix: Mix) -> str:
    """The layout of whole runs, from state to state: of those that it trains, the one with most examples."""
    states = [name for name in mix.layouts if says(name, "CHAIN") == "states"]
    return max(states, key=lambda name: mix.layouts[name], default=LINE_1)


def preset(name: str, layouts: list[str] | None = None, *, row_length: int = 0) -> Preset:
    """The preset of that name, with these layouts alone where some are named, and rows of another length."""
    if name not in PRESETS:
        raise UnknownName("preset", name, list(PRESETS))
    found = PRESETS[name]
    shape = replace(found.shape, trained_length=row_length or found.shape.trained_length)
    if not layouts:
        return replace(found, shape=shape)
    for layout in layouts:
        granularity_of(plugins.load("representation", layout))
    if len(set(layouts)) != len(layouts):
        raise UserError(f"--layouts names one twice: {','.join(layouts)}")
    if not set(layouts) <= set(BASE_LAYOUTS):
        shape = replace(shape, vocabulary=WIDE_SIZE)
    weights = {layout: found.mix.layouts.get(layout, 1.0) for layout in layouts}
    return replace(found, shape=shape, mix=replace(found.mix, layouts=weights))
