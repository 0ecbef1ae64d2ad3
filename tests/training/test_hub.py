"""Fine-tuning a model of the hub's layout: exactly the answers carry loss, nothing is cut, a run goes on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("trl", reason="needs the extra 'train'")
pytest.importorskip("peft", reason="needs the extra 'train'")

import torch
from safetensors.torch import load_file
from transformers import AutoModelForCausalLM

from deskcheck.errors import DataError, UserError
from deskcheck.format.shards import write_pairs
from deskcheck.programs.generated import traced
from deskcheck.records import Example
from deskcheck.tracing.access import has_native
from deskcheck.training.hub import tuning
from deskcheck.training.hub.data import HubOptions, HubReport, conversation
from deskcheck.training.hub.model import open_model, open_tokenizer
from deskcheck.training.hub.other import read_rows
from deskcheck.training.hub.shards import Stored, held_out, prepare
from deskcheck.training.hub.tuning import fine_tune, show_batch, weights_dtype

SPEAKING = (
    "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def logged(folder: Path) -> list[float]:
    entries = [json.loads(line) for line in (folder / "train.jsonl").read_text().splitlines()]
    return [entry["loss"] for entry in entries if "loss" in entry]


def silent(text: str) -> None:
    pass


def examples(chosen: HubOptions, tokenizer: Any = None) -> tuple[Stored, HubReport]:
    """The examples of a run on disk, and what became of all."""
    folder = Path(chosen.out) / "examples"
    report = prepare(chosen, tokenizer or open_tokenizer(chosen.model, chosen.revision), folder, silent)
    return Stored(folder), report


def options(base: Path, data: Path, out: Path, **changes: Any) -> HubOptions:
    fields: dict[str, Any] = {
        "model": str(base), "data": str(data), "out": str(out), "layouts": ["direct", "line-1"],
        "max_examples": 2, "max_length": 600, "steps": 3, "accumulate": 2, "bf16": False,
        "learning_rate": 1e-2,
    }  # fmt: skip
    return HubOptions(**{**fields, **changes})


@pytest.mark.parametrize(("template", "share"), [(None, False), (SPEAKING, False), (SPEAKING, True)])
def test_exactly_the_answers_carry_loss(
    base: Path, data: Path, tmp_path: Path, template: str | None, share: bool
) -> None:
    from deskcheck.training.hub.tuning import make_trainer

    chosen = options(base, data, tmp_path, share=share)
    tokenizer = open_tokenizer(chosen.model, chosen.revision)
    if template:
        tokenizer.chat_template = template
    stored, report = examples(chosen, tokenizer)
    said: list[str] = []
    trainer = make_trainer(chosen, stored, tokenizer, said.append)
    n_tokens = n_loss = 0
    learned = []
    for row in trainer.train_dataset:
        batch = trainer.data_collator([row])
        ids, labels = batch["input_ids"][0].tolist(), batch["labels"][0].tolist()
        questions = batch["question"][0].tolist() if share else [1] * len(ids)
        for number in range(1, max(questions) + 1):
            own = zip(ids, labels, questions, strict=True)
            learned.append(tokenizer.decode([i for i, label, q in own if label == i and q == number]))
        n_tokens, n_loss = n_tokens + len(ids), n_loss + sum(label != -100 for label in labels)
    assert sorted(learned) == sorted(f"{one.target}</s>" for one in made(chosen))
    assert n_loss == report.n_loss
    assert n_tokens == trainer.train_dataset.n_tokens
    assert report.n_tokens / n_tokens > 1.2 if share else report.n_tokens == n_tokens
    assert f"{n_tokens:,} tokens a pass" in said[0]


def made(chosen: HubOptions) -> list[Example]:
    from collections import Counter

    from deskcheck.training.hub.data import run_examples

    return [one for program in run_examples(chosen) for one, _ in program(Counter(), [])]


def test_nothing_is_cut_and_everything_left_out_is_counted(base: Path, data: Path, tmp_path: Path) -> None:
    chosen = options(base, data, tmp_path)
    every, whole = examples(chosen)
    middle = sorted(every.n_all.tolist())[len(every) // 2]
    kept, report = examples(msgspec.structs.replace(chosen, max_length=middle))
    assert whole.n_too_long == 0
    assert report.n_too_long == len(every) - len(kept) > 0
    assert report.n_examples == report.n_kept + report.n_too_long == whole.n_examples
    assert sum(report.by_layout.values()) == report.n_kept
    assert max(kept.n_all) <= middle


@pytest.mark.parametrize("source", ["dataset", "generated:first,easy"])
def test_any_layout_is_made_of_traces_of_lines(base: Path, data: Path, tmp_path: Path, source: str) -> None:
    chosen = options(
        base, data if source == "dataset" else Path(source), tmp_path, programs=12, max_length=2000,
        layouts=["line-n", "line-1-full", *(["sub", "instruction-1"] if has_native() else [])],
    )  # fmt: skip
    stored, report = examples(chosen)
    assert set(report.by_layout) == set(chosen.layouts)
    assert (report.n_programs, report.n_not_finer, report.n_unusable) == (12, 0, 0)
    assert len(stored) == report.n_kept


def test_programs_of_an_evaluation_are_left_out(base: Path, tmp_path: Path) -> None:
    from deskcheck import plugins
    from deskcheck.records import Limits
    from deskcheck.tracing.reference import trace_program

    draft = next(iter(plugins.load("benchmark", "core").drafts("")))
    path = tmp_path / "core.parquet"
    own = next(iter(traced("easy", seed=6, n=1)))
    write_pairs(path, [own, (draft.program, trace_program(draft.program, Limits()))])
    chosen = options(base, path, tmp_path / "out")
    _, report = examples(chosen)
    assert (report.n_programs, report.n_in_evaluation) == (2, 1)


@pytest.mark.parametrize("lora", [0, 4])
def test_a_run_leaves_a_model_that_transformers_reads(
    base: Path, data: Path, tmp_path: Path, lora: int
) -> None:
    folder = fine_tune(options(base, data, tmp_path / "run", lora=lora, steps=4), say=lambda text: None)
    losses = logged(tmp_path / "run")
    assert len(losses) == 4
    name = "adapter_model.safetensors" if lora else "model.safetensors"
    weights = load_file(folder / name)
    if lora:
        assert any(bool(weights[key].abs().sum() > 0) for key in weights if "lora_B" in key)  # 0 at first
    else:
        assert losses[-1] < losses[0]
    assert (
        "left out since they are too near to a program of an evaluation" in (folder / "README.md").read_text()
    )
    if not lora:
        AutoModelForCausalLM.from_pretrained(folder)
    assert open_tokenizer(str(folder), "main").chat_template


def test_other_data_makes_up_its_share(base: Path, data: Path, tmp_path: Path) -> None:
    other = tmp_path / "sft.jsonl"
    lines = [{"prompt": f"Say {n}.", "completion": str(n)} for n in range(60)]
    other.write_text("".join(json.dumps(line) + "\n" for line in lines))
    chosen = options(base, data, tmp_path / "out", sft=str(other), sft_share=0.25)
    stored, report = examples(chosen)
    assert report.n_sft / len(stored) == pytest.approx(0.25, abs=0.02)
    assert len(stored) == report.n_kept + report.n_sft
    with pytest.raises(UserError, match="are needed"):
        examples(msgspec.structs.replace(chosen, sft_share=0.9))
    with pytest.raises(UserError, match="sft=FILE beside it"):
        examples(msgspec.structs.replace(chosen, sft_share=0.0))  # it was ignored once


READ = '{"prompt": "p", "completion": "c"}'


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"", r"\d: the answer is empty"),
        (b'{"messages": [{"role": "user", "content": "x"}]}', "the assistant's"),
        (b'{"messages": [{"role": "human", "content": "x"}]}', "role 'human'; known: system"),
        (b'{"messages": [{"role": "user", "content": null}]}', "is to be text, not None"),
        (b'{"messages": "hello"}', "list of objects"),
        (b'{"text": "x", "id": 3}', "its text does not go 'User:', 'Assistant:'"),
        (b'{"words": "x", "id": 3}', r"columns id, words; wanted: "),
        (b'{"instruction": 3, "output": "x"}', "are to be texts"),
        (b'["x"]', "a list, not an object"),
        (b'{"prompt": ', "Expecting value"),
        (b'{"prompt": "\xff\xfe", "completion": "c"}', "not UTF-8: .* at byte 12"),
    ],
)
def test_a_row_of_other_data_that_is_none_is_named(tmp_path: Path, line: bytes, message: str) -> None:
    file = tmp_path / "sft.jsonl"
    empty = b'{"prompt": "p", "completion": ""}'
    file.write_bytes(b"\xef\xbb\xbf" + READ.encode() + b"\n\n" + (line or empty) + b"\n")
    with pytest.raises(DataError, match=message) as caught:
        list(read_rows(file))
    assert f"{file}:3: " in str(caught.value)


def test_rows_of_other_data_may_have_any_of_three_shapes(tmp_path: Path) -> None:
    file = tmp_path / "sft.jsonl"
    asked, said = {"role": "user", "content": "p"}, {"role": "assistant", "content": "c"}
    shapes = [
        {"messages": [asked, said]},
        {"prompt": "p", "completion": "c"},
        {"prompt": [asked], "completion": [said]},
        {"instruction": "p", "input": "", "output": "c", "id": 4},
    ]
    file.write_text("".join(json.dumps(shape) + "\r\n" for shape in shapes))
    assert [row for row, _ in read_rows(file)] == [{"prompt": [asked], "completion": [said]}] * 4


def test_held_out_programs_are_never_trained_on(base: Path, data: Path, tmp_path: Path) -> None:
    chosen = options(base, data, tmp_path, held_out=4)
    stored, report = examples(chosen)
    held = held_out(stored, chosen)
    assert not set(stored.form[held]) & set(stored.form[~held])
    assert (report.n_held_out, report.n_held_out_programs) == (held.sum(), 4)
    assert len(stored) == report.n_kept
    assert report.n_loss == (stored.n_all - stored.n_prompt)[~held].sum()
    with pytest.raises(UserError, match="some must be left"):
        examples(options(base, data, tmp_path, held_out=12))


@pytest.mark.parametrize("turned", [{}, {"step_in": "no"}, {"step_in": "no", "literals": "spelled"}])
@pytest.mark.parametrize("layout", ["line-1", "compact", "sub"])
def test_the_messages_are_those_that_the_strategy_sends(layout: str, turned: dict[str, str]) -> None:
    from deskcheck.evaluation.plan import load_strategy
    from deskcheck.plugins import load
    from deskcheck.records import Limits, Task
    from deskcheck.strategies import Settings
    from deskcheck.tracing.program import make_program
    from deskcheck.tracing.run import trace_program
    from deskcheck.training.traces import granularity_of

    source = "def f(x, s='ab 1'):\n    return x + 10\n"
    program = make_program(source, "f", "305", origin="t")
    module = load("layout", layout)
    trace = trace_program(program, Limits(), granularity=granularity_of(module))
    first: Example = module.render(trace, program)[0]
    sent = load_strategy(layout).opening(
        Task("t", "b", "output", program, "4", trace, "t"), Settings(**turned)
    )
    messages = [{"role": m.role, "content": m.text} for m in sent.messages]
    row = conversation(first, HubOptions(model="m", data="d", out="o", **turned))
    assert row["prompt"] == messages
    marks = "".join(f" {name}={value}" for name, value in turned.items())
    assert messages[0]["content"].startswith(f"[{layout}{marks}]\n@1 def f(x, s='")
    if "literals" in turned:
        assert "s=' a b   1 '" in messages[0]["content"] and " 3 0 5" in messages[1]["content"]


def test_show_batch_marks_what_carries_loss(base: Path, data: Path, tmp_path: Path) -> None:
    shown = show_batch(options(base, data, tmp_path), n=2)
    assert shown.count("⟦") == shown.count("⟧") == 2
    assert "with loss" in shown


def test_what_cannot_be_done_is_one_clear_error(base: Path, data: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no dataset at"):
        fine_tune(options(base, tmp_path / "none", tmp_path / "a"))
    assert not (tmp_path / "a").exists()
    with pytest.raises(UserError, match="no model"):
        fine_tune(options(tmp_path / "nothing", data, tmp_path / "a"))
    with pytest.raises(UserError, match="known: tensorboard, trackio, wandb"):
        fine_tune(options(base, data, tmp_path / "a", report_to=["console"]))
    with pytest.raises(UserError, match="left to train on"):
        fine_tune(options(base, data, tmp_path / "b", max_length=3))
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "run.json").write_text(json.dumps({"options": {"model": str(base), "seed": 3}}))
    with pytest.raises(UserError, match="--resume"):
        fine_tune(options(base, data, tmp_path / "d"))
    with pytest.raises(UserError, match=r"another .*seed"):
        fine_tune(options(base, data, tmp_path / "d", resume=True))
    (tmp_path / "d" / "run.json").write_text(json.dumps({"preset": {}}))
    with pytest.raises(UserError, match="no tuning of a model"):
        fine_tune(options(base, data, tmp_path / "d", resume=True))
    assert not any((tmp_path / name).exists() for name in "abc"), "nothing stands in the way of the next try"


def test_weights_that_are_trained_stay_in_fp32(base: Path, data: Path, tmp_path: Path) -> None:
    kinds = {rank: weights_dtype(options(base, data, tmp_path, lora=rank), bf16=True) for rank in (0, 16)}
    assert [str(kinds[0]), str(kinds[16])] == ["torch.float32", "torch.bfloat16"]


@pytest.mark.skipif(torch.cuda.is_available(), reason="is about processors")
def test_frozen_weights_are_in_bf16_on_a_processor_too(
    base: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = []

    def opened(*given: Any, dtype: Any, **more: Any) -> Any:
        kinds.append(dtype)
        return open_model(*given, dtype=dtype, **more)

    monkeypatch.setattr(tuning, "open_model", opened)
    fine_tune(options(base, data, tmp_path / "run", lora=4, bf16=True, steps=1))
    assert kinds == [torch.bfloat16]


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"tokens": 5000, "minutes": 2.0}, "--minutes, --tokens"),
        ({"preset": "tiny-h100"}, "--preset"),
        ({"device": "cuda", "workers": 3}, "--device, --workers"),
        ({"start_from": "tiny", "minutes": 2.0}, "--minutes, --from"),
    ],
)
def test_options_that_tuning_would_ignore_are_refused(given: dict[str, Any], named: str) -> None:
    from deskcheck.cli import training as cli_training

    with pytest.raises(UserError, match=f"^{named}: for training from scratch, not with --model"):
        cli_training.train(model="m", data="d", **given)


def test_settings_of_the_command_line_are_typed_and_known() -> None:
    from deskcheck.training.hub.data import hub_options

    given = {"model": "m", "data": "d", "out": "o", "layouts": [], "seed": 1, "resume": False}
    made = hub_options(given, ["lora=16", "epochs=0.5", "packing=true", "report_to=wandb,trackio"])
    assert (made.lora, made.epochs, made.packing, made.report_to) == (16, 0.5, True, ["wandb", "trackio"])
    assert made.layouts == ["line-1"]
    wrong = (
        (["lra=3"], "lora"), (["lora=many"], "lora"), (["batch=0"], "batch=0: 1 or more"),
        (["lora=1000000"], "lora=1000000: at most 4096"),
        (["epochs=0"], "more than 0"), (["learning_rate=nan"], "0 or more"), (["save_steps=x"], "save_steps"),
    )  # fmt: skip
    for settings, words in wrong:
        with pytest.raises(UserError, match=words):
            hub_options(given, settings)
    with pytest.raises(UserError, match="--data"):
        hub_options({**given, "data": ""}, [])
