"""Programming languages: one plug-in for each, which answers questions about a program's text.

    facts(program)                  -> Facts(loops=[Loop(3, 4, 5, ..)], assigned={4: ["s"]}, ..)
    part("python", "read")("[1]", most=100) -> [1]
    part("acme-count", "measures")  raises MissingPart: "acme-count has no measures"
    parse_literal("[1, 'a', {2.5: None}]") -> [1, 'a', {2.5: None}];  parse_literal("f(3)") -> BadSource
    equal((1, True), [1.0, 1], "lenient")  -> True;  equal(0.1 + 0.2, 0.3, "lenient:1e-9") -> True

A language is a file or folder `languages/NAME`, or an entry point in the group `deskcheck.languages`, named
like `Program.language`. `PARTS` lists what it may offer. If a part is missing, a question or a layout raises
`MissingPart`, and a page leaves out what needs the part. The tracer of a language is a plug-in of its own
(`tracers/`).

Policies by which two values are compared:
strict     exact types at every depth, and values that print alike
lenient    numbers by value; kinds of sequences, and kinds of sets, are alike; "lenient:t" has a tolerance,
           relative and absolute
published  the language's own ==, for Python the rule of CRUXEval and LiveCodeBench
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from typing import Any, Protocol

from msgspec import Struct

from deskcheck import plugins
from deskcheck.errors import BadSource, UnknownName, UserError
from deskcheck.records import Program

PARTS = {
    "facts": "facts(source) -> Facts: statements, loops, branches and assigned names, by lines",
    "read": "read(text, *, most) -> the value of one literal; BadSource says why a text is no literal",
    "write": "write(value) -> the literal of a value that `read` makes",
    "same": "same(a, b, *, policy, tolerance) -> whether two values are one answer under a policy",
    "literal": "literal(trace, state, handle) -> the literal of a value of a run; NotPlain if it has none",
    "scalar": "scalar(trace, handle) -> how states write a value that is no object; None = as in Python",
    "shape": "shape(trace, object) -> a Shape: how states write an object; None = as in Python",
    "key": "key(name) -> the name of an entry in the literal of a dictionary",
    "type_name": "type_name(value) -> the name of the type of a value that `read` makes",
    "WORDS": "statement language -> blank -> word: how a question calls a literal, a tuple, True, ..",
    "is_canonical": "is_canonical(text) -> whether a string is spelled as `write` spells it",
    "plain": "plain(text) -> as `read`, for the language's own literals alone; ValueError for other texts",
    "omits": "omits(text) -> whether an answer has a comment, or dots for parts that it leaves out",
    "stated": "stated(text, *, not_entries, prints, names) -> v of `assert f(3) == v`, `return v`, ..",
    "call_arguments": "call_arguments(text, entry, *, compared) -> the literals in `f(3)` or `f(3) == v`",
    "causes": "causes(source) -> line -> kinds of operation in its statement: division, method call, ..",
    "contradictions": "contradictions(source, values) -> blanks with too few or too many values for a block",
    "constructs": "constructs(source) -> names of its constructs: for, while, slice, ..",
    "is_inlined": "is_inlined(source) -> whether it has a comprehension without a frame from Python 3.12 on",
    "branching": "branching(source) -> line -> kind of statement after which a run can continue in two ways",
    "first_argument": "first_argument(arguments) -> the text of a call's first argument",
    "method_calls": "method_calls(source) -> (line, last two parts of the name) of calls through an object",
    "form_of": "form_of(text, entry) -> why an answer is an expression and no literal",
    "has_comment": "has_comment(source) -> whether a program has a comment",
    "effect": "effect(source) -> its side effect: name of a called function, global, or an empty text",
    "is_expression": "is_expression(text) -> whether a text parses as one expression",
    "contents": "contents(source) -> kinds of its statements: definition, import, statement",
    "names_read": "names_read(source, line) -> names that a statement reads",
    "bindings": "bindings(text) -> (name, value) of each assignment in a text; ValueError for another text",
    "entry": "entry(source, entry) -> EntryLines: lines of the function that is called",
    "expressions": "expressions(source) -> an `Expressions`: texts of expressions with values in them",
    "working": "working(text) -> intermediate results of an operation on literals, or an empty text",
    "listing": "listing(layout, program) -> the program with the instructions of every line",
    "page_facts": "page_facts(source) -> tokens, loops, branches and reads, as the page of a run needs them",
    "colors": "colors(line) -> (start, length, class) of the tokens of one line, in UTF-16 units",
    "measures": "measures(source) -> Measures; BadSource for a source that does not parse",
    "condition": "condition(text) -> an expression over recorded values, with `names` and `value(values)`",
    "edits": "edits(source, line) -> `Edit`s of the statement on a line, which keep all line numbers",
    "stated_calls": "stated_calls(text, program) -> (function, arguments, literal) of each assert and "
    "example, and the calls of the program's functions that are none",
    "PERTURBATIONS": "name -> function from a program to a source that does the same",
}
"""Name of each part that a language may offer -> its signature and result."""


LITERALS = "python"
"""Language of literals that belong to no program in another language (decisions 034 and 038)."""


class MissingPart(UserError):
    """Raised if a language does not offer a part; reports count its message as a reason."""

    def __init__(self, language: str, name: str) -> None:
        super().__init__(f"{language} has no {name}")


class Loop(Struct, frozen=True):
    """One loop statement of the source."""

    line: int
    body: int
    """First line of its body."""
    end: int
    """Last line of its body."""
    endless: bool
    """Whether iterations begin without a test in the header: `while True`, or `for (const x of xs)`."""
    variable: str
    """Target of a `for`, if it is a name; of a `while`, the first tested name that its body sets; else ""."""


Branch = tuple[int, int, int]
"""Line of a condition, first and last line of the body that runs if it is true."""


class Facts(Struct, frozen=True, kw_only=True):
    """Facts about the text of a program, by line numbers from 1, for every line that a trace can name."""

    first_lines: dict[int, int] = {}
    """Line -> first line of its statement or header, if this can have several line events in a row."""
    counted_once: frozenset[int] = frozenset()
    """First lines of statements whose line events in a row count as one visit."""
    statement_lines: list[int] = []
    """First lines of the statements in functions that a call can reach."""
    decisions: frozenset[int] = frozenset()
    """Lines after which a run can continue in two ways: conditions and loops."""
    loops: list[Loop] | None = []
    """All loops by line; None if the iterations of one of them cannot be counted line by line."""
    branches: list[Branch] | None = []
    """All branches by line; None if lines do not show the outcome of one of them."""
    conditions: list[Branch] | None = []
    """Branches, and loops with a condition; None if lines do not show them."""
    assigned: dict[int, list[str]] = {}
    """Line -> variables that its statement assigns, except variables that get a constant."""
    may_break_off: bool = False
    """Whether a line may begin and not end, as with an exception that is caught, or a generator."""
    definitions: frozenset[int] = frozenset()
    """Lines at which a function or a class is defined."""
    inline: frozenset[int] = frozenset()
    """Lines of functions that are part of a statement: lambdas and comprehensions."""
    inline_names: tuple[str, ...] = ()
    """Endings of the names that a trace gives to such functions."""
    handlers: frozenset[int] = frozenset()
    """Lines at which a function continues after an exception."""
    one_line_loops: frozenset[int] = frozenset()
    """Lines of loops whose body is on the same line."""


class Unit(Struct, frozen=True):
    """A statement, or the header of the called function or of a function or class around it."""

    first: int
    last: int
    """1-based lines, inclusive."""
    text: str
    """Text of these lines without blank ones."""


class EntryLines(Struct, frozen=True):
    """Lines of the function that a program calls; of the module if its source has no such function."""

    units: list[Unit]
    """Statements of the module in textual order; those of the called function stand at its definition."""
    first: int
    """Line of the first statement that the call executes; a docstring does not count."""
    statements: frozenset[int]
    """Lines of the entry's own frame on which a statement begins."""
    runnable: frozenset[int]
    """Lines that the entry's own frame can reach, parts of longer statements included."""
    returns: list[int]
    """Lines of the entry's own frame on which a return statement begins."""


