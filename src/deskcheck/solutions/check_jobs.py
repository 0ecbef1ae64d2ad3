"""Run the two halves of a check as jobs in the sandbox: the calls of a solution, and its tests.

    run_calls(encode(CallRequest(source, [Call("f", pack_value(((3,), {})))])))  -> encoded [Ended, ..]
    run_tests(encode(TestRequest(test, helpers, "f", calls, known)))             -> encoded TestEnd

The halves never share a process. The process of the solution has the solution's source and the arguments, but
no expected value. The process of the tests has a stub in place of the solution's function, but no code or
object of the solution. A call whose result the stub does not know ends the tests. With `predict`, the tests
are then run once more, and continue after every failing statement, to find the other calls that they will
make. Most results are known after one round.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import importlib
import random
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NoReturn

import msgspec
from msgspec import Struct, field

from deskcheck.solutions.check_values import Opaque, pack_value, unpack_value

RUN_CALLS = "deskcheck.solutions.check_jobs:run_calls"
RUN_TESTS = "deskcheck.solutions.check_jobs:run_tests"
_MODULE = "__candidate__"
MAX_CALLS = 10_000  # of one run of the tests
# Tests may use these modules as if the solution had imported them. Its other imports do not reach the tests.
LIBRARIES = (
    "cmath",
    "collections",
    "functools",
    "heapq",
    "itertools",
    "math",
    "re",
    "statistics",
    "string",
    "sys",
)


class Call(Struct, frozen=True):
    """One call of a function of a solution."""

    name: str
    arguments: bytes
    """Packed (positional arguments, keyword arguments)."""


class Ended(Struct, frozen=True):
    """How one call of a checked solution ended."""

    value: bytes
    """Packed return value; empty if it raised."""
    arguments: bytes
    """Packed arguments after the call, because a function may change its lists."""
    error: str = ""
    """Name of the exception's type; "" if it returned."""


class CallRequest(Struct, frozen=True):
    """Payload of a job that makes calls (`run_calls`)."""

    source: str
    calls: list[Call]


class TestRequest(Struct, frozen=True):
    """Payload of a job that runs tests (`run_tests`)."""

    __test__ = False  # for pytest

    test: str
    helpers: str
    """Code of the task that runs before the tests, which may use it."""
    entry: str
    """The only function of the solution that the tests call, by name or as `check(candidate)`."""
    calls: list[Call]
    """Calls in the order in which they were run."""
    known: list[Ended]
    """Results of these calls."""
    predict: bool = False
    """Whether to look for further calls after the first one without a known result."""


class TestEnd(Struct, frozen=True):
    """How the tests of a solution ended."""

    __test__ = False

    error: str = ""
    """"AssertionError, line 3"; "" if they passed or need more."""
    needs: list[Call] = field(default_factory=list)
    """All calls so far, if one or more have no known result; else empty."""
    impossible: str = ""
    """Reason why the tests cannot be run against stubs; "" = they can."""


def run_calls(payload: bytes) -> bytes:
    """Load the solution of a packed CallRequest once, and make the calls in order."""
    request = msgspec.msgpack.decode(payload, type=CallRequest)
    encode, pack, unpack, ended = msgspec.msgpack.encode, pack_value, unpack_value, Ended
    ends: list[Ended] = []
    module = ModuleType(_MODULE)
    module.__dict__["__builtins__"] = sys.modules["builtins"].__dict__
    sys.modules[_MODULE] = module
    failure = ""
    try:
        exec(compile(request.source, "<candidate>", "exec", dont_inherit=True), module.__dict__)
    except MemoryError:
        raise
    except BaseException as error:  # any exception, SystemExit included, is the end of every call
        failure = _type_name(error)
    for call in request.calls:
        arguments: Any = unpack(call.arguments, refuse=_refuse_here)
        value: object = None
        name = failure
        if not name:
            try:
                value = module.__dict__[call.name](*arguments[0], **arguments[1])
            except MemoryError:
                raise
            except BaseException as error:  # the exception of a call is its result
                name = _type_name(error)
        ends.append(ended(b"" if name else pack(value), pack(arguments), name))
    sys.modules.pop(_MODULE, None)
    return encode(ends)


def _refuse_here(kind: str) -> NoReturn:
    """Raise when the solution uses an argument in a way that only an object of its own class can answer."""
    raise TypeError(f"an argument of type {kind} has this for its own class alone")


def _type_name(error: BaseException) -> str:
    return str(type.__dict__["__name__"].__get__(type(error)))


class _Needed(BaseException):
    """Raised at a call without a known result."""


class _Impossible(BaseException):
    """Raised at a call that cannot be sent to the other process."""


