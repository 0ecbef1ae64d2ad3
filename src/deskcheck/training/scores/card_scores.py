"""Scores of a card beside those of whole held-out programs; none where a recipe does not teach it."""

from __future__ import annotations

from pathlib import Path

from deskcheck.models.tiny import TinyModel
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.representations.line_n import LAYOUT as LINE_N
from deskcheck.training.chains import EVALUATION
from deskcheck.training.export import read_shape, read_weights
from deskcheck.training.presets import CHAINS, chain_layout
from deskcheck.training.record import TrainRun
from deskcheck.training.redexes.gates import GateRow, gate_rows, shortfall
from deskcheck.training.redexes.on_lines import line_rows
from deskcheck.training.redexes.programs import USUAL_ONES
from deskcheck.training.redexes.rows import LOOK_UPS
from deskcheck.training.redexes.table import OPERATIONS
from deskcheck.training.scores.drills import N_DRILLS, DrillRow, drill_rows
from deskcheck.training.scores.drills import table as drill_table
from deskcheck.training.scores.long_runs import LongRow, long_rows
from deskcheck.training.scores.long_runs import line as long_line
from deskcheck.training.scores.skips import SkipRow, skip_rows
from deskcheck.training.scores.skips import table as skip_table
from deskcheck.training.stream import Say

N_GATE = 100
"""Redexes of each operation and size."""
N_ON_LINES = 25
"""Programs of each operation."""
N_SKIPS = 200
"""Held-out programs that jumps are tried on, at most."""


def long_scores(model: TinyModel, run: TrainRun, *, say: Say) -> list[LongRow]:
    """Whole runs of `long` on unseen inputs, where its steps were trained on."""
    if not any(CHAINS in stage.families for stage in run.preset.stages):
        return []
    rows = []
    for row in long_rows(model, chain_layout(run.preset.mix), which=EVALUATION):
        rows.append(row)
        say(long_line(row))
    return rows


def drill_scores(model: TinyModel, run: TrainRun, n: int, *, say: Say) -> list[DrillRow]:
    """Lines by their kind, where single steps were learned."""
    layout = chain_layout(run.preset.mix)
    if layout not in run.preset.mix.layouts:
        return []
    found = drill_rows(model, layout, n_drills=min(n, N_DRILLS))
    say(drill_table(found))
    return found


def skip_scores(model: TinyModel, run: TrainRun, n: int, *, say: Say) -> list[SkipRow]:
    """Several steps at once against one by one, where the model learned jumps."""
    if LINE_N not in run.preset.mix.layouts:
        return []
    held_out = list(traced(run.held_out, seed=HELD_OUT[run.held_out], n=min(n, N_SKIPS)))
    found = skip_rows(model, held_out)
    say(skip_table(found))
    return found


def on_line_scores(model: TinyModel, run: TrainRun, *, say: Say) -> list[GateRow]:
    """Operations on a line of a program, where redexes were practised beside lines."""
    layout = chain_layout(run.preset.mix)
    if not run.preset.practises or layout not in run.preset.mix.layouts:
        return []
    found = line_rows(model, layout, operations=USUAL_ONES, n=N_ON_LINES)
    say(f"on a line: {sum(row.right for row in found):,} of {sum(row.n for row in found):,}")
    return found


def gate_scores(checkpoint: Path, run: TrainRun, *, say: Say) -> list[GateRow]:
    """Operations by size, where redexes were practised."""
    if not run.preset.practises:
        return []
    from deskcheck.training.network import build_model

    model = build_model(read_shape(str(checkpoint)), seed=0, weights=read_weights(str(checkpoint)))
    found = gate_rows(model, [*OPERATIONS, *LOOK_UPS], n=N_GATE)
    say(f"first gate: {shortfall(found) or 'met'}")
    return found
