"""Read saved answers from output files of batch requests: OpenAI and vLLM, Anthropic, Gemini.

    {"custom_id": "a", "response": {"body": {"model": "m", "choices": [..]}}, "error": null}
    {"custom_id": "a", "result": {"type": "succeeded", "message": {"content": [{"text": ".."}]}}}
    {"key": "a", "response": {"candidates": [{"content": {"parts": [{"text": ".."}]}}]}}

The id of a request is that of its task. The model is the one that answered, as the server names it. A failed
request becomes an answer with finish reason "error"; such answers are left out of every rate.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import inner, lines_of, stem

_FINISHED = {"end_turn": "stop", "max_tokens": "length", "MAX_TOKENS": "length", "STOP": "stop"}


def recognizes(path: Path, first: object) -> bool:
    """Whether a row is the outcome of one request of a batch."""
    if not isinstance(first, dict) or not ("custom_id" in first or "key" in first):
        return False
    return isinstance(first.get("response"), dict) or isinstance(first.get("result"), dict)


def read(path: Path) -> list[SavedRun]:
    """Read the outcomes as one run for each model that answered."""
    runs: dict[str, dict[str, list[tuple[str, str]]]] = {}
    dropped, failed = [], []
    for number, row in lines_of(path):
        identity = row.get("custom_id", row.get("key")) if isinstance(row, dict) else None
        if not isinstance(identity, str | int):
            reason = str(row) if isinstance(row, ValueError) else "no custom_id"
            dropped.append(Dropped(f"line {number}", reason))
            continue
        model, replies = _replies(row)
        if not replies:
            failed.append((str(identity), _failure(row)))
            continue
        runs.setdefault(model or stem(path), {}).setdefault(str(identity), []).extend(replies)
    if not runs:
        raise no_answers_error(path, "answered request", dropped)
    first = next(iter(runs.values()))  # a failed request names no model: it is counted with the first one
    for identity, reason in failed:
        first.setdefault(identity, []).append((reason, "error"))
    return [
        SavedRun(
            "batch",
            {task: [text for text, _ in replies] for task, replies in answers.items()},
            finish_reasons={task: [reason for _, reason in replies] for task, replies in answers.items()},
            model=model,
            dropped=dropped if number == 0 else [],
            path=str(path),
        )
        for number, (model, answers) in enumerate(runs.items())
    ]


def _replies(row: dict[str, Any]) -> tuple[str, list[tuple[str, str]]]:
    """Return the model and the (text, finish reason) of every reply to a request; no replies if it failed."""
    for body in (inner(row, "response.body"), row.get("response"), inner(row, "result.message")):
        if isinstance(body, dict) and (replies := _of_body(body)):
            return str(body.get("model") or body.get("modelVersion") or ""), replies
    return "", []


def _of_body(body: dict[str, Any]) -> list[tuple[str, str]]:
    replies: list[tuple[str, str]] = []
    for choice in body.get("choices") or []:
        text = inner(choice, "message.content")
        text = choice.get("text") if text is None else text
        replies.append((_text(text), _reason(choice.get("finish_reason"))))
    for candidate in body.get("candidates") or []:
        parts = inner(candidate, "content.parts") or []
        replies.append((_text(parts), _reason(candidate.get("finishReason"))))
    if not replies and isinstance(body.get("content"), list):
        replies.append((_text(body["content"]), _reason(body.get("stop_reason"))))
    if not replies and isinstance(body.get("output"), list):  # the responses interface
        parts = [part for one in body["output"] for part in (one.get("content") or [])]
        replies.append((_text(parts), "stop" if body.get("status") == "completed" else "unknown"))
    return replies


def _text(content: object) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _reason(name: object) -> str:
    return _FINISHED.get(str(name), str(name)) if name else "unknown"


def _failure(row: dict[str, Any]) -> str:
    error = row.get("error") or inner(row, "result.error") or inner(row, "response.body.error") or "no reply"
    return str(error.get("message", error) if isinstance(error, dict) else error)[:200]
