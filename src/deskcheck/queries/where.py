"""Find the steps before which a condition holds, evaluated over the recorded values alone.

    where(run, "n > 10") -> Where(n=2, matches=[Match(At(3, 5, "total += n"), [Value("n", "11")]), ..])

Names are looked up as the running function sees them: its variables, then those of its module, then those of
the program's own file.
"""

from __future__ import annotations

from deskcheck.errors import UserError
from deskcheck.languages import Undefined, offers, part
from deskcheck.queries.answers import Match, Value, Where
from deskcheck.queries.run import Run
from deskcheck.queries.why import at_of
from deskcheck.records import Event, EventKind, Place
from deskcheck.states.values import StandIn, ValueReader
from deskcheck.tracing.replay import State, states
from deskcheck.viewer.text import fitting_text, short

MOST = 20  # steps in an answer, unless the caller asks for another number


def where(run: Run, text: str, most: int = MOST, *, start: int = 1) -> Where:
    """Return the number of steps before which a condition holds, and the first `most` from step `start` on.

    UserError if the text is no condition, names a variable that the run never has, or if the language of the
    program has no conditions here.
    """
    if not offers(run.trace.language, "condition"):
        raise UserError(
            f"`where` works on programs in Python only; this one is in {run.trace.language}: ask why NAME, "
            "changes NAME or raised"
        )
    condition = part(run.trace.language, "condition")(text)
    names = set(run.names())
    for name in condition.names:
        if name not in names:
            shown = [known for known in run.names() if not known.startswith("__")]
            raise UserError(f"no variable '{name}' in this run; recorded: {', '.join(shown[:30]) or 'none'}")
    values = _Values()
    matches: list[Match] = []
    n, n_undefined = 0, 0
    for event, state in states(run.trace):
        values.note(event, state)
        if event.kind is not EventKind.LINE:
            continue
        try:
            holds = bool(condition.value(values))
        except Undefined:
            n_undefined += 1
            continue
        n += holds
        if holds and len(matches) < most and event.step >= start:
            bound = [(name, values.handle(name)) for name in condition.names]
            texts = [Value(name, short(fitting_text(state, handle))) for name, handle in bound if handle >= 0]
            matches.append(Match(at_of(run, event.index), texts))
    return Where(text.strip(), n, len(run.lines), n_undefined, matches)


class _Values:
    """Values of the state at the current event; containers are built again only after one of them changes."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._reader: ValueReader | None = None
        self._file = 0

    def note(self, event: Event, state: State) -> None:
        """Take in one event, with the state after its changes."""
        reader = self._reader
        if reader is None or any(
            change.place >= Place.ELEMENT and reader.has_read(change.owner) for change in event.changes
        ):
            self._reader = ValueReader(state)
        self._state = state

    def handle(self, name: str) -> int:
        """Return the handle of a variable as the running function sees it, -1 if it is not bound."""
        state = self._state
        assert state is not None
        frame = state.top
        if name in frame.bindings:
            return frame.bindings[name]
        file = state.trace.codes[frame.code].file
        for module in dict.fromkeys((file, 0)):
            if name in state.modules.get(module, {}):
                return state.modules[module][name]
        return -1

    def name(self, name: str) -> object:
        """Return a variable's value. Undefined if it is not bound."""
        handle = self.handle(name)
        if handle < 0:
            raise Undefined(f"{name} is not bound")
        assert self._reader is not None
        return self._reader.value(handle)

    def attribute(self, value: object, name: str) -> object:
        """Return a recorded attribute. Undefined for values of built-in types."""
        if type(value) is StandIn and name in value.attributes:
            return value.attributes[name]
        raise Undefined(f"no attribute {name} was recorded")

    def contents(self, value: object) -> object:
        """Return the elements of a `deque`, a subclass of list, .. Undefined for an object without any."""
        if type(value) is StandIn and value.contents is not None:
            return value.contents
        raise Undefined("it has no recorded contents")
