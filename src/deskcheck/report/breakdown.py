"""Relate right answers to properties of tasks: shares by property, a regression, classes of wrong answers.

    Answered                               one task with all its samples
    shares(tasks, "executed steps")        [(label, Share)] in order
    effects(tasks)                         one logistic regression on as many VARIABLES as the data allow
    PROPERTIES                             name -> function from a task to its group
    tag_tables(tasks)                      shares by the tags of the benchmark

A share of fewer than 30 answers is marked as exploratory. Intervals are clustered by program.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct, field

from deskcheck.cell_files import Sampled
from deskcheck.errors import BadSource, UserError
from deskcheck.grading.difference import CLASSES, difference_class
from deskcheck.grading.verdict import Raises, answer_language, answer_value
from deskcheck.languages import CONSTRUCTS, Measures, MissingPart, offers, part
from deskcheck.report import numbers
from deskcheck.report.complexity import CLASSES as COMPLEXITIES
from deskcheck.report.complexity import UNREAD, complexity_class
from deskcheck.report.numbers import Share, step_bin
from deskcheck.report.read import Run
from deskcheck.statistics.regression import Effect, logistic

TAGS = (
    "family", "pattern", "type", "types", "difficulty", "rating", "acceptance", "time", "space", "language",
)  # fmt: skip
"""Tags of benchmarks by which tasks are grouped: family, pattern of dynamic programming, type, difficulty,
how many people solve a task (`rating` of a contest, `acceptance` of submissions), stated complexity,
language."""
RATINGS = (1400, 1600, 1800, 2000, 2200)
ACCEPTED = (30, 45, 60, 75)
"""Lower ends of the bins after the first; acceptance in percent."""
MOST_GROUPS = 24
MOST_TYPES = 15
"""If a tag has more than MOST_GROUPS groups, the MOST_TYPES largest are shown; the others form one group."""
OTHER = "other"
PER_PROPERTY = 10  # programs for every property of the regression
ALIKE = 0.95  # correlation from which the effects of two properties cannot be separated
RARE = 0.05  # smallest share of tasks on either side of a yes-or-no property in the regression


class Answered(Struct, frozen=True):
    """All samples of one task, with its tags."""

    task: str
    cluster: str
    """Program of the task; intervals treat answers about one program as dependent."""
    steps: int
    """Executed line events of the true run."""
    verdicts: list[str]
    """"right", "wrong" or "no answer" for each sample."""
    expected: str
    """True answer, as a literal or "raises X"."""
    wrong: list[str]
    """The wrong answers."""
    measures: Measures | None
    """None if the source does not parse, or if its language has no measures."""
    tags: dict[str, str] = field(default_factory=dict)

    family: str = ""
    """Tag `family` of the task."""
    call_depth: int = -1
    """Greatest depth of calls in the true run; -1 = not known."""
    state_size: int = -1
    """Size of the largest state of the true run; -1 = not known."""
    int_bits: int = -1
    """Bits of the largest integer in the true run; -1 = not known."""
    characters: int = -1
    """Length of program and call together; -1 = not known."""
    missing: int = 0
    """Samples that were never asked for, or whose request failed; they have no verdict here."""

    @property
    def right(self) -> int:
        """Number of samples that are right."""
        return self.verdicts.count("right")


def of_run(run: Run) -> list[Answered]:
    """Return the tasks of a finished evaluation, in its order."""
    samples: dict[str, list[Sampled]] = {}
    for one in run.every:
        samples.setdefault(one.task, []).append(one)
    known: dict[str, Measures | None] = {}
    for own in samples.values():
        if own[0].source not in known:
            known[own[0].source] = measured(own[0].source, own[0].tags.get("language", "python"))
    return [
        Answered(
            task=task,
            cluster=own[0].cluster,
            steps=own[0].n_steps,
            verdicts=[one.verdict for one in own if not one.is_missing],
            expected=own[0].expected,
            wrong=[one.answer for one in own if one.verdict == "wrong"],
            measures=known[own[0].source],
            tags=own[0].tags,
            family=own[0].tags.get("family", ""),
            call_depth=own[0].call_depth,
            state_size=own[0].state_size,
            int_bits=own[0].int_bits,
            characters=len(own[0].source) + len(own[0].call),
            missing=sum(one.is_missing for one in own),
        )
        for task, own in samples.items()
    ]


def measured(source: str, language: str = "python") -> Measures | None:
    """Return the measures of a source; None if it does not parse, or if its language has no measures."""
    try:
        measures: Measures = part(language, "measures")(source)
    except (BadSource, MissingPart):
        return None
    return measures


def _bin(value: int, bounds: Sequence[int]) -> tuple[int, str]:
    low = 1
    for number, high in enumerate(bounds):
        if value <= high:
            return number, f"{low}–{high}" if low < high else str(high)
        low = high + 1
    return len(bounds), f"over {bounds[-1]}"


def _steps(task: Answered) -> tuple[int, str]:
    return step_bin(task.steps)


def _of_measures(read: Callable[[Measures], tuple[int, str]]) -> Callable[[Answered], tuple[int, str]]:
    return lambda task: (99, "unknown") if task.measures is None else read(task.measures)


def abstraction(measures: Measures) -> tuple[int, str]:
    """Return order and name of the level of abstraction, from "one flat function" to "classes"."""
    if "class" in measures.constructs:
        return 3, "classes"
    if measures.constructs & {"lambda or inner function", "recursion"}:
        return 2, "inner functions or recursion"
    if measures.functions > 1 or "comprehension" in measures.constructs:
        return 1, "helper functions or comprehensions"
    return 0, "one flat function"


def output_type(expected: str, language: str = "python") -> str:
    """Return the name of an answer's type; "exception" for "raises X", "text" if it is no literal."""
    try:
        value = answer_value(expected, language=language)
    except BadSource:
        return "text"
    if isinstance(value, Raises):
        return "exception"
    return str(part(language, "type_name")(value)) if offers(language, "type_name") else type(value).__name__


