"""The loss from the scores of tokens with loss is TRL's loss from all scores, and so are its gradients."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("trl", reason="needs the extra 'train'")
pytest.importorskip("peft", reason="needs the extra 'train'")

import torch
import transformers
from peft import LoraConfig, get_peft_model
from trl.trainer.utils import add_fused_lm_head

from deskcheck.training.hub.head import Scores
from deskcheck.training.hub.shared import IGNORED

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")  # of PEFT about names in transformers
SMALL = {
    "vocab_size": 64, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "head_dim": 8,
    "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 128, "pad_token_id": 0,
    "bos_token_id": 1, "eos_token_id": 2, "initializer_range": 0.3,
}  # fmt: skip


def model_of(shape: str, lora: bool) -> Any:
    torch.manual_seed(0)
    config = getattr(transformers, f"{shape}Config")(**SMALL)
    model = getattr(transformers, f"{shape.removesuffix('Text')}ForCausalLM")(config)
    add_fused_lm_head(model)
    return get_peft_model(model, LoraConfig(r=4, target_modules="all-linear")) if lora else model


def batch(seed: int) -> dict[str, Any]:
    draw = torch.Generator().manual_seed(seed)
    ids = torch.randint(3, 64, (3, 40), generator=draw)
    has_loss = torch.rand(ids.shape, generator=draw) < 0.1
    has_loss[0] = seed % 2 == 0 and has_loss[0]  # a row without any
    return {"input_ids": ids, "labels": torch.where(has_loss, ids, IGNORED)}


def loss_of(model: Any, inputs: dict[str, Any]) -> tuple[float, list[Any]]:
    model.zero_grad()
    loss = model(**inputs, fused_lm_head=True).loss
    loss.backward()
    return loss.item(), [p.grad.clone() for p in model.parameters() if p.grad is not None]


@pytest.mark.parametrize("lora", [False, True])
@pytest.mark.parametrize("shape", ["Llama", "Qwen3", "Gemma3Text"])
def test_same_loss_and_gradients(shape: str, lora: bool) -> None:
    model = model_of(shape, lora)
    scores = Scores(model)
    n_scored: list[int] = []
    for seed in range(6):
        inputs = batch(seed)
        expected, wanted = loss_of(model, inputs)
        with scores.only(inputs) as fewer:
            n_scored.append(fewer["shift_labels"].shape[1])
            found, gradients = loss_of(model, fewer)
        assert found == pytest.approx(expected, rel=1e-5)
        assert len(gradients) == len(wanted)
        for one, other in zip(gradients, wanted, strict=True):
            torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-6)
        assert loss_of(model, inputs)[0] == pytest.approx(expected, rel=1e-6), "the hook is off again"
    assert max(n_scored) < 39, "every position was scored"


def test_without_loss() -> None:
    model = model_of("Llama", lora=False)
    inputs = batch(0) | {"labels": torch.full((3, 40), IGNORED)}
    with Scores(model).only(inputs) as fewer:
        assert fewer.keys() == inputs.keys()
        assert loss_of(model, fewer)[0] == 0
