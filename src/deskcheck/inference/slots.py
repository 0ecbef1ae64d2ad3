"""Run many requests at once through one network, each in a slot that keeps the attention keys it computed.

    batch = Batch(model);  batch.submit(request, "mine");  batch.step() -> [("mine", Completion)]

A row is a request that is being answered. In a call of the network, a new row reads its whole prompt, and a
row in the middle of its answer reads its last token. So no request waits for a longer answer. After an
answer, the slot keeps the keys and values of its sequence (the steps of one run): the next prompt of that
sequence is read only from the first token that differs.

The slot also keeps its last answers. The best match is put behind the prompt as a draft, and the same call
shows how much of the draft the model would have written. A wrong draft costs only a wider call. Drafts and
cached keys do not change an answer: greedy answers are equal token by token, and answers at a temperature are
drawn from the same distribution.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct, field

from deskcheck.inference.network import Network, RowInput, Shape
from deskcheck.records import Completion

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]

MAX_ROWS = 64
"""Number of slots: requests that are answered at the same time."""
CACHE_BYTES = 1 << 30
"""Approximate bytes of keys and values of all slots; a request waits for room, unless no other runs."""
SCORES = 1 << 25
"""Largest number of attention scores in one call: longer prompts are read in parts."""
COPY_BYTES = 1 << 27
"""Largest number of bytes of keys and values copied for one call, with padding to its longest row."""
TOGETHER = 8
"""Number of rows that may share a call even beyond COPY_BYTES, for large models with many bytes per token."""
TOKENS = 1 << 12
"""Approximate number of new tokens in one call."""
NARROW = 12
"""Rows with at most this number of new tokens do not share a call with wider rows, because the widest row of
a call sets its width."""
USUAL_TOKENS = 64
"""Tokens assumed for an answer when cache memory is reserved for it."""
DRAFTS = 4
"""Number of answers that a slot remembers for each kind of prompt."""
KINDS = 256
"""Number of kinds of prompt that a slot remembers; when they are reached, the next answer clears them all."""
DRAFT_TOKENS = 48
"""Largest number of tokens in a draft."""
MISSES = 2
"""Number of wrong drafts allowed in one answer; after one more, it gets no further draft."""


class Request(Struct, frozen=True):
    """One prompt in two parts, head and body, as in a layout."""

    head: str
    """Layout name and numbered code, ending with a newline; cached. May be empty."""
    body: str
    max_tokens: int
    stop: list[str] = field(default_factory=list)
    """Strings at which the answer ends; the text of an answer stops before the first of them."""
    logprobs: bool = False
    """Whether to return the answer's log-probability."""
    sequence: str = ""
    """Name of a sequence of requests: the common beginning of their prompts is read once."""
    temperature: float = 0.0
    """Temperature of sampling; 0 = greedy."""
    seed: int = 0
    """Seed of the draw, if the temperature is above 0."""
    like: str = ""
    """Prompts of a sequence with equal texts here are likely to have equal answers; "" = use `kind_of`."""
    guess: str = ""
    """A guess of the answer, used as its draft; "" = none."""


class Model(Protocol):
    """Interface of a model that a batch uses; `engine.Model` implements it."""

    shape: Shape
    network: Network
    ends: frozenset[int]
    """Tokens that end an answer."""

    def piece(self, token: int) -> str:
        """Return the text of one token by itself."""
        ...

    def row(self, request: Request, ticket: Any) -> Row:
        """Encode a request as a row of tokens."""
        ...

    def completion(self, row: Row) -> Completion:
        """Make the completion of a finished row."""
        ...

    def read_heads(self, heads: list[str]) -> None:
        """Compute the keys and values of heads that are not cached yet."""
        ...

    def head_values(self, head: str) -> Any:
        """Return the keys and values of a head."""
        ...


class Row:
    """One request while it is being answered.

    `head`, `body`: tokens of the prompt; `guess`: tokens of a guessed answer; `ticket`: returned with the
    real answer. Attributes: `out` holds the tokens of the answer so far; `tail` the end of the answer's text,
    in which stop strings are looked for; `pending` the tokens that the network has not read yet; `n_most` the
    number of tokens for which cache memory is reserved.
    """

    def __init__(
        self, request: Request, head: list[int], body: list[int], ticket: Any, guess: list[int] | None = None
    ) -> None:
        import numpy as np

        self.request = request
        self.ticket = ticket
        self.head = head
        self.prompt = head + body
        self.kind = request.like or kind_of(request.body)
        self.out: list[int] = []
        self.tail = ""
        self.finish = ""
        self.started = perf_counter()
        self.logprob = 0.0
        self.misses = 0
        self.pending: list[int] = []
        self.draft: list[int] = []
        self.guess = guess or []
        self.n_most = len(self.prompt) + min(request.max_tokens, USUAL_TOKENS)
        self.random = np.random.default_rng(request.seed) if request.temperature > 0 else None

    def take(self, token: int, model: Model) -> None:
        """Add one token to the answer; set `finish` to "stop" or "length" if the answer ends with it."""
        self.out.append(token)
        if self.request.stop:
            self.tail = (self.tail + model.piece(token))[-256:]
        n = len(self.prompt) + len(self.out)
        if token in model.ends or any(s and s in self.tail for s in self.request.stop):
            self.finish = "stop"
        elif len(self.out) >= self.request.max_tokens or n >= model.shape.max_positions:
            self.finish = "length"


