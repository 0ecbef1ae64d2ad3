"""Train a model of the hub by reinforcement learning: TRL's GRPOTrainer on our tasks and rewards.

    reinforce(RlOptions(model="Qwen/Qwen2.5-0.5B-Instruct", out="runs/rl", steps=200))

    run.json      options, counts of the tasks, rewards of baselines that execute nothing
    train.jsonl   mean of each reward by step      evals.jsonl   held-out tasks: rewards of greedy answers
    checkpoint-N/ to resume from
    model/        the trained model (LoRA: the adapter) with its tokenizer

Tasks are fresh programs, none near a benchmark (`rewards.tasks`). Held-out tasks come from a separate seed
and are asked before, during and after training. Each row of evals.jsonl has a reward on held-out tasks and
the mean of the same reward in training. A resumed run ends with the weights of an uninterrupted run. Source:
GRPO (DeepSeekMath, arXiv 2402.03300).
"""

from __future__ import annotations

import json
import warnings
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field

from deskcheck.errors import UnknownName, UserError
from deskcheck.plugins import key_values
from deskcheck.rewards import functions
from deskcheck.rewards.baselines import Baseline, baselines, scored, table
from deskcheck.rewards.libraries import need
from deskcheck.rewards.tasks import FIRST_HELD_OUT, OUTCOME, STEP, Counts, RewardTask, TaskOptions, tasks
from deskcheck.training.disk import report_full_disk
from deskcheck.training.hub.model import RECORD, check_kind, no_progress_bars, open_model, open_tokenizer
from deskcheck.training.hub.model import last_checkpoint as newest

METHODS = ("grpo",)


class RlOptions(Struct, frozen=True, kw_only=True):
    """Options of one run of reinforcement learning."""

    model: str
    """Name of the model on the hub, or a folder."""
    revision: str = "main"
    out: str
    questions: list[str] = field(default_factory=lambda: [STEP])
    """Kinds of question, from `rewards.tasks.QUESTIONS`."""
    families: list[str] = field(default_factory=lambda: ["easy"])
    steps_from: int = 3
    """Smallest number of executed lines of a program."""
    steps_to: int = 40
    """Largest number of executed lines of a program."""
    tasks: int = 1000
    """Number of different training tasks; they are repeated when all have been asked."""
    held_out: int = 64
    """Number of tasks for evaluation alone; 0 = none."""
    steps: int = 100
    """Optimizer steps."""
    eval_steps: int = 0
    """Steps between two evaluations on the held-out tasks; 0 = five evaluations per run."""
    batch: int = 8
    """Completions in one pass through the network."""
    generations: int = 8
    """Completions of one task, whose rewards are compared with each other."""
    accumulate: int = 1
    """Passes whose gradients are added up for one optimizer step."""
    max_tokens: int = 64
    """Largest number of tokens of a completion."""
    temperature: float = 1.0
    learning_rate: float = 1e-6
    beta: float = 0.0
    """Weight of the KL divergence from the first model; with 0, no second copy is kept in memory."""
    lora: int = 0
    """Rank of LoRA; 0 = all weights are trained."""
    bf16: bool = False
    save_steps: int = 200
    seed: int = 0
    threads: int = 0
    """Processor threads; 0 = torch's default."""
    resume: bool = False


FREE = ("resume", "threads", "save_steps", "eval_steps")
"""Options that a resumed run may change."""


class Reach(Struct, frozen=True):
    """Horizon-50 of the held-out outcomes at one step of training, with its 95 % interval."""

    steps: float
    """Horizon-50, in executed steps."""
    bound: str
    """"<" = below the shortest run asked, whose length `steps` is; ">" = above the longest; else ""."""
    low: float
    high: float | None
    """Upper end of the interval; None = above the longest run asked."""


class HeldOut(Struct, frozen=True):
    """One reward of the greedy answers to the held-out tasks at one step."""

    step: int
    reward: str
    n: int
    mean: float
    trained: float | None
    """Mean of the same reward over the steps since the last evaluation; None before the first step."""
    horizon: Reach | None = None
    """Horizon-50, for the reward of outcomes only."""


