"""Training tokens a second and core, from a seed to packed rows, and where the time goes.

    python measurements/generation.py [--families easy,hard] [--candidates 600] [--rounds 5] [--row 512]

CPU time of one process, median of the rounds; every round makes programs of its own. Mix of layouts: that of
the preset `tiny`. Needs the extra `eval`; it says so where that is missing.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from deskcheck.errors import DeskcheckError, UserError

STAGES = ("write", "run and trace", "form", "represent", "encode", "pack")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--families", default="first,easy,medium,hard,real-1,states-1")
    parser.add_argument("--candidates", type=int, default=600)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--row", type=int, default=512, help="tokens of a row; longer examples are dropped")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    try:
        for name in ("candidates", "rounds", "row"):
            if getattr(options, name) <= 0:
                raise UserError(f"--{name} {getattr(options, name)}: it takes a number above 0")
        rows = [
            measured(name, options.candidates, options.rounds, options.row)
            for name in options.families.split(",")
        ]
    except DeskcheckError as error:
        print(error, file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"not run: {error.name} is missing (pip install 'deskcheck[eval]')")
        return 0
    shown = ("family", "n", "kept", "programs/s", "examples/s", "tokens/s")
    print(
        " ".join(f"{name:>10}" for name in shown),
        " ",
        "  ".join(f"{s:>13}" for s in STAGES),
        " us a candidate",
    )
    for row in rows:
        cells = [row["family"], row["candidates"], row["programs"]]
        cells += [f"{row[name]:,.0f}" for name in ("programs_s", "examples_s", "tokens_s")]
        times = "  ".join(f"{row['us_per_candidate'][stage]:>13,.0f}" for stage in STAGES)
        print(" ".join(f"{cell:>10}" for cell in cells), " ", times)
    if options.json:
        found = {"python": sys.version.split()[0], "rounds": options.rounds, "rows": rows}
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 0


def measured(family: str, n_candidates: int, n_rounds: int, row: int) -> dict[str, Any]:
    """One row of the table: sums over the rounds where they are counts, medians where they are times."""
    rounds = [one_round(family, n_candidates, seed, row) for seed in range(1, n_rounds + 1)]
    total_s = [sum(found[stage] for stage in STAGES) for found in rounds]
    return {
        "family": family,
        "candidates": n_candidates * n_rounds,
        "programs": int(sum(found["programs"] for found in rounds)),
        **{
            f"{what}_s": statistics.median(found[what] / s for found, s in zip(rounds, total_s, strict=True))
            for what in ("programs", "examples", "tokens")
        },
        "us_per_candidate": {
            stage: statistics.median(found[stage] for found in rounds) * 1e6 / n_candidates
            for stage in STAGES
        },
    }


def one_round(family: str, n: int, seed: int, row: int = 512) -> dict[str, float]:
    """CPU seconds by stage, and what came out. Writing is timed alone and taken off the second stage."""
    from deskcheck import plugins
    from deskcheck.decontamination.canonical import normal_form
    from deskcheck.programs.generated import candidate, family_of, write_candidate
    from deskcheck.training.data import encode, pack
    from deskcheck.training.presets import PRESETS
    from deskcheck.training.stream import program_examples
    from deskcheck.training.tokenizer import build_tokenizer

    mix, tokenizer = PRESETS["tiny"].mix, build_tokenizer()
    layouts = {layout: plugins.load("layout", layout) for layout in mix.layouts}
    dials = family_of(family)
    write_s, _ = timed(lambda: [write_candidate(dials, seed, number) for number in range(n)])
    made_s, made = timed(lambda: [candidate(dials, seed, number) for number in range(n)])
    kept = [found for found in made if found is not None]
    form_s, _ = timed(lambda: [normal_form(program.source) for program, _ in kept])
    represent_s, examples = timed(
        lambda: [
            example
            for number, (program, trace) in enumerate(kept)
            for example in program_examples(program, trace, layouts, mix, Random(number))
        ]
    )
    encode_s, questions = timed(lambda: list(encode(examples, tokenizer)))
    pack_s, (_, report) = timed(lambda: pack(questions, max_length=row, seed=seed))
    times = (write_s, max(made_s - write_s, 0.0), form_s, represent_s, encode_s, pack_s)
    counts = {"programs": len(kept), "examples": report.n_kept, "tokens": report.n_tokens}
    return dict(zip(STAGES, times, strict=True)) | counts


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


if __name__ == "__main__":
    sys.exit(main())
