r"""Find the sentence with which a model's reply states its answer, by the words in `cues.py`.

    stated("The loop ends.\nSo the output is **5**, because n is 0.", read) -> "5"
    stated("Answer: 5\n\nLet me know if that helps.", read)                 -> "5"
    stated("The answer is 5 or 6.", read)                                    -> None

A statement has a head (the name of an answer, a program or a call, then a verb or a label), a value, and a
tail that may explain the value but not put it in doubt. The last statement counts. Its strength decides which
text may follow: an explanation, a short remark or a courtesy after a statement that names an answer or a
program, and only a courtesy after any other. Two statements stop the search: one that names an answer and
cannot be read, and one that names an answer or a program and is followed by other text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from deskcheck.grading import places
from deskcheck.grading.cues import CHANGES, CLOSES, EXPLAINS, FOLLOWS, PASSING
from deskcheck.grading.forms import simple, unwrapped_forms
from deskcheck.grading.heads import CONNECTIVES, Heads, all_heads, bare_statement, calls, closings, title
from deskcheck.grading.plain import brackets, plain_line, strings_of, values_at
from deskcheck.grading.quantities import of_answer, quantity

Read = Callable[[str], str | None]
"""Function from a text to its answer, a literal or "raises X"; it returns None for any other text."""
ANSWER, PROGRAM, BARE = 3, 2, 1
"""Strength of a statement: it names an answer, a program or call, or only "it" or a name."""
_MOST_LINES = 400  # last lines of a reply that are searched
_MOST_BEHIND = 4_000  # characters that may follow a statement
_LONG_BEHIND = 1_500  # characters that may follow "the answer is 5" without words of explanation
_MOST_HEADS = 40  # heads of one line that are looked at
_LONGEST_FILLERS = 80  # characters behind the head in a line that announces the value of the next line
_FOLLOWS = re.compile(rf"[\s,;(—–-]*(?:{FOLLOWS.pattern})", re.IGNORECASE)
_IN_PASSING = re.compile(
    r"\b(?:so far|up to now|for now|at this point)\b(?!.*\bfinal)|"
    r"\b(?:intermediate|partial|temporary|interim|current|running|provisional|tentative)\s+\Z|"
    r"\b(?!(?:values?|contents?|evaluation|case|analysis|execution|representation)\b)[a-z]+\s+"
    r"(?:of|in|from|within)\s+(?:(?:the|its|this|our|that)\s+)?(?:\w+\s+)?\Z",
    re.IGNORECASE,
)
"""Words before the name of an answer that make it a passing one, or only a part: "the length of the"."""
_NOT_ANOTHER = re.compile(
    r"\A,?\s+(?:and\s+)?not\s+[`'\"\[({\d-](?!.*\b(?:or|and|but|if)\b)[^;?]*\Z", re.IGNORECASE
)
"""Another value, which the sentence denies after its own: "5, not 4"."""
_AS_TYPE = re.compile(
    r"\s*as\s+an?\s+(?:single\s+|plain\s+|python\s+)?(\w+)(?:\s+literal)?[\s.!]*", re.IGNORECASE
)
_TYPES = {"'": ("string", "str"), '"': ("string", "str"), "]": ("list",), ")": ("tuple",)}
"""Last character of a value to names of its type."""
_REASON = re.compile(r"\b(?:because|since|as|when|where|given|due to)\b", re.IGNORECASE)
_CONSEQUENCE = re.compile(r"\b(?:so|therefore|thus|hence|finally)\b", re.IGNORECASE)
_ENDLESS = re.compile(r"\w{400,}")  # a model that repeats a digit until its reply is cut
_SENTENCE_END = re.compile(r"[.!?;。！？；]\s+|[。！？；]")
_CLAUSE = re.compile(r";\s|[,，]\s+(?:so|therefore|thus|hence)\b", re.IGNORECASE)
_OPERAND = r"[-+~]?\s?(?:not\s+)?[\w.]+"
_CALCULATED = re.compile(rf"{_OPERAND}(?:\s*(?:[-+*/%&|^<>=!×÷]{{1,2}}|\b(?:and|or)\b)\s*{_OPERAND})*")
"""An expression, with zeros for its texts and brackets: "returns 3 for n" is none."""
_TEXT_OR_BRACKET = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|[(\[{][^()\[\]{}]*[)\]}]")
_MOST_NESTED = 12
_REVERSED = re.compile(
    r"\s*(?:is|are|will be|would be|gets|should be)\s+(?:(?:the|what|our|my)\s+(?:final |correct |returned )?"
    r"(?:answer|output|result|return value|value|(?:is |gets |the \w+ )?(?:returned|printed|returns|prints))|"
    r"(?:returned|printed|output))\b(?P<rest>(?:(?!\b(?:but|while|whereas|though|although|however|and|then)\b)"
    r"[^.?!\n]){0,120})[.!]?\s*$",
    re.IGNORECASE,
)
_OTHER = re.compile(r"\b(?:and|but|und|aber|et|mais|y|pero|e|mas|и|но)\s+[*_`]*[\d'\"\[{(-]", re.IGNORECASE)
"""A second value after the first: "5 for even n and 6 for odd n"."""
_CONCLUDES = re.compile(
    r"\b(?:answer|final|finally|therefore|so|thus|hence|overall|in (?:conclusion|summary)|as a result)\b|"
    r"答案|最终|antwort|réponse|respuesta|resposta|ответ|答え|정답",
    re.IGNORECASE,
)
_SETTLES = re.compile(r"\b(?:answer|therefore|so|thus|hence|overall|conclusion)\b", re.IGNORECASE)
_SURE = re.compile(r"\b(?:answer|final|output)\b", re.IGNORECASE)
_DOUBT = re.compile(
    r"\b(?:not sure|unsure|maybe|perhaps|might be|could be|either|i guess|for example|for instance|e\.g\.|"
    r"in the form|the format|should look|possible (?:outputs?|answers?|results?))\b",
    re.IGNORECASE,
)
_KIND_OF_ERROR = re.compile(r"[A-Z][a-z]*\s+(?:error|exception)", re.IGNORECASE)
"""A kind of error in words, "a runtime error", not the name of a type."""
_WHOLE = re.compile(r"[^\w\s,;:+*/=<(\[{-]\s*\Z|\A\s*\Z")
"""End of a text that was not cut in the middle of a sentence."""
_LONGEST_CLOSING = 300  # characters of a closing line that is read
_OTHER_SUBJECT = re.compile(
    rf"{PASSING.pattern}|\b(?:inputs?|arguments?|parameters?|before|begins?|starts?|counter|index|length|size|count|"
    r"condition|key|element|item|character|digit|remainder|type|line)\b",
    re.IGNORECASE,
)
"""Words of a closing line about something other than the result."""
_CALCULATES = re.compile(r"[\d\[{+]|=.*=|^(?!\w+ = $).*[=:→]\s*$")
"""Another value, or a label, before the value of a closing line."""
_AFTER_ALL = re.compile(
    r"\bafter (?:all|the (?:last|final)) (?:the )?(?:iterations?|steps?|loops?|rounds?)", re.IGNORECASE
)
_LISTED = re.compile(r"\s*(?:[-*•+]|\(?\d{1,3}[.)])\s|[ \t]+\S")
"""Beginning of a point of a list, or of an indented line. Both usually tell of a step."""
_STATE = re.compile(r"\s*[-*•+]\s+`?[A-Za-z_]\w*\s*=(?!=).*")
_RETURNS = re.compile(r"\b(?:return(?:s|ed|ing)?|prints?|outputs?|answer|result|final)\b", re.IGNORECASE)
_CONCLUDING = re.compile(
    r"(?:so|thus|hence|therefore|finally|in conclusion|in summary|to summarize|as a result|consequently|"
    r"overall|∴|"
    r"sure|okay|ok)\b",
    re.IGNORECASE,
)
_FURTHER = re.compile(
    r"[\W_]*(?:(?:step|query|case|iteration|part|test|input|output|round|loop|phase|example)s?\s*#?)?"
    r"(?:[2-9]|[1-9]\d{1,2})(?:[.):]|\s*[-–—:]|\*\*)",
    re.IGNORECASE,
)
"""Beginning of a further step or question in a list; the statement before it is then about one step only."""
_PRINTED = re.compile(
    r"(?!(?:a|returned|returns?|final|value|evaluation|conclusion|console|so|thus|hence|therefore)\s*:)[^:]{1,60}[:=]\s.*[^.]",
    re.IGNORECASE,
)
"""A line that a program may print as it stands, "The mean is: 4.5", if it is the whole reply."""
_RESULTING = re.compile(
    r"\s*(?:the|our|my)\s+(?:[\w'’]+\s+){0,3}?(?:final|resulting|returned|printed|computed|output|value)\b",
    re.IGNORECASE,
)
"""A subject that means the result: "The final list", "The value of x"."""
_APPENDED = re.compile(
    r"[*_`]*[A-Za-z_][\w .'’`*\[\]+-]{0,80}?(?:,?\s*(?:which|that)\s+"
    r"(?:is|equals|evaluates\s+to|becomes|would\s+be|"
    r"will\s+be|has\s+the\s+value)\s+(?:therefore\s+|now\s+|then\s+)?|,?\s*i\.e\.?,?\s+|,\s*namely,?\s+|"
    r"\s*(?:→|=>|⇒|->|=)\s*|\s+\((?=[^()]{1,200}\)[\s.]*$))"
)
"""Words between a name and its value: "the list x, which is [1]"."""
_CONDITION = re.compile(
    r"\sif (?:you|we|one|i) (?:start|begin|run|call|execute|evaluate|follow|pass|enter)\b[^,.\n]{0,60}?"
    r"(?=\s(?:is|are|will|would|equals)\b)",
    re.IGNORECASE,
)
"""A condition that only describes the run in question: "the value if you start with 4 is"."""
_OPINION = re.compile(
    r"\A(?:so,?\s+)?i\s+(?:think|believe)\s+(?:that\s+)?(?=(?:the|my)\s+(?:\w+\s+)?(?:answer|output|result)\b)",
    re.IGNORECASE,
)
_INSTRUCTION = re.compile(r"\binstructions?\b", re.IGNORECASE)
"""Instructions of a program, which would else be taken for instructions on the form of the answer."""
_THOUSANDS = re.compile(r",\d{3}(?!\d)")
_ANSWER_LABEL = re.compile(r"\banswer\b[^:]*(?::|\bis)[\s*_`]*\Z", re.IGNORECASE)
"""A label or verb behind which a sentence is the answer itself."""
_NUMBERED_LABEL = re.compile(r"\A(?:answer|output|result)\s+\d{1,3}\s*:\s+", re.IGNORECASE)
_FENCES = ("```", '"""', "'''")
"""Marks alone in a line around the lines of an answer."""
_CODE = re.compile(r"`[^`\n]+`|\"[^\"\n]{1,300}\"|\\\(.{1,300}?\\\)|\$[^$\n]{1,300}\$")


