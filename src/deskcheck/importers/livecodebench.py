"""LiveCodeBench's generations: {"raw_generations": {..}, "raw_scored_generations": {..}}, plain or gzip'ed.

CRUXEval's scored files have the same layout. Runs without verdicts whose answers are whole calls are answers
to `input`; a name that ends in "+cot" was asked to reason first.
"""

from __future__ import annotations

import re
from pathlib import Path

from deskcheck.errors import DataError
from deskcheck.importers import Dropped, SavedRun, nothing
from deskcheck.importers._files import document_of, stem, table

_CALL = re.compile(r"\s*[A-Za-z_]\w*\(.*\)\s*", re.DOTALL)


def recognizes(path: Path, first: object) -> bool:
    """An object with a table of generations."""
    return isinstance(first, dict) and "raw_generations" in first


def read(path: Path) -> list[SavedRun]:
    """The one run of the file, with the verdicts that it holds."""
    whole = document_of(path)
    if not isinstance(whole, dict) or "raw_generations" not in whole:
        raise DataError(f"{path}: expected an object with 'raw_generations'")
    texts: dict[str, list[str]] = {}
    dropped = []
    for task, answers in table(whole["raw_generations"], f"{path}, raw_generations"):
        if isinstance(answers, list) and all(isinstance(text, str) for text in answers):
            texts[task] = answers
        else:
            dropped.append(Dropped(f"task {task}", "not a list of texts"))
    stored: dict[str, list[bool | None]] = {}
    for task, verdicts in table(whole.get("raw_scored_generations", {}), f"{path}, raw_scored_generations"):
        n_texts = len(texts.get(task, []))
        if not isinstance(verdicts, list) or not all(isinstance(verdict, bool) for verdict in verdicts):
            dropped.append(Dropped(f"verdicts of task {task}", "not a list of true and false"))
        elif len(verdicts) != n_texts:
            dropped.append(Dropped(f"verdicts of task {task}", f"{len(verdicts)} for {n_texts} texts"))
        else:
            stored[task] = verdicts
    if not any(texts.values()):
        raise nothing(path, "generation", dropped)
    name = stem(path)
    reasoned = name.endswith("+cot")
    return [
        SavedRun(
            "livecodebench",
            texts,
            stored=stored,
            model=name.removesuffix("+cot"),
            strategy="cot" if reasoned else "direct",
            kind="" if stored else _kind(texts),
            dropped=dropped,
            path=str(path),
        )
    ]


def _kind(texts: dict[str, list[str]]) -> str:
    """ "input" where most answers are whole calls, else unknown."""
    answers = [answers[0] for answers in texts.values() if answers]
    calls = sum(_CALL.fullmatch(answer) is not None for answer in answers)
    return "input" if calls > len(answers) / 2 else ""
