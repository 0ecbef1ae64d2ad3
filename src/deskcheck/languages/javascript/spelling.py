"""Write scalar values as JavaScript does: undefined, true, -0, 10n, 1e+21, 'it\\'s'.

scalar_text(trace, handle) -> "undefined"         None for a value that is no scalar of the language
"""

from __future__ import annotations

import math

from deskcheck.records import Trace, ValueKind
from deskcheck.tracing.literal import int_text
from deskcheck.tracing.replay import text_of

LANGUAGES = frozenset({"javascript", "typescript"})
_WORDS = {
    ValueKind.NONE: "null",
    ValueKind.UNDEFINED: "undefined",
    ValueKind.UNASSIGNED: "<unassigned>",
    ValueKind.HOLE: "<hole>",
}


def scalar_text(trace: Trace, handle: int) -> str | None:
    """Return the text of a scalar, None for objects and for what was cut."""
    values = trace.values
    kind = ValueKind(values.kind[handle])
    if kind in _WORDS:
        return _WORDS[kind]
    if kind is ValueKind.BOOL:
        return "true" if values.number[handle] else "false"
    if kind is ValueKind.INT:
        data = values.data[handle]
        number = int_text(int(data, 16) if data else values.number[handle])
        return f"{number}n" if trace.names[values.type[handle]] == "bigint" else number
    if kind is ValueKind.FLOAT:
        return number_text(values.real[handle])
    if kind in (ValueKind.STR, ValueKind.CONCAT):
        return string_text(text_of(trace, handle))
    return None


def number_text(value: float) -> str:
    """Return the shortest text that reads back as this number, in JavaScript's form; -0 keeps its sign.

    >>> number_text(1e21), number_text(123456789.5), number_text(1e-7), number_text(-0.0)
    ('1e+21', '123456789.5', '1e-7', '-0')
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    sign = "-" if math.copysign(1.0, value) < 0 else ""
    if value == 0:
        return sign + "0"
    mantissa, _, exponent_text = f"{abs(value)!r}".partition("e")
    whole, _, fraction = mantissa.partition(".")
    fraction = "" if fraction == "0" else fraction
    digits = (whole + fraction).lstrip("0")
    point = len(whole) + int(exponent_text or 0)  # digits before the decimal point of whole + fraction
    point -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0") or "0"
    n = len(digits)
    if n <= point <= 21:
        return sign + digits + "0" * (point - n)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    exponent = point - 1
    rest = f".{digits[1:]}" if n > 1 else ""
    return f"{sign}{digits[0]}{rest}e{'+' if exponent > 0 else '-'}{abs(exponent)}"


_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "\v": "\\v"}


def string_text(value: str) -> str:
    """Return a string literal, in the quotes that need fewer escapes; lone surrogates are escaped."""
    quote = '"' if "'" in value and '"' not in value else "'"
    parts = []
    for character in value:
        if character == quote:
            parts.append("\\" + character)
        elif character in _ESCAPES:
            parts.append(_ESCAPES[character])
        elif (
            character < " "
            or "\x7f" <= character < "\xa0"
            or character in "\u2028\u2029"
            or "\ud800" <= character <= "\udfff"
        ):
            parts.append(f"\\u{ord(character):04x}")
        else:
            parts.append(character)
    return quote + "".join(parts) + quote
