"""For how many executed steps a model is right: the horizon at 50 % and at 80 %.

    horizon([Observation(steps, right, n, family, program), ..]) -> Horizon
    horizon(.., level=0.8)

A logistic curve in log2(steps), every family with the same weight however many tasks it has; the interval is
a hierarchical bootstrap (families, their programs, their samples drawn again). Beside it an isotonic fit,
which assumes only that longer is not easier. A horizon outside the steps that were asked is a bound, never
a number: "> 640". The steps are executed line events of the true run on CPython 3.11.

What came before: time horizons (Kwa et al., arXiv 2503.14499), accuracy against length (Sinha et al.,
arXiv 2509.09677), L0-Bench (arXiv 2503.22832).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from deskcheck.errors import UserError

if TYPE_CHECKING:
    import numpy as np

N_RESAMPLES = 1000
FEWEST_PROGRAMS = 60  # with 40 the interval held the truth in 91 % of simulations (benchmarks/intervals.py)
_STEEPEST = 30.0  # of the slope: a curve this steep is a step between two neighbouring lengths
_RIDGE = 1e-3  # on the slope alone, in observations: keeps separable data finite
_ROUNDS = 30

Bound = Literal["", "<", ">"]


class Observation(Struct, frozen=True):
    """All samples of one task."""

    steps: int
    """Executed line events of the true run, at least 1."""
    right: int
    n: int
    """Samples."""
    family: str
    program: str


class Horizon(Struct, frozen=True):
    """Steps at which the chance to be right passes `level`."""

    level: float
    steps: float
    """Where `bound` is set: the shortest or longest length that was asked."""
    bound: Bound
    """"<": already below the level at the shortest length; ">": still above it at the longest."""
    low: float
    """95 % interval; 0.0 = below the shortest length asked."""
    high: float
    """inf = above the longest length asked."""
    isotonic: float
    """The same from the isotonic fit; 0.0 and inf as above."""
    slope: float
    """Fall of the log-odds at each doubling of the length."""
    intercept: float
    """Log-odds at one step."""
    shortest: int
    longest: int
    n_programs: int
    n_families: int
    note: str
    """"" or "too few programs"."""


def horizon(observations: Sequence[Observation], *, level: float = 0.5, seed: int = 0) -> Horizon:
    """UserError where there is nothing to fit or a count cannot be."""
    import numpy as np

    if not observations:
        raise UserError("a horizon of no observations is not a number")
    if not 0.0 < level < 1.0:
        raise UserError(f"the level of a horizon lies between 0 and 1, not at {level}")
    bad = next((o for o in observations if o.steps < 1 or not 0 <= o.right <= o.n or o.n < 1), None)
    if bad is not None:
        raise UserError(f"not an observation: {bad}")
    rows = sorted(observations, key=lambda o: (o.family, o.program, o.steps))
    x = np.log2(np.array([float(o.steps) for o in rows]))
    n = np.array([float(o.n) for o in rows])
    share = np.array([o.right / o.n for o in rows])
    drawn, weights = _resampled(rows, share, n, np.random.default_rng(seed))
    curves = _fit(x, drawn, weights)
    lowest, highest = float(x.min()), float(x.max())
    intercept, slope = (float(value[0]) for value in curves)
    found = _crossing(curves[0], curves[1], level, lowest, highest)
    at = float(found[0])
    programs = {(o.family, o.program) for o in rows}
    low, high = _percentiles(found[1:], at, len(programs))
    bound: Bound = "<" if at == -math.inf else ">" if at == math.inf else ""
    return Horizon(
        level=level,
        steps=2.0 ** (lowest if bound == "<" else highest if bound == ">" else at),
        bound=bound,
        low=2.0**low,
        high=2.0**high,
        isotonic=_isotonic_crossing(x, share, weights[0], level),
        slope=-slope,
        intercept=intercept,
        shortest=min(o.steps for o in rows),
        longest=max(o.steps for o in rows),
        n_programs=len(programs),
        n_families=len({o.family for o in rows}),
        note="" if len(programs) >= FEWEST_PROGRAMS else "too few programs",
    )


def chance(found: Horizon, steps: float) -> float:
    """What the fitted curve says of one length."""
    return 1.0 / (1.0 + math.exp(-max(-500.0, found.intercept - found.slope * math.log2(steps))))


def _resampled(
    rows: list[Observation], share: np.ndarray, n: np.ndarray, random: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Shares and weights of each task, first as they are, then drawn again: families, programs, samples."""
    import numpy as np

    families = sorted({o.family for o in rows})
    programs = sorted({(o.family, o.program) for o in rows})
    of_family = np.array([families.index(family) for family, _ in programs])
    number = {program: index for index, program in enumerate(programs)}
    of_program = np.array([number[o.family, o.program] for o in rows])
    times = np.ones((N_RESAMPLES + 1, len(programs)))
    drawn_families = random.multinomial(len(families), [1 / len(families)] * len(families), N_RESAMPLES)
    for index in range(len(families)):
        members = np.flatnonzero(of_family == index)
        # A family drawn twice is resampled twice: its programs are drawn that many times over.
        draws = drawn_families[:, index] * len(members)
        times[1:, members] = random.multinomial(draws, [1 / len(members)] * len(members))
    weights = times[:, of_program] * n
    # Every family weighs the same, in the data and in each draw of it.
    sizes = np.zeros((len(families),))
    np.add.at(sizes, of_family[of_program], n)
    weights *= (n.sum() / len(families) / sizes)[of_family[of_program]]
    drawn = np.tile(share, (N_RESAMPLES + 1, 1))
    several = np.flatnonzero(n > 1)
    if len(several):
        counts = random.binomial(n[several].astype(int), share[several], (N_RESAMPLES, len(several)))
        drawn[1:, several] = counts / n[several]
    return drawn, weights


