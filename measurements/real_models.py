"""What real models already said: stored answers of CRUXEval and LiveCodeBench, graded again and taken apart.

    python measurements/real_models.py --data DIR --picture docs/results-steps.svg

DIR holds cruxeval/ (cruxeval.jsonl and CodeLlama-7B's stored outputs) and livecodebench-exec/ (problems.jsonl
and generations/*.json), as those projects publish them. No model is asked. Every number of the page comes
out of this command; truth is what the programs do when they are run here.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Iterator
from pathlib import Path

from deskcheck.errors import UserError
from deskcheck.evaluation.grade import grade_saved
from deskcheck.evaluation.truth import TaskSet, build_tasks
from deskcheck.grading.difference import CLASSES
from deskcheck.importers import read_single
from deskcheck.report import breakdown
from deskcheck.report.breakdown import Answered
from deskcheck.report.numbers import Share
from deskcheck.statistics.holm import holm
from deskcheck.statistics.horizon import Observation, horizon
from deskcheck.statistics.interval import Interval
from deskcheck.statistics.paired import could_have_seen, paired_difference, sign_flip
from deskcheck.statistics.pooled import pool

COT = "+cot"
FEWEST_DRAWN = 10  # tasks in a bin of the picture; the table has all
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#444444")


def answers_of(task_set: TaskSet, path: Path) -> list[Answered]:
    """Every task of the benchmark with the verdicts on a file's samples."""
    graded = grade_saved(task_set, read_single(path), policy="published")
    scores: dict[str, list] = {}
    for score in graded.scores:
        scores.setdefault(score.task_id, []).append(score)
    return [
        Answered(
            task=task.id,
            cluster=task.cluster,
            steps=task.truth.n_steps,
            verdicts=[score.verdict for score in scores[task.id]],
            expected=task.expected,
            wrong=[score.answer for score in scores[task.id] if score.verdict == "wrong"],
            measures=breakdown.measured(task.program.source),
            tags=task.tags,
        )
        for task in task_set.tasks
    ]


def difference(a: list[Answered], b: list[Answered]) -> tuple[Interval, float]:
    """a minus b on the same tasks, sample shares, and the exact p of no difference."""
    x = [task.right / len(task.verdicts) for task in a]
    y = [task.right / len(task.verdicts) for task in b]
    sums: dict[str, int] = {}
    for left, right in zip(a, b, strict=True):
        sums[left.cluster] = sums.get(left.cluster, 0) + left.right - right.right
    return paired_difference(x, y, [task.cluster for task in a]), sign_flip(list(sums.values()))


def observations(tasks: list[Answered]) -> list[Observation]:
    """For the horizon; one family, the benchmark."""
    return [Observation(t.steps, t.right, len(t.verdicts), "all", t.cluster) for t in tasks]


# ------------------------------------------------------------------ text


def percent(share: Share) -> str:
    mark = "" if not share.exploratory else " *"
    if not share.has_interval:
        return f"{100 * share.accuracy:.1f} (n {share.n}){mark}"
    return f"{100 * share.accuracy:.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]{mark}"


def points(value: float) -> str:
    return f"{100 * value:+.1f}"


