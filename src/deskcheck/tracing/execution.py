"""Prepare a program, run its call under the tracer in C or the one in Python, and return the outcome.

    compile_program(program), ready_program(program)      make module and arguments, untraced
    outcome_of(tracer, record, call, notes)               run the call and return the trace's outcome

Not contained: the program can change this process in any way; `collect` runs it in the sandbox. A failure of
the program is the trace's outcome; a call that does not parse is an outcome too.
"""

from __future__ import annotations

import ast
import re
import sys
import threading
from _thread import _count as n_running
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import lru_cache, partial
from keyword import iskeyword
from sys import gettrace, settrace  # bound here: a program may replace them
from threading import Thread, current_thread
from threading import enumerate as all_threads
from time import monotonic, sleep
from types import AsyncGeneratorType, CodeType, CoroutineType, GeneratorType, ModuleType, TracebackType
from typing import TYPE_CHECKING, Any, Protocol
from warnings import catch_warnings

from msgspec import Struct

from deskcheck.records import (
    FORMAT_VERSION,
    ChangeColumns,
    CompileFailure,
    Determinism,
    EventColumns,
    Fidelity,
    FrameColumns,
    Granularity,
    Limits,
    MemoryLimit,
    ObjectColumns,
    Outcome,
    OutputLimit,
    Program,
    Raised,
    Rejected,
    Returned,
    StepLimit,
    Trace,
    ValueColumns,
)
from deskcheck.sandbox import guard
from deskcheck.sandbox.compiling import steady_code
from deskcheck.tracing import source_facts
from deskcheck.tracing.access import (
    C_CALL,
    ProgramFile,
    at_depth,
    exception_handled,
    forget_changes,
    has_changed,
    has_hooks,
    has_native,
    n_running_at_first,
    pause_collector,
    restore_handled,
    resume_collector,
    type_dict,
    unless_raised,
    unseen,
)
from deskcheck.tracing.access import mro as true_mro
from deskcheck.tracing.coroutines import load_asyncio, run_coroutine
from deskcheck.tracing.given import read_arguments
from deskcheck.tracing.modules import Prepared, prepared
from deskcheck.tracing.program import bundle_of, has_bundle, is_script
from deskcheck.tracing.shapes import Shapes, is_heap_type

if TYPE_CHECKING:
    from collections.abc import Iterator

FILENAME = "<program>"
MODULE = "__program__"
NO_STEP = "the call made a generator and ran none of its steps: trace a function that iterates over it"
MADE_ELSEWHERE = "the result was made outside the program's file"
PUT_OUT = "program called sys.settrace: what it did afterwards is not recorded"
CHANGED = "program changed f_trace_lines or a code object: lines that ran may be missing, or others shown"
UNTRACED = "threads ran without the tracer: their steps are not recorded"
HOOKED = (
    "program set a profile function, an audit hook or a callback of sys.monitoring: "
    "their steps are not recorded"
)
# `Fidelity.sees` of a trace made with the C extension, and of one made without it.
SEES = ["cells", "exceptions", "globals", "identity", "iterators", "stack", "values"]
SEES_WITHOUT = ["cells", "exceptions", "globals", "identity", "values"]


class Stop(BaseException):
    """End of the program at a budget. No `except Exception` catches it; once caught, it is raised again."""


NOT_LOADED = "the call was not made: its module did not load"
NO_ARGUMENTS = "the call was not made: its function or its arguments could not be evaluated"


class _Silence:
    """Hooks for unhandled exceptions, replaced from a budget's end to the end of the run.

    Threads, generators and finalizers of the program get the Stop too, and would print it on standard error.
    """

    def __init__(self) -> None:
        self._before: tuple[Any, Any] | None = None
        self.is_due = False
        """Whether `outcome_of` runs a call outside the sandbox, where a Stop would be printed."""

    def begin(self) -> None:
        """Print no Stop from here on."""
        if self.is_due and self._before is None:
            self._before = sys.unraisablehook, threading.excepthook
            sys.unraisablehook, threading.excepthook = (
                partial(unless_raised, Stop, hook) for hook in self._before
            )

    def end(self) -> None:
        """Put the hooks back."""
        self.is_due = False
        if self._before is not None:
            (sys.unraisablehook, threading.excepthook), self._before = self._before, None


silence = _Silence()


