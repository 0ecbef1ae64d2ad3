"""Read files of Python code: their encoding, whether they parse, and the modules that they import.

decoded(b"# coding: latin-1\\nx = '\\xe9'\\n")  -> "# coding: latin-1\\nx = 'é'\\n"
imports_of("from .b import c", "p/a.py")    -> ("p.b", "p.b.c")
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator
from functools import lru_cache

from deskcheck.errors import BadSource
from deskcheck.tracing.program import module_name, with_line_feeds


def checked(source: str, name: str, hint: str = "") -> str:
    """Return the same source. BadSource if it does not parse as Python."""
    try:
        ast.parse(source, filename=name)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 0
        raise BadSource(f"{name}, line {line} does not parse: {getattr(error, 'msg', error)}{hint}") from None
    return source


def decoded(data: bytes) -> str:
    """Decode source as Python does: as UTF-8, or in the encoding that its first lines name (PEP 263).

    Every line ends in a line feed, as Python reads it. SyntaxError or UnicodeError: it cannot be read.
    """
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    try:
        text = data.decode(encoding)
    except LookupError:  # rot13, hex: they are codecs, but not from bytes to text
        raise SyntaxError(f"encoding problem: {encoding}") from None
    return with_line_feeds(text)


@lru_cache(maxsize=4096)  # a build asks for the files of a package once per module of it
def imports_of(source: str, path: str) -> tuple[str, ...]:
    """Return the dotted names that a file imports and that may be modules, each once."""
    return tuple(dict.fromkeys(_imports(source, path)))


def _imports(source: str, path: str) -> Iterator[str]:
    """Yield the dotted names that a file imports and that may be modules, with relative names resolved."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # the program gets this error when it imports the file
        return
    package = module_name(path) if path.endswith("__init__.py") else module_name(path).rpartition(".")[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute("." * node.level + (node.module or ""), package)
            yield base
            yield from (f"{base}.{alias.name}".strip(".") for alias in node.names)
        elif isinstance(node, ast.Call) and _called_name(node) in ("__import__", "import_module"):
            names = (one.value for one in node.args[:1] if isinstance(one, ast.Constant))
            yield from (_absolute(name, package) for name in names if isinstance(name, str))


def _absolute(name: str, package: str) -> str:
    """Return the dotted name of an import in a package: "..b" in "p.q" -> "p.b"."""
    level = len(name) - len(name.lstrip("."))
    parts = package.split(".")
    above = parts[: len(parts) + 1 - level] if level else []
    return ".".join([*above, name[level:]]).strip(".")


def _called_name(node: ast.Call) -> str:
    """Return the last name of what is called: "import_module" for `importlib.import_module(..)`."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""
