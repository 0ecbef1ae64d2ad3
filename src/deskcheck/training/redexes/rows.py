"""Make training rows of redexes and look-ups, as tokens.

    Redexes(sizes={"short": 1.0}).lines(rng, 20_000) -> [Line, ..], of about 20,000 tokens together

    $4=[92, 7]; $9='ab' | len($4) -> 2 | 12 < 158 -> True |        redexes; loss after each arrow
    $4=[92, 7]; $9='ab' | $9 -> 'ab' | $4 -> [92, 7] |             look-ups: named values of the state

Half of the rows of redexes begin with a state. Some hold one redex, most several, so that a model learns
redexes both alone and after others. In a row of `arrays`, every token sees all earlier ones. `packed` puts
several such rows into one longer row, where they do not see each other. All operations are drawn equally
often.
"""

from __future__ import annotations

from random import Random
from string import ascii_letters
from typing import NamedTuple

import numpy as np

from deskcheck.corpus.interpreted import value_of
from deskcheck.inference.network import Digits
from deskcheck.training.data import Integers, Rows
from deskcheck.training.pieces import reader
from deskcheck.training.redexes.operation import Operation, Redex
from deskcheck.training.redexes.table import OPERATIONS, redex
from deskcheck.training.redexes.values import SIZES, Drawer
from deskcheck.training.tokenizer import (
    BOS_ID,
    COMPUTING_SIZE,
    EOS_ID,
    NAME_TOKENS,
    NAMES,
    PAD_ID,
    build_tokenizer,
)

NAMES_OF_PROGRAMS = (*NAMES, *ascii_letters)
"""Names that programs have, each a single token."""
ARROW, END = " -> ", " | "
LOOK_UPS = ("look up a number", "look up a string", "look up a list", "look up another value")
LOOK_UP_SHARE = 0.15
"""Share of the rows that practice only look-ups."""
ALIKE = 0.4
"""Share of the looked-up lists with few different elements, so that a model must follow the places."""
RENAMED = 0.5
"""Share of the rows with names of programs (`n`, `total`) in place of names like `$4`."""
MOST_TOKENS = 192
"""Largest number of tokens of a row, unless another is asked for; longer rows are left out."""


class Piece(NamedTuple):
    """One redex or look-up of a row with its answer, in tokens."""

    name: str
    """Name of an operation, or one of LOOK_UPS."""
    asked: list[int]
    """Tokens up to the arrow, which is included."""
    answer: list[int]
    """Tokens of the answer with its end mark."""


class Line(NamedTuple):
    """A row as lists of tokens, before it is an array: the state and its pieces."""

    state: list[int]
    pieces: list[Piece]

    @property
    def n_tokens(self) -> int:
        """Number of tokens, with begin and end marks, without padding."""
        return 2 + len(self.state) + sum(len(p.asked) + len(p.answer) for p in self.pieces)


class Batch(NamedTuple):
    """Rows, with the names and lengths of their pieces."""

    rows: Rows
    names: list[str]
    """Names of the pieces, row by row."""
    lengths: Integers
    """Number of tokens with loss of each piece."""


class Redexes:
    """Generator of rows of redexes and look-ups.

    `sizes`: size of the operands -> its weight. `operations`: all are drawn equally often. `most_tokens`:
    tokens of the longest row; longer ones are dropped.
    """

    def __init__(
        self,
        *,
        sizes: dict[str, float],
        operations: dict[str, Operation] = OPERATIONS,
        most_tokens: int = MOST_TOKENS,
    ) -> None:
        self.sizes, self.most_tokens, self.operations = sizes, most_tokens, operations
        self.read = Reader()

    def lines(self, rng: Random, n_tokens: int) -> list[Line]:
        """Draw rows until they have at least `n_tokens` tokens together."""
        lines: list[Line] = []
        while n_tokens > 0:
            line = self._drawn(rng)
            if line is not None:
                lines.append(line)
                n_tokens -= line.n_tokens
        return lines

    def _drawn(self, rng: Random) -> Line | None:
        is_look_up = rng.random() < LOOK_UP_SHARE
        if is_look_up:
            line = look_ups(rng, self.read, rng.choices(list(self.sizes), list(self.sizes.values()))[0])
        else:
            line = self._line(rng)
        if not line.pieces or line.n_tokens > self.most_tokens:
            return None
        return self.read.renamed(line, rng) if rng.random() < RENAMED else line

    def _line(self, rng: Random) -> Line:
        """Draw a row of one or several redexes, with or without a state before them."""
        has_state = rng.random() < 0.5
        n = rng.choice((1, 1, 2, 3, 4, 6))
        drawer = Drawer(rng, by_name=0.5 if has_state else 0.0)
        examples: list[Redex] = []
        for name in rng.choices(list(self.operations), k=n):
            drawer.size = SIZES[self._size(rng, self.operations[name])]
            example, is_held_out = redex(self.operations[name], drawer)
            if not is_held_out:
                examples.append(example)
        drawer.size = SIZES["short"]
        if has_state:
            for _ in range(rng.randint(0, 3)):
                drawer.hold(some_value(drawer))
        state = list(drawer.state.items())
        rng.shuffle(state)
        return Line(
            self.read.state(state), [self.read.piece(one.operation, one.text, one.answer) for one in examples]
        )

    def _size(self, rng: Random, operation: Operation) -> str:
        sizes = {size: share for size, share in self.sizes.items() if size in operation.sizes}
        return rng.choices(list(sizes), list(sizes.values()))[0]