def _known(read: Callable[[Answered], int], bounds: Sequence[int]) -> Callable[[Answered], tuple[int, str]]:
    return lambda task: (99, "unknown") if read(task) < 0 else _bin(max(1, read(task)), bounds)


def _digits(bits: int) -> int:
    """Return the decimal digits of the largest integer with this number of bits; -1 for -1."""
    return bits if bits < 0 else len(str(2**bits - 1))


# Name -> order and label of the group that a task belongs to.
PROPERTIES: dict[str, Callable[[Answered], tuple[int, str]]] = {
    "executed steps": _steps,
    "lines of code": _of_measures(lambda found: _bin(found.lines, (5, 10, 15, 20, 30))),
    "branches": _of_measures(lambda found: _bin(found.branches, (1, 2, 4, 6, 9))),
    "nesting": _of_measures(lambda found: (found.nesting, str(found.nesting))),
    "call depth": _known(lambda task: task.call_depth, (1, 2, 4, 8)),
    "state size": _known(lambda task: task.state_size, (5, 10, 20, 40, 80, 160)),
    "digits of the largest integer": _known(lambda task: _digits(task.int_bits), (1, 2, 3, 5, 9)),
    "functions": _of_measures(lambda found: _bin(max(1, found.functions), (1, 2, 3, 5))),
    "classes": _of_measures(lambda found: (found.classes, str(found.classes))),
    "abstraction": _of_measures(abstraction),
    "output type": lambda task: (0, output_type(task.expected, answer_language(task.tags))),
}


def tag_tables(tasks: Sequence[Answered]) -> dict[str, list[tuple[str, Share]]]:
    """Map each tag with two or more groups to [(group, share of right answers)] in order.

    A task of several types counts in each of them.
    """
    tables = {}
    for tag in TAGS:
        groups = _groups(tasks, tag)
        if len(groups) > 1:
            tables[tag] = [(name, share_of(groups[name])) for name in _in_order(tag, groups)]
    return tables


