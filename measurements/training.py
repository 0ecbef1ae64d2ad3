"""Does the data keep up with the training? Tokens a second of both, on this machine.

    python measurements/training.py --preset tiny --threads 2 --processes 1
    python measurements/training.py --preset tiny-h100 --device cuda --processes 15 --seconds 30

Training: rows of the preset's length through the real loop (forward, backward, AdamW, log), plain and, on a
GPU, with torch.compile where that pays. Data: what so many processes deliver to the feed, stage by stage, by
the clock and by a second of their processor time; the first parts are not counted. Needs the extra `train`;
it says so where that is missing.

    python measurements/training.py --only passes --seconds 20

What a step costs a processor, in seconds of its own time and so on a busy machine too: rows of redexes and of
programs, through transformers' network with torch's Muon (how it was), through ours, and ours compiled. The
three take turns.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from deskcheck.errors import DeskcheckError, UserError


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--preset", default="tiny")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--only", choices=("training", "data", "passes"))
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    try:
        for name in ("threads", "processes", "seconds"):
            if getattr(options, name) <= 0:
                raise UserError(f"--{name} {getattr(options, name)}: it takes a number above 0")
        rows = (
            passes(options)
            if options.only == "passes"
            else ([] if options.only == "data" else [training(options)])
            + ([] if options.only == "training" else data(options))
        )
    except DeskcheckError as error:
        print(error, file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"not run: {error.name} is missing (pip install 'deskcheck[train]')")
        return 0
    for row in rows:
        print(
            ", ".join(f"{name} {value:,.0f}" if name != "what" else str(value) for name, value in row.items())
        )
    if options.json:
        found = {"python": sys.version.split()[0], "preset": options.preset, "device": options.device}
        options.json.write_text(json.dumps(found | {"rows": rows}, indent=1) + "\n")
    return 0


def training(options: argparse.Namespace) -> dict[str, Any]:
    """Tokens a second of the loop."""
    from deskcheck.training import trainer
    from deskcheck.training.presets import preset
    from deskcheck.training.scores.card import n_parameters
    from deskcheck.training.stream import generated_examples, make_part, plan_of, read_part

    chosen = preset(options.preset)
    with tempfile.TemporaryDirectory() as folder:
        plan = plan_of(chosen, len(chosen.stages) - 1, seed=0, candidates=300)
        make_part(plan, f"{folder}/part.npz", generated_examples)
        rows, report = read_part(Path(folder) / "part.npz")
        speed = trainer.tokens_per_second(
            chosen, rows, Path(folder), threads=options.threads, for_s=options.seconds,
            device=options.device, compiles=True, say=print,
        )  # fmt: skip
    filled = report.examples.n_tokens / rows.ids.size
    return {
        "what": f"training {chosen.name} on {options.device}",
        "parameters": n_parameters(chosen),
        "tokens a second, padding included,": speed,
        "without": speed * filled,
        "with loss": speed * report.examples.n_loss / rows.ids.size,
    }


def passes(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Tokens a second of processor time, for rows of two kinds and three ways through the network."""
    import torch
    from msgspec.structs import replace

    from deskcheck.training.presets import preset
    from deskcheck.training.redexes.rows import Redexes, arrays
    from deskcheck.training.stream import generated_examples, make_part, plan_of, read_part

    torch.set_num_threads(1)
    chosen = preset("tiny-h100", row_length=256)
    chosen = replace(chosen, shape=replace(chosen.shape, hidden=128, layers=5, heads=4, intermediate=384))
    stream = Redexes(sizes={"short": 1.0})
    with tempfile.TemporaryDirectory() as folder:
        plan = plan_of(chosen, 1, seed=0, candidates=60)
        make_part(plan, f"{folder}/part.npz", generated_examples)
        programs, _ = read_part(Path(folder) / "part.npz")
    kinds = {
        "redexes": [arrays(stream.lines(Random(step), 2_048)).rows for step in range(10)],
        "programs, rows of 256": [
            type(programs)(*(column[at : at + 8] for column in programs))
            for at in range(0, min(80, len(programs.ids) - 7), 8)
        ],
    }
    return [_of_passes(kind, batches, chosen, options.seconds) for kind, batches in kinds.items()]


