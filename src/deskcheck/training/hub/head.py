"""Loss on a processor, from the scores of the tokens that have one; TRL's own head is for GPUs.

    score_here(trainer.model)                      # of a trainer that TRL has made
    model(**inputs, labels=labels, fused_lm_head=True).loss

The last layer computes a score for each entry of the vocabulary: hundreds of thousands for each token. On a
processor, TRL computes them for every token, answer or not, and by slices of the vocabulary, which reads and
writes them some twenty times.
"""

from __future__ import annotations

from functools import wraps
from typing import Any

import torch
from torch.distributed.tensor import DTensor
from trl.trainer.utils import FusedCausalLMOutput

from deskcheck.training.hub.shared import IGNORED

PART = 256
"""Tokens scored at a time: 268 MB of scores with a vocabulary of 262,144."""
SCALES = ("logit_scale", "output_multiplier", "lm_head_multiplier", "logits_scaling")
"""Settings of models that multiply their scores, which are left to TRL."""


def score_here(model: Any) -> None:
    """Replace what `fused_lm_head=True` does to a model on a processor. Loss and gradients are TRL's."""
    inner = getattr(model, "get_base_model", lambda: model)()
    theirs = inner.forward

    @wraps(theirs)
    def forward(*args: Any, fused_lm_head: bool = False, labels: Any = None, **named: Any) -> Any:
        weight = inner.get_output_embeddings().weight
        if (
            not fused_lm_head
            or labels is None
            or weight.device.type != "cpu"
            or _is_others(inner, weight, named)
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


def _is_others(inner: Any, weight: Any, named: dict[str, Any]) -> bool:
    """Say whether TRL has to compute the loss: of experts, scaled scores, weights spread over processes."""
    config = inner.config.get_text_config()
    return (
        isinstance(weight, DTensor)
        or not {"shift_labels", "num_items_in_batch"}.isdisjoint(named)
        or bool(named.get("output_router_logits") or getattr(config, "output_router_logits", False))
        or any(getattr(config, name, None) is not None for name in SCALES)
    )


class _Score(torch.autograd.Function):  # type: ignore[misc]  # Any: mypy skips torch
    """Log-probability of the label of each hidden state, the entropy, whether the label is likeliest."""

    @staticmethod
    def forward(
        ctx: Any,
        hidden: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor | None,
        labels: torch.Tensor,
        cap: float,
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        kind = torch.bfloat16 if torch.is_autocast_enabled("cpu") else hidden.dtype
        ctx.cap, ctx.kind = cap, kind
        used = weight.to(kind)
        n = len(hidden)
        found, entropy, total = (torch.empty(n) for _ in range(3))
        is_top1 = torch.empty(n, dtype=torch.bool)
        for part in _parts(n):
            scores = _scores(hidden[part].to(kind), used, bias, cap)
            total[part] = scores.logsumexp(-1)
            found[part] = scores.gather(1, labels[part, None])[:, 0] - total[part]
            is_top1[part] = scores.argmax(-1) == labels[part]
            shares = (scores - total[part, None]).exp_()
            entropy[part] = total[part] - torch.linalg.vecdot(shares, scores)
        ctx.save_for_backward(hidden, weight, bias, labels, total)
        ctx.mark_non_differentiable(entropy, is_top1)
        return found, entropy, is_top1

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor, *_: Any) -> tuple[Any, ...]:
        hidden, weight, bias, labels, total = ctx.saved_tensors
        used = weight.to(ctx.kind)
        of_hidden = torch.empty_like(hidden)
        of_weight = torch.zeros_like(weight, dtype=torch.float32) if ctx.needs_input_grad[1] else None
        of_bias = torch.zeros_like(bias, dtype=torch.float32) if bias is not None else None
        for part in _parts(len(hidden)):
            state = hidden[part].to(ctx.kind)
            scores = _scores(state, used, bias, ctx.cap)
            slope = 1 - (scores / ctx.cap) ** 2 if ctx.cap else None
            change = scores.sub_(total[part, None]).exp_().mul_(-gradient[part, None])
            change.scatter_add_(1, labels[part, None], gradient[part, None])
            if slope is not None:
                change *= slope
            small = change.to(ctx.kind)
            of_hidden[part] = small @ used
            if of_weight is not None:
                of_weight += (small.T @ state).float()
            if of_bias is not None:
                of_bias += change.sum(0)
        return (
            of_hidden,
            None if of_weight is None else of_weight.to(weight.dtype),
            None if of_bias is None else of_bias.to(bias.dtype),
            None,
            None,
        )


def _parts(n: int) -> list[slice]:
    return [slice(start, min(start + PART, n)) for start in range(0, n, PART)]


def _scores(state: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor | None, cap: float) -> torch.Tensor:
    """Compute the scores of some states: fp32 (states, vocabulary)."""
    scores = torch.nn.functional.linear(state, weight).float()
    if bias is not None:
        scores += bias
    return scores.div_(cap).tanh_().mul_(cap) if cap else scores
