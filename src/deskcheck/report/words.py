"""Write the findings of a report as sentences: differences on the same tasks, with intervals, then every run.

    findings(runs) -> [("On core (180 tasks) line-1 is right on 41.7 % ..", False), ..]

Of two runs whose difference has an interval that contains zero, none is called better or worse.
"""

from __future__ import annotations

import math
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.records import MISSING
from deskcheck.report.compare import Comparison, compare, together
from deskcheck.report.read import Run, told_apart
from deskcheck.statistics.horizon import Horizon
from deskcheck.statistics.summary import bounds_in_words, reasons_in_words

MOST_PAIRS = 6
"""Most pairs of runs of one benchmark that are compared in sentences."""
_REL_TOLERANCE = 1e-9  # relative rounding error of a length


def label(run: Run, runs: list[Run]) -> str:
    """Return the shortest name that distinguishes a run from the others of a report."""
    models = {one.row.model for one in runs}
    strategies = told_apart(runs)
    own, different = strategies[run.folder], set(strategies.values())
    aside = run.row.aside
    if len(models) == 1 and len(different) > 1:
        return own + aside
    if len(different) == 1 and len(models) > 1:
        return run.row.model + aside
    return f"{run.row.model} · {own}{aside}"


def subject(run: Run) -> str:
    """Return the benchmark of a run, with its kind of question unless that is "output"."""
    return run.row.benchmark if run.row.task == "output" else f"{run.row.benchmark}, {run.row.task}"


def percent(value: float | None) -> str:
    """Write a share: "41.7 %"; "none" if nothing was answered."""
    return "none" if value is None or math.isnan(value) else f"{100 * value:.1f} %"


def interval(bounds: list[float | None]) -> str:
    """Write an interval: "30.1 to 54.3", or "no interval"."""
    low, high = bounds
    if low is None or high is None:
        return "no interval"
    return f"{100 * low:.1f} to {100 * high:.1f}"


def title(runs: list[Run]) -> str:
    """Name the model and its shares, lowest to highest run: "tiny: easy 50.0 to 75.0 %, core 1.1 % right".

    Runs that used the truth or whose verdict is withheld are left out. A benchmark without any other run has
    "no verdict".
    """
    models = list(dict.fromkeys(run.row.model for run in runs))
    who = models[0].removeprefix("deskcheck/") if len(models) == 1 else f"{len(models)} models"
    parts = []
    for place in dict.fromkeys(map(subject, runs)):
        rows = [run.row for run in runs if subject(run) == place and not run.row.oracle]
        shares = sorted(r.accuracy for r in rows if r.accuracy is not None and not r.is_withheld)
        if not shares:
            parts.append(f"{place} no verdict")
        elif shares[0] == shares[-1]:
            parts.append(f"{place} {percent(shares[0])}")
        else:
            parts.append(f"{place} {100 * shares[0]:.1f} to {percent(shares[-1])}")
    return f"{who}: {', '.join(parts)}{' right' if parts and parts[-1].endswith('%') else ''}"


def findings(runs: list[Run]) -> list[tuple[str, bool]]:
    """Return the sentences by benchmark, each with whether it compares two runs.

    P-values are corrected over all pairs that are written out.
    """
    places = {
        place: [run for run in runs if subject(run) == place] for place in dict.fromkeys(map(subject, runs))
    }
    pairs = {place: list(combinations(members, 2)) for place, members in places.items()}
    found = [one for place in places for a, b in pairs[place][:MOST_PAIRS] if (one := _compared(a, b))]
    corrected = together([pair.comparison for pair in found])
    sentences = []
    for place, members in places.items():
        for pair, compared in zip(found, corrected, strict=True):
            if subject(pair.a) == place:
                sentences.append((_pair(replace(pair, comparison=compared), runs), True))
        if len(pairs[place]) > MOST_PAIRS:
            more = len(pairs[place]) - MOST_PAIRS
            sentences.append((f"{more} more pairs on {place} are not written out here.", False))
        sentences += [(_row(run, runs), False) for run in members]
    return sentences


class _Pair(Struct, frozen=True):
    """Two runs on the same tasks; `a` has at least the accuracy of `b`."""

    a: Run
    b: Run
    comparison: Comparison


def _compared(a: Run, b: Run) -> _Pair | None:
    """Compare two runs; None if they were asked different tasks."""
    if {(one.task, one.sample) for one in a.every} != {(one.task, one.sample) for one in b.every}:
        return None
    found = compare([a], [b])[0]
    return _Pair(b, a, compare([b], [a])[0]) if found.difference < 0 else _Pair(a, b, found)


