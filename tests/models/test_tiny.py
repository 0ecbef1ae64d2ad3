"""tiny answers in batches as it answers alone, reads each head once, and says how an answer ended."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random

import pytest

np = pytest.importorskip("numpy", reason="needs the extra 'eval'")
pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
pytest.importorskip("onnx", reason="needs the extra 'train' to make a model")

import msgspec  # noqa: E402
from tests.training.toys import SHAPE, examples  # noqa: E402

from deskcheck.errors import DataError, MissingExtra  # noqa: E402
from deskcheck.inference import engine, slots  # noqa: E402
from deskcheck.inference.network import OnnxCache, RowInput  # noqa: E402
from deskcheck.models import tiny  # noqa: E402
from deskcheck.models.tiny import Request, TinyModel, load  # noqa: E402
from deskcheck.training.data import split_prompt  # noqa: E402
from deskcheck.training.export import write_model  # noqa: E402


@pytest.fixture(scope="module", params=[0, 2], ids=["plain", "shifted"])
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model with random weights, large enough for its answers to differ."""
    rng = np.random.default_rng(0)
    shape = msgspec.structs.replace(SHAPE, shift=request.param)
    h, inner = SHAPE.hidden, SHAPE.intermediate
    weights = {
        "model.embed_tokens.weight": rng.normal(0, 0.5, (SHAPE.vocabulary, h)),
        "model.norm.weight": np.ones(h),
    }
    for back in range(shape.shift):
        weights[f"model.shift.{back}.weight"] = rng.normal(0, 0.4, (h, h))
    for layer in range(SHAPE.layers):
        at = f"model.layers.{layer}."
        for name in "qkvo":
            weights[f"{at}self_attn.{name}_proj.weight"] = rng.normal(0, 0.4, (h, h))
        for name in ("gate", "up"):
            weights[f"{at}mlp.{name}_proj.weight"] = rng.normal(0, 0.4, (inner, h))
        weights[f"{at}mlp.down_proj.weight"] = rng.normal(0, 0.4, (h, inner))
        for name in ("input", "post_attention"):
            weights[f"{at}{name}_layernorm.weight"] = np.ones(h)
    out = tmp_path_factory.mktemp("tiny")
    write_model({n: w.astype(np.float16) for n, w in weights.items()}, shape, out)
    return out


@pytest.fixture
def model(folder: Path) -> TinyModel:
    return load(str(folder), threads=1)


def requests(n: int, max_tokens: int = 9) -> list[Request]:
    return [Request(*split_prompt(e.prompt), max_tokens) for e in examples(7, n)]


def plain(completions):
    return [(c.text, c.finish_reason, c.n_tokens_in, c.n_tokens_out) for c in completions]


def test_a_batch_answers_as_each_request_does_alone(model: TinyModel, folder: Path):
    asked = requests(6)
    asked += [
        Request("", "free text", 5),
        Request("[direct]\n@1 x\n", "", 7),
        Request("no newline", "body", 4),
    ]
    Random(0).shuffle(asked)
    alone = [load(str(folder), threads=1).generate([request])[0] for request in asked]
    assert plain(model.generate(asked)) == plain(alone)
    assert len({c.text for c in alone}) > 5, "the answers are too much alike for the test to mean something"


def test_a_second_time_the_answers_are_the_same_and_no_head_is_read_again(model: TinyModel):
    first = model.generate(requests(4))
    n_heads = len({r.head for r in requests(4)})
    assert model.n_heads_computed == n_heads
    assert plain(model.generate(requests(4))) == plain(first)
    assert model.n_heads_computed == n_heads


def test_heads_beyond_the_budget_are_forgotten_and_read_again(
    model: TinyModel, monkeypatch: pytest.MonkeyPatch
):
    first = model.generate(requests(4))
    monkeypatch.setattr(engine, "HEAD_BYTES", 1)
    assert plain(load(str(model.path), threads=1).generate(requests(4))) == plain(first)


