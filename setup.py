"""The C extensions; everything else stands in pyproject.toml.

Optional: without a compiler the package still installs, traces read `f_locals` instead of the frame,
iterators are `Opaque`, and every trace says so in its `fidelity`; the sandbox reaches level `limits`, and
says so.
"""

from pathlib import Path

from setuptools import Extension, setup

# Calls between the files of the tracer cost a line 2 to 5 % (`measurements/tracing.py`).
TRACER_FLAGS = ["-O3", "-fvisibility=hidden", "-flto"]
NATIVE = Path("src/deskcheck/tracing/native")

setup(
    ext_modules=[
        Extension(
            "deskcheck.tracing._native",
            sorted(str(path) for path in NATIVE.rglob("*.c")),
            depends=sorted(str(path) for path in NATIVE.rglob("*.h")),
            extra_compile_args=TRACER_FLAGS,
            extra_link_args=TRACER_FLAGS,
            optional=True,
        ),
        Extension(
            "deskcheck.sandbox._confine",
            [f"src/deskcheck/sandbox/{name}.c" for name in ("confine", "seccomp", "landlock", "namespaces")],
            depends=["src/deskcheck/sandbox/confine.h"],
            extra_compile_args=["-O2"],
            optional=True,
        ),
        Extension(
            "deskcheck.sandbox._batch",
            [
                f"src/deskcheck/sandbox/{name}.c"
                for name in ("batch", "contents", "guard", "memory", "setters", "state", "watch")
            ],
            depends=["src/deskcheck/sandbox/batch.h"],
            extra_compile_args=["-O2"],
            optional=True,
        ),
    ]
)
