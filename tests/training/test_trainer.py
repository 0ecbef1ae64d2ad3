"""Training does what its rows say: ours = transformers' losses, resumed = uninterrupted, and more."""

from __future__ import annotations

import itertools
import json
import os
import re
import signal
from pathlib import Path
from types import SimpleNamespace

import pytest

np = pytest.importorskip("numpy", reason="needs the extra 'train'")
for library in ("torch", "transformers", "tokenizers"):
    pytest.importorskip(library, reason="needs the extra 'train'")

import msgspec  # noqa: E402
import torch  # noqa: E402
from tests.training.toys import SHAPE, examples, labels, toy_preset, visible  # noqa: E402

from deskcheck.errors import DataError  # noqa: E402
from deskcheck.inference.network import NOTHING  # noqa: E402
from deskcheck.training import fast, muon, network, trainer  # noqa: E402
from deskcheck.training.data import IGNORE, Rows, encode, pack, select  # noqa: E402
from deskcheck.training.tokenizer import PAD_ID, build_tokenizer  # noqa: E402

torch.set_num_threads(1)  # more than one only gets in the way of models this small
TOKENIZER = build_tokenizer()
ROOT = Path(__file__).parents[2]
QUESTIONS = list(encode(examples(0, 30), TOKENIZER))
pytestmark = pytest.mark.filterwarnings(
    "ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::UserWarning"
)


def losses(model, rows: Rows) -> tuple[float, int]:
    """Sum of the losses of the tokens with loss, and their number, as transformers computes them."""
    wanted = torch.from_numpy(labels(rows))[:, 1:]
    with torch.no_grad():
        logits = model(
            input_ids=torch.from_numpy(rows.ids.astype(np.int64)),
            position_ids=torch.from_numpy(rows.position.astype(np.int64)),
            attention_mask=torch.from_numpy(visible(rows)[:, None]),
        ).logits[:, :-1]
    found = torch.nn.functional.cross_entropy(
        logits.reshape(-1, logits.shape[-1]), wanted.reshape(-1), ignore_index=IGNORE, reduction="sum"
    )
    return float(found), int((wanted != IGNORE).sum())


def test_the_mask_made_on_the_device_is_that_of_the_data():
    packed, _ = pack(QUESTIONS, max_length=SHAPE.trained_length)
    made = network.mask_of(torch.from_numpy(packed.group), torch.from_numpy(packed.question))
    assert np.array_equal(made.numpy(), visible(packed))


def test_our_loss_is_that_of_transformers():
    model = network.build_model(SHAPE, seed=0, deviation=0.2)
    packed, _ = pack(QUESTIONS, max_length=SHAPE.trained_length)
    with torch.no_grad():
        ours = float(network.loss_of(model, packed, bf16=False))
    assert ours == pytest.approx(losses(model, packed)[0], rel=1e-5)


def test_the_fast_pass_has_the_gradients_of_the_slow_one(monkeypatch):
    """Packed rows with a mask, and rows of one sequence without; longer rows go through transformers."""
    alone, _ = pack(QUESTIONS[:1], max_length=SHAPE.trained_length)
    packed, _ = pack(QUESTIONS, max_length=SHAPE.trained_length)
    assert not network.is_causal(packed)
    for rows in (packed, alone._replace(question=np.zeros_like(alone.question))):
        found = []
        for longest in (fast.LONGEST_ROW, 0):
            monkeypatch.setattr(fast, "LONGEST_ROW", longest)
            model, right = shifted_model(), []
            network.loss_of(model, rows, bf16=False, right=right).backward()
            found.append(([p.grad for p in model.parameters()], torch.cat(right)))
        assert torch.equal(found[0][1], found[1][1])
        for ours, theirs in zip(found[0][0], found[1][0], strict=True):
            assert torch.allclose(ours, theirs, rtol=1e-3, atol=1e-4 * float(theirs.abs().max()))
        monkeypatch.undo()


