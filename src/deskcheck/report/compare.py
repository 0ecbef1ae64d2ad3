"""Compare two finished evaluations on the same tasks: is their difference real?

    select("logs:strategy=cot")               -> the runs of a folder or results file that meet the condition
    compare(select(a), select(b))             -> [Comparison, ..], one for each pair of runs
    as_lines(comparisons)                     -> the lines that `deskcheck compare` prints

Runs are paired by benchmark and kind of question, then by strategy or model. Only common tasks count: those
of both evaluations. The number of other tasks is printed. An answer of a common task is missing if it was
never asked for, or if its request failed. If more than 5 % of the common answers are missing on one side or
both, bounds are given instead of a verdict. The p-value comes
from a sign-flip test over programs (McNemar's test if each program is one task), with Holm's correction.
Every difference has its detectable difference beside it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from deskcheck.cell_files import MOST_UNREAD, Row, Sampled, is_withheld, write_whole
from deskcheck.errors import DataError, UserError
from deskcheck.report.read import Run, bare, facts, has, is_labeled, read_runs, told_apart
from deskcheck.statistics.paired import detectable_difference, holm, paired_difference, sign_flip
from deskcheck.statistics.summary import (
    WITHHELD,
    Interval,
    bounds_in_words,
    exit_of,
    reasons_in_words,
    share_of_counted,
)

KEYS = ("model", "strategy", "benchmark", "task")
MEANING = (
    "Intervals are 95 %, clustered by program; p flips the sign of whole programs' differences.\n"
    "The programs are treated as a random sample of similar programs. An answer that cannot be read is not "
    "right; one that was never asked for, or failed, is left out."
)


class Side(Struct, frozen=True):
    """One of the two sides, on the common tasks."""

    model: str
    strategy: str
    oracle: bool
    accuracy: float
    """Share of right answers; NaN if no common task was answered."""
    low: float
    high: float
    """Ends of the 95 % interval of `accuracy`."""
    no_answer: int
    """Number of answers with the verdict "no answer", among the samples that are missing on neither side."""
    tokens: int
    """Tokens in and out of the samples that are missing on neither side; -1 if a call did not report them."""
    right: int
    """Number of right answers, among the samples that are missing on neither side."""
    missing: dict[str, int] = {}
    """Reason -> answers of the common tasks that were never asked for, or whose request failed."""
    unread: int = 0
    """Number of the answers in `no_answer` whose whole reply held no value that could be read."""


class Comparison(Struct, frozen=True):
    """Difference of two sides, a minus b, as shares between -1 and 1."""

    benchmark: str
    task: str
    a: Side
    b: Side
    n_tasks: int
    """Number of tasks with an answer that both gave."""
    n_samples: int
    """Samples per common task, rounded down."""
    n_pairs: int
    """Number of samples that both answered: n_tasks x n_samples unless some are missing."""
    n_programs: int
    only_in_a: int
    """Number of tasks that only a was asked; they are left out."""
    only_in_b: int
    difference: float
    low: float
    high: float
    """Ends of the 95 % interval of `difference`."""
    note: str
    """Remark on the interval, such as "too few clusters"; "" = none."""
    a_alone: int
    """Number of answers that only a has right."""
    b_alone: int
    p: float
    """p-value of the sign-flip test over programs; NaN if too many answers are missing."""
    p_holm: float
    """p, corrected for all comparisons that are printed together."""
    detectable_difference: float
    """Smallest difference found with 80 % power, after Holm; NaN if there is no interval, inf if there are
    too few programs to show any difference."""
    unequal: list[str]
    """Differences of the runs besides model and strategy: "graded by strict and by lenient"."""
    n_tests: int = 1
    """Number of comparisons that are tested together, without the withheld ones."""
    n_missing: int = 0
    """Number of common answers that are missing on one side or both."""
    bounds: tuple[float, float] = (-1.0, 1.0)
    """Difference over all common answers if each missing answer counted against a, or else for a."""

    @property
    def is_withheld(self) -> bool:
        """Whether too many common answers are missing for a verdict."""
        return is_withheld(self.n_missing, self.n_missing + self.n_pairs)

    @property
    def is_shown(self) -> bool:
        """Whether the corrected p is under 0.05 and the interval of the difference excludes 0."""
        return self.p_holm < 0.05 and not (self.low <= 0.0 <= self.high)


def select(spec: str) -> list[Run]:
    """Return the runs of "PLACE" or "PLACE:model=x,strategy=y,max_steps=60".

    UserError for an unknown condition, or if no run meets all of them.
    """
    place, conditions = _split(spec)
    if "=" in place and ":" in place and not Path(place).exists():
        raise UserError(
            f"no log folder at '{place}'; conditions are set apart by commas: logs:model=x,strategy=y"
        )
    runs = read_runs(place)
    known = {*KEYS, "folder", *(name for run in runs for name in facts(run))}
    for key in conditions:
        if key not in known:
            raise UserError(f"'{key}' in '{spec}' does not narrow runs; known: {', '.join(sorted(known))}")
    chosen = [run for run in runs if all(_has(run, key, value) for key, value in conditions.items())]
    if not chosen:
        raise UserError(
            f"no run in '{place}' has {_conditions_text(conditions)}; there are:\n{_listed(runs)}"
        )
    return chosen


def compare(a_runs: Sequence[Run], b_runs: Sequence[Run]) -> list[Comparison]:
    """Return a comparison for each pair of runs with the same benchmark and kind of question.

    Several runs on a side are paired by strategy, or else by model.

    UserError if they have none or no task in common, if both are the same run, or if it is not clear which
    runs to pair. DataError if a task was graded against two different truths.
    """
    pairs = list(_pairs(a_runs, b_runs))
    if not pairs:
        raise UserError(
            "the two have no benchmark and task in common, so there is nothing to pair; "
            f"first:\n{_listed(a_runs)}\nsecond:\n{_listed(b_runs)}"
        )
    return together([_compare(a, b) for a, b in pairs])


def together(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Return the comparisons, with p-values and detectable differences corrected for the number of tests."""
    tested = [one for one in comparisons if not one.is_withheld]
    corrected = iter(holm([one.p for one in tested]))
    return [
        one
        if one.is_withheld
        else msgspec.structs.replace(
            one,
            p_holm=next(corrected),
            n_tests=len(tested),
            detectable_difference=detectable_difference(_interval(one), n_tests=len(tested)),
        )
        for one in comparisons
    ]


