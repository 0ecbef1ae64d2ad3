"""The command about this machine: doctor."""

from __future__ import annotations

from typing import Annotated

import typer


def doctor(
    json: Annotated[bool, typer.Option("--json", help="One JSON list instead of lines.")] = False,
) -> None:
    """Say what works on this machine, what is reduced, and the line that mends it."""
    from deskcheck.doctor import as_json, as_text, findings

    print((as_json if json else as_text)(findings()))
