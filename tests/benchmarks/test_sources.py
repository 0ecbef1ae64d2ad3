"""What each file of the folder makes of its rows: calls, answers, statements, tags, what it leaves out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.benchmarks import rows

from deskcheck import plugins
from deskcheck.benchmarks import (
    _leetcode,
    cruxeval_x,
    files,
    fresh,
    humaneval,
    leetcode,
    mbpp,
    mbpp_nested,
    reval,
)
from deskcheck.benchmarks._calls import asserted, call_and_answer
from deskcheck.benchmarks._doocs import without_examples, without_values
from deskcheck.benchmarks._reval_tests import callable_test
from deskcheck.errors import DataError, UnknownName, UserError
from deskcheck.evaluation.truth import RECORDED, build_tasks
from deskcheck.questions import tasks_of
from deskcheck.records import Limits, Skipped, TaskDraft
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.reference import trace_program


def split(found: object) -> tuple[list[TaskDraft], list[Skipped]]:
    """Items, and what is none."""
    everything = list(found)  # type: ignore[call-overload]
    return (
        [one for one in everything if isinstance(one, TaskDraft)],
        [one for one in everything if isinstance(one, Skipped)],
    )


def rows_of(name: str, folder: Path) -> str:
    return rows.data_of(name, folder)[0]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("assert f([1], k='a)') == 3", ("f", "[1], k='a)'", "3")),
        ("assert S().m( 1 ) == [1, (2,)], 'why'", ("S().m", "1", "[1, (2,)]")),
        ("assert f() is True", ("f", "", "True")),
        ("assert f(1) == g(2)", None),
        ("assert f(1) != 2", None),
        ("assert 1 == f(1)", None),
        ("assert f(1)", None),
        ("assert f(1) == 2 == 3", None),
        ("f(1) == 2", None),
        ("assert (", None),
    ],
)
def test_a_call_and_its_answer_are_taken_out_of_an_assert(text: str, expected: object) -> None:
    assert call_and_answer(text) == expected


def test_calls_keep_their_text_and_asserts_their_order() -> None:
    found = asserted(
        "def check(c):\n    assert c(1) == 2\n    for x in y:\n        assert c(x) == 1\n    assert c(3) == 4"
    )
    assert [pair and pair[2] for _, pair in found] == ["2", "1", "4"]


def test_mbpp_counts_what_is_no_item_and_shows_statements_if_asked(tmp_path: Path) -> None:
    drafts, skipped = split(mbpp.drafts(rows_of("mbpp", tmp_path)))
    assert [draft.id for draft in drafts] == ["11:0", "11:1", "12:0"]
    assert [(one.id, one.reason) for one in skipped] == [
        ("12:1", "the call is inside another"),
        ("12:2", "no assert of the form call == literal"),
    ]
    assert "\r" not in drafts[0].program.source
    assert (drafts[0].program.prelude, drafts[0].tags, drafts[0].cluster) == (
        "import math\n",
        {"split": "test"},
        "11",
    )
    assert not drafts[0].statement
    (first, *_), _ = split(mbpp.drafts(rows_of("mbpp", tmp_path), statement="en"))
    assert first.statement.startswith("Write a function")
    assert first.program == drafts[0].program
    assert list(mbpp.drafts(rows_of("mbpp", tmp_path), split="train")) == []


def test_nested_loops_are_loops_in_loops(tmp_path: Path) -> None:
    drafts, _ = split(mbpp_nested.drafts(rows_of("mbpp-nested", tmp_path)))
    assert {draft.cluster for draft in drafts} == {"11"}
    assert mbpp_nested.has_nested_loops("while a:\n    if b:\n        for c in d: pass")
    assert not mbpp_nested.has_nested_loops("for a in b: pass\nfor c in d: [x for y in z for x in y]")


def test_humaneval_shows_no_examples(tmp_path: Path) -> None:
    drafts, skipped = split(humaneval.drafts(rows_of("humaneval", tmp_path), statement="en"))
    assert [draft.program.call for draft in drafts] == ["even([1, 2, 4])", "even([1])"]
    assert [one.id for one in skipped] == ["0:2"]
    assert drafts[0].statement == "Keep the even numbers."
    assert ">>>" not in drafts[0].program.source and '"""' not in drafts[0].program.source
    assert drafts[0].program.source == rows.EVEN


