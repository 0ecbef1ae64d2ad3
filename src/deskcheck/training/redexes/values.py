"""Draw operands of redexes: literals of numbers, strings, lists, tuples and dictionaries of a chosen size.

    Drawer(Random(1), SIZES["short"]).text()   -> "'Pdg'"

A literal is text that Python reads. `listed`, `tupled` and `mapped` may put the value into the state before
the redex and return its name (`$12`) instead. A model must then look it up, as in a program.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from string import ascii_letters, ascii_lowercase, digits
from typing import NamedTuple

from deskcheck.training.tokenizer import NAME_TOKENS

# fmt: off
WORDS = (
    "able about after again air all also and another any apple around ask away back ball bank bar base "
    "beach bear bell best big bird black blue board boat body book both box boy bread bring build bus but "
    "cake call can car case cat cell change city class clear close cloud code cold color count cup dark "
    "data day deep desk dog door down draw dream drive earth east easy egg end error even every eye face "
    "fact fall far farm fast field file fill find fire first fish five floor fly food form four free "
    "friend from game garden give glass goal gold good grass green group grow hair half hand happy hard "
    "hat head hear heart help hill home hope horse hour house ice idea item jump keep key kind king land "
    "large last late leaf learn left letter level light line list little live long look love low luck "
    "main make many map mark mean milk mind money moon more morning most move much music name near need "
    "new night node north note number ocean off old one open order other out over page paint paper park "
    "part past path pen piece place plan plant play point pool power price queen quick rain read red rest "
    "result rich right ring river road rock room root rose round rule run salt same sand save school sea "
    "seed set seven ship short side sign silver simple size sky sleep small snow some song sound south "
    "space spring stand star start state step stone stop story street strong sugar summer sun table take "
    "talk tall team tell test text thing think three tiger time tower town train tree true turn two under "
    "unit up use value very view voice walk wall warm wash watch water wave way week west wheel white "
    "wide wind winter wish wolf wood word work world year yellow yes young zero"
).split()
# fmt: on
SEPARATORS = ("-", ",", " ", "_", "/", ":", ".", ", ", "|", "+")
PUNCTUATION = " .,-_!?:;/@#%&*()[]{}<>=+'\"\\\n\t~^|"
_NAME = re.compile(r"\$\d+")


class Size(NamedTuple):
    """Bounds of operands, both ends included."""

    text: tuple[int, int]
    """Number of characters of a string."""
    items: tuple[int, int]
    """Number of elements of a list."""
    digits: tuple[int, int]
    """Number of digits of an integer."""


SIZES = {
    "short": Size((1, 8), (1, 6), (1, 3)),
    "middle": Size((9, 20), (7, 12), (4, 5)),
    "long": Size((21, 60), (13, 20), (6, 9)),
}


class Drawer:
    """Drawer of literals of one size, with the state that holds named values."""

    def __init__(self, rng: Random, size: Size = SIZES["short"], *, by_name: float = 0.0) -> None:
        self.rng, self.size, self.by_name = rng, size, by_name
        self.state: dict[str, str] = {}
        """Name -> literal of the values in the state."""

    # ------------------------------------------------------------ names

    def fresh(self) -> str:
        """Draw a name that is not in the state."""
        while (name := self.rng.choice(NAME_TOKENS)) in self.state:
            pass
        return name

    def hold(self, literal: str) -> str:
        """Put a value into the state and return its name."""
        name = self.fresh()
        self.state[name] = literal
        return name

    def _named(self, literal: str) -> str:
        return self.hold(literal) if self.rng.random() < self.by_name else literal

    def plain(self, text: str) -> str:
        """Replace the names in a redex by their literals, so that Python can evaluate it."""
        return _NAME.sub(lambda found: self.state[found.group()], text) if self.state else text

    # ---------------------------------------------------------- numbers

    def number(self, negative: float = 0.12) -> str:
        """Draw an integer; every number of digits within the size is equally likely."""
        n_digits = self.rng.randint(*self.size.digits)
        low = 10 ** (n_digits - 1) if n_digits > 1 else 0
        value = self.rng.randint(low, 10**n_digits - 1)
        if self.rng.random() < 0.1:  # models confuse repeated digits when they copy
            value = int(str(value % 10 or 1) * n_digits)
        return str(-value if self.rng.random() < negative else value)

    def natural(self) -> str:
        """Draw a number that is not negative."""
        return self.number(0.0)

    def near(self, number: str) -> str:
        """Draw a number that is equal to this one, differs little from it, or differs in one digit."""
        kind, value = self.rng.random(), int(number)
        if kind < 0.3:
            return number
        if kind < 0.6:
            return str(value + self.rng.choice((-2, -1, 1, 2)))
        spelled = list(number)
        at = self.rng.randrange(number.startswith("-"), len(spelled))
        spelled[at] = self.rng.choice("123456789")
        return str(int("".join(spelled)))

    def close(self) -> tuple[str, str]:
        """Draw two numbers for a comparison; half of the pairs are near each other."""
        left = self.number()
        return left, self.near(left) if self.rng.random() < 0.5 else self.number()

    def below(self, top: int) -> int:
        """Draw a number from 0 to `top` - 1."""
        return self.rng.randrange(max(1, top))

    # ---------------------------------------------------------- strings

    def length(self) -> int:
        """Draw the number of characters of a string."""
        return self.rng.randint(*self.size.text)

    def characters(self, n: int | None = None) -> str:
        """Draw the text of a string, without quotes: letters, words, digits and marks in several mixtures."""
        rng, n = self.rng, self.length() if n is None else n
        kind = rng.random()
        if kind < 0.25:  # few letters, so that they are repeated
            some = rng.sample(ascii_lowercase, rng.randint(2, 4))
            return "".join(rng.choices(some, k=n))
        if kind < 0.45:
            return "".join(rng.choices(ascii_lowercase, k=n))
        if kind < 0.6:
            return "".join(rng.choices(ascii_letters, k=n))
        if kind < 0.8:
            return self._phrase(n)
        if kind < 0.86:
            return "".join(rng.choices(digits, k=n))
        if kind < 0.92:
            return "".join(rng.choices(ascii_letters + digits + "_", k=n))
        return "".join(rng.choices(ascii_lowercase + PUNCTUATION, k=n))

    def _phrase(self, n: int) -> str:
        """Draw words and cut them to `n` characters."""
        rng = self.rng
        between = rng.choice((" ", " ", " ", "_", "-", ", "))
        shape: Callable[[str], str] = rng.choice((str, str, str.capitalize, str.upper))
        text = shape(rng.choice(WORDS))
        while len(text) < n:
            text += between + shape(rng.choice(WORDS))
        return text[:n]

    def quoted(self, text: str) -> str:
        """Return a literal of the text: as `repr` writes it or, a third of the time, in double quotes."""
        if self.rng.random() < 0.33 and not set(text) & set("\"'\\\n\t"):
            return f'"{text}"'
        return repr(text)

    def text(self, n: int | None = None) -> str:
        """Draw the literal of a string."""
        return self.quoted(self.characters(n))

    def letter_of(self, text: str) -> str:
        """Draw a character that mostly occurs in the text."""
        return (
            self.rng.choice(text) if text and self.rng.random() < 0.75 else self.rng.choice(ascii_lowercase)
        )

    def piece_of(self, text: str, most: int = 3) -> str:
        """Draw a part of the text, of up to `most` characters; a quarter of them get another last letter."""
        n = self.rng.randint(1, most)
        at = self.below(len(text) - n + 1)
        piece = text[at : at + n] or "a"
        return piece if self.rng.random() < 0.75 else piece[:-1] + self.rng.choice(ascii_lowercase)

    def similar(self, text: str) -> str:
        """Return the text half of the time, else mostly a similar one."""
        kind = self.rng.random()
        if kind < 0.5 or not text:
            return text
        at = self.below(len(text))
        if kind < 0.75:
            return text[:at] + self.rng.choice(ascii_lowercase) + text[at + 1 :]
        return text[:at] if kind < 0.9 else self.characters()

    def word(self) -> str:
        """Draw the literal of a short string, for elements and keys."""
        if self.rng.random() < 0.4:
            return self.quoted(self.rng.choice(WORDS))
        return self.quoted(self.characters(self.rng.randint(1, 4)))

    def joined(self) -> tuple[str, str]:
        """Draw a text of parts between separators; return it with the separator."""
        rng, separator = self.rng, self.rng.choice(SEPARATORS)
        wanted, text = self.length(), ""
        while len(text) < wanted:
            part = rng.choice(WORDS) if rng.random() < 0.4 else self.characters(rng.randint(0, 4))
            text += part + separator
        return text[:wanted], separator

    # ------------------------------------------------------- containers

    def n_items(self) -> int:
        """Draw the number of elements of a list; sometimes 0 if lists are short."""
        low, high = self.size.items
        return 0 if low == 1 and self.rng.random() < 0.05 else self.rng.randint(low, high)

    def small_number(self) -> str:
        """Draw a number of one to three digits, whatever the size."""
        top = self.rng.choice((9, 9, 99, 99, 999))
        return str(self.rng.randint(-top if self.rng.random() < 0.12 else 0, top))

    def numbers(self, n: int | None = None) -> list[str]:
        """Draw elements that are numbers, sometimes with one of them twice."""
        found = [self.small_number() for _ in range(self.n_items() if n is None else n)]
        if len(found) > 1 and self.rng.random() < 0.3:
            found[self.below(len(found))] = self.rng.choice(found)
        return found

    def elements(self, n: int | None = None) -> list[str]:
        """Draw the elements of a list: mostly numbers, else words or mixed values."""
        kind, n = self.rng.random(), self.n_items() if n is None else n
        if kind < 0.55:
            return self.numbers(n)
        if kind < 0.85:
            return [self.word() for _ in range(n)]
        return [self.scalar() for _ in range(n)]

    def alike(self) -> list[str]:
        """Draw elements with at most three different values."""
        some = self.rng.choice((["True", "False", "None"], self.rng.sample("0123456789", 3)))
        return self.rng.choices(some, k=self.n_items() or 1)

    def scalar(self) -> str:
        """Draw a number, a word, a truth value or None."""
        kind = self.rng.random()
        if kind < 0.4:
            return self.small_number()
        return self.word() if kind < 0.75 else self.rng.choice(("True", "False", "None"))

    def truth(self) -> str:
        """Draw either True or False."""
        return self.rng.choice(("True", "False"))

    def listed(self, elements: list[str]) -> str:
        """Return a list of the elements as a literal, or its name in the state."""
        return self._named(f"[{', '.join(elements)}]")

    def tupled(self, elements: list[str]) -> str:
        """Return a tuple of the elements as a literal, or its name in the state."""
        return self._named(f"({', '.join(elements)}{',' if len(elements) == 1 else ''})")

    def pairs(self, *, numbers: bool = False) -> dict[str, str]:
        """Draw the items of a dictionary, with different keys; half as many as a list has elements."""
        n = (self.n_items() + 1) // 2
        by_number = self.rng.random() < 0.25
        value = self.small_number if numbers or self.rng.random() < 0.6 else self.scalar
        found: dict[object, tuple[str, str]] = {}
        while len(found) < n:
            key = str(self.rng.randint(0, 99)) if by_number else self.word()
            found[key.strip("'\"")] = (key, value())
        return dict(found.values())

    def mapped(self, pairs: dict[str, str]) -> str:
        """Return a dictionary of the pairs as a literal, or its name in the state."""
        return self._named(f"{{{', '.join(f'{key}: {value}' for key, value in pairs.items())}}}")
