"""Render the model card: training data, command, scores and limits of a model.

    card(run, scores, n_programs=500) -> text of README.md beside the weights

All results on the card come from the run's record (`run.json`) and the scores. The templates hold no figures
but those that define a score, such as the sizes of operands.
"""

from __future__ import annotations

import sys
from pathlib import Path

from deskcheck.decontamination.near import kept_out
from deskcheck.statistics.summary import percent_ends
from deskcheck.training.grown import in_words
from deskcheck.training.presets import CHAINS, DRILLS, WRITTEN, Preset, Stage, chain_layout, long_layout
from deskcheck.training.record import TrainRun
from deskcheck.training.redexes.gates import GateRow, shortfall
from deskcheck.training.redexes.gates import table as gate_table
from deskcheck.training.scores.drills import DrillRow
from deskcheck.training.scores.drills import table as drill_table
from deskcheck.training.scores.held_out import LayoutScore
from deskcheck.training.scores.long_runs import LongRow, median_reached
from deskcheck.training.scores.skips import SkipRow, table
from deskcheck.training.stream import DRILL_STEPS
from deskcheck.training.traces import DATA

TEMPLATE = """\
---
license: apache-2.0
library_name: deskcheck
tags: [code-execution, execution-tuning]
layouts: [{layout_names}]
comments: {comments}
python: "{python}"
---
# {name}: a small model that executes Python

{scores}{gates}{on_lines}{long}{drills}{skips}
## Training
- command: `{command}`
- seed {seed}; {n_steps:,} optimizer steps of {rows} rows of {length} tokens: {n_tokens:,} tokens without
  padding, {n_loss:,} of them with loss
- {parameters:,} parameters: {layers} layers of {hidden}, {heads} heads, {vocabulary} tokens; Llama-shaped,
  tied embeddings, rotary base {rope_base:g}; matrices stored in 8 bits, one scale per row
- {stepper}, learning rate {learning_rate:g}, warm-up {warmup:.0%} and decay {decay:.0%} of the {length_is}
- numbers with their {digits} digit first
- {data_minutes:.1f} min making data, {train_minutes:.1f} min training, on {machine}
- first weights: {start_from}
- commit {commit}; {versions}

## Data
- programs by stage: {stages}; layouts: {layouts}; at most {max_steps} steps of a program in
  a layout{drilled}
- {candidates:,} candidates = {programs:,} programs + {unfit:,} that do not keep to their family + {twins:,}
  with the form of a held-out program{not_finer}
- {read:,} examples made = {kept:,} kept + {too_long:,} longer than {length} tokens; the run reads its rows in
  order and may leave the last of them unread{again}
- no benchmark item was used, and none was looked at to choose the mix{but}

Generated programs too near to one of these (docs/decontamination.md) were left out:

{kept_out}
## Limits
- A reference executor and a testbed of layouts, small enough to run anywhere; not a good executor.
- It knows functions of the kind and size of its training programs: integers, strings, lists, dictionaries,
  branches, loops, a few exceptions. Classes, generators, floats, imports, long strings and large numbers are
  outside of what it was taught.
- It answers in the layouts above and does not chat. Decoding is greedy.
- The driver of {chain} applies the step that the model wrote; it never corrects it.
"""


SCORES = """\
## Scores on held-out programs
Development set: recipes were compared on it. {n_programs} programs of the family `{held_out}`, kept out of
training by seed and by form (names and constants aside).

{table}

whole run: the outcome, letter by letter. one step: from the true state. chained: from its own states to the
outcome. Intervals are 95 %, clustered by the form of the program; unfinished answers count as wrong.
"""


GATES = """
## Scores of single operations, by the size of their operands
Development set; `measurements/redexes.py CHECKPOINT --set sealed` has another.
Redexes (`len([3, 5, 7]) -> 3`) alone in their row, kept out of training by a hash of their text. Right = the
whole answer. short: strings of 1 to 8 characters, lists of 1 to 6 elements, numbers of 1 to 3 digits; middle:
9 to 20, 7 to 12, 4 to 5; long: 21 to 60, 13 to 20, 6 to 9. Intervals are 95 %. "all seen" = there are so few
redexes of this kind that none was kept out. Below what the first gate asks for: {below}.

{table}
"""


