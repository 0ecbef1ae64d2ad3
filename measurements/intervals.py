"""How often the 95 % intervals of `deskcheck eval` hold the truth: simulated models of known accuracy.

    python measurements/intervals.py [--runs 4000] [--seed 0] [--only NAME] [--json FILE]

Programs get a chance of their own (Beta with mean p and within-program correlation rho), then answers are
drawn. One line per number of answers and cluster size: coverage averaged over p (lowest and highest over
rho), and the lowest single cell. Mean +- t x cluster-robust error, what most tools print, stands beside it.

Horizons: a model is right with a logistic chance in log2 steps; lengths are drawn evenly in log2 over 2..1000
Programs and families may have an ease of their own, from the bridge distribution (Wang and Louis, Biometrika
90, 2003, 765-775), under which the average over them is exactly the logistic curve whose horizon is sought:
attenuation 1 = all alike, 0.7 and 0.4 = a standard deviation of 1.9 and 4.2 in log-odds.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

import msgspec
import numpy as np

from deskcheck.statistics import horizon_interval
from deskcheck.statistics.paired import difference_bounds
from deskcheck.statistics.summary import share_bounds, t_quantile

CHANCES = (
    0.02,
    0.03,
    0.05,
    0.08,
    0.1,
    0.15,
    0.2,
    0.3,
    0.4,
    0.5,
    0.6,
    0.7,
    0.8,
    0.85,
    0.9,
    0.92,
    0.95,
    0.97,
    0.98,
)
CORRELATIONS = (0.0, 0.1, 0.3, 0.6, 1.0)
ENOUGH = [(n, size) for n in (93, 200, 800) for size in (1, 2, 3, 5, 10, "1..10")]
FEW = [(n, size) for n in (10, 20, 40, 90) for size in (2, 5)]


def sizes_of(n: int, size: int | str) -> np.ndarray:
    """Answers of each program, n together."""
    pattern = range(1, 11) if size == "1..10" else (int(size),)
    sizes: list[int] = []
    while sum(sizes) < n:
        sizes.append(pattern[len(sizes) % len(pattern)])
    sizes[-1] -= sum(sizes) - n
    return np.array(sizes, dtype=float)


def draw(p: float, rho: float, sizes: np.ndarray, runs: int, random: np.random.Generator) -> np.ndarray:
    """Right answers per program, one row a run."""
    shape = (runs, len(sizes))
    if rho == 0:
        chances = np.full(shape, p)
    elif rho == 1:
        chances = (random.random(shape) < p).astype(float)
    else:
        spread = (1 - rho) / rho
        chances = random.beta(p * spread, (1 - p) * spread, shape)
    return random.binomial(sizes.astype(int), chances).astype(float)


def plain_bounds(sums: np.ndarray, sizes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean +- t x cluster-robust standard error."""
    n, clusters = sizes.sum(), len(sizes)
    mean = sums.sum(axis=1) / n
    error = np.sqrt(((sums - mean[:, None] * sizes) ** 2).sum(axis=1) * clusters / (clusters - 1)) / n
    half = t_quantile(clusters - 1) * error
    return mean - half, mean + half


def coverage(n: int, size: int | str, runs: int, random: np.random.Generator) -> dict[str, object]:
    """One line of the table."""
    sizes = sizes_of(n, size)
    cells = {"ours": [], "plain": []}
    for rho in CORRELATIONS:
        found = {"ours": [], "plain": []}
        for p in CHANCES:
            sums = draw(p, rho, sizes, runs, random)
            for name, bounds in (("ours", share_bounds), ("plain", plain_bounds)):
                low, high = bounds(sums, sizes)
                found[name].append(float(((low <= p + 1e-12) & (p - 1e-12 <= high)).mean()))
        for name, values in found.items():
            cells[name].append(values)
    line: dict[str, object] = {"n": n, "cluster size": size, "clusters": len(sizes)}
    for name, rows in cells.items():
        means = [100 * sum(row) / len(row) for row in rows]
        line[name] = {
            "lowest mean": min(means),
            "highest mean": max(means),
            "lowest": 100 * min(map(min, rows)),
        }
    return line


