"""Layouts against each other at equal compute: a model for direct, compact, line-1, sub ..

    python measurements/layouts.py --budget-minutes 40 --out runs/layouts
    python measurements/layouts.py --from tiny --programs easy --budget-minutes 40 --out runs/tuned
    python measurements/layouts.py --budget-minutes 25 --device cuda --out runs/layouts     (docs/training.md)
    python measurements/layouts.py --out runs/layouts --table          the tables of what is there

PRIMARY METRIC, fixed beforehand: whole held-out generated programs right, chained from the call where a
layout has a question a step. Runs are made seed by seed, each can be interrupted, the same command goes on;
what the minutes did not reach says "not run". The first command measures this machine and turns the minutes
into operations of training, which plan.json keeps (or give --flops). Any layout can be named, and "+plain"
after it gives its literals larger tokens. Training programs of the form of any program of a shipped
evaluation, or of those that this is tuned and scored on, are left out. After the runs their models are asked
about real code, long runs and inputs (--sets; a quarter of the minutes is kept for that, and the same command
again asks the rest). `--release cruxeval=FILE` (mbpp-nested, livecodebench-exec) asks them about a published
set, whole programs alone, and notes the look in looks.jsonl first.

Source of the tables: Execution Tuning (arXiv 2503.05703), tables 1 to 4. Needs the extra `train`.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from deskcheck.errors import DeskcheckError, UserError

if TYPE_CHECKING:
    from layout_study.plan import Comparison, Machine
    from layout_study.scores import HeldOut

DEFAULTS: dict[str, Any] = {
    "out": "",
    "budget_minutes": 0.0,
    "layouts": ("direct", "compact", "line-1", "sub"),
    "seeds": (0, 1, 2),
    "flops": 0.0,
    "rates": (0.001, 0.003, 0.006),
    "programs": "digits",
    "drills": 0.0,
    "muon": False,
    "start_from": "",
    "points": (),
    "hidden": 64,
    "layers": 3,
    "shift": 0,
    "row_length": 0,
    "bf16": False,
    "held_out": 300,
    "max_chain": 64,
    "rows_per_step": 4,
    "threads": 1,
    "device": "cpu",
    "workers": 0,
    "compile": False,
    "table": False,
    "sets": "real,long,input",
    "release": [],
}
HEAD_SIZE = 32
SPARE_SHARE = 0.25
"""Of the minutes: left for making data and for scoring."""
ASKED_SHARE = 0.25
"""Of the minutes: kept for what --sets asks, in equal parts. Of one model of the default size `real` takes
half a minute in direct answers and nine in line-1 (a shared core), so it comes last, and a quarter is a first
look at some of them; the same command again asks the rest."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
        argument_default=argparse.SUPPRESS,  # what was given is told from what was not
    )
    many, some, share = amount(whole=True, least=1), amount(whole=True), amount(below=1.0)
    parser.add_argument("--out")
    parser.add_argument("--budget-minutes", type=amount())
    parser.add_argument("--layouts", type=listed(str))
    parser.add_argument("--seeds", type=listed(some))
    parser.add_argument("--flops", type=amount(), help="of training, each run")
    parser.add_argument("--rates", type=listed(amount(above=0.0)))
    parser.add_argument("--programs", help="digits, or a family of generated programs")
    parser.add_argument("--drills", type=share, help="share of the training candidates")
    parser.add_argument("--muon", action="store_true", help="in place of AdamW")
    parser.add_argument(
        "--from",
        dest="start_from",
        metavar="FOLDER",
        help="tiny, or a model's folder: every run goes on from it",
    )
    parser.add_argument(
        "--points",
        type=listed(amount(above=0.0, below=1.0)),
        help="shares of the compute to be asked at too: 0.25,0.5",
    )
    parser.add_argument("--hidden", type=amount(whole=True, least=2))
    parser.add_argument("--layers", type=many)
    parser.add_argument("--shift", type=some, help="tokens before a token that are read with it")
    parser.add_argument("--row-length", type=some, help="0 = that of --from, else 160")
    parser.add_argument("--bf16", action="store_true", help="products in bfloat16, as on a GPU")
    parser.add_argument("--held-out", type=many)
    parser.add_argument("--max-chain", type=many, help="questions of one chain, at most")
    parser.add_argument("--rows-per-step", type=many)
    parser.add_argument("--threads", type=many)
    parser.add_argument("--device")
    parser.add_argument("--workers", type=some, help="processes that make data; 0 = this one")
    parser.add_argument(
        "--compile",
        action="store_true",
        help="on a processor too: torch.compile where it pays, half a minute",
    )
    parser.add_argument("--table", action="store_true", help="print what is there")
    parser.add_argument("--sets", help="asked beside the held-out programs")
    parser.add_argument("--release", action="append", metavar="BENCHMARK=FILE")
    given = vars(parser.parse_args())
    options = argparse.Namespace(**(DEFAULTS | given))
    if not options.out and not options.table:
        print("not run: this takes hours; python measurements/layouts.py --budget-minutes 120 --out DIR")
        return 0
    try:
        run(options, given)
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return 130
    except DeskcheckError as error:
        print(error, file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"not run: {error.name} is missing (pip install 'deskcheck[train]')", file=sys.stderr)
        return 2
    return 0


