"""LeetCodeDataset: reference solutions of LeetCode problems with sample calls; what does a call return?

    deskcheck eval --model openai/gpt-4o --benchmark leetcode --data train.jsonl.gz -T statement=en \\
        -T doocs=path/to/doocs-leetcode

Source: Xia et al., arXiv 2504.14655; newfacade/LeetCodeDataset. License: Apache-2.0 on the hub, MIT in its
repository; solutions and statements are LeetCode's and their authors'. Row: task_id (slug), prompt (imports),
completion (`class Solution`), entry_point ("Solution().m"), input_output [{input: "n = 7, q = [1]", output}],
query (statement), difficulty. Trees and linked lists are built from level-order lists and converted back.
Options:
- statement=none|en|zh shows the statement without its examples; the drafts stay the same.
- doocs=PATH is a checkout of doocs/leetcode, or an index of such a checkout (JSON lines). It adds type tags,
  difficulty, contest rating, time and space complexity; a checkout also has Chinese statements.
- acceptance=PATH has JSON lines {"slug", "acceptance_rate"}.
- joined=yes keeps only problems that doocs has (with a checkout, those with a Chinese statement).
  statement=zh implies joined=yes; so add it to a run with statement=none or en that is compared with zh.
- language=java|cpp|.. (with a checkout) shows the solution in this language with the same call. That solution
  is not executed here: the truth is the run of the Python solution, and a case whose recorded output differs
  from it is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import msgspec

from deskcheck.benchmarks._doocs import About, read_acceptance, read_doocs, without_examples, without_values
from deskcheck.benchmarks._leetcode import PRELUDE, read_case
from deskcheck.data_files import list_field, rows_of, text_field
from deskcheck.errors import UnknownName, UserError
from deskcheck.records import Limits, Skipped, TaskDraft
from deskcheck.tracing.collect import trace_programs
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program

HUB = ("newfacade/LeetCodeDataset", "215604aeed660029df7de2fea5a4d7b6ed476a08", "LeetCodeDataset-train.jsonl")
# sha256 of LeetCodeDataset-v0.2.0-train.jsonl.gz in github.com/newfacade/LeetCodeDataset.
PINNED = frozenset({"7c3e4221572920a9e6c822083a327d2238ea70b5b3ba18459bee6855ef93e2c7"})
LIMITS = {"max_steps": 200_000}

LANGUAGES = {
    "python": "python", "java": "java", "cpp": "cpp", "go": "go", "ts": "typescript", "js": "javascript",
    "rust": "rust", "cs": "cs", "php": "php", "rb": "ruby", "swift": "swift", "kotlin": "kotlin",
    "scala": "scala",
}  # fmt: skip
"""Fence of a solution in doocs -> name of the language."""

Statement = Literal["none", "en", "zh"]
_NODE = re.compile(r"\b(?:list|tree)_node\(")


def drafts(
    data: str,
    *,
    statement: Statement = "none",
    doocs: str = "",
    acceptance: str = "",
    joined: Literal["yes", "no"] = "no",
    language: str = "python",
    kind: str = "output",
) -> Iterator[TaskDraft | Skipped]:
    """Yield every case with a literal input and output, in the order of the file; ids are "slug:case".

    Questions of the kind "input" leave out calls with nodes, which no literal makes.
    """
    if language not in LANGUAGES:
        raise UnknownName("language of benchmark 'leetcode' (-T language=)", language, list(LANGUAGES))
    if language != "python" and not (doocs and Path(doocs).is_dir()):
        raise UserError(f"-T language={language} needs -T doocs=PATH of a doocs/leetcode checkout")
    found = _in_python(data, statement, doocs, acceptance, joined)
    rows = found if language == "python" else _translated(list(found), language, read_doocs(doocs))
    for row in rows:
        makes_nodes = isinstance(row, TaskDraft) and _NODE.search(row.program.arguments)
        yield (
            Skipped(row.id, "its arguments are nodes, no literals")
            if kind == "input" and makes_nodes
            else row
        )


def _translated(
    rows: list[TaskDraft | Skipped], language: str, about: dict[str, About]
) -> Iterator[TaskDraft | Skipped]:
    """Yield the drafts with doocs's solution in another language; their answers come from the Python runs."""
    runs = trace_programs([draft.program for draft in rows if isinstance(draft, TaskDraft)], Limits(**LIMITS))
    for draft in rows:
        if isinstance(draft, Skipped):
            yield draft
            continue
        answer = outcome_text(next(runs)[1])
        source = about.get(draft.cluster, About()).solutions.get(language, "")
        if not source:
            yield Skipped(draft.id, f"no {language} solution in doocs")
        elif not draft.recorded or answer != draft.recorded:
            yield Skipped(draft.id, "the Python run does not give the recorded output")
        else:
            program = make_program(
                source,
                draft.program.entry,
                draft.program.arguments,
                origin=f"{draft.program.origin}:{language}",
                language=LANGUAGES[language],
            )
            tags = draft.tags | {"language": LANGUAGES[language], "truth": "executed in Python"}
            yield msgspec.structs.replace(draft, program=program, tags=tags)


def _in_python(
    data: str, statement: Statement, doocs: str, acceptance: str, joined: str
) -> Iterator[TaskDraft | Skipped]:
    checkout = bool(doocs) and Path(doocs).is_dir()
    if statement == "zh" and not checkout:
        raise UserError("-T statement=zh needs -T doocs=PATH of a doocs/leetcode checkout")
    about = read_doocs(doocs) if doocs else {}
    rates = read_acceptance(acceptance) if acceptance else {}
    only_joined = joined == "yes" or statement == "zh"
    for path, number, row in rows_of(data, HUB):
        slug, imports, source, entry = (
            text_field(row, name, path, number) for name in ("task_id", "prompt", "completion", "entry_point")
        )
        facts = about.get(slug, About())
        known = slug in about and bool(facts.zh or not checkout)
        english = without_examples(str(row.get("query", "")))
        words = {"none": "", "en": english, "zh": facts.zh}[statement]
        tags = _tags(row, facts, rates.get(slug, ""))
        prelude, sources = imports + PRELUDE, {source: source}  # one text for all cases of a problem
        for k, pair in enumerate(list_field(row, "input_output", path, number)):
            identity = f"{slug}:{k}"
            case = read_case(pair, source, entry)
            if case is None or (only_joined and not known):
                yield Skipped(identity, "not in doocs" if case else "not literal on both sides")
                continue
            program = make_program(
                sources.setdefault(case.source, case.source),
                case.entry,
                case.arguments,
                origin=f"leetcode:{identity}",
                prelude=prelude,
            )
            shown = without_values(words, case.values)
            failed = {} if case.answer else {"recorded": "a failure"}
            yield TaskDraft(identity, program, case.answer, cluster=slug, tags=tags | failed, statement=shown)


def _tags(row: dict[str, object], facts: About, rate: str) -> dict[str, str]:
    meta = row.get("meta")
    difficulty = row.get("difficulty") or (meta.get("difficulty") if isinstance(meta, dict) else "")
    tags = {
        "difficulty": str(difficulty or facts.difficulty),
        "rating": facts.rating,
        "types": facts.types,
        "types_zh": facts.types_zh,
        "time": facts.time,
        "space": facts.space,
        "acceptance": rate,
    }
    return {name: text for name, text in tags.items() if text}
