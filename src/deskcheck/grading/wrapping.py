"""Take the usual wrapping off an answer: markdown, LaTeX, labels, sentences, asserts, punctuation.

    unwrapped("**Answer:** `[1, 2]`.", read) -> "[1, 2]"
    in_prose("..so it returns 5.", read)     -> "5"        the last line, a fence at the end, a box

The text without its wrapping is read as a whole: a literal with other text beside it is no answer.
"""

from __future__ import annotations

import ast
import io
import json
import re
import tokenize
import warnings
from collections.abc import Callable, Iterator

from deskcheck.grading.literals import MAX_CHARS

Reader = Callable[[str], str | None]

_FENCE = re.compile(r"```[\w+-]*[ \t]*\n(.*?)```", re.DOTALL)
_ONE_LINE_FENCE = re.compile(r"```(?:python |json |text )?([^\n`]+)```")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_BOXED = re.compile(r"\\boxed\s*\{")
_BRACE = re.compile(r"[{}]")
_LATEX = ((r"\[", r"\]"), (r"\(", r"\)"), ("$$", "$$"), ("$", "$"))
_LABEL = (
    r"(?:(?:so|thus|hence|therefore|finally|in conclusion|as a result|and|then)[, ]+)?"
    r"(?:the |my |its |our )?(?:final |correct |expected |returned |exact )?"
    r"(?:answer|output|result|return(?:ed)? value|value(?: returned)?|returns?)"
)
_LABELED = re.compile(rf"[#>\-* ]*+{_LABEL}(?: is| are)?\**\s*(?:[:=]|->|→|=>)+\**\s*(.*)", re.I | re.DOTALL)
_SUBJECT = (
    r"(?:(?:the |this |our )?(?:final |whole |entire )?(?:function|call|code|program|method|snippet|"
    r"assertion|output|result|answer|return(?:ed)? value|value returned|list|string|expression)"
    r"(?: (?:of|for|by|from|returned|given|call) [^.]{1,160}?)?|it|this|that|which|"
    r"(?:the (?:function|call|method) )?`?[A-Za-z_][\w.]*(?:\([^\n]{0,300}?\))?`?)"
)
_VERB = (
    r"(?:will |would |should |then |therefore |thus |finally |eventually |simply |also |just )*"
    r"(?:returns?|gives?|yields?|outputs?|produces?|prints?|evaluates? to|results? in|is|equals?|becomes?|be)"
    r"(?: therefore| thus| then| simply| just| exactly)?"
)
_NOUN = (
    r"(?:(?:an? |the )?(?:empty |final |resulting |single |boolean |integer |literal )*"
    r"(?:value|values|list|tuple|string|str|dict|dictionary|set|integer|int|number|boolean|bool|float|result)?"
    r"(?: of)?[ :]*)"
)
_SENTENCE = re.compile(
    rf"(?:[#>\-* ]|\d+\.)*+(?:(?:so|thus|hence|therefore|finally|in conclusion|in summary|as a result|and|"
    rf"then|consequently|overall)[, ]+)?(?:we (?:get|have|see|find) (?:that )?)?(?:when [^,]{{1,120}}, )?"
    rf"{_SUBJECT}\s+{_VERB}[ :]+{_NOUN}\**\s*(.+?)"
    r"(?:,? when (?:it is |it's )?(?:called|run|executed) (?:with|on) .{1,200})?",
    re.IGNORECASE | re.DOTALL,
)
_CHINESE = re.compile(
    r"(?:.*[，,。：:；;]\s*)?(?:所以|因此|故|综上|最终|最后|那么)?[，,]?\s*"
    r"(?:(?:最终|正确|程序|函数|代码|该函数|调用|它|这个函数)?的?(?:答案|结果|输出|返回值|返回结果|输出结果)"
    r"(?:就?应?该?是|为|等于)?|(?:该|这个)?(?:函数|程序|代码|调用|它)?(?:会|将|应该|最终|应)?(?:返回|输出|得到|抛出|引发)了?)"
    r"\s*[：:]?\s*(.+?)\s*(?:异常|错误)?",
    re.DOTALL,
)
_CHINESE_RAISES = re.compile(r"(?:抛出|引发|触发)(?:了)?(?:一个)?\s*`?([A-Za-z_]\w*)`?\s*(?:异常|错误)?")
_FLOAT = re.compile(
    r"float\(\s*(['\"])\s*([+-]?)\s*(inf|infinity|nan)\s*\1\s*\)|(?:math|np|numpy)\.(inf|nan)\b", re.I
)
_ERROR = r"(?:[A-Za-z_]\w*\.)*([A-Z]\w*(?:Error|Exception|Warning|Exit|Interrupt|Iteration|Group))"
_MESSAGE = re.compile(
    rf"(?:Traceback \(most recent call last\):.*\n)?(?:raise |raises? an? |an? )?`?{_ERROR}`?"
    r"(?:\s*[:(].*|\s+(?:exception|error))?",
    re.DOTALL,
)
_NAME = r"`?((?:[A-Za-z_<][\w<>]*\.)*[A-Z]\w*)`?"  # capitalised: "raises the total" is prose
_RAISES = re.compile(
    rf"(?:assert )?(?:.{{0,120}}?\b(?:function|call|code|program|it|f|this|\w+\([^\n]*\)) )?"
    rf"(?:will |would )?(?:raises?|throws?):? (?:an? )?{_NAME}(?: (?:exception|error))?"
    r"(?:\.|\s*[:(].*| (?:because|since|as|when) .*)?",
    re.IGNORECASE | re.DOTALL,
)
_MAYBE = re.compile(
    r"\b(?:if|unless|only when|caught|handled|except|instead|otherwise|then|maybe|perhaps|or)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:either|one of|possible|possibly|maybe|perhaps|probably|could be|might be|may be|depends|not sure|"
    r"unsure|unclear|cannot (?:be )?determine|can't|i cannot|guess|approximately|roughly|not|"
    r"n't|wrong|incorrect|if|unless|example|e\.g)\b|可能|或者|大概|也许|不是|取决于|如果",
    re.IGNORECASE,
)


