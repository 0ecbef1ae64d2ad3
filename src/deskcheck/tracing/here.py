"""Trace a function or a notebook's cell in this process, and list the files that define a module's functions.

    run_here(f, (3,)) -> (Program, Trace)
    run_cell_here("x = f(3)", globals(), number=4, name_of=str) -> (Program, Trace)
    files_of_module(globals()) -> {path: name}      for `deskcheck.record`; a notebook's cells are files too

The code runs outside the sandbox, with all rights of this process. `run_here` steps into code of the
function's file. `run_cell_here` also steps into functions of other cells. A call of any other code is one
step. A tracer that was active before (coverage, a debugger) is restored afterwards.
"""

from __future__ import annotations

import functools
import inspect
import linecache
import sys
from collections.abc import Callable
from types import CodeType, CoroutineType, FunctionType, MethodType

from msgspec import structs

from deskcheck.errors import UserError
from deskcheck.format.buffers import trace_of
from deskcheck.records import Granularity, Limits, Program, Raised, Trace
from deskcheck.tracing import source_facts
from deskcheck.tracing.access import Access, depth, forget_changes, has_native
from deskcheck.tracing.coroutines import (
    is_coroutine_function,
    load_asyncio,
    refuse_inside_loop,
    run_coroutine,
)
from deskcheck.tracing.literal import arguments_text
from deskcheck.tracing.program import CELL, SCRIPT, Bundle, make_program, prelude_of
from deskcheck.tracing.run import Native, need_lines, run_native

DEFAULT_LIMITS = Limits()


def run_here(
    function: object,
    args: tuple[object, ...] = (),
    kwargs: dict[str, object] | None = None,
    *,
    limits: Limits = DEFAULT_LIMITS,
    granularity: Granularity = Granularity.LINE,
) -> tuple[Program, Trace]:
    """Run function(*args, **kwargs) traced. An exception is the trace's outcome; only Ctrl-C is re-raised.

    UserError if `function` is not callable, is not written in Python, or is a coroutine function and an event
    loop already runs; also if `granularity` needs the C extension and that was not built.
    """
    # The function runs as deep as if the caller of `deskcheck.trace`, two frames above, called it itself.
    # `_call` stands between the two, so it starts one less deep than that caller.
    caller = depth() - 2
    if not callable(function):
        raise UserError(
            f"deskcheck.trace needs a function, not {type(function).__name__}: pass f, not f(...)"
        )
    plain = _python_function(function)
    code = plain.__code__
    namespace = plain.__globals__
    codes = _codes_of_file(plain)
    names = dict.fromkeys(name for member in codes for name in source_facts.global_names(member))
    known = [name for name in names if name in namespace]
    if is_coroutine_function(plain):
        refuse_inside_loop(plain.__qualname__)
        load_asyncio(plain)
    call = functools.partial(_call, function, args, kwargs or {})
    before = sys.gettrace()
    forget_changes(codes)
    try:
        if has_native():
            native = Native(code.co_filename, [(0, namespace, known)], limits=limits, granularity=granularity)
            recorded = trace_of(run_native(native, call, "", limits=limits, codes=[code], depth=caller - 1))
        else:
            from deskcheck.tracing.reference import run_traced
            from deskcheck.tracing.reference.tracer import Tracer

            need_lines(granularity)
            access = Access(native=False)
            tracer = Tracer(known, namespace, code.co_filename, limits=limits, access=access)
            recorded = run_traced(tracer, call, "", limits=limits, codes=[code], access=access)
    finally:
        sys.settrace(before)
    _raise_interrupt(recorded)
    program = _program_of(plain, recorded)
    return program, structs.replace(recorded, program_id=program.id)


def _call(function: Callable[..., object], args: tuple[object, ...], kwargs: dict[str, object]) -> object:
    result = function(*args, **kwargs)
    return run_coroutine(result) if type(result) is CoroutineType else result