class NothingRan(Exception):
    """End of a program before its call began, with its outcome."""

    def __init__(self, outcome: Outcome, note: str) -> None:
        self.outcome = outcome
        self.note = note
        """NOT_LOADED or NO_ARGUMENTS, for the notes of its trace."""


class Ready(Struct, frozen=True):
    """A program just before its call."""

    names: list[str]
    """Module-level names that are recorded."""
    namespace: dict[str, object]
    program_file: ProgramFile
    call: Callable[[], object]
    codes: list[CodeType]
    """Code objects of the program, to be scanned for what it may do unseen or read from outside."""


Compiled = tuple[CodeType, CodeType | None, CodeType, CodeType | None, str | None] | tuple[str, int]
"""Code of module, prelude, function with arguments, and call; then the arguments' text if they are literals.

Without a prelude its code is None, and so is the code of a call with arguments by position alone. For a
program that does not compile: the message and line of its error. The members are only constants and code,
because the sandbox hides them from the programs that run before this one (`child.Function`)."""


def compile_program(program: Program, body: CodeType | None = None) -> Compiled:
    """Compile source, prelude and call of a program; `body` is the code of a source compiled already."""
    try:
        if body is None:
            # The file of a bundle is compiled once more, under its name, and warns then.
            with catch_warnings(action="ignore") if has_bundle(program) else nullcontext():
                body = steady_code(program.source, FILENAME)
        prelude = steady_code(program.prelude, "<prelude>") if program.prelude else None
        return body, prelude, *_parse_call(program.entry, program.arguments)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        message = f"{type(error).__name__}: {getattr(error, 'msg', None) or error}"
        return message, line if line is not None else -1


@contextmanager
def ready_program(program: Program, compiled: Compiled | None = None, *, folder: str = "") -> Iterator[Ready]:
    """Make module and arguments, untraced, and yield the program. NothingRan if that ended the program.

    `folder`: the program's folder on disk, for `__file__` of a program of several files; "" = no folder.
    """
    if compiled is None:
        compiled = compile_program(program)
    if len(compiled) == 2:
        raise NothingRan(CompileFailure(*compiled), NOT_LOADED)
    body, prelude, evaluated, calling, arguments = compiled
    make_call = _make_call(evaluated, calling, arguments)
    bundle = bundle_of(program)
    if bundle is not None:
        with _ready_bundle(program, prepared(program, bundle, folder), make_call) as ready:
            yield ready
        return
    forget_changes([body])
    with _module() as namespace:
        note = NOT_LOADED
        try:  # not `_before_call`, whose time would count for tiny programs
            guard.keep(namespace)
            if prelude is not None:
                guard.call(at_depth, MODULE_DEPTH, exec, prelude, namespace)
            guard.call(at_depth, MODULE_DEPTH, exec, body, namespace)
            note = NO_ARGUMENTS
            call = make_call(namespace)
        except BaseException as error:
            raise _nothing_ran(error, note, FILENAME) from None
        used = dict.fromkeys(source_facts.global_names(body))
        names = [name for name in namespace if name in used]
        names += source_facts.own_names((name for name in used if name not in namespace), [body], namespace)
        yield Ready(names, namespace, FILENAME, call, [body])


@contextmanager
def _ready_bundle(
    program: Program,
    preparing: AbstractContextManager[Prepared],
    make_call: Callable[[dict[str, object]], Callable[[], object]],
) -> Iterator[Ready]:
    """Make ready a program of several files or a script; `preparing` yields its modules."""
    with preparing as made:
        forget_changes(made.codes)
        if is_script(program):
            used, call = source_facts.module_names(made.body), made.script()
        else:
            used = source_facts.global_names(made.body)
            with _before_call(NOT_LOADED, made.body.co_filename):
                made.load()
            with _before_call(NO_ARGUMENTS, made.body.co_filename):
                call = make_call(made.namespace)
        names = source_facts.own_names(used, [made.body], made.namespace)
        yield Ready(names, made.namespace, made.scope, call, list(made.codes))


@contextmanager
def _before_call(note: str, filename: str) -> Iterator[None]:
    """Raise NothingRan with this note for an exception of the program, perhaps a SystemExit."""
    try:
        yield
    except BaseException as error:
        raise _nothing_ran(error, note, filename) from None


def _nothing_ran(error: BaseException, note: str, filename: str) -> NothingRan:
    return NothingRan(raised(error, None, scan_line(error, filename)), note)