def test_padding_to_a_length_that_is_compiled_changes_no_loss(monkeypatch):
    model = shifted_model()
    packed, _ = pack(QUESTIONS, max_length=SHAPE.trained_length)
    plain = float(network.loss_of(model, packed, bf16=False))
    monkeypatch.setattr(network, "PAD_TO", SHAPE.trained_length + 5)
    assert network.padded(packed).ids.shape[1] == SHAPE.trained_length + 5
    assert float(network.loss_of(model, packed, bf16=False)) == pytest.approx(plain, rel=1e-5)


def test_packed_examples_have_the_losses_that_they_have_alone():
    model = network.build_model(SHAPE, seed=0, deviation=0.2)
    packed, report = pack(QUESTIONS, max_length=SHAPE.trained_length)
    together, n_together = losses(model, packed)
    alone = n_alone = 0.0
    for question in QUESTIONS:
        ids = torch.tensor([[*question.head, *question.body, *question.target]])
        start = ids.shape[1] - len(question.target)
        with torch.no_grad():  # no mask, no positions: the model's own causal attention
            logits = model(input_ids=ids).logits[0, start - 1 : -1]
        alone += float(torch.nn.functional.cross_entropy(logits, ids[0, start:], reduction="sum"))
        n_alone += len(question.target)
    assert n_together == n_alone == report.n_loss
    assert together == pytest.approx(alone, rel=1e-5)


def shifted_model():
    """Random matrices for the tokens before a token, which begin as zero in training."""
    model = network.build_model(msgspec.structs.replace(SHAPE, shift=2), seed=0, deviation=0.2)
    with torch.no_grad():
        for matrix in model.model.shift:
            matrix.weight.normal_(std=0.3)
    return model


def test_what_is_before_the_first_token_is_a_token_that_no_text_has():
    assert NOTHING == PAD_ID
    assert PAD_ID not in TOKENIZER.encode("<pad> def f():\n").ids


def test_tokens_before_a_token_are_those_of_its_own_text_packed_or_not():
    """Heads, questions, rows: in a pack each question goes on where its head ends."""
    model = shifted_model()
    packed, _ = pack(QUESTIONS, max_length=SHAPE.trained_length)
    assert (packed.group.max(1) > 0).any(), "rows hold several heads"
    with torch.no_grad():
        together = float(network.loss_of(model, packed, bf16=False))
        alone = 0.0
        for question in QUESTIONS:
            ids = torch.tensor([[*question.head, *question.body, *question.target]])
            start = ids.shape[1] - len(question.target)
            logits = model(input_ids=ids).logits[0, start - 1 : -1]
            alone += float(torch.nn.functional.cross_entropy(logits, ids[0, start:], reduction="sum"))
    assert together == pytest.approx(alone, rel=1e-5)


def test_a_model_without_shift_goes_on_with_it_as_it_was():
    plain = network.build_model(SHAPE, seed=0, deviation=0.2)
    weights = {n: w.detach().numpy() for n, w in plain.state_dict().items() if n != "lm_head.weight"}
    wider = network.build_model(msgspec.structs.replace(SHAPE, shift=2), seed=7, weights=weights)
    packed, _ = pack(QUESTIONS, max_length=SHAPE.trained_length)
    with torch.no_grad():
        found = [float(network.loss_of(model, packed, bf16=False)) for model in (plain, wider)]
    assert found[0] == pytest.approx(found[1], rel=1e-6)


def test_what_a_shifted_model_generates_is_what_it_scores_highest():
    """transformers' own cached generation: a token's predecessors come from the call before."""
    model = shifted_model().eval()
    ids = torch.tensor([[*QUESTIONS[0].head, *QUESTIONS[0].body]])
    asked = {"attention_mask": torch.ones_like(ids), "do_sample": False, "max_new_tokens": 8}
    said = model.generate(ids, eos_token_id=-1, use_cache=True, **asked)
    with torch.no_grad():
        best = model(input_ids=said).logits[0, ids.shape[1] - 1 : -1].argmax(-1)
    assert said[0, ids.shape[1] :].tolist() == best.tolist()


