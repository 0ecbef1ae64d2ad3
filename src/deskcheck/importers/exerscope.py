"""Read the answers of ExeRScope (Intelligent-CAT-Lab/ExeRScope), as its repository has them or as rows.

    Experiment_Results/ER/MODEL/SET/TASK/response.txt and predict.txt     a folder SET, or MODEL with its sets
    {"id": .., "response": .., "predict": .., "right": ..}                rows

ExeRScope's prompt asks for `<<<Analysis>>> .. <<<Output>>> ANSWER [END-OF-RESPONSE]`. Two of its models
repeat the prompt before their answer, or continue with invented questions after it; such text is cut off. If
a response is missing, `predict` takes its place, the answer that ExeRScope extracted.
"""

from __future__ import annotations

from pathlib import Path

from deskcheck.errors import DataError
from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import lines_of, stem

MARKS = ("<<<Output>>>", "[END-OF-RESPONSE]")
_PROMPT = "<｜begin▁of▁sentence｜>"
_ANSWER = "[Answer]"


def recognizes(path: Path, first: object) -> bool:
    """Whether a row has an id, a response and `predict`."""
    return isinstance(first, dict) and {"id", "response", "predict"} <= first.keys()


def read(path: Path) -> list[SavedRun]:
    """Read the run of one model from its answers, or the runs of a folder."""
    if path.is_dir():
        return _of_folder(path)
    texts: dict[str, list[str]] = {}
    stored: dict[str, list[bool | None]] = {}
    taken: dict[str, list[str]] = {}
    dropped = []
    for number, row in lines_of(path):
        if not isinstance(row, dict) or not isinstance(row.get("id"), str):
            dropped.append(Dropped(f"line {number}", str(row) if isinstance(row, ValueError) else "no id"))
            continue
        response, predict = row.get("response"), row.get("predict")
        if not isinstance(response, str):
            if not isinstance(predict, str):
                dropped.append(Dropped(f"line {number}", "neither a response nor what was taken from it"))
                continue
            response = f"{MARKS[0]}{predict}{MARKS[1]}"
        texts[row["id"]] = [own_words(response)]
        taken[row["id"]] = [f"{MARKS[0]}{predict}{MARKS[1]}" if isinstance(predict, str) else response]
        stored[row["id"]] = [bool(row["right"]) if row.get("right") in (0, 1) else None]
    if not texts:
        raise no_answers_error(path, "response", dropped)
    return [
        SavedRun(
            "exerscope", texts, stored=stored, taken=taken, model=stem(path), strategy="cot", kind="output",
            marks=MARKS, dropped=dropped, path=str(path),
        )
    ]  # fmt: skip


def is_tree(path: Path) -> bool:
    """Return whether a folder is one set of answers, or holds several, in the layout of the repository."""
    folders = [entry for entry in path.iterdir() if entry.is_dir()]
    return any(_is_set(folder) for folder in (path, *folders))


def _is_set(path: Path) -> bool:
    return any((entry / "predict.txt").is_file() for entry in path.iterdir() if entry.is_dir())


def _of_folder(path: Path) -> list[SavedRun]:
    folders = sorted(one for one in path.iterdir() if one.is_dir())
    sets = [path] if _is_set(path) else [one for one in folders if _is_set(one)]
    if not sets:
        raise DataError(f"{path}: no folder TASK with response.txt and predict.txt in it or in its folders")
    return [_of_set(folder) for folder in sets]


def _of_set(folder: Path) -> SavedRun:
    """Read one set of tasks; the folder above it is the model."""
    texts, taken, dropped = {}, {}, []
    for task in sorted(one for one in folder.iterdir() if one.is_dir()):
        try:
            response, predict = (
                (task / name).read_text(encoding="utf-8") if (task / name).is_file() else ""
                for name in ("response.txt", "predict.txt")
            )
        except UnicodeDecodeError:
            dropped.append(Dropped(task.name, "not text in UTF-8"))
            continue
        if not response.strip() and not predict.strip():
            dropped.append(Dropped(task.name, "empty"))
            continue
        answer = f"{MARKS[0]}{predict}{MARKS[1]}"
        texts[task.name] = [own_words(response) if response.strip() else answer]
        taken[task.name] = [answer]
    return SavedRun(
        "exerscope", texts, taken=taken, model=folder.parent.name, strategy="cot", kind="output", marks=MARKS,
        dropped=dropped, path=str(folder), settings={"set": folder.name},
    )  # fmt: skip


def own_words(response: str) -> str:
    """Return the answer to the first question, without a repeated prompt or text after the end mark."""
    if response.startswith(_PROMPT):  # one example, then the question
        parts = response.split(_ANSWER)
        response = _ANSWER.join(parts[2:]) if len(parts) > 2 else response
    start = response.find(MARKS[0])
    end = response.find(MARKS[1], max(start, 0))
    return response if end < 0 else response[: end + len(MARKS[1])]


def is_right(kind: str, reply: str, truth: str) -> bool | None:
    """Return ExeRScope's verdict; None if the reply has no <<<Output>>> mark.

    Texts are compared without spaces, and " is equal to '. `kind` changes nothing.
    """
    _, mark, rest = reply.rpartition(MARKS[0])
    if not mark:
        return None
    return _bare(rest.partition(MARKS[1])[0]) == _bare(truth)


def _bare(text: str) -> str:
    return text.strip().replace(" ", "").replace('"', "'")
