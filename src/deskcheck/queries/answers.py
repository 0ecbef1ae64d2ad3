"""The answers to questions about runs, as records of texts and numbers.

    answer.to_dict() -> {"step": 17, "link": {"name": "total", ..}, ..}     plain data, ready for JSON
    answer.to_json() -> '{"step":17,"link":{"name":"total",..},..}'
    str(answer)      -> lines for a reader

Values are texts as a trace shows them: "#0[1, 2]" is an object with its number in the run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

import msgspec
from msgspec import Struct

from deskcheck.viewer.text import short


class Answer(Struct, frozen=True):
    """Base of every answer, with its forms for printing and for other programs."""

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as dicts, lists, texts and numbers."""
        plain: dict[str, Any] = msgspec.to_builtins(self)
        return plain

    def to_json(self) -> str:
        """Return the answer as one line of JSON."""
        return msgspec.json.encode(self).decode()

    def with_texts(self, change: Callable[[str], str]) -> Self:
        """Return the answer with `change` applied to each of its texts."""
        return msgspec.convert(_with_texts(msgspec.to_builtins(self), change), type(self))

    def lines(self) -> Iterator[str]:
        """Yield the answer as lines of text for a reader."""
        raise NotImplementedError

    def __str__(self) -> str:
        return "\n".join(self.lines())


def _with_texts(plain: Any, change: Callable[[str], str]) -> Any:
    if isinstance(plain, dict):
        return {name: _with_texts(value, change) for name, value in plain.items()}
    if isinstance(plain, list):
        return [_with_texts(value, change) for value in plain]
    return change(plain) if isinstance(plain, str) else plain


class At(Struct, frozen=True):
    """A step and its line; step 0 is the call itself."""

    step: int
    line: int
    text: str
    """Source of the line."""
    file: str = ""
    """Name of the file; "" for the program's own."""

    def __str__(self) -> str:
        where = f"{self.file}, line {self.line}" if self.file else f"line {self.line}"
        return f"step {self.step}, {where}: {self.text}" if self.step else "the call"


class Link(Struct, frozen=True):
    """One value of a chain: where it was made, and the values that the making line read."""

    name: str
    value: str
    way: str
    """"made", "changed" in place, "returned", "passed" as an argument, or "given" by the call."""
    at: At
    """The line that made it."""
    sources: list[Link] = []
    """The values that the line read or that its calls returned."""


class Earlier(Struct, frozen=True):
    """An earlier value of the same variable."""

    value: str
    at: At


class Why(Answer, frozen=True):
    """Answer to `why NAME`: the chain of writes that made a value."""

    step: int
    """Step before which the variable has the value; 0 = at the end of the variable's life."""
    link: Link
    """The value, with the chain behind it."""
    earlier: list[Earlier]
    """The latest earlier values, the latest first."""
    n_earlier: int
    """Number of all earlier values."""

    def lines(self) -> Iterator[str]:
        """Yield the chain as an indented tree, and then the earlier values."""
        when = f"before step {self.step}" if self.step else "when it was last known"
        yield f"{self.link.name} = {self.link.value}, {when}"
        yield f"  {_maker(self.link)}"
        yield from _sources(self.link, 4)
        if self.n_earlier:
            yield f"{_counted(self.n_earlier, 'earlier value')}, the latest first:"
            for earlier in self.earlier:
                yield f"  {earlier.value}, from {earlier.at}"
            if self.n_earlier > len(self.earlier):
                yield f"  .. `changes {self.link.name}` lists all"


_WORDS = {"made": "made at", "changed": "changed in place at", "returned": "returned at",
          "passed": "passed at", "given": "given by"}  # fmt: skip


def _maker(link: Link) -> str:
    return f"{_WORDS[link.way]} {link.at}"


def _sources(link: Link, indent: int) -> Iterator[str]:
    for source in link.sources:
        yield f"{' ' * indent}{source.name} = {source.value}, {_maker(source)}"
        yield from _sources(source, indent + 2)


class Value(Struct, frozen=True):
    """A variable with the text of its value."""

    name: str
    value: str


class Match(Struct, frozen=True):
    """A step before which a condition holds, with the variables that the condition names."""

    at: At
    values: list[Value]