def _fit(x: np.ndarray, share: np.ndarray, weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Intercepts and slopes of weighted logistic curves, one per row, by Newton's method."""
    import numpy as np

    centre = float(x.mean())
    z = x - centre
    total = weights.sum(axis=1)
    mean = np.clip((weights * share).sum(axis=1) / total, 1e-6, 1 - 1e-6)
    a, b = np.log(mean / (1 - mean)), np.zeros(len(mean))
    for _ in range(_ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(a[:, None] + b[:, None] * z, -30, 30)))
        error = weights * (share - p)
        spread = weights * np.maximum(p * (1 - p), 1e-9)
        g0, g1 = error.sum(axis=1), (error * z).sum(axis=1) - _RIDGE * b
        h00, h01 = spread.sum(axis=1), (spread * z).sum(axis=1)
        h11 = (spread * z * z).sum(axis=1) + _RIDGE
        determinant = np.maximum(h00 * h11 - h01**2, 1e-12)
        step_a = np.clip((h11 * g0 - h01 * g1) / determinant, -3, 3)
        step_b = np.clip((h00 * g1 - h01 * g0) / determinant, -3, 3)
        a = np.clip(a + step_a, -60, 60)
        b = np.clip(b + step_b, -_STEEPEST, _STEEPEST)
        if max(np.abs(step_a).max(), np.abs(step_b).max()) < 1e-8:
            break
    return a - b * centre, b


def _crossing(a: np.ndarray, b: np.ndarray, level: float, lowest: float, highest: float) -> np.ndarray:
    """log2 of the length at which each curve passes the level; -inf and inf outside the data."""
    import numpy as np

    wanted = math.log(level / (1 - level))
    falling = b < -1e-9
    at = np.where(falling, (wanted - a) / np.where(falling, b, -1.0), 0.0)
    above_everywhere = a + b * highest >= wanted
    below_everywhere = a + b * lowest < wanted
    at = np.where(falling & (at > highest), np.inf, at)
    at = np.where(falling & (at < lowest), -np.inf, at)
    # A curve that does not fall has no horizon inside the data: it is above, or it is not.
    return np.where(falling, at, np.where(above_everywhere & ~below_everywhere, np.inf, -np.inf))


def _percentiles(drawn: np.ndarray, at: float, n_programs: int) -> tuple[float, float]:
    """Bounds of 95 % from bootstrap draws, widened as t is wider than the normal with few programs."""
    import numpy as np
    from scipy.stats import norm, t

    freedom = max(1, n_programs - 1)
    z = float(t.ppf(0.975, freedom)) * math.sqrt((freedom + 1) / freedom)
    tail = float(norm.cdf(-z))
    low, high = np.quantile(drawn, (tail, 1 - tail), method="nearest")
    return float(low), float(high)


def _isotonic_crossing(x: np.ndarray, share: np.ndarray, weights: np.ndarray, level: float) -> float:
    """Length up to which the best falling step function is at or above the level; 0.0 or inf outside."""
    blocks: list[list[float]] = []  # [weight, weighted right, last length]
    order = sorted(range(len(x)), key=lambda i: x[i])
    for i in order:
        weight, right, last = float(weights[i]), float(weights[i] * share[i]), float(x[i])
        if blocks and blocks[-1][2] == last:  # one length is one block
            blocks[-1][0] += weight
            blocks[-1][1] += right
        else:
            blocks.append([weight, right, last])
        while len(blocks) > 1 and blocks[-1][1] / blocks[-1][0] >= blocks[-2][1] / blocks[-2][0]:
            later = blocks.pop()
            blocks[-1] = [blocks[-1][0] + later[0], blocks[-1][1] + later[1], later[2]]
    above = [last for weight, right, last in blocks if right / weight >= level]
    if not above:
        return 0.0
    return math.inf if len(above) == len(blocks) else 2.0 ** above[-1]
