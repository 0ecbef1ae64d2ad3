"""Estimate the effect of several properties on being right, the others held fixed, by logistic regression.

    logistic(rows, right, clusters, names=["log2 steps", "nesting"]) -> [Effect(name, odds, low, high, p), ..]

Numbers are standardised, so that an effect is the odds ratio of one standard deviation; 0/1 properties are
not scaled, and their effect is that of "yes" against "no". statsmodels fits the regression. Standard errors
are clustered by program (the sandwich of Liang and Zeger, Biometrika 73, 1986, 13-22, with the small-sample
factor clusters / (clusters - 1)). Quantiles and p-values are those of t with (clusters - 1) degrees of
freedom. The regression describes these tasks and shows no causes.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Hashable, Sequence

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.statistics.summary import t_quantile

_ROUNDS = 50
FURTHEST = 15.0
"""Log-odds beyond which a coefficient counts as infinite: a fit of separated data stops above this value."""


class Effect(Struct, frozen=True):
    """Effect of one property, the others held fixed."""

    name: str
    odds: float
    """Factor of the odds of being right, for one standard deviation more (numbers) or for "yes" (0/1)."""
    low: float
    high: float
    p: float
    spread: float
    """Standard deviation of a number; 1.0 for a 0/1 property."""


def logistic(
    rows: Sequence[Sequence[float]],
    right: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    names: Sequence[str],
) -> list[Effect]:
    """Return the effects in the order of `names`. Properties that never vary are left out.

    `rows` has the properties of each task, `right` the share of its samples that are right. UserError if the
    data do not suffice for a fit: fewer than 10 programs per property, properties that determine each other,
    or a property that separates right from wrong.
    """
    import numpy as np
    from scipy.stats import t

    x, y = np.asarray(rows, dtype=float), np.asarray(right, dtype=float)
    if x.ndim != 2 or len(x) != len(y) or len(x) != len(clusters) or x.shape[1] != len(names):
        raise UserError(
            f"regression of {len(rows)} rows, {len(y)} answers, {len(names)} names: they do not match"
        )
    spread = x.std(axis=0)
    varies = spread > 1e-12
    x, spread = x[:, varies], spread[varies]
    names = [name for name, keep in zip(names, varies, strict=True) if keep]
    groups = {cluster: index for index, cluster in enumerate(dict.fromkeys(clusters))}
    if len(groups) < 10 * max(1, len(names)):
        raise UserError(f"{len(groups)} programs are too few for a regression on {len(names)} properties")
    is_flag = np.array([set(np.unique(column)) <= {0.0, 1.0} for column in x.T])
    scale = np.where(is_flag, 1.0, spread)
    design = np.column_stack([np.ones(len(x)), (x - x.mean(axis=0)) / scale])
    if np.linalg.matrix_rank(design) < design.shape[1]:
        raise UserError(f"the properties {', '.join(names)} determine each other; leave one out")
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    numbers = np.array([groups[cluster] for cluster in clusters])
    n_groups = len(groups)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # warnings about separation, which is reported below
        fitted = GLM(y, design, family=Binomial()).fit(
            maxiter=_ROUNDS,
            tol=1e-12,
            cov_type="cluster",
            cov_kwds={"groups": numbers, "use_correction": False, "df_correction": False},
        )
    beta = np.asarray(fitted.params)
    if not np.isfinite(beta).all() or float(np.abs(beta).max()) > FURTHEST:
        raise UserError(
            "a property tells right from wrong without exception, so its odds have no end; leave it out"
        )
    errors = np.asarray(fitted.bse) * math.sqrt(n_groups / (n_groups - 1))
    if not (np.isfinite(errors).all() and (errors > 0).all()):  # most programs are copies of a few
        raise UserError("the programs are too much alike for a regression: a coefficient has no error")
    half = t_quantile(n_groups - 1)
    return [
        Effect(
            name,
            odds=math.exp(b),
            low=math.exp(b - half * error),
            high=math.exp(b + half * error),
            p=float(2 * t.sf(abs(b / error), n_groups - 1)),
            spread=float(unit),
        )
        for name, b, error, unit in zip(names, beta[1:].tolist(), errors[1:].tolist(), scale, strict=True)
    ]
