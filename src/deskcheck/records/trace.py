"""Records of a program and of the trace of one run.

A trace holds its events as columns, which `docs/format.md` explains; `Event` is only a view of one event,
made during iteration. Most columns hold a value as its handle, which is its index in the value table.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct, field

# Version 1 is the first. Columns that a tracer does not fill are empty lists ("not recorded"), never zeros.
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
    license: str = field(name="licence")  # the name in stored files
    """SPDX name, or "unknown"."""
    prelude: str = ""
    """Source run before, in the same namespace, neither traced nor shown (a benchmark's imports)."""

    @property
    def call(self) -> str:
        """Call as it is written in the language: "f(3, k=[1])"."""
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
    LINE = 1  # a line is about to run; the state is that before the line
    EXPRESSION = 2  # an expression has been evaluated; value = its result
    INSTRUCTION = 3  # an instruction is about to run
    RETURN = 4  # a frame ends normally; value = the returned value
    RAISE = 5  # an exception appears in a frame, raised there or by a callee; value = the exception
    UNWIND = 6  # a frame ends by that exception; never a "return None"
    YIELD = 7  # a generator or coroutine is suspended; value = the yielded value
    RESUME = 8  # a generator or coroutine resumes; value = the value sent in, if known
    CATCH = 9  # an exception has been caught; only in languages that report it
    FREE = 10  # memory has been freed; only in languages with manual memory


class ValueKind(IntEnum):
    """Kind of a row of the value table. Comments say how a kind uses `number`, `real` and `data`."""

    NONE = 0
    BOOL = 1  # number 0 or 1
    INT = 2  # number, or data = b"-0x1f.." if it does not fit int64
    FLOAT = 3  # real, bit for bit
    COMPLEX = 4  # real = real part, data = 8 bytes little-endian of the imaginary part
    STR = 5  # data = UTF-8 with surrogatepass
    BYTES = 6  # data
    SINGLETON = 7  # data = name: "Ellipsis", "NotImplemented"
    REF = 8  # number = object number in the object table
    TRUNCATED = 9  # number = true size, or the limit; data = "str", "bytes", "int", "depth" or "nodes"
    OPAQUE = 10  # a value whose parts are not recorded; data = text without addresses
    CONCAT = 11  # a string: number = handle of its beginning, data = the rest (UTF-8, surrogatepass)
    UNASSIGNED = 12  # declared, never assigned
    UNINITIALIZED = 13  # memory without a meaning (C)
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
    FUNCTION = 7  # ATTRIBUTE changes: cells by name, "name=" (mutable defaults), ".name" (own), "__self__"
    CLASS = 8
    MODULE = 9
    GENERATOR = 10  # number of its frame in ATTRIBUTE "frame" once it has started
    ARRAY = 11  # ELEMENT changes: deque, bytearray, array
    CELL = 12
    OPAQUE = 13  # contents not recorded; ATTRIBUTE "summary" if they are described, at each change


class Place(IntEnum):
    """Kind of place that a change affects. The owner is the number of a frame, an object or a module."""

    LOCAL = 0  # owner = frame, key = name
    CELL = 1  # a local that an inner function shares; owner = frame, key = name
    FREE = 2  # a variable of an enclosing function; owner = frame, key = name
    GLOBAL = 3  # owner = module, by the number of its file (0 = the program's source), key = name
    ITERATOR = 4  # iterator of a live loop; owner = frame, index = 0 for the outermost
    STACK = 5  # temporary on the value stack; owner = frame, index from the bottom without iterators
    ELEMENT = 6  # owner = object, index
    KEY = 7  # owner = object, key = handle of the dictionary key
    MEMBER = 8  # owner = object, key = handle of the member
    ATTRIBUTE = 9  # owner = object, key = handle of the name
    CONTENT = 10  # scalar content of an instance of a subclass of int, str, ..; owner = object


class Op(IntEnum):
    """Effect of a change on its place."""

    SET = 0  # bind, replace, add
    DELETE = 1  # unbind, remove; at ELEMENT the later elements move down
    INSERT = 2  # ELEMENT only: the later elements move up; at the end it is an append


class EventColumns(Struct, frozen=True):
    """One entry per event; an empty column was not recorded. Within a column, -1 is "unknown"."""

    kind: list[int]
    """Kind of the event: number of an `EventKind`."""
    step: list[int]
    """Number of line events up to and including this one, the step at line granularity."""
    frame: list[int]
    """Index into the frame columns."""
    line: list[int]
    """1-based line in the frame's code file."""
    value: list[int]
    """Handle of the event's value (return, raise, yield, expression), else -1."""
    changes_end: list[int]
    """End (exclusive) of the event's changes in the change columns; they start at the last event's end."""
    thread: list[int] = field(default_factory=list)
    """Number of the thread or task; 0 = the thread that made the call."""
    end_line: list[int] = field(default_factory=list)
    """Last line of the event's source span; empty at line granularity."""
    column: list[int] = field(default_factory=list)
    """0-based, in UTF-8 bytes."""
    end_column: list[int] = field(default_factory=list)
    """0-based, exclusive, in UTF-8 bytes."""
    offset: list[int] = field(default_factory=list)
    """At instruction granularity, byte offset in the code."""
    opcode: list[int] = field(default_factory=list)
    """At instruction granularity, index into `names` of the instruction's name."""


class ChangeColumns(Struct, frozen=True):
    """One entry per changed binding, iterator, stack slot or heap cell."""

    place: list[int]
    """Kind of place that changes: number of a `Place`."""
    owner: list[int]
    """Frame, object or module number, depending on `place`."""
    key: list[int]
    """Value handle of the name, key or member; -1 if `index` is used."""
    index: list[int]
    """Position; -1 if `key` is used."""
    op: list[int]
    """Kind of change: number of an `Op`."""
    value: list[int]
    """Handle of the new value; -1 for DELETE."""


class ValueColumns(Struct, frozen=True):
    """Value table of a trace. A handle is an index into it; equal scalars share one row."""

    kind: list[int]
    """Kind of the value: number of a `ValueKind`."""
    number: list[int]
    """int64; its meaning depends on the kind, 0 if it has none."""
    real: list[float]
    """float64; its meaning depends on the kind, 0.0 if it has none."""
    data: list[bytes]
    """Bytes; their meaning depends on the kind, b"" if they have none."""
    type: list[int]
    """Index into `names` of the type's name in the language: "int", "str", "numpy.int64"."""


class ObjectColumns(Struct, frozen=True):
    """One entry per heap object in the run; its index is its number, in order of discovery."""

    kind: list[int]
    """Kind of the object: number of an `ObjectKind`."""
    type: list[int]
    """Index into `names` of the type as the language writes it ("Node", "collections.deque")."""
    text: list[int]
    """Index into `names` of the text shown for FUNCTION, CLASS, MODULE, GENERATOR, OPAQUE; for RECORD of the
    summary that stands for its fields ("Colour.RED"); else of "".
    """


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
    """One entry per frame (activation), in the order in which they were entered."""

    code: list[int]
    """Index into `codes`."""
    parent: list[int]
    """Number of the calling frame; -1 for the first frame."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Budgets of a run in steps, time, memory and sizes.

    What exceeds `value_bytes`, `depth` or `nodes` is cut and marked as TRUNCATED; any other excess ends the
    run with an outcome.

    Attributes:

    - `max_steps`: largest number of line events.
    - `time_s`: wall-clock time of the whole run in seconds, measured by the parent process.
    - `memory_bytes`: address space that the child may take.
    - `output_bytes`: largest size of the program's output.
    - `trace_bytes`: largest size of the recorded trace.
    - `value_bytes`: largest size of one scalar; longer ones become TRUNCATED.
    - `depth`: largest depth of nested containers that are recorded.
    - `nodes`: largest number of live heap objects that are recorded.

    >>> def forever(n):
    ...     while True:
    ...         n += 1
    >>> t = deskcheck.trace(forever, 0, limits=deskcheck.Limits(max_steps=100))
    >>> t.outcome, len(t) <= 100
    ('step limit', True)
    """

    max_steps: int = 100_000
    time_s: float = 10.0
    memory_bytes: int = 1 << 30
    output_bytes: int = 1 << 20
    trace_bytes: int = 64 << 20
    value_bytes: int = 1 << 16
    depth: int = 64
    nodes: int = 100_000


class Returned(Struct, frozen=True, tag_field="outcome", tag="returned"):
    """The call returned a value."""

    value: int
    """Handle of the returned value."""


class Raised(Struct, frozen=True, tag_field="outcome", tag="raised"):
    """The call ended by an exception of the program."""

    type: str
    """Qualified name of the exception's type: "KeyError"."""
    message: str
    """Text as str() gives it; with a `__str__` of the program, which is not run, "arguments 3, 'a'"."""
    line: int
    """Line at which the exception left the outermost traced frame; -1 = unknown."""
    value: int = -1
    """Handle of the exception object."""


class StepLimit(Struct, frozen=True, tag_field="outcome", tag="step limit"):
    """The run was stopped after `limit` line events."""

    limit: int


class TimeLimit(Struct, frozen=True, tag_field="outcome", tag="time limit"):
    """The run was stopped by the clock."""

    limit_s: float


class MemoryLimit(Struct, frozen=True, tag_field="outcome", tag="memory limit"):
    """The run used up its memory."""

    limit_bytes: int


class OutputLimit(Struct, frozen=True, tag_field="outcome", tag="output limit"):
    """The run exceeded the limit of its output or of its trace."""

    limit_bytes: int
    what: str = "output"
    """"output" (of the program) or "trace" (its record)."""


class Crashed(Struct, frozen=True, tag_field="outcome", tag="crashed"):
    """The process died while the program ran."""

    cause: str
    """Signal or exit code: "SIGSEGV", "exit 3"."""


class Refused(Struct, frozen=True, tag_field="outcome", tag="refused"):
    """The program was not run, or was stopped, because of a rule."""

    rule: str


class Rejected(Struct, frozen=True, tag_field="outcome", tag="rejected"):
    """The program ran, but its result failed a check of deskcheck."""

    check: str


class CompileFailure(Struct, frozen=True, tag_field="outcome", tag="compile failure"):
    """The source or the call does not compile."""

    message: str
    line: int
    """1-based line of the mistake; 0 or -1 = not known."""


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
    """"reference" or "native"; other languages name their tracers."""
    sees: list[str]
    """Sorted subset of: cells, columns, exceptions, globals, identity, iterators, stack, values."""
    notes: list[str] = field(default_factory=list)
    """Sorted: "program called sys.settrace", "values truncated", "thread not recorded"."""


class Determinism(Struct, frozen=True):
    """Inputs that the run may have read and that can differ in another run, such as the time."""

    reads: list[str] = field(default_factory=list)
    """Sorted subset of: environment, entropy, files, identity, random, time."""
    confirmed: bool = False
    """Whether a second run in another process gave the same bytes."""


class Trace(Struct, frozen=True, forbid_unknown_fields=True, weakref=True):
    """Record of one run, as columns."""

    format_version: int
    """Version of this format: FORMAT_VERSION of the deskcheck that wrote the trace."""
    program_id: str
    """Id of the program that ran: `Program.id`."""
    language: str
    """Language of the program, as in `Program.language`."""
    runtime: str
    """Implementation and minor version, which can change line numbers and events: "CPython 3.11"."""
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
    """View of one change, with the fields of ChangeColumns."""

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
