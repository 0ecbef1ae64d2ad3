"""A study in words: each strategy against the baseline per model, pooled over models, and what it costs.

    effects(runs, baseline="vanilla") -> [StrategyEffect, ..]
    costs(runs)                       -> [Cost, ..]: accuracy against total tokens
    as_lines(runs, baseline=..), tokens_chart(costs) -> "<svg ..>"

An iterative or sampled strategy is only comparable with one that spends about as much: a row without a
neighbour of cot or self-consistency within 10 % of its tokens says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.report.compare import MEANING, Comparison, compare, missing_in_words, p_value, together
from deskcheck.report.names import bare, told_apart
from deskcheck.report.read import Run
from deskcheck.statistics.missing import bounds_in_words, reasons_in_words
from deskcheck.statistics.pooled import Pooled, pool
from deskcheck.strategies import says

SAME_COST = 0.10
_Z = 1.959964


class StrategyEffect(Struct, frozen=True):
    """One strategy against the baseline on one benchmark."""

    benchmark: str
    task: str
    strategy: str
    oracle: bool
    models: list[Comparison]
    """Strategy minus baseline, one per model that has both; corrected over all of the study."""
    pooled: Pooled | None
    """None where fewer than two models have an interval."""
    baseline: str
    """What it is compared with, by the name that tells it from other baselines."""


class Cost(Struct, frozen=True):
    """What one run spent and what it got."""

    benchmark: str
    task: str
    model: str
    strategy: str
    oracle: bool
    accuracy: float | None
    """Of the answers that came; None where none did."""
    low: float | None
    high: float | None
    tokens: float
    """In and out, hidden ones included, per answer asked for; -1 = not reported by every call."""
    dollars: float
    """Per answer; -1 = not known."""
    n: int
    """Answers that came."""
    alike: list[str]
    """Strategies with AT_COST of the same model within 10 % of these tokens."""
    no_answer: str = ""
    """How many could not be read or are missing, by reason."""
    withheld: str = ""
    """The bounds that stand instead where too many answers are missing for an interval; "" = they are few."""


def effects(runs: Sequence[Run], *, baseline: str) -> list[StrategyEffect]:
    """In the order of the runs; a strategy that no model shares with the baseline is not there."""
    found = []
    runs = _models_apart(runs)
    title = told_apart(runs)
    first: dict[
        tuple[str, ...], Run
    ] = {}  # of several baselines (a knob with two values) the first one counts
    for run in runs:
        if bare(run.row.strategy) == baseline:
            first.setdefault((run.row.benchmark, run.row.task, run.row.model), run)
    kinds = dict.fromkeys((run.row.benchmark, run.row.task, title[run.folder]) for run in runs)
    for kind in kinds:
        mine = [
            (run, base)
            for run in runs
            if (run.row.benchmark, run.row.task, title[run.folder]) == kind
            and (base := first.get((*kind[:2], run.row.model))) is not None
            and base.folder != run.folder
        ]
        if not mine:
            continue
        pairs = [compare([run], [base])[0] for run, base in mine]
        known = [one for one in pairs if not one.is_withheld and not math.isnan(one.low)]
        errors = [max((one.high - one.low) / 2 / _Z, 1e-9) for one in known]
        pooled = pool([one.difference for one in known], errors) if len(known) > 1 else None
        against = ", ".join(dict.fromkeys(title[base.folder] for _, base in mine))
        found.append(StrategyEffect(*kind, mine[0][0].row.oracle, pairs, pooled, against))
    rest = iter(together([one for effect in found for one in effect.models]))
    return [replace(effect, models=[next(rest) for _ in effect.models]) for effect in found]


def _models_apart(runs: Sequence[Run]) -> list[Run]:
    """Runs whose models have names of their own: one model with other arguments is another model."""
    arguments: dict[str, list[dict[str, Any]]] = {}
    for run in runs:
        own = run.cell.get("model_args") or {}
        if own not in arguments.setdefault(run.row.model, []):
            arguments[run.row.model].append(own)

    def name(run: Run) -> str:
        known = arguments[run.row.model]
        own = run.cell.get("model_args") or {}
        differ = sorted(key for key in own if any(one.get(key) != own[key] for one in known))
        said = ", ".join(f"{key}={own[key]}" for key in differ)
        return f"{run.row.model}({said})" if said else run.row.model

    return [replace(run, row=replace(run.row, model=name(run))) for run in runs]


def costs(runs: Sequence[Run]) -> list[Cost]:
    """One per run."""
    runs = _models_apart(runs)
    spent = [_tokens(run) for run in runs]
    title = told_apart(runs)
    found = []
    for run, tokens in zip(runs, spent, strict=True):
        alike = [
            other.row.strategy
            for other, theirs in zip(runs, spent, strict=True)
            if other is not run
            and (other.row.model, other.row.benchmark, other.row.task)
            == (run.row.model, run.row.benchmark, run.row.task)
            and says(bare(other.row.strategy), "AT_COST")
            and tokens > 0
            and abs(theirs - tokens) <= SAME_COST * tokens
        ]
        low, high = run.row.interval
        known = bool(run.samples) and all(one.cost_usd >= 0 for one in run.samples)
        dollars = sum(one.cost_usd for one in run.samples) / len(run.samples) if known else -1.0
        row = run.row
        found.append(
            Cost(
                row.benchmark, row.task, row.model, title[run.folder], row.oracle,
                row.accuracy, low, high, tokens, dollars, row.n_counted, alike,
                reasons_in_words(row.no_answer), bounds_in_words(row.bounds) if row.is_withheld else "",
            )
        )  # fmt: skip
    return found


def unmatched(runs: Sequence[Run]) -> list[str]:
    """Sentences on runs beside which no cot or self-consistency of their model stands at the same cost."""
    return [
        f"{cost.model} · {cost.strategy}: {_beside(cost)}."
        for cost in costs(runs)
        if len(runs) > 1 and not cost.alike and _beside(cost)
    ]


def _beside(cost: Cost) -> str:
    """What stands beside an iterative or sampled strategy at the same cost; "" for the others."""
    if says(bare(cost.strategy), "AT_ONCE") or cost.tokens < 0:
        return ""
    same = ", ".join(cost.alike)
    return f"at the same cost: {same}" if same else "no cot or self-consistency within 10 % of its tokens"


def _tokens(run: Run) -> float:
    if not run.samples or any(one.tokens_in < 0 or one.tokens_out < 0 for one in run.samples):
        return -1.0
    return sum(one.tokens_in + one.tokens_out for one in run.samples) / len(run.samples)


# ------------------------------------------------------------------ words


def as_lines(runs: Sequence[Run], *, baseline: str) -> list[str]:
    """What `deskcheck study` prints."""
    lines = []
    for one in effects(runs, baseline=baseline):
        kind = "" if one.task == "output" else f", {one.task}"
        oracle = " (oracle: it saw the truth; a bound)" if one.oracle else ""
        lines.append(f"{one.benchmark}{kind}: {one.strategy} minus {one.baseline}{oracle}")
        lines += [f"  {c.a.model:<32} {_difference(c)}" for c in one.models]
        lines += [f"  {words}" for words in _pooled(one)]
        lines.append("")
    lines.append("accuracy against total tokens")
    for cost in sorted(costs(runs), key=lambda c: (c.benchmark, c.task, c.model, c.tokens)):
        lines.append(f"  {_cost(cost)}")
    return [*lines, "", MEANING]


def _difference(one: Comparison) -> str:
    if one.is_withheld:
        return f"no verdict; {missing_in_words(one)}"
    if math.isnan(one.low):
        return f"{100 * one.difference:+6.1f} points, too few programs for an interval; {_asked(one)}"
    few = " (too few programs to lean on)" if one.note else ""
    after = f" after Holm over {one.n_tests}" if one.n_tests > 1 else ""
    seen = (
        f"could have seen {100 * one.could_have_seen:.1f}"
        if math.isfinite(one.could_have_seen)
        else "too few programs to show any difference"
    )
    return (
        f"{100 * one.difference:+6.1f} points [{100 * one.low:.1f}, {100 * one.high:.1f}]{few}, "
        f"{_asked(one)}, p = {p_value(one.p_holm)}{after}; {seen}"
    )


def _asked(one: Comparison) -> str:
    """What stands behind a difference, and what the two sides do not have in common."""
    samples = f" x {one.n_samples} samples" if one.n_samples > 1 else ""
    alone = one.only_in_a + one.only_in_b
    left_out = f" ({alone} asked of one side left out)" if alone else ""
    left_out += f" ({one.n_missing} missing on a side left out)" if one.n_missing else ""
    return f"n = {one.n_tasks} tasks{samples} of {one.n_programs} programs{left_out}"


def _pooled(one: StrategyEffect) -> list[str]:
    if one.pooled is None:
        return ["pooled: needs at least two models with an interval"]
    found = one.pooled
    return [
        f"pooled over {found.n} models {100 * found.effect:+.1f} points "
        f"[{100 * found.low:.1f}, {100 * found.high:.1f}]; between models {100 * found.between:.1f} points, "
        f"I2 {100 * found.share:.0f} %, Q = {found.q:.1f}, p = {found.p:.3f}"
    ]


def _cost(cost: Cost) -> str:
    bounds = (
        f"withheld, within {cost.withheld}"
        if cost.withheld
        else "no interval"
        if cost.low is None or cost.high is None
        else f"{100 * cost.low:.1f} to {100 * cost.high:.1f}"
    )
    tokens = f"{cost.tokens:,.0f} tokens" if cost.tokens >= 0 else "tokens not reported"
    money = ", cost unknown" if cost.dollars < 0 else f", ${cost.dollars:.4f}" if cost.dollars else ""
    oracle = " (oracle)" if cost.oracle else ""
    beside = _beside(cost)
    note = f"; {beside}" if beside else ""
    unread = f", no answer {cost.no_answer}" if cost.no_answer else ""
    share = "none answered" if cost.accuracy is None else f"{100 * cost.accuracy:.1f} %"
    return (
        f"{cost.benchmark} · {cost.model} · {cost.strategy}{oracle}: {share} ({bounds}), "
        f"n = {cost.n}{unread}, {tokens}{money} an answer{note}"
    )


# ------------------------------------------------------------------ picture

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444444")


def tokens_chart(found: Sequence[Cost]) -> str:
    """Accuracy against tokens an answer (log scale), a colour a model; "" where no run reports tokens."""
    points = [(cost, cost.accuracy) for cost in found if cost.tokens > 0 and cost.accuracy is not None]
    if not points:
        return ""
    width, height, left, right, top, bottom = 760, 420, 56, 24, 20, 64
    low = math.floor(math.log10(min(cost.tokens for cost, _ in points)))
    high = max(low + 1, math.ceil(math.log10(max(cost.tokens for cost, _ in points))))
    models = list(dict.fromkeys(cost.model for cost, _ in points))

    def x(tokens: float) -> float:
        return left + (width - left - right) * (math.log10(tokens) - low) / (high - low)

    def y(share: float) -> float:
        return top + (height - top - bottom) * (1 - share)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        'font-size="12" role="img" aria-label="Accuracy against tokens an answer">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for fifth in range(0, 101, 20):
        at = y(fifth / 100)
        parts.append(f'<path d="M{left} {at:.1f}H{width - right}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{fifth} %</text>')
    for power in range(low, high + 1):
        at = x(10.0**power)
        parts.append(f'<path d="M{at:.1f} {top}V{height - bottom}" stroke="#eee"/>')
        parts.append(
            f'<text x="{at:.1f}" y="{height - bottom + 18}" text-anchor="middle">{10**power:,}</text>'
        )
    parts.append(
        f'<text x="{(left + width - right) / 2}" y="{height - 26}" text-anchor="middle">'
        "tokens an answer, in and out, hidden ones included (log scale)</text>"
    )
    for number, model in enumerate(models):
        at = left + number * (width - left - right) / len(models)
        colour = _COLOURS[number % len(_COLOURS)]
        parts.append(f'<circle cx="{at + 5:.1f}" cy="{height - 10}" r="5" fill="{colour}"/>')
        parts.append(f'<text x="{at + 15:.1f}" y="{height - 6}">{escape(model)}</text>')
    for cost, accuracy in points:
        colour = _COLOURS[models.index(cost.model) % len(_COLOURS)]
        at, level = x(cost.tokens), y(accuracy)
        fill = "white" if cost.oracle else colour
        if cost.low is not None and cost.high is not None:
            parts.append(f'<path d="M{at:.1f} {y(cost.low):.1f}V{y(cost.high):.1f}" stroke="{colour}"/>')
        parts.append(
            f'<circle cx="{at:.1f}" cy="{level:.1f}" r="5" fill="{fill}" stroke="{colour}" stroke-width="2"/>'
        )
        label = f"{cost.strategy} (oracle)" if cost.oracle else cost.strategy
        parts.append(f'<text x="{at + 8:.1f}" y="{level - 6:.1f}">{escape(label)}</text>')
    return "\n".join([*parts, "</svg>", ""])
