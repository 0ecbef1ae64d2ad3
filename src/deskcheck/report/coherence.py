"""Measure whether a model's answers about one run agree with each other, right or wrong.

    coherence(runs) -> [Coherence(model, strategy, benchmark, n=.., fit=.., ..)]

Answers to different kinds of question about one call describe one run, so they must agree. The lines of the
trace are the lines covered; a loop of 3 rounds gives 3 values; a tested branch is on a line that is reached;
an exception given as the output is the exception named in the answer on exceptions. RULES and AT hold such
rules. A rule is applied if both answers can be read. A call with a missing answer is left out. Nothing is
compared with the truth: a model can be coherent and wrong.
Source: the coherence of CES (arXiv 2510.15079), over questions instead of within one annotated program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from msgspec import Struct

from deskcheck.errors import BadSource
from deskcheck.grading.verdict import Raises, answer_language, answer_value
from deskcheck.report.read import Run, told_apart
from deskcheck.statistics.summary import Interval, clustered_interval

Rule = Callable[[Any, Any], bool]
# (kind, kind) -> name, and function that is true if two answers can be about one run. An error means false.
RULES: dict[tuple[str, str], tuple[str, Rule]] = {
    ("full-trace", "coverage"): ("lines", lambda trace, lines: set(trace) == set(lines)),
    ("full-trace", "hot-lines"): ("counts", lambda trace, hot: set(hot) == _most(trace)),
    ("full-trace", "branches"): (
        "tests",
        lambda trace, tests: all(len(results) <= trace.count(line) for line, results in tests.items()),
    ),
    ("coverage", "branches"): (
        "tested lines",
        lambda lines, tests: all(line in lines for line, results in tests.items() if results),
    ),
    ("coverage", "hot-lines"): ("hot lines", lambda lines, hot: set(hot) <= set(lines)),
    ("coverage", "loop-counts"): (
        "loops",
        lambda lines, rounds: all(line in lines for line, n in rounds.items() if n),
    ),
    ("output", "exception"): (
        "ending",
        lambda output, name: name == output.type if isinstance(output, Raises) else name is None,
    ),
}
# The same for two kinds of which only the first has a place in its tasks' ids, which the function takes, too.
AT: dict[tuple[str, str], tuple[str, Callable[[str, Any, Any], bool]]] = {
    ("reached", "coverage"): ("reached", lambda at, yes, lines: yes == (int(at) in lines)),
    ("loop-values", "loop-counts"): ("rounds", lambda at, values, n: n[int(at)] == len(values)),
    ("next-line", "coverage"): ("next", lambda at, line, lines: line == 0 or line in lines),
}


class Coherence(Struct, frozen=True):
    """How far the answers of one model and strategy on one benchmark agree with each other."""

    model: str
    strategy: str
    benchmark: str
    fit: Interval
    """Of the calls with a rule to apply, the share whose answers break no rule; clustered by program."""
    n: int
    """Number of calls (x samples) with a rule to apply."""
    right: tuple[int, int]
    """Calls whose answers are all right: (coherent, all)."""
    wrong: tuple[int, int]
    """Calls with an answer that is not right: (coherent, all)."""
    broken: list[tuple[str, int, int]]
    """(rule, times broken, times applied), most often applied first."""


def coherence(runs: Sequence[Run]) -> list[Coherence]:
    """Return the coherence of every model, strategy and benchmark with a rule to apply."""
    names = told_apart(runs)
    groups: dict[tuple[str, str, str], dict[str, Run]] = {}
    for run in runs:
        key = (run.row.model, names[run.folder], run.row.benchmark)
        groups.setdefault(key, {})[run.row.task] = run
    found = [_of(*key, by_kind) for key, by_kind in groups.items()]
    return [one for one in found if one is not None]


Answers = dict[str, dict[str, Any]]
"""Kind -> place -> the answer as a value."""


def _of(model: str, strategy: str, benchmark: str, by_kind: dict[str, Run]) -> Coherence | None:
    answers: dict[tuple[str, int], Answers] = {}
    right: dict[tuple[str, int], bool] = {}
    clusters: dict[str, str] = {}
    for kind, run in by_kind.items():
        for answer in run.samples:
            item, _, at = answer.task.partition("@")
            clusters[item] = answer.cluster
            key = (item, answer.sample)
            right[key] = right.get(key, True) and answer.verdict == "right"
            value = (
                _value(answer.answer, answer_language(answer.tags)) if answer.verdict != "no answer" else None
            )
            if value is not None:
                answers.setdefault(key, {}).setdefault(kind, {})[at] = value[0]
    missing = {
        (answer.task.partition("@")[0], answer.sample) for run in by_kind.values() for answer in run.missing
    }
    checked = {key: _broken(own) for key, own in answers.items() if key not in missing}
    checked = {key: marks for key, marks in checked.items() if marks}
    if not checked:
        return None
    keys = sorted(checked)
    fits = [not any(checked[key].values()) for key in keys]
    applied = Counter(rule for marks in checked.values() for rule in marks)
    broken = Counter(rule for marks in checked.values() for rule, bad in marks.items() if bad)
    whole = [fit for key, fit in zip(keys, fits, strict=True) if right[key]]
    partly = [fit for key, fit in zip(keys, fits, strict=True) if not right[key]]
    return Coherence(
        model,
        strategy,
        benchmark,
        clustered_interval([float(fit) for fit in fits], [clusters[item] for item, _ in keys]),
        len(keys),
        (sum(whole), len(whole)),
        (sum(partly), len(partly)),
        [(rule, broken[rule], applied[rule]) for rule, _ in applied.most_common()],
    )


def _broken(answers: Answers) -> dict[str, bool]:
    """Map each rule that can be applied to whether it is broken."""
    marks: dict[str, bool] = {}
    for first, second in combinations(answers, 2):
        for pair in ((first, second), (second, first)):
            if pair in RULES:
                name, rule = RULES[pair]
                a, b = (next(iter(answers[kind].values())) for kind in pair)
                marks[name] = not _holds(rule, a, b)
            if pair in AT:
                name, rule_at = AT[pair]
                other = next(iter(answers[pair[1]].values()))
                held = [_holds(rule_at, at, own, other) for at, own in answers[pair[0]].items()]
                marks[name] = not all(held)
    return marks


def _holds(rule: Callable[..., bool], *answers: Any) -> bool:
    try:
        return bool(rule(*answers))
    except (TypeError, ValueError, KeyError, AttributeError):  # an answer of another form breaks the rule
        return False


def _most(trace: list[Any]) -> set[Any]:
    counts = Counter(trace)
    return {line for line, n in counts.items() if n == max(counts.values())}


def _value(text: str, language: str) -> tuple[Any] | None:
    """Return (value,), because the value may be None; None if the text is no answer."""
    try:
        return (answer_value(text, language=language),)
    except (BadSource, RecursionError):
        return None
