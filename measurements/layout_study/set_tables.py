"""Real code, long runs, published sets and inputs as tables, beside those of `layout_table.py`.

    set_text("real", answers) -> str        input_text(answers, baseline) -> str

Seeds are pooled; intervals are 95 %, clustered by what a set's programs have in common (function, problem).
Long runs come from three programs, too few for an interval: they are counted.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from deskcheck.statistics.paired import paired_difference
from deskcheck.statistics.summary import clustered_interval
from layout_study.inputs import BEFORE, InputScores
from layout_study.scores import STEPWISE, ProgramScore
from layout_study.sets import LONG, SetScores
from layout_study.tables import ends_of, paired, percent_of, points_of, row_of, step_table

TITLES = {
    "real": "Real code: functions of the standard library and of PyPI packages that no training saw",
    "long": "Long executions: every step and the outcome",
}


def set_text(name: str, answers: Sequence[SetScores]) -> str:
    """All models on one set."""
    if not answers:
        return f"{TITLES.get(name, name)}: not run"
    left_out = answers[0].n_left_out
    title = f"{TITLES.get(name, f'Published set {name}')}. Left out (no end within the limits): {left_out}."
    lines = _long_lines(answers) if name == LONG else _lines(answers)
    return "\n".join([title, "", *lines])


def by_name(answers: Sequence[SetScores]) -> dict[str, list[SetScores]]:
    """The seeds of a layout together, in order."""
    found: dict[str, list[SetScores]] = {}
    for one in answers:
        found.setdefault(one.name, []).append(one)
    return found


def _lines(answers: Sequence[SetScores]) -> list[str]:
    lines = ["| layout | whole programs | 95 % | n | unfinished | tokens a program |", "|---" * 6 + "|"]
    rows = []
    for name, own in by_name(answers).items():
        programs = [program for one in own for program in one.scores.programs]
        steps = [step for one in own for step in one.scores.steps]
        row = msgspec.structs.replace(
            row_of(name, programs, steps), is_stepwise=own[0].scores.layout in STEPWISE or own[0].seed < 0
        )
        rows += [row] if row.by_part else []
        unfinished = sum(not program.is_finished for program in programs)
        n = f"{len(own[0].scores.programs)} x {len(own)}"
        cells = [name, percent_of(row.whole), ends_of(row.whole), n, str(unfinished)]
        lines.append(f"| {' | '.join(cells)} | {row.tokens_per_program:.0f} |")
    return [*lines, "", *step_table(rows)] if rows else lines


def _long_lines(answers: Sequence[SetScores]) -> list[str]:
    lines = ["| layout | right | by program | right steps in a row | steps of the runs |", "|---" * 5 + "|"]
    for name, own in by_name(answers).items():
        programs = [program for one in own for program in one.scores.programs]
        right = sum(program.right for program in programs)
        families = {form: [p.right for p in programs if p.form == form] for form in _forms(programs)}
        each = ", ".join(f"{form} {sum(found)} of {len(found)}" for form, found in families.items())
        reached = sorted(n for one in own for n in one.reached)
        way = f"{reached[len(reached) // 2]} median, {reached[-1]} at most" if reached else "not asked"
        lengths = ", ".join(map(str, own[0].lengths))
        lines.append(f"| {name} | {right} of {len(programs)} | {each} | {way} | {lengths} |")
    return lines


def _forms(programs: Sequence[ProgramScore]) -> list[str]:
    return list(dict.fromkeys(program.form for program in programs))


def input_text(answers: Sequence[InputScores], share: float, baseline: Sequence[ProgramScore]) -> str:
    """Input prediction, and what tuning on each layout changed in it."""
    if not answers:
        return "Input prediction: not run"
    lines = [
        f"Input prediction after the same brief training on it ({share:.0%} of a run's compute) from the "
        "weights before tuning and from those of each layout; arguments that give the outcome are right.",
        "",
        "| weights | right | 95 % | n | no arguments | minus before tuning, points |",
        "|---" * 6 + "|",
    ]
    first = [program for one in answers if one.name == BEFORE for program in one.programs]
    pooled: dict[str, list[list[ProgramScore]]] = {}
    for one in answers:
        pooled.setdefault(one.name, []).append(one.programs)
    rows = [*pooled.items(), *([("commonest arguments", [list(baseline)])] if baseline else [])]
    for name, runs in rows:
        programs = [program for run in runs for program in run]
        found = clustered_interval([float(p.right) for p in programs], [p.form for p in programs])
        pairs = [pair for run in runs for pair in paired(run, first)] if name != BEFORE else []
        apart = (
            points_of(
                paired_difference(
                    [a for a, _, _ in pairs], [b for _, b, _ in pairs], [f for _, _, f in pairs]
                )
            )
            if pairs
            else ""
        )
        none = sum(not program.is_finished for program in programs)
        n = f"{len(runs[0])} x {len(runs)}"
        lines.append(f"| {name} | {percent_of(found)} | {ends_of(found)} | {n} | {none} | {apart} |")
    return "\n".join(lines)
