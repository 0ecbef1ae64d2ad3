"""Files of a dozen makers: each is read by its fields, and the message for another one leads to --field."""

from __future__ import annotations

import csv
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from deskcheck.errors import DataError, UserError
from deskcheck.importers import SavedRun, read_place
from deskcheck.importers._files import rows_of

IDS = ("sample_0", "sample_1")
Row = Callable[[str], dict[str, Any]]
MAKERS: dict[str, Row] = {
    "task_id and response": lambda one: {"task_id": one, "response": "5"},
    "question_id and generation list": lambda one: {"question_id": one, "generation": ["5", "6"]},
    "id and output": lambda one: {"id": one, "output": "5", "model_name": "m"},
    "sample_id and generated_text": lambda one: {"sample_id": one, "generated_text": "5", "prompt": "p"},
    "number and prediction": lambda one: {"idx": int(one[-1]), "prediction": "5"},
    "key and model_output": lambda one: {"key": one, "model_output": "5"},
    "batch": lambda one: {
        "custom_id": one,
        "response": {"status_code": 200, "body": {"model": "m", "choices": [{"message": {"content": "5"}}]}},
        "error": None,
    },
    "batch of text completions": lambda one: {
        "custom_id": one,
        "response": {"body": {"choices": [{"text": "5"}]}},
    },
    "batch of messages": lambda one: {
        "custom_id": one,
        "result": {
            "type": "succeeded",
            "message": {"content": [{"type": "text", "text": "5"}], "stop_reason": "end_turn", "model": "m"},
        },
    },
    "batch of candidates": lambda one: {
        "key": one,
        "response": {"candidates": [{"content": {"parts": [{"text": "5"}]}, "finishReason": "STOP"}]},
    },
    "harness samples": lambda one: {
        "doc_id": 0,
        "doc": {"id": one},
        "resps": [["5"]],
        "filtered_resps": ["5"],
    },
    "conversation": lambda one: {"id": one, "messages": [{"role": "assistant", "content": "5"}]},
}


def run_of(path: Path) -> SavedRun:
    (run,) = read_place(path)
    return run


def lines(path: Path, row: Row) -> Path:
    path.write_text("".join(json.dumps(row(one)) + "\n" for one in IDS), encoding="utf-8")
    return path


@pytest.mark.parametrize("maker", MAKERS)
def test_each_maker_is_read_without_an_option(maker: str, tmp_path: Path) -> None:
    run = run_of(lines(tmp_path / "answers.jsonl", MAKERS[maker]))
    assert len(run.texts) == 2
    assert {texts[0] for texts in run.texts.values()} == {"5"}
    assert run.dropped == []


def test_a_list_and_a_byte_order_mark_change_nothing(tmp_path: Path) -> None:
    rows = [MAKERS["task_id and response"](one) for one in IDS]
    (tmp_path / "a.json").write_text(json.dumps(rows), encoding="utf-8")
    marked = "\ufeff" + "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "b.jsonl").write_text(marked, encoding="utf-8")
    assert (
        run_of(tmp_path / "a.json").texts == run_of(tmp_path / "b.jsonl").texts == {one: ["5"] for one in IDS}
    )


def test_fields_can_be_named_also_inside_others(tmp_path: Path) -> None:
    path = lines(tmp_path / "odd.jsonl", lambda one: {"nr": one, "said": [{"text": "5"}]})
    (run,) = read_place(path, fields={"id": "nr", "completion": "said.0.text"})
    assert run.texts == {one: ["5"] for one in IDS}
    with pytest.raises(UserError, match="no such field; known: id, completion"):
        read_place(path, fields={"reply": "said"})


def test_an_unknown_layout_is_told_what_it_has_and_what_is_needed(tmp_path: Path) -> None:
    path = lines(tmp_path / "odd.jsonl", lambda one: {"nr": one, "said": {"text": "5"}})
    with pytest.raises(UserError, match=r"line 1 has nr, said; a row needs an id .* --field id=nr"):
        read_place(path)
    for text, has in (("| nr | said |\n|---|---|\n| a | 5 |\n", r": \| nr \| said \|"), ("\0\1", "")):
        path = tmp_path / "answers.md"
        path.write_text(text, encoding="utf-8")
        needs = (
            "; save it as JSON lines, .csv or .tsv; a row needs an id .* --field id=NAME --field completion"
        )
        with pytest.raises(UserError, match=f"line 1 is not JSON{has}{needs}"):
            read_place(path)


