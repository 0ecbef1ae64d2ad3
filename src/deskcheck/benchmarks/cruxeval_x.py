"""CRUXEval-X: CRUXEval translated into 18 other languages; what does the call return?

    deskcheck eval --model openai/gpt-4o --benchmark cruxeval-x --data js.jsonl -T language=js

Source: Xu et al., arXiv 2408.13001; hub xhwl/cruxeval-x, one file for each language. License: MIT on the hub.
A folder with the files of several languages (`py.jsonl`, `js.jsonl.gz`, ..) needs -T language.
Row: id (int), code (whole program with its true assert), input_reasoning and output_reasoning (the last part
of the program, with ???? in place of the arguments or the answer). No revision is pinned: name the file with
--data. `py` is executed, and so are `js` and `ts` with the extra `javascript`; answers in these are compared
by the equality of their language. The answers of the other languages are "recorded, not re-executed". With
-T run_foreign=yes, each of their programs runs its own test (`sandbox/foreign.py`), and programs whose test
fails are skipped.
Answers are read in the notation of the language (`nil`, `{1, 3}` of Lua as a list, `vec![..]`). Rows with
several blanks, or with an answer that is no plain value, are skipped and counted.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from deskcheck.data_files import given, int_field, read_rows, text_field
from deskcheck.errors import UnknownName, UserError
from deskcheck.grading.foreign import BLANK, as_literal
from deskcheck.languages import is_literal
from deskcheck.languages.python.parsing import parse_module
from deskcheck.records import Skipped, TaskDraft
from deskcheck.sandbox.foreign import run_all_foreign
from deskcheck.tracers import languages
from deskcheck.tracing.program import make_program

HUB = None
LANGUAGES = {
    "cpp": "cpp", "cs": "cs", "d": "d", "go": "go", "java": "java", "jl": "julia", "js": "javascript",
    "lua": "lua", "php": "php", "pl": "perl", "py": "python", "r": "r", "rb": "ruby", "rkt": "racket",
    "rs": "rust", "scala": "scala", "sh": "shell", "swift": "swift", "ts": "typescript",
}  # fmt: skip
"""Name of a language's file without its ending, as in -T language -> name of the language."""
RECORDED = {
    "input": (
        {
            "en": "Which arguments at ???? make the program's own test pass? Any that do are right.",
            "zh": "在 ???? 处填入什么参数能使程序自带的测试通过？任何能通过的参数都算对。",
        },
        {
            "en": "the whole call with its arguments as literals of the program's language",
            "zh": "完整的调用，参数写成该语言的字面量",
        },
        "executed",
    ),
}
"""Question of kind `input` for languages without a tracer; its answers are run, which needs run_foreign."""

_CALL = re.compile(r"([A-Za-z_][\w.]*)\(" + re.escape(BLANK))


def drafts(
    data: str, *, language: str = "", run_foreign: Literal["yes", "no"] = "no", kind: str = "output"
) -> Iterator[TaskDraft | Skipped]:
    """Yield the rows of one language's file in order; with run_foreign, only those whose test passes here.

    For kind "input" in a language without a tracer, the program ends with a test that has a blank in place of
    the arguments.
    """
    found = _rows(data, language, kind)
    if kind == "input" and run_foreign == "no" and LANGUAGES[_short_name(data, language)] not in languages():
        raise UserError("benchmark 'cruxeval-x': answers to input have to be run; add -T run_foreign=yes")
    if run_foreign == "no":
        yield from (draft for draft, _ in found)
        return
    pairs = list(found)
    foreign = [
        (draft, code) for draft, code in pairs if isinstance(draft, TaskDraft) and "spelling" in draft.tags
    ]
    named = foreign[0][0].program.language if foreign else ""
    whys = list(run_all_foreign([code for _, code in foreign], named)) if foreign else []
    if whys and all(whys):
        raise UserError(
            f"run_foreign: none of the {len(whys)} programs passes its own test here; the first: {whys[0]}"
        )
    failures = iter(whys)
    for draft, _ in pairs:
        if isinstance(draft, Skipped) or "spelling" not in draft.tags:
            yield draft
        elif why := next(failures):
            yield Skipped(draft.id, f"its own test fails here: {why.partition(':')[0]}")
        else:
            yield msgspec.structs.replace(draft, tags=draft.tags | {"truth": "re-executed"})


