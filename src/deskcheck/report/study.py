"""Write a study in words: each strategy against the baselines, per model and pooled, and its cost.

    effects(runs, baselines=["vanilla"]) -> [StrategyEffect, ..]
    costs(runs)                          -> [Cost, ..]: accuracy against total tokens
    as_lines(runs, baselines=..)         -> the lines that `deskcheck study` prints under its tables

A run is compared with the baseline's run of the same model and benchmark that has the most values in common
with it, such as options, effort and budgets. An effect is pooled over FEWEST_MODELS models or more. For fewer
models, the mean and the largest effect are given without an interval. An iterative or sampled strategy is
only comparable with one of about the same cost. Its row is marked if no run of cot or self-consistency is
within 10 % of its tokens.
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
from deskcheck.statistics.summary import bounds_in_words, reasons_in_words, unread_in_words
from deskcheck.strategies import says

FEWEST_MODELS = 5
"""With fewer models the interval of the mean is valid but too wide: with three, 23 to 47 points."""
SAME_COST = 0.10
"""Largest relative difference in tokens between two runs of the same cost."""
_Z = 1.959964  # 97.5 % quantile of the normal distribution


class StrategyEffect(Struct, frozen=True):
    """Effect of one strategy against a baseline on one benchmark."""

    benchmark: str
    task: str
    strategy: str
    oracle: bool
    models: list[Comparison]
    """Strategy minus baseline for each model that has both; p-values are corrected over the whole study."""
    pooled: Pooled | None
    """None if fewer than FEWEST_MODELS models have an interval."""
    baseline: str
    """Name of the baseline, distinct from those of other baselines."""


class Cost(Struct, frozen=True):
    """Cost and accuracy of one run."""

    benchmark: str
    task: str
    model: str
    strategy: str
    oracle: bool
    accuracy: float | None
    """Accuracy of the answers that came; None if none did."""
    low: float | None
    high: float | None
    tokens: float
    """Mean of input plus output tokens, hidden ones included, of the answers that report both; -1 = none."""
    dollars: float
    """Mean cost of the answers whose cost is known; -1 = none is."""
    n: int
    """Number of answers that came."""
    alike: list[str]
    """Strategies that declare AT_COST and that the same model ran within 10 % of these tokens."""
    no_answer: str = ""
    """Numbers of answers that could not be read or are missing, by reason."""
    withheld: str = ""
    """Bounds in place of an interval if too many answers are missing; "" = there are enough."""
    unread: str = ""
    """Number of unread replies with the bounds of the accuracy, if more than 10 % are unread."""


def effects(runs: Sequence[Run], *, baselines: Sequence[str]) -> list[StrategyEffect]:
    """Return the effects by baseline, in the order of the runs.

    For a strategy whose models did not run the baseline, there is none.
    """
    runs = models_apart(runs)
    title = told_apart(runs)
    results: list[StrategyEffect] = []
    seen: set[frozenset[str]] = set()
    for baseline in baselines:
        kinds = dict.fromkeys((run.row.benchmark, run.row.task, title[run.folder]) for run in runs)
        for kind in kinds:
            members = [run for run in runs if (run.row.benchmark, run.row.task, title[run.folder]) == kind]
            bases = [(run, _base(run, runs, baseline)) for run in members]
            pairs = [(run, base) for run, base in bases if base is not None]
            # Two baselines are compared with each other only once.
            pairs = [pair for pair in pairs if frozenset(one.folder for one in pair) not in seen]
            seen |= {frozenset(one.folder for one in pair) for pair in pairs}
            if pairs:
                against = ", ".join(dict.fromkeys(title[base.folder] for _, base in pairs))
                results.append(_effect(kind, pairs, against))
    rest = iter(together([one for effect in results for one in effect.models]))
    return [replace(effect, models=[next(rest) for _ in effect.models]) for effect in results]


def _effect(kind: tuple[str, str, str], pairs: list[tuple[Run, Run]], against: str) -> StrategyEffect:
    """Compare each pair, and pool the differences if enough models have an interval."""
    compared = [compare([run], [base])[0] for run, base in pairs]
    known = [one for one in compared if not one.is_withheld and not math.isnan(one.low)]
    errors = [max((one.high - one.low) / 2 / _Z, 1e-9) for one in known]  # `pool` needs errors above 0
    pooled = pool([one.difference for one in known], errors) if len(known) >= FEWEST_MODELS else None
    return StrategyEffect(*kind, pairs[0][0].row.oracle, compared, pooled, against)


def _base(run: Run, runs: Sequence[Run], baseline: str) -> Run | None:
    """Return the baseline's run that has the most values in common with this run; None if there is none."""
    known = [one for one in runs if bare(one.row.strategy) == baseline and _place(one) == _place(run)]
    if not known:
        return None
    if bare(run.row.strategy) == baseline:  # a variant of the baseline is compared with the first one
        return known[0] if known[0].folder != run.folder else None
    own = facts(run)
    alike = [sum(own.get(name) == value for name, value in facts(one).items()) for one in known]
    return known[alike.index(max(alike))]


def _place(run: Run) -> tuple[str, ...]:
    """Return what two runs must share to be compared. Programs in two languages have different truths."""
    return run.row.benchmark, run.row.task, run.row.model, facts(run).get("language", "")


