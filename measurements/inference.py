"""What the step engine of `tiny` does: steps and tokens a second, prefix reuse, drafts, chains side by side.

    python measurements/inference.py [--model FOLDER] [--repeats 5] [--chain-steps 10000] [--json FILE]

Questions are line-1 steps of held-out `easy` programs, alone and 64 together: with everything; without the
drafts; without any reuse (every question is read from its first token); and by transformers' `generate` on
the same weights (extra `train`; "not run" without it). Then one chain of `long`'s binary counter and 20
chains of its looped Collatz side by side, on true states, so that a weak model goes all the way too: each
answer is written by the model, and the next question is the true next state. CPU seconds of the process and
wall-clock seconds, medians of the repeats after one warm-up, the modes taking turns in each repeat. One
thread, so that CPU time means something on a shared machine.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from deskcheck.corpus.long_programs import dial
from deskcheck.errors import DeskcheckError, UserError
from deskcheck.inference import slots
from deskcheck.layouts.line_1 import body
from deskcheck.models.tiny import Request, TinyModel, load
from deskcheck.plugins import load as plugin
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.records import Limits
from deskcheck.states.steps import body_of, head, steps
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

N, MAX_TOKENS, CHAINS = 128, 64, 20


def questions() -> list[Request]:
    """The first N held-out questions, in the order of their runs."""
    found: list[Request] = []
    for program, trace in traced("easy", seed=HELD_OUT["easy"], n=60):
        code = head("line-1", program)
        for example in plugin("layout", "line-1").render(trace, program):
            text = body_of(example.prompt, program, "line-1")
            found.append(Request(code, text, MAX_TOKENS, sequence=program.id))
    return found[:N]


def by_engine(model: TinyModel, asked: list[Request], size: int, mode: str) -> int:
    """Answers everything, `size` at a time; how many tokens were written."""
    with ExitStack() as stack:
        if mode != "all":
            stack.enter_context(patch.object(slots, "MISSES", -1))
        if mode == "no reuse":
            stack.enter_context(patch.object(slots, "_common", lambda left, right: 0))
            asked = [Request("", one.head + one.body, MAX_TOKENS) for one in asked]
        model.reset()
        parts = [asked[start : start + size] for start in range(0, len(asked), size)]
        return sum(one.n_tokens_out for part in parts for one in model.generate(part))


def by_transformers(folder: str, model: TinyModel) -> Callable[[list[Request], int], int] | None:
    """The same through `generate`; None without the extra."""
    try:
        import torch

        from deskcheck.training.export import read_weights
        from deskcheck.training.network import build_model
    except ImportError:
        return None
    torch.set_num_threads(1)
    network = build_model(model.shape, seed=0, weights=read_weights(folder or "tiny")).eval()

    def run(asked: list[Request], size: int) -> int:
        n = 0
        for start in range(0, len(asked), size):
            rows = [[1, *model.tokens(one.head + one.body)] for one in asked[start : start + size]]
            width = max(map(len, rows))
            ids = torch.tensor([[0] * (width - len(row)) + row for row in rows])
            with torch.inference_mode():
                out = network.generate(
                    ids,
                    attention_mask=(ids > 0).long(),
                    max_new_tokens=MAX_TOKENS,
                    do_sample=False,
                    eos_token_id=2,
                    pad_token_id=0,
                )
            n += int((out[:, width:] > 0).sum())
        return n

    return run


def speeds(model: TinyModel, folder: str, repeats: int) -> Iterator[dict[str, Any]]:
    """A row for each size and mode."""
    asked, other = questions(), by_transformers(folder, model)
    modes: dict[str, Callable[[int], int]] = {
        mode: partial(by_engine, model, asked, mode=mode) for mode in ("all", "no drafts", "no reuse")
    }
    if other is not None:
        modes["transformers"] = lambda size: other(asked, size)
    for size in (1, 64):
        taken: dict[str, list[tuple[float, float, int]]] = {mode: [] for mode in modes}
        for _, (mode, run) in itertools.product(range(repeats + 1), modes.items()):
            wall, cpu = time.perf_counter(), time.process_time()
            n_tokens = run(size)
            taken[mode].append((time.process_time() - cpu, time.perf_counter() - wall, n_tokens))
        for mode, rows in taken.items():
            cpu_s, wall_s = (statistics.median(row[n] for row in rows[1:]) for n in (0, 1))
            yield {
                "together": size,
                "mode": mode,
                "steps": len(asked),
                "repeats": repeats,
                "cpu_us_a_step": round(1e6 * cpu_s / len(asked)),
                "steps_a_cpu_second": round(len(asked) / cpu_s, 1),
                "tokens_a_cpu_second": round(rows[0][2] / cpu_s, 1),
                "steps_a_second": round(len(asked) / wall_s, 1),
            }


def states_of(family: str, n_steps: int) -> tuple[str, Iterator[str]]:
    """The head of a program and the questions about all states of its run of about so many steps."""
    source, n = dial(family, n_steps)
    program = make_program(source, "f", str(n), origin=f"long:{family}", license="Apache-2.0")
    trace = trace_program(program, Limits(max_steps=10 * n_steps, trace_bytes=1 << 29))
    return head("line-1", program), (body(before, program) for before, _, _ in steps(trace))


def resident_mib() -> float:
    """Memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / (1 << 20)


