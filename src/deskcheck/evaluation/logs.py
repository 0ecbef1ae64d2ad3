"""Convert logs that `inspect eval` wrote into folders like those of `deskcheck eval`.

    convert_logs("logs", print) -> "logs", with a folder logs/2026-..._core_x/ beside every finished .eval
    convert_logs("logs/2026-..._core_x.eval", print) -> its folder

So `deskcheck report` and `deskcheck compare` read evaluations of both commands. A log that did not finish
(`inspect eval-retry` can resume it), or whose task is not deskcheck's, is left out and named. Logs in the
folders of `deskcheck eval` are skipped, since their answers are stored beside them. A sample that ended in an
error is "no answer: error".
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
SKIPPED_FIELDS = {"events", "store"}
"""Parts of a sample that hold no fields of deskcheck."""


def convert_logs(place: str, report: Callable[[str], None]) -> str:
    """Convert each new or changed log under `place`, and return the path that holds the results.

    `report` gets a line for each log and unfinished cell that is left out. DataError for a single log without
    results.
    """
    path = Path(place)
    if path.suffix == ".eval" and path.is_file():
        if why := _convert(path):
            raise DataError(f"{path}: {why}")
        return str(path.with_suffix(""))
    if not path.is_dir():
        return place
    for log in sorted(path.rglob("*.eval")):
        folder = log.parent
        if folder.name.startswith(UNDER_WAY):  # left by a killed `deskcheck eval`
            continue
        if not (folder / CELL).is_file() and not (folder / FILE).is_file() and (why := _convert(log)):
            report(f"{log}: {why}; left out")
    for answers in sorted(path.rglob(FILE)):
        if not (answers.parent / CELL).is_file():
            report(
                f"{answers.parent}: it did not finish; left out; the same `deskcheck eval` goes on with it"
            )
    return place


def _convert(log: Path) -> str:
    """Write a log's folder if it is missing or out of date; return "", or the reason why it cannot be."""
    folder, mtime_ns = log.with_suffix(""), log.stat().st_mtime_ns
    if (folder / CELL).is_file() and read_cell(folder).run.get("log_mtime_ns") == mtime_ns:
        return ""
    try:
        from inspect_ai.log import read_eval_log
    except ImportError:
        raise MissingExtra("inspect_ai", "eval", f"reading {log}") from None
    if part := damaged_part(log):
        return f"cut or damaged ({part}); restore it from a copy, or run the evaluation again"
    head = read_eval_log(str(log), header_only=True)
    if "label" not in (head.eval.metadata or {}):
        return "not the log of a deskcheck task, or written by an older version; evaluate again"
    if head.status != "success":
        return f"it did not finish ({head.status})"
    samples = _samples(log, head.eval.metadata["policy"])
    if not samples:
        return "it holds no samples"
    # Reasons why the row is not comparable (`Row.marks`).
    marks = sorted({mark for _, marks_of_sample in samples for mark in marks_of_sample})
    _write(folder, head, [sample for sample, _ in samples], marks=marks, mtime_ns=mtime_ns)
    return ""


def _samples(log: Path, policy: str) -> list[tuple[Sampled, list[str]]]:
    """Return all samples with the marks of their scores, task by task in the order of the log.

    Of a sample that was retried, the last try counts.
    """
    from inspect_ai.log import read_eval_log_samples

    samples: dict[tuple[str, int], tuple[Sampled, list[str]]] = {}
    order: dict[str, int] = {}
    read = read_eval_log_samples(
        str(log), all_samples_required=False, resolve_attachments="core", exclude_fields=SKIPPED_FIELDS
    )
    for sample in read:
        order.setdefault(str(sample.id), len(order))
        samples[str(sample.id), sample.epoch] = _sampled(sample, policy)
    return [samples[key] for key in sorted(samples, key=lambda key: (order[key[0]], key[1]))]


def _sampled(sample: Any, policy: str) -> tuple[Sampled, list[str]]:
    """Return a sample as deskcheck stores it, with the marks of its score.

    A sample without a score ended in an error: it has no answer, and its tokens are not known (-1).
    """
    score = (sample.scores or {}).get(SCORER)
    metadata: dict[str, Any] = (score.metadata or {}) if score is not None else {}
    turns = sample.input if isinstance(sample.input, list) else []
    fields = {
        "prompt": [[turn.role, turn.text] for turn in turns] or [["user", str(sample.input)]],
        "text": sample.output.completion if score is not None else "",
        "source": sample.metadata["source"],
        "call": sample.metadata["call"],
        "chain": _chain(str(metadata.get("chain", ""))),
    }
    if "sampled" in metadata:
        return msgspec.convert({**fields, **metadata["sampled"]}, Sampled), list(metadata.get("marks", []))
    tags = {
        name.removeprefix("tag_"): value for name, value in sample.metadata.items() if name.startswith("tag_")
    }
    failed_fields = {
        **{name: sample.metadata[name] for name in ("cluster", "n_steps", "prompt_hash")},
        "task": str(sample.id), "sample": sample.epoch - 1, "tags": tags, "policy": policy,
        "verdict": "no answer", "reason": "error", "answer": "", "expected": str(sample.target),
        "finish_reason": "error", "n_calls": 0, "tokens_in": -1, "tokens_out": -1,
    }  # fmt: skip
    return msgspec.convert({**fields, **failed_fields}, Sampled), []


def _chain(table: str) -> list[str]:
    """Return the states of a text with numbered lines: "1\\t@2 | n=3" -> ["@2 | n=3"]."""
    return [line.partition("\t")[2] for line in table.split("\n")] if table else []


def _write(folder: Path, head: Any, samples: list[Sampled], *, marks: list[str], mtime_ns: int) -> None:
    facts = head.eval.metadata
    scores = [
        Score(each.task, each.sample, each.verdict, each.reason, each.policy, each.answer, each.expected)  # type: ignore[arg-type]  # the log stores verdict and reason as plain text
        for each in samples
    ]
    n_samples = max(sample.sample for sample in samples) + 1
    clusters = {sample.task: sample.cluster for sample in samples}
    names = (str(head.eval.model), str(facts["benchmark"]), str(facts["label"]))
    row, note = row_from(
        names,
        str(facts["task"]),
        scores,
        clusters,
        n_samples=n_samples,
        oracle=bool(facts["oracle"]),
        marks=marks,
        served=served_by(sample.served for sample in samples),
    )
    totals = Totals()
    write_parts(folder / RESULTS, (msgspec.json.encode(totals.add(sample)) + b"\n" for sample in samples))
    task_args = (head.eval.task_args or {}).items()
    run = {
        "command": f"inspect eval deskcheck/{facts['benchmark']}",
        "config": {f"-T {name}": str(value) for name, value in task_args if value not in (None, "")},
        "started_unix_s": datetime.fromisoformat(str(head.eval.created)).timestamp(),
        "log_mtime_ns": mtime_ns,
        **{name: facts[name] for name in ("commit", "versions", "sandbox", "tasks_sha256", "data")},
    }
    cell = {
        "model": str(head.eval.model),
        "model_args": without_secrets(head.eval.model_args or {}),
        "benchmark": str(facts["benchmark"]),
        "task": str(facts["task"]),
        "strategy": str(facts["strategy"]),
        "knobs": facts["knobs"],  # "settings"; its name in stored files
        "generation": head.eval.model_generate_config.model_dump(exclude_none=True),
    }
    file = CellFile(row, note, cell, run, totals.counts)
    write_whole(folder / CELL, msgspec.json.format(msgspec.json.encode(file), indent=2) + b"\n")
