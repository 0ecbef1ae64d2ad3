r"""Prepare a model's reply for the search for its answer: rewrite math and code displays, cut other text off.

    plain_displays("$$\n5\n$$")                          -> "$$ 5 $$"
    plain_displays("\\begin{verbatim}\n5\n\\end{verbatim}") -> a code fence with 5
    in_tags("Output:\nabc\nEND-OF-OUTPUT")                 -> "\n[ANSWER]abc[/ANSWER]"
    before_question("The answer is 5.\nQ: f(4)?\nA: 9")           -> the part before the next question

Displays of math and blocks of code are rewritten only where they fill whole lines, so that a value which
holds such marks stays as it is. Tokens such as <|box|> are rewritten anywhere.
"""

from __future__ import annotations

import re
from itertools import islice

from deskcheck.grading.heads import title
from deskcheck.grading.places import tags

_FENCE = "```"
_DISPLAY = re.compile(
    r"^[ \t]*(\$\$|\\\[)[ \t]*\n[ \t]*([^\n]+?)[ \t]*\n[ \t]*(\$\$|\\\])[ \t.]*$", re.MULTILINE
)
_ENVIRONMENT = re.compile(
    r"^[ \t]*\\begin\{(verbatim|lstlisting|code|minted|Verbatim|answer|output|quote)\}"
    r"(?:[\[{][^\]}\n]*[\]}])*[ \t]*\n?"
    r"(.*?)\n?[ \t]*\\end\{\1\}[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_PRE = re.compile(
    r"^[ \t]*<pre(?: [^>\n]*)?>(?:<code(?: [^>\n]*)?>)?[ \t]*\n?(.*?)\n?[ \t]*(?:</code>)?</pre>[ \t]*$",
    re.MULTILINE | re.DOTALL,
)
_OTHER_FENCE = re.compile(r"^(~{3,}|`{4,})[ \t]*([\w+-]*)[ \t]*\n(.*?)\n\1[ \t]*$", re.MULTILINE | re.DOTALL)
_TOKENS = re.compile(
    r"<\|(?:begin_of_)?(box|answer|final_answer|output|result)\|>(.*?)<\|(?:end_of_|/)\1\|>"
    r"|<parameter(?:=|\s+name=)[\"']?(?:answer|output|result|value)[\"']?>(.*?)</parameter>",
    re.DOTALL,
)
_ENDED = re.compile(
    r"^[ \t]*[\[<({*#=-]{0,6}[ \t]*/?"
    r"(?:END(?:[-_ ]?OF)?[-_ ](?:OUTPUT|RESPONSE|ANSWER|RESULT|SOLUTION|TEXT|PROGRAM)"
    r"|END)[ \t]*[\]>)}*#=-]{0,6}[ \t]*$",
    re.MULTILINE,
)
"""A line that ends an answer because the prompt asked for it."""
_BEGINS = re.compile(r"\[/INST\]|^@@ Response[ \t]*$|^#{2,4} ?Response ?:?[ \t]*$|^ASSISTANT:", re.MULTILINE)
"""Marks of a prompt behind which the reply begins."""
_ASKS = re.compile(
    r"^[ \t]*(?:Q ?\d{0,3}:|Question(?: ?\d{1,3})? ?:|Human:|User:|\[INST\b|<\|user|"
    r"#{1,4} ?(?:Instruction|Question|Problem|Exercise|Example|Input)s?\b ?\d{0,3} ?:?[ \t]*$|"
    r"Consider the following (?:\w+ )?(?:code|program|function)|\[?\[?Question\]?\]?[ \t]*$|"
    r"(?:Now|Next), (?:what|consider|predict)|"
    r"What (?:is|will be|would be) the (?:output|return value|result) of)",
    re.MULTILINE | re.IGNORECASE,
)
"""A line with which a model that does not stop after its answer asks itself another question."""
_EXAMPLE_MARK = re.compile(r"[\[<](?P<end>/)?(?:EXAMPLES?\]|examples?>)")
_CUT_MARK = re.compile(r"[\[<]/[A-Za-z]*")
_MOST_BLOCKS = 50  # marks before programs that are looked at in one text
_BLOCK = re.compile(r"^[ \t]*\[(?:CODE|QUESTION|PROBLEM|PROGRAM)\][ \t]*$", re.MULTILINE)
"""Mark before the program of a question."""
_ASKED = re.compile(
    r"^[^\n]*\bwhat (?:is|will be|would be) the (?:output|return value|result)\b[^\n]*\n",
    re.MULTILINE | re.IGNORECASE,
)
_TEMPLATE = re.compile(r"[\[<{(]{1,3}[A-Za-z _]*[\]>})]{1,3}|\.{2,}|")
_MOST_LINES = 60  # last lines of a part, among which a heading is looked for
_LONG_BEHIND = 200  # characters behind an end mark; with more, a part that holds a question is an example


