"""Every door by which the values of a person's run leave deskcheck, and what each door covers.

    DOORS["page"]()      -> everything that is printed and written there, as one text
    COVERED              -> {"view --out", ..}: the ways out (ways_out.py) that the doors go through

The current folder is that of the fixture `plant` (test_redaction.py).
"""

from __future__ import annotations

import contextlib
import io
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.api.test_cells import Shell
from tests.queries.client import session
from tests.tracing.secrets_planted import file_text, page_text, shard_text

import deskcheck
from deskcheck.cli import app
from deskcheck.cli.queries import program_of_call, run_all, run_of
from deskcheck.cli.shell import run as run_command
from deskcheck.queries.answers import Answer
from deskcheck.queries.ask import FORMS
from deskcheck.queries.server import NAMES
from deskcheck.queries.tools import Tools
from deskcheck.tracing.redaction.redactor import HIDDEN, Redactor

DOORS: dict[str, Callable[[], str]] = {}
COVERED: set[str] = set()
SCRIPTED = ("deskcheck/scripted", "answers")
IS_HIDING = True
"""Whether commands are started as a person does; if not, with the option that shows secrets."""


def door(*covers: str) -> Callable[[Callable[[], str]], Callable[[], str]]:
    def enter(function: Callable[[], str]) -> Callable[[], str]:
        DOORS[function.__name__] = function
        COVERED.update(covers)
        return function

    return enter


def _shows(option: str) -> list[str]:
    return [] if IS_HIDING else [option]


def command(*words: str) -> str:
    """Everything that a command prints, in this process."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out), contextlib.suppress(SystemExit):
        run_command(lambda: app([*words, *_shows("--no-redact")]))
    return out.getvalue()


def process(*words: str) -> str:
    """Everything that a command prints, and the program that it runs, in a process of its own."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            *words,
            *_shows("--no-redact" if words[0] == "deskcheck" else "--deskcheck-no-redact"),
        ],
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert "Traceback" not in done.stderr or "pytest" in words, done.stderr
    return done.stdout + done.stderr


@door("trace", "trace --out .deskcheck", "trace --out .parquet", "trace --format json")
def recorded_run() -> str:
    given = ("trace", "shop.py", "--file", "secrets.txt", "--all")
    shown = command(*given, "--out", "run.deskcheck") + command(*given, "--out", "run.parquet")
    assert shown.count("the end of") > 1
    shown += command(*given, "--format", "json")
    return shown + file_text(Path("run.deskcheck")) + shard_text(Path("run.parquet"))


@door("trace --trust", "view --trust")
def trusted_program() -> str:
    shown = process("deskcheck", "trace", "--trust", "--all", "shop.py")
    assert "printed" in shown and "the end of" in shown, shown
    shown += process("deskcheck", "view", "--trust", "shop.py", "--out", "trusted.html")
    assert shown.count("the end of") > 1 and (shown.count("texts hidden") == 2) == IS_HIDING, shown[-2000:]
    return shown + page_text(Path("trusted.html"))


@door("view", "view --out")
def page() -> str:
    shown = command("view", "shop.py", "--file", "secrets.txt", "--out", "page.html")
    shown += command("view", "exact.deskcheck", "--out", "saved.html")
    shown += command("view", "exact.parquet", "--task", "0", "--out", "row.html")
    return shown + "".join(page_text(Path(name)) for name in ("page.html", "saved.html", "row.html"))


@door("view --model")
def page_of_a_model() -> str:
    words = ("--model", SCRIPTED[0], "-M", f'{SCRIPTED[1]}=["nothing"]', "--reply", "reply.txt")
    shown = command("view", "few.py", "--call", "sell()", *words, "--out", "model.html")
    assert "the end of" in shown, shown
    return shown + page_text(Path("model.html"))


@door(*(f"ask {form.split()[0]}" for form in FORMS.split(", ")), "ask", "ask --format json", "ask --trust")
def answers() -> str:
    questions = ("changes told", "raised", "why last", "where held != 0")
    shown = [command("ask", "exact.deskcheck", *words.split()) for words in questions]
    assert all(len(text.splitlines()) > 1 for text in shown), shown
    shown += [command("ask", "exact.deskcheck", "changes", "told", "--format", "json")]
    shown += [process("deskcheck", "ask", "--trust", "shop.py", "changes", "told")]
    return "".join(shown)


@door("diff", "diff --out .html", "diff --out .json", "diff --trust")
def two_runs() -> str:
    shown = command("diff", "exact.deskcheck", "other.deskcheck", "--out", "two.html")
    shown += command("diff", "exact.deskcheck", "later.deskcheck", "--out", "late.html")
    assert "nothing to compare" in shown and "the paths do not part" in shown and "the end of" in shown, shown
    shown += command("diff", "exact.deskcheck", "other.deskcheck", "--out", "two.json")
    shown += process("deskcheck", "diff", "--trust", "shop.py", "wrong.py")
    pages = "".join(page_text(Path(name)) for name in ("two.html", "late.html"))
    return shown + pages + Path("two.json").read_text()


@door("explain", "explain --format json")
def explanation() -> str:
    given = ("explain", "wrong.py", "--call", "f(3)", "--expect", "4")
    shown = command(*given)
    assert "line" in shown, shown
    return shown + command(*given, "--format", "json")


@door("execute")
def execution() -> str:
    given = ("execute", "few.py", "--call", "sell()", "--model", SCRIPTED[0], "--max-steps", "3")
    reply = Path("reply.txt").read_text().replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    shown = command(*given, "-M", f'{SCRIPTED[1]}=["{reply}"]')
    assert "truth: raises ValueError" in shown, shown
    return shown


