"""Read answers of people, saved by the step viewer's guess mode: rows {id, completion, kind, guess}.

A person guesses single steps of a run (kind "step") and its result (kind "output"). A benchmark asks only for
the result, so guesses of steps are dropped here. `deskcheck grade --generations FILE` without --benchmark
counts all guesses.
"""

from __future__ import annotations

from pathlib import Path

from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import lines_of


def recognizes(path: Path, first: object) -> bool:
    """Whether a row has an id, a completion and a guess."""
    return isinstance(first, dict) and {"id", "completion", "guess"} <= first.keys()


def read(path: Path) -> list[SavedRun]:
    """Read the answers of all people in the file as one run."""
    texts: dict[str, list[str]] = {}
    dropped = []
    for number, row in lines_of(path):
        if not isinstance(row, dict) or not isinstance(row.get("completion"), str) or "id" not in row:
            dropped.append(Dropped(f"line {number}", str(row) if isinstance(row, ValueError) else "no guess"))
        elif row.get("kind") != "output":
            dropped.append(
                Dropped(f"line {number}", "a guess at a step: grade without --benchmark counts it")
            )
        elif row["completion"]:
            texts.setdefault(str(row["id"]), []).append(row["completion"])
        else:
            dropped.append(Dropped(f"line {number}", "the answer was shown, not guessed"))
    if not texts:
        raise no_answers_error(path, "guess at a result", dropped)
    return [
        SavedRun(
            "guesses", texts, model="human", strategy="guess", kind="output", dropped=dropped, path=str(path)
        )
    ]
