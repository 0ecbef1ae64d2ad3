"""Importers of saved answers: one file for each benchmark or program that writes such files.

    recognizes(path, first) -> bool     whether an importer reads this file; `first` is the file's first JSON
                                        value, None for a folder or a file without JSON
    read(path) -> [SavedRun, ..]        read the runs of a file or folder

`read_places` chooses the importer. The texts are never executed. In this folder, a source is whoever wrote
the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from deskcheck import plugins
from deskcheck.errors import DataError, UserError
from deskcheck.grading.displays import first_answered, without_examples, without_question
from deskcheck.grading.run_marks import shared_prompts
from deskcheck.importers._files import first_value, first_words, likely_fields
from deskcheck.result_rows import split_name

_GENERAL = "jsonl"
"""Importer of rows whose fields have any of the usual names."""


class Dropped(Struct, frozen=True):
    """One row or file that gave no answer, with the reason."""

    where: str
    """"line 17" or the name of a file."""
    reason: str


class SavedRun(Struct, frozen=True):
    """Answers of one model in one setting. Tables map task ids to lists with one entry for each sample."""

    layout: str
    """Name of the importer: "cruxeval", "livecodebench", "exerscope", .."""
    texts: dict[str, list[str]]
    """Replies; empty for a table of verdicts."""
    finish_reasons: dict[str, list[str]] = field(default_factory=dict)
    """Finish reasons, one for each text; empty if the file has none."""
    stored: dict[str, list[bool | None]] = field(default_factory=dict)
    """Verdicts of the source, one for each text; None = the source has no verdict on this answer."""
    taken: dict[str, list[str]] = field(default_factory=dict)
    """Answers that the source extracted from the replies, in the source's form; empty if not in the file."""
    model: str = ""
    """Name of the model, from the file's content or name."""
    strategy: str = "saved"
    """Strategy of the source: "direct", "cot", ..; "saved" = not known."""
    kind: str = ""
    """Kind of question: "output", "input", ..; "" = not known."""
    marks: tuple[str, str] = ("", "")
    """Opening and closing mark between which the source asked for the answer; ("", "") = [ANSWER] tags."""
    stops: tuple[str, ...] = ()
    """Texts at which a reply ends; text after them does not count."""
    spelling: Literal["python", "json"] = "python"
    """Notation in which the source asked for values."""
    settings: dict[str, str] = field(default_factory=dict)
    """Further settings of the run, by name: {"effort": "high"}."""
    dropped: list[Dropped] = field(default_factory=list)
    """Rows and files that gave no answer."""
    path: str = ""
    """File or folder of the run."""
    prompts: tuple[str, ...] = ()
    """Prompts with example answers, which replies repeat at their beginning."""
    whole: dict[str, list[str]] = field(default_factory=dict)
    """Whole replies, one for each text, if `texts` has only the answers extracted from them."""

    def finish_reason(self, task: str, sample: int) -> str:
        """Return the finish reason of a sample: "stop", "length", ..; "unknown" if the file has none."""
        reasons = self.finish_reasons.get(task, [])
        return reasons[sample] if reasons else "unknown"

    def in_our_marks(self, reply: str) -> str:
        """Return a reply with [ANSWER] tags in place of the source's marks, cut at the first stop text."""
        prompt = max((one for one in self.prompts if reply.startswith(one)), key=len, default="")
        reply = _behind(prompt, reply) if prompt else reply
        ends = [place for stop in self.stops if (place := reply.find(stop)) >= 0]
        reply = reply[: min(ends)] if ends else reply
        opening, closing = self.marks
        if not opening:
            return reply
        reply = reply.replace(opening, "[ANSWER]")
        return reply.replace(closing, "[/ANSWER]") if closing else reply

    @property
    def only_verdicts(self) -> bool:
        """Whether the source published verdicts without the answers."""
        return not self.texts and bool(self.stored)


def _behind(prompt: str, reply: str) -> str:
    """Return the part of a reply behind its prompt, up to the next question."""
    rest = reply[len(prompt) :]
    if rest.lstrip().startswith("<|user|>"):  # the prompt goes on, with an example that no mark names
        return rest.partition("<|assistant|>")[2].partition("<|system|>")[0].partition("<|user|>")[0]
    return first_answered(without_question(without_examples(rest)))


def no_answers_error(path: Path, what: str, dropped: Sequence[Dropped] = ()) -> DataError:
    """Make the error for a file without a single answer; the message names the first dropped row and why."""
    first = f"; first: {dropped[0].where}: {dropped[0].reason}" if dropped else ""
    return DataError(f"{path}: holds no {what}{first}")


def read_places(
    places: Sequence[str], importer: str = "", fields: Mapping[str, str] | None = None
) -> list[SavedRun]:
    """Read all runs of places written as "PATH" or "NAME=PATH"; a folder gives one run, or its files' runs.

    `importer`: name of the importer; "" = the one that recognizes the file. `fields`: for rows of JSON, our
    name of a field -> its name in the file: {"id": "task_id", "completion": "response"}; if given, the
    importer is always `jsonl`. UserError for a NAME with more than one run, and for a file that no importer
    recognizes.
    """
    runs = []
    for place in places:
        name, path = split_name(place)
        imported = read_place(Path(path), importer, fields)
        if name and len(imported) > 1:
            raise UserError(f"'{path}' holds {len(imported)} runs; NAME=PATH names a single one")
        runs += [replace(run, model=name) for run in imported] if name else imported
    return runs