def test_without_the_mask_packed_losses_are_others():
    model = network.build_model(SHAPE, seed=0, deviation=0.2)
    packed, _ = pack(QUESTIONS, max_length=SHAPE.trained_length)
    leaking = packed._replace(group=np.zeros_like(packed.group), question=np.zeros_like(packed.question))
    assert abs(losses(model, leaking)[0] - losses(model, packed)[0]) > 1


def broken(forward, **more):
    def fails(*args, **more):
        raise RuntimeError("no compiler here")

    return fails


@pytest.mark.parametrize(
    ("compiled", "needed", "is_used"),
    [(broken, 0.0, False), (lambda forward, **more: forward, 100.0, False), (lambda f, **more: f, 0.0, True)],
    ids=["fails", "does not pay", "pays"],
)
def test_compiling_is_kept_only_where_it_works_and_pays(monkeypatch, compiled, needed, is_used):
    monkeypatch.setattr(torch, "compile", compiled)
    model = network.build_model(SHAPE, seed=0)
    said: list[str] = []
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    used = network.keep_if_faster(model, toy_preset(), rows_of(4), said.append, needed=needed)
    assert used is is_used is (network.COMPILED in vars(model))
    assert ("is used" in said[0]) is is_used
    assert ("no compiler here" in said[0]) is (compiled is broken)
    assert all(p.grad is None for p in model.parameters())
    assert all(torch.equal(tensor, before[name]) for name, tensor in model.state_dict().items())


@pytest.mark.parametrize("faster", [False, True], ids=["fp32", "bf16"])
def test_a_long_run_by_the_clock_takes_what_is_faster_here(monkeypatch, faster, tmp_path: Path):
    asked = []
    monkeypatch.setattr(
        network, "_seconds_a_pass", lambda model, preset, batch: 1.0 + (preset.bf16 is not faster)
    )
    monkeypatch.setattr(torch, "compile", lambda forward, **more: forward)
    monkeypatch.setattr(
        trainer,
        "_step",
        lambda model, stepper, batch, preset: asked.append(preset.bf16) or (torch.ones(()),) * 2,
    )
    said: list[str] = []
    long = trainer.TRIED_FROM_MINUTES
    for number, (minutes, compiles) in enumerate([(long, None), (1.0, None), (long, False), (1.0, True)]):
        (out := tmp_path / str(number)).mkdir()
        settings = {"minutes": minutes, "stop_after": 1, "threads": 1, "compiles": compiles}
        trainer.run(toy_preset(), rows_of(4), out, seed=0, say=said.append, **settings)
    as_told = toy_preset().bf16
    assert asked == [faster, as_told, as_told, as_told]
    assert len([text for text in said if "in fp32" in text]) == 1
    assert len([text for text in said if text.startswith("torch.compile")]) == 2


def log_of(out: Path) -> list[dict[str, float]]:
    return [json.loads(line) for line in (out / trainer.LOG_NAME).read_text().splitlines()]


def rows_of(n_rows: int) -> Rows:
    packed, _ = pack(QUESTIONS, max_length=SHAPE.trained_length)
    return select(packed, [n % len(packed.ids) for n in range(n_rows)])


@pytest.mark.parametrize("muon", [False, True], ids=["AdamW", "Muon"])
def test_one_batch_can_be_learned_by_heart(tmp_path: Path, muon: bool):
    one = select(rows_of(2), [0] * 160)
    preset = toy_preset(rows_per_step=1, rows_per_pass=1, learning_rate=1e-2, muon=muon)
    model = trainer.run(preset, one, tmp_path, seed=0, threads=1, save_steps=10_000).model
    total, n = losses(model, select(one, [0]))
    assert total / n < 0.01


def test_muon_has_every_matrix_and_adamw_the_rest():
    model = network.build_model(SHAPE, seed=0)
    both = trainer.stepper_of(model, toy_preset(muon=True).optimiser)
    names = {id(p): name for name, p in model.named_parameters()}
    of_part = [{names[id(p)] for group in part.param_groups for p in group["params"]} for part in both.parts]
    assert of_part[0] == {n for n in names.values() if n.endswith("_proj.weight")}
    assert of_part[0] | of_part[1] == set(names.values())
    assert not of_part[0] & of_part[1]


