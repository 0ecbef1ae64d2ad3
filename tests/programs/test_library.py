"""Functions of libraries as programs: what is cut out, which calls are tried, which are kept, held out."""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from textwrap import dedent

import pytest

from deskcheck.corpus import library_pins
from deskcheck.corpus.library import HELD_OUT, TRAIN, Package, find_package, side_of, standard_library
from deskcheck.corpus.library_cut import cut
from deskcheck.corpus.library_inputs import calls
from deskcheck.corpus.library_module import Module, Unfit
from deskcheck.corpus.library_pins import (
    Missing,
    PinnedPackage,
    judge,
    known_pins,
    pinned,
)
from deskcheck.corpus.library_rules import ANY_CODE
from deskcheck.decontamination.canonical import normal_form
from deskcheck.decontamination.near import near_copy
from deskcheck.errors import UserError
from deskcheck.plugins import SourceOptions
from deskcheck.programs import real
from deskcheck.records import Limits, Program, Trace
from deskcheck.tracing.reference import trace_program
from pinning import find, form_alone

MODULE = '''\
"""A module."""
from __future__ import annotations
import os
import re, string
from collections import deque as queue, OrderedDict
from .near import other
try:
    from _fast import fold
except ImportError:
    pass
if os.name == "nt":
    SEP = ";"
else:
    SEP = ":"

LIMIT: int = 3  # characters
_WORD = re.compile("[a-z]+")

class Long(ValueError):
    """Too long."""

def fold(text: str, n: int | None = LIMIT) -> list[str]:
    """Fold it.

    >>> fold("a bc")
    ['a']
    >>> [x for x in fold("d e", n=4)]
    """

    # the words
    found = queue(_WORD.findall(text))
    if len(found) > n:
        raise Long(n)
    return [w for w in found if not os_free(w)]

def os_free(w):
    def inner():
        "Said."
        return w[LIMIT:]
    return inner()

def split(x): return x.split(SEP)
def reads(p): return open(p).read()
def asks(p): return os.path.join(p)
def near(p): return other(p)
def gives(n):
    yield n
async def waits(n): return n
@staticmethod
def worn(n): return n
def lost(n): return nowhere + n
def held(o): return o.field
'''
FOLDED = """\
from __future__ import annotations
import re
from collections import deque as queue

LIMIT: int = 3  # characters
_WORD = re.compile("[a-z]+")


class Long(ValueError):
    pass


def fold(text: str, n: int | None = LIMIT) -> list[str]:
    # the words
    found = queue(_WORD.findall(text))
    if len(found) > n:
        raise Long(n)
    return [w for w in found if not os_free(w)]


def os_free(w):
    def inner():
        return w[LIMIT:]
    return inner()
"""


@cache
def made(side: str) -> tuple[Program, ...]:
    return tuple(one for one in real.whole(side) if isinstance(one, Program))


# ------------------------------------------------------------------ cutting out


def test_a_function_comes_with_what_it_needs_and_without_its_docstring() -> None:
    assert cut(Module(MODULE), "fold").source == FOLDED


@pytest.mark.parametrize("imports", ["import xml.dom, xml.sax", "import xml.dom\nimport xml\nimport xml.sax"])
def test_several_imports_of_one_package_come_along(imports: str) -> None:
    text = f"{imports}\n\ndef f(x):\n    return xml.sax.escape(xml.dom.read(x))\n"
    with pytest.raises(Unfit, match="more than once"):
        cut(Module(text), "f")
    head = cut(Module(text), "f", ANY_CODE).source.partition("\n\n")[0].split("\n")
    assert set(head) >= {"import xml.dom", "import xml.sax"}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("split", "a name that is bound in a branch or more than once"),
        ("reads", "reads files, identities or the interpreter"),
        ("asks", "needs a module that acts on the machine, or a package"),
        ("near", "needs another module of its package"),
        ("gives", "a generator"),
        ("waits", "a coroutine"),
        ("worn", "decorated"),
        ("lost", "a name that the module does not bind"),
    ],
)
def test_what_does_not_stand_alone_says_why(name: str, reason: str) -> None:
    with pytest.raises(Unfit, match=reason):
        cut(Module(MODULE), name)


