"""CRUXEval-X: CRUXEval translated into 18 other languages; what does the call return?

    deskcheck eval --model openai/gpt-4o --benchmark cruxeval-x --data js.jsonl -T language=js

Source: Xu et al., arXiv 2408.13001; hub xhwl/cruxeval-x, one file a language. Licence: MIT on the hub. Row:
id (int), code (whole program with its true assert), input_reasoning and output_reasoning (the program's tail,
???? for the arguments or the answer). Not run on the real data here, only on rows in this layout, and no
revision is pinned: name the file with --data. Nothing here runs the other languages, so their answers are
"recorded, not re-executed"; `py` is executed. Only answers that are also Python literals (true, null and nil
read as True and None) can be graded: maps and typed lists of Java, C++ and the like are skipped and counted.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from deskcheck.benchmarks._rows import given, int_field, read_rows, text_field
from deskcheck.errors import DataError, UnknownName, UserError
from deskcheck.grading.literals import is_literal, parse_module
from deskcheck.records import Item, Skipped
from deskcheck.tracing.program import make_program

HUB = None
LANGUAGES = {
    "cpp": "cpp", "cs": "cs", "d": "d", "go": "go", "java": "java", "jl": "julia", "js": "javascript",
    "lua": "lua", "php": "php", "pl": "perl", "py": "python", "r": "r", "rb": "ruby", "rkt": "racket",
    "rs": "rust", "scala": "scala", "sh": "shell", "swift": "swift", "ts": "typescript",
}  # fmt: skip
BLANK = "????"
_NAMES = {
    "true": "True",
    "false": "False",
    "null": "None",
    "nil": "None",
    "undefined": "None",
    "nothing": "None",
}


def items(data: str, *, language: str = "") -> Iterator[Item | Skipped]:
    """All rows of one language's file, in order."""
    if not data:
        raise UserError(
            "benchmark 'cruxeval-x' has no pinned revision: fetch a language's file, then --data PATH"
        )
    path = given(data)
    short = language or path.name.partition(".")[0]
    if short not in LANGUAGES:
        raise UnknownName("language of benchmark 'cruxeval-x' (-T language=)", short, list(LANGUAGES))
    for number, row in read_rows(path):
        identity = f"{short}-{int_field(row, 'id', path, number)}"
        code, asked_input, asked_output = (
            text_field(row, name, path, number) for name in ("code", "input_reasoning", "output_reasoning")
        )
        arguments, _ = _filled(code, asked_input, path, number)
        answer, start = _filled(code, asked_output, path, number)
        answer = _as_python(answer)
        if not is_literal(answer):
            yield Skipped(identity, "the answer is no literal of Python")
            continue
        source = _before(code, start, short)
        program = make_program(
            source, "f", arguments, origin=f"cruxeval-x:{identity}", licence="MIT", language=LANGUAGES[short]
        )
        yield Item(identity, program, answer, cluster=identity, tags={"language": LANGUAGES[short]})


def _filled(code: str, tail: str, path: Path, number: int) -> tuple[str, int]:
    """What stands in the program where the tail has its blank, and where the tail begins."""
    before, blank, after = tail.partition(BLANK)
    start = code.rfind(before)
    end = code.rfind(after) if after.strip() else len(code)
    if not blank or start < 0 or end < start + len(before):
        raise DataError(f"{path}, row {number}: the tail with {BLANK} is no tail of the code")
    return code[start + len(before) : end].strip(), start


def _as_python(text: str) -> str:
    """Constants of other languages in Python's spelling, outside of strings."""
    parts = re.split(r"(\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')", text)
    parts[::2] = [re.sub(r"\b[a-z]+\b", lambda m: _NAMES.get(m[0], m[0]), part) for part in parts[::2]]
    return "".join(parts)


def _before(code: str, start: int, language: str) -> str:
    """The program without its test; for Python the longest beginning that is a program."""
    head = code[:start]
    if language != "py":
        return head.rstrip() + "\n"
    lines = head.split("\n")
    for n in range(len(lines), 0, -1):
        try:
            tree = parse_module("\n".join(lines[:n]))
        except SyntaxError:
            continue
        kept = [
            node for node in tree.body if not (isinstance(node, ast.FunctionDef) and node.name == "check")
        ]
        return "\n".join(lines[: (kept[-1].end_lineno if kept else n)]) + "\n"
    return head
