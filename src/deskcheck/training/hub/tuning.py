"""Fine-tune a causal language model of transformers on executions: all its weights, or a LoRA adapter.

    fine_tune(HubOptions(model="Qwen/Qwen2.5-Coder-7B-Instruct", data="data/mine", out="runs/qwen", lora=16))

    run.json      options and versions, and counts of the examples
    train.jsonl   loss by step                    evals.jsonl     scores on held-out programs
    model/        the tuned model (LoRA: the adapter) with its tokenizer and card
    examples/     all examples as tokens (`shards.py`)
    checkpoint-N/ to resume from

The trainer is TRL's SFTTrainer on conversations. The system message is the layout's name and the numbered
code, the user's message is the question, and the assistant's is the answer, which alone carries loss.
`deskcheck eval --model hub -M path=..` sends the same messages. Ctrl-C and SIGTERM end the run after a step,
with a checkpoint; `resume` continues there.

Examples longer than `max_length` tokens are left out and counted, never cut. Programs too near to a program
of a benchmark are left out and counted, too. A run on several GPUs begins with `accelerate launch
--config_file src/deskcheck/training/accelerate/fsdp.yaml -m deskcheck train --model ..`
(docs/fine-tuning.md). Source: Execution Tuning (arXiv 2503.05703, section 3), completion-only loss.
"""

from __future__ import annotations

import json
import tempfile
import warnings
from functools import partial
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from deskcheck.decontamination.near import edition
from deskcheck.decontamination.removed import REMOVED, write_removed
from deskcheck.errors import MissingExtra, UnknownName, UserError
from deskcheck.training.disk import report_full_disk
from deskcheck.training.hub.data import GENERATED, HubOptions, HubReport, sources_of, with_layouts
from deskcheck.training.hub.model import (
    RECORD,
    check_kind,
    check_packing,
    is_first,
    last_checkpoint,
    n_processes,
    no_progress_bars,
    open_model,
    open_tokenizer,
    tuned_options,
)
from deskcheck.training.hub.push import check_push, push
from deskcheck.training.hub.rows import Rows
from deskcheck.training.hub.shards import Stored, held_out, prepare, read_removed

LORA_TARGETS = "all-linear"
CARD, EXAMPLES = "README.md", "examples"
REPORTS = ("tensorboard", "wandb", "trackio")
FREE = (
    "resume", "report_to", "threads", "save_steps", "eval_steps", "push_to_hub", "private", "push_revision",
)  # fmt: skip
"""Options that a resumed run may change."""


def fine_tune(options: HubOptions, *, say: Any = print) -> Path:
    """Run the tuning and return the folder of the tuned model.

    UserError if the options, the model or the data cannot be used, or if `out` holds another run.
    KeyboardInterrupt if a signal ended the tuning early.
    """
    _need_libraries(options)
    options = with_layouts(options)
    import transformers

    from deskcheck.training.hub import card as hub_card
    from deskcheck.training.hub import watch as hub_watch

    out, told = Path(options.out), say if is_first() else _silent
    before = _begin(options, out, told)
    folder = out / "model"
    if before is not None and (folder / CARD).is_file():  # written last
        told(f"the run in '{out}' is finished; its model is in {folder}")
        _push(options, folder, told)
        return folder
    if options.push_to_hub:
        check_push(options.push_to_hub)
    check_kind(options.model, options.revision)
    tokenizer = open_tokenizer(options.model, options.revision)
    examples = out / EXAMPLES
    with report_full_disk(out):
        report = prepare(options, tokenizer, examples, told, first=is_first(), resumes=before is not None)
    told(_summary(report, options))
    stop = hub_watch.Stop()
    no_progress_bars()
    with warnings.catch_warnings(), hub_watch.signals(stop):
        warnings.simplefilter("ignore")  # warnings of transformers, TRL and PEFT about their own code
        stored = Stored(examples)
        trainer = make_trainer(options, stored, tokenizer, told)
        trainer.remove_callback(transformers.PrinterCallback)
        _same_everywhere(report)
        report = msgspec.structs.replace(report, n_read=trainer.train_dataset.n_tokens)
        if is_first():
            _write_record(options, report, out)
            write_removed(out, read_removed(examples))
        trainer.add_callback(hub_watch.Logged(out / hub_watch.LOG, told))
        if report.n_held_out:
            exam = hub_watch.Examined(
                _labels(stored, options), out / hub_watch.EVALS, options.eval_steps, told
            )
            exam.trainer = trainer
            trainer.add_callback(exam)
        trainer.add_callback(hub_watch.Stopping(stop))
        checkpoint = last_checkpoint(out) if before is not None else None
        with report_full_disk(out):
            trainer.train(resume_from_checkpoint=str(checkpoint) if checkpoint else None)
    if stop.asked and trainer.state.global_step < trainer.state.max_steps:
        told(f"stopped at checkpoint-{trainer.state.global_step}")
        raise KeyboardInterrupt
    with report_full_disk(out):
        trainer.save_model(str(folder))
    if trainer.is_world_process_zero():
        tokenizer.save_pretrained(str(folder))
        text = hub_card.card(options, report, trainer, hub_watch.read_exams(out / hub_watch.EVALS))
        (folder / CARD).write_text(text, encoding="utf-8")
    told(f"the model is in {folder}; try: deskcheck eval --model hub -M path={folder} --benchmark core")
    _push(options, folder, told)
    return folder


