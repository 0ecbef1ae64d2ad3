"""Many requests at once through one network: rows come and go, and a chain finds its keys where it left them.

    batch = Batch(model);  batch.submit(request, "mine");  batch.step() -> [("mine", Completion)]

Every call of the network gives each row what it needs: a newcomer its whole question, one that is writing the
token it wrote last. So nobody waits for a longer answer. A slot keeps the keys of its sequence when an answer
is done: the next question of that sequence is read from where it differs. And it keeps its last answers: the
one that fits is put behind the question as a draft, and the same call says how much of it the model would
have written; a wrong draft costs nothing but the call's width. None of this changes an answer: greedy ones
are equal token by token, those at a temperature are drawn from the same distribution.
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
CACHE_BYTES = 1 << 30
"""Keys and values of all slots, about; a request waits while there is no room, but one always runs."""
SCORES = 1 << 25
"""Attention scores of one call, at most: longer questions are read in parts."""
COPY_BYTES = 1 << 27
"""Keys and values that one call is given, padded to the longest of its rows: they are copied for it."""
TOGETHER = 8
"""Rows that may always go together: a large model has more bytes a token than this rule is about."""
TOKENS = 1 << 12
"""New tokens of one call, about."""
NARROW = 12
"""Rows with at most so many new tokens go in one call, wider ones in another: the widest sets the width."""
USUAL_TOKENS = 64
"""What is reckoned for an answer when room is given out."""
DRAFTS = 4
"""Answers that a slot remembers of each kind of question."""
KINDS = 256
DRAFT_TOKENS = 48
MISSES = 2
"""A draft that was wrong more often in one answer is not believed any more."""


class Request(Struct, frozen=True):
    """One prompt in the two parts that a layout gives it."""

    head: str
    """Layout name and numbered code, ending with a newline; cached. May be empty."""
    body: str
    max_tokens: int
    stop: list[str] = field(default_factory=list)
    """The answer ends before the first of these."""
    logprobs: bool = False
    """Also tell the answer's log-probability."""
    sequence: str = ""
    """Requests of one name follow one another: what their prompts begin with alike is read once."""
    temperature: float = 0.0
    """0 = greedy."""
    seed: int = 0
    """Of the draw, where the temperature is above 0."""
    like: str = ""
    """Questions of a sequence with the same word here are likely to be answered alike; "" = by the body."""
    guess: str = ""
    """What the answer may be, if somebody has an idea: as far as it is right, it is read and not written."""


class Model(Protocol):
    """What is needed of a model (`tiny.TinyModel`)."""

    shape: Shape
    network: Network
    ends: frozenset[int]
    """Tokens that end an answer."""

    def piece(self, token: int) -> str:
        """Text of one token by itself."""
        ...

    def row(self, request: Request, ticket: Any) -> Row:
        """Encode a request as a row of tokens."""
        ...

    def completion(self, row: Row) -> Completion:
        """Make the completion of a finished row."""
        ...

    def read_heads(self, heads: list[str]) -> None:
        """Compute the keys and values of those that are not there yet."""
        ...

    def head_values(self, head: str) -> Any:
        """Keys and values of a head."""
        ...


class Row:
    """One request while it is being answered."""

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
        """One more token of the answer."""
        self.out.append(token)
        if self.request.stop:
            self.tail = (self.tail + model.piece(token))[-256:]
        n = len(self.prompt) + len(self.out)
        if token in model.ends or any(s and s in self.tail for s in self.request.stop):
            self.finish = "stop"
        elif len(self.out) >= self.request.max_tokens or n >= model.shape.max_positions:
            self.finish = "length"


def kind_of(body: str) -> str:
    """Questions of one kind are likely to be answered alike: same place in the code, same length of jump."""
    state, _, rest = body.partition("\n")
    return state.rpartition(" / ")[2].partition(" ")[0] + rest