def _of_passes(kind: str, batches: list[Any], chosen: Any, seconds: float) -> dict[str, Any]:
    from contextlib import nullcontext
    from unittest import mock

    import torch
    from msgspec.structs import replace

    from deskcheck.training import fast, muon, network, trainer

    chosen = replace(chosen, bf16=True)
    ways: dict[str, Any] = {}
    for way in ("before", "now", "now, compiled"):
        model = network.build_model(chosen.shape, seed=0, deviation=chosen.initial_deviation).train()
        if way == "now, compiled":
            setattr(model, network.COMPILED, torch.compile(fast.losses, dynamic=True))
        stepper = trainer.stepper_of(model, chosen.optimiser)
        if way == "before":
            matrices = stepper.parts[0].param_groups[0]["params"]
            theirs = torch.optim.Muon(matrices, lr=3e-3, adjust_lr_fn="match_rms_adamw")
            stepper.parts = (theirs, muon.adamw(model, chosen.optimiser, beside_muon=True))
        ways[way] = (model, stepper, mock.patch.object(fast, "LONGEST_ROW", 0) if way == "before" else None)
    spent, n_tokens = dict.fromkeys(ways, 0.0), dict.fromkeys(ways, 0)
    warm, at = dict.fromkeys(ways, 0), 0
    while min(spent.values()) < seconds:
        batch = batches[at % len(batches)]
        at += 1
        for way, (model, stepper, patch) in ways.items():
            started = time.process_time()
            with patch or nullcontext():
                network.backward(model, batch, chosen, [])
            stepper.step()
            stepper.zero_grad()
            warm[way] += 1
            if warm[way] > len(batches):  # every shape was met once
                spent[way] += time.process_time() - started
                n_tokens[way] += int((batch.group >= 0).sum())
    speeds = {way: n_tokens[way] / spent[way] for way in ways}
    ratio = {f"{way}: % of before": 100 * speed / speeds["before"] for way, speed in speeds.items()}
    return {"what": f"{kind}; tokens a second of processor time", **speeds, **ratio}


def data(options: argparse.Namespace) -> list[dict[str, Any]]:
    """Tokens a second of every stage."""
    import msgspec

    from deskcheck.training.presets import preset

    chosen = preset(options.preset)
    return [
        one_stage(
            msgspec.structs.replace(chosen, stages=(msgspec.structs.replace(stage, share=1.0),)), options
        )
        for stage in chosen.stages
    ]


def one_stage(chosen: Any, options: argparse.Namespace) -> dict[str, Any]:
    """What the feed gives, read as fast as it comes."""
    from deskcheck.training.feed import Feed

    cpu_s = children_s()
    with tempfile.TemporaryDirectory() as folder:
        with Feed(chosen, Path(folder), seed=1, workers=options.processes) as feed:
            n_first = sum(feed.part() for _ in range(options.processes))
            started, n_tokens = time.monotonic(), 0
            while time.monotonic() - started < options.seconds:
                n_tokens += feed.part()
            wall_s = time.monotonic() - started
            made = feed.report.examples
        cpu_s = children_s() - cpu_s  # parts that were under way are in it: a little too much
    return {
        "what": "data " + " ".join(f"{name}:{share:g}" for name, share in chosen.stages[0].families.items()),
        "processes": options.processes,
        "tokens a second": n_tokens / wall_s,
        "a second of processor time": (n_first + n_tokens) / cpu_s,
        "with loss": made.n_loss / made.n_tokens * n_tokens / wall_s,
    }


def children_s() -> float:
    """Processor time of the processes that have ended."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


if __name__ == "__main__":
    sys.exit(main())
