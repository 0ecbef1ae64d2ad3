"""The exported file computes what the checkpoint computes, and is itself a checkpoint to go on from."""

from __future__ import annotations

from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="needs the extra 'train'")
for library in ("torch", "transformers", "trl", "datasets", "tokenizers", "onnx", "onnxruntime"):
    pytest.importorskip(library, reason="needs the extra 'train'")

import json  # noqa: E402
import shutil  # noqa: E402

import msgspec  # noqa: E402
import onnx  # noqa: E402
import torch  # noqa: E402
from tests.training.toys import SHAPE, examples  # noqa: E402

from deskcheck.errors import DataError, UserError  # noqa: E402
from deskcheck.inference.network import RowInput  # noqa: E402
from deskcheck.models.tiny import SHIPPED, Request, load  # noqa: E402
from deskcheck.training.data import split_prompt  # noqa: E402
from deskcheck.training.export import (  # noqa: E402
    check_target,
    export,
    model_folder,
    read_shape,
    read_weights,
    write_model,
)
from deskcheck.training.graph import LEVELS, SCALE, Weights, build, in_bytes  # noqa: E402
from deskcheck.training.network import build_model, save  # noqa: E402
from deskcheck.training.scores import parity  # noqa: E402
from deskcheck.training.tokenizer import BOS_ID, EOS_ID, build_tokenizer  # noqa: E402

torch.set_num_threads(1)
TOLERANCE = 2e-5
"""Largest difference of a logit to transformers; logits are about 5, the weights rounded in both."""
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"
)


def as_stored(weights: Weights) -> Weights:
    """Return the weights with the values that an exported file holds."""
    stored: Weights = {}
    for name, values in weights.items():
        if values.ndim != 2:
            stored[name] = np.asarray(values, np.float16)
            continue
        integers, scales = in_bytes(values)
        stored[name] = integers * scales
    return stored


@pytest.fixture(scope="module", params=[0, 2], ids=["plain", "shifted"])
def pair(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory):
    """A model of transformers with weights that an exported file holds exactly, and its folder."""
    model = build_model(msgspec.structs.replace(SHAPE, shift=request.param), seed=1, deviation=0.2).eval()
    with torch.no_grad():
        for name, tensor in model.named_parameters():
            if "shift" in name:
                tensor.normal_(std=0.2)
            tensor.copy_(torch.from_numpy(as_stored({name: tensor.numpy()})[name]))
    folder = tmp_path_factory.mktemp("model")
    save(model, folder / "checkpoint")
    export(str(folder / "checkpoint"), str(folder / "exported"))
    return model, folder


def prompts(n: int) -> list[str]:
    return [e.prompt for e in examples(5, n)]


def test_logits_are_those_of_transformers(pair):
    model, folder = pair
    tiny, tokenizer = load(str(folder / "exported")), build_tokenizer()
    for prompt in prompts(4):
        ids = [BOS_ID, *tokenizer.encode(prompt).ids]
        with torch.no_grad():
            expected = model(torch.tensor([ids])).logits[0].numpy()
        assert np.abs(expected).max() > 1
        cache = tiny.network.cache(rows=3)
        # In two calls, and beside a row of another length.
        half, other = len(ids) // 2, ids[:5]
        first = cache.forward([RowInput(2, 0, ids[:half]), RowInput(0, 0, other)], wanted=list(range(half)))
        last = cache.forward(
            [RowInput(0, 5, other, other), RowInput(2, half, ids[half:], ids[half - 2 : half])],
            wanted=list(range(5, 5 + len(ids) - half)),
        )
        assert np.abs(np.concatenate([first, last]) - expected).max() < TOLERANCE


def test_what_is_known_of_one_row_goes_on_in_another(pair):
    """Cached heads: written after the cache has grown, as it does with the first long question."""
    folder, ids = pair[1], [BOS_ID, *range(40, 70)]
    network = load(str(folder / "exported")).network
    cache = network.cache(rows=2)
    cache.forward([RowInput(0, 0, ids)], wanted=[0])
    known = cache.read(0, len(ids))
    cache.forward([RowInput(0, len(ids), [*range(30, 230)], ids)], wanted=[0])  # it grows
    cache.write(1, known)
    continued = cache.forward([RowInput(1, len(ids), [50], ids)], wanted=[0])
    alone = network.cache(rows=1).forward([RowInput(0, 0, [*ids, 50])], wanted=[len(ids)])
    assert np.abs(continued - alone).max() < TOLERANCE


