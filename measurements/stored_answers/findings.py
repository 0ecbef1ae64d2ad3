"""docs/results.md: what the stored answers say, newest models first.

page(everything, "results.svg") -> lines
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from deskcheck.report import breakdown
from deskcheck.statistics.paired import detectable_difference, holm, paired_difference
from deskcheck.statistics.summary import Interval, clustered_interval, t_quantile
from stored_answers import older, re2, small
from stored_answers.everything import Everything, of_question, outputs_by_steps, recorded_inputs
from stored_answers.graded import NEW, OLD, Run
from stored_answers.numbers import difference, horizon_words, p_value, percent, points, table
from stored_answers.picture import Row

COMMAND = "`python measurements/real_models.py --data DIR`"


def page(found: Everything, image: str) -> Iterator[str]:
    """Yield the lines of docs/results.md; `image` is the chart's path in it."""
    yield "# Published answers of real models, graded here"
    yield ""
    yield "For readers who ask how well models of today execute programs."
    yield ""
    yield from _summary(found)
    yield ""
    yield f"![Right answers: output and one state value, ten settings of 2025/26]({image})"
    yield ""
    yield (
        f"{COMMAND} makes this page and [the audit](audit.md) from {found.n_answers:,} public answers; no "
        f"model is asked. {100 * found.n_new / found.n_answers:.1f} % of them are of models of 2025/26, "
        "the rest "
        "of 2023/24. Shares are in %, with 95 % intervals clustered by program or problem; * marks fewer "
        "than "
        "30 answers. The tasks are public, and later models may have seen them."
    )
    yield ""
    yield from _read(found)
    yield from _new_models(found)
    yield from _state(found)
    yield from _steps(found)
    yield from older.sections(found)
    yield from small.sections(found)


# ------------------------------------------------------------------ first


def pairs(
    setting: re2.Setting, definition: str = re2.VARIABLES
) -> tuple[Interval, Interval, Interval, float, int]:
    """Output, state, output minus state, every blank right, n."""
    both = re2.beside(setting, definition)
    names = [one.id for one in both]
    output, state = [float(one.output) for one in both], [one.state for one in both]
    return (
        clustered_interval(output, names),
        clustered_interval(state, names),
        paired_difference(output, state, names),
        sum(one.all_blanks for one in both) / len(both),
        len(both),
    )


def chart_rows(found: Everything) -> list[Row]:
    """Best output first."""
    rows = [Row(_label(one), *pairs(one)[:2]) for one in found.settings]
    return sorted(rows, key=lambda row: -row.output.mean)


def _label(setting: re2.Setting) -> str:
    return f"{setting.model}, reasoning" if setting.reasons else setting.model


def _summary(found: Everything) -> Iterator[str]:
    """Yield a bullet for each of the main results."""
    outputs = {one.name: breakdown.share_of(of_question(found, one, "output")) for one in found.settings}
    best = max(outputs, key=lambda name: outputs[name].accuracy)
    steps = outputs_by_steps(found, [one for one in found.settings if one.name == best])
    easy, hard = breakdown.share_of(steps), _of_projects(found, best)
    above, below = (_shown_gaps(found, sign) for sign in (1, -1))
    effects = _effects(found)
    adjusted = holm([p for _, _, _, p in effects])
    sure = [row for row, p in zip(effects, adjusted, strict=True) if p < 0.05]
    gpt = {run.name: run for run in found.lcb}
    turbo, _ = difference(gpt["gpt-4-1106-preview+cot"].tasks, gpt["gpt-4-1106-preview"].tasks)
    counts = [pairs(found.settings[0], definition)[4] for definition in re2.DEFINITIONS]
    at_once = "right more often about the output than about a loop value at one moment"
    state = "".join(
        (
            f"{' and '.join(above)} is shown to be {at_once}"
            if above
            else f"No setting is shown to be {at_once}",
            f"; {' and '.join(below)} the other way round" if below else ", and none the other way round",
        )
    )
    yield (
        f"- **Output.** The best of ten settings of 2025/26, {best}, gives the right output for "
        f"{percent(outputs[best])} % of RE2-Bench's 500 programs: {percent(easy)} % of the {len(steps)} "
        f"short programs of older benchmarks that run here, and {percent(hard)} % of 336 functions of real "
        "projects."
    )
    yield (
        f"- **State.** {state}, whichever of three definitions of such a value is used (n {min(counts)} to "
        f"{max(counts)}). "
        "Published loop values at places where the program has no blank were moved or left out "
        "([audit](audit.md))."
    )
    helped = "; ".join(f"{model}, {asked} {points(gap)} points" for model, asked, gap, _ in sure)
    yield (
        "- **Reasoning effort.** Asking for high effort is shown to help in "
        f"{len(sure)} of {len(effects)} comparisons" + (f": {helped}." if helped else ".")
    )
    yield (
        f"- **Chain of thought.** In early 2024 it moved GPT-4-Turbo by {points(turbo)} points on "
        "LiveCodeBench; for other models the effect ranges from a loss to a gain."
    )


