"""Find an answer inside the wrapping of a reply: markdown, LaTeX, fences, asserts, consoles, error messages.

    unwrapped("**Answer:** `[1, 2]`.", read) -> "[1, 2]"
    in_prose("..so it returns 5.", read)     -> "5"    also a whole reply, a fence at its end, a box

The text without its wrapping is read as a whole: a literal with other text beside it is no answer. Sentences
and labels are read by `statements.py`.
"""

from __future__ import annotations

import json
import re

from msgspec.structs import replace

from deskcheck.grading import quantities, statements, texts
from deskcheck.grading.cues import CHANGES, CLOSES, ENVELOPES, EXPLAINS
from deskcheck.grading.envelopes import Wanted, opened, spelled
from deskcheck.grading.forms import FENCE, HEDGED, Reader, boxes_in, unwrapped_forms, without_stop
from deskcheck.grading.places import retracts
from deskcheck.grading.plain import plain_line
from deskcheck.languages import MAX_CHARS

_PROMPT = re.compile(r"\s*(?:>>>|\.\.\. |In \[\d+\]:|\$ )")
_CODE = ("```", "def ", "assert ", "import ", "class ")
_POINT = re.compile(r"\s*(?:[-*•+]|\d{1,3}[.)])\s|[ \t]+\S")
_CALL_STATE = re.compile(r"[-*•+\s`]*[A-Za-z_][\w.]*(?:\[[^\]]*\]|\(.*\))`?\s*=(?!=)")
_STATE = re.compile(r"[-*\s`]*([A-Za-z_]\w*)\s*=(?!=).*")
_FIELD = re.compile(r"[\"']?([A-Za-z][\w ]{0,30})[\"']?\s*[:=]\s*(.+)")
_NOTE = re.compile(r"(?:[A-Za-z_][\w.]*(?:\(.*\))?\s*)?#\s*\S.*")
_CALL = re.compile(r"(?:\w+ = )?[A-Za-z_][\w.]*\(.*\)")
_SAYS = re.compile(r"#\s*(?:=>|->|→|(?:expected )?(?:output|prints|result|returns)\b)", re.IGNORECASE)
_SAYS_NO_VALUE = re.compile(r"[A-Z](?:[^\d'\"\[\]{}`#=:]|\b[a-z]+'[a-z]+){10,400}[.!]")
"""Sentences without a value, which may follow an answer at the beginning of a reply."""
_NUMBER_FIRST = re.compile(
    r"(-?\d+(?:\.\d+)?)"
    r"(?:\. (?=(?:(?:[Tt]his|[Tt]hat) (?:is|was|number|value|result|answer)|[Hh]ere(?:'s| is))\b)"
    r"|\.?[ \t]*\n\s*(?=\()|\.[ \t]*\n\s*(?=[A-Z\[][A-Za-z])|[ \t]*\n[ \t]*\n\s*(?=[A-Z][a-z]+ (?!\d)\w+ ))"
)
"""A number alone at the beginning of a reply, before sentences in a paragraph of their own."""
_OBJECTS = (
    ("<tool_call>", "</tool_call>"),
    ("<function_call>", "</function_call>"),
    ("\n{", "}"),
    ("\n[{", "}]"),
)
"""Beginning and end of an object behind the words of a reply."""
_REASON = re.compile(r",?\s+(?:because|since|as)\s", re.IGNORECASE)


def unwrapped(text: str, read: Reader) -> str | None:
    """Return the answer in a short text, with the usual wrapping taken off, or in its closing statement."""
    if (value := unwrapped_forms(text, read)) is not None:
        return value
    return statements.stated(text, read) if len(text) <= MAX_CHARS else None


def in_prose(text: str, read: Reader) -> str | None:
    """Return the answer of a text without tags: the whole, a fence at the end, a box or a statement."""
    text = without_stop(text, read)
    if (value := unwrapped_forms(text, read)) is not None:
        return value
    stripped = text.strip()
    lines = [line for line in stripped.splitlines() if line.strip()]
    if not lines:
        return None
    fences = list(FENCE.finditer(stripped))
    if fences and not stripped[fences[-1].end() :].strip():
        before = stripped[: fences[-1].start()].rstrip().rpartition("\n")[2]
        if HEDGED.search(before) and not statements.announces(plain_line(before)):
            return None
        if (value := _of_fence(fences[-1].group(1), read)) is not None:
            return value
        if not statements.announces(plain_line(before)):
            return None
        return text_in_marks(fences[-1].group(1), read) or texts.printed(fences[-1].group(1), read)
    boxes = list(boxes_in(stripped))
    if boxes:
        return _of_boxes(stripped, boxes, read)
    if (value := _of_ending(stripped, lines, read)) is not None:
        return value
    if (value := unwrapped_forms(lines[-1], read)) is not None:
        return _of_last_line(lines, value, read)
    if (value := statements.stated(stripped, read)) is not None:
        return value
    if fences and (value := _asserted(fences[-1].group(1), read)) is not None:
        after = stripped[fences[-1].end() :]
        return None if retracts(after) or len(after) > 600 else value
    return (
        quantities.of_sentence(stripped, read)
        or quantities.of_conclusion(lines[-1], read)
        or _answer_first(stripped, read)
    )