def test_leetcode_reads_json_values_trees_and_lists(tmp_path: Path) -> None:
    drafts, skipped = split(leetcode.drafts(rows_of("leetcode", tmp_path)))
    assert [one.id for one in skipped] == ["keep-even:2"]
    plain, _, tree = drafts
    assert plain.program.call == "Solution().keep(xs = [1, 2, 4], flag = False)"
    assert tree.program.call == "as_list(Solution().mirror)(root = tree_node([1, 2, None, 3]))"
    assert tree.program.source.startswith(_leetcode.NODES_SAID)
    assert (plain.tags, tree.tags) == ({"difficulty": "Easy"}, {"difficulty": "Medium"})
    for draft in drafts:
        assert outcome_text(trace_program(draft.program, Limits())) == draft.recorded


@pytest.mark.parametrize("values", [[], [1], [1, 2, 3], [1, None, 2, 3], [5, 4, None, 3, None, 2]])
def test_trees_come_back_as_they_were_given(values: list[int | None]) -> None:
    names: dict[str, object] = {}
    exec(_leetcode.PRELUDE, names)
    same = names["as_list"](lambda x: x)  # type: ignore[operator]
    assert same(names["tree_node"](values)) == values  # type: ignore[operator]
    numbers = [value for value in values if value is not None]
    assert same(names["list_node"](numbers)) == numbers  # type: ignore[operator]


def test_a_statement_loses_its_examples_and_every_value_of_the_call(tmp_path: Path) -> None:
    drafts, _ = split(leetcode.drafts(rows_of("leetcode", tmp_path), statement="en"))
    assert drafts[0].statement == "Order counts.\n\nConstraints:\n\nxs has at most 9 entries."
    assert drafts[1].statement.startswith("Given xs, keep its even numbers")
    assert "Example" not in drafts[1].statement and "Output" not in drafts[1].statement
    text = "题目。\n示例 1：\n输入：s = 1\n输出：2\n提示：\n1 <= s"
    assert without_examples(text) == "题目。\n提示：\n1 <= s"
    assert without_values("Say “abcd” twice. Then stop!", ["'abcd'"]) == "Then stop!"


README = """\
---
difficulty: {difficulty}
rating: 1500
tags:
    - {tag}
    - {second}
---

# [{title}](https://leetcode.{domain}/problems/{slug})

<!-- description:start -->

<p>{words}</p>

<p><strong>{example} 1：</strong></p>

<pre>
xs = [1,2,4]
</pre>

<p><strong>{limits}：</strong></p>
<ul><li>xs &lt;= 10<sup>4</sup></li></ul>

<!-- description:end -->

时间复杂度 $O(n \\log n)$，空间复杂度 $O(n)$。
"""


def checkout(folder: Path) -> Path:
    """Three problems as a doocs/leetcode checkout has them; the third has no Chinese statement."""
    for number, slug in enumerate(("keep-even", "mirror", "other")):
        place = folder / "doocs" / "solution" / "0000-0099" / f"{number:04}.{slug}"
        place.mkdir(parents=True)
        chinese = README.format(
            difficulty="简单", tag="数组", second="树", title=slug, domain="cn", slug=slug,
            words="保留偶数。", example="示例", limits="提示",
        )  # fmt: skip
        if slug == "other":
            chinese = chinese.replace("description:start", "nothing")
        (place / "README.md").write_text(chinese, encoding="utf-8")
        english = README.format(
            difficulty="Easy", tag="Array", second="Tree", title=slug, domain="com", slug=slug,
            words="Keep.", example="Example", limits="Constraints",
        )  # fmt: skip
        (place / "README_EN.md").write_text(english, encoding="utf-8")
    return folder / "doocs"


