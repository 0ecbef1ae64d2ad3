"""The comparison of layouts as tables: steps by part and whole programs, as Execution Tuning; differences.

    text(results, comparison, baselines) -> str        rows(...) -> the same as data, for JSON

Intervals are 95 %, seeds pooled, clustered by the form of the program; beside them stands each seed's own
figure, since seeds differ too. Differences are paired by program and seed. Where runs go on from trained
weights, rows say what these did in each layout before; where whole programs were asked on the way, a table
says how they go with compute.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from deskcheck.inference.engine import read_card
from deskcheck.statistics.paired import paired_difference
from deskcheck.statistics.summary import Interval, clustered_interval
from deskcheck.training.export import card_folder
from layout_study.baselines import without_model
from layout_study.plan import Comparison, layout_of, shape_of
from layout_study.runs import Point, Result
from layout_study.scores import (
    PARTS,
    STEPWISE,
    HeldOut,
    LayoutScores,
    ProgramScore,
    StepScore,
)

NOT_RUN = "not run"
NOT_ASKED = "not asked"
"""Single steps of a layout in which they cannot be judged."""


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
    n_steps: int = 0
    is_stepwise: bool = True
    """Asked from true states; else read beside the true run, from the model's own history."""


class Difference(Struct, frozen=True):
    """Whole programs: the first minus the second."""

    first: str
    second: str
    points: Interval
    n_seeds: int


def baselines(held_out: Sequence[HeldOut], majority: str) -> list[Row]:
    """Without a model."""
    found = without_model(held_out, majority)
    return [row_of(name, scores.programs, scores.steps) for name, scores in found.items()]


def _share(values: Sequence[bool], forms: Sequence[str]) -> Interval | None:
    return clustered_interval([float(v) for v in values], forms) if values else None


def row_of(name: str, programs: Sequence[ProgramScore], steps: Sequence[StepScore]) -> Row:
    """A row of the tables."""
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
        n_steps=len(steps),
    )


def rows(results: Sequence[Result], comparison: Comparison) -> list[Row]:
    """A row for each layout, in order; one that was not run has no intervals."""
    found = []
    for layout in comparison.layouts:
        own = [result for result in results if result.layout == layout]
        pooled = row_of(
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
                pooled.n_steps,
                layout_of(layout) in STEPWISE,
            )
        )
    return found


def _at_equal_programs(result: Result) -> LayoutScores:
    return result.equal_programs.scores if result.equal_programs else result.scores


def _right(scores: LayoutScores) -> float:
    return sum(one.right for one in scores.programs) / len(scores.programs)


def before_rows(before: Mapping[str, LayoutScores]) -> list[Row]:
    """The weights that the runs went on from, asked in each layout."""
    found = []
    for layout, scores in before.items():
        row = row_of(f"before tuning, {layout}", scores.programs, scores.steps)
        found.append(msgspec.structs.replace(row, is_stepwise=layout in STEPWISE))
    return found


def paired(first: Sequence[ProgramScore], second: Sequence[ProgramScore]) -> list[tuple[float, float, str]]:
    """Right or not, of both, and the form, for every program that both were asked about."""
    other = {one.id: one for one in second}
    return [(float(one.right), float(other[one.id].right), one.form) for one in first if one.id in other]


def _difference(pairs: Sequence[tuple[float, float, str]]) -> Interval:
    return paired_difference([a for a, _, _ in pairs], [b for _, b, _ in pairs], [f for _, _, f in pairs])


def differences(results: Sequence[Result], comparison: Comparison) -> list[Difference]:
    """Every layout minus every one before it, over the seeds that both have."""
    runs = {(result.layout, result.seed): result.scores.programs for result in results}
    found = []
    for first, second in _pairs(comparison):
        seeds = [s for s in comparison.seeds if (first, s) in runs and (second, s) in runs]
        if seeds:
            both = [pair for s in seeds for pair in paired(runs[first, s], runs[second, s])]
            found.append(Difference(first, second, _difference(both), len(seeds)))
    return found


