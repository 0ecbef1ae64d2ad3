"""Show a run in a notebook: the page of `deskcheck view` in an isolated frame.

    frame_of(program, trace) -> "<iframe sandbox=.. srcdoc=..>"
    table_of("f(3)", rows, n_steps=5, outcome="returned") -> a Markdown table, for notebooks without frames

The frame has no access to the notebook. A page of more than 2 MB is replaced by the beginning of the trace
as text, with the command that writes the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from itertools import islice

from deskcheck.records import Program, Trace
from deskcheck.viewer.columns import shown_text
from deskcheck.viewer.document import View, page_of
from deskcheck.viewer.terminal import shown_call, trace_lines

MOST_BYTES = 2_000_000
"""Size of the largest page that is shown in a frame."""
_LINES = 60  # of the beginning of a trace
_WIDTH = 120  # characters of a cell
MOST_ROWS = 40
"""Largest number of steps in a table; the others are only counted."""


def frame_of(program: Program, trace: Trace) -> str:
    """Return the frame as HTML; the trace as text if the page has more than MOST_BYTES."""
    page = page_of(View(program, [trace]))
    if len(page) > MOST_BYTES:
        lines = "\n".join(islice(trace_lines(trace, program.source, call=shown_call(program)), _LINES))
        return f"<pre>{escape(lines)}\n.. the page has {len(page):,} bytes: deskcheck view writes it</pre>"
    style = "width:100%;height:620px;border:0"
    return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(page)}"></iframe>'


def table_of(
    call: str, rows: Sequence[tuple[int, int, str, Mapping[str, object]]], *, n_steps: int, outcome: str
) -> str:
    """Write the first steps of a run as a Markdown table.

    `rows`: number of the step, line, source text, variables before the step. `n_steps`: steps of the run.
    """
    lines = [f"{_cell(call)}: {n_steps:,} steps, {_cell(outcome)}", ""]
    lines += ["| step | line | code | variables before it |", "|---|---|---|---|"]
    for number, line, text, variables in rows:
        told = ", ".join(f"{name}={value!r}" for name, value in variables.items())
        lines.append(f"| {number} | {line} | {_cell(text.rstrip())} | {_cell(told)} |")
    if n_steps > len(rows):
        lines += ["", f"{n_steps - len(rows):,} more steps: `print(trace)` or `trace.show()` shows them."]
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Write a text as code in a table cell, with markup, "|" and control characters escaped."""
    short = shown_text(text if len(text) <= _WIDTH else f"{text[:_WIDTH]}…")
    short = "".join(each if each.isprintable() else f"⟨U+{ord(each):04X}⟩" for each in short)
    return f"<code>{escape(short).replace('|', '&#124;').replace('`', '&#96;')}</code>" if short else ""
