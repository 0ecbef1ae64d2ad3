"""Read conversation logs, one conversation per line, as chat services and agents store them.

    {"id": "a", "model": "m", "messages": [{"role": "user", "content": ".."}, {"role": "assistant", ..}]}

The answer is the last message of the assistant. If its content has several parts, the text parts are joined.
If it has no content, its last tool call is the answer, as JSON: {"name": .., "arguments": ..}.
`task_id` or `session` may replace `id`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import lines_of, stem

_IDS = ("id", "task_id", "session")


def recognizes(path: Path, first: object) -> bool:
    """Whether a row has messages but no completion; with a completion, the messages would be its prompt."""
    return (
        isinstance(first, dict)
        and isinstance(first.get("messages"), list)
        and not {"completion", "completions"} & first.keys()
    )


def read(path: Path) -> list[SavedRun]:
    """Read the conversations as one run for each model."""
    runs: dict[str, dict[str, list[str]]] = {}
    dropped = []
    for number, row in lines_of(path):
        task, reply = _task(row), _reply(row)
        if not task or reply is None:
            reason = "no id" if not task else "no message of an assistant"
            dropped.append(Dropped(f"line {number}", str(row) if isinstance(row, ValueError) else reason))
            continue
        runs.setdefault(str(row.get("model") or stem(path)), {}).setdefault(task, []).append(reply)
    if not runs:
        raise no_answers_error(path, "conversation with an id and an answer", dropped)
    return [
        SavedRun("conversation", texts, model=model, dropped=dropped if number == 0 else [], path=str(path))
        for number, (model, texts) in enumerate(runs.items())
    ]


def _task(row: Any) -> str:
    found = [row[name] for name in _IDS if isinstance(row, dict) and row.get(name) not in (None, "")]
    return str(found[0]) if found else ""


def _reply(row: Any) -> str | None:
    messages = row.get("messages") if isinstance(row, dict) else None
    spoken = [
        message
        for message in messages or []
        if isinstance(message, dict) and message.get("role") == "assistant"
    ]
    if not spoken:
        return None
    reply = _text(spoken[-1].get("content"))
    return reply if reply else _call(spoken[-1]) or reply


def _call(message: dict[str, Any]) -> str | None:
    """Return the last tool call of a message as JSON; None if it has none."""
    calls = message.get("tool_calls")
    call = (
        calls[-1].get("function")
        if isinstance(calls, list) and calls and isinstance(calls[-1], dict)
        else None
    )
    return json.dumps(call) if isinstance(call, dict) else None


def _text(content: object) -> str | None:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part["text"] for part in parts if isinstance(part, dict) and isinstance(part.get("text"), str)]
    return "\n".join(texts) if texts else None
