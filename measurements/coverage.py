"""How often each kind of printed interval holds the truth, in simulated sets of which the truth is known.

    python measurements/coverage.py [--runs 1000] [--seed 0] [--only KIND]

One line a cell: kind, design, share of the printed intervals that hold the truth, sets without an interval.
A set is drawn, the function that the reports call makes its interval, and its ends are compared to the truth.
`intervals.py` measures more designs of fewer kinds. "wide" marks cells above 97 %, "narrow" those under 93 %.

Curves of horizons: logistic in log2 steps; `hazard`, where every step fails with the same chance; `floor`,
where guessing keeps a share right at any length.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Iterator

import numpy as np
from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.statistics.horizon import Observation, horizon
from deskcheck.statistics.paired import paired_difference
from deskcheck.statistics.pooled import pool
from deskcheck.statistics.regression import logistic
from deskcheck.statistics.summary import clustered_interval

Random = np.random.Generator
Drawn = tuple[float, float, float]
"""Lower and upper end of an interval, and the true value; ends are NaN if none is printed."""
LEAST, WIDE = 93.0, 97.0


class Cell(Struct, frozen=True):
    """A design of simulated sets for one kind of interval."""

    kind: str
    design: str
    draw: Callable[[Random], Drawn]


class Covered(Struct, frozen=True):
    """Coverage of the intervals that the sets of one cell gave."""

    percent: float
    """Percentage of the printed intervals that hold the truth."""
    n_printed: int

    @property
    def word(self) -> str:
        """Name a coverage that is not near 95 %: "narrow" below 93 %, "wide" above 97 %."""
        return "narrow" if self.percent < LEAST else "wide" if self.percent > WIDE else ""


def covered(cell: Cell, runs: int, seed: int) -> Covered:
    """Draw the sets of one cell and return the coverage of their intervals."""
    random = np.random.default_rng([seed, *map(ord, cell.design)])
    sets = [cell.draw(random) for _ in range(runs)]
    held = [low <= truth <= high for low, high, truth in sets if not math.isnan(low)]
    return Covered(100 * sum(held) / max(1, len(held)), len(held))


# ------------------------------------------------------------------ shares, scores, differences


def chances(p: float, alike: float, programs: int, random: Random) -> np.ndarray:
    """Draw each program's chance to be right: mean p, correlation `alike` of two answers of a program."""
    if alike == 0:
        return np.full(programs, p)
    spread = (1 - alike) / alike
    return random.beta(p * spread, (1 - p) * spread, programs)


def share(p: float, programs: int, size: int, alike: float) -> Callable[[Random], Drawn]:
    def draw(random: Random) -> Drawn:
        right = random.random((programs, size)) < chances(p, alike, programs, random)[:, None]
        names = [str(i) for i in range(programs) for _ in range(size)]
        interval = clustered_interval(right.ravel().astype(float).tolist(), names)
        return interval.low, interval.high, p

    return draw


def score(whole: float, programs: int, size: int) -> Callable[[Random], Drawn]:
    """Draw the share of right steps of a run: 1 with chance `whole`, else anything from 0 to 1."""

    def draw(random: Random) -> Drawn:
        shape = (programs, size)
        values = np.where(random.random(shape) < whole, 1.0, random.random(shape))
        values = (values + random.random((programs, 1))) / 2  # what its program adds
        names = [str(i) for i in range(programs) for _ in range(size)]
        interval = clustered_interval(values.ravel().tolist(), names)
        return interval.low, interval.high, (whole + (1 - whole) / 2 + 0.5) / 2

    return draw