def _interval(pair: Comparison) -> Interval:
    return Interval(pair.difference, pair.low, pair.high, "", pair.n_programs, pair.note)


def write_json(comparisons: Sequence[Comparison], path: Any, *, rows: Sequence[Row] = ()) -> None:
    """Write the comparisons as one JSON document, with the exit code of `rows`; NaN and inf become null."""
    told = [
        {**msgspec.to_builtins(one), "is_shown": one.is_shown, "is_withheld": one.is_withheld}
        for one in comparisons
    ]
    content = msgspec.json.encode({"exit": exit_of(rows), "comparisons": told})
    write_whole(path, msgspec.json.format(content, indent=1) + b"\n")


# ------------------------------------------------------------------ pairing


def _split(spec: str) -> tuple[str, dict[str, str]]:
    place, colon, tail = spec.rpartition(":")
    if not colon or "=" not in tail or "/" in tail.split("=")[0]:
        return spec, {}
    conditions = {}
    for part in re.split(r",(?![^(]*\))", tail):  # a name with its settings has commas in brackets
        key, _, value = part.partition("=")
        conditions[key.strip()] = value.strip()
    return place, conditions


def _has(run: Run, key: str, value: str) -> bool:
    """Whether a condition holds for a run; a strategy is named alone, with its settings or by its label."""
    if key not in KEYS:
        return has(run, key, value)
    own = str(getattr(run.row, key))
    return own == value or (key == "strategy" and (bare(own) == value or is_labeled(run, value)))


