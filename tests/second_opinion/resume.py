"""Execute the rest of a program from a state: the proof that a state says everything.

    resume(program, [LiveFrame("f", 4, {"x": 1}, [])], {}) -> what the call returns (or raises)

Frames come outermost first; the last one is about to run its line, the others wait for a call on theirs. Each
goes on in its own bytecode (`reenter`): the state's line, iterators and temporaries say at which instruction.
What is not sure is refused (NotResumable): a call by an operator, a with block's exit, several calls that
could be the pending one. A name that is about to be called is taken to be what it is now.
"""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import (
    AsyncGeneratorType,
    CellType,
    CodeType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodDescriptorType,
    MethodType,
)

from tests.second_opinion.flow import flow_of
from tests.second_opinion.reenter import HANDLED, Entry, reentering

from deskcheck.errors import NotResumable
from deskcheck.records import Place, Program
from deskcheck.tracing import codes
from deskcheck.tracing.codes import CodeFacts, code_objects
from deskcheck.tracing.execution import FILENAME, module_namespace

_LABELS = frozenset(codes.VALUE + codes.ITERATOR + codes.CALLABLE + codes.NULL + codes.METHOD + codes.SELF
                    + codes.EXCEPTION + codes.WITH + HANDLED)  # fmt: skip


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
    """Other temporaries, from the bottom."""
    cells: dict[str, CellType] | None = None
    """Cells that other functions share; None = the frame is from elsewhere, closures in it are refused."""
    handled: list[BaseException] = field(default_factory=list)
    """Exceptions whose handlers are running, innermost last."""
    offsets: frozenset[int] = frozenset()
    """Where the last line event can have been, if that is known better than by the line."""
    first_line: int = 0
    """Of its function; 0 = unknown."""


def resume(program: Program, frames: list[LiveFrame], module_globals: dict[str, object]) -> object:
    """What the program's call comes to from here. Exceptions of the program pass through.

    `module_globals`: values of some module-level names, or the whole namespace in which the program's body
    was executed (it has `__builtins__`); classes of live objects come from there.
    """
    if not frames:
        raise NotResumable("there is no live frame")
    with _namespace(program, module_globals) as namespace:
        whole = compile(program.source, FILENAME, "exec", dont_inherit=True)
        return _resume(whole, frames, namespace)


@contextmanager
def _namespace(program: Program, module_globals: dict[str, object]) -> Iterator[dict[str, object]]:
    """A namespace in which the body has run is taken as it is; single values go into a fresh one."""
    if "__builtins__" in module_globals:
        yield module_globals
        return
    with module_namespace(program) as namespace:
        namespace.update(module_globals)
        yield namespace


def _resume(whole: CodeType, frames: list[LiveFrame], namespace: dict[str, object]) -> object:
    found = [code_of(whole, frame.function, frame.line) for frame in frames]
    cells = _shared_cells(found, frames)
    run: Callable[[], object] | None = None
    for index in reversed(range(len(frames))):
        frame, code = frames[index], found[index]
        check_values(frame)
        own = cells[index]
        if run is None:
            entry = at_line(code, frame, own, namespace)
        else:
            entry = at_call(
                code,
                frame,
                own,
                namespace=namespace,
                callee=found[index + 1],
                called=frames[index + 1],
                outcome=run,
            )
        run = reentering(code, entry, namespace)
    assert run is not None
    return run()


def code_of(whole: CodeType, name: str, line: int) -> CodeType:
    """The code object with that qualified name and a line there."""
    found = [
        code
        for code in code_objects(whole)
        if code.co_qualname == name and line in {number for _, _, number in code.co_lines()}
    ]
    if len(found) != 1:
        raise NotResumable(f"{len(found)} functions are called {name} and have a line {line}")
    code = found[0]
    if not code.co_flags & 1:
        raise NotResumable(f"{name} is the body of a module or class")
    facts = CodeFacts(code)
    if facts.is_generator:
        what = "a coroutine" if facts.kind == "coroutine" else "a generator"
        raise NotResumable(f"{what} is running: {name}")
    return code