ON_LINES = """
## Scores of single operations on a line of a program
Development set. One step from the true state of a program that has one operation
(`training/redexes/on_lines.py`), on short operands, held out as above. Right = the step, letter by letter.
`measurements/operations.py` asks all operations at three sizes, of the development set or the sealed one.

{table}
"""


LONG = """
## Whole runs of the programs of `long`, program seen, inputs not
Held-out set: looked at once for each card. {n_inputs} inputs each that training never saw (a quarter of all
inputs, drawn by a hash, and those that the benchmark dials; development used another quarter). Right = every
step and the outcome, {layout}.

{table}

The programs were trained on with other inputs. The looped ones, Fibonacci and the counter take the same
values whatever the input, so a right chain of these shows steps without a fault, not a step carried over to
new values; Collatz alone begins elsewhere for every input, but its runs join: numbers on the way of an unseen
input, and the input itself as a number on the way, occur in training. `one step` is a sample of the same
runs, clustered by input.
"""


DRILL_ROWS = """
## What lines it can do: drills, one step from the true state
Development set. Short programs whose lines are all of one kind (`training/drills.py`), drawn apart from those
of training, layout {layout}. Forms this small occur in training too: this says which operations are there to
build on.

{table}
"""


NOT_FINER = """
- {n:,} times a program was left out of a layout that reads a finer run than could be had"""

SKIPS = """
## Several steps at once
Development set: programs of the same family. jump: from the same true states, four steps in one answer
against four answers of one. chained: whole programs by the strategy `line-n`; questions and tokens are of one
jump or program.

{table}
"""


DRILLED = ", {n} of a drill, which gives no direct answer"

BUT = """;
  of `long`, where an item is a program and an input, the programs were trained on with other inputs"""


LONG_HEAD = """\
| program | steps of the runs | chains right | 95 % | right steps in a row, median | one step | 95 % | n |
|---|---|---|---|---|---|---|---|
"""


def long_table(rows: list[LongRow]) -> str:
    """Render the scores of chains of `long` as a Markdown table."""
    return LONG_HEAD + "\n".join(
        f"| {r.name} | {min(r.lengths):,} to {max(r.lengths):,} | {r.right} of {len(r.inputs)} | "
        f"{percent_ends(r.low, r.high, digits=0)} | {median_reached(r):,} | "
        f"{100 * r.sampled_right / r.sampled:.1f} % | "
        f"{percent_ends(r.sampled_low, r.sampled_high)} | {r.sampled} |"
        for r in rows
    )


def n_parameters(preset: Preset) -> int:
    """Count the weights of a model; the tied embedding counts once."""
    s = preset.shape
    layer = 4 * s.hidden * s.hidden + 3 * s.hidden * s.intermediate + 2 * s.hidden
    return s.vocabulary * s.hidden + s.shift * s.hidden**2 + s.layers * layer + s.hidden


def _has_comments(preset: Preset) -> bool:
    """Whether programs of the training can have comments: written ones, and those of files and datasets."""
    return any(
        family == WRITTEN or (":" in family and not family.startswith(DRILLS))
        for stage in preset.stages
        for family in stage.families
    )


