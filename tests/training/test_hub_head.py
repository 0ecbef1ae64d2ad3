"""The loss that is computed here on a processor is TRL's, and so are its gradients and its other figures."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("trl", reason="needs the extra 'train'")
pytest.importorskip("peft", reason="needs the extra 'train'")

import torch
import transformers
from peft import LoraConfig, get_peft_model
from trl.trainer.utils import add_fused_lm_head

from deskcheck.training.hub import head
from deskcheck.training.hub.head import score_here
from deskcheck.training.hub.shared import IGNORED

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")  # of PEFT about names in transformers
SMALL = {
    "vocab_size": 64, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2, "head_dim": 8,
    "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 128, "pad_token_id": 0,
    "bos_token_id": 1, "eos_token_id": 2, "initializer_range": 0.3,
}  # fmt: skip


TOLD = ("log_probs", "entropy", "is_top1", "label_mask")


def model_of(shape: str, lora: bool, **more: Any) -> Any:
    torch.manual_seed(0)
    config = getattr(transformers, f"{shape}Config")(**SMALL | more)
    model = getattr(transformers, f"{shape.removesuffix('Text')}ForCausalLM")(config)
    add_fused_lm_head(model, outputs=("log_probs", "entropy", "is_top1"))
    return get_peft_model(model, LoraConfig(r=4, target_modules="all-linear")) if lora else model


def batch(seed: int) -> dict[str, Any]:
    draw = torch.Generator().manual_seed(seed)
    ids = torch.randint(3, 64, (3, 40), generator=draw)
    has_loss = torch.rand(ids.shape, generator=draw) < 0.3
    has_loss[0] = seed % 2 == 0 and has_loss[0]  # a row without any
    return {"input_ids": ids, "labels": torch.where(has_loss, ids, IGNORED)}


def asked(model: Any, inputs: dict[str, Any]) -> tuple[Any, list[Any]]:
    model.zero_grad()
    found = model(**inputs, fused_lm_head=True)
    (found.loss * 1.5).backward()
    return found, [p.grad.clone() for p in model.parameters() if p.grad is not None]


def check_equal(found: tuple[Any, list[Any]], wanted: tuple[Any, list[Any]], rtol: float = 1e-4) -> None:
    torch.testing.assert_close(found[0].loss, wanted[0].loss, rtol=rtol / 10, atol=rtol / 10)
    for name in TOLD:
        torch.testing.assert_close(found[0][name], wanted[0][name], rtol=rtol, atol=rtol / 10)
    assert len(found[1]) == len(wanted[1]) > 0
    for one, other in zip(found[1], wanted[1], strict=True):
        torch.testing.assert_close(one, other, rtol=rtol, atol=rtol / 100)


@pytest.mark.parametrize("entries", [13, 64])
@pytest.mark.parametrize("lora", [False, True])
@pytest.mark.parametrize(
    ("shape", "more"),
    [
        ("Llama", {}), ("Qwen3", {"tie_word_embeddings": True}), ("Gemma3Text", {}),
        ("Gemma2", {"final_logit_softcapping": 0.9}), ("Granite", {"logits_scaling": 4.0}),
    ],
)  # fmt: skip
def test_same_loss_and_gradients(
    shape: str, more: dict[str, Any], lora: bool, entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(head, "AT_ONCE", 0)
    monkeypatch.setattr(head, "LEAST", entries)
    theirs, ours = model_of(shape, lora, **more), model_of(shape, lora, **more)
    score_here(ours)
    for seed in range(4):
        inputs = batch(seed)
        check_equal(asked(ours, inputs), asked(theirs, inputs))
        plain = {"input_ids": inputs["input_ids"]}
        torch.testing.assert_close(ours(**plain).logits, theirs(**plain).logits)


def test_a_bias_and_its_gradient() -> None:
    found = []
    for here in (False, True):
        torch.manual_seed(1)
        model = model_of("Llama", lora=False)
        model.lm_head = torch.nn.Linear(32, 64)
        if here:
            score_here(model)
        found.append(asked(model, batch(0)))
    check_equal(found[1], found[0])


def test_only_tokens_with_loss_are_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    model = model_of("Llama", lora=True)
    score_here(model)
    n_scored: list[int] = []
    slices = head._slices
    monkeypatch.setattr(
        head, "_slices", lambda state, *more: n_scored.append(len(state)) or slices(state, *more)
    )
    inputs = batch(0)
    model(**inputs, fused_lm_head=True)
    assert n_scored == [int((inputs["labels"][:, 1:] != IGNORED).sum())]


def test_in_bfloat16_as_near_as_trl() -> None:
    """Under autocast, both differ from the exact gradients by roundings of the same size."""
    exact, theirs, ours = (model_of("Llama", lora=True) for _ in range(3))
    score_here(ours)
    inputs = batch(2)
    _, wanted = asked(exact, inputs)
    with torch.autocast("cpu", torch.bfloat16):
        both = [asked(model, inputs)[1] for model in (theirs, ours)]
    off = [sum(float((a - b).square().sum()) for a, b in zip(one, wanted, strict=True)) for one in both]
    assert off[1] <= 1.5 * off[0] > 0


def test_without_loss() -> None:
    model = model_of("Llama", lora=False)
    score_here(model)
    found, gradients = asked(model, batch(0) | {"labels": torch.full((3, 40), IGNORED)})
    assert found.loss == 0
    assert all(not one.any() for one in gradients)
