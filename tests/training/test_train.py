"""One command from programs to a scored model; what cannot be done is said before anything is written."""

from __future__ import annotations

import json
import math
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="needs the extra 'train'")
for library in ("torch", "transformers", "tokenizers", "onnx", "onnxruntime"):
    pytest.importorskip(library, reason="needs the extra 'train'")

import msgspec  # noqa: E402
import torch  # noqa: E402

from deskcheck.errors import DeskcheckError, UserError  # noqa: E402
from deskcheck.inference.engine import Model  # noqa: E402
from deskcheck.inference.slots import Request, Row  # noqa: E402
from deskcheck.models.tiny import load  # noqa: E402
from deskcheck.training import feed, network, record, stream  # noqa: E402
from deskcheck.training import train as train_module  # noqa: E402
from deskcheck.training.export import export, read_shape, read_weights  # noqa: E402
from deskcheck.training.presets import PRESETS  # noqa: E402
from deskcheck.training.scores import on_the_way  # noqa: E402
from deskcheck.training.scores.card import card, n_parameters  # noqa: E402
from deskcheck.training.scores.held_out import LayoutScore  # noqa: E402
from deskcheck.training.scores.held_out import line as score_line  # noqa: E402
from deskcheck.training.scores.long_runs import LongRow  # noqa: E402
from deskcheck.training.scores.long_runs import line as long_line  # noqa: E402
from deskcheck.training.tokenizer import WIDE_SIZE  # noqa: E402
from deskcheck.training.train import SPARE_SHARE, TrainOptions, _first_weights, first_rows, train  # noqa: E402

torch.set_num_threads(1)
TOKENS = 12 * 256
ANSWER_TOKENS = 8
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"
)


def options(out: Path, **changes) -> TrainOptions:
    return TrainOptions(
        **{"preset": "micro", "out": str(out), "tokens": TOKENS, "threads": 1, "n_held_out": 2, **changes}
    )


@pytest.fixture(scope="module", autouse=True)
def little() -> Iterator[None]:
    """Little data, and short answers: a model after three steps writes to the limit of every answer."""
    encoded = Model.row

    def short(self: Model, request: Request, ticket: object) -> Row:
        return encoded(self, msgspec.structs.replace(request, max_tokens=ANSWER_TOKENS), ticket)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "CANDIDATES_PER_PART", 15)
        patch.setattr(feed, "CANDIDATES", 15)
        patch.setattr(Model, "row", short)
        yield


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("run") / "a"
    train(options(out), say=lambda text: None)
    return out


