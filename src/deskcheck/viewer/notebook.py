"""A run as HTML for a notebook: the page of `deskcheck view` in a frame of its own.

    frame_of(trace, source, call="f(3)") -> "<iframe sandbox=.. srcdoc=..>"

The frame has no access to the notebook. A page of more than 2 MB is not put into a notebook: the program's
trace as text stands there instead, with the command that writes the page.
"""

from __future__ import annotations

from html import escape
from itertools import islice

from deskcheck.records import Trace
from deskcheck.tracing.program import make_program
from deskcheck.viewer.document import View, page_of
from deskcheck.viewer.terminal import trace_lines

MOST_BYTES = 2_000_000
_LINES = 60


def frame_of(trace: Trace, source: str, *, call: str) -> str:
    """The frame; text where the page would be too large."""
    entry, _, arguments = (call or "run()").partition("(")
    program = make_program(source, entry, arguments.removesuffix(")"), origin="notebook")
    page = page_of(View(program, [trace]))
    if len(page) > MOST_BYTES:
        lines = "\n".join(islice(trace_lines(trace, source, call=call), _LINES))
        return f"<pre>{escape(lines)}\n.. the page has {len(page):,} bytes: deskcheck view writes it</pre>"
    style = "width:100%;height:620px;border:0"
    return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{escape(page)}"></iframe>'
