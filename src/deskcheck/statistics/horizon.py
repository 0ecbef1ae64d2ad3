"""Compute the horizon of a model: the number of executed steps at which it is right with a given chance.

    horizon([Observation(steps, right, n, family, program), ..]) -> Horizon
    horizon(.., level=0.8)

The horizon comes from a logistic curve in log2(steps), in which every family has the same weight, whatever
its number of tasks. The interval holds the lengths that a test of the answers near them does not reject
(`horizon_interval.py`); it needs no logistic curve. An isotonic fit, given as well, assumes only that longer
is not easier; where the curve is not logistic, its figure stands first. A horizon outside the steps that were
asked is a bound, never a number: "> 640". The steps are executed line events of the true run on CPython 3.11.

Earlier work: time horizons (Kwa et al., arXiv 2503.14499), accuracy against length (Sinha et al.,
arXiv 2509.09677), L0-Bench (arXiv 2503.22832).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.statistics import horizon_interval
from deskcheck.statistics.summary import FEWEST_CLUSTERS

if TYPE_CHECKING:
    import numpy as np

FEWEST_PROGRAMS = 30
"""With fewer programs, a note says so, and no test asks whether the curve is logistic."""

Bound = Literal["", "<", ">"]


class Observation(Struct, frozen=True):
    """All samples of one task, at its number of steps."""

    steps: int
    """Executed line events of the true run, at least 1."""
    right: int
    """Number of right samples."""
    n: int
    """Number of samples of the task."""
    family: str
    program: str


class Horizon(Struct, frozen=True):
    """Number of steps at which the chance to be right falls below `level`."""

    level: float
    steps: float
    """The horizon; if `bound` is set, the shortest or longest length that was asked."""
    bound: Bound
    """"<": already below the level at the shortest length; ">": still above it at the longest."""
    low: float
    """Lower end of the 95 % interval; 0.0 = below the shortest length asked."""
    high: float
    """Upper end of the 95 % interval; inf = above the longest length asked."""
    isotonic: float
    """Horizon of the isotonic fit; 0.0 and inf as in the interval."""
    slope: float
    """Fall of the log-odds at each doubling of the length."""
    intercept: float
    """Log-odds at one step."""
    shortest: int
    longest: int
    n_programs: int
    n_families: int
    is_logistic: bool
    """Whether no test speaks against a logistic curve; otherwise `isotonic` is the better figure."""
    note: str
    """Weaknesses of the figures, or "": too few programs, families that represent only themselves, a curve
    that is not logistic."""


def horizon(observations: Sequence[Observation], *, level: float = 0.5) -> Horizon:
    """Fit the horizon. UserError without observations, and for an impossible count or level."""
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
    asked = horizon_interval.design(x, n, [o.family for o in rows], [o.program for o in rows])
    weights = asked.weight * n
    curve = horizon_interval.fit(asked.x, share[None, :], weights)
    intercept, slope = float(curve[0][0]), float(curve[1][0])
    lowest, highest = float(x.min()), float(x.max())
    mean = float((weights * share).sum() / weights.sum())
    is_logistic = len(asked.programs) < FEWEST_PROGRAMS or not _is_bent(asked, share)
    at = _crossing(intercept, slope, mean, level)
    bound: Bound = "<" if at < lowest else ">" if at > highest else ""
    low, high = horizon_interval.interval(asked, share, level=level)
    return Horizon(
        level=level,
        steps=2.0 ** min(max(at, lowest), highest),
        bound=bound,
        low=2.0**low,
        high=2.0**high,
        isotonic=_isotonic_crossing(x, share, weights, level),
        slope=-slope,
        intercept=intercept,
        shortest=min(o.steps for o in rows),
        longest=max(o.steps for o in rows),
        n_programs=len(asked.programs),
        n_families=len(asked.families),
        is_logistic=is_logistic,
        note=_note(asked, is_logistic=is_logistic),
    )


def _is_bent(asked: horizon_interval.Design, share: np.ndarray) -> bool:
    return abs(float(horizon_interval.bend(asked, share[None, :])[0])) > 1


def _note(asked: horizon_interval.Design, *, is_logistic: bool) -> str:
    n_programs, n_families = len(asked.programs), len(asked.families)
    said = ["too few programs"] if n_programs < FEWEST_PROGRAMS else []
    if 1 < n_families < FEWEST_CLUSTERS:
        said.append(f"of these {n_families} families alone")
    if not is_logistic:
        said.append("the curve is not logistic, so the isotonic figure stands first")
    return "; ".join(said)


def _crossing(intercept: float, slope: float, mean: float, level: float) -> float:
    """Return log2 of the length at which the curve passes the level; a rising curve counts as flat."""
    if slope < -1e-9:
        return (math.log(level / (1 - level)) - intercept) / slope
    return math.inf if mean >= level else -math.inf


def chance(horizon: Horizon, steps: float) -> float:
    """Return the chance to be right at one length, by the fitted curve."""
    return 1.0 / (1.0 + math.exp(-max(-500.0, horizon.intercept - horizon.slope * math.log2(steps))))


def _isotonic_crossing(x: np.ndarray, share: np.ndarray, weights: np.ndarray, level: float) -> float:
    """Return the length up to which the best falling step function is at or above the level.

    0.0 = it is nowhere, inf = it is everywhere.
    """
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
