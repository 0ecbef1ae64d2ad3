"""Read the samples that lm-evaluation-harness logs (`--log_samples`): samples_TASK_TIME.jsonl.

    {"doc_id": 0, "doc": {"id": "sample_0", ..}, "target": "..", "resps": [["text"]], "filtered_resps": [..]}

The reply is the model's own text (`resps`), not the answer that the harness extracted from it. The task id is
the id in the row's `doc`, or else the row's `doc_id`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import lines_of, stem

_IDS = ("id", "task_id", "question_id")


def recognizes(path: Path, first: object) -> bool:
    """Whether a row has the responses and the document of one sample."""
    return isinstance(first, dict) and isinstance(first.get("resps"), list) and "doc_id" in first


def read(path: Path) -> list[SavedRun]:
    """Read the replies of one file as one run; of a file samples_*.jsonl, the folder's name is the model."""
    texts: dict[str, list[str]] = {}
    dropped = []
    for number, row in lines_of(path):
        replies = _flat(row.get("resps")) if isinstance(row, dict) else []
        if not replies:
            reason = str(row) if isinstance(row, ValueError) else "no text in 'resps'"
            dropped.append(Dropped(f"line {number}", reason))
            continue
        texts.setdefault(_identity(row), []).extend(replies)
    if not texts:
        raise no_answers_error(path, "reply", dropped)
    model = path.parent.name if stem(path).startswith("samples_") else stem(path)
    return [SavedRun("lm-eval", texts, model=model or stem(path), dropped=dropped, path=str(path))]


def _identity(row: dict[str, Any]) -> str:
    document = row.get("doc")
    names = [document[name] for name in _IDS if name in document] if isinstance(document, dict) else []
    return str(names[0] if names else row["doc_id"])


def _flat(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [text for one in value for text in _flat(one)] if isinstance(value, list) else []
