"""Turn the runs of a dataset into conversations for fine-tuning, and count the programs left out.

    for program in run_examples(options):
        for example, form in program(counts, removed):
            conversation(example, options)  -> {"prompt": messages, "completion": messages}

The messages are those that the strategy of the layout sends. The system message is the layout's name and the
numbered code, the user's message is the question, and the assistant's is the answer, which alone carries
loss. Examples longer than `max_length` tokens are left out and counted, never cut. Programs and rows of other
data that are too near to a benchmark are left out and counted, too (`decontamination`).
"""

from __future__ import annotations

import hashlib
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from deskcheck.decontamination.canonical import normal_form
from deskcheck.decontamination.near import COMPARED, program_copy
from deskcheck.decontamination.prose import near_copy_in
from deskcheck.decontamination.removed import Removed, removed_of, removed_text
from deskcheck.errors import DataError, UnknownName, UserError
from deskcheck.plugins import key_values
from deskcheck.records import Example, Granularity, Program, Trace
from deskcheck.states.calls import stepped_over
from deskcheck.training.data import split_prompt
from deskcheck.training.hub.other import Row, read_rows
from deskcheck.training.mixture import SUFFIX, Part, Splits, interleaved, read_mixture
from deskcheck.training.traces import At, granularity_of, in_process, in_sandbox
from deskcheck.turns.settings import CHECKS, OPTIONS, written

GENERATED = "generated"
"""Prefix in `--data generated:easy,medium`: the programs are generated instead of read from a dataset."""


class HubOptions(Struct, frozen=True, kw_only=True):
    """Options of one fine-tuning run."""

    model: str
    """Name of the model on the hub, or a folder."""
    revision: str = "main"
    """Branch, tag or commit of the model on the hub."""
    data: str
    """Dataset folder of `deskcheck build`, "generated:FAMILY,...", or a mixture: FILE.toml (`mixture.py`)."""
    out: str
    """Folder of the run."""
    layouts: list[str] = field(default_factory=lambda: ["line-1"])
    step_in: str = "yes"
    """`no` = a call is one step in every layout (`states/calls.py`)."""
    literals: str = "plain"
    """`spelled` = each character and digit of a literal stands for itself (`states/spelling.py`)."""
    max_examples: int = 8
    """Most examples per program and layout, drawn at random, for layouts with one example per step."""
    lora: int = 0
    """Rank of LoRA; 0 = all weights are trained."""
    lora_alpha: int = 0
    """LoRA's alpha; 0 = twice the rank."""
    max_length: int = 4096
    """Largest number of tokens of prompt and completion; longer examples are left out and counted."""
    epochs: float = 1.0
    """Times that each example is trained on."""
    steps: int = 0
    """Optimizer steps; 0 = as many as the epochs need."""
    batch: int = 1
    """Examples in one pass through the network, on each device."""
    accumulate: int = 16
    """Passes whose gradients are added up for one optimizer step."""
    learning_rate: float = 0.0
    """Learning rate; 0 = 1e-5, or 2e-4 with LoRA."""
    sft: str = ""
    """File with JSON lines of other instruction data (`other.py`)."""
    sft_share: float = 0.0
    """Share of the training examples that come from `sft`."""
    share: bool = True
    """Whether the examples of a program in one layout form one row with the program once (`shared.py`)."""
    packing: bool = False
    """Whether whole examples are packed into rows of at most `max_length` tokens; none attends to another."""
    attention: str = ""
    """Attention (sdpa, ..); "" = flex_attention for shared rows on a GPU, else transformers' default."""
    held_out: int = 0
    """Number of programs (up to names and constants) that are held out and evaluated during training."""
    eval_steps: int = 0
    """Steps between two evaluations on the held-out programs; 0 = ten evaluations per run."""
    save_steps: int = 200
    """Steps between two checkpoints; the newest two stay."""
    bf16: bool = True
    """Whether the network computes in bfloat16 where the device can."""
    seed: int = 0
    programs: int = 10_000
    """Number of programs with --data generated:FAMILY,.., over all families."""
    resume: bool = False
    """Whether the run in `out` is continued from its newest checkpoint."""
    threads: int = 0
    """Processor threads; 0 = torch's default."""
    report_to: list[str] = field(default_factory=list)
    """Further places for the log: tensorboard, wandb, trackio."""
    push_to_hub: str = ""
    """Place for the finished model: USER/NAME on the hub, or a folder (`push.py`)."""
    private: bool = True
    """Whether a repository that the upload creates is private."""
    push_revision: str = ""
    """Branch of the upload; "" = main."""
    trainer: dict[str, Any] = field(default_factory=dict)
    """More fields of TRL's SFTConfig, from `--config` (`config.py`)."""
    lora_config: dict[str, Any] = field(default_factory=dict)
    """More fields of PEFT's LoraConfig."""
    quantization: dict[str, Any] = field(default_factory=dict)
    """Fields of BitsAndBytesConfig for loading the frozen weights under LoRA."""


