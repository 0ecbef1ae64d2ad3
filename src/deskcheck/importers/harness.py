"""Read saved answers from the result files of other evaluation harnesses, those named in `MAKERS`.

    opencompass     predictions/MODEL/DATASET.json: {"0": {"origin_prompt": .., "prediction": "text"}, ..}
    helm            scenario_state.json: {"request_states": [..]}, or display_predictions.json
    livecodebench-runner
                    Scenario.codeexecution_*.json: [{"id": .., "output_list": ["text", ..], ..}, ..]
    bigcode         generations_TASK.json: [["text", ..], ..], a list for each task in order
    simple-evals    NAME_allresults.json: {"convos": [[message, ..], ..], ..}
    openai-evals    RUN.jsonl: the events of type "sampling" of a run
    lighteval       details_TASK_TIME.parquet: {"doc": {..}, "model_response": {"text": [..]}}
    promptfoo       results.json: {"results": {"results": [{"vars": .., "response": {"output": ..}}]}}

The tasks of a file without ids are numbered from 0. Replies are the model's own text, not the answer that the
harness extracted. The true output that some harnesses write beside a reply is never read as a reply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from deskcheck.data_files import read_rows
from deskcheck.importers import Dropped, SavedRun, no_answers_error
from deskcheck.importers._files import document_of, inner, lines_of, stem

_IDS = ("id", "task_id", "question_id", "sample_id")
_FINISHED = {"endoftext": "stop", "max_tokens": "length"}


class _Reply(Struct, frozen=True):
    """Replies of one model to one task that stand together in a file; a task may have several records."""

    task: str
    texts: list[str]
    model: str = ""
    reason: str = "unknown"
    """Finish reason of all texts."""
    right: list[bool | None] = []
    """The harness's own verdict on each text; empty = it wrote none."""


class Maker(Struct, frozen=True):
    """The functions that recognize and read the files of one harness; its name is the key in `MAKERS`."""

    fits: Callable[[Path, Any], bool]
    """Whether this harness wrote a file, by its path and first JSON value."""
    replies: Callable[[Path], Iterator[_Reply]]
    """Yields the replies in a file of this harness."""


def recognizes(path: Path, first: object) -> bool:
    """Whether a harness in `MAKERS` wrote the file."""
    return _harness_of(path, first) is not None


def read(path: Path) -> list[SavedRun]:
    """Read one run for each model that the file names."""
    first = document_of(path) if path.suffix == ".json" else next((row for _, row in _lines(path)), None)
    harness = _harness_of(path, first)
    if harness is None:
        raise no_answers_error(path, f"result of {', '.join(MAKERS)}")
    runs: dict[str, list[_Reply]] = {}
    dropped = []
    for number, reply in enumerate(MAKERS[harness].replies(path)):
        if not reply.texts:
            dropped.append(Dropped(f"reply {number}", "no text"))
            continue
        runs.setdefault(reply.model, []).append(reply)
    if not runs:
        raise no_answers_error(path, "reply", dropped)
    return [
        _run(harness, model or _named(path), replies, dropped if number == 0 else [], path)
        for number, (model, replies) in enumerate(runs.items())
    ]


def _run(harness: str, model: str, replies: list[_Reply], dropped: list[Dropped], path: Path) -> SavedRun:
    texts: dict[str, list[str]] = {}
    reasons: dict[str, list[str]] = {}
    stored: dict[str, list[bool | None]] = {}
    for reply in replies:
        texts.setdefault(reply.task, []).extend(reply.texts)
        reasons.setdefault(reply.task, []).extend([reply.reason] * len(reply.texts))
        stored.setdefault(reply.task, []).extend(reply.right or [None] * len(reply.texts))
    graded = any(verdict is not None for verdicts in stored.values() for verdict in verdicts)
    return SavedRun(
        "harness",
        texts,
        finish_reasons=reasons,
        stored=stored if graded else {},
        model=model,
        settings={"harness": harness},
        dropped=dropped,
        path=str(path),
    )


def _named(path: Path) -> str:
    """Return the name of the model: that of the file, or of its folder if the file's is in lower case.

    Names that begin in lower case, such as "scenario_state", are the harness's own.
    """
    return path.parent.name if stem(path)[:1].islower() and path.parent.name else stem(path)


def _harness_of(path: Path, first: object) -> str | None:
    return next((name for name, maker in MAKERS.items() if maker.fits(path, first)), None)


def _lines(path: Path) -> Iterator[tuple[int, Any]]:
    return lines_of(path) if path.suffix == ".jsonl" else iter(())


def _first(rows: object) -> dict[str, Any]:
    """Return the first row of a list of objects; an empty row for anything else."""
    row = rows[0] if isinstance(rows, list) and rows else None
    return row if isinstance(row, dict) else {}


