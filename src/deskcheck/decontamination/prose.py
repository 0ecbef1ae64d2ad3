"""Look for programs of benchmarks in prose that contains code, such as rows of instruction data.

    near_copy_in("Write f.\n```python\ndef f(xs): ..\n```") -> Match or None

The whole text and its fenced blocks are checked as programs, and so is every definition in unfenced lines
(from `def`, `class` or a decorator on). Special tokens (`<|trace_context_start|>`) end a line. Text that is
not Python is ignored, so a benchmark's task in words alone is not recognized.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from deskcheck.decontamination.near import Match, near_copy

_FENCE = re.compile(
    r"^[ \t]*(?:```|~~~)[^\n]*\n(.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
_TOKEN = re.compile(r"<\|\w+\|>")
_START = re.compile(r"^([ \t]*)(?:async def|def|class|@)[ \t]*\w", re.MULTILINE)


def near_copy_in(text: str) -> Match | None:
    """Return the most similar program of a benchmark, if any code in the text is too similar to one."""
    text = _TOKEN.sub("\n", text)
    matches = []
    for code in code_in(text):
        try:
            match = near_copy(code)
        except SyntaxError:
            continue
        if match is not None:
            matches.append(match)
    return max(matches, key=lambda match: match.similarity, default=None)


def code_in(text: str) -> Iterator[str]:
    """Yield the whole text, its fenced blocks, and the definitions inside and outside of the blocks."""
    yield text
    for block in _FENCE.finditer(text):
        yield textwrap.dedent(block[1])
        yield from _definitions(block[1])
    yield from _definitions(_FENCE.sub("\n", text))


def _definitions(text: str) -> Iterator[str]:
    """Yield every definition with the indented lines below it, then all definitions joined."""
    lines = text.split("\n")
    texts = []
    number = 0
    while number < len(lines):
        start = _START.match(lines[number])
        if start is None:
            number += 1
            continue
        depth = len(start[1].expandtabs())
        end = number + 1
        while end < len(lines) and (
            not lines[end].strip() or _depth(lines[end]) > depth or _continues(lines, end, depth)
        ):
            end += 1
        texts.append(textwrap.dedent("\n".join(lines[number:end])))
        number = end
    yield from texts
    if len(texts) > 1:
        yield "\n".join(texts)


def _depth(line: str) -> int:
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def _continues(lines: list[str], number: int, depth: int) -> bool:
    """Whether a line at the same depth continues a definition: it ends a signature or follows a decorator."""
    if _depth(lines[number]) != depth:
        return False
    return lines[number].lstrip()[:1] in (")", "]", "}") or lines[number - 1].lstrip().startswith("@")
