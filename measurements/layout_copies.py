"""Which layout makes a model that computes execute best, and up to what length of run?

    python measurements/layout_copies.py START --out DIR [--seeds 0,1,2] [--layouts sub,direct] [--table]

START is the folder of a small model. For every seed and layout, a copy of it is trained on programs of the
families `easy` and `medium` in that layout alone. All copies get the same number of tokens with loss
(`--loss-tokens`), and with the same seed they draw the same programs. Then every copy executes held-out
programs of both families from call to outcome. Each result is a file in DIR; a second run makes only those
that are missing. `--table` prints what is there: percent right by executed steps, and the paired difference
from direct answers. A pair is one program with one seed, and intervals are clustered by program.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

import msgspec
from msgspec import Struct

from deskcheck import plugins
from deskcheck.decontamination.near import program_copy
from deskcheck.models.tiny import Shape, TinyModel, load
from deskcheck.programs.generated import HELD_OUT, candidate, family_of, traced
from deskcheck.records import Example, NoAnswer
from deskcheck.statistics.paired import paired_difference
from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.training.data import Question, Rows, encode, pack
from deskcheck.training.export import export, read_shape, read_weights
from deskcheck.training.presets import Mix, Optimiser, Preset, Stage
from deskcheck.training.scores.held_out import chain_settings
from deskcheck.training.scores.loops import is_right, rollouts, tasks
from deskcheck.training.stream import program_examples
from deskcheck.training.tokenizer import build_tokenizer

LAYOUTS = ("direct", "sub", "line-1", "line-n", "instruction-1", "compact", "scratchpad")
FAMILIES = ("easy", "medium")
LENGTHS = ((1, 4), (5, 8), (9, 12), (13, 20), (21, 40))
"""Executed steps of the groups of the table; `easy` has 1 to 12, `medium` 13 to 40."""
STEP_TOKENS = 1024
"""Tokens of one update, padding included: one row of the layouts in LONG_ROWS, two rows of the others."""
LONG_ROWS = ("instruction-1", "compact", "scratchpad")
RATE = Optimiser(learning_rate=5e-4, weight_decay=0.05, warmup_share=0.05, decay_share=0.5)
"""The preset's rate is for random weights and undoes what the start knows; this one was not tuned."""
MAX_STEPS = 60
"""Budget of a run in lines; the longest true run has 40."""


class Result(Struct, frozen=True):
    """What one copy was trained on, and its verdicts on the held-out programs."""

    layout: str
    seed: int
    n_updates: int
    n_tokens: int
    n_loss: int
    first_loss: float
    """Mean loss of the first tenth of the updates."""
    last_loss: float
    """Mean loss of the last tenth of the updates."""
    programs: list[str]
    clusters: list[str]
    steps: list[int]
    """Executed lines of each program."""
    right: list[bool]
    n_no_answer: int