def iterated(gradient: torch.Tensor) -> torch.Tensor:
    """Newton and Schulz's iteration as published, one matrix, in double precision."""
    x = gradient.double().T if gradient.shape[0] > gradient.shape[1] else gradient.double()
    x = x / x.norm()
    for _ in range(5):
        gram = x @ x.T
        x = 3.4445 * x + (-4.775 * gram + 2.0315 * gram @ gram) @ x
    return (x.T if gradient.shape[0] > gradient.shape[1] else x).float()


@pytest.mark.parametrize(("kind", "tolerance"), [(torch.float32, 1e-3), (torch.bfloat16, 0.03)])
def test_stacked_muon_makes_the_published_update(
    monkeypatch: pytest.MonkeyPatch, kind: torch.dtype, tolerance: float
):
    """Matrices of one shape share a product; each moves as it would alone, and as torch's Muon moves it."""
    monkeypatch.setattr(muon, "precision", lambda device: kind)
    shapes = [(24, 40), (40, 24), (24, 24), (24, 40), (24, 40)]
    torch.manual_seed(0)
    ours = [torch.nn.Parameter(torch.randn(shape)) for shape in shapes]
    torchs = [torch.nn.Parameter(matrix.detach().clone()) for matrix in ours]
    stepper = muon.Muon(ours, lr=0.1, weight_decay=0.05)
    published = torch.optim.Muon(torchs, lr=0.1, weight_decay=0.05, adjust_lr_fn="match_rms_adamw")
    for number in range(3):
        before = [matrix.detach().clone() for matrix in ours]
        for matrix, other in zip(ours, torchs, strict=True):
            matrix.grad = torch.randn(matrix.shape)
            other.grad = matrix.grad.clone()
        stepper.step()
        published.step()
        for old, matrix, other in zip(before, ours, torchs, strict=True):
            update = (old * (1 - 0.1 * 0.05) - matrix.detach()) / (0.1 * 0.2 * max(matrix.shape) ** 0.5)
            if not number:  # no momentum yet but the gradient's own
                assert torch.allclose(update, iterated(matrix.grad), atol=tolerance)
            assert torch.allclose(matrix, other, atol=0.02)  # torch's is in bfloat16


def test_batch_1_accumulated_8_times_is_batch_8(tmp_path: Path):
    rows = rows_of(40)
    weights = []
    for per_pass in (1, 8):
        preset = toy_preset(rows_per_step=8, rows_per_pass=per_pass)
        out = tmp_path / str(per_pass)
        out.mkdir()
        weights.append(trainer.run(preset, rows, out, seed=0, threads=1, log_steps=1).model.state_dict())
    logged = [[entry["loss"] for entry in log_of(tmp_path / name)] for name in ("1", "8")]
    assert logged[0] == pytest.approx(logged[1], rel=1e-4)
    for name, tensor in weights[0].items():
        assert torch.allclose(tensor, weights[1][name], atol=2e-4), name


def test_the_line_of_progress_says_total_rate_time_left_and_a_sample_answer(tmp_path: Path):
    said: list[str] = []
    preset = toy_preset()
    trainer.run(preset, rows_of(preset.rows_per_step * 2), tmp_path, seed=0, say=said.append, log_steps=1)
    form = r"step 1 of 2, [\d,]+ tokens/s, \d+:\d\d left, loss \d+\.\d+, \d+ of \d+ tokens of '.+' right"
    assert re.fullmatch(form, said[0]), said
    assert trainer.Pace(0, 5100.4, -3.0).text() == ", 5,100 tokens/s, 0:00 left"


