"""Find the prices of tokens, and keep an evaluation within its budget in dollars.

    price_of("openai/gpt-4o", {})                    -> Price(2.5, 10.0, "2026-11", "LiteLLM ..")
    price_of("openai/new", {"openai/new": Price(1, 2)})  a price given with --price wins
    price_of("deskcheck/tiny", {})                   -> Price(0, 0): it runs here
    price_of("somewhere/unknown", {})                -> None: the cost is unknown, never 0
    parse_prices(["prices.csv"])                     a table of the user's own: model, in, out, date, source

A price is what the user gives with --price, else that of LiteLLM's table. Prices are US dollars per million
tokens, at standard rates without caches, batches or surcharges for long contexts (Gemini 2.5 Pro: above
200,000 tokens). Providers change their prices, so each is printed with its date. measurements/prices.py makes
the table (`prices.csv`, MIT license). A row holds only for its model and the dated versions of that model.

    async with budget.pay(worst) as paid:  ..;  paid.append(cost)

Under --max-cost every request of all cells is paid from one budget. A request first reserves its worst case,
then pays its true cost. Money that is spent and money that is reserved never exceed the limit together. A
request that does not fit waits for other requests to pay, and is refused when none has money reserved. A
request whose cost was not reported is paid at its worst case. The same holds for each failed try that a
server may have worked on.

    ledger = Ledger.open(folder)            reads `money.jsonl` of a cell
    number = ledger.sent(0.02)              before a request: its worst case
    ledger.settled(number, 0.003)           after its reply: the true cost
    ledger.keep([number])                   its answer is stored in `answers.jsonl`
    ledger.total, ledger.lost               dollars of all requests; of those whose answer is not kept

The ledger keeps the sums through a kill. A request without a settled cost counts at its worst case: the run
was killed meanwhile, the connection was lost, or the server reported no tokens.
"""

from __future__ import annotations

import asyncio
import csv
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from functools import cache
from io import BufferedWriter
from pathlib import Path

import msgspec
from msgspec import Struct, field

from deskcheck.errors import UserError
from deskcheck.records import Completion, Prompt

FILE = Path(__file__).with_name("prices.csv")
"""Table of prices. Its first line is date and source; then model, dollars per million tokens in and out."""
# Date and source of the prices in OURS.
_CLAUDE = ("2026-10", "https://docs.rs/synaps/0.10.2/synaps_cli/pricing/")
OURS: dict[str, tuple[float, float, str, str]] = {
    "anthropic/claude-opus-4": (15.0, 75.0, *_CLAUDE),
    "anthropic/claude-opus-4-1": (15.0, 75.0, *_CLAUDE),
    "anthropic/claude-sonnet-4": (3.0, 15.0, *_CLAUDE),
    "anthropic/claude-3-5-haiku": (0.8, 4.0, *_CLAUDE),
}
"""Prices that the maintained table lacks: dollars in and out, date, source."""
# "gpt-4o-2024-08-06" is a version of gpt-4o; "gpt-5-pro" and "claude-opus-4-7" are separate models.
_DATED = re.compile(r"(.+?)(-latest|-\d{8}|-\d{4}-\d\d-\d\d|[@:].*)")
HERE = ("deskcheck/", "ollama/", "hf/", "vllm/", "sglang/", "llama-cpp-python/", "mockllm/", "none/")
"""Providers that run on the user's own machine."""
CHARACTERS_A_TOKEN = 3
"""Characters per token, about three in code: a free estimate, accurate to a factor of about 1.5."""
FRAME_TOKENS = 32
"""Most tokens of a message besides its text: role, separators, text added by the provider."""
COLUMNS = ("model", "in", "out", "date", "source")
"""Columns of a file of prices; date and source may be left out."""


class Price(Struct, frozen=True):
    """US dollars per million tokens."""

    tokens_in: float
    tokens_out: float
    """Hidden reasoning costs as much as visible output."""
    date: str = ""
    """Date of the price; "" = not known."""
    source: str = "given with --price"

    @property
    def is_free(self) -> bool:
        """Whether a request costs nothing."""
        return not self.tokens_in and not self.tokens_out

    @property
    def origin(self) -> str:
        """Date and source of the price, as text to print."""
        return f"as of {self.date}, {self.source}" if self.date else self.source

    def of(self, n_in: int, n_out: int) -> float:
        """Return the cost of one request in dollars."""
        return (n_in * self.tokens_in + n_out * self.tokens_out) / 1e6