def models_apart(runs: Sequence[Run]) -> list[Run]:
    """Return the runs with a distinct model name for each set of model arguments."""
    arguments: dict[str, list[dict[str, Any]]] = {}
    for run in runs:
        values = run.cell.get("model_args") or {}
        if values not in arguments.setdefault(run.row.model, []):
            arguments[run.row.model].append(values)

    def name(run: Run) -> str:
        known = arguments[run.row.model]
        own = run.cell.get("model_args") or {}
        differ = sorted(key for key in own if any(one.get(key) != own[key] for one in known))
        said = ", ".join(f"{key}={own[key]}" for key in differ)
        return f"{run.row.model}({said})" if said else run.row.model

    return [replace(run, row=replace(run.row, model=name(run))) for run in runs]


def costs(runs: Sequence[Run]) -> list[Cost]:
    """Return the cost and accuracy of every run."""
    runs = models_apart(runs)
    spent = [_tokens(run) for run in runs]
    title = told_apart(runs)
    rows = []
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
        rows.append(
            Cost(
                row.benchmark, row.task, row.model, title[run.folder], row.oracle,
                row.accuracy, low, high, tokens, dollars, row.n_counted, alike,
                reasons_in_words(row.no_answer), bounds_in_words(row.bounds) if row.is_withheld else "",
                unread_in_words(row),
            )
        )  # fmt: skip
    return rows


def unmatched(runs: Sequence[Run]) -> list[str]:
    """Return a sentence for each iterative or sampled run that no cot or self-consistency matches in cost."""
    return [
        f"{cost.model} · {cost.strategy}: {_beside(cost)}."
        for cost in costs(runs)
        if len(runs) > 1 and not cost.alike and _beside(cost)
    ]


def _beside(cost: Cost) -> str:
    """Name the strategies of the same cost as an iterative or sampled one; "" for other strategies."""
    if says(bare(cost.strategy), "AT_ONCE") or cost.tokens < 0:
        return ""
    same = ", ".join(cost.alike)
    return f"at the same cost: {same}" if same else "no cot or self-consistency within 10 % of its tokens"


def _tokens(run: Run) -> float:
    """Return the mean tokens of the answers that reported them; -1 if none did."""
    known = [one.tokens_in + one.tokens_out for one in run.samples if min(one.tokens_in, one.tokens_out) >= 0]
    return sum(known) / len(known) if known else -1.0


# ------------------------------------------------------------------ words


def as_lines(runs: Sequence[Run], *, baselines: Sequence[str]) -> list[str]:
    """Render the lines that `deskcheck study` prints: effects against the baselines, then costs."""
    lines: list[str] = []
    for pooled in effects(runs, baselines=baselines):
        kind = "" if pooled.task == "output" else f", {pooled.task}"
        oracle = " (oracle: it saw the truth; a bound)" if pooled.oracle else ""
        lines.append(f"{pooled.benchmark}{kind}: {pooled.strategy} minus {pooled.baseline}{oracle}")
        lines += [f"  {c.a.model:<32} {_difference(c)}" for c in pooled.models]
        lines += [f"  {words}" for words in _pooled(pooled)]
        lines.append("")
    lines.append("accuracy against total tokens")
    for cost in sorted(costs(runs), key=lambda c: (c.benchmark, c.task, c.model, c.tokens)):
        lines.append(f"  {_cost(cost)}")
    return [*lines, "", MEANING]


def _difference(pair: Comparison) -> str:
    """Write the difference of one model: interval, numbers, p-value and detectable difference."""
    if pair.is_withheld:
        return f"no verdict; {missing_in_words(pair)}"
    if math.isnan(pair.low):
        return f"{100 * pair.difference:+6.1f} points, too few programs for an interval; {_asked(pair)}"
    few = " (too few programs for a firm conclusion)" if pair.note else ""
    after = f" after Holm over {pair.n_tests}" if pair.n_tests > 1 else ""
    seen = (
        f"detectable difference {100 * pair.detectable_difference:.1f}"
        if math.isfinite(pair.detectable_difference)
        else "too few programs to show any difference"
    )
    return (
        f"{100 * pair.difference:+z6.1f} points [{100 * pair.low:z.1f}, {100 * pair.high:z.1f}]{few}, "
        f"{_asked(pair)}, p = {p_value(pair.p_holm)}{after}; {seen}"
    )


def _asked(pair: Comparison) -> str:
    """Write the numbers of tasks and programs of a difference, and of the tasks that were left out."""
    samples = f" x {pair.n_samples} samples" if pair.n_samples > 1 else ""
    alone = pair.only_in_a + pair.only_in_b
    left_out = f" ({alone} asked of one side left out)" if alone else ""
    left_out += f" ({pair.n_missing} missing on a side left out)" if pair.n_missing else ""
    return f"n = {pair.n_tasks} tasks{samples} of {pair.n_programs} programs{left_out}"


def _pooled(pooled: StrategyEffect) -> list[str]:
    """Write the pooled effect and the largest one, or why the effects were not pooled."""
    known = [c for c in pooled.models if not c.is_withheld and not math.isnan(c.difference)]
    if pooled.pooled is None:
        why = f"not pooled: {len(known)} models; {FEWEST_MODELS} with an interval are needed"
        return [f"{_mean_and_most(known)}; {why}" if len(known) > 1 else why]
    found = pooled.pooled
    low, high = max(-1.0, found.low), min(1.0, found.high)
    return [
        f"pooled over {found.n} models {100 * found.effect:+.1f} points "
        f"[{100 * low:.1f}, {100 * high:.1f}]; between models {100 * found.between:.1f} points, "
        f"I2 {100 * found.share:.0f} %, Q = {found.q:.1f}, p = {found.p:.3f}",
        _mean_and_most(known),
    ]


def _mean_and_most(known: list[Comparison]) -> str:
    """Write the mean and the largest effect of these models, without inference to other models."""
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
    bounds += f"; {cost.unread}" if cost.unread else ""
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