def _words(found: dict[str, float]) -> str:
    return f"{found['lowest mean']:5.1f} .. {found['highest mean']:5.1f}   {found['lowest']:5.1f}     "


# Programs, tasks of each, how much alike the tasks of a program are: paired differences.
PAIRS = [(n, 1, 0.0) for n in (15, 30, 60, 93, 200)]
PAIRS += [(n, size, alike) for n, size in ((5, 3), (40, 5), (100, 3)) for alike in (0.0, 0.3, 1.0)]


def difference_coverage(
    programs: int, tasks: int, alike: float, runs: int, random: np.random.Generator
) -> dict[str, float]:
    """Two models that differ on 2 to 40 % of the tasks, one of them ahead or not.

    Two tasks of a program have one draw, and so one difference, with chance `alike`.
    """
    held, widths = [], []
    for differ in (0.02, 0.05, 0.1, 0.2, 0.4):
        for ahead in (0.5, 0.7, 0.9, 1.0):
            up, down = differ * ahead, differ * (1 - ahead)
            own = random.random((runs, programs, tasks))
            shares = random.random(own.shape) < math.sqrt(alike)
            drawn = np.where(shares, random.random((runs, programs, 1)), own)
            values = np.where(drawn < up, 1.0, np.where(drawn < up + down, -1.0, 0.0))
            sizes = np.full(programs, float(tasks))
            low, high = difference_bounds(values.sum(axis=2), np.abs(values).sum(axis=2), sizes)
            held.append(100 * ((low <= up - down + 1e-9) & (up - down - 1e-9 <= high)).mean())
            widths.append(100 * (high - low).mean())
    return {
        "lowest": min(held), "mean": sum(held) / len(held), "highest": max(held),
        "width": sum(widths) / len(widths),
    }  # fmt: skip


SHORTEST, LONGEST = 1.0, 10.0  # log2 of the steps that are asked
WITHIN = (2.5, 10, 45, 180, 800)  # true horizons, steps
BEYOND = (0.7, 1.5, 1300, 4000)
SLOPES = (0.5, 1.0, 2.0)  # fall of the log-odds a doubling
AT_ONCE = 20_000  # answers that are tested together: what a processor's cache holds
N_WIDTHS = 10  # runs of a cell whose whole interval is made, for its width

# Answers, a program, whether they are samples of one task, families, attenuation by program, by family.
HORIZONS = [
    *[(n, 1, True, 1, 1.0, 1.0) for n in (93, 200, 800)],
    *[(93, 3, samples, 1, alike, 1.0) for samples in (True, False) for alike in (1.0, 0.7, 0.4)],
    *[(200, "1..10", samples, 1, alike, 1.0) for samples in (True, False) for alike in (1.0, 0.7, 0.4)],
    *[(800, size, True, 1, alike, 1.0) for size in (10, "1..10") for alike in (1.0, 0.7, 0.4)],
    *[(800, size, False, 1, 0.7, 1.0) for size in (10, "1..10")],
    *[(200, 1, True, families, 1.0, alike) for families in (3, 5, 10, 20) for alike in (1.0, 0.8)],
    *[(n, 1, True, 1, 1.0, 1.0) for n in (10, 20, 30, 40, 60)],
    *[(60, 3, True, 1, alike, 1.0) for alike in (1.0, 0.4)],
]


def ease(attenuation: float, shape: tuple[int, int], random: np.random.Generator) -> np.ndarray:
    """Log-odds added to the curve steepened by 1 / attenuation; on average they leave it as it was."""
    if attenuation == 1:
        return np.zeros(shape)
    u = random.random(shape) * math.pi * attenuation
    return np.log(np.sin(u) / np.sin(math.pi * attenuation - u)) / attenuation


