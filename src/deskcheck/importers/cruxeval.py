"""Read the generations of CRUXEval's repository: {"sample_0": ["text", ..], ..}."""

from __future__ import annotations

from pathlib import Path

from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import document_of, stem, table


def recognizes(path: Path, first: object) -> bool:
    """Whether a file is one object whose values are all lists, and no LiveCodeBench file or conversation."""
    if not isinstance(first, dict) or not first or "raw_generations" in first or "messages" in first:
        return False
    return all(isinstance(answers, list) for answers in first.values())


def read(path: Path) -> list[SavedRun]:
    """Read the single run of a file, whose name is the model."""
    texts: dict[str, list[str]] = {}
    dropped = []
    for task, answers in table(document_of(path), str(path)):
        if isinstance(answers, list) and all(isinstance(text, str) for text in answers):
            texts[task] = answers
        else:
            dropped.append(Dropped(f"task {task}", "not a list of texts"))
    if not any(texts.values()):
        raise no_answers_error(path, "generation", dropped)
    return [SavedRun("cruxeval", texts, model=stem(path), dropped=dropped, path=str(path))]