FROM_CONFIG = ("trainer", "lora_config", "quantization")
"""Options that only `--config` sets."""


def hub_options(given: dict[str, Any], settings: list[str], config: str = "") -> HubOptions:
    """Return the options of a command line: flags, `--config`, and `--set key=value`.

    `given`: option -> value of the flags. `settings`: texts "key=value". `config`: a YAML file, "" = none.
    UserError names what is missing, unknown or set twice.
    """
    import msgspec

    if not given.get("data"):
        raise UserError(
            "name the dataset to tune on: --data FOLDER, made by `deskcheck build`, or --data generated:easy"
        )
    known = [name for name in HubOptions.__struct_fields__ if name not in {*given, *FROM_CONFIG}]
    values = {name: value for name, value in given.items() if name != "layouts" or value}
    if given["data"].endswith(SUFFIX) and given.get("layouts"):
        raise UserError(f"--layouts beside --data {given['data']}: a mixture names its layouts itself")
    if config:
        from deskcheck.training.hub.config import read_config

        values |= (named := read_config(config))
    for key, text in key_values(settings, "--set").items():
        if key not in known:
            raise UnknownName("setting of --set", key, known)
        if config and key in named:
            raise UserError(f"--set {key} and --config {config} both set it; leave it out of one of them")
        values[key] = text.split(",") if key == "report_to" else text
    try:
        return checked(msgspec.convert(values, HubOptions, strict=False))
    except msgspec.ValidationError as error:
        raise UserError(f"--set: {error}") from None


LEAST: dict[str, float] = {
    "max_examples": 1, "lora": 0, "lora_alpha": 0, "max_length": 1, "steps": 0, "batch": 1, "accumulate": 1,
    "learning_rate": 0, "programs": 1, "held_out": 0, "eval_steps": 0, "save_steps": 1,
}  # fmt: skip
"""Smallest allowed value of each numeric option. `checked` asks for epochs above 0."""
MOST_LORA = 4096
"""Largest LoRA rank: the hidden size of an 8B model. An adapter of that rank is larger than its matrix."""


def checked(options: HubOptions) -> HubOptions:
    """Check the options and return them. UserError names a refused value or a repeated layout."""
    for name, least in LEAST.items():
        value = getattr(options, name)
        if not value >= least:
            raise UserError(f"--set {name}={value}: {least:g} or more")
    for name in sorted(OPTIONS):
        form, words = CHECKS[name]
        if not re.fullmatch(form, getattr(options, name)):
            raise UserError(f"--set {name}={getattr(options, name)}: expected {words}")
    if options.lora > MOST_LORA:
        raise UserError(f"--set lora={options.lora}: at most {MOST_LORA}, the rank of an adapter")
    if not options.epochs > 0:
        raise UserError(f"--set epochs={options.epochs:g}: more than 0")
    if len(set(options.layouts)) != len(options.layouts):
        raise UserError(f"--layouts names one twice: {','.join(options.layouts)}")
    return options


class HubReport(Struct, frozen=True):
    """Counts of the data: n_examples = n_kept + n_too_long.

    n_programs = programs used + n_in_evaluation + n_unusable + n_other_split + n_not_drawn.
    """

    n_programs: int
    n_in_evaluation: int
    """Programs left out because they are too near to a program of a benchmark."""
    n_unusable: int
    """Programs without a text in any layout (their run did not end), or in the syntax of a newer Python."""
    n_not_finer: int
    """Times that a program was left out of a layout, because no trace of the granularity needed was made."""
    n_examples: int
    n_too_long: int
    n_kept: int
    by_layout: dict[str, int]
    n_sft: int
    n_tokens: int
    """Tokens of one epoch, if no examples shared their program."""
    n_loss: int
    """Tokens with loss among `n_tokens`."""
    n_read: int = 0
    """Tokens that one epoch reads if examples share their program."""
    n_near: int = 0
    """Programs of `n_in_evaluation` that are near copies rather than identical."""
    n_sft_in_evaluation: int = 0
    """Rows of other data left out because their code is too near to a program of a benchmark."""
    n_held_out: int = 0
    """Kept examples that are evaluated instead of trained on."""
    n_held_out_programs: int = 0
    """Held-out programs, counted up to names and constants."""
    n_other_split: int = 0
    """Programs of a mixture whose family belongs to another split."""
    n_not_drawn: int = 0
    """Programs of a mixture for which its shares drew no layout."""
    digest: str = ""
    """sha256 of the examples in their order; all processes of a run must have the same."""