def chains(model: TinyModel, family: str, n_chains: int, n_steps: int) -> dict[str, Any]:
    """So many chains side by side over true states; each asks on when its answer is there."""
    model.reset()
    code, found = states_of(family, n_steps)
    texts = list(found)
    places = [0] * n_chains
    offsets = [number * len(texts) // n_chains // 4 for number in range(n_chains)]  # not all at one place

    def ask(number: int) -> None:
        text = texts[(places[number] + offsets[number]) % len(texts)]
        model.batch.submit(Request(code, text, MAX_TOKENS, sequence=str(number)), number)

    memory, times, n_tokens, n_done = [], [], 0, 0
    wall, cpu = time.perf_counter(), time.process_time()
    for number in range(n_chains):
        ask(number)
    while model.batch.n_live:
        for number, completion in model.batch.step():
            n_tokens += completion.n_tokens_out
            places[number] += 1
            n_done += 1
            if n_done % max(1, n_chains * n_steps // 10) == 0:
                memory.append(round(resident_mib(), 1))
                times.append(round(time.process_time() - cpu, 1))
            if places[number] < n_steps:
                ask(number)
    cpu_s = time.process_time() - cpu
    return {
        "chains": n_chains,
        "program": family,
        "steps_each": n_steps,
        "cpu_s": round(cpu_s, 1),
        "wall_s": round(time.perf_counter() - wall, 1),
        "steps_a_cpu_second": round(n_done / cpu_s, 1),
        "tokens_written": n_tokens,
        "calls": model.batch.n_calls,
        "rows_a_call": round(model.batch.n_rows / model.batch.n_calls, 1),
        "tokens_read": model.batch.n_tokens,
        "resident_mib_by_tenths": memory,
        "cpu_s_until_each_tenth": times,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="", help="folder of an exported model; the shipped one otherwise")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--chain-steps", type=int, default=1000)
    parser.add_argument("--json", default="")
    options = parser.parse_args()
    try:
        for name in ("repeats", "chain_steps"):
            if getattr(options, name) <= 0:
                flag = name.replace("_", "-")
                raise UserError(f"--{flag} {getattr(options, name)}: it takes a number above 0")
        model = load(options.model, threads=1)
    except DeskcheckError as error:
        print(error, file=sys.stderr)
        return 2
    measure(model, options)
    return 0


def measure(model: TinyModel, options: argparse.Namespace) -> None:
    """Print every row, and keep them where `--json` says."""
    rows = []
    for row in speeds(model, options.model, options.repeats):
        rows.append(row)
        print(
            f"{row['together']:2} together, {row['mode']:<12} {row['cpu_us_a_step']:>7,} us of CPU a step, "
            f"{row['steps_a_cpu_second']:,} steps and {row['tokens_a_cpu_second']:,} tokens a CPU second "
            f"(n = {row['steps']} steps, median of {row['repeats']})"
        )
    if not any(row["mode"] == "transformers" for row in rows):
        print("transformers: not run (pip install 'deskcheck[train]')")
    long_rows = []
    for family, n_chains in (("counter", 1), ("collatz", CHAINS)):
        row = chains(model, family, n_chains, options.chain_steps)
        long_rows.append(row)
        print(
            f"{n_chains} x {row['steps_each']:,} steps of {family}: {row['cpu_s']} s of CPU, "
            f"{row['steps_a_cpu_second']} steps a CPU second, {row['calls']:,} calls of "
            f"{row['rows_a_call']} rows, {row['tokens_written']:,} tokens written, memory by tenths "
            f"{row['resident_mib_by_tenths']} MiB, CPU until then {row['cpu_s_until_each_tenth']} s"
        )
    if options.json:
        shape = {"hidden": model.shape.hidden, "layers": model.shape.layers}
        text = json.dumps({"model": shape, "speeds": rows, "chains": long_rows}, indent=1)
        Path(options.json).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