def test_a_smaller_model_grows_into_the_preset_and_the_card_says_so(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    small = PRESETS["micro"]
    shape = msgspec.structs.replace(small.shape, layers=3, intermediate=80)
    monkeypatch.setitem(PRESETS, "micro", msgspec.structs.replace(small, shape=shape))
    said: list[str] = []
    train(options(tmp_path / "b", start_from=str(finished), tokens=TOKENS // 2), say=said.append)
    assert sum("grows from 2 layers of 32, 2 heads, 64 between to 3 layers" in one for one in said) == 1
    run = record.read(tmp_path / "b")
    assert run is not None and run.grown_from == small.shape
    assert read_shape(str(tmp_path / "b")) == shape
    assert "which had 2 layers of 32, 2 heads, 64 between" in (tmp_path / "b/model/README.md").read_text()


def test_first_weights_of_another_python_are_noted(finished: Path, tmp_path: Path):
    copy = shutil.copytree(finished, tmp_path / "a")
    run = record.read(copy)
    assert run is not None
    run = msgspec.structs.replace(run, start_from=str(copy))
    said: list[str] = []
    _first_weights(run, said.append)
    assert said == []  # the card names this Python
    card = copy / "model" / "README.md"
    other = "3.11" if sys.version_info >= (3, 12) else "3.12"
    written = re.sub(r'python: "[0-9.]+"', f'python: "{other}"', card.read_text())
    card.write_text(written)
    _first_weights(run, said.append)
    assert len(said) == 1 and f"learned from runs of Python {other}" in said[0]


def scores_of(run: Path) -> list[LayoutScore]:
    raw = (run / "scores.json").read_bytes().replace(b": null", b": 0.0")  # an interval without that end
    return msgspec.json.decode(raw, type=list[LayoutScore])


def test_a_run_leaves_a_model_its_scores_and_its_card(finished: Path):
    scores = scores_of(finished)
    assert {row.layout for row in scores} == set(PRESETS["micro"].mix.layouts)
    assert all(row.n >= 2 for row in scores)
    card = (finished / "model" / "README.md").read_text()
    run = record.read(finished)
    assert run is not None
    assert run.n_steps == 3
    assert run.command in card
    assert f"{run.n_tokens:,} tokens" in card
    assert "| cruxeval | 800 |" in card, "what was kept out of training"
    assert "| numbers compared | " in card
    assert "AdamW, learning rate" in card
    assert "{" not in card, "a field of the template was left empty"
    assert len(load(str(finished / "model"), threads=1).generate([])) == 0
    assert sum(w.size for w in read_weights(str(finished)).values()) == n_parameters(PRESETS["micro"])


def test_the_card_says_how_far_whole_runs_go(finished: Path):
    run = record.read(finished)
    assert run is not None
    row = LongRow("counter", 100, [4, 9], [90, 110], [90, 37], 1, 0.1, 0.9, 50, 48, 0.8, 0.99)
    text = card(run, scores_of(finished), n_programs=2, long=[row])
    assert "| counter | 90 to 110 | 1 of 2 | 10 to 90 | 90 | 96.0 % | 80.0 to 99.0 | 50 |" in text
    assert "{" not in text
    none = msgspec.structs.replace(scores_of(finished)[0], low=math.nan, high=math.nan)
    few = msgspec.structs.replace(row, low=math.nan, high=math.nan)
    text = card(run, [none], n_programs=2, long=[few])
    assert "nan" not in text
    assert "| 1 of 2 | unknown | 90 |" in text
    assert "[unknown]" in score_line(none)
    assert "chains [unknown]" in long_line(few)


def test_the_command_on_the_card_makes_the_same_model(finished: Path, tmp_path: Path):
    train(options(tmp_path / "b"), say=lambda text: None)
    assert (tmp_path / "b/model/model.onnx").read_bytes() == (finished / "model/model.onnx").read_bytes()
    logs = [[json.loads(line) for line in (p / "train.jsonl").open()] for p in (tmp_path / "b", finished)]
    assert logs[0] == logs[1]


def test_scores_on_the_way_change_nothing(finished: Path, tmp_path: Path):
    said: list[str] = []
    train(options(tmp_path / "b", evaluations=2), say=said.append)
    assert (tmp_path / "b/model/model.onnx").read_bytes() == (finished / "model/model.onnx").read_bytes()
    asked = on_the_way.read(tmp_path / "b")
    assert [one.step for one in asked] == [1] * 5 + [2] * 5, "line-1 has two questions, the others one"
    assert {one.layout for one in asked} == set(PRESETS["micro"].mix.layouts)
    assert all(one.n >= 2 and 0 <= one.right <= one.n for one in asked)
    assert sum("held-out programs of 'easy'" in text for text in said) == 2
    assert on_the_way.points(1000, 4) == [200, 400, 600, 800]
    assert on_the_way.points(2, 9) == [1]


def test_a_finished_run_is_not_begun_anew(finished: Path):
    with pytest.raises(UserError, match="--resume"):
        train(options(finished), say=print)
    with pytest.raises(UserError, match="preset micro with seed 0"):
        train(options(finished, seed=1, resume=True), say=print)


def test_a_finished_run_is_resumed_without_being_scored_again(
    finished: Path, monkeypatch: pytest.MonkeyPatch
):
    def never(*_: object, **__: object) -> None:
        raise AssertionError("scored again")

    monkeypatch.setattr(train_module, "score", never)
    said: list[str] = []
    asked = options(finished, resume=True)
    assert train(asked, say=said.append) == finished / "model"
    assert "is finished; its scores:\n## Scores on held-out programs" in said[0]
    assert "| line-1 | one step | " in said[0]
    assert "## Training" not in said[0]


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"tokens": 2 * TOKENS}, "--tokens"),
        ({"tokens": 0, "minutes": 3.0}, "--minutes"),
        ({"layouts": ["direct"]}, "--layouts"),
        ({"row_length": 128}, "--set row_length"),
        ({"start_from": "tiny"}, "--from"),
    ],
)
def test_what_a_resumed_run_would_ignore_is_refused(finished: Path, changes: dict[str, object], named: str):
    with pytest.raises(UserError, match=f"has another {named}; a resumed run keeps its own"):
        train(options(finished, resume=True, **changes), say=print)