class Slot:
    """One row of a cache, and what is in it."""

    def __init__(self) -> None:
        self.row: Row | None = None
        self.ids: list[int] = []
        """Tokens whose keys are in the cache."""
        self.head = ""
        self.sequence = ""
        self.said: dict[str, list[list[int]]] = {}
        self.used = -1
        """The round that it was last part of."""

    def remember(self, row: Row) -> None:
        """Keep an answer as a draft for questions of its kind."""
        if len(self.said) >= KINDS:
            self.said.clear()
        answers = self.said.setdefault(row.kind, [])
        if row.out in answers:
            answers.remove(row.out)
        answers.insert(0, row.out)
        del answers[DRAFTS:]

    def draft_for(self, row: Row) -> list[int]:
        """How the answer may go on: as an earlier one did from here, else as the latest one at this place."""
        answers = [row.guess] if row.guess else self.said.get(row.kind, [])
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
    """A token at the request's temperature, by Gumbel's trick."""
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
        self.n_calls = 0
        """Of the network, heads not counted."""
        self.n_rows = 0
        """Rows of these calls."""
        self.n_tokens = 0
        """Tokens that were read in these calls: questions, drafts, and answers once more."""

    @property
    def n_live(self) -> int:
        """Requests that have no answer yet."""
        return len(self._waiting) + len(self._done) + len(self._live)

    def submit(self, request: Request, ticket: Any) -> None:
        """Take a request; `step` gives the ticket back with its answer."""
        row = self.model.row(request, ticket)
        if row.finish:
            self._done.append((ticket, self.model.completion(row)))
        else:
            self._waiting.append(row)

    def step(self) -> list[tuple[Any, Completion]]:
        """Let every request get on; gives the answers that are ready."""
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
        kept = sum(len(self.slots[number].ids) for number in idle)
        idle.sort(key=lambda number: -self.slots[number].used)
        admitted = 0
        for row in waiting:
            room -= row.n_most
            while idle and kept > room:
                kept -= self._forget(idle.pop())
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
        """Into the slot where its sequence was, or the one that nobody has used for longest."""
        number = self._slot_for(row)
        slot, request = self.slots[number], row.request
        same = _common(slot.ids, row.prompt[:-1]) if slot.head == request.head else 0
        if same < len(row.head) < len(row.prompt):
            self.cache.drop(number)
            self.cache.write(number, self.model.head_values(request.head))
            same = len(row.head)
        slot.ids = row.prompt[:same]
        if slot.sequence != request.sequence or not request.sequence:
            slot.said = {}
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
        """What a row is given in this round."""
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
        for one in inputs:
            row = self._live[one.row]
            total += len(one.tokens)
            counts.append(0 if row.pending else 1 + len(row.draft))
            wanted += range(total - counts[-1], total)
        scores = self.cache.forward(inputs, wanted=wanted)
        self.n_calls += 1
        self.n_rows += len(inputs)
        self.n_tokens += total
        best = scores.argmax(-1).tolist()
        at = 0
        for one, count in zip(inputs, counts, strict=True):
            self._take(one, best[at : at + count], scores[at : at + count])
            at += count

    def _take(self, row_input: RowInput, best: list[int], scores: Array) -> None:
        """What the model wrote after the question and after every token of the draft that it agrees with."""
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
    """Rows of like width together, no call with too many tokens, scores, or keys that are there."""
    part: list[RowInput] = []
    longest = 0
    for one in sorted(inputs, key=lambda one: len(one.tokens)):
        width = len(one.tokens)
        longest = max(longest, one.start + width)
        n = len(part) + 1
        is_full = n * width * (longest + width) * shape.heads > SCORES or n * width > TOKENS
        is_full |= n > TOGETHER and n * longest * shape.position_bytes > COPY_BYTES
        if part and (is_full or (width > NARROW and len(part[-1].tokens) <= NARROW)):
            yield part
            part, longest = [], one.start + width
        part.append(one)
    if part:
        yield part
