"""Compile C programs and their recording calls into shared libraries that a worker loads, with gcc.

    Toolbox().build(text, is_check=False) -> "/tmp/../3.so"        Uncompiled with gcc's message and its line

With `is_check`, the program gets gcc's sanitizers for addresses and undefined behavior. The recorder is
compiled once and linked to each program.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from deskcheck.errors import UserError
from deskcheck.languages.c.source import FILE, HERE, TIME_S, Uncompiled, limit, need_compiler, uncompiled

RUNTIME = HERE / "runtime"
_FLAGS = [
    "-std=gnu11",
    "-fPIC",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    "-fvisibility=hidden",
    "-ftrack-macro-expansion=0",  # the program's names are macros: gcc reports errors where they are used
]
_NO_C = ("int-conversion", "incompatible-pointer-types", "implicit-int", "implicit-function-declaration")
"""Warnings of gcc that count as errors: code that C does not allow, such as a text where a number belongs."""
_PLAIN = ["-O1", "-fwrapv", "-ftrivial-auto-var-init=pattern"]
_CHECKED = [
    "-O1",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
    "-ftrivial-auto-var-init=zero",
]


@cache
def sanitizer() -> str:
    """Return the path of gcc's library that checks addresses. UserError if it is not installed."""
    need_compiler()
    run = subprocess.run(
        ["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True, timeout=TIME_S
    )
    path = Path(run.stdout.strip())
    if not path.is_absolute():
        raise UserError(
            "C programs are checked with gcc's libasan, which is not installed (Debian: libasan8)"
        )
    return str(path.resolve())


class Toolbox:
    """A folder with the recorder and the programs that were built."""

    def __init__(self) -> None:
        need_compiler()
        self._folder = tempfile.TemporaryDirectory(prefix="deskcheck-c-", ignore_cleanup_errors=True)
        self._recorder = ""
        self._n = 0

    def __enter__(self) -> Toolbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the folder with all programs that were built."""
        self._folder.cleanup()

    def build(self, text: str, *, is_check: bool) -> str:
        """Compile a text; return the path for `Engine.run`. Uncompiled if gcc refuses it or is too slow."""
        if not self._recorder:
            self._recorder = str(Path(self._folder.name, "record.o"))
            source = str(RUNTIME / "record.c")
            _run(
                ["gcc", *_FLAGS, "-O2", "-fno-sanitize=all", "-c", source, "-o", self._recorder],
                "",
                "record.c",
            )
        self._n += 1
        path = str(Path(self._folder.name, f"{self._n}.so"))
        flags = [*_FLAGS, *(_CHECKED if is_check else _PLAIN), *(f"-Werror={name}" for name in _NO_C)]
        linked = [] if is_check else ["-Wl,-z,defs"]  # a function without a body does not compile
        files = ["-x", "c", "-", "-x", "none", self._recorder]
        _run(["gcc", *flags, "-shared", *linked, *files, "-o", path, "-lm"], text, FILE)
        return path


def _run(command: list[str], text: str, file: str) -> None:
    try:
        run = subprocess.run(
            command, input=text.encode(), capture_output=True, check=False, timeout=TIME_S, preexec_fn=limit
        )
    except subprocess.TimeoutExpired:
        raise Uncompiled("the compiler did not come to an end") from None
    if run.returncode:
        raise uncompiled(re.sub(r"‘|’", "'", run.stderr.decode("utf-8", "replace")), file)
