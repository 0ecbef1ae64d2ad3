"""The lines of a program's files, as the events of its trace name them.

Sources(trace, source, {"text.py": ".."}).line(event) -> "total += 1"
"""

from __future__ import annotations

from collections.abc import Mapping

from deskcheck.records import Event, Trace


class Sources:
    """Lines of the program's files by their numbers, and the files' names."""

    def __init__(self, trace: Trace, source: str, files: Mapping[str, str]) -> None:
        self._trace = trace
        self._lines = {0: source.split("\n")}
        self.names = {0: ""}
        for code in trace.codes:
            if code.file not in self._lines:
                self.names[code.file] = trace.names[code.file]
                self._lines[code.file] = files.get(trace.names[code.file], "").split("\n")

    def file(self, frame: int) -> int:
        """Number of the file that a frame's code stands in."""
        return self._trace.codes[self._trace.frames.code[frame]].file

    def lines(self, event: Event) -> list[str]:
        """All lines of the event's file."""
        return self._lines[self.file(event.frame)]

    def line(self, event: Event) -> str:
        """Text of the event's line."""
        lines = self.lines(event)
        return lines[event.line - 1].strip() if 0 < event.line <= len(lines) else ""

    def indented(self, event: Event) -> str:
        """Text of the event's line with its indentation, as deep as it stands in its function."""
        lines = self.lines(event)
        if not 0 < event.line <= len(lines):
            return ""
        header = self._trace.codes[self._trace.frames.code[event.frame]].first_line
        outer = _indentation(lines[header - 1]) if 0 < header <= len(lines) else 0
        text = lines[event.line - 1].expandtabs(4).rstrip()
        return text[min(outer, _indentation(text)) :]


def _indentation(text: str) -> int:
    text = text.expandtabs(4)
    return len(text) - len(text.lstrip())
