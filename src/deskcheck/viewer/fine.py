"""Events finer than lines as text: an evaluated expression, an instruction with its value stack.

expression_text(event, state, lines)  -> "s.strip() -> 'a,b'"
instruction_text(event, state)        -> "  12 BINARY_OP            [1, 2]"
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from deskcheck.records import Event
from deskcheck.tracing.replay import State

_WIDTH = 60  # of the source text of an expression


def expression_text(
    event: Event, state: State, lines: Sequence[str], value_text: Callable[[State, int], str]
) -> str:
    """Source text and value of an EXPRESSION event; `lines` are those of its file."""
    columns = state.trace.events
    end_line, start, end = (
        column[event.index] if column else -1
        for column in (columns.end_line, columns.column, columns.end_column)
    )
    source = _source(lines, event.line, end_line, start, end)
    return f"{source} -> {value_text(state, event.value)}" if event.value >= 0 else source


def _source(lines: Sequence[str], line: int, end_line: int, start: int, end: int) -> str:
    """The text between two places; columns count UTF-8 bytes."""
    taken = [text.encode() for text in lines[line - 1 : end_line]]
    if not taken or start < 0:
        return "?"
    taken[-1] = taken[-1][:end]
    taken[0] = taken[0][start:]
    text = " ".join(part.decode("utf-8", "replace").strip() for part in taken)
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 20]} … {text[-17:]}"


def instruction_text(event: Event, state: State, value_text: Callable[[State, int], str]) -> str:
    """Offset, name and value stack of an INSTRUCTION event; iterators of running loops are not repeated."""
    columns = state.trace.events
    name = state.trace.names[columns.opcode[event.index]] if columns.opcode else "?"
    offset = columns.offset[event.index] if columns.offset else -1
    stack = ", ".join(value_text(state, handle) for handle in state.top.stack)
    return f"{offset:4} {name:20} [{stack}]"
