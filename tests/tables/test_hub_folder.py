"""Data sets for the hub: they load without deskcheck, and nothing is uploaded unasked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as parquet
import pytest
from tests.report.test_page import sample, write_run
from tests.strategies.programs import tasks as traced

from deskcheck.cli import app, shell
from deskcheck.evaluation.truth import TaskSet, build_tasks
from deskcheck.tables import hub_folder

LOAD = """
import sys
sys.modules["deskcheck"] = None
from datasets import load_dataset
(split,) = load_dataset(sys.argv[1], split=None).values()
print(len(split), *sorted(split.column_names))
"""


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["deskcheck", *arguments])
        with pytest.raises(SystemExit) as end:
            shell.run(app)
        return int(end.value.code or 0), *capsys.readouterr()

    return run


def loaded(folder: Path, cache: Path) -> str:
    pytest.importorskip("datasets", reason="needs the extra 'train'")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LOAD, str(folder)], capture_output=True, text=True, check=True,
        env={"HF_HOME": str(cache), "HF_HUB_OFFLINE": "1", "PATH": ""},
    )  # fmt: skip
    return done.stdout.split("\n")[-2]


def test_a_pinned_fresh_is_a_data_set_that_loads_without_us(typed, tmp_path: Path):
    code, said, _ = typed("push", "--benchmark", "fresh", "-T", "seed=7", "-T", "n=3")
    assert code == 0 and "nothing was uploaded" in said and "3 rows" in said
    rows = parquet.read_table(tmp_path / "dataset/data/test.parquet").to_pylist()
    tasks = build_tasks("fresh", options={"seed": "7", "n": "3"}).tasks
    assert [(row["id"], row["expected"], row["source"]) for row in rows] == [
        (task.id, task.expected, task.program.source) for task in tasks
    ]
    card = (tmp_path / "dataset/README.md").read_text(encoding="utf-8")
    assert card.startswith("---\nlicense: apache-2.0\n") and "-T seed=7 -T n=3" in card
    assert loaded(tmp_path / "dataset", tmp_path / "cache").startswith(
        "3 call cluster entry expected form id"
    )


def test_results_are_pushed_without_programs(typed, tmp_path: Path):
    write_run(tmp_path / "logs", "direct", [sample(k, v) for k, v in enumerate(["right", "wrong", "right"])])
    code, said, _ = typed("push", "logs")
    assert code == 0 and "3 rows" in said
    rows = parquet.read_table(tmp_path / "dataset/data/results.parquet").to_pylist()
    assert [row["verdict"] for row in rows] == ["right", "wrong", "right"]
    assert {row["source"] for row in rows} == {""}
    card = (tmp_path / "dataset/README.md").read_text(encoding="utf-8")
    assert "66.7" in card and "split: test" in card and card.startswith("---\nlicense: unknown\n")
    assert "- Models: tiny\n- Answered: not known\n" in card
    assert typed("push", "logs")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "one of the two"),
        (("logs", "--benchmark", "core"), "one of the two"),
        (("--benchmark", "core", "--to", "core"), "USER/NAME"),
    ],
)
def test_what_cannot_be_pushed_is_refused(typed, arguments: tuple[str, ...], why: str):
    code, _, said = typed("push", *arguments)
    assert code == 2 and why in " ".join(said.split())


def test_programs_of_others_are_not_published(typed, monkeypatch: pytest.MonkeyPatch):
    found = TaskSet("core", traced(), [], [], [], True, "test")
    monkeypatch.setattr("deskcheck.evaluation.truth.build_tasks", lambda *names, **given: found)
    code, _, said = typed("push", "--benchmark", "core")
    assert code == 2 and "not this project's own (MIT)" in said and not Path("dataset").exists()


def test_only_yes_uploads(typed, monkeypatch: pytest.MonkeyPatch):
    hub = pytest.importorskip("huggingface_hub")
    calls = []

    class Api:
        def create_repo(self, name: str, **given: object) -> None:
            calls.append(("create", name))

        def upload_folder(self, **given: object) -> str:
            calls.append(("upload", str(given["repo_id"])))
            return "https://example.org/commit/1"

    monkeypatch.setattr(hub, "HfApi", Api)
    code, said, _ = typed("push", "--benchmark", "fresh", "-T", "n=1", "--to", "me/fresh")
    assert code == 0 and "uploaded: https://example.org/commit/1" in said
    assert calls == [("create", "me/fresh"), ("upload", "me/fresh")]


def test_a_failed_upload_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    hub = pytest.importorskip("huggingface_hub")

    class Api:
        def create_repo(self, name: str, **given: object) -> None:
            raise PermissionError("403")

    monkeypatch.setattr(hub, "HfApi", Api)
    with pytest.raises(hub_folder.UserError, match="upload to me/x failed: PermissionError: 403"):
        hub_folder.upload(hub_folder.UploadFolder(tmp_path, [], 0), "me/x")


def test_a_built_dataset_is_checked_and_only_what_it_consists_of_goes_up(
    typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from deskcheck.dataset.build import build
    from deskcheck.plugins import SourceOptions

    folder = tmp_path / "easy"
    build(SourceOptions(source="generated", family="easy", n=4, seed=2), folder)
    (folder / "removed.jsonl").write_text("{}\n")
    code, said, _ = typed("push", str(folder))
    assert code == 0 and "nothing was uploaded" in said and "traces-000000000.parquet" in said
    assert "removed.jsonl" not in said and "run.jsonl" not in said

    sent: dict[str, object] = {}

    class Api:
        def create_repo(self, *_: object, **__: object) -> None: ...

        def upload_folder(self, **how: object) -> str:
            sent.update(how)
            return "https://hub/commit"

    monkeypatch.setattr("huggingface_hub.HfApi", Api)
    assert typed("push", str(folder), "--to", "me/easy")[0] == 0
    names = ["README.md", "dataset.json", "manifest.jsonl", "traces-000000000.parquet"]
    assert sent["folder_path"] == str(folder) and sent["allow_patterns"] == names
    shard = folder / names[-1]
    shard.write_bytes(shard.read_bytes()[:-1] + b"x")
    assert typed("push", str(folder))[0] == 2
