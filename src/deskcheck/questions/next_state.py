"""next-state: the run has reached a line with these variables; what are the next line and the variables then?

Source: one step of the dynamic scratchpad (arXiv 2503.05703), in words. The true state is given, so this
measures accuracy per step. Moments at which a variable of the frame is not plain data are not asked about.
"""

from __future__ import annotations

from deskcheck.languages import Loop, facts, sequence, write
from deskcheck.questions import NotAsked, outcome_of
from deskcheck.questions._drawn import asked_visits, draw
from deskcheck.records import Raised, RunQuestion, TaskDraft, Trace
from deskcheck.states.loops import rounds
from deskcheck.states.visits import Visit, dict_text, line_text, locals_at

QUESTION = {
    "en": "The call {call} has run up to line {line} (`{text}`), which is about to be executed. The local "
    "variables of its function are {variables}.{rounds} Which line is reached next, and which values do the "
    "local variables of that line's function have then?",
    "zh": "调用 {call} 已运行到第 {line} 行（`{text}`），即将执行该行。其所在函数的局部变量为 {variables}。"
    "{rounds_zh}接下来到达哪一行？那时该行所在函数的局部变量的值是什么？",
}
FORM = {
    "en": "{tuple} of the line number and {a_dict} from each variable's name to its value, for example "
    "{open}4, {{'n': 3}}{close}; if the call ends there, {open}'returns', value{close} or "
    "{open}'raises', '{error}'{close}",
    "zh": "由行号和变量名到值的{a_dict}组成的 {tuple}，例如 {open}4, {{'n': 3}}{close}；"
    "若调用在此结束，则写 {open}'returns', 值{close} 或 {open}'raises', '{error}'{close}",
}
NUMBERED = True
MOST_CHARS = 2000
"""Length of the longest true answer that is asked for."""
DRAWN, ASKED = 6, 3
"""Number of moments that are drawn, some of which cannot be asked about; largest number of questions."""


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask about up to three moments of a run; the program's id decides which ones."""
    reached = asked_visits(draft.program, trace)
    loops = facts(draft.program).loops or []
    begun = rounds(loops, reached)
    asked = draw(draft, "next-state", range(len(reached)), DRAWN)
    wanted = {reached[index].event for index in asked}
    held = locals_at(
        trace, wanted | {reached[i + 1].event for i in asked if i + 1 < len(reached)}, whole=True
    )
    result = []
    for index in asked:
        visit = reached[index]
        before = held.get(visit.event)
        expected = _after(draft, trace, reached, index, held)
        if before is None or expected is None or len(expected) > MOST_CHARS:
            continue
        iterations = _iterations_in_words(visit, index, loops, begun, reached)
        words = {
            "call": draft.program.call,
            "line": str(visit.line),
            "variables": dict_text(before, draft.program.language),
        }
        words |= {
            "text": line_text(draft.program, visit.line),
            "rounds": iterations[0],
            "rounds_zh": iterations[1],
        }
        result.append(RunQuestion(f"{visit.line}.{visit.nth}", expected, words))
    if not result:
        raise NotAsked("variables are not plain")
    return result[:ASKED]


def _after(
    draft: TaskDraft, trace: Trace, reached: list[Visit], index: int, held: dict[int, dict[str, str]]
) -> str | None:
    """Return the true answer after a moment; None if it has no literal."""
    language = draft.program.language
    if index + 1 < len(reached):
        following = reached[index + 1]
        after = held.get(following.event)
        return (
            None if after is None else sequence(language, [str(following.line), dict_text(after, language)])
        )
    try:
        outcome = outcome_of(trace)
    except NotAsked:
        return None
    if isinstance(trace.outcome, Raised):
        name = outcome.removeprefix("raises ").rpartition(".")[2]
        return sequence(language, [write(language, "raises"), write(language, name)])
    return sequence(language, [write(language, "returns"), outcome])


def _iterations_in_words(
    visit: Visit, index: int, loops: list[Loop], begun: dict[int, list[int]], reached: list[Visit]
) -> tuple[str, str]:
    """Return sentences in English and Chinese on the iterations that the loops around a line have started."""
    counts = []
    for loop in loops:
        if not loop.line <= visit.line <= loop.end:
            continue
        entered = max((i for i in range(index) if _enters(loop, reached, i, visit.frame)), default=0)
        n = sum(entered <= i <= index and reached[i].frame == visit.frame for i in begun[loop.line])
        counts.append((loop.line, n))
    english = "".join(f" The loop on line {line} has started {n} iterations." for line, n in counts)
    return english, "".join(f"第 {line} 行的循环已开始 {n} 次迭代。" for line, n in counts)


def _enters(loop: Loop, reached: list[Visit], index: int, frame: int) -> bool:
    """Return whether a visit comes to a loop from outside."""
    if reached[index].frame != frame or reached[index].line != loop.line:
        return False
    earlier = reached[index - 1 :: -1] if index else []
    before = next((visit.line for visit in earlier if visit.frame == frame), 0)
    return not loop.line <= before <= loop.end
