"""Pack examples into rows of tokens: loss on targets only, no example cut, no example visible to another.

    encode(examples, tokenizer) -> [Question]      head, body, target as token ids
    pack(questions, max_length=512) -> rows, and counts of kept and dropped examples

A row holds groups. A group is one head (the program's listing) and the examples that share it:

    head | body target </s> | body target </s> || head | body ..
         ^ each body's positions continue from the head; no body sees another (`fast.mask_of`)

A packed row has the same loss as its examples computed one by one (tested). An example that is longer than
a row is dropped and counted, never truncated (docs/training.md, "packing").
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import Struct

from deskcheck.inference.network import Digits
from deskcheck.records import Example
from deskcheck.training.pieces import reader
from deskcheck.training.tokenizer import BOS_ID, EOS_ID, PAD_ID

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_INSTRUCTION = re.compile(r"\.\d+ [A-Z]").match
IGNORE = -100  # label of a token without loss
Integers = np.ndarray[Any, np.dtype[Any]]


class Question(NamedTuple):
    """One example in tokens. The model sees head + body + target; only the target carries loss."""

    head: tuple[int, ...]
    """Tokens of the head, beginning with <s>."""
    body: list[int]
    target: list[int]
    """Tokens of the target, ending with </s>."""

    @property
    def n_tokens(self) -> int:
        """Tokens of head, body and target together."""
        return len(self.head) + len(self.body) + len(self.target)


class Rows(NamedTuple):
    """Packed rows, arrays of shape (rows, max_length)."""

    ids: Integers
    """uint16 tokens."""
    position: Integers
    """uint16; restarts after the head for each example of a group."""
    group: Integers
    """int16; number of the group in its row; -1 = padding."""
    question: Integers
    """int16; 0 = head, n = the n-th example of the row."""
    loss: Integers
    """bool; whether the token carries loss."""


class PackReport(Struct, frozen=True):
    """Counts of one packing: n_read = n_kept + n_too_long."""

    n_read: int
    n_kept: int
    n_too_long: int
    """Examples dropped because they are longer than a row."""
    n_rows: int
    n_tokens: int
    """Tokens without padding."""
    n_loss: int
    """Tokens that carry loss: targets with their end marks."""


def split_prompt(prompt: str) -> tuple[str, str]:
    """Split a prompt into head (layout name, numbered lines and their instructions) and body."""
    lines = prompt.split("\n")
    at = n = 1
    while at < len(lines) - 1 and ((is_line := lines[at].startswith(f"@{n} ")) or _INSTRUCTION(lines[at])):
        at, n = at + 1, n + is_line
    end = sum(len(line) + 1 for line in lines[:at])
    return prompt[:end], prompt[end:]


def encode(
    examples: Iterable[Example], tokenizer: Tokenizer, *, last_digit_first: bool = False
) -> Iterator[Question]:
    """Encode examples as tokens; a head shared by consecutive examples is encoded once.

    `last_digit_first`: the digits of each number are reversed (`inference.network.Digits`).
    """
    as_written = reader(tokenizer)
    turned = Digits(tokenizer.token_to_id).turned

    def read(text: str) -> list[int]:
        return turned(as_written(text)) if last_digit_first else as_written(text)

    known = ""
    ids: tuple[int, ...] = (BOS_ID,)
    for example in examples:
        head, body = split_prompt(example.prompt)
        if head != known:
            known, ids = head, (BOS_ID, *read(head))
        yield Question(ids, read(body), [*read(example.target), EOS_ID])


def pack(
    questions: Iterable[Question], *, max_length: int, seed: int = 0, share_heads: bool = True
) -> tuple[Rows, PackReport]:
    """Pack questions into rows by best-fit decreasing, shuffle the rows with `seed`, and report the counts.

    `max_length`: tokens of a row. Without `share_heads`, every question is a group with a head of its own.
    """
    groups, n_read, n_too_long = _groups(questions, max_length, share_heads)
    rows = _fill(groups, max_length)
    random.Random(seed).shuffle(rows)
    packed = _arrays(rows, max_length)
    report = PackReport(
        n_read=n_read,
        n_kept=n_read - n_too_long,
        n_too_long=n_too_long,
        n_rows=len(rows),
        n_tokens=int((packed.group >= 0).sum()),
        n_loss=int(packed.loss.sum()),
    )
    return packed, report


def _size(group: list[Question]) -> int:
    return len(group[0].head) + sum(len(q.body) + len(q.target) for q in group)


def _groups(
    questions: Iterable[Question], max_length: int, share_heads: bool
) -> tuple[list[list[Question]], int, int]:
    """Group consecutive questions with one head while they fit into a row; count those read and too long."""
    groups: list[list[Question]] = []
    n_read = n_too_long = 0
    for question in questions:
        n_read += 1
        if question.n_tokens > max_length:
            n_too_long += 1
            continue
        # Questions without a body share no head: its last token would have to predict several first tokens.
        shares = share_heads and groups and groups[-1][0].head == question.head and question.body
        if shares and groups[-1][0].body and _size([*groups[-1], question]) <= max_length:
            groups[-1].append(question)
        else:
            groups.append([question])
    return groups, n_read, n_too_long


def _fill(groups: list[list[Question]], max_length: int) -> list[list[list[Question]]]:
    sizes = [_size(group) for group in groups]
    return [[groups[n] for n in row] for row in best_fit(sizes, max_length)]


def best_fit(sizes: Sequence[int], max_length: int) -> list[list[int]]:
    """Put each item, the largest first, into the fullest row with room for it (best-fit decreasing)."""
    rows: list[list[int]] = []
    with_room: list[list[int]] = [[] for _ in range(max_length + 1)]
    for item in sorted(range(len(sizes)), key=sizes.__getitem__, reverse=True):
        size = sizes[item]
        room = next((r for r in range(size, max_length + 1) if with_room[r]), -1)
        if room < 0:
            rows.append([])
            room, number = max_length, len(rows) - 1
        else:
            number = with_room[room].pop()
        rows[number].append(item)
        with_room[room - size].append(number)
    return rows


def _arrays(rows: list[list[list[Question]]], max_length: int) -> Rows:
    """Return arrays of the rows: each is a list of groups, and a group a list of questions."""
    shape = (len(rows), max_length)
    packed = Rows(
        np.full(shape, PAD_ID, np.uint16),
        np.zeros(shape, np.uint16),
        np.full(shape, -1, np.int16),
        np.zeros(shape, np.int16),
        np.zeros(shape, np.bool_),
    )
    for number, row in enumerate(rows):
        at = n_questions = 0
        for group_number, group in enumerate(row):
            start, head = at, len(group[0].head)
            at = _put(packed, number, at, group[0].head, 0)
            for question in group:
                n_questions += 1
                packed.question[number, at : at + len(question.body) + len(question.target)] = n_questions
                at = _put(packed, number, at, question.body, head)
                packed.loss[number, at : at + len(question.target)] = True
                at = _put(packed, number, at, question.target, head + len(question.body))
            packed.group[number, start:at] = group_number
    return packed


def _put(packed: Rows, row: int, at: int, ids: Sequence[int], position: int) -> int:
    end = at + len(ids)
    packed.ids[row, at:end] = ids
    packed.position[row, at:end] = np.arange(position, position + len(ids))
    return end


def concatenate(parts: Sequence[Rows]) -> Rows:
    """Join the rows of several packs, in their order."""
    return Rows(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


def select(rows: Rows, wanted: slice | Sequence[int]) -> Rows:
    """Take some of the rows by number."""
    return Rows(*(column[wanted] for column in rows))


def show_batch(rows: Rows, tokenizer: Tokenizer) -> str:
    """Write rows as text; ⟦ and ⟧ enclose tokens with loss, ␂ is the begin mark and ␃ the end mark."""
    lines = []
    for number in range(len(rows.ids)):
        row = select(rows, [number])
        n_tokens, n_loss = int((row.group >= 0).sum()), int(row.loss.sum())
        lines.append(
            f"--- row {number}: {n_tokens} tokens, {n_loss} with loss, {row.ids.shape[1] - n_tokens} padding"
        )
        parts: list[str] = []
        previous = (0, 0, False)
        for token, group, question, loss in zip(
            row.ids[0].tolist(),
            row.group[0].tolist(),
            row.question[0].tolist(),
            row.loss[0].tolist(),
            strict=True,
        ):
            if group < 0:
                break
            if (group, question) != previous[:2] and question:
                parts.append(f"\n  (question {question}) ")
            if loss and not previous[2]:
                parts.append("⟦")
            text = {EOS_ID: "␃", BOS_ID: "␂"}.get(token) or tokenizer.decode([token])
            parts.append(text + ("⟧\n" if token == EOS_ID else ""))
            previous = (group, question, loss and token != EOS_ID)
        lines.append("".join(parts))
    return "\n".join(lines)
