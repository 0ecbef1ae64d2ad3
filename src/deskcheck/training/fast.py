"""A faster forward pass of models trained from scratch.

    losses(model, ids, earlier, positions, mask, before, wanted, bf16=True) -> (summed loss, which are right)

The weights are those of transformers' modules; the order of the products is ours. On short rows, torch's
fused attention for processors spends most of its time on the bookkeeping of blocks: its backward pass is half
of a step on rows of 32 tokens. Here, the scores of all rows and heads are one product. Queries, keys and
values come from one product, and so do the two halves of the gated layer. Weights are cast once per pass; the
sums between the layers stay in fp32. A test compares losses and gradients with transformers'.

On a GPU, the scores are not stored: FlexAttention computes the blocks that the mask of packed rows leaves
visible (`block_mask_of`). torch has its backward pass only for GPUs; a test compares the forward pass.
"""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.nn.attention.flex_attention import BlockMask, create_block_mask, flex_attention
from torch.nn.functional import cross_entropy, linear, silu

LONGEST_ROW = 320
"""Longest row in tokens; scores of longer rows need too much memory."""


def losses(
    model: Any,
    ids: torch.Tensor,
    earlier: tuple[torch.Tensor, ...],
    positions: torch.Tensor,
    mask: torch.Tensor | BlockMask | None,
    before: torch.Tensor,
    wanted: torch.Tensor,
    bf16: bool,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the summed loss of the wanted tokens, and whether each has the highest score.

    `before` holds the places in the flattened rows that predict the wanted tokens. `earlier` holds the ids
    that the token shift reads with each token.
    """
    hidden = hidden_of(model, embedded(model, ids, earlier, bf16), positions, mask, bf16=bf16)
    kind = hidden.dtype
    scores = linear(hidden.flatten(0, 1)[before], model.lm_head.weight.to(kind)).float()
    return cross_entropy(scores, wanted, reduction="sum"), scores.detach().argmax(-1) == wanted


def embedded(model: Any, ids: torch.Tensor, earlier: tuple[torch.Tensor, ...], bf16: bool) -> torch.Tensor:
    """Return the embeddings of ids, with those of the ids before them (token shift)."""
    known, kind = model.model.embed_tokens, torch.bfloat16 if bf16 else torch.float32
    x: torch.Tensor = known(ids)
    if not earlier:
        return x
    joined = torch.cat([matrix.weight for matrix in model.model.shift], 1).to(kind)
    return x + linear(torch.cat([known(one) for one in earlier], -1).to(kind), joined).float()


def hidden_of(
    model: Any, x: torch.Tensor, positions: torch.Tensor, mask: torch.Tensor | BlockMask | None, *, bf16: bool
) -> torch.Tensor:
    """Return the hidden values after the last norm, (rows, length, width).

    `mask` gives the visible tokens, None = all earlier ones.
    """
    config = model.config
    heads, size = config.num_attention_heads, config.hidden_size // config.num_attention_heads
    kind = torch.bfloat16 if bf16 else torch.float32
    n_rows, length, width = x.shape
    cos, sin = turns(positions, size, config.rope_parameters["rope_theta"], kind)
    is_flex = isinstance(mask, BlockMask)
    hidden = None if is_flex else ~(causal(length, x.device) if mask is None else mask)[:, None]
    x = x.float()
    for layer in model.model.layers:
        own, mlp = layer.self_attn, layer.mlp
        joined = torch.cat([own.q_proj.weight, own.k_proj.weight, own.v_proj.weight]).to(kind)
        qkv = linear(normed(x, layer.input_layernorm, kind), joined)
        q, k, v = qkv.view(n_rows, length, 3, heads, size).permute(2, 0, 3, 1, 4)
        q, k = turned(q, cos, sin) / math.sqrt(size), turned(k, cos, sin)
        if is_flex:
            mixed = flex_attention(q, k, v, block_mask=mask, scale=1.0)
        else:
            scores = (q @ k.transpose(-1, -2)).float().masked_fill(hidden, -1e30)
            mixed = scores.softmax(-1).to(kind) @ v
        mixed = mixed.transpose(1, 2).reshape(n_rows, length, width)
        x = x + linear(mixed, own.o_proj.weight.to(kind)).float()
        joined = torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight]).to(kind)
        gate, up = linear(normed(x, layer.post_attention_layernorm, kind), joined).chunk(2, -1)
        x = x + linear(silu(gate.float()).to(kind) * up, mlp.down_proj.weight.to(kind)).float()
    return normed(x, model.model.norm, kind)


def normed(x: torch.Tensor, norm: Any, kind: torch.dtype) -> torch.Tensor:
    """Divide by the root mean square and multiply by the norm's weights."""
    return (x * torch.rsqrt(x.square().mean(-1, keepdim=True) + norm.variance_epsilon) * norm.weight).to(kind)


def causal(length: int, device: torch.device) -> torch.Tensor:
    """Return the mask by which a token sees itself and all before it: bool (1, query, key)."""
    at = torch.arange(length, device=device)
    return (at[:, None] >= at)[None]


def turns(
    positions: torch.Tensor, size: int, base: float, kind: torch.dtype
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return cosine and sine of every position, (rows, 1, length, head size)."""
    half = torch.arange(0, size, 2, dtype=torch.float32, device=positions.device) / size
    angle = positions[:, None, :, None].float() / base**half
    both = torch.cat([angle, angle], -1)
    return both.cos().to(kind), both.sin().to(kind)


def turned(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Apply rotary positions, as transformers does."""
    a, b = x.chunk(2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin


def block_mask_of(group: torch.Tensor, question: torch.Tensor) -> BlockMask:
    """Return the mask of `network.mask_of` as a block mask for FlexAttention."""

    def is_seen(row: Any, head: Any, query: Any, key: Any) -> Any:
        same = (question[row, query] == question[row, key]) | (question[row, key] == 0)
        return same & (group[row, query] == group[row, key]) & (query >= key)

    n_rows, length = group.shape
    return create_block_mask(is_seen, n_rows, None, length, length, device=str(group.device))