class Raising(Protocol):
    """The part of a tracer that `raised` needs for the outcome of an exception."""

    shapes: Shapes

    @property
    def last_raise(self) -> int: ...


class Starting(Raising, Protocol):
    """The part of a tracer that `outcome_of` needs to run a call."""

    @property
    def failure(self) -> StepLimit | OutputLimit | MemoryLimit | Rejected | None: ...
    def start(self) -> None: ...
    def stop(self) -> bool: ...


class Recorded(Protocol):
    """Facts that a tracer knows when the call is over; -1 = no line, or no returned value."""

    outlived: bool
    """Whether a thread of the program went on after the call."""
    broken: Exception | None
    """Error of the tracer itself."""
    last_line: int
    first_return: int
    last_return: int

    @property
    def has_events(self) -> bool: ...
    def final_value(self, value: object, /) -> int: ...


# Depths from which our calls are made, so that the program's frames are as deep as in plain Python. A
# module's frame is reached through `exec`, the call's through a function of ours, `unseen` and `eval`; these
# three are C code.
MODULE_DEPTH = -C_CALL
CALL_DEPTH = -1 - 2 * C_CALL
PATIENCE_S = 1.0
"""Time that the threads of a stopped program have to end; a thread that waits forever continues."""


def outcome_of(
    tracer: Starting,
    record: Recorded,
    call: Callable[[], object],
    notes: list[str],
    *,
    depth: int = CALL_DEPTH,
) -> Outcome:
    """Run the call under a tracer and return its outcome; add remarks on the recording to `notes`.

    `depth`: depth of recursion from which the call is made, so that our frames take nothing from the
    program's.
    """
    result: object = None
    failure: BaseException | None = None
    held = pause_collector()
    n_before = n_running()
    threads = set(all_threads()) if n_before else set()
    handled = exception_handled()
    silence.is_due = has_native() and guard.call_last is guard.plainly
    tracer.start()
    ours = gettrace()
    try:
        result = guard.call_last(at_depth, depth, call)
    except BaseException as error:  # an exception of the program is the outcome of its trace
        failure = error
    finally:
        # A tracer that the program left installed would see our next function, and could raise there.
        if gettrace() is not ours:
            settrace(None)
        # A thread that has not begun or waits its turn gets the Stop only while the tracer is installed;
        # without it, the thread would run on. No Python function may be called here: it would get the Stop.
        if isinstance(failure, Stop) and guard.call_last is guard.plainly:
            until = monotonic() + PATIENCE_S
            while n_running() > n_before and monotonic() < until:
                sleep(0.001)
        was_active = tracer.stop()
        silence.end()
        restore_handled(handled)
        resume_collector(held)
    if not was_active:
        notes.append(PUT_OUT)
    if has_changed():
        notes.append(CHANGED)
    if has_hooks():
        notes.append(HOOKED)
    if n_before > n_running_at_first():  # started by the module's body
        notes.append(UNTRACED)
    # A thread that was started but has not reached a line yet is unknown to the tracer.
    # If the sandbox ended threads, one may have died holding the lock that `all_threads` waits for.
    if record.outlived or guard.outlived() or _goes_on(threads):
        notes.append("a thread went on after the call: what it did then is not recorded")
    if record.broken is not None:
        raise record.broken
    if tracer.failure is not None:
        return tracer.failure
    if failure is not None:
        outcome = raised(failure, tracer, record.last_line)
        failure = None  # its traceback holds this frame
        return outcome
    returned = Returned(record.final_value(result))
    if returned.value not in (record.first_return, record.last_return) and record.has_events:
        notes.append(MADE_ELSEWHERE)
    if type(result) in (GeneratorType, AsyncGeneratorType) and not record.has_events:
        notes.append(NO_STEP)
    return returned


def _goes_on(threads: set[Thread]) -> bool:
    """Whether a thread runs that is neither this one nor in `threads`."""
    if not n_running():
        return False
    own = current_thread()
    return any(thread not in threads and thread is not own for thread in all_threads())


def runtime_name() -> str:
    """Return implementation and minor version, as line numbers and events depend on them: "CPython 3.11"."""
    return f"CPython {sys.version_info[0]}.{sys.version_info[1]}"