@pytest.mark.parametrize("muon", [False, True], ids=["AdamW", "Muon"])
def test_a_resumed_run_has_the_losses_of_an_uninterrupted_one(tmp_path: Path, muon: bool):
    preset, rows = toy_preset(muon=muon), rows_of(48)
    for name in ("whole", "cut"):
        (tmp_path / name).mkdir()
    whole = trainer.run(preset, rows, tmp_path / "whole", seed=3, threads=1, log_steps=1).model
    cut = trainer.run(preset, rows, tmp_path / "cut", seed=3, threads=1, log_steps=1, stop_after=5)
    assert (cut.n_steps, cut.interrupted) == (5, True)
    assert len(log_of(tmp_path / "cut")) == 5
    resumed = trainer.run(preset, rows, tmp_path / "cut", seed=3, threads=1, log_steps=1, resume=True).model
    assert log_of(tmp_path / "cut") == log_of(tmp_path / "whole")
    assert len(log_of(tmp_path / "whole")) == 12
    for name, tensor in whole.state_dict().items():
        assert torch.equal(tensor, resumed.state_dict()[name]), name


def test_a_full_disk_is_one_clear_error_and_the_run_goes_on(tmp_path: Path):
    import resource

    preset, rows = toy_preset(), rows_of(24)
    for name in ("whole", "cut"):
        (tmp_path / name).mkdir()
    settings = {"seed": 0, "threads": 1, "log_steps": 1, "save_steps": 2}
    trainer.run(preset, rows, tmp_path / "whole", **settings)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    trainer.run(preset, rows, tmp_path / "cut", stop_after=2, **settings)
    size = (tmp_path / "cut" / "checkpoint-2" / "model.safetensors").stat().st_size
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 1000, before[1]))  # the optimiser does not fit
        with pytest.raises(DataError, match=r"could not write to .*the same command with --resume"):
            trainer.run(preset, rows, tmp_path / "cut", resume=True, **settings)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert [f.name for f in (tmp_path / "cut").glob("checkpoint-*")] == ["checkpoint-2"]
    trainer.run(preset, rows, tmp_path / "cut", resume=True, **settings)
    assert log_of(tmp_path / "cut") == log_of(tmp_path / "whole")


def test_ctrl_c_leaves_a_checkpoint_to_go_on_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    preset, rows = toy_preset(), rows_of(400)
    seen: list[int] = []
    real = network.loss_of

    def interrupted(*args, **more):
        seen.append(1)
        if len(seen) == 4:
            os.kill(os.getpid(), signal.SIGINT)
        return real(*args, **more)

    monkeypatch.setattr(network, "loss_of", interrupted)
    with pytest.raises(KeyboardInterrupt):
        trainer.run(preset, rows, tmp_path, seed=0, threads=1, log_steps=1)
    found = trainer.last_checkpoint(tmp_path)
    assert found is not None
    assert found.name == "checkpoint-4"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_run_by_the_clock_ends_with_its_decay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The clock moves by 10 ms each time that it is read, so that a busy machine takes the same steps."""
    ticks = itertools.count(0, 0.01)
    monkeypatch.setattr(trainer, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    preset, rows = toy_preset(), rows_of(8)
    done = trainer.run(preset, rows, tmp_path, seed=0, threads=1, minutes=1.5 / 60, log_steps=1)
    rates = [entry["learning_rate"] for entry in log_of(tmp_path)]
    assert not done.interrupted
    assert done.n_steps == len(rates) > len(rows.ids) // preset.rows_per_step, "rows begin again"
    assert rates[0] < max(rates) == pytest.approx(preset.optimiser.learning_rate)
    assert rates[-1] < 0.5 * max(rates)
    assert log_of(tmp_path)[-1]["tokens"] > int((rows.group >= 0).sum())


def test_the_log_counts_tokens_without_padding(tmp_path: Path):
    preset, rows = toy_preset(), rows_of(8)
    trainer.run(preset, rows, tmp_path, seed=0, threads=1, log_steps=1)
    assert log_of(tmp_path)[-1]["tokens"] == int((rows.group >= 0).sum())


def test_the_speed_of_training_is_measured_and_the_model_thrown_away(tmp_path: Path):
    speed = trainer.tokens_per_second(toy_preset(), rows_of(4), tmp_path, threads=1, for_s=0.0)
    assert speed > 0
    assert trainer.last_checkpoint(tmp_path) is None