def price_of(model: str, given: Mapping[str, Price]) -> Price | None:
    """Return the price of a model named "provider/model"; None = unknown."""
    for name in (model, model.partition("/")[2], ""):
        if name in given:
            return given[name]
    if model.startswith(HERE):
        return Price(0.0, 0.0, source="it runs on your own machine")
    table = known_prices()
    dated = _DATED.fullmatch(model)
    return table.get(model) or (table.get(dated[1]) if dated else None)


@cache
def known_prices() -> dict[str, Price]:
    """Return the shipped table, by model; OURS adds models that the maintained table lacks."""
    first, *lines = FILE.read_text(encoding="utf-8").splitlines()
    date, source = first.split(",")
    found = {name: Price(*one) for name, one in OURS.items()}
    for line in lines:
        model, tokens_in, tokens_out = line.rsplit(",", 2)
        found[model] = Price(float(tokens_in), float(tokens_out), date, source)
    return found


def parse_prices(values: list[str]) -> dict[str, Price]:
    """Parse --price: IN,OUT for every model, MODEL=IN,OUT for one, FILE.csv for a table."""
    prices: dict[str, Price] = {}
    for value in values:
        if value.endswith(".csv"):
            prices |= read_prices(value)
            continue
        name, _, numbers = value.rpartition("=")
        parts = [_number(part) for part in numbers.split(",")]
        if len(parts) != 2 or parts[0] is None or parts[1] is None:
            raise UserError(
                f"--price '{value}': write dollars per million tokens in and out as IN,OUT or MODEL=IN,OUT, "
                f"or name a file FILE.csv with the columns {', '.join(COLUMNS)}"
            )
        prices[name] = Price(parts[0], parts[1])
    return prices


def read_prices(path: str) -> dict[str, Price]:
    """Return the prices of a file. UserError names the line that is no price."""
    prices = {}
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file, skipinitialspace=True)
            missing = [name for name in COLUMNS[:3] if name not in (table.fieldnames or ())]
            if missing:
                raise UserError(f"{path}: the first line names the columns; it lacks {', '.join(missing)}")
            for row in table:
                numbers = [_number(row[name] or "") for name in COLUMNS[1:3]]
                if numbers[0] is None or numbers[1] is None or not row["model"]:
                    raise UserError(f"{path}, line {table.line_num}: not a model and two numbers of dollars")
                date, source = row.get("date") or "", row.get("source") or path
                prices[row["model"].strip()] = Price(numbers[0], numbers[1], date, source)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"--price {path}: cannot be read: {error}") from None
    return prices


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d+(\.\d*)?|\.\d+", text.strip()) else None


def cost_usd(completion: Completion, price: Price | None) -> float:
    """Return the dollars of one call; -1 if the price or a count is unknown."""
    if price is None or completion.n_tokens_in < 0 or completion.n_tokens_out < 0:
        return 0.0 if price is not None and price.is_free else -1.0
    return price.of(completion.n_tokens_in, completion.n_tokens_out)


def most_tokens(prompt: Prompt) -> int:
    """Return an upper bound of a prompt's tokens: one per byte, and FRAME_TOKENS per message."""
    return sum(len(message.text.encode()) + FRAME_TOKENS for message in prompt.messages) + FRAME_TOKENS


def tokens_of(prompt: Prompt) -> int:
    """Return the estimated tokens of a prompt."""
    return sum(len(message.text) for message in prompt.messages) // CHARACTERS_A_TOKEN + 1


_ROUNDING = 1e-12  # dollars


class OutOfMoney(Exception):
    """Raised for a request that could cost more than is left of the budget."""