class Edit(Struct, frozen=True):
    """A small change of one statement."""

    old: str
    """Text of the part that changes."""
    new: str
    """Text that replaces `old`."""
    source: str
    """Whole source with the change."""


class Undefined(Exception):
    """Raised if an expression has no value over recorded values; the message gives the reason."""


class RecordedValues(Protocol):
    """Values of one state of a run, for an expression that is evaluated over them."""

    def name(self, name: str) -> object:
        """Return the value of a variable. Undefined if it is not bound."""
        ...

    def attribute(self, value: object, name: str) -> object:
        """Return a recorded attribute of a value. Undefined if none was recorded."""
        ...

    def contents(self, value: object) -> object:
        """Return the elements of a `deque`, a subclass of list, .. Undefined for an object without any."""
        ...


Span = tuple[int, int, int, int]
"""Line, column, end line and end column of an expression; columns count UTF-8 bytes."""


class Shape(Struct, frozen=True):
    """The form of an object in the text of a state; see `states.tree.Value`."""

    kind: str
    """Kind as in `states.tree.Value`: "list", "dict", "call", "literal", "opaque", .."""
    text: str = ""
    """Text of a literal or an opaque value; else the name of the type or of the called function, or ""."""
    items: tuple[int | Shape, ...] = ()
    """Handles of values, or shapes inside."""
    names: tuple[str, ...] = ()
    """Names of the last len(names) items of a call."""


