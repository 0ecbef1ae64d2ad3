"""Files in the folder of a finished evaluation, as records that writers and readers share.

    cell.json        CellFile: the row, the settings on which its answers depend, facts about the run
    results.jsonl    Sampled: one line per sample: prompt, reply, answer, verdict and measures of the true run

    read_cell(folder) -> CellFile, read_samples(folder) -> [Sampled], write_whole(path, bytes)
    cell_folders(Path("logs")) -> [folder, ..]      each cell once, where a folder holds its answers again
    check_target("out.json", "--json")      before the work starts, not after it

`evaluation/` writes these files; `report/` and the comparisons read them. docs/evaluation.md explains the
fields.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct, field
from msgspec.structs import force_setattr

from deskcheck.errors import DataError, UserError
from deskcheck.format.files import replacing, storage_error
from deskcheck.pace import counted
from deskcheck.records import MISSING

CELL, RESULTS = "cell.json", "results.jsonl"
MOST_UNREAD = 0.10
"""Largest share of unread replies at which an accuracy is still trusted; above it, a warning is shown."""
MOST_MISSING = 0.05
"""Share of answers that may be missing (never asked for, or failed) before verdicts are withheld."""
_T = TypeVar("_T")


def is_withheld(n_missing: int, n_all: int) -> bool:
    """Tell whether so many answers are missing that no verdict is given."""
    return n_missing > MOST_MISSING * n_all


class Row(Struct, frozen=True):
    """Counts and interval of one model on one benchmark with one strategy."""

    model: str
    benchmark: str
    task: str
    """Kind of question: "output", "state", .."""
    strategy: str
    """The strategy's name, with the settings that differ from their defaults: "iip-dynamic(history=state)".
    """
    oracle: bool
    """True if a part of the run used the truth; such a row is always marked."""
    n_tasks: int
    n_samples: int
    """Samples of each task: the counts add up to n_tasks x n_samples."""
    right: int
    wrong: int
    no_answer: dict[str, int]
    """Reason -> number of samples without an answer for this reason; every reason is listed, also with 0."""
    accuracy: float | None
    """right / n_counted; None if nothing was answered."""
    interval: list[float | None]
    """95 % interval of the accuracy, clustered by program; [None, None] if it is unknown or withheld."""
    marks: list[str] = field(default_factory=list)
    """Reasons why this row is not comparable with others: "injected states", "layout not trained on", .."""
    bounds: list[float] = field(default_factory=list)
    """Accuracy over n_answers if every missing answer were wrong, and if every one were right."""
    served: dict[str, int] = field(default_factory=dict)
    """Name of the model that a server reports -> number of its answers; empty for models that run here."""

    @property
    def aside(self) -> str:
        """Note that is printed behind the strategy's name: " (oracle, injected states)", or ""."""
        said = [*(["oracle"] if self.oracle else []), *self.marks]
        return f" ({', '.join(said)})" if said else ""

    @property
    def n_answers(self) -> int:
        """Number of answers that the run was to ask for: tasks x samples."""
        return self.n_tasks * self.n_samples

    @property
    def n_missing(self) -> int:
        """Number of answers never asked for, or whose request failed: no evidence about the model."""
        return sum(self.no_answer.get(reason, 0) for reason in MISSING)

    @property
    def n_counted(self) -> int:
        """The denominator of the accuracy."""
        return self.n_answers - self.n_missing

    @property
    def is_withheld(self) -> bool:
        """Tell whether too many answers are missing for a verdict; `bounds` are shown instead."""
        return is_withheld(self.n_missing, self.n_answers)

    @property
    def n_unread(self) -> int:
        """Number of replies that hold no value that could be read."""
        return self.no_answer.get("unparsable", 0)

    @property
    def is_unread(self) -> bool:
        """Tell whether so many replies are unread that the accuracy may depend on how replies are read."""
        return self.n_unread > MOST_UNREAD * self.n_counted


class ResultsFile(Struct, frozen=True):
    """Content of the file that `eval --json` writes."""

    exit: dict[str, int | str]
    """Exit code of the command and its name: code 0 and "done" if no answer is missing."""
    run: dict[str, Any]
    """Command, configuration, commit, versions, containment level, start."""
    rows: list[Row]


