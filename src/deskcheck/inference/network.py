"""The neural network behind `tiny`: its inputs and outputs, and its implementation in onnxruntime.

    cache = network.cache(rows=64)
    cache.forward([RowInput(row=3, start=17, tokens=[5, 9])], wanted=[1]) -> logits (1, vocabulary)

A cache holds the attention keys and values of several sequences, one per row, of any lengths. A call gives
some rows any number of new tokens, whose keys and values then stay in the cache. To continue from an earlier
position, give a smaller `start`: the cached positions from there on are no longer used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from msgspec import Struct

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]


class Shape(Struct, frozen=True, forbid_unknown_fields=True):
    """Size of a model, as in `config.json` beside the weights."""

    vocabulary: int
    """Number of tokens."""
    hidden: int
    """Width of a layer."""
    layers: int
    heads: int
    """Number of attention heads."""
    intermediate: int
    """Width inside a feed-forward block."""
    rope_base: float
    """Base of the rotary position embedding."""
    norm_epsilon: float
    """Term that keeps a normalization from dividing by zero."""
    trained_length: int
    """Longest sequence of its training, in tokens."""
    max_positions: int
    """Longest sequence that the model accepts; a longer one ends with finish reason "length"."""
    last_digit_first: bool = False
    """Numbers go through the model with their last digit first (`Digits`)."""
    shift: int = 0
    """Number of earlier tokens whose embeddings go into each token's own, each through a separate matrix."""

    @property
    def head_size(self) -> int:
        """Width of one attention head."""
        return self.hidden // self.heads

    @property
    def position_bytes(self) -> int:
        """Bytes of keys and values of one position of one sequence, as 32-bit floats."""
        return 2 * self.layers * self.hidden * 4


NOTHING = 0
"""Token that stands for the tokens before the first one: padding, which no text has."""
GROWTH = 64
"""Number of spare positions that a row gets when it grows."""


class RowInput(NamedTuple):
    """New tokens of one row, at the positions start, start + 1, .. of its sequence."""

    row: int
    start: int
    tokens: list[int]
    before: Sequence[int] = ()
    """The last `shape.shift` tokens before these, or fewer at the beginning."""


class Packed(NamedTuple):
    """The tokens of one call, end to end, as inputs of the network."""

    ids: Array
    positions: Array
    """(tokens,): position of each token of `ids` in its sequence."""
    pick: Array
    """(rows, width): index of the token at each position; padding has any index, and no token attends to
    it."""
    place: Array
    """Position of each token in `pick`, counted row by row."""
    lengths: Array
    """(rows,): number of cached positions of each row."""
    earlier: Array
    """(shift, tokens): the token one place before, two places before, ..; NOTHING before the first."""


class Cache(Protocol):
    """Cached keys and values of `rows` sequences."""

    def forward(self, inputs: list[RowInput], *, wanted: list[int]) -> Array:
        """Return logits (wanted, vocabulary) after the wanted tokens, counted over all of `inputs`."""
        ...

    def read(self, row: int, n: int) -> Any:
        """Return a copy of the keys and values of the first n positions of a row, as `write` takes them."""
        ...

    def write(self, row: int, values: Any) -> None:
        """Write keys and values at the beginning of a row."""
        ...

    def drop(self, row: int) -> None:
        """Forget a row, and free its memory if the row has memory of its own."""
        ...


class Network(Protocol):
    """The weights of a model, on the device that runs them."""

    shape: Shape

    def cache(self, *, rows: int) -> Cache:
        """Make an empty cache, which takes memory as it fills."""
        ...


def packed(inputs: list[RowInput], shift: int = 0) -> Packed:
    """Make the arrays of one call, in which each row is padded at its end."""
    import numpy as np

    counts = np.array([len(one.tokens) for one in inputs], np.int64)
    starts = np.array([one.start for one in inputs], np.int64)
    ids = np.array([token for one in inputs for token in one.tokens], np.int64)
    within = np.arange(len(ids)) - np.repeat(np.cumsum(counts) - counts, counts)
    width = int(counts.max())
    place = np.repeat(np.arange(len(inputs)) * width, counts) + within
    pick = np.zeros(len(inputs) * width, np.int64)
    pick[place] = np.arange(len(ids))
    positions = np.repeat(starts, counts) + within
    earlier = np.array([_earlier(inputs, back) for back in range(1, shift + 1)], np.int64)
    return Packed(
        ids, positions, pick.reshape(len(inputs), width), place, starts, earlier.reshape(shift, len(ids))
    )


def _earlier(inputs: list[RowInput], back: int) -> list[int]:
    """Return for every token the token `back` places before it."""
    found: list[int] = []
    for one in inputs:
        known = [NOTHING] * back + [*one.before, *one.tokens]
        found += known[len(one.before) : len(one.before) + len(one.tokens)]
    return found