def p_value(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def horizon_words(tasks: list[Answered], level: float) -> str:
    found = horizon(observations(tasks), level=level)
    at = f"{found.bound + ' ' if found.bound else ''}{found.steps:.0f}"
    mark = " ‡" if "not logistic" in found.note else ""
    if found.low >= found.longest or found.high <= found.shortest:
        return at + mark
    low = f"< {found.shortest}" if found.low == 0 else f"{found.low:.0f}"
    high = f"> {found.longest}" if math.isinf(found.high) else f"{found.high:.0f}"
    return f"{at} [{low}, {high}]{mark}"


def table(head: list[str], rows: list[list[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def pairs_section(runs: dict[str, list[Answered]]) -> Iterator[str]:
    pairs = [(name, f"{name}{COT}") for name in runs if f"{name}{COT}" in runs]
    found = [(name, *difference(runs[cot], runs[name])) for name, cot in pairs]
    corrected = holm([p for _, _, p in found])
    rows = []
    for (name, interval, _), p in zip(found, corrected, strict=True):
        rows.append([
            name,
            percent(breakdown.share_of(runs[name])),
            percent(breakdown.share_of(runs[name + COT])),
            f"{points(interval.mean)} [{points(interval.low)}, {points(interval.high)}]",
            p_value(p),
            f"{100 * could_have_seen(interval, n_tests=len(found)):.1f}",
        ])  # fmt: skip
    head = ["model", "asked at once", "chain of thought", "difference", "p (Holm)", "could have seen"]
    yield from table(head, rows)
    pooled = pool([i.mean for _, i, _ in found], [(i.high - i.low) / 2 / 1.96 for _, i, _ in found])
    yield (
        f"Over the {pooled.n} models the mean difference is {points(pooled.effect)} points "
        f"[{points(pooled.low)}, {points(pooled.high)}]; it differs from model to model by "
        f"{100 * pooled.between:.1f} points (standard deviation), and {100 * pooled.share:.0f} % of the "
        f"spread is not noise (Q = {pooled.q:.1f}, p {p_value(pooled.p)}). One number for "
        '"what chain of thought gives" would hide more than it says.'
    )
    yield ""


def others_section(runs: dict[str, list[Answered]]) -> Iterator[str]:
    alone = [n for n in runs if not n.endswith(COT) and f"{n}{COT}" not in runs]
    said = ", ".join(f"{name} {percent(breakdown.share_of(runs[name]))}" for name in alone)
    yield f"Runs without a counterpart: {said}."
    yield ""


def property_section(name: str, direct: list[Answered], cot: list[Answered]) -> Iterator[str]:
    first, second = breakdown.shares(direct, name), dict(breakdown.shares(cot, name))
    n_tasks = {
        label: len({t.task for t in direct if breakdown.PROPERTIES[name](t)[1] == label})
        for label, _ in first
    }
    rows = [[label, str(n_tasks[label]), percent(share), percent(second[label])] for label, share in first]
    yield from table([name, "tasks", "asked at once", "chain of thought"], rows)


def construct_section(direct: list[Answered], cot: list[Answered]) -> Iterator[str]:
    other = {name: (with_it, without) for name, with_it, without in breakdown.by_construct(cot)}
    rows = []
    for name, with_it, without in breakdown.by_construct(direct):
        n = len({t.task for t in direct if t.measures and name in t.measures.constructs})
        mark = " *" if n < 30 else ""
        rows.append([name + mark, str(n), *map(percent, (with_it, without, *other[name]))])
    head = ["construct", "tasks", "at once, with", "without", "chain of thought, with", "without"]
    yield from table(head, rows)


def effects_section(groups: dict[str, list[Answered]]) -> Iterator[str]:
    rows = []
    for title, tasks in groups.items():
        try:
            found = breakdown.effects(tasks, breakdown.NUMBERS)
        except UserError as error:
            rows.append([title, str(error), "", "", ""])
            continue
        adjusted = holm([effect.p for effect in found])
        for effect, p in zip(found, adjusted, strict=True):
            odds = f"{effect.odds:.2f} [{effect.low:.2f}, {effect.high:.2f}]"
            rows.append([title, effect.name, f"{effect.spread:.2f}", odds, p_value(p)])
    yield from table(
        ["asked", "property", "one standard deviation", "odds of being right, times", "p (Holm)"], rows
    )


def classes_section(groups: dict[str, list[Answered]]) -> Iterator[str]:
    counts = {title: breakdown.classes(tasks) for title, tasks in groups.items()}
    totals = {title: max(1, sum(found.values())) for title, found in counts.items()}
    rows = [
        [name, *(f"{100 * counts[t][name] / totals[t]:.1f} % ({counts[t][name]:,})" for t in groups)]
        for name in (*CLASSES, "no literal")
        if any(counts[t][name] for t in groups)
    ]
    yield from table(["the wrong answer is", *(f"{t}, of {totals[t]:,}" for t in groups)], rows)


def unsolved_section(runs: dict[str, list[Answered]]) -> Iterator[str]:
    solved: dict[str, int] = {}
    samples = 0
    for tasks in runs.values():
        samples += len(tasks[0].verdicts)
        for task in tasks:
            solved[task.task] = solved.get(task.task, 0) + task.right
    never = sorted((name for name, count in solved.items() if not count), key=lambda n: (len(n), n))
    always = sum(count == samples for count in solved.values())
    yield (
        f"{len(never)} of {len(solved)} tasks were right in none of the {samples} samples of all runs"
        + (f": {', '.join(f'`{n}`' for n in never)}" if never else "")
        + f"; {always} were right in every one."
    )
    yield ""


def picture(runs: dict[str, list[Answered]]) -> str:
    """Share right against executed steps: one colour a model, asked at once dashed."""
    width, height, left, top, bottom = 760, 400, 50, 20, 90
    names = [name for name in runs if f"{name}{COT}" in runs]
    per_task = len(next(iter(runs.values()))[0].verdicts)
    counts = dict(breakdown.shares(next(iter(runs.values())), "executed steps"))
    labels = [label for label, share in counts.items() if share.n >= FEWEST_DRAWN * per_task]
    right = 190
    step = (width - left - right) / len(labels)
    x = {label: left + step * (i + 0.5) for i, label in enumerate(labels)}

    def y(value: float) -> float:
        return top + (height - top - bottom) * (1 - value)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="12" role="img" aria-label="Share right by executed steps">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for tenth in range(0, 11, 2):
        parts.append(f'<path d="M{left} {y(tenth / 10):.1f}H{width - right}" stroke="#ddd"/>')
        parts.append(
            f'<text x="{left - 6}" y="{y(tenth / 10) + 4:.1f}" text-anchor="end">{10 * tenth} %</text>'
        )
    for label in labels:
        parts.append(
            f'<text x="{x[label]:.1f}" y="{height - bottom + 18}" text-anchor="middle">{label}</text>'
        )
        n = counts[label].n // per_task
        at = f'x="{x[label]:.1f}" y="{height - bottom + 34}"'
        parts.append(f'<text {at} text-anchor="middle" fill="#666">n {n}</text>')
    middle = left + (width - left - right) / 2
    parts.append(
        f'<text x="{middle}" y="{height - 34}" text-anchor="middle">executed lines of the true run '
        f"(n tasks, {per_task} samples each)</text>"
        f'<text x="{middle}" y="{height - 14}" text-anchor="middle" fill="#666">solid: chain of thought; '
        "dashed: asked at once</text>"
    )
    for number, name in enumerate(names):
        colour = COLOURS[number % len(COLOURS)]
        for run, dash in ((name, ' stroke-dasharray="5 4"'), (name + COT, "")):
            shares = breakdown.shares(runs[run], "executed steps")
            line = [(x[label], y(share.accuracy)) for label, share in shares if label in x]
            path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in line)
            parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
            parts += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in line]
        at = top + 10 + 20 * number
        parts.append(f'<path d="M{width - right + 12} {at}h22" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<text x="{width - right + 40}" y="{at + 4}">{name}</text>')
    return "\n".join([*parts, "</svg>", ""])


# ------------------------------------------------------------------ page


def page(runs: dict[str, list[Answered]], codellama: list[Answered], image: str) -> Iterator[str]:
    """The lines of the page."""
    first = next(iter(runs.values()))
    samples, problems = len(first[0].verdicts), len({task.cluster for task in first})
    direct = [task for name, tasks in runs.items() if name + COT in runs for task in tasks]
    cot = [task for name, tasks in runs.items() if name.endswith(COT) for task in tasks]
    groups = {"asked at once": direct, "chain of thought": cot}
    yield "# What real models already said"
    yield ""
    yield (
        "Stored answers of real models, graded again against what the programs do when they are run "
        "(`python measurements/real_models.py --data DIR --picture docs/results-steps.svg` makes this page; "
        "no model is asked). LiveCodeBench code execution: "
        f"{len(first)} tasks of {problems} problems, {samples} samples each, {len(runs)} runs of early 2024; "
        f"CRUXEval output: {len(codellama)} tasks, {len(codellama[0].verdicts)} samples, CodeLlama-7B at "
        "temperature 0.2. Shares in % with 95 % intervals clustered by problem (CRUXEval: by program); * "
        "marks cells of fewer than 30 answers or tasks, which are exploratory. The stored answers are bare "
        "values, without tokens or reasoning text, so nothing is said of cost, truncation or how an answer "
        "was reached. These models are from 2023 and early 2024; the tasks are public, and later models may "
        "have seen them."
    )
    yield ""
    yield "## Asked at once against chain of thought"
    yield ""
    yield from pairs_section(runs)
    yield from others_section(runs)
    yield "## By executed steps"
    yield ""
    if image:
        yield f"![Share right by executed steps]({image})"
        yield ""
    yield from property_section("executed steps", direct, cot)
    yield (
        "**Horizon**: executed lines of the true run at which a model is right half of the time (80 % of the "
        f"time), by a logistic curve in log steps; the tasks have {min(t.steps for t in first)} to "
        f"{max(t.steps for t in first)} steps, and outside of that there is a bound and no number. "
        "In brackets the 95 % interval, clustered by problem; an end with < or > is open. A bound alone: "
        "the whole interval lies there. ‡ = the curve is not logistic (a test at 5 %), so the interval is "
        "too sure."
    )
    yield ""
    names = [*runs, "CodeLlama-7B on CRUXEval"]
    rows = [
        [name, horizon_words(tasks, 0.5), horizon_words(tasks, 0.8)]
        for name, tasks in zip(names, [*runs.values(), codellama], strict=True)
    ]
    yield from table(["run", "horizon-50", "horizon-80"], rows)
    n_models = len(direct) // len(first)
    yield f"## By length and constructs ({n_models} models that were asked both ways)"
    yield ""
    for name in ("lines of code", "branches", "nesting"):
        yield from property_section(name, direct, cot)
    yield from construct_section(direct, cot)
    yield (
        "Length, steps, branches and nesting go together. One regression per way of asking holds the others "
        "fixed (odds of a right answer for one standard deviation more; clustered by problem, all models "
        "pooled; it describes these tasks and says nothing of causes):"
    )
    yield ""
    yield from effects_section({**groups, "CodeLlama-7B on CRUXEval": codellama})
    yield "## How wrong answers are wrong"
    yield ""
    yield from classes_section({**groups, "CodeLlama-7B on CRUXEval": codellama})
    yield "## What nobody solves"
    yield ""
    yield from unsolved_section(runs)
    yield "## CodeLlama-7B on CRUXEval output"
    yield ""
    yield from table(
        ["executed steps", "tasks", "right"],
        [
            [label, str(share.n // len(codellama[0].verdicts)), percent(share)]
            for label, share in breakdown.shares(codellama, "executed steps")
        ],
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("DESKCHECK_DATA"), help="see above")
    parser.add_argument("--out", type=Path, default=Path("docs/results.md"))
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    if options.data is None:
        print("nothing graded: --data DIR, or the variable DESKCHECK_DATA, says where the stored answers lie")
        return
    folder = Path(options.data)
    tasks = build_tasks("livecodebench-exec", data=str(folder / "livecodebench-exec/problems.jsonl"))
    files = sorted((folder / "livecodebench-exec/generations").glob("*.json"))
    runs = {file.stem: answers_of(tasks, file) for file in files}
    cruxeval = build_tasks("cruxeval", data=str(folder / "cruxeval/cruxeval.jsonl"))
    stored = folder / "cruxeval/sample_codellama-7b_temp0.2_output.generations.json"
    image = os.path.relpath(options.picture, options.out.parent) if options.picture else ""
    options.out.write_text("\n".join(page(runs, answers_of(cruxeval, stored), image)), encoding="utf-8")
    print(f"written to {options.out}: {len(runs)} runs of {len(tasks.tasks)} tasks")
    if options.picture:
        options.picture.write_text(picture(runs), encoding="utf-8")


if __name__ == "__main__":
    main()
