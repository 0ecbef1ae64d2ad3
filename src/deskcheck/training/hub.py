"""Fine-tune any causal language model of transformers on executions: whole, or by LoRA.

    fine_tune(HubOptions(model="Qwen/Qwen2.5-Coder-7B-Instruct", data="data/mine", out="runs/qwen", lora=16))

    run.json      what the run depends on, and what became of every example
    train.jsonl   loss by step                    checkpoint-N/  to resume from
    model/        the tuned model (LoRA: the adapter) with its tokenizer and card

The trainer is TRL's SFTTrainer on conversations: system = layout name and numbered code, user = the question
about it, assistant = the answer, which alone carries loss. `deskcheck eval --strategy line-1 --model hf/..`
sends the same messages. A model without a chat template gets one that only joins the texts, saved with it.

Nothing is cut: an example longer than `max_length` is left out and counted, and so is every program that an
evaluation holds (equal up to names and constants). Several GPUs: `accelerate launch --config_file
src/deskcheck/training/accelerate/fsdp.yaml -m deskcheck train --model ..` (docs/training.md).
Source: Execution Tuning (arXiv 2503.05703, section 3), completion-only loss.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import msgspec

from deskcheck.errors import MissingExtra, UserError
from deskcheck.training.hub_data import GENERATED, HubOptions, HubReport, Row, conversations, open_tokenizer

RECORD, LOG = "run.json", "train.jsonl"
LORA_TARGETS = "all-linear"


def fine_tune(options: HubOptions, *, say: Any = print) -> Path:
    """Run it all; the folder of the tuned model."""
    _need_libraries(options)
    out = Path(options.out)
    _begin(options, out)
    tokenizer = open_tokenizer(options)
    out.mkdir(parents=True, exist_ok=True)
    rows, report = conversations(options, tokenizer)
    say(
        f"{report.n_programs:,} programs, {report.n_in_evaluation:,} of them in an evaluation and left out; "
        f"{report.n_kept:,} examples kept, {report.n_too_long:,} over {options.max_length:,} tokens left "
        f"out; {report.n_sft:,} of other data; {report.n_tokens:,} tokens, {report.n_loss:,} with loss"
    )
    record = {"options": msgspec.to_builtins(options), "data": msgspec.to_builtins(report), **_versions()}
    (out / RECORD).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    import transformers

    transformers.utils.logging.disable_progress_bar()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of transformers, TRL and PEFT about themselves
        trainer = make_trainer(options, rows, tokenizer)
        trainer.remove_callback(transformers.PrinterCallback)
        trainer.add_callback(_told(say))
        checkpoint = _last_checkpoint(out) if options.resume else None
        trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    folder = out / "model"
    trainer.save_model(str(folder))
    tokenizer.save_pretrained(str(folder))
    if trainer.is_world_process_zero():
        _write_log(trainer, out / LOG)
        (folder / "README.md").write_text(_card(options, report, trainer), encoding="utf-8")
    say(f"the model is in {folder}; try: deskcheck eval --model hf/{options.model} -M model_path={folder}")
    return folder


def make_trainer(options: HubOptions, rows: list[Row], tokenizer: Any) -> Any:
    """TRL's trainer over these conversations; laws about loss are tested on it."""
    import torch
    from datasets import Dataset
    from transformers import AutoModelForCausalLM
    from trl import SFTTrainer

    if options.packing and not torch.cuda.is_available():
        raise UserError("--packing needs flash attention, which needs a GPU; train without it here")
    bf16 = options.bf16 and (not torch.cuda.is_available() or torch.cuda.is_bf16_supported())
    model = AutoModelForCausalLM.from_pretrained(
        options.model,
        revision=options.revision,
        dtype=weights_dtype(options, bf16=bf16 and torch.cuda.is_available()),
        **({"attn_implementation": "flash_attention_2"} if options.packing else {}),
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # names that transformers is about to change
        config = _config(options, bf16=bf16)
    return SFTTrainer(
        model=model,
        args=config,
        train_dataset=Dataset.from_list(rows),
        processing_class=tokenizer,
        peft_config=_lora(options) if options.lora else None,
    )


def weights_dtype(options: HubOptions, *, bf16: bool) -> Any:
    """Weights that are trained stay in fp32 (products are in bf16 all the same).

    At a rate of 1e-5 most updates are smaller than the step between two bf16 numbers and would be lost. Under
    LoRA the weights of the model are frozen, and those of the adapter are fp32 anyway.
    """
    import torch

    return torch.bfloat16 if bf16 and options.lora else torch.float32


def _config(options: HubOptions, *, bf16: bool) -> Any:
    import torch
    from trl import SFTConfig

    return SFTConfig(
        output_dir=options.out,
        num_train_epochs=options.epochs,
        max_steps=options.steps or -1,
        per_device_train_batch_size=options.batch,
        gradient_accumulation_steps=options.accumulate,
        learning_rate=options.learning_rate or (2e-4 if options.lora else 1e-5),
        lr_scheduler_type="cosine",
        warmup_steps=0.03,
        max_length=None,  # what is too long has been left out; nothing is to be cut behind our back
        packing=options.packing,
        packing_strategy="bfd-requeue",
        completion_only_loss=True,
        bf16=bf16,
        use_cpu=not torch.cuda.is_available(),
        gradient_checkpointing=torch.cuda.is_available(),
        seed=options.seed,
        logging_steps=1,
        save_strategy="steps",
        save_steps=200,
        save_total_limit=2,
        report_to=options.report_to or "none",
        disable_tqdm=True,
    )


def _told(say: Any) -> Any:
    from transformers import TrainerCallback

    class Told(TrainerCallback):  # type: ignore[misc]
        """Says the loss now and then: about fifty lines a run."""

        def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
            every = max(1, state.max_steps // 50)
            if logs and "loss" in logs and state.global_step % every == 0 and state.is_world_process_zero:
                say(f"step {state.global_step:,} of {state.max_steps:,}, loss {float(logs['loss']):.4f}")

    return Told()


def _lora(options: HubOptions) -> Any:
    from peft import LoraConfig

    return LoraConfig(
        r=options.lora,
        lora_alpha=options.lora_alpha or 2 * options.lora,
        target_modules=LORA_TARGETS,
        task_type="CAUSAL_LM",
    )


def show_batch(options: HubOptions, n: int = 2) -> str:
    """The first examples as the trainer sees them; what carries loss stands between ⟦ and ⟧."""
    tokenizer = open_tokenizer(options)
    rows, _ = conversations(options, tokenizer)
    trainer = make_trainer(msgspec.structs.replace(options, packing=False), rows[:n], tokenizer)
    shown = []
    for number in range(n):
        batch = trainer.data_collator([trainer.train_dataset[number]])
        ids, labels = batch["input_ids"][0].tolist(), batch["labels"][0].tolist()
        n_loss = sum(label != -100 for label in labels)
        parts, inside = [f"--- example {number}: {len(ids)} tokens, {n_loss} with loss\n"], False
        for token, label in zip(ids, labels, strict=True):
            if (label != -100) != inside:
                inside = not inside
                parts.append("⟦" if inside else "⟧")
            parts.append(tokenizer.decode([token]))
        shown.append("".join(parts) + ("⟧" if inside else ""))
    return "\n".join(shown)


def _need_libraries(options: HubOptions) -> None:
    needed = ["torch", "transformers", "trl", "datasets", *(["peft"] if options.lora else [])]
    for name in needed:
        try:
            __import__(name)
        except ImportError:
            raise MissingExtra(name, "train", "fine-tuning") from None


def _begin(options: HubOptions, out: Path) -> None:
    if (
        not options.data.startswith(f"{GENERATED}:") and not Path(options.data).exists()
    ):  # before the hub is asked for anything
        raise UserError(f"no dataset at '{options.data}' (--data); `deskcheck build` makes one")
    stored = out / RECORD
    if not stored.is_file():
        return
    if not options.resume:
        raise UserError(f"'{out}' holds a run already; go on with it by --resume, or choose another --out")
    before = json.loads(stored.read_text(encoding="utf-8"))["options"]
    now = msgspec.to_builtins(options)
    changed = [name for name in now if name not in ("resume", "report_to") and before.get(name) != now[name]]
    if changed:
        raise UserError(f"'{out}' holds a run with another {', '.join(changed)}; a resumed run keeps its own")


def _last_checkpoint(out: Path) -> Path | None:
    found = [file.parent for file in out.glob("checkpoint-*/trainer_state.json")]
    return max(found, key=lambda folder: int(folder.name.split("-")[1])) if found else None


def _versions() -> dict[str, Any]:
    from deskcheck.training.record import commit, versions

    return {"versions": versions(), "commit": commit()}


def _write_log(trainer: Any, path: Path) -> None:
    lines = [json.dumps(entry) for entry in trainer.state.log_history]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _card(options: HubOptions, report: HubReport, trainer: Any) -> str:
    losses = [entry["loss"] for entry in trainer.state.log_history if "loss" in entry]
    first, last = (losses[0], losses[-1]) if losses else (float("nan"), float("nan"))
    layouts = ", ".join(f"{name} {count:,}" for name, count in report.by_layout.items())
    how = f"LoRA of rank {options.lora}" if options.lora else "all weights"
    return f"""---
base_model: {options.model}
library_name: transformers
tags: [deskcheck, execution-tuning]
layouts: [{", ".join(options.layouts)}]
---
# {Path(options.out).name}: {options.model} tuned to execute programs

Tuned by `deskcheck train --model {options.model} --data {options.data}` ({how}, seed {options.seed}, \
{trainer.state.global_step:,} steps of {options.batch * options.accumulate} examples a device).

Data: {report.n_programs:,} programs, {report.n_in_evaluation:,} left out because an evaluation holds them
(equal up to names and constants), {report.n_unusable:,} without a text,
{report.n_not_finer:,} times not to be had as finely as a layout needs. Examples: {layouts};
{report.n_too_long:,} over {options.max_length:,} tokens left out; {report.n_sft:,} of other data.
One epoch: {report.n_tokens:,} tokens, {report.n_loss:,} with loss.

Loss: first {first:.4f}, last {last:.4f}. Not evaluated yet:
`deskcheck eval --model hf/{options.model} -M model_path=. --benchmark core --strategy {options.layouts[0]}`.
"""
