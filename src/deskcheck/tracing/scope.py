"""Which code is stepped into: the program's own files, less what was named as not to be.

    scope = Scope({"tool.py": "", "util.py": "util.py"}.get, no_step_in=["log"])
    scope(code) -> "" for the program's source, the name of another file of its own, None for anything else

A rule names a function or class by its qualified name, which holds for what is inside too ("Node" and
"Node.insert"), or a module by its dotted name ("tool.util"). What is not stepped into runs as library code
does: at one go; functions that it calls back are stepped into again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import CodeType

from deskcheck.errors import UserError
from deskcheck.tracing.codes import code_objects


class Scope:
    """Asked once per code object by a tracer."""

    def __init__(
        self,
        file_of: Callable[[str], str | None],
        *,
        main: str = "",
        step_in: Sequence[str] = (),
        no_step_in: Sequence[str] = (),
    ) -> None:
        """`file_of`: a code's file name -> the one in the trace, "" for the source; `main`: the source's."""
        self._file_of = file_of
        self._main = main
        self._step_in = list(step_in)
        self._no_step_in = list(no_step_in)

    def __call__(self, code: CodeType) -> str | None:
        file = self._file_of(code.co_filename)
        if file is None:
            return None
        if self._step_in and not self._is_named(self._step_in, code, file):
            return None
        return None if self._is_named(self._no_step_in, code, file) else file

    def _is_named(self, names: list[str], code: CodeType, file: str) -> bool:
        return any(
            found == name or found.startswith(f"{name}.")
            for name in names
            for found in (code.co_qualname, module_name(file or self._main))
        )


def module_name(path: str) -> str:
    """ "tool/util.py" -> "tool.util"; "tool/__init__.py" -> "tool"."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def check_rules(names: Iterable[str], sources: dict[str, str]) -> None:
    """UserError for a rule that names nothing in these sources (path -> text)."""
    known: set[str] = set()
    for path, source in sources.items():
        known.add(module_name(path))
        try:
            body = compile(source, path, "exec", dont_inherit=True)
        except (SyntaxError, ValueError):  # the program meets it when it imports the file
            continue
        known |= {code.co_qualname for code in code_objects(body) if code.co_name[0] != "<"}
    for name in names:
        if not any(found == name or found.startswith(f"{name}.") for found in known):
            shown = ", ".join(sorted(known)[:20])
            raise UserError(
                f"--step-in/--no-step-in '{name}' is no function, class or module here; known: {shown}"
            )