def check(options: argparse.Namespace, given: dict[str, Any]) -> None:
    """UserError for what could not be done as asked: before anything is written, not hours later."""
    from deskcheck import plugins
    from deskcheck.programs.generated import family_of
    from deskcheck.training.export import read_shape
    from deskcheck.training.presets import DRILLS
    from deskcheck.training.stream import check_seed
    from deskcheck.training.train import need_libraries
    from layout_study.inputs import INPUT
    from layout_study.programs import DIGITS
    from layout_study.sets import OWN

    if options.table and not options.out:
        raise UserError("--table needs --out DIR")
    if options.table and options.release:
        raise UserError("--table asks nothing, so --release has no place beside it; leave one of them out")
    if not options.table:
        need_libraries(options.device)
    if options.programs not in (DIGITS, DRILLS):
        family_of(options.programs)
    for seed in options.seeds:
        check_seed(seed)
    if options.start_from:
        read_shape(options.start_from)
        for size in [one for one in ("hidden", "layers") if one in given]:
            raise UserError(
                f"--{size} has no place beside --from, whose weights bring their size; leave it out"
            )
    for name in filter(None, options.sets.split(",")):
        if name not in (*OWN, INPUT):
            raise UserError(
                f"--sets {name}: known are {', '.join((*OWN, INPUT))}; a published set is asked about with "
                f"--release {name}=FILE"
            )
    for release in options.release:
        name, _, file = release.partition("=")
        if not file:
            raise UserError(f"--release {release}: which file? --release {name}=FILE")
        plugins.load("benchmark", name)
        if not Path(file).is_file():
            raise UserError(f"--release {release}: there is no file '{file}'; nothing was trained or asked")
    twice = [one for one in options.release if sum(same_set(one, other) for other in options.release) > 1]
    if twice:
        raise UserError(f"--release {twice[0]}: this set is named twice; one file each")


def same_set(first: str, second: str) -> bool:
    """Whether two `--release BENCHMARK=FILE` name one benchmark."""
    return first.partition("=")[0] == second.partition("=")[0]


def amount(
    *, whole: bool = False, least: float = 0.0, above: float | None = None, below: float | None = None
) -> Callable[[str], float]:
    """Reads a number of an option; argparse says which one was wrong."""
    kind = "a whole number" if whole else "a number"
    wanted = f"{kind} above {above:g}" if above is not None else f"{kind}, {least:g} or more"
    wanted += f", below {below:g}" if below is not None else ""

    def read(text: str) -> float:
        try:
            value = int(text) if whole else float(text)
        except ValueError:
            value = math.nan
        fits = value > above if above is not None else value >= least
        if not (fits and value < (math.inf if below is None else below)):
            raise argparse.ArgumentTypeError(f"{text!r}; it takes {wanted}")
        return value

    return read


def listed(read: Callable[[str], Any]) -> Callable[[str], tuple[Any, ...]]:
    """Reads one or several of them, with commas between, none twice."""

    def read_all(text: str) -> tuple[Any, ...]:
        found = tuple(read(one) for one in text.split(","))
        twice = [one for number, one in enumerate(found) if one in found[:number]]
        if twice:
            raise argparse.ArgumentTypeError(f"{text!r} names {twice[0]} twice")
        return found

    return read_all


def check_same(given: dict[str, Any], stored: Comparison, out: Path) -> None:
    """UserError where an option asks for another comparison than the folder holds: it would be ignored."""
    for name, value in given.items():
        has = getattr(stored, "n_held_out" if name == "held_out" else name, None)
        if has is not None and value != has and not (name == "row_length" and not value):
            flag = "from" if name == "start_from" else name.replace("_", "-")
            has = ",".join(str(one) for one in has) if isinstance(has, tuple) else has
            raise UserError(
                f"'{out}' holds a comparison with --{flag} {has}, which it keeps; leave --{flag} out, "
                "or choose another --out"
            )


