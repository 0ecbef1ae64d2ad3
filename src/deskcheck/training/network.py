"""Build the network of models trained from scratch, on torch, and compute its loss over packed rows.

    model = build_model(shape, seed=0);  loss_of(model, rows, bf16=True) -> sum over the tokens with loss

Scores over the vocabulary are computed for tokens with loss alone: in a small model, those of all tokens
would be most of the work. Which tokens of its row a token may see is computed on the device (`fast.mask_of`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from msgspec.structs import replace
from torch.nn.functional import cross_entropy
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from deskcheck.inference.network import NOTHING
from deskcheck.models.tiny import Shape
from deskcheck.training import fast
from deskcheck.training.data import Rows, select
from deskcheck.training.fast import mask_of
from deskcheck.training.graph import EMBEDDING, Weights
from deskcheck.training.presets import Preset
from deskcheck.training.tokenizer import BOS, BOS_ID, EOS, EOS_ID, PAD, PAD_ID, build_tokenizer

# R rows, L tokens of a row, E hidden size, V vocabulary, M tokens with loss

Say = Callable[[str], None]
COMPILED = "deskcheck_losses"
"""Attribute of a model that holds its compiled `fast.losses`."""
SCORES_PER_PASS = 1 << 26
"""Largest number of attention scores that one layer keeps for the backward pass on a CPU."""
PAD_TO = 8
"""Rows are padded to a multiple of this many tokens."""


class ShiftedLlama(LlamaForCausalLM):  # type: ignore[misc]  # mypy skips transformers
    """Llama with token shift: the embeddings of the tokens before, each times a matrix, add to a token's own.

    To find an earlier occurrence of a text, a model must know the tokens before each place. Two layers of
    attention can learn this. Here the first layer is given them, and copying is learned in a fraction of the
    steps (docs/log/training.md, 2026-11-22; the idea: token shift of RWKV, short convolutions of H3). The
    matrices begin as zero, so a model trained without them computes the same.
    """

    def __init__(self, config: Any) -> None:
        super().__init__(config)
        self.model.shift = torch.nn.ModuleList(
            torch.nn.Linear(config.hidden_size, config.hidden_size, bias=False)
            for _ in range(config.deskcheck_shift)
        )
        for matrix in self.model.shift:
            torch.nn.init.zeros_(matrix.weight)
        self._last: Any = None

    def embedded(self, ids: torch.Tensor, earlier: list[torch.Tensor]) -> torch.Tensor:
        """Embed ids with the ids one place before them, two places before them, ..: (R, L, E)."""
        x: torch.Tensor = self.model.embed_tokens(ids)  # (R, L, E)
        for before, matrix in zip(earlier, self.model.shift, strict=True):
            x = x + matrix(self.model.embed_tokens(before))
        return x

    def forward(self, input_ids: Any = None, inputs_embeds: Any = None, **more: Any) -> Any:
        """Run Llama's `forward`; ids are whole texts or continue the cached ones, as in `generate`."""
        if inputs_embeds is None:
            cached = more.get("past_key_values")
            shift = len(self.model.shift)
            if cached is None or not cached.get_seq_length():
                self._last = input_ids.new_full((len(input_ids), shift), NOTHING)
            known = torch.cat([self._last, input_ids], 1)  # (R, shift + L)
            n = input_ids.shape[1]
            earlier = [known[:, shift - back : shift - back + n] for back in range(1, shift + 1)]
            inputs_embeds, self._last = self.embedded(input_ids, earlier), known[:, -shift:]
        return super().forward(inputs_embeds=inputs_embeds, **more)


