"""Turn a reply into an answer, and an answer into a verdict: right, wrong, or no answer with its reason.

    answer_of(task, completion, "usual") -> Answer(text of a literal or "raises KeyError") | NoAnswer(reason)
    answers_of(task, completion)         -> {"exact": .., "usual": .., "generous": ..}
    grade("[1, 2]", expected="[1, 2]").verdict        -> "right"
    grade("I can't.", expected="[1, 2]").reason       -> "refused"

A task asks for a value, or for the arguments of a call ("f(3, k=[1])", in an assert or alone), each of them a
literal. `extraction.py` finds the answer in a reply. Two typed values are compared; nothing is executed. The
expected answer is a literal or "raises KeyError"; any other is a DataError. `Task.grading` names the rule:

value     the answer is the expected value
lines     the same line numbers, in any order and any container, repeated or not
marks     every mark of the program is filled in as in the run (`marks.py`)
executed  the answer has been run (`Executed`), and its outcome is the expected value
witness   the expected value is one of several right answers, and only a run could check another one: any
          other answer is neither right nor wrong, and counts as not asked
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial

from msgspec import structs

from deskcheck.errors import BadSource, DataError
from deskcheck.grading import foreign
from deskcheck.grading.envelopes import Wanted
from deskcheck.grading.extraction import LEVELS, Level, Reader, extract, without_thinking
from deskcheck.grading.marks import last_answer, marks_in, same_marks
from deskcheck.grading.run_marks import Marks, found_marks, in_our_tags
from deskcheck.languages import (
    MAX_CHARS,
    TRUTH_CHARS,
    equal,
    is_literal,
    offers,
    parse_literal,
    part,
    tolerance_of,
)
from deskcheck.records import Answer, Completion, Executed, NoAnswer, Score, Task

_NAME = r"`?((?:[A-Za-z_<][\w<>]*\.)*[A-Za-z_]\w*)`?"
_RAISES = re.compile(rf"raises {_NAME}\.?")
_WHOLE_FENCE = re.compile(r"```(?:json)?[ \t]*\n([^`]*)```", re.DOTALL)
USUAL: Level = "usual"


def answer_of(task: Task, completion: Completion, level: Level = USUAL) -> Answer | NoAnswer:
    """Return the answer of one completion to this task, or the reason for no answer."""
    if task.grading == "marks":
        return _of_marks(task, completion)
    return extract(completion, level, _reader_of(task))


def answers_of(
    task: Task, completion: Completion, *, shared: Marks | None = None
) -> dict[Level, Answer | NoAnswer]:
    """Return the answers of one completion at every level; an answer of a stricter level is kept.

    `shared`: marks around the answer that the replies of the run share (`marks_of`); they are tried at
    `generous`. The marks of a program, which the rule `marks` grades, are something else.
    """
    if task.grading == "marks":
        return dict.fromkeys(LEVELS, _of_marks(task, completion))
    read = _reader_of(task)
    found: dict[Level, Answer | NoAnswer] = {}
    for level in LEVELS:
        before = next(reversed(found.values()), None)
        found[level] = before if isinstance(before, Answer) else extract(completion, level, read)
    tagged = in_our_tags(completion.text, shared) if shared is not None else None
    if tagged is not None and isinstance(found["generous"], NoAnswer):
        again = extract(structs.replace(completion, text=tagged), "generous", read)
        found["generous"] = again if isinstance(again, Answer) else found["generous"]
    return found


def marks_of(task: Task, replies: Sequence[str]) -> Marks | None:
    """Return the marks around readable answers that at least half of these replies share; None without any.

    `task`: one task of the run; it decides which texts are answers, in all replies.
    """
    return None if task.grading == "marks" else found_marks(replies, _reader_of(task))


def extract_answer(completion: Completion, level: Level = USUAL) -> Answer | NoAnswer:
    """Return the answer of one completion to a task that asks for a Python value, or why there is none."""
    return extract(completion, level, value_in)


def _reader_of(task: Task) -> Reader:
    """Return the function that reads an answer to this task and knows the form of the true answer."""
    spelling = task.tags.get("spelling", "")
    if task.grading == "executed" or spelling == "json":
        return Wanted(_function_of(task), objects=spelling != "json")
    return wanted(task.expected, _function_of(task), language=answer_language(task.tags))


def answer_language(tags: Mapping[str, str]) -> str:
    """Return the language in which an answer is a literal, by the tags of a task or of a stored row.

    This is the program's language if the truth comes from a run of the program, and otherwise "python".
    """
    language = tags.get("language", "python")
    own = "spelling" not in tags and "truth" not in tags and offers(language, "read")
    return language if own else "python"


def wanted(expected: str, read: Reader, *, language: str = "python") -> Wanted:
    """Return `read` with the form of the true answer: a string, a float, the keys of a dictionary.

    `expected`: the true answer as text; one that cannot be read adds no form.
    """
    try:
        value = _expected_value(expected, language)
    except DataError:
        return Wanted(read, language=language)
    keys = frozenset(key for key in value if isinstance(key, str)) if isinstance(value, dict) else frozenset()
    return Wanted(
        read,
        text=isinstance(value, str),
        decimal=isinstance(value, float),
        keys=keys,
        language=language,
    )


def _function_of(task: Task) -> Reader:
    """Return the function that reads a text as an answer in the spelling that the task asks for."""
    spelling = task.tags.get("spelling", "")
    if task.grading == "executed":
        if spelling in foreign.LANGUAGES:
            return lambda text: foreign.arguments_in(text, spelling, task.program.entry)
        return lambda text: _arguments_in(text, task.program.entry, answer_language(task.tags))
    if spelling == "json":
        return json_value_in
    return partial(foreign_value_in, spelling) if spelling in foreign.LANGUAGES else _value_reader(task)


def _value_reader(task: Task) -> Reader:
    return partial(value_in, language=answer_language(task.tags))


def _of_marks(task: Task, completion: Completion) -> Answer | NoAnswer:
    """Return the marks that a reply fills in, from its last [ANSWER]; the same at every level.

    The task's tag `spelling` names the kind of the marks.
    """
    text = without_thinking(completion.text) or ""
    found = marks_in(task.tags.get("spelling", ""), last_answer(text))
    if completion.finish_reason == "error":
        return NoAnswer("error", completion.text[-200:])
    if completion.finish_reason == "length" and "[/ANSWER]" not in text:
        return NoAnswer("truncated", completion.text[-200:])
    if not found or not is_literal(repr(found)):
        return NoAnswer("unparsable", completion.text[-200:])
    return Answer(repr(found))


def foreign_value_in(language: str, text: str) -> str | None:
    """Return a value in another language's spelling as a Python literal; "raises X" stays; else None."""
    name = raised_type(text)
    return f"raises {name}" if name is not None else foreign.as_literal(text, language)


