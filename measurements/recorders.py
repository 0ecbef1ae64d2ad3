"""Recorders side by side: in how many programs is every executed line recorded, in order? Size and time.

    python measurements/recorders.py

Programs: those of examples/ and the first problems of `core`, 12 in all. Truth is a `sys.settrace` callback
in a run of its own; a recorder may also record the `def` line of each call. Other recorders are used where
they are installed (PySnooper, snoop, codetracer-python-recorder; the last has wheels for CPython 3.12 and
3.13 alone), else named as missing. Not on PyPI, and so not run: Python Tutor's recorder and CodeTracer's
desktop application. Each run is a process of its own; times are processor seconds of a call, best of 3,
importing left out.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
N = 12
EXAMPLES = {"collatz": "f(27)", "easy": "f(3, [5])", "gcd": "f(48, 36)", "steps": "f([2, 3])"}
TOOLS = {
    "deskcheck": "deskcheck",
    "PySnooper": "pysnooper",
    "snoop": "snoop",
    "codetracer-python-recorder": "codetracer_python_recorder",
}
# In a process of its own: `sys.argv` is tool, program, entry, call, folder for the record.
RUN = r"""
import io, json, sys, time
tool, path, entry, call, out = sys.argv[1:]
space = {"__name__": "program"}
exec(compile(open(path).read(), path, "exec"), space)
if tool == "none":
    lines, with_calls = [], []
    def local(frame, event, arg):
        if event == "line":
            lines.append(frame.f_lineno)
            with_calls.append(frame.f_lineno)
        return local
    def start(frame, event, arg):
        if frame.f_code.co_filename != path:
            return None
        with_calls.append(frame.f_lineno)
        return local
    sys.settrace(start)
    try:
        eval(call, space)
    except Exception:  # how the program ends is its own affair; its lines are compared
        pass
    sys.settrace(None)
    print(json.dumps([lines, with_calls, 0]))
    raise SystemExit
best = 1e9
for turn in range(3):
    called = dict(space)
    if tool == "deskcheck":
        import deskcheck
        called[entry] = wrap = deskcheck.record(space[entry])
        began = time.process_time()
        try:
            eval(call, called)
        except Exception:  # how the program ends is its own affair; its lines are compared
            pass
        best = min(best, time.process_time() - began)
        (record,) = wrap.recording.traces
        lines = [step.line for step in record]
        record.save(out + f"/{turn}.deskcheck")
        size = len(open(out + f"/{turn}.deskcheck", "rb").read())
    elif tool in ("pysnooper", "snoop"):
        text = io.StringIO()
        if tool == "pysnooper":
            import pysnooper
            wrap = pysnooper.snoop(text, depth=1000, color=False)
            pattern = r"^ *\d\d:\d\d:\d\d\.\d+ line +(\d+) "
        else:
            import snoop
            snoop.install(out=text, color=False)
            wrap = snoop.snoop(depth=1000)
            pattern = r"^ *\d\d:\d\d:\d\d\.\d\d +(?:\| )*(\d+) \| "
        called[entry] = wrap(space[entry])
        began = time.process_time()
        try:
            eval(call, called)
        except Exception:  # how the program ends is its own affair; its lines are compared
            pass
        best = min(best, time.process_time() - began)
        import re
        size = len(text.getvalue())
        lines = [int(n) for n in re.findall(pattern, text.getvalue(), re.M)]
    else:
        import codetracer_python_recorder as recorder
        recorder.start(out + f"/{turn}", format="json")
        began = time.process_time()
        try:
            eval(call, called)
        except Exception:  # how the program ends is its own affair; its lines are compared
            pass
        best = min(best, time.process_time() - began)
        recorder.stop()
        events = json.load(open(out + f"/{turn}/trace.json"))
        paths = [event["Path"] for event in events if "Path" in event]
        steps = [event["Step"] for event in events if "Step" in event]
        own = paths.index(path) if path in paths else -1
        lines = [step["line"] for step in steps if step["path_id"] == own]
        size = len(open(out + f"/{turn}/trace.json").read())
print(json.dumps([lines, best, size]))
"""


def programs(folder: Path) -> list[tuple[Path, str, str]]:
    """(file, entry, call) of each program; those of `core` are written where recorders find a source."""
    from deskcheck.benchmarks import core

    found = [(ROOT / f"examples/{name}.py", "f", call) for name, call in EXAMPLES.items()]
    for problem in core.problems(core.folder_of(""))[: N - len(found)]:
        path = folder / f"{problem.name}.py"
        path.write_text(problem.source, encoding="utf-8")
        entry, arguments = problem.calls[0]
        found.append((path, entry, f"{entry}({arguments})"))
    return found


def recorded(tool: str, program: tuple[Path, str, str], folder: Path) -> tuple[list[int], Any, int] | None:
    """Lines, processor seconds (truth: lines with calls) and bytes of a run; None where it failed."""
    path, entry, call = program
    with tempfile.TemporaryDirectory(dir=folder) as out:
        command = [sys.executable, "-c", RUN, tool, str(path), entry, call, out]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        return None
    lines, seconds, size = json.loads(done.stdout.splitlines()[-1])
    return lines, seconds, size


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = programs(folder)
        truth = [recorded("none", program, folder) for program in asked]
        steps = sum(len(one[0]) for one in truth if one)
        print(f"{len(asked)} programs, {steps:,} line events, CPython {sys.version.split()[0]}\n")
        print("| recorder | programs with every line in order | processor ms a run | bytes a line event |")
        print("|---|---|---|---|")
        for tool, module in TOOLS.items():
            if importlib.util.find_spec(module) is None:
                print(f"| {tool} | not installed here | | |")
                continue
            got = [recorded(module, program, folder) for program in asked]
            right = sum(bool(a and b and a[0] in b[:2]) for a, b in zip(got, truth, strict=True))
            done = [one for one in got if one]
            spent = 1000 * sum(one[1] for one in done) / max(1, len(done))
            n_lines = sum(len(b[0]) for a, b in zip(got, truth, strict=True) if a and b)
            size = sum(one[2] for one in done) / max(1, n_lines)
            failed = f", {len(got) - len(done)} failed" if len(done) < len(got) else ""
            print(f"| {tool} {version(tool)} | {right} of {len(asked)}{failed} | {spent:.1f} | {size:,.0f} |")


if __name__ == "__main__":
    main()