def test_greedy_answers_are_those_of_transformers_from_a_cached_head_too(pair):
    model, folder = pair
    tiny, tokenizer = load(str(folder / "exported")), build_tokenizer()
    questions = [split_prompt(prompt) for prompt in prompts(5)]
    found = tiny.generate([Request(head, body, 12) for head, body in questions])
    for (head, body), completion in zip(questions, found, strict=True):
        ids = torch.tensor([[BOS_ID, *tokenizer.encode(head + body).ids]])
        whole = model.generate(
            ids, attention_mask=torch.ones_like(ids), max_new_tokens=12, do_sample=False, eos_token_id=EOS_ID
        )
        expected = [t for t in whole[0, ids.shape[1] :].tolist() if t != EOS_ID]
        assert completion.text == tokenizer.decode(expected)


@pytest.mark.parametrize("trained", [True, False])
def test_the_export_is_compared_with_transformers(pair, tmp_path: Path, trained: bool):
    """On the trained weights that ship, and on random ones whose scores lie close together."""
    folder = pair[1]
    source = "tiny" if trained else str(folder / "checkpoint")
    export(source, str(tmp_path))
    found = parity.checked(parity.parity(source, str(tmp_path), n=4))
    assert (found.n, found.n_other, found.n_rounded) == (4, 0, -1), "nothing was rounded anew"
    assert 0 < found.worst < parity.TOLERANCE * found.largest
    assert found.n_tokens > 8 * 20
    assert parity.line(found).startswith("all 4 greedy answers")
    assert "own weights" not in parity.line(found)


def test_of_a_run_its_checkpoint_is_meant_and_not_the_rounded_model_beside_it(pair, tmp_path: Path):
    """The card is the exported model's all the same."""
    weights = {name: value / 3 for name, value in read_weights(str(pair[1] / "checkpoint")).items()}
    network = build_model(read_shape(str(pair[1] / "checkpoint")), seed=0, weights=weights)
    save(network, tmp_path / "checkpoint")
    export(str(tmp_path / "checkpoint"), str(tmp_path / "model"))
    (tmp_path / "model" / "README.md").write_text("# a card\n")
    assert model_folder(str(tmp_path)) == tmp_path / "checkpoint"
    assert {value.dtype for value in read_weights(str(tmp_path)).values()} == {np.dtype(np.float32)}
    export(str(tmp_path), str(tmp_path / "out"))
    assert (tmp_path / "out" / "README.md").read_text() == "# a card\n"
    found = parity.parity(str(tmp_path), str(tmp_path / "out"), n=2)
    assert found.n_rounded >= 0 and "own weights (8 bits round them)" in parity.line(found)
    assert parity.parity(str(tmp_path / "model"), str(tmp_path / "out"), n=2).n_rounded == -1


def test_an_export_that_computes_something_else_is_refused(pair, tmp_path: Path):
    folder = pair[1]
    weights = read_weights(str(folder / "checkpoint"))
    shape = read_shape(str(folder / "checkpoint"))
    write_model(weights, msgspec.structs.replace(shape, rope_base=SHAPE.rope_base / 2), tmp_path)
    write_config = (folder / "exported" / "config.json").read_bytes()
    (tmp_path / "config.json").write_bytes(write_config)  # transformers reads the right one
    with pytest.raises(DataError, match="the exported file is not the model"):
        parity.checked(parity.parity(str(folder / "checkpoint"), str(tmp_path), n=4))


