r"""Sort complexities that benchmarks state, in any spelling, into ordered classes.

    complexity_class(r"O(n \times \log n)")  -> "n log n"
    complexity_class("O(n + m)")             -> "several variables"
    complexity_class("see below")            -> "not read"

The class is the smallest of CLASSES that holds the growth: sqrt(n) is linear, n sqrt(n) quadratic, n^2 log n
"cubic and more". A power of a logarithm counts as a logarithm, the inverse Ackermann function and a fixed
alphabet as constants. Variables inside a logarithm are not counted: n log m is "n log n".
"""

from __future__ import annotations

import re
from functools import cache

from msgspec import Struct

CLASSES = (
    "constant", "logarithmic", "linear", "n log n", "quadratic", "cubic and more", "exponential",
    "several variables",
)  # fmt: skip
UNREAD = "not read"
_TOKEN = re.compile(r"\s*(log|sqrt|min|max|[A-Za-z]|\d+(?:\.\d+)?|[-+*/^!(),])")


class _Growth(Struct, frozen=True):
    """Growth of an expression, by its largest term."""

    variables: frozenset[str] = frozenset()
    degree: float = 0.0
    log: bool = False
    exponential: bool = False


class _Unread(Exception):
    """Raised for a text that cannot be read as a complexity."""


@cache
def complexity_class(text: str) -> str:
    """Return the class of a stated complexity: one of CLASSES, or UNREAD."""
    try:
        found = _Reader(_plain(text)).whole()
    except _Unread:
        return UNREAD
    if found.exponential:
        return "exponential"
    if len(found.variables) > 1:
        return "several variables"
    if found.degree == 0:
        return "logarithmic" if found.log else "constant"
    if found.degree <= 1:
        return "n log n" if found.log and found.degree == 1 else "linear"
    return "quadratic" if found.degree <= 2 and not (found.log and found.degree == 2) else "cubic and more"


def _plain(text: str) -> str:
    """Return the text inside O(..), without LaTeX; "" if it cannot be read."""
    text = re.split("[，。；]", text.strip().strip("$"))[0].replace("\\\\", "\\")
    text = re.sub(r"\\(?:left|right|big|Big|bigl|bigr|displaystyle|,|;|!| )", "", text)
    text = re.sub(r"\\(?:text|mathit|mathrm|textit|operatorname)\{([A-Za-z])[^{}]*\}", r"\1", text)
    text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"((\1)/(\2))", text)
    text = re.sub(r"\\alpha(\(\w\))?|\|?\s*\\Sigma\s*\|?", "1", text)
    text = re.sub(r"_\{?\w+\}?", "", text)
    text = text.replace("\\times", "*").replace("\\cdot", "*").replace("×", "*").replace("·", "*")
    text = re.sub(r"\\(?:ln|lg|log)|ln|lg", "log", text)
    text = re.sub(r"\\([lr]vert|[lr]ceil|[lr]floor|mid)|\|", "", text)
    if re.search(r"\\(?!log|sqrt|min|max)[A-Za-z]{2,}", text):  # a sum, a limit, a name: not known here
        return ""
    text = text.replace("\\", "").replace("{", "(").replace("}", ")").replace("**", "^").replace("²", "^2")
    inside = re.fullmatch(r"\s*O?\s*\((.*)\)[\s.,;]*", text, re.DOTALL)
    return inside[1] if inside else ""


class _Reader:
    """Parser of sums of products of powers."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            token = _TOKEN.match(text, at)
            if token is None:
                raise _Unread
            self.tokens.append(token[1])
            at = token.end()
        self.at = 0

    def whole(self) -> _Growth:
        """Return the growth of the whole text."""
        found = self.sum()
        if self.at < len(self.tokens):
            raise _Unread
        return found

    def next(self) -> str:
        """Return the next token; "" at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, token: str) -> bool:
        """Go past a token; False if another token is next."""
        if self.next() != token:
            return False
        self.at += 1
        return True

    def sum(self) -> _Growth:
        """Return the growth of the largest term of a sum."""
        growth = self.product()
        while self.next() in ("+", "-", ","):
            self.at += 1
            other = self.product()
            large = max(growth, other, key=lambda one: (one.degree, one.log))
            growth = _Growth(
                growth.variables | other.variables,
                large.degree,
                large.log,
                growth.exponential or other.exponential,
            )
        return growth

    def product(self) -> _Growth:
        """Return the growth of a product: degrees add up, and divisors are left out (an upper bound)."""
        growth = self.power()
        while self.next() not in ("", "+", "-", ",", ")"):
            divided = self.take("/")
            if not divided:
                self.take("*")
            other = self.power()
            if not divided:
                growth = _Growth(
                    growth.variables | other.variables,
                    growth.degree + other.degree,
                    growth.log or other.log,
                    growth.exponential or other.exponential,
                )
        return growth

    def power(self) -> _Growth:
        """Return the growth of a base with its exponents; a variable in an exponent makes it exponential."""
        base = self.base()
        while self.next() in ("^", "!"):
            if self.take("!"):
                return _Growth(exponential=True)
            self.take("^")
            start = self.at
            exponent = self.base()
            if exponent.variables or exponent.exponential or exponent.log:
                return _Growth(exponential=True)
            numbers = [float(token) for token in self.tokens[start : self.at] if token[0].isdigit()]
            if not numbers:
                raise _Unread
            divisor = numbers[1] if len(numbers) > 1 and "/" in self.tokens[start : self.at] else 1.0
            base = _Growth(base.variables, base.degree * numbers[0] / divisor, base.log, base.exponential)
        return base

    def base(self) -> _Growth:
        """Return the growth of a bracket, a logarithm, a root, a variable or a number."""
        token = self.next()
        self.at += 1
        if token == "(":
            found = self.sum()
            if not self.take(")"):
                raise _Unread
            return found
        if token in ("log", "sqrt"):
            if self.take("^"):  # log^2 n
                self.base()
            inside = self.power()
            if token == "log":
                return _Growth(log=True)
            return _Growth(inside.variables, inside.degree / 2, inside.log, inside.exponential)
        if token in ("min", "max"):
            return self.base()
        if token and token.isalpha():
            return _Growth(frozenset((token,)), 1.0)
        if token and token[0].isdigit():
            return _Growth()
        raise _Unread
