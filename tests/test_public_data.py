"""The public data that ships with the tests is what its page says, and needs no folder of data."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest

PUBLIC = Path(__file__).parent / "public"


def test_every_file_has_the_sum_on_the_page_and_a_license() -> None:
    page = (PUBLIC / "README.md").read_text(encoding="utf-8")
    sums = dict(re.findall(r"\| `(\S+)` \| `([0-9a-f]{64})` \|", page))
    files = {path.name: path for path in PUBLIC.rglob("*.gz")}
    assert len(files) == 4
    found = {
        name: hashlib.sha256(gzip.decompress(path.read_bytes())).hexdigest() for name, path in files.items()
    }
    assert found == sums
    assert all((path.parent / "LICENSE").exists() for path in files.values())


def test_what_ships_is_found_without_a_folder_of_data(
    data: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DESKCHECK_DATA", raising=False)
    assert len(data("cruxeval/cruxeval.jsonl").read_text(encoding="utf-8").splitlines()) == 800
