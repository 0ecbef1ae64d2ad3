"""Write the expressions and conditions of generated programs: random text in Python, typed.

    Expressions(rng, family).value(INT) -> "len(xs) + 3 * n"

The types are int, str, list (of int), words (a list of str) and dict (from str to int). A Family bounds the
sizes of programs and values. Every choice comes from the given Random.
"""

from __future__ import annotations

import keyword
from random import Random
from typing import NamedTuple

from msgspec import Struct


class Family(Struct, frozen=True):
    """Bounds on the programs of one family and on the values in their runs."""

    name: str
    steps: tuple[int, int]
    """Minimum and maximum number of executed line events."""
    max_int: int
    """Largest absolute value of an integer that may occur in the run."""
    max_length: int
    """Maximum length of a string or container in the run."""
    statements: tuple[int, int]
    """Minimum and maximum number of statements in the outermost block, before the return."""
    loop_length: tuple[int, int]
    """Approximate minimum and maximum number of iterations of one loop."""
    depth: int
    """Maximum nesting of blocks."""
    raising: float
    """Share of programs with a statement that may raise."""


class Written(NamedTuple):
    """One random program, as it was written."""

    source: str
    entry: str
    arguments: str
    """Text of the arguments of one call."""
    kinds: tuple[str, ...]
    """Types of these arguments, as the program's writer names them: `literal(kind)` draws further values."""


INT, STR, LIST, WORDS, DICT = "int", "str", "list", "words", "dict"
NAMES = (
    "n x y z a b c k m p q r s t u v w i j total count result text nums items out acc left right "
    "value word ch data d res tmp cur best key lst arr words letters idx limit size flag seen pos "
    "low high last first num"
).split()
LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Built-ins whose name random letters could spell.
_TAKEN = {"int", "str", "len", "sum", "min", "max", "abs", "ord", "chr", "set", "list", "dict", "zip"}