def test_small_batches_give_what_large_ones_give(model: TinyModel, monkeypatch: pytest.MonkeyPatch):
    first = model.generate(requests(5))
    for name, small in (
        ("MAX_ROWS", 2),
        ("TOKENS", 20),
        ("SCORES", 600),
        ("CACHE_BYTES", 1),
        ("COPY_BYTES", 1),
    ):
        monkeypatch.setattr(slots, name, small)
        assert plain(load(str(model.path), threads=1).generate(requests(5))) == plain(first), name


def test_a_call_is_given_no_more_keys_than_it_may_copy():
    """Long questions of 64 rows, padded to the longest of them, were two thirds of a gigabyte a call."""
    shape = tiny.Shape(793, 128, 4, 4, 320, 1e5, 1e-6, 512, 4096)
    fed = [RowInput(row, 2_000 if row % 8 == 0 else 100, [5]) for row in range(64)]
    found = list(slots._parts(fed, shape))
    assert sorted(one.row for part in found for one in part) == list(range(64))
    copied = [len(part) * max(one.start for one in part) * shape.position_bytes for part in found]
    assert max(copied) <= slots.COPY_BYTES < sum(copied)


def test_a_sequence_is_read_from_where_it_differs_and_drafts_change_no_answer(
    model: TinyModel, monkeypatch: pytest.MonkeyPatch
):
    """The same questions again and again, each time a little longer, under names that follow one another."""
    asked = [
        Request(one.head, f"@2 | x=[{'1, ' * n}2]\n", 12, sequence=str(number))
        for n in range(1, 6)
        for number, one in enumerate(requests(3))
    ]
    together = model.generate([Request(one.head, one.body, 12) for one in asked])
    assert plain(model.generate(asked)) == plain(together)
    one_by_one = load(str(model.path), threads=1)
    assert plain([one_by_one.generate([one])[0] for one in asked]) == plain(together)
    assert one_by_one.batch.n_calls < sum(c.n_tokens_out for c in together), "no draft was ever right"
    n_read = []
    monkeypatch.setattr(slots, "MISSES", -1)
    for common in (slots._common, lambda left, right: 0):
        monkeypatch.setattr(slots, "_common", common)
        plainly = load(str(model.path), threads=1)
        assert plain([plainly.generate([one])[0] for one in asked]) == plain(together)
        assert plainly.batch.n_calls == sum(c.n_tokens_out for c in together)
        n_read.append(plainly.batch.n_tokens)
    assert n_read[0] < n_read[1], "nothing was read less than once"


def test_at_a_temperature_answers_depend_on_the_seed_alone(model: TinyModel):
    (one,) = requests(1)[:1]

    def drawn(seed: int, temperature: float = 1.0) -> Request:
        return Request(one.head, one.body, 9, temperature=temperature, seed=seed, sequence="s")

    first = model.generate([drawn(seed) for seed in range(8)])
    assert len({c.text for c in first}) > 4
    assert plain(model.generate([drawn(seed) for seed in reversed(range(8))])) == plain(first[::-1])
    assert plain(model.generate([drawn(1, 1e-6)])) == plain(model.generate([Request(one.head, one.body, 9)]))


def test_tokens_are_counted_and_the_budget_ends_an_answer(model: TinyModel):
    (request,) = requests(1)[:1]
    (completion,) = model.generate([request])
    assert completion.finish_reason == "length"
    assert completion.n_tokens_out == request.max_tokens
    assert completion.n_tokens_in == 1 + len(model.tokens(request.head + request.body))
    assert completion.latency_s > 0


def test_a_stop_string_ends_an_answer_before_it(model: TinyModel):
    (request,) = requests(1, max_tokens=30)[:1]
    whole = model.generate([request])[0].text
    stop = whole[6:8]
    (completion,) = model.generate([Request(request.head, request.body, 30, [stop, "never"])])
    assert completion.finish_reason == "stop"
    assert completion.text == whole[: whole.index(stop)]
    assert completion.n_tokens_out < 30