def left_out(tasks: Sequence[Answered]) -> list[str]:
    """Name tags without a table because all tasks have the same value; unused tags are not named."""
    alone = {tag: next(iter(groups)) for tag in TAGS if len(groups := _groups(tasks, tag)) == 1}
    return [f"by {tag}: every task is {name!r}" for tag, name in alone.items() if name != "none"]


def _groups(tasks: Sequence[Answered], tag: str) -> dict[str, list[Answered]]:
    """Map groups to tasks; of more than MOST_GROUPS groups, all but the MOST_TYPES largest become OTHER."""
    groups: dict[str, list[Answered]] = {}
    for task in tasks:
        for name in (task.tags.get(tag) or "none").split("; "):
            groups.setdefault(_group(tag, name), []).append(task)
    if len(groups) > MOST_GROUPS:
        often = sorted(groups, key=lambda name: (-len(groups[name]), name))[:MOST_TYPES]
        rest = {task.task: task for name in groups if name not in often for task in groups[name]}
        groups = {name: groups[name] for name in often} | {OTHER: list(rest.values())}
    return groups


def _group(tag: str, value: str) -> str:
    """Return the group of a value: the class of a complexity, the bin of a number, else the value."""
    if value == "none":
        return value
    if tag in ("time", "space"):
        return complexity_class(value)
    if tag not in _BINS:
        return value
    try:
        number = float(value)
    except ValueError:
        return value
    bounds, unit = _BINS[tag]
    number *= 100 if tag == "acceptance" and number <= 1 else 1
    low = max((bound for bound in bounds if bound <= number), default=0)
    high = min((bound for bound in bounds if bound > number), default=0)
    if not low:
        return f"under {high}{unit}"
    return f"{low} to {high}{unit}" if high else f"from {low}{unit}"


_BINS: dict[str, tuple[tuple[int, ...], str]] = {"rating": (RATINGS, ""), "acceptance": (ACCEPTED, " %")}


def _in_order(tag: str, groups: dict[str, list[Answered]]) -> list[str]:
    """Order complexities, difficulties and bins by size, other groups by name.

    The groups "not read", "other" and "none" come last.
    """
    known = [*COMPLEXITIES, "Easy", "Medium", "Hard"]
    known += [_group(tag, str(bound)) for tag in _BINS for bound in (2, *_BINS[tag][0])]
    order = {name: number for number, name in enumerate(known)}
    last = {UNREAD: 1, OTHER: 2, "none": 3}
    return sorted(groups, key=lambda name: (last.get(name, 0), order.get(name, len(known)), name))


def shares(tasks: Iterable[Answered], name: str) -> list[tuple[str, Share]]:
    """Return [(label, share of right answers)] of the groups of a property in PROPERTIES, in order."""
    groups: dict[tuple[int, str], list[Answered]] = {}
    for task in tasks:
        groups.setdefault(PROPERTIES[name](task), []).append(task)
    return [(label, share_of(groups[order, label])) for order, label in sorted(groups)]


def by_construct(tasks: Sequence[Answered]) -> list[tuple[str, Share, Share]]:
    """Return for each construct the share with it and the share without it, if both exist."""
    splits = []
    known = [task for task in tasks if task.measures is not None]
    for name in CONSTRUCTS:
        with_it = [task for task in known if task.measures and name in task.measures.constructs]
        without = [task for task in known if task.measures and name not in task.measures.constructs]
        if with_it and without:
            splits.append((name, share_of(with_it), share_of(without)))
    return splits


def share_of(tasks: Sequence[Answered]) -> Share:
    """Return the share of right answers over all samples, clustered by program."""
    verdicts = [verdict for task in tasks for verdict in task.verdicts]
    clusters = [task.cluster for task in tasks for _ in task.verdicts]
    return numbers.share_of(verdicts, clusters, missing=sum(task.missing for task in tasks))


def _flag(name: str) -> Callable[[Answered, Measures], float]:
    return lambda task, found: float(name in found.constructs)


def _output_is(*names: str) -> Callable[[Answered, Measures], float]:
    return lambda task, found: float(output_type(task.expected, answer_language(task.tags)) in names)