def test_a_model_with_another_tokenizer_is_refused(pair, tmp_path: Path):
    """Tied and Llama-shaped, as small models of the hub are: its words are not ours."""
    save(pair[0], tmp_path / "other")
    config = json.loads((tmp_path / "other/config.json").read_text())
    (tmp_path / "other/config.json").write_text(json.dumps({**config, "vocab_size": 400}))
    with pytest.raises(DataError, match=r"400 tokens.*not ours.*--model hub"):
        export(str(tmp_path / "other"), str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_the_exported_file_holds_the_weights_of_the_checkpoint(pair):
    model, folder = pair
    weights, state = read_weights(str(folder / "exported")), model.state_dict()
    assert set(state) - set(weights) == {"lm_head.weight"}, "tied to the embedding"
    for name, values in weights.items():
        assert np.array_equal(values, state[name].numpy()), name
    shape = read_shape(str(folder / "exported"))
    assert shape == read_shape(str(folder / "checkpoint"))
    assert msgspec.structs.replace(shape, shift=0) == SHAPE


@pytest.mark.parametrize("size", [1e-6, 1.0, 300.0])
def test_a_matrix_is_rounded_row_by_row_and_only_once(size: float):
    """No value moves by more than half a step of its row, and a stored matrix is stored again unchanged."""
    random = np.random.default_rng(3)
    matrix = (random.normal(size=(40, 30)) * size * 10.0 ** random.integers(-2, 3, (40, 1))).astype(
        np.float32
    )
    matrix[7] = 0
    integers, scales = in_bytes(matrix)
    assert np.abs(integers).max() == LEVELS, "-128 would be a level without a counterpart"
    assert (np.abs(integers * scales.astype(np.float64) - matrix) <= scales * 0.500001).all()
    stored = as_stored({"matrix": matrix})["matrix"]
    assert np.array_equal(stored, integers * scales.astype(np.float64)), "fp32 holds every product exactly"
    again = in_bytes(stored)
    assert np.array_equal(again[0], integers) and np.array_equal(again[1], scales)


def test_an_exported_file_holds_a_byte_for_each_weight_of_a_matrix(pair):
    exported = pair[1] / "exported"
    weights = read_weights(str(exported))
    matrices = [value for value in weights.values() if value.ndim == 2]
    n_rows = sum(len(matrix) for matrix in matrices)
    expected = sum(matrix.size for matrix in matrices) + 4 * n_rows
    constants = onnx.load(str(exported / "model.onnx")).graph.initializer
    stored = {one.name: onnx.numpy_helper.to_array(one).nbytes for one in constants}
    names = [name for name in weights if weights[name].ndim == 2]
    assert sum(stored[name] + stored[name + SCALE] for name in names) == expected


def test_training_can_go_on_from_the_exported_file(pair):
    model, folder = pair
    exported = str(folder / "exported")
    again = build_model(read_shape(exported), seed=9, weights=read_weights(exported))
    for name, tensor in model.state_dict().items():
        assert torch.equal(tensor, again.state_dict()[name]), name


def test_a_model_is_not_written_over_itself_nor_into_a_run(pair, tmp_path: Path):
    folder = pair[1]
    exported, run = folder / "exported", tmp_path / "run"
    before = (exported / "model.onnx").read_bytes()
    with pytest.raises(UserError, match=r"--out .* is the model itself; name another folder"):
        export(str(exported), str(exported / ".." / "exported"))
    with pytest.raises(UserError, match="is the model itself"):
        check_target("tiny", str(SHIPPED))
    assert (exported / "model.onnx").read_bytes() == before
    shutil.copytree(folder / "checkpoint", run / "checkpoint")
    shutil.copytree(exported, run / "model")
    (run / "run.json").write_text("{}")
    for source, out in ((run, run), (run, run / "model"), (exported, run)):
        with pytest.raises(UserError, match="name another folder"):
            export(str(source), str(out))
    assert sorted(path.name for path in run.iterdir()) == ["checkpoint", "model", "run.json"]


def test_exporting_twice_gives_the_same_bytes(pair, tmp_path: Path):
    _, folder = pair
    export(str(folder / "exported"), str(tmp_path))
    for name in ("model.onnx", "tokenizer.json", "config.json"):
        assert (tmp_path / name).read_bytes() == (folder / "exported" / name).read_bytes()


def test_weights_that_do_not_fit_are_refused_by_name(pair, tmp_path: Path):
    _, folder = pair
    weights = read_weights(str(folder / "checkpoint"))
    del weights["model.norm.weight"]
    with pytest.raises(DataError, match=r"model\.norm\.weight"):
        build(weights, SHAPE)
    with pytest.raises(DataError, match="unknown"):
        write_model(
            {**read_weights(str(folder / "checkpoint")), "a.bias": np.zeros(1)}, SHAPE, tmp_path / "x"
        )
    assert not (tmp_path / "x").exists()


def test_a_folder_without_a_model_says_what_to_give(tmp_path: Path):
    with pytest.raises(DataError, match="no model in"):
        model_folder(str(tmp_path))
