"""What a checkpoint computes: operations by size of operand, and lists looked up by what they hold.

    python measurements/redexes.py CHECKPOINT [--first] [--n 100] [--set sealed] [--lists]

CHECKPOINT is a folder of a run, `runs/tiny/checkpoint-900`, or an exported model. `--first` asks the
operations and look-ups of the first gate alone, on short operands. `--set sealed` draws other redexes than
the development set, from the bytes of the weights: look at it once, when these are
final. On a line of a program the same operations are asked by `measurements/operations.py`.
"""

from __future__ import annotations

import argparse
import sys
from random import Random
from typing import Any

from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.training.export import model_folder, read_shape, read_weights
from deskcheck.training.network import build_model
from deskcheck.training.redexes.gates import (
    FIRST_GATE,
    SEALED,
    exact,
    gate_rows,
    sealed_seed,
    shortfall,
    table,
)
from deskcheck.training.redexes.rows import LOOK_UPS, Line, Reader
from deskcheck.training.redexes.table import OPERATIONS
from deskcheck.training.redexes.values import SIZES, Drawer

KINDS = {
    "one digit": lambda d: str(d.rng.randint(0, 9)),
    "three digits": lambda d: str(d.rng.randint(100, 999)),
    "words of three characters": lambda d: repr(d.characters(3)),
    "True, False, None": lambda d: d.rng.choice(("True", "False", "None")),
}
LENGTHS = (1, 2, 4, 6)
N_LISTS = 3
"""Lists in a state, all of one length and one kind; one is asked for."""


def lists_looked_up(model: Any, n: int) -> str:
    """A table: kind of element by number of elements."""
    read, rng = Reader(), Random("lists")
    lines = [f"| elements | {' | '.join(map(str, LENGTHS))} |", "|---" * (len(LENGTHS) + 1) + "|"]
    for kind, element in KINDS.items():
        cells = []
        for length in LENGTHS:
            asked = []
            for _ in range(n):
                drawer = Drawer(rng)
                names = [
                    drawer.hold(f"[{', '.join(element(drawer) for _ in range(length))}]")
                    for _ in range(N_LISTS)
                ]
                name = rng.choice(names)
                piece = read.piece(kind, name, repr(eval(drawer.state[name])))
                asked.append(Line(read.state(list(drawer.state.items())), [piece]))
            right = [float(is_right) for _, is_right in exact(model, asked)]
            bounds = clustered_interval(right, range(n))
            cells.append(f"{100 * bounds.mean:.0f} % {percent_ends(bounds.low, bounds.high, digits=0)}")
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> int:
    """Print the tables that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("checkpoint", nargs="?", default="")
    parser.add_argument("--first", action="store_true")
    parser.add_argument("--lists", action="store_true")
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument("--set", choices=("development", SEALED), default="development")
    given = parser.parse_args()
    if not given.checkpoint:
        print("not run: no CHECKPOINT given; `deskcheck train --preset tiny-h100` makes one")
        return 0
    model = build_model(read_shape(given.checkpoint), seed=0, weights=read_weights(given.checkpoint))
    if given.lists:
        print(lists_looked_up(model, given.n))
        return 0
    names, sizes = (list(FIRST_GATE), ["short"]) if given.first else ([*OPERATIONS, *LOOK_UPS], list(SIZES))
    seed = sealed_seed(model_folder(given.checkpoint)) if given.set == SEALED else given.set
    rows = gate_rows(model, names, sizes=sizes, n=given.n, seed=seed)
    print(table(rows))
    print(f"\nfirst gate: {shortfall(rows) or 'met'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