def _shared_cells(found: list[CodeType], frames: list[LiveFrame]) -> list[dict[str, CellType]]:
    """The cells of each frame: given ones, those of the frame that owns them, or fresh ones."""
    made: list[dict[str, CellType]] = []
    for index, (code, frame) in enumerate(zip(found, frames, strict=True)):
        cells = dict(frame.cells or {})
        for name in code.co_cellvars:
            if name not in cells:
                cells[name] = CellType(frame.bindings[name]) if name in frame.bindings else CellType()
        for name in code.co_freevars:
            if name in cells:
                continue
            owners = [i for i in range(index) if name in found[i].co_cellvars and _encloses(found[i], code)]
            if frame.cells is not None or len(owners) != 1:
                raise NotResumable(
                    f"{frame.function} uses {name!r} of an enclosing function that is not known"
                )
            cells[name] = made[owners[0]][name]
        made.append(cells)
    return made


def _encloses(outer: CodeType, inner: CodeType) -> bool:
    return inner.co_qualname.startswith(outer.co_qualname + ".<locals>.")


def check_values(frame: LiveFrame) -> None:
    """NotResumable for values that cannot be had from outside a rebuilt state."""
    if any(not hasattr(type(iterator), "__next__") for iterator in frame.iterators):
        raise NotResumable(f"a loop of {frame.function} has an iterator that is none")
    if frame.cells is not None:
        return
    values = [*frame.bindings.items(), *(("an iterator", i) for i in (*frame.iterators, *frame.stack))]
    for name, value in values:
        if isinstance(value, GeneratorType | CoroutineType | AsyncGeneratorType):
            raise NotResumable(f"{name} in {frame.function} is a live {type(value).__name__}")
        if isinstance(value, FunctionType) and value.__closure__:
            raise NotResumable(f"{name} in {frame.function} is a closure")


# ------------------------------------------------------------------ at which instruction


def at_line(
    code: CodeType, frame: LiveFrame, cells: dict[str, CellType], namespace: dict[str, object]
) -> Entry:
    """The frame is about to run its line."""
    flow = flow_of(code)
    offsets = frame.offsets or flow.line_starts(frame.line)
    choices = {o: stack for o in offsets if (stack := flow.stack(o)) is not None and _fits(stack, frame)}
    return _entry(code, frame, cells, choices, namespace)


def at_call(
    code: CodeType,
    frame: LiveFrame,
    cells: dict[str, CellType],
    *,
    namespace: dict[str, object],
    callee: CodeType,
    called: LiveFrame,
    outcome: Callable[[], object],
) -> Entry:
    """The frame waits for a call, whose outcome is pushed where the call pushes it."""
    flow = flow_of(code)
    calls = {
        call.offset: call
        for call in flow.calls(frame.line)
        if _fits(call.below, frame) and _may_call(call.name, frame, namespace, callee, called)
    }
    choices = {offset: call.below for offset, call in calls.items()}
    if not choices:
        raise NotResumable(
            f"{frame.function} waits on line {frame.line} for {callee.co_qualname}, called by an operator, a "
            "statement, a built-in or with *args"
        )
    if len(choices) > 1:
        raise NotResumable(f"several calls on line {frame.line} of {frame.function} may be the pending one")
    entry = _entry(code, frame, cells, choices, namespace)
    makes = callee.co_name == "__init__" and "." not in calls[entry.offset].name
    pending = _instance_of(called, callee, outcome) if makes else outcome
    return Entry(flow.after(entry.offset), entry.bindings, entry.cells, entry.stack, pending, entry.offset)


def _instance_of(called: LiveFrame, callee: CodeType, outcome: Callable[[], object]) -> Callable[[], object]:
    """What a call of a class comes to: the object that its __init__ was given."""
    made = called.bindings.get(callee.co_varnames[0])

    def fetch() -> object:
        outcome()
        return made

    return fetch


def _letters(stack: tuple[str, ...]) -> str:
    return "".join(label[0] for label in stack)


def _fits(stack: tuple[str, ...], frame: LiveFrame) -> bool:
    """Whether that many iterators and temporaries lie there; the receiver of a method is one of these."""
    letters = _letters(stack)
    if not set(letters) <= _LABELS:  # where an exception is only passed on, no line of the program begins
        return False
    n_values = letters.count(codes.VALUE) + letters.count(codes.SELF)
    n_values -= len(_unbound(stack, frame))
    return letters.count(codes.ITERATOR) == len(frame.iterators) and n_values == len(frame.stack)


def _unbound(stack: tuple[str, ...], frame: LiveFrame) -> list[str]:
    """Slots in which an inlined comprehension keeps variables that were not bound: all of them, or none."""
    aside = [label for label in stack if label.startswith(f"{codes.VALUE}:=")]
    n_values = sum(label[0] in (codes.VALUE, codes.SELF) for label in stack)
    return aside if n_values - len(aside) == len(frame.stack) else []


