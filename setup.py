"""The C extensions; everything else stands in pyproject.toml.

Optional: without a compiler the package still installs, traces read `f_locals` instead of the frame,
iterators are `Opaque`, and every trace says so in its `fidelity`; the sandbox reaches level `limits`, and
says so.
"""

from setuptools import Extension, setup

TRACING = (
    "native checks/check checks/flow checks/replay line_table line_flow checks/packing watch columns stream "
    "values texts codes labels lines symbols reach touch follow callees shapes readers shadows heap look "
    "iterators deltas sequences dicts sets frames stack modules threads events effects steps spans calls "
    "collector tampering tracer"
).split()
HEADERS = (
    "columns core effects hot interpreter lines location parts reach touch values checks/checks"
).split()

setup(
    ext_modules=[
        Extension(
            "deskcheck.tracing._native",
            [f"src/deskcheck/tracing/{name}.c" for name in TRACING],
            depends=[f"src/deskcheck/tracing/{name}.h" for name in HEADERS],
            extra_compile_args=["-O2", "-fvisibility=hidden"],
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
            [f"src/deskcheck/sandbox/{name}.c" for name in ("batch", "guard", "memory", "state", "watch")],
            depends=["src/deskcheck/sandbox/batch.h"],
            extra_compile_args=["-O2"],
            optional=True,
        ),
    ]
)
