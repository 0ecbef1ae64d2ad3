"""Read the text of an answer as a value of the program's language, and compare two values under a policy.

    parse_literal("[1, 'a', {2.5: None}]") -> [1, 'a', {2.5: None}]
    parse_literal("f(3)")                  -> BadSource
    equal((1, True), [1.0, 1], "lenient")  -> True
    equal(0.1 + 0.2, 0.3, "lenient:1e-9")  -> True

The language reads and compares (`languages.PARTS`); `languages/python/literals.py` has Python's rules.

strict     exact types at every depth, and values that print alike
lenient    numbers by value; kinds of sequences, and kinds of sets, are alike; "lenient:t" has a tolerance,
           relative and absolute
published  the language's own ==, for Python the rule of CRUXEval and LiveCodeBench
"""

from __future__ import annotations

import math

from deskcheck.errors import BadSource, UnknownName, UserError
from deskcheck.languages import part

# Longer than the repr of any scalar that a trace records by default (64 KiB), and short enough that the
# worst text found (49,000 elements, then a syntax error) is refused in under half a second.
MAX_CHARS = 100_000
# A truth comes from a run or a file, not from a model, and is read once.
TRUTH_CHARS = 1_000_000
POLICIES = ("strict", "lenient", "published")


def parse_literal(text: str, *, most: int = MAX_CHARS, language: str = "python") -> object:
    """Return the value of one literal of at most `most` characters.

    BadSource gives the reason why a text is none.
    """
    value: object = part(language, "read")(text, most=most)
    return value


def is_literal(text: str, *, language: str = "python") -> bool:
    """Return whether `parse_literal` would return a value."""
    try:
        parse_literal(text, language=language)
    except BadSource:
        return False
    return True


def tolerance_of(policy: str) -> float:
    """Check the name of a policy and return its float tolerance: 0.0, or t of "lenient:t"."""
    name, colon, number = policy.partition(":")
    if name not in POLICIES or (colon and name != "lenient"):
        raise UnknownName("policy", policy, [*POLICIES, "lenient:1e-9"])
    if not colon:
        return 0.0
    try:
        tolerance = float(number)
    except ValueError:
        tolerance = -1.0
    if not 0.0 <= tolerance < math.inf:
        raise UserError(f"the tolerance of policy '{policy}' is no number >= 0; write it as lenient:1e-9")
    return tolerance


def equal(a: object, b: object, policy: str = "strict", *, language: str = "python") -> bool:
    """Return whether the two values are the same answer. Values are those that `parse_literal` makes."""
    tolerance = tolerance_of(policy)
    return bool(part(language, "same")(a, b, policy=policy.partition(":")[0], tolerance=tolerance))
