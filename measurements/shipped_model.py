"""What the shipped model can do: the tables of its card that come from evaluations.

    python measurements/shipped_model.py --out runs/card [--model DIR] [--release DATA] [--chains N] [--write]
    python measurements/shipped_model.py --ship runs/tiny        the model of that run becomes the shipped one

Steps of `easy` by kind of line, the horizon on `fresh`, `core` and `real` by strategy. Strategies are the
layouts of the model's card; steps are asked in the first of them that goes from state to state. The published
sets only with --release, whose DATA holds cruxeval/, livecodebench-exec/ and mbpp/ as their projects publish
them: a look at them is for a release, and each is to be noted in docs/log/. With --chains 15000 whole runs
of about so many steps too, on the evaluation inputs of three programs of `long`, each left at its first wrong
step. Every evaluation is `deskcheck eval` into a folder under --out; what is finished there is not asked
again. --write puts the text into the card, before "Speed", "Layouts alone" or "Training", in place of what
stood there. Ten minutes on one core, longer with --release (20) and --chains (20). --ship copies a run's
model and card into the package and keeps, of the card before, what was measured apart from a run (`KEPT`):
read these sections again, and measure the evaluations anew.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from deskcheck.evaluation.execute import chain_of
from deskcheck.inference.engine import read_card
from deskcheck.layouts.line_1 import LAYOUT as LINE_1
from deskcheck.models.tiny import SHIPPED
from deskcheck.report import horizons, judged, spent, words
from deskcheck.report.read import Run, read_runs
from deskcheck.strategies import says

BEGIN, END = "<!-- evaluations: measurements/shipped_model.py -->", "<!-- end of evaluations -->"
KEPT = ("## Speed", "## Layouts alone", "## How these weights came about")
"""Sections of the shipped card that no run writes."""
STEPS = 300
"""Budget of a chain. Fixed here, never from the truth."""


class Asked(NamedTuple):
    """One `deskcheck eval`."""

    benchmark: str
    strategy: str
    more: tuple[str, ...] = ()

    @property
    def folder(self) -> str:
        return "-".join((self.benchmark, self.strategy, *(one.strip("-=") for one in self.more[:2])))


CHAINS = ("collatz-many", "counter", "fibonacci-many")
"""Programs of `long` whose inputs reach runs of any length."""
FIRST = ("--limit", "100")
PUBLISHED = {
    "cruxeval": "cruxeval/cruxeval.jsonl",
    "livecodebench-exec": "livecodebench-exec/problems.jsonl",
    "mbpp-nested": "mbpp/sanitized-mbpp.json",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("runs/card"))
    parser.add_argument("--model", default="", help="folder of the model; the shipped one without it")
    parser.add_argument("--release", type=Path, help="folder with the published sets")
    parser.add_argument(
        "--chains", type=int, default=0, metavar="STEPS", help="whole runs of about so many steps"
    )
    parser.add_argument("--limit", type=int, default=0, help="tasks of each evaluation, to try the command")
    parser.add_argument("--write", action="store_true", help="put the text into the model's card")
    parser.add_argument("--ship", type=Path, help="folder of a run of deskcheck train")
    options = parser.parse_args()
    for name in ("chains", "limit"):
        if (value := getattr(options, name)) < 0:
            parser.error(f"--{name} {value}: at least 0 (0 = not asked for)")
    if options.ship:
        print(ship(options.ship / "model", Path(SHIPPED)))
        return
    text = "\n".join(report(options)) + "\n"
    print(text)
    if options.write:
        write(text, Path(options.model or SHIPPED) / "README.md")


def report(options: argparse.Namespace) -> Iterator[str]:
    """The text, evaluation by evaluation."""
    trained = read_card(Path(options.model or SHIPPED)).layouts
    stepwise = chain_of(trained)
    # Whole runs of 1,300 published programs take as long as the rest together: two layouts of them.
    whole = [name for name in trained if name in ("direct", stepwise)]
    yield "## By what a line does, one step from the true state"
    yield (
        f"Development set, {stepwise}; the step into the function, which the first table counts, is left out."
    )
    yield "What makes a new value: indexing and slicing, methods, arithmetic.\n"
    yield "| programs | steps | right | lines that make a new value | other lines | most often wrong at |"
    yield "|---|---|---|---|---|---|"
    asked = Asked("easy", stepwise, ("-S", "teacher_forcing=true"))
    yield by_kind(asked, evaluated(asked, options))
    if options.chains:
        yield f"\n## Whole runs of about {options.chains:,} steps"
        # Steps of chains are practiced in line-1, even where `sub` is the first layout (training/presets.py).
        long = LINE_1 if LINE_1 in trained else stepwise
        yield f"Held-out set, as above: every step and the outcome on unseen inputs, {long}."
        yield "The goal is 18 of 20. 100.0 % of steps = no error among those sampled, not none in a run.\n"
        yield chains(options, long)
    yield "\n## Executed steps at which half of the programs come out right: `fresh`"
    for way in whole:
        asked = Asked("fresh", way)
        yield horizon(asked, evaluated(asked, options))
    yield "\n## By strategy"
    yield "| benchmark | strategy | right | 95 % | n | wrong | no answer | tokens a task |"
    yield "|---|---|---|---|---|---|---|---|"
    for benchmark, part in (("core", ("-T", "version=1")), ("real", FIRST)):
        for way in trained:
            asked = Asked(benchmark, way, part)
            yield by_strategy(asked, evaluated(asked, options))
    for name, place in PUBLISHED.items() if options.release else ():
        for way in whole:
            asked = Asked(name, way, ("--data", str(options.release / place)))
            yield by_strategy(asked, evaluated(asked, options))
    if not options.release:
        yield f"\nNot run: {', '.join(PUBLISHED)} (--release)."
    yield f"\nA chain may take {STEPS:,} steps; what is not over then has no answer."
    yield "Of `core` the first 60 problems, of `real` the first 100 calls."
    yield "Intervals are 95 %, clustered by program."


def evaluated(asked: Asked, options: argparse.Namespace) -> Run:
    """Its run; asked now where it is not there yet."""
    folder = options.out / asked.folder.replace("/", "_")
    folder.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "deskcheck", "eval", "--model", "tiny", "--benchmark", asked.benchmark]
    written = folder / "run.json"  # names the one run that was asked for; others may lie in the folder
    command += ["--strategy", asked.strategy, "--log-dir", str(folder), "--json", str(written), *asked.more]
    if options.model:
        command += ["-M", f"path={options.model}"]
    if says(asked.strategy, "CHAIN") == "states":
        command += ["--max-steps", str(STEPS)]
    if options.limit:
        command += ["--limit", str(options.limit)]
    started = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    print(f"{asked.folder}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    (run,) = read_runs(str(written))
    return run


def chains(options: argparse.Namespace, layout: str) -> str:
    """Whole runs of `long` on evaluation inputs; what a model was asked is kept beside the evaluations."""
    from deskcheck.inference.engine import TinyEngine
    from deskcheck.models import load_engine
    from deskcheck.training.scores.card import long_table
    from deskcheck.training.scores.long_runs import LongRow, long_rows

    engine = load_engine("tiny", {"path": options.model, "threads": 1})
    assert isinstance(engine, TinyEngine)
    kept = options.out / f"chains-{options.chains}-{engine.fingerprint}.json"
    if kept.is_file():
        rows = msgspec.json.decode(kept.read_bytes(), type=list[LongRow])
    else:
        rows = list(
            long_rows(engine.model, layout, which="evaluation", names=CHAINS, targets=(options.chains,))
        )
        options.out.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(msgspec.json.encode(rows))
    return long_table(rows)


def by_kind(asked: Asked, run: Run) -> str:
    """Steps at lines of each kind."""
    found = judged.of_run(run)
    if found is None:
        return f"| {asked.benchmark} | none | | | | |"
    worst = [f"{name} {wrong:,} of {n:,}" for name, wrong, n in found.kinds[:4] if wrong]
    hard, easy = (
        f"{words.percent(part[0].mean)} of {part[1]:,}" if part else "none"
        for part in (found.hard, found.easy)
    )
    bounds = words.interval([found.steps.low, found.steps.high])
    right = f"{words.percent(found.steps.mean)} ({bounds})"
    return f"| {asked.benchmark} | {found.n:,} | {right} | {hard} | {easy} | {', '.join(worst)} |"


def horizon(asked: Asked, run: Run) -> str:
    """The pooled horizon at 50 and at 80 %."""
    pooled = horizons.of_run(run, [run])[0]
    asked_steps = f"{pooled.half.shortest:,} to {pooled.half.longest:,}"
    note = "; ".join(filter(None, (pooled.half.note, pooled.note)))
    return (
        f"- {asked.strategy}: horizon-50 {words.horizon(pooled.half)} steps, "
        f"horizon-80 {words.horizon(pooled.most)} "
        f"({run.row.n_tasks} programs of {asked_steps} steps, {run.row.right} right{note and '; ' + note})"
    )


def by_strategy(asked: Asked, run: Run) -> str:
    """One line of the table."""
    row, cost = run.row, spent.of_run(run)
    bounds = words.interval(row.interval)
    none = sum(row.no_answer.values())
    tokens = cost.tokens_out / max(1, row.n_answers)
    return (
        f"| {asked.benchmark} | {asked.strategy}{row.aside} | {words.percent(row.accuracy)} | {bounds} | "
        f"{row.n_answers:,} | {row.wrong:,} | {none:,} | {tokens:,.0f} |"
    )


def write(text: str, card: Path) -> None:
    """Into the card, in place of what stood there."""
    before = card.read_text()
    if BEGIN in before:
        head, rest = before.split(BEGIN, 1)
        tail = rest.split(END, 1)[1]
    else:
        places = ("\n## Speed", "\n## Layouts alone", "\n## Training")
        place = next(title for title in places if title in before)
        head, tail = before.split(place, 1)
        head, tail = head + "\n", "\n" + place + tail
    card.write_text(f"{head}{BEGIN}\n{text}{END}{tail}")


def ship(model: Path, place: Path) -> str:
    """Put a model in the place of another; which sections of its card are still the old one's."""
    if not (model / "model.onnx").is_file() or not (model / "README.md").is_file():
        sys.exit(
            f"'{model}' holds no model with a card; --ship takes the folder of a finished deskcheck train"
        )
    before = (place / "README.md").read_text()
    kept = [section for section in sections(before) if section.startswith(KEPT)]
    for file in model.iterdir():
        shutil.copyfile(file, place / file.name)
    card = [
        part for section in sections((model / "README.md").read_text()) for part in with_kept(section, kept)
    ]
    (place / "README.md").write_text("".join(card))
    return f"{place}: to be read again: {', '.join(one.splitlines()[0] for one in kept) or 'nothing'}"


def sections(card: str) -> list[str]:
    """Its parts, each from a heading of the second level on; the first is what stands before them."""
    parts = re.split(r"(?m)^(?=## )", card.split(BEGIN)[0] + card.split(END)[-1] if END in card else card)
    return [part.rstrip("\n") + "\n\n" for part in parts[:-1]] + [parts[-1]]


def with_kept(section: str, kept: list[str]) -> list[str]:
    """A section, and before that about the training what is kept."""
    return [*kept, section] if section.startswith("## Training") else [section]


if __name__ == "__main__":
    main()