def test_a_damaged_file_is_not_a_foreign_one(tmp_path: Path) -> None:
    path = lines(tmp_path / "cut.jsonl", MAKERS["task_id and response"])
    path.write_text('{"task_id": "sample_9", "resp\n' + path.read_text(encoding="utf-8"), encoding="utf-8")
    run = run_of(path)
    assert [row.where for row in run.dropped] == ["line 1"]
    assert len(run.texts) == 2
    path.write_text('{"task_id": "sample_9", "resp', encoding="utf-8")
    with pytest.raises(UserError, match="damaged"):
        read_place(path)


def test_a_failed_request_of_a_batch_is_an_error_and_the_served_model_is_named(tmp_path: Path) -> None:
    path = lines(tmp_path / "batch.jsonl", MAKERS["batch"])
    failed = {"custom_id": "sample_2", "response": None, "error": {"message": "rate limit"}}
    path.write_text(path.read_text(encoding="utf-8") + json.dumps(failed) + "\n", encoding="utf-8")
    run = run_of(path)
    assert run.model == "m"
    assert run.finish_reason("sample_2", 0) == "error"


def test_a_log_of_another_task_is_read_packed_and_as_json(tmp_path: Path) -> None:
    header = {"version": 2, "eval": {"model": "m", "task": "other"}, "plan": {}}
    samples = [
        {"id": one, "epoch": 1, "output": {"completion": "5", "choices": [{"stop_reason": "stop"}]}}
        for one in IDS
    ]
    (tmp_path / "log.json").write_text(json.dumps({**header, "samples": samples}), encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "log.eval", "w") as packed:
        packed.writestr("header.json", json.dumps(header))
        for sample in samples:
            packed.writestr(f"samples/{sample['id']}_epoch_1.json", json.dumps(sample))
    for name in ("log.json", "log.eval"):
        run = run_of(tmp_path / name)
        assert (run.model, run.texts) == ("m", {one: ["5"] for one in IDS})


def test_trees_of_three_repositories_are_read_as_anybody_has_them(tmp_path: Path) -> None:
    for task in IDS:
        folder = tmp_path / "ER" / "model-a" / "cruxeval" / task
        folder.mkdir(parents=True)
        (folder / "response.txt").write_text("<<<Output>>>\n5\n[END-OF-RESPONSE]", encoding="utf-8")
        (folder / "predict.txt").write_text("5", encoding="utf-8")
    for place in ("ER/model-a/cruxeval", "ER/model-a"):
        run = run_of(tmp_path / place)
        assert (run.layout, run.model, set(run.texts)) == ("exerscope", "model-a", set(IDS))
    folder = tmp_path / "infer_results" / "model-c"
    folder.mkdir(parents=True)
    rows = [{"id": n, "res": n == 0, "error": None, "code": "c", "answer": "5"} for n in range(2)]
    (folder / "js_output.json").write_text(json.dumps(rows), encoding="utf-8")
    run = run_of(folder / "js_output.json")
    assert (run.layout, run.model, run.kind) == ("cruxeval-x", "model-c", "output")
    assert run.stored == {"js-0": [True], "js-1": [False]}
    setting = tmp_path / "results" / "output_prediction" / "model-b"
    for level, task in zip(("HC", "LC"), IDS, strict=True):
        (setting / level).mkdir(parents=True)
        (setting / level / f"{task}.txt").write_text('[OUTPUT]{"output": 5}[/OUTPUT]', encoding="utf-8")
    validations = tmp_path / "results" / "validations"
    validations.mkdir()
    verdicts = "case_name,benchmark,rs\ncruxeval_0.jsonl,cruxeval,1\ncruxeval_1.jsonl,cruxeval,0\n"
    (validations / "model-b_output.csv").write_text(verdicts, encoding="utf-8")
    run = run_of(setting)
    assert (run.layout, run.model, run.kind) == ("re2-bench", "model-b", "output")
    assert run.stored == {"sample_0": [True], "sample_1": [False]}
    assert run.taken == {one: ['{"output": 5}'] for one in IDS}


