"""Read the variables that a chat model writes down, in the one spelling of state texts.

    read_bindings(" n = 3; s = [1,2]") -> "n=3; s=[1, 2]"        "none" -> ""

The text is parsed, never executed. A text of another form than "name = value; .." (for example objects in
words) is not changed. It cannot be compared with the true state then, but the loop continues.
"""

from __future__ import annotations

from deskcheck.languages import part

MAX_CHARACTERS = 20_000


def read_bindings(text: str, language: str = "python") -> str:
    """Return the variables of one 'STATE: a = 1; b = 2' line as "a=1; b=2"; another text is not changed."""
    plain = (
        " ".join(text.strip().strip("`").split()) if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS]
    )
    if plain.lower() in ("", "none", "none.", "(none)", "empty", "no variables", "无", "空"):
        return ""
    try:
        return "; ".join(f"{name}={value}" for name, value in part(language, "bindings")(plain))
    except ValueError:
        return plain
