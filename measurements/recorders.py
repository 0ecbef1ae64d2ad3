"""Recorders side by side: in how many programs is every executed line recorded, in order? Size and time.

    python measurements/recorders.py

Programs: those of examples/ and the first problems of `core`, 12 in all. Truth is a `sys.settrace` callback
in a run of its own; a recorder may also record the `def` line of each call. Other recorders are used where
they are installed, else named as missing: PySnooper, snoop, tracesnap, codetracer-python-recorder (its wheels
are for CPython 3.12 and 3.13 alone; the lines of its binary format cannot be read from Python). Not on PyPI,
and so not run: Python Tutor's recorder and CodeTracer's desktop application. Each run is a process of its
own; times are processor seconds of a call, best of 3, without importing, and without writing the file where
the recorder keeps the two apart. Bytes are those of the file, or of the text, that it leaves.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
N = 12
TURNS = 3
EXAMPLES = {"collatz": "f(27)", "easy": "f(3, [5])", "gcd": "f(48, 36)", "steps": "f([2, 3])"}

Made = tuple[list[int] | None, float, int]
"""What one recording gives: its lines in order (None = cannot be read), processor seconds, bytes."""


class Run:
    """One program, loaded, in the process of one recorder."""

    def __init__(self, path: str, entry: str, call: str, out: str) -> None:
        self.path, self.entry, self.call, self.out = path, entry, call, out
        self.space: dict[str, Any] = {"__name__": "program"}
        exec(compile(Path(path).read_text(encoding="utf-8"), path, "exec"), self.space)

    def seconds(self, wrapped: Callable[..., Any] | None = None) -> float:
        """Make the call, with the entry replaced; how the program ends is its own affair."""
        names = self.space | ({self.entry: wrapped} if wrapped else {})
        began = time.process_time()
        with contextlib.suppress(Exception):
            eval(self.call, names)
        return time.process_time() - began


def truth(run: Run) -> Any:
    """Return the lines of the run, without and with the `def` line of each call."""
    lines: list[int] = []
    with_calls: list[int] = []

    def at_event(frame: Any, event: str, _argument: Any) -> Any:
        if event == "line":
            lines.append(frame.f_lineno)
            with_calls.append(frame.f_lineno)
        return at_event

    def start(frame: Any, _event: str, _argument: Any) -> Any:
        if frame.f_code.co_filename != run.path:
            return None
        with_calls.append(frame.f_lineno)
        return at_event

    sys.settrace(start)
    run.seconds()
    sys.settrace(None)
    return lines, with_calls, 0


def by_deskcheck(run: Run) -> Made:
    """Ours, as `deskcheck.record` and `save` do it."""
    import deskcheck

    wrapped = deskcheck.record(run.space[run.entry])
    seconds = run.seconds(wrapped)
    (trace,) = wrapped.recording.traces
    trace.save(f"{run.out}/x.deskcheck")
    return [step.line for step in trace], seconds, Path(f"{run.out}/x.deskcheck").stat().st_size


def by_pysnooper(run: Run) -> Made:
    """Record with PySnooper; the bytes are those of the text that it prints."""
    import pysnooper

    text = io.StringIO()
    seconds = run.seconds(pysnooper.snoop(text, depth=1000, color=False)(run.space[run.entry]))
    lines = re.findall(r"^ *\d\d:\d\d:\d\d\.\d+ line +(\d+) ", text.getvalue(), re.MULTILINE)
    return [int(line) for line in lines], seconds, len(text.getvalue())


def by_snoop(run: Run) -> Made:
    """Record with snoop; the bytes are those of the text that it prints."""
    import snoop

    text = io.StringIO()
    snoop.install(out=text, color=False)
    seconds = run.seconds(snoop.snoop(depth=1000)(run.space[run.entry]))
    lines = re.findall(r"^ *\d\d:\d\d:\d\d\.\d\d +(?:\| )*(\d+) \| ", text.getvalue(), re.MULTILINE)
    return [int(line) for line in lines], seconds, len(text.getvalue())


def by_tracesnap(run: Run) -> Made:
    """Tracesnap's JSON, with its own indentation."""
    import tracesnap

    path = f"{run.out}/trace.json"
    with tracesnap.record("run", source_files=[run.path], output=path) as recording:
        seconds = run.seconds()
    lines = [event["line"] for event in recording.trace["events"] if event["type"] == "line"]
    return lines, seconds, Path(path).stat().st_size


