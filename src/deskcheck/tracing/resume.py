"""Execute the rest of a program from a state: the proof that a state says everything.

    resume(program, [LiveFrame("f", 4, {"x": 1}, [])], {}) -> what the call returns (or raises)

Frames come outermost first; the last one is about to run its line, the others wait for the call on theirs.
Each function is rewritten so that it begins in the middle: enclosing loops take up their live iterators,
branches are entered without their test, and `break`, `continue` and `else` keep their meaning:

    while c: A; B      from B:     first = True
                                   while first or c:
                                       if first: first = False; B
                                       else: A; B

What is not sure is refused (NotResumable): several statements on a line, a line inside a statement,
temporaries,
with blocks, finally blocks, closures over a live frame, generators, pending calls inside larger expressions.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import AsyncGeneratorType, CoroutineType, FunctionType, GeneratorType

from deskcheck.errors import NotResumable
from deskcheck.records import Program
from deskcheck.tracing.codes import code_objects
from deskcheck.tracing.continuation import Place, continuation, find_statement, pending_call
from deskcheck.tracing.reference import FILENAME, module_namespace

_RESUMED = "<resumed>"


@dataclass(frozen=True)
class LiveFrame:
    """One live activation, given as real Python objects."""

    function: str
    """Qualified name: "f", "Node.insert"."""
    line: int
    bindings: dict[str, object]
    iterators: list[object] = field(default_factory=list)
    """Of the live loops, outermost first."""
    stack: list[object] = field(default_factory=list)
    """Other temporaries; a frame that has some cannot be resumed."""


def resume(program: Program, frames: list[LiveFrame], module_globals: dict[str, object]) -> object:
    """What the program's call comes to from here. Exceptions of the program pass through.

    `module_globals`: values of some module-level names, or the whole namespace in which the program's body
    was executed (it has `__builtins__`); classes of live objects come from there.
    """
    if not frames:
        raise NotResumable("there is no live frame")
    with _namespace(program, module_globals) as namespace:
        return _resume(ast.parse(program.source), frames, namespace)


@contextmanager
def _namespace(program: Program, module_globals: dict[str, object]) -> Iterator[dict[str, object]]:
    """A namespace in which the body has run is taken as it is; single values go into a fresh one."""
    if "__builtins__" in module_globals:
        yield module_globals
        return
    with module_namespace(program) as namespace:
        namespace.update(module_globals)
        yield namespace


def _resume(tree: ast.Module, frames: list[LiveFrame], namespace: dict[str, object]) -> object:
    prepared = [
        _prepare(tree, frame, namespace, callee=frames[index + 1] if index + 1 < len(frames) else None)
        for index, frame in enumerate(frames)
    ]
    outcome: Callable[[], object] = _nothing
    for run in reversed(prepared[1:]):
        outcome = _settled(run, outcome)
    return prepared[0](outcome)


def _nothing() -> object:
    raise NotResumable("the innermost frame waits for no call")


def _settled(
    run: Callable[[Callable[[], object]], object], pending: Callable[[], object]
) -> Callable[[], object]:
    """Run a frame to its end; what it returned or raised becomes the value of its caller's pending call."""
    try:
        value = run(pending)
    except NotResumable:
        raise
    except BaseException as error:
        caught = error

        def fail() -> object:
            raise caught

        return fail
    return lambda: value


def _prepare(
    tree: ast.Module, frame: LiveFrame, namespace: dict[str, object], *, callee: LiveFrame | None
) -> Callable[[Callable[[], object]], object]:
    """A function that runs the frame from its line on, given its pending call's outcome."""
    _check_values(frame)
    function = _find_function(tree, frame)
    place = find_statement(function.body, frame.line)
    if callee is not None:
        place = pending_call(place, callee.function)
    n_loops = place.n_loops
    own_loop = isinstance(place.statement, ast.For) and callee is None and len(frame.iterators) == n_loops + 1
    if len(frame.iterators) != n_loops + own_loop:
        raise NotResumable(
            f"line {frame.line} lies in {n_loops} for loops, but {len(frame.iterators)} iterators are live"
        )
    made = _build(function, place, frame, own_loop=own_loop, names=_local_names(tree, frame))
    module = ast.fix_missing_locations(ast.Module([made], []))
    code = compile(module, _RESUMED, "exec", dont_inherit=True)

    def run(returned: Callable[[], object]) -> object:
        made_here: dict[str, object] = {}
        exec(code, namespace, made_here)
        return made_here["__resumed"](frame.bindings, list(frame.iterators), returned, _again)  # type: ignore[operator]

    return run


