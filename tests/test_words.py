"""Public docstrings are sentences, of at least five words; names, help and messages use the glossary's words.

No two names share a docstring, but methods and functions of one name may: they implement one contract.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tests.trees import nodes, parsed

pytestmark = pytest.mark.one_python

SOURCE = Path(__file__).parents[1] / "src" / "deskcheck"
FEWEST = 5
STILL_SHORT: dict[str, set[str]] = {}
"""File -> names whose docstring is still too short. Nothing is added here."""


def docstrings(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Public name with its classes, and its docstring."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name[0] != "_":
            if text := ast.get_docstring(node):
                yield prefix + node.name, text
            if isinstance(node, ast.ClassDef):
                yield from docstrings(node, f"{prefix}{node.name}.")


def short(tree: ast.AST) -> set[str]:
    """Names whose summary has too few words."""
    return {name for name, text in docstrings(tree) if len(text.split("\n\n")[0].split()) < FEWEST}


def shared(found: list[tuple[str, str]]) -> dict[str, set[str]]:
    """Docstring -> different names that have it."""
    names: dict[str, set[str]] = {}
    for name, text in found:
        names.setdefault(text, set()).add(name.rpartition(".")[2])
    return {text: own for text, own in names.items() if len(own) > 1}


@cache
def trees() -> dict[str, ast.Module]:
    paths = (
        path
        for path in SOURCE.rglob("*.py")
        if path.parent.name not in ("core_problems", "classic_programs", "written")
    )
    return {p.relative_to(SOURCE).as_posix(): parsed(p.read_text(encoding="utf-8")) for p in paths}


def test_the_summary_of_every_public_name_is_a_sentence():
    found = {path: short(tree) for path, tree in trees().items()}
    new = {path: sorted(own - STILL_SHORT.get(path, set())) for path, own in found.items()}
    assert {path: own for path, own in new.items() if own} == {}
    gone = {path: sorted(own - found.get(path, set())) for path, own in STILL_SHORT.items()}
    assert {path: own for path, own in gone.items() if own} == {}, "take these out of STILL_SHORT"


def test_no_docstring_stands_on_two_names():
    found = [pair for tree in trees().values() for pair in docstrings(tree)]
    assert {text: sorted(names) for text, names in shared(found).items()} == {}


def test_every_package_says_what_it_is():
    texts = {path: ast.get_docstring(tree) or "" for path, tree in trees().items() if "__init__" in path}
    assert {path for path, text in texts.items() if len(text.split()) < FEWEST} == set()


UNFINISHED = re.compile(r"[;,:]$|\b(and|or|but|of|the|a|an|to|in|for|with|that|which|as|by|from|if|is|are)$")


def cut_off(tree: ast.AST) -> set[str]:
    """Classes and functions, private ones too, whose summary ends in the middle of a sentence."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    named = ((node.name, ast.get_docstring(node) or "") for node in nodes(tree) if isinstance(node, kinds))
    return {name for name, text in named if UNFINISHED.search(text.split("\n\n")[0].strip())}


def test_no_summary_is_cut_off_in_the_middle():
    found = {path: sorted(cut_off(tree)) for path, tree in trees().items()}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("summary", "found"),
    [
        ("Train on the rows of a source;\n\n    `watch` is called.", {"_f"}),
        ("Return the names of\n\n    the others.", {"_f"}),
        ("Turn it into rows:\n\n    rows", {"_f"}),
        ("Say what the run is asked for.", set()),
        ("Return the sum; it is positive.\n\n    More;", set()),
    ],
)
def test_a_summary_that_is_cut_off_is_found(summary: str, found: set[str]):
    assert cut_off(ast.parse(f'def _f():\n    """{summary}"""')) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('def f():\n    """Both."""', {"f"}),
        ('class A:\n    def f(self):\n        """See Stream."""', {"A.f"}),
        ('def _f():\n    """Both."""', set()),
        ('def f():\n    """Parse one line into a dict."""', set()),
    ],
)
def test_a_short_docstring_is_found(text: str, found: set[str]):
    assert short(ast.parse(text)) == found


def test_one_docstring_on_two_names_is_found_and_on_one_contract_is_not():
    assert shared([("A.f", "Make it so."), ("g", "Make it so."), ("B.h", "Other.")]) == {
        "Make it so.": {"f", "g"}
    }
    assert shared([("A.f", "Make it so."), ("B.f", "Make it so.")]) == {}


BANNED = re.compile(
    r"(?i)(^|_)(knobs?|purse|planted|believed|tbd|could_have_seen|change_list|text_form)(_|$)"
)
STILL_NAMED = {"believed", "Believed", "_planted"}
"""To be renamed; nothing is added here."""
PARTICIPLES = {"kept", "chosen", "sampled", "asking", "annotated", "graded", "perturbed"}


def banned(path: str, tree: ast.AST) -> set[str]:
    """Names of modules, classes, functions and arguments that the glossary has another word for."""
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = {node.name for node in nodes(tree) if isinstance(node, kinds)}
    names |= {node.arg for node in nodes(tree) if isinstance(node, ast.arg)}
    stem = path.rpartition("/")[2].removesuffix(".py")
    return {name for name in {*names, stem} if BANNED.search(name)} | ({stem} & PARTICIPLES)


def test_no_name_is_a_word_that_the_glossary_replaces():
    found = {path: sorted(banned(path, tree) - STILL_NAMED) for path, tree in trees().items()}
    assert {path: names for path, names in found.items() if names} == {}


def test_a_replaced_word_is_found():
    assert banned("evaluation/kept.py", ast.parse("def make_knobs(purse): ...")) == {
        "kept",
        "make_knobs",
        "purse",
    }


UNSAID = re.compile(
    r"(?i)\b(knobs?|purse|planted|judged|change lists?|text forms?|kinds? of tasks?"
    r"|calls? of (a|the) model|could have seen|what is known|sandbox (level|line)s?"
    r"|teacher[- ]?fed|this attempt)\b"
)
"""Of the glossary's third column what has one meaning in a message; "policy", "row" have several."""


def said(tree: ast.AST) -> set[str]:
    """Help, messages and reports with a replaced word; docstrings and single words (names, keys) aside."""
    statements = {id(node.value) for node in nodes(tree) if isinstance(node, ast.Expr)}
    texts = (node for node in nodes(tree) if isinstance(node, ast.Constant) and id(node) not in statements)
    return {
        node.value for node in texts
        if isinstance(node.value, str) and " " in node.value.strip() and UNSAID.search(node.value)
    }  # fmt: skip


TEMPLATE_CODE = re.compile(r"{%.*?%}|{{.*?}}", re.DOTALL)


def test_no_message_has_a_word_that_the_glossary_replaces():
    found = {path: said(tree) for path, tree in trees().items()}
    html = {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in SOURCE.rglob("*.html")}
    pages = {path: UNSAID.findall(TEMPLATE_CODE.sub("", text)) for path, text in html.items()}
    assert {path: texts for path, texts in (found | pages).items() if texts} == {}


def test_a_replaced_word_in_a_message_is_found():
    tree = ast.parse('def f():\n    """The knobs of a run."""\n    print(f"{n} knobs of a run", "knobs")')
    assert said(tree) == {" knobs of a run"}
