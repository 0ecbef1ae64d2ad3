"""branches: which results do the conditions of each `if` and `elif` have, in order?

Source: CES (arXiv 2510.15079), RE2-Bench. Runs of more than 100 tests are not asked.
"""

from __future__ import annotations

from deskcheck.languages import facts, write
from deskcheck.questions import NotAsked
from deskcheck.questions._drawn import asked_visits
from deskcheck.records import RunQuestion, TaskDraft, Trace
from deskcheck.states.loops import outcomes, raises_of

MOST = 100
QUESTION = {
    "en": "What do the conditions of the `if` and {elif} statements on lines {lines} come to during the call "
    "{call}, each time that they are tested, in order?",
    "zh": "在调用 {call} 期间，第 {lines} 行的 `if` 和 {elif} 语句的条件每次被判断时的结果依次是什么？",
}
FORM = {
    "en": "{dict} from the line number of each condition to the list of its results, {true} where the "
    "branch is taken, [] where it is never tested, for example {{2: [{true}, {false}], 5: []}}",
    "zh": "{dict}，从每个条件的行号到其结果列表，走该分支为 {true}，从未判断则为 []，"
    "例如 {{2: [{true}, {false}], 5: []}}",
}
NUMBERED = True


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask one question per run: the results of its branch conditions."""
    branches = facts(draft.program).branches
    if branches is None:
        raise NotAsked("a branch that lines cannot tell")
    if not branches:
        raise NotAsked("no branch")
    results = outcomes(branches, asked_visits(draft.program, trace), raises_of(trace))
    total = sum(map(len, results.values()))
    if not 0 < total <= MOST:
        raise NotAsked("no branch is tested" if not total else f"more than {MOST} tests: {total}")
    words = {"call": draft.program.call, "lines": ", ".join(map(str, results))}
    return [RunQuestion("", write(draft.program.language, results), words)]
