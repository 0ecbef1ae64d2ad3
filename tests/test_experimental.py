"""Listed strategies and layouts have a result on a model, in docs/results.md or docs/log/; no other has.

A strategy or a layout says `EXPERIMENTAL = True` in its own file. The net is the text of the pages with
results: it has the name of every listed strategy and layout, and of none that is experimental.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from tests.pages import ROOT

from deskcheck import plugins
from deskcheck.errors import UnknownName
from deskcheck.evaluation.plan import check_name

pytestmark = pytest.mark.one_python

PAGES = ("docs/results.md", "docs/audit.md", *(f"docs/log/{page}.md" for page in ("training", "evaluation")))
RESULTS = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES)
KINDS = ("strategy", "layout")
OURS = [(kind, name) for kind in KINDS for name in plugins.names(kind)]


def has_result(name: str) -> bool:
    """Whether a page with results names it, as a word of its own."""
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", RESULTS) is not None


@pytest.mark.parametrize(("kind", "name"), OURS)
def test_a_strategy_or_layout_is_listed_exactly_if_a_model_has_a_result_with_it(kind: str, name: str):
    assert (name in plugins.listed(kind)) == has_result(name)


def test_a_name_without_a_result_is_seen():
    assert has_result("sub") and not has_result("su") and not has_result("instruction-n")


def unlisted() -> Iterator[tuple[str, str]]:
    yield from ((kind, name) for kind, name in OURS if name not in plugins.listed(kind))


def test_messages_leave_experimental_names_out_and_commands_take_them_all_the_same():
    assert len([*unlisted()]) > 10
    for kind, name in unlisted():
        check_name(kind, name)
        with pytest.raises(UnknownName) as refused:
            check_name(kind, "nothing-like-it")
        assert not re.search(rf"[ ,]{name}(,|;|$)", str(refused.value))
