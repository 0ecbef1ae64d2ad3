"""The debugger for agents, through the SDK's own client over standard input and output."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from tests.queries.bugs import BUGS
from tests.queries.client import session

from deskcheck.queries.tools import MOST_TOKENS, n_tokens

mcp = pytest.importorskip("mcp", reason="needs the extra 'mcp'")
pytestmark = pytest.mark.one_python


@pytest.mark.parametrize("n", [3, pytest.param(len(BUGS), marks=pytest.mark.slow)])
def test_bugs_are_found_through_a_client_in_short_answers(n: int, tmp_path: Path):
    """All ten are found by the same function in test_explain.py; here the client and the sizes matter."""
    bugs = dict(itertools.islice(BUGS.items(), n))
    for name, (source, tests, _, _) in bugs.items():
        (tmp_path / f"{name.replace(' ', '_')}.py").write_text(source)
        (tmp_path / f"test_{name.replace(' ', '_')}.py").write_text(tests)
    sizes: list[int] = []

    async def talk(call: Any, names: list[str]) -> None:
        assert set(names) == {"record", "steps", "state_at", "ask", "diff", "failing_test", "more"}
        for number, (name, (_, _, line, question)) in enumerate(bugs.items()):
            file = name.replace(" ", "_")
            found = await call("failing_test", file=f"{file}.py", tests=f"test_{file}.py")
            run = int(re.match(r"run (\d+)", found)[1])  # type: ignore[index]  # it begins so
            lines = [int(text) for text in re.findall(r"^\d\. line (\d+)", found, re.M)]
            assert 1 <= len(lines) <= 3 and (not line or line in lines), (name, found)
            answers = [found, await call("ask", run=run, question=question), await call("steps", run=run)]
            answers += [await call("state_at", run=run, step=1), await call("record", file=f"{file}.py")]
            answers += [await call("diff", run_a=run, run_b=run)]
            assert not any(text.startswith("error") for text in answers), (number, answers)
            assert "the same" in answers[-1]
            sizes.extend(n_tokens(text) for text in answers)

    session(tmp_path, talk)
    print(f"{len(sizes)} answers: {min(sizes)} to {max(sizes)} tokens, mean {sum(sizes) / len(sizes):.0f}")
    assert max(sizes) <= MOST_TOKENS and len(sizes) == 6 * n


LONG = "def f(n):\n    xs = []\n    for i in range(n):\n        xs.append(i)\n    return xs\n"


def test_a_long_answer_is_continued_by_its_cursor_and_nothing_is_lost(tmp_path: Path):
    (tmp_path / "a.py").write_text(LONG)

    async def talk(call: Any, names: list[str]) -> list[str]:
        await call("record", file="a.py", call="f(200)")
        pages = [await call("steps", run=1)]
        while match := re.search(r"more\(cursor='(\w+)'\)$", pages[-1]):
            pages.append(await call("more", cursor=match[1]))
        return pages

    pages = session(tmp_path, talk)
    assert len(pages) > 5 and max(map(n_tokens, pages)) <= MOST_TOKENS
    steps = [int(m) for page in pages for m in re.findall(r"^ *(\d+) +\d+ {4,}\S", page, re.M)]
    assert steps == list(range(1, 404))


READS = """\
import sys, pathlib
print('printed')
text = pathlib.Path('secret.txt').read_text()
line = sys.stdin.readline()
"""


def test_a_program_is_contained_unless_the_person_who_started_it_trusts_it(tmp_path: Path):
    (tmp_path / "secret.txt").write_text("of the user")
    (tmp_path / "a.py").write_text(READS)

    async def talk(call: Any, names: list[str]) -> list[str]:
        await call("record", file="a.py")
        return [
            await call("ask", run=1, question="changes text"),
            await call("record", file="a.py"),
            await call("record", file="../outside.py"),
        ]

    (tmp_path.parent / "outside.py").write_text("x = 1\n")
    contained, _, outside = session(tmp_path, talk)
    assert "of the user" not in contained and outside.startswith("error: no file")
    trusted, again, _ = session(tmp_path, talk, "--trust")
    assert "of the user" in trusted and again.startswith("run 2")


def test_a_mistake_is_an_answer_that_says_what_to_do(tmp_path: Path):
    (tmp_path / "a.py").write_text(LONG)

    async def talk(call: Any, names: list[str]) -> list[str]:
        return [
            await call("ask", run=1, question="raised"),
            await call("more", cursor="a9"),
            await call("failing_test", file="a.py"),
            await call("failing_test", file="a.py", call="f(1)", expect="[0]"),
        ]

    answers = session(tmp_path, talk)
    assert [text.split(":")[0] for text in answers] == ["error"] * 4
    assert "record a call first" in answers[0] and "nothing to explain" in answers[3]
