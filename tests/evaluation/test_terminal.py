"""The terminal: a table with its denominators, and progress that does not flood a pipe."""

from __future__ import annotations

import io

from msgspec.structs import replace

from deskcheck.cell_files import Row
from deskcheck.evaluation.terminal import Progress, cost_lines, table
from deskcheck.records import Score

NONE = {"truncated": 2, "unparsable": 1, "refused": 0, "budget": 0, "endless": 0, "error": 0, "not_asked": 0}
ROW = Row(
    "deskcheck/tiny",
    "core",
    "output",
    "line-1",
    False,
    10,
    2,
    12,
    5,
    NONE,
    0.6,
    [0.4, 0.8],
    bounds=[0.6, 0.6],
)


def test_the_table_has_counts_reasons_and_interval():
    header, line, cut = table([ROW], [""]).split("\n")
    assert cut == "2 answers without a value at the end of the token budget; --max-tokens raises it"
    assert (
        header.split()
        == "model benchmark task strategy tasks samples right wrong no answer accuracy 95 %".split()
    )
    reasons = "3 (2 truncated, 1 unparsable)"
    assert (
        line.split() == f"deskcheck/tiny core output line-1 10 20 12 5 {reasons} 60.0 % 40.0 to 80.0".split()
    )


def test_what_is_missing_stands_beside_the_rate_with_its_bounds():
    few = replace(ROW, no_answer={**NONE, "unparsable": 0, "error": 1}, accuracy=12 / 19, bounds=[0.6, 0.65])
    _, line, *_ = table([few], [""]).split("\n")
    assert "3 (2 truncated, 1 error)" in line
    assert line.endswith("63.2 % of 19  40.0 to 80.0; all within 60.0 to 65.0 %")
    many = replace(few, wrong=3, no_answer={**NONE, "not_asked": 2}, interval=[None, None])
    _, line, *below = table([many], ["withheld"]).split("\n")
    assert line.endswith("withheld; within 60.0 to 65.0 %") and "2 not asked" in line
    assert not any("rough" in said for said in below)
    nothing = {**dict.fromkeys(NONE, 0), "not_asked": 20}
    none = replace(many, right=0, wrong=0, accuracy=None, no_answer=nothing, bounds=[0, 1])
    assert table([none], ["withheld"]).endswith(
        "20 (20 not asked)  none      withheld; within 0.0 to 100.0 %"
    )


def test_what_must_be_said_about_a_row_stands_below():
    text = table([ROW], ["too few clusters"])
    assert "40.0 to 80.0 *" in text
    assert "\n* too few clusters: the interval is approximate" in text


def test_calls_tokens_and_dollars_are_said_and_what_is_not_known_is_not_nothing():
    known = {
        "calls": 1200,
        "tokens_in": 5e5,
        "tokens_out": 2e4,
        "tokens_hidden": 1e4,
        "seconds": 9,
        "cost_usd": 1.5,
    }
    silent = dict.fromkeys(known, -1) | {"calls": 3}
    assert cost_lines([known, silent]) == [
        "row 1: 1,200 calls, 500,000 tokens in, 20,000 out, 10,000 of them hidden, $1.5000",
        "row 2: 3 calls, tokens not reported, cost unknown",
    ]


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
