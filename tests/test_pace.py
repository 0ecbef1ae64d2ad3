"""How far a long command is: counts, rates and times left, on a terminal only."""

from __future__ import annotations

import io

import pytest

from deskcheck import pace


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("done", "total", "passed_s", "text"),
    [
        (20, 100, 2.0, "10/s, 0:08 left"),
        (3, 600, 2.0, "1.5/s, 6:38 left"),
        (3, 0, 2.0, "1.5/s"),
        (0, 100, 2.0, ""),
        (5, 5, 0.0, ""),
        (119, 120, 2380.0, "0.1/s, 0:20 left"),
        (1, 61, 1.0, "1.0/s, 1:00 left"),
    ],
)
def test_a_rate_and_the_time_that_is_left(done: int, total: int, passed_s: float, text: str):
    assert pace.pace_text(done, total, passed_s) == text


def test_a_terminal_sees_the_count_and_its_line_is_cleared(monkeypatch: pytest.MonkeyPatch):
    clock = iter([0.0, 0.1, 10.0, 10.1])
    monkeypatch.setattr(pace.time, "monotonic", lambda: next(clock))
    stream = Terminal()
    line = pace.CountLine("programs", stream=stream)
    for _ in range(3):
        line.count(total=40)
    line.end()
    assert stream.getvalue() == "\r\x1b[K  2 of 40 programs, 0.2/s, 3:10 left\r\x1b[K"


def test_a_bound_is_said_to_be_one_and_gives_no_time_left():
    line = pace.CountLine("steps", most=600)
    line.count(30)
    assert line.text(2.0) == "30 of at most 600 steps, 15/s"


def test_a_pipe_sees_nothing():
    stream = io.StringIO()
    line = pace.CountLine("programs", total=2, stream=stream)
    line.count()
    line.end()
    assert stream.getvalue() == ""


def counted_by(items: list[list[int]], monkeypatch: pytest.MonkeyPatch) -> str:
    """What a terminal sees of items and their parts, counted one within the other."""
    monkeypatch.setattr(pace, "EVERY_S", 0.0)
    monkeypatch.setattr(pace.sys, "stderr", stream := Terminal())
    for parts in pace.counted(items, "runs read"):
        assert list(pace.counted(parts, "answers read")) == parts
    return stream.getvalue()


def test_the_outermost_count_has_the_line(monkeypatch: pytest.MonkeyPatch):
    with pace.shown():
        seen = counted_by([[1, 2], [3]], monkeypatch)
    assert "1 of 2 runs read" in seen and "2 of 2 runs read" in seen and "answers" not in seen
    assert seen.endswith("\r\x1b[K")


def test_a_single_item_leaves_the_line_to_its_parts(monkeypatch: pytest.MonkeyPatch):
    with pace.shown():
        assert "2 of 2 answers read" in counted_by([[1, 2]], monkeypatch)


def test_a_library_call_is_silent(monkeypatch: pytest.MonkeyPatch):
    assert counted_by([[1, 2], [3]], monkeypatch) == ""


def test_a_count_given_up_inside_a_command_leaves_later_library_calls_silent(monkeypatch: pytest.MonkeyPatch):
    with pace.shown():
        given_up = iter(pace.counted([1, 2, 3], "runs read"))
        next(given_up)
    given_up.close()
    assert counted_by([[1, 2], [3]], monkeypatch) == ""
