"""Training on a GPU computes what a processor computes; `pytest -m gpu` runs these where a GPU is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("numpy", reason="needs the extra 'train'")
pytest.importorskip("torch", reason="needs the extra 'train'")
pytest.importorskip("trl", reason="needs the extra 'train'")

import torch
from msgspec.structs import replace
from tests.training.toys import SHAPE, examples

from deskcheck.training import fast, network, trainer
from deskcheck.training.data import Rows, encode, pack
from deskcheck.training.presets import PRESETS
from deskcheck.training.tokenizer import build_tokenizer
from deskcheck.training.train import TrainOptions, train

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")]
LONG = replace(SHAPE, trained_length=512, shift=4)


def packed_rows(n: int) -> Rows:
    questions = list(encode(examples(0, 40), build_tokenizer()))
    rows, _ = pack(questions, max_length=LONG.trained_length)
    return Rows(*(column[:n] for column in rows))


def gradients(device: str, *, compiles: bool = False) -> tuple[float, dict[str, torch.Tensor]]:
    torch.set_float32_matmul_precision("highest")
    model = network.build_model(LONG, seed=0, deviation=0.2).to(device)
    for name, tensor in model.named_parameters():
        if "shift" in name:
            torch.nn.init.constant_(tensor, 0.01)
    if compiles:
        setattr(model, fast.LAYER, torch.compile(fast.layer, dynamic=False))
    loss = network.loss_of(model, packed_rows(2), bf16=False)
    loss.backward()
    return float(loss), {name: tensor.grad.cpu() for name, tensor in model.named_parameters()}


@pytest.mark.parametrize("compiles", [False, True], ids=["plain", "compiled"])
def test_loss_and_gradients_are_those_of_a_processor(compiles: bool):
    """The rows exceed `fast.LONGEST_ROW`, so the processor computes them by transformers' network."""
    (here, wanted), (there, found) = gradients("cpu"), gradients("cuda", compiles=compiles)
    assert there == pytest.approx(here, rel=1e-4)
    for name, gradient in wanted.items():
        assert torch.allclose(found[name], gradient, rtol=1e-2, atol=1e-3 * float(gradient.abs().max())), name


def test_a_step_learns_on_the_gpu(tmp_path: Path):
    preset = replace(PRESETS["micro"], shape=LONG, rows_per_step=4, rows_per_pass=4, bf16=True)
    done = trainer.run(preset, packed_rows(4), tmp_path, seed=0, device="cuda", minutes=0.05, threads=1)
    assert done.n_steps > 3
    assert all(parameter.is_cuda for parameter in done.model.parameters())


def test_the_recipe_runs_on_the_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    recipe = PRESETS["tiny-h100"]
    toy = replace(recipe, rows_per_step=16, rows_per_pass=16)
    monkeypatch.setitem(PRESETS, "tiny-h100", toy)
    said: list[str] = []
    asked = TrainOptions(
        preset="tiny-h100", out=str(tmp_path / "run"), minutes=0.5, device="cuda", workers=2, n_held_out=0
    )
    train(asked, say=said.append)
    assert any("torch.compile of a layer is used" in text for text in said), said
    assert list((tmp_path / "run" / "parts").glob("weights-*.safetensors"))


def test_fine_tuning_takes_three_steps_on_the_gpu(base: Path, data: Path, tmp_path: Path):
    from deskcheck.training.hub.data import HubOptions
    from deskcheck.training.hub.tuning import fine_tune

    fields: dict[str, Any] = {"layouts": ["direct", "line-1"], "max_examples": 2, "max_length": 600}
    chosen = HubOptions(model=str(base), data=str(data), out=str(tmp_path / "tuned"), steps=3, **fields)
    fine_tune(chosen, say=lambda text: None)
    assert (tmp_path / "tuned" / "train.jsonl").is_file()
