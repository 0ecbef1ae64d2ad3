"""Trace a function of your own, in your own process.

    import deskcheck
    trace = deskcheck.trace(f, 3)

Not contained: the function does what it does. Stepped into is the code of the function's own file; everything
else is atomic. What was traced before (coverage, a debugger) is put back afterwards.
"""

from __future__ import annotations

import functools
import inspect
import sys
from types import CodeType, FunctionType, MethodType

from deskcheck.errors import UserError
from deskcheck.records import Limits, Trace
from deskcheck.tracing import scan
from deskcheck.tracing.access import Access, has_native
from deskcheck.tracing.program import program_id
from deskcheck.tracing.reference import run_traced
from deskcheck.tracing.tracer import Tracer

_DEFAULT = Limits()


def trace(function: object, /, *args: object, limits: Limits = _DEFAULT, **kwargs: object) -> Trace:
    """What function(*args, **kwargs) does; exceptions it raises are the trace's outcome."""
    if not callable(function):
        raise UserError(
            f"deskcheck.trace needs a function, not {type(function).__name__}: pass f, not f(...)"
        )
    plain = _python_function(function)
    code = plain.__code__
    access = Access(native=has_native())
    namespace = plain.__globals__
    names = dict.fromkeys(name for found in _codes_of_file(plain) for name in scan.global_names(found))
    tracer = Tracer(
        [name for name in names if name in namespace],
        namespace,
        code.co_filename,
        limits=limits,
        access=access,
    )
    before = sys.gettrace()
    try:
        call = functools.partial(function, *args, **kwargs)
        arguments = f"<{len(args) + len(kwargs)} objects>"
        identity = program_id(_source(plain), code.co_qualname, arguments)
        return run_traced(tracer, call, identity, limits=limits, codes=[code], access=access)
    finally:
        sys.settrace(before)


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
