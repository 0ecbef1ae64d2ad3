"""Run a Hugging Face `transformers` model in the step engine, on sequences of different lengths at once.

    HubNetwork(model).cache(rows=64).forward([RowInput(0, 0, [5, 9])], wanted=[1]) -> logits (1, vocabulary)

Each row has cached positions and new tokens. The former are padded at their beginning and the latter at their
end, so that no padding lies between them: layers with a sliding window count columns, not positions. An
attention mask excludes the padding.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from transformers import DynamicCache

from deskcheck.inference.engine import Model
from deskcheck.inference.network import RowInput, Shape, packed

if TYPE_CHECKING:
    Array = np.ndarray[Any, np.dtype[Any]]

# Shapes: R rows of a call, P cached positions (longest row), H key-value heads, D head size, L layers,
# W wanted tokens


class HubNetwork:
    """A transformers model with its shape and its device.

    Only wanted positions reach the output layer: with a vocabulary of 262,144, the logits of all positions of
    16 prompts of 500 tokens would take 8 GB.
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self.shape = shape_of(model)
        self.device = next(model.parameters()).device
        self.wanted: torch.Tensor | None = None
        model.get_output_embeddings().register_forward_pre_hook(self._keep)

    def _keep(self, module: Any, args: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """Give the output layer only the wanted positions; it is a hook that torch calls before the layer."""
        return args if self.wanted is None else (args[0].flatten(0, 1)[None, self.wanted], *args[1:])

    def logits(self, wanted: torch.Tensor, **inputs: Any) -> torch.Tensor:
        """Run the model and return logits (W, vocabulary) at the wanted places of the padded, joined rows."""
        self.wanted = wanted
        try:
            logits: torch.Tensor = self.model(**inputs).logits[0]
            return logits
        finally:
            self.wanted = None

    def cache(self, *, rows: int) -> HubCache:
        """Make an empty cache of keys and values."""
        return HubCache(self, rows)


class HubCache:
    """Cached keys and values, a tensor (2 L, H, positions, D) for each row; per layer keys, then values."""

    def __init__(self, network: HubNetwork, rows: int) -> None:
        self.network = network
        self.rows: list[torch.Tensor | None] = [None] * rows

    def forward(self, inputs: list[RowInput], *, wanted: list[int]) -> Array:
        """Return the logits after the wanted tokens (counted over all inputs), and cache all new tokens."""
        with torch.inference_mode():
            return self._forward(inputs, wanted)

    def _forward(self, inputs: list[RowInput], wanted: list[int]) -> Array:
        device, shape = self.network.device, self.network.shape
        # Without a system message the shared head is empty: cache empty tensors, return no logits.
        if not any(row_input.tokens for row_input in inputs):
            for row_input in inputs:
                if self.rows[row_input.row] is None:
                    size = (2 * shape.layers, shape.heads, 0, shape.head_size)
                    empty = torch.zeros(size, dtype=self.network.model.dtype, device=device)
                    self.rows[row_input.row] = empty
            return np.zeros((len(wanted), 0), np.float32)
        tokens = packed(inputs)
        n_rows, width = tokens.pick.shape  # width: new tokens of the longest row
        place = torch.from_numpy(tokens.place).to(device)  # of each new token in the padded, joined rows
        ids = torch.zeros(n_rows * width, dtype=torch.long, device=device)
        ids[place] = torch.from_numpy(tokens.ids).to(device)
        lengths = torch.from_numpy(tokens.lengths).to(device)  # cached positions of each row
        longest = max(row_input.start for row_input in inputs)
        is_new = torch.zeros(n_rows * width, dtype=torch.bool, device=device)
        is_new[place] = True
        is_past = torch.arange(longest, device=device) >= longest - lengths[:, None]
        mask = torch.cat([is_past, is_new.view(n_rows, width)], 1).long()
        positions = lengths[:, None] + torch.arange(width, device=device)
        cache = DynamicCache()
        if longest:
            past = self._past(inputs, longest)
            for layer in range(shape.layers):
                cache.update(past[:, 2 * layer], past[:, 2 * layer + 1], layer)
        logits = self.network.logits(
            place[torch.tensor(wanted, dtype=torch.long)],
            input_ids=ids.view(n_rows, width),
            attention_mask=mask,
            position_ids=positions,
            past_key_values=cache,
            use_cache=True,
        )
        self._store(inputs, cache, longest)
        wanted_logits: Array = logits.float().cpu().numpy()
        return wanted_logits

    def _past(self, inputs: list[RowInput], longest: int) -> torch.Tensor:
        """Gather the cached keys and values of the rows, each after zeros: (R, 2 L, H, P, D)."""
        shape, model = self.network.shape, self.network.model
        size = (len(inputs), 2 * shape.layers, shape.heads, longest, shape.head_size)
        past = torch.zeros(size, dtype=model.dtype, device=self.network.device)
        for number, row_input in enumerate(inputs):
            cached, start = self.rows[row_input.row], row_input.start
            if start and cached is not None:
                past[number, :, :, longest - start :] = cached[:, :, :start]
        return past

    def _store(self, inputs: list[RowInput], cache: Any, longest: int) -> None:
        layers = range(self.network.shape.layers)
        new = torch.stack(
            [side for n in layers for side in (cache.layers[n].keys, cache.layers[n].values)], 1
        )
        for number, row_input in enumerate(inputs):
            added = new[number, :, :, longest : longest + len(row_input.tokens)]
            cached, start = self.rows[row_input.row], row_input.start
            past = [cached[:, :, :start]] if start and cached is not None else []
            self.rows[row_input.row] = torch.cat([*past, added], 2)

    def read(self, row: int, n: int) -> torch.Tensor:
        """Return a copy of the keys and values of the first n positions of a row."""
        cached = self.rows[row]
        assert cached is not None
        return cached[:, :, :n].clone()

    def write(self, row: int, values: torch.Tensor) -> None:
        """Set a row's keys and values. They are not copied, because `forward` replaces the tensor."""
        self.rows[row] = values

    def drop(self, row: int) -> None:
        """Forget the keys and values of one row, to free their memory."""
        self.rows[row] = None


def shape_of(model: Any) -> Shape:
    """Read the shape of a model from its config: key-value heads, head size, layers, longest sequence."""
    config = model.config.get_text_config()
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return Shape(
        vocabulary=config.vocab_size,
        hidden=heads * size,  # of keys: Shape divides it by the heads to get the head size
        layers=config.num_hidden_layers,
        heads=heads,
        intermediate=getattr(config, "intermediate_size", 0),  # GPT-2 and OPT have other names
        rope_base=0.0,  # unused, like norm_epsilon: transformers applies the values of the model's config
        norm_epsilon=0.0,
        trained_length=config.max_position_embeddings,
        max_positions=config.max_position_embeddings,
    )


class HubModel(Model):
    """A model of the step engine whose requests are token ids separated by spaces.

    A request is therefore always split into head and body at a token boundary.
    """

    def __init__(self, path: Path, network: HubNetwork, tokenizer: Any) -> None:
        super().__init__(path, network)
        self.tokenizer = tokenizer
        eos_ids = network.model.generation_config.eos_token_id
        ends = {tokenizer.eos_token_id, *(eos_ids if isinstance(eos_ids, list) else [eos_ids])}
        self.ends = frozenset(ends - {None})

    def tokens(self, text: str) -> list[int]:
        """Parse a text of token ids that are separated by spaces."""
        return [int(token) for token in text.split()]

    def head_tokens(self, head: str) -> list[int]:
        """Parse the token ids of a head. No start token is added, because the chat template writes it."""
        return self.tokens(head)

    def text(self, tokens: list[int]) -> str:
        """Decode tokens to text, without special tokens."""
        return str(self.tokenizer.decode(tokens, skip_special_tokens=True))

    def piece(self, token: int) -> str:
        """Return the text of one token, decoded without its neighbors."""
        return str(self.tokenizer.decode([token]))