def rl_options(given: dict[str, Any], settings: list[str]) -> RlOptions:
    """Return the options of --rl from flags and `--set key=value`. UserError names a refused value."""
    known = [name for name in RlOptions.__struct_fields__ if name not in given]
    values = dict(given)
    for key, text in key_values(settings, "--set").items():
        if key not in known:
            raise UnknownName("setting of --set with --rl", key, known)
        values[key] = text.split(",") if key in ("questions", "families") else text
    try:
        options = msgspec.convert(values, RlOptions, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"--set: {error}") from None
    if options.generations < 2 or options.batch * options.accumulate % options.generations:
        raise UserError(
            f"--set generations={options.generations}: 2 or more, and batch * accumulate "
            f"({options.batch} * {options.accumulate}) a multiple of it"
        )
    for name in ("tasks", "steps", "max_tokens", "save_steps"):
        if getattr(options, name) < 1:
            raise UserError(f"--set {name}={getattr(options, name)}: 1 or more")
    return options


def check_method(name: str) -> None:
    """Raise UnknownName if `name` is not in METHODS."""
    if name not in METHODS:
        raise UnknownName("method of --rl", name, list(METHODS))


def reinforce(options: RlOptions, *, say: Any = print) -> Path:
    """Run the training and return the folder of the trained model.

    MissingExtra if a library is absent. UserError if the model cannot be used, or if `out` holds something
    else. KeyboardInterrupt if a signal ended the training early.
    """
    for name in ("torch", "transformers", "trl", "datasets", *(["peft"] if options.lora else [])):
        need(name)
    import transformers

    from deskcheck.training.hub import watch as hub_watch

    out = Path(options.out)
    goes_on = _begin(options, out, say)
    if goes_on and (out / DONE).is_file():
        say(f"the run in '{out}' is finished; its model is in {out / 'model'}")
        return out / "model"
    check_kind(options.model, options.revision)
    counts = Counts()
    asked, held = _tasks(options, options.seed, options.tasks, counts), held_out(options)
    found = baselines(asked[:_FOR_BASELINES])
    say(_summary(asked, held, counts))
    say(f"paid to answers that execute nothing, {len(asked[:_FOR_BASELINES]):,} tasks:\n{table(found)}")
    no_progress_bars()
    stop = hub_watch.Stop()
    with warnings.catch_warnings(), hub_watch.signals(stop):
        warnings.simplefilter("ignore")  # warnings of transformers, TRL and PEFT about their own code
        trainer = make_trainer(options, asked)
        trainer.remove_callback(transformers.PrinterCallback)
        out.mkdir(parents=True, exist_ok=True)
        _write_record(options, counts, found, out)
        trainer.add_callback(hub_watch.Logged(out / hub_watch.LOG, say))
        if held:
            trainer.add_callback(_exam(trainer, held, options, out, say))
        trainer.add_callback(hub_watch.Stopping(stop))
        checkpoint = newest(out) if goes_on else None
        with report_full_disk(out):
            trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
        if stop.asked and trainer.state.global_step < trainer.state.max_steps:
            say(f"stopped at checkpoint-{trainer.state.global_step}")
            raise KeyboardInterrupt
        with report_full_disk(out):
            trainer.save_model(str(out / "model"))
    trainer.processing_class.save_pretrained(str(out / "model"))
    say(f"the model is in {out / 'model'}")
    return out / "model"


DONE = "model/tokenizer_config.json"
"""File that is written last: it marks a finished run."""


def _begin(options: RlOptions, out: Path, say: Any) -> bool:
    """Whether the folder holds a run to resume.

    UserError if that run has other options or is not to be resumed, or if the folder holds something else.
    """
    if not (out / RECORD).is_file():
        if out.exists() and any(out.iterdir()):
            raise UserError(f"'{out}' is not empty and holds no run of --rl; choose another --out")
        if options.resume:
            say(f"no run in '{out}' to resume: it begins")
        return False
    try:
        record = json.loads((out / RECORD).read_text(encoding="utf-8"))
        before, method = record["options"], record["method"]
    except (ValueError, KeyError, TypeError):
        raise UserError(f"'{out}' holds a run that is none of --rl; choose another --out") from None
    if not options.resume:
        raise UserError(f"'{out}' already holds a run; continue it with --resume, or choose another --out")
    now = msgspec.to_builtins(options)
    changed = [name for name in now if name not in FREE and before.get(name, now[name]) != now[name]]
    if changed or method != METHODS[0]:
        what = ", ".join(changed) or "method"
        raise UserError(f"'{out}' holds a run with another {what}; a resumed run keeps its own")
    return True


