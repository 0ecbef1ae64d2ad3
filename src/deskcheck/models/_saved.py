"""Read saved generations: what a model wrote earlier, for replay and for grading again.

    read_saved("generations.json") -> Saved(texts={"sample_0": ["[1]", ..]}, ..)

Three layouts, told apart by their content:
    CRUXEval       {"sample_0": ["text", ..], ..}
    LiveCodeBench  {"raw_generations": {"sample_0": [..]}, "raw_scored_generations": {"sample_0": [true, ..]}}
    JSON lines     {"id": "sample_0", "completion": "text", "finish_reason": "stop"} a sample, in order, or
                   {"id": "sample_0", "completions": ["text", ..], "finish_reasons": [..]} a task
Whatever else a row or file holds is left alone. A text is data: it is never executed.
"""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import Struct, field

from deskcheck.errors import DataError, UserError


class Saved(Struct, frozen=True):
    """Generations of one run. All tables are keyed by task id; sample n is entry n of a list."""

    layout: str
    """"cruxeval", "livecodebench" or "jsonl"."""
    texts: dict[str, list[str]]
    finish_reasons: dict[str, list[str]] = field(default_factory=dict)
    """Only where the file tells them (JSON lines); as long as the texts."""
    stored: dict[str, list[bool]] = field(default_factory=dict)
    """Verdicts of the source, where the file holds them; as long as the texts."""

    def finish_reason(self, task: str, sample: int) -> str:
        """ "stop", "length", ..; "unknown" where the file does not say."""
        reasons = self.finish_reasons.get(task, [])
        return reasons[sample] if reasons else "unknown"


def read_saved(path: str | Path) -> Saved:
    """Read any of the three layouts. DataError says file, place and what was expected."""
    path = Path(path)
    if not path.is_file():
        raise UserError(f"no saved generations at '{path}'")
    try:
        content = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: not text in UTF-8: {error}") from None
    if not content.strip():
        raise DataError(f"{path}: empty; expected saved generations")
    try:
        whole = json.loads(content)
    except (ValueError, RecursionError):
        return _jsonl(content, path)
    if not isinstance(whole, dict):
        raise DataError(f"{path}: a {type(whole).__name__}; expected an object task id -> list of texts")
    if "id" in whole and ("completion" in whole or "completions" in whole):
        return _jsonl(content, path)  # JSON lines of one line
    return _object(whole, path)


def _object(whole: dict[str, object], path: Path) -> Saved:
    if "raw_generations" not in whole:
        return _checked(Saved("cruxeval", _lists(whole, path, "")), path)
    texts = _lists(whole["raw_generations"], path, "raw_generations")
    stored: dict[str, list[bool]] = {}
    for task, verdicts in _table(whole.get("raw_scored_generations", {}), path, "raw_scored_generations"):
        if not isinstance(verdicts, list) or not all(isinstance(one, bool) for one in verdicts):
            raise DataError(
                f"{path}, raw_scored_generations, task '{task}': expected a list of true and false"
            )
        if len(verdicts) != len(texts.get(task, [])):
            raise DataError(
                f"{path}, task '{task}': {len(verdicts)} verdicts, {len(texts.get(task, []))} texts"
            )
        stored[task] = verdicts
    return _checked(Saved("livecodebench", texts, stored=stored), path)


def _table(value: object, path: Path, where: str) -> list[tuple[str, object]]:
    if not isinstance(value, dict):
        raise DataError(f"{path}, {where}: expected an object task id -> list")
    return list(value.items())


def _lists(value: object, path: Path, where: str) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {}
    for task, one in _table(value, path, where):
        if not isinstance(one, list) or not all(isinstance(text, str) for text in one):
            raise DataError(f"{path}, {where or 'task'} '{task}': expected a list of texts")
        texts[task] = one
    return texts


def _jsonl(content: str, path: Path) -> Saved:
    texts: dict[str, list[str]] = {}
    reasons: dict[str, list[str]] = {}
    for number, line in enumerate(content.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise DataError(f"{path}, line {number}: not JSON: {error}") from None
        if not isinstance(row, dict) or not isinstance(row.get("id"), str):
            raise DataError(f"{path}, line {number}: expected an object with the text field 'id'")
        one, ended = _row(row, f"{path}, line {number}")
        texts.setdefault(row["id"], []).extend(one)
        reasons.setdefault(row["id"], []).extend(ended)
    return _checked(Saved("jsonl", texts, finish_reasons=reasons), path)


def _row(row: dict[str, object], where: str) -> tuple[list[str], list[str]]:
    if ("completion" in row) == ("completions" in row):
        raise DataError(f"{where}: expected either 'completion' (a text) or 'completions' (a list of texts)")
    several = "completions" in row
    texts = row["completions"] if several else [row["completion"]]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise DataError(f"{where}: a completion that is no text")
    reasons = row.get("finish_reasons") if several else row.get("finish_reason")
    if reasons is None:
        return texts, ["unknown"] * len(texts)
    reasons = reasons if several else [reasons]
    if not isinstance(reasons, list) or [type(one) for one in reasons] != [str] * len(texts):
        raise DataError(f"{where}: finish reasons must be one text for each completion")
    return texts, reasons


def _checked(saved: Saved, path: Path) -> Saved:
    if not any(saved.texts.values()):
        raise DataError(f"{path}: holds no generation")
    return saved
