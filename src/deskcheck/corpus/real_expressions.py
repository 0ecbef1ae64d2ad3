"""The families `real-..`: functions that use Python as code in use does. Here: expressions, by type.

    Writer(rng, REAL["real-1"]).value("I") -> "sum(x * 2 for x in nums)"

Which statement, expression, method and built-in comes how often follows counts of the standard library and
PyPI packages (`measurements/frequencies.json`, functions with a loop), through weights that were fitted so
that the programs that are kept come out like the table (`real_weights.json`; a test holds the two together).
Not written: with, import, global, match, walrus, async, files, classes in functions, inheritance, floats.
Loops run over what their body may not change, or count down; recursion shrinks its argument; so programs end.
Sets are only asked, combined, sorted or summed: no order of a hash is ever seen.
"""

from __future__ import annotations

import builtins
import re
from functools import cache
from importlib.resources import files
from random import Random

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
    """What the programs of one family may be. The number in its name changes whenever its programs do."""

    name: str
    steps: tuple[int, int]
    """Moves (`plain_run.py`), from and to: line events, but the same on every Python."""
    max_int: int
    """Largest absolute integer in a variable, or in a container in one, at any line."""
    max_length: int
    """Most entries of a container in a variable."""
    max_text: int
    """Longest string in a variable, or in a container in one."""
    statements: tuple[int, int]
    """Statements of the main function's outermost block, before the return."""
    entries: tuple[int, int]
    """Entries of a literal container, from and to; one in 17 is empty."""
    words: tuple[int, ...]
    """Words of a literal string, one is drawn."""
    depth: int
    """Nesting of blocks."""
    raising: float
    """Share of the programs that end by an exception that is kept; of others all are."""


REAL = {
    family.name: family
    for family in (
        RealFamily("real-1", (6, 150), 99_999, 24, 80, (3, 8), (1, 6), (1, 1, 2, 3), 3, 0.3),
        RealFamily("states-1", (10, 300), 999_999, 60, 160, (4, 10), (8, 24), (2, 4, 8), 3, 0.3),
    )
}


class Weights(Struct, frozen=True, forbid_unknown_fields=True):
    """How often the writer tries what; 1 where a name is missing."""

    statements: dict[str, float]
    groups: dict[str, float]
    names: dict[str, float]
    """Of methods and built-ins."""


class Template(Struct, frozen=True):
    """A piece of source with fields to fill."""

    parts: tuple[tuple[str, str, str, str], ...]
    """Text before the field, "!" or "", letter, number; the last one has only text."""
    needs: tuple[tuple[str, bool, int], ...]
    """Type of variable, must be writable, how many."""
    name: str
    """The method or built-in that it is about; "" = none."""
    risky: bool
    """May well raise."""


@cache
def weights() -> Weights:
    """Read the weights of templates that ship."""
    data = files("deskcheck.corpus").joinpath("real_weights.json").read_bytes()
    return msgspec.json.decode(data, type=Weights)


@cache
def parsed(text: str) -> Template:
    """The template of a text."""
    risky, text = text[:1] == "?", text.removeprefix("?")
    found, at, plain = [], 0, ""
    needs: dict[tuple[str, bool], set[str]] = {}
    for match in _FIELD.finditer(text):
        plain += text[at : match.start()]
        at = match.end()
        if match.group() in ("{{", "}}"):
            plain += match.group()[0]
            continue
        mark, letter, number = match.groups()
        found.append((plain, mark, letter, number))
        plain = ""
        if letter.isupper():
            needs.setdefault((letter, bool(mark)), set()).add(number)
    found.append((plain + text[at:], "", "", ""))
    called = ((dot, name) for dot, name in _CALLED.findall(text) if name in (METHODS if dot else BUILTINS))
    return Template(
        tuple(found),
        tuple((letter, writable, len(numbers)) for (letter, writable), numbers in needs.items()),
        next((name for _, name in called), ""),
        risky,
    )


@cache
def templates(kind: str, group: str) -> tuple[tuple[Template, ...], tuple[float, ...]]:
    """Templates of a type and group, and their weights."""
    texts = parts.EXPRESSIONS[kind][group] if kind else getattr(parts, group)
    found = tuple(parsed(text) for text in texts)
    same = [sum(one.name == other.name for other in found) if one.name else 1 for one in found]
    known = weights().names
    return found, tuple(
        known.get(t.name, 1.0) / n if t.name else 1.0 for t, n in zip(found, same, strict=True)
    )