class StepCount(Struct, frozen=True):
    """Counts of the steps of one chain, each compared with the true step."""

    n: int
    """Number of steps that the chain has to make, not counting the last one."""
    wrong: int
    parts: dict[str, int]
    """Number of wrong steps by the part that differs: "control flow", "variables", "iterators", "stack",
    "format", ...
    """
    kinds: dict[str, list[int]]
    """Kind of line -> [steps, wrong steps]."""
    after_plant: str = ""
    """Reaction of the model to an injected wrong value: "followed", "corrected", "neither"; "" = none was
    injected.
    """
    contradictions: int = -1
    """Number of places where the model's text contradicts itself, right or wrong; -1 = not counted."""


class AnswerRow(Struct, frozen=True, kw_only=True):
    """Columns of one answer that every form of results has: samples, rows, Parquet and JSON schema.

    A column is declared here alone; `sample_records` fills it. In any number column, -1 means "not known".
    """

    task: str
    sample: int
    verdict: str
    """"right", "wrong" or "no answer"."""
    reason: str
    """Reason why there is no answer; "" if there is one."""
    answer: str
    """The value that was read, as text; if none was read, the start of the reply's text."""
    expected: str
    policy: str
    """Rule by which `answer` and `expected` were compared: "strict", "lenient", "published"."""
    extraction: str = ""
    """Extraction level and version with which the answer was read: "usual-1"; "source" = the verdict comes
    from the source itself; "" = not read from a reply.
    """
    levels: dict[str, str] = field(default_factory=dict)
    """Extraction level -> verdict of the same reply at that level; empty if there is no single reply."""
    cluster: str = ""
    """Answers of one program share it; intervals are clustered by it."""
    tags: dict[str, str] = field(default_factory=dict)
    source: str = ""
    """Source code of the program."""
    call: str = ""
    n_steps: int = -1
    """Executed line events of the true run."""
    call_depth: int = -1
    """Most activations alive at once in the true run."""
    state_size: int = -1
    """Most variables, elements, keys and attributes that the true run holds at once."""
    int_bits: int = -1
    """Bits of the largest integer of the true run, by absolute value."""
    finish_reason: str = "unknown"
    """How the last reply ended: "stop", "length" (the token budget), "content_filter", "error", "unknown"."""
    n_calls: int = -1
    """Number of requests for this answer."""
    tokens_in: int = -1
    tokens_out: int = -1
    """Tokens that the model wrote, hidden reasoning included."""
    tokens_hidden: int = -1
    """The part of `tokens_out` that was hidden reasoning."""
    cost_usd: float = -1.0
    """Cost by the prices of this run; -1 = a price or a count is not known."""
    seconds: float = -1.0
    """Time that the model took, in seconds, summed over the requests."""
    served: str = ""
    """Name of the model that answered, as its server reports it; several are joined by ", "."""

    def columns(self) -> dict[str, Any]:
        """Return the columns that all forms of results share: name -> value."""
        return {name: getattr(self, name) for name in AnswerRow.__struct_fields__}


class Sampled(AnswerRow, frozen=True, kw_only=True):
    """One sample of one task: the shared columns, and what only the log folder has: prompt, reply, chain."""

    prompt: list[list[str]]
    """First prompt: [role, text] pairs."""
    text: str
    """What the model wrote last."""
    chain: list[str]
    """Step loops: the model's belief after each step."""
    prompt_hash: str = ""
    """Hash over program and first prompt."""
    together: int = -1
    """Step loops: number of right steps before the first wrong one; -1 = no chain of states."""
    part: str = ""
    """Part in which the first wrong step differs: "variables", "control flow", "format", ..; "" = no step is
    wrong.
    """
    cause: str = ""
    """Kind of line whose step went wrong first: "index or slice", ..; "" = no step is wrong."""
    apart: int = -1
    """on_error=check: number of jumps that ended in another state than single steps from the same start."""
    steps: StepCount | None = None
    """Counts over all steps of a chain; None if the strategy has no chain."""

    @property
    def is_missing(self) -> bool:
        """Tell whether the task was never asked or its request failed, so that it says nothing about the
        model.
        """
        return self.verdict == "no answer" and self.reason in MISSING


