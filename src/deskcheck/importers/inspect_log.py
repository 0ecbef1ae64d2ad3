"""Read saved answers from logs of Inspect, also of tasks that are not deskcheck's: FILE.eval, or JSON.

The id of a sample in the log is the task. Its epochs are the samples of the task. The model is that of the
log. A sample that ended in an error, or has no output, becomes an answer with finish reason "error".
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deskcheck.errors import DataError
from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import document_of, inner

_FINISHED = {"max_tokens": "length", "content_filter": "content_filter"}


def recognizes(path: Path, first: object) -> bool:
    """Whether a file is a log of Inspect, packed or as JSON."""
    return path.suffix == ".eval" or (isinstance(first, dict) and {"version", "eval", "plan"} <= first.keys())


def read(path: Path) -> list[SavedRun]:
    """Read the samples of one log as one run."""
    header, samples = _packed(path) if path.suffix == ".eval" else _document(path)
    texts: dict[str, list[str]] = {}
    reasons: dict[str, list[str]] = {}
    dropped = []
    for sample in sorted(samples, key=lambda one: (str(one.get("id")), one.get("epoch", 1))):
        text, reason = inner(sample, "output.completion"), inner(sample, "output.choices.0.stop_reason")
        if text is None:
            text = _text(inner(sample, "output.choices.0.message.content"))
        if sample.get("error") or (not text and not reason):
            text, reason = str(inner(sample, "error.message") or "no output")[:200], "error"
        if sample.get("id") is None:
            dropped.append(Dropped(f"sample {len(texts) + 1}", "no id"))
            continue
        texts.setdefault(str(sample["id"]), []).append(str(text))
        reasons.setdefault(str(sample["id"]), []).append(_FINISHED.get(str(reason), str(reason or "unknown")))
    if not texts:
        raise no_answers_error(path, "sample", dropped)
    model = str(inner(header, "eval.model") or path.stem)
    return [
        SavedRun(
            "inspect-log", texts, finish_reasons=reasons, model=model, dropped=dropped, path=str(path),
            settings={"task": str(inner(header, "eval.task") or "")},
        )
    ]  # fmt: skip


def _text(content: object) -> str | None:
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else None


def _document(path: Path) -> tuple[object, list[dict[str, Any]]]:
    document = document_of(path)
    samples = document.get("samples") if isinstance(document, dict) else None
    return document, [one for one in samples or [] if isinstance(one, dict)]


def _packed(path: Path) -> tuple[object, list[dict[str, Any]]]:
    """Read a packed log: header.json and samples/ID_epoch_N.json in a ZIP file."""
    try:
        with zipfile.ZipFile(path) as packed:
            members = packed.namelist()
            header = next((one for one in ("header.json", "_journal/start.json") if one in members), "")
            return (
                json.loads(packed.read(header)) if header else {},
                list(_samples(packed, [one for one in members if one.startswith("samples/")])),
            )
    except (zipfile.BadZipFile, ValueError, OSError) as error:
        raise DataError(f"{path}: no whole log of Inspect: {error}") from None


def _samples(packed: zipfile.ZipFile, members: list[str]) -> Iterator[dict[str, Any]]:
    for member in sorted(members):
        sample = json.loads(packed.read(member))
        if isinstance(sample, dict):
            yield sample
