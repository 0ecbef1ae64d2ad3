"""Read folders with one file for each answer: MODEL/TASK.txt, or MODEL/TASK/response.txt as in ExeRScope.

TASK.txt may end in .md or .out instead, and response.txt may be called output.txt or answer.txt. A folder of
these folders has several runs, each named after its folder. Other files are ignored. A file that is empty or
not UTF-8 is dropped with the reason.
"""

from __future__ import annotations

from pathlib import Path

from deskcheck.errors import DataError
from deskcheck.importers import Dropped, SavedRun

_ENDINGS = (".txt", ".md", ".out")
_NAMES = ("response.txt", "output.txt", "answer.txt")


def recognizes(path: Path, first: object) -> bool:
    """Return False for every file; `read_place` uses this importer for folders without a known file."""
    return False


def read(path: Path) -> list[SavedRun]:
    """Read the run of a folder, or the runs of its subfolders. DataError if there is no answer."""
    if not path.is_dir():
        raise DataError(f"{path}: a file; this importer reads folders with one file an answer")
    answers = _answers(path)
    runs = [_run(path, answers)] if answers else []
    if not answers:
        inner = sorted(folder for folder in path.iterdir() if folder.is_dir())
        runs = [_run(folder, found) for folder in inner if (found := _answers(folder))]
    if not any(run.texts for run in runs):
        raise DataError(f"{path}: no file TASK.txt or TASK/response.txt in it or in its folders")
    return runs


def _answers(folder: Path) -> dict[str, Path]:
    """Map each task to the file of its answer."""
    answers = {}
    for entry in sorted(folder.iterdir()):
        if entry.is_file() and entry.suffix in _ENDINGS and entry.name not in _NAMES:
            answers[entry.stem] = entry
        elif entry.is_dir():
            files = [entry / name for name in _NAMES if (entry / name).is_file()]
            if files:
                answers[entry.name] = files[0]
    return answers


def _run(folder: Path, answers: dict[str, Path]) -> SavedRun:
    texts, dropped = {}, []
    for task, file in answers.items():
        try:
            text = file.read_text(encoding="utf-8-sig")
        except UnicodeDecodeError:
            dropped.append(Dropped(str(file.relative_to(folder)), "not text in UTF-8"))
            continue
        if text.strip():
            texts[task] = [text]
        else:
            dropped.append(Dropped(str(file.relative_to(folder)), "empty"))
    return SavedRun("folder", texts, model=folder.name, dropped=dropped, path=str(folder))
