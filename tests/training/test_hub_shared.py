"""Questions that share their program have the losses and gradients that they have one by one."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

pytest.importorskip("trl", reason="needs the extra 'train'")
pytest.importorskip("peft", reason="needs the extra 'train'")

import torch
import transformers
from peft import LoraConfig, get_peft_model

from deskcheck.training.hub.rows import Rows
from deskcheck.training.hub.shards import shared
from deskcheck.training.hub.shared import attend, collate, sees, visible, why_not

torch.set_num_threads(1)  # more than one only gets in the way of models this small
VOCABULARY, WINDOW, MOST = 64, 24, 120
SMALL = {
    "vocab_size": VOCABULARY, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "max_position_embeddings": 512,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "initializer_range": 0.3,
}  # fmt: skip
"""Weights large enough that what a token sees changes its answer: at 0.02 hardly anything does."""
TWO_KINDS = {"sliding_window": WINDOW, "layer_types": ["sliding_attention", "full_attention"]}
SHAPES: dict[str, dict[str, Any]] = {
    "Llama": {},
    "Qwen3": {},
    "Gemma2": TWO_KINDS,
    "Gemma3Text": TWO_KINDS,
    "Mistral": {"sliding_window": WINDOW},
}


def tiny(shape: str) -> Any:
    torch.manual_seed(0)
    config = getattr(transformers, f"{shape}Config")(**{**SMALL, **SHAPES[shape]})
    config._attn_implementation = "eager" if shape == "Gemma2" else "sdpa"  # it has no other
    name = shape.removesuffix("Text")
    return getattr(transformers, f"{name}ForCausalLM")(config).eval()


class Drawn:
    """Random programs with questions, in the place of examples on disk."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        self.parts: list[tuple[list[int], int]] = []
        group, n_shared = [], []
        for number in range(draw.randint(1, 4)):
            head = [draw.randrange(3, VOCABULARY) for _ in range(draw.randint(0, 50))]
            own = []
            for _ in range(draw.randint(1, 5)):
                body, answer = (
                    [draw.randrange(3, VOCABULARY) for _ in range(draw.randint(1, most))] for most in (12, 6)
                )
                own.append(([*head, *body, *answer], len(head) + len(body)))
            self.parts += own
            group += [number] * len(own)
            common = shared([np.array(ids) for ids, _ in own], [n for _, n in own])
            n_shared += [common] * len(own)
        self.n_all = np.array([len(ids) for ids, _ in self.parts])
        self.n_shared, self.group = np.array(n_shared), np.array(group)

    def row(self, number: int) -> dict[str, Any]:
        ids, n_prompt = self.parts[number]
        return {"input_ids": np.array(ids), "labels": np.array([-100] * n_prompt + ids[n_prompt:])}

    def shared(self, number: int) -> int:
        return int(self.n_shared[number])


