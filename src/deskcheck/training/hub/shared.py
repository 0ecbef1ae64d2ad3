"""Let a model read rows that hold a program once for many examples of it.

    attend(model)                      lets the model read rows with `group` and `question` beside the tokens
    collate(rows, pad=..)              rows of `rows.py` as padded tensors
    why_not(model, row, alone, pad=..) -> "" if the answers are those to the examples one by one

A row holds groups. A group has its shared tokens once, then the remaining tokens of each example:

    shared | own, answer | own, answer || shared | own ..

Each example attends to the shared tokens and to itself. Positions count as if an example stood alone. The
visible tokens are given by a mask with four dimensions (attention `sdpa` or `eager`) or by a block mask
(`flex_attention`, for GPUs). Layers with a sliding window count the window in positions. Before a run,
`why_not` tests whether the model respects the mask. The idea is that of tree attention; training from scratch
has the same mask (`fast.mask_of`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch

# R rows, L tokens of the longest row; group, question and position are (R, L). `group`: number of a token's
# group in its row, -1 = padding. `question`: number of its example in the row from 1, 0 = shared.

IGNORED = -100
"""Label of a token without loss."""
KINDS = ("sdpa", "eager", "flex_attention")
"""Implementations of attention that accept our mask."""
LAYERS = ("full_attention", "sliding_attention")
"""Kinds of layer, as transformers names them, that our masks fit."""
BLOCK = 128
"""Rows for `flex_attention` are padded to a multiple of this length."""
# Names of the arrays of a row.
ROW = ("input_ids", "labels", "position_ids", "group", "question")
PADDING = {"labels": IGNORED, "position_ids": 0, "group": -1, "question": 0}


def collate(rows: Sequence[Mapping[str, Any]], *, pad: int, block: int = 1) -> dict[str, Any]:
    """Join rows into int64 tensors (R, L), padded on the right with group number -1."""
    longest = max(len(row["input_ids"]) for row in rows)
    longest += -longest % block
    tensors = {}
    for name in ROW:
        tensor = torch.full((len(rows), longest), PADDING.get(name, pad), dtype=torch.int64)
        for number, row in enumerate(rows):
            tensor[number, : len(row[name])] = _tensor(row[name])
        tensors[name] = tensor
    return tensors


def sees(group: Any, question: Any, position: Any, window: int = 0) -> Any:
    """Return the mask of visible tokens: bool (R, 1, L, L), query by key.

    A key is visible if it is in the query's group, not after the query, and shared or in the query's example.
    `window` limits the distance in positions; 0 = no limit.
    """
    earlier = torch.ones(group.shape[1], group.shape[1], dtype=torch.bool, device=group.device).tril()
    same = (question[:, :, None] == question[:, None, :]) | (question[:, None, :] == 0)  # (R, L, L)
    found = earlier & same & (group[:, :, None] == group[:, None, :])
    if window:
        found &= position[:, None, :] > position[:, :, None] - window
    return found[:, None]


def visible(group: Any, question: Any, position: Any, window: int = 0) -> Any:
    """Return the mask of `sees` as a function of row, head, query and key, for FlexAttention."""

    def mask(b: Any, h: Any, q: Any, k: Any) -> Any:
        seen = (k <= q) & (group[b, q] == group[b, k])
        seen = seen & ((question[b, q] == question[b, k]) | (question[b, k] == 0))
        return seen & (position[b, k] > position[b, q] - window) if window else seen

    return mask


def block_mask(group: Any, question: Any, position: Any, window: int = 0) -> Any:
    """Return the mask of `sees` as FlexAttention's block mask."""
    from torch.nn.attention.flex_attention import create_block_mask

    n_rows, length = group.shape
    mask = visible(group, question, position, window)
    return create_block_mask(mask, n_rows, None, length, length, device=str(group.device))