def gap_p(gap: Interval) -> float:
    """Return the p-value of a difference whose interval is its mean and a t quantile of its error."""
    from scipy.special import stdtr

    freedom = gap.n_clusters - 1
    error = (gap.high - gap.low) / 2 / t_quantile(freedom)
    return float(2 * stdtr(freedom, -abs(gap.mean) / error))


def gaps_shown(gaps: Sequence[Interval]) -> list[Interval]:
    """Return the differences that are significant after Holm's correction over all of them."""
    adjusted = holm([gap_p(gap) for gap in gaps])
    return [gap for gap, p in zip(gaps, adjusted, strict=True) if p < 0.05]


def _shown_gaps(found: Everything, sign: int) -> list[str]:
    """Name the settings and definitions whose gap has this sign and is shown."""
    names = []
    for definition in re2.DEFINITIONS:
        gaps = [pairs(one, definition)[2] for one in found.settings]
        shown = gaps_shown(gaps)
        names += [
            f"{one.name} ({definition})"
            for one, gap in zip(found.settings, gaps, strict=True)
            if gap in shown and gap.mean * sign > 0
        ]
    return names


def _of_projects(found: Everything, name: str) -> breakdown.Share:
    setting = next(one for one in found.settings if one.name == name)
    own = [
        one
        for one in of_question(found, setting, "output")
        if found.known.problems[one.task]["source"] not in re2.OLDER
    ]
    return breakdown.share_of(own)


def _read(found: Everything) -> Iterator[str]:
    yield "## What was read"
    yield ""
    n_re2 = sum(len(own) for one in found.settings for own in one.answers.values())
    met = {
        asked: (
            sum(
                one.again == one.theirs
                for s in found.settings
                for one in s.answers[asked]
                if one.theirs is not None
            ),
            sum(one.theirs is not None for s in found.settings for one in s.answers[asked]),
        )
        for asked in re2.ASKED
    }
    said = "; ".join(f"{asked} {a:,} of {n:,}" for asked, (a, n) in met.items() if asked != "input")
    theirs = [one for one, _ in found.exerscope]
    rows = [
        [
            "RE2-Bench, 10 settings",
            NEW,
            f"{n_re2:,}",
            f"{said}; input: executed in projects that are not here",
        ],
        ["LiveCodeBench, output, 43 runs", OLD, _n(found.lcb), _met(found.lcb)],
        [
            "LiveCodeBench, input, 21 runs",
            OLD,
            _n(found.lcb_input),
            "published without verdicts; executed here",
        ],
        ["CRUXEval, CodeLlama-7B", OLD, _n(found.cruxeval), _met(found.cruxeval)],
        ["CRUXEval, Qwen2.5-Coder, 3 runs", OLD, _n(found.qwen), _met(found.qwen)],
        ["CRUXEval-X, phi-1", OLD, _n(found.cruxeval_x), f"{_met(found.cruxeval_x)}; input: as recorded"],
        ["ExeRScope, 5 models", OLD, _n(theirs), _met(theirs)],
        ["LiveCodeBench's page, 35 models", OLD, "0", "verdicts alone"],
    ]
    yield from table(["source", "models of", "answers", "source verdicts reproduced by its own rule"], rows)