def _of_fence(content: str, read: Reader) -> str | None:
    """Return the answer in a code fence: its content, the output in a console, or its closing assertion."""
    if (value := unwrapped_forms(content, read)) is not None:
        return value
    lines = [line for line in content.splitlines() if line.strip()]
    while len(lines) > 1 and lines[-1].strip() in (">>>", "...", "$"):
        lines.pop()
    prompts = [number for number, line in enumerate(lines) if _PROMPT.match(line)]
    if prompts and prompts[-1] + 1 < len(lines):
        return unwrapped_forms("\n".join(lines[prompts[-1] + 1 :]), read)
    return _of_fields(lines, read) or _asserted(content, read) or _commented(lines, read)


def _of_fields(lines: list[str], read: Reader) -> str | None:
    """Return v of "answer: v" in a block of YAML or TOML, where only one line has such a key."""
    fields = [found for line in lines if (found := _FIELD.fullmatch(line)) is not None]
    named = [found[2] for found in fields if spelled(found[1]) in ENVELOPES]
    return unwrapped_forms(named[0], read) if len(named) == 1 else None


def _commented(lines: list[str], read: Reader) -> str | None:
    """Return v of "print(f(3))  # v" at the end of a program, or of a comment in the line below the call."""
    notes = [line for line in lines if _NOTE.fullmatch(line.strip())]
    if len(notes) != 1 or lines[-1] is not notes[0] or HEDGED.search(notes[0]):
        return None
    above = lines[-2].strip() if len(lines) > 1 else ""
    if notes[0].strip().startswith("#") and not (_CALL.fullmatch(above) or _SAYS.match(notes[0].strip())):
        return None
    return unwrapped_forms(notes[0].strip(), read)


def _of_ending(text: str, lines: list[str], read: Reader) -> str | None:
    """Return the answer of a reply that ends with a table, a tool call or a JSON object of several lines."""
    if lines[-1].strip().startswith("|"):
        return _of_table(lines, read)
    for opening, closing in _OBJECTS:
        if text.endswith(closing) and (start := text.rfind(opening)) > 0:
            inside = text[start:].strip()
            return unwrapped_forms(inside, read) if opened(inside, read) is not None else None
    return None


def _of_table(lines: list[str], read: Reader) -> str | None:
    """Return the value of a table with one row, from the only column whose name means a result."""
    number = len(lines)
    while number and lines[number - 1].strip().startswith("|"):
        number -= 1
    rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines[number:]]
    if (
        len(rows) != 3
        or len(rows[0]) != len(rows[2])
        or not all(re.fullmatch(r"[-: ]+", one) for one in rows[1])
    ):
        return None
    named = [
        value
        for name, value in zip(rows[0], rows[2], strict=True)
        if spelled(name.strip("*_` ")) in ENVELOPES
    ]
    return unwrapped_forms(named[0], read) if len(named) == 1 else None


def _asserted(content: str, read: Reader) -> str | None:
    """Return v of the only `assert f(..) == v` in a program; None unless it is the program's last line."""
    lines = [line.strip() for line in content.splitlines() if line.strip()]
    asserts = [line for line in lines if line.startswith("assert ")]
    if len(set(asserts)) != 1 or lines[-1] != asserts[0] or any(_PROMPT.match(line) for line in lines):
        return None
    return unwrapped_forms(asserts[0], read)


def _of_boxes(text: str, boxes: list[tuple[str, int]], read: Reader) -> str | None:
    """Return the content of the boxes, if all are equal, unless a later statement gives the answer."""
    after = text[boxes[-1][1] :].lstrip(" .$*\\])\n!")
    if after and "\n" in text[boxes[-1][1] :]:
        lines = [line for line in after.splitlines() if line.strip()]
        later = in_prose(after, read) if lines else None
        if later is not None:
            return later
    behind = re.sub(r"\A(?:[\s$*\])]|\\[)\]])*", "", text[boxes[-1][1] :])
    if CHANGES.match(behind) and not re.match(r"in\b", behind):  # the box holds the digits in that base
        return None
    if retracts(after) or len({content for content, _ in boxes}) != 1 or not boxes[0][0]:
        return None
    return unwrapped_forms(boxes[0][0], read)


def _answer_first(text: str, read: Reader) -> str | None:
    """Return the answer that begins a reply, if the rest explains it, is a courtesy or states no value."""
    fence = FENCE.match(text)
    first = fence.group(0) if fence else text.partition("\n")[0]
    rest = text[len(first) :].strip()
    if (number := _NUMBER_FIRST.match(text)) is not None and not retracts(text[number.end() :]):
        return read(number[1])
    if rest:
        is_value = read(first.strip(" *`.")) is not None
        explains = EXPLAINS.match(rest) or CLOSES.match(rest) or (is_value and _SAYS_NO_VALUE.fullmatch(rest))
        if not explains or retracts(rest) or "```" in rest:
            return None
        return unwrapped_forms(first, read)
    for place in _REASON.finditer(first):
        if not HEDGED.search(first[place.start() :]) and not CHANGES.match(first[place.start() :]):
            return unwrapped_forms(first[: place.start()], read)
        break
    return None


