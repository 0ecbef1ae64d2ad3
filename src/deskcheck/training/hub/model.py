"""Open a model and its tokenizer, check both before a tuning run, and merge LoRA's adapter after it.

    open_tokenizer("Qwen/Qwen2.5-Coder-0.5B", "main")   with a chat template and a padding token
    open_model("runs/base", "main", ..)                 a causal language model; others are refused
    merge("runs/qwen", "runs/qwen-merged")              LoRA's adapter merged into the weights

Refused are models that do not continue text (T5) or read ahead (BERT would see the answers), adapters in
place of models, and folders without weights. If a chat template refuses a system message, the message is
joined to the user's. A model without a template gets a template that joins the texts, after the tokenizer's
begin mark if there is one. The changed template is saved with the tuned model, so evaluation uses the form of
training.
"""

from __future__ import annotations

import json
import os
import shutil
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from deskcheck.errors import DataError, UserError
from deskcheck.inference.chat_template import give_template

WITHOUT_SYSTEM = (
    "{% if messages | length > 1 and messages[0]['role'] == 'system' %}{% set messages = "
    "[{'role': 'user', 'content': messages[0]['content'] + messages[1]['content']}] + messages[2:] %}"
    "{% endif %}"
)
"""Text before a template that refuses a system message; it moves that message to the start of the user's."""
ADAPTER = "adapter_config.json"
RECORD = "run.json"
TOLERANCE = 1e-3
"""Largest allowed difference of a logit between merged weights in fp32 and the model with its adapter.

It is a share of the largest logit if that is over 1.
"""


def no_progress_bars() -> None:
    """Switch off the progress bars of transformers and datasets, which would mix with our output."""
    import datasets
    import transformers

    transformers.utils.logging.disable_progress_bar()
    datasets.disable_progress_bars()


def open_tokenizer(name: str, revision: str) -> Any:
    """Open the model's tokenizer and give it a chat template and a padding token. UserError if that fails."""
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(name, revision=revision)
    except (OSError, ValueError, ImportError) as error:  # ImportError: sentencepiece, tiktoken
        raise UserError(
            f"no model '{name}' (revision {revision}): {_first_line(error)}; "
            "give a folder with its tokenizer, or a name on the hub and a network"
        ) from None
    if tokenizer.eos_token is None:
        raise UserError(
            f"the tokenizer of '{name}' has no end mark (eos_token), so no answer could end; "
            "set one in its tokenizer_config.json"
        )
    give_template(tokenizer)
    _fit_template(name, tokenizer)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def _fit_template(name: str, tokenizer: Any) -> None:
    """Make the template accept a system message. UserError if that fails."""
    from jinja2 import TemplateError

    system, user = {"role": "system", "content": "a\n"}, {"role": "user", "content": "b"}
    turns = [user, {"role": "assistant", "content": "c"}]
    try:
        tokenizer.apply_chat_template([system, *turns], tokenize=False)
        return
    except TemplateError:
        own = tokenizer.chat_template
    try:
        tokenizer.chat_template = WITHOUT_SYSTEM + own
        tokenizer.apply_chat_template([system, *turns], tokenize=False)
    except TemplateError as error:
        raise UserError(
            f"the chat template of '{name}' cannot write a question and an answer: {_first_line(error)}; "
            "set another one in its tokenizer_config.json"
        ) from None


def open_model(
    name: str, revision: str, *, attention: str, dtype: Any, shares: bool = False, quantization: Any = None
) -> Any:
    """Open a causal language model. UserError if it cannot be opened or is of another kind.

    `attention`: name of an implementation in transformers; "" = its default. `shares`: rows share programs on
    a GPU, so the default is FlexAttention, if the model supports it. `quantization`: fields of
    BitsAndBytesConfig, or None.
    """
    from safetensors import SafetensorError
    from transformers import AutoModelForCausalLM

    check_kind(name, revision)
    more = {"quantization_config": _quantized(quantization)} if quantization else {}

    def opened(how: str) -> Any:
        implementation = {"attn_implementation": how} if how else {}
        return AutoModelForCausalLM.from_pretrained(
            name, revision=revision, dtype=dtype, **implementation, **more
        )

    try:
        try:
            model = opened(attention or ("flex_attention" if shares else ""))
        except (ValueError, ImportError):
            if attention or not shares:
                raise
            model = opened("")  # this model has no FlexAttention: masks of four dimensions
    except (OSError, ValueError, ImportError, SafetensorError) as error:
        raise UserError(f"the model '{name}' cannot be opened: {_first_line(error)}") from None
    if n_processes() == 1:  # with more processes, this one may hold no weights yet
        check_reads_backwards(name, model)
    return model