def test_a_doocs_checkout_gives_tags_and_chinese_statements_of_the_same_items(tmp_path: Path) -> None:
    data, place = rows_of("leetcode", tmp_path), str(checkout(tmp_path))
    found = {
        language: split(leetcode.drafts(data, statement=language, doocs=place, joined="yes"))[0]  # type: ignore[arg-type]
        for language in ("none", "en", "zh")
    }
    assert len({tuple(draft.program.id for draft in drafts) for drafts in found.values()}) == 1
    assert [len(drafts) for drafts in found.values()] == [3, 3, 3]
    first = found["zh"][0]
    assert first.statement == "保留偶数。\n提示：\nxs <= 10^4"
    tags = {"types": "Array; Tree", "types_zh": "数组; 树", "time": "O(n \\log n)", "space": "O(n)"}
    tags["rating"] = "1500"
    assert first.tags == {"difficulty": "Easy", **tags}


@pytest.mark.parametrize("mark", ["solution", "tabs"])
def test_a_solution_of_doocs_in_another_language_keeps_the_call_and_the_python_truth(
    tmp_path: Path, mark: str
) -> None:
    """`tabs`: checkouts of before the middle of 2024."""
    place = checkout(tmp_path)
    readme = place / "solution/0000-0099/0000.keep-even/README.md"
    solutions = "".join(
        f"#### X\n\n```{name}\nclass {name} {{\n}}\n```\n\n" for name in ("python", "java", "java")
    )
    readme.write_text(readme.read_text() + f"<!-- {mark}:start -->\n{solutions}<!-- {mark}:end -->\n")
    data = rows_of("leetcode", tmp_path)
    in_python, _ = split(leetcode.drafts(data, doocs=str(place)))
    drafts, skipped = split(leetcode.drafts(data, doocs=str(place), language="java"))
    first = in_python[0]
    assert [(one.id, one.program.source, one.program.language) for one in drafts] == [
        (draft.id, "class java {\n}\n", "java") for draft in in_python if draft.cluster == "keep-even"
    ]
    assert (drafts[0].program.call, drafts[0].recorded) == (first.program.call, first.recorded)
    assert drafts[0].tags["truth"] == "executed in Python"
    assert "no java solution in doocs" in {one.reason for one in skipped}
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(Path(data).read_text().replace('"[2,4]"', '"[7]"'))
    _, skipped = split(leetcode.drafts(str(wrong), doocs=str(place), language="java"))
    assert first.id in {one.id for one in skipped if "does not give the recorded" in one.reason}
    for options in ({"language": "java"}, {"language": "cobol", "doocs": str(place)}):
        with pytest.raises(UserError, match="-T language="):
            list(leetcode.drafts(data, **options))  # type: ignore[arg-type]


def test_an_index_and_acceptance_rates_are_joined_by_slug(tmp_path: Path) -> None:
    index = tmp_path / "index.jsonl"
    index.write_text(json.dumps({"slug": "mirror", "tags_en": ["Tree"], "tags_zh": ["树"], "rating": 1399.5}))
    rates = tmp_path / "rates.jsonl"
    rates.write_text(json.dumps({"slug": "keep-even", "acceptance_rate": 51.5}))
    drafts, _ = split(leetcode.drafts(rows_of("leetcode", tmp_path), doocs=str(index), acceptance=str(rates)))
    assert drafts[0].tags == {"difficulty": "Easy", "acceptance": "51.5"}
    assert drafts[-1].tags == {"difficulty": "Medium", "types": "Tree", "types_zh": "树", "rating": "1399.5"}
    joined, skipped = split(leetcode.drafts(rows_of("leetcode", tmp_path), doocs=str(index), joined="yes"))
    assert [draft.cluster for draft in joined] == ["mirror"]
    assert {one.reason for one in skipped} == {"not in doocs", "not literal on both sides"}
    with pytest.raises(UserError, match="checkout"):
        list(leetcode.drafts(rows_of("leetcode", tmp_path), statement="zh", doocs=str(index)))
    with pytest.raises(UserError, match="no doocs/leetcode checkout"):
        list(leetcode.drafts(rows_of("leetcode", tmp_path), doocs="nowhere"))


