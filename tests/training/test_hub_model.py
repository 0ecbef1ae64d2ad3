"""Models that can be tuned and those that cannot; packing, accumulating, merging change nothing."""

from __future__ import annotations

import json
import os
import shutil
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs the extra 'train'")
pytest.importorskip("peft", reason="needs the extra 'train'")

import datasets
import torch
import transformers
from safetensors.torch import load_file
from tests.training.test_hub import examples, logged, made, options
from transformers import AutoModelForCausalLM, AutoTokenizer, BertConfig, BertModel, T5Config
from transformers import T5ForConditionalGeneration as T5

from deskcheck.cli import training as cli_training
from deskcheck.errors import DataError, DeskcheckError, UserError
from deskcheck.training.hub import model as hub_model
from deskcheck.training.hub import tuning as hub
from deskcheck.training.hub.model import check_packing, merge, open_tokenizer
from deskcheck.training.hub.tuning import fine_tune, make_trainer


def silent(text: str) -> None:
    pass


def losses(trainer: Any) -> tuple[float, int]:
    """Sum of the losses of the tokens with loss over the whole dataset, and their number."""
    total, n = 0.0, 0
    for row in trainer.train_dataset:
        batch = trainer.data_collator([row])
        wanted = batch.pop("labels")[0, 1:]
        with torch.no_grad():
            scores = trainer.model(**batch).logits[0, :-1]
        total += float(torch.nn.functional.cross_entropy(scores, wanted, reduction="sum"))
        n += int((wanted != -100).sum())
    return total, n


def both_ways(base: Path, data: Path, tmp_path: Path) -> list[Any]:
    tokenizer = open_tokenizer(str(base), "main")
    stored, report = examples(options(base, data, tmp_path))
    found = [
        make_trainer(options(base, data, tmp_path, packing=on, share=share), stored, tokenizer)
        for on, share in ((False, False), (True, False), (True, True))
    ]
    assert [len(found[0].train_dataset), losses(found[0])[1]] == [report.n_kept, report.n_loss]
    return found


def test_packed_examples_have_the_losses_that_they_have_alone(base: Path, data: Path, tmp_path: Path) -> None:
    alone, packed, shared = both_ways(base, data, tmp_path)
    rows = packed.train_dataset
    assert len(shared.train_dataset) < len(rows) < 0.7 * len(alone.train_dataset)
    assert max(len(row["input_ids"]) for row in (*rows, *shared.train_dataset)) <= 600
    sizes = sorted(size for row in rows for size in row["seq_lengths"])
    assert sizes == sorted(len(row["input_ids"]) for row in alone.train_dataset), "cut or dropped"
    expected, n_expected = losses(alone)
    for total, n in (losses(packed), losses(shared)):
        assert n == n_expected
        assert total == pytest.approx(expected, rel=1e-5)