def _pairs(a_runs: Sequence[Run], b_runs: Sequence[Run]) -> list[tuple[Run, Run]]:
    pairs = []
    kinds = dict.fromkeys((run.row.benchmark, run.row.task) for run in a_runs)
    for kind in kinds:
        left = [run for run in a_runs if (run.row.benchmark, run.row.task) == kind]
        right = [run for run in b_runs if (run.row.benchmark, run.row.task) == kind]
        if not right:
            continue
        if len(left) == len(right) == 1:
            pairs.append((left[0], right[0]))
            continue
        pairs += _matched(left, right)
    same = [a for a, b in pairs if a.folder == b.folder]
    if same:
        raise UserError(
            f"both sides are the same run:\n{_listed(same)}\n"
            "narrow them: 'logs:strategy=cot' 'logs:strategy=vanilla', or by a setting: 'logs:max_steps=60'"
        )
    return pairs


def unpaired(a_runs: Sequence[Run], b_runs: Sequence[Run]) -> str:
    """Return a line for each run that `compare` leaves out, since it has no partner; "" if all are paired."""
    used = {run.folder for pair in _pairs(a_runs, b_runs) for run in pair}
    alone = {run.folder: run for run in (*a_runs, *b_runs) if run.folder not in used}
    return _listed(list(alone.values())) if alone else ""


def _matched(left: list[Run], right: list[Run]) -> list[tuple[Run, Run]]:
    """Pair runs of the same strategy (of two models), or else of the same model (with two strategies)."""
    keys: tuple[Callable[[Run], str], ...] = (lambda run: run.row.strategy, lambda run: run.row.model)
    for key in keys:
        a, b = {key(run): run for run in left}, {key(run): run for run in right}
        common = [name for name in a if name in b]
        if len(a) == len(left) and len(b) == len(right) and common:
            return [(a[name], b[name]) for name in common]
    raise UserError(
        "more than one run on a side, and neither model nor strategy pairs them; narrow them, for instance "
        f"'{left[0].folder}' or 'logs:model=x,strategy=y'; first:\n{_listed(left)}\nsecond:\n{_listed(right)}"
    )


def _listed(runs: Sequence[Run]) -> str:
    names = told_apart(runs)
    rows = [(run.row.model, names[run.folder], run.row.benchmark, run.row.task) for run in runs]
    return "\n".join("  " + ",".join(map("=".join, zip(KEYS, row, strict=True))) for row in rows)


def _conditions_text(conditions: dict[str, str]) -> str:
    return " and ".join(f"{key}={value}" for key, value in conditions.items())


# ------------------------------------------------------------------ one comparison


def _compare(a: Run, b: Run) -> Comparison:
    left = {(one.task, one.sample): one for one in a.every}
    right = {(one.task, one.sample): one for one in b.every}
    common = sorted(left.keys() & right.keys())
    if not common:
        raise UserError(
            f"{a.row.model} and {b.row.model} were asked different tasks of {a.row.benchmark}: none in common"
        )
    for key in common:
        if left[key].expected != right[key].expected:
            raise DataError(
                f"task {key[0]} of {a.row.benchmark} was graded against different truths: "
                f"{left[key].expected!r} in {a.folder}, {right[key].expected!r} in {b.folder}"
            )
    tasks = {task for task, _ in common}
    names = told_apart([a, b])
    pairs = [(left[key], right[key]) for key in common]
    both = [pair for pair in pairs if not any(one.is_missing for one in pair)]
    return Comparison(
        benchmark=a.row.benchmark,
        task=a.row.task,
        a=_side(a, pairs, 0, names[a.folder]),
        b=_side(b, pairs, 1, names[b.folder]),
        n_tasks=len({one.task for one, _ in both}),
        n_samples=len(common) // len(tasks),
        n_pairs=len(both),
        only_in_a=len({task for task, _ in left} - tasks),
        only_in_b=len({task for task, _ in right} - tasks),
        n_missing=len(pairs) - len(both),
        bounds=_difference_bounds(pairs),
        unequal=_unequal(a, b),
        **_tested(both, n_all=len(pairs)),
    )


