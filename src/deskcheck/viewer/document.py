"""The page in which a run is walked through: one HTML file that needs nothing but itself.

    page_of(View(..)) -> "<!doctype html>.."

Everything that a program or a model made goes in as one compressed block, and out as text. The content
security policy names the hashes of the one script and the one style sheet, and allows nothing else.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from codecs import getincrementaldecoder
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup
from msgspec import Struct

from deskcheck.cell_files import write_whole
from deskcheck.errors import UserError
from deskcheck.records import Program, Returned, Trace
from deskcheck.tracing.printing import Places
from deskcheck.tracing.program import bundle_of
from deskcheck.viewer.belief import ModelRun, belief_of
from deskcheck.viewer.columns import Block, block_of, compressed, shown_text
from deskcheck.viewer.syntax import facts_of
from deskcheck.viewer.terminal import shown_call, trace_lines
from deskcheck.viewer.text import Sources, outcome_lines

MAX_STEPS = 1_000_000
"""Steps of one run that a page holds; of a longer one the first."""
_SCRIPTS = (
    "text",
    "data",
    "replay",
    "index",
    "values",
    "state",
    "source",
    "strip",
    "watch",
    "panels",
    "belief",
    "literal",
    "guess",
    "main",
    "controls",
    "end",
)
_BEGINNING = 60  # lines of the trace for a reader without script


class View(Struct, frozen=True):
    """Everything that one page of the viewer shows."""

    program: Program
    traces: list[Trace]
    """The same run, recorded at one or more granularities; the first is opened."""
    output: bytes = b""
    """What the run printed."""
    printed: list[Places] = []
    """Of each trace, at which events it was printed; empty where that is not known."""
    runs: list[ModelRun] = []
    """What models did with the same program; the first trace is one of lines then."""
    task: str = ""
    """Name of what guesses answer; "" = the program's id."""
    notes: list[str] = []
    """Sentences below the page: what was cut, and the command that shows it."""


def page_of(view: View) -> str:
    """The whole file. The same view gives the same bytes."""
    first = view.traces[0]
    bundle = bundle_of(view.program)
    texts = bundle.files if bundle else {}
    call = shown_call(view.program)
    beginning = islice(trace_lines(first, view.program.source, call=call, files=texts), _BEGINNING)
    return _render(
        title=shown_text(call)[:120],
        call=shown_text(call),
        outcome=shown_text(_outcome(view)),
        source=_shown_lines(view.program.source),
        trace=_shown_lines("\n".join(beginning)),
        data=data_of(view),
    )


def data_of(view: View, beliefs: list[dict[str, Any]] | None = None) -> str:
    """What the page unpacks: everything of a view, deflated, as base64; `beliefs` of its runs where known."""
    first = view.traces[0]
    bundle = bundle_of(view.program)
    texts = bundle.files if bundle else {}
    notes = [*view.notes, *first.fidelity.notes]
    blocks = [_block(trace, notes) for trace in view.traces]
    meta = {
        "call": shown_call(view.program),
        "task": view.task or view.program.id,
        "outcome": {
            "text": shown_text(_outcome(view)),
            "tone": "good" if isinstance(first.outcome, Returned) else "bad",
        },
        "files": _files(first, view.program, texts),
        "levels": [block.tables | {"size": len(block.data)} for block in blocks],
        "output": view.output.decode("utf-8", "replace"),
        "outputs": [_characters(view.output, places) for places in view.printed],
        "notes": list(dict.fromkeys(notes)),
        "runs": [belief_of(run, view.traces, view.program) for run in view.runs]
        if beliefs is None
        else beliefs,
    }
    head = json.dumps(meta, separators=(",", ":")).encode("ascii")
    parts = [len(head).to_bytes(4, "little"), head, *(block.data for block in blocks)]
    return base64.b64encode(compressed(parts)).decode("ascii")