def kind_of(body: str) -> str:
    """Return the kind of a prompt; prompts of one kind often have equal answers.

    It is the first word of the innermost frame, a place in the code, and all that follows the first line.
    """
    state, _, rest = body.partition("\n")
    return state.rpartition(" / ")[2].partition(" ")[0] + rest


class Slot:
    """One place of the cache, with its content and the answers of its sequence."""

    def __init__(self) -> None:
        self.row: Row | None = None
        self.ids: list[int] = []
        """Tokens whose keys are in the cache."""
        self.head = ""
        self.sequence = ""
        self.answers: dict[str, list[list[int]]] = {}
        self.used = -1
        """Last round (call of `step`) in which the slot had a request; -1 = none."""

    def remember(self, row: Row) -> None:
        """Store an answer as a draft for prompts of its kind."""
        if len(self.answers) >= KINDS:
            self.answers.clear()
        answers = self.answers.setdefault(row.kind, [])
        if row.out in answers:
            answers.remove(row.out)
        answers.insert(0, row.out)
        del answers[DRAFTS:]

    def draft_for(self, row: Row) -> list[int]:
        """Return a draft of the rest of an answer: an earlier answer that agrees so far, else the latest one.

        If the request has a guess, the guess is the draft. Empty without either, or after too many wrong
        drafts.
        """
        answers = [row.guess] if row.guess else self.answers.get(row.kind, [])
        n = len(row.out)
        if row.misses > MISSES:
            return []
        for answer in answers:
            if answer[:n] == row.out:
                return answer[n:]
        return answers[0][n:] if answers else []


def _common(left: list[int], right: list[int]) -> int:
    n = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        n += 1
    return n


def _drawn(scores: Array, row: Row) -> int:
    """Draw a token at the request's temperature, by the Gumbel trick."""
    assert row.random is not None
    return int((scores / row.request.temperature + row.random.gumbel(size=scores.shape)).argmax())


def _log_probability(scores: Array, token: int) -> float:
    import numpy as np

    highest = scores.max()
    return float(scores[token] - highest - np.log(np.exp(scores - highest).sum()))


