"""Values in other languages' spelling: as Python literals, or none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deskcheck.grading.foreign import LANGUAGES, arguments_in, as_literal


@pytest.mark.parametrize(
    ("language", "text", "value"),
    [
        ("lua", "{1, 3, 1}", "[1, 3, 1]"),
        ("lua", "{['a'] = {1}, n = nil}", "{'a': [1], 'n': None}"),
        ("lua", "{[1] = 'x', [2] = 'y'}", "['x', 'y']"),
        ("lua", "{}", "[]"),
        ("lua", "True", None),
        ("lua", "[1, 2]", None),
        ("lua", "{'a': 1}", None),
        ("javascript", "{a: 1, 'b': [true, null, undefined]}", "{'a': 1, 'b': [True, None, None]}"),
        ("javascript", "`a\nb`", "'a\\nb'"),
        ("javascript", "{}", "{}"),
        ("rust", 'vec![(String::from("a"), 1)]', "[('a', 1)]"),
        ("rust", 'HashMap::from([(String::from("a"), 1)])', "{'a': 1}"),
        ("java", "(new ArrayList<Long>(Arrays.asList((long)1l, (long)2l)))", "[1, 2]"),
        ("java", '(Pair.with(0l, "x"))', "(0, 'x')"),
        ("java", 'Map.of("a", 1, "b", 2)', "{'a': 1, 'b': 2}"),
        ("java", 'java.util.Map.of("a", 1)', "{'a': 1}"),
        ("java", "Map.of()", "{}"),
        ("java", 'Map.of("a", 1, "b")', None),
        ("java", "List.of(1, 2, 3)", "[1, 2, 3]"),
        ("cpp", "(std::make_tuple(false, true))", "(False, True)"),
        ("cpp", "(std::vector<long>({(long)1, (long)2}))", "[1, 2]"),
        ("cs", "(3L)", "3"),
        ("d", 'tuple(0L, "x")', "(0, 'x')"),
        ("go", '[]interface{}{0, "x"}', "[0, 'x']"),
        ("go", "map[string]int{}", "{}"),
        ("julia", 'Dict("l" => 1)', "{'l': 1}"),
        ("php", 'array("a" => array(1))', "{'a': [1]}"),
        ("ruby", "{1 => nil}", "{1: None}"),
        ("perl", "{1 => undef}", "{1: None}"),
        ("r", "c('a', 'b')", "['a', 'b']"),
        ("racket", "(list (list 4 1) #t)", "[[4, 1], True]"),
        ("scala", '(Map[String,List[String]]("a" -> List[String]("b")))', "{'a': ['b']}"),
        ("swift", "[] as [Int]", "[]"),
        ("swift", '["a" : 1]', "{'a': 1}"),
        ("javascript", "f(3)", None),
        ("javascript", "1 + 2", None),
        ("javascript", "5 or 6", None),
        ("javascript", "`${x}`", None),
    ],
)
def test_a_value_of_another_language(language: str, text: str, value: str | None) -> None:
    assert as_literal(text, language) == value


@pytest.mark.parametrize(
    ("language", "text", "arguments"),
    [
        ("javascript", 'candidate([1, 2], {a: "x"})', '[1, 2], {a: "x"}'),
        ("javascript", "[1], null", "[1], null"),
        ("lua", "candidate({['a'] = 1}, nil);", "{['a'] = 1}, nil"),
        ("cpp", "candidate(std::vector<long>({(long)1, (long)2}))", "std::vector<long>({(long)1, (long)2})"),
        ("cs", "F((new List<long>(new long[]{(long)1L})))", "(new List<long>(new long[]{(long)1L}))"),
        ("ruby", "candidate()", ""),
        ("ruby", "candidate('#{1}')", "'#{1}'"),
        ("ruby", 'candidate("#{exit 0}")', None),
        ("ruby", 'candidate("# 1")', '"# 1"'),
        ("javascript", 'candidate("${1}$")', '"${1}$"'),
        ("php", 'candidate("$5")', '"$5"'),
        ("php", 'candidate("$x")', None),
        ("perl", 'candidate("@{[exit 0]}")', None),
        ("swift", 'candidate("\\(exit(0))")', None),
        ("javascript", "candidate(process.exit(0))", None),
        ("javascript", 'candidate((process.exit()) "x")', None),
        ("javascript", "candidate(1); process.exit(0)", None),
        ("javascript", "candidate(1 // )", None),
        ("javascript", "candidate(1,\n2)", None),
        ("javascript", "`${process.exit(0)}`", None),
        ("javascript", "candidate(1 2)", None),
    ],
)
def test_arguments_of_another_language_run_nothing(language: str, text: str, arguments: str | None) -> None:
    assert arguments_in(text, language, "F" if language == "cs" else "candidate") == arguments


@given(st.text(max_size=60), st.sampled_from(LANGUAGES))
def test_any_text_is_a_value_or_none(text: str, language: str) -> None:
    found = as_literal(text, language)
    assert found is None or isinstance(found, str)


def test_hostile_texts_end() -> None:
    for text in ("[" * 100_000, "(" * 5_000, "{" * 4_000 + "}" * 4_000, '"' * 50_001, "-" * 90_000):
        assert as_literal(text, "javascript") is None