# Independent variables of the regression, in the order in which they are added.
VARIABLES: dict[str, Callable[[Answered, Measures], float]] = {
    "log2 executed steps": lambda task, found: math.log2(max(1, task.steps)),
    "lines of code": lambda task, found: float(found.lines),
    "branches": lambda task, found: float(found.branches),
    "nesting": lambda task, found: float(found.nesting),
    "log2 state size": lambda task, found: math.log2(max(1, task.state_size)),
    "call depth": lambda task, found: float(max(1, task.call_depth)),
    "bits of the largest integer": lambda task, found: float(max(0, task.int_bits)),
    "abstraction": lambda task, found: float(abstraction(found)[0]),
    "functions": lambda task, found: float(found.functions),
    "classes": lambda task, found: float(found.classes),
    "has a loop": _flag("loop"),
    "has a nested loop": _flag("nested loop"),
    "has recursion": _flag("recursion"),
    "gives text": _output_is("str"),
    "gives a collection": _output_is("list", "tuple", "dict", "set", "frozenset"),
    "uses string methods": _flag("string method"),
    "uses slices": _flag("slice"),
    "uses sorting": _flag("sorting"),
    "uses dictionaries": _flag("dictionary"),
    "uses bit operations": _flag("bit operation"),
    "uses comprehensions": _flag("comprehension"),
    "may raise": _flag("exception"),
    "log2 characters to read": lambda task, found: math.log2(max(1, task.characters)),
}


_SIDES: tuple[Callable[[float], bool], ...] = (lambda share: share > 0, lambda share: share < 1)


def effects(tasks: Sequence[Answered], names: Sequence[str] = ()) -> list[Effect]:
    """Fit one regression on the VARIABLES with these names, or on as many as the data allow.

    Without names, variables are taken in the order of VARIABLES, one for every 10 programs with right answers
    (or with wrong answers, if these programs are fewer). Variables that hardly vary, or correlate by .95 or
    more with an earlier variable, are left out. The last variables are removed until the regression has a
    fit. UserError if the data allow no variable, or if the given ones have no fit.
    """
    rows = [(task, task.measures) for task in tasks if task.measures is not None and task.verdicts]
    right = [task.right / len(task.verdicts) for task, _ in rows]
    clusters = [task.cluster for task, _ in rows]
    columns = {
        name: [VARIABLES[name](task, found) for task, found in rows] for name in names or tuple(VARIABLES)
    }
    if not names:
        holders = [{c for c, share in zip(clusters, right, strict=True) if side(share)} for side in _SIDES]
        most = min(map(len, holders)) // PER_PROPERTY
        if not most:
            raise UserError("too few programs with right, or with wrong, answers for a regression")
        columns = _carried(columns, most)
    while True:
        values = [[column[row] for column in columns.values()] for row in range(len(rows))]
        try:
            return logistic(values, right, clusters, names=list(columns))
        except UserError:  # collinear variables, or one that separates right from wrong
            if names or len(columns) < 2:
                raise
            columns.popitem()


def _carried(columns: dict[str, list[float]], most: int) -> dict[str, list[float]]:
    import numpy as np

    carried: dict[str, list[float]] = {}
    for name, column in columns.items():
        values = np.asarray(column)
        if len(carried) >= most or len(values) == 0 or float(values.std()) < 1e-9:
            continue
        if set(column) <= {0.0, 1.0} and not RARE <= float(values.mean()) <= 1 - RARE:
            continue
        alike = [abs(float(np.corrcoef(values, np.asarray(other))[0, 1])) for other in carried.values()]
        if max(alike, default=0.0) < ALIKE:
            carried[name] = column
    return carried


def classes(tasks: Iterable[Answered]) -> Counter[str]:
    """Count the wrong answers by class of their difference; an answer that is no literal is "no literal"."""
    counts = Counter(dict.fromkeys(CLASSES, 0))
    for task in tasks:
        for answer in task.wrong:
            try:
                counts[difference_class(answer, task.expected, language=answer_language(task.tags))] += 1
            except BadSource:
                counts["no literal"] += 1
    return counts