class CellFile(Struct, frozen=True):
    """Content of `cell.json`: the result of a cell, and everything that it depends on."""

    row: Row
    note: str
    """Note on the interval: "" or "too few clusters"."""
    cell: dict[str, Any] = field(default_factory=dict)
    """Everything that can change an answer: model and arguments, strategy and settings, budgets, versions."""
    run: dict[str, Any] = field(default_factory=dict)
    """Command, configuration, commit, versions, containment level, start."""
    totals: dict[str, float] = field(default_factory=dict)
    """Number of calls and answers. Sums of tokens_in, tokens_out, tokens_hidden, seconds, cost_usd over the
    answers with a known number (-1 = none has one); unknown_tokens_in, .. = number of answers without one."""


def read_cell(folder: Path) -> CellFile:
    """Read the cell of a finished folder; DataError if the file does not hold a CellFile."""
    return decode((folder / CELL).read_bytes(), CellFile, str(folder / CELL), _AGAIN)


def cell_folders(place: Path) -> list[Path]:
    """Return the folders of all finished cells below a log folder, in the order of their paths.

    No answer counts twice: if another folder of the same cell holds every answer of a folder, this folder is
    left out, and a line on standard error says so. DataError if such a folder cannot be read.
    """
    named: dict[str, list[Path]] = {}
    for file in sorted(place.glob(f"**/{CELL}")):
        named.setdefault(file.parent.name, []).append(file.parent)
    return sorted(folder for folders in named.values() for folder in _distinct(folders))


def _distinct(folders: list[Path]) -> list[Path]:
    """Leave out folders whose answers another one holds too; the larger, then the nearer one is kept."""
    if len(folders) == 1:
        return folders
    answers = {folder: _answers(folder) for folder in folders}
    distinct: list[Path] = []
    for folder in sorted(folders, key=lambda one: (-len(answers[one]), len(one.parts), one)):
        same = next((one for one in distinct if answers[folder].items() <= answers[one].items()), None)
        if same is None:
            distinct.append(folder)
        else:
            _say_once(f"{folder} holds answers that are in {same} too; they count once")
    return distinct


def _answers(folder: Path) -> dict[object, tuple[str, ...]]:
    """Return cell, task and sample -> what was answered, without the answers that are missing."""
    file = read_cell(folder)
    row = file.row
    cell = msgspec.json.encode((row.model, row.benchmark, row.task, row.strategy, file.cell), order="sorted")
    return {
        (cell, one.task, one.sample): (one.text, one.answer, one.verdict, one.policy)
        for one in read_samples(folder)
        if not one.is_missing
    }


@cache
def _say_once(line: str) -> None:
    print(f"deskcheck: {line}", file=sys.stderr)


def is_whole_log(path: Path) -> bool:
    """Tell whether a log of Inspect is complete; a truncated one lacks the directory at its end."""
    import zipfile

    return zipfile.is_zipfile(path)


def damaged_part(log: Path) -> str:
    """Name the first part of a log whose checksum does not match its bytes; "" if all match."""
    import zipfile

    if not is_whole_log(log):
        return "its end"
    if sys.version_info < (3, 14):  # zipfile learns the compression of the logs from this import
        import inspect_ai.log  # noqa: F401
    with zipfile.ZipFile(log) as archive:
        for part in archive.infolist():
            try:
                with archive.open(part) as file:
                    while file.read(1 << 20):
                        pass
            except Exception:  # raised by zipfile or by the decompressor, whichever meets the damage first
                return part.filename
    return ""


def check_logs(folder: Path, cell: CellFile) -> None:
    """Raise DataError if a log of the cell is truncated; no checksum is compared. A deleted log is fine."""
    for name in cell.run.get("logs", []):
        log = folder / Path(str(name)).name
        if log.is_file() and not is_whole_log(log):
            raise DataError(
                f"{log} is cut or damaged; the answers beside it are whole: run the same `deskcheck eval` "
                "again, which writes the log anew, or delete the file to go on without it"
            )


