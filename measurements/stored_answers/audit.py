"""docs/audit.md: published tables beside what their own stored answers give here, and why they differ.

page(everything, folder) -> lines
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from stored_answers.everything import Everything
from stored_answers.numbers import table
from stored_answers.re2 import ASKED, Setting

COMMAND = "`python measurements/real_models.py --data DIR`"


CELLS = Path(__file__).with_name("code_output_prediction.toml")


def page(found: Everything, folder: Path) -> Iterator[str]:
    """Yield the lines of docs/audit.md, published figures beside ours."""
    unexplained = sum(n for why, n in _all_reasons(found).items() if why == "unexplained")
    impossible = {
        asked: [i for i in getattr(found.known, asked) if _has_truth(found, asked, i)] for asked in ASKED[2:]
    }
    loops, branches = (
        [i for i in impossible[asked] if not found.known.answerable(asked, i)] for asked in ("loop", "branch")
    )
    yield "# An audit of published tables"
    yield ""
    yield (
        "For readers of leaderboards: which published tables can be reproduced from their stored answers, "
        "and which cannot."
    )
    yield ""
    yield (f"For every table whose answers are stored, {COMMAND} grades the answers twice:")
    yield ""
    yield "- by the source's own rule, to see whether the table can be reproduced;"
    yield (
        "- by ours: exact types, every answer asked for in the denominator, nothing executed but predicted "
        "inputs."
    )
    yield ""
    yield (
        f"Of all verdicts that differ, {unexplained} are without a reason. Three findings change what a "
        "table means:"
    )
    yield ""
    yield (
        f"- In RE2-Bench, {len(loops)} of {len(impossible['loop'])} loop questions and {len(branches)} of "
        f"{len(impossible['branch'])} branch questions cannot be answered. Their truth stands at lines where "
        "the program in the prompt has no blank."
    )
    yield (
        "- RE2-Bench's input scores for real projects count an answer as right unless a script prints that "
        "it failed, so a crash of that script is a right answer."
    )
    yield "- ExeRScope's figure for Gemini-1.5-Pro leaves out 89 of 800 tasks."
    yield ""
    yield from _re2(found, folder, loops, branches)
    yield from _lcb(found)
    yield from _exerscope(found)
    yield from _others(found)
    yield from _without_answers()
    yield "[harnesses.md](harnesses.md) audits the readers and scorers of six harnesses on the same replies."
    yield ""


def _has_truth(found: Everything, asked: str, identity: str) -> bool:
    return bool(found.known.of(asked, identity))


def _all_reasons(found: Everything) -> Counter[str]:
    reasons: Counter[str] = Counter()
    others = [*found.cruxeval, *found.qwen, *found.cruxeval_x]
    for run in [*found.lcb, *found.lcb_input, *others]:
        reasons.update(run.differs)
    for _, ours in found.exerscope:
        reasons.update(ours.differs)
    return reasons


def _re2(found: Everything, folder: Path, loops: list[str], branches: list[str]) -> Iterator[str]:
    stated = json.loads((folder / "re2-bench/goldens.json").read_text(encoding="utf-8"))
    yield "## RE2-Bench, ten settings of 2025/26"
    yield ""
    yield (
        "*Published* is the repository's figure; for loops and branches it states none, so it is its script, "
        "run. *Again* is its rule, written anew and run here on the stored answers: where it says "
        "*reproduced*, every single verdict is the same. *Ours* uses exact types and the last answer of a "
        "reply."
    )
    yield ""
    rows = []
    for setting in found.settings:
        for asked in ASKED:
            rows.append(_re2_row(found, setting, asked, stated))
    head = [
        "setting",
        "question",
        "n",
        "published",
        "again, verdict by verdict",
        "ours, on what can be right",
    ]
    yield from table(head, rows)
    yield (
        "Inputs: the stored answer equals the recorded input, or the source executed it. Execution needs the "
        "environments of the projects; here such an answer is *not checkable*, never wrong."
    )
    yield ""
    reasons: Counter[tuple[str, str]] = Counter()
    for setting in found.settings:
        for asked in ASKED:
            reasons.update((asked, one.why) for one in setting.answers[asked] if one.why)
    yield "Why a verdict of ours differs from the source's, all settings together:"
    yield ""
    yield from table(
        ["question", "why", "answers"],
        [
            [asked, why, f"{n:,}"]
            for (asked, why), n in sorted(reasons.items(), key=lambda x: (x[0][0], -x[1]))
        ],
    )
    lost = Counter(found.known.loop[i]["source"] for i in loops)
    yield (
        f"**Questions that nobody can answer.** In {len(loops)} loop questions "
        f"({', '.join(f'{n} of {name}' for name, n in lost.most_common())}) and {len(branches)} branch "
        "questions "
        "the truth names lines, or names, that are no blanks of the program in the prompt; mostly its "
        "lines were counted before "
        "docstrings and comments were taken out. Three more loop questions have an empty truth and are "
        "always right; three loops and one branch have none. [results.md](results.md) leaves all of them "
        "out, "
        "and for its state values moves a truth to the right line where loops match one to one."
    )
    yield ""
    others = ", ".join(f"{why}: {n}" for why, n in found.executed.others.most_common())
    yield (
        f"**Truths executed again.** Of the 164 programs that need no project, {len(found.executed.steps)} "
        "give "
        f"the recorded output here. The rest: {others}. The other 336 are recorded, not re-executed."
    )
    yield ""


def _re2_row(
    found: Everything, setting: Setting, asked: str, stated: dict[str, dict[str, float]]
) -> list[str]:
    answers = [one for one in setting.answers[asked] if one.theirs is not None]
    golden = stated[f"{setting.name}.{asked}"]
    published = _golden(golden, asked)
    if asked == "input":
        equal = sum(bool(one.again) for one in answers)
        executed = sum(bool(one.theirs) and not one.again for one in answers)
        again = f"{equal} equal, {executed} by execution only"
        ours = "not checkable"
    else:
        same = sum(one.again == one.theirs for one in answers)
        again = "reproduced" if same == len(answers) else f"{same} of {len(answers)}"
        kept = [one for one in answers if asked == "output" or found.known.answerable(asked, one.id)]
        n_right = sum(one.ours == "right" for one in kept)
        ours = f"{100 * n_right / len(kept):.1f} (n {len(kept)})"
    return [setting.name, asked, str(len(answers)), f"{100 * published:.1f}", again, ours]


def _golden(golden: dict[str, float], asked: str) -> float:
    return golden.get("total_rs_fn", golden["total_rs"]) if asked == "input" else golden["total_rs"]


def _lcb(found: Everything) -> Iterator[str]:
    n_stored = sum(run.n_stored for run in found.lcb)
    n_differ = sum(sum(run.differs.values()) for run in found.lcb)
    yield "## LiveCodeBench code execution, 43 runs"
    yield ""
    yield (
        f"{n_stored - n_differ:,} of {n_stored:,} stored verdicts are reproduced. In the other {n_differ} "
        "the answer is "
        "an expression or more than one statement, although a value was asked for; the source executes it in "
        "`assert output == ANSWER` and so lets a call of the program itself count as its result."
    )
    yield ""
    rows = []
    for run in found.lcb:
        if run.differs:
            here = sum(task.right for task in run.tasks)
            theirs = here + sum(run.differs.values())
            why = ", ".join(f"{why} {n}" for why, n in run.differs.most_common())
            rows.append(
                [run.name, f"{100 * theirs / run.n_stored:.4f}", f"{100 * here / run.n_stored:.4f}", why]
            )
    yield from table(["run", "pass@1 published", "ours", "why"], rows)
    equal = len(found.lcb) - len(rows)
    yield (
        f"The other {equal} runs are reproduced answer for answer. The 21 input runs were published without "
        "verdicts."
    )
    yield ""


def _exerscope(found: Everything) -> Iterator[str]:
    yield "## ExeRScope on CRUXEval"
    yield ""
    yield (
        "The source compares texts without blanks. Its rule, run again, reproduces all "
        f"{sum(one.n_stored for one, _ in found.exerscope):,} recorded verdicts."
    )
    yield ""
    rows = []
    for theirs, ours in found.exerscope:
        right, n = sum(task.right for task in theirs.tasks), theirs.n_answers
        here = sum(task.right for task in ours.tasks)
        why = [f"{why} {n}" for why, n in ours.differs.most_common()]
        if n < 800:
            why.append(f"{800 - n} tasks without an answer are left out of the published denominator")
        rows.append([
            theirs.model, f"{100 * right / n:.1f} (n {n})", f"{100 * here / 800:.1f} (n 800)", "; ".join(why)
        ])  # fmt: skip
    yield from table(["model", "published", "ours", "why"], rows)


def _others(found: Everything) -> Iterator[str]:
    yield "## CRUXEval, Qwen2.5-Coder, CRUXEval-X"
    yield ""
    rows = []
    for run in [*found.cruxeval, *found.qwen, *found.cruxeval_x]:
        if not run.tasks:
            is_apart = run.model.split()[-1] in ("js", "lua")
            why = "not run"
            if is_apart:
                why = "predicted inputs run apart, [all verdicts reproduced](benchmarks/cruxeval-x.md)"
            rows.append([run.source, run.model, f"{run.n_answers:,}", "as recorded", why])
            continue
        here, n = sum(task.right for task in run.tasks), sum(len(task.verdicts) for task in run.tasks)
        differ = sum(run.differs.values())
        why = ", ".join(f"{why} {n}" for why, n in run.differs.items()) or "all verdicts reproduced"
        rows.append(
            [
                run.source,
                run.model,
                f"{run.n_answers:,}",
                f"{100 * here / n:.4f}",
                f"{why}" if differ else why,
            ]
        )
    yield from table(["table", "model", "answers", "ours", "why it differs"], rows)


def _without_answers() -> Iterator[str]:
    yield "## Published cells without answers"
    yield ""
    yield (
        "Nothing can be graded again here. **Code Output Prediction** (release of 2026-09-11, five studies "
        "added up, percent of eligible answers; 49 of 11,200 without a response are left out by the source):"
    )
    yield ""
    settings = tomllib.loads(CELLS.read_text(encoding="utf-8"))
    cells = {(name, arm): counts for name, arms in settings.items() for arm, counts in arms.items()}
    arms = ["short-trace-final", "long-trace-final", "inside-loop-state", "post-loop-state"]
    names = sorted({name for name, _ in cells}, key=lambda name: -cells[name, arms[0]][0])
    yield from table(
        ["setting", *(f"{arm} †" for arm in arms)],
        [
            [name, *(f"{100 * a / n:.1f} (n {n})" for a, n in (cells[name, arm] for arm in arms))]
            for name in names
        ],
    )
    yield (
        "† the source's own figure. **LiveCodeBench's page**, 35 models: in "
        "[results.md](results.md#the-leaderboard)."
    )
    yield ""
