"""What --max-cost allows: every question of a run is paid from one purse.

async with purse.pay(worst) as paid:  ..;  paid.append(cost)
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class OutOfMoney(Exception):
    """The next question could cost more than is left."""


class Purse:
    """What --max-cost allows. A question first puts its worst case aside, then pays what it did cost.

    Questions under way together never exceed the limit: one that does not fit waits for the others to pay,
    and is refused once nobody else has anything aside. A call that failed, or whose tokens nobody
    reported, is paid at its worst case.
    """

    def __init__(self, limit_usd: float) -> None:
        self.limit = limit_usd
        self.spent = 0.0
        self.aside = 0.0
        self._changed = asyncio.Event()

    @asynccontextmanager
    async def pay(self, worst: float) -> AsyncIterator[list[float]]:
        """The caller appends what the question cost. OutOfMoney where it may not be asked."""
        while self.spent + self.aside + worst > self.limit:
            if not self.aside:
                raise OutOfMoney(f"${self.spent:.4f} of --max-cost ${self.limit:g} are spent")
            self._changed = asyncio.Event() if self._changed.is_set() else self._changed
            await self._changed.wait()
        self.aside += worst
        paid: list[float] = []
        try:
            yield paid
        finally:
            self.aside = max(0.0, self.aside - worst)
            if self.aside < 1e-12:
                self.aside = 0.0
            self.spent += paid[0] if paid and paid[0] >= 0 else worst
            self._changed.set()
