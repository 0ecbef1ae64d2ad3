"""The terminal: a table with its denominators, and progress that does not flood a pipe."""

from __future__ import annotations

import io

from deskcheck.evaluation.rows import Row
from deskcheck.evaluation.shown import Progress, table
from deskcheck.records import Score

NONE = {"truncated": 2, "unparsable": 0, "refused": 0, "error": 1, "budget": 0}
ROW = Row("deskcheck/tiny", "core", "output", "line-1", False, 10, 2, 12, 5, NONE, 0.6, [0.4, 0.8])


def test_the_table_has_counts_reasons_and_interval():
    header, line = table([ROW], [""]).split("\n")
    assert (
        header.split() == "model benchmark strategy tasks samples right wrong no answer accuracy 95 %".split()
    )
    assert line.split() == (
        "deskcheck/tiny core line-1 10 20 12 5 3 (2 truncated, 1 error) 60.0 % 40.0 to 80.0".split()
    )


def test_what_must_be_said_about_a_row_stands_below():
    text = table([ROW], ["too few clusters"])
    assert "40.0 to 80.0 *" in text
    assert text.endswith("* too few clusters: the interval is a rough one")


def test_an_interval_that_cannot_be_had_is_unknown():
    row = Row("m", "b", "output", "s", True, 1, 1, 0, 1, dict.fromkeys(NONE, 0), 0.0, [None, None])
    text = table([row], [""])
    assert "unknown" in text
    assert "s (oracle)" in text


def test_a_pipe_gets_a_line_at_the_beginning_and_one_at_the_end():
    stream = io.StringIO()
    progress = Progress(stream)
    progress.begin("m · b · s", 100, 40)
    for number in range(100):
        progress.sample(Score(str(number), 0, "right", "", "strict", "1", "1"))
    progress.end()
    assert stream.getvalue().split("\n") == [
        "m · b · s: 100 samples; 40 were answered before and are not asked again",
        "  100 of 100 samples, 100 right, 0 without an answer",
        "",
    ]
