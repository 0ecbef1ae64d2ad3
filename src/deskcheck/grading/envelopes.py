"""Take an answer out of a JSON object or a tool call.

    opened('{"answer": [1, 2], "confidence": 0.9}')                       -> ["[1, 2]"]
    opened('{"name": "submit", "arguments": {"output": "abc"}}')          -> ["abc", "'abc'"]
    opened('{"a": 1}')                                                    -> None     no envelope: a value

An object is an envelope if one of its keys names an answer and every other key a reason, a confidence or the
like (`cues.ENVELOPES`, `BESIDE`, `CALLS`). A string inside may be the spelling of a literal or the answer
itself, so both are returned. `Wanted` describes the form of a task's true answer, so that a program's own
output with such keys is not taken for an envelope, and a string that looks like a number stays a string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from msgspec import Struct

from deskcheck.grading.cues import BESIDE, CALLS, ENVELOPES
from deskcheck.languages import MAX_CHARS, MissingPart, part, write

_TOOL = re.compile(
    r"\A\s*(?:```[ \t]*(?:json|python|xml)?\s*\n?|<(?:tool_call|function_call|tool_use)>|<function=\w+>)\s*"
    r"(.*?)\s*(?:```|</(?:tool_call|function_call|tool_use|function)>)?\s*\Z",
    re.DOTALL,
)
_LAST = re.compile(r'"(?P<key>\w+)"\s*:\s*(?:"(?P<text>[^\n]*)"|(?P<bare>[^"\n,{}][^\n]*?))\s*,?\s*\}\s*\Z')
_KEY = re.compile(r'^\s*\{?\s*"(\w+)"\s*:', re.MULTILINE)
_DEEPEST = 5  # tool calls within one another that are opened


class Wanted(Struct, frozen=True):
    """Function from a short text to the answer in it, with the known form of the true answer."""

    read: Callable[[str], str | None]
    """Returns the answer in a text; None if the text is not one."""
    text: bool = False
    """Whether the answer is a string."""
    decimal: bool = False
    """Whether the answer is a float, so that the whole reply `1.` is a float, not an integer with a stop."""
    keys: frozenset[str] = frozenset()
    """Keys of the answer itself, if it is a dictionary: an object with one of them is no envelope."""
    objects: bool = True
    """Whether envelopes are opened; not where the task asks for JSON."""
    language: str = "python"
    """Language in which the answer is a literal."""

    def __call__(self, text: str) -> str | None:
        return self.read(text)


def language_of(read: object) -> str:
    """Return the programming language of the literals that a reader reads; "python" if it is no `Wanted`."""
    return read.language if isinstance(read, Wanted) else "python"


def opened(text: str, wanted: object = None) -> list[str] | None:
    """Return the spellings of the value in an envelope, the likeliest first; None if the text is no envelope.

    `wanted`: the reader of the task's answers; only a `Wanted` changes the result.
    """
    if "{" not in text or len(text) > MAX_CHARS or (isinstance(wanted, Wanted) and not wanted.objects):
        return None
    body = text.strip()
    if body[0] != "{":
        tool = _TOOL.match(body)
        body = tool.group(1).strip() if tool else ""
    keys = wanted.keys if isinstance(wanted, Wanted) else frozenset()
    language = language_of(wanted)
    inner = _inner(_object(body, language), keys, 0, language)
    if inner is None:
        return None
    (value,) = inner
    if not isinstance(value, str):
        return [write(language, value)]
    quoted = value.strip()[:1] in ("'", '"') and value.strip()[-1:] == value.strip()[:1]
    if isinstance(wanted, Wanted) and wanted.text and not quoted:
        return [write(language, value)]
    return [value, write(language, value)]


def _object(body: str, language: str) -> object:
    if body[:1] != "{":
        return None
    try:
        return json.loads(body, strict=False)  # allows line ends inside strings, as models write them
    except (ValueError, RecursionError):
        pass
    try:
        value: object = part(language, "plain")(body)
    except (ValueError, MissingPart):
        return _last_field(body)
    return value


def _last_field(body: str) -> object:
    """Return an object with the last field of a text that is nearly JSON, with unescaped quotes inside."""
    ends = _LAST.search(body)
    if ends is None or ends["key"].lower() not in ENVELOPES:
        return None
    if not all(key.lower() in BESIDE for key in _KEY.findall(body[: ends.start()])):
        return None
    text = ends["text"]
    if text is None:
        bare = ends["bare"]  # '"a"' in Python's quotes holds the text "a"
        return {
            ends["key"]: bare[1:-1]
            if bare[:1] == "'" == bare[-1:] and len(bare) > 3 and '"' in bare
            else bare
        }
    text = text.replace('\\"', '"').replace("\\'", "'")
    return {ends["key"]: text if text[:1] in ("'", '"') else text.replace("\\n", "\n")}


def spelled(key: str) -> str:
    """Return a key in lower case with underscores: "returnValue" and "return value" -> "return_value"."""
    return re.sub(r"[\s-]+", "_", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", key.strip())).lower()


def _stands_beside(key: str) -> bool:
    return key in BESIDE or bool(re.fullmatch(r"(?:step|line|part|reason|thought)s?_?\d{1,3}", key))


def _inner(value: object, keys: frozenset[str], depth: int, language: str) -> tuple[object] | None:
    """Return the value in an envelope as a tuple of length 1; None if `value` is no envelope."""
    if not isinstance(value, dict) or depth > _DEEPEST or not all(isinstance(key, str) for key in value):
        return None
    plain = {spelled(key): item for key, item in value.items()}
    if keys & value.keys():
        return None
    answers = [key for key in plain if key in ENVELOPES]
    calls = [key for key in plain if key in CALLS]
    others = [key for key in plain if key not in ENVELOPES and key not in CALLS and not _stands_beside(key)]
    if others:
        return None
    if len(answers) == 1 and not any(isinstance(plain[key], dict) for key in calls):
        return (plain[answers[0]],)
    if len(calls) == 1 and not answers:
        item = plain[calls[0]]
        return _inner(_object(item, language) if isinstance(item, str) else item, keys, depth + 1, language)
    return None
