"""The commands: options in, one call, an exit code out. Nothing heavy is imported before it is needed."""

from __future__ import annotations

from typing import Annotated

import typer

from deskcheck.cli import evaluating, grading, recording, reports, shell, training, viewing

app = typer.Typer(
    name="deskcheck",
    cls=shell.Commands,
    help="Record what programs do, teach language models to execute them, measure how well they can.",
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback()
def _root() -> None:
    """Keeps the commands named even while there is only one."""


@app.command()
def version() -> None:
    """Print the version."""
    from deskcheck import __version__

    print(__version__)


@app.command()
def doctor(
    json: Annotated[bool, typer.Option("--json", help="One JSON list instead of lines.")] = False,
) -> None:
    """What works on this machine, what is reduced, and the line that mends it."""
    from deskcheck.doctor import as_json, as_text, findings

    print((as_json if json else as_text)(findings()))


app.command(cls=recording.ScriptCommand)(recording.trace)
app.command(name="eval")(evaluating.evaluate)
for _command in (
    recording.build,
    recording.data,
    viewing.view,
    grading.grade,
    evaluating.execute,
    reports.report,
    reports.compare,
    reports.study,
    training.train,
    training.export,
    training.downstream,
):
    app.command()(_command)


def main() -> None:
    """Run a command; what we refuse, an extra or a disk that is missing become one line and exit code 2."""
    shell.run(app)
