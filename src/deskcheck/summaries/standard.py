"""Describe values of the standard library: paths, fractions, UUIDs, time zones, regular expressions, matches.

pathlib.PosixPath -> "PosixPath('a/b.txt')"        fractions.Fraction -> "Fraction(1, 3)"
re.Pattern -> "re.compile('a+', re.IGNORECASE)"    re.Match -> "<match of (0, 2) 'aa'>"
"""

from __future__ import annotations

import datetime
import re
from typing import Any

from deskcheck.summaries import Look, Summary, Unread

_FLAGS = {"IGNORECASE": 2, "MULTILINE": 8, "DOTALL": 16, "VERBOSE": 64, "ASCII": 256}


def path(value: Any, look: Look) -> str:
    """Write a path of pathlib from the parts that it was made of."""
    kind = look.type_name(type(value)).rpartition(".")[2]
    is_windows = "Windows" in kind
    try:
        drive, root, parts = (look.field(value, name) for name in ("_drv", "_root", "_parts"))
        texts = list(parts[1:] if drive or root else parts)
        separator = "\\" if is_windows else "/"
        text = f"{drive}{root}{separator.join(_plain(texts))}"
    except (Unread, AttributeError):  # 3.12 and later keep the texts until a part is asked for
        raw = _plain(look.field(value, "_raw_paths"))
        text = "\\".join(raw) if is_windows else _joined(raw)
    return f"{kind}({(text or '.')!r})"


def _plain(texts: Any) -> list[str]:
    if type(texts) not in (list, tuple) or any(type(text) is not str for text in texts):
        raise Unread("texts of a path")
    return list(texts)


def _joined(raw: list[str]) -> str:
    start = max((n for n, text in enumerate(raw) if text.startswith("/")), default=0)
    text = "/".join(filter(None, raw[start:]))
    root = "" if not text.startswith("/") else "//" if re.match("//[^/]", text) else "/"
    return root + "/".join(part for part in text.split("/") if part not in ("", "."))


def fraction(value: Any, look: Look) -> str:
    """Write a fraction by numerator and denominator."""
    parts = [look.text(look.field(value, name)) for name in ("_numerator", "_denominator")]
    return f"Fraction({', '.join(parts)})"


def uuid(value: Any, look: Look) -> str:
    """Write a UUID in the usual groups of digits."""
    number = look.field(value, "int")
    if type(number) is not int:
        raise Unread("int")
    digits = f"{number:032x}"
    return f"UUID('{'-'.join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))}')"


def time_zone(value: Any, look: Look) -> str:
    """Write a fixed time zone by its offset and name."""
    arguments = look.call(value, "__getinitargs__")
    if arguments == (datetime.timedelta(0),):
        return "datetime.timezone.utc"
    return f"datetime.timezone({', '.join(look.text(part) for part in arguments)})"


def place(value: Any, look: Look) -> str:
    """Write a time zone of the database by its key."""
    key = look.field(value, "key")
    if type(key) is not str:
        raise Unread("key")
    return f"zoneinfo.ZoneInfo(key={key!r})"


def pattern(value: Any, look: Look) -> str:
    """Write a compiled regular expression by its text and flags."""
    flags = look.field(value, "flags")
    words = " | ".join(f"re.{name}" for name, bit in _FLAGS.items() if flags & bit)
    return f"re.compile({look.text(look.field(value, 'pattern'), 120)}{f', {words}' if words else ''})"


def match(value: Any, look: Look) -> str:
    """Write a match by its place and the matched text."""
    text = look.field(value, "string")
    start, end = look.call(value, "span")
    if type(text) not in (str, bytes):
        return f"<match of ({start}, {end})>"
    return f"<match of ({start}, {end}) {look.text(text[start:end])}>"


SUMMARIES = {
    **{
        f"{module}.{name}": Summary(path, can_change=False)
        for module in ("pathlib", "pathlib._local")  # the second in 3.13
        for name in ("PosixPath", "PurePosixPath", "WindowsPath", "PureWindowsPath")
    },
    "fractions.Fraction": Summary(fraction, can_change=False),
    "uuid.UUID": Summary(uuid, can_change=False),
    "datetime.timezone": Summary(time_zone, can_change=False),
    "zoneinfo.ZoneInfo": Summary(place, can_change=False),
    "re.Pattern": Summary(pattern, can_change=False),
    "re.Match": Summary(match, can_change=False),
}
