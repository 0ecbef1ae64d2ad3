"""One row of the leaderboard of trained weights in docs/log/training.md, for any folder of a model.

    python measurements/leaderboard.py MODEL --machine "120 minutes of 2 cores" --out DIR [--release FILE]

The row says what made the weights (`--machine`, in your words) and what they do: `easy` in sub (200
programs) and direct (500), both development sets; sealed operations that reach 95 % on short, middle and long
operands; and with `--release`, the path of cruxeval.jsonl, CRUXEval-O in sub. Sealed operations are drawn
from the bytes of the weights and CRUXEval is a published set: run this once, when the weights are final.
Evaluations are kept in DIR, and the same command goes on after a stop.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

from deskcheck.report import words
from deskcheck.report.read import read_runs
from deskcheck.training.export import model_folder, read_shape, read_weights
from deskcheck.training.network import build_model
from deskcheck.training.redexes.gates import GateRow, gate_rows, sealed_seed
from deskcheck.training.redexes.table import OPERATIONS
from deskcheck.training.redexes.values import SIZES

HEADS = ("weights", "made by", "`easy`, sub", "`easy`, direct", "sealed operations", "CRUXEval-O, sub")
STEPS = 300
"""Largest number of steps of a run; what is not over then has no answer."""
FEWEST = 50
"""Fewest unseen redexes with which an operation on short operands counts."""
GOOD = 0.95


def share(folder: Path, model: str, *words_of_eval: str) -> str:
    """Ask one evaluation, or read the one that is there, and return "98.0 % [95.0, 99.2], n = 200"."""
    folder.mkdir(parents=True, exist_ok=True)
    written = folder / "run.json"
    command = [sys.executable, "-m", "deskcheck", "eval", "--model", "tiny", "-M", f"path={model}"]
    command += ["--log-dir", str(folder), "--json", str(written), *words_of_eval]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    (run,) = read_runs(str(written))
    bounds = words.interval(run.row.interval)
    return f"{words.percent(run.row.accuracy)} [{bounds}], n = {run.row.n_answers}"


def operations(model: str) -> str:
    """Return "167 of 202, 149 of 204, 127 of 204": operations at 95 % by size, on sealed redexes."""
    network = build_model(read_shape(model), seed=0, weights=read_weights(model))
    seed = sealed_seed(model_folder(model))
    rows = gate_rows(network, list(OPERATIONS), sizes=list(SIZES), n=100, seed=seed)
    cells = []
    for size in SIZES:
        counted = [row for row in rows if row.size == size and (size != "short" or _is_unseen(row))]
        cells.append(f"{sum(row.right / row.n >= GOOD for row in counted)} of {len(counted)}")
    return ", ".join(cells)


def _is_unseen(row: GateRow) -> bool:
    return row.is_held_out and row.n >= FEWEST


def main() -> None:
    """Ask what is missing and print the row under its heads, as Markdown."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", nargs="?", default="", help='folder of a model; "tiny" = the shipped one')
    parser.add_argument("--machine", default="", help="what trained it, and for how long")
    parser.add_argument("--out", type=Path, default=Path("runs/leaderboard"))
    parser.add_argument("--release", default="", help="cruxeval.jsonl, as its project publishes it")
    given = parser.parse_args()
    if not given.model:
        print("not run: name the folder of a model")
        return
    steps = ("--strategy", "sub", "--max-steps", str(STEPS))
    folder = str(model_folder(given.model))
    cells = [
        given.model,
        given.machine or "not said",
        share(given.out / "easy-sub", folder, "--benchmark", "easy", "--limit", "200", *steps),
        share(given.out / "easy-direct", folder, "--benchmark", "easy", "--strategy", "direct"),
        operations(given.model),
        share(given.out / "cruxeval-sub", folder, "--benchmark", "cruxeval", "--data", given.release, *steps)
        if given.release
        else "not asked",
    ]
    for line in (HEADS, ["---"] * len(HEADS), cells):
        print(f"| {' | '.join(line)} |")


if __name__ == "__main__":
    main()
