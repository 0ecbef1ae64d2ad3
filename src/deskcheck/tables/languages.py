"""Make tables that compare a model's answers to the same programs in Python and in another language.

    languages(runs) -> [Table, ..]      another language minus Python, by model and strategy

Runs are told apart by the option `language` of their benchmark. Twins, the same task in two languages, have
the same id, except for the name of the language in front of it. A pair whose programs do not end alike (`%`
of a negative number, an element that is missing) is left out of the accuracies and the difference, and
counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from deskcheck.cell_files import Sampled
from deskcheck.grading.twins import is_same_outcome
from deskcheck.report.compare import Comparison, compare, p_value, together
from deskcheck.report.read import Run, facts
from deskcheck.tables.results import INTERVALS, slug, subject, subject_title
from deskcheck.tables.table import Cell, Table, difference_cell, number_cell, words

BASE = "python"
_WHOLE_NAMES = {"py": BASE, "js": "javascript", "ts": "typescript", "": BASE}
_ASIDE = frozenset({"language", "tasks"})
"""Values in which the runs of a pair may differ."""
NOTE = (
    "The difference is paired by program, over programs that end alike in both languages; * stands after "
    "Holm's correction over all differences of the study."
)


def language_of(run: Run) -> str:
    """Return the language of a run's programs."""
    short = facts(run).get("language", "")
    return _WHOLE_NAMES.get(short, short)


def languages(runs: Sequence[Run]) -> list[Table]:
    """Make a table for each benchmark and kind of question that was asked in Python and another language."""
    pairs = [(run, base) for run in runs if (base := _base(run, runs)) is not None]
    parts = [_paired(run, base) for run, base in pairs]
    compared = [compare([run], [base])[0] if run.every else None for run, base, _ in parts]
    rest = iter(together([one for one in compared if one is not None]))
    tested = [next(rest) if one is not None else None for one in compared]
    tables = []
    for kind in dict.fromkeys(subject(run) for run, _ in pairs):
        rows = [
            _row(run, pair, differing)
            for (run, _), pair, (_, _, differing) in zip(pairs, tested, parts, strict=True)
            if subject(run) == kind
        ]
        columns = ["model", "strategy", "language", "in Python", "in that language", "difference", "p"]
        columns.append("pairs that end otherwise")
        title = f"{subject_title(*kind)}: another language minus Python, the same programs"
        tables.append(Table(slug("languages", *kind), title, columns, rows, [INTERVALS, NOTE]))
    return tables


def _base(run: Run, runs: Sequence[Run]) -> Run | None:
    """Return the run in Python that has all other values in common with this one."""
    if language_of(run) == BASE:
        return None
    place = (run.row.model, run.row.strategy, *subject(run), _others(run))
    same = (
        each
        for each in runs
        if language_of(each) == BASE
        and (each.row.model, each.row.strategy, *subject(each), _others(each)) == place
    )
    return next(same, None)


def _others(run: Run) -> dict[str, str]:
    return {name: value for name, value in facts(run).items() if name not in _ASIDE}


def _paired(run: Run, base: Run) -> tuple[Run, Run, list[tuple[bool, bool]]]:
    """Return both runs with their twins that end alike, and (right, right in Python) of the other pairs."""
    theirs = {(_key(one, base), one.sample): one for one in base.every}
    names = (BASE, language_of(run))
    alike: list[tuple[Sampled, Sampled]] = []
    differing: list[tuple[bool, bool]] = []
    for answer in run.every:
        twin = theirs.get((_key(answer, run), answer.sample))
        if twin is None:
            continue
        if is_same_outcome(twin.expected, answer.expected, languages=names):
            same = {"task": _key(answer, run), "expected": twin.expected, "cluster": twin.cluster}
            alike.append((replace(answer, **same), replace(twin, **same)))
        else:
            differing.append((answer.verdict == "right", twin.verdict == "right"))
    return _with(run, (one for one, _ in alike)), _with(base, (twin for _, twin in alike)), differing


def _key(answer: Sampled, run: Run) -> str:
    """Return the id of a task without the language in front of it: "js-17" -> "17"."""
    short = facts(run).get("language", "")
    return answer.task.removeprefix(f"{short}-") if short else answer.task


def _with(run: Run, answers: Iterator[Sampled]) -> Run:
    every = list(answers)
    return replace(
        run,
        samples=[one for one in every if not one.is_missing],
        missing=[one for one in every if one.is_missing],
    )


def _row(run: Run, pair: Comparison | None, differing: Sequence[tuple[bool, bool]]) -> list[Cell]:
    """Make the row of a run: both accuracies, their difference, and the pairs that end otherwise."""
    own, python = (sum(side[at] for side in differing) for at in (0, 1))
    aside = Cell(f"{len(differing)} (right {own}, {python} in Python)" if differing else "0", len(differing))
    names = words(run.row.model, run.row.strategy, language_of(run))
    if pair is None:
        return [*names, *words("no twins", "no twins", "no twins", ""), aside]
    shares = [number_cell(100 * side.accuracy, "{:.1f}") for side in (pair.b, pair.a)]
    p = "" if pair.is_withheld or pair.p_holm != pair.p_holm else p_value(pair.p_holm)
    return [*names, *shares, difference_cell(pair), Cell(p), aside]
