"""Take the wrapping off a short text that is only an answer: markdown, LaTeX, fences, asserts, JSON.

    unwrapped_forms("`assert f(3) == [1, 2]`", read)  -> "[1, 2]"
    unwrapped_forms('{"answer": 5}', read)            -> "5"
    unwrapped_forms("KeyError: 'b'", read)            -> "raises KeyError"

The layers of wrapping are taken off one by one, and each form is tried as a whole: a literal with other text
beside it is not an answer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from deskcheck.grading.cues import CHANGES, ENVELOPES, NO_ENTRY, SUBMITS
from deskcheck.grading.envelopes import Wanted, language_of, opened
from deskcheck.grading.plain import plain_line, straight
from deskcheck.languages import LITERALS, MAX_CHARS, offers, part

Reader = Callable[[str], str | None]

_OMITS = ("#", "...", "//", "/*")
"""Marks of comments and of omitted parts; the language tells them from parts of a string."""
_MOST_FORMS = 40  # forms of one text that are tried
_MOST_INSIDE = 2_000
"""Longest part of a sentence whose wrapping is taken off; a longer one is read as it stands."""
FENCE = re.compile(r"```[\w+-]*[ \t]*\n(.*?)```", re.DOTALL)
MAYBE = re.compile(
    r"\b(?:if|unless|only when|caught|handled|except|instead|otherwise|then|maybe|perhaps|or)\b",
    re.IGNORECASE,
)
HEDGED = re.compile(
    r"\b(?:either|one of|possible|possibly|maybe|perhaps|probably|could be|might be|may be|depends|not sure|"
    r"unsure|unclear|cannot (?:be )?determine|can't|i cannot|guess|approximately|roughly|not|"
    r"n't|wrong|incorrect|fails?|if|unless|example|e\.g)\b|可能|或者|大概|也许|不是|取决于|如果",
    re.IGNORECASE,
)


_BARE_FLOAT = re.compile(r"[+-]?\d+\.")
_BULLETED = re.compile(r"[-+]\s|--")
_ARROW = re.compile(r"(?:[:：]|->|→|=>|⇒|➡️?|=(?!=))\s*")
_GIVES = r"\)`?\s*(?:->|→|=>|⇒|=(?!=)|returns?\b)"
_OF_CALL = re.compile(rf"`?([A-Za-z_][\w.]*)\((?:(?!{_GIVES}).)*{_GIVES}\s*(.+)", re.DOTALL)
_COMMENT = re.compile(r"[\d'\"(\[{]")
_ONE_LINE_FENCE = re.compile(r"```(?:python |json |text )?([^\n`]+)```")
THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_BOXED = re.compile(r"(?:\\|(?<![\w\\]))(?:boxed|fbox)\s*\{")
_COMMAND = re.compile(
    r"\\(?:(?:text|math|operatorname)\w*|mbox|hbox|underline|emph|answer)\s*\{(.*)\}", re.DOTALL
)
_TEXT_PART = re.compile(r"\\(?:text|mathrm|texttt|mathtt|mbox)\{([^{}]*)\}")
_VERBATIM = re.compile(r"\\verb\*?(?P<mark>[^\w\s*])(.*)(?P=mark)")
_HTML_PAIR = re.compile(r"<(b|i|em|strong|code|tt|span|p|u|samp|kbd|mark|div)>(.*)</\1>", re.DOTALL)
_REMARK = re.compile(r"\s\((?![^()]*\b(?:or|not|if)\b)[^()\d'\"\[\]{}\n]{3,80}\)\.?$", re.IGNORECASE)
"""A remark in parentheses at the end of a line: "7 (the loop stops)"."""
_ACTION = re.compile(
    r"(?:action(?:\s*\d+)?\s*:\s*)?(?:finish|final|submit|answer|final_answer)(?:\[(.*)\]|\((.*)\))",
    re.IGNORECASE | re.DOTALL,
)
_BRACE = re.compile(r"[{}]")
_LATEX = ((r"\[", r"\]"), (r"\(", r"\)"), ("$$", "$$"), ("$", "$"))
_FLOAT = re.compile(
    r"float\(\s*(['\"])\s*([+-]?)\s*(inf|infinity|nan)\s*\1\s*\)|(?:math|np|numpy)\.(inf|nan)\b", re.I
)
_CHAINED = re.compile(
    r"During handling of the above exception[^\n]*|^[^\n]*direct cause of the following exc[^\n]*",
    re.MULTILINE,
)
REPEATS = re.compile(r"(\d)\1{149,}\Z")
"""The same digit 150 times at the end: a model that repeats itself until its reply is cut."""
ERROR = r"(?:[A-Za-z_]\w*\.)*([A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Group))"
_MESSAGE = re.compile(
    rf"(?:Traceback \(most recent call last\):.*\n)?(?:raise |raises? an? |an? )?`?{ERROR}`?"
    r"(?:\s*[:(].*|\s+(?:exception|error))?",
    re.DOTALL,
)


def is_whole(text: str, language: str = "python") -> bool:
    """Return whether a text may be an answer as a whole.

    Such a text has no comment, no dots for omitted parts, no commas between thousands, no bullet at its
    beginning and no comma or full stop at its end; the point of a float such as "5." is no full stop.
    """
    if THOUSANDS.fullmatch(text) or (text.endswith((".", ",")) and not _BARE_FLOAT.fullmatch(text)):
        return False
    if _BULLETED.match(text):  # "- 7" is a point of a list, or else -7
        return False
    if not any(mark in text for mark in _OMITS):
        return True
    omits: bool = part(language if offers(language, "omits") else LITERALS, "omits")(text)
    return not omits


def without_stop(text: str, read: Reader) -> str:
    """Return "5" for a text such as "5." unless the true answer is a float; any other text as it is."""
    is_decimal = isinstance(read, Wanted) and read.decimal
    return text.strip()[:-1] if _BARE_FLOAT.fullmatch(text.strip()) and not is_decimal else text


def unwrapped_forms(text: str, read: Reader) -> str | None:
    """Return the answer in a text that is nothing but the answer and its wrapping."""
    return _first(_forms(text, read, _MOST_FORMS), read)


def simple(text: str, read: Reader) -> str | None:
    """Return the answer in a part of a sentence: a value, perhaps in code, bold or LaTeX.

    Eight forms are tried, and only one of a long text.
    """
    return _first(_forms(text, read, 8), read) if len(text) <= _MOST_INSIDE else read(text)


def _first(forms: Iterator[str], read: Reader) -> str | None:
    return next((value for form in forms if (value := _read(form, read)) is not None), None)


def _forms(text: str, read: Reader, most: int) -> Iterator[str]:
    """Yield the text with more and more wrapping taken off; each form is tried as a whole."""
    seen = set[str]()
    waiting = [text.strip()]
    while waiting and len(seen) < most:
        form = waiting.pop(0).strip()
        if not form or form in seen or len(form) > MAX_CHARS:
            continue
        seen.add(form)
        yield form
        waiting += _peeled(form, read)


def _peeled(text: str, read: Reader) -> Iterator[str]:
    """Yield the texts that are left after taking off one layer."""
    if (values := opened(text, read)) is not None:
        yield from values
        return
    fences = FENCE.findall(text) if text.startswith("```") and text.endswith("```") else []
    yield from fences if len(fences) == 1 else []
    if match := _ONE_LINE_FENCE.fullmatch(text):
        yield match.group(1)
    if text.startswith("```"):
        yield re.sub(r"\A```[\w+-]*[ \t]*\n", "", text)
    if text.endswith("```"):
        yield text[:-3]
    for mark in ("**", "__", "*", "`", "``"):
        if len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark):
            yield text[len(mark) : -len(mark)]
    if (pair := _HTML_PAIR.fullmatch(text)) is not None:
        yield pair.group(2)
    if len(text) <= _MOST_INSIDE and (action := _ACTION.fullmatch(text)) is not None:
        yield action.group(1) or action.group(2) or ""
    yield from _of_latex(text)
    if text.endswith((".", "。", "!", "！")) and not text.endswith("..") and not _BARE_FLOAT.fullmatch(text):
        yield text[:-1]
    if (arrow := _ARROW.match(text)) is not None:
        yield text[arrow.end() :]
    comment = re.fullmatch(r"([^\n]+?)\s+#([^#\n\d'\"()\[\]{}]*)", text)
    if comment and not HEDGED.search(comment.group(2)) and not MAYBE.search(comment.group(2)):
        yield comment.group(1)
    if (remark := _REMARK.search(text)) is not None and not CHANGES.match(remark.group()):
        yield text[: remark.start()]
    yield from _of_console(text)
    if (value := _stated(text, language_of(read))) is not None:
        yield value
    if (same := straight(text)) != text:
        yield same
    if text[0] > "\u2000" and (same := plain_line(text)) != text:
        yield same


def _of_latex(text: str) -> Iterator[str]:
    for left, right in _LATEX:
        if len(text) > len(left + right) and text.startswith(left) and text.endswith(right):
            yield text[len(left) : -len(right)].replace(r"\_", "_")
    if "\\" not in text:
        return
    if _BOXED.match(text) and len(found := list(boxes_in(text))) == 1 and text.endswith("}"):
        yield found[0][0]
    if (match := _COMMAND.fullmatch(text)) or (match := _VERBATIM.fullmatch(text)):
        yield match.group(match.lastindex or 1)
    if (plain := _TEXT_PART.sub(r"\1", text)) != text:
        yield plain
    if (
        (plain := re.sub(r"\\(?:[ ,;:!]|left|right|quad)", " ", text)) != text
        and "'" not in text
        and '"' not in text
    ):
        yield plain


def _of_console(text: str) -> Iterator[str]:
    """Yield v of "Out[1]: v", "print(x)  # v", "f(3)  # => v", "# Output: v"."""
    if "\n" in text or len(text) > _MOST_INSIDE:
        return
    if (match := re.fullmatch(r"Out\s?\[\d+\]:\s*(.+)", text)) or (
        match := re.fullmatch(
            r"(?:(?:print\((?!True|False|None)[A-Za-z_][^#\n]*\)|(?!print)[A-Za-z_][\w.]*(?:\([^#\n]*\))?)\s+)?"
            r"#\s*(?:=>|->|→)?\s*"
            r"(?:(?:output|prints|result|returns|expected output)\b:?)?\s*(.+)",
            text,
            re.IGNORECASE,
        )
    ):
        yield match.group(1)


def _stated(text: str, language: str) -> str | None:
    """Return v of "assert f(3) == v", "f(3) -> v", "f(3) = v", "return v", "print(v)", "result = v"."""
    if match := _OF_CALL.fullmatch(text):
        value = match.group(2)
        value = value[:-1] if _BARE_FLOAT.fullmatch(value) else value  # the dot ends a sentence
        return None if match.group(1) in NO_ENTRY else value
    comment = text.partition("#")[2]
    if comment and (_COMMENT.search(comment) or HEDGED.search(comment)):
        return None
    read = part(language if offers(language, "stated") else LITERALS, "stated")
    stated: str | None = read(text, not_entries=NO_ENTRY, prints=SUBMITS, names=ENVELOPES)
    return stated


def _read(form: str, read: Reader) -> str | None:
    """Return the answer in one form: a value, or an exception by its message."""
    if "(" in form or "." in form:
        form = _FLOAT.sub(lambda match: (match[2] or "") + (match[3] or match[4])[:3].lower(), form)
    if form[:1] == "{" and opened(form, read) is not None:
        return None  # the value is inside
    if REPEATS.search(form):
        return None
    if is_whole(form, language_of(read)) and (value := read(form)) is not None:
        return value
    match = _MESSAGE.fullmatch(_CHAINED.split(form)[-1].strip())
    if match is None:
        return None
    rest = match.string[match.end(1) :]
    if rest.startswith(": [Errno "):  # "No such file or directory" is no choice
        return read(f"raises {match.group(1)}")
    if MAYBE.search(rest) or re.search(ERROR, rest):
        return None
    return read(f"raises {match.group(1)}")


def boxes_in(text: str) -> Iterator[tuple[str, int]]:
    """Yield the content and the end of every boxed{..} of LaTeX, with matched braces."""
    opened: list[int] = []
    closed = {}
    for brace in _BRACE.finditer(text):
        if brace.group() == "{":
            opened.append(brace.end())
        elif opened:
            closed[opened.pop()] = brace.start()
    for match in _BOXED.finditer(text):
        end = closed.get(match.end())
        if end is not None and end - match.end() < MAX_CHARS:
            yield text[match.end() : end].replace(r"\{", "{").replace(r"\}", "}"), end + 1
