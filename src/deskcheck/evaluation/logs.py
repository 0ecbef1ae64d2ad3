"""Convert logs that `inspect eval` wrote into folders like those of `deskcheck eval`.

    take_over("logs") -> "logs", with a folder logs/2026-..._core_x/ beside every finished .eval
    take_over("logs/2026-..._core_x.eval") -> its folder

So `deskcheck report` and `deskcheck compare` read both. A log that did not finish is left out and named
(`inspect eval-retry` can resume it); a sample that ended in an error is "no answer: error". Logs of other
tasks than deskcheck's, and those in the folders of `deskcheck eval`, are ignored.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from deskcheck.cell_files import (
    CELL,
    RESULTS,
    CellFile,
    Sampled,
    damaged_part,
    read_cell,
    write_parts,
    write_whole,
)
from deskcheck.errors import DataError, MissingExtra
from deskcheck.evaluation.prepare import without_secrets
from deskcheck.evaluation.sample_records import Totals, row_from, served_by
from deskcheck.evaluation.stores import FILE
from deskcheck.records import Score

SCORER = "deskcheck_verdict"
UNDER_WAY = ".under-way-"
"""Beginning of the name of the folder that holds Inspect's logs until they are complete."""
UNREAD = {"events", "store"}
"""Parts of a sample that hold no fields of deskcheck."""


def take_over(place: str, say: Callable[[str], None]) -> str:
    """Convert new logs and return the place to read from. DataError for a single log without results."""
    path = Path(place)
    if path.suffix == ".eval" and path.is_file():
        if not (why := _taken(path)):
            return str(path.with_suffix(""))
        raise DataError(f"{path}: {why}")
    for log in sorted(path.rglob("*.eval")) if path.is_dir() else ():
        beside = log.parent
        if beside.name.startswith(UNDER_WAY):  # left by a killed `deskcheck eval`
            continue
        if not (beside / CELL).is_file() and not (beside / FILE).is_file() and (why := _taken(log)):
            say(f"{log}: {why}; left out")
    return place


def _taken(log: Path) -> str:
    """Write a log's folder if it is missing or out of date; return why it cannot be written, or ""."""
    folder, changed = log.with_suffix(""), log.stat().st_mtime_ns
    if (folder / CELL).is_file() and read_cell(folder).run.get("log_mtime_ns") == changed:
        return ""
    try:
        from inspect_ai.log import read_eval_log
    except ImportError:
        raise MissingExtra("inspect_ai", "eval", f"reading {log}") from None
    if part := damaged_part(log):
        return f"cut or damaged ({part}); restore it from a copy, or run the evaluation again"
    head = read_eval_log(str(log), header_only=True)
    if "label" not in (head.eval.metadata or {}):
        return "no log of a task of deskcheck, or of an older version"
    if head.status != "success":
        return f"it did not finish ({head.status})"
    samples = _samples(log, head.eval.metadata["policy"])
    if not samples:
        return "it holds no samples"
    marks = sorted({mark for _, found in samples for mark in found})
    _write(folder, head, [one for one, _ in samples], marks, changed)
    return ""


def _samples(log: Path, policy: str) -> list[tuple[Sampled, list[str]]]:
    """Return all samples with the marks of their scores, task by task in the order of the log."""
    from inspect_ai.log import read_eval_log_samples

    found: dict[tuple[str, int], tuple[Sampled, list[str]]] = {}
    order: dict[str, int] = {}
    read = read_eval_log_samples(
        str(log), all_samples_required=False, resolve_attachments="core", exclude_fields=UNREAD
    )
    for sample in read:
        order.setdefault(str(sample.id), len(order))
        found[str(sample.id), sample.epoch] = _sampled(sample, policy)
    return [found[key] for key in sorted(found, key=lambda key: (order[key[0]], key[1]))]


def _sampled(sample: Any, policy: str) -> tuple[Sampled, list[str]]:
    score = (sample.scores or {}).get(SCORER)
    facts: dict[str, Any] = (score.metadata or {}) if score is not None else {}
    turns = sample.input if isinstance(sample.input, list) else []
    known = {
        "prompt": [[turn.role, turn.text] for turn in turns] or [["user", str(sample.input)]],
        "text": sample.output.completion if score is not None else "",
        "source": sample.metadata["source"],
        "call": sample.metadata["call"],
        "chain": _chain(str(facts.get("chain", ""))),
    }
    if "sampled" in facts:
        return msgspec.convert({**known, **facts["sampled"]}, Sampled), list(facts.get("marks", []))
    tags = {
        name.removeprefix("tag_"): value for name, value in sample.metadata.items() if name.startswith("tag_")
    }
    failed = {
        **{name: sample.metadata[name] for name in ("cluster", "n_steps", "prompt_hash")},
        "task": str(sample.id), "sample": sample.epoch - 1, "tags": tags, "policy": policy,
        "verdict": "no answer", "reason": "error", "answer": "", "expected": str(sample.target),
        "finish_reason": "error", "n_calls": 0, "tokens_in": -1, "tokens_out": -1,
    }  # fmt: skip
    return msgspec.convert({**known, **failed}, Sampled), []


def _chain(table: str) -> list[str]:
    """Return the states in a text with one numbered state per line: "1\\t@2 | n=3"."""
    return [line.partition("\t")[2] for line in table.split("\n")] if table else []


def _write(folder: Path, head: Any, samples: list[Sampled], marks: list[str], changed: int) -> None:
    facts = head.eval.metadata
    scores = [
        Score(one.task, one.sample, one.verdict, one.reason, one.policy, one.answer, one.expected)  # type: ignore[arg-type]  # text
        for one in samples
    ]
    n_samples = max(one.sample for one in samples) + 1
    clusters = {one.task: one.cluster for one in samples}
    names = (str(head.eval.model), str(facts["benchmark"]), str(facts["label"]))
    row, note = row_from(
        names,
        str(facts["task"]),
        scores,
        clusters,
        n_samples=n_samples,
        oracle=bool(facts["oracle"]),
        marks=marks,
        served=served_by(one.served for one in samples),
    )
    totals = Totals()
    write_parts(folder / RESULTS, (msgspec.json.encode(totals.add(one)) + b"\n" for one in samples))
    given = (head.eval.task_args or {}).items()
    run = {
        "command": f"inspect eval deskcheck/{facts['benchmark']}",
        "config": {f"-T {name}": str(value) for name, value in given if value not in (None, "")},
        "started_unix_s": datetime.fromisoformat(str(head.eval.created)).timestamp(),
        "log_mtime_ns": changed,
        **{name: facts[name] for name in ("commit", "versions", "sandbox", "tasks_sha256", "data")},
    }
    cell = {
        "model": str(head.eval.model),
        "model_args": without_secrets(head.eval.model_args or {}),
        "benchmark": str(facts["benchmark"]),
        "task": str(facts["task"]),
        "strategy": str(facts["strategy"]),
        "knobs": facts["knobs"],
        "generation": head.eval.model_generate_config.model_dump(exclude_none=True),
    }
    file = CellFile(row, note, cell, run, totals.counts)
    write_whole(folder / CELL, msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n")