def _again(iterator: Iterator[object]) -> Iterator[tuple[bool, object]]:
    """First the iteration that was interrupted, then the rest of the loop's own iterator."""
    yield True, None
    for item in iterator:
        yield False, item


def _check_values(frame: LiveFrame) -> None:
    if frame.stack:
        raise NotResumable(f"{frame.function} line {frame.line} holds {len(frame.stack)} temporaries")
    if frame.function.endswith(">"):
        raise NotResumable(f"{frame.function} is not a function of its own")
    for name, value in [*frame.bindings.items(), *(("an iterator", i) for i in frame.iterators)]:
        if isinstance(value, GeneratorType | CoroutineType | AsyncGeneratorType):
            raise NotResumable(f"{name} in {frame.function} is a live {type(value).__name__}")
        if isinstance(value, FunctionType) and value.__closure__:
            raise NotResumable(f"{name} in {frame.function} is a closure")


def _find_function(tree: ast.Module, frame: LiveFrame) -> ast.FunctionDef:
    """The definition with that qualified name around that line."""
    found: list[ast.FunctionDef] = []

    def search(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            for child in ast.walk(node) if not isinstance(node, ast.FunctionDef | ast.ClassDef) else [node]:
                if isinstance(child, ast.ClassDef):
                    search(child.body, f"{prefix}{child.name}.")
                elif isinstance(child, ast.FunctionDef):
                    if prefix + child.name == frame.function and _spans(child, frame.line):
                        found.append(child)
                    search(child.body, f"{prefix}{child.name}.<locals>.")

    search(tree.body, "")
    if len(found) != 1:
        raise NotResumable(f"{len(found)} plain functions called {frame.function} around line {frame.line}")
    function = found[0]
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(function)):
        raise NotResumable(f"{frame.function} is a generator")
    return function


def _spans(function: ast.FunctionDef, line: int) -> bool:
    return function.lineno <= line <= (function.end_lineno or function.lineno)


# ------------------------------------------------------------------ the rewritten function


def _build(
    function: ast.FunctionDef, place: Place, frame: LiveFrame, *, own_loop: bool, names: set[str]
) -> ast.FunctionDef:
    unknown = sorted(set(frame.bindings) - names)
    if unknown:
        raise NotResumable(f"{frame.function} has no local variable {unknown[0]!r} that could be set")
    rest = continuation(function.body, place, own_loop=own_loop)
    declared = sorted(
        {name for node in ast.walk(function) if isinstance(node, ast.Global) for name in node.names}
    )
    body: list[ast.stmt] = [ast.Global(declared)] if declared else []
    for name in sorted(names):
        if name in frame.bindings:
            value = ast.Subscript(ast.Name("__bindings", ast.Load()), ast.Constant(name), ast.Load())
            body.append(ast.Assign([ast.Name(name, ast.Store())], value))
        else:  # makes the name local without binding it
            never = ast.Assign([ast.Name(name, ast.Store())], ast.Constant(None))
            body.append(ast.If(ast.Constant(False), [never], []))
    body += [_WithoutGlobal().visit(node) for node in rest]
    parameters = [ast.arg(name) for name in ("__bindings", "__iterators", "__returned", "__again")]
    arguments = ast.arguments([], parameters, None, [], [], None, [])
    made = ast.parse("def __resumed(): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.args, made.body = arguments, body
    return made


class _WithoutGlobal(ast.NodeTransformer):
    """Global declarations stand once at the top of the rewritten function."""

    def visit_Global(self, node: ast.Global) -> ast.stmt:
        return ast.copy_location(ast.Pass(), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node  # its declarations are its own

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        return node


def _local_names(tree: ast.Module, frame: LiveFrame) -> set[str]:
    """Names that are local to the function, from the compiler's own table."""
    whole = compile(tree, FILENAME, "exec", dont_inherit=True)
    found = [
        code
        for code in code_objects(whole)
        if code.co_qualname == frame.function and frame.line in {line for _, _, line in code.co_lines()}
    ]
    if len(found) != 1:
        raise NotResumable(f"line {frame.line} belongs to {len(found)} functions called {frame.function}")
    if found[0].co_freevars:
        raise NotResumable(f"{frame.function} uses {found[0].co_freevars[0]!r} of an enclosing function")
    return set(found[0].co_varnames) | set(found[0].co_cellvars)