def _n(runs: Sequence[Run]) -> str:
    return f"{sum(run.n_answers for run in runs):,}"


def _met(runs: Sequence[Run]) -> str:
    n = sum(run.n_stored for run in runs)
    differ = sum(sum(run.differs.values()) for run in runs)
    return f"{n - differ:,} of {n:,}"


# ------------------------------------------------------------------ 2025/26


def _new_models(found: Everything) -> Iterator[str]:
    loop, branch = (len(of_question(found, found.settings[0], asked)) for asked in ("loop", "branch"))
    yield "## RE2-Bench: four questions, ten settings"
    yield ""
    yield (
        "One answer per program, graded by the source's rule. A loop or branch question is right if every "
        f"blank of the program is right; only {loop} of 197 loops and {branch} of 199 branches can be "
        "answered rightly ([why](audit.md)). Verdicts on inputs are the recorded ones: the source "
        "executed them in projects that are not here, and counted a crash of the harness as right."
    )
    yield ""
    rows = []
    for one in found.settings:
        shares = [
            breakdown.share_of(of_question(found, one, asked)) for asked in ("output", "loop", "branch")
        ]
        shares.insert(1, breakdown.share_of(recorded_inputs(one)))
        rows.append([_label(one), *map(percent, shares)])
    head = [
        "setting",
        "output, n 500",
        "input, n 500",
        f"all blanks of loops, n {loop}",
        f"all branches, n {branch}",
    ]
    yield from table(head, rows)
    yield (
        "High reasoning effort minus the same model without (Gemini: low effort), on the same programs. *p*: "
        "exact sign test, corrected by Holm over all rows. *Detectable difference*: the true difference that "
        "a comparison of this precision finds four times in five after that correction. A smaller one can "
        "be found by luck, and a difference that was not found may still exist."
    )
    yield ""
    effects = _effects(found)
    adjusted = holm([p for _, _, _, p in effects])
    yield from table(
        ["model", "question", "difference, points", "p (Holm)", "detectable difference"],
        [
            [
                model,
                asked,
                points(gap),
                p_value(p),
                f"{100 * detectable_difference(gap, n_tests=len(effects)):.1f}",
            ]
            for (model, asked, gap, _), p in zip(effects, adjusted, strict=True)
        ],
    )


def _effects(found: Everything) -> list[tuple[str, str, Interval, float]]:
    by_name = {one.name: one for one in found.settings}
    rows = []
    for one in found.settings:
        if one.reasons:
            for asked in re2.ASKED:
                sides = [
                    recorded_inputs(side) if asked == "input" else of_question(found, side, asked)
                    for side in (one, by_name[one.model])
                ]
                gap, p = difference(*sides)
                rows.append((one.model, asked, gap, p))
    return rows


def _state(found: Everything) -> Iterator[str]:
    n = pairs(found.settings[0])[4]
    asked = sum(
        bool(found.known.loop[i]["truth"]) and found.known.loop[i]["in_problems"] for i in found.known.loop
    )
    yield "## State beside output"
    yield ""
    yield (
        f"{asked} programs were asked for the output and for the values of their loops; in {n} of them loops "
        "match the truth one to one and change a variable. A state value is the value of one loop variable "
        "in one iteration; the table gives the accuracy of one drawn at random. *All blanks* asks for every "
        "value of every iteration at once and is no state value. Fewer than 100 of the programs run here, "
        "so they have percentages and no horizon."
    )
    yield ""
    rows = []
    for one in found.settings:
        output, state, _, all_blanks, _ = pairs(one)
        here = [pair for pair in re2.beside(one) if pair.id in found.executed.steps]
        rows.append([
            _label(one), _mean(output), _mean(state), f"{100 * all_blanks:.1f}",
            f"{100 * sum(p.output for p in here) / len(here):.0f} / "
            f"{100 * sum(p.state for p in here) / len(here):.0f}",
        ])  # fmt: skip
    ran = len([pair for pair in re2.beside(found.settings[0]) if pair.id in found.executed.steps])
    head = [
        "setting",
        f"output, n {n}",
        "one state value",
        "all blanks",
        f"the {ran} that run here: output / state",
    ]
    yield from table(head, rows)
    yield from _gaps(found)


