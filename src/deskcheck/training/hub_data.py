"""Executions as conversations for fine-tuning: what is made of a dataset, and what is left out.

    conversations(options, tokenizer) -> rows of {"prompt": messages, "completion": messages}, and a report

System = layout name and numbered code, user = the question about it, assistant = the answer, which alone
carries loss: the messages that the strategy of the layout sends. Nothing is cut: what is longer than
`max_length` is left out and counted, and so is every program that an evaluation holds (equal up to names and
constants).
"""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from deskcheck.errors import DataError, UnknownName, UserError
from deskcheck.options import key_values
from deskcheck.records import Example, Granularity, Program, Trace
from deskcheck.training.data import split_prompt
from deskcheck.training.traces import At, granularity_of, in_process, in_sandbox

JOINED = (
    "{% for message in messages %}{{ message['content'] }}"
    "{% if message['role'] == 'assistant' %}{{ eos_token }}{% endif %}{% endfor %}"
)
"""Chat template of a base model: the texts one after another, as the layouts write them."""

GENERATED = "generated"
"""`--data generated:easy,medium`: programs made here instead of a dataset."""
Messages = list[dict[str, str]]
Row = dict[str, Messages]


class HubOptions(Struct, frozen=True, kw_only=True):
    """What can be asked of a run."""

    model: str
    """Name on the hub, or a folder."""
    revision: str = "main"
    data: str
    """Dataset folder of `deskcheck build`."""
    out: str
    layouts: list[str] = field(default_factory=lambda: ["line-1"])
    max_examples: int = 8
    """Of one program in one layout: layouts with an example a step give at most so many, drawn at random."""
    lora: int = 0
    """Rank; 0 = all weights are trained."""
    lora_alpha: int = 0
    """0 = twice the rank."""
    max_length: int = 4096
    """Tokens of prompt and completion; longer examples are left out and counted."""
    epochs: float = 1.0
    steps: int = 0
    """Optimiser steps; 0 = as many as the epochs need."""
    batch: int = 1
    """Examples that go through the network together on each device."""
    accumulate: int = 16
    learning_rate: float = 0.0
    """0 = 1e-5, with LoRA 2e-4."""
    sft: str = ""
    """JSON lines of other instruction data ({"messages": [..]} or {"prompt", "completion"})."""
    sft_share: float = 0.0
    """Of all training examples, drawn from `sft`."""
    packing: bool = False
    """Several examples a row, cut nowhere; needs flash attention (a GPU), which keeps them apart."""
    bf16: bool = True
    seed: int = 0
    programs: int = 10_000
    """With --data generated:FAMILY,..: how many are made, of all families together."""
    resume: bool = False
    report_to: list[str] = field(default_factory=list)
    """Also log to: tensorboard, wandb, trackio."""


def hub_options(given: dict[str, Any], settings: list[str]) -> HubOptions:
    """Options from the command line: what has a flag of its own, and `--set key=value` for the rest."""
    import msgspec

    if not given.get("data"):
        raise UserError(
            "name the dataset to tune on: --data FOLDER, made by `deskcheck build`, or --data generated:easy"
        )
    known = [name for name in HubOptions.__struct_fields__ if name not in given]
    values = {name: value for name, value in given.items() if name != "layouts" or value}
    for key, text in key_values(settings, "--set").items():
        if key not in known:
            raise UnknownName("setting of --set", key, known)
        values[key] = text.split(",") if key == "report_to" else text
    try:
        return msgspec.convert(values, HubOptions, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"--set: {error}") from None


class HubReport(Struct, frozen=True):
    """What became of the examples: made = kept + too long; programs = used + in evaluation + no layout."""

    n_programs: int
    n_in_evaluation: int
    """Equal to an evaluated program up to names and constants: left out."""
    n_unusable: int
    """Their run has no text in any of the layouts (it did not return or raise)."""
    n_not_finer: int
    """Programs left out of a layout, since their run could not be had as finely as it reads."""
    n_examples: int
    n_too_long: int
    n_kept: int
    by_layout: dict[str, int]
    n_sft: int
    n_tokens: int
    """Of one epoch."""
    n_loss: int
    """Of these, with loss."""


def conversations(options: HubOptions, tokenizer: Any) -> tuple[list[Row], HubReport]:
    """Shuffled prompt/completion rows, and what became of every program and example."""
    from deskcheck.programs._forms import evaluation_forms

    counts: Counter[str] = Counter()
    by_layout: Counter[str] = Counter()
    rows: list[Row] = []
    for example in _examples(options, evaluation_forms(), counts):
        counts["examples"] += 1
        row = conversation(example)
        n_prompt, n_all = lengths(row, tokenizer)
        if n_all > options.max_length:
            counts["too long"] += 1
            continue
        rows.append(row)
        by_layout[example.representation] += 1
        counts["tokens"] += n_all
        counts["loss"] += n_all - n_prompt
    if not rows:
        raise UserError(
            f"no example of '{options.data}' is left to train on: {dict(counts)}; "
            "check --layouts, --max-length, and `deskcheck data`"
        )
    other = _other(options, len(rows), tokenizer, counts)
    draw = random.Random(options.seed)
    mixed = rows + other
    draw.shuffle(mixed)
    return mixed, HubReport(
        n_programs=counts["programs"],
        n_in_evaluation=counts["in evaluation"],
        n_unusable=counts["unusable"],
        n_not_finer=counts["not finer"],
        n_examples=counts["examples"],
        n_too_long=counts["too long"],
        n_kept=len(rows),
        by_layout=dict(by_layout),
        n_sft=len(other),
        n_tokens=counts["tokens"],
        n_loss=counts["loss"],
    )


