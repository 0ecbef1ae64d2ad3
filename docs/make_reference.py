"""Writes docs/api.md, commands.md and layouts.md: docstrings, options, an example of each layout.

python docs/make_reference.py            rewrite the pages
python docs/make_reference.py --check    exit 1 when one is not current
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import typer

import deskcheck
from deskcheck import plugins
from deskcheck.cli import app
from deskcheck.cli.examples import CODES, EXAMPLES, GROUPS
from deskcheck.cli.shell import OF_RUNS, RUNNING, names_of
from deskcheck.records import Limits
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.training.traces import granularity_of

HERE = Path(__file__).parent
MADE = "Made by `python docs/make_reference.py`; the text is that of the code."
API = [
    ("Record a run", ["trace", "record", "Recording", "load", "read_traces", "trace_file"]),
    (
        "Look at a run",
        ["Trace", "Step", "State", "Frame", "Exit", "Ask", "StandIn", "Limits"],
    ),
    ("Let a model execute", ["execute", "Execution", "ModelStep"]),
    ("Evaluate and grade", ["evaluate", "Evaluation", "results", "grade", "Score"]),
    ("Datasets", ["build", "Dataset", "load_dataset"]),
    (
        "Errors",
        [
            "DeskcheckError",
            "UserError",
            "UnknownName",
            "MissingExtra",
            "BadSource",
            "NoResult",
            "DataError",
            "CorruptShard",
        ],
    ),
    ("Rewards and environments", ["load_environment", "register_dataset", "create_environment"]),
]


def api_page() -> str:
    """The reference of everything that `import deskcheck` offers."""
    lines = ["# Reference of the Python API", "", MADE, "Examples of each run as tests; an introduction is"]
    lines[-1] += " [python.md](python.md)."
    for title, names in API:
        lines += ["", f"## {title}"]
        for name in names:
            member = getattr(deskcheck, name)
            lines += ["", f"### {name}", ""]
            lines += class_lines(member) if isinstance(member, type) else function_lines(name, member)
    return "\n".join(lines) + "\n"


def function_lines(name: str, function: Any) -> Iterator[str]:
    """Signature, docstring and examples of a function."""
    yield from ("```py", signature_text(f"deskcheck.{name}", function), "```", "")
    yield from doc_lines(inspect.getdoc(function) or "")


def signature_text(name: str, function: Any, *, bound: bool = False) -> str:
    """A call with its parameters, one a line where they are many."""
    signature = inspect.signature(function)
    parameters = [parameter_text(one) for one in signature.parameters.values()][int(bound) :]
    kinds = [one.kind for one in signature.parameters.values()][int(bound) :]
    for at, kind in enumerate(kinds):
        if kind is inspect.Parameter.KEYWORD_ONLY and inspect.Parameter.VAR_POSITIONAL not in kinds:
            parameters.insert(at, "*")
            break
    n_alone = sum(kind is inspect.Parameter.POSITIONAL_ONLY for kind in kinds)
    if n_alone:
        parameters.insert(n_alone, "/")
    given = signature.return_annotation
    returned = (
        ""
        if given is inspect.Signature.empty
        else f" -> {given if isinstance(given, str) else given.__name__}"
    )
    line = f"{name}({', '.join(parameters)}){returned}"
    if len(line) <= 100:
        return line
    return f"{name}(\n" + "".join(f"    {one},\n" for one in parameters) + f"){returned}"


def parameter_text(one: inspect.Parameter) -> str:
    """Name, type and default of a parameter."""
    mark = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(one.kind, "")
    kind = "" if one.annotation is one.empty else f": {one.annotation}"
    if one.default is one.empty:
        return f"{mark}{one.name}{kind}"
    default = repr(one.default) if not isinstance(one.default, deskcheck.Limits) else "Limits()"
    return f"{one.name}{kind} = {default}"


def doc_lines(text: str) -> Iterator[str]:
    """A docstring as Markdown: its paragraphs, and its example as a block."""
    prose, example = [], []
    for line in text.split("\n"):
        (example if example or line.startswith(">>> ") else prose).append(line)
    yield "\n".join(prose).strip()
    if example:
        yield from ("", "```pycon", *example, "```")


def class_lines(cls: type) -> Iterator[str]:
    """Docstring with the attributes, then properties and methods of a class as a table."""
    yield from doc_lines(inspect.getdoc(cls) or "")
    rows = list(members(cls))
    if rows:
        yield from ("", "| name | is |", "|---|---|")
        for name, text in rows:
            summary = " ".join(text.split("\n\n")[0].split()).replace("|", "\\|")
            yield f"| `{name}` | {summary} |"


def members(cls: type) -> Iterator[tuple[str, str]]:
    """Public class attributes, properties and methods in the order of the source, with their docstrings."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(cls))).body
    assert isinstance(tree, ast.ClassDef)
    yield from documented(tree.body)
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        if node.name[0] != "_" and not any("overload" in ast.dump(one) for one in node.decorator_list):
            is_value = any("property" in ast.dump(one) for one in node.decorator_list)
            name = node.name if is_value else short_signature(node)
            yield name, ast.get_docstring(node) or ""


