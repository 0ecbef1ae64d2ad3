"""pass@k: the chance that at least one of k samples is right, estimated without bias from n >= k samples.

    pass_at_k(10, 3, 1)            -> 0.3
    mean_pass_at_k([3, 10], 10, 5) -> mean over tasks

Source: Chen et al., Evaluating large language models trained on code, arXiv 2107.03374, section 2.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb

from deskcheck.errors import UserError


def pass_at_k(n: int, n_right: int, k: int) -> float:
    """1 - C(n - right, k) / C(n, k). UserError unless 0 <= right <= n and 1 <= k <= n."""
    if not 0 <= n_right <= n:
        raise UserError(f"{n_right} right samples of {n} cannot be")
    if not 1 <= k <= n:
        raise UserError(f"pass@{k} needs at least {max(k, 1)} samples of every task; there are {n}")
    return 1.0 - comb(n - n_right, k) / comb(n, k)


def mean_pass_at_k(right_counts: Sequence[int], n: int, k: int) -> float:
    """Mean over tasks, each with n samples. UserError where there is no task."""
    if not right_counts:
        raise UserError(f"pass@{k} of no tasks is not a number")
    return sum(pass_at_k(n, n_right, k) for n_right in right_counts) / len(right_counts)
