"""What surrounds every command: unknown names, Ctrl-C, refusals and exit codes.

Exit codes: 0 done, 1 the command ran and its answer is no, or something failed or was never asked, 2 asked
wrongly or cannot be done, 130 Ctrl-C.
"""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from deskcheck.errors import DeskcheckError, MissingExtra, UnknownName


class Commands(TyperGroup):
    """An unknown command lists the known ones; Ctrl-C, which typer would swallow, says how to go on."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        if command is None:
            raise UnknownName("command", cmd_name, self.list_commands(ctx))
        return command

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            again = "run the same command again to go on"
            if ctx.invoked_subcommand == "train":  # without it the folder of a run is refused
                again = "the same command with --resume goes on"
            print(f"deskcheck: interrupted; what was finished is kept, {again}", file=sys.stderr)
            raise typer.Exit(130) from None


def run(app: Callable[[], None]) -> None:
    """Run a command; what we refuse, an extra or a disk that is missing become one line and exit code 2."""
    try:
        app()
    except DeskcheckError as error:
        _refuse(error)
    except ModuleNotFoundError as error:
        from deskcheck.doctor import extra_of

        library = error.name or ""
        if not extra_of(library):
            raise
        _refuse(MissingExtra(library, extra_of(library), " ".join(sys.argv[1:2])))
    except OSError as error:
        if error.errno not in _DISK:
            raise
        place = f"{error.filename2 or error.filename}: " if error.filename else ""
        _refuse(DeskcheckError(f"{place}{error.strerror}; what was finished before is kept"))


# What the machine says about files and folders, not a mistake of ours.
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS, errno.EISDIR, errno.ENOTDIR,
         errno.EEXIST, errno.ENAMETOOLONG, errno.ELOOP, errno.EMFILE}  # fmt: skip


def _refuse(error: DeskcheckError) -> NoReturn:
    print(f"deskcheck: {error}", file=sys.stderr)
    raise SystemExit(2) from None