def documented(body: list[ast.stmt]) -> Iterator[tuple[str, str]]:
    """Names that are set in a body and have a docstring behind them."""
    for node, after in pairwise(body):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        name = getattr(target, "attr", getattr(target, "id", "_"))
        if name[0] != "_" and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            yield name, inspect.cleandoc(str(after.value.value))


def short_signature(node: ast.FunctionDef) -> str:
    """A method with the names of its parameters."""
    named = [one.arg for one in node.args.args[1:]] + [f"{one.arg}=.." for one in node.args.kwonlyargs]
    return f"{node.name}({', '.join(named)})"


# ------------------------------------------------------------------ commands


def commands_page() -> str:
    """Every command with its options and examples, in the groups of the help."""
    group: Any = typer.main.get_command(app)
    lines = ["# Commands", "", f"{MADE} The option `-h` of a command prints the same in a terminal."]
    for title, names in GROUPS.items():
        lines += ["", f"## {title}"]
        for name in names:
            command = group.commands[name]
            lines += ["", f"### {name}", "", str(command.help).strip(), "", "```sh"]
            lines += [*EXAMPLES[name], "```", "", "| argument or option | is |", "|---|---|"]
            lines += [option_row(one) for one in command.params if not getattr(one, "hidden", False)]
            lines += [f"| `{word}` | {text} |" for word, text in OF_RUNS] if name in RUNNING else []
            lines += [line for kind, known in names_of(name) for line in ("", f"{kind}: {known}")]
    lines += ["", "## Exit codes", "", *EXIT_CODES]
    return "\n".join(lines) + "\n"


EXIT_CODES = [
    "| code | name in `--json` | means |",
    "|---|---|---|",
    *(f"| {code} | `{name}` | {meaning} |" for code, (name, meaning) in CODES.items()),
    "",
    "`trace` ends with the code of the program that it ran: `sys.exit(n)` is n, an uncaught exception 1,",
    "a limit 124, a refused operation 125.",
]


def option_row(one: Any) -> str:
    """One line of the table of a command."""
    if one.param_type_name == "argument":
        names = one.name.upper()
    else:
        names = ", ".join([*one.opts, *one.secondary_opts])
    default = one.default
    shown = ""
    if default not in (None, "", False, [], ()) and not callable(default) and one.param_type_name == "option":
        shown = f" Default: `{default}`."
    text = re.sub(r"\s+", " ", one.help or "").replace("|", "\\|")
    return f"| `{names}` | {text}{shown} |"


# ------------------------------------------------------------------ layouts

PROGRAM = "def f(a, b):\n    c = a + b\n    return c * 2\n"
CALL = "3, 9"


def layouts_page() -> str:
    """Every layout with its first paragraph and the first example that it makes of one small run."""
    lines = ["# Layouts with an example of each", "", MADE, f"The run is `f({CALL})` of:", ""]
    lines += ["```py", *PROGRAM.strip().split("\n"), "```", ""]
    lines += ["[notation.md](notation.md) explains the notation. Layouts at the end are experimental:"]
    lines += ["no result of a model has been recorded for them."]
    program = make_program(PROGRAM, "f", CALL, origin="docs")
    listed = plugins.listed("layout")
    for name in [*listed, *(other for other in plugins.names("layout") if other not in listed)]:
        module = plugins.load("layout", name)
        record = trace_program(program, Limits(), granularity=granularity_of(module))
        example = module.render(record, program)[0]
        about = (module.__doc__ or "").strip().split("\n\n")[0].replace("\n", " ")
        lines += [
            "",
            f"## {name}" + " (experimental)" * (name not in listed),
            "",
            about,
            "",
            "Prompt:",
            "",
            "````text",
            *example.prompt.rstrip("\n").split("\n"),
        ]
        lines += ["````", "", "Answer:", "", "````text", *example.target.rstrip("\n").split("\n"), "````"]
    return "\n".join(lines) + "\n"


PAGES = {"api.md": api_page, "commands.md": commands_page, "layouts.md": layouts_page}


def main(arguments: list[str]) -> int:
    """Write the pages, or say which of them are not current."""
    stale = [
        name
        for name, make in PAGES.items()
        if not (HERE / name).exists() or (HERE / name).read_text("utf-8") != make()
    ]
    if "--check" in arguments:
        for name in stale:
            print(f"docs/{name} is not current; run: python docs/make_reference.py")
        return int(bool(stale))
    for name in stale:
        (HERE / name).write_text(PAGES[name](), encoding="utf-8")
        print(f"docs/{name} written")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
