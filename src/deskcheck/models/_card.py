"""What a model's card says about its training: the layouts, and whether programs had comments.

    read_card(Path("tiny_model")) -> Card(["direct", "scratchpad", "compact", "line-1"], comments=False)

Read from the front matter of README.md in the model's folder, where training writes it:

    layouts: [direct, scratchpad, compact, line-1]
    comments: false
"""

from __future__ import annotations

import re
from pathlib import Path

from msgspec import Struct, field

_LAYOUTS = re.compile(r"^layouts:\s*\[([^\]\n]*)\]\s*$", re.MULTILINE)
_NO_COMMENTS = re.compile(r"^comments:\s*false\s*$", re.MULTILINE)


class Card(Struct, frozen=True):
    """What the card of one model says of its training."""

    layouts: list[str] = field(default_factory=list)
    """That it was trained on; none = the card does not say."""
    comments: bool = True
    """False where the card says that no program of its training had a comment."""


def read_card(folder: Path) -> Card:
    """The card in a folder; one that says nothing where there is none."""
    file = folder / "README.md"
    text = file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""
    parts = text.split("---\n", 2)
    front = parts[1] if len(parts) == 3 and not parts[0].strip() else ""
    found = _LAYOUTS.search(front)
    layouts = [name.strip() for name in found.group(1).split(",")] if found else []
    return Card([name for name in layouts if name], comments=not _NO_COMMENTS.search(front))