def _row(run: Run, runs: list[Run]) -> str:
    """Write the sentence about one run: share right, interval, and answers without a value or missing."""
    row = run.row
    often = f", asked {row.n_samples} times each" if row.n_samples > 1 else ""
    place = f"On {subject(run)} ({row.n_tasks} tasks{often})"
    unread = sum(row.no_answer.values()) - row.n_missing
    reasons = reasons_in_words({name: n for name, n in row.no_answer.items() if name not in MISSING})
    said = f" {unread} of {row.n_counted} hold no answer ({reasons})." if unread else ""
    if row.n_missing:
        reasons = reasons_in_words({name: row.no_answer.get(name, 0) for name in sorted(MISSING)})
        said += (
            f" {row.n_missing} of {row.n_answers} answers are missing ({reasons}) and not counted; with them "
            f"it is right on {bounds_in_words(row.bounds)}."
        )
    if row.is_withheld:
        of = (
            f"{row.right} of the {row.n_counted} answers that came are right"
            if row.n_counted
            else "none came"
        )
        return f"{place}, no verdict is given on {label(run, runs)}: {of}.{said}"
    known = row.interval[0] is not None
    rough = f" ({run.note})" if run.note and known else ""
    bounds = f"95 % interval {interval(row.interval)}" if known else "no interval: too few programs"
    return f"{place}, {label(run, runs)} is right on {percent(row.accuracy)}; {bounds}{rough}.{said}"


def _pair(pair: _Pair, runs: list[Run]) -> str:
    """Write the sentence about two runs."""
    a, b, found = pair.a, pair.b, pair.comparison
    place = subject(a)
    chance = p_value(found.p_holm) + (f" after Holm over {found.n_tests}" if found.n_tests > 1 else "")
    names = f"{label(a, runs)} and {label(b, runs)}"
    bound = " One of them saw the truth: a bound, no fair comparison." if a.row.oracle != b.row.oracle else ""
    if found.is_withheld:
        low, high = (100 * bound for bound in found.bounds)
        return (
            f"{names} are not compared on {place}: {found.n_missing} of {found.n_missing + found.n_pairs} "
            f"answers are missing on a side; the difference is between {low:+z.1f} and {high:+z.1f} points."
        )
    if not found.a_alone + found.b_alone:
        if not found.a.right:
            neither = f"Neither {label(a, runs)} nor {label(b, runs)}"
            return f"{neither} is right on any of {found.n_pairs} answers on {place}."
        return f"{names} are right on the same {found.a.right} of {found.n_pairs} answers on {place}."
    counts = f"only the first right {found.a_alone}, only the second {found.b_alone}"
    if not math.isfinite(found.detectable_difference):
        few = "too few programs for an interval of" if math.isnan(found.low) else "too few programs to show"
        return f"{names} on {place}: {few} their difference ({counts}, {chance})."
    points = 100 * found.difference
    bounds = f"95 % interval {100 * found.low:.1f} to {100 * found.high:.1f}, {chance}; {counts}"
    if found.is_shown:
        above = f"{label(a, runs)} is {points:.1f} points above {label(b, runs)}"
        return f"{above} on the same tasks of {place}; {bounds}.{bound}"
    return (
        f"{names} cannot be told apart on {place}: {points:.1f} points, {bounds}. "
        f"A true difference of {100 * found.detectable_difference:.0f} points would be detected with "
        f"80 % power."
        f"{bound}"
    )


def horizon(estimate: Horizon) -> str:
    """Write a horizon with its interval: "34, 21 to 55"; an open end is "under .." or "over ..".

    A horizon whose whole interval is outside the asked lengths is only a bound. If the curve is not logistic,
    the isotonic figure stands first: "21 (isotonic), 18 to 30; by a logistic curve 34".
    """
    at = f"{estimate.steps:,.0f}"
    if estimate.bound:
        at = f"{'under' if estimate.bound == '<' else 'over'} {at}"
    if not estimate.is_logistic:
        first = f"{step_bound(estimate.isotonic, estimate)} (isotonic)"
        return f"{first}, {_ends(estimate)}; by a logistic curve {at}"
    inside = estimate.low < estimate.longest * (1 - _REL_TOLERANCE) and estimate.high > estimate.shortest * (
        1 + _REL_TOLERANCE
    )
    if not inside:
        return at
    return f"{at}, {_ends(estimate)}"


def _ends(estimate: Horizon) -> str:
    low = f"under {estimate.shortest:,}" if estimate.low == 0 else f"{estimate.low:,.0f}"
    high = f"over {estimate.longest:,}" if math.isinf(estimate.high) else f"{estimate.high:,.0f}"
    return f"{low} to {high}"


def step_bound(steps: float, estimate: Horizon) -> str:
    """Write a length, or "under .." or "over .." with the bound that it lies beyond (0.0 or inf)."""
    if steps == 0:
        return f"under {estimate.shortest:,}"
    return f"over {estimate.longest:,}" if math.isinf(steps) else f"{steps:,.0f}"


def p_value(value: float) -> str:
    """Write a p-value: "p = 0.031", "p under 0.0001"."""
    return f"p = {value:.2g}" if value >= 0.0001 else "p under 0.0001"