class OnnxNetwork:
    """A network exported to a file (`training/graph.py`), in an onnxruntime session."""

    def __init__(self, session: Any, shape: Shape) -> None:
        self.session = session
        self.shape = shape

    def cache(self, *, rows: int) -> OnnxCache:
        """Make an empty cache of keys and values."""
        return OnnxCache(self, rows)


class OnnxCache:
    """Cached keys and values, a float32 array (2 * layers, heads, positions, head size) for each row.

    A call gets copies of its rows, joined into one array. Copying is cheaper than a single array for all
    rows: with such an array, a call would also process the rows that are not part of it, and as many
    positions as the longest of them has.
    """

    def __init__(self, network: OnnxNetwork, rows: int) -> None:
        self.network = network
        self.rows = [self._empty(0) for _ in range(rows)]

    def _empty(self, n: int) -> Array:
        import numpy as np

        shape = self.network.shape
        return np.zeros((2 * shape.layers, shape.heads, n, shape.head_size), np.float32)

    def forward(self, inputs: list[RowInput], *, wanted: list[int]) -> Array:
        """Run the network on new tokens of some rows; return the logits (wanted, vocabulary)."""
        import numpy as np

        tokens = packed(inputs, self.network.shape.shift)
        feed = {
            "input_ids": tokens.ids,
            "position_ids": tokens.positions,
            "pick": tokens.pick,
            "place": tokens.place,
            "past_length": tokens.lengths,
            "wanted": np.array(wanted, np.int64),
        }
        if self.network.shape.shift:
            feed["earlier_ids"] = tokens.earlier
        past = self._past(inputs)
        for layer in range(self.network.shape.layers):
            feed[f"past_key_{layer}"], feed[f"past_value_{layer}"] = past[2 * layer], past[2 * layer + 1]
        logits, new = self.network.session.run(None, feed)
        self._keep(inputs, new)
        found: Array = logits
        return found

    def _past(self, inputs: list[RowInput]) -> Array:
        """Gather the cached keys and values: (2 * layers, rows of the call, heads, longest, head size)."""
        import numpy as np

        if len(inputs) == 1 and inputs[0].start:
            return self.rows[inputs[0].row][:, None]
        shape = self.network.shape
        longest = max(1, max(one.start for one in inputs))
        past = np.zeros((2 * shape.layers, len(inputs), shape.heads, longest, shape.head_size), np.float32)
        for number, one in enumerate(inputs):
            past[:, number, :, : one.start] = self.rows[one.row][:, :, : one.start]
        return past

    def _keep(self, inputs: list[RowInput], new: Array) -> None:
        shape, at = self.network.shape, 0
        for row in inputs:
            end = row.start + len(row.tokens)
            if end > self.rows[row.row].shape[2]:
                longer = self._empty(end + GROWTH)
                longer[:, :, : row.start] = self.rows[row.row][:, :, : row.start]
                self.rows[row.row] = longer
            values = new[at : at + len(row.tokens)].reshape(
                -1, 2 * shape.layers, shape.heads, shape.head_size
            )
            self.rows[row.row][:, :, row.start : end] = values.transpose(1, 2, 0, 3)
            at += len(row.tokens)

    def read(self, row: int, n: int) -> Array:
        """Copy keys and values of a row out of the cache."""
        return self.rows[row][:, :, :n].copy()

    def write(self, row: int, values: Array) -> None:
        """Put keys and values of a row into the cache."""
        n = values.shape[2]
        if n > self.rows[row].shape[2]:
            self.rows[row] = self._empty(n + GROWTH)
        self.rows[row][:, :, :n] = values

    def drop(self, row: int) -> None:
        """Forget the keys and values of one row."""
        self.rows[row] = self._empty(0)


class Digits:
    """Numbers with their last digit first, as the model reads and writes them.

    Digits(tokenizer.token_to_id).turned([6, 13, 14, 7]) -> [6, 14, 13, 7]        13, 14 being digits

    A carry goes from the last digit to the first. In this order, every digit of a sum, a half or a product
    depends only on tokens before it. Only runs of digit tokens are reversed, so letters in strings do not
    change, and reversing twice changes nothing. Prompts and answers outside the model have the usual order.
    """

    def __init__(self, token_to_id: Callable[[str], int | None]) -> None:
        self.ids = frozenset(n for d in "0123456789" if (n := token_to_id(d)) is not None)

    def turned(self, tokens: Iterable[int]) -> list[int]:
        """Return the tokens with every run of digits reversed."""
        symbols: list[int] = []
        start = -1  # of the run of digits at the end
        for token in tokens:
            if token in self.ids:
                start = len(symbols) if start < 0 else start
            elif start >= 0:
                symbols[start:] = symbols[start:][::-1]
                start = -1
            symbols.append(token)
        if start >= 0:
            symbols[start:] = symbols[start:][::-1]
        return symbols
