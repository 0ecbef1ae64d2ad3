"""The cell magic `%%deskcheck`: what it records, in any shell like IPython's and in IPython itself."""

from __future__ import annotations

import html
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import pytest

import deskcheck
from deskcheck.tracing.access import has_native

pytestmark = pytest.mark.skipif(not has_native(), reason="cells are recorded by the C extension")

CELL = """\
xs = [1, 2]
def h(a):
    b = a + 1
    return b
for x in xs:
    y = h(x)
"""


class Shell:
    """As much of an IPython shell as the extension uses."""

    execution_count = 7

    def __init__(self) -> None:
        self.user_ns: dict[str, Any] = {"__name__": "__main__"}
        self.magics: dict[tuple[str, str], Callable[[str, str], Any]] = {}

    def register_magic_function(self, magic: Callable[[str, str], Any], kind: str, name: str) -> None:
        self.magics[kind, name] = magic

    def transform_cell(self, cell: str) -> str:
        return cell

    def run(self, cell: str, line: str = "") -> Any:
        return self.magics["cell", "deskcheck"](line, cell)


@pytest.fixture
def shell() -> Shell:
    shell = Shell()
    deskcheck.load_ipython_extension(shell)
    return shell


def test_a_cell_runs_in_the_notebook_and_every_step_is_recorded(shell: Shell):
    trace = shell.run(CELL, "t")
    assert shell.user_ns["t"] is trace and shell.user_ns["y"] == 3
    expected: list[int] = []
    code = compile(CELL, "plain", "exec")

    def hook(frame: Any, event: str, _: object) -> Any:
        if frame.f_code.co_filename == "plain":
            expected.extend([frame.f_lineno] * (event == "line"))
            return hook
        return None

    sys.settrace(hook)
    try:
        exec(code, {})
    finally:
        sys.settrace(None)
    assert [step.line for step in trace] == expected
    assert trace.call == "cell 7" and trace.steps[-1].globals["y"] == 3
    assert "cell 7" in html.unescape(trace._repr_html_())


def test_functions_of_earlier_cells_are_stepped_into_and_values_last(shell: Shell):
    shell.execution_count = 1
    shell.run("def g(n):\n    return n * 2\n")
    shell.execution_count = 2
    trace = shell.run("z = g(4)\n")
    assert shell.user_ns["z"] == 8 and [step.function for step in trace] == ["<module>", "g"]
    assert "return n * 2" in str(trace)


def test_an_exception_is_the_outcome_and_mistakes_are_one_line(shell: Shell, capsys: Any):
    assert shell.run("1 / 0\n").raised.type == "ZeroDivisionError"
    assert shell.run("n = 1\n", "two words") is None and "n" not in shell.user_ns
    assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(SyntaxError):
        shell.run("x = (\n")


@pytest.mark.skipif(find_spec("IPython") is None, reason="the real shell needs IPython")
def test_ipython_shows_the_page_of_the_cell():  # it is not imported here, where other tests would see it
    script = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_cell("def g(n):\\n    return n * 2\\n", store_history=True)
shell.run_cell("%load_ext deskcheck", store_history=True)
shown = shell.run_cell("%%deskcheck t\\nz = g(4)\\n%time w = z\\n", store_history=True).result
data, _ = shell.display_formatter.format(shown)
print(shell.user_ns["z"], shell.user_ns["t"] is shown, "iframe" in data["text/html"], "In[1]" in str(shown))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1] == "8 True True True", done.stderr


def test_the_extension_needs_no_ipython():
    script = "import sys; sys.modules['IPython'] = None; import deskcheck; deskcheck.load_ipython_extension"
    subprocess.run([sys.executable, "-c", script], check=True)
    assert "load_ipython_extension" not in dir(deskcheck), "it is no name for people"
