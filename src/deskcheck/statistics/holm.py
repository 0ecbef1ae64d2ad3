"""Holm's correction: several p-values looked at together, each made as large as that deserves.

    holm([0.01, 0.04, 0.03]) -> [0.03, 0.06, 0.06]

An adjusted value under 0.05 is a finding with a 5 % chance of *any* false one among them.
Source: Holm 1979, A simple sequentially rejective multiple test procedure.
"""

from __future__ import annotations

from collections.abc import Sequence

from deskcheck.errors import UserError


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values in the order given. UserError where one is no probability."""
    if any(not 0.0 <= p <= 1.0 for p in p_values):
        raise UserError(f"not probabilities: {[p for p in p_values if not 0.0 <= p <= 1.0]}")
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, p_values[index] * (len(p_values) - rank)))
        adjusted[index] = largest
    return adjusted
