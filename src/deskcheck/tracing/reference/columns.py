"""Collect a trace's columns while the program runs: events, changes, objects, frames, names.

    columns = Columns()
    columns.add_change(Place.LOCAL, frame, key, -1, Op.SET, handle)      -1: the change is by key
    columns.add_event(EventKind.LINE, step=step, frame=frame, line=line, value=-1)
    columns.make_trace(...) -> Trace

An event owns the changes that were added since the event before. Numbers of frames and handles of values are
rows of their tables (`records/trace.py`). `size` estimates the recorded bytes by fixed sizes per row, so the
trace budget ends a run at the same event on every machine.
"""

from __future__ import annotations

from deskcheck.records import (
    FORMAT_VERSION,
    ChangeColumns,
    Code,
    Determinism,
    EventColumns,
    EventKind,
    Fidelity,
    FrameColumns,
    Granularity,
    Limits,
    ObjectColumns,
    Outcome,
    Trace,
    ValueColumns,
)

# As in the tracer in C, so that both end a run at the same event. Frames and codes count nothing.
_EVENT_BYTES, _CHANGE_BYTES, _VALUE_BYTES, _OBJECT_BYTES = 12, 14, 12, 8


class Columns:
    """The growing columns of one trace."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self._name_index: dict[str, int] = {}
        self.codes: list[Code] = []
        self.frame_code: list[int] = []
        self.frame_parent: list[int] = []
        self.event_kind: list[int] = []
        self.event_step: list[int] = []
        self.event_frame: list[int] = []
        self.event_line: list[int] = []
        self.event_value: list[int] = []
        self.event_changes_end: list[int] = []
        self.event_thread: list[int] = []
        self.change_place: list[int] = []
        self.change_owner: list[int] = []
        self.change_key: list[int] = []
        self.change_index: list[int] = []
        self.change_op: list[int] = []
        self.change_value: list[int] = []
        self.value_kind: list[int] = []
        self.value_number: list[int] = []
        self.value_real: list[float] = []
        self.value_data: list[bytes] = []
        self.value_type: list[int] = []
        self.object_kind: list[int] = []
        self.object_type: list[int] = []
        self.object_text: list[int] = []
        self.data_bytes = 0
        """Size of texts and data; a character of a text counts as one byte."""

    @property
    def size(self) -> int:
        """Estimated bytes recorded so far."""
        return (
            len(self.event_kind) * _EVENT_BYTES
            + len(self.change_op) * _CHANGE_BYTES
            + len(self.value_kind) * _VALUE_BYTES
            + len(self.object_kind) * _OBJECT_BYTES
            + self.data_bytes
        )

    def intern_name(self, text: str) -> int:
        """Return the index of a text in the string table, which it joins if it is new."""
        index = self._name_index.get(text)
        if index is None:
            index = self._name_index[text] = len(self.names)
            self.names.append(text)
            self.data_bytes += len(text)
        return index

    def add_value(
        self, kind: int, type_name: str, *, number: int = 0, real: float = 0.0, data: bytes = b""
    ) -> int:
        """Add a row to the value table and return its handle."""
        self.value_kind.append(kind)
        self.value_number.append(number)
        self.value_real.append(real)
        self.value_data.append(data)
        self.value_type.append(self.intern_name(type_name))
        self.data_bytes += len(data)
        return len(self.value_kind) - 1

    def add_object(self, kind: int, type_name: str, text: str) -> int:
        """Add a heap object and return its number."""
        self.object_kind.append(kind)
        self.object_type.append(self.intern_name(type_name))
        self.object_text.append(self.intern_name(text))
        return len(self.object_kind) - 1

    def add_frame(self, code: int, parent: int) -> int:
        """Add a frame and return its number."""
        self.frame_code.append(code)
        self.frame_parent.append(parent)
        return len(self.frame_code) - 1

    def add_change(self, place: int, owner: int, key: int, index: int, op: int, value: int) -> None:
        """Add one changed binding, iterator, stack slot or heap cell (`ChangeColumns`).

        `owner` is a frame or an object by its number, `value` a handle. A change by key has the index -1.
        """
        self.change_place.append(place)
        self.change_owner.append(owner)
        self.change_key.append(key)
        self.change_index.append(index)
        self.change_op.append(op)
        self.change_value.append(value)

    def add_event(self, kind: int, *, step: int, frame: int, line: int, value: int, thread: int = 0) -> None:
        """Add an event, which owns the changes since the event before; `value` is a handle or -1."""
        self.event_kind.append(kind)
        self.event_step.append(step)
        self.event_frame.append(frame)
        self.event_line.append(line)
        self.event_value.append(value)
        self.event_changes_end.append(len(self.change_op))
        self.event_thread.append(thread)

    def drop_incomplete_event(self) -> None:
        """Remove an incomplete last event, because memory ran out while it was written.

        The columns of a table then have unequal lengths; all are cut to the shortest. Changes end with the
        last whole event, frames with the last call that has one. Names, codes and `data_bytes` do not shrink.
        """
        for group in ("event_", "change_", "value_", "object_", "frame_"):  # events first: others follow them
            columns = [column for name, column in vars(self).items() if name.startswith(group)]
            n = min(map(len, columns))
            if group == "change_":
                n = self.event_changes_end[-1] if self.event_kind else 0
            elif group == "frame_":
                n = self.event_kind.count(EventKind.CALL)
            for column in columns:
                del column[n:]

    def make_trace(
        self,
        program_id: str,
        runtime: str,
        *,
        limits: Limits,
        outcome: Outcome,
        fidelity: Fidelity,
        determinism: Determinism,
    ) -> Trace:
        """Make a trace of Python at line granularity from the columns."""
        return Trace(
            format_version=FORMAT_VERSION,
            program_id=program_id,
            language="python",
            runtime=runtime,
            granularity=Granularity.LINE,
            fidelity=fidelity,
            limits=limits,
            determinism=determinism,
            outcome=outcome,
            codes=self.codes,
            frames=FrameColumns(code=self.frame_code, parent=self.frame_parent),
            events=EventColumns(
                kind=self.event_kind,
                step=self.event_step,
                frame=self.event_frame,
                line=self.event_line,
                value=self.event_value,
                changes_end=self.event_changes_end,
                thread=self.event_thread if any(self.event_thread) else [],
            ),
            changes=ChangeColumns(
                place=self.change_place,
                owner=self.change_owner,
                key=self.change_key,
                index=self.change_index,
                op=self.change_op,
                value=self.change_value,
            ),
            values=ValueColumns(
                kind=self.value_kind,
                number=self.value_number,
                real=self.value_real,
                data=self.value_data,
                type=self.value_type,
            ),
            objects=ObjectColumns(kind=self.object_kind, type=self.object_type, text=self.object_text),
            names=self.names,
        )