class Statement(Struct, frozen=True):
    """A value that a line states, or tries to state."""

    start: int
    """Place of the head in the line, as `plain_line` rewrites it."""
    end: int
    """Place after the value and its tail."""
    strength: int
    """ANSWER, PROGRAM or BARE."""
    value: str | None
    """None if the statement has no readable value: it is a choice, a denial or a value of another kind."""


def stated(text: str, read: Read) -> str | None:
    """Return the value of the statement that closes a text; None if there is none or it is in doubt."""
    lines = [line for line in text.split("\n") if line.strip()][-_MOST_LINES:]
    for number in range(len(lines) - 1, -1, -1):
        statement, behind = _of_line(lines, number, read)
        if statement is None:
            if number == len(lines) - 1 or CLOSES.match(lines[number]) or len(lines) - number < _MOST_LINES:
                continue
            return None
        if statement.value is None:
            if statement.strength == ANSWER:
                return None
            continue
        if _may_stand(statement, lines, number, behind, read):
            return statement.value
        if statement.strength != BARE:
            return None
    return None


def _of_line(lines: Sequence[str], number: int, read: Read) -> tuple[Statement | None, str]:
    """Return the statement that begins in a line and the text behind it; its value may stand further down."""
    line = _OPINION.sub("", _CONDITION.sub("", plain_line(lines[number].strip())))
    last = number == len(lines) - 1
    is_step = bool(_LISTED.match(lines[number])) and not _RETURNS.search(line)
    if _STATE.fullmatch(lines[number]) and number:
        return None, ""  # "- ans = 0" among the steps
    is_print = len(lines) == 1 and bool(_PRINTED.fullmatch(line))
    found = list(statements(line, read, bare=not is_step and not is_print))
    best = _best(line, found)
    if best is not None and not (best.value is None and best.end >= len(line.rstrip())):
        after = line[best.end :]
        return best, "\n".join([after, *lines[number + 1 :]])
    if (announced := announces(line)) and not last:
        value, used = _of_next(lines, number + 1, read)
        rest = "\n".join(lines[number + 1 + used :])
        return Statement(0, len(line), announced, value), rest
    return best, "\n".join(lines[number + 1 :])


