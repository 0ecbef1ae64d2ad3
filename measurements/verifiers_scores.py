"""What the scorers of verifiers 0.4.0 pay for values of Python: wrong answers, and true ones.

    pip install verifiers==0.4.0
    python measurements/verifiers_scores.py [--data cruxeval.jsonl]

Prints one table of `verify_boxed_math_answer` and one of `compare_stdout_results`. With the file of CRUXEval
also how many of its true outputs earn nothing, and how many texts earn 1 with their letters in reverse order.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import importlib.util
import json
from pathlib import Path
from typing import Any

BOXED = (
    ("'cba'", "'abc'"), ("'a b'", "'ab'"), ("'1'", "1"), ("[1]", "1"), ("1.0", "1"),
    ("0.30000000000000004", "0.3"), ("'50%'", "0.5"), ("''", "''"),
    ("'abc'", "'abc'"), ("[1, 2]", "[1, 2]"), ("'abd'", "'abc'"), ("(1, 2)", "[1, 2]"),
)  # fmt: skip
"""Answers in a box, and the truths."""
PRINTED = (
    ("1 2\n3", "1\n2 3"),
    ("a\n\nb", "a\nb"),
    ("0.0005", "0"),
    ("1e3", "1000"),
    ("1.0", "1"),
    ("2", "1"),
)
"""Printed texts, and the truths."""


def main() -> None:
    """Print what both scorers pay for the pairs above and for the outputs of CRUXEval."""
    options = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    options.add_argument("--data", type=Path)
    chosen = options.parse_args()
    if importlib.util.find_spec("verifiers") is None:
        print("nothing to run: pip install verifiers==0.4.0")
        return
    score: Any = importlib.import_module("verifiers.v1.utils.score")

    def boxed(answer: str, truth: str) -> float:
        reward: float = score.verify_boxed_math_answer(f"\\boxed{{{answer}}}", truth)
        return reward

    for answer, truth in BOXED:
        print(f"| `{answer}` | `{truth}` | {boxed(answer, truth):.0f} |")
    for answer, truth in PRINTED:
        print(f"| `{answer!r}` | `{truth!r}` | {score.compare_stdout_results(answer, truth):d} |")
    if chosen.data is None:
        return
    truths = [json.loads(line)["output"] for line in chosen.data.read_text(encoding="utf-8").splitlines()]
    unpaid = sum(boxed(truth, truth) == 0 for truth in truths)
    values = [ast.literal_eval(truth) for truth in truths]
    texts = [value for value in values if isinstance(value, str) and value != value[::-1]]
    paid = sum(boxed(repr(text[::-1]), repr(text)) == 1 for text in texts)
    print(f"true outputs without a reward: {unpaid} of {len(truths)}")
    print(f"texts whose reverse is paid: {paid} of {len(texts)}")


if __name__ == "__main__":
    main()
