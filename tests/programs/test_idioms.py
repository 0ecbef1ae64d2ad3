"""The family `idioms`: the same programs everywhere; they run, keep to bounds, and are of many shapes."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache

import pytest

from deskcheck.corpus.idioms.programs import IDIOMS
from deskcheck.corpus.idioms.templates import expressions, recursive, statements
from deskcheck.corpus.plain_run import Ran, plain_run
from deskcheck.decontamination.near import program_copy
from deskcheck.errors import DataError
from deskcheck.programs.generated import HELD_OUT, traced, write_candidate
from deskcheck.records import Program, Raised, Returned
from deskcheck.tracing.literal import outcome_text

FAMILY = IDIOMS["idioms"]
N = 500
MODULES = {"bisect", "collections", "dataclasses", "functools", "heapq", "itertools", "math", "re"}
WANTED: dict[str, float] = {
    r"\bclass \w+": 0.04, r"super\(\)": 0.004, "@dataclass": 0.004, "@property": 0.004, "def __": 0.04,
    r"\n +def ": 0.05, "nonlocal": 0.003, "lambda": 0.05, "yield": 0.004, r"\btry:": 0.05, "finally:": 0.01,
    r"\braise ": 0.01, "else:": 0.15, "elif ": 0.03, r"\bwhile ": 0.08, "break": 0.04, "continue": 0.01,
    r"\bfor .* in range": 0.08, "enumerate": 0.05, "zip": 0.04, "reversed": 0.005, r"\bmap\(": 0.02,
    r"\bfilter\(": 0.002, "divmod": 0.03, r"\bany\(": 0.005, r"\ball\(": 0.01, "sorted": 0.12, "key=": 0.03,
    "reverse=": 0.01, r"\[[^]]* for ": 0.15, r"\{[^}]*: [^}]* for ": 0.02, r"\.join\(": 0.06, "f'": 0.05,
    r"'%": 0.005, r"\.split\(": 0.03, r"\.partition\(": 0.005, r"\.replace\(": 0.01, r"\.find\(": 0.005,
    r"\.isdigit\(": 0.01, r"\.zfill|just\(": 0.005, r"\bord\(": 0.01, r"\bchr\(": 0.005, "round": 0.03,
    r"\.get\(": 0.03, "setdefault": 0.01, r"\.items\(": 0.02, "Counter": 0.01, "defaultdict": 0.01,
    "deque": 0.004, "heapq": 0.01, "bisect": 0.005, "itertools": 0.01, "reduce": 0.02, r"\bmath\.": 0.03,
    r"\bre\.": 0.005, r"\[::-1\]": 0.01, r"\[[^]]*:[^]]*\] = ": 0.005, ":=": 0.005, r"\bmatch ": 0.005,
    r"\bis None": 0.005, r" & | \| | \^ | << | >> ": 0.05, r"\bdel ": 0.003, r"\*\w+, | \*\w+": 0.02,
    r"isinstance\(": 0.004, r"\bbin\(|hex\(|oct\(": 0.01, r" < \w+ < | <= \w+ <": 0.02, r"\bnot ": 0.1,
}  # fmt: skip
"""Pattern of a construct -> the least share of programs that must have it."""


@cache
def written() -> list[Program]:
    return [write_candidate(FAMILY, 1, number)[0] for number in range(N)]


@cache
def runs() -> list[Ran | None]:
    return [plain_run(program.source, program.call, FAMILY) for program in written()]


def test_no_hash_seed_changes_a_program_or_what_it_does() -> None:
    code = (
        "import hashlib\n"
        "from deskcheck.programs.generated import traced\n"
        "from deskcheck.states.steps import steps\n"
        "h = hashlib.sha256()\n"
        "for program, trace in traced('idioms', seed=3, n=60):\n"
        "    h.update((program.id + '|'.join(str(s) for _, s, _ in steps(trace))).encode())\n"
        "print(h.hexdigest())\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_nearly_all_run_within_the_bounds() -> None:
    kept = [ran for ran in runs() if ran and not ran.raised]
    assert len(kept) >= 0.85 * N
    raised = Counter(ran.raised for ran in runs() if ran and ran.raised)
    assert not {"NameError", "UnboundLocalError", "AttributeError"} & set(raised), raised


def test_a_trace_ends_as_the_program_does() -> None:
    for program, trace in traced("idioms", seed=1, n=60):
        assert isinstance(trace.outcome, Returned | Raised)
        namespace: dict[str, object] = {"__name__": "__program__"}
        exec(compile(program.source, "<program>", "exec", dont_inherit=True), namespace)
        if isinstance(trace.outcome, Returned):
            result = repr(eval(program.call, namespace))
            if not re.search(r" object at 0x|\{|<|\b[A-Z]\w+\(|deque", result):
                assert outcome_text(trace) == result, program.source


def shape(source: str) -> str:
    """Return the tree of a program without names and constants."""
    return " ".join(type(node).__name__ for node in ast.walk(ast.parse(source)))


def test_programs_are_of_many_shapes_and_have_every_construct() -> None:
    sources = [program.source for program in written()]
    assert len(set(map(shape, sources))) >= 0.99 * N
    shares = {text: sum(bool(re.search(text, one)) for one in sources) / N for text in WANTED}
    rare = {text: share for text, share in shares.items() if share < WANTED[text]}
    assert not rare


def test_every_template_is_used_by_some_program() -> None:
    """A template that can never be filled would lie there unseen."""
    from random import Random

    from deskcheck.corpus.idioms.writer import Missing, Writer

    every = [*statements()["simple"], *statements()["compound"], *(text for text, _, _ in recursive())]
    for template in [
        *every,
        *(one for texts in (expressions()[k] for k in "ISFBLWDKMGPZQOT") for one in texts),
    ]:
        for seed in range(40):
            writer = Writer(Random(seed), "I")
            for kind in "ISFBCLWDKMGPZQOA":
                writer.scope |= {f"{kind.lower()}{n}": kind for n in range(2)}
            writer.full = set(writer.scope)
            labels = {"f": ("walk", "X")} if "$.f(" in template else {}
            try:
                text = "\n".join(writer.lines_of(template, 1, labels))
            except Missing:
                continue
            assert "$" not in text and "`" not in text, text
            ast.parse("def f():\n" + "\n".join("    " + line for line in text.split("\n")))
            break
        else:
            raise AssertionError(f"never filled: {template}")


def test_results_are_not_all_alike() -> None:
    """Values must say something: few runs return nothing, an empty container or a constant."""
    results: Counter[str] = Counter()
    for _, trace in traced("idioms", seed=4, n=200):
        try:
            results[outcome_text(trace)] += 1
        except DataError:  # an object of a class has no literal
            continue
    dull = sum(results[text] for text in ("None", "[]", "''", "{}", "()", "0", "False"))
    assert dull <= 0.25 * results.total(), results.most_common(8)
    assert len(results) >= 0.6 * results.total()


def test_programs_import_only_what_computes() -> None:
    for program in written():
        for node in ast.walk(ast.parse(program.source)):
            if isinstance(node, ast.Import):
                assert {one.name for one in node.names} <= MODULES
            elif isinstance(node, ast.ImportFrom):
                assert node.module in MODULES
            elif isinstance(node, ast.Name):
                assert node.id not in {"id", "hash", "open", "print", "input", "exec", "eval"}


def test_few_are_near_a_benchmark() -> None:
    near = sum(program_copy(program) is not None for program in written()[:200])
    assert near <= 20


def test_its_held_out_seed_is_not_for_training() -> None:
    assert HELD_OUT["idioms"] >= 900_000


@pytest.mark.parametrize("number", [0, 7, 99])
def test_a_number_gives_the_same_program_again(number: int) -> None:
    assert write_candidate(FAMILY, 2, number)[0] == write_candidate(FAMILY, 2, number)[0]
