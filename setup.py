"""The C extension; everything else stands in pyproject.toml.

Optional: without a compiler the package still installs, traces read `f_locals` instead of the frame,
iterators are `Opaque`, and every trace says so in its `fidelity`.
"""

from setuptools import Extension, setup

setup(
    ext_modules=[
        Extension(
            "deskcheck.tracing._native",
            ["src/deskcheck/tracing/native.c"],
            extra_compile_args=["-O2"],
            optional=True,
        )
    ]
)