def value_in(text: str, *, language: str = "python") -> str | None:
    """Return the text if it is a literal or "raises X", else None."""
    if is_literal(text, language=language):
        return text
    name = raised_type(text)
    return f"raises {name}" if name is not None else None


def json_value_in(text: str) -> str | None:
    """Return the value of an answer in JSON as a literal; Python's spelling is read, too."""
    fenced = _WHOLE_FENCE.fullmatch(text.strip())  # the form that prompts for JSON show
    text = fenced.group(1) if fenced else text
    try:
        return repr(json.loads(text))
    except (ValueError, RecursionError):
        pass
    try:
        return repr(parse_literal(text)) if text.lstrip()[:1] in ("{", "[") else None
    except BadSource:
        return None


def raised_type(text: str) -> str | None:
    """Return the type in "raises KeyError"; None if the text is no such answer.

    Only the last part of a qualified name counts: "JSONDecodeError" is json.decoder.JSONDecodeError.
    """
    if len(text) > MAX_CHARS:
        return None
    match = _RAISES.fullmatch(text.strip())
    return match.group(1).rpartition(".")[2] if match else None


def literal_arguments(text: str, entry: str, language: str = "python") -> str | None:
    """Return the arguments of a text that is one call of `entry` with literals only; None for other texts."""
    arguments: str | None = part(language, "call_arguments")(text, entry, compared=False)
    return arguments


def _arguments_in(text: str, entry: str, language: str) -> str | None:
    """Return the arguments of "f(1, k='a')", "assert f(1) == 2", "2 == f(1)"; each must be a literal."""
    arguments: str | None = part(language, "call_arguments")(
        text.removeprefix("assert "), entry, compared=True
    )
    return arguments