@door(*(f"mcp {name}" for name in NAMES), "mcp", "mcp --trust")
def agents() -> str:
    """The server is a process of its own, with the SDK's client."""

    async def talk(call: Any, names: list[str]) -> list[str]:
        texts = [await call("failing_test", file="wrong.py", call="f(3)", expect="4")]
        texts += [await call("steps", run=1), await call("record", file="wrong.py", call="f(3)")]
        texts += [await call("record", file="shop.py"), await call("state_at", run=3, step=600)]
        texts += [await call("ask", run=3, question=text) for text in ("raised", "changes told", "why last")]
        texts += [await call("failing_test", file="early.py", call="f(3)", expect="4")]
        texts += [await call("diff", run_a=2, run_b=3), await call("steps", run=3, start=500)]
        for _ in range(20):
            cursor = re.search(r"more\(cursor='(\w+)'\)$", texts[-1])
            texts += [await call("more", cursor=cursor[1])] if cursor else []
        return texts

    texts = session(Path.cwd(), talk, "--trust", *_shows("--no-redact"))
    assert texts[0].startswith("run 1") and texts[3].startswith("run 3") and len(texts) > 12, texts
    return "\n".join(texts)


@door()
def tools() -> str:
    tools = Tools(
        Path.cwd(), runner=run_all, record=lambda file, call: run_of(file, call, is_trusted=False),
        program_of=program_of_call, redactor_of=Redactor.here,
    )  # fmt: skip
    texts = [tools.failing_test("wrong.py", call="f(3)", expect="4"), tools.record("wrong.py", "f(3)")]
    return "".join([*texts, tools.steps(1), tools.state_at(2, 5), tools.ask(1, "raised"), tools.diff(1, 2)])


@door()
def errors() -> str:
    """The module does not load, so each command ends with one line that names the reason."""
    call, model = ("early.py", "--call", "f(3)"), ("--model", SCRIPTED[0], "-M", f'{SCRIPTED[1]}=["x"]')
    texts = [
        command("explain", *call, "--expect", "4"), command("ask", *call, "raised"),
        command("view", *call, *model, "--out", "early.html"), command("execute", *call, *model),
        command("diff", *call, "--call", "f(4)"), command("trace", *call),
    ]  # fmt: skip
    with pytest.raises(deskcheck.DeskcheckError) as caught:
        deskcheck.execute(
            Path("early.py").read_text(), call="f(3)", model=SCRIPTED[0], model_args={"answers": ["x"]}
        )
    texts.append(str(caught.value))
    assert all("ValueError" in text for text in texts), texts
    return "".join(texts)


@door(
    "Trace.__repr__", "Trace.__str__", "Trace._repr_html_", "Trace._repr_mimebundle_", "Trace.show",
    "Trace.save", "Trace.diff", "State.__repr__", "Step.__repr__", "Frame.__repr__", "Exit.__repr__",
    "Ask.__call__", "Ask.why", "Ask.where", "Ask.changes", "Ask.raised", "Answer.__str__",
    "Answer.to_json", "Answer.to_dict", "Answer.lines", "Answer.with_texts",
)  # fmt: skip
def python() -> str:
    run, other = deskcheck.load("exact.deskcheck"), deskcheck.load("other.deskcheck")
    shown = [str(run), repr(run), run._repr_html_(), str(run._repr_mimebundle_())]
    shown += [repr(run.at(700)), repr(run[40]), repr(run.at(700).frames), repr(run.raised), repr([*run])]
    asked: list[Answer] = [run.ask.changes("told"), run.ask("raised"), run.ask.raised(), run.ask.why("last")]
    asked += [run.ask.where("held != 0"), run.diff(other), other.diff(run)]
    shown += [f"{answer}\n{answer.to_json()}\n{answer.to_dict()}" for answer in asked]
    shown += [page_text(run.show("shown.html", is_opened=False))]
    run.save("again.deskcheck"), run.save("again.parquet")
    shown += [file_text(Path("again.deskcheck")), shard_text(Path("again.parquet"))]
    assert run.raised is not None and HIDDEN not in run.raised.message  # values are exact
    return "\n".join(shown)


@door("Execution.__repr__", "Execution.__str__", "Execution.show", "ModelStep.__repr__")
def executed_in_python() -> str:
    reply = Path("reply.txt").read_text()
    done = deskcheck.execute(
        Path("few.py").read_text(),
        call="sell()",
        model=SCRIPTED[0],
        model_args={"answers": [reply]},
        max_steps=3,
    )
    shown = page_text(done.show("executed.html", is_opened=False))
    return "\n".join([shown, repr(done), str(done), *map(repr, done)])


@door("%%deskcheck")
def notebook() -> str:
    shell = Shell()
    deskcheck.load_ipython_extension(shell)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        run = shell.run(Path("shop.py").read_text(), "t")
    assert run.outcome == "raised"
    return "\n".join([run._repr_html_(), str(run._repr_mimebundle_()), repr(run), str(run), repr(run.raised)])


@door("--deskcheck-on-failure", "--deskcheck-out")
def tests_that_fail() -> str:
    words = ("pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "test_sell.py")
    lines = process(*words, "--deskcheck-on-failure", "failures").splitlines()
    shown = [line for line in lines if line.startswith("deskcheck:")]
    assert len(shown) == 1 and "2 failed tests" in shown[0], lines
    process(*words, "--deskcheck-out", "calls", "--deskcheck-scope", "sell")
    pages = sorted(Path("failures").glob("*.html"))
    assert len(pages) == 3
    return "\n".join([*shown, *map(page_text, pages), shard_text(Path("calls"))])