def empty_trace(
    program_id: str, limits: Limits, outcome: Outcome, *, native: bool = True, notes: Sequence[str] = ()
) -> Trace:
    """Make a trace without events, for a run that ended before its call or whose record was lost.

    `native`: whether the tracer in C was meant, if it was built.
    """
    return Trace(
        format_version=FORMAT_VERSION,
        program_id=program_id,
        language="python",
        runtime=runtime_name(),
        granularity=Granularity.LINE,
        fidelity=Fidelity("reference", SEES if native and has_native() else SEES_WITHOUT, list(notes)),
        limits=limits,
        determinism=Determinism(),
        outcome=outcome,
        codes=[],
        frames=FrameColumns([], []),
        events=EventColumns([], [], [], [], [], []),
        changes=ChangeColumns([], [], [], [], [], []),
        values=ValueColumns([], [], [], [], []),
        objects=ObjectColumns([], [], []),
        names=[],
    )


# ------------------------------------------------------------------ the call

# Arguments without stars, keywords and parentheses compile as the members of a tuple; no tree is needed.
_PLAIN_ENTRY = re.compile(r"[\w.]+")
_PLAIN_ARGUMENTS = re.compile(r"""(?:[\w\s.,+\-\[\]{}:]|'[^'\\\n]*'|"[^"\\\n]*")*""")


@lru_cache(maxsize=64)
def _function_of(entry: str) -> CodeType:
    return compile(f"({entry},)", "<call>", "eval")


def _parse_call(entry: str, arguments: str) -> tuple[CodeType, CodeType | None, str | None]:
    """Compile a call in two stages: code that evaluates function and arguments, and code that calls.

    Literal arguments of a plain function come back as text instead. The code that calls is None if all
    arguments are given by position.
    """
    if entry.isidentifier() and not iskeyword(entry):
        found = read_arguments(arguments, exact=True)
        if found is not None and not found.keywords:
            return _function_of(entry), None, arguments
    if _PLAIN_ENTRY.fullmatch(entry) and _PLAIN_ARGUMENTS.fullmatch(arguments):
        try:
            return steady_code(f"({entry}, {arguments}\n)", "<call>", "eval"), None, None
        except SyntaxError:  # raised below, with the call as it was written
            pass
    tree = ast.parse(f"({entry})({arguments}\n)", "<call>", "eval")
    call = tree.body
    if not isinstance(call, ast.Call):
        raise SyntaxError(f"not a call: {entry}({arguments})")
    given = [call.func, *call.args, *(keyword.value for keyword in call.keywords)]
    parts = [part.value if isinstance(part, ast.Starred) else part for part in given]
    code = _call_of(
        tuple(isinstance(arg, ast.Starred) for arg in call.args),
        tuple(keyword.arg for keyword in call.keywords),
    )
    # One code object evaluates all of them from left to right, as the call would.
    all_parts = ast.copy_location(ast.Tuple(parts, ast.Load()), call)
    return steady_code(ast.Expression(all_parts), "<call>", "eval"), code, None


def _make_call(
    entry_code: CodeType, code: CodeType | None, arguments: str | None
) -> Callable[[dict[str, object]], Callable[[], object]]:
    """Return a function that makes the call ready in a namespace.

    `entry_code` evaluates to function and arguments, untraced; `code` calls them, None = by position.
    `arguments`: text of literals that are read and appended. Their constants live as long as the call, like
    the constants of a compiled call.
    """
    constants: list[object] = []

    def make(namespace: dict[str, object]) -> Callable[[], object]:
        # Taken one by one, so that nothing here still holds an argument while the call runs.
        values = deque(guard.call(eval, entry_code, namespace))
        if arguments is not None:
            found = read_arguments(arguments, exact=True)
            assert found is not None  # it was read once before, when the call was compiled
            values += found.positional
            constants[:] = found.constants
            del found
        load_asyncio(values[0])
        calling = code or _call_of((False,) * (len(values) - 1), ())
        # One expression: a tracer that the program left installed would see any further function of ours.
        return lambda: (
            run_coroutine(given)
            if type(given := unseen(eval, calling, {"__take": values.popleft})) is CoroutineType
            else given
        )

    return make