def packed(seed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """A pack's rows, and the same examples one by one."""
    drawn: Any = Drawn(seed)
    kept = np.ones(len(drawn.parts), np.bool_)
    rows = Rows(drawn, kept, max_length=MOST, share=True, packing=seed % 2 == 0, seed=seed)
    return list(rows), [drawn.row(n) for n in range(len(drawn.parts))]


def loss(model: Any, batch: dict[str, Any]) -> Any:
    wanted = batch.pop("labels")[:, 1:]
    scores = model(**batch).logits[:, :-1].float()
    return torch.nn.functional.cross_entropy(scores.transpose(1, 2), wanted, reduction="sum")


def gradients(model: Any, total: Any) -> tuple[float, dict[str, Any]]:
    model.zero_grad()
    total.backward()
    found = {name: p.grad.clone() for name, p in model.named_parameters() if p.grad is not None}
    return float(total), found


def apart(model: Any, seed: int) -> float:
    """Largest relative difference of loss and of a gradient's parts, to those one by one."""
    rows, alone = packed(seed)
    total, ours = gradients(model, loss(model, collate(rows, pad=0)))
    each = sum(loss(model, {n: torch.as_tensor(row[n])[None] for n in row}) for row in alone)
    expected, theirs = gradients(model, each)
    assert ours.keys() == theirs.keys()
    differences = [abs(total - expected) / expected]
    whole = torch.cat([g.flatten() for g in theirs.values()]).norm()
    for name, theirs_of in theirs.items():
        size = max(float(theirs_of.norm()), 1e-3 * float(whole))
        differences.append(float((ours[name] - theirs_of).norm()) / size)
    return max(differences)


def prepared(shape: str, lora: bool) -> Any:
    model = tiny(shape)
    if lora:
        model = get_peft_model(model, LoraConfig(r=4, target_modules="all-linear", task_type="CAUSAL_LM"))
        draw = torch.Generator().manual_seed(1)
        for name, part in model.named_parameters():
            if "lora_B" in name:  # zero at first: nothing would reach lora_A
                part.data = torch.randn(part.shape, generator=draw) * 0.1
    attend(model)
    return model.eval()


@pytest.mark.filterwarnings("ignore")  # of PEFT about names in transformers
@pytest.mark.parametrize(
    ("shape", "lora"),
    [*((shape, False) for shape in SHAPES), ("Llama", True), ("Qwen3", True), ("Gemma3Text", True)],
)
def test_loss_and_gradients_are_those_one_by_one(shape: str, lora: bool) -> None:
    model = prepared(shape, lora)
    assert max(apart(model, seed) for seed in range(3)) < 1e-4


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("lora", [False, True])
@pytest.mark.parametrize("shape", ["Llama", "Qwen3", "Gemma3Text"])
def test_loss_and_gradients_of_1_000_packs(shape: str, lora: bool) -> None:
    model = prepared(shape, lora)
    assert max(apart(model, seed) for seed in range(1000)) < 1e-4


def test_packs_share_and_split_and_hold_every_answer_once() -> None:
    n_groups, n_rows = [], []
    for seed in range(60):
        rows, alone = packed(seed)
        answers = [tuple(r["input_ids"][r["labels"] != -100].tolist()) for r in (*rows, *alone)]
        joined = sorted(token for answer in answers[: len(rows)] for token in answer)
        assert joined == sorted(token for answer in answers[len(rows) :] for token in answer)
        assert max(len(row["input_ids"]) for row in rows) <= MOST
        n_groups += [int(row["group"].max()) + 1 for row in rows]
        n_rows.append((len(rows), len(alone)))
    assert max(n_groups) > 1, "no row holds two programs"
    assert any(found > 1 for found, _ in n_rows), "no program is too long for one row"
    assert sum(found for found, _ in n_rows) < 0.5 * sum(one for _, one in n_rows)


def test_without_the_mask_the_law_fails() -> None:
    model, found = tiny("Llama"), []
    for rows, alone in map(packed, range(6)):
        batch = {n: t for n, t in collate(rows, pad=0).items() if n not in ("group", "question")}
        each = sum(loss(model, {n: torch.as_tensor(row[n])[None] for n in row}) for row in alone)
        found.append(abs(float(loss(model, batch)) / float(each) - 1))
    assert max(found) > 1e-3, "ten times the law"


def test_the_block_mask_for_gpus_shows_what_the_other_mask_shows() -> None:
    for window in (0, 10):
        batch = collate(packed(4)[0], pad=0, block=128)
        names = [batch[name] for name in ("group", "question", "position_ids")]
        n_rows, length = batch["input_ids"].shape
        assert length % 128 == 0
        row, at = torch.arange(n_rows), torch.arange(length)
        dense = visible(*names, window)(row[:, None, None], None, at[None, :, None], at[None, None, :])
        assert torch.equal(dense[:, None], sees(*names, window))


def row_of_many() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    for seed in range(50):
        drawn: Any = Drawn(seed)
        rows = Rows(
            drawn, np.ones(len(drawn.parts), np.bool_), max_length=512, share=True, packing=False, seed=0
        )
        if rows[rows.most()]["question"].max() > 2:
            return rows[rows.most()], rows.examples(rows.most())
    raise AssertionError("no row with three questions")


def other(name: str, **fields: Any) -> Any:
    torch.manual_seed(0)
    config = getattr(transformers, f"{name}Config")(vocab_size=VOCABULARY, pad_token_id=0, **fields)
    return getattr(transformers, f"{name}ForCausalLM" if name != "GPT2" else "GPT2LMHeadModel")(config).eval()


@pytest.mark.filterwarnings("ignore")  # of transformers about these models
def test_models_that_cannot_say_why() -> None:
    row, alone = row_of_many()
    found = {}
    cases = {
        "eager": tiny("Gemma2"),
        "gpt2": other(
            "GPT2", n_embd=32, n_layer=2, n_head=2, n_positions=512, bos_token_id=1, eos_token_id=2
        ),
        "bloom": other("Bloom", hidden_size=32, n_layer=2, n_head=2),
        "mamba": other("Mamba", hidden_size=32, num_hidden_layers=2, state_size=4),
        "flash": tiny("Llama"),
        "chunked": tiny("Llama"),
    }
    cases["flash"].config._attn_implementation = "flash_attention_2"
    cases["chunked"].config.layer_types = ["chunked_attention", "full_attention"]
    for name, model in cases.items():
        attend(model)
        found[name] = why_not(model, row, alone, pad=0)
    assert found["eager"] == found["gpt2"] == ""
    assert "takes no mask of ours; --set attention=sdpa or eager" in found["flash"]
    assert "layers of kind chunked_attention" in found["chunked"]
    assert "layers of kind linear_attention" in found["mamba"]
    assert "fails on a mask" in found["bloom"] or "log-probability" in found["bloom"], found["bloom"]


def test_a_model_that_lets_questions_see_each_other_is_found_out() -> None:
    row, alone = row_of_many()
    model = tiny("Llama")
    attend(model)
    assert why_not(model, row, alone, pad=0) == ""
    seeing = {**row, "question": np.minimum(row["question"], 1)}
    assert "log-probability" in why_not(model, seeing, alone, pad=0)
    assert all(a <= b for a, b in pairwise(row["question"].tolist()))