def _best(line: str, candidates: Sequence[Statement]) -> Statement | None:
    """Return the statement of a line that counts: the last among the strongest.

    Its value is None if another strong statement gives a different value and no word such as "so" stands
    between the two.
    """
    if not candidates:
        return None
    strongest = max(one.strength for one in candidates)
    strong = [one for one in candidates if one.strength == strongest]
    last = strong[-1]
    different = {one.value for one in strong if one.value is not None} - {last.value}
    if different and not _CONCLUDES.search(line[strong[-2].end : last.end]):
        return Statement(last.start, last.end, strongest, None)
    return last


def _may_stand(statement: Statement, lines: Sequence[str], number: int, behind: str, read: Read) -> bool:
    """Return whether the text before and behind a statement allows it to be the answer."""
    is_whole = "\n" not in behind.rstrip() or bool(_WHOLE.search(behind))
    behind = behind.strip(" \t\n.!*_`$)\"'。！")
    if len(behind) > _MOST_BEHIND or places.retracts(behind) or _FURTHER.match(behind):
        return False
    before = lines[number - 1].strip() if number else ""
    if _DOUBT.search(before[-200:]) and statement.strength < ANSWER:
        return False
    closes = not behind or all(CLOSES.match(one) for one in behind.split("\n\n"))
    explains = bool(EXPLAINS.match(behind))
    remark = is_whole and len(behind) < 300 and not re.search(r"[\d\[\]{}`]|```", behind)
    if (
        statement.strength == ANSWER
        and is_whole
        and _SURE.search(lines[number])
        and len(behind) < _LONG_BEHIND
    ):
        explains = True
    if statement.strength == ANSWER and _disagrees(statement, lines[:number], lines[number], read):
        return False
    return closes or (statement.strength >= PROGRAM and (explains or remark))


