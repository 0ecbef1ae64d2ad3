"""RE2-Bench's answers (Intelligent-CAT-Lab/RE2Bench): SETTING.KIND.jsonl with rows {id, response, right, ..}.

KIND is output, input, loop or branch. Asked for: the answer between [OUTPUT] and [/OUTPUT], [INPUT] and
[/INPUT], or [ANSWER] and [/ANSWER]. A setting that ends in "-reasoning" was asked with high effort.
"""

from __future__ import annotations

from pathlib import Path

from deskcheck.errors import DataError
from deskcheck.importers import Dropped, SavedRun, nothing
from deskcheck.importers._files import lines_of, stem

KINDS = {
    "output": ("output", ("[OUTPUT]", "[/OUTPUT]")),
    "input": ("input", ("[INPUT]", "[/INPUT]")),
    "loop": ("loop-values", ("[ANSWER]", "[/ANSWER]")),
    "branch": ("branches", ("[ANSWER]", "[/ANSWER]")),
}

STOPS = ("[PYTHON]\n", "[EXAMPLE]\n", "[FILEPATH] ")
"""Marks of its prompt: a model that writes them gives the prompt back, or makes up the next question."""


def recognizes(path: Path, first: object) -> bool:
    """A row with a response, a verdict and a share; the name ends in the kind."""
    return isinstance(first, dict) and {"id", "response", "right", "partial"} <= first.keys()


def read(path: Path) -> list[SavedRun]:
    """The run of one setting and kind."""
    setting, _, asked = stem(path).rpartition(".")
    if asked not in KINDS:
        raise DataError(f"{path}: expected a name SETTING.KIND.jsonl with a KIND of {', '.join(KINDS)}")
    kind, marks = KINDS[asked]
    texts: dict[str, list[str]] = {}
    stored: dict[str, list[bool | None]] = {}
    dropped = []
    for number, row in lines_of(path):
        if (
            not isinstance(row, dict)
            or not isinstance(row.get("id"), str)
            or not isinstance(row.get("response"), str)
        ):
            dropped.append(
                Dropped(f"line {number}", str(row) if isinstance(row, ValueError) else "no id or response")
            )
            continue
        texts[row["id"]] = [row["response"]]
        stored[row["id"]] = [bool(row["right"]) if row.get("right") in (0, 1) else None]
    if not texts:
        raise nothing(path, "response", dropped)
    effort = "high" if setting.endswith("-reasoning") else ""
    return [
        SavedRun(
            "re2-bench", texts, stored=stored, model=setting, strategy="cot", kind=kind, marks=marks,
            stops=STOPS,
            spelling="json" if asked in ("output", "input") else "python",
            settings={"effort": effort} if effort else {}, dropped=dropped, path=str(path),
        )
    ]  # fmt: skip
