"""Many programs of hidden_programs.py or hidden_siblings.py, against the plain recorder.

    python -m tests.tracing.hidden_run hidden 300 20300 [--out FILE] [--each 250] [--without guard]

Each 250 programs run in a process of their own, which has one thread. It prints a line of counts for each
and appends it to FILE. Lines that stand there already are not run again. Exit code 1: a program was
silently wrong, or a process died.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.tracing.hidden_programs import HiddenProgram, hidden_program
from tests.tracing.hidden_recorder import recorded, shown, traced
from tests.tracing.hidden_siblings import sibling_program

from deskcheck.records import Granularity, Trace

DRAWN: dict[str, Callable[[int], HiddenProgram]] = {"hidden": hidden_program, "sibling": sibling_program}
VERDICTS = ("right", "refused", "silently wrong", "died")
CHUNK_S = 900
"""A process that takes longer is ended and counts as one that died."""


def verdict(program: HiddenProgram, trace: Trace) -> str:
    """Return "right", "refused", or "silently wrong" for a trace of the program."""
    found = shown(trace)
    return "refused" if found is None else "right" if found == recorded(program) else "silently wrong"


def _run_here(name: str, first: int, end: int, without: str) -> dict[str, list[int]]:
    """Return the seeds by verdict; the granularities take turns."""
    sys.unraisablehook = lambda _: None
    seeds: dict[str, list[int]] = {kind: [] for kind in VERDICTS}
    for seed in range(first, end):
        program = DRAWN[name](seed)
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            trace = traced(
                program.program,
                granularity=tuple(Granularity)[seed % 3],
                guard="guard" not in without,
                net="net" not in without,
            )
            seeds[verdict(program, trace)].append(seed)
    return seeds


def run_programs(
    name: str, first: int, end: int, *, each: int = 250, out: Path | None = None, without: str = ""
) -> Counter[str]:
    """Run them, print a line for each process, and return the counts."""
    version = platform.python_version()
    rows = out.read_text(encoding="utf-8").splitlines() if out is not None and out.exists() else []
    known = {
        tuple(row[key] for key in ("python", "name", "first", "end")): row for row in map(json.loads, rows)
    }
    counts: Counter[str] = Counter()
    for start in range(first, end, each):
        stop = min(start + each, end)
        row = known.get((version, name, start, stop))
        if row is None:
            row = {"python": version, "name": name, "first": start, "end": stop}
            row |= _run_apart(name, start, stop, without)
            if out is not None:
                with out.open("a", encoding="utf-8") as file:
                    print(json.dumps(row), file=file)
        counts.update({kind: len(row[kind]) for kind in VERDICTS})
        unlike = {kind: row[kind] for kind in VERDICTS[1:] if row[kind]}
        print(f"{version} {name} {start} to {stop}: {len(row['right'])} right", unlike or "", flush=True)
    print(f"{version} {name}: {dict(counts)}")
    return counts


def _run_apart(name: str, first: int, end: int, without: str) -> dict[str, list[int]]:
    command = [sys.executable, "-W", "ignore", "-m", "tests.tracing.hidden_run", name, str(first), str(end)]
    try:
        done = subprocess.run(
            [*command, "--here", "--without", without], capture_output=True, timeout=CHUNK_S, check=True
        )
    except subprocess.SubprocessError as error:
        print(f"{error}\n{str(error.stderr)[-2000:]}", file=sys.stderr)  # type: ignore[attr-defined]  # both kinds have it
        return {kind: [first] if kind == "died" else [] for kind in VERDICTS}
    seeds: dict[str, list[int]] = json.loads(done.stdout.splitlines()[-1])
    return seeds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=DRAWN)
    parser.add_argument("first", type=int)
    parser.add_argument("end", type=int)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--each", type=int, default=250)
    parser.add_argument("--without", default="", help="guard, net, or both in one word")
    parser.add_argument("--here", action="store_true", help="in this process: print the seeds by verdict")
    asked = parser.parse_args()
    if asked.here:
        seeds = _run_here(asked.name, asked.first, asked.end, asked.without)
        print(json.dumps(seeds), file=sys.__stdout__)
        return 0
    counts = run_programs(
        asked.name, asked.first, asked.end, each=asked.each, out=asked.out, without=asked.without
    )
    return 1 if counts["silently wrong"] or counts["died"] else 0


if __name__ == "__main__":
    sys.exit(main())