def _text_of(value: object) -> list[str]:
    """Return the texts of one reply or of several."""
    if isinstance(value, str):
        return [value]
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _id_in(row: object, number: int) -> str:
    names = [row[name] for name in _IDS if row.get(name) not in (None, "")] if isinstance(row, dict) else []
    return str(names[0] if names else number)


def _opencompass(path: Path) -> Iterator[_Reply]:
    document: Any = document_of(path)
    for task, row in document.items():
        yield _Reply(str(task), _text_of(row.get("prediction")), path.parent.name)


def _helm(path: Path) -> Iterator[_Reply]:
    document: Any = document_of(path)
    states = document["request_states"] if isinstance(document, dict) else document
    for number, state in enumerate(states):
        if "predicted_text" in state:
            yield _Reply(str(state["instance_id"]), _text_of(state["predicted_text"]))
            continue
        completions = inner(state, "result.completions") or []
        reason = str(inner(state, "result.completions.0.finish_reason.reason") or "unknown")
        yield _Reply(
            _id_in(state.get("instance"), number),
            [str(one.get("text")) for one in completions if isinstance(one.get("text"), str)],
            str(inner(state, "request.model") or ""),
            _FINISHED.get(reason, reason),
        )


def _livecodebench(path: Path) -> Iterator[_Reply]:
    rows: Any = document_of(path)
    for number, row in enumerate(rows):
        texts, right = _text_of(row["output_list"]), row.get("graded_list") or []
        yield _Reply(
            _id_in(row, number), texts, path.parent.name, right=right if len(right) == len(texts) else []
        )


def _bigcode(path: Path) -> Iterator[_Reply]:
    rows: Any = document_of(path)
    for number, texts in enumerate(rows):
        yield _Reply(str(number), _text_of(texts))


def _simple_evals(path: Path) -> Iterator[_Reply]:
    document: Any = document_of(path)
    for number, messages in enumerate(document["convos"]):
        said = [one.get("content") for one in messages or [] if one.get("role") == "assistant"]
        yield _Reply(str(number), _text_of(said[-1]) if said else [], stem(path).removesuffix("_allresults"))


def _openai_evals(path: Path) -> Iterator[_Reply]:
    model = ""
    for _, event in _lines(path):
        if not isinstance(event, dict):
            continue
        model = str(inner(event, "spec.completion_fns.0") or model)
        if event.get("type") == "sampling":
            sample = str(event.get("sample_id", "")).rpartition(".")[2]
            yield _Reply(sample, _text_of(inner(event, "data.sampled")), model)


def _lighteval(path: Path) -> Iterator[_Reply]:
    for number, row in read_rows(path):
        document: Any = row.get("doc")
        yield _Reply(
            _id_in(document, number - 1), _text_of(inner(row, "model_response.text")), path.parent.parent.name
        )


def _promptfoo(path: Path) -> Iterator[_Reply]:
    for number, row in enumerate(inner(document_of(path), "results.results") or []):
        output, provider = inner(row, "response.output"), row.get("provider")
        model = provider.get("id", "") if isinstance(provider, dict) else provider
        yield _Reply(_id_in(row.get("vars"), row.get("testIdx", number)), _text_of(output), str(model or ""))


MAKERS = {
    "opencompass": Maker(
        lambda _, first: (
            isinstance(first, dict)
            and bool(first)
            and all(
                isinstance(row, dict) and {"origin_prompt", "prediction"} <= row.keys()
                for row in first.values()
            )
        ),
        _opencompass,
    ),
    "helm": Maker(
        lambda _, first: (
            (isinstance(first, dict) and "request_states" in first)
            or {"instance_id", "predicted_text"} <= _first(first).keys()
        ),
        _helm,
    ),
    "livecodebench-runner": Maker(lambda _, first: "output_list" in _first(first), _livecodebench),
    "bigcode": Maker(
        lambda _, first: (
            isinstance(first, list)
            and bool(first)
            and all(isinstance(one, list) and one for one in first[:50])  # enough to tell
            and isinstance(first[0][0], str | None)
        ),
        _bigcode,
    ),
    "simple-evals": Maker(
        lambda _, first: isinstance(first, dict) and {"score", "convos"} <= first.keys(), _simple_evals
    ),
    "openai-evals": Maker(
        lambda path, first: (
            path.suffix == ".jsonl"
            and isinstance(first, dict)
            and ({"run_id", "event_id", "sample_id"} <= first.keys() or isinstance(first.get("spec"), dict))
        ),
        _openai_evals,
    ),
    "lighteval": Maker(
        lambda path, _: path.suffix == ".parquet" and path.name.startswith("details_"), _lighteval
    ),
    "promptfoo": Maker(
        lambda _, first: isinstance(first, dict) and isinstance(inner(first, "results.results"), list),
        _promptfoo,
    ),
}
"""Name of a harness -> the functions that recognize and read its files."""
