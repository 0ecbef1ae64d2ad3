"""Write the expressions of the families `real-1` and `states-1`, which use Python as published code does.

    writer = Writer(Random(5), REAL["real-1"])
    writer.scope["nums"] = "L"                   a list of integers is in scope
    writer.value("I") -> "nums.index(nums[0])"

Statements, expressions, methods and built-ins are as frequent as in those functions of the standard library
and of PyPI packages that have a loop (`measurements/frequencies.json`). The weights (`real_weights.json`)
were fitted so that accepted programs match these counts; `tests/programs/test_real.py` checks it.

The generator writes no with, import, global, match, walrus, async, files, classes in functions, inheritance
or floats. Every program terminates: a loop iterates over an object that its body cannot change, or counts
down, and recursion shrinks its argument. Sets are only tested for membership, combined, sorted or summed, so
their order never shows.
"""

from __future__ import annotations

import builtins
import re
from collections import Counter
from functools import cache
from importlib.resources import files
from random import Random
from typing import NamedTuple

import msgspec
from msgspec import Struct

from deskcheck.corpus import real_parts as parts

_TYPES = (str, list, dict, set, tuple)
METHODS = frozenset(name for kind in _TYPES for name in dir(kind) if name[0] != "_")
BUILTINS = frozenset(
    name for name, value in vars(builtins).items() if callable(value) and name[0] != "_" and name.islower()
)
_FIELD = re.compile(r"\{\{|\}\}|\{(!?)([A-Za-z])(\d?)\}")
_CALLED = re.compile(r"(\.?)\b([a-z_]+)\(")


class RealFamily(Struct, frozen=True):
    """Bounds on the programs of one family, whose name gets a new number when its programs change."""

    name: str
    steps: tuple[int, int]
    """Fewest and most moves of a run: line events, counted alike on every Python (see `plain_run.py`)."""
    max_int: int
    """Largest absolute value of an integer in a variable or its containers, at any line."""
    max_length: int
    """Largest number of entries of a container in a variable."""
    max_text: int
    """Most characters of a string in a variable or its containers."""
    statements: tuple[int, int]
    """Fewest and most statements of the main function's outermost block, before the return."""
    entries: tuple[int, int]
    """Fewest and most entries of a literal container; 6 % are empty.

    Dictionaries have at most 8, lists of pairs at most 6 and lists of lists at most 4.
    """
    words: tuple[int, ...]
    """Possible numbers of words in a literal string; one of them is drawn."""
    depth: int
    """Deepest nesting of blocks."""
    raising: float
    """Probability of keeping a program that ends with an exception; programs that return are all kept."""


REAL = {
    family.name: family
    for family in (
        RealFamily(
            name="real-1",
            steps=(6, 150),
            max_int=99_999,
            max_length=24,
            max_text=80,
            statements=(3, 8),
            entries=(1, 6),
            words=(1, 1, 2, 3),
            depth=3,
            raising=0.3,
        ),
        RealFamily(
            name="states-1",
            steps=(10, 300),
            max_int=999_999,
            max_length=60,
            max_text=160,
            statements=(4, 10),
            entries=(8, 24),
            words=(2, 4, 8),
            depth=3,
            raising=0.3,
        ),
    )
}


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """Relative frequencies by which the writer chooses; a missing name counts as 1."""

    statements: dict[str, float]
    groups: dict[str, float]
    names: dict[str, float]
    """Weights of methods and built-ins, by name."""


class Part(NamedTuple):
    """Source text and the template field after it; the last part of a template has no field.

    `letter` is the field's type; `number` tells fields of one type apart.
    """

    text: str
    mark: str
    """"!" if the variable must be writable, else ""."""
    letter: str
    number: str


class Template(Struct, frozen=True):
    """A piece of source with fields to fill; `real_parts` explains the letters of the fields."""

    parts: tuple[Part, ...]
    needs: tuple[tuple[str, bool, int], ...]
    """Variables that must be in scope: type letter, whether they must be writable, how many."""
    name: str
    """First method or built-in that the template calls; "" = none."""
    risky: bool
    """Whether it is likely to raise."""


@cache
def weights() -> Weights:
    """Read the weights that ship with the package."""
    data = files("deskcheck.corpus").joinpath("real_weights.json").read_bytes()
    return msgspec.json.decode(data, type=Weights)