def _push(options: HubOptions, folder: Path, report: Any) -> None:
    if options.push_to_hub and is_first():
        where = push(folder, options.push_to_hub, private=options.private, revision=options.push_revision)
        report(f"its files are at {where}")


def _labels(stored: Stored, options: HubOptions) -> list[tuple[str, str]]:
    """Return (layout, form) of every held-out example, in the order of evaluation."""
    held = held_out(stored, options).nonzero()[0]
    return [(options.layouts[stored.layout[n]], str(stored.form[n])) for n in held]


def _silent(text: str) -> None:
    pass


def _summary(report: HubReport, options: HubOptions) -> str:
    held = f"{report.n_held_out:,} of them held out; " if report.n_held_out else ""
    other = f"{report.n_other_split:,} of another split; " if report.n_other_split else ""
    other += f"{report.n_not_drawn:,} drawn for no layout; " if report.n_not_drawn else ""
    return (
        f"{report.n_programs:,} programs, {report.n_in_evaluation:,} of them too near to a benchmark and "
        f"left out ({REMOVED}); {other}"
        f"{report.n_kept:,} examples kept, {held}{report.n_too_long:,} over {options.max_length:,} tokens "
        f"left out; {report.n_sft:,} of other data; {report.n_tokens:,} tokens, {report.n_loss:,} with loss"
    )


def _write_record(options: HubOptions, report: HubReport, out: Path) -> None:
    from deskcheck.format.files import commit
    from deskcheck.training.record import versions

    record = {
        "options": msgspec.to_builtins(options),
        "data": msgspec.to_builtins(report),
        "decontamination": edition(),
    }
    text = json.dumps({**record, "versions": versions(), "commit": commit()}, indent=1)
    part = out / f"{RECORD}.part"
    part.write_text(f"{text}\n", encoding="utf-8")
    part.replace(out / RECORD)  # a full disk or a kill leaves the old one whole


def _same_everywhere(report: HubReport) -> None:
    """Raise UserError if the processes of a run made different examples.

    Otherwise they would wait for each other forever.
    """
    if n_processes() == 1:
        return
    import torch

    found: list[Any] = [None] * n_processes()
    torch.distributed.all_gather_object(found, report.digest)
    if len(set(found)) > 1:
        raise UserError(
            "the processes of this run made different examples of the same data: programs whose traces "
            "differ from run to run; build the dataset at the granularity that --layouts needs"
        )


def make_trainer(options: HubOptions, stored: Stored, tokenizer: Any, say: Any = _silent) -> Any:
    """Make TRL's trainer over these examples; `say` receives a line about the tokens of one epoch."""
    import torch
    from datasets import Dataset
    from transformers import PreTrainedModel
    from trl import SFTTrainer

    from deskcheck.training.hub.head import score_here

    if options.threads:
        torch.set_num_threads(options.threads)
    bf16 = options.bf16 and (not torch.cuda.is_available() or torch.cuda.is_bf16_supported())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # names that transformers deprecates
        config = _config(options, bf16=bf16)
    _ = config.device  # joins the other processes, so that only the first reads the weights for FSDP
    model: PreTrainedModel = open_model(
        options.model,
        options.revision,
        attention=options.attention,
        dtype=weights_dtype(options, bf16=bf16),
        shares=options.share and torch.cuda.is_available(),
        quantization=options.quantization,
    )
    if (
        tokenizer.pad_token_id >= model.get_input_embeddings().num_embeddings
    ):  # only for padding, so any token will do
        tokenizer.pad_token = tokenizer.eos_token

    class Trainer(SFTTrainer):  # type: ignore[misc]  # Any: mypy skips TRL
        def create_model_card(self, *_: Any, **__: Any) -> None:
            """Write no card: ours is in the model's folder."""

    held = held_out(stored, options)
    rows = {
        share: Rows(
            stored,
            ~held,
            max_length=options.max_length,
            share=share,
            packing=options.packing,
            seed=options.seed,
        )
        for share in {options.share, False}
    }
    trainer = Trainer(
        model=model,
        args=config,
        data_collator=_collator(options, False, tokenizer),
        train_dataset=Dataset.from_list([{"input_ids": [0], "labels": [0]}]),  # TRL refuses our class
        processing_class=tokenizer,
        peft_config=_lora(options) if options.lora else None,
    )
    score_here(trainer.model)
    trainer.train_dataset = rows[False]
    if held.any():
        trainer.eval_dataset = Rows(stored, held, max_length=0, share=False, packing=False, seed=0)
    reason = _share(options, rows, trainer, tokenizer) if options.share else "--set share=false"
    if reason and options.packing and n_processes() == 1:
        check_packing(trainer)
    say(_reading(rows, reason))
    return trainer