class Source(Struct, frozen=True):
    """One source of programs, and the layouts that its programs are written in."""

    options: HubOptions
    modules: dict[str, ModuleType]
    """Name -> module of each layout, in their order."""
    shares: dict[str, float]
    """Layout -> share of the programs written in it; empty = all programs in all layouts."""
    splits: Splits | None = None


class Run(NamedTuple):
    """One program of the data with its trace; calling it yields its examples and updates the counts."""

    source: Source
    program: Program
    trace: Trace
    at: At

    def __call__(self, counts: Counter[str], removed: list[Removed]) -> Iterator[tuple[Example, int]]:
        """Yield the examples layout by layout, each with the form number of its program."""
        return _of_program(*self, counts, removed)


def run_examples(options: HubOptions, *, skip: int = 0) -> Iterator[Run]:
    """Yield every program of the data except the first `skip`; a mixture's come in the order of its draws."""
    if not options.data.endswith(SUFFIX):
        yield from _runs_of(_source(options, {}), skip)
        return
    mixture = read_mixture(Path(options.data))

    def of(part: Part) -> HubOptions:
        return replace(options, data=part.data, layouts=list(part.layouts), seed=mixture.seed)

    for part in mixture.part:
        _source(of(part), part.layouts)  # reports an unknown layout before any data is read
    splits = Splits(mixture, lambda part: _programs(of(part)))
    drawn = interleaved(mixture, lambda part: _runs_of(_source(of(part), part.layouts, splits), 0))
    yield from islice(drawn, skip, None)


def _source(options: HubOptions, shares: dict[str, float], splits: Splits | None = None) -> Source:
    from deskcheck import plugins

    modules = {name: plugins.load("layout", name) for name in options.layouts}
    return Source(options, modules, shares, splits)


def _runs_of(source: Source, skip: int) -> Iterator[Run]:
    wanted = frozenset(map(granularity_of, source.modules.values()))
    for program, trace, at in _runs(source.options, wanted, skip):
        if source.options.step_in == "no":
            yield Run(source, program, stepped_over(trace), _stepping_over(at))
        else:
            yield Run(source, program, trace, at)


def _stepping_over(at: At) -> At:
    def over(wanted: Granularity) -> Trace | None:
        trace = at(wanted)
        return trace and stepped_over(trace)

    return over


def sources_of(options: HubOptions) -> list[str]:
    """Name the datasets that the data consists of, one unless it is a mixture."""
    if not options.data.endswith(SUFFIX):
        return [options.data]
    return [part.data for part in read_mixture(Path(options.data)).part]


def with_layouts(options: HubOptions) -> HubOptions:
    """Return the options; if the data is a mixture, with the mixture's layouts."""
    if not options.data.endswith(SUFFIX):
        return options
    parts = read_mixture(Path(options.data)).part
    return replace(options, layouts=list(dict.fromkeys(name for part in parts for name in part.layouts)))


def _of_program(
    source: Source, program: Program, trace: Trace, at: At, counts: Counter[str], removed: list[Removed]
) -> Iterator[tuple[Example, int]]:
    """Yield the examples of a program in the layouts drawn for it; count a program that is left out."""
    from deskcheck.training.presets import Mix
    from deskcheck.training.stream import program_examples

    options = source.options
    counts["programs"] += 1
    try:
        if source.splits is not None and not source.splits.has(program):
            counts["other split"] += 1
            return
        is_python = program.language == "python"  # only Python has a form without names
        form = form_number(program.source) if is_python else _number(program.source)
        match = program_copy(program) if program.language in COMPARED else None
    except SyntaxError:  # syntax of a newer Python: it cannot be compared with the benchmarks
        counts["unusable"] += 1
        return
    if match is not None:
        counts["in evaluation"] += 1
        counts["near"] += not match.same
        removed.append(removed_of(program, match))
        return
    draw = random.Random(f"{options.seed}:{program.id}")
    shares = source.shares
    layouts = [name for name in source.modules if not shares or draw.random() < shares[name]]
    if not layouts:
        counts["not drawn"] += 1
        return
    n_made, lost = 0, list[str]()
    for layout in layouts:
        mix = Mix({layout: 1.0}, options.max_examples)
        try:
            examples = list(program_examples(program, trace, source.modules, mix, draw, at=at, lost=lost))
        except UserError:  # the run has no text in this layout
            continue
        n_made += len(examples)
        yield from ((example, form) for example in examples)
    counts["not finer"] += len(lost)
    counts["unusable"] += not n_made


