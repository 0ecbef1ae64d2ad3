"""Read a YAML file with fields of TRL, PEFT and quantization into the settings of a tuning run.

    lr_scheduler_type: linear         # any field of TRL's SFTConfig
    use_liger_kernel: true
    fsdp: full_shard                  # or deepspeed: ds.json
    lora: {r: 16, target_modules: [q_proj, v_proj], lora_dropout: 0.05}       # any field of PEFT's LoraConfig
    quantization: {load_in_4bit: true, bnb_4bit_quant_type: nf4}              # of BitsAndBytesConfig: QLoRA

    read_config("sft.yaml") -> {"learning_rate": .., "trainer": {..}, "lora_config": {..}, ..}

Some fields mean the same as a setting of `--set` (SAME). Such a field replaces the setting's default; if the
command gives the setting too, the run is refused. An unknown field is an error, and so is a field that an
option of the command sets (output_dir: --out).
"""

from __future__ import annotations

import dataclasses
import difflib
from pathlib import Path
from typing import Any

from deskcheck.errors import MissingExtra, UserError

SAME = {
    "num_train_epochs": "epochs", "max_steps": "steps", "per_device_train_batch_size": "batch",
    "gradient_accumulation_steps": "accumulate", "learning_rate": "learning_rate", "save_steps": "save_steps",
    "report_to": "report_to", "bf16": "bf16", "max_length": "max_length", "packing": "packing",
}  # fmt: skip
"""Field of SFTConfig -> the setting of `--set` with the same meaning."""
LORA_RANK = 8
"""PEFT's default rank, for a section `lora` without `r`."""
# Refused fields -> the option or setting of the command that sets the same.
OURS = {
    "output_dir": "--out", "seed": "--seed", "resume_from_checkpoint": "--resume",
    "push_to_hub": "--push-to-hub", "hub_model_id": "--push-to-hub", "hub_strategy": "--push-to-hub",
    "hub_token": "the environment variable HF_TOKEN", "hub_private_repo": "--set private=true",
    "hub_revision": "--set push_revision=..", "attn_implementation": "--set attention=..",
}  # fmt: skip
FIXED = {
    "completion_only_loss", "assistant_only_loss", "dataset_kwargs", "dataset_text_field", "dataset_num_proc",
    "eval_packing", "packing_strategy", "padding_free", "shuffle_dataset", "truncation_mode",
    "remove_unused_columns", "chat_template_path", "eos_token", "pad_token", "model_init_kwargs",
    "pad_to_multiple_of", "use_cpu", "disable_tqdm",
}  # fmt: skip
"""Refused fields: they would change which tokens carry loss, or have no effect here."""
SECTIONS = ("lora", "quantization")


def read_config(path: str) -> dict[str, Any]:
    """Return the fields of HubOptions that the file sets. UserError names its mistake."""
    try:
        import yaml
        from peft import LoraConfig
        from trl import SFTConfig
    except ImportError as error:
        raise MissingExtra(error.name or "trl", "train", "--config") from None
    file = Path(path)
    try:
        given = yaml.safe_load(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UserError(f"--config {path}: {error.strerror or error}") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UserError(f"--config {path} is no YAML: {' '.join(str(error).split())}") from None
    if not isinstance(given, dict):
        raise UserError(f"--config {path}: a {type(given).__name__}; wanted: lines of FIELD: VALUE")
    sections = {name: given.pop(name, None) for name in SECTIONS}
    for name, section in sections.items():
        if section is not None and not isinstance(section, dict):
            raise UserError(f"--config {path}: {name} is to hold fields, not {section!r:.40}")
    values: dict[str, Any] = {
        "trainer": {},
        "lora_config": {},
        "quantization": sections["quantization"] or {},
    }
    for name, value in _typed(given, SFTConfig, path, "TRL's SFTConfig").items():
        if name in SAME:
            values[SAME[name]] = [value] if name == "report_to" and isinstance(value, str) else value
        else:
            values["trainer"][name] = value
    if sections["lora"] is not None:
        lora = _typed(sections["lora"], LoraConfig, path, "PEFT's LoraConfig")
        values["lora"] = lora.pop("r", LORA_RANK)
        if "lora_alpha" in lora:
            values["lora_alpha"] = lora.pop("lora_alpha")
        values["lora_config"] = lora
    if values["quantization"]:
        from transformers import BitsAndBytesConfig

        known = list(BitsAndBytesConfig.__init__.__code__.co_varnames[1:])
        for name in values["quantization"]:
            _check_known(name, known, path, "transformers' BitsAndBytesConfig")
        if not values.get("lora"):
            raise UserError(f"--config {path}: quantised weights are not trained; give a section lora beside")
    return values


def _typed(given: dict[Any, Any], kind: Any, path: str, title: str) -> dict[str, Any]:
    """Check the fields for one class; convert numbers that YAML reads as text (1e-4)."""
    fields = {field.name: field for field in dataclasses.fields(kind) if field.init}
    values = {}
    for name, value in given.items():
        if name in OURS:
            raise UserError(f"--config {path}: {name} belongs to the command; say {OURS[name]}")
        if name in FIXED:
            raise UserError(
                f"--config {path}: {name} is fixed here: whole answers carry loss, and nothing else"
            )
        _check_known(name, list(fields), path, title)
        is_number = "float" in str(fields[name].type) and "str" not in str(fields[name].type)
        if isinstance(value, str) and is_number:
            try:
                value = float(value)
            except ValueError:
                raise UserError(f"--config {path}: {name}: {value!r} is no number") from None
        values[str(name)] = value
    return values


def _check_known(name: Any, known: list[str], path: str, title: str) -> None:
    if name not in known:
        near = difflib.get_close_matches(str(name), known, 2)
        raise UserError(
            f"--config {path}: {name} is no field of {title}" + (f"; near: {', '.join(near)}" if near else "")
        )
