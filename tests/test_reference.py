"""docs/api.md and docs/commands.md are what docs/make_reference.py writes, and name everything there is."""

from __future__ import annotations

import sys

from tests.scripts import load_script

import deskcheck
from deskcheck.cli.examples import GROUPS

IS_3_11 = sys.version_info[:2] == (3, 11)
MADE = load_script("docs/make_reference.py")


def test_the_pages_are_current():
    """The layouts show instructions, which are those of CPython 3.11."""
    current = {name: make for name, make in MADE.PAGES.items() if name != "layouts.md" or IS_3_11}
    pages = {name: (MADE.HERE / name).read_text(encoding="utf-8") == make() for name, make in current.items()}
    assert pages == dict.fromkeys(pages, True), "run: python docs/make_reference.py"


def test_the_reference_names_everything_that_is_public():
    named = {name for _, names in MADE.API for name in names}
    plug_ins = set(deskcheck._PLUG_INS)  # for verifiers, and public only where it is loaded
    assert named | {"__version__"} == set(deskcheck.__all__) - plug_ins


def test_every_public_attribute_has_a_description():
    for _, names in MADE.API:
        for name in names:
            member = getattr(deskcheck, name)
            if isinstance(member, type):
                assert [one for one, text in MADE.members(member) if not text] == [], name


def test_every_command_has_a_section():
    page = MADE.commands_page()
    assert [name for names in GROUPS.values() for name in names if f"\n### {name}\n" not in page] == []
