"""Score a model on held-out redexes, by operation and size of the operands.

    gate_rows(model, OPERATIONS, n=100) -> [GateRow("len(s)", "short", n=100, right=97, ..), ..]

A redex is alone in its row. An answer is right if each of its tokens is, its end included. Every token is
predicted after the true tokens before it: then all tokens are right exactly if the greedy answer is right. A
look-up asks for a named value of a state; look-ups have separate rows. The first gate is a set of shares that
a model should reach on short operands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from msgspec import Struct

from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.training.redexes.operation import Operation
from deskcheck.training.redexes.rows import LOOK_UPS, Line, Reader, arrays, look_ups
from deskcheck.training.redexes.table import FIRST_ASKED, OPERATIONS, is_sealed, redex
from deskcheck.training.redexes.values import SIZES, Drawer

FIRST_GATE = {**FIRST_ASKED, **dict.fromkeys(LOOK_UPS[:3], 0.95)}
"""Operation or look-up -> the share that the first gate asks for on short operands."""
SEALED = "sealed"
"""Name of the sealed set, which is asked once, when the weights are final; its seeds begin with this word."""
WEIGHTS = ("model.onnx", "model.safetensors")
TRIES = 80
"""Draws for each wanted redex, because an operation may have few held-out redexes."""
MOST_BATCH_TOKENS = 4_096
"""Largest number of tokens of a batch, padding included."""


class GateRow(Struct, frozen=True):
    """Score on one operation at one size."""

    operation: str
    size: str
    n: int
    right: int
    low: float
    high: float
    """95 % interval of the share."""
    asked: float = 0.0
    """Share that the first gate asks for; 0 = none."""
    is_held_out: bool = True
    """Whether the redexes are held out; False = there are so few of this kind that all are trained on."""

    @property
    def share(self) -> float:
        """Share of the asked redexes that are right."""
        return self.right / self.n if self.n else 0.0

    @property
    def passes(self) -> bool:
        """Whether the share meets the first gate."""
        return self.share >= self.asked


def gate_rows(
    model: Any,
    operations: Iterable[str] = OPERATIONS,
    *,
    sizes: Iterable[str] = tuple(SIZES),
    n: int = 100,
    seed: str = "development",
    bf16: bool = False,
) -> list[GateRow]:
    """Score a model on each operation and size, and each kind of look-up; another seed draws another set."""
    read, rows, sizes = Reader(), [], tuple(sizes)
    for name in operations:
        if name in LOOK_UPS:
            continue
        operation = OPERATIONS[name]
        for size in sizes:
            if size in operation.sizes:
                lines, is_held_out = questions(operation, size, n, seed, read)
                rows.append(
                    gate_row(name, size, [right for _, right in exact(model, lines, bf16=bf16)], is_held_out)
                )
    wanted = [name for name in LOOK_UPS if name in set(operations)]
    if wanted:
        rng = Random(f"{seed}: look-ups")
        answers = exact(model, [look_ups(rng, read) for _ in range(2 * n)], bf16=bf16)
        rows += [
            gate_row(name, "short", [right for kind, right in answers if kind == name]) for name in wanted
        ]
    return rows


def sealed_seed(folder: Path) -> str:
    """Return the seed of the sealed set for the weights in a folder; it is a hash of their bytes.

    FileNotFoundError if the folder holds no weights.
    """
    path = next((folder / name for name in WEIGHTS if (folder / name).is_file()), folder / WEIGHTS[0])
    return f"{SEALED}:{hashlib.sha256(path.read_bytes()).hexdigest()[:16]}"


def questions(operation: Operation, size: str, n: int, seed: str, read: Reader) -> tuple[list[Line], bool]:
    """Draw up to `n` rows of one redex each, all different and held out; return them and True.

    If less than half of `n` are found, the rows have any redexes, and the second value is False. The
    sealed set has one half of the held-out redexes, by a hash of their text; all other sets use the other
    half.
    """
    for only_held_out in (True, False):
        rng, lines = Random(f"{seed}:{operation.name}:{size}"), {}
        for _ in range(TRIES * n):
            drawer = Drawer(rng, SIZES[size])
            example, is_held_out = redex(operation, drawer)
            plain = drawer.plain(example.text)
            is_of_set = is_held_out and is_sealed(plain) == seed.startswith(SEALED)
            if is_of_set or not only_held_out:
                piece = read.piece(operation.name, example.text, example.answer)
                lines[plain] = Line(read.state(list(drawer.state.items())), [piece])
            if len(lines) == n:
                return list(lines.values()), only_held_out
        if lines and (len(lines) >= n // 2 or not only_held_out):
            break
    return list(lines.values()), only_held_out


def exact(model: Any, lines: list[Line], *, bf16: bool = False) -> list[tuple[str, bool]]:
    """Return, for every redex or look-up of these rows, its name and whether its whole answer is right."""
    import torch

    from deskcheck.training.network import loss_of

    was_training = model.training
    model.eval()
    pairs: list[tuple[str, bool]] = []
    with torch.no_grad():
        for part in _parts(lines):
            batch = arrays(part)
            right: list[Any] = []
            loss_of(model, batch.rows, bf16=bf16, right=right)
            starts = np.concatenate([[0], np.cumsum(batch.lengths)[:-1]])
            whole = np.logical_and.reduceat(torch.cat(right).cpu().numpy(), starts)
            pairs += zip(batch.names, whole.tolist(), strict=True)
    model.train(was_training)
    return pairs


def _parts(lines: list[Line]) -> list[list[Line]]:
    """Divide lines into batches, with lines of similar length together."""
    parts: list[list[Line]] = []
    for line in sorted(lines, key=lambda line: line.n_tokens):
        if not parts or (len(parts[-1]) + 1) * line.n_tokens > MOST_BATCH_TOKENS:
            parts.append([])
        parts[-1].append(line)
    return parts


def gate_row(name: str, size: str, right: list[bool], is_held_out: bool = True) -> GateRow:
    """Make the row of these verdicts; its interval is 95 %."""
    bounds = clustered_interval([float(one) for one in right], range(len(right)))
    asked = FIRST_GATE.get(name, 0.0) if size == "short" else 0.0
    return GateRow(name, size, len(right), sum(right), bounds.low, bounds.high, asked, is_held_out)


def shortfall(rows: list[GateRow]) -> str:
    """Describe the rows below the first gate in words; "" = it is met."""
    below = [row for row in rows if not row.passes]
    return ", ".join(f"{row.operation} {100 * row.share:.0f} % of {100 * row.asked:.0f}" for row in below)


def table(rows: list[GateRow]) -> str:
    """Render the scores as a Markdown table, with a row for each operation and a column for each size."""
    by_name: dict[str, dict[str, GateRow]] = {}
    for row in rows:
        by_name.setdefault(row.operation, {})[row.size] = row
    sizes = [size for size in SIZES if any(size in gates for gates in by_name.values())]
    heads = ["operation", *sizes, "n", *(["first gate"] if any(row.asked for row in rows) else [])]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for name, gates in by_name.items():
        cells = [_cell(gates[size]) if size in gates else "" for size in sizes]
        first = next(iter(gates.values()))
        asked = f"{100 * first.asked:.0f} %" if first.asked else ""
        n = " / ".join(str(row.n) for row in gates.values())
        cells = [f"`{name.replace('|', chr(92) + '|')}`", *cells, n, asked]
        lines.append(f"| {' | '.join(cells[: len(heads)])} |")
    return "\n".join(lines)


def _cell(row: GateRow) -> str:
    mark = "" if row.is_held_out else " (all seen)"
    return f"{100 * row.share:.0f} % {percent_ends(row.low, row.high, digits=0)}{mark}"
