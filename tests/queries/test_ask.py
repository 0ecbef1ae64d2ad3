"""Answers about a run agree with brute force over its states, and nothing of the program runs for them."""

from __future__ import annotations

import json
from random import Random

import pytest
from tests.queries.programs import PROGRAMS, moments, run_of

import deskcheck
from deskcheck.errors import MissingExtra, UserError
from deskcheck.languages import MissingPart, part
from deskcheck.queries.ask import ask
from deskcheck.queries.why import why

RUNS = [(source, call) for source, calls in PROGRAMS.values() for call in calls]


@pytest.mark.parametrize(("source", "call"), RUNS[::2])
def test_a_value_is_made_by_the_last_line_before_which_it_was_another(source: str, call: str):
    """Over every variable at every step of the outermost call, against a recorder of the test's own."""
    run, rows = run_of(source, call), moments(source, call)
    assert [(m.line) for m in rows] == [run.trace.events.line[event] for event in run.lines]
    for step, moment in enumerate(rows, start=1):
        if moment.depth > 1:
            continue
        for name, text in moment.names.items():
            alone = [m.alone.get(name) for m in rows[:step]]
            answer = why(run, name, step)
            before = [k for k in range(1, step) if rows[k - 1].depth == 1 and alone[k - 1] != alone[step - 1]]
            made = answer.link.at.step
            assert text and made < step
            assert made >= max(before, default=0), (name, step, str(answer))


CONDITIONS = {
    "sums": ["x > 3", "total >= len(seen)", "x in seen", "seen and seen[-1] > total", "not seen",
             "total - 1 < limit and len(xs) > 2", "max(xs) == x", "sum(seen) % 2 == 1", "xs[0] == x",
             "seen[:1] == [total]"],
    "counts": ["word in text", "len(table) > 1", "best is None", "2 in table", "size * n > 3", "table == {}",
               "'bb' in table[2]", "word[0] == 'a'", "best is not None and best > 1"],
    "calls": ["n % 2 == 0", "path[-1] == n", "k < 2 or n == 1", "-n < -3", "abs(n - 5) > 2"],
    "aliases": ["a == b", "len(a) > len(b)", "i in a", "rows[0] == a", "a is b", "flag and i > 1"],
    "errors": ["missing > 0", "key in table", "total == missing", "key < 'b'", "[missing, total] == [1, 0]"],
}  # fmt: skip


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_holds_where_pythons_own_evaluation_says_so(name: str):
    source, calls = PROGRAMS[name]
    space: dict[str, object] = {}
    exec(source, space)
    n_true = 0
    for call in calls:
        run = run_of(source, call)
        states = deskcheck.Trace(run.program, run.trace)
        for text in CONDITIONS[name]:
            try:
                answer = ask(run, f"where {text}")
            except UserError:  # a variable that this call never binds
                continue
            expected, undefined = [], 0
            for step in states:
                try:
                    holds = eval(text, {}, dict(step.locals))
                except (NameError, IndexError, KeyError, TypeError, ValueError):
                    undefined += 1
                    continue
                expected += [step.number] if holds else []
            assert (answer.n, answer.n_undefined) == (len(expected), undefined), (call, text)  # type: ignore[attr-defined]  # a Where
            assert [m.at.step for m in answer.matches] == expected[:20]  # type: ignore[attr-defined]  # a Where
            n_true += len(expected)
    assert n_true > 20


WITNESS = """
count = 0


class Loud:
    def __init__(self, n):
        self.n = n

    def __eq__(self, other):
        global count
        count += 1
        return True

    def __getattr__(self, name):
        global count
        count += 1
        return 7

    __len__ = __bool__ = __hash__ = __lt__ = __gt__ = __contains__ = __add__ = lambda self, *_: 1 / 0


def f(n):
    a = Loud(n)
    b = [Loud(n)]
    return n
"""


def test_no_code_of_the_program_runs_for_a_condition():
    run = run_of(WITNESS, "3")
    for text in ("a == 3", "a == b[0]", "a.n == 3", "a.other == 7", "a in b", "len(a) > 1", "a < 2", "not a"):
        assert str(ask(run, f"where {text}"))
    assert ask(run, "where a.n == 3").n == 2  # type: ignore[attr-defined]  # a Where
    assert ask(run, "where a == 3").n == 0  # type: ignore[attr-defined]  # __eq__ would say yes
    assert ask(run, "where a.other == 7").n_undefined == 5  # type: ignore[attr-defined]  # a Where
    assert "count = 0" in str(ask(run, "why count at step 2"))


@pytest.mark.parametrize(
    "text",
    ["f(3)", "open('x')", "n.bit_length()", "(lambda: 1)()", "[x for x in n]", "f'{n}'", "n := 3", "print",
     "exec('1')", "len(*n)", "max(n, key=len)", "n; m", "", "while True: pass"],
)  # fmt: skip
def test_a_condition_that_could_run_code_is_refused(text: str):
    run = run_of("def f(n):\n    m = n\n    return m\n", "3")
    with pytest.raises(UserError):
        ask(run, f"where {text}")


@pytest.mark.parametrize(
    "text", ["9 ** 9 ** 9 > n", "'a' * 10 ** 9 == m", "1 << 10 ** 9 > n", "'%999999999d' % n == m"]
)
def test_a_condition_whose_result_would_be_huge_has_no_value(text: str):
    run = run_of("def f(n):\n    m = n\n    return m\n", "3")
    assert ask(run, f"where {text}").n == 0  # type: ignore[attr-defined]  # a Where


def test_attributes_of_plain_values_are_not_reached():
    run = run_of("def f(n):\n    m = n\n    return m\n", "3")
    assert ask(run, "where n.__class__ == 3").n_undefined == 2  # type: ignore[attr-defined]  # a Where


