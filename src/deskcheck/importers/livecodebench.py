"""Read the answer files of LiveCodeBench: {"raw_generations": {..}, "raw_scored_generations": {..}}.

The JSON may be gzipped. CRUXEval's scored files have the same format. If a file has no verdicts and most of
its answers are calls, its kind of question is `input`. A file name ending in "+cot" marks chain-of-thought
prompts.
"""

from __future__ import annotations

import re
from pathlib import Path

from deskcheck.errors import DataError
from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import document_of, stem, table

_CALL = re.compile(r"\s*[A-Za-z_]\w*\(.*\)\s*", re.DOTALL)


def recognizes(path: Path, first: object) -> bool:
    """Whether the file is a JSON object with the key `raw_generations`."""
    return isinstance(first, dict) and "raw_generations" in first


def read(path: Path) -> list[SavedRun]:
    """Read the single run of a file, with stored verdicts if there are any."""
    document = document_of(path)
    if not isinstance(document, dict) or "raw_generations" not in document:
        raise DataError(f"{path}: expected an object with 'raw_generations'")
    texts: dict[str, list[str]] = {}
    dropped = []
    for task, answers in table(document["raw_generations"], f"{path}, raw_generations"):
        if isinstance(answers, list) and all(isinstance(text, str) for text in answers):
            texts[task] = answers
        else:
            dropped.append(Dropped(f"task {task}", "not a list of texts"))
    stored: dict[str, list[bool | None]] = {}
    for task, verdicts in table(
        document.get("raw_scored_generations", {}), f"{path}, raw_scored_generations"
    ):
        n_texts = len(texts.get(task, []))
        if not isinstance(verdicts, list) or not all(isinstance(verdict, bool) for verdict in verdicts):
            dropped.append(Dropped(f"verdicts of task {task}", "not a list of booleans"))
        elif len(verdicts) != n_texts:
            dropped.append(
                Dropped(f"verdicts of task {task}", f"{len(verdicts)} verdicts for {n_texts} answers")
            )
        else:
            stored[task] = verdicts
    if not any(texts.values()):
        raise no_answers_error(path, "generation", dropped)
    name = stem(path)
    reasoned = name.endswith("+cot")
    return [
        SavedRun(
            "livecodebench",
            texts,
            stored=stored,
            model=name.removesuffix("+cot"),
            strategy="cot" if reasoned else "direct",
            kind="" if stored else _question(texts),
            dropped=dropped,
            path=str(path),
        )
    ]


def _question(texts: dict[str, list[str]]) -> str:
    """Return "input" if more than half of the first answers are calls, else "" for unknown."""
    firsts = [answers[0] for answers in texts.values() if answers]
    n_calls = sum(_CALL.fullmatch(answer) is not None for answer in firsts)
    return "input" if n_calls > len(firsts) / 2 else ""