class _Stubs:
    """Calls of the tests, answered from known results: in order, or in any order to predict further calls."""

    def __init__(self, request: TestRequest, *, predict: bool) -> None:
        self._calls = request.calls
        self._known = request.known
        self._by_call = dict(zip(request.calls, request.known, strict=False)) if predict else None
        self.calls: list[Call] = []
        self.is_known = True
        self.refused = ""
        """Reason why the tests cannot go on, even if they caught the exception that stated it; "" = they can.
        """

    def call(self, name: str, positional: tuple[object, ...], keywords: dict[str, object]) -> object:
        """Return the known result of a call, and repeat the function's changes to its arguments.

        _Needed without a known result, _Impossible if the call or its result cannot cross to the other
        process.
        """
        packed = pack_value((positional, keywords))
        if isinstance(unpack_value(packed), Opaque):
            raise _Impossible(f"an argument of {name} is not a plain value, so it cannot cross")
        if len(self.calls) >= MAX_CALLS:
            raise _Impossible(f"more than {MAX_CALLS} calls")
        call = Call(name, packed)
        ended = self._look_up(call)
        self.calls.append(call)
        if ended is None:
            self.is_known = False
            raise _Needed
        after: Any = unpack_value(ended.arguments, refuse=self._refuse)
        if type(after) is not tuple:  # an argument holds an object of an unknown type now
            self._refuse("an argument's part")
        for old, new in zip(positional, after[0], strict=False):
            _write_back(old, new)
        for key, old in keywords.items():
            _write_back(old, after[1].get(key))
        if ended.error:
            kind = getattr(builtins, ended.error, None)
            is_error = isinstance(kind, type) and issubclass(kind, Exception)
            raise kind(ended.error) if is_error and kind is not None else Exception(ended.error)
        return unpack_value(ended.value, refuse=self._refuse)

    def _refuse(self, kind: str) -> NoReturn:
        self.refused = f"the tests use a result of type {kind}, which is not known in their process"
        raise _Impossible(self.refused)

    def _look_up(self, call: Call) -> Ended | None:
        number = len(self.calls)
        if self._by_call is not None:
            return self._by_call.get(call)
        if self.is_known and number < len(self._known) and self._calls[number] == call:
            return self._known[number]
        return None


def _write_back(old: object, new: object) -> None:
    if isinstance(old, list) and isinstance(new, list):
        old[:] = new
    elif (isinstance(old, dict) and isinstance(new, dict)) or (isinstance(old, set) and isinstance(new, set)):
        old.clear()
        old.update(new)


def run_tests(payload: bytes) -> bytes:
    """Run the tests of a packed TestRequest against stubs; return their end, or the calls that they need."""
    request = msgspec.msgpack.decode(payload, type=TestRequest)
    tree = ast.parse(request.test)
    stubs = _Stubs(request, predict=False)
    end = TestEnd()
    try:
        _run(tree, request, stubs)
    except _Impossible as error:
        return msgspec.msgpack.encode(TestEnd(impossible=str(error)))
    except MemoryError:
        raise
    except BaseException as error:  # any exception of the tests, SystemExit included, is their end
        end = TestEnd(error=f"{_type_name(error)}, line {_line(error)}")
    if stubs.refused:
        return msgspec.msgpack.encode(TestEnd(impossible=stubs.refused))
    if stubs.is_known:
        return msgspec.msgpack.encode(end)
    needs = stubs.calls  # also if a test caught _Needed, because its call has no result yet
    if request.predict:
        stubs = _Stubs(request, predict=True)
        with contextlib.suppress(_Needed, _Impossible, Exception):  # only the calls matter here
            _run(_Lenient().visit(tree), request, stubs)
        if stubs.calls[: len(needs)] == needs:
            needs = stubs.calls
    return msgspec.msgpack.encode(TestEnd(needs=needs))


def _run(tree: ast.Module, request: TestRequest, stubs: _Stubs) -> None:
    """Run helpers and tests with stubs; call `check` if the tests only define it."""
    random.seed(request.test)  # the same arguments in every round
    namespace: dict[str, Any] = {"__name__": "__tests__"}
    namespace |= {name: importlib.import_module(name) for name in LIBRARIES if name in request.test}
    exec(compile(request.helpers, "<helpers>", "exec", dont_inherit=True), namespace)
    namespace[request.entry] = namespace["candidate"] = _stub(stubs, request.entry)
    exec(compile(tree, "<test>", "exec", dont_inherit=True), namespace)
    defines_check = any(isinstance(node, ast.FunctionDef) and node.name == "check" for node in tree.body)
    if defines_check and not _calls_check(tree):
        namespace["check"](namespace[request.entry])


def _stub(stubs: _Stubs, name: str) -> Callable[..., object]:
    def stub(*positional: object, **keywords: object) -> object:
        return stubs.call(name, positional, keywords)

    stub.__name__ = stub.__qualname__ = name
    return stub


def _calls_check(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and ast.unparse(node.value.func) == "check"
        for node in tree.body
    )


def _line(error: BaseException) -> int:
    line, traceback = 0, error.__traceback__
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == "<test>":
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


class _Lenient(ast.NodeTransformer):
    """Transformer that lets the tests continue after a failing statement: `try: statement; except: pass`."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if not isinstance(node, ast.stmt) or isinstance(
            node, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom | ast.Return
            | ast.Break | ast.Continue | ast.Global | ast.Nonlocal,
        ):  # fmt: skip
            return node
        handler = ast.ExceptHandler(type=None, name=None, body=[ast.Pass()])
        return ast.fix_missing_locations(
            ast.copy_location(ast.Try(body=[node], handlers=[handler], orelse=[], finalbody=[]), node)
        )