def _pairs(comparison: Comparison) -> list[tuple[str, str]]:
    layouts = comparison.layouts
    return [(first, second) for place, second in enumerate(layouts) for first in layouts[place + 1 :]]


class OnTheWay(Struct, frozen=True):
    """Whole programs right at one share of the compute."""

    share: float
    flops: float
    by_layout: dict[str, Interval]
    tokens: dict[str, int]
    """Trained on by then, of the first seed, without padding."""
    differences: list[Difference]


def on_the_way(
    results: Sequence[Result], comparison: Comparison, before: Mapping[str, LayoutScores]
) -> list[OnTheWay]:
    """From the weights that the runs began with, where they are not random, to their ends."""
    by_share: dict[float, dict[tuple[str, int], Point]] = {}
    for result in results:
        key = (result.layout, result.seed)
        last = Point(1.0, result.flops, result.n_tokens, result.scores.programs)
        for point in [*result.points, last]:
            by_share.setdefault(point.share, {})[key] = point
        if result.layout in before:
            by_share.setdefault(0.0, {})[key] = Point(0.0, 0.0, 0, before[result.layout].programs)
    return [_at_share(share, by_share[share], comparison) for share in sorted(by_share)]


def _at_share(share: float, points: dict[tuple[str, int], Point], comparison: Comparison) -> OnTheWay:
    found: dict[str, Interval] = {}
    for layout in comparison.layouts:
        own = [one for (name, _), point in points.items() if name == layout for one in point.programs]
        interval = _share([one.right for one in own], [one.form for one in own])
        if interval is not None:
            found[layout] = interval
    apart = []
    for first, second in _pairs(comparison):
        seeds = [s for s in comparison.seeds if (first, s) in points and (second, s) in points]
        both = [pair for s in seeds for pair in paired(points[first, s].programs, points[second, s].programs)]
        if both:
            apart.append(Difference(first, second, _difference(both), len(seeds)))
    flops = max(point.flops for point in points.values())
    tokens = {name: point.n_tokens for (name, seed), point in points.items() if seed == comparison.seeds[0]}
    return OnTheWay(share, flops, found, tokens, apart)


# -------------------------------------------------------------- text