class Expressions:
    """Writer of expressions of a type, made from variables in scope and literals."""

    def __init__(self, rng: Random, family: Family) -> None:
        self.rng = rng
        self.family = family
        self.scope: dict[str, str] = {}
        self.frozen: set[str] = set()  # loop counters and iterated variables, which are not assigned

    # -------------------------------------------------------------- names and values

    def fresh(self) -> str:
        """Draw a name that is not in scope."""
        rng = self.rng
        for _ in range(20):
            if rng.random() < 0.08:
                name = "".join(rng.choice(LETTERS) for _ in range(rng.randint(2, 5)))
                if keyword.iskeyword(name) or name in _TAKEN:
                    continue
            else:
                name = rng.choice(NAMES)
            if name not in self.scope:
                return name
        return f"v{len(self.scope)}"

    def pick(self, kind: str, *, writable: bool = False) -> str | None:
        """Draw a variable of a type, with `writable` one that may be assigned; None if there is none."""
        names = [n for n, t in self.scope.items() if t == kind and not (writable and n in self.frozen)]
        return self.rng.choice(names) if names else None

    def number(self) -> int:
        """Draw an integer from -9 to 99 at most; most are from 0 to 20."""
        rng = self.rng
        top = self.family.max_int
        return rng.choice(
            (rng.randint(0, 9), rng.randint(0, 9), rng.randint(1, 20), rng.randint(-9, min(99, top)))
        )

    def string(self) -> str:
        """Draw a string of random characters, at most half as long as the family allows in a run."""
        rng = self.rng
        length = rng.randint(0 if rng.random() < 0.1 else 1, max(2, self.family.max_length // 2))
        alphabet = rng.choice(
            (LETTERS, LETTERS, "abc", LETTERS + LETTERS.upper(), "ab01 -,", LETTERS + "0123456789 ")
        )
        return "".join(rng.choice(alphabet) for _ in range(length))

    def literal(self, kind: str) -> str:
        """Write a literal of a type."""
        rng = self.rng
        most = max(2, self.family.max_length // 2)
        if kind == INT:
            return str(self.number())
        if kind == STR:
            return repr(self.string())
        if kind == LIST:
            return str([self.number() for _ in range(rng.randint(0 if rng.random() < 0.1 else 1, most))])
        if kind == WORDS:
            return str([self.string()[:4] for _ in range(rng.randint(1, max(2, most // 2)))])
        keys = rng.sample("abcdefgxyz", rng.randint(1, max(2, most // 2)))
        return str({key: self.number() for key in keys})

    # -------------------------------------------------------------- expressions

    def value(self, kind: str, depth: int = 2) -> str:
        """Write an expression of a type, with at most `depth` levels of operands inside."""
        writer = {INT: self._int, STR: self._str, LIST: self._list, WORDS: self._words, DICT: self._dict}[
            kind
        ]
        return writer(depth)

    def _leaf(self, kind: str, share: float = 0.75) -> str:
        name = self.pick(kind)
        return name if name and self.rng.random() < share else self.literal(kind)

    def _int(self, depth: int) -> str:
        rng = self.rng
        if depth <= 0 or rng.random() < 0.25:
            return self._leaf(INT)
        choice = rng.randrange(12)
        if choice < 6:
            left, op = self._int(depth - 1), rng.choice(("+", "+", "-", "-", "*", "//", "%"))
            right = str(rng.randint(2, 9)) if op in ("//", "%") else self._int(depth - 1)
            text = f"{left} {op} {right}"
            return f"({text})" if depth < 2 else text
        if choice == 6 and (name := self.pick(STR)):
            return rng.choice(
                (
                    f"len({name})",
                    f"{name}.count({rng.choice(LETTERS)!r})",
                    f"{name}.find({rng.choice(LETTERS)!r})",
                )
            )
        if choice in (7, 8) and (name := self.pick(LIST)):
            return rng.choice(
                (
                    f"len({name})",
                    f"sum({name})",
                    f"{name}[{rng.choice(('0', '-1', '1'))}]",
                    f"max({name})",
                    f"min({name})",
                    f"{name}.count({self.number()})",
                )
            )
        if choice == 9 and (name := self.pick(DICT)):
            return rng.choice((f"len({name})", f"{name}.get({rng.choice('abcxyz')!r}, 0)"))
        if choice == 10:
            function = rng.choice(("abs", "max", "min"))
            arguments = (
                self._int(depth - 1)
                if function == "abs"
                else f"{self._int(depth - 1)}, {self._int(depth - 1)}"
            )
            return f"{function}({arguments})"
        return self._leaf(INT)

    def _str(self, depth: int) -> str:
        rng = self.rng
        name = self.pick(STR)
        if depth <= 0 or name is None or rng.random() < 0.2:
            return self._leaf(STR)
        a, b = rng.choice(LETTERS), rng.choice(LETTERS)
        options = (
            f"{name} + {self._str(depth - 1)}",
            f"{name}.upper()",
            f"{name}.lower()",
            f"{name}[::-1]",
            f"{name}[{rng.randint(0, 2)}:]",
            f"{name}[:{rng.randint(1, 4)}]",
            f"{name}.replace({a!r}, {b!r})",
            f"{name}.strip()",
            f"str({self._int(depth - 1)})",
            f"{name} * {rng.randint(2, 3)}",
            f"{name}.title()",
            f"{rng.choice(('', '-', ','))!r}.join({name})",
            f"f'{{{name}}}{a}'",
            f"{name}.swapcase()",
        )
        return rng.choice(options)

    def _list(self, depth: int) -> str:
        rng = self.rng
        name = self.pick(LIST)
        if depth <= 0 or name is None or rng.random() < 0.25:
            return self._leaf(LIST, 0.3) if rng.random() < 0.7 else "[]"
        options = (
            f"{name} + [{self._int(depth - 1)}]",
            f"sorted({name})",
            f"{name}[::-1]",
            f"{name}[{rng.randint(0, 2)}:]",
            f"{name}[:{rng.randint(1, 3)}]",
            f"list(range({rng.randint(1, 5)}))",
            f"{name}.copy()",
            f"[{self._int(1)}, {self._int(1)}]",
        )
        if rng.random() < 0.15:
            loop = self.fresh()
            return f"[{loop} {rng.choice('+-*')} {rng.randint(1, 9)} for {loop} in {name}]"
        return rng.choice(options)

    def _words(self, depth: int) -> str:
        rng = self.rng
        name = self.pick(STR)
        if depth <= 0 or name is None or rng.random() < 0.3:
            return self._leaf(WORDS, 0.4)
        return rng.choice(
            (
                f"list({name})",
                f"{name}.split({rng.choice(('', '-', ',', ' ')) or ' '!r})",
                f"[{name}]",
                f"sorted({name})",
            )
        )

    def _dict(self, depth: int) -> str:
        return self._leaf(DICT, 0.2) if self.rng.random() < 0.7 else "{}"

    def condition(self) -> str:
        """Write a condition over variables in scope and literals."""
        rng = self.rng
        choice = rng.randrange(10)
        if choice < 6:
            left = self._int(1)
            if choice == 5:
                return f"{left} % {rng.randint(2, 4)} == {rng.randint(0, 1)}"
            return f"{left} {rng.choice(('<', '>', '<=', '>=', '==', '!='))} {self._int(0)}"
        if choice == 6 and (name := self.pick(STR)):
            return rng.choice(
                (
                    f"{rng.choice(LETTERS)!r} in {name}",
                    f"{name}.isdigit()",
                    f"{name}.startswith({rng.choice(LETTERS)!r})",
                    f"{name} == {self._leaf(STR)}",
                    f"{name}.isupper()",
                    f"not {name}",
                )
            )
        if choice == 7 and (name := self.pick(LIST)):
            return rng.choice((f"{self._int(0)} in {name}", f"{name}", f"len({name}) > {rng.randint(0, 4)}"))
        if choice == 8:
            joint, low, high = rng.choice(("and", "or")), rng.randint(0, 9), rng.randint(1, 20)
            return f"{self._int(0)} > {low} {joint} {self._int(0)} < {high}"
        return f"{self._int(0)} > {rng.randint(0, 9)}"
