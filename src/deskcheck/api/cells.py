"""The cell magic `%%deskcheck` of IPython and Jupyter: run a cell, record it, show its page.

    %load_ext deskcheck          -> load_ipython_extension(shell)
    %%deskcheck [NAME]           the first line of a cell; NAME is bound to the Trace

IPython itself is not imported: the shell is what `%load_ext` passes. The cell runs in the namespace of the
notebook with all rights of the notebook's process. An exception is the outcome of the run, as for
`deskcheck.trace`, and the page shows it. Functions that earlier cells define are stepped into.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from deskcheck.api.trace import Trace
from deskcheck.errors import DeskcheckError, UserError
from deskcheck.tracing.here import run_cell_here


def load_ipython_extension(shell: Any) -> None:
    """Register the magic `%%deskcheck` in an IPython shell; called by `%load_ext deskcheck`."""

    def deskcheck(line: str, cell: str) -> Trace | None:
        try:
            return record_cell(shell, line.strip(), cell)
        except DeskcheckError as error:  # one line, as on the command line
            print(f"deskcheck: {error}", file=sys.stderr)
            return None

    shell.register_magic_function(deskcheck, "cell", "deskcheck")


def record_cell(shell: Any, name: str, cell: str) -> Trace:
    """Run a cell in the shell's namespace and return its trace, which is also bound to `name` unless "".

    UserError if `name` is no identifier.
    """
    if name and not name.isidentifier():
        raise UserError(f"%%deskcheck {name}: only a name for the trace may follow, as in %%deskcheck t")
    number = getattr(shell, "execution_count", 0)
    source = shell.transform_cell(cell)
    trace = Trace(*run_cell_here(source, shell.user_ns, number=number, name_of=_cell_name(shell)))
    if name:
        shell.user_ns[name] = trace
    return trace


def _cell_name(shell: Any) -> Callable[[str], str]:
    """Return a function: file of a cell's code -> its name in the shell's tracebacks, as "In[3]"."""
    named = getattr(getattr(shell, "compile", None), "format_code_name", lambda _: None)

    def name_of(file: str) -> str:
        words = named(file)
        return str(words[1]) if words else file.rpartition("/")[2]

    return name_of
