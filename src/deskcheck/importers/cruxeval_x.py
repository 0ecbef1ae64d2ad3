"""Read the answers of CRUXEval-X: files LANG_KIND.jsonl with rows {id, answer, right, error}, id a number.

KIND is output or input. An answer is the text that was put into the program. Rows with null, whose task is
not in the data of that language, are left out.
"""

from __future__ import annotations

from pathlib import Path

from deskcheck.errors import DataError
from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import lines_of, stem


def recognizes(path: Path, first: object) -> bool:
    """Whether a row has a numeric id, an answer and a verdict."""
    return (
        isinstance(first, dict) and {"id", "answer", "right"} <= first.keys() and isinstance(first["id"], int)
    )


def read(path: Path) -> list[SavedRun]:
    """Read the run of one language and kind; the folder's name is the model."""
    language, _, kind = stem(path).partition("_")
    if kind not in ("output", "input"):
        raise DataError(f"{path}: expected a name LANG_output.jsonl or LANG_input.jsonl")
    texts: dict[str, list[str]] = {}
    stored: dict[str, list[bool | None]] = {}
    dropped = []
    for number, row in lines_of(path):
        if not isinstance(row, dict) or not isinstance(row.get("id"), int):
            dropped.append(Dropped(f"line {number}", str(row) if isinstance(row, ValueError) else "no id"))
        elif isinstance(row.get("answer"), str):
            task = f"{language}-{row['id']}"
            texts[task] = [row["answer"]]
            stored[task] = [bool(row["right"]) if row.get("right") in (0, 1) else None]
    if not texts:
        raise no_answers_error(path, "answer", dropped)
    return [
        SavedRun(
            "cruxeval-x", texts, stored=stored, model=path.parent.name, strategy="direct", kind=kind,
            settings={"language": language}, dropped=dropped, path=str(path),
        )
    ]  # fmt: skip
