"""Report what works on this machine, what is reduced and why, and the command that fixes it.

    findings() -> [Finding("tracer", "reduced", "no C extension: ..."), ...]

Nothing is changed or downloaded. The sandbox is checked by a self-test, every other part by its files. A
library is located, not imported, so a broken library shows only in the command that needs it.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
from importlib.metadata import version

import msgspec
from msgspec import Struct

from deskcheck.errors import SandboxUnavailable, install_line
from deskcheck.models.tiny import FILES, SHIPPED
from deskcheck.sandbox import containment

EXTRAS = {
    "data": ["pyarrow", "scipy"],
    "eval": ["inspect_ai", "pandas", "onnxruntime", "tokenizers", "numpy"],
    "train": ["torch", "transformers", "trl", "datasets", "accelerate", "peft", "onnx"],
    "downstream": ["inspect_evals"],
    "mcp": ["mcp"],
}
"""Extra -> the libraries by which it counts as installed."""


class Finding(Struct, frozen=True):
    """State of one part of the installation."""

    what: str
    state: str
    """ok | reduced | absent."""
    detail: str


def findings() -> list[Finding]:
    """List all findings, in the order in which a run needs the parts."""
    python = Finding("python", "ok", f"{platform.python_implementation()} {platform.python_version()}")
    return [python, _tracer(), _sandbox(), _model(), *(_extra(name) for name in EXTRAS), _gpu()]


def as_text(findings: list[Finding]) -> str:
    """Render the findings as aligned lines for people."""
    width = max((len(f.what) for f in findings), default=0)
    return "\n".join(f"{f.what:<{width}} {f.state:<8} {f.detail}" for f in findings)


def extra_of(library: str) -> str:
    """Return the extra that installs a library; "" if none does."""
    return next((extra for extra, libraries in EXTRAS.items() if library.split(".")[0] in libraries), "")


def as_json(findings: list[Finding]) -> str:
    """Render the findings as one JSON list."""
    return msgspec.json.encode(findings).decode()


def _tracer() -> Finding:
    if importlib.util.find_spec("deskcheck.tracing._native") is not None:
        return Finding("tracer", "ok", "reads frames through the C extension")
    return Finding(
        "tracer",
        "reduced",
        "no C extension: iterator positions are not seen, and each trace says so; "
        f"with a C compiler: {install_line(is_again=True)}",
    )


def _sandbox() -> Finding:
    """Report the containment level; `reduced` if a stronger one is missing, with its requirements."""
    try:
        found = containment.find()
    except SandboxUnavailable as error:
        return Finding("sandbox", "absent", str(error))
    words = containment.describe().removeprefix("sandbox: ")
    state = "reduced" if found.missing else "ok"
    mend = f"; to mend: {containment.mend()}" if found.missing else ""
    return Finding("sandbox", state, f"{words}; {os.cpu_count()} cores{mend}")


def _model() -> Finding:
    absent = [name for name in FILES if not (SHIPPED / name).is_file()]
    if absent:
        line = "deskcheck train --preset tiny"
        return Finding("tiny", "absent", f"no {', '.join(absent)}; make one with: {line}")
    size = sum((SHIPPED / name).stat().st_size for name in FILES)
    return Finding("tiny", "ok", f"the shipped model is here, {size / 1e6:.1f} MB")


def _extra(name: str) -> Finding:
    missing = [library for library in EXTRAS[name] if importlib.util.find_spec(library) is None]
    if missing:
        detail = f"without {', '.join(missing)}; install: {install_line(name)}"
        return Finding(f"[{name}]", "absent", detail)
    return Finding(f"[{name}]", "ok", ", ".join(f"{lib} {version(lib)}" for lib in EXTRAS[name]))


def _gpu() -> Finding:
    if shutil.which("nvidia-smi"):
        return Finding("gpu", "ok", "nvidia-smi is here; only train uses a GPU")
    return Finding("gpu", "absent", "none found; nothing but large training runs needs one")
