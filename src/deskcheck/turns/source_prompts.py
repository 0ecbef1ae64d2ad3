"""Read the prompts of a source that publishes one text for each task, so that they are sent word for word.

    prompt_text("RE2Bench", "output", "HumanEval_1")   the text of prompts/output_prediction/*/HumanEval_1.txt
    hash_of_texts("RE2Bench")                          sha256 over all texts, for the key of a run

RE2-Bench has no license, so no text of it ships. The first argument is the user's own copy: a checkout of the
repository, its folder `prompts`, or a file of rows {prefix, text} and then rows {id, task, prefix, question}.
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from deskcheck.data_files import read_rows
from deskcheck.errors import UserError

KINDS = {"output": "output", "input": "input", "loop-values": "loop", "branches": "branch"}
"""Kind of question -> name of it in the source."""
MARKS = {"output": "OUTPUT", "input": "INPUT", "loop-values": "ANSWER", "branches": "ANSWER"}
"""Kind of question -> word in the brackets around the answer that the source asks for."""


def prompt_text(place: str, kind: str, task_id: str) -> str:
    """Return the source's prompt for a task. UserError if it has none."""
    found = _texts(place).get((KINDS.get(kind, ""), task_id))
    if found is None:
        raise UserError(f"--prompt re2-bench={place}: no prompt for '{kind}' of task '{task_id}' there")
    return found


def hash_of_texts(place: str) -> str:
    """Return the sha256 over every prompt at this place."""
    digest = hashlib.sha256()
    for (kind, task_id), text in sorted(_texts(place).items()):
        digest.update(f"{kind}\0{task_id}\0{text}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


@cache
def _texts(place: str) -> dict[tuple[str, str], str]:
    path = Path(place)
    found = _of_rows(path) if path.is_file() else _of_folder(path)
    if not found:
        raise UserError(
            f"--prompt re2-bench={place}: no prompts there; name a checkout of Intelligent-CAT-Lab/RE2Bench, "
            "its folder prompts, or a JSONL file with rows {id, task, prefix, question}"
        )
    return found


def _of_folder(path: Path) -> dict[tuple[str, str], str]:
    root = path / "prompts" if (path / "prompts").is_dir() else path
    return {
        (kind, file.stem): file.read_text(encoding="utf-8")
        for kind in KINDS.values()
        for file in sorted(root.glob(f"{kind}_prediction/*/*.txt"))
    }


def _of_rows(path: Path) -> dict[tuple[str, str], str]:
    prefixes: dict[str, str] = {}
    prompts = {}
    for _, row in read_rows(path):
        if "question" in row:
            text = prefixes.get(str(row["prefix"]), "") + str(row["question"])
            prompts[str(row["task"]), str(row["id"])] = text
        elif "text" in row:
            prefixes[str(row["prefix"])] = str(row["text"])
    return prompts
