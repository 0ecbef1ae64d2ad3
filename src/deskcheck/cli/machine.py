"""The commands that check: `doctor` checks this machine, `validate` the benchmarks and environments."""

from __future__ import annotations

from typing import Annotated

import typer

from deskcheck.errors import UserError


def doctor(
    json: Annotated[bool, typer.Option("--json", help="One JSON list instead of lines.")] = False,
) -> None:
    """Show what works on this machine, what is missing, and the command that fixes it."""
    from deskcheck.doctor import as_json, as_text, findings

    print((as_json if json else as_text)(findings()))


def validate(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            help="Benchmarks, NAME or NAME=PATH, and `rewards`; default: all that need no file or whose file "
            "is in the folder that DESKCHECK_DATA names."
        ),
    ] = None,
) -> None:
    """Check that only correct answers earn reward; no model is needed."""
    import os

    from deskcheck.validation import as_lines, at_hand, checks_of_benchmark, checks_of_rewards

    there, missing = at_hand(os.environ.get("DESKCHECK_DATA", ""))
    data_of = dict(there)
    failed = 0
    for given in names or [*data_of, "rewards"]:
        name, _, data = given.partition("=")
        data = data or data_of.get(name, "")
        try:
            checks = checks_of_rewards() if name == "rewards" else checks_of_benchmark(name, data)
        except UserError as error:
            error.args = (str(error).replace("--data PATH", f"{name}=PATH"),)  # as this command takes it
            raise
        print("\n".join(as_lines(checks)), flush=True)
        failed += sum(bool(one.failures) for one in checks)
    if missing and not names:
        print(f"not checked, no file in DESKCHECK_DATA: {', '.join(missing)}")
    print(f"{failed} checks failed" if failed else "only true answers are paid")
    raise typer.Exit(int(failed > 0))
