"""Writes docs/strategies/: a page per strategy from its docstring, its settings, and the prompt that it
really sends.

    python docs/make_strategies.py            rewrite the pages

The prompts are those of one small example program; `deskcheck eval --dry-run` prints them for any other.
"""

from __future__ import annotations

import ast
import inspect
from itertools import pairwise
from pathlib import Path
from types import ModuleType

from deskcheck import plugins, strategies
from deskcheck.evaluation.plan import load_strategy
from deskcheck.records import Limits, Prompt, Task
from deskcheck.strategies import Settings, is_oracle
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.turns import settings as turn_settings

HEAD = """\
# Strategies: how a model is asked

Made by `python docs/make_strategies.py` from the code; the prompts are the ones that are sent. A pair of
strategy and task that is not in the table is refused with the reason.
"""
FITTING = """
## What fits what

A strategy that puts the task's own question into its prompt fits any kind. The forms of iterative prompting
go through the call and answer the question at its end, so they need a call that is known. A layout writes the
run and no answer: lines, values and the end are [read off it](../questions.md#read-off-a-written-run).
Layouts that jump need -S skip=1 for anything but the end of the run. The oracle is told the lines, so it is
only asked about values.
"""
FOLDER = Path(__file__).with_name("strategies")
SOURCE = "def f(n):\n    s = 0\n    for i in range(n):\n        s += i\n    return s\n"


def example() -> Task:
    """The task whose prompts are shown."""
    program = make_program(SOURCE, "f", "3", origin="docs")
    trace = trace_program(program, Limits())
    return Task(program.id, "docs", "output", program, outcome_text(trace), trace, program.id)


def setting_texts() -> dict[str, str]:
    """Setting -> what its docstring says."""
    tree = ast.parse(inspect.getsource(turn_settings))
    body = next(node.body for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Settings")
    texts = {}
    for field, text in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
            texts[ast.unparse(field.target)] = " ".join(ast.literal_eval(text.value).split())
    return texts


def page(name: str) -> str:
    """The page of one strategy."""
    module = plugins.load("strategy", name)
    title, _, about = inspect.cleandoc(module.__doc__ or "").partition("\n")
    parts = [f"# {title.rstrip('.')}", body(about), facts(name, module)]
    for settings, said in shown(module):
        parts.append(f"## The {said}prompt\n\n{fenced(module.opening(example(), settings))}")
    return "\n\n".join(parts) + "\n"


def body(text: str) -> str:
    """A docstring as markdown: what is indented is code."""
    lines = text.strip("\n").split("\n")
    return "\n".join(f"    {line.strip()}" if line.startswith("    ") else line for line in lines)


def facts(name: str, module: ModuleType) -> str:
    """What it fits, and its settings."""
    fits = "every kind of task" if not module.FITS else ", ".join(f"`{kind}`" for kind in sorted(module.FITS))
    oracle = "yes: its rows are marked" if is_oracle(module, Settings()) else "no"
    oracle += "; with `skip=search` yes" if "skip" in module.SETTINGS else ""
    oracle += (
        "; with `inject_states` yes" if "inject_states" in module.SETTINGS and oracle.startswith("no") else ""
    )
    rows = [
        f"| fits | {fits}{', programs in Python' if strategies.reads_programs(module) else ''} |",
        *([f"| no other, as | {module.WHY} |"] if module.FITS else []),
        f"| asks in | {', '.join(getattr(module, 'STATEMENT_LANGUAGES', ('en',)))} |",
        f"| for | {'models trained on its layout' if module.TRAINED else 'any chat model'} |",
        f"| sees the truth | {oracle} |",
    ]
    texts, plain = setting_texts(), Settings()
    rows += [
        f"| `-S {setting}={getattr(plain, setting)}` | {texts[setting]} |"
        for setting in sorted(load_strategy(name).SETTINGS)
    ]
    command = f"deskcheck eval --model MODEL --benchmark core --strategy {name}"
    return "\n".join(["| | |", "|---|---|", *rows]) + f"\n\n```\n{command}\n```"


def shown(module: ModuleType) -> list[tuple[Settings, str]]:
    """The variants whose first prompt is shown."""
    if "zh" in getattr(module, "STATEMENT_LANGUAGES", ()):
        return [(Settings(), "first "), (Settings(statement_language="zh"), "Chinese ")]
    if module.TRAINED and "shots" in module.SETTINGS:
        return [(Settings(), "first "), (Settings(shots=2), "few-shot ")]
    return [(Settings(), "first ")]


def fenced(prompt: Prompt) -> str:
    """Every message with its role."""
    texts = [f"{message.role}:\n\n````\n{message.text}\n````" for message in prompt.messages]
    stop = f", stop at {prompt.stop}" if prompt.stop else ""
    return "\n\n".join([f"At most {prompt.max_tokens} tokens{stop}.", *texts])


EXPERIMENTAL = """
## Experimental

No result on a model has been recorded for these, so help, completion and messages leave them out. They work
as the others do.
"""


def index() -> str:
    """The tables of all of them, those without a result apart."""
    listed = plugins.listed("strategy")
    others = [name for name in plugins.names("strategy") if name not in listed]
    return "\n".join([HEAD, *table(listed), EXPERIMENTAL, *table(others), FITTING, *fitting()]) + "\n"


def table(names: list[str]) -> list[str]:
    """One row for each strategy."""
    rows = ["| strategy | what it asks | tasks | models |", "|---|---|---|---|"]
    for name in names:
        module = plugins.load("strategy", name)
        title = inspect.cleandoc(module.__doc__ or "").partition("\n")[0].partition(": ")[2].rstrip(".")
        marks = " (oracle)" if getattr(module, "ORACLE", False) else ""
        fits = "any" if not module.FITS else "output"
        fits += f" and {len(module.FITS) - 1} more" if len(module.FITS) > 1 else ""
        who = "trained" if module.TRAINED else "chat"
        who += ", chat with shots" if module.TRAINED and "shots" in module.SETTINGS else ""
        rows.append(f"| [{name}]({name}.md){marks} | {title} | {fits} | {who} |")
    return rows


def fitting() -> list[str]:
    """The declared table, kind by kind."""
    rows = ["| task | strategies |", "|---|---|"]
    modules = {name: plugins.load("strategy", name) for name in plugins.names("strategy")}
    for kind in plugins.names("question"):
        names = [name for name, module in modules.items() if not module.FITS or kind in module.FITS]
        rows.append(f"| `{kind}` | {'every one' if len(names) == len(modules) else ', '.join(names)} |")
    return rows


def pages() -> dict[str, str]:
    """File name -> text of every page."""
    return {"README.md": index(), **{f"{name}.md": page(name) for name in plugins.names("strategy")}}


if __name__ == "__main__":
    for file, text in pages().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