def _disagrees(statement: Statement, before: Sequence[str], line: str, read: Read) -> bool:
    """Return whether earlier lines of the same form give other values, as a list of prints does."""
    is_row = (
        bool(before) and before[-1].strip()[:12] == line.strip()[:12]
    )  # "Final value of a: 1", "..of b: 2"
    if _CONCLUDES.search(line) and not (is_row and not _SETTLES.search(line)):
        return False
    head = line.strip()[:12]
    others = [one for one in before[-30:] if one.strip().startswith(head) and one.strip() != line.strip()]
    return any(
        one.value not in (None, statement.value)
        for other in others
        for one in statements(plain_line(other.strip()), read)
    )


def statements(line: str, read: Read, *, bare: bool = False) -> Iterator[Statement]:
    """Return an iterator over the statements of a plain line, in order.

    `bare`: also find a whole line such as "it is 5", "5 is the answer" or "x holds 7".
    """
    closing = brackets(line)
    lowered = line.lower()
    heads_found: list[tuple[int, int, int, Heads]] = []
    raised: list[Statement] = []
    for heads in all_heads():
        if not any(noun in lowered for noun in heads.nouns):
            continue
        for pattern, strength in ((heads.answer, ANSWER), (heads.program, PROGRAM)):
            heads_found += [(one.start(), one.end(), strength, heads) for one in pattern.finditer(line)]
        raised += _raised(line, heads, read)
    english = all_heads()[0]
    heads_found += [(one.start(), one.end(), PROGRAM, english) for one in calls(line)]
    if bare and not heads_found and not raised and (head := bare_statement().match(line)) is not None:
        heads_found.append((head.start(), head.end(), BARE, english))
    inside = strings_of(line)
    heads_found = [one for one in sorted(heads_found, key=lambda one: one[:2]) if one[0] not in inside]
    found = [_statement(line, *head, closing, read) for head in heads_found[-_MOST_HEADS:]]
    if bare and not found and not raised:
        found += [one for one in (_of_reversed(line, closing, read), _of_closing(line, read)) if one][:1]
    found = sorted([*found, *raised[-_MOST_HEADS:]], key=lambda one: (one.start, one.end))
    return (one for one in found if not _is_reason(line, one, found))