class Batch:
    """All requests that are being answered together."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.slots = [Slot() for _ in range(MAX_ROWS)]
        self.cache = model.network.cache(rows=MAX_ROWS)
        self._live: dict[int, Row] = {}
        self._waiting: deque[Row] = deque()
        self._done: list[tuple[Any, Completion]] = []
        self.n_rounds = 0
        """Number of calls of `step`."""
        self.n_calls = 0
        """Number of calls of the network, except calls for heads."""
        self.n_rows = 0
        """Number of rows in these calls."""
        self.n_tokens = 0
        """Number of tokens read in these calls: prompts, drafts, and written tokens."""

    @property
    def n_live(self) -> int:
        """Number of requests that have no answer yet."""
        return len(self._waiting) + len(self._done) + len(self._live)

    def submit(self, request: Request, ticket: Any) -> None:
        """Take a request; `step` returns the ticket with its answer."""
        row = self.model.row(request, ticket)
        if row.finish:
            self._done.append((ticket, self.model.completion(row)))
        else:
            self._waiting.append(row)

    def step(self) -> list[tuple[Any, Completion]]:
        """Advance the running requests by one round, and return the answers that are ready."""
        self._admit()
        self.n_rounds += 1
        inputs = [self._row_input(number, row) for number, row in self._live.items()]
        for part in _parts(inputs, self.model.shape):
            self._call(part)
        for number, row in list(self._live.items()):
            if row.finish:
                del self._live[number]
                self.slots[number].remember(row)
                self._done.append((row.ticket, self.model.completion(row)))
        done, self._done = self._done, []
        return done

    # -------------------------------------------------------------- slots

    def _admit(self) -> None:
        free = len(self.slots) - len(self._live)
        waiting = [self._waiting.popleft() for _ in range(min(free, len(self._waiting)))]
        room = CACHE_BYTES // self.model.shape.position_bytes
        room -= sum(row.n_most for row in self._live.values())
        idle = [n for n, slot in enumerate(self.slots) if slot.ids and n not in self._live]
        n_held = sum(len(self.slots[number].ids) for number in idle)
        idle.sort(key=lambda number: -self.slots[number].used)
        admitted = 0
        for row in waiting:
            room -= row.n_most
            while idle and n_held > room:
                n_held -= self._forget(idle.pop())
            if room < 0 and (self._live or admitted):
                break
            admitted += 1
        self._waiting.extendleft(reversed(waiting[admitted:]))
        self.model.read_heads([row.request.head for row in waiting[:admitted]])
        for row in waiting[:admitted]:
            self._place(row)

    def _forget(self, number: int) -> int:
        n = len(self.slots[number].ids)
        self.slots[number].ids = []
        self.cache.drop(number)
        return n

    def _place(self, row: Row) -> None:
        """Put a row into the slot of its sequence, or into the least recently used one."""
        number = self._slot_for(row)
        slot, request = self.slots[number], row.request
        same = _common(slot.ids, row.prompt[:-1]) if slot.head == request.head else 0
        if same < len(row.head) < len(row.prompt):
            self.cache.drop(number)
            self.cache.write(number, self.model.head_values(request.head))
            same = len(row.head)
        slot.ids = row.prompt[:same]
        if slot.sequence != request.sequence or not request.sequence:
            slot.answers = {}
        slot.head, slot.sequence, slot.used = request.head, request.sequence, self.n_rounds
        row.pending = row.prompt[same:]
        self._live[number] = row

    def _slot_for(self, row: Row) -> int:
        name, head = row.request.sequence, row.request.head
        free = [number for number in range(len(self.slots)) if number not in self._live]
        for number in free:
            slot = self.slots[number]
            if slot.head == head and slot.sequence == name:
                return number
        return min(free, key=lambda number: (self.slots[number].used, number))

    # -------------------------------------------------------------- calls

    def _row_input(self, number: int, row: Row) -> RowInput:
        """Return the tokens that a row is given in this round."""
        slot = self.slots[number]
        slot.used = self.n_rounds
        width = max(16, SCORES // (2 * self.model.shape.heads * (len(slot.ids) + len(row.pending))))
        width = min(width, TOKENS)
        tokens, row.pending = row.pending[:width], row.pending[width:]
        row.draft = []
        if not row.pending:
            room = self.model.shape.max_positions - len(slot.ids) - len(tokens)
            row.draft = [
                t for t in slot.draft_for(row)[: min(room, DRAFT_TOKENS)] if t not in self.model.ends
            ]
        shift = self.model.shape.shift
        return RowInput(number, len(slot.ids), tokens + row.draft, slot.ids[-shift:] if shift else ())

    def _call(self, inputs: list[RowInput]) -> None:
        wanted: list[int] = []
        counts: list[int] = []
        total = 0
        for part in inputs:
            row = self._live[part.row]
            total += len(part.tokens)
            counts.append(0 if row.pending else 1 + len(row.draft))
            wanted += range(total - counts[-1], total)
        scores = self.cache.forward(inputs, wanted=wanted)
        self.n_calls += 1
        self.n_rows += len(inputs)
        self.n_tokens += total
        best = scores.argmax(-1).tolist()
        at = 0
        for part, count in zip(inputs, counts, strict=True):
            self._take(part, best[at : at + count], scores[at : at + count])
            at += count

    def _take(self, row_input: RowInput, best: list[int], scores: Array) -> None:
        """Take the tokens that the model writes after the prompt and after matching tokens of the draft."""
        slot, row = self.slots[row_input.row], self._live[row_input.row]
        slot.ids += row_input.tokens[: len(row_input.tokens) - len(row.draft)]
        for number in range(len(best)):
            token = best[number] if row.random is None else _drawn(scores[number], row)
            if row.request.logprobs:
                row.logprob += _log_probability(scores[number], token)
            row.take(token, self.model)
            row.pending = [token]
            if row.finish:
                return
            if number < len(row.draft):
                if row.draft[number] != token:
                    row.misses += 1
                    return
                slot.ids.append(token)


def _parts(inputs: list[RowInput], shape: Shape) -> Iterator[list[RowInput]]:
    """Group rows of similar width, with limits on tokens, scores and cached keys per call."""
    part: list[RowInput] = []
    longest = 0
    for row in sorted(inputs, key=lambda one: len(one.tokens)):
        width = len(row.tokens)
        longest = max(longest, row.start + width)
        n = len(part) + 1
        is_full = n * width * (longest + width) * shape.heads > SCORES or n * width > TOKENS
        is_full |= n > TOGETHER and n * longest * shape.position_bytes > COPY_BYTES
        if part and (is_full or (width > NARROW and len(part[-1].tokens) <= NARROW)):
            yield part
            part, longest = [], row.start + width
        part.append(row)
    if part:
        yield part