def test_reval_asks_at_its_own_lines(tmp_path: Path) -> None:
    drafts, skipped = split(reval.drafts(rows_of("reval", tmp_path)))
    assert [(draft.id, draft.line, draft.variable) for draft in drafts] == [
        ("0:0:5:found", 5, "found"), ("0:0:6:found", 6, "found"), ("1:0:6:n", 6, "n"),
        ("2:0:7:left", 7, "left"), ("2:0:9:self.items", 9, "self.items"),
    ]  # fmt: skip
    assert [(one.id, one.reason) for one in skipped] == [
        ("2:1", "a test that needs its setUp"), ("2:2", "a test whose indented lines are lost"),
    ]  # fmt: skip
    assert drafts[2].program.call == "pairs([1, 2, 3], 4)"
    assert drafts[2].recorded == "1"
    runs, _ = split(reval.drafts(rows_of("reval", tmp_path), ask="runs"))
    assert [draft.id for draft in runs] == ["0:0", "1:0", "2:0"]
    with pytest.raises(UserError, match="--data FOLDER"):
        list(reval.drafts(""))
    (tmp_path / "reval" / "DREval_tasks.jsonl").write_text('{"idx": 7, "tasks": []}\n')
    with pytest.raises(DataError, match="idx 7, but"):
        list(reval.drafts(str(tmp_path / "reval")))


def test_a_unit_test_of_reval_becomes_a_call_that_returns_what_it_asserts(tmp_path: Path) -> None:
    draft = split(reval.drafts(rows_of("reval", tmp_path)))[0][3]
    assert draft.program.call == "reval_test()"
    assert draft.program.source.startswith(rows.BOX)
    assert draft.program.source.split("def reval_test():\n")[1] == (
        "    seen = []\n    box = Box(2)\n    for n in (3, 4):\n        box.put(n)\n"
        "    seen.append(__import__('copy').deepcopy(box.total()))\n"
        "    seen.append(__import__('copy').deepcopy(box.full))\n    return seen\n"
    )
    trace = trace_program(draft.program, Limits())
    for kind, expected in (("output", "[7, True]"), ("state", "(2, 'int')"), ("reached", "True")):
        (task,) = tasks_of(kind, draft, trace, benchmark="reval")
        assert task.expected == expected
    assert callable_test("x = 1", "assertEqual(x, 1)\nassertEqual([x], [1])")[1] == "[1, [1]]"
    assert callable_test("x = 1", "assertEqual(x, x)")[1] == ""
    assert callable_test("x = 1", "assertEqual(7, f())")[0].endswith("    return f()\n")
    assert callable_test("x = 1", "assertEqual(7, f())")[1] == "7"
    looped, recorded = callable_test("x = 1", "for n in (1, 2):\n    assertEqual(n, f(n))")
    assert "        seen.append(__import__('copy').deepcopy(n))\n    return seen\n" in looped
    assert recorded == ""
    assert callable_test("x = 1", "x") == "a test without an assert"


def test_other_languages_keep_the_recorded_answer_and_say_so(tmp_path: Path) -> None:
    data = rows_of("cruxeval-x", tmp_path)
    drafts, _ = split(cruxeval_x.drafts(data))
    assert [(draft.program.call, draft.recorded) for draft in drafts] == [
        ("f([1, 2])", "2"), ('f("a")', "'a)'"), ("f(3)", "[3, 3]"),
    ]  # fmt: skip
    assert drafts[0].program.language == "ruby"
    assert "assert_equal" not in drafts[0].program.source
    found = build_tasks("cruxeval-x", data=data)
    assert (found.recorded, len(found.tasks)) == ([draft.id for draft in drafts], 3)
    assert {task.tags["truth"] for task in found.tasks} == {RECORDED}
    assert {one.reason for one in build_tasks("cruxeval-x", kind="coverage", data=data).dropped} == {
        "not run here"
    }
    with pytest.raises(UnknownName, match="rkt, rs, scala"):
        list(cruxeval_x.drafts(data, language="cobol"))


