"""Count the steps of a run's chains up to the first wrong step of each: error rate, survival, causes.

    of_run(run) -> Steps | None                 None if the strategy has no chain of states

A chain is the series of steps that a model wrote for one run, each from its own last state. Steps after the
first wrong one may only follow from that error, so they are not counted. A chain that reached its budget
without an error has no wrong step.
"""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from deskcheck.cell_files import Sampled
from deskcheck.report.read import Run
from deskcheck.statistics.summary import FEWEST_CLUSTERS, share_bounds

# Numbers of steps for which survival is reported.
LENGTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)


class Steps(Struct, frozen=True):
    """Step counts over the chains of one run."""

    n_chains: int
    n_steps: int
    """Number of steps up to and with the first wrong one of each chain: the denominator."""
    n_wrong: int
    """Number of chains with a wrong step."""
    low: float
    """95 % interval of n_wrong / n_steps, clustered by program; NaN with fewer than 5 programs."""
    high: float
    survival: list[tuple[int, int, float]]
    """(k, chains that took a k-th step while right, Kaplan-Meier estimate of being right up to k)."""
    wrong_path: int
    """Number of right answers from chains with a wrong step."""
    right: int
    """Number of right answers from all chains."""
    parts: list[tuple[str, int]]
    """(part in which first wrong steps differ: "variables", "control flow", ..; number of chains)."""
    causes: list[tuple[str, int, int]]
    """(kind of line, first wrong steps at such lines, chains with a wrong step)."""

    @property
    def error(self) -> float:
        """Share of steps that are wrong, given that all steps before were right."""
        return self.n_wrong / self.n_steps


def of_run(run: Run) -> Steps | None:
    """Count the steps of a run's chains; None if it has none."""
    import numpy as np

    chains = [chain for chain in run.samples if chain.together >= 0]
    if not chains:
        return None
    sums: Counter[str] = Counter()
    sizes: Counter[str] = Counter()
    for chain in chains:
        wrong = chain.part != ""
        sums[chain.cluster] += wrong
        sizes[chain.cluster] += chain.together + wrong
    kept = [cluster for cluster in sizes if sizes[cluster]]
    low = high = float("nan")
    if len(kept) >= FEWEST_CLUSTERS:
        bounds = share_bounds(
            np.array([[float(sums[cluster]) for cluster in kept]]),
            np.array([float(sizes[cluster]) for cluster in kept]),
        )
        low, high = float(bounds[0][0]), float(bounds[1][0])
    parted = [chain for chain in chains if chain.part]
    causes = Counter(chain.cause for chain in parted)
    return Steps(
        n_chains=len(chains),
        n_steps=max(1, sum(sizes.values())),
        n_wrong=len(parted),
        low=low,
        high=high,
        survival=_survival(chains),
        wrong_path=sum(chain.verdict == "right" for chain in parted),
        right=sum(chain.verdict == "right" for chain in chains),
        parts=Counter(chain.part for chain in parted).most_common(),
        causes=[(name, count, len(parted)) for name, count in causes.most_common()],
    )


def _survival(chains: list[Sampled]) -> list[tuple[int, int, float]]:
    """Estimate survival (Kaplan-Meier): a chain that ended without an error is censored at its last step."""
    taken = Counter(one.together + (one.part != "") for one in chains)  # steps taken -> number of chains
    wrong = Counter(one.together + 1 for one in chains if one.part)
    at_risk, chance, points = len(chains), 1.0, []
    for step in range(1, max(taken) + 1):
        at_risk -= taken[step - 1]
        chance *= 1 - wrong[step] / at_risk
        if step in LENGTHS:
            points.append((step, at_risk, chance))
    return points