def test_a_model_whose_packed_examples_see_each_other_is_refused(
    base: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, packed, _ = both_ways(base, data, tmp_path)
    check_packing(packed)
    collate = packed.data_collator
    packed.data_collator = lambda rows: {
        name: value for name, value in collate(rows).items() if name in ("input_ids", "labels")
    }
    with pytest.raises(UserError, match="see each other"):
        check_packing(packed)
    seen: list[Any] = []
    monkeypatch.setattr(hub, "check_packing", seen.append)
    both_ways(base, data, tmp_path)
    assert len(seen) == 1, "a packed run is not checked, or another one is"


def test_a_packed_run_leaves_a_model(base: Path, data: Path, tmp_path: Path) -> None:
    folder = fine_tune(options(base, data, tmp_path / "run", packing=True, steps=2), say=silent)
    assert len(logged(tmp_path / "run")) == 2
    AutoModelForCausalLM.from_pretrained(folder)


def test_batch_1_accumulated_8_times_is_batch_8(base: Path, data: Path, tmp_path: Path) -> None:
    found = []
    for name, shape in (("a", {"batch": 1, "accumulate": 8}), ("b", {"batch": 8, "accumulate": 1})):
        changes = {"learning_rate": 1e-3, "share": True, **shape}
        folder = fine_tune(options(base, data, tmp_path / name, steps=3, **changes), say=silent)
        found.append((logged(tmp_path / name), load_file(folder / "model.safetensors")))
    (one, weights), (eight, others) = found
    assert one == pytest.approx(eight, rel=1e-5)
    assert all(torch.allclose(tensor, others[name], atol=2e-5) for name, tensor in weights.items())


def test_one_batch_can_be_learned_by_heart(base: Path, data: Path, tmp_path: Path) -> None:
    chosen = options(base, data, tmp_path, steps=150, learning_rate=1e-2, accumulate=1)
    tokenizer = open_tokenizer(str(base), "main")
    stored, _ = examples(chosen)
    trainer = make_trainer(chosen, stored, tokenizer)
    trainer.train_dataset = [trainer.train_dataset[0]]
    trainer.train()
    total, n = losses(trainer)
    assert total / n < 0.01


def changed(base: Path, to: Path, **settings: Any) -> Path:
    """The small model with another tokenizer."""
    shutil.copytree(base, to)
    tokenizer = AutoTokenizer.from_pretrained(base)
    for name, value in settings.items():
        setattr(tokenizer, name, value)
    tokenizer.save_pretrained(to)
    if "eos_token" in settings:
        told = json.loads((to / "tokenizer_config.json").read_text())
        (to / "tokenizer_config.json").write_text(json.dumps({**told, "eos_token": None}))
    return to


def other_kind(base: Path, to: Path, model: Any) -> Path:
    model.save_pretrained(to)
    AutoTokenizer.from_pretrained(base).save_pretrained(to)
    return to


def t5(base: Path, to: Path) -> Path:
    return other_kind(base, to, T5(T5Config(vocab_size=400, d_model=32, d_ff=32, num_layers=1, num_heads=2)))


def bert(base: Path, to: Path) -> Path:
    torch.manual_seed(0)
    shape = {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 32}
    return other_kind(base, to, BertModel(BertConfig(vocab_size=400, **shape)))


def without_weights(base: Path, to: Path) -> Path:
    return Path(shutil.copytree(base, to, ignore=shutil.ignore_patterns("*.safetensors")))


def cut_weights(base: Path, to: Path) -> Path:
    shutil.copytree(base, to)
    (to / "model.safetensors").write_bytes((base / "model.safetensors").read_bytes()[:1000])
    return to


def without_tokenizer(base: Path, to: Path) -> Path:
    return Path(shutil.copytree(base, to, ignore=shutil.ignore_patterns("tokenizer*")))


def without_end(base: Path, to: Path) -> Path:
    return changed(base, to, eos_token=None)


def refusing(base: Path, to: Path) -> Path:
    return changed(base, to, chat_template="{{ raise_exception('no') }}")


def adapter(base: Path, to: Path) -> Path:
    shutil.copytree(base, to, ignore=shutil.ignore_patterns("config.json", "*.safetensors"))
    (to / "adapter_config.json").write_text("{}")
    return to


@pytest.mark.filterwarnings("ignore")  # of transformers about these models
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (t5, "type 't5', which is no causal language model"),
        (bert, "reads ahead"),
        (without_weights, "cannot be opened: .*model.safetensors"),
        (cut_weights, "cannot be opened: .*header"),
        (without_tokenizer, "no model .*tokenizer"),
        (without_end, "no end mark"),
        (refusing, "cannot write a question and an answer: no"),
        (adapter, "is an adapter of LoRA.*deskcheck export"),
    ],
)
def test_what_is_no_model_to_tune_is_one_clear_error(
    base: Path, data: Path, tmp_path: Path, make: Any, message: str
) -> None:
    model = make(base, tmp_path / "model")
    with pytest.raises(DeskcheckError, match=message):
        fine_tune(options(model, data, tmp_path / "run"), say=silent)
    assert not (tmp_path / "run" / "run.json").exists(), "the next try would be refused"


NO_SYSTEM = (
    "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% for m in messages %}<{{ m['role'] }}>{{ m['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<assistant>{% endif %}"
)


def test_a_template_that_refuses_a_system_message_gets_it_in_the_users(
    base: Path, data: Path, tmp_path: Path
) -> None:
    model = changed(base, tmp_path / "model", chat_template=NO_SYSTEM)
    chosen = options(model, data, tmp_path / "run")
    tokenizer = open_tokenizer(str(model), "main")
    stored, _ = examples(chosen, tokenizer)
    for number, one in enumerate(made(chosen)):
        row = stored.row(number)
        assert tokenizer.decode(row["input_ids"]) == f"<user>{one.prompt}</s><assistant>{one.target}</s>"
        assert tokenizer.decode([i for i in row["labels"] if i != -100]) == f"{one.target}</s>"


def test_a_base_model_whose_texts_begin_with_a_mark_is_trained_with_one(base: Path, tmp_path: Path) -> None:
    from tokenizers import Tokenizer, processors
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer.from_file(str(base / "tokenizer.json"))
    inner.add_special_tokens(["<s>"])
    place = [("<s>", inner.token_to_id("<s>"))]
    inner.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=place)
    shutil.copytree(base, tmp_path / "model")
    marked = PreTrainedTokenizerFast(tokenizer_object=inner, eos_token="</s>", bos_token="<s>")
    marked.save_pretrained(tmp_path / "model")
    turns = [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]
    for folder, text in ((tmp_path / "model", "<s>xy</s>"), (base, "xy</s>")):
        assert open_tokenizer(str(folder), "main").apply_chat_template(turns, tokenize=False) == text