@lru_cache(maxsize=256)
def _call_of(starred: tuple[bool, ...], keywords: tuple[str | None, ...]) -> CodeType:
    """Compile `__take()(__take(), *__take(), name=__take())`.

    `starred`: whether each positional argument has a star; `keywords`: names, None = two stars.
    """

    def taken() -> ast.Call:
        return ast.Call(ast.Name("__take", ast.Load()), [], [])

    made = ast.Call(
        taken(),
        [ast.Starred(taken(), ast.Load()) if star else taken() for star in starred],
        [ast.keyword(name, taken()) for name in keywords],
    )
    return compile(ast.fix_missing_locations(ast.Expression(made)), "<call>", "eval")


# Compiled on import, so that the children of a zygote share them.
_COMMON_CALLS = [_call_of((False,) * n_arguments, ()) for n_arguments in range(5)]


@contextmanager
def module_namespace(program: Program) -> Iterator[dict[str, object]]:
    """Run the program's prelude and body untraced and yield the namespace of its module."""
    with _module() as namespace:
        exec(steady_code(program.prelude, "<prelude>"), namespace)
        exec(steady_code(program.source, FILENAME), namespace)
        yield namespace


@contextmanager
def _module() -> Iterator[dict[str, object]]:
    """Yield the namespace of a fresh module; it is in sys.modules meanwhile, as dataclasses need."""
    module = ModuleType(MODULE)
    # In the sandbox this is the program's copy of builtins, so its changes do not reach our code.
    module.__dict__["__builtins__"] = sys.modules["builtins"].__dict__
    before = sys.modules.get(MODULE)
    sys.modules[MODULE] = module
    try:
        yield module.__dict__
    finally:
        if before is None:
            sys.modules.pop(MODULE, None)
        else:
            sys.modules[MODULE] = before


# ------------------------------------------------------------------ exceptions


def raised(error: BaseException, tracer: Raising | None, line: int) -> Raised:
    """Make the outcome of an exception without running any code of the program."""
    kind = type(error)
    name = (
        tracer.shapes.type_name(kind) if tracer is not None else type.__dict__["__qualname__"].__get__(kind)
    )
    return Raised(name, message_of(error), line, tracer.last_raise if tracer is not None else -1)


def message_of(error: BaseException) -> str:
    """Return the text of an exception's plain arguments; no `__str__` of the program runs.

    The text equals str(). Where that would take a `__str__` written in Python, the text begins with
    "arguments", and strings have quotes.
    """
    args = BaseException.__dict__["args"].__get__(error)
    if type(error) is SystemExit and len(args) == 1 and issubclass(type(args[0]), int):
        return int.__repr__(args[0])  # the exit code, also where a library has an enumeration of them
    writer = next(one for one in true_mro(type(error)) if "__str__" in type_dict(one))
    if is_heap_type(writer):
        return f"arguments {', '.join(_plain(arg, 1) for arg in args)}" if args else ""
    if all(id(type(arg)) in _PLAIN for arg in args):
        # too many digits; an exception without its fields
        with suppress(TypeError, ValueError, UnicodeError):
            return str(type_dict(writer)["__str__"](error))  # type: ignore[operator]  # a built-in's
    return ", ".join(_plain(arg) for arg in args)


_PLAIN = frozenset(map(id, (str, int, float, bool, bytes, type(None))))


_DEEPEST, _MOST_ITEMS = 50, 1000  # of nested tuples; what goes beyond is written as <tuple>


def _plain(value: Any, depth: int = 0, left: list[int] | None = None) -> str:
    """Return the text of a plain value, of others the type's name; strings have quotes from depth 1 on.

    `left`: items that may still follow.
    """
    kind = type(value)  # exactly: mypy does not follow it to `value`, hence Any
    left = [_MOST_ITEMS] if left is None else left
    left[0] -= 1
    if kind is str and not depth:
        return value  # type: ignore[no-any-return]  # a str, as kind says
    if kind is tuple and depth < _DEEPEST and left[0] > 0:
        inside = ", ".join(_plain(item, depth + 1, left) for item in value)
        return f"({inside}{',' * (len(value) == 1)})"
    if id(kind) in _PLAIN - {id(int)} or (kind is int and abs(value) < 10**4000):
        return repr(value)
    return f"<{type.__dict__['__qualname__'].__get__(kind)}>"


def scan_line(error: BaseException, filename: str = FILENAME) -> int:
    """Return the line of the program's file that the exception came from; -1 = unknown."""
    trace: TracebackType | None = error.__traceback__
    line = -1
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == filename:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line
