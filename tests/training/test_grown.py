"""A grown model says what the small one said, all of it can learn, and what cannot grow is said."""

from __future__ import annotations

import re

import pytest

np = pytest.importorskip("numpy", reason="needs the extra 'train'")
for library in ("torch", "transformers", "tokenizers"):
    pytest.importorskip(library, reason="needs the extra 'train'")

import torch  # noqa: E402
from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from msgspec.structs import replace  # noqa: E402
from tests.training.toys import SHAPE  # noqa: E402

from deskcheck.models.tiny import SHIPPED, Shape  # noqa: E402
from deskcheck.training.export import read_shape  # noqa: E402
from deskcheck.training.graph import sizes_of  # noqa: E402
from deskcheck.training.grown import READERS, grown, misfit, with_words_of  # noqa: E402
from deskcheck.training.network import build_model  # noqa: E402
from deskcheck.training.presets import PRESETS  # noqa: E402

HEAD = SHAPE.head_size


def model_of(shape: Shape, weights=None):
    return build_model(shape, seed=3, deviation=0.2, weights=weights).eval()


def weights_of(model) -> dict[str, object]:
    return {n: p.detach().numpy().copy() for n, p in model.named_parameters()}


def larger(heads: int, layers: int, between: int) -> Shape:
    return replace(
        SHAPE,
        hidden=SHAPE.hidden + HEAD * heads,
        heads=SHAPE.heads + heads,
        layers=SHAPE.layers + layers,
        intermediate=SHAPE.intermediate + between,
    )


@settings(max_examples=15, deadline=None)
@given(
    heads=st.integers(0, 3),
    layers=st.integers(0, 2),
    between=st.integers(0, 40),
    shift=st.sampled_from([0, 2]),
)
def test_a_grown_model_computes_what_the_small_one_does(heads: int, layers: int, between: int, shift: int):
    small, large = (replace(s, shift=shift) for s in (SHAPE, larger(heads, layers, between)))
    before = model_of(small)
    with torch.no_grad():  # norms and shifts are not what they begin as
        for name, tensor in before.named_parameters():
            if "norm" in name:
                tensor.uniform_(0.5, 1.5)
            if "shift" in name:
                tensor.normal_(std=0.2)
    weights = grown(weights_of(before), small, large, seed=1)
    assert {n: w.shape for n, w in weights.items()} == sizes_of(large)
    ids = torch.arange(40).reshape(2, 20) * 7 % SHAPE.vocabulary
    with torch.no_grad():
        difference = before(ids).logits - model_of(large, weights)(ids).logits
    assert difference.abs().max() < 1e-3


def test_every_new_weight_can_learn():
    """Three steps move every matrix, in its new places too: after the first, what writes is not nothing."""
    small, large = SHAPE, larger(1, 1, 8)
    weights = grown(weights_of(model_of(small)), small, large, seed=1)
    model = model_of(large, weights)
    ids = torch.arange(64).reshape(2, 32) * 5 % SHAPE.vocabulary
    stepper = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(3):
        stepper.zero_grad()
        model(ids, labels=ids).loss.backward()
        stepper.step()
    for name, after in weights_of(model).items():
        moved = after != weights[name]
        if name == "model.embed_tokens.weight":
            moved = moved[np.unique(ids)]
        # of every row and column: the least changes are below what fp32 holds
        assert moved.any(0).all() and moved.any(-1).all(), name


def test_new_places_read_at_random_and_write_nothing():
    weights = grown(weights_of(model_of(SHAPE)), SHAPE, larger(1, 1, 8), seed=1)
    added = f"model.layers.{SHAPE.layers}."
    for name, weight in weights.items():
        if weight.ndim == 2 and name.startswith(added):
            assert weight.any() == (name.split(".")[-2] in READERS), name
    twice = [grown(weights_of(model_of(SHAPE)), SHAPE, larger(1, 0, 0), seed=s) for s in (1, 1, 2)]
    key = "model.layers.0.self_attn.q_proj.weight"
    assert (twice[0][key] == twice[1][key]).all() and (twice[0][key] != twice[2][key]).any()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({}, ""),
        ({"vocabulary": 2 * SHAPE.vocabulary}, ""),
        ({"hidden": 2 * SHAPE.hidden}, f"its heads have {HEAD} values, not {2 * HEAD}"),
        ({"hidden": HEAD, "heads": 1}, "its hidden is .* and a model only grows"),
        ({"layers": SHAPE.layers - 1}, "its layers is"),
        ({"rope_base": 5.0}, "its rope_base is .*, not 5"),
        ({"norm_epsilon": 0.5}, "its norm_epsilon is"),
        ({"vocabulary": 3}, "its vocabulary is"),
    ],
)
def test_what_cannot_go_on_is_said(changes: dict[str, object], why: str):
    told = misfit(SHAPE, replace(SHAPE, **changes))
    assert re.search(why, told) if why else told == ""


def test_what_ships_can_go_on_in_the_recipe_that_made_it():
    first, recipe = read_shape(str(SHIPPED)), PRESETS["tiny-broad"].shape
    assert misfit(first, with_words_of(first, recipe)) == ""
    assert first == recipe