def difference(differ: float, ahead: float, programs: int, size: int) -> Callable[[Random], Drawn]:
    """Draw two models of which only one is right on `differ` of the tasks, A on `ahead` of those."""

    def draw(random: Random) -> Drawn:
        other = random.random(programs * size) < differ
        first = random.random(programs * size) < ahead
        both = random.random(programs * size) < 0.5
        a, b = np.where(other, first, both), np.where(other, ~first, both)
        names = [str(i // size) for i in range(programs * size)]
        interval = paired_difference(a.astype(float).tolist(), b.astype(float).tolist(), names)
        return interval.low, interval.high, differ * (2 * ahead - 1)

    return draw


def gap(programs: int, blanks: int) -> Callable[[Random], Drawn]:
    """Draw shortcut gaps: output (0 or 1) minus the share of right states of the same program."""

    def draw(random: Random) -> Drawn:
        ease = random.beta(1.2, 1.0, programs)
        output = (random.random(programs) < ease).astype(float)
        state = random.binomial(blanks, ease) / blanks
        interval = paired_difference(output.tolist(), state.tolist(), [str(i) for i in range(programs)])
        return interval.low, interval.high, 0.0

    return draw


# ------------------------------------------------------------------ horizons


def chance_at(curve: str, x: np.ndarray, truth: float, level: float) -> np.ndarray:
    """Return the chance to be right at log2 steps x, on a curve that passes the level at `truth` steps."""
    from_it = x - math.log2(truth)
    if curve == "hazard":
        return np.asarray(level ** (2**from_it))
    floor = float(curve.removeprefix("floor ")) if curve.startswith("floor") else 0.0
    above = (level - floor) / (1 - floor)
    return np.asarray(floor + (1 - floor) / (1 + np.exp(from_it - math.log(above / (1 - above)))))


def of_curve(curve: str, n: int, truth: float, level: float, *, size: int = 1) -> Callable[[Random], Drawn]:
    """Draw lengths evenly in log2 from 2 to 1,000, and `size` samples of each program."""

    def draw(random: Random) -> Drawn:
        steps = np.floor(2 ** random.uniform(1, math.log2(1000), n // size))
        right = random.binomial(size, chance_at(curve, np.log2(steps), truth, level))
        rows = [
            Observation(int(s), int(r), size, "all", f"{i:05}")
            for i, (s, r) in enumerate(zip(steps, right, strict=True))
        ]
        result = horizon(rows, level=level)
        return result.low, result.high, truth

    return draw


# ------------------------------------------------------------------ several models, several properties


def pooled(models: int, between: float) -> Callable[[Random], Drawn]:
    def draw(random: Random) -> Drawn:
        errors = random.uniform(0.02, 0.05, models)
        effects = random.normal(0.05, between, models) + random.normal(0, errors)
        result = pool(effects.tolist(), errors.tolist())
        return result.low, result.high, 0.05

    return draw


def odds(programs: int, size: int) -> Callable[[Random], Drawn]:
    """Draw answers with an effect of log2 steps (one standard deviation) beside a second property."""

    def draw(random: Random) -> Drawn:
        steps, nesting = random.normal(0, 1, (2, programs))
        steps = (steps - steps.mean()) / steps.std()
        chance = 1 / (1 + np.exp(0.6 * steps - 0.3 * nesting))
        right = random.random((programs, size)) < chance[:, None]
        rows = [[float(steps[i]), float(nesting[i])] for i in range(programs) for _ in range(size)]
        names = [i for i in range(programs) for _ in range(size)]
        try:
            effect = logistic(rows, right.ravel().astype(float).tolist(), names, names=["steps", "nesting"])[
                0
            ]
        except UserError:
            return math.nan, math.nan, 0.0
        return effect.low, effect.high, math.exp(-0.6)

    return draw


def cells() -> Iterator[Cell]:
    """Yield the designs of every kind of interval that a command or page prints."""
    for n in (20, 93, 800):
        for p in (0.1, 0.5, 0.9):
            yield Cell("share, one answer a program", f"{n} programs, p {p}", share(p, n, 1, 0))
    for programs, size, alike in ((10, 5, 0.3), (40, 5, 0.3), (100, 3, 0.6)):
        for p in (0.1, 0.5, 0.9):
            design = f"{programs} x {size}, alike {alike}, p {p}"
            yield Cell("share, several a program", design, share(p, programs, size, alike))
    for programs, size in ((6, 3), (12, 1), (20, 3), (40, 1), (100, 3)):
        for whole in (0.2, 0.7):
            yield Cell("mean of scores", f"{programs} x {size}, whole {whole}", score(whole, programs, size))
    for programs, size in ((30, 1), (93, 1), (200, 1), (40, 5)):
        for differ, ahead in ((0.1, 0.5), (0.2, 0.7), (0.4, 0.9)):
            design = f"{programs} x {size}, differ {differ}, ahead {ahead}"
            yield Cell("paired difference", design, difference(differ, ahead, programs, size))
    for programs in (12, 20, 40, 119):
        yield Cell("difference of scores", f"{programs} programs, 5 blanks", gap(programs, 5))
    for level, curves in (
        (0.5, ("logistic", "hazard", "floor 0.25")),
        (0.8, ("logistic", "hazard", "floor 0.5")),
    ):
        for curve in curves:
            for n, truth in ((40, 45), (93, 45), (200, 10), (200, 45), (200, 180), (800, 45)):
                kind = f"horizon-{100 * level:.0f}, {curve}"
                yield Cell(kind, f"{n} programs, {truth} steps", of_curve(curve, n, truth, level))
            design = "100 programs x 3, 45 steps"
            yield Cell(f"horizon-{100 * level:.0f}, {curve}", design, of_curve(curve, 300, 45, level, size=3))
    for models in (5, 10, 30):
        for between in (0.0, 0.05):
            yield Cell("pooled effect", f"{models} models, spread {between}", pooled(models, between))
    for programs, size in ((60, 1), (60, 3), (200, 1)):
        yield Cell("odds", f"{programs} x {size}", odds(programs, size))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=1000, help="simulated sets a cell")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="kinds that begin with this")
    options = parser.parse_args()
    by_kind: dict[str, list[Covered]] = {}
    for cell in cells():
        if cell.kind.startswith(options.only):
            result = covered(cell, options.runs, options.seed)
            by_kind.setdefault(cell.kind, []).append(result)
            silent = options.runs - result.n_printed
            print(
                f"{cell.kind:<28} {cell.design:<36} {result.percent:5.1f} %  {result.word:<7}"
                f"{f'{silent} without an interval' if silent else ''}",
                flush=True,
            )
    print("\n| interval | cells | coverage: mean | lowest cell | highest cell |\n|---|---|---|---|---|")
    for kind, results in by_kind.items():
        shares = sorted(one.percent for one in results)
        mean = sum(shares) / len(shares)
        print(f"| {kind} | {len(shares)} | {mean:.1f} | {shares[0]:.1f} | {shares[-1]:.1f} |")


if __name__ == "__main__":
    main()
