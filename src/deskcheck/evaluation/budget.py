"""Dollars that a run may spend: every request of all its cells is paid from one budget.

    async with budget.pay(worst) as paid:  ..;  paid.append(cost)

A request first sets its worst case aside, then pays what it did cost. Requests under way together never
exceed the limit: one that does not fit waits for the others to pay, and is refused once nobody else has
anything aside. A request whose cost nobody reported is paid at its worst case; so is each try of it that may
have been worked on before it failed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

_ROUNDING = 1e-12


class OutOfMoney(Exception):
    """The next request could cost more than is left."""


class Budget:
    """The limit of --max-cost, what is spent of it and what is set aside."""

    def __init__(self, limit_usd: float) -> None:
        self.limit = limit_usd
        self.spent = 0.0
        self.aside = 0.0
        self._waiting: list[asyncio.Event] = []

    @asynccontextmanager
    async def pay(self, worst: float) -> AsyncIterator[list[float]]:
        """The caller appends what the request cost. OutOfMoney where it may not be sent."""
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
        """Whether a request that could cost so much fits beside all that is under way."""
        return self.spent + self.aside + worst <= self.limit

    def charge(self, worst: float) -> None:
        """Pay for a try that failed after it may have been worked on."""
        self.spent += worst

    def exhausted(self) -> OutOfMoney:
        """What is said where the next request does not fit."""
        return OutOfMoney(f"${self.spent:.4f} of --max-cost ${self.limit:g} are spent")

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for changed in waiting:
            changed.set()