def _is_reason(line: str, statement: Statement, among: Sequence[Statement]) -> bool:
    """Return whether a statement stands in the reason or condition of an earlier one: "6, since f(2) = 3"."""
    for other in among:
        if other.value is not None and other.start < statement.start < other.end:
            between = line[other.start : statement.start]
            if (reason := list(_REASON.finditer(between))) and not _CONSEQUENCE.search(between):
                return "," not in between[reason[-1].end() :]
    return False


def _of_reversed(line: str, closing: dict[int, int], read: Read) -> Statement | None:
    """Return the statement of "5 is the answer." """
    lead = re.compile(CONNECTIVES, re.IGNORECASE).match(line)
    for candidate, end in values_at(line, lead.end() if lead else 0, closing):
        closers = re.compile(r"[*_`$]*").match(line, end)
        verb = _REVERSED.match(line, closers.end() if closers else end)
        if verb and not CHANGES.match(verb["rest"]) and not PASSING.search(verb["rest"]):
            return Statement(0, len(line), PROGRAM, _value(candidate, read))
    return None


def _of_closing(line: str, read: Read) -> Statement | None:
    """Return the statement of a line that ends with a value behind a verb, whatever its subject."""
    lead = re.compile(CONNECTIVES, re.IGNORECASE).match(line)
    concludes = lead is not None and lead.end() > 0 and bool(_CONCLUDING.match(line))
    subject = _AFTER_ALL.sub("", _CODE.sub("``", line))
    if len(line) > _LONGEST_CLOSING or _OTHER_SUBJECT.search(subject) or "?" in line.replace("??", ""):
        return None
    is_result = bool(_RESULTING.match(line, lead.end() if lead else 0))
    states_result = concludes or is_result or bool(_RETURNS.search(subject))
    for pattern, heads in closings():
        if heads.hedges.search(subject) or (heads.cues.code == "en" and not states_result):
            continue
        verbs = list(pattern.finditer(line))[-3:]
        places = [one.end() for one in reversed(verbs)] + ([lead.end()] if lead and concludes else [])
        for place in places:
            if not is_result and _CALCULATES.search(line[lead.end() if lead else 0 : place]):
                continue  # "x = 3" alone is a state
            rest = _without_marks(line[_after_fillers(line, place, heads) :])
            if rest and not rest.endswith(".") and (value := _value(rest, read)) is not None:
                return Statement(0, len(line), BARE, value)
    return None


def _statement(
    line: str, start: int, end: int, strength: int, heads: Heads, closing: dict[int, int], read: Read
) -> Statement:
    """Read the value behind a head."""
    place = _after_fillers(line, end, heads)
    clause = _clause(line, start, place)
    if (
        re.search(r"\bexpected\b", line[max(0, start - 20) : place], re.IGNORECASE)
        and ":" in line[start:place]
    ):
        strength = BARE  # a label of a prompt, unless it closes the reply
    if PASSING.search(line[start:place]) and not re.search(r"\bfinal\b", line[start:place], re.IGNORECASE):
        return Statement(start, place, BARE, None)
    before = _INSTRUCTION.sub("", line[max(0, start - 120) : start])
    if strength == ANSWER and _IN_PASSING.search(clause[: len(clause) - (place - start)]):
        return Statement(start, place, BARE, None)
    if heads.hedges.search(_CODE.sub("``", clause)) or places.EXAMPLE.search(before):
        return Statement(start, place, strength, None)
    whole = _without_marks(line[place:])
    for candidate, reach in ((line[place:].strip(), len(line)), (whole, len(line))):
        if _ENDLESS.fullmatch(candidate):
            return Statement(start, reach, strength, None)
        if candidate and not candidate.endswith(".") and (value := _value(candidate, read)) is not None:
            return Statement(start, reach, strength, value)
    if (value := _of_equation(whole, read)) is not None:
        return Statement(start, len(line), strength, value)
    number = quantity(line[place:])
    for candidate, reach in values_at(line, place, closing):
        if (value := _value(candidate, read)) is not None:
            after = tail(line, reach, heads)
            if after is not None and not _THOUSANDS.match(line, reach):
                return Statement(start, after, strength, value)
            if number is None or strength != ANSWER:
                return Statement(start, reach, strength, None)
    if number is not None and strength == ANSWER and (value := _value(number[0], read)) is not None:
        return Statement(start, place + number[1], strength, value)
    if _ANSWER_LABEL.search(line[start:place]) and (only := of_answer(line[place:])) is not None:
        return Statement(start, len(line), strength, _value(only, read))
    return _appended(line, start, place, strength, heads, closing, read) or Statement(
        start, place, strength, None
    )


