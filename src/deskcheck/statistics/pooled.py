"""Pool one effect measured on several models: the mean effect, and its spread from model to model.

    pool([0.05, 0.12, -0.01], [0.02, 0.03, 0.02]) -> Pooled(effect, low, high, between, share, q, p, n)

The effects are taken as random from model to model. Their variance between models is that of DerSimonian and
Laird (Controlled Clinical Trials 7, 1986, 177-188). The interval is that of Hartung and Knapp (Statistics in
Medicine 20, 2001, 3875-3889), but never narrower than without their correction. Heterogeneity is given as Q,
its p-value and I2 (Higgins and Thompson 2002). statsmodels computes these figures.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.statistics.summary import t_quantile


class Pooled(Struct, frozen=True):
    """The mean effect over a population of such models."""

    effect: float
    """Mean effect, in the unit of the effects that were pooled."""
    low: float
    """95 % interval of the mean effect; NaN for a single model."""
    high: float
    between: float
    """Standard deviation of the effect from model to model (tau)."""
    share: float
    """I2: share of the spread that is not noise, from 0 to 1."""
    q: float
    """Cochran's Q, the weighted squares of the models' distances from the mean effect."""
    p: float
    """p-value of "all models have the same effect", from Q; NaN for a single model."""
    n: int
    """Number of models."""


def pool(effects: Sequence[float], errors: Sequence[float]) -> Pooled:
    """Pool effects with their standard errors. UserError without effects, or if an error is not above 0."""
    if len(effects) != len(errors) or not effects:
        raise UserError(f"{len(effects)} effects and {len(errors)} standard errors cannot be pooled")
    if any(not error > 0 for error in errors):
        raise UserError(f"standard errors must be above 0: {list(errors)}")
    n = len(effects)
    if n == 1:
        return Pooled(float(effects[0]), math.nan, math.nan, 0.0, 0.0, 0.0, math.nan, 1)
    import numpy as np
    from scipy.stats import chi2
    from statsmodels.stats.meta_analysis import combine_effects

    with np.errstate(invalid="ignore"):  # a tau2 below 0 can have no error
        found = combine_effects(np.asarray(effects), np.asarray(errors) ** 2, method_re="dl")
    between = max(0.0, float(found.tau2))
    # statsmodels also weights by a tau2 below 0; such models differ by noise only: the fixed effect
    kind = "re" if found.tau2 > 0 else "fe"
    mean = float(getattr(found, f"mean_effect_{kind}"))
    # Hartung and Knapp's error can be smaller than the plain one if the models agree by chance.
    widths = (getattr(found, f"sd_eff_w_{kind}"), getattr(found, f"sd_eff_w_{kind}_hksj"))
    half = t_quantile(n - 1) * float(max(widths))
    q = float(found.q)
    return Pooled(
        effect=mean,
        low=mean - half,
        high=mean + half,
        between=math.sqrt(between),
        share=max(0.0, (q - (n - 1)) / q) if q > 0 else 0.0,
        q=q,
        p=float(chi2.sf(q, n - 1)),
        n=n,
    )