@pytest.mark.parametrize("length", [{"tokens": TOKENS}, {"tokens": 0, "minutes": 0.2}])
def test_rows_that_nothing_fits_into_are_said_at_once(tmp_path: Path, length: dict[str, float]):
    with pytest.raises(UserError, match=r"rows of 3 tokens are too short: none of the [\d,]+ examples"):
        train(options(tmp_path / "run", row_length=3, **length), say=print)
    assert not (tmp_path / "run").exists()  # so the mended command may name the same folder


def test_what_a_refused_run_found_in_its_folder_stays(tmp_path: Path):
    (tmp_path / "data").mkdir()
    for name in ("notes.txt", "data/mine.csv"):
        (tmp_path / name).write_text("x")
    with pytest.raises(UserError, match="too short"):
        train(options(tmp_path, row_length=3), say=print)
    found = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    assert found == ["mine.csv", "notes.txt"]


def test_a_refused_run_leaves_the_rows_of_another_alone(tmp_path: Path):
    (tmp_path / "data").mkdir()
    for name in ("plan.json", "stage-0-part-0000.npz"):
        (tmp_path / "data" / name).write_text("{}")
    with pytest.raises(UserError, match="holds the data of another run"):
        train(options(tmp_path), say=print)
    assert {path.name for path in (tmp_path / "data").iterdir()} == {"plan.json", "stage-0-part-0000.npz"}


def test_a_run_that_had_begun_to_learn_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def late(*args: object) -> None:
        (tmp_path / "checkpoint-5").mkdir()
        raise UserError("stage 2 gives no rows")

    monkeypatch.setattr("deskcheck.training.train._by_tokens", late)
    with pytest.raises(UserError, match="stage 2"):
        train(options(tmp_path), say=print)
    assert (tmp_path / "run.json").is_file()


@pytest.mark.parametrize("text", ['{"options": {"model": "m"}, "data": {}}', '{"command": "desk', ""])
def test_a_record_that_is_none_is_one_clear_error(tmp_path: Path, text: str):
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(DeskcheckError, match="no record of a run from scratch"):
        train(options(tmp_path, resume=True), say=print)


def test_a_record_is_written_whole_or_not_at_all(finished: Path, monkeypatch: pytest.MonkeyPatch):
    run, before = record.read(finished), (finished / "run.json").read_bytes()
    assert run is not None

    def full(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:20])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space left"):
        record.write(msgspec.structs.replace(run, n_steps=99), finished)
    assert (finished / "run.json").read_bytes() == before


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"preset": "huge"}, "no preset called 'huge'; known: micro, tiny"),
        ({"layouts": ["line-2"]}, "no layout called 'line-2'"),
        ({"layouts": ["direct", "direct"]}, "names one twice"),
        ({"minutes": 5.0}, "give one"),
        ({"stop_minutes": 1.0}, "goes with --minutes"),
        ({"tokens": 0, "minutes": 1.0, "evaluations": 2}, "goes with --tokens"),
        ({"device": "nowhere"}, "--device nowhere: .*doctor"),
        ({"tokens": 100}, "less than one step of preset 'micro'"),
        ({"start_from": "nowhere"}, "no model in 'nowhere'"),
        (
            {"start_from": "tiny"},
            "'micro' cannot go on from 'tiny': its heads have 64 values, not 16; name a",
        ),
    ],
)
def test_what_cannot_be_done_is_one_clear_error(tmp_path: Path, changes: dict[str, object], message: str):
    with pytest.raises(DeskcheckError, match=message):
        train(options(tmp_path / "x", **changes), say=print)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"start_from": "nowhere"}, "no model in 'nowhere'"),
        ({"minutes": 5.0}, "give one"),
        ({"tokens": 100}, "less than one step"),
        ({"row_length": 10}, "no example fits into rows of 10 tokens; give a larger --set row_length"),
    ],
)
def test_no_rows_are_shown_of_a_run_that_would_be_refused(
    tmp_path: Path, changes: dict[str, object], message: str
):
    with pytest.raises(DeskcheckError, match=message):
        first_rows(options(tmp_path, **changes))


