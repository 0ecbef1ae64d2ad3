"""Render the card of a tuned model: command, data with counts of what was left out, scores during training.

    card(options, report, trainer, exams) -> text of README.md beside the weights

All counts, scores and settings on the card come from the run itself; none is typed by hand.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import msgspec

from deskcheck.decontamination.near import kept_out
from deskcheck.format.files import commit
from deskcheck.training.hub.data import FROM_CONFIG, HubOptions, HubReport
from deskcheck.training.hub.watch import Exam, number
from deskcheck.training.mixture import SUFFIX
from deskcheck.training.record import versions

TEMPLATE = """---
base_model: {model}
library_name: {library}
tags: [deskcheck, execution-tuning]
layouts: [{layouts}]
---
# {name}: {model} tuned to execute programs

## Training
- command: `{command}`
- {how}; seed {seed}; {steps:,} steps of {batch} examples a device, {processes} devices
- loss: first {first:.4f}, last {last:.4f}
- commit {commit}; {versions}
{scores}
## Data
- {programs:,} programs, {in_evaluation:,} left out since they are too near to a program of an evaluation
  ({near:,} near copies, the others the same), {unusable:,} without a text or not readable here,
  {not_finer:,} times not to be had as finely as a layout needs{mixture}
- {examples:,} examples = {kept:,} kept + {too_long:,} over {max_length:,} tokens{held}
- trained on: {by_layout}
- {sft:,} of other data{sft_note}
- one epoch: {tokens:,} tokens each example for itself, {loss:,} with loss; read as {read:,} tokens a pass

Programs too near to one of these (docs/decontamination.md) were left out:

{forms}
"""

SCORES = """
## Held-out programs, asked during training
{n} programs of the same data (up to names and constants), none trained on. Right = the greedy answer to the
true question, letter by letter and with its end; 95 %, clustered by program. Whole runs: `deskcheck eval`.

| layout | step | right | 95 % | n | loss |
|---|---|---|---|---|---|
{rows}
"""


def card(options: HubOptions, report: HubReport, trainer: Any, exams: list[Exam]) -> str:
    """Render the card of a fine-tuned model."""
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    first, last = (losses[0], losses[-1]) if losses else (float("nan"), float("nan"))
    return TEMPLATE.format(
        model=options.model,
        library="peft" if options.lora else "transformers",
        layouts=", ".join(options.layouts),
        name=Path(options.out).name,
        command=command(options),
        how=f"LoRA of rank {options.lora}" if options.lora else "all weights",
        seed=options.seed,
        steps=trainer.state.global_step,
        batch=options.batch * options.accumulate,
        processes=trainer.args.world_size,
        first=first,
        last=last,
        commit=commit(),
        versions=", ".join(f"{name} {number}" for name, number in sorted(versions().items())),
        scores=_scores(report, exams) if exams else NOT_ASKED.format(strategy=options.layouts[0]),
        programs=report.n_programs,
        in_evaluation=report.n_in_evaluation,
        near=report.n_near,
        unusable=report.n_unusable,
        not_finer=report.n_not_finer,
        mixture=f";\n  {report.n_other_split:,} of another split, {report.n_not_drawn:,} drawn for no layout"
        if report.n_other_split or report.n_not_drawn
        else "",
        examples=report.n_examples,
        kept=report.n_kept,
        too_long=report.n_too_long,
        max_length=options.max_length,
        held=f"; {report.n_held_out:,} of the kept ones held out" if report.n_held_out else "",
        by_layout=", ".join(f"{name} {count:,}" for name, count in report.by_layout.items()),
        sft=report.n_sft,
        sft_note=f" ({report.n_sft_in_evaluation:,} rows too near to a benchmark left out)"
        if report.n_sft
        else "",
        tokens=report.n_tokens,
        loss=report.n_loss,
        read=report.n_read,
        forms=kept_out(),
    )


NOT_ASKED = """- not evaluated: `deskcheck eval --model hub -M path=. --benchmark core --strategy {strategy}`
"""


def _scores(report: HubReport, exams: list[Exam]) -> str:
    """Render the scores before the first step and after the last, by layout."""
    steps = sorted({one.step for one in exams})
    rows = [
        f"| {one.layout} | {one.step:,} | {100 * one.right / one.n:.1f} % | {_ends(one)} | {one.n:,} "
        f"| {number(one.loss)} |"
        for one in exams
        if one.step in (steps[0], steps[-1])
    ]
    return SCORES.format(n=f"{report.n_held_out_programs:,}", rows="\n".join(sorted(rows)))


def _ends(exam: Exam) -> str:
    if exam.low is None or exam.high is None:
        return "unknown"
    return f"{100 * exam.low:.1f} to {100 * exam.high:.1f}"


def command(options: HubOptions) -> str:
    """Return the command line of the same run."""
    words = ["deskcheck", "train", "--model", options.model, "--data", options.data, "--out", "DIR"]
    if not options.data.endswith(SUFFIX):  # a mixture names its layouts itself
        words += ["--layouts", ",".join(options.layouts)]
    words += ["--seed", str(options.seed)]
    flags = {"model", "data", "out", "layouts", "seed", "resume", "threads", "push_to_hub", *FROM_CONFIG}
    if any(getattr(options, name) for name in FROM_CONFIG):
        words += ["--config", "FILE"]  # run.json has its contents
    for field in msgspec.structs.fields(HubOptions):
        value = getattr(options, field.name)
        if field.name not in flags and value not in (field.default, [], {}):
            text = (
                ",".join(value)
                if isinstance(value, list)
                else str(value).lower()
                if isinstance(value, bool)
                else value
            )
            words += ["--set", f"{field.name}={text}"]
    return shlex.join(words)
