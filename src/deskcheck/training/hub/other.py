"""Other instruction data beside executions: read from JSON lines, checked row by row.

    read_rows(Path("sft.jsonl")) -> [(row, "sft.jsonl:1"), ..]

A line is {"messages": [{"role", "content"}, ..]}, {"prompt", "completion"} (texts, or lists of messages) or
{"instruction", "input", "output"} (input may be absent). The last message is the assistant's and alone
carries loss. A line that is none of these is an error that names it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deskcheck.errors import DataError, UserError

Messages = list[dict[str, str]]
Row = dict[str, Messages]
ROLES = ("system", "user", "assistant", "tool")
SHAPES = '{"messages": [..]}, {"prompt", "completion"} or {"instruction", "output"}'


def read_rows(path: Path) -> Iterator[tuple[Row, str]]:
    """Every row with its place in the file. DataError names the line that is none."""
    if not path.is_file():
        raise UserError(f"no file at '{path}' (--set sft=FILE)")
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            place = f"{path}:{number}"
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if text:
                    yield _row(json.loads(text)), place
            except UnicodeDecodeError as error:
                raise DataError(f"{place}: not UTF-8: {error.reason} at byte {error.start}") from None
            except ValueError as error:
                raise DataError(f"{place}: {error}; wanted: {SHAPES}") from None


def _row(given: Any) -> Row:
    if not isinstance(given, dict):
        raise ValueError(f"a {type(given).__name__}, not an object")
    if given.get("messages") is not None:
        messages = _messages(given["messages"])
    elif "prompt" in given and "completion" in given:
        messages = [*_turn(given["prompt"], "user"), *_turn(given["completion"], "assistant")]
    elif "instruction" in given and "output" in given:
        parts = [part for part in (given["instruction"], given.get("input")) if part]
        if not all(isinstance(part, str) for part in parts):
            raise ValueError("instruction and input are to be texts")
        messages = [*_turn("\n\n".join(parts), "user"), *_turn(given["output"], "assistant")]
    else:
        raise ValueError(f"columns {', '.join(sorted(given)) or 'none'}")
    if len(messages) < 2 or messages[-1]["role"] != "assistant":
        raise ValueError("the last of at least two messages is to be the assistant's")
    if not messages[-1]["content"]:
        raise ValueError("the answer is empty, so nothing could be learned")
    return {"prompt": messages[:-1], "completion": messages[-1:]}


def _turn(given: Any, role: str) -> Messages:
    return [{"role": role, "content": given}] if isinstance(given, str) else _messages(given)


def _messages(given: Any) -> Messages:
    if not isinstance(given, list) or not all(isinstance(one, dict) for one in given):
        raise ValueError("messages are to be a list of objects")
    for one in given:
        if one.get("role") not in ROLES:
            raise ValueError(f"role {one.get('role')!r}; known: {', '.join(ROLES)}")
        if not isinstance(one.get("content"), str):
            raise ValueError(f"the content of a message is to be text, not {one.get('content')!r:.40}")
    return [{"role": one["role"], "content": one["content"]} for one in given]