def _tested(both: list[tuple[Sampled, Sampled]], *, n_all: int) -> dict[str, Any]:
    """Return difference, interval and p over the answers that both gave.

    Interval and p are NaN if too many answers are missing.
    """
    x = [one.verdict == "right" for one, _ in both]
    y = [other.verdict == "right" for _, other in both]
    clusters = [one.cluster for one, _ in both]
    sums: dict[str, int] = {}
    for one, other, cluster in zip(x, y, clusters, strict=True):
        sums[cluster] = sums.get(cluster, 0) + one - other
    nan = math.nan
    if is_withheld(n_all - len(both), n_all):
        found = Interval(
            (sum(x) - sum(y)) / len(both) if both else nan, nan, nan, "none", len(sums), WITHHELD
        )
        p = nan
    else:
        found = paired_difference([float(v) for v in x], [float(v) for v in y], clusters)
        p = sign_flip(list(sums.values()))
    return {
        "n_programs": len(sums),
        "difference": found.mean,
        "low": found.low,
        "high": found.high,
        "note": found.note,
        "a_alone": sum(one and not other for one, other in zip(x, y, strict=True)),
        "b_alone": sum(other and not one for one, other in zip(x, y, strict=True)),
        "p": p,
        "p_holm": p,
        "detectable_difference": detectable_difference(found),
    }


def _difference_bounds(pairs: list[tuple[Sampled, Sampled]]) -> tuple[float, float]:
    """Return bounds of a minus b over all pairs: each missing answer counts against a, or else for a."""
    low = high = 0
    for of_a, of_b in pairs:
        (a_low, a_high), (b_low, b_high) = (
            (0, 1) if side.is_missing else (right := int(side.verdict == "right"), right)
            for side in (of_a, of_b)
        )
        low, high = low + a_low - b_high, high + a_high - b_low
    return low / len(pairs), high / len(pairs)


def _unequal(a: Run, b: Run) -> list[str]:
    found = []
    policies = sorted({one.policy for one in a.every}), sorted({one.policy for one in b.every})
    if policies[0] != policies[1]:
        found.append(f"graded by {'/'.join(policies[0])} and by {'/'.join(policies[1])}")
    if a.row.n_samples != b.row.n_samples:
        found.append(f"{a.row.n_samples} and {b.row.n_samples} samples a task")
    versions = a.facts.get("versions"), b.facts.get("versions")
    if None not in versions and versions[0] != versions[1]:  # a Parquet file has none
        found.append("run by different versions (see the run.versions of both)")
    return found


def _side(run: Run, pairs: list[tuple[Sampled, Sampled]], place: int, name: str) -> Side:
    """Summarize one side on the answers that both gave."""
    samples = [pair[place] for pair in pairs if not any(one.is_missing for one in pair)]
    right = [float(one.verdict == "right") for one in samples]
    interval = share_of_counted(right, [one.cluster for one in samples], n_all=len(pairs))
    tokens = [one.tokens_in + one.tokens_out for one in samples]
    known = all(one.tokens_in >= 0 and one.tokens_out >= 0 for one in samples)
    return Side(
        model=run.row.model,
        strategy=name,
        oracle=run.row.oracle,
        accuracy=interval.mean,
        low=interval.low,
        high=interval.high,
        no_answer=sum(one.verdict == "no answer" for one in samples),
        unread=sum(one.reason == "unparsable" for one in samples),
        tokens=sum(tokens) if known else -1,
        right=int(sum(right)),
        missing=dict(Counter(pair[place].reason for pair in pairs if pair[place].is_missing)),
    )


# ------------------------------------------------------------------ words


def as_lines(comparisons: Sequence[Comparison]) -> list[str]:
    """Write the lines that `deskcheck compare` prints, one block per comparison."""
    lines = []
    for pair in comparisons:
        often = f" x {pair.n_samples} samples" if pair.n_samples > 1 else ""
        kind = "" if pair.task == "output" else f", {pair.task}"
        lines += [
            f"{pair.benchmark}{kind}: {pair.n_tasks} tasks{often} of {pair.n_programs} programs",
            *(_side_line(name, side, pair) for name, side in (("A", pair.a), ("B", pair.b))),
        ]
        if not pair.is_withheld:
            corrected = f", {p_value(pair.p_holm)} after Holm over {pair.n_tests}" if pair.n_tests > 1 else ""
            lines.append(
                f"  A - B {_points(pair.difference)} points {_bounds(pair.low, pair.high)}; "
                f"only A right {pair.a_alone}, only B right {pair.b_alone}; p = {p_value(pair.p)}{corrected}"
            )
        if pair.n_missing:
            lines.append(f"  {missing_in_words(pair)}")
        lines.append(f"  {verdict(pair)}")
        if pair.only_in_a or pair.only_in_b:
            lines.append(
                f"  left out: {pair.only_in_a} tasks that only A was asked, {pair.only_in_b} that only B was"
            )
        if pair.a.oracle != pair.b.oracle:
            lines.append("  one of the two saw the truth (oracle): a bound, not a fair comparison")
        lines += [f"  {words}" for words in unread_sides(pair)]
        lines += [f"  not alike: {words}" for words in pair.unequal]
        lines.append("")
    return [*lines, MEANING]