def preset_of(shape: Shape, layout: str, *, rate: Optimiser = RATE) -> Preset:
    """Return settings of a copy that is trained in one layout."""
    n_rows = 1 if layout in LONG_ROWS else 2
    shape = msgspec.structs.replace(shape, trained_length=STEP_TOKENS // n_rows)
    mix = Mix({layout: 1.0}, max_steps=12)
    return Preset("copy", shape, n_rows, mix, (Stage(1.0, {}),), rate, rows_per_pass=n_rows)


def examples_of(layout: str, mix: Mix, seed: int) -> Iterator[Example]:
    """Yield examples of drawn programs in a layout, without end; the seed alone decides the programs."""
    module = {layout: plugins.load("layout", layout)}
    number = 0
    while True:
        number += 1
        rng = Random(f"copies:{seed}:{number}")
        drawn = candidate(family_of(rng.choice(FAMILIES)), seed, number)
        if drawn is not None and program_copy(drawn[0]) is None:
            yield from program_examples(*drawn, module, mix, rng)


def enough(questions: Iterable[Question], n_loss: int, length: int) -> Iterator[Question]:
    """Yield questions that fit into a row, until their answers have `n_loss` tokens."""
    done = 0
    for question in questions:
        if question.n_tokens > length:
            continue
        yield question
        done += len(question.target)
        if done >= n_loss:
            return


def trained_copy(start: str, preset: Preset, rows: Rows, out: Path, *, seed: int) -> TinyModel:
    """Train a copy of START on all rows once, and load it."""
    from deskcheck.training import network, trainer

    out.mkdir(parents=True, exist_ok=True)
    done = trainer.run(
        preset, rows, out, seed=seed, weights=read_weights(start), say=print, threads=1, log_steps=1
    )
    network.save(done.model, out / "checkpoint")
    return load(str(export(str(out / "checkpoint"), str(out / "model"))), threads=1)


def losses(out: Path) -> tuple[float, float, int]:
    """Return the mean loss of the first and of the last tenth of a copy's updates, and their number."""
    values = [msgspec.json.decode(line)["loss"] for line in (out / "train.jsonl").read_bytes().splitlines()]
    tenth = max(1, len(values) // 10)
    return sum(values[:tenth]) / tenth, sum(values[-tenth:]) / tenth, len(values)


def result_of(start: str, layout: str, seed: int, given: argparse.Namespace) -> Result:
    """Train one copy and let it execute the held-out programs."""
    out = Path(given.out) / f"{layout}-{seed}"
    preset = preset_of(read_shape(start), layout)
    tokenizer = build_tokenizer(size=preset.shape.vocabulary)
    asked = encode(examples_of(layout, preset.mix, seed), tokenizer, last_digit_first=True)
    length = preset.shape.trained_length
    rows, report = pack(enough(asked, given.loss_tokens, length), max_length=length, seed=seed)
    print(f"{layout}, seed {seed}: {report.n_rows:,} rows, {report.n_loss:,} tokens with loss", flush=True)
    made = out / "model"
    trained = (made / "model.onnx").is_file()  # an earlier attempt ended while the copy was asked
    model = load(str(made), threads=1) if trained else trained_copy(start, preset, rows, out, seed=seed)
    runs = [run for family in FAMILIES for run in traced(family, seed=HELD_OUT[family], n=given.n)]
    questions = tasks(runs)
    done = rollouts(model, layout, questions, chain_settings(layout, MAX_STEPS))
    first, last, n_updates = losses(out)
    return Result(
        layout,
        seed,
        n_updates,
        report.n_tokens,
        report.n_loss,
        first,
        last,
        [program.id for program, _ in runs],
        [question.cluster for question in questions],
        [trace.n_steps for _, trace in runs],
        [is_right(question, rollout) for question, rollout in zip(questions, done, strict=True)],
        sum(isinstance(rollout.answer, NoAnswer) for rollout in done),
    )


def table(results: list[Result]) -> str:
    """Write Markdown: the training of each copy, percent right, and the difference from direct answers."""
    lines = ["| copy | seeds | updates | tokens | with loss | loss, first and last tenth | no answer |"]
    lines += ["|---|---|---|---|---|---|---|"]
    by_layout = {name: [one for one in results if one.layout == name] for name in LAYOUTS}
    for layout, copies in by_layout.items():
        for one in copies:
            lines.append(
                f"| {layout} | {one.seed} | {one.n_updates:,} | {one.n_tokens:,} | {one.n_loss:,} | "
                f"{one.first_loss:.2f}, {one.last_loss:.2f} | {one.n_no_answer} of {len(one.right)} |"
            )
    heads = [f"{low} to {high} steps" for low, high in LENGTHS]
    lines += ["", "| layout | seeds | " + " | ".join(heads) + " |", "|---|---|" + "---|" * len(heads)]
    direct = {
        (one.seed, program): right
        for one in by_layout["direct"]
        for program, right in zip(one.programs, one.right, strict=True)
    }
    for layout, copies in by_layout.items():
        shares, differences = [], []
        for low, high in LENGTHS:
            picked = [(one, n) for one in copies for n, s in enumerate(one.steps) if low <= s <= high]
            if not picked:
                continue
            right = [float(one.right[n]) for one, n in picked]
            clusters = [one.clusters[n] for one, n in picked]
            share = clustered_interval(right, clusters)
            shares.append(f"{100 * share.mean:.1f} [{percent_ends(share.low, share.high)}]")
            pairs = [(one, n) for one, n in picked if (one.seed, one.programs[n]) in direct]
            if layout == "direct" or not pairs:
                continue
            lead = paired_difference(
                [float(one.right[n]) for one, n in pairs],
                [float(direct[one.seed, one.programs[n]]) for one, n in pairs],
                [one.clusters[n] for one, n in pairs],
            )
            differences.append(f"{100 * lead.mean:+.1f} [{percent_ends(lead.low, lead.high)}]")
        if shares:
            lines.append(f"| {layout} | {len(copies)} | " + " | ".join(shares) + " |")
        if differences:
            lines.append(f"| {layout} minus direct | | " + " | ".join(differences) + " |")
    counts = [sum(low <= s <= high for s in results[0].steps) for low, high in LENGTHS] if results else []
    lines.append("| programs | | " + " | ".join(map(str, counts)) + " |")
    return "\n".join(lines)


def main() -> None:
    """Train and score what is missing, then print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("start", nargs="?", default="")
    parser.add_argument("--out", default="runs/copies")
    parser.add_argument("--layouts", default=",".join(LAYOUTS))
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--loss-tokens", type=int, default=100_000)
    parser.add_argument("--n", type=int, default=100, help="held-out programs of each family")
    parser.add_argument("--table", action="store_true", help="only print the results that are there")
    given = parser.parse_args()
    if not given.start and not given.table:
        print("not run: name the folder of a small model, or --table")
        return
    for seed in map(int, given.seeds.split(",")):
        for layout in given.layouts.split(","):
            path = Path(given.out) / f"{layout}-{seed}.json"
            if given.table or path.exists():
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(msgspec.json.encode(result_of(given.start, layout, seed, given)))
    found = sorted(Path(given.out).glob("*-*.json"))
    print(table([msgspec.json.decode(path.read_bytes(), type=Result) for path in found]))


if __name__ == "__main__":
    main()