def _without_marks(text: str) -> str:
    """Return the end of a sentence without its full stop and emphasis, and without a lone quote."""
    text = text.strip().rstrip("。！").removesuffix(".").removesuffix("!").strip(" *_`$“”").strip()
    return text.strip('"').removesuffix(".") if text.count('"') == 1 else text


def _appended(
    line: str, start: int, place: int, strength: int, heads: Heads, closing: dict[int, int], read: Read
) -> Statement | None:
    """Return the statement of "returns x, which is 7", "returns `x` (7)", "returns x = 7"."""
    joint = _APPENDED.match(line, place)
    if joint is None or heads.hedges.search(joint.group()):
        return None
    for candidate, reach in values_at(line, joint.end(), closing):
        if (value := _value(candidate, read)) is not None:
            after = tail(line, reach, heads)
            return None if after is None else Statement(start, after, strength, value)
    return None


def _of_equation(text: str, read: Read) -> str | None:
    """Return v of "2 + 3 = v" and "x + y = 2 + 3 = v"."""
    left, equals, right = text.rpartition(" = ")
    for _ in range(_MOST_NESTED):
        left, n_replaced = _TEXT_OR_BRACKET.subn("0", left)
        if not n_replaced:
            break
    is_logic = bool(re.search(r"\b(?:True|False)\b", text)) or not re.search(r"\b(?:and|or)\b", left)
    if not equals or "==" in text or not is_logic or not _CALCULATED.fullmatch(left.strip()):
        return None
    return _value(right.strip(), read)


def _value(candidate: str, read: Read) -> str | None:
    """Return the value of a text: a literal or an exception, also in marks of code or in an assertion."""
    return simple(candidate, read)


def _after_fillers(line: str, place: int, heads: Heads) -> int:
    """Return the place after articles, adverbs and names of types; "an empty list" stays as it is."""
    while (found := heads.fillers.match(line, place)) is not None and found.end() > place:
        if re.match(r"\s*(?:an?\s+)?empty\s", line[place : place + 12], re.IGNORECASE):
            match = re.compile(r"\s*(?:an?\s+)?", re.IGNORECASE).match(line, place)
            return match.end() if match else place
        place = found.end()
    return place


def _clause(line: str, start: int, end: int) -> str:
    """Return the text of the clause from its beginning to the value."""
    left = line[max(0, start - 200) : end]
    offset = 0
    for cut in (*_SENTENCE_END.finditer(left), *_CLAUSE.finditer(left)):
        if cut.end() <= start - max(0, start - 200) or _CLAUSE.match(left, cut.start()):
            offset = max(offset, cut.start() + 1)
    return left[offset:]