def read_samples(folder: Path) -> list[Sampled]:
    """Read all samples, in the order of tasks and samples; DataError names an invalid line."""
    path = folder / RESULTS
    if not path.is_file():
        raise DataError(f"{path} is missing beside {CELL}; run the same `deskcheck eval` again to write it")
    known: dict[Any, Any] = {}
    with path.open("rb") as file:
        return [
            _shared(decode(line, Sampled, f"{path}:{number}", _AGAIN), known)
            for number, line in enumerate(counted(file, "answers read"), 1)
            if line.strip()
        ]


# Columns with few different texts.
_REPEATED = ("verdict", "reason", "policy", "finish_reason", "part", "cause", "extraction")


def _shared(answer: Sampled, known: dict[Any, Any]) -> Sampled:
    """Replace values that many samples have by one object each, which saves 80 MB per 100,000 samples."""
    for name in _REPEATED:
        text = getattr(answer, name)
        force_setattr(answer, name, known.setdefault(text, text))
    for name, values in (("tags", answer.tags), ("levels", answer.levels)):
        force_setattr(answer, name, known.setdefault((name, *values.items()), values))
    if answer.cluster == answer.task:
        force_setattr(answer, "cluster", answer.task)
    return answer


_AGAIN = "; run the same `deskcheck eval` again, which writes it anew and asks no answer twice"


def decode(text: bytes, kind: type[_T], where: str, after: str = "") -> _T:
    """Decode one record from JSON; DataError gives the place, the reason and the remedy (`after`)."""
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.MsgspecError as error:
        raise DataError(f"{where}: {error}{after}") from None


def shard_of_cell(cell: CellFile) -> str:
    """Return the part of the benchmark that was asked, "2/3"; "" = all of it."""
    config = cell.run.get("config")
    return str(config.get("shard", "")) if isinstance(config, dict) else ""


def check_target(path: str, option: str, *, ending: str = "") -> None:
    """Raise UserError, before anything runs, if the file at `path` cannot be written; "" = no file is wanted.

    `option` is the option that named it; `ending` the required end of its name, such as ".html".
    """
    if not path:
        return
    if path == "-":
        raise UserError(f"{option} -: a file is needed here; name one, or /dev/stdout")
    if Path(path).is_dir():
        raise UserError(f"{option} {path} is a folder; name a file")
    folder = Path(path).resolve().parent
    if not folder.is_dir():
        raise UserError(f"no folder '{Path(path).parent}' to write '{path}' to ({option})")
    if not path.endswith(ending):
        raise UserError(f"{option} {path} must end in {ending}")
    is_direct = Path(path).exists() and not Path(path).is_file()  # a device or a pipe: nothing is made there
    if not os.access(folder, os.W_OK) and not is_direct:
        raise UserError(f"{option} {path}: nothing may be written to '{folder}'")


def check_new(path: str, option: str) -> None:
    """Raise UserError as `check_target` does, and if the file exists."""
    if path and Path(path).is_file():
        raise UserError(f"{option} {path} is there already; remove it first, or name another file")
    check_target(path, option)


def check_folder(folder: str, option: str) -> None:
    """Raise UserError if `folder` is a file or cannot be created; the test leaves nothing behind."""
    place = Path(folder)
    if place.is_file():
        raise UserError(f"{option} {folder} is a file; name a folder")
    absent = [one for one in (place, *place.parents) if not one.exists()]
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"{option} {folder} cannot be made: {error.strerror}; name another folder") from None
    finally:
        for one in absent:
            with contextlib.suppress(OSError):  # this call created the folder only as a test
                one.rmdir()


def write_whole(path: Path, content: bytes) -> None:
    """Write a file completely or not at all; DataError if it cannot be written."""
    write_parts(path, [content])


def write_parts(path: Path, parts: Iterable[bytes]) -> None:
    """Write a file as `write_whole` does, from parts, so that it is never whole in memory."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise storage_error(path, error) from error
    with replacing(path) as file:
        file.writelines(parts)