def earlier_of(
    group: torch.Tensor, question: torch.Tensor, ids: torch.Tensor, shift: int
) -> list[torch.Tensor]:
    """Return the ids one place before each token of packed rows, two places before it, ..: (R, L) each.

    A row holds groups; a group is a head and the questions about it (`data.Rows`). `group` numbers the
    groups; `question` is 0 in a head. Before the first token of a question is the last token of its head.
    All three tensors are (R, L).
    """
    at = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)  # (R, L)
    follows = torch.zeros_like(ids, dtype=torch.bool)
    follows[:, 1:] = (group[:, 1:] == group[:, :-1]) & (question[:, 1:] == question[:, :-1])
    is_head = question == 0
    head_end = torch.where(is_head, at, -1).cummax(1).values  # (R, L)
    place = torch.where(follows, at - 1, torch.where(is_head, -1, head_end))  # (R, L), -1 = none
    found, back = [], place
    for _ in range(shift):
        found.append(torch.where(back >= 0, ids.gather(1, back.clamp(min=0)), NOTHING))
        back = torch.where(back >= 0, place.gather(1, back.clamp(min=0)), -1)
    return found


def build_model(shape: Shape, *, seed: int, deviation: float = 0.02, weights: Weights | None = None) -> Any:
    """Build a Llama-shaped model with the given weights, or with random ones of this standard deviation."""
    torch.manual_seed(seed)
    config = LlamaConfig(
        vocab_size=shape.vocabulary,
        hidden_size=shape.hidden,
        intermediate_size=shape.intermediate,
        num_hidden_layers=shape.layers,
        num_attention_heads=shape.heads,
        num_key_value_heads=shape.heads,
        max_position_embeddings=shape.max_positions,
        rms_norm_eps=shape.norm_epsilon,
        rope_parameters={"rope_type": "default", "rope_theta": shape.rope_base},
        tie_word_embeddings=True,
        initializer_range=deviation,
        pad_token_id=PAD_ID,
        bos_token_id=BOS_ID,
        eos_token_id=EOS_ID,
        use_cache=False,
        attn_implementation="sdpa",
    )
    config.deskcheck_trained_length = shape.trained_length
    config.deskcheck_last_digit_first = shape.last_digit_first
    config.deskcheck_shift = shape.shift
    model = ShiftedLlama(config) if shape.shift else LlamaForCausalLM(config)
    if weights is not None:
        tensors = {name: torch.tensor(np.asarray(w, np.float32)) for name, w in weights.items()}
        first = model.model.embed_tokens.weight.detach()
        known = tensors[EMBEDDING]
        tensors[EMBEDDING] = torch.cat([known, first[len(known) :]])  # tokens without weights stay random
        model.load_state_dict(tensors, strict=False)
    return model


def weights_of(model: Any) -> Weights:
    """Return the weights of a model by their names in a checkpoint."""
    return {name: value.detach().float().cpu().numpy() for name, value in model.named_parameters()}


def _tokenizer(size: int) -> Any:
    return PreTrainedTokenizerFast(
        tokenizer_object=build_tokenizer(size=size),
        pad_token=PAD,
        bos_token=BOS,
        eos_token=EOS,
        split_special_tokens=True,
    )


def loss_of(model: Any, rows: Rows, *, bf16: bool, right: list[torch.Tensor] | None = None) -> Any:
    """Return the sum of the losses of the tokens with loss; a token's scores come from the place before it.

    `right` receives whether each of these tokens (M) has the highest score. Rows of one sequence need no
    mask.
    """
    device = model.device
    if is_fast(device, rows):
        return _fast_loss_of(model, rows, bf16=bf16, right=right)
    length = rows.ids.shape[1]
    row, place = np.nonzero(rows.loss[:, 1:])  # (M) each
    before = _on(row * length + place, device)
    ids = _on(rows.ids.astype(np.int64), device)  # (R, L)
    group, question = _on(rows.group, device), _on(rows.question, device)
    with torch.autocast(device.type, torch.bfloat16, enabled=bf16):
        if shift := getattr(model.config, "deskcheck_shift", 0):
            read = {"inputs_embeds": model.embedded(ids, earlier_of(group, question, ids, shift))}
        else:
            read = {"input_ids": ids}
        hidden = model.model(
            position_ids=_on(rows.position.astype(np.int64), device),
            attention_mask=None if is_causal(rows) else mask_of(group, question)[:, None],
            **read,
        ).last_hidden_state  # (R, L, E)
        scores = model.lm_head(hidden.flatten(0, 1)[before])  # (M, V)
    wanted = ids.flatten()[before + 1]  # (M)
    if right is not None:
        right.append(scores.detach().argmax(-1) == wanted)
    return cross_entropy(scores.float(), wanted, reduction="sum")


