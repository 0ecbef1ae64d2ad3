"""The network of `tiny` on torch, for checkpoints and GPUs, with the interface of the exported file.

    network = TorchNetwork(read_weights(path), read_shape(path), device="cuda")
    TinyModel(path, network, tokenizer).generate([..])

It computes in fp32, so that its answers are those of the exported file (a test compares them).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional

from deskcheck.inference.network import GROWTH, RowInput, Shape, packed

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

# T new tokens, R rows, W widest row, P cached positions, E hidden size, H heads, D head size,
# F inner size of the gated layer, V vocabulary, N wanted tokens


class TorchNetwork:
    """The network, with its weights on a device."""

    def __init__(self, weights: Mapping[str, Array], shape: Shape, *, device: str = "cpu") -> None:
        self.shape = shape
        self.device = torch.device(device)
        by_name = {name: torch.tensor(value).float().to(self.device) for name, value in weights.items()}
        self.embedding = by_name["model.embed_tokens.weight"]
        self.shift = [by_name[f"model.shift.{back}.weight"] for back in range(shape.shift)]
        self.norm = by_name["model.norm.weight"]
        self.layers = [_layer(by_name, f"model.layers.{layer}.") for layer in range(shape.layers)]
        half = torch.arange(0, shape.head_size, 2, dtype=torch.float64) / shape.head_size
        self.frequency = (1.0 / shape.rope_base**half).float().to(self.device)

    def cache(self, *, rows: int) -> TorchCache:
        """Make an empty cache of keys and values."""
        return TorchCache(self, rows)

    def normed(self, x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
        """Divide values (.., E) by their root mean square."""
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.shape.norm_epsilon) * weight

    def on_device(self, values: Array) -> torch.Tensor:
        """Copy the indices of a call to the device."""
        return torch.from_numpy(values).to(self.device, non_blocking=True)


def _layer(weights: dict[str, torch.Tensor], at: str) -> dict[str, torch.Tensor]:
    """Join the weights of a layer: qkv (3 * E, E), up (2 * F, E), out (E, E), down (E, F), norms (E)."""
    joined = {
        "qkv": torch.cat([weights[f"{at}self_attn.{name}_proj.weight"] for name in "qkv"]),
        "up": torch.cat([weights[f"{at}mlp.{name}_proj.weight"] for name in ("gate", "up")]),
    }
    return joined | {
        "out": weights[f"{at}self_attn.o_proj.weight"],
        "down": weights[f"{at}mlp.down_proj.weight"],
        "before": weights[f"{at}input_layernorm.weight"],
        "between": weights[f"{at}post_attention_layernorm.weight"],
    }


class TorchCache:
    """Keys and values, float32 (2 * layers, rows, heads, capacity, head size)."""

    def __init__(self, network: TorchNetwork, rows: int) -> None:
        shape = network.shape
        self.network = network
        size = (2 * shape.layers, rows, shape.heads, GROWTH, shape.head_size)
        self.values = torch.zeros(size, device=network.device)

    def forward(self, inputs: list[RowInput], *, wanted: list[int]) -> Array:
        """Run the network on new tokens, as `OnnxCache.forward`."""
        with torch.inference_mode():
            return self._forward(inputs, wanted)

    def _forward(self, inputs: list[RowInput], wanted: list[int]) -> Array:
        network, shape = self.network, self.network.shape
        tokens = packed(inputs, shape.shift)
        self._grow(max(one.start + len(one.tokens) for one in inputs))
        ids, positions, pick, place, lengths, earlier = map(network.on_device, tokens)
        angle = positions[:, None, None].float() * network.frequency  # (T, 1, D / 2)
        cos, sin = angle.cos(), angle.sin()
        rows = network.on_device(_indices([one.row for one in inputs]))
        row_of = rows[place // pick.shape[1]]
        past = self.values[:, rows, :, : max(one.start for one in inputs)]  # (2 * layers, R, H, P, D)
        count = torch.arange(past.shape[3], device=network.device)
        width = torch.arange(pick.shape[1], device=network.device)
        is_seen = torch.cat(
            [
                (count < lengths[:, None])[:, None, None].expand(-1, -1, len(width), -1),
                (width[:, None] >= width)[None, None].expand(len(inputs), -1, -1, -1),
            ],
            -1,
        )  # (R, 1, W, P + W)
        x = network.embedding[ids]  # (T, E)
        for before, matrix in zip(earlier, network.shift, strict=True):
            x = x + functional.linear(network.embedding[before], matrix)  # (T, E)
        for number, layer in enumerate(network.layers):
            y = network.normed(x, layer["before"])
            heads = functional.linear(y, layer["qkv"]).view(len(ids), 3 * shape.heads, shape.head_size)
            heads = torch.cat(  # (T, 3 * H, D)
                [_rotated(heads[:, : 2 * shape.heads], cos, sin), heads[:, 2 * shape.heads :]], 1
            )
            q, k, v = heads[pick].transpose(1, 2).split(shape.heads, 1)  # (R, H, W, D)
            keys, values = (torch.cat([past[2 * number + n], new], 2) for n, new in enumerate((k, v)))
            mixed = functional.scaled_dot_product_attention(q, keys, values, attn_mask=is_seen)
            flat = mixed.transpose(1, 2).reshape(-1, shape.hidden)[place]  # (T, E)
            x = x + functional.linear(flat, layer["out"])
            gate, up = functional.linear(network.normed(x, layer["between"]), layer["up"]).chunk(2, -1)
            x = x + functional.linear(functional.silu(gate) * up, layer["down"])
            self.values[2 * number, row_of, :, positions] = heads[:, shape.heads : 2 * shape.heads]
            self.values[2 * number + 1, row_of, :, positions] = heads[:, 2 * shape.heads :]
        last = network.normed(x[network.on_device(_indices(wanted))], network.norm)  # (N, E)
        scores: Array = functional.linear(last, network.embedding).cpu().numpy()  # (N, V)
        return scores

    def _grow(self, n: int) -> None:
        if n > self.values.shape[3]:
            self.values = functional.pad(self.values, (0, 0, 0, n + GROWTH - self.values.shape[3]))

    def read(self, row: int, n: int) -> torch.Tensor:
        """Copy keys and values (2 * layers, H, n, D) out, as `OnnxCache.read`."""
        with torch.inference_mode():
            return self.values[:, row, :, :n].clone()

    def write(self, row: int, values: torch.Tensor) -> None:
        """Put keys and values (2 * layers, H, n, D) in, as `OnnxCache.write`."""
        with torch.inference_mode():  # as in `forward`: a tensor that grew there is an inference tensor
            self._grow(values.shape[2])
            self.values[:, row, :, : values.shape[2]] = values

    def drop(self, row: int) -> None:
        """Free nothing: one tensor holds all rows."""


def _indices(wanted: list[int]) -> Array:
    import numpy as np

    return np.array(wanted, np.int64)


def _rotated(x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> torch.Tensor:
    """Apply rotary positions: x is (T, heads, D), cos and sin (T, 1, D / 2)."""
    a, b = x.chunk(2, -1)  # (T, heads, D / 2) each
    return torch.cat([a * cos - b * sin, b * cos + a * sin], -1)