def is_whole(text: str) -> bool:
    """Return whether a text may be an answer as a whole: no comment, no dots for omitted parts."""
    if _THOUSANDS.fullmatch(text) or text.endswith((".", ",")) or text == "...":
        return False
    if "#" not in text and "..." not in text:
        return True
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return True  # no literal either, so its reader will refuse it
    return not any(one.type == tokenize.COMMENT or one.string == "..." for one in tokens)


def unwrapped(text: str, read: Reader) -> str | None:
    """Return the answer in a short text, with the usual wrapping taken off."""
    return next((found for form in _forms(text) if (found := _read(form, read)) is not None), None)


def in_prose(text: str, read: Reader) -> str | None:
    """Return the answer at the end of a text without tags: the whole, a box, a fence, or the last line."""
    if (found := unwrapped(text, read)) is not None:
        return found
    stripped = text.strip()
    lines = [line for line in stripped.splitlines() if line.strip()]
    if not lines:
        return None
    boxes = list(_boxes(stripped))
    if boxes and boxes[-1] and len(set(boxes)) == 1:
        return unwrapped(boxes[-1], read)
    fences = list(_FENCE.finditer(stripped))
    if fences and not stripped[fences[-1].end() :].strip():
        before = stripped[: fences[-1].start()].rstrip().rpartition("\n")[2]
        return None if _HEDGED.search(before) else unwrapped(fences[-1].group(1), read)
    return _of_last_line(lines, read)


def loosely(text: str, read: Reader) -> str | None:
    """Return the answer in a text; JSON's words and a line without quotes, as a string, also count."""
    if (found := unwrapped(text, _with_json(read))) is not None:
        return found
    lines = [line.strip() for line in text.strip().splitlines() if line.strip()]
    if len(lines) > 1:
        return loosely_in_prose(text, read)
    return _as_string(lines[0], read) if lines else None


