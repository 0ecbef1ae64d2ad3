"""A program, and the trace of one run of it.

A trace holds its events as columns (`docs/format.md` says what each one means); `Event` is only the view that
iteration makes.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct, field

# 1: first version. Columns that a tracer does not fill are empty lists ("not recorded"), never zeros.
FORMAT_VERSION = 1

# ------------------------------------------------------------------ programs


class Program(Struct, frozen=True, forbid_unknown_fields=True):
    """Source, entry and arguments: one execution that can be repeated."""

    id: str
    """First 16 hex digits of sha256 over language, prelude, source, entry and arguments (`program_id`)."""
    language: str
    """Lower-case name of the language: "python"."""
    source: str
    """The program's own file; line numbers of a trace count from its first line as 1."""
    entry: str
    """Function that is called: "f", "Solution().solve"."""
    arguments: str
    """Argument text between the parentheses of the call: "3, k=[1]"; may be empty."""
    origin: str
    """Origin of the program: "files:a.py", "generated:easy:17", "cruxeval:sample_0"."""
    licence: str
    """SPDX name, or "unknown"."""
    prelude: str = ""
    """Source run before, in the same namespace, neither traced nor shown (a benchmark's imports)."""

    @property
    def call(self) -> str:
        """The call as it would be written in the language: "f(3, k=[1])"."""
        return f"{self.entry}({self.arguments})"


# ------------------------------------------------------------------ traces


class Granularity(IntEnum):
    """Granularity at which a run was recorded."""

    LINE = 0
    EXPRESSION = 1
    INSTRUCTION = 2


class EventKind(IntEnum):
    """Kind of an event. Python at line granularity uses CALL, LINE, RETURN, RAISE, UNWIND, YIELD, RESUME."""

    CALL = 0  # a frame starts; its changes are the arguments
    LINE = 1  # a line is about to run: the state is the one before it
    EXPRESSION = 2  # an expression has been evaluated; value = its result
    INSTRUCTION = 3  # an instruction is about to run
    RETURN = 4  # a frame ends normally; value = what it returns
    RAISE = 5  # an exception appears in a frame (raised there or arriving from a callee); value = it
    UNWIND = 6  # a frame ends by that exception; never a "return None"
    YIELD = 7  # a generator or coroutine is suspended; value = what it hands out
    RESUME = 8  # it goes on; value = what was sent in, where that is known
    CATCH = 9  # languages that report where an exception was caught
    FREE = 10  # languages with manual memory


class ValueKind(IntEnum):
    """Kind of a row of the value table. `number`, `real` and `data` are used as the comment says."""

    NONE = 0
    BOOL = 1  # number 0 or 1
    INT = 2  # number, or data = b"-0x1f.." where it does not fit int64
    FLOAT = 3  # real, bit for bit
    COMPLEX = 4  # real = real part, data = 8 bytes little-endian of the imaginary part
    STR = 5  # data = UTF-8 with surrogatepass
    BYTES = 6  # data
    SINGLETON = 7  # data = name: "Ellipsis", "NotImplemented"
    REF = 8  # number = object number in the object table
    TRUNCATED = 9  # number = true size; data = what was cut: "str", "depth", "nodes"
    OPAQUE = 10  # a value that is not looked into; data = text without addresses
    CONCAT = 11  # a string: number = handle of its beginning, data = the rest (UTF-8, surrogatepass)
    UNASSIGNED = 12  # declared, never assigned
    UNINITIALISED = 13  # memory without a meaning (C)
    HOLE = 14  # a missing element (JavaScript)
    UNDEFINED = 15
    CHAR = 16  # number = code unit
    POINTER = 17  # number = object number, data = offset


class ObjectKind(IntEnum):
    """Rule by which the changes of an object are applied."""

    LIST = 0  # ELEMENT changes
    TUPLE = 1  # ELEMENT changes, all at birth
    DICT = 2  # KEY changes; insertion order
    SET = 3  # MEMBER changes; rendered in canonical order
    FROZENSET = 4  # MEMBER changes, all at birth
    RECORD = 5  # ATTRIBUTE changes: instances, exceptions, ranges, slices
    ITERATOR = 6  # ATTRIBUTE changes: "source" (or "source0"..), "position"
    FUNCTION = 7  # ATTRIBUTE changes: one per closure variable
    CLASS = 8
    MODULE = 9
    GENERATOR = 10  # number of its frame in ATTRIBUTE "frame" once it has started
    ARRAY = 11  # ELEMENT changes: deque, bytearray, array
    CELL = 12
    OPAQUE = 13  # not looked into