def _share(options: HubOptions, rows: dict[bool, Rows], trainer: Any, tokenizer: Any) -> str:
    """Let the trainer read shared rows; return "" or the reason why its model cannot."""
    from deskcheck.training.hub.shared import attend, why_not

    hook = attend(trainer.model)
    if trainer.is_fsdp_enabled or trainer.is_deepspeed_enabled:  # no process has all weights yet
        reason = _static_reason(trainer.model)
    else:
        most = rows[True].most()
        reason = why_not(
            trainer.model, rows[True][most], rows[True].examples(most), pad=tokenizer.pad_token_id
        )
    if reason:
        hook.remove()
        return f"this model cannot share: {reason}"
    trainer.train_dataset = rows[True]
    trainer.data_collator = _collator(options, True, tokenizer, trainer.model)
    return ""


def _static_reason(model: Any) -> str:
    """Return the reason against sharing that the model's configuration gives; "" = none."""
    from deskcheck.training.hub.shared import Attend

    return Attend(model.config).why_not()


def _collator(options: HubOptions, share: bool, tokenizer: Any, model: Any = None) -> Any:
    from trl.trainer.sft_trainer import DataCollatorForLanguageModeling

    from deskcheck.training.hub.shared import BLOCK, collate

    pad = tokenizer.pad_token_id
    if not share:
        return DataCollatorForLanguageModeling(pad, padding_free=options.packing)
    flex = model.config.get_text_config()._attn_implementation == "flex_attention"
    return partial(collate, pad=pad, block=BLOCK if flex else 1)


def _reading(rows: dict[bool, Rows], reason: str) -> str:
    """Render the tokens of one pass over the data, an epoch.

    For example "25,841 tokens a pass instead of 82,622 one by one, 3.20 times fewer: ..".
    """
    alone = rows[False].n_tokens
    if reason:
        return f"every example reads its program again ({reason}): {alone:,} tokens a pass"
    n = rows[True].n_tokens
    return (
        f"{n:,} tokens a pass instead of {alone:,} one by one, {alone / n:.2f} times fewer: the examples of "
        f"a program share it, in {len(rows[True]):,} rows"
    )


def weights_dtype(options: HubOptions, *, bf16: bool) -> Any:
    """Return the number type of the model's weights: with `bf16` and LoRA, bf16; else fp32.

    With `bf16`, products are in bf16 in both cases. At a learning rate of 1e-5, most updates are smaller than
    the distance of two bf16 numbers and would be lost, so weights that are trained are fp32. Under LoRA, the
    weights of the model are frozen, and those of the adapter are fp32.
    """
    import torch

    return torch.bfloat16 if bf16 and options.lora else torch.float32


def _config(options: HubOptions, *, bf16: bool) -> Any:
    """Return TRL's configuration: our fields, then those of --config. UserError if TRL refuses one."""
    import torch
    from trl import SFTConfig

    fields: dict[str, Any] = {
        "output_dir": options.out,
        "num_train_epochs": options.epochs,
        "max_steps": options.steps or -1,
        "per_device_train_batch_size": options.batch,
        "gradient_accumulation_steps": options.accumulate,
        "learning_rate": options.learning_rate or (2e-4 if options.lora else 1e-5),
        "lr_scheduler_type": "cosine",
        "warmup_steps": 0.03,  # a number below 1 is a share of the steps
        "max_length": None,  # longer examples have been left out; none is cut
        "dataset_kwargs": {"skip_prepare_dataset": True},  # the rows are tokens already
        "remove_unused_columns": False,
        "bf16": bf16,
        "use_cpu": not torch.cuda.is_available(),
        "gradient_checkpointing": torch.cuda.is_available(),
        "seed": options.seed,
        "logging_steps": 1,
        "save_strategy": "steps",
        "save_steps": options.save_steps,
        "save_total_limit": 2,
        "report_to": options.report_to or "none",
        "disable_tqdm": True,
    }
    try:
        return SFTConfig(**{**fields, **options.trainer})
    except (ValueError, TypeError, ImportError) as error:
        first = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise UserError(f"--config: TRL refuses these settings: {first[:300]}") from None


