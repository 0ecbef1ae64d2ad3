"""Importers: one file for each source of saved answers, named by the source. A file or folder in, runs out.

    recognizes(path, first) -> bool     whether a file is of this source; `first` is its first JSON value,
                                        None where the file holds no JSON, and None for a folder
    read(path) -> [SavedRun, ..]        its runs

`read_places` chooses the importer; the texts are data and never executed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.errors import DataError, UserError
from deskcheck.importers._files import first_value
from deskcheck.result_rows import split_name


class Dropped(Struct, frozen=True):
    """One row of a file that is no answer."""

    where: str
    """"line 17" or the name of a file."""
    reason: str


class SavedRun(Struct, frozen=True):
    """Answers of one model in one setting. Tables are keyed by task id; sample n is entry n of a list."""

    layout: str
    """Name of the importer: "cruxeval", "livecodebench", "exerscope", .."""
    texts: dict[str, list[str]]
    """Replies; empty for a table of verdicts."""
    finish_reasons: dict[str, list[str]] = field(default_factory=dict)
    """Only where the file tells them; as long as the texts."""
    stored: dict[str, list[bool | None]] = field(default_factory=dict)
    """Verdicts of the source; as long as the texts; None = the source has none for this answer."""
    taken: dict[str, list[str]] = field(default_factory=dict)
    """What the source itself took from each reply, as its rule reads it; only where the file tells it."""
    model: str = ""
    """As the file or its name says it."""
    strategy: str = "saved"
    """How the source asked: "direct", "cot", ..; "saved" = the file does not say."""
    kind: str = ""
    """Kind of question: "output", "input", ..; "" = the file does not say."""
    marks: tuple[str, str] = ("", "")
    """Opening and closing mark between which the source asked for the answer; "" = [ANSWER] tags."""
    stops: tuple[str, ...] = ()
    """Texts at which the source should have stopped a model: what follows is no part of the reply."""
    spelling: Literal["python", "json"] = "python"
    """How the source asked for values to be written."""
    settings: dict[str, str] = field(default_factory=dict)
    dropped: list[Dropped] = field(default_factory=list)
    path: str = ""
    whole: dict[str, list[str]] = field(default_factory=dict)
    """Everything a model wrote, as long as `texts`, where those are only the answers in it."""

    def finish_reason(self, task: str, sample: int) -> str:
        """ "stop", "length", ..; "unknown" where the file does not say."""
        reasons = self.finish_reasons.get(task, [])
        return reasons[sample] if reasons else "unknown"

    def in_our_marks(self, reply: str) -> str:
        """The reply with the marks of its source as [ANSWER] tags, so that all replies read alike."""
        ends = [place for stop in self.stops if (place := reply.find(stop)) >= 0]
        reply = reply[: min(ends)] if ends else reply
        opening, closing = self.marks
        return reply.replace(opening, "[ANSWER]").replace(closing, "[/ANSWER]") if opening else reply

    @property
    def only_verdicts(self) -> bool:
        """Whether the source published verdicts without the answers."""
        return not self.texts and bool(self.stored)


def no_answers_error(path: Path, what: str, dropped: Sequence[Dropped] = ()) -> DataError:
    """Make the error for a file without a single answer; it names the first dropped row and the reason."""
    first = f"; first: {dropped[0].where}: {dropped[0].reason}" if dropped else ""
    return DataError(f"{path}: holds no {what}{first}")


def read_places(places: Sequence[str], importer: str = "") -> list[SavedRun]:
    """All runs of "PATH" or "NAME=PATH"; a folder gives one run, or the runs of its files."""
    runs = []
    for place in places:
        name, path = split_name(place)
        found = read_place(Path(path), importer)
        if name and len(found) > 1:
            raise UserError(f"'{path}' holds {len(found)} runs; NAME=PATH names a single one")
        runs += [replace(run, model=name) for run in found] if name else found
    return runs


def read_place(path: Path, importer: str = "") -> list[SavedRun]:
    """The runs of one file or folder. UserError where no importer knows it."""
    if not path.exists():
        raise UserError(f"no saved generations at '{path}'")
    if importer:
        return list(plugins.load("importer", importer).read(path))
    if path.is_dir():
        return _of_folder(path)
    chosen = _chosen(path)
    if not chosen:
        known = ", ".join(plugins.names("importer"))
        if why := _why_no_json(path):
            raise UserError(
                f"{path}: no importer knows it, since it is damaged ({why}); restore it from a copy"
            )
        raise UserError(f"{path}: no importer knows this layout; known: {known} (--importer NAME)")
    return list(plugins.load("importer", chosen).read(path))


def read_single(path: str | Path, importer: str = "") -> SavedRun:
    """The run of a file that holds one. UserError where it holds several."""
    runs = read_place(Path(path), importer)
    if len(runs) != 1:
        raise UserError(f"'{path}' holds {len(runs)} runs, and one is needed")
    return runs[0]


def _why_no_json(path: Path) -> str:
    """Why a file called .json is not one; "" for any other file."""
    if path.suffix != ".json" or not path.stat().st_size:
        return ""
    try:
        json.loads(path.read_bytes())
    except (ValueError, RecursionError) as error:
        return str(error)
    return ""


def _of_folder(path: Path) -> list[SavedRun]:
    """Runs of a folder: those of its files that an importer knows, else one file an answer."""
    files = sorted(
        file for file in path.iterdir() if file.is_file() and file.suffix in (".json", ".jsonl", ".gz")
    )
    known = [(file, name) for file in files if (name := _chosen(file))]
    if not known:
        return list(plugins.load("importer", "folder").read(path))
    return [run for file, name in known for run in plugins.load("importer", name).read(file)]


def _chosen(path: Path) -> str:
    """Name of the importer that knows a file; "" where none does. UserError where two do."""
    first = first_value(path)
    fitting = [
        name for name in plugins.names("importer") if plugins.load("importer", name).recognizes(path, first)
    ]
    if len(fitting) > 1:
        raise UserError(
            f"{path}: several importers know this layout: {', '.join(fitting)}; choose: --importer"
        )
    return fitting[0] if fitting else ""
