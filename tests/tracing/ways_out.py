"""Every way by which values of a run leave deskcheck, as the program itself says it: what `doors` must cover.

ways_out() -> {"trace --format json", "mcp steps", "Trace.__repr__", "%%deskcheck", ..}
EXACT      -> ways out that show a run as it is, each with the reason
"""

from __future__ import annotations

import re
from typing import Any

import typer
from tests.api.test_cells import Shell

import deskcheck
from deskcheck.cli import app
from deskcheck.cli.shell import RUNNING
from deskcheck.queries.answers import Answer
from deskcheck.queries.ask import FORMS
from deskcheck.queries.server import NAMES

_OF_TASKS = "tasks and data for measuring and training: a changed literal is another task"
_RETURNS = "returns a Trace or an Execution, whose methods are doors"
_MEASURING = "build Dataset load_dataset evaluate grade Evaluation results Score".split()
_MEASURING += ["load_environment", "create_environment", "register_dataset"]
_ERRORS = [name for name in deskcheck.__all__ if name in vars(deskcheck.errors)]
EXACT = {
    **dict.fromkeys("build data train export downstream eval grade prompts report".split(), _OF_TASKS),
    **dict.fromkeys("compare study table push merge validate".split(), _OF_TASKS),
    **{f"deskcheck.{name}": _OF_TASKS for name in _MEASURING},
    **{f"deskcheck.{name}": _RETURNS for name in "trace record Recording load read_traces".split()},
    **dict.fromkeys(("deskcheck.trace_file", "deskcheck.execute"), _RETURNS),
    **dict.fromkeys(("demo", "doctor", "new"), "no program of a person runs"),
    **dict.fromkeys((f"deskcheck.{name}" for name in ("Limits", "NoResult", *_ERRORS)), "no value"),
    "deskcheck.StandIn": "values are exact",
    "Trace.at": "values are exact; `State.__repr__` is what is printed",
    "Trace.to_pandas": "values are exact",
    "Ask.__repr__": "names the methods alone",
}
CLASSES = (deskcheck.Trace, deskcheck.State, deskcheck.Step, deskcheck.Frame, deskcheck.Exit, deskcheck.Ask,
           deskcheck.Execution, deskcheck.ModelStep, Answer)  # fmt: skip
_SHOWING = re.compile(r"__(repr|str|format|call)__|_repr_\w+_|[a-z]\w*")


def ways_out() -> set[str]:
    """Names of all ways out: by command, option, tool, method, magic and plugin."""
    ways = {f"mcp {name}" for name in NAMES} | {f"ask {form.split()[0]}" for form in FORMS.split(", ")}
    for name, given in typer.main.get_group(app).commands.items():  # type: ignore[attr-defined]  # a group's
        ways.add(name)
        if name in RUNNING:
            ways.update(way for parameter in given.params for way in _ways_of(name, parameter))
    shown = {kind.__name__ for kind in CLASSES}
    ways.update(f"deskcheck.{name}" for name in dir(deskcheck) if name[0] != "_" and name not in shown)
    for kind in CLASSES:
        for name, value in vars(kind).items():
            if callable(value) and _SHOWING.fullmatch(name):
                ways.add(f"{kind.__name__}.{name}")
    shell = Shell()
    deskcheck.load_ipython_extension(shell)
    ways.update(f"%%{name}" for _, name in shell.magics)
    return ways | _of_the_plugin()


def _ways_of(command: str, parameter: Any) -> list[str]:
    name, text = parameter.name, str(parameter.help or "")
    if name == "out":
        endings = dict.fromkeys(re.findall(r"NAME(\.[a-z]+)", text))
        return [f"{command} --out {ending}" for ending in endings] or [f"{command} --out"]
    if name == "format":
        return [
            f"{command} --format {word}" for word in re.findall(r"\w+", text) if word not in ("text", "or")
        ]
    return [f"{command} --{name}"] if name in ("trust", "model") and command != "execute" else []


def _of_the_plugin() -> set[str]:
    """Options of the pytest plugin that name a folder to write."""
    from deskcheck import pytest_plugin

    options: dict[str, dict[str, Any]] = {}

    class Group:
        def addoption(self, name: str, **given: Any) -> None:
            options[name] = given

    class Parser:
        def getgroup(self, *_: str) -> Group:
            return Group()

    pytest_plugin.pytest_addoption(Parser())  # type: ignore[arg-type]  # as much of it as is used
    return {name for name, given in options.items() if given.get("metavar") == "DIR"}
