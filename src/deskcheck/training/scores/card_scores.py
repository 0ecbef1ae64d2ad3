"""Compute the further scores of a model card; a score is [] if the recipe does not train for it.

In each function, `n` is the largest number of programs, redexes or runs to score; where a constant of this
file is smaller, the constant counts. `say` gets each result as text.
"""

from __future__ import annotations

from pathlib import Path

from deskcheck.layouts.line_n import LAYOUT as LINE_N
from deskcheck.models.tiny import TinyModel
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.training.chains import EVALUATION
from deskcheck.training.export import read_shape, read_weights
from deskcheck.training.presets import CHAINS, chain_layout, long_layout
from deskcheck.training.record import TrainRun
from deskcheck.training.redexes.gates import GateRow, gate_rows, shortfall
from deskcheck.training.redexes.on_lines import line_rows
from deskcheck.training.redexes.programs import USUAL_ONES
from deskcheck.training.redexes.rows import LOOK_UPS
from deskcheck.training.redexes.table import OPERATIONS
from deskcheck.training.scores.drills import N_DRILLS, DrillRow, drill_rows
from deskcheck.training.scores.drills import table as drill_table
from deskcheck.training.scores.long_runs import SAMPLED, LongRow, long_rows
from deskcheck.training.scores.long_runs import line as long_line
from deskcheck.training.scores.skips import SkipRow, skip_rows
from deskcheck.training.scores.skips import table as skip_table
from deskcheck.training.stream import Say

N_GATE = 100
"""Largest number of redexes of each operation and size."""
N_ON_LINES = 25
"""Largest number of programs for each operation."""
N_LONG = 20
"""Largest number of whole runs of each long program and length."""
N_SKIPS = 200
"""Largest number of held-out programs for the scores of jumps."""


def long_scores(model: TinyModel, run: TrainRun, n: int, *, say: Say) -> list[LongRow]:
    """Score whole runs of `long` on unseen inputs; [] if its steps were not trained on."""
    if not any(CHAINS in stage.families for stage in run.preset.stages):
        return []
    rows = []
    layout, sampled = long_layout(run.preset.mix), min(n, SAMPLED)
    for row in long_rows(model, layout, which=EVALUATION, n_inputs=min(n, N_LONG), sampled=sampled):
        rows.append(row)
        say(long_line(row))
    return rows


def drill_scores(model: TinyModel, run: TrainRun, n: int, *, say: Say) -> list[DrillRow]:
    """Score lines by kind of drill; [] if single steps were not trained on."""
    layout = chain_layout(run.preset.mix)
    if layout not in run.preset.mix.layouts:
        return []
    found = drill_rows(model, layout, n_drills=min(n, N_DRILLS))
    say(drill_table(found))
    return found


def skip_scores(model: TinyModel, run: TrainRun, n: int, *, say: Say) -> list[SkipRow]:
    """Score several steps at once against one by one; [] if jumps were not trained on."""
    if LINE_N not in run.preset.mix.layouts:
        return []
    held_out = list(traced(run.held_out, seed=HELD_OUT[run.held_out], n=min(n, N_SKIPS)))
    found = skip_rows(model, held_out)
    say(skip_table(found))
    return found


def on_line_scores(model: TinyModel, run: TrainRun, n: int, *, say: Say) -> list[GateRow]:
    """Score operations on a line of a program; [] if redexes were not practiced beside lines."""
    layout = chain_layout(run.preset.mix)
    if not run.preset.practises or layout not in run.preset.mix.layouts:
        return []
    found = line_rows(model, layout, operations=USUAL_ONES, n=min(n, N_ON_LINES))
    say(f"on a line: {sum(row.right for row in found):,} of {sum(row.n for row in found):,}")
    return found


def gate_scores(checkpoint: Path, run: TrainRun, n: int, *, say: Say) -> list[GateRow]:
    """Score operations by size; [] if redexes were not practiced."""
    if not run.preset.practises:
        return []
    from deskcheck.training.network import build_model

    model = build_model(read_shape(str(checkpoint)), seed=0, weights=read_weights(str(checkpoint)))
    found = gate_rows(model, [*OPERATIONS, *LOOK_UPS], n=min(n, N_GATE))
    say(f"first gate: {shortfall(found) or 'met'}")
    return found
