"""Models of 2023/24: LiveCodeBench's runs, ExeRScope, the leaderboard, and what goes with being right.

sections(everything) -> lines
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from deskcheck.errors import UserError
from deskcheck.grading.difference import CLASSES
from deskcheck.report import breakdown
from deskcheck.report.breakdown import Answered
from deskcheck.statistics.paired import detectable_difference, holm
from deskcheck.statistics.pooled import pool
from deskcheck.statistics.regression import Effect, logistic
from stored_answers import joined
from stored_answers.everything import Everything
from stored_answers.graded import Run
from stored_answers.numbers import FEWEST_LONG, difference, horizon_words, p_value, percent, points, table

HORIZON = "\n".join([
    "**Horizon**: executed lines of the true run at which a model is right half of the time (80 % of the "
    "time).",
    "",
    "- It comes from a logistic curve in log steps. Its 95 % interval is clustered by program and needs no "
    "logistic curve.",
    "- < and > are open ends. A bare bound such as > 56 means that the whole interval lies beyond it.",
    f"- Beyond the length that {FEWEST_LONG} programs have or exceed, a figure is only a bound: no horizon "
    "rests on one long program.",
    "- *Not falling*: more steps do not go with fewer right answers beyond chance (95 %), so there is no "
    "horizon.",
    "- *Isotonic*: the same from a fit that only assumes that longer is not easier.",
    "- ‡: the curve is not logistic, as where guessing keeps a share right, so the isotonic figure stands "
    "first.",
])  # fmt: skip


def sections(found: Everything) -> Iterator[str]:
    """The second half of the page."""
    both = {run.model: run for run in found.lcb if run.way == "direct"}
    cot = {run.model: run for run in found.lcb if run.way == "cot"}
    names = [name for name in both if name in cot]
    direct = [task for name in names for task in both[name].tasks]
    chains = [task for name in names for task in cot[name].tasks]
    yield "## LiveCodeBench, 2023/24: asked at once against chain of thought"
    yield ""
    yield (
        f"479 tasks of 92 problems, ten samples each at temperature 0.2; {len(found.lcb)} output runs, "
        f"{len(found.lcb_input)} runs that were asked for an input. The same rules for *p* and the "
        "detectable difference as above."
    )
    yield ""
    yield from _pairs(names, both, cot)
    yield from _alone(found, names)
    yield "## By executed steps, 2023/24"
    yield ""
    n_tasks = {
        label: share.n // 10 for label, share in breakdown.shares(found.lcb[0].tasks, "executed steps")
    }
    first, second = (dict(breakdown.shares(own, "executed steps")) for own in (direct, chains))
    yield from table(
        ["executed steps", "tasks", f"asked at once, {len(names)} models", "chain of thought, the same"],
        [[label, str(n), percent(first[label]), percent(second[label])] for label, n in n_tasks.items()],
    )
    yield from _interaction(direct, chains)
    yield from table(
        ["run", "pass@1", "horizon-50", "horizon-80"],
        [
            [
                run.name,
                percent(breakdown.share_of(run.tasks)),
                horizon_words(run.tasks, 0.5),
                horizon_words(run.tasks, 0.8),
            ]
            for run in [*found.lcb, found.cruxeval[0]]
        ],
    )
    yield "The last row is CRUXEval. [Horizon](#outputs-of-202526-by-executed-steps) is defined above."
    yield ""
    yield from _by_type(found)
    yield from _wrong(direct, chains, found.cruxeval[0].tasks)
    yield from _exerscope(found)
    yield from _leaderboard(found)


def _pairs(names: Sequence[str], both: dict[str, Run], cot: dict[str, Run]) -> Iterator[str]:
    found = [(name, *difference(cot[name].tasks, both[name].tasks)) for name in names]
    adjusted = holm([p for _, _, p in found])
    yield from table(
        [
            "model",
            "asked at once",
            "chain of thought",
            "difference, points",
            "p (Holm)",
            "detectable difference",
        ],
        [
            [
                name,
                percent(breakdown.share_of(both[name].tasks)),
                percent(breakdown.share_of(cot[name].tasks)),
                points(gap),
                p_value(p),
                f"{100 * detectable_difference(gap, n_tests=len(found)):.1f}",
            ]
            for (name, gap, _), p in zip(found, adjusted, strict=True)
        ],
    )
    pooled = pool([gap.mean for _, gap, _ in found], [(gap.high - gap.low) / 2 / 1.96 for _, gap, _ in found])
    yield (
        f"Over these {pooled.n} models the mean difference is {100 * pooled.effect:+.1f} points "
        f"[{100 * pooled.low:+.1f}, {100 * pooled.high:+.1f}], with a standard deviation of "
        f"{100 * pooled.between:.1f} "
        f"from model to model; {100 * pooled.share:.0f} % of the spread is not noise."
    )
    yield ""


def _alone(found: Everything, names: Sequence[str]) -> Iterator[str]:
    """Outputs and predicted inputs of every model, one row each."""
    inputs = {(run.model, run.way): run for run in found.lcb_input}
    rows = []
    for run in found.lcb:
        other = inputs.pop((run.model, run.way), None)
        if run.model in names and other is None:
            continue
        rows.append([
            run.name, percent(breakdown.share_of(run.tasks)),
            percent(breakdown.share_of(other.tasks)) if other else "not asked",
        ])  # fmt: skip
    rows += [[run.name, "not asked", percent(breakdown.share_of(run.tasks))] for run in inputs.values()]
    yield (
        "Runs without a counterpart, and all that predicted an input (any input that gives the output is "
        "right; executed here):"
    )
    yield ""
    yield from table(["run", "output", "input"], rows)


def _interaction(direct: Sequence[Answered], chains: Sequence[Answered]) -> Iterator[str]:
    """Whether steps cost more with a chain of thought: tested, not read off two rows."""
    rows, right, clusters = [], [], []
    logs = [math.log2(max(1, task.steps)) for task in direct]
    middle = sum(logs) / len(logs)
    for cot, tasks in ((0.0, direct), (1.0, chains)):
        for task in tasks:
            steps = math.log2(max(1, task.steps)) - middle
            rows.append([steps, cot - 0.5, steps * (cot - 0.5)])
            right.append(task.right / len(task.verdicts))
            clusters.append(task.cluster)
    effects = logistic(rows, right, clusters, names=["steps", "chain", "steps x chain"])
    steps, _, product = effects
    shown = "differs" if product.high < 1 or product.low > 1 else "is not shown to differ"
    yield (
        "One regression over both ways of asking: doubling the steps multiplies the odds of a right "
        "answer by "
        f"{_per_unit(steps)}. This factor {shown} between asking at once and a chain of thought: that of the "
        f"chain of thought is {_per_unit(product)} times the other (p {p_value(product.p)}). Clustered by "
        "problem; "
        "the models are treated as a fixed set, and no causes are claimed."
    )
    yield ""


def _per_unit(effect: Effect) -> str:
    """Odds for one doubling, from odds for a standard deviation."""
    ends = [math.exp(math.log(end) / effect.spread) for end in (effect.odds, effect.low, effect.high)]
    return f"{ends[0]:.2f} [{ends[1]:.2f}, {ends[2]:.2f}]"


def _by_type(found: Everything) -> Iterator[str]:
    known = found.joined
    yield "## By coding type, complexity, difficulty and rating"
    yield ""
    yield (
        f"{len(known.known)} of 92 problems are joined to doocs/leetcode by function name and difficulty; "
        f"{known.ambiguous} fit several of its problems and {known.missing} none, and they are left out. "
        f"All {len(found.lcb)} "
        "output runs together, as a fixed set of models; a problem of several types counts in each."
    )
    yield ""
    tasks = [task for run in found.lcb for task in run.tasks]
    for by, title in (
        ("types", "type"),
        ("time", "stated time complexity"),
        ("difficulty", "difficulty"),
        ("rating", "contest rating"),
    ):
        groups = joined.groups(tasks, known, found.question_of, by)
        rows = []
        for name in sorted(groups, key=lambda name: (-len(groups[name]), name)):
            problems = {found.question_of[task.task] for task in groups[name]}
            if len(problems) < 5:
                continue
            n = len({task.task for task in groups[name]})
            rows.append([name, str(len(problems)), str(n), percent(breakdown.share_of(groups[name]))])
        yield from table([title, "problems", "tasks", "right"], rows)
    yield "Groups of fewer than five problems are not shown."
    yield ""
    yield from _held_fixed(found, tasks)


def _held_fixed(found: Everything, tasks: Sequence[Answered]) -> Iterator[str]:
    rows, right, clusters = [], [], []
    for task in tasks:
        about = found.joined.known.get(found.question_of[task.task])
        if about is not None:
            rows.append([
                math.log2(max(1, task.steps)),
                float("Dynamic Programming" in about.types),
                float("Bit Manipulation" in about.types),
            ])  # fmt: skip
            right.append(task.right / len(task.verdicts))
            clusters.append(found.question_of[task.task])
    names = ["log2 executed steps", "dynamic programming", "bit manipulation"]
    try:
        effects = logistic(rows, right, clusters, names=names)
    except UserError as error:
        yield f"Dynamic programming and bit manipulation with steps held fixed: {error}."
        yield ""
        return
    adjusted = holm([effect.p for effect in effects])
    yield (
        "With the executed steps held fixed (one regression, clustered by problem; steps for one standard "
        "deviation):"
    )
    yield ""
    yield from table(
        ["property", "odds of being right, times", "p (Holm)"],
        [
            [effect.name, f"{effect.odds:.2f} [{effect.low:.2f}, {effect.high:.2f}]", p_value(p)]
            for effect, p in zip(effects, adjusted, strict=True)
        ],
    )


def _wrong(*groups: Sequence[Answered]) -> Iterator[str]:
    yield "## How wrong answers are wrong"
    yield ""
    counts = [breakdown.classes(own) for own in groups]
    totals = [max(1, sum(one.values())) for one in counts]
    titles = ("LiveCodeBench, at once", "chain of thought", "CodeLlama-7B on CRUXEval")
    yield from table(
        ["the wrong answer is", *(f"{title}, of {n:,}" for title, n in zip(titles, totals, strict=True))],
        [
            [name, *(f"{100 * one[name] / n:.1f}" for one, n in zip(counts, totals, strict=True))]
            for name in (*CLASSES, "no literal")
            if any(one[name] for one in counts)
        ],
    )


def _exerscope(found: Everything) -> Iterator[str]:
    yield "## ExeRScope: CRUXEval with reasoning, 2023/24"
    yield ""
    yield (
        "Typed values, n 800; a missing answer counts as wrong in the column of 800. [The audit](audit.md) "
        "has the published figures."
    )
    yield ""
    rows = []
    for _, ours in found.exerscope:
        asked = len(ours.tasks)
        share = breakdown.share_of(ours.tasks)
        right = sum(task.right for task in ours.tasks)
        of_all = f"{100 * right / 800:.1f}"
        rows.append(
            [
                ours.model,
                str(asked),
                percent(share),
                of_all,
                horizon_words(ours.tasks, 0.5),
                horizon_words(ours.tasks, 0.8),
            ]
        )
    yield from table(["model", "answers", "right of those", "right of 800", "horizon-50", "horizon-80"], rows)


def _leaderboard(found: Everything) -> Iterator[str]:
    yield "## The leaderboard"
    yield ""
    models = list(dict.fromkeys(run.model for run in found.page))
    yield (
        f"LiveCodeBench's page has {len(models)} models of 2023/24 on the same 479 tasks: verdicts without "
        "answers. These are the source's verdicts, joined to steps executed here, marked † in every row."
    )
    yield ""
    by_way = {(run.model, run.way): run for run in found.page}
    rows = []
    for name in sorted(models, key=lambda name: -breakdown.share_of(_asked(by_way[name, "direct"])).accuracy):
        ways = [_asked(by_way[name, way]) if (name, way) in by_way else [] for way in ("direct", "cot")]
        cells = [percent(breakdown.share_of(own)) if own else "not asked" for own in ways]
        longest = ways[1] or ways[0]
        rows.append([f"{name} †", *cells, str(len(ways[0])), horizon_words(longest, 0.5)])
    yield from table(
        ["model", "asked at once", "chain of thought", "tasks", "horizon-50, chain of thought if asked"], rows
    )


def _asked(run: Run) -> list[Answered]:
    return [task for task in run.tasks if task.verdicts]