class Budget:
    """The limit of --max-cost, the sum spent and the sum reserved."""

    def __init__(self, limit_usd: float) -> None:
        self.limit = limit_usd
        self.spent = 0.0
        self.aside = 0.0  # reserved by requests under way
        self._waiting: list[asyncio.Event] = []

    @asynccontextmanager
    async def pay(self, worst: float) -> AsyncIterator[list[float]]:
        """Reserve the worst case; the caller appends the request's cost. OutOfMoney if it may not be sent."""
        while not self.has_room(worst):
            if not self.aside:
                raise self.exhausted()
            changed = asyncio.Event()
            self._waiting.append(changed)
            await changed.wait()
        self.aside += worst
        paid: list[float] = []
        try:
            yield paid
        finally:
            self.aside = max(0.0, self.aside - worst)
            if self.aside < _ROUNDING:
                self.aside = 0.0
            self.spent += paid[0] if paid and paid[0] >= 0 else worst
            self._wake()

    def has_room(self, worst: float) -> bool:
        """Return whether a request of this worst cost fits beside all that are under way."""
        return self.spent + self.aside + worst <= self.limit

    def charge(self, worst: float) -> None:
        """Pay for a failed try that a server may have worked on."""
        self.spent += worst

    def exhausted(self) -> OutOfMoney:
        """Return the error for a request that no longer fits into the budget."""
        return OutOfMoney(f"${self.spent:.4f} of --max-cost ${self.limit:g} are spent")

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for changed in waiting:
            changed.set()


MONEY = "money.jsonl"
"""File of a cell that records what each request may have cost."""


class Entry(Struct, frozen=True, omit_defaults=True):
    """One line of the file: a request that was sent or settled, or requests whose answer is kept."""

    request: int = 0
    """Number of the request; 0 in a line that has `answered` alone."""
    worst: float = -1.0
    """Dollars that the request may cost; given when it is sent."""
    cost: float = -1.0
    """Dollars that the request did cost; given when its reply has come."""
    answered: list[int] = field(default_factory=list, name="kept")
    """Requests whose answer is stored."""


class Ledger:
    """The requests of one cell with their cost, in memory and on disk."""

    def __init__(self, path: Path, entries: Iterable[Entry] = ()) -> None:
        self.path = path
        self._cost: dict[int, float] = {}
        self._answered: set[int] = set()
        self._file: BufferedWriter | None = None
        for entry in entries:
            self._take(entry)

    @classmethod
    def open(cls, folder: Path) -> Ledger:
        """Read the ledger of a cell; a line that a kill cut is skipped."""
        path = folder / MONEY
        lines = path.read_bytes().split(b"\n") if path.exists() else []
        return cls(path, [entry for line in lines if (entry := _entry(line)) is not None])

    @property
    def total(self) -> float:
        """Dollars of all requests that were ever sent for this cell."""
        return sum(self._cost.values())

    @property
    def lost(self) -> float:
        """Dollars of requests without a kept answer: failed tries, and those under way at a kill."""
        return sum(cost for number, cost in self._cost.items() if number not in self._answered)

    @property
    def n_lost(self) -> int:
        """Number of paid requests without a kept answer."""
        return sum(cost > 0 for number, cost in self._cost.items() if number not in self._answered)

    def sent(self, worst: float) -> int:
        """Record a request before it is sent, and return its number."""
        number = max(self._cost, default=0) + 1
        self._write(Entry(number, worst=worst))
        return number

    def settled(self, number: int, cost: float) -> None:
        """Record the cost of a request whose reply has come."""
        self._write(Entry(number, cost=cost))

    def keep(self, numbers: list[int]) -> None:
        """Record that the answer of these requests is stored."""
        if numbers:
            self._write(Entry(answered=numbers))

    def close(self) -> None:
        """Close the file of the ledger."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, entry: Entry) -> None:
        self._take(entry)
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab")
            self._file.write(b"\n" if self._file.tell() else b"")  # after a line that a kill cut
        self._file.write(msgspec.json.encode(entry) + b"\n")
        self._file.flush()

    def _take(self, entry: Entry) -> None:
        if entry.cost >= 0:
            self._cost[entry.request] = entry.cost
        elif entry.worst >= 0:
            self._cost[entry.request] = entry.worst
        self._answered.update(entry.answered)


def _entry(line: bytes) -> Entry | None:
    try:
        return msgspec.json.decode(line, type=Entry)
    except msgspec.MsgspecError:
        return None