class Attend:
    """Hook that turns `group` and `question` into the model's mask, before its forward pass."""

    def __init__(self, config: Any) -> None:
        self.config = config.get_text_config()
        self.kinds = set(getattr(self.config, "layer_types", None) or ())

    def why_not(self) -> str:
        """Return why a model with this configuration cannot take our mask; "" = no reason."""
        if self.config._attn_implementation not in KINDS:
            return (
                f"attention '{self.config._attn_implementation}' takes no mask of ours; "
                f"--set attention={' or '.join(KINDS)} does"
            )
        if other := sorted(self.kinds.difference(LAYERS)):
            return f"it has layers of kind {', '.join(other)}"
        return ""

    def __call__(self, module: Any, args: Any, given: dict[str, Any]) -> Any:
        if "question" not in given:
            return None
        group, question, position = given.pop("group"), given.pop("question"), given["position_ids"]
        window = getattr(self.config, "sliding_window", None) or 0
        masks = {
            kind: self._mask(module, group, question, position, size)
            for kind, size in zip(LAYERS, (0, window), strict=True)
            if len(self.kinds) > 1 or kind == self._only(window)
        }
        given["attention_mask"] = masks if len(self.kinds) > 1 else masks[self._only(window)]
        return args, given

    def _only(self, window: int) -> str:
        """Return the kind of layer of a model that has only one kind."""
        return next(iter(self.kinds), LAYERS[1] if window else LAYERS[0])

    def _mask(self, module: Any, group: Any, question: Any, position: Any, window: int) -> Any:
        if self.config._attn_implementation == "flex_attention":
            return block_mask(group, question, position, window)
        seen = sees(group, question, position, window)
        if self.config._attn_implementation == "sdpa":
            return seen
        kind = next(module.parameters()).dtype
        return torch.zeros(seen.shape, dtype=kind, device=seen.device).masked_fill(
            ~seen, torch.finfo(kind).min
        )


def attend(model: Any) -> Any:
    """Let the model read rows of `collate`, by a hook; return the handle whose `remove()` takes it away."""
    return model.register_forward_pre_hook(Attend(model.config), with_kwargs=True)


def why_not(model: Any, row: Mapping[str, Any], alone: Sequence[Mapping[str, Any]], *, pad: int) -> str:
    """Return the reason why this model cannot read shared rows; "" if its answers stay the same.

    `row` is a shared row of `rows.py`; `alone` holds its examples with `input_ids` and `labels` only.
    `attend` must have been called.
    """
    if reason := Attend(model.config).why_not():
        return reason
    weights = next(model.parameters())
    block = BLOCK if Attend(model.config).config._attn_implementation == "flex_attention" else 1
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            shared = _answers(model, collate([row], pad=pad, block=block), weights.device)
            each = [_answers(model, _alone(one), weights.device) for one in alone]
    except Exception as error:  # the model's own code may fail in any way on a mask that it does not support
        first = (str(error).strip() or type(error).__name__).splitlines()[0][:200]
        return f"it fails on a mask of four dimensions ({type(error).__name__}: {first})"
    finally:
        model.train(was_training)
    apart = float((shared - torch.cat(each)).abs().max())
    exact = weights.dtype is torch.float32 and weights.device.type == "cpu"
    if not apart <= (1e-4 if exact else 5e-2) * max(1.0, float(shared.abs().max())):
        return f"its answers change by up to {apart:.2g} in log-probability where they share a program"
    return ""


def _alone(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _tensor(row[name])[None] for name in ("input_ids", "labels")}


def _tensor(numbers: Any) -> Any:
    """Copy numbers into an int64 tensor, because torch warns of views of a mapped file."""
    return torch.from_numpy(np.array(numbers, np.int64))


def _answers(model: Any, batch: dict[str, Any], device: Any) -> Any:
    """Return the log-probability of every token with loss, in order."""
    batch = {name: tensor.to(device) for name, tensor in batch.items()}
    wanted = batch.pop("labels")[0, 1:]
    counts = wanted != IGNORED
    scores = model(**batch).logits[0, :-1][counts].float().log_softmax(-1)
    return scores.gather(-1, wanted[counts][:, None])[:, 0]