def text(
    results: Sequence[Result],
    comparison: Comparison,
    alone: Sequence[Row],
    before: Mapping[str, LayoutScores] | None = None,
) -> str:
    """The tables, for people."""
    own = rows(results, comparison)
    others = [*before_rows(before or {}), *alone]
    way = on_the_way(results, comparison, before or {})
    return "\n".join(
        [
            *_whole_table(own, others, comparison),
            "",
            *step_table([*own, *others]),
            "",
            *map(_difference_text, differences(results, comparison)),
            "",
            *(_way_table(way, comparison) if len(way) > 1 else []),
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
            f"| {row.name} | {percent_of(row.whole)} | {ends_of(row.whole)} | {', '.join(seeds)} | "
            f"{percent_of(row.equal_programs)} | {row.n} x {len(row.results)} | "
            f"{row.tokens_per_program:.0f} | {first.n_programs:,} | {first.flops:.3g} | {first.rate:g} |"
        )
    for row in without:
        tokens = f"{row.tokens_per_program:.0f}" if row.tokens_per_program else ""
        cells = [row.name, percent_of(row.whole), ends_of(row.whole), "", "", str(row.n), tokens, "", "", ""]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _way_table(way: Sequence[OnTheWay], comparison: Comparison) -> list[str]:
    """Whole programs with compute; the differences beside, since that is what is asked."""
    layouts, pairs = comparison.layouts, _pairs(comparison)
    head = [*(f"{layout}, %" for layout in layouts), *(f"{a} minus {b}" for a, b in pairs)]
    lines = [f"| compute | tokens, {layouts[0]} | {' | '.join(head)} |", "|---" * (len(head) + 2) + "|"]
    for one in way:
        cells = [f"{one.flops:.3g}", f"{one.tokens.get(layouts[0], 0):,}"]
        cells += [percent_of(one.by_layout.get(layout)) for layout in layouts]
        known = {(d.first, d.second): d.points for d in one.differences}
        cells += [points_of(known[pair]) if pair in known else "" for pair in pairs]
        lines.append(f"| {' | '.join(cells)} |")
    return [*lines, ""]


def points_of(interval: Interval) -> str:
    ends = "" if math.isnan(interval.low) else f" [{100 * interval.low:+.1f}, {100 * interval.high:+.1f}]"
    return f"{100 * interval.mean:+.1f}{ends}"


def step_table(all_rows: Sequence[Row]) -> list[str]:
    """Steps by part."""
    lines = [
        "| a step, % | asked from | n | control flow | which change | variables | iterators | stack "
        "| outcome | all of it |",
        "|---" * 10 + "|",
    ]
    for row in all_rows:
        cells = [_with_ends(row.by_part.get(part)) for part in PARTS]
        origin = "true state" if row.is_stepwise else "its own history"
        if row.by_part:
            lines.append(f"| {row.name} | {origin} | {row.n_steps} | {' | '.join(cells)} |")
        elif row.results:
            lines.append(f"| {row.name} | {NOT_ASKED} |" + " |" * 8)
    return lines


def _difference_text(found: Difference) -> str:
    points = points_of(found.points).replace(" [", " points [", 1)
    return (
        f"{found.first} minus {found.second}: {points}{'' if '[' in points else ' points'}, paired, "
        f"{found.n_seeds} seed{'s' if found.n_seeds > 1 else ''}"
    )


def _notes(comparison: Comparison, results: Sequence[Result]) -> list[str]:
    sizes = sorted({result.n_parameters for result in results})
    parameters = f"{' or '.join(f'{n:,}' for n in sizes)} parameters" if sizes else NOT_RUN
    shape = shape_of(comparison)
    seen = (
        f"Every run goes on from the weights '{comparison.start_from}' (sha256 {comparison.weights_sha256}), "
        f"which {_base(comparison)}. They had seen programs of this kind: of the forms of the held-out ones, "
        "none, where deskcheck trained them."
        if comparison.start_from
        else "Every run begins with random weights."
    )
    drilled = f", {comparison.drills:.0%} of the training candidates drills" if comparison.drills else ""
    stepper = ", by Muon" if comparison.muon else ""
    shifted = f", {shape.shift} tokens before a token read with it" if shape.shift else ""
    return [
        f"Programs: {comparison.programs}{drilled}, held out by seed and by form. Models: {parameters}, "
        f"{shape.layers} layers of {shape.hidden}{shifted}. "
        f"Training: {comparison.flops:.3g} operations a run{stepper}. {seen}",
        "Primary metric, fixed beforehand: whole held-out programs right. 'At equal programs': the same runs "
        "when each had seen as many programs as the one that sees fewest (rate not decayed there).",
        "Single steps are asked from true states; n counts them over all seeds. Not asked: steps of cwm and "
        "adaptive.",
    ]


def _base(comparison: Comparison) -> str:
    """What the card of the first weights says they were trained on."""
    layouts = read_card(card_folder(comparison.start_from)).layouts
    return f"learned {', '.join(layouts)}" if layouts else "have no card that says what they learned"


def _with_ends(interval: Interval | None) -> str:
    ends = ends_of(interval).replace(" to ", ", ")
    return f"{percent_of(interval)} [{ends}]" if ends else percent_of(interval)


def percent_of(interval: Interval | None) -> str:
    return _percent(interval.mean) if interval is not None else ""


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"


def ends_of(interval: Interval | None) -> str:
    if interval is None or math.isnan(interval.low):
        return ""
    return f"{100 * interval.low:.1f} to {100 * interval.high:.1f}"
