"""A model of transformers as the step engine's network: ragged rows over one cache of keys and values.

    HubNetwork(model).cache(rows=64).forward([Fed(0, 0, [5, 9])], wanted=[1]) -> logits (1, vocabulary)

Rows are padded at their ends, the past and the new tokens each; a mask says what is there.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from transformers import DynamicCache

from deskcheck.inference.engine import Model
from deskcheck.inference.network import Fed, Shape, packed

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

# R rows of the call, W widest row, P longest past, H heads of keys, D head size, L layers


class HubNetwork:
    """The model and where it is."""

    def __init__(self, model: Any) -> None:
        self.model = model
        self.shape = shape_of(model)
        self.device = next(model.parameters()).device

    def cache(self, *, rows: int) -> HubCache:
        """Make an empty cache of keys and values."""
        return HubCache(self, rows)


class HubCache:
    """One tensor a row, (2 L, H, positions, D)."""

    def __init__(self, network: HubNetwork, rows: int) -> None:
        self.network = network
        self.rows: list[torch.Tensor | None] = [None] * rows

    def forward(self, fed: list[Fed], *, wanted: list[int]) -> Array:
        """Run the network on new tokens, as `OnnxCache.forward`."""
        with torch.inference_mode():
            return self._forward(fed, wanted)

    def _forward(self, fed: list[Fed], wanted: list[int]) -> Array:
        device, shape = self.network.device, self.network.shape
        if not any(one.tokens for one in fed):  # a prompt without a system message has an empty head
            for one in fed:
                if self.rows[one.row] is None:
                    size = (2 * shape.layers, shape.heads, 0, shape.head_size)
                    self.rows[one.row] = torch.zeros(size, dtype=self.network.model.dtype, device=device)
            return np.zeros((len(wanted), 0), np.float32)
        tokens = packed(fed)
        n_rows, width = tokens.pick.shape
        place = torch.from_numpy(tokens.place).to(device)
        ids = torch.zeros(n_rows * width, dtype=torch.long, device=device)
        ids[place] = torch.from_numpy(tokens.ids).to(device)
        lengths = torch.from_numpy(tokens.lengths).to(device)
        longest = max(one.start for one in fed)
        is_new = torch.zeros(n_rows * width, dtype=torch.bool, device=device)
        is_new[place] = True
        is_past = torch.arange(longest, device=device) < lengths[:, None]
        mask = torch.cat([is_past, is_new.view(n_rows, width)], 1).long()
        positions = lengths[:, None] + torch.arange(width, device=device)
        cache = DynamicCache()
        if longest:
            past = self._past(fed, longest)
            for layer in range(shape.layers):
                cache.update(past[:, 2 * layer], past[:, 2 * layer + 1], layer)
        hidden = self.network.model(
            input_ids=ids.view(n_rows, width),
            attention_mask=mask,
            position_ids=positions,
            past_key_values=cache,
            use_cache=True,
        )
        self._keep(fed, cache, longest)
        logits = hidden.logits.reshape(n_rows * width, -1)[place[torch.tensor(wanted, dtype=torch.long)]]
        found: Array = logits.float().cpu().numpy()
        return found

    def _past(self, fed: list[Fed], longest: int) -> torch.Tensor:
        """(R, 2 L, H, P, D)."""
        shape, model = self.network.shape, self.network.model
        size = (len(fed), 2 * shape.layers, shape.heads, longest, shape.head_size)
        past = torch.zeros(size, dtype=model.dtype, device=self.network.device)
        for number, one in enumerate(fed):
            kept = self.rows[one.row]
            if one.start and kept is not None:
                past[number, :, :, : one.start] = kept[:, :, : one.start]
        return past

    def _keep(self, fed: list[Fed], cache: Any, longest: int) -> None:
        layers = range(self.network.shape.layers)
        new = torch.stack(
            [side for n in layers for side in (cache.layers[n].keys, cache.layers[n].values)], 1
        )
        for number, one in enumerate(fed):
            own = new[number, :, :, longest : longest + len(one.tokens)]
            kept = self.rows[one.row]
            start = [kept[:, :, : one.start]] if one.start and kept is not None else []
            self.rows[one.row] = torch.cat([*start, own], 2)

    def read(self, row: int, n: int) -> torch.Tensor:
        """Copy keys and values out, as `OnnxCache.read`."""
        kept = self.rows[row]
        assert kept is not None
        return kept[:, :, :n].clone()

    def write(self, row: int, values: torch.Tensor) -> None:
        """See `network.py`; the next call makes a tensor of its own."""
        self.rows[row] = values

    def drop(self, row: int) -> None:
        """Forget the rows of finished requests, as `OnnxCache.drop`."""
        self.rows[row] = None


def shape_of(model: Any) -> Shape:
    """What the step engine needs to know: keys' heads, their size, how long a sequence may be."""
    config = model.config.get_text_config()
    heads = getattr(config, "num_key_value_heads", None) or config.num_attention_heads
    size = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return Shape(
        vocabulary=model.config.get_text_config().vocab_size,
        hidden=heads * size,
        layers=config.num_hidden_layers,
        heads=heads,
        intermediate=config.intermediate_size,
        rope_base=0.0,  # these two are the model's own affair
        norm_epsilon=0.0,
        trained_length=config.max_position_embeddings,
        max_positions=config.max_position_embeddings,
    )


class HubModel(Model):
    """Requests come in tokens, written as numbers: head and body are cut where the tokens allow it."""

    def __init__(self, path: Path, network: HubNetwork, tokenizer: Any) -> None:
        super().__init__(path, network)
        self.tokenizer = tokenizer
        said = network.model.generation_config.eos_token_id
        ends = {tokenizer.eos_token_id, *(said if isinstance(said, list) else [said])}
        self.ends = frozenset(ends - {None})

    def tokens(self, text: str) -> list[int]:
        """Read token numbers that stand in a text."""
        return [int(number) for number in text.split()]

    def head_tokens(self, head: str) -> list[int]:
        """The numbers; a chat template begins sequences itself."""
        return self.tokens(head)

    def text(self, tokens: list[int]) -> str:
        """What an answer says, marks of turns left out."""
        return str(self.tokenizer.decode(tokens, skip_special_tokens=True))

    def piece(self, token: int) -> str:
        """Text of one token by itself."""
        return str(self.tokenizer.decode([token]))
