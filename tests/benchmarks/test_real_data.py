"""Adapters on their real data: what they make of every row, pinned. Skipped where the data is absent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import islice
from pathlib import Path

import pytest

from deskcheck.benchmarks import cruxeval_x, leetcode, re2_bench, reval
from deskcheck.evaluation.grade import grade_saved
from deskcheck.evaluation.truth import build_tasks
from deskcheck.importers import read_places
from deskcheck.records import Skipped, TaskDraft
from deskcheck.tracers import languages

pytestmark = pytest.mark.one_python

Data = Callable[[str], Path]
TAIL, NO_VALUE = "the tail with ???? is no tail of the code", "the answer is no plain value"


def counts(rows: Iterable[TaskDraft | Skipped]) -> dict[str, int]:
    return dict(Counter("item" if isinstance(row, TaskDraft) else row.reason for row in rows))


def test_cruxeval_x_in_all_19_languages(data: Data) -> None:
    found: Counter[str] = Counter()
    by_language = {}
    for language in cruxeval_x.LANGUAGES:
        by_language[language] = counts(cruxeval_x.drafts(str(data(f"cruxeval-x/{language}.jsonl.gz"))))
        found.update(by_language[language])
    assert dict(found) == {"item": 13_169, NO_VALUE: 268, TAIL: 22}
    assert by_language["d"] == {"item": 619, TAIL: 9, NO_VALUE: 1}
    assert by_language["jl"] == {"item": 666, TAIL: 13, NO_VALUE: 1}
    for language, n in (("lua", 741), ("js", 743), ("ts", 726), ("py", 799)):
        assert by_language[language] == {"item": n}


# JavaScript is run here with the extra, and its answers are read in its own spelling.
JS = [("js", 250, 2), pytest.param("js", 743, 6, marks=pytest.mark.slow)]


@pytest.mark.parametrize(
    ("language", "n", "loose"), [*(JS if "javascript" in languages() else [("js", 743, 8)]), ("lua", 741, 0)]
)
def test_cruxeval_x_meets_the_stored_verdicts(data: Data, language: str, n: int, loose: int) -> None:
    tasks = build_tasks("cruxeval-x", data=str(data(f"cruxeval-x/{language}.jsonl.gz")), limit=n)
    (run,) = read_places([str(data(f"cruxeval-x/phi-1/{language}_output.jsonl.gz"))])
    graded = grade_saved(tasks, run, policy="strict")
    assert graded.n_stored == n
    # deepEqual takes 5 for "5" and 0 for false: right there, wrong here, and never the other way round.
    assert [(one.verdict, one.stored) for one in graded.differences] == [("wrong", True)] * loose


@pytest.mark.slow
def test_no_input_is_asked_of_leetcode_that_no_call_with_literals_gives(data: Data) -> None:
    file = str(data("leetcode/LeetCodeDataset-v0.2.0-train.jsonl.gz"))
    asked, left_out, all_rows = [], [], list(islice(leetcode.drafts(file), 60))
    for row in islice(leetcode.drafts(file, kind="input"), 60):
        (left_out if isinstance(row, Skipped) else asked).append(row)
    calls = [row.program.call for row in asked if isinstance(row, TaskDraft)]
    assert calls == [
        row.program.call
        for row in all_rows
        if isinstance(row, TaskDraft) and "_node(" not in row.program.call
    ]
    assert "its arguments are nodes, no literals" in counts(left_out)


def test_leetcode_3_1_reads_texts_without_quotes(data: Data) -> None:
    rows = list(leetcode.drafts(str(data("leetcode/LeetCodeDataset-v0.3.1-test-half.jsonl.gz"))))
    assert counts(rows) == {"item": 12_041, "not literal on both sides": 73}
    drafts = [row for row in rows if isinstance(row, TaskDraft)]
    assert sum(draft.tags.get("recorded") == "a failure" for draft in drafts) == 367
    texts = [draft for draft in drafts if draft.cluster == "find-the-largest-palindrome-divisible-by-k"]
    assert texts[0].recorded == "'8'"
    assert all(draft.recorded[:1] == "'" for draft in texts if draft.recorded)
    old = leetcode.drafts(str(data("leetcode/LeetCodeDataset-v0.2.0-train.jsonl.gz")))
    assert counts(old) == {"item": 4_678, "not literal on both sides": 74}


def test_reval_looks_at_the_call_and_at_values_as_they_were(data: Data) -> None:
    place = str(data("reval"))
    rows = list(reval.drafts(place, ask="runs"))
    assert counts(rows) == {"item": 649, "a test that needs its setUp": 41}
    found = build_tasks("reval", data=place, options={"ask": "runs"})
    about_values = {one.id for one in found.disagreements if one.reason in ("another value", "another type")}
    assert about_values == {"105:3", "138:3", "138:4"}  # 3 beside 3.0, 11 beside 11.0: the recorded ones


def test_re2_bench_beside_the_verdicts_of_its_source(data: Data) -> None:
    place = str(data("re2-bench"))
    assert counts(re2_bench.drafts(place)) == {"item": 500}
    tasks = build_tasks("re2-bench", data=place)
    found: Counter[tuple[str, bool | None]] = Counter()
    for run in read_places([str(data("re2-bench/answers"))]):
        if run.kind == "output":
            graded = grade_saved(tasks, run, policy="strict")
            found.update((one.verdict, run.stored[one.task_id][0]) for one in graded.scores)
    assert dict(found) == {
        ("right", True): 2_529,
        ("wrong", True): 143,
        ("no answer", True): 27,
        ("right", False): 29,
        ("wrong", False): 2_035,
        ("no answer", False): 237,
    }