def test_text_that_layout_would_change_is_left_where_it_is() -> None:
    with pytest.raises(Unfit, match="layout"):
        cut(Module("def f(x):\n    y = '''a  \n  b'''\n    return x + y\n"), "f")
    with pytest.raises(Unfit, match="layout"):
        cut(Module("a = 1; b = 2\ndef f(x):\n    return x + a\n"), "f")


# ------------------------------------------------------------------ calls


def function(source: str) -> ast.FunctionDef:
    (node,) = ast.parse(dedent(source)).body
    assert isinstance(node, ast.FunctionDef)
    return node


def test_calls_of_the_docstring_come_first() -> None:
    node = cut(Module(MODULE), "fold").node
    assert calls(node, seed="x")[:2] == ["'a bc'", "'d e', n=4"]


def test_inputs_are_of_the_types_that_the_body_wants() -> None:
    wanted = {
        "def f(s):\n    return s.split(',')": (str, bytes),
        "def f(thing):\n    return {k: v for k, v in thing.items()}": (dict,),
        "def f(a: list[int], /):\n    return a": (list, int),
        "def f(q):\n    return range(q)": (int,),
        "def f(*, flag=True):\n    return flag": (bool,),
    }
    for source, kinds in wanted.items():
        found = [
            ast.literal_eval(f"({text},)" if "=" not in text else "(True,)")
            for text in calls(function(source), seed="x")
            if text
        ]
        assert found or "flag" in source
        assert all(isinstance(value, kinds) for arguments in found for value in arguments), source


def test_what_no_literal_can_be_is_not_called() -> None:
    for source in (
        "def f(o):\n    return o.field",
        "def f(g):\n    return g(1)",
        "def f(t: Thing):\n    return t",
    ):
        assert calls(function(source), seed="x") == []


def test_the_same_seed_makes_the_same_calls_and_another_others() -> None:
    node = function("def f(a, b):\n    return a + b")
    assert calls(node, seed="x") == calls(node, seed="x") != calls(node, seed="y")


# ------------------------------------------------------------------ finding


def run_here(programs: Iterable[Program], limits: Limits) -> Iterator[tuple[Program, Trace]]:
    for program in programs:
        yield program, trace_program(program, limits)


def test_every_function_is_kept_or_dropped_with_a_reason(tmp_path: Path) -> None:
    again = MODULE.replace("fold", "bend").replace("LIMIT", "MOST") + "def short(n): return n + 1\n"
    (tmp_path / "one.py").write_text(MODULE)
    (tmp_path / "two.py").write_text(
        again + "def wrong(n):\n    for x in n.keys():\n        x / ''\n    return 1\n"
    )
    package = Package("p", "1", "MIT", str(tmp_path), ["one.py", "two.py"])
    asked: list[str] = []

    def steady(programs: list[Program]) -> list[bool]:
        asked.extend(program.entry for program in programs)
        return [program.entry != "os_free" for program in programs]

    found = find([package], run=run_here, steady=steady, date="today", python="3")
    assert found.functions == 2 * 11 + 2 == found.n_kept + sum(found.dropped.values())
    assert {"fold", "bend", "os_free"} == set(asked)
    (entry,) = found.packages
    assert [(module.path, {one.function for one in module.programs}) for module in entry.modules] == [
        ("one.py", {"fold"})
    ]
    assert entry.side == side_of("p")
    for reason, n in {
        "the same as another function": 1,
        "not the same in every run": 2,
        "decorated": 2,
    }.items():
        assert found.dropped[reason] == n


# ------------------------------------------------------------------ the set that ships


def test_the_counts_add_up_and_the_split_is_by_name() -> None:
    pins = known_pins()
    programs = {
        (p.name, m.path, one.function) for p in pins.packages for m in p.modules for one in m.programs
    }
    assert pins.functions == pins.n_kept + sum(pins.dropped.values())
    assert pins.n_kept == len(programs) > 1_000
    assert all(one.side == side_of(one.name) and one.license for one in pins.packages)
    shares = [side_of(f"name-{n}") for n in range(1000)].count(HELD_OUT)
    assert 400 < shares < 600


def test_the_held_out_set_is_frozen() -> None:
    pinned_ids = [
        one.id
        for package in known_pins().packages
        if package.side == HELD_OUT
        for module in package.modules
        for one in module.programs
    ]
    text = "".join(f"{one}\n" for one in pinned_ids)
    assert len(pinned_ids) == 868
    assert hashlib.sha256(text.encode()).hexdigest() == FROZEN