def _gaps(found: Everything) -> Iterator[str]:
    """Yield the shortcut gap by each definition of a state value."""
    yield (
        "The shortcut gap, output minus state in points, asks whether outputs are right although the run is "
        "not known. It depends on which names of a loop count as state, and no choice is neutral. *Loop "
        "variables* leave out the value that a `for` goes over; this is the definition of the table above. "
        "*Every blank* has that value too, which is often the same in every iteration. *No mere counters* "
        "leaves out what `range` and `enumerate` count as well. *p* is corrected by Holm over the ten rows "
        "of its column."
    )
    yield ""
    columns = {}
    for definition in re2.DEFINITIONS:
        gaps = [pairs(one, definition)[2] for one in found.settings]
        columns[definition] = list(zip(gaps, holm([gap_p(gap) for gap in gaps]), strict=True))
    counts = {definition: pairs(found.settings[0], definition)[4] for definition in re2.DEFINITIONS}
    head = ["setting"]
    for definition in re2.DEFINITIONS:
        head += [f"{definition}, n {counts[definition]}", "p (Holm)"]
    rows = []
    for number, one in enumerate(found.settings):
        cells = [columns[definition][number] for definition in re2.DEFINITIONS]
        rows.append([_label(one), *(text for gap, p in cells for text in (points(gap), _shown(p)))])
    yield from table(head, rows)
    ps = [p for cells in columns.values() for _, p in cells]
    yield (
        f"{sum(p < 0.05 for p in ps)} of the {len(ps)} gaps are shown; a gap that is not shown may still "
        "exist. The intervals are not corrected for multiple comparisons."
    )
    yield ""


def _shown(p: float) -> str:
    return p_value(p) if p < 0.05 else f"{p:.2f}, not shown"


def _mean(interval: Interval) -> str:
    return f"{100 * interval.mean:.1f} [{100 * interval.low:.1f}, {100 * interval.high:.1f}]"


def _steps(found: Everything) -> Iterator[str]:
    with_it = [one for one in found.settings if one.reasons]
    names = {one.model for one in with_it}
    without = [one for one in found.settings if one.name in names]
    groups = {
        "reasoning, 4 models": outputs_by_steps(found, with_it),
        "without, the same 4": outputs_by_steps(found, without),
        "cwm": outputs_by_steps(found, [one for one in found.settings if one.name == "cwm"]),
        "cwm-pretrain": outputs_by_steps(
            found, [one for one in found.settings if one.name == "cwm-pretrain"]
        ),
    }
    tasks = next(iter(groups.values()))
    yield "## Outputs of 2025/26 by executed steps"
    yield ""
    yield (
        f"{len(tasks)} programs of RE2-Bench's older sources give the recorded output here; steps are "
        "executed "
        "lines of the program in the prompt. Models that never fail at these lengths have no horizon: longer "
        "runs would be needed."
    )
    yield ""
    shares = {name: dict(breakdown.shares(own, "executed steps")) for name, own in groups.items()}
    labels = [label for label, _ in breakdown.shares(tasks, "executed steps")]
    n_of = {
        label: sum(breakdown.PROPERTIES["executed steps"](t)[1] == label for t in tasks) for label in labels
    }
    yield from table(
        ["executed steps", "programs", *groups],
        [[label, str(n_of[label]), *(percent(own[label]) for own in shares.values())] for label in labels],
    )
    yield from table(
        ["setting", "output, n " + str(len(tasks)), "horizon-50", "horizon-80"],
        [
            [_label(one), percent(breakdown.share_of(own)), horizon_words(own, 0.5), horizon_words(own, 0.8)]
            for one in found.settings
            for own in [outputs_by_steps(found, [one])]
        ],
    )
    yield older.HORIZON
    yield ""