@cache
def parse_template(text: str) -> Template:
    """Parse a text such as `sum({L})` into its parts, and collect the variables that it needs."""
    risky, text = text[:1] == "?", text.removeprefix("?")
    fields, position, plain = [], 0, ""
    needs: dict[tuple[str, bool], set[str]] = {}
    for match in _FIELD.finditer(text):
        plain += text[position : match.start()]
        position = match.end()
        if match.group() in ("{{", "}}"):
            plain += match.group()[0]
            continue
        mark, letter, number = match.groups()
        fields.append(Part(plain, mark, letter, number))
        plain = ""
        if letter.isupper():
            needs.setdefault((letter, bool(mark)), set()).add(number)
    fields.append(Part(plain + text[position:], "", "", ""))
    called = ((dot, name) for dot, name in _CALLED.findall(text) if name in (METHODS if dot else BUILTINS))
    return Template(
        tuple(fields),
        tuple((letter, writable, len(numbers)) for (letter, writable), numbers in needs.items()),
        next((name for _, name in called), ""),
        risky,
    )


@cache
def templates(kind: str, group: str) -> tuple[tuple[Template, ...], tuple[float, ...]]:
    """Return the templates of a type ("" = statements) and group, and their weights."""
    texts = parts.EXPRESSIONS[kind][group] if kind else getattr(parts, group)
    parsed = tuple(parse_template(text) for text in texts)
    uses = Counter(template.name for template in parsed)
    weight_of = weights().names
    return parsed, tuple(
        weight_of.get(template.name, 1.0) / uses[template.name] if template.name else 1.0
        for template in parsed
    )


