"""Read the answers of CRUXEval-X, as its repository has them or as rows.

    infer_results/MODEL/LANG_KIND.json      a list of {id, res, error, code, answer}
    LANG_KIND.jsonl                         rows {id, answer, right, error}

An id is a number, LANG a short name of a language ("js"), and KIND is output or input. An answer is the text
that was put into the program. A row whose answer is null has no task in the data of that language; it is left
out.
"""

from __future__ import annotations

import re
from pathlib import Path

from deskcheck.errors import DataError
from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import rows_of, stem


def recognizes(path: Path, first: object) -> bool:
    """Whether a row has a numeric id, an answer and a verdict in one of the two forms."""
    row = first[0] if isinstance(first, list) and first else first
    if not isinstance(row, dict) or not isinstance(row.get("id"), int) or "answer" not in row:
        return False
    return "right" in row or {"res", "code"} <= row.keys()


NAMED = ("py", "js", "ts")
"""Languages whose programs are called `f`; the answers to input call them `candidate`, and are rewritten."""
_CANDIDATE = re.compile(r"^\s*candidate\(")


def read(path: Path) -> list[SavedRun]:
    """Read the run of one language and kind; the folder's name is the model.

    DataError for a file whose name does not end in _output or _input.
    """
    language, _, kind = stem(path).partition("_")
    if kind not in ("output", "input"):
        raise DataError(f"{path}: expected a name LANG_output or LANG_input, as json or jsonl")
    texts: dict[str, list[str]] = {}
    stored: dict[str, list[bool | None]] = {}
    dropped = []
    for where, row in rows_of(path):
        if not isinstance(row, dict) or not isinstance(row.get("id"), int):
            dropped.append(Dropped(where, str(row) if isinstance(row, ValueError) else "no id"))
        elif isinstance(row.get("answer"), str):
            task = f"{language}-{row['id']}"
            named = kind == "input" and language in NAMED
            texts[task] = [_CANDIDATE.sub("f(", row["answer"]) if named else row["answer"]]
            verdict = row.get("right", row.get("res"))
            stored[task] = [bool(verdict) if verdict in (0, 1) else None]
    if not texts:
        raise no_answers_error(path, "answer", dropped)
    return [
        SavedRun(
            "cruxeval-x", texts, stored=stored, model=path.parent.name, strategy="direct", kind=kind,
            settings={"language": language}, dropped=dropped, path=str(path),
        )
    ]  # fmt: skip
