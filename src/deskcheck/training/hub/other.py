"""Read other instruction data and foreign traces row by row: JSON lines (plain or .gz) or Parquet.

    read_rows(Path("sft.jsonl")) -> [(row, "sft.jsonl:1"), ..]

A row is {"messages": [{"role", "content"}, ..]}, {"prompt", "completion"} (texts, or lists of messages) or
{"instruction", "input", "output"} ("input" may be absent). Two foreign forms of traces are read too.

CWM's form is {"code", "input", "generation"}. Its frames are checked one by one, and the prompt is that of
the layout `cwm`. Rows with `"correct": false` are left out.
CodeTrace, of CodeAlchemy, is {"text": "User:\\n..\\n\\nAssistant:\\n.."} with any number of turns.

The last message of a row is the assistant's and alone carries loss. A row of another form is an error that
names the row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from deskcheck.data_files import read_rows as read_file
from deskcheck.errors import DataError, UserError
from deskcheck.layouts import cwm
from deskcheck.tracing.program import make_program

Messages = list[dict[str, str]]
Row = dict[str, Messages]
ROLES = ("system", "user", "assistant", "tool")
SHAPES = (
    '{"messages": [..]}, {"prompt", "completion"}, {"instruction", "output"}, '
    '{"code", "input", "generation"} (CWM) or {"text"} (CodeTrace)'
)
_TURN = re.compile(r"^(User|Assistant):\n", re.MULTILINE)
_CALLED = re.compile(r"return ([\w.]+)\(")


def read_rows(path: Path) -> Iterator[tuple[Row, str]]:
    """Yield every row with its place in the file. DataError: a line of another form. UserError: no file."""
    if not path.is_file():
        raise UserError(f"no file at '{path}' (--set sft=FILE)")
    if path.suffix in (".gz", ".parquet"):
        for number, given in read_file(path):
            try:
                if not _is_wrong(given):
                    yield _row(given), f"{path}:{number}"
            except ValueError as error:
                raise DataError(f"{path}:{number}: {error}; wanted: {SHAPES}") from None
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            place = f"{path}:{number}"
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
                if text and not _is_wrong(row := json.loads(text)):
                    yield _row(row), place
            except UnicodeDecodeError as error:
                raise DataError(f"{place}: not UTF-8: {error.reason} at byte {error.start}") from None
            except ValueError as error:
                raise DataError(f"{place}: {error}; wanted: {SHAPES}") from None


def _is_wrong(given: Any) -> bool:
    """Whether the row is a trace by a model that is marked as wrong."""
    return isinstance(given, dict) and "generation" in given and given.get("correct") is False


def _of_frames(given: dict[str, Any]) -> Messages:
    """Turn a trace of CWM into messages. ValueError if a frame cannot be read."""
    text = str(given["generation"]).removesuffix("<|end_of_text|>")
    called = _CALLED.search(text)
    if not text.endswith(cwm.FRAME) or called is None:
        raise ValueError("a trace whose last frame does not end, or whose first one makes no call")
    list(cwm.read_frames(text))
    program = make_program(
        str(given["code"]), called.group(1), str(given["input"]), origin=cwm.LAYOUT, license="unknown"
    )
    return [*_turn(cwm.context(program), "user"), *_turn(text, "assistant")]


def _of_turns(text: str) -> Messages:
    parts = _TURN.split(text)
    if parts[0].strip() or len(parts) < 5:
        raise ValueError("its text does not go 'User:', 'Assistant:', each on a line of its own")
    return [
        {"role": role.lower(), "content": said.strip("\n")}
        for role, said in zip(parts[1::2], parts[2::2], strict=True)
    ]


def _row(given: Any) -> Row:
    """Turn a row of any known form into prompt and completion. ValueError for another form."""
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
    elif {"code", "input", "generation"} <= given.keys():
        messages = _of_frames(given)
    elif isinstance(given.get("text"), str):
        messages = _of_turns(given["text"])
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
    if not isinstance(given, list) or not all(isinstance(message, dict) for message in given):
        raise ValueError("messages are to be a list of objects")
    for message in given:
        if message.get("role") not in ROLES:
            raise ValueError(f"role {message.get('role')!r}; known: {', '.join(ROLES)}")
        if not isinstance(message.get("content"), str):
            raise ValueError(f"the content of a message is to be text, not {message.get('content')!r:.40}")
    return [{"role": message["role"], "content": message["content"]} for message in given]