def loosely_in_prose(text: str, read: Reader) -> str | None:
    """Return the answer at the end of a text without tags, or in its first line if code follows."""
    loose = _with_json(read)
    if (found := in_prose(text, loose)) is not None:
        return found
    lines = [line for line in text.strip().splitlines() if line.strip()]
    first = lines[0] if lines else ""
    if len(lines) > 1 and lines[1].lstrip().startswith(("```", "def ", "assert ", "import ", "class ")):
        return unwrapped(first, loose)
    return None


# ------------------------------------------------------------------ forms of a short text


def _forms(text: str) -> Iterator[str]:
    """Yield the text with more and more wrapping taken off; each form is tried as a whole."""
    seen = set[str]()
    waiting = [text.strip()]
    while waiting and len(seen) < 40:
        form = waiting.pop(0).strip()
        if not form or form in seen or len(form) > MAX_CHARS:
            continue
        seen.add(form)
        yield form
        waiting += _peeled(form)


def _peeled(text: str) -> Iterator[str]:
    """Yield the texts that are left after taking off one layer."""
    fences = _FENCE.findall(text) if text.startswith("```") and text.endswith("```") else []
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
    for left, right in _LATEX:
        if len(text) > len(left + right) and text.startswith(left) and text.endswith(right):
            yield text[len(left) : -len(right)].replace(r"\_", "_")
    if text.startswith("\\boxed") and len(found := list(_boxes(text))) == 1 and text.endswith("}"):
        yield found[0]
    if match := re.fullmatch(r"\\(?:text|texttt|mathtt|mathrm)\{(.*)\}", text, re.DOTALL):
        yield match.group(1)
    if text.endswith((".", "。")) and not text.endswith(".."):
        yield text[:-1]
    if text.startswith((":", "：", "=", "->", "→")) and not text.startswith("=="):
        yield text.lstrip(":：=->→ ")
    comment = re.fullmatch(r"([^\n]+?)\s+#([^#\n\d'\"()\[\]{}]*)", text)
    if comment and not _HEDGED.search(comment.group(2)) and not _MAYBE.search(comment.group(2)):
        yield comment.group(1)
    yield from _said(text)
    if (value := _stated(text)) is not None:
        yield value


def _said(text: str) -> Iterator[str]:
    """Yield the values in a label or a one-line sentence."""
    if "\n" in text.strip() and not _LABELED.fullmatch(text):
        return
    if match := _LABELED.fullmatch(text):
        yield match.group(1)
    if match := re.fullmatch(r"[^\n]*?[:：]\s*`?(assert [^\n]+?)`?\.?", text):
        yield match.group(1)
    plain = text.removesuffix(".").removesuffix("。")
    match = _RAISES.fullmatch(plain)
    if match and match.group(1).rpartition(".")[2][0].isupper() and not _is_open(plain, match):
        yield f"raises {match.group(1)}"
    match = _CHINESE_RAISES.search(plain)
    if match and match.end() == len(plain) and not _HEDGED.search(plain):
        yield f"raises {match.group(1)}"
    if match := _CHINESE.fullmatch(plain):
        yield match.group(1)
    if (match := _SENTENCE.fullmatch(plain)) and not _HEDGED.search(plain[: match.start(1)]):
        value = match.group(1)
        yield value
        if empty := re.fullmatch(
            r"(?:an )?empty (?:list|tuple|string|dictionary|set) [`(]*(.+?)[`)]*", value
        ):
            yield empty.group(1)


def _is_open(text: str, match: re.Match[str]) -> bool:
    """Return whether the words around an exception's name leave open that it is raised."""
    return bool(_MAYBE.search(text[match.end(1) :]) or _HEDGED.search(text[: match.start(1)]))