def is_fast(device: torch.device, rows: Rows) -> bool:
    """Whether `fast.py` computes these rows: all rows on a GPU, short rows on a CPU."""
    return device.type == "cuda" or len(rows.ids[0]) <= fast.LONGEST_ROW


def _fast_loss_of(model: Any, rows: Rows, *, bf16: bool, right: list[torch.Tensor] | None) -> Any:
    """Compute `loss_of` by `fast.losses`."""
    rows, device = padded(rows), model.device
    row, place = np.nonzero(rows.loss[:, 1:])  # (M) each
    before = _on(row * rows.ids.shape[1] + place, device)
    ids = _on(rows.ids.astype(np.int64), device)  # (R, L)
    group, question = _on(rows.group, device), _on(rows.question, device)
    shift = getattr(model.config, "deskcheck_shift", 0)
    mask: Any = None
    if device.type == "cuda":
        mask = fast.bias_of(mask_of(group, question), bf16=bf16)
    elif not is_causal(rows):
        mask = mask_of(group, question)
    loss, found = getattr(model, COMPILED, fast.losses)(
        model,
        ids,
        tuple(earlier_of(group, question, ids, shift)) if shift else (),
        _on(rows.position.astype(np.int64), device),
        mask,
        before,
        ids.flatten()[before + 1],
        bf16,
    )
    if right is not None:
        right.append(found)
    return loss


def padded(rows: Rows) -> Rows:
    """Pad rows to a multiple of PAD_TO, so that a network compiled for one length fits more rows.

    A padding token is in group -1, which sees no other group; all its other fields are PAD_ID, which is 0.
    """
    missing = -rows.ids.shape[1] % PAD_TO
    if not missing:
        return rows
    return Rows(
        *(
            np.pad(values, ((0, 0), (0, missing)), constant_values=-1 if name == "group" else PAD_ID)
            for name, values in rows._asdict().items()
        )
    )


def is_causal(rows: Rows) -> bool:
    """Whether every row is one sequence, so that a token sees all tokens before it."""
    return not rows.question.any() and bool(rows.group.max() <= 0)


def _on(values: Any, device: torch.device) -> torch.Tensor:
    """Return an array as a tensor on the device: a copy on a GPU, which is not waited for; none on a CPU."""
    tensor = torch.from_numpy(values)
    return tensor.pin_memory().to(device, non_blocking=True) if device.type == "cuda" else tensor


def backward(model: Any, batch: Rows, preset: Preset) -> torch.Tensor:
    """Add up the gradients of the mean loss of a batch, part by part; return that loss, a scalar ()."""
    n_loss = int(batch.loss[:, 1:].sum())
    total = torch.zeros((), device=model.device)
    per_pass = _rows_per_pass(model, batch.ids.shape[1], preset)
    for at in range(0, len(batch.ids), per_pass):
        part = select(batch, slice(at, at + per_pass))
        loss = loss_of(model, part, bf16=preset.bf16) / n_loss
        loss.backward()
        total += loss.detach()
    return total