@pytest.mark.parametrize(("ending", "mark"), [("csv", ","), ("tsv", "\t")])
def test_a_table_is_read_by_the_names_in_its_first_line(ending: str, mark: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows.{ending}"
    rows = [("Task ID", "Model Response", "Seconds"), *((one, '"The output is\n5."', "0.3") for one in IDS)]
    path.write_text("".join(mark.join(row) + "\r\n" for row in rows), encoding="utf-8-sig", newline="")
    assert run_of(path).texts == {one: ["The output is\n5."] for one in IDS}


def test_utf_16_is_read_and_another_encoding_is_named(tmp_path: Path) -> None:
    path = lines(tmp_path / "rows.jsonl", lambda one: {"id": one, "completion": "é"})
    text = path.read_text(encoding="utf-8").encode().decode("unicode-escape")
    path.write_text(text, encoding="utf-16")
    assert run_of(path).texts == {one: ["é"] for one in IDS}
    path.write_text(text, encoding="latin-1")
    with pytest.raises(Exception, match="save it again as UTF-8"):
        read_place(path, "jsonl")


def test_a_tool_call_without_words_and_a_number_are_replies(tmp_path: Path) -> None:
    call = {"type": "function", "function": {"name": "submit", "arguments": '{"answer": "5"}'}}
    path = lines(
        tmp_path / "calls.jsonl",
        lambda one: {"id": one, "messages": [{"role": "assistant", "content": None, "tool_calls": [call]}]},
    )
    assert run_of(path).texts == {one: [json.dumps(call["function"])] for one in IDS}
    assert run_of(lines(path, lambda one: {"id": one, "prediction": True})).texts == {
        one: ["True"] for one in IDS
    }


def test_samples_that_are_objects_give_their_texts(tmp_path: Path) -> None:
    texts = [{"text": "5", "logprobs": None}, {"message": {"content": "6"}, "finish_reason": "length"}]
    path = lines(tmp_path / "rows.jsonl", lambda one: {"id": one, "samples": texts})
    assert run_of(path).texts == {one: ["5", "6"] for one in IDS}
    assert run_of(path).finish_reason(IDS[0], 1) == "length"
    assert run_of(lines(path, lambda one: {"id": one, "choices": texts})).texts == run_of(path).texts
    with pytest.raises(UserError, match="no importer knows this file format"):
        read_place(lines(path, lambda one: {"id": one, "samples": [{"score": 1}]}))


def test_the_message_names_the_fields_inside_a_foreign_row(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "rows.jsonl",
        lambda one: {"meta": {"task": {"id": one}}, "steps": [{"role": "assistant", "content": "5"}]},
    )
    with pytest.raises(UserError, match=r"--field id=meta\.task\.id --field completion=steps\.0\.content;"):
        read_place(path)
    several = lines(
        path, lambda one: {"number": one, "draws": [{"text": "5"}, {"text": "6"}]}
    )  # none is chosen
    with pytest.raises(UserError, match=r"--field id=number --field completion=NAME;"):
        read_place(several)


@pytest.mark.parametrize("n", [65_300, 65_600, 200_000])
def test_a_long_first_row_is_read_like_any_other(n: int, tmp_path: Path) -> None:
    path = lines(tmp_path / "rows.jsonl", lambda one: {"id": one, "completion": "x" * n})
    assert run_of(path).texts == {one: ["x" * n] for one in IDS}
    path = tmp_path / "rows.csv"
    path.write_text("id,completion\n" + "".join(f"{one},{'x' * n}\n" for one in IDS), encoding="utf-8")
    assert run_of(path).texts == {one: ["x" * n] for one in IDS}


def test_a_table_that_is_none_is_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "rows.csv"
    path.write_text(f"id,completion\n{IDS[0]},abcdef\n", encoding="utf-8")
    limit = csv.field_size_limit(5)
    try:
        with pytest.raises(DataError, match="no whole table: field larger than field limit"):
            list(rows_of(path))
    finally:
        csv.field_size_limit(limit)