def _quantized(fields: dict[str, Any]) -> Any:
    from transformers import BitsAndBytesConfig

    if find_spec("bitsandbytes") is None:
        raise UserError("--config: quantization needs the library 'bitsandbytes': pip install bitsandbytes")
    return BitsAndBytesConfig(**fields)


def check_kind(name: str, revision: str) -> None:
    """Raise UserError if the configuration is not one of a causal language model."""
    from transformers import MODEL_FOR_CAUSAL_LM_MAPPING, AutoConfig

    if (Path(name) / ADAPTER).is_file() and not (Path(name) / "config.json").is_file():
        raise UserError(
            f"'{name}' is an adapter of LoRA, no model; `deskcheck export RUN --out DIR` adds it into its "
            "model, which can be tuned on"
        )
    try:
        config = AutoConfig.from_pretrained(name, revision=revision)
    except (OSError, ValueError) as error:
        raise UserError(
            f"no model '{name}' (revision {revision}): {_first_line(error)}; "
            "give a folder of a model, or a name on the hub and a network"
        ) from None
    if type(config) not in MODEL_FOR_CAUSAL_LM_MAPPING and "AutoModelForCausalLM" not in (
        getattr(config, "auto_map", None) or {}
    ):
        raise UserError(
            f"'{name}' is a model of type '{config.model_type}', which is no causal language model; "
            "give one that continues text (Llama, Qwen, ..)"
        )


