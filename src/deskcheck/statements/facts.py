"""Find statements of a free text that its literals alone decide: "4 is less than 3", "'ab' contains 'c'".

    facts_in("'grunt' doesn't contain 'run'") -> [Claim(about="'run' not in 'grunt'", value=True, ..)]

The claim is about an expression of constants, which `verdicts.py` evaluates; no code is executed. Each
pattern below is for one form of sentence, and `facts_in` turns its matches into expressions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from deskcheck.statements.claims import Claim, literal_at, states_something

_NUMBER = r"-?\d+(?:\.\d+)?(?![\w.]*\d)"
_TEXT = r"'[^'\n]{0,60}'|\"[^\"\n]{0,60}\""
_LITERAL = rf"(?:{_TEXT}|{_NUMBER}|True|False|None)"
_OWN = rf"(?<![\w.'\"\])+*/%-])(?<![+*/%-]\s)(?:`?\w+`?\s+\()?`?(?P<a>{_LITERAL})`?\)?"
_OTHER = rf"(?:(?:the|a)\s+)?(?:`?\w+`?\s+\()?`?(?P<b>{_LITERAL})`?\)?"
_SIGNS = {
    "less": "<", "smaller": "<", "lower": "<", "fewer": "<", "shorter": "<",
    "greater": ">", "larger": ">", "more": ">", "higher": ">", "bigger": ">", "longer": ">", "equal": "==",
}  # fmt: skip
_OPPOSITE = {"<": ">=", ">": "<=", "==": "!=", "<=": ">", ">=": "<", "!=": "=="}
_COMPARED = re.compile(
    rf"{_OWN}(?:\s+(?:occurrences?|times|characters|elements|items|letters)\b[^.\n]{{0,60}}?)?"
    rf"(?:,\s+which)?\s+is(?P<no>\s+not|n't)?\s+(?P<how>{'|'.join(_SIGNS)})\s+(?:than|to)"
    rf"(?P<or>\s+or\s+equal\s+to)?\s+{_OTHER}(?P<more>(?:,?\s+(?:and|or)\s+{_LITERAL}|,\s*{_LITERAL})*)"
)
_LENGTH = re.compile(
    rf"\blength\s+of\s+(?:the\s+)?(?:(?:string|text|list|input|word)\s+)?`?(?P<a>{_TEXT})`?\s+is(?P<no>\s+not|n't)?\s+"
    rf"(?P<how>{'|'.join(_SIGNS)})\s+(?:than|to)(?P<or>\s+or\s+equal\s+to)?\s+`?(?P<b>{_NUMBER})`?"
)
_SIGNED = re.compile(
    rf"{_OWN}\s*(?P<sign><=|>=|==|!=|<|>)\s*{_OTHER}`?\)?\s*(?:is|evaluates\s+to|=|→|->|:)\s*"
    r"`?(?P<value>True|False|true|false)\b"
)
_SINCE = re.compile(
    rf"\b(?:[Ss]ince|[Bb]ecause)\s+{_OWN}\s*(?P<sign><=|>=|==|!=|<|>)\s*{_OTHER}`?\)?(?=\s*[,.)])"
)
_CONTAINS = re.compile(
    rf"`?(?P<a>{_TEXT})`?\s+(?P<no>does\s*n[o']t\s+|doesn't\s+)?(?:contains?|includes?)\s+"
    rf"(?:the\s+)?(?:(?:character|letter|substring|string)\s+)?`?(?P<b>{_TEXT})`?"
)
_IS_IN = re.compile(
    rf"`?(?P<b>{_TEXT})`?(?P<which>,\s+which)?\s+(?:(?P<no>(?:is\s+not|isn't|does\s+not|doesn't)\s+)|(?:is|does)\s+)?"
    rf"(?:found\s+|present\s+|contained\s+|appears?\s+|occurs?\s+|exists?\s+)?in\s+"
    rf"(?:the\s+)?(?:list\s+of\s+)?(?:(?:string|text|word|substring|characters\s+(?:from|of|in))\s+)?`?(?P<a>{_TEXT})`?"
)
_PLACES = {"first": 0, "second": 1, "third": 2, "last": -1}
_PART = re.compile(
    rf"\b(?P<place>first|second|third|last)\s+(?:character|letter|element|item|digit)\s+(?:of|in)\s+"
    rf"(?:(?:the|string|list|word|tuple)\s+)*`?(?P<of>{_TEXT}|\[[^\]\n]{{1,80}}\])`?\s+is\s+`?(?P<b>{_LITERAL})`?"
)
_FOUND = re.compile(
    r"\b(?:index|indices|indexes|positions?)\s+of\s+(?:(?:the|first|substring|string|character|letter)\s+)*"
    rf"`?(?P<b>{_TEXT})`?\s+in\s+"
    rf"(?:(?:the|string|text|word)\s+)*`?(?P<a>{_TEXT})`?(?:,?\s+which)?\s+(?:is|are)\s+(?:at\s+)?`?(?P<at>-?\d+)\b"
)
_AT_INDEX = re.compile(
    rf"(?P<which>\b(?:first|leftmost|last|rightmost|second|third|next|other)\s+(?:occurrence\s+of\s+)?)?"
    rf"(?:(?:the\s+)?(?:character|letter|substring)\s+)?`?(?P<b>{_TEXT})`?\s+(?:is\s+found\s+)?in\s+(?:(?:the|string|text|word)\s+)*"
    rf"`?(?P<a>{_TEXT})`?\s+(?:(?:is|occurs|appears)\s+(?:located\s+|found\s+)?)?at\s+(?:index|position)\s+`?(?P<at>\d+)\b"
)
_METHODS = (
    "islower|isupper|isdigit|isalpha|isalnum|isspace|isnumeric|isdecimal|istitle|"
    "startswith|endswith|lower|upper|swapcase|title|capitalize|count|find|rfind|zfill|l?r?strip|replace|[lr]just|center"
)
_METHOD = re.compile(
    rf"`?(?P<code>(?:{_TEXT})\.(?:{_METHODS})\((?:{_TEXT}|(?:[^()\n`]|\([^()\n`]*\)){{0,80}})\))`?\s*"
    rf"(?:will\s+)?(?:is|returns?|evaluates?\s+to|gives?|results?\s+in|=|→|->)\s*`?(?P<b>{_LITERAL})`?"
)
_HAS_COUNT = re.compile(
    rf"`?(?P<a>{_TEXT})`?\s+has\s+a\s+count\s+of\s+`?(?P<b>{_TEXT})`?\s+(?P<how>greater|more|less|equal|smaller)\s+"
    r"(?:than|to)\s+(?P<n>\d+)"
)
_OCCURRENCES = re.compile(
    rf"\bnumber\s+of\s+(?:occurrences\s+of\s+)?`?(?P<b>{_TEXT})`?(?:\s+characters)?\s+in\s+"
    rf"(?:(?:the|string|text|word)\s+)*`?(?P<a>{_TEXT})`?\s+is\s+`?(?P<n>\d+)\b"
)
_AFTER_OPERATOR = re.compile(r"[+*/%-]\s*`?$")
_KINDS = {
    "lowercase": "islower", "uppercase": "isupper", "alphabetic": "isalpha", "alphanumeric": "isalnum",
    "numeric": "isnumeric", "empty": "",
}  # fmt: skip
_IS_KIND = re.compile(
    rf"`?(?P<a>{_TEXT})`?,?\s+(?:which\s+)?is(?P<no>\s+not|n't)?\s+"
    rf"(?:(?:all|entirely|completely|fully|in|a)\s+)?(?P<kind>{'|'.join(_KINDS)})\b(?!\s+\w+er\b)"
)
_ENDS = re.compile(
    rf"`?(?P<a>{_TEXT})`?(?:,?\s+which)?\s+(?P<no>does\s*n[o']t\s+|doesn't\s+|does\s+)?(?P<how>starts?|ends?)\s+with\s+"
    rf"(?:the\s+)?(?:(?:character|letter|substring|string|prefix|suffix)\s+)?`?(?P<b>{_TEXT})`?"
)
_SAID_IN = re.compile(r"\b(?:found|present|contained|appears?|occurs?|exists?)\b")
_SEARCH = re.compile(r"\b(?:where|times|whether|count|number|checks?|find)\b[^.;\n]*$")
_PART_OF_MORE = re.compile(r"(?:\band|\bor|\bnot|,)\s*`?$")
_QUESTION = re.compile(r"\s*[?]")


def facts_in(text: str) -> Iterator[Claim]:
    """Yield statements that relate literals to each other, in no particular order."""
    for match in _COMPARED.finditer(text):
        sign = _SIGNS[match["how"]] + ("=" if match["or"] and match["how"] != "equal" else "")
        sign = _OPPOSITE[sign] if match["no"] else sign
        about = f"{match['a']} {sign} {match['b']}"
        if match["more"] and sign in ("==", "!="):
            others = ", ".join([match["b"], *re.findall(_LITERAL, match["more"])])
            about = f"{match['a']} {'not in' if sign == '!=' else 'in'} [{others}]"
            if sign == "==":
                continue  # "equal to 1, 2" may be about several values
        yield from _fact(text, match, about, True)
    for match in _LENGTH.finditer(text):
        sign = _SIGNS[match["how"]] + ("=" if match["or"] and match["how"] != "equal" else "")
        about = f"len({match['a']}) {_OPPOSITE[sign] if match['no'] else sign} {match['b']}"
        yield from _fact(text, match, about, True)
    for match in _SIGNED.finditer(text):
        if _PART_OF_MORE.search(text[max(0, match.start() - 8) : match.start()]):
            continue
        about = f"{match['a']} {match['sign']} {match['b']}"
        yield from _fact(text, match, about, match["value"].lower() == "true")
    for match in _SINCE.finditer(text):
        yield from _fact(text, match, f"{match['a']} {match['sign']} {match['b']}", True)
    for match in [*_CONTAINS.finditer(text), *_IS_IN.finditer(text)]:
        if match.re is _IS_IN and not match["which"] and not _SAID_IN.search(match[0]):
            continue  # "'a' in 'b'" is a condition or a search
        if _SEARCH.search(text[max(0, match.start() - 60) : match.start()]):
            continue
        sign = "not in" if match["no"] else "in"
        yield from _fact(text, match, f"{match['b']} {sign} {match['a']}", True)
    for match in _PART.finditer(text):
        yield from _fact(text, match, f"{match['of']}[{_PLACES[match['place']]}]", match["b"])
    for match in _FOUND.finditer(text):
        yield from _fact(text, match, f"{match['a']}.find({match['b']})", match["at"])
    for match in _AT_INDEX.finditer(text):
        yield from _place(text, match)
    for match in _IS_KIND.finditer(text):
        test = _KINDS[match["kind"]]
        about = f"{match['a']}.{test}()" if test else f"{match['a']} == ''"
        yield from _fact(text, match, about, not match["no"])
    for match in _ENDS.finditer(text):
        how = match["how"].removesuffix("s")
        yield from _fact(
            text, match, f"{match['a']}.{how}swith({match['b']})", (match["no"] or "").strip() in ("", "does")
        )
    for match in _HAS_COUNT.finditer(text):
        sign = {"greater": ">", "more": ">", "equal": "=="}.get(match["how"], "<")
        yield from _fact(text, match, f"{match['a']}.count({match['b']}) {sign} {match['n']}", True)
    for match in _OCCURRENCES.finditer(text):
        yield from _fact(text, match, f"{match['a']}.count({match['b']})", match["n"])
    for match in _METHOD.finditer(text):
        if _AFTER_OPERATOR.search(text[max(0, match.start() - 4) : match.start()]):
            continue
        yield from _fact(text, match, match["code"], match["b"])


def _place(text: str, match: re.Match[str]) -> Iterator[Claim]:
    """Yield a claim on the first or last position of a text in another.

    Without "first" or "last" in the sentence, there is none if the text does occur at the stated position.
    """
    which = (match["which"] or "").split(" ")[0]
    whole, part = (literal_at(match[name], 0) for name in ("a", "b"))
    if whole is None or part is None or which in ("second", "third", "next", "other"):
        return
    is_last = which in ("last", "rightmost")
    if not which and whole[0][int(match["at"]) :].startswith(part[0]):
        return
    yield from _fact(text, match, f"{match['a']}.{'r' * is_last}find({match['b']})", match["at"])


def _fact(text: str, match: re.Match[str], about: str, value: str | bool) -> Iterator[Claim]:
    """Yield a claim that the expression `about` has a value, unless it stands under a condition."""
    if isinstance(value, str):
        found = literal_at(value, 0)
        if found is None:
            return
        said, value_of = value, found[0]
    else:
        said, value_of = str(value), value
    if states_something(text, match.start()) and not _QUESTION.match(text[match.end() :]):
        yield Claim(match.start(), match.end(), about, value_of, said)
