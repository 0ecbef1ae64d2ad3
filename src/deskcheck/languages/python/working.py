"""Write out the working of an operation on literals: the intermediate results before its value.

    working("356 * 12")            -> "712 + 3560"                  so that the answer reads 712 + 3560 = 4272
    working("356 * 123")           -> "1068 + 7120 = 8188 + 35600"  partial products, running totals
    working("845 // 7")            -> "8 1 1; 14 2 0; 5 0 5"        dividend, quotient, remainder by digit
    working("'rrs'.count('r')")    -> "'r1r2s'"                     the string, with a running count
    working("'rrs'.find('s')")     -> "'r0r1s2'"                    each character before its index
    working("sum([3, 5, 7])")      -> "3; 8; 15"                    running sums
    working("['a', 'b', 'c'][1]")  -> "#0 'a' #1 'b'"               each element after its index

A model that writes a working copies a value or does one basic operation at each step. `%` and `divmod` are
written like `//`, and `index` like `find`. All other operations, and operands beyond the bounds below, have
no working.
"""

from __future__ import annotations

import ast
from itertools import accumulate

MOST_CHARACTERS = 80
"""Longest working of a subscript, in characters."""
MOST_DIGITS = 12
"""Largest number of digits of a number with a working, the sign included."""
_LAST_DIGIT_DIVISORS = (2, 5, 10)
"""Divisors whose remainder the last digit decides: with them `%` and `divmod` have no working."""


def working(text: str) -> str:
    """Return the working of an operation whose operands are literals, or "" if it has none."""
    try:
        node = ast.parse(text, mode="eval").body
        if isinstance(node, ast.BinOp):
            return _arithmetic(node.op, ast.literal_eval(node.left), ast.literal_eval(node.right))
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            return _elements_up_to(ast.literal_eval(node.value), ast.literal_eval(node.slice))
        if not isinstance(node, ast.Call) or node.keywords:
            return ""
        values = [ast.literal_eval(argument) for argument in node.args]
        if isinstance(node.func, ast.Attribute):
            return _of_method(node.func.attr, ast.literal_eval(node.func.value), values)
        return _of_function(node.func.id if isinstance(node.func, ast.Name) else "", values)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):  # operands are not all literals
        return ""


def may_have_working(node: ast.expr) -> bool:
    """Tell whether `working` supports this kind of expression."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Mult | ast.FloorDiv | ast.Mod)
    if isinstance(node, ast.Subscript):
        return not isinstance(node.slice, ast.Slice)
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in ("count", "find", "index", "sum", "divmod")


def _elements_up_to(values: object, index: object) -> str:
    """List the elements of a list or tuple up to an index, each after its own index."""
    if not isinstance(values, list | tuple) or type(index) is not int or not 0 < index < len(values):
        return ""
    text = " ".join(f"#{number} {value!r}" for number, value in enumerate(values[: index + 1]))
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
        isinstance(operator, ast.Mod) and right not in _LAST_DIGIT_DIVISORS
    ):
        return _quotient(left, right)
    return ""


def _product(left: int, right: int) -> str:
    """Multiply by each digit of the second factor in turn, with running totals."""
    if right < 10 or left < 10:
        return ""
    parts = [left * int(digit) * 10**power for power, digit in enumerate(reversed(str(right)))]
    text, total = str(parts[0]), parts[0]
    for number, part in enumerate(parts[1:], 2):
        text += f" + {part}"
        total += part
        if number < len(parts):
            text += f" = {total}"
    return text


def _quotient(left: int, right: int) -> str:
    """Divide digit by digit: dividend, quotient and remainder of each step."""
    if left < 10 or not right > 0:
        return ""
    rows, rest = [], 0
    for digit in str(left):
        dividend = rest * 10 + int(digit)
        quotient, rest = divmod(dividend, right)
        rows.append(f"{dividend} {quotient} {rest}")
    return "; ".join(rows)


def _of_method(name: str, value: object, arguments: list[object]) -> str:
    if not isinstance(value, str) or len(arguments) != 1 or not isinstance(arguments[0], str):
        return ""
    wanted = arguments[0]
    if name == "count" and len(wanted) == 1:
        return repr(_counted(value, wanted))
    if name in ("find", "index") and wanted:
        match = value.find(wanted)
        searched = value[: match + 1] if match >= 0 else value
        return repr("".join(f"{character}{index}" for index, character in enumerate(searched)))
    return ""


def _counted(text: str, wanted: str) -> str:
    """Write the running count after each occurrence of a character."""
    parts, n = [], 0
    for character in text:
        parts.append(character)
        if character == wanted:
            n += 1
            parts.append(str(n))
    return "".join(parts)


def _of_function(name: str, arguments: list[object]) -> str:
    """Return the working of a call of `sum` or `divmod`, or ""."""
    if name == "divmod" and len(arguments) == 2:
        left, right = arguments
        return _arithmetic(ast.Mod(), left, right)
    if name != "sum" or len(arguments) != 1 or not isinstance(arguments[0], list | tuple):
        return ""
    numbers = arguments[0]
    if len(numbers) < 2 or not all(_is_number(number) for number in numbers):
        return ""
    return "; ".join(map(str, accumulate(numbers)))