_FOR_BASELINES = 256
"""Number of tasks for the baselines, whose cost grows with the square of this number."""


def held_out(options: RlOptions) -> list[RewardTask]:
    """Draw the held-out tasks, which depend only on the options, before any training."""
    return _tasks(options, FIRST_HELD_OUT - 1 - options.seed, options.held_out, Counts())


def _tasks(options: RlOptions, seed: int, n: int, counts: Counts) -> list[RewardTask]:
    wanted = TaskOptions(
        questions=tuple(options.questions),
        families=tuple(options.families),
        steps=(options.steps_from, options.steps_to),
        seed=seed,
    )
    return list(islice(tasks(wanted, counts), n))


def _summary(asked: list[RewardTask], held: list[RewardTask], counts: Counts) -> str:
    left_out = ", ".join(f"{n:,} {why}" for why, n in sorted(counts.dropped.items())) or "none"
    return (
        f"{len(asked):,} tasks of {counts.programs:,} programs, {len(held):,} held out; left out: "
        f"{counts.near:,} programs too near to a benchmark; tasks: {left_out}"
    )


def _write_record(options: RlOptions, counts: Counts, baselines: list[Baseline], out: Path) -> None:
    from deskcheck.decontamination.near import edition
    from deskcheck.format.files import commit
    from deskcheck.training.record import versions

    record = {
        "options": msgspec.to_builtins(options),
        "method": METHODS[0],
        "tasks": msgspec.to_builtins(counts),
        "baselines": msgspec.to_builtins(baselines),
        "decontamination": edition(),
        "versions": versions(),
        "commit": commit(),
    }
    part = out / f"{RECORD}.part"
    part.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    part.replace(out / RECORD)  # a full disk or a kill leaves the old one whole


def make_trainer(options: RlOptions, asked: list[RewardTask]) -> Any:
    """Make TRL's trainer over these tasks."""
    import torch
    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer

    if options.threads:
        torch.set_num_threads(options.threads)
    config = GRPOConfig(
        output_dir=options.out,
        max_steps=options.steps,
        per_device_train_batch_size=options.batch,
        gradient_accumulation_steps=options.accumulate,
        num_generations=options.generations,
        max_completion_length=options.max_tokens,
        temperature=options.temperature,
        learning_rate=options.learning_rate,
        beta=options.beta,
        bf16=options.bf16,
        use_cpu=not torch.cuda.is_available(),
        gradient_checkpointing=torch.cuda.is_available(),
        seed=options.seed,
        logging_steps=1,
        save_strategy="steps",
        save_steps=options.save_steps,
        save_total_limit=2,
        report_to="none",
        disable_tqdm=True,
    )
    peft = None
    if options.lora:
        from peft import LoraConfig

        peft = LoraConfig(
            r=options.lora,
            lora_alpha=2 * options.lora,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        )

    class Trainer(GRPOTrainer):  # type: ignore[misc]  # Any: mypy skips TRL
        def create_model_card(self, *_: Any, **__: Any) -> None:
            """Write no card: TRL's would advertise its site, and run.json has the record."""

    return Trainer(
        model=open_model(options.model, options.revision, attention="", dtype=torch.float32),
        args=config,
        reward_funcs=functions.ALL,
        train_dataset=Dataset.from_list([msgspec.to_builtins(task) for task in asked]),
        processing_class=open_tokenizer(options.model, options.revision),
        peft_config=peft,
    )