FROZEN = "cfb8eb95e4178c39d609ac672e0c7bcfb4f569c277a40bbf41f06463999e45f6"
"""Another set of held-out programs gets another name; results are about this one."""


@pytest.mark.slow
def test_most_of_the_standard_library_is_made_again_as_it_was() -> None:
    found = [one for side in (HELD_OUT, TRAIN) for one in real.whole(side) if ":python:" in one.origin]
    assert sum(isinstance(one, Program) for one in found) > 0.6 * len(found)


@pytest.mark.parametrize("stride", [6, pytest.param(1, marks=pytest.mark.slow)])
def test_no_function_is_on_both_sides_or_in_a_benchmark(stride: int) -> None:
    """Of every sixth package to train on, or of all; those that are held out are all looked at."""
    names = [one.name for one in known_pins().packages if one.side == TRAIN][::stride]
    to_train = [one for name in names for one in pinned(TRAIN, only=name) if isinstance(one, Program)]
    assert len(to_train) > 1_000 / stride / 3
    assert not {normal_form(one.source) for one in to_train} & {
        normal_form(one.source) for one in made(HELD_OUT)
    }
    assert not {*map(form_alone, to_train)} & {*map(form_alone, made(HELD_OUT))}
    assert all(near_copy(program.source, program.entry) for program in made(HELD_OUT))
    near = [program for program in to_train if near_copy(program.source, program.entry, but=("real",))]
    assert len(near) < 0.1 * len(to_train)  # pinned before near copies counted; training leaves them out


def test_pinned_programs_run_and_give_plain_answers() -> None:
    chosen = Random(5).sample(made(HELD_OUT), 40)
    judged = [judge(trace_program(program, library_pins.LIMITS))[0] for program in chosen]
    # Pinned on 3.11; elsewhere a comprehension is no call, and some runs have fewer steps.
    assert judged.count("") >= (38 if sys.version_info[:2] == (3, 11) else 32), judged


def test_a_changed_text_and_a_missing_package_are_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    entry = next(one for one in known_pins().packages if one.name == "python:bisect")
    found = list(pinned(HELD_OUT, only="python:bisect"))
    assert all(isinstance(one, Program) and one.license == "PSF-2.0" for one in found)
    package = find_package("python:bisect")
    assert package is not None
    text = package.text("bisect.py").replace("lo < 0", "lo < -1")
    (tmp_path / "bisect.py").write_text(text)
    changed = Package(package.name, "0", "PSF-2.0", str(tmp_path), package.paths)
    for now, reason in (
        (changed, f"another text than that of python:bisect {entry.version}"),
        (None, "not installed"),
    ):
        monkeypatch.setattr(library_pins, "find_package", lambda name, now=now: now)
        left = list(pinned(HELD_OUT, only="python:bisect"))
        assert len(left) == len(found)
        assert all(isinstance(one, Missing) and reason in one.reason for one in left)


def test_the_file_holds_no_code() -> None:
    assert PinnedPackage.__struct_fields__ == ("name", "version", "license", "side", "modules")
    text = Path(library_pins.__file__).with_name("library_pins.json").read_text()
    assert "def " not in text and "return" not in text.replace("returns", "")


def test_a_wrong_side_or_package_is_refused_with_the_known_ones() -> None:
    for options, words in (
        (SourceOptions(source="real", family="test"), "side of the source 'real'"),
        (
            SourceOptions(source="real", family="train", path="boltons"),
            "'boltons' is on the other side: --family held-out",
        ),
        (SourceOptions(source="real", path="no-such-package"), "side"),
    ):
        with pytest.raises(UserError, match=words):
            list(real.programs(options))
    few = SourceOptions(source="real", family="held-out", start=3, n=2)
    assert list(real.programs(few)) == list(made(HELD_OUT)[3:5])
    assert "pinned programs can be made here" in real.note(few)


def test_tests_and_vendored_copies_are_left_out() -> None:
    names = {one.name for one in standard_library()}
    assert "python:textwrap" in names and "python:test" not in names and "python:encodings" not in names
    package = find_package("pytest")
    assert package is not None and package.license == "MIT"
    assert not [path for path in package.paths if "/test" in path or "_vendor" in path]
    assert find_package("no-such-package") is None