def check_reads_backwards(name: str, model: Any) -> None:
    """Raise UserError if the score of a token depends on later tokens: such a model would see the answers."""
    import torch

    n_tokens, half = model.get_input_embeddings().num_embeddings, 8
    ids = torch.arange(2 * half, device=model.device)[None] % n_tokens
    other = ids.clone()
    other[0, half:] = (other[0, half:] + n_tokens // 2) % n_tokens
    was_training, how = model.training, model.config._attn_implementation
    if how == "flex_attention":  # it would be compiled for the processor, where the weights still are
        model.set_attn_implementation("sdpa")
    model.eval()
    with torch.no_grad():
        scores = [model(input_ids=one).logits[0, :half].float() for one in (ids, other)]
    model.train(was_training)
    if how == "flex_attention":
        model.set_attn_implementation(how)
    noise = 1e-4 if next(model.parameters()).dtype is torch.float32 else 3e-3
    if float((scores[0] - scores[1]).abs().max()) > noise * float(scores[0].abs().max()):
        raise UserError(
            f"'{name}' reads ahead: its scores depend on later tokens, so it would see the answers that "
            "it is to learn (an encoder like BERT); give a causal language model"
        )


def check_packing(trainer: Any) -> None:
    """Raise UserError if the loss of a packed row differs from that of its examples one by one."""
    import torch

    model = trainer.model
    row = trainer.train_dataset[trainer.train_dataset.most()]
    was_training = model.training
    model.eval()
    device = next(model.parameters()).device
    losses = []
    for lengths in (row["seq_lengths"], None):
        losses.append(0.0)
        for part in _parts(row, row["seq_lengths"]) if lengths is None else [row]:
            batch = trainer.data_collator([part])
            batch = {n: v.to(device) if hasattr(v, "to") else v for n, v in batch.items()}
            wanted = batch.pop("labels")[0, 1:]
            with torch.no_grad():
                scores = model(**batch).logits[0, :-1].float()
            losses[-1] += float(torch.nn.functional.cross_entropy(scores, wanted, reduction="sum"))
    model.train(was_training)
    exact = next(model.parameters()).dtype is torch.float32
    if abs(losses[0] - losses[1]) > (1e-4 if exact else 2e-2) * losses[1]:
        raise UserError(
            "--set packing=true: in this model the examples of a row see each other (loss "
            f"{losses[0]:.4f} packed, {losses[1]:.4f} one by one); train without it, or with "
            "--set attention=flash_attention_2"
        )


def _parts(row: dict[str, Any], lengths: list[int]) -> list[dict[str, Any]]:
    """Split a packed row into its examples."""
    ends = [sum(lengths[: n + 1]) for n in range(len(lengths))]
    return [
        {
            **{name: row[name][end - size : end] for name in ("input_ids", "labels")},
            "seq_lengths": [size],
        }
        for end, size in zip(ends, lengths, strict=True)
    ]


def tuned_options(run: Path) -> dict[str, Any] | None:
    """Return the options of the run of `deskcheck train --model` in a folder; None if it holds none."""
    try:
        stored = json.loads((run / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    found = stored.get("options") if isinstance(stored, dict) else None
    return found if isinstance(found, dict) and "model" in found else None


def merge(run: str, out: str) -> float:
    """Merge a LoRA run's adapter into its model, write it to `out`, and return the largest change of a logit.

    DataError if the run has no adapter, or the merged model computes other scores than model and adapter.
    """
    import torch
    from peft import PeftModel
    from transformers import AutoModelForCausalLM

    no_progress_bars()
    folder, options = Path(run) / "model", tuned_options(Path(run))
    if options is None or not (folder / ADAPTER).is_file():
        raise DataError(f"no finished LoRA run in '{run}': {folder / ADAPTER} is not there")
    tokenizer = open_tokenizer(str(folder), "main")
    base = AutoModelForCausalLM.from_pretrained(
        options["model"], revision=options["revision"], dtype=torch.float32
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of PEFT about names in transformers
        with_adapter = PeftModel.from_pretrained(base, str(folder)).eval()
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": "def f(x):\n    return x + 1\n"}], tokenize=False
    )
    ids = torch.tensor([tokenizer(text, add_special_tokens=False).input_ids])
    with torch.no_grad():
        before = with_adapter(input_ids=ids).logits
        merged = with_adapter.merge_and_unload().eval()
        after = merged(input_ids=ids).logits
    apart, size = float((after - before).abs().max()), float(before.abs().max())
    if apart > TOLERANCE * max(1.0, size):
        raise DataError(
            f"the merged model of '{run}' computes other scores, by up to {apart:.2g}; not written"
        )
    target = Path(out)
    merged.to(_own_dtype(options)).save_pretrained(str(target))
    tokenizer.save_pretrained(str(target))
    if (folder / "README.md").is_file():
        shutil.copyfile(folder / "README.md", target / "README.md")
    return apart


def _own_dtype(options: dict[str, Any]) -> Any:
    """Return the number type in which the base model is stored."""
    import torch
    from transformers import AutoConfig

    config = AutoConfig.from_pretrained(options["model"], revision=options["revision"])
    stored = getattr(config, "dtype", None)
    return stored if isinstance(stored, torch.dtype) else torch.float32


def last_checkpoint(out: Path) -> Path | None:
    """Return the newest complete checkpoint of a run; `trainer_state.json` is written last."""
    found = [file.parent for file in out.glob("checkpoint-*/trainer_state.json") if _is_whole(file)]
    return max(found, key=lambda folder: int(folder.name.split("-")[1])) if found else None


def _is_whole(state: Path) -> bool:
    try:
        return isinstance(json.loads(state.read_text(encoding="utf-8")), dict)
    except ValueError:
        return False


def n_processes() -> int:
    """Return the number of processes of this run, as set by `accelerate launch` or torchrun."""
    return int(os.environ.get("WORLD_SIZE", "1"))


def is_first() -> bool:
    """Whether this process is the one that prints and writes files."""
    return os.environ.get("RANK", "0") == "0"


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:300].rstrip(": ")