def _lora(options: HubOptions) -> Any:
    from peft import LoraConfig

    fields = {"target_modules": LORA_TARGETS, "task_type": "CAUSAL_LM", **options.lora_config}
    return LoraConfig(r=options.lora, lora_alpha=options.lora_alpha or 2 * options.lora, **fields)


def show_batch(options: HubOptions, n: int = 2) -> str:
    """Render the first examples as the trainer sees them, with ⟦ and ⟧ around the tokens with loss."""
    _need_libraries(options)
    options = with_layouts(options)
    no_progress_bars()
    _need_data(options)
    check_kind(options.model, options.revision)
    tokenizer = open_tokenizer(options.model, options.revision)
    with tempfile.TemporaryDirectory() as folder:
        prepare(options, tokenizer, Path(folder) / EXAMPLES, _silent)
        stored = Stored(Path(folder) / EXAMPLES)
        kept = (~held_out(stored, options)).nonzero()[0][:n]
        shown = [_shown(stored, int(at), number, tokenizer) for number, at in enumerate(kept)]
    return "\n".join(shown)


def _shown(stored: Stored, at: int, number: int, tokenizer: Any) -> str:
    row = stored.row(at)
    ids, labels = row["input_ids"].tolist(), row["labels"].tolist()
    shared = stored.shared(at)
    with_others = f", {shared} shared with other examples of its program" if shared else ""
    n_loss = sum(label != -100 for label in labels)
    head = f"--- example {number}: {len(ids)} tokens, {n_loss} with loss{with_others}\n"
    return head + _marked(ids, labels, tokenizer)


def _marked(ids: list[int], labels: list[int], tokenizer: Any) -> str:
    """Decode tokens, with ⟦ and ⟧ around those with loss.

    Neighboring tokens are decoded together, because a character may have several.
    """
    parts: list[str] = []
    for has_loss, run in groupby(zip(ids, labels, strict=True), key=lambda pair: pair[1] != -100):
        text = tokenizer.decode([token for token, _ in run])
        parts.append(f"⟦{text}⟧" if has_loss else text)
    return "".join(parts)


def _need_libraries(options: HubOptions) -> None:
    needed = ["torch", "transformers", "trl", "datasets", *(["peft"] if options.lora else [])]
    for name in needed:
        try:
            __import__(name)
        except ImportError:
            raise MissingExtra(name, "train", "fine-tuning") from None
    for name in options.report_to:
        if name not in REPORTS:
            raise UnknownName("place to report to", name, list(REPORTS))
        if find_spec(name) is None:
            raise UserError(f"--set report_to={name} needs the library '{name}': pip install {name}")


def _need_data(options: HubOptions) -> None:
    """Raise UserError if the data is absent, before any request to the hub."""
    for data in sources_of(options):
        if not data.startswith(f"{GENERATED}:") and not Path(data).exists():
            where = "--data" if data == options.data else options.data
            raise UserError(f"no dataset at '{data}' ({where}); `deskcheck build` makes one")


def _begin(options: HubOptions, out: Path, say: Any) -> dict[str, Any] | None:
    """Return the stored counts of the run to resume; None = a new run. UserError if it cannot be resumed."""
    _need_data(options)
    stored = out / RECORD
    if not stored.is_file():
        if is_first() and any(out.glob("checkpoint-*")):  # would be taken for ours and deleted
            raise UserError(f"'{out}' holds checkpoints of something else; choose another --out")
        if options.resume:
            say(f"no run in '{out}' to resume: it begins")
        return None
    before = tuned_options(out)
    if before is None:
        raise UserError(f"'{out}' holds a run that is no tuning of a model; choose another --out")
    if not options.resume and is_first():
        raise UserError(f"'{out}' already holds a run; continue it with --resume, or choose another --out")
    now = msgspec.to_builtins(options)
    changed = [name for name in now if name not in FREE and before.get(name, now[name]) != now[name]]
    if changed:
        raise UserError(f"'{out}' holds a run with another {', '.join(changed)}; a resumed run keeps its own")
    found: dict[str, Any] = json.loads(stored.read_text(encoding="utf-8")).get("data", {})
    return found
