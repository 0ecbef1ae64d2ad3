"""files: your own functions, and the calls you name; what do they return?

    deskcheck eval --model tiny --benchmark files --data mine.py -T calls=calls.jsonl
    deskcheck eval --model tiny --benchmark files --data mine.py -T call="f(3, k=[1])"

Source: your file, or a folder (`--data`), read by `programs/files.py`. License: "unknown" unless
-T license=NAME. Calls come from comment lines `# deskcheck: f(3)` in the files and from JSON lines
{"call": "f(3)", "file": "a.py"} (-T calls) or from -T call; either takes the place of the comment lines. All
calls of a file share a cluster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from deskcheck.errors import UserError
from deskcheck.plugins import SourceOptions
from deskcheck.programs.files import programs
from deskcheck.records import TaskDraft

HUB = None


def drafts(data: str, *, call: str = "", calls: str = "", license: str = "unknown") -> Iterator[TaskDraft]:
    """Yield one draft for each call, ordered by file, then by call; ids are "file:number"."""
    if not data:
        raise UserError("benchmark 'files' needs your functions: --data mine.py (or a folder)")
    options = SourceOptions(
        source="files", path=data, calls=[call] if call else [], calls_file=calls, license=license
    )
    numbers: Counter[str] = Counter()
    for program in programs(options):
        file = program.origin.removeprefix("files:").removeprefix(data.rstrip("/")).lstrip("/")
        name = file or data.rpartition("/")[2]
        yield TaskDraft(
            id=f"{name}:{numbers[name]}", program=program, recorded="", cluster=name, tags={"file": name}
        )
        numbers[name] += 1
