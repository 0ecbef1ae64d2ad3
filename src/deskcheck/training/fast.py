"""Compute the forward pass of models trained from scratch, faster than transformers does.

    losses(model, ids, earlier, positions, mask, before, wanted, bf16=True) -> (summed loss, which are right)

The weights are those of transformers' modules; the order of the products is ours. On short rows, torch's
fused attention on CPUs spends most of its time on the bookkeeping of blocks: its backward pass is half of a
step on rows of 32 tokens. Here, the scores of all rows and heads are one product. Queries, keys and values
come from one product, and so do the two halves of the gated layer. Weights are cast once per pass; the sums
between the layers stay in fp32. A test compares losses and gradients with those of transformers.

On a GPU, torch's attention takes a dense mask. All layers have one shape, so one compiled `layer` serves them
all: it compiles in a fraction of the time of the whole network. FlexAttention is not used: its forward pass
took 3.9 ms a layer on an H100, cuDNN's with a dense mask 0.4 ms (docs/log/training.md, 2026-11-27).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch.nn.functional import cross_entropy, embedding, linear, scaled_dot_product_attention, silu

# R rows, L tokens of a row, E hidden size, H heads, D head size (E = H * D), F inner size of the gated layer,
# V vocabulary, S ids that the token shift reads, M tokens with loss

LONGEST_ROW = 320
"""Longest row in tokens; scores of longer rows need too much memory."""
LAYER = "deskcheck_layer"
"""Attribute of a model that holds its compiled `layer`."""


def losses(
    model: Any,
    ids: torch.Tensor,
    earlier: tuple[torch.Tensor, ...],
    positions: torch.Tensor,
    mask: torch.Tensor | None,
    before: torch.Tensor,
    wanted: torch.Tensor,
    bf16: bool,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the summed loss of the wanted tokens, and whether each has the highest score.

    `ids` and `positions` are (R, L), `mask` as in `hidden_of`. `before` (M) holds the places in the flattened
    rows that predict the `wanted` tokens (M). `earlier` holds the ids, S times (R, L), that the token shift
    reads with each token.
    """
    hidden = hidden_of(model, embedded(model, ids, earlier, bf16), positions, mask, bf16=bf16)  # (R, L, E)
    dtype = hidden.dtype
    scores = linear(hidden.flatten(0, 1)[before], model.lm_head.weight.to(dtype)).float()  # (M, V)
    return cross_entropy(scores, wanted, reduction="sum"), scores.detach().argmax(-1) == wanted


def embedded(model: Any, ids: torch.Tensor, earlier: tuple[torch.Tensor, ...], bf16: bool) -> torch.Tensor:
    """Return the embeddings (R, L, E) of ids (R, L), with those of the ids before them (token shift)."""
    known, dtype = model.model.embed_tokens, torch.bfloat16 if bf16 else torch.float32
    if not earlier:
        only: torch.Tensor = known(ids)
        return only
    if ids.is_cuda:  # a product for every token of the vocabulary, not of the rows
        tables = [known.weight, *(linear(known.weight, matrix.weight) for matrix in model.model.shift)]
        # tables: (V, E) each
        parts = (embedding(part, table) for part, table in zip((ids, *earlier), tables, strict=True))
        return sum(parts, torch.zeros((), device=ids.device))
    joined = torch.cat([matrix.weight for matrix in model.model.shift], 1).to(dtype)  # (E, S * E)
    x: torch.Tensor = known(ids)  # (R, L, E)
    return x + linear(torch.cat([known(one) for one in earlier], -1).to(dtype), joined).float()


def hidden_of(
    model: Any, x: torch.Tensor, positions: torch.Tensor, mask: torch.Tensor | None, *, bf16: bool
) -> torch.Tensor:
    """Return the hidden values after the last norm, (R, L, E).

    `x` is (R, L, E), `positions` (R, L). `mask` gives the visible tokens, (R or 1, L, L); None = all earlier
    tokens.
    """
    config = model.config
    size = config.hidden_size // config.num_attention_heads
    dtype = torch.bfloat16 if bf16 else torch.float32
    cos, sin = rotations(positions, size, config.rope_parameters["rope_theta"], dtype)
    if mask is None:
        mask = causal(x.shape[1], x.device)
    x, epsilon = x.float(), float(config.rms_norm_eps)
    compute: Callable[..., torch.Tensor] = getattr(model, LAYER, layer)
    for block in model.model.layers:
        attention, mlp = block.self_attn, block.mlp
        weights = (
            block.input_layernorm.weight,
            *(
                part.weight
                for part in (attention.q_proj, attention.k_proj, attention.v_proj, attention.o_proj)
            ),
            block.post_attention_layernorm.weight,
            *(part.weight for part in (mlp.gate_proj, mlp.up_proj, mlp.down_proj)),
        )
        x = compute(x, *weights, cos, sin, mask[:, None], epsilon)  # (R, L, E)
    return normed(x, model.model.norm.weight, epsilon, dtype)