def loosely(text: str, read: Reader, *, closed: bool = True) -> str | None:
    """Return the answer between marks; JSON's true, false and null and a text without quotes also count.

    `closed`: whether the closing mark is there. Without it the content may be cut, so several lines of text
    do not count.
    """
    if (value := unwrapped(text, _with_json(read))) is not None:
        return value
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if len(lines) > 1 and all(unwrapped_forms(line, read) is not None for line in lines):
        return None
    value = texts.between_marks(text, read) if closed or len(lines) <= 1 else None
    if value is not None or len(lines) <= 1:
        return value
    return loosely_in_prose(text, read, whole=closed)


def text_in_marks(content: str, read: Reader) -> str | None:
    """Return the lines without quotes between marks, as a string; None if they are a value or JSON."""
    content = content.strip()
    if unwrapped(content, _with_json(read)) is not None:
        return None
    return texts.between_marks(content, read)


def text_of(text: str, read: Reader) -> str | None:
    """Return the text without quotes that a box, a label or rows in a reply give, as a string.

    None for JSON's true, false and null, and for a bare word as the whole reply: harnesses that run the
    answer as code call a bare word wrong.
    """
    return texts.of_reply(text, read, whole=False) if unwrapped(text, _with_json(read)) is None else None


def loosely_in_prose(text: str, read: Reader, *, whole: bool = True) -> str | None:
    """Return the answer at the end of a text without tags, or in its first line if code follows.

    A text that is not `whole` may be cut, so nothing without quotes is read in it.
    """
    loose = _with_json(read)
    if (value := in_prose(text, loose)) is not None:
        return value
    lines = [line for line in text.strip().splitlines() if line.strip()]
    first = lines[0] if lines else ""
    code_follows = len(lines) > 1 and lines[1].lstrip().startswith(_CODE)
    if code_follows and (value := unwrapped(first, loose)) is not None:
        return value
    return texts.of_reply(text, read) if whole else None


def _of_last_line(lines: list[str], value: str, read: Reader) -> str | None:
    """Return the last line's value; None for a point of a list, or if the line before doubts or differs."""
    last, before = lines[-1].strip(), lines[-2].strip() if len(lines) > 1 else ""
    if _is_step(lines, last):
        return None
    if (
        lines[-1][:1].isspace()
        and before.endswith(":")
        and last.startswith(("print(", "return ", '"""', "'''"))
    ):
        return None  # the body of a definition
    if _is_next_number(lines[:-1], last) or texts.ROW.fullmatch(before) or _is_next_state(before, last):
        return None
    other = unwrapped_forms(before, read) if before else None
    stated = next((one for one in statements.statements(plain_line(before), read)), None) if before else None
    announced = (
        stated is not None
        and stated.value is None
        and stated.end >= len(plain_line(before).rstrip(" :：*_`"))
    )
    if before and HEDGED.search(before[-200:]) and not announced:
        return None
    if read(last) is None:  # a label or an assert presents itself as the answer
        return value
    if stated is not None and stated.value is not None and stated.strength == statements.ANSWER:
        other = stated.value
    return value if other in (None, value) else None


def _is_step(lines: list[str], last: str) -> bool:
    """Return whether the last line is a point of a list that tells of a state, "- a = 3", or its number."""
    if len(lines) > 1 and re.fullmatch(r"\(?\d{1,3}[.)]", last):
        return True
    return bool(_POINT.match(lines[-1]) and (_STATE.fullmatch(last) or _CALL_STATE.match(last)))


def _is_next_number(before: list[str], last: str) -> bool:
    """Return whether the last line is only the number of the next point, perhaps cut: "59. ..", "60"."""
    if not re.fullmatch(r"\d{1,9}[.)]?", last):
        return False
    points = (re.match(r"\W*(\d{1,9})[.):]", line) for line in reversed(before[-30:]))
    point = next((found for found in points if found), None)
    return point is not None and str(int(point[1]) + 1).startswith(last.rstrip(".)"))


def _is_next_state(before: str, last: str) -> bool:
    """Return whether the last two lines assign different variables: "n = 3", "m = 4"."""
    names = [match[1] if (match := _STATE.fullmatch(line)) else "" for line in (before, last)]
    return all(names) and names[0] != names[1] and names[1].lower() not in ENVELOPES


def _with_json(read: Reader) -> Reader:
    """Return a reader that also accepts JSON's words in a text that is otherwise no answer."""

    def loosely_read(text: str) -> str | None:
        if (found := read(text)) is not None:
            return found
        if not re.search(r"\b(?:true|false|null)\b", text):
            return None
        try:
            return read(repr(json.loads(text)))
        except (ValueError, RecursionError):
            return None

    return replace(read, read=loosely_read) if isinstance(read, Wanted) else loosely_read
