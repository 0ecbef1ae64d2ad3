"""The comparison of layouts as tables: steps by part and whole programs, as Execution Tuning; differences.

    text(results, comparison, baselines) -> str        rows(...) -> the same as data, for JSON

Intervals are 95 %, seeds pooled, clustered by the form of the program; beside them stands each seed's own
figure, since seeds differ too. Differences are paired by program and seed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

from deskcheck.records import Program
from deskcheck.representations._reader import read_step
from deskcheck.representations._tree import StateTree, Step, apply_step
from deskcheck.statistics.interval import Interval, clustered_interval
from deskcheck.statistics.paired import paired_difference
from deskcheck.training.layout_scores import (
    MAX_STEPS,
    PARTS,
    STEPWISE,
    End,
    HeldOut,
    LayoutScores,
    ProgramScore,
    StepScore,
    parts,
    true_ends,
)
from deskcheck.training.layouts import Comparison, Result

NOT_RUN = "not run"


class Row(Struct, frozen=True):
    """One line of the tables: a layout, or what needs no model."""

    name: str
    by_part: dict[str, Interval]
    """Part of a step -> share of the steps where it was right."""
    whole: Interval | None
    """Whole programs right: the primary metric."""
    by_seed: dict[int, float]
    tokens_per_program: float
    equal_programs: Interval | None = None
    results: list[Result] = []
    n: int = 0


class Difference(Struct, frozen=True):
    """Whole programs: the first minus the second."""

    first: str
    second: str
    points: Interval
    n_seeds: int


def baselines(held_out: Sequence[HeldOut], training: Sequence[HeldOut]) -> list[Row]:
    """Without a model: the driver alone, the commonest outcome of training programs, the first argument."""
    outcomes = [str(true_ends(one.trace)[-1][1]) for one in training]
    majority = max(sorted(set(outcomes)), key=outcomes.count)
    return [
        _alone(held_out),
        _constant("majority answer", held_out, lambda one: majority),
        _constant("copies the first argument", held_out, _first_argument),
    ]


def _first_argument(one: HeldOut) -> str:
    entries = list(true_ends(one.trace)[0][0].frames[-1].entries.values())
    return f"<- {entries[0]}" if entries else "<- None"


def _constant(name: str, held_out: Sequence[HeldOut], outcome: object) -> Row:
    assert callable(outcome)
    right = [outcome(one) == str(true_ends(one.trace)[-1][1]) for one in held_out]
    return _row(
        name, [ProgramScore(one.form, ok, True, 0) for one, ok in zip(held_out, right, strict=True)], []
    )


def _alone(held_out: Sequence[HeldOut]) -> Row:
    """Nothing changes; the next line of the text comes next; after the last one None is returned."""
    programs, steps = [], []
    for one in held_out:
        ends = true_ends(one.trace)
        for before, true in ends:
            steps.append(parts(before, true, _next(before, one.program), one.form))
        state: End = ends[0][0]
        for _ in range(MAX_STEPS):
            if isinstance(state, StateTree):
                state = _next(state, one.program)
        programs.append(ProgramScore(one.form, str(state) == str(ends[-1][1]), True, 0))
    return _row("driver alone", programs, steps)


def _next(state: StateTree, program: Program) -> End:
    line = state.frames[-1].line + 1
    n_lines = len(program.source.rstrip("\n").split("\n"))
    step = Step("@", line) if line <= n_lines else read_step("<- None")
    after = apply_step(state, step)
    return after if after.frames else step


def _share(values: Sequence[bool], forms: Sequence[str]) -> Interval | None:
    return clustered_interval([float(v) for v in values], forms) if values else None


def _row(name: str, programs: Sequence[ProgramScore], steps: Sequence[StepScore]) -> Row:
    by_part = {}
    for part in PARTS:
        rated = [(getattr(step, part), step.form) for step in steps if getattr(step, part) is not None]
        found = _share([v for v, _ in rated], [form for _, form in rated])
        if found is not None:
            by_part[part] = found
    return Row(
        name,
        by_part,
        _share([one.right for one in programs], [one.form for one in programs]),
        {},
        sum(one.n_tokens for one in programs) / max(len(programs), 1),
        n=len(programs),
    )


def rows(results: Sequence[Result], comparison: Comparison) -> list[Row]:
    """A row for each layout, in order; one that was not run has no intervals."""
    found = []
    for layout in comparison.layouts:
        own = [result for result in results if result.layout == layout]
        pooled = _row(
            layout,
            [program for result in own for program in result.scores.programs],
            [step for result in own for step in result.scores.steps],
        )
        earlier = [one for result in own for one in _at_equal_programs(result).programs]
        found.append(
            Row(
                layout,
                pooled.by_part,
                pooled.whole,
                {result.seed: _right(result.scores) for result in own},
                pooled.tokens_per_program,
                _share([one.right for one in earlier], [one.form for one in earlier]),
                own,
                len(own[0].scores.programs) if own else 0,
            )
        )
    return found


def _at_equal_programs(result: Result) -> LayoutScores:
    return result.equal_programs.scores if result.equal_programs else result.scores


def _right(scores: LayoutScores) -> float:
    return sum(one.right for one in scores.programs) / len(scores.programs)


def differences(results: Sequence[Result], comparison: Comparison) -> list[Difference]:
    """Every layout minus every one before it, over the seeds that both have."""
    runs = {(result.layout, result.seed): result.scores.programs for result in results}
    found = []
    for place, second in enumerate(comparison.layouts):
        for first in comparison.layouts[place + 1 :]:
            seeds = [s for s in comparison.seeds if (first, s) in runs and (second, s) in runs]
            a, b = ([one for s in seeds for one in runs[name, s]] for name in (first, second))
            if seeds:
                points = paired_difference(
                    [float(x.right) for x in a], [float(x.right) for x in b], [x.form for x in a]
                )
                found.append(Difference(first, second, points, len(seeds)))
    return found


# -------------------------------------------------------------- text


def text(results: Sequence[Result], comparison: Comparison, without_model: Sequence[Row]) -> str:
    """The tables, for people."""
    own = rows(results, comparison)
    return "\n".join(
        [
            *_whole_table(own, without_model, comparison),
            "",
            *_step_table([*own, *without_model]),
            "",
            *map(_difference_text, differences(results, comparison)),
            "",
            *_notes(comparison, results),
        ]
    )


def _whole_table(own: Sequence[Row], without: Sequence[Row], comparison: Comparison) -> list[str]:
    head = "| layout | whole programs | 95 % | by seed | at equal programs | n | tokens a program "
    lines = [head + "| programs seen | compute | rate |", "|---" * 10 + "|"]
    for row in own:
        if not row.results:
            lines.append(f"| {row.name} | {NOT_RUN} |" + " |" * 8)
            continue
        seeds = [_percent(row.by_seed[s]) if s in row.by_seed else NOT_RUN for s in comparison.seeds]
        first = row.results[0]
        lines.append(
            f"| {row.name} | {_mean(row.whole)} | {_ends(row.whole)} | {', '.join(seeds)} | "
            f"{_mean(row.equal_programs)} | {row.n} x {len(row.results)} | {row.tokens_per_program:.0f} | "
            f"{first.n_programs:,} | {first.flops:.3g} | {first.rate:g} |"
        )
    for row in without:
        lines.append(f"| {row.name} | {_mean(row.whole)} | {_ends(row.whole)} | | | {row.n} |" + " |" * 4)
    return lines


def _step_table(all_rows: Sequence[Row]) -> list[str]:
    lines = ["| a step, % | asked from | next line | which change | their values | outcome | all of it |"]
    lines.append("|---" * 7 + "|")
    for row in all_rows:
        cells = [_mean(row.by_part.get(part)) for part in PARTS]
        origin = "true state" if row.name in STEPWISE or not row.results else "its own history"
        if row.by_part:
            lines.append(f"| {row.name} | {origin} | {' | '.join(cells)} |")
    return lines


def _difference_text(found: Difference) -> str:
    interval = found.points
    ends = "" if math.isnan(interval.low) else f" [{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"
    return (
        f"{found.first} minus {found.second}: {100 * interval.mean:+.1f} points{ends}, paired, "
        f"{found.n_seeds} seed{'s' if found.n_seeds > 1 else ''}"
    )


def _notes(comparison: Comparison, results: Sequence[Result]) -> list[str]:
    parameters = f"{results[0].n_parameters:,} parameters" if results else NOT_RUN
    return [
        f"Programs: {comparison.programs}, held out by seed and by form. Models: {parameters}, "
        f"{comparison.layers} layers of {comparison.hidden}. Training: {comparison.flops:.3g} operations "
        "a run.",
        "Primary metric, fixed beforehand: whole held-out programs right. 'At equal programs': the same runs "
        "when each had seen as many programs as the one that sees fewest (rate not decayed there).",
        "Not measured: input prediction before and after; literals spelled against plain; real code.",
    ]


def _mean(interval: Interval | None) -> str:
    return _percent(interval.mean) if interval is not None else ""


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def _ends(interval: Interval | None) -> str:
    if interval is None or math.isnan(interval.low):
        return ""
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"
