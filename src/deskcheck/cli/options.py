"""Options that several commands share, and what they do."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer

Require = Annotated[
    str, typer.Option(help="Weakest containment level to accept: full, kernel, seccomp, limits.")
]
Trust = Annotated[bool, typer.Option("--i-trust-this-code", help="Run untrusted code at level limits too.")]
Confirm = Annotated[bool, typer.Option(help="Run twice, elsewhere; say whether the bytes agree.")]
Ids = Annotated[str, typer.Option(help="Only these tasks, separated by commas.")]
Policy = Annotated[str, typer.Option(help="strict, lenient, lenient:1e-9 or published.")]
Filters = Annotated[
    list[str] | None, typer.Option(help="Only tasks with NAME=VALUE, NAME~PART, steps<100; repeatable.")
]
Words = Annotated[
    str,
    typer.Option(
        help="Ask in the words of this file ({code}, {call}, {form}), or as published: cruxeval-cot."
    ),
]
Options = Annotated[list[str] | None, typer.Option("-T", help="key=value for the benchmark; repeatable.")]


def contain(require: str, trusted: bool = False) -> None:
    """SandboxUnavailable when the level cannot be had; what runs later runs at the strongest there is."""
    from deskcheck import sandbox

    sandbox.check(require)
    if trusted:
        sandbox.trust_this_code()


def end(rows: Sequence[Any], *, again: str = "the command that asked goes on with them") -> None:
    """Say how many answers of these rows are missing, and end with exit code 1 where any is."""
    from deskcheck.statistics.summary import closing

    if missing := closing(rows, again=again):
        print(missing)
        raise typer.Exit(1)


def say_containment(source: str, *, verbose: bool = False) -> None:
    """Print how a named program was contained, where that is less than full or was asked for."""
    from deskcheck import sandbox

    line = sandbox.admit("named", source)
    if verbose or sandbox.level() != "full":
        print(line, file=sys.stderr)