class Place(IntEnum):
    """Kind of place that a change affects. Owner is a frame number, an object number, or a module number."""

    LOCAL = 0  # owner = frame, key = name
    CELL = 1  # a local that an inner function shares; owner = frame, key = name
    FREE = 2  # a variable of an enclosing function; owner = frame, key = name
    GLOBAL = 3  # owner = module, by the number of its file (0 = the program's source), key = name
    ITERATOR = 4  # iterator of a live loop; owner = frame, index = 0 for the outermost
    STACK = 5  # temporary on the value stack; owner = frame, index from the bottom, iterators not counted
    ELEMENT = 6  # owner = object, index
    KEY = 7  # owner = object, key = handle of the dictionary key
    MEMBER = 8  # owner = object, key = handle of the member
    ATTRIBUTE = 9  # owner = object, key = handle of the name
    CONTENT = 10  # the base sequence of a subclass instance: LIST, DICT.. inside a RECORD; reserved


class Op(IntEnum):
    """Effect of a change on its place."""

    SET = 0  # bind, replace, add
    DELETE = 1  # unbind, remove; at ELEMENT the later elements move down
    INSERT = 2  # ELEMENT only: the later elements move up; at the end it is an append


class EventColumns(Struct, frozen=True):
    """One entry per event; an empty column was not recorded. -1 is "unknown" within a column."""

    kind: list[int]
    """EventKind."""
    step: list[int]
    """Number of line events up to and including this one (line granularity counts steps so)."""
    frame: list[int]
    """Index into the frame columns."""
    line: list[int]
    """1-based line in the frame's code file."""
    value: list[int]
    """Handle of the event's value (return, raise, yield, expression), else -1."""
    changes_end: list[int]
    """One past the last change of this event in the change columns; they begin where the one before ended."""
    thread: list[int] = field(default_factory=list)
    """Thread or task number, 0 = the one that made the call."""
    end_line: list[int] = field(default_factory=list)
    """Source span of the statement or expression (line granularity leaves it empty)."""
    column: list[int] = field(default_factory=list)
    """0-based, in UTF-8 bytes."""
    end_column: list[int] = field(default_factory=list)
    """0-based, exclusive, in UTF-8 bytes."""
    offset: list[int] = field(default_factory=list)
    """Instruction granularity: byte offset in the code."""
    opcode: list[int] = field(default_factory=list)
    """Instruction granularity: index into `names` of the instruction's name."""


class ChangeColumns(Struct, frozen=True):
    """One entry per changed binding, iterator, stack slot or heap cell."""

    place: list[int]
    """Place."""
    owner: list[int]
    """Frame, object or module number, as `Place` says."""
    key: list[int]
    """Value handle of the name, key or member; -1 where `index` is used."""
    index: list[int]
    """Position; -1 where `key` is used."""
    op: list[int]
    """Op."""
    value: list[int]
    """Handle of the new value; -1 for DELETE."""


class ValueColumns(Struct, frozen=True):
    """The value table. A handle is an index into it; equal scalars share one row."""

    kind: list[int]
    """ValueKind."""
    number: list[int]
    """int64; meaning by kind, 0 where it has none."""
    real: list[float]
    """float64; meaning by kind, 0.0 where it has none."""
    data: list[bytes]
    """Bytes; meaning by kind, b"" where it has none."""
    type: list[int]
    """Index into `names` of the language's own name of the type: "int", "str", "numpy.int64"."""


class ObjectColumns(Struct, frozen=True):
    """One entry per heap object ever seen; its index is its number, given in order of discovery."""

    kind: list[int]
    """ObjectKind."""
    type: list[int]
    """Index into `names`: the type as the language writes it ("Node", "collections.deque")."""
    text: list[int]
    """Index into `names`: for FUNCTION, CLASS, MODULE, OPAQUE what is shown; "" otherwise."""


class Code(Struct, frozen=True):
    """One function, module body, class body or comprehension."""

    name: str
    """Qualified name: "f", "Node.insert", "<module>", "f.<locals>.<listcomp>"."""
    file: int
    """File of the code: 0 = the program's source, else the index in `names` of its path (decision 007)."""
    first_line: int
    """1-based line of its header."""
    kind: str
    """"function", "generator", "coroutine", "module", "class" or "comprehension"."""


