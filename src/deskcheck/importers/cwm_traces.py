"""Read answers of the model CWM, given as traces (ASSERT-KTH/cwm): {id, generation, predicted, correct}.

The answer is the value of the last return frame in the trace: `<|arg_sep|>"'ba'"<|frame_sep|>`, the repr of
the value as a JSON string. If a trace has no return frame, its whole text is the answer. A row's `mode`
(trace_full, direct, ..) is the strategy of the run.
"""

from __future__ import annotations

import json
from pathlib import Path

from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import lines_of, stem

_VALUE, _END = "<|arg_sep|>", "<|frame_sep|>"


def recognizes(path: Path, first: object) -> bool:
    """Whether a row has an id, a generation and a prediction."""
    return isinstance(first, dict) and {"id", "generation", "predicted"} <= first.keys()


def read(path: Path) -> list[SavedRun]:
    """Read the run of one model from its traces."""
    texts: dict[str, list[str]] = {}
    stored: dict[str, list[bool | None]] = {}
    whole: dict[str, list[str]] = {}
    strategy, dropped = "", []
    for number, row in lines_of(path):
        if not isinstance(row, dict) or not isinstance(row.get("generation"), str) or "id" not in row:
            dropped.append(
                Dropped(f"line {number}", str(row) if isinstance(row, ValueError) else "no generation")
            )
            continue
        strategy = strategy or str(row.get("mode") or "trace_full")
        texts.setdefault(str(row["id"]), []).append(returned(row["generation"]))
        whole.setdefault(str(row["id"]), []).append(row["generation"])
        stored.setdefault(str(row["id"]), []).append(bool(row["correct"]) if "correct" in row else None)
    if not texts:
        raise no_answers_error(path, "generation", dropped)
    return [
        SavedRun(
            "cwm-traces", texts, stored=stored, model=stem(path).partition(".")[0], strategy=strategy,
            kind="output", dropped=dropped, path=str(path), whole=whole,
        )
    ]  # fmt: skip


def returned(generation: str) -> str:
    """Return the value of the last return frame, or the whole text if there is none."""
    _, mark, rest = generation.rpartition(_VALUE)
    value, end, _ = rest.partition(_END)
    if not mark or not end:
        return generation
    try:
        text = json.loads(value)
    except ValueError:
        return generation
    return text if isinstance(text, str) else generation