class Models:
    """Simulated models that were asked tasks of the same programs, at lengths of their own."""

    def __init__(self, case: tuple, runs: int, random: np.random.Generator) -> None:
        n, size, samples, families, self.by_program, self.by_family = case
        sizes = sizes_of(n, size).astype(int)
        self.programs = len(sizes)
        of_program = np.arange(len(sizes)) if samples else np.repeat(np.arange(len(sizes)), sizes)
        of_family = of_program * families // len(sizes)
        shape = (runs, len(of_program))
        x = np.log2(np.floor(2 ** random.uniform(SHORTEST, LONGEST, shape)))
        names = [f"{f:04}" for f in of_family], [f"{p:04}" for p in of_program]
        draws = sizes.astype(float) if samples else np.ones(len(of_program))
        self.asked = horizon_interval.design(x, draws, *names)
        self.ease = ease(self.by_program, (runs, len(sizes)), random)[:, of_program]
        self.family = ease(self.by_family, (runs, families), random)[:, of_family]
        self.seeds = random.integers(1 << 30, size=64)

    def answer(self, truth: float, slope: float, level: float) -> np.ndarray:
        """Share right of each task, (runs, tasks), of models whose horizon at `level` is `truth` steps."""
        odds = slope * (math.log2(truth) - self.asked.x) + math.log(level / (1 - level))
        odds = (odds / self.by_family + self.family) / self.by_program + self.ease
        chance = 1 / (1 + np.exp(-np.clip(odds, -500, 500)))
        random = np.random.default_rng(
            [int(self.seeds[0]), int(1000 * truth), int(10 * slope), int(10 * level)]
        )
        return random.binomial(self.asked.n.astype(int), chance) / self.asked.n

    def held(self, share: np.ndarray, truth: float, level: float) -> np.ndarray:
        """Whether the interval of each run holds the truth; outside the lengths, whether it is open there."""
        shortest, longest = self.asked.x.min(axis=1), self.asked.x.max(axis=1)
        at = np.clip(math.log2(truth), shortest, longest)
        rows = max(1, AT_ONCE // share.shape[1])
        found = np.concatenate(
            [
                horizon_interval.evidence(
                    msgspec.structs.replace(self.asked, x=self.asked.x[i : i + rows]),
                    share[i : i + rows],
                    at[i : i + rows],
                    level=level,
                )
                for i in range(0, len(share), rows)
            ]
        )
        return np.where(
            at > math.log2(truth), found <= 1, np.where(at < math.log2(truth), found >= -1, abs(found) <= 1)
        )

    def bounds(self, share: np.ndarray, run: int, level: float) -> tuple[float, float]:
        """The interval of one run, log2 steps."""
        one = msgspec.structs.replace(self.asked, x=self.asked.x[run : run + 1])
        return horizon_interval.interval(one, share[run], level=level)


def horizon_coverage(case: tuple, level: float, *, runs: int, seed: int, slopes: tuple = SLOPES) -> dict:
    """Coverage in % over true horizons and slopes; width of the intervals of horizons within the lengths."""
    models = Models(case, runs, np.random.default_rng(seed))
    cells: dict[str, list[float]] = {"within": [], "beyond": []}
    bounds = []
    for slope in slopes:
        for truth in (*WITHIN, *BEYOND):
            share = models.answer(truth, slope, level)
            place = "within" if truth in WITHIN else "beyond"
            cells[place].append(100 * float(models.held(share, truth, level).mean()))
            if place == "within":
                bounds += [models.bounds(share, run, level) for run in range(min(runs, N_WIDTHS))]
    low, high = np.clip(np.array(bounds), SHORTEST, LONGEST).T
    return {
        "programs": models.programs,
        "mean": sum(cells["within"]) / len(cells["within"]),
        "lowest": min(cells["within"]),
        "lowest beyond": min(cells["beyond"]),
        "width": float(np.median(high - low)),
        "open": 100 * float(np.mean([not all(map(math.isfinite, pair)) for pair in bounds])),
        "says nothing": 100 * float(np.mean([not any(map(math.isfinite, pair)) for pair in bounds])),
    }


def same_chance_a_step(n: int, truth: float, level: float, *, runs: int, seed: int) -> dict:
    """Models that fail at every step with the same chance: their curve is no logistic one."""
    models = Models((n, 1, True, 1, 1.0, 1.0), runs, np.random.default_rng(seed))
    chance = level ** (2**models.asked.x / truth)
    share = np.random.default_rng([seed, n]).binomial(1, chance).astype(float)
    a, b = horizon_interval.fit(models.asked.x, share, models.asked.weight)
    return {
        "coverage": 100 * float(models.held(share, truth, level).mean()),
        "off": float(np.median((math.log(level / (1 - level)) - a) / b)) - math.log2(truth),
        "noticed": 100 * float((abs(horizon_interval.bend(models.asked, share)) > 1).mean()),
    }


def _horizon_words(found: dict) -> str:
    names = ("mean", "lowest", "lowest beyond", "width", "open", "says nothing")
    return " ".join(f"{found[name]:6.1f}" for name in names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=4000, help="simulated evaluations per cell")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", choices=["", "shares", "differences", "horizons"], default="")
    options = parser.parse_args()
    found = {"runs": options.runs, "seed": options.seed}
    parts = {"shares": shares, "differences": differences, "horizons": horizons}
    for name, part in parts.items():
        if options.only in ("", name):
            found[name] = part(options.runs, options.seed)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


def shares(runs: int, seed: int) -> list[dict]:
    """Accuracy: one line per number of answers and cluster size."""
    random = np.random.default_rng(seed)
    lines = []
    print(f"coverage of 95 % intervals in %, {runs} runs a cell, p in .02...98, rho in 0..1")
    print(f"{'n':>4} {'size':>6} {'programs':>8}   ours: mean, lowest cell   mean +- t x error: the same")
    for n, size in ENOUGH + FEW:
        line = coverage(n, size, runs, random)
        if (n, size) in ENOUGH and line["clusters"] < 30:
            continue
        lines.append(line)
        print(f"{n:>4} {size!s:>6} {line['clusters']:>8}   {_words(line['ours'])}    {_words(line['plain'])}")
        sys.stdout.flush()
    return lines


def differences(runs: int, seed: int) -> list[dict]:
    """Paired differences: half the runs."""
    random = np.random.default_rng([seed, 1])
    pairs = []
    print("\npaired differences: programs, tasks of each, alike: lowest, mean, highest cell; width in points")
    for programs, tasks, alike in PAIRS:
        found = difference_coverage(programs, tasks, alike, max(1, runs // 2), random)
        pairs.append({"programs": programs, "tasks": tasks, "alike": alike, **found})
        words = " ".join(f"{found[name]:6.1f}" for name in ("lowest", "mean", "highest", "width"))
        print(f"{programs:>6} {tasks:>6} {alike:>5} {words}", flush=True)
    return pairs


def horizons(runs: int, seed: int) -> list[dict]:
    """Horizons: half the runs."""
    runs = max(1, runs // 2)
    print(
        f"\nhorizons, {runs} runs a cell, at 50 % and at 80 %: coverage (mean, lowest cell; lowest cell of "
        "horizons beyond the lengths),\nmedian width in doublings, % open at an end, % open at both"
    )
    print("answers a program, of families, attenuation by program, by family, programs")
    lines = []
    for case in HORIZONS:
        n, size, samples, families, by_program, by_family = case
        half, most = (horizon_coverage(case, level, runs=runs, seed=seed) for level in (0.5, 0.8))
        lines.append({"case": case, "half": half, "most": most})
        kind = "" if size == 1 else "samples" if samples else "tasks"
        print(
            f"{n:>4} {size!s:>5} {kind:>7} {families:>3} {by_program:4} {by_family:4} {half['programs']:>4}  "
            f"{_horizon_words(half)}  |{_horizon_words(most)}",
            flush=True,
        )
    print(
        "\nfixed chance to fail at each step: answers, true horizon-50 | at 50 %: coverage, median error in",
        end=" ",
    )
    print("doublings,\n% of which the report says that the curve is not logistic | horizon-80: the same")
    for n in (93, 200, 800):
        for truth in (10, 45, 180):
            steps = {0.5: truth, 0.8: truth * math.log2(1 / 0.8)}
            both = [same_chance_a_step(n, at, level, runs=runs, seed=seed) for level, at in steps.items()]
            lines.append({"answers": n, "same chance a step": truth, "half": both[0], "most": both[1]})
            said = " | ".join(f"{f['coverage']:5.1f} {f['off']:5.2f} {f['noticed']:5.1f}" for f in both)
            print(f"{n:>4} {truth:>4} | {said}", flush=True)
    return lines


if __name__ == "__main__":
    main()
