"""Twelve programs to begin with: six like those of the network's training, six unlike any of them.

The rule, so that nobody chose what the network can do: of each family `easy`, `medium` and `hard` the first
two held-out programs, whose likes the training had; and of the benchmark `classic`, near which no program of
the training lies, the first six programs, each with the third of its ten calls.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from deskcheck import plugins
from deskcheck.programs.generated import HELD_OUT, traced

FAMILIES = ("easy", "medium", "hard")
EACH, UNKNOWN, CALL = 2, 6, 3
LIKE, UNLIKE = "like its training programs", "unlike any program of its training"


def examples() -> list[dict[str, Any]]:
    """Return title, kind, note, source and call of each."""
    return [*_known(), *_unknown()]


def _known() -> list[dict[str, Any]]:
    return [
        {
            "title": f"{family} {number}",
            "kind": LIKE,
            "note": f"Held-out program {number} of the generated family {family}, {trace.n_steps} steps.",
            "source": program.source,
            "call": program.call,
        }
        for family in FAMILIES
        for number, (program, trace) in enumerate(traced(family, seed=HELD_OUT[family], n=EACH), 1)
    ]


def _unknown() -> list[dict[str, Any]]:
    drafts = plugins.load("benchmark", "classic").drafts("")
    return [
        {
            "title": draft.cluster.replace("-", " "),
            "kind": UNLIKE,
            "note": "A textbook program of the benchmark classic, near which nothing of the training lies.",
            "source": draft.program.source,
            "call": draft.program.call,
        }
        for draft in islice((one for one in drafts if one.tags["size"] == str(CALL)), UNKNOWN)
    ]