class Writer:
    """One function being written: its lines, and the types of what is in scope."""

    def __init__(self, rng: Random, family: RealFamily, outer: Writer | None = None) -> None:
        self.rng = rng
        self.family = family
        self.scope: dict[str, str] = {}
        self.frozen: set[str] = set()  # counters and what is being iterated: neither assigned nor changed
        self.lines: list[str] = []
        self.loops = 0
        self.raising = False  # what may raise is written: inside try, or where the program was drawn to
        self.is_inner = False  # a function in a function
        self.returns = ""  # type of early returns; "" = any
        self.helpers: list[tuple[str, str]] = (
            outer.helpers if outer else []
        )  # callable text, type of its result
        self.taken: set[str] = outer.taken if outer else set()

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    # -------------------------------------------------------------- names

    def fresh(self, kind: str) -> str:
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
        name = self.fresh(kind)
        self.scope[name] = kind
        return name

    def names(self, kind: str, *, writable: bool = False) -> list[str]:
        return [n for n, k in self.scope.items() if k == kind and not (writable and n in self.frozen)]

    # -------------------------------------------------------------- templates

    def choose(self, kind: str, group: str) -> Template | None:
        """A template whose variables are there."""
        found, chances = templates(kind, group)
        have: dict[tuple[str, bool], int] = {}
        usable, share = [], []
        for template, chance in zip(found, chances, strict=True):
            if template.risky and not self.raising and self.rng.random() < 0.7:
                continue
            for letter, writable, n in template.needs:
                if (letter, writable) not in have:
                    have[letter, writable] = len(self.names(letter, writable=writable))
                if have[letter, writable] < n:
                    break
            else:
                usable.append(template)
                share.append(chance)
        return self.rng.choices(usable, share)[0] if usable else None

    def fill(self, template: Template, depth: int) -> str:
        known: dict[str, str] = {}
        text = ""
        local: list[str] = []
        for plain, mark, letter, number in template.parts:
            text += plain
            if not letter:
                continue
            field = letter + number
            if letter.isupper() or letter in "xy":
                if field not in known:
                    known[field] = self._variable(letter, mark, known, local)
                text += known[field]
            else:
                text += self._part(letter, depth, bare=text[-1:] in ("", "(", "[") or text.endswith(", "))
        return text

    def _variable(self, letter: str, mark: str, known: dict[str, str], local: list[str]) -> str:
        if letter in "xy":
            name = next(
                n for n in ("x", "y", "v", "w", "e", "u", "z", "q") if n not in self.scope and n not in local
            )
            local.append(name)
            return name
        names = self.names(letter, writable=bool(mark))
        free = [name for name in names if name not in known.values()]
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
        """An expression of a type; in brackets where it is an operation and not `bare`."""
        rng = self.rng
        if plain and (depth <= 0 or rng.random() < 0.4):
            return self.leaf(kind)
        known = weights().groups
        groups = [g for g in parts.EXPRESSIONS[kind] if g != "call" or self.names("F") or self.names("O")]
        for _ in range(3):
            group = rng.choices(groups, [known.get(f"{kind} {g}", known.get(g, 1.0)) for g in groups])[0]
            template = self.choose(kind, group)
            if template is not None:
                text = self.fill(template, depth)
                return text if bare or group not in parts.OPERATORS else f"({text})"
        return self.leaf(kind)

    def leaf(self, kind: str) -> str:
        names = self.names(kind)
        if names and self.rng.random() < 0.8:
            return self.rng.choice(names)
        if kind == "B" and (template := self.choose("B", "comparison")) is not None:
            return f"({self.fill(template, 0)})"
        return self.literal(kind)

    def number(self) -> int:
        rng = self.rng
        return rng.choice((rng.randint(0, 5), rng.randint(0, 12), rng.randint(-9, 30), rng.randint(0, 200)))

    def string(self) -> str:
        rng = self.rng
        words = [rng.choice(parts.WORDS) for _ in range(rng.choice(self.family.words))]
        text = rng.choice(parts.SEPARATORS).join(words)
        if rng.random() < 0.1:
            return str(abs(self.number()))
        if rng.random() < 0.1:
            return f"  {text} "
        return text

    def literal(self, kind: str) -> str:
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
        raise AssertionError(kind)  # an object is made by its class alone

    def condition(self) -> str:
        return self.value("B", 2, plain=False)
