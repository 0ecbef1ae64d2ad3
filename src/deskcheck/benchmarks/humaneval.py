"""HumanEval: 164 functions with their reference solutions, seven tests each; what does the call return?

Source: Chen et al., arXiv 2107.03374; openai/openai_humaneval. License: MIT. Row: task_id, prompt (signature
and docstring), canonical_solution, entry_point, test (`def check(candidate)`). 1,065 asserts over 155
problems are "candidate(literals) == literal"; the others are skipped and counted. The docstring often has
examples, so it is removed from the program; statement=en shows it above the program without its examples.
HumanEval+ (`--data`, from the hub or EvalPlus) is read too: cases=N takes the first N inputs of a problem.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Literal

from deskcheck.benchmarks._calls import asserted
from deskcheck.benchmarks._plus import Case, plus_cases
from deskcheck.data_files import rows_of, text_field
from deskcheck.errors import BadSource, DataError
from deskcheck.grading.verdict import literal_arguments
from deskcheck.languages.python.parsing import parse_module
from deskcheck.records import Skipped, TaskDraft
from deskcheck.tracing.program import make_program

HUB = (
    "openai/openai_humaneval",
    "7dce6050a7d6d172f3cc5c32aa97f52fa1a2e544",
    "openai_humaneval/test-00000-of-00001.parquet",
)
# sha256 of HumanEval.jsonl in github.com/openai/human-eval.
PINNED = frozenset({"1d49078ba3e2b196b9344535bef34a43021f038fad9561d6ee7c53450609a6a2"})
_EXAMPLES = re.compile(r"^\s*(>>>|for example|examples?\b|e\.g\.|input:|output:|note\b)", re.IGNORECASE)


def drafts(
    data: str, *, statement: Literal["none", "en"] = "none", cases: int = 0
) -> Iterator[TaskDraft | Skipped]:
    """Yield every assert of a call and a literal, or every input of HumanEval+; ids are "number:assert"."""
    for path, number, row in rows_of(data, HUB):
        task_id, prompt, solution, entry = (
            text_field(row, name, path, number)
            for name in ("task_id", "prompt", "canonical_solution", "entry_point")
        )
        try:
            source, words = without_docstring(prompt + solution, entry)
            calls = plus_cases(row)
            if calls is None:
                calls = _of_asserts(text_field(row, "test", path, number))
        except (SyntaxError, ValueError) as error:
            raise DataError(f"{path}, row {number}: does not parse: {error}") from None
        except BadSource as error:
            raise DataError(f"{path}, row {number}: {error}") from None
        short = task_id.rpartition("/")[2]
        for k, case in enumerate(calls[: cases or None]):
            identity = f"{short}:{k}"
            if case.why:
                yield Skipped(identity, case.why)
                continue
            program = make_program(
                source, entry, case.arguments, origin=f"humaneval:{identity}", license="MIT"
            )
            shown = words if statement == "en" else ""
            yield TaskDraft(identity, program, recorded=case.recorded, cluster=short, statement=shown)


def _of_asserts(test: str) -> list[Case]:
    """Return the calls that the asserts of a test compare with literals; other asserts have a reason."""
    calls = []
    for _, case in asserted(test):
        if case is None or literal_arguments(f"candidate({case[1]})", "candidate") is None:
            calls.append(Case("", why="no assert of the form candidate(literals) == literal"))
        else:
            calls.append(Case(case[1], case[2]))
    return calls


def without_docstring(source: str, entry: str) -> tuple[str, str]:
    """Return the program without docstrings, and the entry's docstring up to its first example."""
    tree = parse_module(source)
    lines, words = source.rstrip("\n").split("\n"), ""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for node in sorted(functions, key=lambda one: -one.lineno):
        text = ast.get_docstring(node)
        if text is None:
            continue
        if node.name == entry:
            words = _before_examples(text)
        first = node.body[0]
        alone = len(node.body) == 1
        lines[first.lineno - 1 : first.end_lineno] = [" " * first.col_offset + "pass"] if alone else []
    kept = "\n".join(lines).lstrip("\n")
    return re.sub(r"\n\s*\n\s*\n+", "\n\n\n", re.sub(r":\n\s*\n", ":\n", kept)) + "\n", words


def _before_examples(text: str) -> str:
    lines = []
    for line in text.split("\n"):
        if _EXAMPLES.match(line) or "==" in line or "➞" in line or "=>" in line:
            break
        lines.append(line)
    return "\n".join(lines).strip()
