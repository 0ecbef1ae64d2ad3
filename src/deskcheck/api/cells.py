"""The cell magic `%%deskcheck` of IPython and Jupyter: run a cell, record it, show its page.

    %load_ext deskcheck          -> load_ipython_extension(shell)
    %%deskcheck [NAME]           the first line of a cell; NAME is bound to the Trace

IPython itself is not imported: the shell is what `%load_ext` passes. The cell runs in the notebook's namespace
with all rights of its process. An exception is the outcome of the run and is shown on the page, as by
`deskcheck.trace`. Calls of functions of earlier cells are stepped into.
"""

from __future__ import annotations

from typing import Any

from deskcheck.api.trace import Trace
from deskcheck.errors import UserError
from deskcheck.tracing.here import run_cell_here


def load_ipython_extension(shell: Any) -> None:
    """Register the magic `%%deskcheck` in an IPython shell; called by `%load_ext deskcheck`."""

    def deskcheck(line: str, cell: str) -> Trace:
        return record_cell(shell, line.strip(), cell)

    shell.register_magic_function(deskcheck, "cell", "deskcheck")


def record_cell(shell: Any, name: str, cell: str) -> Trace:
    """Run a cell in the shell's namespace and return its trace, which is bound to the name if there is one."""
    if name and not name.isidentifier():
        raise UserError(f"%%deskcheck {name}: behind it stands nothing, or a name for the trace: %%deskcheck t")
    number = getattr(shell, "execution_count", 0)
    trace = Trace(*run_cell_here(shell.transform_cell(cell), shell.user_ns, number=number))
    if name:
        shell.user_ns[name] = trace
    return trace