def card(
    run: TrainRun,
    scores: list[LayoutScore],
    *,
    n_programs: int,
    on_lines: list[GateRow] | None = None,
    long: list[LongRow] | None = None,
    drills: list[DrillRow] | None = None,
    skips: list[SkipRow] | None = None,
    gates: list[GateRow] | None = None,
) -> str:
    """Render the model card as Markdown; a section whose scores are empty or None is left out.

    `n_programs`: held-out programs that `scores` were measured on.
    """
    preset, shape, optimiser, data = run.preset, run.preset.shape, run.preset.optimiser, run.data
    chain = chain_layout(preset.mix)
    families = {family for stage in preset.stages for family in stage.families}
    return TEMPLATE.format(
        name=preset.name,
        chain=chain,
        scores=SCORES.format(n_programs=n_programs, held_out=run.held_out, table=_table(scores))
        if scores
        else "",
        gates=_gates(gates, run) if gates else "",
        on_lines=ON_LINES.format(table=gate_table(on_lines)) if on_lines else "",
        long=LONG.format(layout=long_layout(preset.mix), n_inputs=len(long[0].inputs), table=long_table(long))
        if long
        else "",
        drills=DRILL_ROWS.format(layout=chain, table=drill_table(drills)) if drills else "",
        stepper="Muon for matrices, AdamW for the rest" if optimiser.muon else "AdamW",
        skips=SKIPS.format(table=table(skips)) if skips else "",
        length_is="time" if run.minutes else "steps",
        digits="last" if shape.last_digit_first else "first",
        drilled=DRILLED.format(n=DRILL_STEPS)
        if any(family.startswith(DRILLS) for family in families)
        else "",
        but=BUT if CHAINS in families else "",
        kept_out=kept_out(),
        command=run.command,
        seed=run.seed,
        n_steps=run.n_steps,
        rows=preset.rows_per_step,
        length=shape.trained_length,
        n_tokens=run.n_tokens,
        n_loss=run.n_loss,
        parameters=n_parameters(preset),
        layers=shape.layers,
        hidden=shape.hidden,
        heads=shape.heads,
        vocabulary=shape.vocabulary,
        rope_base=shape.rope_base,
        learning_rate=optimiser.learning_rate,
        warmup=optimiser.warmup_share,
        decay=optimiser.decay_share,
        data_minutes=run.data_s / 60,
        train_minutes=run.train_s / 60,
        machine=run.machine,
        start_from=_first(run),
        commit=run.commit or "unknown",
        versions=", ".join(f"{name} {number}" for name, number in sorted(run.versions.items())),
        stages="; ".join(f"{stage.share:.0%} {_contents(stage)}" for stage in preset.stages),
        layouts=_weights(preset.mix.layouts),
        layout_names=", ".join(preset.mix.layouts),
        comments=str(_has_comments(preset)).lower(),
        python=".".join(map(str, sys.version_info[:2])),
        max_steps=preset.mix.max_steps,
        candidates=data.n_candidates,
        programs=data.n_programs,
        unfit=data.n_unfit,
        twins=data.n_held_out,
        read=data.examples.n_read,
        kept=data.examples.n_kept,
        too_long=data.examples.n_too_long,
        again=f"; {run.n_repeated:,} rows came twice" if run.n_repeated else "",
        not_finer=NOT_FINER.format(n=data.n_not_finer) if data.n_not_finer else "",
    )


OLD_EDITION = "benchmarks as its own card says, by an edition that is not known here"


def _first(run: TrainRun) -> str:
    """Describe the first weights of the run in words."""
    if not run.start_from:
        return "random"
    grown = f", which had {in_words(run.grown_from)}; what is new began as nothing" if run.grown_from else ""
    edition = f"fingerprints {run.start_decontamination}" if run.start_decontamination else OLD_EDITION
    return f"of the model `{run.start_from}`{grown}; its programs were compared with {edition}"


def _table(scores: list[LayoutScore]) -> str:
    lines = [
        "| layout | question | right | 95 % interval | n | unfinished | tokens an answer |",
        "|---" * 7 + "|",
    ]
    for row in scores:
        cells = [
            row.layout,
            row.question,
            f"{100 * row.right / row.n:.1f} %",
            percent_ends(row.low, row.high),
            str(row.n),
            str(row.n_unfinished),
            f"{row.tokens_per_answer:.1f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _gates(rows: list[GateRow], run: TrainRun) -> str:
    return GATES.format(below=shortfall(rows) or "nothing", table=gate_table(rows))


def _contents(stage: Stage) -> str:
    """Describe the families of a stage and its share of redexes in words."""
    redexes = f"{stage.redexes:.0%} redexes" if stage.redexes else ""
    return ", ".join(part for part in (_weights(stage.families), redexes) if part)


def _weights(weights: dict[str, float]) -> str:
    """List names with weights; of the folder of a dataset only its last part."""
    return ", ".join(f"{_short(name)} {weight:g}" for name, weight in weights.items())


def _short(name: str) -> str:
    group, colon, folder = name.partition(":")
    return f"{group}{colon}{Path(folder).name}" if group == DATA else name
