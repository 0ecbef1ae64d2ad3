"""A study in words: each strategy against the baselines per model, pooled over models, and what it costs.

    effects(runs, baselines=["vanilla"]) -> [StrategyEffect, ..]
    costs(runs)                          -> [Cost, ..]: accuracy against total tokens
    as_lines(runs, baselines=..)         -> what `deskcheck study` prints under its tables

A run is compared with the run of the baseline that shares the most with it: model, benchmark, options, effort
and budgets. An effect is pooled over FEWEST_MODELS models or more; of fewer the mean and the largest are
said, without an interval. An iterative or sampled strategy is only comparable with one that spends about as
much: a row without a neighbour of cot or self-consistency within 10 % of its tokens says so.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.report.compare import MEANING, Comparison, compare, missing_in_words, p_value, together
from deskcheck.report.read import Run, bare, facts, told_apart
from deskcheck.statistics.pooled import Pooled, pool
from deskcheck.statistics.summary import bounds_in_words, reasons_in_words
from deskcheck.strategies import says

FEWEST_MODELS = 5
"""Of fewer the interval of the mean holds, but says little: of three it is 23 to 47 points wide."""
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
    """None where fewer than FEWEST_MODELS models have an interval."""
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
    """In and out, hidden ones included, per answer that reported them; -1 = none did."""
    dollars: float
    """Per answer whose cost is known; -1 = none is."""
    n: int
    """Answers that came."""
    alike: list[str]
    """Strategies with AT_COST of the same model within 10 % of these tokens."""
    no_answer: str = ""
    """How many could not be read or are missing, by reason."""
    withheld: str = ""
    """The bounds that stand instead where too many answers are missing for an interval; "" = they are few."""


def effects(runs: Sequence[Run], *, baselines: Sequence[str]) -> list[StrategyEffect]:
    """Baseline by baseline, in the order of the runs; what no model shares with a baseline is not there."""
    runs = models_apart(runs)
    title = told_apart(runs)
    found: list[StrategyEffect] = []
    seen: set[frozenset[str]] = set()
    for baseline in baselines:
        kinds = dict.fromkeys((run.row.benchmark, run.row.task, title[run.folder]) for run in runs)
        for kind in kinds:
            own = [run for run in runs if (run.row.benchmark, run.row.task, title[run.folder]) == kind]
            bases = [(run, _base(run, runs, baseline)) for run in own]
            pairs = [(run, base) for run, base in bases if base is not None]
            # Of two baselines each is set against the other once.
            pairs = [pair for pair in pairs if frozenset(one.folder for one in pair) not in seen]
            seen |= {frozenset(one.folder for one in pair) for pair in pairs}
            if pairs:
                against = ", ".join(dict.fromkeys(title[base.folder] for _, base in pairs))
                found.append(_effect(kind, pairs, against))
    rest = iter(together([one for effect in found for one in effect.models]))
    return [replace(effect, models=[next(rest) for _ in effect.models]) for effect in found]


def _effect(kind: tuple[str, str, str], pairs: list[tuple[Run, Run]], against: str) -> StrategyEffect:
    compared = [compare([run], [base])[0] for run, base in pairs]
    known = [one for one in compared if not one.is_withheld and not math.isnan(one.low)]
    errors = [max((one.high - one.low) / 2 / _Z, 1e-9) for one in known]
    pooled = pool([one.difference for one in known], errors) if len(known) >= FEWEST_MODELS else None
    return StrategyEffect(*kind, pairs[0][0].row.oracle, compared, pooled, against)


def _base(run: Run, runs: Sequence[Run], baseline: str) -> Run | None:
    """The run of the baseline to compare with: of several the one that shares the most with this run."""
    place = (run.row.benchmark, run.row.task, run.row.model)
    known = [
        one
        for one in runs
        if bare(one.row.strategy) == baseline and (one.row.benchmark, one.row.task, one.row.model) == place
    ]
    if not known:
        return None
    if bare(run.row.strategy) == baseline:  # another variant of the baseline itself: the first one counts
        return known[0] if known[0].folder != run.folder else None
    own = facts(run)
    alike = [sum(own.get(name) == value for name, value in facts(one).items()) for one in known]
    return known[alike.index(max(alike))]


def models_apart(runs: Sequence[Run]) -> list[Run]:
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
    """Cost of every run, each with its accuracy."""
    runs = models_apart(runs)
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
        paid = [one.cost_usd for one in run.samples if one.cost_usd >= 0]
        dollars = sum(paid) / len(paid) if paid else -1.0
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
    """Mean over the answers whose every call reported its tokens; -1 where none did."""
    known = [one.tokens_in + one.tokens_out for one in run.samples if min(one.tokens_in, one.tokens_out) >= 0]
    return sum(known) / len(known) if known else -1.0


# ------------------------------------------------------------------ words


def as_lines(runs: Sequence[Run], *, baselines: Sequence[str]) -> list[str]:
    """Render the lines that `deskcheck study` prints."""
    lines: list[str] = []
    for one in effects(runs, baselines=baselines):
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
        f"detectable difference {100 * one.detectable_difference:.1f}"
        if math.isfinite(one.detectable_difference)
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
    known = [c for c in one.models if not c.is_withheld and not math.isnan(c.difference)]
    if one.pooled is None:
        why = f"not pooled: {len(known)} models; {FEWEST_MODELS} with an interval are needed"
        return [f"{_mean_and_most(known)}; {why}" if len(known) > 1 else why]
    found = one.pooled
    low, high = max(-1.0, found.low), min(1.0, found.high)
    return [
        f"pooled over {found.n} models {100 * found.effect:+.1f} points "
        f"[{100 * low:.1f}, {100 * high:.1f}]; between models {100 * found.between:.1f} points, "
        f"I2 {100 * found.share:.0f} %, Q = {found.q:.1f}, p = {found.p:.3f}",
        _mean_and_most(known),
    ]


def _mean_and_most(known: list[Comparison]) -> str:
    """Mean over these models, each alike, and the largest: about them, not about models like them."""
    most = max(known, key=lambda c: c.difference)
    mean = sum(c.difference for c in known) / len(known)
    return (
        f"mean of these {len(known)} models {100 * mean:+.1f} points, "
        f"largest {100 * most.difference:+.1f} ({most.a.model})"
    )


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
