"""Find the answer in what a model wrote.

    Completion -> Answer(text of a literal or "raises KeyError") | NoAnswer(reason)

    "I think so.\\n[ANSWER]assert f(3) == [1, 2][/ANSWER]"  -> Answer("[1, 2]")

The last [ANSWER] tag wins; a stop string may have eaten its closing one. Within it, or in the whole text
where there is no tag: the literal as it stands, the literal in a markdown fence or backticks, what follows
`==` in an assert, or "raises KeyError". Without a tag the last fence and then the last line get a chance.
Thinking (<think>..</think> at the beginning) is never searched.

`answer_of(task, completion)` reads what the task asks for: a value, or, where arguments are asked for, the
arguments of a call ("f(3, k=[1])", in an assert or alone), each of them a literal.

Cut by its token budget, a completion has no answer unless its last tag is complete.
Not covered: answers in words ("the list of one and two"), tags inside a string literal of the answer.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable

from deskcheck.grading.literals import MAX_CHARS, is_literal
from deskcheck.records import Answer, Completion, NoAnswer, Task

_OPEN = re.compile(r"\[answer\]", re.IGNORECASE)
_CLOSE = re.compile(r"\[/answer\]", re.IGNORECASE)
_FENCE = re.compile(r"```[a-zA-Z0-9_+-]*\n(.*?)```", re.DOTALL)
_NAME = r"`?((?:[A-Za-z_<][\w<>]*\.)*[A-Za-z_]\w*)`?"
_RAISES = re.compile(rf"raises {_NAME}\.?")
# In a sentence only a capitalised name is believed: "raises the total" is prose.
_RAISES_IN_SENTENCE = re.compile(
    rf"(?:it |f |the (?:call|code|function|program) )?(?:raises?|throws?):? (?:an? )?{_NAME}(?:[ .:,(].*)?",
    re.DOTALL,
)
_LABEL = re.compile(
    r"(?:the )?(?:final )?(?:answer|output|result|return value|returns?)(?: is)?\s*[:=]?\s*", re.IGNORECASE
)
_REFUSAL = re.compile(
    r"\b(?:i can(?:no|')t|i(?: a|')m (?:unable|not able|sorry)|i apologi[sz]e|as an ai|i won't|i will not)\b",
    re.IGNORECASE,
)
_SHOWN = 200  # characters of an unparsable answer that are kept as detail


Reader = Callable[[str], str | None]
"""A short text -> the answer that it is, or None."""


def answer_of(task: Task, completion: Completion) -> Answer | NoAnswer:
    """The answer of one completion to this task, or the reason why there is none."""
    if task.grading == "executed":
        return extract_answer(completion, lambda text: _arguments_in(text, task.program.entry))
    return extract_answer(completion)


def extract_answer(completion: Completion, read: Reader | None = None) -> Answer | NoAnswer:
    """The answer of one completion, or the reason why there is none. `read` tells what is an answer."""
    read = read or _value_in
    if completion.finish_reason == "error":
        return NoAnswer("error", completion.text[:_SHOWN])
    cut = completion.finish_reason == "length"
    text = without_thinking(completion.text)
    if text is None:
        return NoAnswer("truncated" if cut else "unparsable", "thinking never ended")
    tagged, complete = _last_tag(text)
    if cut and not complete:
        return NoAnswer("truncated", text[-_SHOWN:])
    found = _answer_in(tagged, read) if tagged is not None else _answer_in_prose(text, read)
    if found is not None:
        return Answer(found)
    shown = (text if tagged is None else tagged).strip()
    if completion.finish_reason == "content_filter" or _REFUSAL.search(shown[:_SHOWN]):
        return NoAnswer("refused", shown[:_SHOWN])
    return NoAnswer("unparsable", shown[:_SHOWN] or "empty")


def raised_type(text: str) -> str | None:
    """The type in "raises KeyError"; None where the text is no such answer.

    Only the last part of a qualified name counts: "JSONDecodeError" is json.decoder.JSONDecodeError.
    """
    if len(text) > MAX_CHARS:
        return None
    text = text.strip()
    match = _RAISES.fullmatch(text)
    if match is None:
        match = _RAISES_IN_SENTENCE.fullmatch(text[:1].lower() + text[1:])
        if match is None or not match.group(1).rpartition(".")[2][0].isupper():
            return None
    return match.group(1).rpartition(".")[2]


def without_thinking(text: str) -> str | None:
    """The text after the thinking; None where the thinking never ended."""
    head = text.lstrip()
    if not head.startswith(("<think>", "<thinking>")):
        # Some servers keep the opening tag to themselves.
        return text.rpartition("</think>")[2] if "</think>" in text else text
    closing = "</think>" if head.startswith("<think>") else "</thinking>"
    _, found, rest = head.partition(closing)
    return rest if found else None


def _last_tag(text: str) -> tuple[str | None, bool]:
    """What stands in the last answer tag, and whether that tag is closed."""
    start = -1
    for match in _OPEN.finditer(text):
        start = match.end()
    if start < 0:
        return None, False
    end = _CLOSE.search(text, start)
    return (text[start : end.start()], True) if end else (text[start:], False)


def _answer_in(text: str, read: Reader) -> str | None:
    """The answer that a short text is, with the usual wrapping taken off."""
    text = text.strip()
    if not text or len(text) > MAX_CHARS:
        return None
    if read is _value_in and is_literal(text):  # a string that holds a fence is still that string
        return text
    fenced = _FENCE.findall(text)
    if fenced:
        return _answer_in(fenced[-1], read)
    if len(text) > 1 and text[0] == text[-1] == "`":
        return _answer_in(text.strip("`"), read)
    return read(text)


def _value_in(text: str) -> str | None:
    """A literal, "raises X", or what an assert compares with."""
    if is_literal(text):
        return text
    if (name := raised_type(text)) is not None:
        return f"raises {name}"
    return _after_equals(text)


def _arguments_in(text: str, entry: str) -> str | None:
    """The arguments of "f(1, k='a')", "assert f(1) == 2", "2 == f(1)"; each must be a literal."""
    for side in _sides_of(text.removeprefix("assert ")):
        if (found := _literal_arguments(side, entry)) is not None:
            return found
    return None


def literal_arguments(text: str, entry: str) -> str | None:
    """The arguments of a text that is one call of the entry with literals and nothing else, else None."""
    sides = _sides_of(text)
    return _literal_arguments(sides[0], entry) if len(sides) == 1 else None


def _literal_arguments(node: ast.expr, entry: str) -> str | None:
    if not isinstance(node, ast.Call):
        return None
    if ast.unparse(node.func) not in (ast.unparse(ast.parse(entry, mode="eval")), entry.rpartition(".")[2]):
        return None
    parts = [("", one) for one in node.args] + [(f"{one.arg}=", one.value) for one in node.keywords]
    texts = [(name, ast.unparse(value)) for name, value in parts]
    if any(name == "None=" or not is_literal(value) for name, value in texts):
        return None
    return ", ".join(name + value for name, value in texts)


def _sides_of(text: str) -> list[ast.expr]:
    """The expressions that a comparison compares, or the one that a text is; none where it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            node = ast.parse(text.strip(), mode="eval").body
            ast.unparse(node)  # refuses what is nested too deeply
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return []
    return [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node]


def _after_equals(text: str) -> str | None:
    """v of "assert f(..) == v" or "f(..) == v" (not a `==` inside a string); X of "f(..) raises X"."""
    if not text.startswith("assert") and not re.match(r"[\w.]+ *\(", text):
        return None
    for match in list(re.finditer("==", text))[:5]:
        right = text[match.end() :].strip()
        if is_literal(right):
            return right
    _, raises, rest = text.rpartition(" raises ")
    name = raised_type(f"raises {rest}") if raises else None
    return f"raises {name}" if name is not None else None


def _answer_in_prose(text: str, read: Reader) -> str | None:
    found = _answer_in(text, read)
    if found is not None:
        return found
    lines = text.strip().splitlines()
    last = lines[-1].strip().strip("*").strip() if lines else ""
    # After a label a last full stop is punctuation: repr never ends a number with one.
    for candidate in (last, _LABEL.sub("", last, count=1).rstrip(".")):
        found = _answer_in(candidate, read)
        if found is not None:
            return found
    return None
