"""List all changes of one variable over a run, also those in place, in the order in which they happened.

    changes(run, "xs") -> Changes(n=3, changes=[Changed(At(1, 2, "xs.append(n)"), .., "#0[]", "#0[3]"), ..])

If several functions have a variable of that name, the changes of each are listed.
"""

from __future__ import annotations

from deskcheck.errors import UserError
from deskcheck.queries.answers import Changed, Changes
from deskcheck.queries.paths import Path, path_of
from deskcheck.queries.run import Cell, Run
from deskcheck.queries.why import at_of, handle_in
from deskcheck.records import Event, EventKind, Place
from deskcheck.tracing.replay import State, states
from deskcheck.viewer.text import fitting_text, short

MOST = 50  # changes in an answer, unless the caller asks for another number


def changes(run: Run, name: str, most: int = MOST) -> Changes:
    """Return the changes of a variable, an item or an attribute: `xs`, `xs[0]`, `node.next`.

    The answer counts all changes and holds the first `most`. UserError if no variable has that name.
    """
    path = path_of(name, run.trace.language)
    if not run.cells(path.name):
        names = [known for known in run.names() if not known.startswith("__")]
        raise UserError(f"no variable '{path.name}' in this run; recorded: {', '.join(names[:30]) or 'none'}")
    watch = _Watch(run, path)
    for event, state in states(run.trace):
        watch.note(event, state)
    return Changes(str(path), len(watch.changed), watch.changed[:most])


class _Watch:
    """Text of the watched value for each variable of its name, compared after events that may change it."""

    def __init__(self, run: Run, path: Path) -> None:
        self._run, self._path = run, path
        self._known = set(run.cells(path.name))
        self._texts: dict[Cell, str] = {}
        self._objects: dict[Cell, frozenset[int]] = {}
        self.changed: list[Changed] = []

    def note(self, event: Event, state: State) -> None:
        """Take in one event, with the state after its changes."""
        bound: set[Cell] = set()
        touched: set[int] = set()
        before = self._run.trace.events.changes_end[event.index] - len(event.changes)
        for row, change in enumerate(event.changes, start=before):
            if change.place <= Place.GLOBAL:
                cell = self._run.cell_of(row)
                bound |= {cell} & self._known
            elif change.place >= Place.ELEMENT:
                touched.add(change.owner)
        for cell in sorted(bound | {c for c, held in self._objects.items() if held & touched}, key=str):
            self._compare(cell, event, state, is_bound=cell in bound)

    def _compare(self, cell: Cell, event: Event, state: State, *, is_bound: bool) -> None:
        run = self._run
        root = handle_in(state, cell)
        handle = self._path.find(state, root) if root >= 0 else -1
        text = short(fitting_text(state, handle)) if handle >= 0 else ""
        old = self._texts.get(cell, "")
        self._texts[cell] = text
        self._objects[cell] = frozenset(run.objects_in(root)) if root >= 0 else frozenset()
        if text == old and not (is_bound and not self._path.parts):
            return
        maker = run.makers[event.index]
        way = "deleted" if not text else "made" if is_bound else "changed"
        if event.kind is EventKind.CALL and is_bound and not cell.is_global:
            way = "passed" if maker >= 0 else "given"
        function = run.function(maker) if maker >= 0 else run.function(event.index)
        self.changed.append(Changed(at_of(run, maker), function, way, old, text))
