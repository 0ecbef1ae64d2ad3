"""Read JSON lines with one sample or one task each; a field `model` separates several models.

    {"id": "sample_0", "completion": "text", "finish_reason": "stop", "model": "m"}     a sample, in order
    {"id": "sample_0", "completions": ["text", ..], "finish_reasons": [..]}             a task

`strategy` and `kind` separate runs too. A `right` of true or false is the verdict of the source. Other fields
are ignored. A row in neither form is dropped with the reason.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import lines_of, stem

_OURS = ("completion", "completions")


class _Run(Struct):
    texts: dict[str, list[str]] = {}
    reasons: dict[str, list[str]] = {}
    stored: dict[str, list[bool | None]] = {}


def recognizes(path: Path, first: object) -> bool:
    """Whether a row has an id and completions, but no guess."""
    ours = isinstance(first, dict) and "id" in first and any(name in first for name in _OURS)
    return ours and "guess" not in first  # type: ignore[operator]  # a dict, where it is ours


def read(path: Path) -> list[SavedRun]:
    """Read the rows as one run for each combination of model, strategy and kind."""
    runs: dict[tuple[str, str, str], _Run] = {}
    dropped = []
    for number, row in lines_of(path):
        if fault := _fault(row):
            dropped.append(Dropped(f"line {number}", fault))
            continue
        key = tuple(str(row.get(name) or "") for name in ("model", "strategy", "kind"))
        run = runs.setdefault(key, _Run())  # type: ignore[arg-type]  # three names, so three texts
        texts = row["completions"] if "completions" in row else [row["completion"]]
        reasons = row.get("finish_reasons", [row.get("finish_reason") or "unknown"] * len(texts))
        right = row.get("right")
        run.texts.setdefault(row["id"], []).extend(texts)
        run.reasons.setdefault(row["id"], []).extend(reasons)
        run.stored.setdefault(row["id"], []).extend(
            right if isinstance(right, list) else [right] * len(texts)
        )
    if not runs:
        raise no_answers_error(path, "generation", dropped)
    return [
        SavedRun(
            "jsonl",
            run.texts,
            finish_reasons=run.reasons,
            stored=run.stored if any(v is not None for one in run.stored.values() for v in one) else {},
            model=model or stem(path),
            strategy=strategy or "saved",
            kind=kind,
            dropped=dropped if number == 0 else [],
            path=str(path),
        )
        for number, ((model, strategy, kind), run) in enumerate(runs.items())
    ]


def _fault(row: object) -> str:
    """Return why a row has no valid answer; "" if it has one."""
    if isinstance(row, ValueError):
        return str(row)
    if not isinstance(row, dict) or not isinstance(row.get("id"), str):
        return "no object with the text field 'id'"
    if ("completion" in row) == ("completions" in row):
        return "neither 'completion' (a text) nor 'completions' (a list of texts), or both"
    texts = row["completions"] if "completions" in row else [row["completion"]]
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        return "a completion that is no text"
    reasons = row.get("finish_reasons", [row.get("finish_reason") or "unknown"] * len(texts))
    if not isinstance(reasons, list) or [type(reason) for reason in reasons] != [str] * len(texts):
        return "finish reasons must be one text for each completion"
    right = row.get("right")
    verdicts = right if isinstance(right, list) else [right] * len(texts)
    if len(verdicts) != len(texts) or not all(verdict in (True, False, None) for verdict in verdicts):
        return "'right' must be true or false for each completion"
    return ""