def _entry(
    code: CodeType,
    frame: LiveFrame,
    cells: dict[str, CellType],
    choices: dict[int, tuple[str, ...]],
    namespace: dict[str, object],
) -> Entry:
    where = f"line {frame.line} of {frame.function}"
    if not choices:
        raise NotResumable(
            f"no instruction on {where} has {len(frame.iterators)} iterators and {len(frame.stack)} "
            "temporaries live"
        )
    if len(set(map(_letters, choices.values()))) > 1:
        raise NotResumable(f"{where} may be run at several instructions, with different things on the stack")
    offset, labels = min(choices.items())
    letters = _letters(labels)
    n_handled = letters.count(codes.EXCEPTION) + letters.count(HANDLED)
    if n_handled != len(frame.handled):
        raise NotResumable(f"{n_handled} exceptions are handled at {where}, {len(frame.handled)} are known")
    sources = {
        codes.ITERATOR: iter(frame.iterators),
        codes.EXCEPTION: (handled := iter(frame.handled)),
        HANDLED: handled,
        codes.VALUE: (temporaries := iter(frame.stack)),
        codes.SELF: temporaries,
    }
    stack: list[tuple[str, object]] = []
    unbound = _unbound(labels, frame)
    for label in labels:
        letter, _, name = label.partition(":")
        if label in unbound:
            stack.append((codes.NULL, None))
        elif letter in sources:
            stack.append((letter, next(sources[letter])))
        elif letter in (codes.NULL, codes.METHOD):
            stack.append((letter, name))
        elif (
            letter == codes.CALLABLE
            and name
            and "." not in name
            and (found := _value_of(name, frame, namespace))
        ):
            stack.append((letter, found))
        else:
            what = "the exit of a with block" if letter == codes.WITH else "what is about to be called"
            raise NotResumable(f"{what} lies on the stack at {where}, and is not in the state")
    for index, (letter, value) in enumerate(stack):  # a method, found again on its receiver
        if letter == codes.METHOD:
            method = inspect.getattr_static(type(stack[index + 1][1]), str(value)[1:], None)
            if not isinstance(method, FunctionType | MethodDescriptorType):
                raise NotResumable(
                    f"what is about to be called lies on the stack at {where}, and is not in the state"
                )
            stack[index] = letter, method
    _check_names(code, frame)
    slots = [name for name in code.co_varnames if name not in frame.bindings and name not in code.co_cellvars]
    if missing := flow_of(code).reads_unbound(offset, slots):
        raise NotResumable(f"{where}: {missing!r} is not bound, and would be read without a check")
    return Entry(offset, frame.bindings, cells, stack)


def _check_names(code: CodeType, frame: LiveFrame) -> None:
    facts = CodeFacts(code)
    places = dict(zip(facts.names, facts.places, strict=True))
    for name in frame.bindings:
        if name not in places:
            raise NotResumable(f"{frame.function} has no local variable {name!r} that could be set")
    missing = [n for n in facts.names if places[n] is Place.FREE and n not in frame.bindings]
    if missing and frame.cells is None:
        raise NotResumable(f"{frame.function} uses {missing[0]!r} of an enclosing function that is not known")


def _may_call(
    name: str, frame: LiveFrame, namespace: dict[str, object], callee: CodeType, called: LiveFrame
) -> bool:
    """Whether a call of what stands there by that name can be the one that runs the callee."""
    if name.startswith("."):  # a method, looked up on an object that may be gone: its name must say it
        return name[1:] == callee.co_name
    if callee.co_name == "__init__":
        made = called.bindings.get(callee.co_varnames[0]) if callee.co_varnames else None
        target = _value_of(name, frame, namespace)
        return isinstance(target, type) and type(made) is target and type(target) is type
    target = _value_of(name, frame, namespace)
    function = target.__func__ if isinstance(target, MethodType) else target
    if isinstance(function, FunctionType):
        return function.__code__.co_qualname == callee.co_qualname
    return target is None and name == callee.co_qualname  # made on the spot: a comprehension, a lambda


def _value_of(name: str, frame: LiveFrame, namespace: dict[str, object]) -> object:
    for scope in (frame.bindings, namespace, vars(builtins)):
        if name in scope:
            return scope[name]
    return None