def _rows_per_pass(model: Any, length: int, preset: Preset) -> int:
    """Return the rows of one pass: more if they are short, fewer on a CPU with long rows."""
    rows = preset.rows_per_pass * preset.shape.trained_length // length
    if model.device.type == "cpu":  # attention on a CPU stores the scores of all pairs of tokens
        rows = min(rows, SCORES_PER_PASS // (preset.shape.heads * length * length))
    return max(1, rows)


def suited(model: Any, preset: Preset, batch: Rows, say: Say, *, compiles: bool = True) -> Preset:
    """Return the preset with the faster precision of this CPU; compile the network if that is faster.

    A CPU may support bfloat16 and still be slower with it (docs/training.md, "measured"). A GPU is not
    slower, so it keeps the precision of the preset.
    """
    if model.device.type == "cpu":
        kinds = {bf16: _seconds_a_pass(model, replace(preset, bf16=bf16), batch) for bf16 in (False, True)}
        say(f"{1000 * kinds[False]:.1f} ms a pass in fp32, {1000 * kinds[True]:.1f} ms in bf16")
        preset = replace(preset, bf16=kinds[True] < kinds[False])
    if compiles:
        keep_if_faster(model, preset, batch, say)
    return preset


def _seconds_a_pass(model: Any, preset: Preset, batch: Rows, n: int = 7) -> float:
    """Measure the fastest of `n` passes, so that other load on the machine does not decide."""
    passes = []
    for _ in range(n):
        started = time.monotonic()
        backward(model, batch, preset)
        wait(model.device)
        passes.append(time.monotonic() - started)
    model.zero_grad()
    return min(passes)


def keep_if_faster(model: Any, preset: Preset, batch: Rows, say: Say, *, needed: float = 1.1) -> bool:
    """Compile the network if that makes a pass faster by a tenth; weights are not changed.

    If compilation fails (no compiler, an unknown device), the network runs uncompiled. Either result is
    printed.
    """
    plain_s, started = _seconds_a_pass(model, preset, batch), time.monotonic()
    is_own = is_fast(model.device, batch)
    inner = model.model
    try:
        if is_own:
            setattr(model, COMPILED, torch.compile(fast.losses, dynamic=True))
        else:
            inner.forward = torch.compile(inner.forward, dynamic=False)
        compiled_s = _seconds_a_pass(model, preset, batch)
        why = f"{1000 * plain_s:.1f} ms a pass plain, {1000 * compiled_s:.1f} ms compiled"
        pays = plain_s > needed * compiled_s
    except Exception as error:  # compilers fail in many ways
        pays, why = False, f"{type(error).__name__}: {str(error).splitlines()[0][:120] if str(error) else ''}"
    if not pays and is_own:
        vars(model).pop(COMPILED, None)
    elif not pays:
        del inner.forward
    model.zero_grad()
    say(f"torch.compile is {'used' if pays else 'not used'}: {why}; {time.monotonic() - started:.0f} s")
    return pays


def compile_layer(model: Any, preset: Preset, batch: Rows, say: Say) -> bool:
    """Compile a layer of the network for a GPU; False = it runs uncompiled. The result is printed.

    It is not compared with the uncompiled layer, which launches four times as many kernels.
    """
    started = time.monotonic()
    setattr(model, fast.LAYER, torch.compile(fast.layer, dynamic=False))
    try:
        loss = float(backward(model, batch, preset))
        ready_s = time.monotonic() - started
        pass_ms = 1000 * _seconds_a_pass(model, preset, batch, n=3)
        text = f"used: {pass_ms:.1f} ms a pass, loss {loss:.4f}, ready after {ready_s:.0f} s"
    except Exception as error:  # compilers fail in many ways
        vars(model).pop(fast.LAYER, None)
        first = str(error).splitlines()[0][:160] if str(error) else ""
        text = f"not used: {type(error).__name__}: {first}"
    model.zero_grad()
    say(f"torch.compile of a layer is {text}")
    return fast.LAYER in vars(model)


def wait(device: torch.device) -> None:
    """Wait until a GPU has finished its work, so that times can be measured."""
    if device.type == "cuda":
        torch.cuda.synchronize()


def save(model: Any, folder: Path) -> None:
    """Write the model and its tokenizer in the format of transformers.

    Without deskcheck, transformers runs only models without token shift: it does not know `ShiftedLlama`.
    """
    model.save_pretrained(str(folder))
    _tokenizer(model.config.vocab_size).save_pretrained(str(folder))
