"""Pairs of texts of which the page and the grader must say the same: right, wrong or not readable."""

from __future__ import annotations

import random

from deskcheck.errors import BadSource
from deskcheck.grading.verdict import Raises, answer_value
from deskcheck.languages import equal

_TEXTS = (
    "0",
    "1",
    "-1",
    "+1",
    "--1",
    "-0",
    "0.0",
    "-0.0",
    "1.0",
    "-1.0",
    "1.",
    ".5",
    "0.5",
    "5e-1",
    "1e3",
    "1000.0",
    "1000",
    "1_000",
    "1__0",
    "01",
    "00",
    "0x1f",
    "31",
    "0b11",
    "0o17",
    "1e999",
    "-1e999",
    "inf",
    "-inf",
    "nan",
    "-nan",
    "1e-400",
    "5e-324",
    "9007199254740993",
    "9007199254740992",
    "9007199254740993.0",
    "123456789" * 5,
    "123456789" * 5 + ".0",
    "10" * 2200,
    "1j",
    "-1j",
    "1+1j",
    "(1+1j)",
    "-0+1j",
    "0j",
    "nan+infj",
    "(nan+infj)",
    "1-nanj",
    "True",
    "False",
    "-True",
    "None",
    "...",
    "Ellipsis",
    "NotImplemented",
    "true",
    "null",
    "x",
    "1 2",
    "1,2",
    "1,",
    "(1)",
    "(1,)",
    "()",
    "set()",
    "frozenset()",
    "set([1, 2])",
    "set((1, 1.0))",
    "frozenset({1, 2})",
    "set([[1]])",
    "{[1]}",
    "{1, True}",
    "{True, 1}",
    "{1.0, 1}",
    "{0.0, -0.0}",
    "{nan, nan}",
    "{nan, -nan}",
    "{1: 'a', True: 'b'}",
    "{1: 'b'}",
    "{True: 'b'}",
    "{}",
    "{1}",
    "{(1, 2): [3]}",
    "{**{}}",
    "[*[]]",
    "1 + 1",
    "f(1)",
    "raises KeyError",
    "raises json.JSONDecodeError",
    "raises JSONDecodeError",
    "raises",
    "'a' 'b'",
    "'ab'",
    "b'ab'",
    "b'a' b'b'",
    "'a' b'b'",
    "r'\\n'",
    "'\\n'",
    "'\\\\n'",
    "'\\x41'",
    "'A'",
    "'\\u0041'",
    "'\\U0001F600'",
    "'\U0001f600'",
    "'\\ud83d\\ude00'",
    "'\\ud800'",
    "'\\q'",
    "'\\\\q'",
    "'\\101'",
    "'\\0'",
    "'\\777'",
    "b'\\377'",
    "b'\\xff'",
    "b'é'",
    "'é'",
    "'e\u0301'",
    "'''a\nb'''",
    "'a\\nb'",
    "'a\nb'",
    '"it\'s"',
    "'it\\'s'",
    "f'a'",
    "u'a'",
    "'a'",
    "Rb'\\q'",
    "'\u202e'",
    "'\\u202e'",
    "'\\N{BULLET}'",
    "'",
    "[",
    "]",
    "[1",
    "{1:}",
    "{1: 2, 3}",
    "[1, 2,]",
    "[,]",
    "(,)",
    "",
    " 1 ",
    "1 # one",
    "[1,\n 2]",
    "[[[]]]",
    "[" * 70 + "]" * 70,
    "1_0.0_1",
    "1e1_0",
    "1_e1",
    "0_0",
    "1.e5",
    "1..",
    "1.real",
    "0xg",
    "2 if 1 else 0",
    "not 1",
    "~1",
    "lambda: 1",
    "1.5j",
    "+0+2j",
    "-2j",
    "1+2j+3j",
    "1--2j",
    "-(1)",
    "-(1+2j)",
    "((1))",
    "((), ())",
    "1" + "0" * 400 + "+1j",
    "1 == 1",
    "'a'.upper()",
    "\t2",
    "007",
    "1L",
    "0777",
    "1e",
    "e1",
    "_1",
    "1,,2",
)


def _is_read(text: str) -> bool:
    try:
        answer_value(text)
    except BadSource:
        return False
    return not text.startswith("raises")


_READ = [text for text in _TEXTS if _is_read(text)]


def pairs(n: int, seed: int) -> list[tuple[str, str]]:
    """`n` pairs: half of them spellings of one value or near it, the others anything beside anything."""
    draw = random.Random(seed)
    found = []
    while len(found) < n:
        first = _text(draw, 0)
        near = draw.random()
        if near < 0.3:
            second = _respelled(first, draw)
        elif near < 0.45:
            second = _changed(first, draw)
        else:
            second = _text(draw, 0)
        found.append((first, second))
    return found


def _text(draw: random.Random, depth: int) -> str:
    kind = draw.random()
    if depth > 2 or kind < 0.45:
        return draw.choice(_TEXTS if depth == 0 or draw.random() < 0.04 else _READ)
    if kind < 0.55:
        return repr(_value(draw))
    parts = [_text(draw, depth + 1) for _ in range(draw.randrange(4))]
    joined = draw.choice((", ", ",", " ,\n")).join(parts)
    if kind < 0.7:
        return f"[{joined}]"
    if kind < 0.8:
        return f"({joined}{',' if len(parts) == 1 else ''})"
    if kind < 0.9:
        return f"{{{joined}}}"
    return "{" + ", ".join(f"{_text(draw, 3)}: {part}" for part in parts) + "}"


def _value(draw: random.Random) -> object:
    letters = "ab'\"\\\n\t\0é\u202e\U0001f600\ud800 "
    return draw.choice(
        (
            draw.randrange(-(10**20), 10**20),
            draw.uniform(-1e3, 1e3),
            draw.random() * 10 ** draw.randrange(-300, 300),
            "".join(draw.choice(letters) for _ in range(draw.randrange(6))),
            draw.randbytes(draw.randrange(4)),
            complex(draw.random(), -draw.random()),
            {draw.randrange(9): draw.random()},
            {draw.randrange(99), "x"},
        )
    )


def _respelled(text: str, draw: random.Random) -> str:
    """The same value, written otherwise, where it can be read at all."""
    try:
        value = answer_value(text)
    except BadSource:
        return text
    if isinstance(value, Raises):
        return text
    return draw.choice((repr(value), f" {text}", f"({text})" if "," not in text else text))


def _changed(text: str, draw: random.Random) -> str:
    at = draw.randrange(len(text) + 1)
    return text[:at] + draw.choice("0123.-+_,'\"[]{}()e j:\\xnb ") + text[at + draw.randrange(2) :]


def verdict(answer: str, truth: str, language: str = "python") -> str:
    """What the grader says; "not readable" where either is no answer."""
    try:
        said, wanted = (answer_value(text, language=language) for text in (answer, truth))
    except BadSource:
        return "not readable"
    if isinstance(said, Raises) or isinstance(wanted, Raises):
        same = isinstance(said, Raises) and isinstance(wanted, Raises) and said.type == wanted.type
        return "right" if same else "wrong"
    return "right" if equal(said, wanted, "strict", language=language) else "wrong"