def _exam(trainer: Any, held: list[RewardTask], options: RlOptions, out: Path, say: Any) -> Any:
    """Make a callback that asks the held-out tasks before, during and after training."""
    from transformers import TrainerCallback

    from deskcheck.training.hub.watch import EVALS, LOG, keep_until

    every = options.eval_steps or max(1, options.steps // 5)
    path = out / EVALS

    class Exam(TrainerCallback):  # type: ignore[misc]  # mypy skips transformers
        asked_at = -1

        def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            """Ask before the first step; a resumed run has these rewards in its file already."""
            keep_until(path, state.global_step)
            if state.global_step == 0:
                self.ask(0)

        def on_log(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            """Ask if an evaluation is due after this step; its training rewards are in the log by now."""
            step = state.global_step
            if step and step != self.asked_at and (step % every == 0 or step == state.max_steps):
                self.ask(step)

        def ask(self, step: int) -> None:
            self.asked_at = step
            answers = greedy(trainer.model, trainer.processing_class, held, options.max_tokens)
            paid = trained(out / LOG, _last_step(path), step)
            rows = []
            for name, function in functions.NAMES.items():
                scores = [one for one in scored(function, held, answers) if one is not None]
                if scores:
                    reach = reach_of(held, scores) if name == OUTCOME else None
                    mean = sum(scores) / len(scores)
                    rows.append(HeldOut(step, name, len(scores), mean, paid.get(name), reach))
            with path.open("ab") as file:
                file.write(b"".join(msgspec.json.encode(one) + b"\n" for one in rows))
            say(f"step {step:,}, reward in training and held out: {', '.join(map(_reward_text, rows))}")

    return Exam()


def _reward_text(row: HeldOut) -> str:
    before = "-" if row.trained is None else f"{row.trained:.3f}"
    reach = f", horizon {row.horizon.bound}{row.horizon.steps:.0f}" if row.horizon else ""
    return f"{row.reward} {before} and {row.mean:.3f} of {row.n}{reach}"


def reach_of(held: list[RewardTask], scores: list[float]) -> Reach:
    """Compute horizon-50 from the scores (1 or 0) of the tasks that ask for an outcome, in their order."""
    from deskcheck.statistics.horizon import Observation, horizon

    asked = [task for task in held if OUTCOME in task.pays]
    found = horizon(
        [
            Observation(task.steps, int(score), 1, task.family, task.task_id.partition("@")[0])
            for task, score in zip(asked, scores, strict=True)
        ]
    )
    high = found.high if found.high < float("inf") else None
    return Reach(found.steps, found.bound, found.low, high)


def _last_step(path: Path) -> int:
    lines = path.read_bytes().splitlines() if path.is_file() else []
    return msgspec.json.decode(lines[-1], type=HeldOut).step if lines else 0


def trained(log: Path, after: int, upto: int) -> dict[str, float]:
    """Return the mean of each reward over the logged steps from `after` + 1 to `upto`.

    A reward without values is absent.
    """
    columns: dict[str, list[float]] = {}
    for line in log.read_text(encoding="utf-8").splitlines() if log.is_file() else []:
        entry = json.loads(line)
        for name in functions.NAMES:
            value = entry.get(f"rewards/{name}/mean")
            if after < entry["step"] <= upto and value is not None and value == value:
                columns.setdefault(name, []).append(value)
    return {name: sum(values) / len(values) for name, values in columns.items()}


def greedy(
    model: Any, tokenizer: Any, held: list[RewardTask], max_tokens: int, *, batch: int = 32
) -> list[str]:
    """Return the model's greedy answer to every task, in order; `batch` tasks are answered together."""
    import torch

    was_training, side = model.training, tokenizer.padding_side
    model.eval()
    tokenizer.padding_side = "left"
    answers: list[str] = []
    for start in range(0, len(held), batch):
        texts = [
            tokenizer.apply_chat_template(task.prompt, add_generation_prompt=True, tokenize=False)
            for task in held[start : start + batch]
        ]
        given = tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False)
        given = {name: given[name].to(model.device) for name in ("input_ids", "attention_mask")}
        with torch.no_grad():
            output = model.generate(
                **given, max_new_tokens=max_tokens, do_sample=False, pad_token_id=tokenizer.pad_token_id
            )
        answers += tokenizer.batch_decode(output[:, given["input_ids"].shape[1] :], skip_special_tokens=True)
    tokenizer.padding_side = side
    model.train(was_training)
    return answers
