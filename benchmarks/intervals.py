"""How often the 95 % intervals of `deskcheck eval` hold the truth: simulated models of known accuracy.

    python benchmarks/intervals.py [--runs 4000] [--seed 0] [--json FILE]

Programs get a chance of their own (Beta with mean p and within-program correlation rho), then answers are
drawn. One line per number of answers and cluster size: coverage averaged over p (lowest and highest over
rho), and the lowest single cell. Mean +- t x cluster-robust error, what most tools print, stands beside it.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from pathlib import Path

import numpy as np

from deskcheck.statistics.horizon import Observation, horizon
from deskcheck.statistics.interval import share_bounds, t_quantile
from deskcheck.statistics.paired import difference_bounds

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


# Programs, tasks of each: paired differences.
PAIRS = [(5, 3), (15, 1), (30, 1), (40, 5), (93, 1), (200, 1), (100, 3)]


def difference_coverage(
    programs: int, tasks: int, runs: int, random: np.random.Generator
) -> dict[str, float]:
    """Two models that differ on 2 to 40 % of the tasks, one of them ahead or not."""
    cells = []
    for differ in (0.02, 0.05, 0.1, 0.2, 0.4):
        for ahead in (0.5, 0.7, 0.9, 1.0):
            up, down = differ * ahead, differ * (1 - ahead)
            counts = random.multinomial(tasks, [up, down, 1 - up - down], size=(runs, programs))
            held = 0
            for row in counts:
                low, high = difference_bounds([float(u - d) for u, d, _ in row], [tasks] * programs)
                held += low <= up - down + 1e-12 and up - down <= high + 1e-12
            cells.append(100 * held / runs)
    return {"lowest": min(cells), "mean": sum(cells) / len(cells), "highest": max(cells)}


# Programs, families, samples, steps of the true horizon-50, fall of the log-odds per doubling, spread of the
# programs, level of the horizon that is asked for.
HORIZONS = [
    (40, 1, 1, 30, 2.0, 0.0, 0.5),
    (60, 1, 1, 20, 0.6, 0.0, 0.5),
    (93, 1, 1, 300, 1.0, 0.0, 0.5),
    (200, 1, 1, 40, 1.0, 0.0, 0.5),
    (200, 5, 1, 40, 1.0, 0.0, 0.5),
    (200, 5, 3, 40, 1.0, 1.0, 0.5),
    (93, 1, 1, 300, 1.0, 0.0, 0.8),
    (200, 1, 1, 40, 1.0, 0.0, 0.8),
    (200, 5, 1, 40, 1.0, 0.0, 0.8),
]


def horizon_coverage(
    n_programs: int,
    families: int,
    samples: int,
    steps: float,
    slope: float,
    spread: float,
    level: float,
    *,
    runs: int,
    random: np.random.Generator,
) -> float:
    """Share of simulated models of known horizon (2..1,000 steps asked) whose interval holds it."""
    held = 0
    truth = steps * 2 ** (-math.log(level / (1 - level)) / slope)
    for run in range(runs):
        rows = []
        for index in range(n_programs):
            length = int(2 ** random.uniform(1, 10))
            # A program's own ease shifts its log-odds; the curve is steepened so that its mean stays.
            odds = slope * math.log2(steps / length) * math.sqrt(1 + spread**2 / 2.9)
            chance = 1 / (1 + math.exp(-odds - spread * random.normal()))
            right = int(random.binomial(samples, chance))
            rows.append(Observation(length, right, samples, f"family {index % families}", f"{index}"))
        found = horizon(rows, level=level, seed=run)
        held += found.low <= truth <= found.high
    return 100 * held / runs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=4000, help="simulated evaluations per cell")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    lines = []
    print(f"coverage of 95 % intervals in %, {options.runs} runs a cell, p in .02...98, rho in 0..1")
    print(f"{'n':>4} {'size':>6} {'programs':>8}   ours: mean, lowest cell   mean +- t x error: the same")
    for n, size in ENOUGH + FEW:
        line = coverage(n, size, options.runs, random)
        if (n, size) in ENOUGH and line["clusters"] < 30:
            continue
        lines.append(line)
        print(f"{n:>4} {size!s:>6} {line['clusters']:>8}   {_words(line['ours'])}    {_words(line['plain'])}")
        sys.stdout.flush()
    pairs = []
    print("\npaired differences: programs, tasks of each: lowest, mean, highest cell")
    for programs, tasks in PAIRS:
        found = difference_coverage(programs, tasks, max(1, options.runs // 10), random)
        pairs.append({"programs": programs, "tasks": tasks, **found})
        words = f"{found['lowest']:5.1f}  {found['mean']:5.1f}  {found['highest']:5.1f}"
        print(f"{programs:>6} {tasks:>6}   {words}", flush=True)
    horizons = []
    print("\nhorizons: programs, families, samples, true steps, slope, spread, level: coverage")
    for case in HORIZONS:
        held = horizon_coverage(*case, runs=max(1, options.runs // 5), random=random)
        horizons.append([*case, held])
        print(*(f"{value:>6g}" for value in case), f"  {held:5.1f}", flush=True)
    if options.json:
        options.json.write_text(
            json.dumps(
                {
                    "runs": options.runs,
                    "seed": options.seed,
                    "lines": lines,
                    "pairs": pairs,
                    "horizons": horizons,
                },
                indent=1,
            )
            + "\n"
        )


if __name__ == "__main__":
    main()