def _without_prompt(run: SavedRun) -> SavedRun:
    """Return the run with the prompts that its replies repeat, found from the first reply to each task."""
    return replace(run, prompts=shared_prompts([texts[0] for texts in run.texts.values() if texts]))


def read_place(path: Path, importer: str = "", fields: Mapping[str, str] | None = None) -> list[SavedRun]:
    """Read the runs of one file or folder. UserError if it is missing or no importer recognizes it."""
    return [_without_prompt(run) for run in _read(path, importer, dict(fields or {}))]


def _read(path: Path, importer: str, fields: dict[str, str]) -> list[SavedRun]:
    if not path.exists():
        raise UserError(f"no saved generations at '{path}'")
    if fields:
        return list(plugins.load("importer", "jsonl").read(path, fields=fields))
    if importer:
        return _by(importer, path)
    if path.is_dir():
        return _of_folder(path)
    chosen = _importer_of(path)
    if not chosen:
        if why := _why_no_json(path):
            raise UserError(
                f"{path}: no importer knows it, since it is damaged ({why}); restore it from a copy"
            )
        raise UserError(_unknown(path))
    return _by(chosen, path)


def _by(importer: str, path: Path) -> list[SavedRun]:
    """Read by an importer. DataError for a file that has the importer's layout only at its beginning."""
    reader = plugins.load("importer", importer)
    try:
        return list(reader.read(path))
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"{path}: it looks like {importer} and a part of it does not ({type(error).__name__}: {error}); "
            "restore it from a copy, or name another reader with --importer"
        ) from error


def read_single(path: str | Path, importer: str = "") -> SavedRun:
    """Read the run of a file with exactly one run. UserError if it has more or fewer."""
    runs = read_place(Path(path), importer)
    if len(runs) != 1:
        raise UserError(f"'{path}' holds {len(runs)} runs, and one is needed")
    return runs[0]


def _unknown(path: Path) -> str:
    """Return the message for a file that no importer knows: what it has, what is needed, what to do."""
    known = ", ".join(plugins.names("importer"))
    first = first_value(path)
    row = first[0] if isinstance(first, list) and first else first
    if isinstance(row, dict):
        has = "has " + (", ".join(map(str, list(row)[:8])) or "no field") + (", .." if len(row) > 8 else "")
    elif first is not None:
        has = "is a JSON value of another kind"
    else:
        has = f"is not JSON{first_words(path)}; save it as JSON lines, .csv or .tsv"
    return (
        f"{path}: no importer knows this file format: line 1 {has}; "
        f"{plugins.load('importer', 'jsonl').needed()}; "
        f"name yours: {likely_fields(row if isinstance(row, dict) else {})}; "
        f"other importers: {known} (--importer NAME)"
    )


def _why_no_json(path: Path) -> str:
    """Return why a non-empty .json or .jsonl file has no JSON; "" if it has, and for any other file."""
    if path.suffix not in (".json", ".jsonl") or not path.stat().st_size or first_value(path) is not None:
        return ""
    content = path.read_bytes()
    try:
        json.loads(content if path.suffix == ".json" else content.split(b"\n", 1)[0])
    except (ValueError, RecursionError) as error:
        return f"line 1: {error}" if path.suffix == ".jsonl" else str(error)
    return ""


def _of_folder(path: Path) -> list[SavedRun]:
    """Read the files of a folder that an importer recognizes; without such a file, one answer from each file.

    If an importer knows the layout of the whole folder (`is_tree`), it reads the folder.
    """
    for name in plugins.names("importer"):
        if (is_tree := getattr(plugins.load("importer", name), "is_tree", None)) and is_tree(path):
            return list(plugins.load("importer", name).read(path))
    suffixes = (".json", ".jsonl", ".gz", ".eval", ".parquet", ".csv", ".tsv")
    files = sorted(file for file in path.iterdir() if file.is_file() and file.suffix in suffixes)
    known = [(file, name) for file in files if (name := _importer_of(file))]
    if not known:
        return list(plugins.load("importer", "folder").read(path))
    return [run for file, name in known for run in plugins.load("importer", name).read(file)]


def _importer_of(path: Path) -> str:
    """Return the name of the importer that recognizes a file; "" if none does. UserError if several do."""
    first = first_value(path)
    fitting = [
        name for name in plugins.names("importer") if plugins.load("importer", name).recognizes(path, first)
    ]
    if len(fitting) > 1 and _GENERAL in fitting:
        fitting.remove(_GENERAL)  # it also accepts the rows of other importers
    if len(fitting) > 1:
        raise UserError(
            f"{path}: several importers know this layout: {', '.join(fitting)}; choose: --importer"
        )
    return fitting[0] if fitting else ""