class Expressions(Protocol):
    """Expressions of one source, by their spans."""

    def text(self, span: Span, value_of: Callable[[Span, str], str | None]) -> str | None:
        """Write an expression with values for its parts; None if there is no expression at the span.

        `value_of(span, name)` is the text of a part's value, or None; `name` is "" for a part that is
        no variable, and for one that the expression itself may bind.
        """
        ...

    def may_have_working(self, span: Span) -> bool:
        """Tell whether `working` supports this kind of expression."""
        ...


class Measures(Struct, frozen=True):
    """Measures of size and constructs of one source file."""

    lines: int
    """Lines that hold code: no blank ones, no comments, no docstrings."""
    branches: int
    """Cyclomatic complexity of the whole file: decisions + 1."""
    nesting: int
    """Deepest nesting of loops, branches, try and with."""
    functions: int
    classes: int
    """Number of classes besides `class Solution`, which contest sites require."""
    constructs: frozenset[str]
    """Subset of CONSTRUCTS."""


CONSTRUCTS = (
    "loop", "nested loop", "while", "recursion", "comprehension", "branch", "string method", "slice",
    "sorting", "dictionary", "set", "bit operation", "exception", "lambda or inner function", "class",
    "imported module",
)  # fmt: skip


def names() -> list[str]:
    """List the languages that are installed."""
    return plugins.names("language")


@cache  # asked for every answer that is compared
def part(language: str, name: str) -> Any:
    """Return one part of a language. MissingPart if the language or the part does not exist."""
    try:
        module = plugins.load("language", language)
    except UnknownName:
        raise MissingPart(language, name) from None
    offered = getattr(module, name, None)
    if offered is None:
        raise MissingPart(language, name)
    return offered


def offers(language: str, name: str) -> bool:
    """Tell whether a language is installed and offers a part."""
    try:
        return part(language, name) is not None
    except MissingPart:
        return False


def facts(program: Program) -> Facts:
    """Return the facts about a program's source."""
    return facts_of(program.source, program.language)


@lru_cache(maxsize=256)
def facts_of(source: str, language: str = "python") -> Facts:
    """Return the facts about a source; the last 256 results are kept."""
    made: Facts = part(language, "facts")(source)
    return made