def by_codetracer(run: Run, form: str) -> Made:
    """CodeTracer's recorder, in one of its two formats."""
    import codetracer_python_recorder as recorder

    recorder.start(run.out, format=form, start_on_enter=run.path)  # not the frames of this script
    seconds = run.seconds()
    recorder.stop()
    (path,) = Path(run.out).glob("trace.*")
    if form == "binary":
        return None, seconds, path.stat().st_size
    events = json.loads(path.read_bytes())
    paths = [event["Path"] for event in events if "Path" in event]
    steps = [event["Step"] for event in events if "Step" in event]
    place = paths.index(run.path) if run.path in paths else -1
    return [step["line"] for step in steps if step["path_id"] == place], seconds, path.stat().st_size


RECORDERS: dict[str, tuple[str, str, Callable[[Run], Made]]] = {
    "deskcheck": ("deskcheck", ".deskcheck", by_deskcheck),
    "PySnooper": ("pysnooper", "text", by_pysnooper),
    "snoop": ("snoop", "text", by_snoop),
    "tracesnap": ("tracesnap", "JSON", by_tracesnap),
    "codetracer-python-recorder": (
        "codetracer_python_recorder",
        "JSON",
        lambda run: by_codetracer(run, "json"),
    ),
    "codetracer-python-recorder, binary": (
        "codetracer_python_recorder",
        "binary",
        lambda run: by_codetracer(run, "binary"),
    ),
}
"""Name -> module, format, how it records one run."""


def programs(folder: Path) -> list[tuple[Path, str, str]]:
    """(file, entry, call) of each program; those of `core` are written where recorders find a source."""
    from deskcheck.benchmarks import core

    asked = [(ROOT / f"examples/{name}.py", "f", call) for name, call in EXAMPLES.items()]
    for problem in core.problems(core.folder_of(""))[: N - len(asked)]:
        path = folder / f"{problem.name}.py"
        path.write_text(problem.source, encoding="utf-8")
        entry, arguments = problem.calls[0]
        asked.append((path, entry, f"{entry}({arguments})"))
    return asked


def in_a_process(recorder: str, program: tuple[Path, str, str], folder: Path) -> Any:
    """Lines, processor seconds (truth: lines with calls) and bytes, best of TURNS; None where it failed."""
    best = None
    for _ in range(TURNS if recorder != "truth" else 1):
        with tempfile.TemporaryDirectory(dir=folder) as out:
            command = [sys.executable, __file__, "--one", recorder, *map(str, program), out]
            done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        if done.returncode:
            return None
        result = json.loads(done.stdout.splitlines()[-1])
        best = result if best is None or result[1] < best[1] else best
    return best


def row(recorder: str, asked: list[tuple[Path, str, str]], expected: list[Any], folder: Path) -> str:
    """Return the line of the table for one recorder, also for one that is not installed."""
    module, form, _ = RECORDERS[recorder]
    if importlib.util.find_spec(module) is None:
        return f"| {recorder} | {form} | not installed here | | |"
    results = [in_a_process(recorder, program, folder) for program in asked]
    ended = [(result, lines) for result, lines in zip(results, expected, strict=True) if result and lines]
    right = sum(result[0] in lines[:2] for result, lines in ended)
    shown = (
        f"{right} of {len(asked)}" if any(result[0] is not None for result, _ in ended) else "not readable"
    )
    failed = f", {len(asked) - len(ended)} failed" if len(ended) < len(asked) else ""
    milliseconds = 1000 * sum(result[1] for result, _ in ended) / max(1, len(ended))
    n_bytes = sum(result[2] for result, _ in ended) / max(1, sum(len(lines[0]) for _, lines in ended))
    label = f"{recorder.partition(',')[0]} {version(recorder.partition(',')[0])}"
    return f"| {label} | {form} | {shown}{failed} | {milliseconds:.1f} | {n_bytes:,.0f} |"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = programs(folder)
        expected = [in_a_process("truth", program, folder) for program in asked]
        steps = sum(len(lines[0]) for lines in expected if lines)
        print(f"{len(asked)} programs, {steps:,} line events, CPython {sys.version.split()[0]}\n")
        print("| recorder | format | every line in order | processor ms a run | bytes a line event |")
        print("|---|---|---|---|---|")
        for recorder in RECORDERS:
            print(row(recorder, asked, expected, folder), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        how = truth if sys.argv[2] == "truth" else RECORDERS[sys.argv[2]][2]
        print(json.dumps(how(Run(*sys.argv[3:]))))
    else:
        main()
