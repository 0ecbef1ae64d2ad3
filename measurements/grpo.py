"""GRPO of a tiny model, three seeds: next lines of held-out `easy` programs before and after, paired.

    python measurements/grpo.py OUT [--seeds 0,1,2] [--steps 60] [--base-programs 1200] [--held-out 200]

Fixed before the first seed: the start weights (OUT/start: a random Llama of four layers, tuned on line-1 for
a short while) and the held-out tasks (their own seed, the same for all runs: lines that can go on in two
ways, in pairs, so that the next line of the text is right in half of them). Each seed then runs
`deskcheck train --rl grpo` with tasks of its own. Finished stages are not run again. Needs the extra train.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from itertools import islice
from pathlib import Path

from deskcheck.rewards import functions
from deskcheck.rewards.baselines import scored
from deskcheck.rewards.tasks import FIRST_HELD_OUT, STEP, RewardTask, TaskOptions, tasks
from deskcheck.statistics.paired import paired_difference

HELD_OUT_SEED = FIRST_HELD_OUT - 100
STEPS = (3, 25)
MAX_TOKENS = 32


def main() -> int:
    """Make the start weights, run every seed that is missing, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("out", type=Path, nargs="?")
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--base-programs", type=int, default=1200)
    parser.add_argument("--base-steps", type=int, default=150)
    parser.add_argument("--hidden", type=int, default=128)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--held-out", type=int, default=200)
    given = parser.parse_args()
    if given.out is None:
        print("not run: name a folder for the weights; some ten minutes of a core a seed")
        return 0
    start = given.out / "start"
    if not (start / "model" / "config.json").is_file():
        write_random(given.out / "random", given.hidden, given.layers)
        write_start(given.out / "random", start, given.base_programs, given.base_steps)
    held = held_out(given.held_out)
    rows = []
    for seed in map(int, given.seeds.split(",")):
        run = given.out / f"seed-{seed}"
        if not (run / "model" / "config.json").is_file():
            rl(start / "model", run, seed, given.steps, given.learning_rate)
        rows.append((seed, next_lines(given.out / f"after-{seed}.json", run / "model", held)))
    before = next_lines(given.out / "before.json", start / "model", held)
    report(held, before, rows)
    return 0


def write_start(random: Path, out: Path, programs: int, steps: int) -> None:
    """Tune a random model on line-1 until it writes steps, and no longer."""
    deskcheck(
        "train", "--model", random, "--data", "generated:easy", "--layouts", "line-1", "--out", out,
        "--threads", 1,
        *settings(programs=programs, steps=steps, batch=4, accumulate=2, learning_rate=2e-3, bf16="false",
                  max_length=512),
    )  # fmt: skip


def write_random(folder: Path, hidden: int, layers: int) -> None:
    """A random Llama with a byte-level BPE of 400, learned from generated programs."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    from deskcheck.programs.generated import traced

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=["</s>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()
    )
    tokenizer.train_from_iterator((p.source for p, _ in traced("easy", seed=5, n=40)), trainer)
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>")
    fast.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(fast), hidden_size=hidden, intermediate_size=3 * hidden, num_hidden_layers=layers,
        num_attention_heads=4, max_position_embeddings=1024, eos_token_id=fast.eos_token_id,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)


def rl(model: Path, out: Path, seed: int, steps: int, learning_rate: float) -> None:
    """One run of the command, with tasks of this seed."""
    started = time.time()
    deskcheck(
        "train", "--model", model, "--rl", "grpo", "--out", out, "--seed", seed, "--threads", 1,
        *settings(questions=STEP, families="easy", steps_from=STEPS[0], steps_to=STEPS[1], steps=steps,
                  tasks=2000, held_out=32, batch=64, generations=8, max_tokens=MAX_TOKENS,
                  learning_rate=learning_rate, save_steps=steps),
    )  # fmt: skip
    (out / "seconds.json").write_text(json.dumps(time.time() - started), encoding="utf-8")


def settings(**values: object) -> list[str]:
    """`--set` words of these settings."""
    return [word for name, value in values.items() for word in ("--set", f"{name}={value}")]


def deskcheck(*words: object) -> None:
    """Run the command. CalledProcessError where it ends otherwise than well."""
    subprocess.run([sys.executable, "-m", "deskcheck", *map(str, words)], check=True)


def held_out(n: int) -> list[RewardTask]:
    """The first tasks about lines that can go on in two ways; an even number, in pairs."""
    options = TaskOptions(questions=(STEP,), families=("easy",), steps=STEPS, seed=HELD_OUT_SEED)
    return list(islice((task for task in tasks(options) if "next_line" in task.pays), n))


def next_lines(path: Path, model: Path, held: list[RewardTask]) -> list[float]:
    """1 or 0 a task for the model's greedy answers; kept in the file."""
    if path.is_file():
        found: list[float] = json.loads(path.read_text(encoding="utf-8"))
        return found
    import torch
    from transformers import AutoModelForCausalLM

    from deskcheck.training.hub.model import open_tokenizer
    from deskcheck.training.hub.rl import greedy

    torch.set_num_threads(1)
    weights = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    answers = greedy(weights, open_tokenizer(str(model), "main"), held, MAX_TOKENS)
    scores = [one or 0.0 for one in scored(functions.next_line, held, answers)]
    path.write_text(json.dumps(scores), encoding="utf-8")
    return scores


def report(held: list[RewardTask], before: list[float], rows: list[tuple[int, list[float]]]) -> None:
    """A line a seed, and the pooled paired difference, clustered by program."""
    programs = [task.task_id.partition("@")[0] for task in held]
    print(f"{len(held)} held-out tasks of {len(set(programs))} programs; before: {mean(before):.3f}")
    pooled: list[float] = []
    for seed, after in rows:
        pooled += after
        print(f"seed {seed}: after {mean(after):.3f}, {told(after, before, programs)}")
    times = len(rows)
    print(f"pooled: {told(pooled, before * times, programs * times)}, n = {len(pooled)}")


def told(after: list[float], before: list[float], clusters: list[str]) -> str:
    """A paired difference with its interval, in points."""
    found = paired_difference(after, before, clusters)
    return f"{100 * found.mean:+.1f} points [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def mean(values: list[float]) -> float:
    """The mean. ZeroDivisionError where there is none."""
    return sum(values) / len(values)


if __name__ == "__main__":
    sys.exit(main())