def layer(
    x: torch.Tensor,
    before: torch.Tensor,
    q_proj: torch.Tensor,
    k_proj: torch.Tensor,
    v_proj: torch.Tensor,
    o_proj: torch.Tensor,
    between: torch.Tensor,
    gate_proj: torch.Tensor,
    up_proj: torch.Tensor,
    down_proj: torch.Tensor,
    cos: torch.Tensor,
    sin: torch.Tensor,
    seen: torch.Tensor,
    epsilon: float,
) -> torch.Tensor:
    """Return the hidden values (R, L, E) after one layer; its weights have the names of transformers.

    The projections of attention are (E, E), `gate_proj` and `up_proj` (F, E), `down_proj` (E, F), the norms
    `before` and `between` (E), `cos` and `sin` (R, 1, L, D). `seen` (R or 1, 1, L, L) gives the visible
    tokens, or on a GPU what is added to the scores (`bias_of`).
    """
    dtype, size = cos.dtype, cos.shape[-1]
    n_rows, length, width = x.shape
    joined = torch.cat([q_proj, k_proj, v_proj]).to(dtype)  # (3 * E, E)
    qkv = linear(normed(x, before, epsilon, dtype), joined)  # (R, L, 3 * E)
    q, k, v = qkv.view(n_rows, length, 3, width // size, size).permute(2, 0, 3, 1, 4)  # (R, H, L, D) each
    q, k = rotated(q, cos, sin) / math.sqrt(size), rotated(k, cos, sin)
    if x.is_cuda:
        mixed = scaled_dot_product_attention(q, k, v, attn_mask=seen, scale=1.0)
    else:
        scores = (q @ k.transpose(-1, -2)).float().masked_fill(~seen, -1e30)  # (R, H, L, L)
        mixed = scores.softmax(-1).to(dtype) @ v  # (R, H, L, D)
    mixed = mixed.transpose(1, 2).reshape(n_rows, length, width)  # (R, L, E)
    x = x + linear(mixed, o_proj.to(dtype)).float()
    joined = torch.cat([gate_proj, up_proj]).to(dtype)  # (2 * F, E)
    gate, up = linear(normed(x, between, epsilon, dtype), joined).chunk(2, -1)  # (R, L, F) each
    return x + linear(silu(gate.float()).to(dtype) * up, down_proj.to(dtype)).float()


def normed(x: torch.Tensor, weight: torch.Tensor, epsilon: float, dtype: torch.dtype) -> torch.Tensor:
    """Divide values (.., E) by their root mean square and multiply by the norm's weights (E)."""
    return (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + epsilon) * weight).to(dtype)


def causal(length: int, device: torch.device) -> torch.Tensor:
    """Return the mask by which a token sees itself and all before it: bool (1, L, L), query by key."""
    positions = torch.arange(length, device=device)
    return (positions[:, None] >= positions)[None]


def rotations(
    positions: torch.Tensor, size: int, base: float, dtype: torch.dtype
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return cosine and sine of the angles of positions (R, L), (R, 1, L, D) each."""
    half = torch.arange(0, size, 2, dtype=torch.float32, device=positions.device) / size  # (D / 2)
    angle = positions[:, None, :, None].float() / base**half  # (R, 1, L, D / 2)
    both = torch.cat([angle, angle], -1)
    return both.cos().to(dtype), both.sin().to(dtype)


def rotated(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Apply rotary positions to queries or keys (R, H, L, D), as transformers does."""
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin


def mask_of(group: torch.Tensor, question: torch.Tensor) -> torch.Tensor:
    """Return which tokens each token sees, for `group` and `question` of `data.Rows` (R, L): bool (R, L, L).

    The second axis is the token that sees, the third the token that is seen. A token sees itself, the earlier
    tokens of its question, and the head of its group.
    """
    same_group = group[:, :, None] == group[:, None, :]
    same_question = (question[:, :, None] == question[:, None, :]) | (question[:, None, :] == 0)
    return (same_group & same_question).tril()


def bias_of(mask: torch.Tensor, *, bf16: bool) -> torch.Tensor:
    """Return what torch's attention adds to the scores for a mask (R, L, L): 0 for visible tokens, else -inf.

    It is made once for all layers.
    """
    zero = torch.zeros((), dtype=torch.bfloat16 if bf16 else torch.float32, device=mask.device)
    return torch.where(mask, zero, -torch.inf)