def test_python_rows_of_cruxeval_x_are_run(tmp_path: Path) -> None:
    code = "def f(n):\n    return [n, True]\n\ndef check(candidate):\n"
    code += "    assert candidate(3) == [3, True]\n\ncheck(f)\n"
    row = {"id": 4, "code": code, "input_reasoning": "assert candidate(????) == [3, True]\n\ncheck(f)\n"}
    row["output_reasoning"] = "assert candidate(3) == ????\n\ncheck(f)\n"
    (tmp_path / "py.json").write_text(json.dumps([row]))
    (draft,) = cruxeval_x.drafts(str(tmp_path / "py.json"))
    assert isinstance(draft, TaskDraft)
    assert draft.program.source == "def f(n):\n    return [n, True]\n"
    assert outcome_text(trace_program(draft.program, Limits())) == draft.recorded == "[3, True]"


def test_files_are_the_users_own(tmp_path: Path) -> None:
    drafts, _ = split(files.drafts(rows_of("files", tmp_path)))
    assert [(draft.id, draft.program.call, draft.cluster) for draft in drafts] == [
        ("own.py:0", "even([1, 2])", "own.py"), ("own.py:1", "even([6])", "own.py"),
    ]  # fmt: skip
    (draft,), _ = split(files.drafts(str(tmp_path / "own.py"), call="even([7, 8])"))
    assert draft.program.call == "even([7, 8])"
    found, _ = split(files.drafts(str(tmp_path)))
    assert [draft.id for draft in found] == ["own.py:0", "own.py:1"]
    with pytest.raises(UserError, match="--data"):
        list(files.drafts(""))


def test_fresh_is_dialled() -> None:
    ids = [draft.program.id for draft in fresh.drafts("", seed=7, n=8)]
    assert ids == [draft.program.id for draft in fresh.drafts("", seed=7, n=12)][:8]
    assert not set(ids) & {draft.program.id for draft in fresh.drafts("", seed=8, n=8)}
    for draft in fresh.drafts(
        "", seed=7, n=3, level="easy", steps="4-9", types="int,str", operations="+", largest=500
    ):
        trace = trace_program(draft.program, Limits())
        assert 4 <= trace.n_steps <= 9
        assert " - " not in draft.program.source and "//" not in draft.program.source
        assert "[" not in draft.program.arguments and "{" not in draft.program.arguments
        assert all(abs(number) <= 500 for number in trace.values.number)
    for draft in fresh.drafts("", seed=7, n=3, calls=2):
        assert draft.program.source.count("def ") == 2


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"level": "brutal"}, "known are easy, medium, hard"),
        ({"steps": "20"}, "LOW-HIGH"),
        ({"types": "float"}, "known are int, str, list, dict"),
        ({"operations": "**"}, "known are"),
        ({"steps": "40-40", "calls": 9}, "the dials are too tight together"),
    ],
)
def test_a_dial_that_cannot_be_is_refused(
    options: dict[str, object], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fresh, "PATIENCE", 60)
    with pytest.raises(UserError, match=words):
        list(fresh.drafts("", n=2, **options))  # type: ignore[arg-type]


def test_options_are_read_as_the_benchmark_declares_them() -> None:
    found = build_tasks("fresh", options={"n": "2", "seed": "3", "raising": "0"})
    assert len(found.ids) == 2
    for options, words in (
        ({"n": "two"}, "option n=two"),
        ({"statement": "en"}, "it takes: seed, month, n, level"),
    ):
        with pytest.raises(UserError, match=words):
            build_tasks("fresh", options=options)
    with pytest.raises(UserError, match="it takes: perturb"):
        build_tasks("written", options={"n": "1"})
    with pytest.raises(UnknownName, match="no question called 'outputs'"):
        build_tasks("core", kind="outputs")
    assert "statement" in plugins.load("benchmark", "core").drafts.__kwdefaults__


