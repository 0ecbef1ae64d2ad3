"""Read the variables that a chat model writes, as `name=value; ..`, the form in which states are compared.

    read_bindings(" n = 3; s = [1,2]") -> "n=3; s=[1, 2]"        "none" -> ""

The text is parsed, never executed. A text of another form (for example objects in words) becomes one line,
cut at MAX_CHARACTERS. Such a text counts as a state that differs from the true one; the strategy goes on.
"""

from __future__ import annotations

from deskcheck.languages import part

MAX_CHARACTERS = 20_000
"""Longer texts are not parsed, since a model can write without end."""
NO_VARIABLES = ("", "none", "none.", "(none)", "empty", "no variables", "无", "空")
"""Ways to say that there is no variable yet, in English and Chinese."""


def read_bindings(text: str, language: str = "python") -> str:
    """Return the variables of one 'STATE: a = 1; b = 2' line as "a=1; b=2".

    A text without this form is returned in one line, cut at MAX_CHARACTERS.
    """
    stripped = text[:MAX_CHARACTERS].strip().strip("`").strip()
    line = " ".join(stripped.split())
    if len(text) > MAX_CHARACTERS:
        return line
    if line.lower() in NO_VARIABLES:
        return ""
    # As it is written first: the other two have lost white space, perhaps that of a string literal.
    for written in (stripped, "\n".join(map(str.strip, stripped.split("\n"))), line):
        try:
            return "; ".join(f"{name}={value}" for name, value in part(language, "bindings")(written))
        except ValueError:
            continue
    return line