def write(language: str, value: object) -> str:
    """Write the literal of a value that every language has: a number, a text, True, a list, a dict, None."""
    text: str = part(language, "write")(value) if offers(language, "write") else repr(value)
    return text


def sequence(language: str, texts: Sequence[str]) -> str:
    """Write values given as literals in a tuple, or in an array if the language has no tuples."""
    words = words_of(language, "en")
    return words["open"] + ", ".join(texts) + words["close"]


def words_of(language: str, spoken: str) -> dict[str, str]:
    """Return blank -> word for the text of a question; Python's words for a language without the part.

    `spoken`: the statement language, "en" or "zh".
    """
    words: dict[str, dict[str, str]] = part(language if offers(language, "WORDS") else "python", "WORDS")
    return words[spoken]


def listing(layout: str, program: Program) -> str:
    """Write the layout's name and the program's lines, each with its instructions."""
    text: str = part(program.language, "listing")(layout, program)
    return text


def page_facts(source: str, language: str) -> dict[str, Any]:
    """Return the facts of a source that a page shows; a language without the part has none."""
    try:
        table: dict[str, Any] = part(language, "page_facts")(source)
    except MissingPart:
        return {"tokens": [], "loops": [], "arms": {}, "reads": {}, "copies": {}, "functions": []}
    return table


def colors(line: str, language: str) -> tuple[tuple[int, int, str], ...]:
    """Return (start, length, class) of the tokens of one line, counted in characters; () without the part."""
    try:
        tokens: tuple[tuple[int, int, str], ...] = part(language, "colors")(line)
    except MissingPart:
        return ()
    if max(line, default="") <= "\uffff":
        return tokens
    place: list[int] = []  # of each UTF-16 unit, in which the parts count as pages do
    for number, character in enumerate(line):
        place += [number] * (1 + (character > "\uffff"))
    place.append(len(line))
    return tuple((place[start], place[start + n] - place[start], style) for start, n, style in tokens)


# ------------------------------------------------------------------ answers as values

# Longer than the repr of any scalar that a trace records by default (64 KiB), and short enough that the
# worst text found (49,000 elements, then a syntax error) is refused in under half a second.
MAX_CHARS = 100_000
# A truth comes from a run or a file, not from a model, and is read once.
TRUTH_CHARS = 1_000_000
POLICIES = ("strict", "lenient", "published")


def parse_literal(text: str, *, most: int = MAX_CHARS, language: str = "python") -> object:
    """Return the value of one literal of at most `most` characters.

    BadSource gives the reason why a text is no literal.
    """
    value: object = part(language, "read")(text, most=most)
    return value


def is_literal(text: str, *, language: str = "python") -> bool:
    """Return whether `parse_literal` would return a value."""
    try:
        parse_literal(text, language=language)
    except BadSource:
        return False
    return True


def tolerance_of(policy: str) -> float:
    """Check the name of a policy and return its float tolerance: 0.0, or t of "lenient:t".

    UnknownName for another policy, UserError for a tolerance that is no number >= 0.
    """
    name, colon, number = policy.partition(":")
    if name not in POLICIES or (colon and name != "lenient"):
        raise UnknownName("policy", policy, [*POLICIES, "lenient:1e-9"])
    if not colon:
        return 0.0
    try:
        tolerance = float(number)
    except ValueError:
        tolerance = -1.0
    if not 0.0 <= tolerance < math.inf:
        raise UserError(f"the tolerance of policy '{policy}' is no number >= 0; write it as lenient:1e-9")
    return tolerance


def equal(a: object, b: object, policy: str = "strict", *, language: str = "python") -> bool:
    """Return whether the two values are the same answer. Values are those that `parse_literal` makes."""
    tolerance = tolerance_of(policy)
    return bool(part(language, "same")(a, b, policy=policy.partition(":")[0], tolerance=tolerance))
