"""Choose the twelve programs that the demo page offers: six like those of the network's training, six unlike.

A rule chooses them, so that nobody picks what the network can do. Six are the first two held-out programs of
each of the families `easy`, `medium` and `hard`; the network was trained on other programs of these families.
Six are the first programs of the benchmark `classic`, each with the third of its ten calls. No program of the
training is near a program of `classic`.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from deskcheck import plugins
from deskcheck.programs.generated import HELD_OUT, traced

FAMILIES = ("easy", "medium", "hard")
EACH, UNKNOWN, CALL = 2, 6, 3
"""Programs of each family; programs of `classic`; number of their call, from 1."""
LIKE, UNLIKE = "like its training programs", "unlike any program of its training"


def examples() -> list[dict[str, Any]]:
    """Return title, kind, note, source and call of each example program."""
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