def _examples(options: HubOptions, forms: frozenset[str], counts: Counter[str]) -> Iterator[Example]:
    from deskcheck import plugins
    from deskcheck.programs._normal import normal_form
    from deskcheck.training.presets import Mix
    from deskcheck.training.stream import program_examples

    modules = {name: plugins.load("representation", name) for name in options.layouts}
    for program, trace, at in _runs(options, frozenset(map(granularity_of, modules.values()))):
        counts["programs"] += 1
        if normal_form(program.source) in forms:
            counts["in evaluation"] += 1
            continue
        draw = random.Random(f"{options.seed}:{program.id}")
        n_before, lost = counts["made"], list[str]()
        for layout in options.layouts:
            mix = Mix({layout: 1.0}, options.max_examples)
            try:
                made = list(program_examples(program, trace, modules, mix, draw, at=at, lost=lost))
            except UserError:  # the run has no text in this layout
                continue
            counts["made"] += len(made)
            yield from made
        counts["not finer"] += len(lost)
        counts["unusable"] += counts["made"] == n_before


def _runs(options: HubOptions, wanted: frozenset[Granularity]) -> Iterator[tuple[Program, Trace, At]]:
    """The programs to learn from: of a dataset, traced again in the sandbox where need be, or generated."""
    from deskcheck.storage import read_pairs

    source, _, families = options.data.partition(":")
    if source != GENERATED:
        yield from in_sandbox(read_pairs(options.data), wanted)
        return
    from deskcheck.programs.generated import traced
    from deskcheck.training.stream import check_seed

    check_seed(options.seed)
    names = families.split(",")
    for family in names:
        for program, trace in traced(family, seed=options.seed, n=options.programs // len(names)):
            yield program, trace, in_process(program, trace)


def conversation(example: Example) -> Row:
    """An example as the messages that the strategy of its layout sends."""
    head, body = split_prompt(example.prompt)
    return {
        "prompt": [{"role": "system", "content": head}, {"role": "user", "content": body}],
        "completion": [{"role": "assistant", "content": example.target}],
    }


def lengths(row: Row, tokenizer: Any) -> tuple[int, int]:
    """Tokens of the prompt, and of prompt and completion, as the trainer counts them."""
    prompt = tokenizer.apply_chat_template(row["prompt"], add_generation_prompt=True, tokenize=False)
    whole = tokenizer.apply_chat_template(row["prompt"] + row["completion"], tokenize=False)
    count = [len(tokenizer(text, add_special_tokens=False).input_ids) for text in (prompt, whole)]
    return count[0], count[1]


def _other(options: HubOptions, n_own: int, tokenizer: Any, counts: Counter[str]) -> list[Row]:
    """Rows of the other data, as many as the share asks for, none longer than the limit."""
    if not options.sft_share:
        return []
    if not 0 < options.sft_share < 1 or not options.sft:
        raise UserError(f"--sft-share {options.sft_share}: between 0 and 1, and --sft FILE beside it")
    wanted = math.ceil(n_own * options.sft_share / (1 - options.sft_share))
    rows = list(_read_sft(Path(options.sft)))
    random.Random(options.seed).shuffle(rows)
    found: list[Row] = []
    for row in rows:
        if len(found) == wanted:
            break
        n_prompt, n_all = lengths(row, tokenizer)
        if n_all <= options.max_length:
            found.append(row)
            counts["tokens"] += n_all
            counts["loss"] += n_all - n_prompt
    if len(found) < wanted:
        raise UserError(
            f"--sft {options.sft} has {len(found)} usable examples, {wanted} are needed for a share of "
            f"{options.sft_share}; give more, or a smaller --sft-share"
        )
    return found


def _read_sft(path: Path) -> Iterator[Row]:
    if not path.is_file():
        raise UserError(f"no file at '{path}' (--sft)")
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            messages = row.get("messages") or [
                {"role": "user", "content": row["prompt"]},
                {"role": "assistant", "content": row["completion"]},
            ]
            last = messages[-1]
            if last["role"] != "assistant" or len(messages) < 2:
                raise KeyError("the last message is not the assistant's")
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise DataError(f"{path}:{number}: not {{messages}} or {{prompt, completion}}: {error}") from None
        yield {"prompt": messages[:-1], "completion": [last]}


def open_tokenizer(options: HubOptions) -> Any:
    """The model's tokenizer, with a chat template and a padding token."""
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(options.model, revision=options.revision)
    except (OSError, ValueError) as error:
        raise UserError(
            f"no model '{options.model}' (revision {options.revision}): {str(error).splitlines()[0]}; "
            "give a folder, or a name on the hub and a network"
        ) from None
    if tokenizer.chat_template is None:
        tokenizer.chat_template = JOINED
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer
