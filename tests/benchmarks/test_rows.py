"""Rows of a benchmark's file: faults name file, row and field; the hub is asked where no file is named."""

from __future__ import annotations

import gzip
import hashlib
import http.server
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from deskcheck import plugins
from deskcheck.benchmarks import cruxeval, livecodebench_exec, mbpp
from deskcheck.data_files import fetch, read_rows
from deskcheck.errors import DataError, UserError

ROW = '{"code": "def f(x):\\n    return x", "input": "1", "output": "1", "id": "sample_0"}\n'


def written(folder: Path, content: str | bytes, name: str = "rows.jsonl") -> str:
    """Path of a new file."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


def test_plain_and_compressed_lines_give_the_same_items(tmp_path: Path) -> None:
    plain = list(cruxeval.drafts(written(tmp_path, ROW + "\n")))
    packed = list(cruxeval.drafts(written(tmp_path, gzip.compress(ROW.encode()), "rows.jsonl.gz")))
    assert plain == packed
    assert [draft.id for draft in plain] == ["sample_0"]


def test_parquet_gives_the_same_items(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    rows = {"code": ["def f(x):\n    return x"], "input": ["1"], "output": ["1"], "id": ["sample_0"]}
    pyarrow.parquet.write_table(pyarrow.table(rows), tmp_path / "rows.parquet")
    assert list(cruxeval.drafts(str(tmp_path / "rows.parquet"))) == list(
        cruxeval.drafts(written(tmp_path, ROW))
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "no rows"),
        ("\n\n", "no rows"),
        (ROW + "{", "line 2: not JSON"),
        (ROW + "[1]", "row 2: a list"),
        (ROW.replace('"input": "1", ', ""), "row 1: no field 'input'; it has: code, id, output"),
        (ROW + ROW.replace('"1"', "1"), "row 2, field 'input': int instead of text"),
        (b"\xff\xfe", "UTF-8"),
    ],
)
def test_a_malformed_file_says_where(tmp_path: Path, content: str | bytes, words: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(DataError) as found:
        list(cruxeval.drafts(path))
    assert words in str(found.value)
    assert path in str(found.value)


@pytest.mark.parametrize("name", ["rows.jsonl.gz", "rows.parquet"])
def test_a_broken_container_is_one_clear_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match=name):
        list(cruxeval.drafts(written(tmp_path, "no container", name)))


@pytest.mark.parametrize("call", ["f(1", "1", "g(1)", "f(1)(2)", "f(1) + 1", "x = f(1)", "(" * 100_000])
def test_a_livecodebench_input_must_be_one_call_of_its_function(tmp_path: Path, call: str) -> None:
    row = (
        f'{{"code": "def f(x): return x", "function_name": "f", "input": "{call}", "output": "1", "id": "s"}}'
    )
    with pytest.raises(DataError, match="row 1, field 'input'"):
        list(livecodebench_exec.drafts(written(tmp_path, row)))


def test_a_livecodebench_call_keeps_its_text(tmp_path: Path) -> None:
    row = '{"code": "def f(x): 1", "function_name": "f", "input": "f(x = [1])", "output": "[1]", "id": "s"}'
    (draft,) = livecodebench_exec.drafts(written(tmp_path, row))
    assert draft.program.call == "f(x = [1])"
    assert "from typing import List" in draft.program.prelude
    assert draft.cluster == "s"


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"no data file at '.*none.jsonl', name one: --data PATH"):
        list(cruxeval.drafts(str(tmp_path / "none.jsonl")))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, bytes]]:
    """A hub on loopback in the real one's layout; a dict of path -> content, and "asked": what was asked."""
    files: dict[str, bytes] = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def _answer(self, *, with_body: bool) -> None:
            content = files.get(self.path)
            files["asked"] = files.get("asked", b"") + f"{self.command} {self.path}\n".encode()
            self.send_response(200 if content is not None else 404)
            self.send_header("Content-Length", str(len(content or b"")))
            self.send_header("ETag", f'"{hashlib.sha256(content or b"").hexdigest()}"')
            self.send_header("X-Repo-Commit", cruxeval.HUB[1])
            self.end_headers()
            if with_body and content:
                self.wfile.write(content)

        def do_GET(self) -> None:
            self._answer(with_body=True)

        def do_HEAD(self) -> None:
            self._answer(with_body=False)

        def log_message(self, *args: object) -> None:
            return None

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    from huggingface_hub import constants

    address = f"http://127.0.0.1:{server.server_address[1]}"
    monkeypatch.setattr(constants, "ENDPOINT", address)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
    # The client keeps both from its import on.
    template = constants.HUGGINGFACE_CO_URL_TEMPLATE
    monkeypatch.setattr(
        constants, "HUGGINGFACE_CO_URL_TEMPLATE", address + template[template.index("/{repo_id}") :]
    )
    try:
        yield files
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_hub_that_cannot_be_had_is_one_error_that_names_the_way_round(hub: dict[str, bytes]) -> None:
    with pytest.raises(UserError, match="--data PATH") as found:
        list(cruxeval.drafts(""))
    repository, revision, file = cruxeval.HUB
    for part in (repository, revision, file):
        assert part in str(found.value)
    assert "\n" not in str(found.value)


def test_the_hub_is_asked_once_at_the_pinned_revision(hub: dict[str, bytes]) -> None:
    repository, revision, file = cruxeval.HUB
    path = f"/datasets/{repository}/resolve/{revision}/{file}"
    hub[path] = ROW.encode()
    assert len(list(cruxeval.drafts(""))) == 1
    asked = hub["asked"]
    assert len(list(cruxeval.drafts(""))) == 1
    assert hub["asked"] == asked
    assert {line.split()[1] for line in asked.decode().splitlines()} == {path}


def test_several_files_of_the_hub_are_read_in_order(hub: dict[str, bytes], tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    for number, file in enumerate(mbpp.HUB[2:]):
        row = {"task_id": [number + 1], "text": ["t"], "code": ["def f(x):\n    return x"]}
        row |= {"test_list": [["assert f(1) == 1"]], "test_setup_code": [""], "challenge_test_list": [[]]}
        pyarrow.parquet.write_table(pyarrow.table(row), tmp_path / "part.parquet")
        hub[f"/datasets/{mbpp.HUB[0]}/resolve/{mbpp.HUB[1]}/{file}"] = (
            tmp_path / "part.parquet"
        ).read_bytes()
    assert [draft.id for draft in mbpp.drafts("")] == ["1:0", "2:0", "3:0", "4:0"]


def test_a_hub_that_does_not_answer_is_said_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hub = pytest.importorskip("huggingface_hub", reason="the hub's client comes with the extra eval")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{closed.getsockname()[1]}"
    monkeypatch.setattr(hub, "hf_hub_url", lambda *given, **more: nobody)
    monkeypatch.setattr(hub, "hf_hub_download", lambda *given, **more: pytest.fail("it was tried"))
    with pytest.raises(UserError, match=f"nobody answers at {nobody}.*name it with --data PATH"):
        fetch(("a/b", "0" * 40, "rows.jsonl"), "rows.jsonl")
    monkeypatch.setattr(hub, "try_to_load_from_cache", lambda *given, **more: "/kept/rows.jsonl")
    assert fetch(("a/b", "0" * 40, "rows.jsonl"), "rows.jsonl") == Path("/kept/rows.jsonl")


@pytest.mark.parametrize("name", plugins.names("benchmark"))
def test_what_is_fetched_is_pinned_to_a_whole_commit(name: str) -> None:
    module = plugins.load("benchmark", name)
    if module.HUB is not None:
        repository, revision, *files = module.HUB
        assert repository.count("/") == 1 and len(revision) == 40 and files


def test_a_json_list_gives_the_same_rows_as_json_lines(tmp_path: Path) -> None:
    plain = list(cruxeval.drafts(written(tmp_path, f"[{ROW.strip()}]", "rows.json")))
    assert plain == list(cruxeval.drafts(written(tmp_path, ROW)))
    with pytest.raises(DataError, match="dict instead of a list"):
        list(read_rows(Path(written(tmp_path, "{}", "rows.json"))))