class Where(Answer, frozen=True):
    """Answer to `where CONDITION`: the steps before which it holds."""

    condition: str
    n: int
    """Number of steps before which the condition holds."""
    n_steps: int
    """Number of all steps of the run."""
    n_undefined: int
    """Number of steps before which it has no value: a variable is not bound, an operation is impossible."""
    matches: list[Match]
    """The first steps before which the condition holds, in order."""

    def lines(self) -> Iterator[str]:
        """Yield the count and then each step with the values."""
        undefined = f", has no value before {self.n_undefined}" if self.n_undefined else ""
        yield f"{self.condition}: holds before {self.n} of {self.n_steps} steps{undefined}"
        for match in self.matches:
            values = ", ".join(f"{each.name} = {each.value}" for each in match.values)
            yield f"  {match.at}  ({values})" if values else f"  {match.at}"
        if self.n > len(self.matches):
            yield f"  .. and {self.n - len(self.matches)} more"


class Changed(Struct, frozen=True):
    """One change of a variable."""

    at: At
    """The line that made the change."""
    function: str
    """Name of the function whose line it is."""
    way: str
    """"made", "changed", "passed", "given" or "deleted"."""
    before: str
    """Value before the change; "" if there was none."""
    after: str
    """Value after the change; "" if the variable was deleted."""


class Changes(Answer, frozen=True):
    """Answer to `changes NAME`: all changes of a variable, also those in place."""

    name: str
    n: int
    """Number of all changes."""
    changes: list[Changed]
    """The first changes, in order."""

    def lines(self) -> Iterator[str]:
        """Yield each change with the value after it."""
        yield f"{self.name}: {_counted(self.n, 'change')}"
        functions = {change.function for change in self.changes}
        for change in self.changes:
            inside = f" in {change.function}" if len(functions) > 1 else ""
            value = "deleted" if change.way == "deleted" else change.after
            how = {"changed": " (in place)", "passed": " (argument)", "given": " (argument)"}
            yield f"  {value}{how.get(change.way, '')}, from {change.at}{inside}"
        if self.n > len(self.changes):
            yield f"  .. and {self.n - len(self.changes)} more"


class RaisedAt(Struct, frozen=True):
    """One exception of a run."""

    type: str
    message: str
    at: At
    """Line that raised it."""
    function: str
    """Name of the function that raised it."""
    passed: list[At]
    """Lines of the calling frames that the exception passed, the innermost first."""
    caught: At | None
    """Line at which the run went on; None if the exception ended the run."""
    values: list[Value]
    """Variables that the raising line reads."""


class Raises(Answer, frozen=True):
    """Answer to `raised`: the exceptions of a run, in order."""

    n: int
    """Number of all exceptions."""
    exceptions: list[RaisedAt]
    """The first exceptions."""

    def lines(self) -> Iterator[str]:
        """Yield each exception with its values, the lines that it passed, and its end."""
        if not self.n:
            yield "no exception was raised in the recorded lines"
        for error in self.exceptions:
            text = f"{error.type}: {error.message}" if error.message else error.type
            yield f"{text}, at {error.at}"
            for each in error.values:
                yield f"  {each.name} = {each.value}"
            for at in error.passed:
                yield f"  passed {at}"
            yield (
                f"  caught; the run went on at {error.caught}"
                if error.caught
                else "  not caught: it ended the run"
            )
        if self.n > len(self.exceptions):
            yield f".. and {self.n - len(self.exceptions)} more"


class Differing(Struct, frozen=True):
    """A variable whose value differs between two runs; "" where it is not bound."""

    name: str
    a: str
    b: str


class Parting(Struct, frozen=True):
    """A pair of steps at which two runs part; None for a run that is over."""

    a: At | None
    b: At | None
    names: list[Differing]
    """Variables that differ before these steps."""


