"""Write docs/strategies/: a page for each strategy from its docstring, its settings, and the prompts that it
sends, and a table of all.

    python docs/make_strategies.py            rewrite the pages

The prompts are those of one small example program; `deskcheck eval --dry-run` prints them for any other.
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec.structs import replace

from deskcheck import languages, plugins
from deskcheck.evaluation.plan import load_strategy
from deskcheck.records import Limits, Prompt, Task
from deskcheck.strategies import Settings, is_oracle, language_refusal, python_reason, settings_of
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program
from deskcheck.turns import settings as turn_settings
from deskcheck.turns.question import NAMES

HEAD = """\
# Strategies: how a model is asked

For people who evaluate a model: the ways to ask it about a run, of which `--strategy NAME` chooses one. Start
with `vanilla` or `cot` for a chat model, and with `sub` for the model that ships. Each page has the
settings (`-S key=value`) and the prompts as they are sent.

- **Models.** "chat": any chat model. "trained": a model that was trained on the strategy's
  [layout](../layouts.md). Where "chat with shots" is added, `-S shots=3` puts rules and three worked examples
  before the question, for a chat model. "base": a model that only continues text.
- **Questions.** "any" [kind](../questions.md), or one of the groups under [What fits what](#what-fits-what).
- **(oracle)**: the truth is used during the run, so the rows are marked and not compared with others.
"""
EXPERIMENTAL = """
## Experimental

No result on a model has been recorded for these, so help, completion and messages do not list them.
`--strategy NAME` works all the same.
"""
FITTING = """
## What fits what

Any other pair is refused before a model is asked. Lines, values and the end of a run that a model has written
are [derived from it](../questions.md#answers-derived-from-the-models-own-run). line-n and instruction-n
write every state only with `-S skip=1`, so questions other than those for the end need it.
"""
MADE = """
These pages are made by `python docs/make_strategies.py` from the code.
"""
FOLDER = Path(__file__).with_name("strategies")
SOURCE = "def f(n):\n    s = 0\n    for i in range(n):\n        s += i\n    return s\n"


def example() -> Task:
    """The task whose prompts are shown."""
    program = make_program(SOURCE, "f", "3", origin="docs")
    trace = trace_program(program, Limits())
    return Task(program.id, "docs", "output", program, outcome_text(trace), trace, program.id)


def setting_texts() -> dict[str, str]:
    """Setting -> the text of its docstring."""
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
    parts = [f"# {title.rstrip('.')}", body(about), facts(name, module), settings_table(name, module)]
    if getattr(module, "MODEL", ""):
        model = module.MODEL
    else:
        model = "NAME" if module.TRAINED or getattr(module, "RAW", False) else "openai/gpt-4o-mini"
        model = "tiny" if name in ("direct", "line-1", "sub") else model
    command = f"deskcheck eval --model {model} --benchmark core --strategy {name}"
    parts.append(f"```\n{command}{ARGUMENTS.get(name, '')}\n```")
    if module.TRAINED and name != "cwm":
        parts.append(f"[Notation of layouts](../notation.md) explains the signs.{python_version(module)}")
    parts += [
        f"## {label}\n\n{fenced(module.opening(example(), settings), module)}"
        for settings, label in variants(module)
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


ARGUMENTS = {"template": " --prompt cruxeval-cot"}
"""Strategy -> arguments that its example needs."""


def python_version(module: ModuleType) -> str:
    """A sentence about the instructions that a prompt shows."""
    if "listing" not in getattr(module, "PARTS", ()):
        return ""
    return f" The instructions below are those of CPython {sys.version_info[0]}.{sys.version_info[1]}."


def body(text: str) -> str:
    """A docstring as markdown: what is indented is code."""
    lines = text.strip("\n").split("\n")
    return "\n".join(f"    {line.strip()}" if line.startswith("    ") else line for line in lines)


def facts(name: str, module: ModuleType) -> str:
    """The table of its questions, languages and models, and whether it sees the truth."""
    fits = "every kind" if not module.FITS else ", ".join(f"`{kind}`" for kind in sorted(module.FITS))
    rows = [
        f"| questions | {fits} |",
        *([f"| no other kind | {module.WHY} |"] if module.FITS else []),
        f"| programs in | {programs_in(name)} |",
        f"| prompt in | {', '.join(getattr(module, 'STATEMENT_LANGUAGES', ('en',)))} |",
        f"| models | {models(module)} |",
        f"| sees the truth | {truth(module)} |",
    ]
    return "\n".join(["| | |", "|---|---|", *rows])


def models(module: ModuleType) -> str:
    """The models that can follow it, in words."""
    if getattr(module, "RAW", False):
        kind = "trained on its format" if module.TRAINED else "base models, which only continue text"
        return f"{kind}; a completions endpoint"
    if not module.TRAINED:
        return "any chat model"
    return "trained on its layout" + ("; with `shots` any chat model" if "shots" in module.SETTINGS else "")


def programs_in(name: str) -> str:
    """The languages of programs that can be asked about, with the reason where it is Python alone."""
    strategy: Any = load_strategy(name)
    plain = settings_of(name, strategy, Settings())
    read = [each for each in languages.names() if not language_refusal(strategy, each, plain)]
    if reason := python_reason(strategy, plain):
        return f"Python: {reason}"
    if not strategy.FITS and not getattr(strategy, "PARTS", ()):
        words = "any language"
    else:
        words = ", ".join(NAMES.get(each, each.capitalize()) for each in read)
    words += "; with `shots` Python" if strategy.TRAINED and "shots" in strategy.SETTINGS else ""
    return words + ("; with a published prompt Python" if "prompt" in strategy.SETTINGS else "")


def truth(module: ModuleType) -> str:
    """Whether it uses the truth, by its declaration or by a setting."""
    if is_oracle(module, Settings()):
        return "yes: its rows are marked (oracle)"
    values = {"skip": "search", "inject_states": "3wrong", "teacher_forcing": "true"}
    by_setting = [
        f"`{setting}`" if setting == "inject_states" else f"`{setting}={value}`"
        for setting, value in values.items()
        if setting in module.SETTINGS and is_oracle(module, replace(Settings(), **{setting: value}))
    ]
    return f"no; yes with {' or '.join(by_setting)}" if by_setting else "no"


def settings_table(name: str, module: ModuleType) -> str:
    """The settings with their defaults; for `on_error` the values that this strategy takes."""
    texts, plain = setting_texts(), Settings()
    rows = []
    # A model that others trained on their format was trained on no option of ours.
    strategy = module if getattr(module, "RAW", False) else load_strategy(name)
    for setting in sorted(strategy.SETTINGS):
        text = texts[setting]
        if setting == "on_error":
            text += f" Here: {', '.join(reactions(module))}."
        value = getattr(plain, setting)
        if setting == "shots":
            value = getattr(module, "SHOTS", value)
        rows.append(f"| `-S {setting}={value}` | {text} |")
    return "\n".join(["| setting (default) | |", "|---|---|", *rows]) if rows else ""


def reactions(module: ModuleType) -> list[str]:
    """The values of `on_error` that this strategy does not refuse."""
    refusal = getattr(module, "refusal", lambda kind, settings: "")
    values = turn_settings.CHECKS["on_error"][0].split("|")
    return [value for value in values if not refusal("output", Settings(on_error=value, skip="1"))]


def variants(module: ModuleType) -> list[tuple[Settings, str]]:
    """The variants whose first prompt is shown."""
    if "zh" in getattr(module, "STATEMENT_LANGUAGES", ()):
        return [(Settings(), "The first prompt"), (Settings(statement_language="zh"), "The Chinese prompt")]
    if module.TRAINED and "shots" in module.SETTINGS:
        return [(Settings(), "The first prompt"), (Settings(shots=2), "The prompt with -S shots=2")]
    return [(Settings(), "The first prompt")]


def fenced(prompt: Prompt, module: ModuleType) -> str:
    """Every message with its role."""
    is_raw = getattr(module, "RAW", False)
    texts = [
        f"{'raw text' if is_raw else message.role}:\n\n````\n{message.text}\n````"
        for message in prompt.messages
    ]
    ends = " and ".join(f"`{json.dumps(text)}`" for text in prompt.stop)
    stop = f"; it stops at {ends}" if ends else ""
    return "\n\n".join([f"A reply has at most {prompt.max_tokens} tokens{stop}.", *texts])


def index() -> str:
    """The tables of all of them, those without a result apart."""
    listed = plugins.listed("strategy")
    others = [name for name in plugins.names("strategy") if name not in listed]
    return "\n".join([HEAD, *table(listed), EXPERIMENTAL, *table(others), FITTING, *fitting(), MADE])


def table(names: list[str]) -> list[str]:
    """One row for each strategy."""
    rows = ["| strategy | what it asks | questions | models |", "|---|---|---|---|"]
    for name in names:
        module = plugins.load("strategy", name)
        title = inspect.cleandoc(module.__doc__ or "").partition("\n")[0].partition(": ")[2].rstrip(".")
        marks = " (oracle)" if getattr(module, "ORACLE", False) else ""
        who = "trained" if module.TRAINED else "base" if getattr(module, "RAW", False) else "chat"
        who += ", chat with shots" if module.TRAINED and "shots" in module.SETTINGS else ""
        rows.append(f"| [{name}]({name}.md){marks} | {title} | {group(module.FITS)} | {who} |")
    return rows


def group(fits: frozenset[str]) -> str:
    """The name of a set of kinds; a small set is named by its kinds."""
    if not fits:
        return "any"
    if len(fits) <= 4:
        return ", ".join(f"`{kind}`" for kind in sorted(fits, reverse=True))
    return "about a known call" if "counterfactual" in fits else "about the run"


def fitting() -> list[str]:
    """One row for each set of kinds: its strategies, its kinds, and the reason for no other."""
    modules = {name: plugins.load("strategy", name) for name in plugins.names("strategy")}
    rows = ["| strategies | kinds of question | no other, because |", "|---|---|---|"]
    by_fit: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for name, module in modules.items():
        why = module.WHY if module.FITS else "the prompt holds the task's own question"
        by_fit.setdefault((tuple(sorted(module.FITS)), why), []).append(name)
    for (kinds, why), names in sorted(by_fit.items(), key=lambda pair: (-len(pair[0][0]), pair[1])):
        label = group(frozenset(kinds))
        if label.startswith("about"):
            label += ": " + ", ".join(f"`{kind}`" for kind in kinds)
        rows.append(f"| {', '.join(names)} | {label} | {why} |")
    return rows


def pages() -> dict[str, str]:
    """File name -> text of every page."""
    return {"README.md": index(), **{f"{name}.md": page(name) for name in plugins.names("strategy")}}


if __name__ == "__main__":
    for file, text in pages().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
