"""Half an hour of one large GPU for a model that computes, or its rehearsal at a hundredth on a processor.

    python measurements/gpu_recipe.py --rehearse                        a few minutes of one core
    python measurements/gpu_recipe.py --workers 15 --out runs/gpu       not run yet: no GPU was at hand
    python measurements/gpu_recipe.py --out runs/gpu --resume

Preset `computes-gpu`: 25 M parameters, heads of 64. 1: shards of all stages are made (1.5e9 tokens in all;
where training is faster, rows come again and are counted). 2: training by the clock, FlexAttention, a
checkpoint every two minutes; a stage ends when its gate is met or its budget is spent, and a run whose gate
is not met then stops and says why. 3: weights in bf16, at most four files of 16 MB. A rehearsal has the
same network and all of the steps, with a hundredth of the tokens and three minutes; it goes on past its gate,
which no model meets so soon.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
import warnings
from pathlib import Path

from deskcheck.errors import DeskcheckError, UserError

TOKENS, MINUTES, SAVE_MINUTES, GATE_EVERY = 1.5e9, 30.0, 2.0, 20_000_000
MOST_FILES, MOST_BYTES = 4, 16_000_000
REHEARSAL, REHEARSAL_MINUTES = 0.01, 3.0


def main() -> int:
    """Make shards, train, write the weights; print what each took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--rehearse", action="store_true", help="a hundredth of it, on a processor")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--workers", type=int, default=15)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--resume", action="store_true")
    given = parser.parse_args()
    if not (given.rehearse or given.out):
        print("not run: name a folder by --out, or --rehearse")
        return 0
    warnings.filterwarnings("ignore", category=SyntaxWarning)  # a redex may be `3 is None`
    try:
        with tempfile.TemporaryDirectory() as folder:
            recipe(given, given.out or Path(folder))
    except DeskcheckError as error:
        print(error, file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"not run: {error.name} is missing (pip install 'deskcheck[train]')")
    return 0


def recipe(given: argparse.Namespace, out: Path) -> None:
    """Make shards, train with gates and checkpoints, write the weights in parts; time each part."""
    from msgspec.structs import replace

    import gpu_shards as shards
    from deskcheck.training.export import read_shape, read_weights
    from deskcheck.training.network import save
    from deskcheck.training.presets import preset
    from deskcheck.training.redexes.watch import Gates
    from deskcheck.training.scores.card import n_parameters
    from deskcheck.training.trainer import Done, fed, last_checkpoint
    from weight_parts import write_parts

    scale, minutes, device = 1.0, MINUTES, given.device
    if given.rehearse:
        scale, minutes, device = REHEARSAL, REHEARSAL_MINUTES, "cpu"
    chosen = preset("computes-gpu")
    if given.rehearse:
        stages = tuple(replace(one, tokens=round(one.tokens * scale)) for one in chosen.stages)
        chosen = replace(chosen, rows_per_step=1, rows_per_pass=1, stages=stages)
    print(f"{n_parameters(chosen):,} parameters, {device}, {scale:g} of the whole")
    length = chosen.shape.trained_length
    started = time.monotonic()
    rows = {n: round(scale * TOKENS * one.share / length) for n, one in enumerate(chosen.stages)}
    if given.rehearse:  # shards cost more here than the training reads
        rows = {n: max(8, wanted // 50) for n, wanted in rows.items()}
    n_made = shards.make(
        chosen, out / "data", rows, seed=given.seed, workers=1 if given.rehearse else given.workers, say=print
    )
    took = time.monotonic() - started
    rate = sum(n_made.values()) * length / took
    print(f"1: {n_made} rows of {length} in {took:.0f} s, {rate:,.0f} tokens a second")

    def attempt(resume: bool) -> Done:
        source = shards.Shards(chosen, out / "data")
        found = fed(
            chosen, source, out, seed=given.seed, resume=resume, say=print, threads=1, device=device,
            minutes=minutes, save_minutes=SAVE_MINUTES * minutes / MINUTES, save_steps=10**9,
            compiles=False if given.rehearse else None,
            watch=Gates(chosen, source, out, print, every=round(GATE_EVERY * scale)),
        )  # fmt: skip
        print(f"2: {found.n_steps} steps, {found.n_tokens:,} tokens, {source.n_repeated} rows came again")
        return found

    done = attempt(given.resume)
    while done.why:
        print(f"stopped: {done.why}")
        if not given.rehearse:
            raise UserError("the gate decides: look at the data and the rate; --resume goes on without it")
        done = attempt(True)
    checkpoint = last_checkpoint(out) or out / "checkpoint"
    if not done.interrupted:
        checkpoint = out / "checkpoint"
        save(done.model, checkpoint)
    weights, shape = read_weights(str(checkpoint)), read_shape(str(checkpoint))
    files = write_parts(weights, shape, out / "parts", bf16=True)
    sizes = [file.stat().st_size for file in files]
    print(f"3: {len(files)} files, {json.dumps(sizes)} bytes")
    if len(files) > MOST_FILES or max(sizes) > MOST_BYTES:
        raise UserError(f"more than {MOST_FILES} files of {MOST_BYTES:,} bytes")


if __name__ == "__main__":
    sys.exit(main())