def _stated(text: str) -> str | None:
    """Return v of "assert f(3) == v", "f(3) -> v", "return v", "print(v)", "result = v"."""
    if match := re.fullmatch(r"`?[A-Za-z_][\w.]*\(.*\)`?\s*(?:->|→|=>|⇒|returns?)\s*(.+)", text, re.DOTALL):
        return match.group(1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if len(body) != 1:
        return None
    return _of_statement(body[0], text)


def _of_statement(node: ast.stmt, text: str) -> str | None:
    value: ast.expr | None = None
    if isinstance(node, ast.Return) or (
        isinstance(node, ast.Assign) and [type(target) for target in node.targets] == [ast.Name]
    ):
        value = node.value
    elif isinstance(node, ast.Assert):
        value = _compared(node.test)
    elif isinstance(node, ast.Expr):
        value = _compared(node.value)
        call = node.value
        if (
            value is None
            and isinstance(call, ast.Call)
            and isinstance(call.func, ast.Name)
            and call.func.id == "print"
        ):
            value = call.args[0] if len(call.args) == 1 and not call.keywords else None
    return ast.get_source_segment(text, value) if value is not None else None


_NO_ENTRY = frozenset(
    {"len", "type", "sum", "max", "min", "sorted", "set", "list", "str", "int", "abs", "isinstance"}
)


def _compared(node: ast.expr) -> ast.expr | None:
    """Return v of "f(3) == v"; None for a comparison of anything but one call."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not isinstance(node.ops[0], ast.Eq):
        return None
    if not isinstance(node.left, ast.Call):
        return None
    return None if ast.unparse(node.left.func) in _NO_ENTRY else node.comparators[0]


def _read(form: str, read: Reader) -> str | None:
    """Return the answer in one form: a value, or an exception by its message."""
    if "(" in form or "." in form:
        form = _FLOAT.sub(lambda match: (match[2] or "") + (match[3] or match[4])[:3].lower(), form)
    if is_whole(form) and (found := read(form)) is not None:
        return found
    match = _MESSAGE.fullmatch(form)
    if match is None:
        return None
    rest = form[match.end(1) :]
    if _MAYBE.search(rest) or re.search(_ERROR, rest):
        return None
    return read(f"raises {match.group(1)}")


def _boxes(text: str) -> Iterator[str]:
    """Yield the contents of every boxed{..} of LaTeX, with matched braces."""
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
            yield text[match.end() : end].replace(r"\{", "{").replace(r"\}", "}")


def _of_last_line(lines: list[str], read: Reader) -> str | None:
    """Return the answer in the last line, unless the line is a list number or the line before is hedged."""
    last, before = lines[-1].strip(), lines[-2].strip() if len(lines) > 1 else ""
    found = unwrapped(last, read)
    if found is None or _is_next_number(before, last) or (before and _HEDGED.search(before[-200:])):
        return None
    if read(last) is None:  # a sentence, a label or an assert presents itself as the answer
        return found
    other = unwrapped(before, read) if before else None
    return found if other in (None, found) else None


def _is_next_number(before: str, last: str) -> bool:
    """Return whether the last line is only the number of the next point, perhaps cut: "59. ..", "60"."""
    point = re.match(r"\W*(\d{1,9})[.):]", before)
    if point is None or not re.fullmatch(r"\d{1,9}[.)]?", last):
        return False
    return str(int(point[1]) + 1).startswith(last.rstrip(".)"))


def _with_json(read: Reader) -> Reader:
    """Return a reader that also accepts JSON's words in a text that is otherwise no answer."""

    def loose(text: str) -> str | None:
        if (found := read(text)) is not None:
            return found
        if not re.search(r"\b(?:true|false|null)\b", text):
            return None
        try:
            return read(repr(json.loads(text)))
        except (ValueError, RecursionError):
            return None

    return loose


def _as_string(line: str, read: Reader) -> str | None:
    """Return the string in a line without quotes; None for a sentence, a choice or an expression."""
    line = line.strip("`").strip()
    if (
        not line
        or len(line) > 200
        or _HEDGED.search(line)
        or re.search(r"[=()\[\]{}]|\bor\b|\braises?\b", line)
    ):
        return None
    if re.search(_ERROR, line) or _THOUSANDS.fullmatch(line) or line.endswith((".", ":", "?")):
        return None
    return read(repr(line))
