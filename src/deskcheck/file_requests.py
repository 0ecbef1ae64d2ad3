"""Run the program that a command names; the ending of its file decides on the language and its tracer.

language_of("a.ts") -> "typescript";  language_of("a.c") -> "c";  language_of("a.py") -> ""
run_request(TraceRequest("a.js", call="f(3)"), program_of=program_of) -> Recorded
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from deskcheck import plugins
from deskcheck.errors import BadSource, UserError
from deskcheck.records import Granularity, Limits, Program
from deskcheck.tracing.collect import Recorded, TraceRequest, check_request, shared
from deskcheck.tracing.collect import run_request as run_python
from deskcheck.tracing.program import SCRIPT, make_program

LANGUAGES = {
    ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".ts": "typescript",
    ".mts": "typescript", ".cts": "typescript", ".c": "c",
}  # fmt: skip
"""Ending of a file's name -> the language, for every language that deskcheck traces but Python."""
_CALL = re.compile(r"\s*(?P<entry>[^(]+?)\s*\((?P<arguments>.*)\)\s*;?\s*", re.DOTALL)


def language_of(file: str) -> str:
    """Return the language of a file by the ending of its name; "" for Python and unknown endings."""
    return LANGUAGES.get(Path(file).suffix, "")


def is_foreign(request: TraceRequest) -> bool:
    """Whether the request names a file in another language than Python."""
    return not request.code and not request.is_module and language_of(request.file) != ""


def run_request(request: TraceRequest, *, program_of: Callable[[TraceRequest], Program]) -> Recorded:
    """Run the requested program; `program_of` makes a Python program from files.

    UserError, BadSource or MissingExtra if the request cannot be carried out.
    """
    return _run(request) if is_foreign(request) else run_python(request, program_of=program_of)


def source_of(path: Path) -> str:
    """Return the text of a file. BadSource if there is none or it is no UTF-8."""
    if not path.is_file():
        raise BadSource(f"no such file: {path}")
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadSource(f"{path} is no UTF-8 text: {error}") from None


def parts_of(call: str) -> tuple[str, str]:
    """Return the function and the arguments of "f(3)". UserError if the text is no call."""
    parts = _CALL.fullmatch(call)
    if parts is None:
        raise UserError(f"--call {call!r} is no call: write it as f(3)")
    return parts["entry"], parts["arguments"]


def _program(request: TraceRequest) -> Program:
    """Return the program of a request: the file as a script, or a call after the file has run."""
    path = Path(request.file)
    source = source_of(path)
    entry, arguments = SCRIPT, json.dumps(request.arguments, ensure_ascii=False)[1:-1]
    if request.call:
        entry, arguments = parts_of(request.call)
    return make_program(
        source, entry, arguments, origin=f"files:{path.name}", language=language_of(request.file)
    )


def _run(request: TraceRequest) -> Recorded:
    """Run the requested program in the sandbox. UserError names an option that its language lacks."""
    check_request(request)
    refused = {
        "--trust": request.is_trusted, "--stdin": bool(request.stdin), "--file": bool(request.files),
        "--step-in": bool(request.step_in or request.no_step_in),
    }  # fmt: skip
    if named := [name for name, is_set in refused.items() if is_set]:
        raise UserError(f"{named[0]} is for Python programs; leave it out for {request.file}")
    program = _program(request)
    limits = Limits(max_steps=request.max_steps, time_s=request.time_limit_s or Limits().time_s)
    granularity = Granularity[request.granularity.upper()]
    run = plugins.load("tracer", program.language).run_one(
        program, limits, confirm=request.confirm, granularity=granularity
    )
    recorded = Recorded(program, run.packed, run.output, {"": program.source}, printed=run.places)
    return shared(recorded, request)