def plain_displays(text: str) -> str:
    """Return the text with LaTeX's displays in one line, and other blocks of code as fences."""
    if "$$" in text or "\\[" in text:
        text = _DISPLAY.sub(r"\1 \2 \3", text)
    if "\\begin{" in text:
        text = _ENVIRONMENT.sub(lambda block: f"{_FENCE}\n{block[2]}\n{_FENCE}", text)
    if "<pre" in text:
        text = _PRE.sub(lambda block: f"{_FENCE}\n{block[1]}\n{_FENCE}", text)
    if "~~~" in text or "````" in text:
        text = _OTHER_FENCE.sub(lambda block: f"{_FENCE}{block[2]}\n{block[3]}\n{_FENCE}", text)
    if "<|" in text or "<parameter" in text:
        text = _TOKENS.sub(lambda pair: f"[ANSWER]{pair[2] or pair[3] or ''}[/ANSWER]", text)
    return text


def in_tags(text: str) -> str:
    """Return the text with answer tags in place of a heading and the line that ends the answer.

    A text may begin with its prompt, whose example also ends with such a line. So only text behind the mark
    where the reply begins is looked at, and parts that end with a placeholder are skipped. The result is ""
    if the first part left is an example with more text behind it.
    """
    begins = [mark.end() for mark in _BEGINS.finditer(text) if text[mark.end() :].strip()]
    text = text[begins[0] :] if begins else text
    if "END" not in text:
        return text
    start = 0
    for mark in _ENDED.finditer(text):
        part = text[start : mark.start()].rstrip()
        last = part.rpartition("\n")[2].strip()
        if part.strip() and not _TEMPLATE.fullmatch(last):
            is_example = _ASKS.search(part) and len(text[mark.end() :].strip()) > _LONG_BEHIND
            return "" if is_example else _headed(part)
        start = mark.end()
    return text[start:] if text[start:].strip() else text


def _headed(part: str) -> str:
    """Return a part with tags around the lines behind its last heading, unless it has tags already."""
    lines = part.split("\n")
    for number in range(len(lines) - 1, max(-1, len(lines) - _MOST_LINES), -1):
        if title().fullmatch(lines[number].strip()) or _ANNOUNCED.search(lines[number].strip()):
            inside = "\n".join(lines[number + 1 :]).strip("\n")
            if not inside.strip() or "[ANSWER]" in part:
                return part
            return "\n".join(lines[:number]) + f"\n[ANSWER]{inside}[/ANSWER]"
    return part


_ANNOUNCED = re.compile(r"\b(?:output|answer|result|return value)\b[^.!?\n]{0,60}[:：]$", re.IGNORECASE)


def before_question(text: str) -> str:
    """Return the part of a text before the first question that a model asks itself; "" if it asks none."""
    mark = _ASKS.search(text)
    return text[: mark.start()].strip() if mark else ""


def last_part(text: str) -> str:
    """Return the text from its last question on, in which the answer to it has to stand."""
    marks = [mark.start() for mark in _ASKS.finditer(text)]
    return text[marks[-1] :] if marks else text


def without_question(text: str) -> str:
    """Return the text behind the first line that asks for a result; the whole text if there is none."""
    asked = _ASKED.search(text)
    return text[asked.end() :] if asked and text[asked.end() :].strip() else text


def without_cut_mark(text: str) -> str:
    """Return the text without a closing mark that was cut, or the end of a fence that has no beginning."""
    before, newline, last = text.rstrip().rpartition("\n")
    if newline and _CUT_MARK.fullmatch(last.strip()):
        return before
    return before if newline and last == _FENCE and text.count(_FENCE) == 1 else text


def without_examples(text: str) -> str:
    """Return the text without blocks that call themselves examples, or of which only the end is left."""
    parts, start, opened = [], 0, -1
    for mark in _EXAMPLE_MARK.finditer(text):
        if not mark["end"]:
            opened = mark.start() if opened < 0 else opened
        elif opened >= 0:
            parts.append(text[start:opened])
            start, opened = mark.end(), -1
        elif not start:
            start = mark.end()
    return "".join(parts) + text[start:]


def first_answered(text: str) -> str:
    """Return the part of a text before the first question that follows a closed answer tag."""
    for mark in islice(_BLOCK.finditer(text), _MOST_BLOCKS):
        if any(tag.closed for tag in tags(text[: mark.start()])):
            return text[: mark.start()]
    return text


def asks(text: str) -> bool:
    """Return whether a text has a mark before the program of a question."""
    return _BLOCK.search(text) is not None


def last_question(prompt: str) -> int:
    """Return the place of the last line with a question in a prompt; 0 = there is none."""
    return max((mark.start() for pattern in (_ASKS, _ASKED) for mark in pattern.finditer(prompt)), default=0)