def form_number(source: str) -> int:
    """Return the first 63 bits of a hash of the program up to names and constants."""
    return _number(normal_form(source))


def _number(text: str) -> int:
    digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).digest()
    return int.from_bytes(digest[:8], "big") >> 1


def _runs(
    options: HubOptions, wanted: frozenset[Granularity], skip: int
) -> Iterator[tuple[Program, Trace, At]]:
    """Yield programs with traces: generated, or of a dataset and traced again in the sandbox if needed."""
    from deskcheck.format.shards import read_pairs

    source, _, families = options.data.partition(":")
    if source != GENERATED:
        yield from in_sandbox(islice(read_pairs(options.data), skip, None), wanted)
        return
    yield from islice(_generated(options, families.split(",")), skip, None)


def _programs(options: HubOptions) -> Iterator[Program]:
    """Yield the programs of `_runs` in the same order, without traces."""
    from deskcheck.format.shards import read_packed

    if options.data.startswith(f"{GENERATED}:"):
        yield from (program for program, _, _ in _runs(options, frozenset(), 0))
        return
    yield from (program for program, _ in read_packed(options.data) if program is not None)


def _generated(options: HubOptions, names: list[str]) -> Iterator[tuple[Program, Trace, At]]:
    from deskcheck.programs.generated import traced
    from deskcheck.training.stream import check_seed

    check_seed(options.seed)
    for number, family in enumerate(names):
        n = options.programs // len(names) + (number < options.programs % len(names))
        for program, trace in traced(family, seed=options.seed, n=n) if n else ():
            yield program, trace, in_process(program, trace)


def conversation(example: Example, options: HubOptions) -> Row:
    """Return an example as the messages that the strategy of its layout sends."""
    head, body = split_prompt(example.prompt)
    head, body, target = written(
        head, body, example.target, step_in=options.step_in, literals=options.literals
    )
    return {
        "prompt": [{"role": "system", "content": head}, {"role": "user", "content": body}],
        "completion": [{"role": "assistant", "content": target}],
    }


def other_rows(
    options: HubOptions,
    n_own: int,
    length: Callable[[Row], int],
    counts: Counter[str],
    removed: list[Removed],
) -> list[Row]:
    """Draw the number of rows of other data that `sft_share` asks for, all within `max_length` tokens.

    `n_own`: number of examples that are not other data. `length`: row -> its tokens. UserError if there are
    too few rows, DataError if a row cannot be read or written by the chat template.
    """
    from jinja2 import TemplateError

    if not options.sft_share and not options.sft:
        return []
    if not 0 < options.sft_share < 1 or not options.sft:
        raise UserError(
            f"--set sft_share={options.sft_share:g}: between 0 and 1, and --set sft=FILE beside it "
            "(the share of all examples that come from FILE)"
        )
    wanted = math.ceil(n_own * options.sft_share / (1 - options.sft_share))
    rows = list(read_rows(Path(options.sft)))
    random.Random(options.seed).shuffle(rows)
    picked: list[Row] = []
    for row, place in rows:
        if len(picked) == wanted:
            break
        text = "\n".join(message["content"] for message in row["prompt"] + row["completion"])
        if (match := near_copy_in(text)) is not None:
            counts["sft in evaluation"] += 1
            removed.append(removed_text(text, place, match))
            continue
        try:
            n_all = length(row)
        except TemplateError as error:
            raise DataError(f"{place}: the model's chat template cannot write it: {error}") from None
        if n_all > options.max_length:
            counts["sft too long"] += 1
            continue
        picked.append(row)
    if len(picked) < wanted:
        raise UserError(
            f"--set sft={options.sft} has {len(picked)} usable examples ({counts['sft too long']} more are "
            f"over {options.max_length} tokens, {counts['sft in evaluation']} too near to a benchmark), "
            f"{wanted} are needed for a share of {options.sft_share:g}; "
            "give more, or a smaller sft_share"
        )
    return picked