class FrameColumns(Struct, frozen=True):
    """One entry per activation, in the order they were entered."""

    code: list[int]
    """Index into `codes`."""
    parent: list[int]
    """Frame that called it; -1 for the first."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Budgets of one run. What exceeds them is cut with a mark or ends the run with an outcome."""

    max_steps: int = 100_000
    """Line events."""
    time_s: float = 10.0
    """Wall clock of the whole run, kept by the parent process."""
    memory_bytes: int = 1 << 30
    """Address space of the child."""
    output_bytes: int = 1 << 20
    """Limit of the program's output."""
    trace_bytes: int = 64 << 20
    """Size of the recorded trace."""
    value_bytes: int = 1 << 16
    """One scalar; longer ones are Truncated."""
    depth: int = 64
    """Nesting of containers that is looked into."""
    nodes: int = 100_000
    """Heap objects looked into at one event."""


class Returned(Struct, frozen=True, tag_field="outcome", tag="returned"):
    """The call came back with a value."""

    value: int
    """Handle."""


class Raised(Struct, frozen=True, tag_field="outcome", tag="raised"):
    """The call ended by an exception of the program."""

    type: str
    """Qualified name: "KeyError"."""
    message: str
    """Text of its plain arguments; never made by the program's own __str__."""
    line: int
    """Line of the program's file where it left the last traced frame; -1 unknown."""
    value: int = -1
    """Handle of the exception object."""


class StepLimit(Struct, frozen=True, tag_field="outcome", tag="step limit"):
    """Stopped after `limit` line events."""

    limit: int


class TimeLimit(Struct, frozen=True, tag_field="outcome", tag="time limit"):
    """The run was stopped by the clock."""

    limit_s: float


class MemoryLimit(Struct, frozen=True, tag_field="outcome", tag="memory limit"):
    """Ran out of the memory it was given."""

    limit_bytes: int


class OutputLimit(Struct, frozen=True, tag_field="outcome", tag="output limit"):
    """Printed, or recorded, more than it was given."""

    limit_bytes: int
    what: str = "output"
    """"output" (what it printed) or "trace" (what was recorded)."""


class Crashed(Struct, frozen=True, tag_field="outcome", tag="crashed"):
    """The process died while the program ran."""

    cause: str
    """Signal or exit code: "SIGSEGV", "exit 3"."""


class Refused(Struct, frozen=True, tag_field="outcome", tag="refused"):
    """Not run, or stopped, because of a rule."""

    rule: str


class Rejected(Struct, frozen=True, tag_field="outcome", tag="rejected"):
    """Ran, but its result failed a check of ours."""

    check: str


class CompileFailure(Struct, frozen=True, tag_field="outcome", tag="compile failure"):
    """The source is not a program."""

    message: str
    line: int


Outcome = (
    Returned
    | Raised
    | StepLimit
    | TimeLimit
    | MemoryLimit
    | OutputLimit
    | Crashed
    | Refused
    | Rejected
    | CompileFailure
)


class Fidelity(Struct, frozen=True):
    """Capabilities of the tracer: a missing event does not always mean that nothing happened."""

    tracer: str
    """"reference", "native"; other languages name theirs."""
    sees: list[str]
    """Sorted subset of: cells, columns, exceptions, globals, identity, iterators, stack, values."""
    notes: list[str] = field(default_factory=list)
    """Sorted: "program called sys.settrace", "values truncated", "thread not recorded"."""


class Determinism(Struct, frozen=True):
    """Sources that the run read and that another run may not repeat."""

    reads: list[str] = field(default_factory=list)
    """Sorted subset of: environment, entropy, identity, random, time."""
    confirmed: bool = False
    """True once a second run elsewhere gave the same bytes."""


class Trace(Struct, frozen=True, forbid_unknown_fields=True, weakref=True):
    """Record of what one run did, as columns."""

    format_version: int
    """FORMAT_VERSION of the writer."""
    program_id: str
    """Program.id."""
    language: str
    """As in Program."""
    runtime: str
    """"CPython 3.11": what can change line numbers and events, nothing finer."""
    granularity: Granularity
    fidelity: Fidelity
    limits: Limits
    determinism: Determinism
    outcome: Outcome
    codes: list[Code]
    frames: FrameColumns
    events: EventColumns
    changes: ChangeColumns
    values: ValueColumns
    objects: ObjectColumns
    names: list[str]
    """String table for types, instruction names and object texts."""

    @property
    def n_steps(self) -> int:
        """Number of executed line events."""
        return self.events.step[-1] if self.events.step else 0


class Change(Struct, frozen=True):
    """View of one change: the fields are those of ChangeColumns."""

    place: Place
    owner: int
    key: int
    index: int
    op: Op
    value: int


class Event(Struct, frozen=True):
    """View of one event, made on iteration (`tracing.replay.events`)."""

    index: int
    """Position in the trace."""
    kind: EventKind
    step: int
    frame: int
    line: int
    value: int
    changes: list[Change]
    thread: int = 0