class Difference(Answer, frozen=True):
    """Comparison of two runs; `queries/diff.py` says which steps correspond."""

    n_common: int
    """Number of corresponding pairs of steps before the paths part."""
    n_a: int
    """Number of all steps of run A."""
    n_b: int
    """Number of all steps of run B."""
    values: Parting | None
    """First pair before which variables differ; None if there is none before the paths part."""
    path: Parting | None
    """First pair at which the runs are at lines that do not correspond; None if there is none."""
    outcome_a: str
    outcome_b: str
    is_same: bool
    """Whether there are corresponding steps, neither values nor paths part, and the outcomes are equal."""

    def lines(self) -> Iterator[str]:
        """Yield where values and paths part, with the values that differ, and the outcomes."""
        if self.is_same:
            yield f"the same: {self.n_common} steps on corresponding lines with equal variables"
        if self.values:
            yield "values part:"
            yield from _parting_lines(self.values)
        if self.path:
            yield f"paths part, after {self.n_common} corresponding steps:"
            yield from _parting_lines(self.path)
        elif not self.n_common:
            yield "nothing to compare: no step of A is on a line that corresponds to one of B"
        elif not self.is_same:
            yield f"the paths do not part: {self.n_common} corresponding steps"
        yield f"A: {self.outcome_a}"
        yield f"B: {self.outcome_b}"


def _parting_lines(parting: Parting) -> Iterator[str]:
    for mark, at in (("A", parting.a), ("B", parting.b)):
        yield f"  {mark}: {at}" if at else f"  {mark}: the run is over"
    for each in parting.names:
        yield f"    {each.name}: {each.a or 'not bound'} in A, {each.b or 'not bound'} in B"


class Suspect(Answer, frozen=True):
    """A line that may be wrong, with the value that it made."""

    line: int
    text: str
    value: str
    """The wrong value that was made there, in words."""
    repair: str
    """The line with a change that mends the failing call; "" if none was found."""
    n_passed: int
    """Number of calls, the failing call included, that give the expected result with the repair."""
    n_calls: int
    """Number of calls, the failing call included."""
    ochiai: float
    """Ochiai's coefficient, 0 to 1; 1 = all failing calls executed the line, and no other call did."""
    distance: int
    """Number of links between the line and the failing value; -1 if there is no chain."""

    def lines(self) -> Iterator[str]:
        """Yield the line, its wrong value, and the repair with its evidence."""
        yield f"line {self.line}: {self.text}"
        yield f"    {self.value}"
        if self.repair:
            calls = f"{self.n_passed} of {_counted(self.n_calls, 'call')}"
            verb = "gives" if self.n_passed == 1 else "give"
            yield f"    with `{self.repair}` {calls} {verb} the expected result"


def unread_text(unread: Sequence[str]) -> str:
    """Return, in words that end a sentence, how many calls of the tests were not read; "" for none."""
    if not unread:
        return ""
    calls = ", ".join(map(short, unread[:3])) + ", .." * (len(unread) > 3)
    was = "was" if len(unread) == 1 else "were"
    return (
        f"; {_counted(len(unread), 'call')} of the tests {was} not read: {calls}; read are asserts such as "
        "assert f(3) == 4, of one function; any other call can be named: --call 'f(3)' --expect 4"
    )


class Explanation(Answer, frozen=True):
    """Answer to `explain`: at most three lines, the likeliest first."""

    call: str
    outcome: str
    """Outcome of the failing call, in words."""
    expected: str
    """Right result; "" = any but an exception."""
    suspects: list[Suspect]
    n_tried: int
    """Number of edited programs that were run."""
    n_left: int = 0
    """Number of edited programs that were not run, because the time was up."""
    unread: list[str] = []
    """Calls of the tests that were not read, so that no repair was tried with them."""

    def lines(self) -> Iterator[str]:
        """Yield the failure and then the lines with their evidence."""
        wanted = f"; expected {self.expected}" if self.expected else ""
        yield f"{self.call}: {self.outcome}{wanted}"
        for place, suspect in enumerate(self.suspects, start=1):
            first, *rest = suspect.lines()
            yield f"{place}. {first}"
            yield from rest
        left = f"; the time was up, so {self.n_left} more were not tried" if self.n_left else ""
        yield f"{self.n_tried} edited programs were run{left}"
        if self.unread:
            yield unread_text(self.unread).removeprefix("; ")


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'s' * (n != 1)}"
