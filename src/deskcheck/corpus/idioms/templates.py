"""Read the templates of the family `idioms` from its text files.

    expressions()["I"]        -> ("ord(max($vS, default='a'))", ..)
    statements()["compound"]  -> ("$nI.a = `0~0~$i`\\nfor $lI.x in ..", ..)
    recursive()[0]            -> ("def $.f($lI.n):\\n    if ..", "$.f($k + $r)", "I")

`writer.py` explains the holes (`$`), `values.py` the letters of kinds: "I" is an integer.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def _sections(name: str) -> dict[str, str]:
    """Return the text of each section of a file, under the name in its head."""
    sections: dict[str, str] = {}
    text = files("deskcheck.corpus.idioms").joinpath(name).read_text("utf-8")
    head = ""
    for line in text.splitlines():
        # A head is short and has letters alone, such as [I S] or [I ?]; other lines may have brackets too.
        if (
            line.startswith("[")
            and line.endswith("]")
            and len(line) < 12
            and line[1:-1].replace(" ", "").replace("?", "").isalpha()
        ):
            head = line[1:-1]
        elif not line.startswith("# "):
            sections[head] = sections.get(head, "") + line + "\n"
    return sections


@cache
def expressions() -> dict[str, tuple[str, ...]]:
    """Return the templates of expressions by head.

    "I" is an expression of kind I, "I S" one of kind S about a variable of kind I, "I ?" a condition on it.
    """
    return {
        head: tuple(text.split("\n")[:-1]) for head, text in _stripped(_sections("expressions.txt")).items()
    }


@cache
def statements() -> dict[str, tuple[str, ...]]:
    """Return the templates of statements: "simple" and "compound"."""
    return {head: tuple(_parted(text)) for head, text in _sections("statements.txt").items() if head}


@cache
def recursive() -> tuple[tuple[str, str, str], ...]:
    """Return the recursive functions, each as its template, a call, and the kind of the result."""
    cases = []
    for text in _parted(_sections("recursion.txt")[""]):
        head, _, body = text.partition("\n")
        kind, _, call = head.partition(" ")
        cases.append((body, call, kind))
    return tuple(cases)


def _parted(text: str) -> list[str]:
    return [part for part in (one.strip("\n") for one in text.split("\n\n")) if part]


def _stripped(sections: dict[str, str]) -> dict[str, str]:
    return {head: text.strip("\n") + "\n" for head, text in sections.items() if head}
