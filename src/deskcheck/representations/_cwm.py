"""Frames of the cwm format as text, and back: scopes, ".." and the separators.

told("line", {"n": "3", "s": "4"}, scopes) -> '{"n": "..", "s": "4"}'
read_frames('<|line_sep|>{"n": "3"}<|action_sep|>..<|frame_sep|>') -> ("line", {"n": "3"}, "")
"""

from __future__ import annotations

import json
from collections.abc import Iterator

START, FRAME, ACTION, ARG = "<|trace_context_start|>", "<|frame_sep|>", "<|action_sep|>", "<|arg_sep|>"
MARKS = {
    "call": "<|call_sep|>",
    "line": "<|line_sep|>",
    "return": "<|return_sep|>",
    "exception": "<|exception_sep|>",
}
Shown = tuple[str, dict[str, str], str]
"""Kind, locals of a call or line, value of a return or exception."""


def read_frames(text: str) -> Iterator[Shown]:
    """All frames of a text. ValueError where one is not of the form."""
    scopes: list[dict[str, str]] = [{}]
    for part in text.split(FRAME):
        if not part.strip():
            continue
        kind = next((kind for kind, mark in MARKS.items() if part.lstrip().startswith(mark)), "")
        observed, action, rest = part.lstrip().removeprefix(MARKS.get(kind, "")).partition(ACTION)
        if not kind or not action:
            raise ValueError(f"no frame: '{part[:60]}'")
        _, _, value = rest.partition(ARG)
        if kind in ("call", "line"):
            yield kind, _resolved(kind, _strings(observed), scopes), ""
        else:
            _left(kind, scopes)
            yield kind, {}, str(json.loads(value))


def told(kind: str, local: dict[str, str], scopes: list[dict[str, str]]) -> str:
    """The observation: what is as it was in this scope is told by ".."."""
    if kind in ("return", "exception"):
        _left(kind, scopes)
        return ""
    if kind == "call":
        scopes.append({})
    told = {name: ".." if scopes[-1].get(name) == text else text for name, text in local.items()}
    scopes[-1] = local
    return json.dumps(told, ensure_ascii=False)


def _resolved(kind: str, told: dict[str, str], scopes: list[dict[str, str]]) -> dict[str, str]:
    if kind == "call":
        scopes.append({})
    unknown = [name for name, text in told.items() if text == ".." and name not in scopes[-1]]
    if unknown:
        raise ValueError(f"'{unknown[0]}' is \"..\" and was never told")
    scopes[-1] = {name: scopes[-1][name] if text == ".." else text for name, text in told.items()}
    return scopes[-1]


def _strings(text: str) -> dict[str, str]:
    found = json.loads(text)
    if not isinstance(found, dict) or not all(isinstance(value, str) for value in found.values()):
        raise ValueError(f"no JSON object of strings: '{text[:60]}'")
    return found


def _left(kind: str, scopes: list[dict[str, str]]) -> None:
    """A return goes back to the caller's scope; after an exception nobody can tell which scope it is."""
    if kind == "return" and len(scopes) > 1:
        scopes.pop()
    else:
        scopes[:] = [{}]