def run(options: argparse.Namespace, given: dict[str, Any]) -> None:
    """Make the runs that the minutes allow, ask what is asked of them, print the tables."""
    check(options, given)
    from layout_study import inputs as layout_inputs
    from layout_study import runs as layouts
    from layout_study import sets as layout_sets
    from layout_study.plan import Machine, check_compute, read_plan

    out = Path(options.out)
    machine = Machine(options.threads, options.device, options.workers, options.compile)
    minutes = options.budget_minutes
    until = -math.inf if options.table else time.monotonic() + 60 * minutes if minutes else math.inf
    stored = read_plan(out)
    if stored is None and options.table:
        raise UserError(f"no comparison in '{out}'")
    if stored is not None:
        check_same(given, stored, out)
        for name in options.release:
            layout_sets.check_data(layouts.models(stored, out), name, out)
    comparison = stored or plan(options)
    if not options.table:
        check_compute(comparison)
    if layout_inputs.INPUT in options.sets.split(",") and not options.table:
        check_input(comparison)
    layouts.run_all(comparison, out, until=until - 60 * minutes * asked_share(options), machine=machine)
    if options.release and not layouts.finished(comparison, out):
        raise UserError(
            f"--release: no run in '{out}' is finished yet, so no look was taken; give more minutes"
        )
    is_all = ask_sets(comparison, out, options, until, machine)
    ask_published(comparison, out, options, machine)
    print(tables(comparison, out, options))
    if not is_all and not options.table:
        print("\nThe minutes did not reach for all of --sets; the same command again asks the rest.")


def asked_share(options: argparse.Namespace) -> float:
    """Of the minutes, what is not for the runs."""
    return ASKED_SHARE if options.sets else 0.0


def check_input(comparison: Comparison) -> None:
    """UserError where the brief training on inputs would have no step."""
    from layout_study.inputs import INPUT_SHARE
    from layout_study.plan import check_compute

    try:
        check_compute(comparison, share=INPUT_SHARE)
    except UserError as error:
        raise UserError(f"--sets input: {error}, or leave input out: --sets real,long") from None


def ask_sets(
    comparison: Comparison, out: Path, options: argparse.Namespace, until: float, machine: Machine
) -> bool:
    """What `--sets` names, each in an equal part of the time that is left; whether all of it is there."""
    from layout_study import inputs as layout_inputs
    from layout_study import runs as layouts
    from layout_study import sets as layout_sets
    from layout_study.baselines import WITHOUT_MODEL, commonest_outcome

    # seed by seed, so that layouts can be compared wherever the time ends
    models = sorted(layouts.models(comparison, out, machine), key=lambda one: one.seed)
    starts = sorted(layouts.starts(comparison, out), key=lambda one: one.seed)
    majority = commonest_outcome(training_programs(comparison))
    names = [name for name in options.sets.split(",") if name]
    names.sort(key=lambda name: name == layout_sets.REAL)  # it takes longest: what time is left at the end
    is_all = True
    for number, name in enumerate(names):
        now = time.monotonic()
        by = now + (until - now) / (len(names) - number)
        if name == layout_inputs.INPUT:
            inputs = layout_inputs.ask_inputs(comparison, starts, out, until=by, machine=machine)
            is_all &= len(inputs) == len(starts)
            continue
        found = layout_sets.ask(
            models, name, out, n=comparison.n_held_out, majority=majority, until=by, workers=options.threads
        )
        is_all &= len(found) == len(models) + len(WITHOUT_MODEL)
    return is_all


def ask_published(comparison: Comparison, out: Path, options: argparse.Namespace, machine: Machine) -> None:
    """Every `--release`, after its look is noted; however long it takes, since the look is taken."""
    from layout_study import runs as layouts
    from layout_study import sets as layout_sets
    from layout_study.baselines import commonest_outcome

    majority = commonest_outcome(training_programs(comparison)) if options.release else ""
    for name in options.release:
        layout_sets.note_look(name, out)
    for name in options.release:
        models = layouts.models(comparison, out, machine)
        n = comparison.n_held_out
        layout_sets.ask(models, name, out, n=n, majority=majority, workers=options.threads)


def training_programs(comparison: Comparison) -> Sequence[HeldOut]:
    """The first programs of the first seed: what majority answers are counted on."""
    from deskcheck.records import Granularity
    from layout_study.programs import programs_of

    return programs_of(comparison.programs, comparison.seeds[0], comparison.n_held_out, Granularity.LINE)


