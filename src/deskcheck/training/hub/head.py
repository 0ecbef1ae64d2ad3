"""Compute a model's loss on a CPU, with scores only for tokens that have a label; TRL's own head is for GPUs.

    score_here(trainer.model)                      # of a trainer that TRL has made
    model(**inputs, labels=labels, fused_lm_head=True).loss

The last layer computes a score for each entry of the vocabulary: hundreds of thousands for each token. On a
CPU, TRL computes these scores for every token, answer or not, in slices larger than the caches.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps
from typing import Any

import torch
from torch.distributed.tensor import DTensor
from trl.trainer.utils import FusedCausalLMOutput

from deskcheck.training.hub.shared import IGNORED

# N tokens with a label, E hidden size, V vocabulary, K entries of a slice of it

AT_ONCE = 1 << 20
"""Scores computed at a time: 4 MB in fp32, which stay in the cache of a core."""
LEAST = 1024
"""Entries of the vocabulary in a slice, however many tokens there are."""
SCALES = ("logit_scale", "output_multiplier", "lm_head_multiplier", "logits_scaling")
"""Settings by which models multiply their scores; such models are left to TRL."""


def score_here(model: Any) -> None:
    """Replace what `fused_lm_head=True` does in this model on a CPU. Loss and gradients stay those of TRL."""
    inner = getattr(model, "get_base_model", lambda: model)()
    theirs = inner.forward

    @wraps(theirs)
    def forward(*args: Any, fused_lm_head: bool = False, labels: Any = None, **named: Any) -> Any:
        weight = inner.get_output_embeddings().weight
        if (
            not fused_lm_head
            or labels is None
            or weight.device.type != "cpu"
            or _is_left_to_trl(inner, weight, named)
        ):
            more = {"fused_lm_head": True} if fused_lm_head else {}
            return theirs(*args, **more, **({} if labels is None else {"labels": labels}), **named)
        hidden = inner.base_model(*args, **named | {"use_cache": False}).last_hidden_state[:, :-1]
        following = labels[:, 1:]
        mask = following != IGNORED
        cap = getattr(inner.config.get_text_config(), "final_logit_softcapping", None)
        found = _Score.apply(
            hidden[mask], weight, inner.get_output_embeddings().bias, following[mask], float(cap or 0)
        )
        log_probs, entropy, is_top1 = (one.new_zeros(mask.shape).masked_scatter(mask, one) for one in found)
        loss = -log_probs.sum() / mask.sum().clamp(min=1)
        return FusedCausalLMOutput(
            loss=loss, log_probs=log_probs, entropy=entropy, is_top1=is_top1, label_mask=mask
        )

    inner.forward = forward


def _is_left_to_trl(inner: Any, weight: Any, named: dict[str, Any]) -> bool:
    """Whether TRL has to compute the loss: of mixtures of experts, scaled scores, or distributed weights."""
    config = inner.config.get_text_config()
    return (
        isinstance(weight, DTensor)
        or not {"shift_labels", "num_items_in_batch"}.isdisjoint(named)
        or bool(named.get("output_router_logits") or getattr(config, "output_router_logits", False))
        or any(getattr(config, name, None) is not None for name in SCALES)
    )


class _Score(torch.autograd.Function):  # type: ignore[misc]  # Any: mypy skips torch
    """For each hidden state: log-probability of its label, entropy, whether its label scores highest."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor | None,
        labels: torch.Tensor,
        cap: float,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the three results, (N) each, for hidden states (N, E) and labels (N).

        `weight` is (V, E), `bias` (V). `cap` bounds the scores (logit softcapping); 0 = no bound.
        """
        dtype = torch.bfloat16 if torch.is_autocast_enabled("cpu") else hidden.dtype
        state, n = hidden.to(dtype), len(hidden)
        picked, total, mean = (torch.zeros(n) for _ in range(3))  # (N) each
        most = torch.full((n,), -torch.inf)
        likeliest = torch.zeros(n, dtype=torch.int64)
        for part, scores in _slices(state, weight, bias, cap):
            top, place = scores.max(-1)  # of scores (N, K); (N) each
            likeliest = torch.where(top > most, place + part.start, likeliest)
            shrink = (most - (most := torch.maximum(most, top))).exp_()
            inside, at = _inside(labels, part)
            picked = torch.where(inside, scores.gather(1, at)[:, 0], picked)
            shares = (scores - most[:, None]).exp_()  # (N, K)
            total = total * shrink + shares.sum(-1)
            mean = mean * shrink + torch.linalg.vecdot(shares, scores)
        log_total = most + total.log()
        ctx.cap, ctx.kind = cap, dtype
        ctx.save_for_backward(hidden, weight, bias, labels, log_total)
        found = picked - log_total, log_total - mean / total, likeliest == labels
        ctx.mark_non_differentiable(*found[1:])
        return found

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor, *_: Any) -> tuple[Any, ...]:
        """Return the gradients of hidden states (N, E), weight (V, E) and bias (V)."""
        hidden, weight, bias, labels, log_total = ctx.saved_tensors
        state = hidden.to(ctx.kind)  # (N, E)
        of_hidden = torch.zeros(hidden.shape)
        of_weight = torch.zeros(weight.shape) if ctx.needs_input_grad[1] else None
        of_bias = None if bias is None else torch.zeros(bias.shape)
        for part, scores in _slices(state, weight, bias, ctx.cap):
            slope = 1 - (scores / ctx.cap) ** 2 if ctx.cap else None
            change = scores.sub_(log_total[:, None]).exp_().mul_(-gradient[:, None])  # (N, K)
            inside, at = _inside(labels, part)
            change.scatter_add_(1, at, (gradient * inside)[:, None])
            if slope is not None:
                change *= slope
            small = change.to(ctx.kind)
            of_hidden += small @ weight[part].to(ctx.kind)  # (N, E)
            if of_weight is not None:
                of_weight[part] = small.T @ state  # (K, E)
            if of_bias is not None:
                of_bias[part] = change.sum(0)
        found = (of_hidden, hidden), (of_weight, weight), (of_bias, bias)
        return *(None if one is None else one.to(like.dtype) for one, like in found), None, None


def _slices(
    state: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, cap: float
) -> Iterator[tuple[slice, torch.Tensor]]:
    """Yield slices of the vocabulary and the scores in them: fp32 (N, K), to be overwritten."""
    n = max(LEAST, AT_ONCE // max(1, len(state)))
    for start in range(0, len(weight), n):
        part = slice(start, min(start + n, len(weight)))
        scores = torch.nn.functional.linear(state, weight[part].to(state.dtype)).float()
        if bias is not None:
            scores += bias[part]
        yield part, scores.div_(cap).tanh_().mul_(cap) if cap else scores


def _inside(labels: torch.Tensor, part: slice) -> tuple[torch.Tensor, torch.Tensor]:
    """Return which labels lie in a slice, bool (N), and their places in it, int64 (N, 1), 0 for others."""
    inside = (labels >= part.start) & (labels < part.stop)
    return inside, torch.where(inside, labels - part.start, 0)[:, None]
