"""Find the statements in a model's free text about a program's state: "`count` is now 3", "returns [1]".

    claims_in("`xs` becomes [1, 2]", {"xs"}) -> [Claim(start=0, end=19, about="xs", value=[1, 2], ..)]

A statement gives a value, as a Python or JSON literal, to a variable, an expression, the result of a method
or of the whole call, or to nothing that it names. It is an assignment, a sentence with a verb such as "is" or
"becomes", or an item of a list. Text under a condition ("if", "when", "otherwise") is no statement, and
neither is a negation. Nothing is executed here; `reasoning.py` looks up every statement in the true run.

The patterns below match words around a value; a value itself is read by `_value`. The comments quote examples
of matches. Numbers such as 120 or 400 in the functions say how many characters before or after a match are
looked at.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Iterator
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from deskcheck.errors import BadSource
from deskcheck.languages import parse_literal

RESULT = "<-"
"""`Claim.about` of a claim on the value that the call returns."""
ANYTHING = ""
"""`Claim.about` of a claim that names no variable: any value of the run can be meant."""
CALL = "call "
"""Prefix of `Claim.about` for a call in backticks whose result is stated."""


class Claim(Struct, frozen=True):
    """One statement that a value occurred in the run."""

    start: int
    """Position of its first character in the text; `end` is the position after its last one."""
    end: int
    about: str
    """A variable or an expression, RESULT, ANYTHING, CALL with a call, or "find()", "len()", ..: any result
    of this method."""
    value: Any
    stated: str
    """The value as the text writes it."""
    is_first: bool = False
    """Whether it states the initial value of a variable."""
    is_last: bool = False
    """Whether it states a value at the end of a loop or of the run."""
    source: str = ""
    """The last piece of code in backticks before it on its line."""
    before: str = ""
    """Up to 300 characters of the text before it, which may quote the program."""
    is_change: bool = False
    """Whether it states the result of a change, not a value that existed before."""


class Judged(Struct, frozen=True):
    """A statement with its verdict from the run."""

    claim: Claim
    is_true: bool
    event: int
    """Event at which its value, or the true one, occurs; the number of events = the end of the run."""
    about: str
    """The variable or expression; one with a similar value if the text names none."""
    true: str = ""
    """For a false statement, the true value at the event; "" = not known."""
    word: str = ""
    """The part that is wrong: "round 3", "item 2"; "" = the whole value."""
    is_filled_in: bool = False
    """Whether it is about a list that fills a blank in the program."""


_NAME = r"[A-Za-z_]\w*(?:\[[^\]\n`]{1,20}\])*"
# Up to seven words between a verb and the value: "set to the new list".
_FILL = (
    r"(?:(?:now|then|also|just|still|only|simply|initially|currently|the|a|an|to|as|set|reset|initiali[sz]ed|"
    r"updated|assigned|changed|equal|value|values|string|list|array|dictionary|dict|tuple|integer|number|items|"
    r"result|resulting|following|characters|words|substrings|elements|strings|numbers|integers|lines|new|modified|final|be|being|of|in|left|with|contain|contains|have|get|at|index)"
    r"(?:\s+|:\s*)|:\s*){0,7}"
)
_VERB = (
    r"(?:is|was|becomes?|becoming|equals?|remains?|stays?|gives?|contains?|holds|has|starts|"
    r"evaluates|will|would|gets|takes|ends\s+up)"
)
# "`xs` becomes the list", "n =".
_ABOUT = re.compile(
    rf"(?:`(?P<tick>[^`\n]{{1,80}})`|(?P<bare>(?<![\w.`'\"])(?:len\([^()\n`]{{1,40}}\)|{_NAME})))"
    rf"(?:\s*(?P<sign>=(?!=)|→|->|:(?=\s))\s*|(?:\s+(?:list|string|variable|part|array|text|dictionary))?(?:(?<=`)\s+after\s+(?:\w+\s+){{1,4}}\w+)?(?P<which>,\s+which)?\s+(?P<verb>{_VERB})\s+{_FILL})"
)
# "text.upper() returns".
_CALL = re.compile(
    r"(?<![\w.`'\"])(?P<about>[A-Za-z_]\w*(?:\.\w+\([^()\n`]{0,40}\))+)\s*"
    rf"(?:(?P<sign>=(?!=)|→|->)\s*|(?P<verb>is|gives|returns|evaluates|becomes|will|would)\s+{_FILL})"
)
# "the condition `n > 3` is not met".
_BRANCH = re.compile(
    r"\bcondition\s+(?:`(?P<tick>[^`\n]{3,80})`|\((?P<round>[^\n`]{3,80}?)\))\s+"
    r"(?:is|was|evaluates\s+to|becomes|will\s+be)\s+(?:also\s+)?(?P<not>not\s+)?"
    r"(?P<value>[Tt]rue|[Ff]alse|met|satisfied)\b"
)
# "after all iterations".
_AT_THE_END = re.compile(
    r"\b(?:after|at\s+the\s+end\s+of)\s+(?:the|all|this|both|these)\s+(?:\w+\s+)?"
    r"(?:loops?|iterations|rounds|execution)\b|\bfinally\b|\bthe\s+final\b",
    re.I,
)
# "`n = 3`".
_INSIDE = re.compile(rf"`(?P<about>{_NAME})\s*=\s*(?P<value>[^`\n]+)`")
# Without a variable: "resulting in", "the string becomes".
_ANY = re.compile(
    r"\b(?:result(?:ing|s|ed)?\s+in|results?\s+(?:is|are)|becom(?:es|ing)|giv(?:es|ing)|produc(?:es|ing)|"
    r"yield(?:s|ing)|to\s+get|which\s+(?:is|becomes|gives)|evaluates?\s+to|(?:is|are)\s+now|"
    r"revers(?:e|ing)\s+(?:the\s+\w+\s+)?(?:'[^'\n]*'|\"[^\"\n]*\")\s+to|"
    r"(?:reversed|sorted|converted|changed|updated|centered|transformed|shortened)\s+(?:in)?to|making\s+the(?:\s+\w+){1,2}|"
    r"substring\b[^\n]{0,100}?\bis|(?:list|string|dictionary|tuple|array|text)\s+(?:\w+\s+){0,8}(?:is|becomes|will\s+be|will\s+contain))\s+"
    + _FILL
)
# An item of a list: "- Convert it to lowercase:".
_STEP = re.compile(
    r"^[ \t]*(?:[-*•]|\d+[.)])\s+(?:[A-Z][^\n]{8,220}?:|(?:'[^'\n]*'|\"[^\"\n]*\")\s+(?:->|→))\s+"
    r"(?=['\"\[({`])",
    re.M,
)
_MAKES = re.compile(
    r"\b(?:extend|append|insert|add|remov|pop|revers|sort|replac|convert|updat|concat|join|becom|multipl|swap)\w*",
    re.I,
)
# "the function returns", "the final answer is".
_RETURNS = re.compile(
    rf"\b(?:function(?:\s+`?\w+`?)?|call|code|and|we)\s+(?:(?:will|would|then|finally|immediately|simply|thus|therefore)\s+)*"
    rf"(?:returns?|outputs?)\s+{_FILL}|^\W*(?:\d+\.\s*)?[Rr]eturns?\s+(?:the\s+)?(?:value\s+)?"
    rf"|\b(?<!of\sthe\s)(?:output|return(?:ed)?\s+value|final\s+answer)\b[^\n]{{0,1500}}\s(?:is|will\s+be|would\s+be|be)\s+{_FILL}",
    re.M,
)
# "`xs.index(2)` gives", "`find`, which returns", "pop() returns".
_TICKED_CALL = re.compile(
    rf"`(?P<code>\w+\.\w+\([^`\n]*\))`\s+(?:will\s+)?(?:returns?|gives?|yields?|produces?|finds?|is|=|→|->|results?\s+in)\s+{_FILL}"
)
_RETURNING = re.compile(
    r"`\.?(?P<method>r?find|r?index|count|lower|upper|title|capitalize|swapcase|replace|l?r?strip|join|center)`"
    rf"[^\n.]{{0,90}}?(?:,\s+which|,\s+and\s+it)?\s+(?:returns|returning|gives)\s+{_FILL}"
)
_METHOD = re.compile(
    rf"`?\.?(?P<method>\w+)\(\)`?\s+(?:method\s+|function\s+|check\s+)?(?:which\s+)?(?:call\s+)?(?:will\s+)?(?:returns?|returned|gives)\s+{_FILL}"
)
# Positions, lengths and counts: "is found at index", "the length of `xs` is", "appears 3 times".
_INDEX = re.compile(
    r"\b(?:finds|found|starts|occurs|appears)\s+(?:[\w'\"`]+\s+){0,3}?at\s+(?:index|position)\s+|\bat\s+index\s+(?=\d+\s*\()|\boccurrence\b[^\n.]{0,60}\bis\s+at\s+index\s+"
)
_LENGTH = re.compile(
    r"`?\blen\((?P<code>[^()\n`]{1,60})\)`?[^\n.]{0,80}?\bwhich\s+is\s+(?=\d)|"
    r"\blength\s+of\s+(?:the\s+)?(?:(?:list|string|text|array|input|dictionary|tuple|word)\s+)*"
    r"(?P<of>`[^`\n]{1,60}`|'[^'\n]*'|\"[^\"\n]*\"|\w+)\s+(?:is|=|equals)\s+(?=\d)"
)
_TIMES = re.compile(
    r"\b(?:appears|occurs)\s+(?=\d+\s+times)|\b[Tt]here\s+are\s+(?=\d+\s+occurrences)|\bcount\s+of\s+[^\n.]{1,40}?\s+is\s+(?=\d)"
)
_OTHER_LENGTH = re.compile(r"\blength\s+of\s+(?:the|this|each)\s+(?:\w+\s+){1,2}?(?:is|=|equals)\s+(?=\d)")
_LOOSE = ((_INDEX, "find()"), (_TIMES, "count()"), (_OTHER_LENGTH, "len()"))
# Words before or after a match that show that it is no statement about the value alone.
_RANGE = re.compile(r"\bfrom\b[^.\n]*\bto\s+`?$")
_OPERAND = re.compile(r"[\w'\")\]`]\s*[-+*/%]\s*`?$")
_OF_ANOTHER = re.compile(
    r"\b(?:after|before|between|behind|without|into|these|those|its|both|(?<!\bvalue\s)of|in|from|to|on|by|at|for|with|than|first|second|third|last|sorted|reversed|default|remaining|(?!string\b)\w+ing|\w+ed|"
    r"new|each|output|final|original|inner|outer|next|character|element)\s+(?:(?:the|input|list|string|text|this)\s+)?$"
)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|whether|until|unless|while|as\s+long\s+as|suppose|assum\w+|otherwise|else|for\s+example|e\.g\.|instead|"
    r"not|n't|never|would\s+have|should|each|every|any|example|until|might|could|may|expected|prompt|structure)\b",
    re.I,
)
_NAMED_LOOP = re.compile(r"\b(?:while|for)[ -]loop\b")
_BREAK = re.compile(r"[.;!?]\s|\n|,\s+so\s|\bSo\s|\bTherefore\b|\bHere,|\bthus\b|→|->")
_FULL_STOP = re.compile(r"[.;!?](?=\s)|\n")
MOST_QUOTED = 200
"""Most characters of a quoted sentence."""
_EMPTY = {"string": "", "list": [], "array": [], "dictionary": {}, "dict": {}, "tuple": (), "set": set()}
_WORDS = {"True": True, "False": False, "None": None, "true": True, "false": False, "null": None}
_NUMBER = re.compile(r"[-+]?(?:\d[\d_]*\.\d+(?:[eE][-+]?\d+)?|\d+(?:[eE][-+]\d+)?)(?![\w.]*\d|\w)")
_CODE_AFTER = re.compile(r"\s*(?:[-+*/%<>|&^]|==|!=|\bif\b|\bin\b|\bfor\b|\bif\b|\.\w+\(|\[|\()")
_SUBJECT = re.compile(
    r"\s+(?:is|are|does|doesn't|isn't|was|has|contains|starts|ends|appears|in(?!\s+(?:this|our|the)))\b"
)
_MORE = re.compile(r"\s*(?:=|→|->)\s*")


def claims_in(text: str, names: Collection[str]) -> list[Claim]:
    """Return the statements in the order of the text; `names` are the variables of the run."""
    claims: dict[int, Claim] = {}
    sources = (
        _branches(text), _methods(text), _about(text, names), _calls(text, names), _loose(text, names),
        _returned(text), _any(text), _steps(text),
    )  # fmt: skip
    for claim in chain.from_iterable(sources):
        taken = any(claim.end > other.start and claim.start < other.end for other in claims.values())
        if not taken:
            before = _sentence(text, claim.start)
            code = re.findall(r"`([^`\n]{3,80})`", _sentence_line(text, claim.start))
            claims[claim.start] = replace(
                claim,
                is_last=bool(_AT_THE_END.search(before)),
                source=code[-1] if code else "",
                before=text[max(0, claim.start - 300) : claim.start],
            )
    return [claims[start] for start in sorted(claims)]


def _about(text: str, names: Collection[str]) -> Iterator[Claim]:
    """Yield claims that name a variable or an expression."""
    for match in _INSIDE.finditer(text):
        written = match["value"].strip()
        value = _value(f"{written}\n", 0)
        is_name = match["about"].partition("[")[0] in names and ":" not in match["about"]
        is_range = _RANGE.search(text[max(0, match.start() - 90) : match.start()])
        if value is None or value[1] != len(written) or not is_name or is_range:
            continue
        if not _is_under_condition(text, match.start(), ""):
            first = bool(re.search(r"\binitiali|assigned", _sentence_line(text, match.start())))
            yield Claim(match.start(), match.end(), match["about"], value[0], written, first)
    at = 0
    while (here := _ABOUT.search(text, at)) is not None:
        match = here
        at = match.start() + 1
        about = (match["tick"] or match["bare"] or "").strip()
        if match["tick"]:
            at = match.end("tick") + 1
            about = about.split(" = ")[0].strip() if " = " in about and "==" not in about else about
        elif about.partition("[")[0].removeprefix("len(").rstrip(")") not in names and not about.startswith(
            "len("
        ):
            continue
        if match["tick"] and _literal(about) is not None:
            continue  # "the output on the input `[1, 2]` is 3" is not about the literal
        is_listed = not re.search(r"\w", _sentence_line(text, match.start()))
        if match["sign"] == ":" and not (match["tick"] and about in names and is_listed):
            continue
        value = _value(text, match.end())
        if (
            match["verb"]
            and about.isidentifier()
            and _OF_ANOTHER.search(text[max(0, match.start() - 40) : match.start()])
        ):
            continue
        is_aside = bool(match["which"]) and value is not None and isinstance(value[0], bool)
        if value is None or (not is_aside and _is_under_condition(text, match.start(), match["sign"] or "")):
            continue
        if isinstance(value[0], str) and value[0] in names and value[2][:1] not in "'\"":
            continue  # a name in backticks
        if match["sign"] and _RANGE.search(text[max(0, match.start() - 40) : match.start()]):
            continue  # "from i = 0 to i = 9"
        if _OPERAND.search(text[max(0, match.start() - 20) : match.start()]):
            continue
        if match["which"] and (about.isidentifier() or about[0] in "[({'\""):
            continue  # "`xs`, which is 1" may be about the text before the name
        if match["verb"] and re.search(r"\bnot\b", match[0]):
            continue
        yield Claim(
            match.start(), value[1], about, value[0], value[2],
            bool(re.search(r"\binitiali|assigned", match[0])) or _begins(text, match.start(), match["sign"]),
            is_change=(match["verb"] or "").startswith("becom"),
        )  # fmt: skip


def _calls(text: str, names: Collection[str]) -> Iterator[Claim]:
    """Yield claims on the results of method calls outside backticks."""
    for match in _CALL.finditer(text):
        value = _value(text, match.end())
        if match["about"].partition(".")[0] not in names or value is None or re.search(r"\bnot\b", match[0]):
            continue
        if not _is_under_condition(text, match.start(), match["sign"] or ""):
            yield Claim(match.start(), value[1], match["about"], value[0], value[2])


def _branches(text: str) -> Iterator[Claim]:
    """Yield claims that a condition of the program holds, or does not hold."""
    for match in _BRANCH.finditer(text):
        holds = (match["value"].lower() != "false") != bool(match["not"])
        if not _is_under_condition(text, match.start(), "") and not _has_condition_after(text, match.end()):
            about = (match["tick"] or match["round"]).strip().removeprefix("if ").rstrip(":")
            yield Claim(match.start(), match.end(), about, holds, str(holds))


def _begins(text: str, start: int, sign: str | None) -> bool:
    """Whether "so `n` = 3" ends a sentence that says how n is initialized."""
    return bool(sign) and bool(re.search(r"\binitiali[sz]ed\b", _sentence_line(text, start)))


def _sentence_line(text: str, start: int) -> str:
    """Return up to 120 characters of text before a position on its line."""
    return text[max(0, start - 120) : start].rpartition("\n")[2]


def _methods(text: str) -> Iterator[Claim]:
    """Yield claims on the results of methods: called in backticks, or only named."""
    for match in _TICKED_CALL.finditer(text):
        value = _value(text, match.end())
        if value is not None and not _is_under_condition(text, match.start(), ""):
            yield Claim(match.start(), value[1], f"{CALL}{match['code']}", value[0], value[2])
    for match in _RETURNING.finditer(text):
        value = _value(text, match.end())
        if value is not None and states_something(text, match.start()):
            yield Claim(match.start(), value[1], f"{match['method']}()", value[0], value[2])
    for match in _METHOD.finditer(text):
        value = _value(text, match.end())
        if value is None or _has_condition_after(text, value[1]):
            continue
        if not _is_under_condition(text, match.start(), ""):
            yield Claim(match.start(), value[1], f"{match['method']}()", value[0], value[2])


def _loose(text: str, names: Collection[str]) -> Iterator[Claim]:
    """Yield claims on positions, lengths and counts."""
    for pattern, about in _LOOSE:
        for match in pattern.finditer(text):
            yield from _counted(text, match, about)
    for match in _LENGTH.finditer(text):
        inner = (match["code"] or match["of"]).strip("`")
        inner = inner.strip("'\"") if inner.strip("'\"") in names else inner
        if inner in names or inner[0] in "'\"":
            yield from _counted(text, match, f"len({inner})")


def _counted(text: str, match: re.Match[str], about: str) -> Iterator[Claim]:
    value = _value(text, match.end())
    is_said = not _CONDITION.search(match[0]) and not _is_under_condition(text, match.start(), "")
    if value is not None and type(value[0]) is int and is_said:
        yield Claim(match.start(), value[1], about, value[0], value[2])


def _returned(text: str) -> Iterator[Claim]:
    """Yield claims on the value that the call returns."""
    at = 0
    while (match := _RETURNS.search(text, at)) is not None:
        value = _value(text, match.end())
        if value is None or _CONDITION.search(match[0]) or re.search(r", we\b|\bwhere\b", match[0]):
            at = match.start() + 1  # the statement may begin later on the line
            continue
        at = max(match.end(), at + 1)
        if "return" in match[0] and _CONDITION.search(_sentence_line(text, match.start())):
            continue
        if not re.match(
            r"[`'\"]*\s*(?:[.,;\n(]|$|as\b|because\b|since\b|for\b|immediately\b)", text[value[1] :]
        ):
            continue
        if not _is_under_condition(text, match.start(), "") and not _has_condition_after(text, value[1]):
            yield Claim(match.start(), value[1], RESULT, value[0], value[2])


def _any(text: str) -> Iterator[Claim]:
    """Yield claims on values without a variable."""
    for match in _ANY.finditer(text):
        value = _value(text, match.end())
        if value is None or not _is_telling(value[0]) or _is_under_condition(text, match.start(), ""):
            continue
        change = bool(re.match(r"(?:result|making|revers|converted|changed|updated)|.*\bbecom", match[0]))
        yield Claim(match.start(), value[1], ANYTHING, value[0], value[2], is_change=change)


def _steps(text: str) -> Iterator[Claim]:
    """Yield claims on the value at the end of a list item: "- Convert it to lowercase: 'ab'"."""
    for match in _STEP.finditer(text):
        value = _value(text, match.end())
        is_last = value is not None and re.match(
            r"[ .`]*(?:\([^()\n]*\(\)?[^()\n]*\)+)?[ .]*(?:\n|$)", text[value[1] :]
        )
        if value is not None and is_last and _is_telling(value[0]) and not _CONDITION.search(match[0]):
            change = bool(_MAKES.search(match[0]))
            yield Claim(match.end(), value[1], ANYTHING, value[0], value[2], is_change=change)


def _is_telling(value: object) -> bool:
    """Whether a value can be looked up without a name: a float, a container, a text of several characters."""
    if isinstance(value, str):
        return len(value) > 1
    if isinstance(value, list | tuple | dict | set):
        return True
    return isinstance(value, float)


def states_something(text: str, start: int) -> bool:
    """Whether the text at a position stands under no condition in its sentence."""
    return not _is_under_condition(text, start, "")


def literal_at(text: str, at: int) -> tuple[Any, int, str] | None:
    """Return value, end position and text of the literal that begins at a position; None if none does."""
    return _value(text, at)


def sentence_at(text: str, start: int, end: int) -> str:
    """Return the sentence around a statement on one line, shortened to 200 characters."""
    begins = max((match.end() for match in _FULL_STOP.finditer(text, 0, start)), default=0)
    stop = _FULL_STOP.search(text, max(start, end - 1))
    sentence = " ".join(text[begins : max(end, stop.start() + 1 if stop else len(text))].split())
    if len(sentence) <= MOST_QUOTED:
        return sentence
    begins = max(begins, start - 60)
    return ("… " + " ".join(text[begins:end].split()))[: MOST_QUOTED - 2] + " …"


def _sentence(text: str, start: int) -> str:
    """Return the text before a position in its sentence or clause."""
    before = text[max(0, start - 400) : start]
    ends = [match.end() for match in _BREAK.finditer(before)]
    return before[ends[-1] if ends else 0 :]


def _is_under_condition(text: str, start: int, sign: str) -> bool:
    before = _sentence(text, start)
    if _CONDITION.search(_NAMED_LOOP.sub(" ", re.sub(r"`[^`]*`|'[^']*'|\"[^\"]*\"", " ", before))):
        return True
    return sign == "=" and before.endswith(("(", ", ")) and bool(re.search(r"\w\([^()]*$", before))


def _has_condition_after(text: str, end: int) -> bool:
    after = re.split(r"[.\n]|,\s+so\b", text[end : end + 120])[0]
    return bool(re.search(r"\b(?:if|when|otherwise|unless|or)\b", after))


# ------------------------------------------------------------------ values


def _value(text: str, at: int) -> tuple[Any, int, str] | None:
    """Return (value, position after it, its text) of the literal that begins here; None if there is none."""
    lead = re.match(r"(?:\*{1,2}|```(?:python\b)?|\s)*", text[at:])
    at += lead.end() if lead else 0
    is_fenced = lead is not None and "```" in lead[0]
    if text[at : at + 1] == "`":
        end = text.find("`", at + 1)
        if end < 0:
            return None
        inside = text[at + 1 : end].strip()
        last = re.split(r"\s(?:=|→|->)\s", inside)[-1]
        value = _literal(last)
        if value is None:
            found = _value(inside, 0)
            if found is None or found[1] < len(inside):
                return (inside, end + 1, inside) if _is_plain_text(inside) else None
            value = (found[0],)
        if _CODE_AFTER.match(text[end + 1 : end + 12].replace("(", " ")) and text[end + 1 : end + 3] != " i":
            return None
        return value[0], end + 1, last
    empty = re.match(r"empty\s+(\w+)", text[at:])
    if empty and empty[1] in _EMPTY:
        return _EMPTY[empty[1]], at + empty.end(), empty[0]
    end = _end_of_literal(text, at)
    if end < 0:
        return None
    value = _literal(text[at:end])
    after = text[end : end + 12]
    if is_fenced and after.startswith("```"):
        end, after = end + 3, text[end + 3 : end + 15]
    if value is None or after.startswith(("`", "'", '"')) or (after[:1].isalnum()):
        return None
    chain = re.match(r"[-+*/%\s\d().]+=\s*", text[end:]) if text[at].isdigit() or text[at] in "-(" else None
    if chain:
        return _value(text, end + chain.end())
    if _CODE_AFTER.match(after) and not re.match(
        r"\s+\(|\s*\(\w|\s+[-–]\s|\s+if\b|\s+in\s+(?:this|the)\b|\s+for\b", after
    ):
        return None
    if _SUBJECT.match(text[end : end + 20]):
        return None
    more = _MORE.match(text[end:])
    if more and text[end:].lstrip()[:1] in "→-":
        return None
    return value[0], end, text[at:end]


def _is_plain_text(text: str) -> bool:
    """Whether words in backticks can only be the content of a string."""
    is_word = text.isidentifier() and (text.islower() or hasattr(builtins, text))
    return bool(re.fullmatch(r"[\w ?!,]{2,60}", text)) and not is_word


def _end_of_literal(text: str, at: int) -> int:
    """Return the position after the literal that begins here; -1 if none begins."""
    first = text[at : at + 1]
    if text[at : at + 2] in ("b'", 'b"'):
        return _end_of_string(text, at + 1)
    if first in "'\"" and first:
        return _end_of_string(text, at)
    if first and first in "[({":
        return _end_of_brackets(text, at)
    for word in _WORDS:
        if text.startswith(word, at) and not re.match(r"\w", text[at + len(word) :]):
            return at + len(word)
    number = _NUMBER.match(text, at)
    return number.end() if number else -1


def _end_of_string(text: str, at: int) -> int:
    """Return the position after the string that begins here; -1 if it does not end on its line."""
    quote = text[at]
    place = at + 1
    while place < len(text) and text[place] != "\n":
        if text[place] == "\\":
            place += 2
            continue
        if text[place] == quote:
            return place + 1
        place += 1
    return -1


def _end_of_brackets(text: str, at: int) -> int:
    """Return the position after the bracket that closes the one here; -1 if none of the next 4,000 does."""
    depth, place = 0, at
    while place < min(len(text), at + 4000):
        letter = text[place]
        if letter in "'\"":
            place = _end_of_string(text, place)
            if place < 0:
                return -1
            continue
        depth += (letter in "[({") - (letter in "])}")
        place += 1
        if depth == 0:
            return place
    return -1


def _literal(text: str) -> tuple[Any] | None:
    """Return the value in a tuple; `true`, `false` and `null` of JSON count too. None for no literal."""
    text = text.strip().rstrip(".")
    if text in _WORDS:
        return (_WORDS[text],)
    try:
        return (parse_literal(text),)
    except BadSource:
        pass
    try:
        return (parse_literal(re.sub(r"\b(?:true|false|null)\b", lambda m: repr(_WORDS[m[0]]), text)),)
    except (BadSource, TypeError):
        return None