class Reader:
    """Converter of text into tokens of the models that compute; it remembers the lines of earlier texts."""

    def __init__(self) -> None:
        tokenizer = build_tokenizer(size=COMPUTING_SIZE)
        self._ids, self._turned = reader(tokenizer), Digits(tokenizer.token_to_id).turned
        self._arrow, self._end = self._ids(ARROW), self._ids(END)

        self._names = [self._ids(name)[0] for name in NAME_TOKENS]
        self._others = [ids[0] for name in NAMES_OF_PROGRAMS if len(ids := self._ids(name)) == 1]

    def renamed(self, line: Line, rng: Random) -> Line:
        """Replace the names in a row by names that programs have: all different, each a single token."""
        new = dict(zip(self._names, rng.sample(self._others, len(self._names)), strict=True))

        def other(ids: list[int]) -> list[int]:
            return [new.get(token, token) for token in ids]

        return Line(other(line.state), [Piece(p.name, other(p.asked), other(p.answer)) for p in line.pieces])

    def ids(self, text: str) -> list[int]:
        """Return the tokens of a text, numbers last digit first."""
        return self._turned(self._ids(text))

    def state(self, values: list[tuple[str, str]]) -> list[int]:
        """Return the tokens of `$4=[92, 7]; $9='ab' | `; [] for an empty state."""
        text = "; ".join(f"{name}={literal}" for name, literal in values)
        return self.ids(text) + self._end if text else []

    def piece(self, name: str, text: str, answer: str) -> Piece:
        """Make a piece from a redex or look-up and its answer."""
        return Piece(name, self.ids(text) + self._arrow, self.ids(answer) + self._end)


def some_value(drawer: Drawer) -> str:
    """Draw a value that stands in the state and that no redex of the row uses."""
    kind = drawer.rng.random()
    if kind < 0.3:
        return drawer.number()
    if kind < 0.55:
        return drawer.text()
    if kind < 0.85:
        return f"[{', '.join(drawer.elements())}]"
    return drawer.rng.choice(("True", "False", "None", "{}", "''", "[]"))


def look_ups(rng: Random, read: Reader, size: str = "short") -> Line:
    """Draw a state, often with values of one type, and a look-up of each value in another order."""
    drawer = Drawer(rng, SIZES[size])
    only = rng.choice((0, 1, 2, 3, 3, 3))  # 0 to 2: values of this kind alone; 3: of all kinds
    asked: dict[str, str] = {}
    for _ in range(rng.randint(2, 5)):
        kind = only if only < 3 else rng.choice((0, 0, 1, 1, 2, 2, 3))
        if kind == 0:
            literal = drawer.number()
        elif kind == 1:
            literal = drawer.text()
        elif kind == 2:
            elements = drawer.alike() if rng.random() < ALIKE else drawer.elements()
            literal = f"[{', '.join(elements)}]"
        else:
            literal = drawer.rng.choice(("True", "False", "None", drawer.mapped(drawer.pairs())))
        asked[drawer.hold(literal)] = LOOK_UPS[kind]
    names = list(asked)
    rng.shuffle(names)
    # As in the interpreter, a string in double quotes is answered as `repr` writes it.
    pieces = [read.piece(asked[name], name, repr(value_of(drawer.state[name]))) for name in names]
    return Line(read.state(list(drawer.state.items())), pieces)


def arrays(lines: list[Line]) -> Batch:
    """Make arrays with one line in each row, padded to the longest line; each row is one group."""
    length = max(line.n_tokens for line in lines)
    shape = (len(lines), length)
    rows = Rows(
        np.full(shape, PAD_ID, np.uint16),
        np.tile(np.arange(length, dtype=np.uint16), (len(lines), 1)),
        np.full(shape, -1, np.int16),
        np.zeros(shape, np.int16),
        np.zeros(shape, np.bool_),
    )
    names: list[str] = []
    lengths: list[int] = []
    for number, line in enumerate(lines):
        ids = [BOS_ID, *line.state]
        for piece in line.pieces:
            ids += piece.asked
            rows.loss[number, len(ids) : len(ids) + len(piece.answer)] = True
            ids += piece.answer
            names.append(piece.name)
            lengths.append(len(piece.answer))
        ids.append(EOS_ID)
        rows.ids[number, : len(ids)] = ids
        rows.group[number, : len(ids)] = 0
    return Batch(rows, names, np.array(lengths))


def packed(lines: list[Line], length: int) -> Rows:
    """Pack lines into rows of `length` tokens, in their order; each line is a group that sees no other."""
    places: list[tuple[int, int, int]] = []
    row, at, group = 0, 0, 0
    for line in lines:
        if at + line.n_tokens > length:
            row, at, group = row + 1, 0, 0
        places.append((row, at, group))
        at, group = at + line.n_tokens, group + 1
    shape = (row + 1 if lines else 0, length)
    rows = Rows(
        np.full(shape, PAD_ID, np.uint16),
        np.zeros(shape, np.uint16),
        np.full(shape, -1, np.int16),
        np.zeros(shape, np.int16),
        np.zeros(shape, np.bool_),
    )
    for line, (row, at, group) in zip(lines, places, strict=True):
        place, whole = arrays([line]).rows, slice(at, at + line.n_tokens)
        rows.ids[row, whole], rows.position[row, whole] = place.ids[0], place.position[0]
        rows.loss[row, whole], rows.group[row, whole] = place.loss[0], group
    return rows