@pytest.mark.filterwarnings("ignore::FutureWarning")  # of PEFT about names in transformers
def test_a_run_of_lora_is_merged_into_its_model(
    base: Path,
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from peft import PeftModel

    run = tmp_path / "run"
    transformers.utils.logging.enable_progress_bar()
    datasets.enable_progress_bars()
    fine_tune(options(base, data, run, lora=4, steps=6), say=silent)
    assert "%|" not in capsys.readouterr().err, "a progress bar"
    transformers.utils.logging.enable_progress_bar()
    cli_training.export(str(run), str(tmp_path / "merged"))
    said = capsys.readouterr()
    assert "merged model is in" in said.out
    assert "%|" not in said.err, "a progress bar"
    merged = AutoModelForCausalLM.from_pretrained(tmp_path / "merged").eval()
    plain = AutoModelForCausalLM.from_pretrained(base).eval()
    ids = torch.arange(40)[None]
    with torch.no_grad():
        untuned = plain(ids).logits.clone()
        tuned = PeftModel.from_pretrained(plain, run / "model").eval()(ids).logits
        found = merged(ids).logits
    assert float((found - tuned).abs().max()) < 1e-5
    assert float((found - untuned).abs().max()) > 1e-3, "the adapter is not in it"
    assert open_tokenizer(str(tmp_path / "merged"), "main").chat_template
    monkeypatch.setattr(hub_model, "TOLERANCE", -1.0)  # as if the merged model computed something else
    with pytest.raises(DataError, match="computes other scores"):
        merge(str(run), str(tmp_path / "other"))
    assert not (tmp_path / "other").exists()
    for mine in (run, run / "model", base):
        with pytest.raises(UserError, match="name another folder"):
            cli_training.export(str(run), str(mine))
    with pytest.raises(DataError, match="no finished LoRA run"):
        merge(str(tmp_path / "merged"), str(tmp_path / "x"))


def test_a_tuned_model_is_no_model_for_onnx(base: Path, data: Path, tmp_path: Path) -> None:
    fine_tune(options(base, data, tmp_path / "run", steps=1), say=silent)
    with pytest.raises(UserError, match=r"complete in .*--model hub"):
        cli_training.export(str(tmp_path / "run"), str(tmp_path / "out"))


def launched(name: str) -> tuple[Any, dict[str, str]]:
    """What `accelerate launch` makes of a configuration: its arguments, and what it tells the processes."""
    from accelerate.commands.launch import _validate_launch_command, launch_command_parser
    from accelerate.utils.launch import prepare_multi_gpu_env

    path = files("deskcheck.training").joinpath("accelerate", name)
    words = ["--config_file", str(path), "-m", "deskcheck", "train"]
    found, _, _ = _validate_launch_command(launch_command_parser().parse_args(words))
    return found, prepare_multi_gpu_env(found)


def test_accelerate_launches_eight_copies(monkeypatch: pytest.MonkeyPatch) -> None:
    found, told = launched("ddp.yaml")
    assert (found.multi_gpu, found.use_fsdp, found.num_processes) == (True, False, 8)
    assert told["ACCELERATE_MIXED_PRECISION"] == "bf16"


def test_accelerate_shards_the_layers_of_the_model(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from accelerate.utils import FullyShardedDataParallelPlugin
    from transformers.models.llama.modeling_llama import LlamaDecoderLayer

    found, told = launched("fsdp.yaml")
    assert (found.multi_gpu, found.use_fsdp, found.num_processes) == (False, True, 8)
    for name, value in told.items():
        if os.environ.get(name) != value:
            monkeypatch.setenv(name, value)
    plugin = FullyShardedDataParallelPlugin()
    assert (plugin.fsdp_version, plugin.reshard_after_forward) == (2, True)
    assert plugin.state_dict_type.name == "FULL_STATE_DICT"  # one file that transformers reads
    assert not plugin.activation_checkpointing, "the trainer does it; transformers refuses to do it twice"
    plugin.set_auto_wrap_policy(AutoModelForCausalLM.from_pretrained(base))
    assert plugin.auto_wrap_policy.keywords["transformer_layer_cls"] == {LlamaDecoderLayer}


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_opening_a_model_for_a_gpu_compiles_nothing_for_the_processor(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FlexAttention is chosen for a GPU while the weights are on the processor, where it was compiled."""
    from transformers.modeling_utils import ALL_ATTENTION_FUNCTIONS

    def compiled(*_: Any, **__: Any) -> None:
        raise AssertionError("FlexAttention was computed on the processor")

    monkeypatch.setitem(ALL_ATTENTION_FUNCTIONS, "flex_attention", compiled)
    model = hub_model.open_model(str(base), "main", attention="", dtype=torch.float32, shares=True)
    assert model.config._attn_implementation == "flex_attention"
