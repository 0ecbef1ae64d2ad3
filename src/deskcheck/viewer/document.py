"""Write the page in which a reader steps through a run: one HTML file that needs no other file.

    page_of(View(..)) -> "<!doctype html>.."

The run and the models' replies are stored in one compressed block; source, outcome and the first lines of the
trace also stand as escaped text, for readers without script. All are shown only as text. The content
security policy allows the page's scripts and its style sheet by their hashes, and nothing else.
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

from msgspec import Struct

from deskcheck.cell_files import write_whole
from deskcheck.errors import UserError
from deskcheck.languages import page_facts
from deskcheck.records import Program, Returned, Trace
from deskcheck.tracing.program import bundle_of
from deskcheck.tracing.requests import Places
from deskcheck.viewer.belief import ModelRun, belief_of
from deskcheck.viewer.columns import Block, block_of, compressed, shown_text
from deskcheck.viewer.terminal import shown_call, trace_lines
from deskcheck.viewer.text import Sources, outcome_lines

MAX_STEPS = 1_000_000
"""Largest number of steps in a page; a page of a longer run holds its first steps."""
_SCRIPTS = (
    "text",
    "theme",
    "data",
    "replay",
    "index",
    "values",
    "state",
    "source",
    "strip",
    "watch",
    "panels",
    "calls",
    "belief",
    "literal",
    "javascript",
    "guess",
    "main",
    "controls",
    "end",
)
_STYLES = ("page",)
_BEGINNING = 60  # lines of the trace for a reader without script


class View(Struct, frozen=True):
    """Everything that one page of the viewer shows."""

    program: Program
    traces: list[Trace]
    """The same run, recorded at one or more granularities; the first is opened."""
    output: bytes = b""
    """Bytes that the run printed."""
    printed: list[Places] = []
    """For each trace, the events at which the output was printed; empty if they are not known."""
    runs: list[ModelRun] = []
    """Runs of models on the same program."""
    task: str = ""
    """Name of the task that a reader's guesses answer; "" = the program's id."""
    notes: list[str] = []
    """Sentences below the page: parts that were cut, and commands that show them."""
    reads_statements: bool = False
    """Experimental: whether replies in free text are searched for statements about the run."""


def page_of(view: View) -> str:
    """Return the whole HTML file. The same view gives the same bytes."""
    first = view.traces[0]
    bundle = bundle_of(view.program)
    texts = bundle.files if bundle else {}
    call = shown_call(view.program)
    beginning = islice(trace_lines(first, view.program.source, call=call, files=texts), _BEGINNING)
    return _page(
        title=shown_text(call)[:120],
        call=shown_text(call),
        outcome=shown_text(_outcome(view)),
        source=shown_lines(view.program.source),
        trace=shown_lines("\n".join(beginning)),
        data=data_of(view),
    )


def data_of(view: View, beliefs: list[dict[str, Any]] | None = None) -> str:
    """Return the data of a view for the page, deflated and in base64.

    `beliefs`: the result of `belief_of` for each of its runs; None = computed here.
    """
    first = view.traces[0]
    bundle = bundle_of(view.program)
    texts = bundle.files if bundle else {}
    notes = [*view.notes, *first.fidelity.notes]
    blocks = [_block(trace, notes) for trace in view.traces]
    meta = {
        "call": shown_call(view.program),
        "language": view.program.language,
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
        "runs": _beliefs(view) if beliefs is None else beliefs,
    }
    head = json.dumps(meta, separators=(",", ":")).encode("ascii")
    parts = [len(head).to_bytes(4, "little"), head, *(block.data for block in blocks)]
    return base64.b64encode(compressed(parts)).decode("ascii")


def _beliefs(view: View) -> list[dict[str, Any]]:
    if not view.reads_statements:
        return [belief_of(run, view.traces) for run in view.runs]
    from deskcheck.viewer.stating import belief_in_text

    return [belief_in_text(run, view.traces, view.program) for run in view.runs]


def _characters(output: bytes, places: Places) -> list[list[int]]:
    """Convert the places from bytes of the output to UTF-16 units of the page's text."""
    decoder = getincrementaldecoder("utf-8")("replace")
    counts, done, n = [], 0, 0
    for event, end in places:
        text = decoder.decode(output[done:end], final=end == len(output))
        n += len(text) + sum(character > "\uffff" for character in text)
        done = end
        counts.append([event, n])
    return counts