def _program_of(function: FunctionType, trace: Trace) -> Program:
    """Make the call's Program: the text of its file, and the arguments that the first event shows."""
    code = function.__code__
    is_own = bool(trace.frames.code) and trace.codes[trace.frames.code[0]].name == code.co_qualname
    arguments = arguments_text(trace, code) if is_own else "..."  # a wrapper that ran first hides them
    source = "".join(linecache.getlines(code.co_filename))
    origin = f"here:{function.__module__}"
    return make_program(source or code.co_qualname, code.co_qualname, arguments, origin=origin)


def _raise_interrupt(trace: Trace) -> None:
    """Raise KeyboardInterrupt if it ended the run: in this process it is not an outcome of the function."""
    if isinstance(trace.outcome, Raised) and trace.outcome.type == "KeyboardInterrupt":
        raise KeyboardInterrupt


def run_cell_here(
    source: str, namespace: dict[str, object], *, number: int, name_of: Callable[[str], str]
) -> tuple[Program, Trace]:
    """Run the text of a notebook's cell in its namespace, traced; functions of other cells are stepped into.

    `number`: the cell's number, which becomes part of its file's name. `name_of`: file of another cell's code
    -> its name in the trace. UserError without the C extension, SyntaxError if the text does not compile. An
    exception is the trace's outcome; only Ctrl-C is re-raised.
    """
    if not has_native():
        raise UserError(
            "cells are recorded by the C extension, which was not built: "
            "install a C compiler and deskcheck again (deskcheck doctor says whether it is there)"
        )
    caller = depth() - 1  # of this function's caller, so the cell runs as deep as this function
    filename = f"<deskcheck cell {number}>"
    code = compile(source, filename, "exec", dont_inherit=True)
    linecache.cache[filename] = len(source), None, source.splitlines(keepends=True), filename
    others = {file: name_of(file) for file in files_of_module(namespace) if file != filename}
    codes = [member for file in others for member in source_facts.codes_in(namespace, file)]
    names = dict.fromkeys(
        [
            *source_facts.module_names(code),
            *(n for member in codes for n in source_facts.global_names(member)),
        ]
    )
    known = source_facts.own_names(names, [code, *codes], namespace)  # the cell may bind them first

    def file_of_code(of: CodeType) -> str | None:
        return "" if of.co_filename == filename else others.get(of.co_filename)

    before = sys.gettrace()
    forget_changes([code, *codes])
    try:
        native = Native(file_of_code, [(0, namespace, known)], limits=DEFAULT_LIMITS)
        call = functools.partial(exec, code, namespace)
        packed = run_native(native, call, "", limits=DEFAULT_LIMITS, codes=[code], depth=caller)
        recorded = trace_of(packed)
    finally:
        sys.settrace(before)
    _raise_interrupt(recorded)
    seen = {recorded.names[each.file] for each in recorded.codes if each.file}
    files = {name: "".join(linecache.getlines(file)) for file, name in others.items() if name in seen}
    bundle = Bundle(path="cell.py", name=SCRIPT, files=files)
    program = make_program(source, SCRIPT, "", origin=f"{CELL}{number}", prelude=prelude_of(bundle))
    return program, structs.replace(recorded, program_id=program.id)


def files_of_module(namespace: dict[str, object]) -> dict[str, str]:
    """Return the files in which a module's functions are defined: path -> the path's last part.

    These are the module's own file, or the cells of a notebook.
    """
    codes = [
        plain.__code__
        for value in list(namespace.values())
        for member in (list(vars(value).values()) if isinstance(value, type) else [value])
        if isinstance(plain := inspect.unwrap(member) if callable(member) else member, FunctionType)
        and plain.__globals__ is namespace
    ]
    return {code.co_filename: code.co_filename.rpartition("/")[2] for code in codes}


def _python_function(function: object) -> FunctionType:
    """Return the Python function behind a callable. UserError if there is none."""
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
    """Return the code of the function and of its module's other functions and methods in the same file."""
    filename = function.__code__.co_filename
    codes = {function.__code__: None}
    for value in list(function.__globals__.values()):
        members = list(vars(value).values()) if isinstance(value, type) else [value]
        for member in members:
            if isinstance(member, FunctionType) and member.__code__.co_filename == filename:
                codes[member.__code__] = None
    return list(codes)
