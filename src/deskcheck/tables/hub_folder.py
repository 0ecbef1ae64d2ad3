"""Write a data set for the Hugging Face hub: results, or a benchmark's tasks, as Parquet with a card.

    made = results_folder(["logs"], Path("out"))           out/README.md, out/data/results.parquet
    made = benchmark_folder("core", {}, Path("out"))       out/README.md, out/data/test.parquet
    made = dataset_folder(Path("data/mine"))               a folder of `deskcheck build`, checked
    upload(made, "me/core")

`datasets.load_dataset` reads these folders without deskcheck. Tasks are only written if every program is this
project's own. Results are written without programs, because the programs' licenses may not allow a copy.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from deskcheck import __version__, result_rows
from deskcheck.cell_files import write_whole
from deskcheck.dataset.build import summarise
from deskcheck.dataset.command import write_card
from deskcheck.dataset.folder import CONFIG
from deskcheck.errors import MissingExtra, UserError
from deskcheck.format.shards import MANIFEST, check_shard, read_manifest
from deskcheck.records import Task
from deskcheck.report.read import Run
from deskcheck.tables.render import render
from deskcheck.tables.results import results, runs_of
from deskcheck.turns.question import words

OURS = "Apache-2.0"
"""License of this project's own programs."""


class UploadFolder(Struct, frozen=True):
    """A folder that can be uploaded unchanged."""

    folder: Path
    files: list[Path]
    n_rows: int


def results_folder(places: Sequence[str], folder: Path) -> UploadFolder:
    """Write one row per answer, in the results schema; the card has the table of accuracies."""
    found = [row for place in places for row in result_rows.rows_at(Path(result_rows.split_name(place)[1]))]
    rows = [msgspec.structs.replace(row, source="", call="", log="") for row in found]
    path = folder / "data" / "results.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    n = result_rows.write_results(str(path), rows)
    runs = runs_of(places)
    version = f"deskcheck {__version__}, results schema {result_rows.VERSION}"
    text = (
        f"One row for each answer ({version}); programs are left out.\n\n"
        f"- Models: {', '.join(dict.fromkeys(run.row.model for run in runs))}\n"
        f"- Answered: {_days(runs)}\n"
        "- License: not stated; the models' providers and the benchmarks set the terms.\n\n"
        f"{render(results(runs), 'markdown')}"
    )
    return UploadFolder(
        folder, [_card(folder, "Results of deskcheck", "test", path, text, "unknown"), path], n
    )


def _days(runs: Sequence[Run]) -> str:
    """Return the first and the last day on which runs began, "2026-03-01 to 2026-03-04"; or "not known"."""
    begun = [run.facts.get("started_unix_s", 0) for run in runs]
    days = sorted({datetime.fromtimestamp(at, UTC).date().isoformat() for at in begun if at})
    return " to ".join(dict.fromkeys((days[0], days[-1]))) if days else "not known"


def benchmark_folder(name: str, options: Mapping[str, str], folder: Path) -> UploadFolder:
    """Write one row per task: program, call, question, true answer. UserError for programs of others."""
    from deskcheck.evaluation.truth import build_tasks

    tasks = build_tasks(name, options=options).tasks
    others = sorted({task.program.license for task in tasks} - {OURS})
    if others or not tasks:
        raise UserError(
            f"the programs of '{name}' are not this project's own ({', '.join(others) or 'none'}), so they "
            "are not published; those of the benchmarks core, easy, fresh and long can be"
        )
    path = folder / "data" / "test.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(path, (_row(task) for task in tasks))
    said = "".join(f" -T {key}={value}" for key, value in options.items())
    text = (
        f"Tasks of the benchmark `{name}`, made by `deskcheck push --benchmark {name}{said}` "
        f"(deskcheck {__version__}). What does the call return? `expected` was executed, never copied: "
        "a Python literal, or `raises KeyError`.\n"
    )
    return UploadFolder(
        folder, [_card(folder, f"deskcheck: {name}", "test", path, text, OURS), path], len(tasks)
    )


def is_dataset(place: str) -> bool:
    """Whether a place is a folder of `deskcheck build`."""
    return (Path(place) / MANIFEST).is_file() and (Path(place) / CONFIG).is_file()


def dataset_folder(folder: Path) -> UploadFolder:
    """Check every shard of a built dataset and write its card; other files of the folder are not uploaded."""
    shards = [Path(check_shard(folder, entry)) for entry in read_manifest(folder)]
    card = write_card(folder)
    n = summarise(read_manifest(folder)).n_kept
    return UploadFolder(folder, [card, folder / CONFIG, folder / MANIFEST, *shards], n)


def _row(task: Task) -> dict[str, Any]:
    return {
        "id": task.id,
        "source": task.program.source,
        "entry": task.program.entry,
        "call": task.call,
        "question": words(task, "question", "en"),
        "form": words(task, "form", "en"),
        "expected": task.expected,
        "steps": task.truth.n_steps,
        "cluster": task.cluster,
        "tags": msgspec.json.encode(dict(sorted(task.tags.items()))).decode(),
    }


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    try:
        pa, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise MissingExtra("pyarrow", "data", "deskcheck push") from None
    parquet.write_table(pa.Table.from_pylist(list(rows)), path, compression="zstd")


def _card(folder: Path, title: str, split: str, path: Path, text: str, license: str) -> Path:
    front = (
        f"---\nlicense: {license.lower()}\n"
        "configs:\n- config_name: default\n  data_files:\n"
        f"  - split: {split}\n    path: {path.relative_to(folder).as_posix()}\n---\n"
    )
    card = folder / "README.md"
    write_whole(card, f"{front}# {title}\n\n{text}".encode("utf-8", "backslashreplace"))
    return card


def upload(ready: UploadFolder, repository: str) -> str:
    """Create the data set on the hub if it is missing, and upload the files; return the commit's address.

    UserError if the hub refuses, MissingExtra without the package huggingface_hub.
    """
    try:
        from huggingface_hub import HfApi
    except ImportError:
        raise MissingExtra("huggingface_hub", "eval", "deskcheck push --to") from None
    api = HfApi()
    try:
        api.create_repo(repository, repo_type="dataset", exist_ok=True)
        names = [file.relative_to(ready.folder).as_posix() for file in ready.files]
        done = api.upload_folder(
            repo_id=repository, repo_type="dataset", folder_path=str(ready.folder), allow_patterns=names
        )
    except Exception as error:  # the hub's client raises many classes of exceptions
        raise UserError(f"the upload to {repository} failed: {type(error).__name__}: {error}") from None
    return str(done)
