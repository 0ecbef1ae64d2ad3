"""The command `demo`: the shipped model executes a program, and a page shows its belief beside the truth."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

ARGUMENTS, MAX_STEPS = "27", 600


def demo(
    out: Annotated[
        str, typer.Option(help="The page to write, not to open. [demo.html, which is opened]")
    ] = "",
) -> None:
    """Let the shipped model execute a run of 447 steps, and open the page that shows it beside the truth."""
    import time
    from pathlib import Path

    from deskcheck.cell_files import check_target, write_whole
    from deskcheck.corpus.long_programs import COLLATZ
    from deskcheck.evaluation.execute import run_execute
    from deskcheck.evaluation.plan import need_inspect
    from deskcheck.layouts.line_1 import LAYOUT as LINE_1
    from deskcheck.pace import CountLine
    from deskcheck.records import Limits
    from deskcheck.tracing.program import make_program
    from deskcheck.tracing.run import trace_program
    from deskcheck.viewer.document import View, page_of
    from deskcheck.viewer.execution import run_of_steps

    page = Path(out or "demo.html")
    check_target(str(page), "--out", ending=".html")
    need_inspect()
    program = make_program(COLLATZ, "f", ARGUMENTS, origin="demo", licence="Apache-2.0")
    truth = trace_program(program, Limits())
    print(COLLATZ)
    print(f"tiny, the 11 MB model that ships, executes {program.call} line by line: after each line it")
    print("writes what changed, and it sees nothing but the program and its own last state.\n", flush=True)
    began = time.monotonic()
    counter = CountLine("steps", most=MAX_STEPS)
    execution = run_execute(
        program,
        truth,
        model="tiny",
        max_steps=MAX_STEPS,
        model_args=[],
        strategy=LINE_1,  # in which the shipped model practiced the steps of this program
        after_step=counter.count,
    )
    counter.end()
    run = run_of_steps(f"tiny, {execution.strategy}", execution.steps, execution.answer, execution.expected)
    right = next((at for at, step in enumerate(execution.steps) if step.apart), None)
    n_steps = truth.n_steps
    if right is None:
        print(f"{n_steps} of {n_steps} steps right, in {time.monotonic() - began:.0f} s")
    else:
        print(f"the first {max(right - 1, 0)} of {n_steps} steps right, in {time.monotonic() - began:.0f} s")
    print(f"model: {run.answer}    truth: {run.expected}\n")
    if execution.n_again:
        print(f"asked again: {execution.n_again} of {execution.n_questions} questions, since a reply could")
        print("not be read\n")
    print("Its training had this program, with other inputs. On programs written by hand it is seldom right:")
    print("  deskcheck eval --model tiny --benchmark core --limit 30 --strategy line-1\n")
    write_whole(page, page_of(View(program, [truth], runs=[run])).encode())
    print(f"every state, belief beside truth: {page.resolve()}")
    if not out and sys.stdout.isatty():
        import webbrowser

        webbrowser.open(page.resolve().as_uri())