def tail(line: str, place: int, heads: Heads) -> int | None:
    """Return the place after the tail of a value; None if the rest is no tail or puts the value in doubt."""
    closers = re.compile(
        r"[*_`$)\"”」]*[\s\u2600-\u27bf\U0001f300-\U0001faff\ufe0f]*\|?[*_`$)\"”」]*(?:\\[\])])?[*_]*"
    ).match(line, place)
    place = closers.end() if closers else place
    rest = line[place:]
    if not rest.strip():
        return len(line)
    if ends := re.match(r"\s*(?:[.!。！](?!\.)|…$)[*_`)\"”]*(?:\s|$)|[。！]", rest):
        return place + ends.end()
    sentence = _SENTENCE_END.split(rest, maxsplit=1)[0]
    if _NOT_ANOTHER.match(sentence):
        return place + len(sentence)
    if heads.hedges.search(sentence) or "?" in sentence or "？" in sentence or _OTHER.search(sentence):
        return None
    if CHANGES.match(rest) and not _is_own_type(line[:place], sentence):
        return None
    if found := heads.tails.match(rest) or _FOLLOWS.match(rest) or _AS_TYPE.match(rest):
        return place + max(len(sentence), found.end())
    if re.match(r"\s*[(（](?:(?!\s*\d)[^()]*|[\d\s.]+(?:[-+*/×][\d\s.]+)+)[)）]?\s*[.。]?\s*$", sentence):
        return place + len(sentence)
    if re.match(r"\s*(?:[;；]|[-–—]+)\s", rest) and not re.search(r"[\d'\"\[{(]", rest):
        return place + 1
    return None


def _is_own_type(before: str, sentence: str) -> bool:
    """Return whether a value is said to be of the type that it has: "[1, 2] as a list"."""
    named = _AS_TYPE.fullmatch(sentence)
    types = _TYPES.get(before.rstrip("*_`$ ")[-1:], ()) if named else ()
    return named is not None and named[1].lower() in types


def _raised(line: str, heads: Heads, read: Read) -> Iterator[Statement]:
    """Yield the statements that a program raises an exception: "raises KeyError", "a KeyError is raised"."""
    if heads.raises is not None:
        for found in list(heads.raises.finditer(line))[-_MOST_HEADS:]:
            yield _exception(line, found, heads, read)
    if heads.raised is not None:
        for found in list(heads.raised.finditer(line))[-_MOST_HEADS:]:
            if not _KIND_OF_ERROR.fullmatch(found.group()):
                yield _exception(line, found, heads, read)


def _exception(line: str, match: re.Match[str], heads: Heads, read: Read) -> Statement:
    name = match.group("name")
    clause = _clause(line, match.start(), match.start("name"))
    sentence = _SENTENCE_END.split(line[match.end("name") :], maxsplit=1)[0]
    sentence = re.split(r"\b(?:because|since|as)\b|:", sentence, maxsplit=1)[0]
    doubtful = heads.hedges.search(clause) or heads.hedges.search(sentence) or "?" in sentence
    handled = re.search(r"\b(?:caught|handled|except|then|which)\b|(?:Error|Exception)\b", sentence)
    value = None if doubtful or handled else read(f"raises {name}")
    return Statement(match.start(), match.end() + len(sentence), PROGRAM, value)


def announces(line: str) -> int:
    """Return the strength of a line that only announces a value: "So the output is:"; 0 for other lines."""
    bare = line.strip().rstrip("*_ ")
    for heads in all_heads():
        for pattern, strength in ((heads.answer, ANSWER), (heads.program, PROGRAM)):
            for head in pattern.finditer(bare):
                if len(bare) - head.end() > _LONGEST_FILLERS:
                    continue
                end = _after_fillers(bare, head.end(), heads)
                rest = bare[end:].strip(" :：*_`")
                if not rest and not heads.hedges.search(_clause(bare, head.start(), end)):
                    return strength
    return ANSWER if title().fullmatch(bare) else 0


def _of_next(lines: Sequence[str], number: int, read: Read) -> tuple[str | None, int]:
    """Return the value in the next line or code fence, and the number of lines that it takes."""
    first = lines[number].strip()
    fence = next((mark for mark in _FENCES if first.startswith(mark)), "")
    if not fence or (first.endswith(fence) and first != fence):
        first = _NUMBERED_LABEL.sub("", plain_line(first))
        value = unwrapped_forms(first, read)
        if value is None and (found := quantity(first)) is not None:
            value = unwrapped_forms(found[0], read)
        if value is None and _ANSWER_LABEL.search(lines[number - 1].strip()):
            value = unwrapped_forms(of_answer(first) or "", read)
        return value, 1
    used = 1
    while number + used < len(lines) and not lines[number + used].strip().startswith(fence):
        used += 1
    content = "\n".join(lines[number + 1 : number + used])
    return unwrapped_forms(content, read), used + 1
