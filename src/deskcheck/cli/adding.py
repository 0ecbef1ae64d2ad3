"""Define the command `new`, which writes the first files of a plug-in."""

from __future__ import annotations

import sys
from typing import Annotated

import typer


def new(
    kind: Annotated[str, typer.Argument(help="benchmark, strategy, question, layout, summary or language.")],
    name: Annotated[str, typer.Argument(help="The plug-in's name on the command line, such as two-looks.")],
    layout: Annotated[
        str, typer.Option(help="For a strategy that steps: the layout in which it asks for each step.")
    ] = "",
) -> None:
    """Write the file, the test row and the page of a new plug-in into this checkout of deskcheck.

    In the folder of a package of your own, it writes the file and prints its entry point.
    """
    from pathlib import Path

    from deskcheck.scaffold import make_pages, next_step, write_new

    for path in write_new(kind, name, Path(), layout=layout):
        print(f"written: {path}")
    if fault := make_pages(kind, name, Path()):
        print(f"deskcheck: {fault}", file=sys.stderr)
        raise typer.Exit(1)
    print(f"then: {next_step(kind, name, Path())}")