PLUS_TEST = """\
import numpy as np
def assertion(out, exp, atol):
    assert out == exp
def check(candidate):
    inputs = [[[1, 2, 4]], [[]], [[x for x in (1,)]]]
    results = [[2, 4], list(), []]
    for i, (inp, exp) in enumerate(zip(inputs, results)):
        assertion(candidate(*inp), exp, 0)
"""


def test_humaneval_plus_in_both_layouts(tmp_path: Path) -> None:
    row = rows.HUMANEVAL[0]
    file = tmp_path / "plus.jsonl"
    file.write_text(json.dumps({**row, "test": PLUS_TEST}), encoding="utf-8")
    drafts, skipped = split(humaneval.drafts(str(file)))
    assert [(i.id, i.program.arguments, i.recorded) for i in drafts] == [
        ("0:0", "[1, 2, 4]", "[2, 4]"),
        ("0:1", "[]", ""),  # its result is a call: executed, not recorded
    ]
    assert [(one.id, one.reason) for one in skipped] == [("0:2", "an input that is no literal")]
    lines = {**row, "base_input": [[[1, 2]]], "plus_input": [[[4]], 3]}
    file.write_text(json.dumps({k: v for k, v in lines.items() if k != "test"}), encoding="utf-8")
    drafts, skipped = split(humaneval.drafts(str(file)))
    assert [(i.id, i.program.arguments, i.recorded) for i in drafts] == [
        ("0:0", "[1, 2]", ""),
        ("0:1", "[4]", ""),
    ]
    assert [(one.id, one.reason) for one in skipped] == [("0:2", "an input that is no list of arguments")]
    assert len(split(humaneval.drafts(str(file), cases=1))[0]) == 1
    shorter = PLUS_TEST.replace("list(), ", "")
    file.write_text(json.dumps({**row, "test": shorter}), encoding="utf-8")
    with pytest.raises(DataError, match="3 inputs and 2 results"):
        list(humaneval.drafts(str(file)))


def test_mbpp_plus_has_its_inputs_in_the_test(tmp_path: Path) -> None:
    row = {
        **rows.MBPP[1],
        "test": "inputs = [[[1, 2]], [[(3, 4)]]]\nresults = [[2], []]\nfor i in inputs: pass",
    }
    file = tmp_path / "plus.jsonl"
    file.write_text(json.dumps(row), encoding="utf-8")
    drafts, skipped = split(mbpp.drafts(str(file)))
    assert skipped == []
    assert [(i.id, i.program.call, i.recorded) for i in drafts] == [
        ("12:0", "even([1, 2])", "[2]"),
        ("12:1", "even([(3, 4)])", "[]"),
    ]
    file.write_text(json.dumps({**row, "base_input": [], "plus_input": []}), encoding="utf-8")
    with pytest.raises(DataError, match="have lost the types of tuples"):
        list(mbpp.drafts(str(file)))


def test_fresh_by_month_is_one_seed_for_everyone() -> None:
    of_month = [(one.id, one.program.source) for one in fresh.drafts("", month="2026-11", n=2)]
    assert of_month == [(one.id, one.program.source) for one in fresh.drafts("", seed=202611, n=2)]
    assert of_month != [(one.id, one.program.source) for one in fresh.drafts("", month="2026-12", n=2)]
    for wrong in ("2026-13", "2026", "26-11", "2026-1"):
        with pytest.raises(UserError, match="YEAR-MONTH"):
            list(fresh.drafts("", month=wrong))
    with pytest.raises(UserError, match="leave out seed=7"):
        list(fresh.drafts("", month="2026-11", seed=7))
