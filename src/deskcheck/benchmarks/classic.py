"""classic: thirty textbook programs with ten inputs each, for ever longer runs; how far does a model get?

    deskcheck eval --model tiny --benchmark classic --strategy sub -T programs=queens,sieve

Each file of `classic_programs/` holds one program. Its header has ten lines "# call: f(3)", ordered by the
number of executed lines; over all files these numbers go from 6 to 3,583. The program follows. The inputs
were drawn with a fixed seed: their sizes are those whose runs lie nearest to ten lengths in equal ratio. No
model was asked before the files were frozen. No generator of training data writes these programs, and
decontamination keeps programs near them out of training. Every model that has read textbooks knows their
algorithms. Source: this project. License: Apache-2.0.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from importlib.resources import files

from deskcheck.errors import UnknownName, UserError
from deskcheck.records import TaskDraft
from deskcheck.tracing.program import make_program

HUB = None
CALLS = 10
"""Number of calls of each program."""
SHA256 = "4d20ad4224264a1531d63be616ba1a10d43f85fc6d3e9145181d93079a79e6bf"
"""`fingerprint` of the thirty files, which are frozen."""


def drafts(data: str, *, programs: str = "") -> Iterator[TaskDraft]:
    """Yield ten drafts a program, the shortest run first; `programs` is "" or names: "queens,sieve"."""
    if data:
        raise UserError(f"benchmark 'classic' ships with deskcheck and reads no file; drop --data {data}")
    texts = program_texts()
    selected = [name.strip() for name in programs.split(",") if name.strip()] or list(texts)
    for name in selected:
        if name not in texts:
            raise UnknownName("program of benchmark 'classic'", name, list(texts))
        source, calls = parse_text(texts[name])
        for size, call in enumerate(calls, 1):
            entry, _, arguments = call.partition("(")
            program = make_program(
                source,
                entry,
                arguments.removesuffix(")"),
                origin=f"classic:{name}:{size}",
                license="Apache-2.0",
            )
            yield TaskDraft(f"{name}:{size}", program, "", cluster=name, tags={"size": str(size)})


def program_texts() -> dict[str, str]:
    """Read the thirty files in the order of their numbers, as a mapping of names to texts."""
    folder = files("deskcheck.benchmarks").joinpath("classic_programs")
    paths = sorted(
        (path for path in folder.iterdir() if path.name.endswith(".py")), key=lambda path: path.name
    )
    return {path.name[3:].removesuffix(".py"): path.read_text(encoding="utf-8") for path in paths}


def parse_text(text: str) -> tuple[str, list[str]]:
    """Split a file into its program and the calls of its header."""
    lines = text.split("\n")
    calls = [line.removeprefix("# call: ") for line in lines[:CALLS]]
    return "\n".join(lines[CALLS:]), calls


def fingerprint() -> str:
    """Return the sha256 over the names and texts of all files, to be compared with `SHA256`."""
    digest = hashlib.sha256()
    for name, text in program_texts().items():
        digest.update(f"{name} {len(text)}\n{text}".encode())
    return digest.hexdigest()
