"""The working of an operation: small steps that lead to its value, each a copy or a known small operation.

    working("356 * 12")       -> "712 + 3560"          so that the answer reads  712 + 3560 = 4272
    working("845 // 7")       -> "8 1 1; 14 2 0; 5 0 5"    dividend, quotient, remainder, digit by digit
    working("'rrs'.count('r')")  -> "'r1r2s'"          the string, a running count after every match
    working("'rrs'.find('s')")   -> "'r0r1s2'"         places, up to the match
    working("sum([3, 5, 7])") -> "3; 8; 15"            running sums
    working("['a', 'b', 'c'][1]")  -> "#0 'a' #1 'b'"      the elements up to the place, with their places

Any other operation has none: its value is written at once. Measured: docs/training.md, "redexes".
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import accumulate

MOST_CHARACTERS = 80
"""Of the elements up to a place."""
MOST_DIGITS = 12
"""Of a number that is divided or multiplied in steps."""
LAST = (2, 5, 10)
"""Remainders that the last digit says."""


def working(text: str) -> str:
    """The working of an operation whose operands are literals; "" = none."""
    try:
        node = ast.parse(text, mode="eval").body
        if isinstance(node, ast.BinOp):
            return _arithmetic(node.op, ast.literal_eval(node.left), ast.literal_eval(node.right))
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            return _up_to(ast.literal_eval(node.value), ast.literal_eval(node.slice))
        if not isinstance(node, ast.Call) or node.keywords:
            return ""
        values = [ast.literal_eval(argument) for argument in node.args]
        if isinstance(node.func, ast.Attribute):
            return _of_method(node.func.attr, ast.literal_eval(node.func.value), values)
        return _of_function(node.func.id if isinstance(node.func, ast.Name) else "", values)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # operands are not all literals
        return ""


def may_have_working(node: ast.expr) -> bool:
    """Whether an expression is of a kind that has a working."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Mult | ast.FloorDiv | ast.Mod)
    if isinstance(node, ast.Subscript):
        return not isinstance(node.slice, ast.Slice)
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("count", "find", "index", "sum", "divmod")


def _up_to(values: object, place: object) -> str:
    """The elements of a list up to a place, each after its own place."""
    if not isinstance(values, list | tuple) or type(place) is not int or not 0 < place < len(values):
        return ""
    text = " ".join(f"#{at} {value!r}" for at, value in enumerate(values[: place + 1]))
    return text if len(text) <= MOST_CHARACTERS else ""


def _is_number(value: object) -> bool:
    return type(value) is int and len(str(value)) <= MOST_DIGITS


def _arithmetic(operator: ast.operator, left: object, right: object) -> str:
    if not (_is_number(left) and _is_number(right)):
        return ""
    assert isinstance(left, int) and isinstance(right, int)
    if isinstance(operator, ast.Mult):
        return _product(abs(left), abs(right))
    if (isinstance(operator, ast.FloorDiv) and right != 10) or (
        isinstance(operator, ast.Mod) and right not in LAST
    ):
        return _quotient(left, right)
    return ""


def _product(left: int, right: int) -> str:
    """A product for each digit of the second factor, added up as they come."""
    if right < 10 or left < 10:
        return ""
    parts = [left * int(digit) * 10**place for place, digit in enumerate(reversed(str(right)))]
    text, total = str(parts[0]), parts[0]
    for number, part in enumerate(parts[1:], 2):
        text += f" + {part}"
        total += part
        if number < len(parts):
            text += f" = {total}"
    return text


def _quotient(left: int, right: int) -> str:
    """Long division from the first digit on: what is divided, quotient, remainder."""
    if left < 10 or not right > 0:
        return ""
    rows, rest = [], 0
    for digit in str(left):
        divided = rest * 10 + int(digit)
        quotient, rest = divmod(divided, right)
        rows.append(f"{divided} {quotient} {rest}")
    return "; ".join(rows)


def _of_method(name: str, value: object, arguments: list[object]) -> str:
    if not isinstance(value, str) or len(arguments) != 1 or not isinstance(arguments[0], str):
        return ""
    wanted = arguments[0]
    if name == "count" and len(wanted) == 1:
        return repr(_marked(value, lambda n, c: c == wanted))
    if name in ("find", "index") and wanted:
        at = value.find(wanted)
        read = value[: at + 1] if at >= 0 else value
        return repr("".join(f"{character}{place}" for place, character in enumerate(read)))
    return ""


def _marked(text: str, is_match: Callable[[int, str], bool]) -> str:
    """The text with a running count after each match."""
    parts, n = [], 0
    for place, character in enumerate(text):
        parts.append(character)
        if is_match(place, character):
            n += 1
            parts.append(str(n))
    return "".join(parts)


def _of_function(name: str, arguments: list[object]) -> str:
    """Running sums, and divisions."""
    if name == "divmod" and len(arguments) == 2:
        left, right = arguments
        return _arithmetic(ast.Mod(), left, right)
    if name != "sum" or len(arguments) != 1 or not isinstance(arguments[0], list | tuple):
        return ""
    numbers = arguments[0]
    if len(numbers) < 2 or not all(_is_number(number) for number in numbers):
        return ""
    return "; ".join(map(str, accumulate(numbers)))