def test_changes_lists_every_value_of_a_variable_with_its_line():
    source, calls = PROGRAMS["sums"]
    for call in calls:
        rows, answer = moments(source, call), ask(run_of(source, call), "changes total")
        texts = [m.names["total"].partition(":")[2] for m in rows if "total" in m.names]
        runs = [text for at, text in enumerate(texts) if at == 0 or texts[at - 1] != text]
        after = [change.after for change in answer.changes]  # type: ignore[attr-defined]  # a Changes
        assert [text for at, text in enumerate(after) if at == 0 or after[at - 1] != text] == runs
        assert {c.at.text.split()[0] for c in answer.changes} == {"total"}  # type: ignore[attr-defined]  # likewise


def test_a_value_made_by_a_call_leads_into_the_function():
    run = run_of(*[PROGRAMS["calls"][0], "20, 9"])
    lines = [f"{link.name} {link.way} {link.at.text}" for link in tree(why(run, "n", 7).link)]
    assert lines[0] == "n made n = half(n)"
    assert "half(..) returned return m" in lines and "m made m = n // 2" in lines
    assert "n passed n = half(n)" in lines


def tree(link: object) -> list[object]:
    return [link, *(inner for source in link.sources for inner in tree(source))]  # type: ignore[attr-defined]  # a Link


@pytest.mark.parametrize("line", ["[*xs, 5]", "[1, 2]", "{**{1: 2}, 3: 4}", "{*xs, 9}", "[x for x in xs]"])
def test_an_object_that_a_line_makes_and_fills_is_made_there(line: str):
    run = run_of(f"def f(xs):\n    h = {line}\n    k = [h]\n    xs.append(1)\n    return k\n", "[7, 8]")
    (link,) = [link for link in tree(why(run, "k").link) if link.name == "h"]
    found = [(each.way, each.at.line) for each in (why(run, "h").link, why(run, "k").link, link)]
    assert found == [("made", 2), ("made", 3), ("made", 2)]
    assert why(run, "xs").link.way == "changed"


def test_an_item_and_an_attribute_have_writes_of_their_own():
    run = run_of("def f(n):\n    xs = [1, n]\n    xs.insert(0, 5)\n    xs[1] = 9\n    return xs\n", "3")
    assert "made at step 1" in str(ask(run, "why xs[2]")) or "step 1, line 2" in str(ask(run, "why xs[2]"))
    assert "step 3, line 4: xs[1] = 9" in str(ask(run, "why xs[1]"))
    assert "step 2, line 3" in str(ask(run, "why xs[0]"))
    nodes = run_of(PROGRAMS["nodes"][0], "[1, 5, 2], 3")
    assert "top.value = k" in str(ask(nodes, "changes top.value"))


def test_exceptions_are_listed_with_where_they_were_caught():
    source, _ = PROGRAMS["errors"]
    answer = ask(run_of(source, "['x', 'y', 'z'], {}"), "raised")
    kinds = [(e.type, e.message, e.at.text, e.caught is None) for e in answer.exceptions]  # type: ignore[attr-defined]  # a Raises
    assert kinds == [
        ("KeyError", "'x'", "total += table[key]", False),
        ("KeyError", "'y'", "total += table[key]", False),
        ("ValueError", "y", "raise ValueError(key)", True),
    ]


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("why nothing", "recorded: n, m"),
        ("why m at step 99", "no step 99"),
        ("why m at step 1", "no variable 'm' before step 1"),
        ("why xs[", "no variable 'xs'"),
        ("why m[0]", "no m[0]"),
        ("where q > 1", "no variable 'q'"),
        ("changes q", "no variable 'q'"),
        ("how so", "the questions: why NAME"),
        ("", "the questions: why NAME"),
    ],
)
def test_a_question_without_an_answer_says_what_is_there(question: str, words: str):
    run = run_of("def f(n):\n    m = n\n    return m\n", "3")
    with pytest.raises(UserError) as error:
        ask(run, question)
    assert words in str(error.value) or question == "why xs["


def test_every_answer_is_plain_data_and_text():
    random = Random(4)
    for source, call in random.sample(RUNS, 6):
        run = run_of(source, call)
        name = next(iter(run.names()))
        for question in (f"why {name}", f"changes {name}", f"where {name} == {name}", "raised"):
            try:
                answer = ask(run, question)
            except UserError as error:
                assert "before the run" in str(error)
                continue
            assert json.loads(answer.to_json()) == answer.to_dict() and str(answer)


def test_the_methods_give_the_same_answers_as_the_words():
    trace = deskcheck.trace(total, [2, 3])
    assert trace.ask("why s").to_dict() == trace.ask.why("s").to_dict()
    assert trace.ask.where("s > 1").n == trace.ask("where s > 1").n  # type: ignore[attr-defined]  # a Where
    assert trace.diff(deskcheck.trace(total, [2, 4])).values is not None


def total(xs: list[int]) -> int:
    s = 0
    for x in xs:
        s += x
    return s


def test_a_condition_about_another_language_names_the_questions_that_work(monkeypatch: pytest.MonkeyPatch):
    run = run_of(*PROGRAMS["sums"][:1], PROGRAMS["sums"][1][0])
    monkeypatch.setattr("deskcheck.queries.where.offers", lambda language, name: False)
    with pytest.raises(
        UserError, match=r"in Python only; this one is in python: ask why NAME, changes NAME or raised"
    ):
        ask(run, "where x > 3")


def test_a_language_without_conditions_says_so():
    with pytest.raises(MissingPart):
        part("no-language", "condition")
    assert issubclass(MissingPart, UserError) and issubclass(MissingExtra, UserError)