def _short_name(data: str, language: str) -> str:
    if not data:
        raise UserError(
            "benchmark 'cruxeval-x' has no pinned revision: fetch a language's file, then --data PATH"
        )
    short = language or Path(data).name.partition(".")[0]
    if short not in LANGUAGES:
        raise UnknownName("language of benchmark 'cruxeval-x' (-T language=)", short, list(LANGUAGES))
    return short


def _file_in(data: str, short: str) -> str:
    """Return the file of a language in a folder, or the path itself if it is no folder."""
    if not Path(data).is_dir():
        return data
    names = [f"{short}{ending}" for ending in (".jsonl", ".jsonl.gz", ".json", ".json.gz", ".parquet")]
    return next((str(Path(data, name)) for name in names if Path(data, name).is_file()), f"{data}/{names[0]}")


def _rows(data: str, language: str, kind: str) -> Iterator[tuple[TaskDraft | Skipped, str]]:
    """Yield every row as a draft with its whole program."""
    short = _short_name(data, language)
    path = given(_file_in(data, short))
    is_run = LANGUAGES[short] in languages()
    for number, row in read_rows(path):
        identity = f"{short}-{int_field(row, 'id', path, number)}"
        code, asked_input, asked_output = (
            text_field(row, name, path, number) for name in ("code", "input_reasoning", "output_reasoning")
        )
        given_in, given_out = _filled(code, asked_input), _filled(code, asked_output)
        if isinstance(given_in, str) or isinstance(given_out, str):
            yield Skipped(identity, next(why for why in (given_in, given_out) if isinstance(why, str))), code
            continue
        (arguments, start_in), (written, start) = given_in, given_out
        read_in = LANGUAGES[short] if is_run else "python"
        answer = written if is_run else as_literal(written, LANGUAGES[short])
        if answer is None or not is_literal(answer, language=read_in):
            yield Skipped(identity, "the answer is no plain value"), code
            continue
        source, entry = _before(code, start, short), "f"
        if kind == "input" and not is_run:
            called = _CALL.search(asked_input)
            if called is None:
                yield Skipped(identity, "its test has no call with arguments in parentheses"), code
                continue
            source, entry, arguments = code[:start_in] + asked_input, called.group(1), BLANK
        program = make_program(
            source,
            entry,
            arguments,
            origin=f"cruxeval-x:{identity}",
            license="MIT",
            language=LANGUAGES[short],
        )
        tags = {"language": LANGUAGES[short]}
        if not is_run:
            tags["spelling"] = LANGUAGES[short]
        yield TaskDraft(identity, program, answer, cluster=identity, tags=tags), code


def _filled(code: str, tail: str) -> tuple[str, int] | str:
    """Return the text that fills the blank of the program's last part, and the start of that part.

    If the blank cannot be located in `code`, return the reason.
    """
    before, blank, after = tail.partition(BLANK)
    if not blank or BLANK in after:
        return f"not one {BLANK}"
    start = code.rfind(before)
    end = code.rfind(after) if after.strip() else len(code)
    if start < 0 or end < start + len(before):
        return f"the tail with {BLANK} is no tail of the code"
    return code[start + len(before) : end].strip(), start


def _before(code: str, start: int, language: str) -> str:
    """Return the program without its test; for Python, the longest beginning that parses."""
    head = code[:start]
    if language != "py":
        return head.rstrip() + "\n"
    lines = head.split("\n")
    for n in range(len(lines), 0, -1):
        try:
            tree = parse_module("\n".join(lines[:n]))
        except SyntaxError:
            continue
        statements = [
            node for node in tree.body if not (isinstance(node, ast.FunctionDef) and node.name == "check")
        ]
        return "\n".join(lines[: (statements[-1].end_lineno if statements else n)]) + "\n"
    return head
