"""The commands: options in, one call, an exit code out. Nothing heavy is imported before it is needed."""

from __future__ import annotations

from typing import Annotated

import typer

from deskcheck.cli import (
    adding,
    demo,
    evaluating,
    grading,
    machine,
    recording,
    reports,
    shell,
    training,
    viewing,
)

app = typer.Typer(
    name="deskcheck",
    cls=shell.Commands,
    help="Record what programs do, teach language models to execute them, measure how well they can.",
    no_args_is_help=True,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from deskcheck import __version__

        print(f"deskcheck {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Take the options that stand before a command."""


app.command(cls=recording.TraceCommand)(recording.trace)
app.command(name="eval", cls=shell.Command)(evaluating.evaluate)
for _command in (
    recording.build,
    recording.data,
    viewing.view,
    machine.doctor,
    adding.new,
    demo.demo,
    grading.grade,
    evaluating.execute,
    reports.report,
    reports.compare,
    reports.study,
    reports.table,
    reports.leaderboard,
    reports.merge,
    evaluating.prompts,
    training.train,
    training.export,
    training.downstream,
):
    app.command(cls=shell.Command)(_command)


def main() -> None:
    """Run the command line of deskcheck; exit with its code."""
    shell.run(app)