class Raises:
    """Value of the answer "raises KeyError"; two are compared by type name."""

    __slots__ = ("type",)

    def __init__(self, type: str) -> None:
        self.type = type


def grade(
    answer: str,
    /,
    *,
    expected: str,
    policy: str = "strict",
    level: Level = "usual",
    language: str = "python",
) -> Score:
    """Score a text against the expected answer; the text is searched like a model's reply.

    DataError if `expected` is neither a literal nor "raises X".
    """
    read = wanted(expected, partial(value_in, language=language), language=language)
    found = extract(Completion(text=answer, finish_reason="stop"), level, read)
    return _score("", found, 0, policy=policy, expected=expected, rule=_same, language=language)


def score(
    task: Task, answer: Answer | Executed | NoAnswer, *, sample: int = 0, policy: str = "strict"
) -> Score:
    """Return the score of one sample of one task.

    DataError for an answer that should have been executed, and for a task whose expected answer is neither a
    literal nor "raises X".
    """
    if task.grading == "executed" and isinstance(answer, Answer):
        raise DataError(f"task {task.id}: an answer to '{task.kind}' has to be executed before it is graded")
    found = _score(
        task.id,
        answer,
        sample,
        policy=policy,
        expected=task.expected,
        rule=RULES[task.grading],
        language=answer_language(task.tags),
    )
    return unchecked(found) if task.grading == "witness" and found.verdict == "wrong" else found


def unchecked(score: Score) -> Score:
    """Return the score of an answer that may be right but cannot be run here; it is in no rate."""
    return structs.replace(score, verdict="no answer", reason="not_asked")


Rule = Callable[[object, object, str, str], bool]
"""(answer, truth, policy, language) -> whether the answer is right."""


def _score(
    task_id: str,
    answer: Answer | Executed | NoAnswer,
    sample: int,
    *,
    policy: str,
    expected: str,
    rule: Rule,
    language: str,
) -> Score:
    tolerance_of(policy)
    truth = _expected_value(expected, language)
    if isinstance(answer, NoAnswer):
        return Score(task_id, sample, "no answer", answer.reason, policy, answer.detail, expected)
    try:
        text = answer.outcome if isinstance(answer, Executed) else answer.text
        right = rule(answer_value(text, language=language), truth, policy, language)
    except BadSource:
        if isinstance(answer, Executed):  # it ran, but its outcome has no literal
            return Score(task_id, sample, "wrong", "", policy, answer.text, expected)
        return Score(task_id, sample, "no answer", "unparsable", policy, answer.text, expected)
    return Score(task_id, sample, "right" if right else "wrong", "", policy, answer.text, expected)


def _same(value: object, truth: object, policy: str, language: str) -> bool:
    if isinstance(value, Raises) or isinstance(truth, Raises):
        return isinstance(value, Raises) and isinstance(truth, Raises) and value.type == truth.type
    return equal(value, truth, policy, language=language)


def _same_lines(value: object, truth: object, policy: str, language: str) -> bool:
    del policy, language  # line numbers are compared in the same way under every policy and language
    if not isinstance(value, list | tuple | set | frozenset) or not isinstance(truth, list):
        return False
    return all(type(line) is int for line in value) and set(value) == set(truth)


RULES: dict[str, Rule] = {
    "value": _same,
    "lines": _same_lines,
    "marks": lambda value, truth, policy, language: same_marks(value, truth, policy),
    "executed": _same,
    "witness": _same,
}


def answer_value(text: str, *, most: int = MAX_CHARS, language: str = "python") -> object:
    """Return the value of an answer's text: a plain value, or Raises. BadSource if it is neither."""
    name = raised_type(text)
    return Raises(name) if name is not None else parse_literal(text, most=most, language=language)


@lru_cache(maxsize=1024)  # a task's truth is compared with every sample of it
def _expected_value(expected: str, language: str = "python") -> object:
    try:
        return answer_value(expected, most=TRUTH_CHARS, language=language)
    except BadSource as error:
        raise DataError(f"the expected answer is neither a literal nor 'raises X': {error}") from None
