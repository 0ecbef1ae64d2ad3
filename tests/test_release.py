"""What a release says of itself is the same everywhere: version, license, Pythons."""

from __future__ import annotations

import re
import tomllib

from tests.pages import ROOT

import deskcheck

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CITATION = (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_version_is_one():
    cited = re.search(r"^version: (\S+)$", CITATION, re.M)
    assert cited and cited[1] == PROJECT["project"]["version"] == deskcheck.__version__


def test_the_license_is_one():
    cited = re.search(r"^license: (\S+)$", CITATION, re.M)
    assert cited and cited[1] == PROJECT["project"]["license"]


def test_wheels_are_built_for_every_python_that_is_named():
    named = {
        one.rpartition(" ")[2].replace(".", "")
        for one in PROJECT["project"]["classifiers"]
        if re.search(r"Python :: 3\.\d+$", one)
    }
    assert {f"cp{one}-*" for one in named} == set(PROJECT["tool"]["cibuildwheel"]["build"]) != set()


def test_the_address_of_the_project_stands_in_one_place():
    """Until there is one, docs/releasing.md says so; afterwards the checklist no longer does."""
    urls = PROJECT["project"].get("urls", {})
    checklist = (ROOT / "docs/releasing.md").read_text(encoding="utf-8")
    assert bool(urls) != ("there is no public address yet" in checklist)
    assert "repository-code" not in CITATION