def _characters(output: bytes, places: Places) -> list[list[int]]:
    """The places with characters of the page's text (UTF-16) for bytes."""
    decoder = getincrementaldecoder("utf-8")("replace")
    found, done, n = [], 0, 0
    for event, end in places:
        text = decoder.decode(output[done:end], final=end == len(output))
        n += len(text) + sum(character > "\uffff" for character in text)
        done = end
        found.append([event, n])
    return found


def _outcome(view: View) -> str:
    bundle = bundle_of(view.program)
    sources = Sources(view.traces[0], view.program.source, bundle.files if bundle else {})
    line = next(outcome_lines(view.traces[0], sources))
    return re.sub(r"^returned #\d+(?=[\[({])", "returned ", line)


PLACE = "DATA OF A RUN"
"""Stands in `frame_page` where the data of one view go."""


def frame_page() -> str:
    """A page without a run, for the frames of another page, which puts the data of a view into PLACE."""
    return _render(title="run", call="", outcome="", source="", trace="", data=PLACE)


def policy_hashes() -> tuple[list[str], str]:
    """Hashes of the page's scripts and of its style: a page around its frame must allow them too."""
    shell = _shell()
    return [shell["loader_hash"], shell["program_hash"]], shell["style_hash"]


def _shown_lines(text: str) -> str:
    lines = text.split("\n")
    more = f"\n… {len(lines) - 2000} more lines" if len(lines) > 2000 else ""
    return "\n".join(shown_text(line[:2000]) for line in lines[:2000]) + more


def _block(trace: Trace, notes: list[str]) -> Block:
    steps = trace.n_steps
    if steps <= MAX_STEPS:
        return block_of(trace)
    cut = next(i for i, step in enumerate(trace.events.step) if step > MAX_STEPS)
    notes.append(
        f"This page holds the first {MAX_STEPS:,} of {steps:,} steps; deskcheck trace --all prints every one."
    )
    return block_of(trace, n_events=cut)


def _files(trace: Trace, program: Program, texts: dict[str, str]) -> list[dict[str, Any]]:
    """The program's files in the order of their numbers, with what is known of each."""
    numbers = dict.fromkeys([0, *sorted(code.file for code in trace.codes)])
    found = []
    for number in numbers:
        name = trace.names[number] if number else ""
        source = texts.get(name, "") if number else program.source
        found.append(
            {"number": number, "name": shown_text(name), "lines": source.split("\n")} | facts_of(source)
        )
    return found


# ------------------------------------------------------------------ the shell


@cache
def _shell() -> dict[str, Any]:
    folder = files("deskcheck.viewer") / "page"

    def text(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    body = "\n".join(text(f"{name}.js") for name in _SCRIPTS)
    program = f'(() => {{\n"use strict";\n{body}}})();\n'
    return {
        "program": base64.b64encode(compressed([program.encode()])).decode("ascii"),
        "loader": Markup(text("loader.js")),
        "style": Markup(text("page.css")),
        "program_hash": _hash(program),
        "loader_hash": _hash(text("loader.js")),
        "style_hash": _hash(text("page.css")),
    }


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _render(**values: str) -> str:
    environment = jinja2.Environment(autoescape=True, keep_trailing_newline=True)
    template = (files("deskcheck.viewer") / "page" / "page.html").read_text(encoding="utf-8")
    return environment.from_string(template).render(**_shell(), **values)


def shell_bytes() -> int:
    """Size of a page without anything in it."""
    return len(_render(title="", call="", outcome="", source="", trace="", data="").encode())


def show_page(page: str, path: str | Path = "", *, is_opened: bool = True) -> Path:
    """Write a page, to a temporary file where no path is given, and open it in a browser; return its path."""
    import tempfile
    import webbrowser

    target = Path(path) if path else Path(tempfile.mkdtemp(prefix="deskcheck-")) / "run.html"
    if target.suffix.lower() not in (".html", ".htm"):
        raise UserError(f"{target} cannot be written: name a file that ends in .html")
    write_whole(target, page.encode("utf-8"))
    if is_opened:
        webbrowser.open(target.resolve().as_uri())
    return target