def test_rows_with_turned_numbers_say_so(tmp_path: Path):
    assert first_rows(options(tmp_path)).startswith("--- row 0: ")
    turned = first_rows(options(tmp_path, preset="tiny", tokens=0))
    assert turned.startswith("numbers stand last digit first")
    assert "\n--- row 0: " in turned


def test_a_run_by_the_clock_stops_and_goes_on(tmp_path: Path):
    assert SPARE_SHARE == 0.12, "docs/training.md and the help of --minutes say it"
    said: list[str] = []
    clock = {"tokens": 0, "minutes": 0.03, "workers": 0, "layouts": ["direct", "line-1-full"]}
    asked = options(tmp_path / "run", **clock, stop_minutes=0.001)
    stopped = train(asked, say=said.append)
    assert stopped.name.startswith("checkpoint-")
    assert "the same command with --resume continues" in said[-1]
    weights = read_weights(str(stopped))
    assert read_shape(str(stopped)).vocabulary == WIDE_SIZE
    train(options(tmp_path / "run", **clock, resume=True), say=said.append)
    run = record.read(tmp_path / "run")
    assert run is not None
    assert run.n_steps > int(stopped.name.split("-")[1])
    assert run.data.n_candidates > 0
    again = options(tmp_path / "on", **clock, start_from=str(stopped))
    train(msgspec.structs.replace(again, stop_minutes=0.0001), say=said.append)
    assert weights.keys() == read_weights(str(tmp_path / "on")).keys()


def test_weights_go_on_in_a_larger_vocabulary(finished: Path):
    shape, weights = PRESETS["micro"].shape, read_weights(str(finished))
    wide = msgspec.structs.replace(shape, vocabulary=WIDE_SIZE)
    grown = network.build_model(wide, seed=0, weights=weights).state_dict()["model.embed_tokens.weight"]
    assert grown.shape[0] == WIDE_SIZE
    assert torch.equal(grown[: shape.vocabulary], torch.tensor(weights["model.embed_tokens.weight"]))


def test_exporting_a_run_takes_its_card_along(finished: Path, tmp_path: Path):
    export(str(finished), str(tmp_path / "out"))
    for name in ("model.onnx", "README.md"):
        assert (tmp_path / "out" / name).read_bytes() == (finished / "model" / name).read_bytes()
    assert not (finished / "README.md").exists(), "TRL wrote a card of its own"


def test_transformers_reads_the_checkpoint_with_its_tokenizer(finished: Path):
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(finished / "checkpoint"))
    assert tokenizer.decode(tokenizer("@4 | s='ab'\n")["input_ids"]) == "@4 | s='ab'\n"
    assert len(tokenizer("</s>")["input_ids"]) == 4


def test_data_can_name_families_in_two_languages(tmp_path: Path):
    pytest.importorskip("py_mini_racer", reason="needs the extra 'javascript'")
    given = options(
        tmp_path / "run", data="generated:easy:javascript", layouts=["line-1", "sub"], row_length=512
    )
    assert "@1 function" in first_rows(given)
    assert "@1 def " in first_rows(msgspec.structs.replace(given, data="generated:easy"))
    for data, why in (
        ("generated:esay", "esay"),
        ("generated:easy,real-1:javascript", "written in Python alone"),
    ):
        with pytest.raises(DeskcheckError, match=why):
            first_rows(msgspec.structs.replace(given, data=data))
