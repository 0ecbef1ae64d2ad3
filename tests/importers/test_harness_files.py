"""Result files of harnesses, written as each harness writes them: one command reads any of them."""

# ruff: noqa: E501  (rows as the harness writes them, one a line)

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from deskcheck.errors import DeskcheckError
from deskcheck.importers import SavedRun, read_place

TASKS = ("sample_0", "sample_1")
"""Two tasks; the first is answered rightly."""
REPLIES = ("[ANSWER]0[/ANSWER]", "[ANSWER]99[/ANSWER]")
TRUTH = "truth-7"
"""What these files hold as the true output; no reader may take it for a reply."""
Write = Callable[[Path], Path]


def document(path: Path, content: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")
    return path


def lines(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def pairs() -> list[tuple[int, str, str]]:
    return [(number, task, REPLIES[number]) for number, task in enumerate(TASKS)]


def opencompass(folder: Path) -> Path:
    rows = {
        str(n): {"origin_prompt": [{"role": "HUMAN", "prompt": task}], "prediction": reply, "gold": TRUTH}
        for n, task, reply in pairs()
    }
    return document(folder / "predictions" / "model-a" / "outputs.json", rows)


def helm(folder: Path) -> Path:
    states = [
        {
            "instance": {"input": {"text": "p"}, "references": [{"output": {"text": TRUTH}}], "id": task},
            "request": {"model": "maker/model-a", "prompt": "p"},
            "result": {
                "success": True,
                "completions": [
                    {"text": reply, "logprob": 0.0, "tokens": [], "finish_reason": {"reason": "stop"}}
                ],
            },
        }
        for _, task, reply in pairs()
    ]
    return document(folder / "scenario_state.json", {"adapter_spec": {}, "request_states": states})


def helm_display(folder: Path) -> Path:
    rows = [
        {"instance_id": task, "train_trial_index": 0, "predicted_text": reply, "stats": {"exact_match": 0.0}}
        for _, task, reply in pairs()
    ]
    return document(folder / "display_predictions.json", rows)


def livecodebench(folder: Path) -> Path:
    rows = [
        {
            "question_id": 2777 + n, "contest_id": "weekly", "function_name": "f", "code": "def f(): ..", "input": "f()",
            "output": TRUTH, "id": task, "problem_id": n, "numsteps": 3, "output_list": [reply], "pred_list": ["0"],
            "graded_list": [n == 0], "pass@1": 1.0,
        }
        for n, task, reply in pairs()
    ]  # fmt: skip
    return document(folder / "output" / "model-a" / "Scenario.codeexecution_1_0.2_eval_all.json", rows)


def bigcode(folder: Path) -> Path:
    return document(folder / "generations_outputs.json", [[reply] for _, _, reply in pairs()])


def simple_evals(folder: Path) -> Path:
    convos = [
        [{"role": "user", "content": task}, {"role": "assistant", "content": reply}]
        for _, task, reply in pairs()
    ]
    result = {"score": 0.5, "metrics": {}, "htmls": ["<p>"], "convos": convos, "metadata": None}
    return document(folder / "outputs_model-a_allresults.json", result)


def openai_evals(folder: Path) -> Path:
    spec = {"spec": {"completion_fns": ["model-a"], "eval_name": "o.dev.v0", "run_id": "r"}}
    events = [
        {"run_id": "r", "event_id": 2 * n + kind, "sample_id": f"o.dev.{task}", "type": ("sampling", "match")[kind],
         "data": ({"prompt": "p", "sampled": [reply]}, {"correct": False, "expected": TRUTH})[kind]}
        for n, task, reply in pairs()
        for kind in (0, 1)
    ]  # fmt: skip
    return lines(folder / "2024_r_o.jsonl", [spec, *events, {"final_report": {"accuracy": 0.5}}])


def lighteval(folder: Path) -> Path:
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    rows = [
        {
            "doc": {"id": task, "query": "p", "choices": [TRUTH], "gold_index": 0},
            "model_response": {"text": [reply], "input": "p"},
            "metric": {"exact_match": 0},
        }
        for _, task, reply in pairs()
    ]
    path = folder / "details" / "model-a" / "2025-11-05T14-43" / "details_outputs|0_2025-11-05T14-43.parquet"
    path.parent.mkdir(parents=True)
    parquet.write_table(pa.Table.from_pylist(rows), path)
    return path


def promptfoo(folder: Path) -> Path:
    rows = [
        {
            "vars": {"id": task},
            "response": {"output": reply},
            "provider": {"id": "model-a"},
            "success": n == 0,
        }
        for n, task, reply in pairs()
    ]
    return document(folder / "results.json", {"evalId": "e", "results": {"version": 3, "results": rows}})


def lm_eval(folder: Path) -> Path:
    rows = [
        {
            "doc_id": n,
            "doc": {"id": task, "output": TRUTH},
            "target": TRUTH,
            "resps": [[reply]],
            "filtered_resps": ["0"],
        }
        for n, task, reply in pairs()
    ]
    (folder / "model-a").mkdir()
    return lines(folder / "model-a" / "samples_outputs_2025-11-05T14-43.jsonl", rows)


def inspect(folder: Path) -> Path:
    samples = [
        {
            "id": task,
            "epoch": 1,
            "target": TRUTH,
            "output": {"completion": reply, "choices": [{"stop_reason": "stop"}]},
        }
        for _, task, reply in pairs()
    ]
    log = {"version": 2, "eval": {"model": "model-a", "task": "o"}, "plan": {}, "samples": samples}
    return document(folder / "log.json", log)


def chat_batch(folder: Path) -> Path:
    rows = [
        {"id": f"b{n}", "custom_id": task, "error": None, "response": {"status_code": 200, "body": {"model": "model-a",
         "choices": [{"index": 0, "message": {"role": "assistant", "content": reply}, "finish_reason": "stop"}]}}}
        for n, task, reply in pairs()
    ]  # fmt: skip
    return lines(folder / "batch_output.jsonl", rows)


def message_batch(folder: Path) -> Path:
    rows = [
        {"custom_id": task, "result": {"type": "succeeded", "message": {"model": "model-a", "role": "assistant",
         "content": [{"type": "text", "text": reply}], "stop_reason": "end_turn"}}}
        for _, task, reply in pairs()
    ]  # fmt: skip
    return lines(folder / "results.jsonl", rows)


def candidate_batch(folder: Path) -> Path:
    rows = [
        {"key": task, "response": {"modelVersion": "model-a", "candidates": [{"content": {"parts": [{"text": reply}]},
         "finishReason": "STOP"}]}}
        for _, task, reply in pairs()
    ]  # fmt: skip
    return lines(folder / "results.jsonl", rows)


def evalplus(folder: Path) -> Path:
    """Its samples: `write_jsonl` of task and solution."""
    return lines(
        folder / "samples.jsonl", [{"task_id": task, "solution": reply} for _, task, reply in pairs()]
    )


MAKERS: tuple[Write, ...] = (
    opencompass, helm, helm_display, livecodebench, bigcode, simple_evals, openai_evals, lighteval, promptfoo, lm_eval,
    inspect, chat_batch, message_batch, candidate_batch, evalplus,
)  # fmt: skip
WITHOUT_MODEL = (bigcode, helm_display, evalplus)
NUMBERED = (opencompass, bigcode, simple_evals)
"""Makers whose files number the tasks from 0."""


@pytest.mark.parametrize("write", MAKERS)
def test_the_replies_of_a_harness_are_read_and_its_truths_are_not(write: Write, tmp_path: Path) -> None:
    run = run_of(write(tmp_path))
    ids = ("0", "1") if write in NUMBERED else TASKS
    assert run.texts == {task: [reply] for task, reply in zip(ids, REPLIES, strict=True)}
    assert run.dropped == []
    assert write in WITHOUT_MODEL or "model-a" in run.model
    assert run.stored in ({}, {TASKS[0]: [True], TASKS[1]: [False]})


@pytest.mark.parametrize("write", MAKERS)
def test_a_task_without_a_reply_is_dropped_and_named(write: Write, tmp_path: Path) -> None:
    path = write(tmp_path)
    if path.suffix != ".json":
        pytest.skip("lines are checked by the readers of lines")
    path.write_text(
        path.read_text(encoding="utf-8").replace(json.dumps(REPLIES[0]), "null"), encoding="utf-8"
    )
    run = run_of(path)
    given = [text for texts in run.texts.values() for text in texts if REPLIES[1] in text]
    assert given == [REPLIES[1]]
    assert REPLIES[0] not in str(run.texts)


def damaged(value: Any) -> Iterator[Any]:
    """Yield copies of a JSON value in each of which one part is another kind of value, or missing."""
    yield from (5, None, "text", [], {})
    if isinstance(value, dict):
        for key in value:
            yield {other: value[other] for other in value if other != key}
            yield from ({**value, key: part} for part in damaged(value[key]))
    if isinstance(value, list):
        for at, old in enumerate(value):
            yield from ([*value[:at], part, *value[at + 1 :]] for part in damaged(old))


@pytest.mark.parametrize("write", MAKERS)
def test_a_damaged_file_ends_with_an_error_of_ours(write: Write, tmp_path: Path) -> None:
    path = write(tmp_path)
    if path.suffix not in (".json", ".jsonl"):
        pytest.skip("a Parquet file is checked by its own format")
    text, n = path.read_text(encoding="utf-8"), 0
    rows = [json.loads(line) for line in text.splitlines()] if path.suffix == ".jsonl" else json.loads(text)
    for other in damaged(rows):
        is_lines = path.suffix == ".jsonl" and isinstance(other, list)
        path.write_text(
            "\n".join(map(json.dumps, other)) if is_lines else json.dumps(other), encoding="utf-8"
        )
        with suppress(DeskcheckError):
            read_place(path)
        n += 1
    assert n > 20


def run_of(path: Path) -> SavedRun:
    (run,) = read_place(path)
    return run
