"""Read saved answers from rows of one sample or one task: JSON lines, a JSON list, or a table.

    {"id": "sample_0", "completion": "text", "finish_reason": "stop", "model": "m"}     a sample, in order
    {"id": "sample_0", "completions": ["text", ..], "finish_reasons": [..]}             a task
    {"task_id": "sample_0", "response": "text"}                                         other names: `NAMES`

A table (`.csv`, `.tsv`) has the names in its first line. Names count in any spelling, "Task ID" as task_id.

Rows with another `model`, `strategy` or `kind` belong to another run. A `right` of true or false is the
verdict of whoever wrote the file. Other fields are ignored. The argument `fields` of `read` gives the path of
a field with any other name: {"completion": "choices.0.message.content"}. A row that lacks an id or a reply,
or is malformed, is dropped with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from deskcheck.errors import UserError
from deskcheck.grading.envelopes import spelled
from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import inner, rows_of, stem

NAMES = {
    "id": ("id", "task_id", "question_id", "sample_id", "problem_id", "custom_id", "item_id", "qid", "doc_id",
           "key", "idx", "index"),
    "completion": (
        "completion", "completions", "response", "responses", "generation", "generations", "generated_text",
        "model_output", "model_response", "raw_response", "reply", "output", "outputs", "prediction",
        "predictions", "answer", "text", "result", "solution", "samples", "choices",
    ),
    "finish_reason": ("finish_reason", "finish_reasons", "stop_reason"),
    "model": ("model", "model_name", "model_id"),
    "strategy": ("strategy",),
    "kind": ("kind",),
    "right": ("right",),
}  # fmt: skip
"""Field -> the names under which it is looked for, the likeliest first."""


class _Run(Struct):
    texts: dict[str, list[str]] = {}
    reasons: dict[str, list[str]] = {}
    stored: dict[str, list[bool | None]] = {}


def recognizes(path: Path, first: object) -> bool:
    """Whether a row has an id and replies under names in `NAMES`; any other importer has precedence."""
    row = first[0] if isinstance(first, list) and first else first
    if not isinstance(row, dict):
        return False
    reply = _value(row, "completion", {})
    return (
        _value(row, "id", {}) is not None
        and reply is not None
        and all(isinstance(text, str) for text in _texts(reply))
    )


def read(path: Path, fields: Mapping[str, str] | None = None) -> list[SavedRun]:
    """Read the rows as one run for each combination of model, strategy and kind.

    `fields`: a key of NAMES -> dotted path of that field in a row. The first run has all dropped rows of the
    file. UserError for an unknown key, DataError for a file without an answer.
    """
    names = dict(fields or {})
    if unknown := names.keys() - NAMES.keys():
        raise UserError(f"--field {min(unknown)}=..: no such field; known: {', '.join(NAMES)}")
    runs: dict[tuple[str, str, str], _Run] = {}
    dropped = []
    for where, row in rows_of(path):
        if fault := _fault(row, names):
            dropped.append(Dropped(where, fault))
            continue
        key = tuple(str(_value(row, name, names) or "") for name in ("model", "strategy", "kind"))
        run = runs.setdefault(key, _Run())  # type: ignore[arg-type]  # three names, so three texts
        identity, texts, reasons, right = _parts(row, names)
        run.texts.setdefault(identity, []).extend(texts)
        run.reasons.setdefault(identity, []).extend(reasons)
        run.stored.setdefault(identity, []).extend(right)
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


def needed() -> str:
    """Return a text that names the fields which a row needs, for error messages."""
    return (
        f"a row needs an id ({', '.join(NAMES['id'][:4])}, ..) and a reply "
        f"({', '.join(NAMES['completion'][:3])}, output, ..)"
    )


def _value(row: dict[str, Any], name: str, fields: Mapping[str, str]) -> Any:
    """Return a field of a row: at its path in `fields`, or under the first of its NAMES in the row."""
    if name in fields:
        return inner(row, fields[name])
    plain = row if row.keys() & set(NAMES[name]) else {spelled(key): value for key, value in row.items()}
    return next((plain[one] for one in NAMES[name] if plain.get(one) is not None), None)


def _texts(reply: object) -> list[Any]:
    """Return the replies of a field; a number or a boolean is spelled as Python writes it.

    In a list of objects, as servers store samples, each object gives its text or its message's content.
    """
    if isinstance(reply, int | float):
        return [repr(reply)]
    if not isinstance(reply, list):
        return [reply]
    paths = ("text", "message.content", "content", "completion", "response", "output")
    return [
        next((text for path in paths if isinstance(text := inner(sample, path), str)), sample)
        if isinstance(sample, dict)
        else sample
        for sample in reply
    ]


def _parts(row: dict[str, Any], fields: Mapping[str, str]) -> tuple[str, list[str], list[str], list[Any]]:
    reply = _value(row, "completion", fields)
    texts = _texts(reply)
    reasons = _value(row, "finish_reason", fields)
    if reasons is None and isinstance(reply, list):
        reasons = [str(inner(one, "finish_reason") or "unknown") for one in reply]
    reasons = "unknown" if reasons is None else reasons
    reasons = reasons if isinstance(reasons, list) else [reasons] * len(texts)
    right = _value(row, "right", fields)
    return (
        str(_value(row, "id", fields)),
        texts,
        reasons,
        right if isinstance(right, list) else [right] * len(texts),
    )


def _fault(row: object, fields: Mapping[str, str]) -> str:
    """Return why a row has no valid answer; "" if it has one."""
    if isinstance(row, ValueError):
        return str(row)
    if not isinstance(row, dict):
        return "no object"
    identity, texts = _value(row, "id", fields), _value(row, "completion", fields)
    if not isinstance(identity, str | int) or isinstance(identity, bool):
        return _missing(row, "id", fields)
    if texts is None:
        return _missing(row, "completion", fields)
    if "completion" in row and "completions" in row and "completion" not in fields:
        return "both 'completion' (a text) and 'completions' (a list of texts); give one of them"
    texts = _texts(texts)
    if not all(isinstance(text, str) for text in texts):
        return "a completion that is no text"
    _, _, reasons, verdicts = _parts(row, fields)
    if [type(reason) for reason in reasons] != [str] * len(texts):
        return "finish reasons must be one text for each completion"
    if len(verdicts) != len(texts) or not all(verdict in (True, False, None) for verdict in verdicts):
        return "'right' must be true or false for each completion"
    return ""


def _missing(row: dict[str, Any], name: str, fields: Mapping[str, str]) -> str:
    given = f"no field '{fields[name]}'" if name in fields else f"no field for '{name}'"
    return f"{given}; it has {', '.join(map(str, list(row)[:8])) or 'no field'} (--field {name}=NAME)"