class Writer:
    """A function that is being written: its lines, and the types of the names in scope."""

    def __init__(self, rng: Random, family: RealFamily, outer: Writer | None = None) -> None:
        self.rng = rng
        self.family = family
        self.scope: dict[str, str] = {}
        self.frozen: set[str] = set()  # loop counters and iterated objects, never assigned or mutated
        self.lines: list[str] = []
        self.loops = 0
        # Inside try, or in a program drawn to raise. Otherwise 70 % of risky templates are skipped.
        self.raising = False
        self.is_inner = False  # a function in a function
        self.returns = ""  # type of early returns; "" = any
        # Text of a callable, type of its result.
        self.helpers: list[tuple[str, str]] = outer.helpers if outer else []
        self.taken: set[str] = outer.taken if outer else set()

    def line(self, indent: int, text: str) -> None:
        """Append a line of source at a level of indentation."""
        self.lines.append("    " * indent + text)

    # -------------------------------------------------------------- names

    def fresh(self, kind: str) -> str:
        """Choose an unused name for a variable of a type."""
        names = parts.NAMES[kind]
        for _ in range(6):
            name = self.rng.choice(names)
            if not (name in self.scope or name in self.taken or name in self.frozen):
                return name
        number = 2
        while f"{name}{number}" in self.scope or f"{name}{number}" in self.frozen:
            number += 1
        return f"{name}{number}"

    def bind(self, kind: str) -> str:
        """Choose an unused name and put it into scope with its type."""
        name = self.fresh(kind)
        self.scope[name] = kind
        return name

    def names(self, kind: str, *, writable: bool = False) -> list[str]:
        """List the names in scope of a type; with `writable`, only those that may change."""
        return [n for n, k in self.scope.items() if k == kind and not (writable and n in self.frozen)]

    # -------------------------------------------------------------- templates

    def choose(self, kind: str, group: str) -> Template | None:
        """Choose a template whose variables are all in scope, by weight; None if there is none."""
        candidates, chances = templates(kind, group)
        available: dict[tuple[str, bool], int] = {}
        usable, usable_chances = [], []
        for template, chance in zip(candidates, chances, strict=True):
            if template.risky and not self.raising and self.rng.random() < 0.7:
                continue
            for letter, writable, n in template.needs:
                if (letter, writable) not in available:
                    available[letter, writable] = len(self.names(letter, writable=writable))
                if available[letter, writable] < n:
                    break
            else:
                usable.append(template)
                usable_chances.append(chance)
        return self.rng.choices(usable, usable_chances)[0] if usable else None

    def fill(self, template: Template, depth: int) -> str:
        """Write the source of a template, with variables in scope and with new expressions."""
        texts: dict[str, str] = {}
        text = ""
        local: list[str] = []
        for plain, mark, letter, number in template.parts:
            text += plain
            if not letter:
                continue
            field = letter + number
            if letter.isupper() or letter in "xy":
                if field not in texts:
                    texts[field] = self._variable(letter, mark, texts, local)
                text += texts[field]
            else:
                text += self._part(letter, depth, bare=text[-1:] in ("", "(", "[") or text.endswith(", "))
        return text

    def _variable(self, letter: str, mark: str, texts: dict[str, str], local: list[str]) -> str:
        if letter in "xy":
            name = next(
                n for n in ("x", "y", "v", "w", "e", "u", "z", "q") if n not in self.scope and n not in local
            )
            local.append(name)
            return name
        names = self.names(letter, writable=bool(mark))
        free = [name for name in names if name not in texts.values()]
        return self.rng.choice(free or names)

    def _part(self, letter: str, depth: int, *, bare: bool) -> str:
        rng = self.rng
        if letter == "n":
            return str(rng.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 7, 10)))
        if letter == "m":
            return str(rng.randint(2, 5))
        if letter == "w":
            return str(rng.randint(4, 9))
        if letter == "j":
            return rng.choice(("0", "0", "-1", "-1", "1"))
        if letter == "c":
            return repr(rng.choice(parts.LETTERS))
        if letter == "p":
            return repr(rng.choice(parts.SEPARATORS))
        if letter == "k":
            return repr(rng.choice(parts.WORDS[:24]))
        return self.value(letter.upper(), depth - 1, bare=bare)

    # -------------------------------------------------------------- expressions

    def value(self, kind: str, depth: int = 2, *, bare: bool = True, plain: bool = True) -> str:
        """Write an expression of a type; `plain` allows a name or literal.

        Operations are parenthesized unless the expression is `bare`.
        """
        rng = self.rng
        if plain and (depth <= 0 or rng.random() < 0.4):
            return self.leaf(kind)
        weight_of = weights().groups
        groups = [g for g in parts.EXPRESSIONS[kind] if g != "call" or self.names("F") or self.names("O")]
        for _ in range(3):
            group = rng.choices(
                groups, [weight_of.get(f"{kind} {g}", weight_of.get(g, 1.0)) for g in groups]
            )[0]
            template = self.choose(kind, group)
            if template is not None:
                text = self.fill(template, depth)
                return text if bare or group not in parts.OPERATORS else f"({text})"
        return self.leaf(kind)

    def leaf(self, kind: str) -> str:
        """Write a name in scope or a literal of a type; a boolean may be a comparison."""
        names = self.names(kind)
        if names and self.rng.random() < 0.8:
            return self.rng.choice(names)
        if kind == "B" and (template := self.choose("B", "comparison")) is not None:
            return f"({self.fill(template, 0)})"
        return self.literal(kind)

    def number(self) -> int:
        """Draw an integer; small ones are frequent."""
        rng = self.rng
        return rng.choice((rng.randint(0, 5), rng.randint(0, 12), rng.randint(-9, 30), rng.randint(0, 200)))

    def string(self) -> str:
        """Draw a text of words, sometimes padded with spaces, sometimes digits alone."""
        rng = self.rng
        words = [rng.choice(parts.WORDS) for _ in range(rng.choice(self.family.words))]
        text = rng.choice(parts.SEPARATORS).join(words)
        if rng.random() < 0.1:
            return str(abs(self.number()))
        if rng.random() < 0.1:
            return f"  {text} "
        return text

    def literal(self, kind: str) -> str:
        """Write a literal of a type; a function is a lambda."""
        rng = self.rng
        low, high = self.family.entries
        n = 0 if rng.random() < 0.06 else rng.randint(low, high)
        match kind:
            case "I":
                return str(self.number())
            case "S":
                return repr(self.string())
            case "B":
                return rng.choice(("True", "False"))
            case "L":
                return repr([self.number() for _ in range(n)])
            case "W":
                return repr([rng.choice(parts.WORDS) for _ in range(n)])
            case "D":
                keys = rng.sample(parts.WORDS, min(n, 8))
                return repr({key: self.number() for key in keys})
            case "Z":
                return (
                    "{" + ", ".join(map(str, sorted({self.number() for _ in range(n)}))) + "}"
                    if n
                    else "set()"
                )
            case "T":
                return f"({self.number()}, {self.number()})"
            case "R":
                return repr([[self.number() for _ in range(rng.randint(1, 3))] for _ in range(min(n, 4))])
            case "P":
                return repr([(rng.choice(parts.WORDS), self.number()) for _ in range(min(n, 6))])
            case "N":
                return rng.choice(("None", str(self.number())))
            case "F":
                return f"lambda x: x + {rng.randint(1, 9)}"
        raise AssertionError(kind)  # objects ("O") are made only by calls of their class

    def condition(self) -> str:
        """Write a condition that is more than a name or literal."""
        return self.value("B", 2, plain=False)
