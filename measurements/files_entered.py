"""How many files of the package one trace, one build and one evaluated answer pass through.

    python measurements/files_entered.py [--list]

Counted in the parent process by `sys.settrace`, in all threads, while a real command runs: files in
which a function is called. Imports and class bodies do not count, nor what a module calls while it is
imported, nor what children do. The aim is what a reader who follows one answer should have to open.
"""

from __future__ import annotations

import argparse
import contextlib
import inspect
import io
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import deskcheck

PACKAGE = str(Path(deskcheck.__file__).parent)
PROGRAM = """\
def f(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps
"""
AIMS = {"trace": 19, "build": 24, "eval": 40}
"""tests/test_bars.py holds the bars, which may only fall towards these."""
DEFINITIONS = ("<module>", "<lambda>", "<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>")


def entered(run: Callable[[], object]) -> dict[str, int]:
    """File below the package -> calls of its functions, while `run` runs."""
    calls: Counter[str] = Counter()
    importing: Counter[int] = Counter()  # thread -> modules of ours whose bodies run

    def leave(frame: FrameType, event: str, argument: object) -> Callable[..., object]:
        if event == "return":
            importing[threading.get_ident()] -= 1
        return leave

    def enter(frame: FrameType, event: str, argument: object) -> Callable[..., object] | None:
        code = frame.f_code
        if not code.co_filename.startswith(PACKAGE):
            return None
        if code.co_name == "<module>":
            importing[threading.get_ident()] += 1
            frame.f_trace_lines = False
            return leave
        # A class body is no function: its code has no fast locals.
        if (
            code.co_flags & inspect.CO_OPTIMIZED
            and code.co_name not in DEFINITIONS
            and not importing[threading.get_ident()]
        ):
            calls[code.co_filename[len(PACKAGE) + 1 :]] += 1
        return None

    threading.settrace(enter)
    sys.settrace(enter)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            run()
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
    return dict(calls)


def command(*words: str) -> Callable[[], object]:
    """A command of deskcheck as a function."""

    def run() -> None:
        from deskcheck.cli import app

        with contextlib.suppress(SystemExit):
            app(list(words))

    return run


def journeys() -> dict[str, dict[str, int]]:
    """Command -> file that it enters -> calls of its functions; each command really runs."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DESKCHECK_TRUTH"] = f"{folder}/truth"  # nothing is kept of an earlier run
        program = Path(folder) / "collatz.py"
        program.write_text(PROGRAM, encoding="utf-8")
        asked = ["--model", "tiny", "--strategy", "line-1", "--limit", "1", "--log-dir", f"{folder}/logs"]
        asked += ["--max-steps", "20"]  # under the profiler a step takes long
        commands = {
            "trace": command("trace", str(program), "--call", "f(3)"),
            "build": command("build", "files", str(program), "--call", "f(3)", "--out", f"{folder}/out"),
            "eval": command("eval", *asked),
        }
        return {name: entered(run) for name, run in commands.items()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name the files")
    options = parser.parse_args()
    for name, files in journeys().items():
        packages = Counter(file.partition("/")[0] for file in files)
        shares = ", ".join(f"{package} {n}" for package, n in packages.most_common())
        print(f"{name}: {len(files)} files (aim: {AIMS[name]} or fewer): {shares}")
        if options.list:
            print("\n".join(f"  {file}  {n} calls" for file, n in sorted(files.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
