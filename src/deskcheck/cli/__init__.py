"""The command line: each command turns its options into one call and the result into an exit code.

Large libraries are imported only by the commands that need them.
"""

from __future__ import annotations

import inspect
import sys
import warnings
from collections.abc import Callable, Iterable

import typer
from typer.core import TyperCommand

from deskcheck.cli import (
    adding,
    demo,
    evaluating,
    grading,
    machine,
    queries,
    recording,
    reports,
    shell,
    training,
    viewing,
)

COMMANDS: dict[str, tuple[type[TyperCommand], Callable[..., None]]] = {
    "trace": (recording.TraceCommand, recording.trace),
    "eval": (shell.Command, evaluating.evaluate),
    **{
        command.__name__: (shell.Command, command)
        for command in (
            recording.build,
            recording.data,
            viewing.view,
            queries.ask,
            queries.diff,
            queries.explain,
            queries.mcp,
            machine.doctor,
            machine.validate,
            adding.new,
            demo.demo,
            grading.grade,
            evaluating.execute,
            reports.report,
            reports.compare,
            reports.study,
            reports.table,
            reports.push,
            reports.merge,
            evaluating.prompts,
            training.train,
            training.export,
            training.downstream,
        )
    },
}


def app_of(names: Iterable[str], *, listed: bool = False) -> typer.Typer:
    """Return the command line with these commands; with `listed`, without their options, for `-h` alone."""
    made = typer.Typer(
        name="deskcheck",
        cls=shell.Commands,
        help="Record what programs do, teach language models to execute them, measure how well they can.",
        no_args_is_help=True,
        add_completion=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    made.callback()(shell.root)
    for name in names:
        kind, command = COMMANDS[name]
        if listed:
            made.command(name=name, cls=kind, help=inspect.getdoc(command))(_listed)
        else:
            made.command(name=name, cls=kind)(command)
    return made


def _listed() -> None:
    """Do nothing, in place of a command that is only listed."""


app = app_of(COMMANDS)
_ASK_FOR_THE_LIST = (["-h"], ["--help"], ["--all"], ["--version"])


def main() -> None:
    """Run the command line of deskcheck; exit with its code."""
    shell.prepare_streams()
    # Programs of others are parsed as texts without a name: what is odd in them is not for the user.
    warnings.filterwarnings("ignore", category=SyntaxWarning, module="<unknown>")
    typed = sys.argv[1:2]
    if typed and typed[0] in COMMANDS:
        shell.run(app_of(typed))
    else:
        shell.run(app_of(COMMANDS, listed=True) if typed in _ASK_FOR_THE_LIST else app)
