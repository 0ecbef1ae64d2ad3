"""The folder: its size, what it refuses, and the tokenizer that needs no library."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deskcheck.browser import parts
from deskcheck.browser import site as writing
from deskcheck.browser.examples import examples
from deskcheck.browser.tokens import Tokens
from deskcheck.errors import DataError, Unobtainable, UserError
from deskcheck.models import tiny

pytestmark = pytest.mark.one_python
TEXTS = st.text("abc_ 0123456789'\"\\\n@>/|-+*=<>()[]{},:;.#$!é中²٣\u0345😀\t\rıß", max_size=60) | st.text(
    max_size=40
)


@pytest.fixture(scope="module")
def both() -> tuple[Tokens, tiny.TinyModel]:
    pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
    text = (tiny.SHIPPED / "tokenizer.json").read_text(encoding="utf-8")
    model = tiny.load(threads=1)
    return Tokens(text, last_digit_first=model.shape.last_digit_first), model


@given(text=TEXTS)
def test_tokens_are_those_of_the_library(both: tuple[Tokens, tiny.TinyModel], text: str) -> None:
    tokens, model = both
    ids = tokens.encode(text)
    assert ids == model.tokens(text)
    assert tokens.decode(ids) == model.text(ids)


def test_a_part_with_another_hash_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    part = replace(parts.pinned()["msgspec"], sha256="0" * 64)
    parts.cache_folder().mkdir(parents=True)
    (parts.cache_folder() / part.file).write_bytes(b"another file")

    def client(part: parts.Part, folder: str) -> str:
        (Path(folder) / part.file).write_bytes(b"a third file")
        return ""

    monkeypatch.setattr(parts, "_client", client)
    with pytest.raises(Unobtainable, match=r"its hash is .*; put msgspec-.* into .* by other means"):
        parts.files_of(part)


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(UserError, match="holds something else"):
        writing.write_site(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]


def test_the_folder_is_small_and_says_its_licenses(site: Path) -> None:
    assert sum(path.stat().st_size for path in site.rglob("*")) <= 60e6
    licenses = (site / "LICENSES.txt").read_text(encoding="utf-8")
    for part in parts.pinned().values():
        assert f"{part.name} {part.version}: {part.license}" in licenses and part.sha256 in licenses
    lock = json.loads((site / "pyodide" / "pyodide-lock.json").read_bytes())
    python = lock["info"]["python"].rpartition(".")[0]
    assert f"CPython {python}\n" in licenses  # after a renewal: compare the text with that version's


def test_six_examples_are_like_the_training_and_six_are_not() -> None:
    kinds = [example["kind"] for example in examples()]
    assert len(kinds) == 12 and len(set(kinds)) == 2 and kinds.count(kinds[0]) == 6


def test_the_scores_by_length_leave_no_length_out() -> None:
    card = (tiny.SHIPPED / "README.md").read_text(encoding="utf-8")
    rows = writing.scores_by_length(card)
    assert rows[0][0] == 1
    assert [low for low, _, _ in rows[1:]] == [high + 1 for _, high, _ in rows[:-1]]
    assert sum(int(score.rpartition("= ")[2].rstrip(")")) for _, _, score in rows) == 800
    with pytest.raises(DataError, match="no table of scores by length"):
        writing.scores_by_length(card.replace("### By length", "### By size"))


SLOW = ["doctest", "unittest", "pdb", "argparse", "difflib", "urllib.request", "http.client"]
"""Libraries that took a second to compile in the browser, where nothing is compiled before."""


def test_python_loads_no_debugger_and_no_client_to_begin_in_the_browser() -> None:
    code = f"import sys; import deskcheck.browser.run; print([n for n in {SLOW} if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