def test_the_end_mark_ends_an_answer(model: TinyModel, monkeypatch: pytest.MonkeyPatch):
    (request,) = requests(1)[:1]
    later = []
    real = OnnxCache.forward

    def forward(self: OnnxCache, fed: list[RowInput], *, wanted: list[int]):
        logits = real(self, fed, wanted=wanted)
        if fed[0].start >= whole.n_tokens_in:
            later.append(1)
            if len(later) == 2:
                logits = np.zeros_like(logits)
                logits[..., tiny.EOS_ID] = 1
        return logits

    (whole,) = model.generate([request])
    monkeypatch.setattr(OnnxCache, "forward", forward)
    (completion,) = model.generate([request])
    assert (completion.finish_reason, completion.n_tokens_out) == ("stop", 3)
    assert whole.text.startswith(completion.text)


def test_a_prompt_beyond_the_longest_sequence_is_cut_and_says_so(model: TinyModel):
    (completion,) = model.generate([Request("", "x " * SHAPE.max_positions, 5)])
    assert (completion.text, completion.finish_reason) == ("", "length")
    (completion,) = model.generate([Request("", "(" * (SHAPE.max_positions - 4), 50)])
    assert completion.finish_reason == "length"
    assert completion.n_tokens_in + completion.n_tokens_out <= SHAPE.max_positions


def test_no_requests_give_no_completions(model: TinyModel):
    assert model.generate([]) == []


def test_a_folder_without_a_model_names_what_is_missing(tmp_path: Path):
    with pytest.raises(DataError, match=r"model\.onnx, tokenizer\.json, config\.json missing"):
        load(str(tmp_path))


def test_a_broken_model_file_is_named(folder: Path, tmp_path: Path):
    for name in tiny.FILES:
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    with pytest.raises(DataError, match="cannot be read"):
        load(str(tmp_path))


def test_without_the_extra_the_line_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[eval\]'"):
        load()


def test_at_most_one_model_file_is_in_the_package():
    found = [f.relative_to(tiny.SHIPPED) for f in tiny.SHIPPED.parents[1].rglob("*.onnx")]
    assert found in ([], [Path("model.onnx")])
    sizes = [f.stat().st_size for f in tiny.SHIPPED.glob("*")]
    assert sum(sizes) <= 28_000_000


def test_an_end_mark_inside_a_program_is_only_text(model: TinyModel):
    (completion,) = model.generate([Request("", "x</s>", 1)])
    assert completion.n_tokens_in == 1 + len("x</s>")


def test_an_answer_s_log_probability_is_told_where_it_was_asked_for(model: TinyModel):
    """Two answers of one token: the more the logits favour it, the nearer to 0."""
    asked = [Request(one.head, one.body, 1, [], True) for one in requests(6)]
    told = model.generate(asked)
    assert plain(told) == plain(model.generate(requests(6, 1)))
    assert all(completion.logprob < 0 for completion in told)
    assert all(completion.logprob == 1.0 for completion in model.generate(requests(2)))
    longer = model.generate([Request(one.head, one.body, 5, [], True) for one in requests(6)])
    assert all(more.logprob < one.logprob for more, one in zip(longer, told, strict=True))


@pytest.mark.parametrize(
    ("asked", "n"), [({}, 2), ({"OMP_NUM_THREADS": "1"}, 1), ({"OMP_NUM_THREADS": "a"}, 2)]
)
def test_threads_are_those_that_the_environment_asks_for(asked: dict[str, str], n: int):
    assert tiny.threads_of(asked) == n


def test_the_engine_takes_the_threads_of_the_environment(folder: Path, monkeypatch: pytest.MonkeyPatch):
    """Two processes that share two processors would wait for each other's threads."""
    for asked in (1, 3):
        monkeypatch.setenv("OMP_NUM_THREADS", str(asked))
        session = load(str(folder)).network.session
        assert session.get_session_options().intra_op_num_threads == asked