def _outcome(view: View) -> str:
    bundle = bundle_of(view.program)
    sources = Sources(view.traces[0], view.program.source, bundle.files if bundle else {})
    line = next(outcome_lines(view.traces[0], sources))
    return re.sub(r"^returned #\d+(?=[\[({])", "returned ", line)


PLACE = "DATA OF A RUN"
"""Placeholder for the data of one view in `frame_page`."""


def frame_page() -> str:
    """Return a page without a run, for an iframe of another page, which replaces PLACE by a view's data."""
    return _page(title="run", call="", outcome="", source="", trace="", data=PLACE)


def policy_hashes() -> tuple[list[str], str]:
    """Return the hashes of the page's scripts and of its style; a page around its frame must allow them."""
    shell = _shell(_SCRIPTS, _STYLES)
    return [shell["loader_hash"], shell["program_hash"]], shell["style_hash"]


def shown_lines(text: str) -> str:
    """Return a text for readers without script: at most 2,000 lines of at most 2,000 characters."""
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
    """Return the program's files in the order of their numbers, each with its lines and `page_facts`."""
    numbers = dict.fromkeys([0, *sorted(code.file for code in trace.codes)])
    files = []
    for number in numbers:
        name = trace.names[number] if number else ""
        source = texts.get(name, "") if number else program.source
        files.append(
            {"number": number, "name": shown_text(name), "lines": source.split("\n")}
            | page_facts(source, program.language)
        )
    return files


# ------------------------------------------------------------------ the shell


@cache
def _shell(scripts: tuple[str, ...], styles: tuple[str, ...]) -> dict[str, Any]:
    from markupsafe import Markup

    folder = files("deskcheck.viewer") / "page"

    def text(name: str) -> str:
        return (folder / name).read_text(encoding="utf-8")

    body = "\n".join(text(f"{name}.js") for name in scripts)
    style = _dense("".join(text(f"{name}.css") for name in styles))
    program = f'(() => {{\n"use strict";\n{body}}})();\n'
    return {
        "program": base64.b64encode(compressed([program.encode()])).decode("ascii"),
        "loader": Markup(text("loader.js")),
        "style": Markup(style),
        "program_hash": _hash(program),
        "loader_hash": _hash(text("loader.js")),
        "style_hash": _hash(style),
    }


def _dense(style: str) -> str:
    """Return a style sheet without the spaces that only people need; no string in it holds such spaces."""
    return re.sub(r"\s*([{};])\s*|(?<=[:,])\s+", r"\1", style)


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _page(**values: str) -> str:
    return rendered("page.html", scripts=_SCRIPTS, styles=_STYLES, **values)


def rendered(template: str, *, scripts: tuple[str, ...], styles: tuple[str, ...], **values: str) -> str:
    """Return a page of the viewer's parts, by the name of its template; the values are escaped."""
    import jinja2

    environment = jinja2.Environment(autoescape=True, keep_trailing_newline=True)
    text = (files("deskcheck.viewer") / "page" / template).read_text(encoding="utf-8")
    return environment.from_string(text).render(**_shell(scripts, styles), **values)


def shell_bytes() -> int:
    """Return the size in bytes of a page without a run."""
    return len(_page(title="", call="", outcome="", source="", trace="", data="").encode())


def show_page(page: str, path: str | Path = "", *, is_opened: bool = True) -> Path:
    """Write a page, to a temporary file if no path is given, open it in a browser and return its path.

    UserError if the path does not end in .html or .htm.
    """
    import tempfile
    import webbrowser

    target = Path(path) if path else Path(tempfile.mkdtemp(prefix="deskcheck-")) / "run.html"
    if target.suffix.lower() not in (".html", ".htm"):
        raise UserError(f"{target} cannot be written: name a file that ends in .html")
    write_whole(target, page.encode("utf-8"))
    if is_opened:
        webbrowser.open(target.resolve().as_uri())
    return target
