"""The command `demo`: the shipped model executes two programs; pages show its belief beside the truth."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from deskcheck.records import Program

ARGUMENTS, MAX_STEPS = "27", 600
"""Argument of the practiced program, and largest number of steps of the model in each run."""
UNSEEN = "binary-multiplication:5"
"""Chosen before any model was asked: of `classic`, the first program and the middle one of its ten inputs."""


def demo(
    out: Annotated[
        str, typer.Option(help="The page to write, not to open. [demo.html, which is opened]")
    ] = "",
    site: Annotated[
        str, typer.Option(help="Write a site into this folder: the model executes what is typed there.")
    ] = "",
    serve: Annotated[bool, typer.Option("--serve", help="Serve the site on this computer.")] = False,
) -> None:
    """Let the shipped model execute a program that it practiced, and a textbook one that it did not."""
    if site or serve:
        _write_site(site, is_served=serve)
        return
    from deskcheck.benchmarks.classic import drafts
    from deskcheck.cell_files import check_target, write_whole
    from deskcheck.corpus.long_programs import COLLATZ
    from deskcheck.evaluation.plan import need_inspect
    from deskcheck.layouts.line_1 import LAYOUT as LINE_1
    from deskcheck.layouts.sub import LAYOUT as SUB
    from deskcheck.tracing.program import make_program

    page = Path(out or "demo.html")
    unseen_page = page.with_name(f"{page.stem}-unseen.html")
    for path in (page, unseen_page):
        check_target(str(path), "--out", ending=".html")
    need_inspect()
    program = make_program(COLLATZ, "f", ARGUMENTS, origin="demo", license="Apache-2.0")
    unseen = next(draft.program for draft in drafts("") if draft.id == UNSEEN)
    print("tiny, the 11 MB model that ships, executes a program line by line: after each line it writes what")
    print("changed, and it sees nothing but the program and its own last state.\n")
    print("A program that it practiced with other inputs:\n")
    write_whole(page, _executed(program, LINE_1).encode())
    print(
        "A textbook program; similar programs were excluded from training. The input is of medium length.\n"
    )
    write_whole(unseen_page, _executed(unseen, SUB).encode())
    print("Thirty textbook programs: deskcheck eval --model tiny --benchmark classic --strategy sub")
    print(f"every state, belief beside truth: {page.resolve()}, {unseen_page.resolve()}")
    if not out and sys.stdout.isatty():
        import webbrowser

        webbrowser.open(page.resolve().as_uri())


def _executed(program: Program, layout: str) -> str:
    """Let the model execute a program, print how far it was right, and return the page of both runs.

    Both runs are the true one and the model's.
    """
    import time

    from deskcheck.evaluation.execute import run_execute
    from deskcheck.pace import CountLine
    from deskcheck.records import Limits
    from deskcheck.tracing.run import trace_program
    from deskcheck.viewer.document import View, page_of
    from deskcheck.viewer.execution import run_of_steps

    truth = trace_program(program, Limits())
    print(program.source.rstrip(), "\n", flush=True)
    began = time.monotonic()
    counter = CountLine("steps", most=MAX_STEPS)
    execution = run_execute(
        program,
        truth,
        model="tiny",
        max_steps=MAX_STEPS,
        model_args=[],
        strategy=layout,  # one in which the shipped model practiced steps like these
        after_step=counter.count,
    )
    counter.end()
    run = run_of_steps(f"tiny, {execution.strategy}", execution.steps, execution.answer, execution.expected)
    apart = next((at for at, step in enumerate(execution.steps) if step.apart), None)
    right = f"{truth.n_steps}" if apart is None else f"the first {max(apart - 1, 0)}"
    seconds = time.monotonic() - began
    print(f"{program.call}: {right} of {truth.n_steps} steps right, in {seconds:.0f} s")
    print(f"model: {run.answer}    truth: {run.expected}\n")
    if execution.n_again:
        print(f"asked again: {execution.n_again} of {execution.n_questions} questions, since a reply could")
        print("not be read\n")
    if execution.note:
        print(f"note: {execution.note}\n")
    return page_of(View(program, [truth], runs=[run], notes=[execution.note] if execution.note else []))


def _write_site(folder: str, *, is_served: bool) -> None:
    """Write the folder of the site, print its parts, and serve it."""
    from deskcheck.browser.site import serve, write_site
    from deskcheck.errors import UserError

    if not folder:
        raise UserError("--serve serves the folder of a site: name it with --site DIR")
    sizes = write_site(folder)
    for name, n_bytes in sizes:
        print(f"{name:16} {n_bytes / 1e6:5.1f} MB")
    print(f"{folder}: {sum(n_bytes for _, n_bytes in sizes) / 1e6:.1f} MB; any static host can publish it")
    if is_served:
        serve(folder)
    else:
        print(f"to look at it: deskcheck demo --site {folder} --serve")