def tables(comparison: Comparison, out: Path, options: argparse.Namespace) -> str:
    """All of them as text; also in table.md, and as data in table.json."""
    from deskcheck.records import Granularity
    from layout_study import inputs as layout_inputs
    from layout_study import runs as layouts
    from layout_study import sets as layout_sets
    from layout_study import tables as layout_table
    from layout_study.baselines import commonest_outcome
    from layout_study.programs import scored_on
    from layout_study.set_tables import input_text, set_text

    results, before = layouts.finished(comparison, out), layouts.before(comparison, out)
    held_out, training = scored_on(comparison, Granularity.LINE), training_programs(comparison)
    alone = layout_table.baselines(held_out, commonest_outcome(training))
    texts = [layout_table.text(results, comparison, alone, before)]
    models, starts = layouts.models(comparison, out), layouts.starts(comparison, out)
    published = {look["benchmark"] for look in layout_sets.looks(out)}
    sets = {name: layout_sets.answers(models, name, out) for name in [*layout_sets.OWN, *sorted(published)]}
    texts += [set_text(name, found) for name, found in sets.items()]
    inputs = layout_inputs.input_answers(starts, out)
    constant = layout_inputs.commonest(held_out, training, workers=options.threads) if inputs else []
    texts.append(input_text(inputs, layout_inputs.INPUT_SHARE, constant))
    found = {
        "comparison": comparison,
        "rows": [*layout_table.rows(results, comparison), *layout_table.before_rows(before), *alone],
        "differences": layout_table.differences(results, comparison),
        "on_the_way": layout_table.on_the_way(results, comparison, before),
        "sets": sets,
        "inputs": inputs,
        "looks": layout_sets.looks(out),
    }
    text = "\n\n".join(texts)
    (out / "table.md").write_text(text + "\n", encoding="utf-8")
    (out / "table.json").write_bytes(msgspec.json.encode(found) + b"\n")
    return text


def plan(options: argparse.Namespace) -> Comparison:
    """What the options ask for; minutes become operations by a short measurement."""
    from deskcheck.training.export import read_shape
    from layout_study.plan import Comparison, digest_of
    from layout_study.runs import TUNED_SHARE

    row_length = read_shape(options.start_from).trained_length if options.start_from else 160
    comparison = Comparison(
        layouts=options.layouts,
        seeds=options.seeds,
        flops=options.flops,
        rates=options.rates,
        programs=options.programs,
        drills=options.drills,
        muon=options.muon,
        n_held_out=options.held_out,
        hidden=options.hidden,
        layers=options.layers,
        heads=max(2, options.hidden // HEAD_SIZE),
        shift=options.shift,
        row_length=options.row_length or row_length,
        rows_per_step=options.rows_per_step,
        max_chain=options.max_chain,
        bf16=options.bf16 or options.device != "cpu",
        start_from=options.start_from,
        weights_sha256=digest_of(options.start_from),
        points=options.points,
    )
    if comparison.flops:
        return comparison
    runs = len(comparison.layouts) * (len(comparison.seeds) + TUNED_SHARE * len(comparison.rates))
    seconds = 60 * (options.budget_minutes or 60.0) * (1 - SPARE_SHARE - asked_share(options)) / runs
    rate = speed(comparison, options)
    print(f"{rate / 1e9:.2f} Gflop/s here: {seconds:.0f} s, {rate * seconds:.3g} operations a run")
    return msgspec.structs.replace(comparison, flops=float(f"{rate * seconds:.3g}"))


def speed(comparison: Comparison, options: argparse.Namespace) -> float:
    """Operations of training a second on this machine, now, making the data for them counted in."""
    import tempfile

    import numpy as np

    from deskcheck.training import trainer
    from deskcheck.training.data import Rows
    from layout_study.plan import operations, preset_of

    shape = (200, comparison.row_length)
    loss = np.zeros(shape, np.bool_)
    loss[:, ::4] = True
    rows = Rows(
        np.full(shape, 5, np.uint16),
        np.tile(np.arange(shape[1], dtype=np.uint16), (shape[0], 1)),
        np.zeros(shape, np.int16),
        np.ones(shape, np.int16),
        loss,
    )
    preset = preset_of(comparison, "direct", 1e-3)
    with tempfile.TemporaryDirectory() as folder:
        tokens = trainer.tokens_per_second(
            preset, rows, Path(folder), threads=options.threads, for_s=10.0, device=options.device
        )
        made = data_speed(comparison, max(1, options.workers))
    tokens = 1 / (1 / tokens + 1 / made)
    return float(operations(rows, preset.shape).mean()) * tokens / comparison.row_length


def data_speed(comparison: Comparison, workers: int) -> float:
    """Tokens a second that so many processes make, by what one makes of the costliest layout asked for."""
    import tempfile

    from deskcheck.training.stream import make_part, plan_of, read_part
    from layout_study.plan import preset_of
    from layout_study.programs import Examples

    slowest = float("inf")
    for layout in comparison.layouts:
        plan = plan_of(preset_of(comparison, layout, 1e-3), 0, seed=0, candidates=100)
        with tempfile.TemporaryDirectory() as folder:
            make = Examples(comparison)
            make_part(plan, f"{folder}/warm.npz", make)  # what it keeps out of training is read once
            started = time.monotonic()
            make_part(plan, f"{folder}/part.npz", make)
            rows, _ = read_part(Path(folder) / "part.npz")
        slowest = min(slowest, rows.ids.size / (time.monotonic() - started))
    return slowest * workers


if __name__ == "__main__":
    sys.exit(main())
