"""Trace a function of your own, or what a block calls, in your own process.

    import deskcheck
    trace = deskcheck.trace(f, 3)
    with deskcheck.record() as found:          calls of functions of this module; record("package"): into it
        f(3); g(4)
    found                                      a line for each call; found.calls -> [(Program, Trace), ..]

Not contained: the function does what it does. Stepped into is the code of the function's own file; everything
else is atomic. What was traced before (coverage, a debugger) is put back afterwards.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType, FunctionType, MethodType

from deskcheck.buffers import Packed, trace_of
from deskcheck.errors import UserError
from deskcheck.records import Limits, Program, Raised, Trace
from deskcheck.tracing import scan
from deskcheck.tracing.access import Access, has_native
from deskcheck.tracing.calls import CallRecorder
from deskcheck.tracing.package import package_files
from deskcheck.tracing.program import program_id
from deskcheck.tracing.reference import run_traced
from deskcheck.tracing.run import Native, run_native
from deskcheck.tracing.tracer import Tracer

_DEFAULT = Limits()


def trace(function: object, /, *args: object, limits: Limits = _DEFAULT, **kwargs: object) -> Trace:
    """What function(*args, **kwargs) does; exceptions it raises are the trace's outcome; Ctrl-C is not."""
    if not callable(function):
        raise UserError(
            f"deskcheck.trace needs a function, not {type(function).__name__}: pass f, not f(...)"
        )
    plain = _python_function(function)
    code = plain.__code__
    namespace = plain.__globals__
    names = dict.fromkeys(name for found in _codes_of_file(plain) for name in scan.global_names(found))
    known = [name for name in names if name in namespace]
    before = sys.gettrace()
    try:
        call = functools.partial(function, *args, **kwargs)
        arguments = f"<{len(args) + len(kwargs)} objects>"
        identity = program_id(_source(plain), code.co_qualname, arguments)
        if has_native():
            native = Native(code.co_filename, [(0, namespace, known)], limits=limits)
            return _not_interrupted(trace_of(run_native(native, call, identity, limits=limits, codes=[code])))
        access = Access(native=False)
        tracer = Tracer(known, namespace, code.co_filename, limits=limits, access=access)
        return _not_interrupted(
            run_traced(tracer, call, identity, limits=limits, codes=[code], access=access)
        )
    finally:
        sys.settrace(before)


def _not_interrupted(trace: Trace) -> Trace:
    """Ctrl-C in one's own process is no outcome of the function's."""
    if isinstance(trace.outcome, Raised) and trace.outcome.type == "KeyboardInterrupt":
        raise KeyboardInterrupt
    return trace


class Recording:
    """What a block called: shown as a line for each call."""

    def __init__(self) -> None:
        self.calls: list[tuple[Program, Trace]] = []
        self.dropped: dict[str, int] = {}
        """Reason -> calls that were not recorded."""

    def __repr__(self) -> str:
        lines = [
            f"{program.call[:60]}  {trace.n_steps} steps, {trace.outcome.__struct_config__.tag}"
            for program, trace in self.calls
        ]
        lines += [f"{n} not recorded: {reason}" for reason, n in sorted(self.dropped.items())]
        return "\n".join(lines) or "no calls"


@contextmanager
def record(scope: str = "", *, limits: Limits = _DEFAULT, max_calls: int = 100) -> Iterator[Recording]:
    """Record the outermost calls that the block makes into a package, or into the calling module."""
    found = Recording()

    def keep(program: Program, packed: Packed) -> bool:
        found.calls.append((program, trace_of(packed)))
        return True

    files = package_files(scope) if scope else _files_of_module(sys._getframe(2).f_globals).get
    recorder = CallRecorder(files, keep, limits=limits, max_calls=max_calls)
    try:
        with recorder.recording(where="block"):
            yield found
    finally:
        recorder.close()
        found.dropped = dict(recorder.counts.dropped)


def _files_of_module(namespace: dict[str, object]) -> dict[str, str]:
    """Files that a module's functions stand in: its own, or the cells of a notebook."""
    name = str(namespace.get("__name__"))
    codes = [
        member.__code__
        for value in list(namespace.values())
        for member in (list(vars(value).values()) if isinstance(value, type) else [value])
        if isinstance(member, FunctionType) and member.__module__ == name
    ]
    return {code.co_filename: code.co_filename.rpartition("/")[2] for code in codes}


def _python_function(function: object) -> FunctionType:
    """The Python function behind a callable."""
    found = inspect.unwrap(function) if callable(function) else function
    if isinstance(found, functools.partial):
        found = found.func
    if isinstance(found, MethodType):
        found = found.__func__
    if isinstance(found, FunctionType):
        return found
    method = vars(type(found)).get("__call__")
    if isinstance(method, FunctionType) and not isinstance(found, type):
        return method
    init = getattr(found, "__init__", None)
    if isinstance(found, type) and isinstance(init, FunctionType):
        return init
    raise UserError(
        f"{function!r} is not written in Python, there is nothing to step into; pass a function of your own"
    )


def _codes_of_file(function: FunctionType) -> list[CodeType]:
    """Code of the function and of the other functions and classes that its module made in the same file."""
    filename = function.__code__.co_filename
    found = {function.__code__: None}
    for value in list(function.__globals__.values()):
        members = list(vars(value).values()) if isinstance(value, type) else [value]
        for member in members:
            if isinstance(member, FunctionType) and member.__code__.co_filename == filename:
                found[member.__code__] = None
    return list(found)


def _source(function: FunctionType) -> str:
    try:
        return inspect.getsource(function)
    except (OSError, TypeError):
        return function.__code__.co_qualname  # typed at a prompt: no source to take an identity from