def unread_sides(pair: Comparison) -> list[str]:
    """Return a sentence for each side with more than 10 % of replies without a readable value."""
    return [
        f"{name}: {side.unread:,} of {pair.n_pairs:,} replies not read, so its share lies within "
        f"{bounds_in_words((side.accuracy, side.accuracy + side.unread / pair.n_pairs))} and the difference "
        "may be the reader's"
        for name, side in (("A", pair.a), ("B", pair.b))
        if side.unread > MOST_UNREAD * pair.n_pairs
    ]


def verdict(pair: Comparison) -> str:
    """Say in a sentence whether a difference is shown, and how large a difference would have been found."""
    if pair.is_withheld:
        return f"no verdict: {pair.n_missing} of {pair.n_missing + pair.n_pairs} common answers are missing"
    if math.isnan(pair.detectable_difference):
        return f"undecided: {pair.n_programs} programs are too few for an interval"
    few = " (too few programs for a firm conclusion)" if pair.note else ""
    if math.isinf(pair.detectable_difference):
        among = f" among {pair.n_tests} comparisons" if pair.n_tests > 1 else ""
        return f"undecided: {pair.n_programs} programs are too few to show any difference{among}"
    seen = f"{100 * pair.detectable_difference:.1f} points"
    if pair.is_shown:
        better, by = ("A", pair.difference) if pair.difference > 0 else ("B", -pair.difference)
        return (
            f"{better} is better by {100 * by:.1f} points{few}; "
            f"a true difference of {seen} would be detected with 80 % power"
        )
    but = " (p is under 0.05, but the interval reaches 0)" if pair.p_holm < 0.05 else ""
    return f"no difference is shown{few}{but}; a true difference of {seen} would be detected with 80 % power"


def _side_line(name: str, side: Side, pair: Comparison) -> str:
    if not pair.n_pairs:
        return f"  {name}: {side.model} · {side.strategy}   no answer that both gave"
    oracle = " (oracle)" if side.oracle else ""
    per_right = "not reported" if side.tokens < 0 else "none is right"
    if side.tokens >= 0 and side.right:
        per_right = f"{side.tokens / side.right:,.0f}"
    return (
        f"  {name}: {side.model} · {side.strategy}{oracle}   {side.right} of {pair.n_pairs}, "
        f"{100 * side.accuracy:.1f} % {_bounds(side.low, side.high)}, no answer {side.no_answer}, "
        f"tokens per right answer {per_right}"
    )


def missing_in_words(pair: Comparison) -> str:
    """Say how many common answers are missing on each side and why, and the bounds of the difference."""
    sides = [
        f"{name} {reasons_in_words(side.missing)}"
        for name, side in (("A", pair.a), ("B", pair.b))
        if side.missing
    ]
    low, high = map(_points, pair.bounds)
    return (
        f"missing: {pair.n_missing} of {pair.n_missing + pair.n_pairs} common answers ({'; '.join(sides)}), "
        f"left out; whatever they are, A - B is between {low} and {high} points"
    )


def _bounds(low: float, high: float) -> str:
    return "[no interval]" if math.isnan(low) else f"[{100 * low:z.1f}, {100 * high:z.1f}]"


def _points(value: float) -> str:
    return f"{100 * value:+z.1f}"


def p_value(value: float) -> str:
    """Render a p-value: "0.031", "4.1e-05"."""
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}"
