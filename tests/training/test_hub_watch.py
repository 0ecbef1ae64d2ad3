"""A run that is ended goes on where it was; held-out answers are those that the model would write."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs the extra 'train'")

import torch
from safetensors.torch import load_file
from tests.training.test_hub import examples, logged, options
from transformers import TrainerCallback

from deskcheck.errors import DataError, UserError
from deskcheck.format.shards import write_pairs
from deskcheck.programs.generated import traced
from deskcheck.training.hub import tuning as hub
from deskcheck.training.hub import watch as hub_watch
from deskcheck.training.hub.tuning import fine_tune
from deskcheck.training.hub.watch import exams, keep_until, read_exams


def silent(text: str) -> None:
    pass


@pytest.mark.parametrize("kind", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_signal_leaves_a_checkpoint_and_the_run_goes_on(
    base: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: signal.Signals
) -> None:
    wanted = {"steps": 5, "held_out": 2, "eval_steps": 2}
    fine_tune(options(base, data, tmp_path / "whole", **wanted), say=silent)
    made = hub.make_trainer

    class Signal(TrainerCallback):  # type: ignore[misc]
        def on_substep_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            if state.global_step == 2:
                os.kill(os.getpid(), kind)

    def signalled(*given: Any) -> Any:
        trainer = made(*given)
        trainer.add_callback(Signal())
        return trainer

    said: list[str] = []
    handlers = [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)]
    monkeypatch.setattr(hub, "make_trainer", signalled)
    with pytest.raises(KeyboardInterrupt):
        fine_tune(options(base, data, tmp_path / "cut", **wanted), say=said.append)
    assert said[-1] == "stopped at checkpoint-3", "the command says how to go on"
    assert [signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)] == handlers
    assert not (tmp_path / "cut" / "model").exists()
    monkeypatch.setattr(hub, "make_trainer", made)
    fine_tune(options(base, data, tmp_path / "cut", **wanted, resume=True), say=silent)
    assert logged(tmp_path / "cut") == pytest.approx(logged(tmp_path / "whole"), rel=1e-5)
    steps = [[e.step for e in read_exams(tmp_path / name / "evals.jsonl")] for name in ("cut", "whole")]
    assert steps[0] == steps[1] == [step for step in (0, 2, 4, 5) for _ in ("direct", "line-1")]


@pytest.mark.slow
def test_a_run_that_was_killed_goes_on_from_its_last_whole_checkpoint(
    base: Path, data: Path, tmp_path: Path
) -> None:
    words = ["train", "--model", str(base), "--data", str(data), "--layouts", "direct,line-1"]
    for setting in ("steps=5", "accumulate=1", "save_steps=2", "bf16=false", "learning_rate=0.01"):
        words += ["--set", setting]
    command = [sys.executable, "-m", "deskcheck", *words, "--threads", "1", "--out"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    dying = (
        "import os, signal, sys\n"
        "from deskcheck.training.hub import watch as hub_watch\n"
        "def die(self, args, state, control, **_):\n"
        "    if state.global_step == 4: os.kill(os.getpid(), signal.SIGKILL)\n"
        "hub_watch.Logged.on_step_end = die\n"
        "from deskcheck.cli import main\n"
        "main()\n"
    )
    assert subprocess.run([*command, str(tmp_path / "whole")], **quiet, check=False).returncode == 0
    died = subprocess.run(
        [sys.executable, "-c", dying, *words, "--threads", "1", "--out", str(tmp_path / "cut")],
        **quiet,
        check=False,
    )
    assert died.returncode == -signal.SIGKILL
    half = tmp_path / "cut" / "checkpoint-4"  # as a kill in the middle of writing leaves it
    half.mkdir()
    (half / "trainer_state.json").write_text('{"global_step"')
    with (tmp_path / "cut" / "train.jsonl").open("a") as file:
        file.write('{"loss": 1.0, "st')
    gone_on = subprocess.run([*command, str(tmp_path / "cut"), "--resume"], capture_output=True, check=False)
    assert gone_on.returncode == 0, gone_on.stderr[-2000:]
    assert logged(tmp_path / "cut") == pytest.approx(logged(tmp_path / "whole"), rel=1e-5)
    assert same_weights(tmp_path / "cut", tmp_path / "whole")


def same_weights(one: Path, other: Path, *, within: float = 0.0) -> bool:
    """Whether two runs ended with the same weights, of the model or of its adapter."""
    found = [
        load_file(next(path)) for path in ((run / "model").glob("*.safetensors") for run in (one, other))
    ]
    assert found[0].keys() == found[1].keys()
    return all(
        torch.allclose(tensor, found[1][name], rtol=0, atol=within) for name, tensor in found[0].items()
    )


class Killed(TrainerCallback):  # type: ignore[misc]
    """Ends a run after its third step without a word to anybody, as kill -9 does."""

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.global_step == 3:
            raise SystemError("killed")


@pytest.mark.parametrize(
    "kind",
    [
        {"lora": 4},
        *(
            pytest.param(kind, marks=pytest.mark.slow)
            for kind in (
                {"packing": True},
                {"share": False, "packing": True},
                {"share": False, "batch": 2},
            )
        ),
    ],
)
def test_a_killed_run_of_any_kind_ends_with_the_weights_of_a_whole_one(
    base: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: dict[str, Any]
) -> None:
    wanted = {"steps": 4, "save_steps": 2, "accumulate": 1, "max_length": 1000, **kind}
    fine_tune(options(base, data, tmp_path / "whole", **wanted), say=silent)
    made = hub.make_trainer

    def killed(*given: Any) -> Any:
        trainer = made(*given)
        trainer.add_callback(Killed())
        return trainer

    monkeypatch.setattr(hub, "make_trainer", killed)
    with pytest.raises(SystemError):
        fine_tune(options(base, data, tmp_path / "cut", **wanted), say=silent)
    monkeypatch.setattr(hub, "make_trainer", made)
    fine_tune(options(base, data, tmp_path / "cut", **wanted, resume=True), say=silent)
    assert logged(tmp_path / "cut") == logged(tmp_path / "whole")
    assert same_weights(tmp_path / "cut", tmp_path / "whole")


def test_a_full_disk_is_one_clear_error_and_the_run_goes_on(base: Path, data: Path, tmp_path: Path) -> None:
    import resource

    wanted = {"steps": 4, "save_steps": 1}
    fine_tune(options(base, data, tmp_path / "whole", **wanted), say=silent)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)

    def full(text: str) -> None:
        if text.startswith("step 2 "):  # the model's file has 187 kB, the optimiser's 388
            resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, before[1]))

    try:
        with pytest.raises(DataError, match=r"could not write to .*the same command with --resume"):
            fine_tune(options(base, data, tmp_path / "cut", **wanted), say=full)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert (tmp_path / "cut" / "checkpoint-2" / "model.safetensors").is_file(), "half a checkpoint"
    fine_tune(options(base, data, tmp_path / "cut", **wanted, resume=True), say=silent)
    assert logged(tmp_path / "cut") == pytest.approx(logged(tmp_path / "whole"), rel=1e-5)


def test_the_log_is_written_as_it_comes(base: Path, data: Path, tmp_path: Path) -> None:
    seen: list[int] = []

    def say(text: str) -> None:
        if text.startswith("step "):
            seen.append(len((tmp_path / "run" / "train.jsonl").read_text().splitlines()))

    fine_tune(options(base, data, tmp_path / "run", steps=3), say=say)
    assert seen == [1, 2, 3]


def test_later_and_broken_lines_of_a_log_are_dropped(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text('{"step": 1}\n{"step": 3}\n{"loss": 2}\n{"st')
    keep_until(log, 2)
    assert log.read_text() == '{"step": 1}\n'
    keep_until(log, 0)
    assert log.read_text() == ""


def test_an_answer_is_right_where_the_greedy_one_is_the_same(base: Path, data: Path, tmp_path: Path) -> None:
    """On answers that it knows by heart, and on some that it does not."""
    chosen = options(base, data, tmp_path, held_out=3, steps=120, accumulate=1)
    tokenizer = hub.open_tokenizer(str(base), "main")
    stored, _ = examples(chosen)
    trainer = hub.make_trainer(chosen, stored, tokenizer)
    held = list(trainer.eval_dataset)
    trainer.train_dataset, trainer.data_collator = held[:2], hub._collator(chosen, False, tokenizer)
    trainer.train()
    model, greedy = trainer.model.eval(), []
    for row in held:
        n_prompt = int((row["labels"] == -100).sum())
        wanted, ids = row["input_ids"][n_prompt:].tolist(), torch.as_tensor(row["input_ids"][:n_prompt])[None]
        said = model.generate(
            ids, attention_mask=torch.ones_like(ids), max_new_tokens=len(wanted), do_sample=False
        )
        greedy.append(said[0, n_prompt:].tolist() == wanted)
    assert greedy[:2] == [True, True]
    assert not all(greedy)
    one_by_one = exams(trainer, [(str(n), "p") for n in range(len(held))], 7)
    assert [bool(e.right) for e in one_by_one] == greedy
    (together,) = exams(trainer, [("line-1", str(n)) for n in range(len(held))], 7)
    assert (together.n, together.right, together.step) == (len(held), sum(greedy), 7)


def test_the_card_says_what_held_out_programs_gave(base: Path, data: Path, tmp_path: Path) -> None:
    folder = fine_tune(options(base, data, tmp_path / "run", held_out=3, eval_steps=1), say=silent)
    card = (folder / "README.md").read_text()
    last = [e for e in read_exams(tmp_path / "run" / "evals.jsonl") if e.step == 3]
    for exam in last:
        assert f"| {exam.layout} | 3 | {100 * exam.right / exam.n:.1f} %" in card
    assert "| direct | 0 |" in card
    assert "--set held_out=3" in card
    assert "| cruxeval | 800 |" in card, "what was kept out of training"
    assert "{" not in card


def test_a_loss_that_is_no_number_any_more_is_said(base: Path, data: Path, tmp_path: Path) -> None:
    said: list[str] = []
    wanted = options(base, data, tmp_path / "run", held_out=3, steps=3, learning_rate=1e30)
    folder = fine_tune(wanted, say=said.append)
    assert read_exams(tmp_path / "run" / "evals.jsonl")[-1].loss is None
    assert "| nan |" in (folder / "README.md").read_text()
    assert any("loss nan" in text for text in said)


def test_a_folder_with_checkpoints_of_something_else_is_left_alone(
    base: Path, data: Path, tmp_path: Path
) -> None:
    for n in (1, 2, 3):
        (tmp_path / "run" / f"checkpoint-{n}").mkdir(parents=True)
        (tmp_path / "run" / f"checkpoint-{n}" / "trainer_state.json").write_text("{}")
    for resume in (False, True):
        with pytest.raises(UserError, match="checkpoints of something else"):
            fine_tune(options(base, data, tmp_path / "run", resume=resume), say=silent)


def test_a_finished_run_is_resumed_without_a_step(base: Path, data: Path, tmp_path: Path) -> None:
    """transformers would make one more."""
    said: list[str] = []
    folder = fine_tune(options(base, data, tmp_path / "run"), say=silent)
    before = (tmp_path / "run" / "train.jsonl").read_bytes()
    assert fine_tune(options(base, data, tmp_path / "run", resume=True), say=said.append) == folder
    assert "is finished" in said[-1]
    assert (tmp_path / "run" / "train.jsonl").read_bytes() == before


def test_a_record_is_written_whole_or_not_at_all(
    base: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fine_tune(options(base, data, tmp_path, steps=1), say=silent)
    before, write = (tmp_path / "run.json").read_bytes(), Path.write_text

    def full(path: Path, text: str, **more: Any) -> int:
        write(path, text[:20], **more)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    report: Any = SimpleNamespace()
    monkeypatch.setattr(hub.msgspec, "to_builtins", lambda one: {})
    with pytest.raises(OSError, match="No space"):
        hub._write_record(options(base, data, tmp_path, steps=1), report, tmp_path)
    assert (tmp_path / "run.json").read_bytes() == before


def test_other_examples_are_no_run_to_resume(base: Path, data: Path, tmp_path: Path) -> None:
    own = tmp_path / "traces.parquet"
    write_pairs(own, traced("easy", seed=6, n=12))
    fine_tune(options(base, own, tmp_path / "run"), say=silent)
    (tmp_path / "run" / "model" / "README.md").unlink()  # as if it were not finished
    write_pairs(own, traced("easy", seed=7, n=12))
    with pytest.raises(UserError, match="other examples than when the run"):
        fine_tune(options(base, own, tmp_path / "run", resume=True), say=silent)


def launched(
    base: Path, data: Path, out: Path, accumulate: int, *more: str, n: int, code: str = ""
) -> list[str]:
    """The command of one process, or of `n` that work together; `code` instead of ours runs in each."""
    words = ["train", "--model", str(base), "--data", str(data), "--layouts", "line-1", "--out", str(out)]
    for setting in ("steps=4", "held_out=3", "learning_rate=0.01", "bf16=false", "save_steps=2"):
        words += ["--set", setting]
    words += ["--set", f"accumulate={accumulate}", "--threads", "1", *more]
    start = [sys.executable, *(["-m", "torch.distributed.run", "--nproc_per_node", str(n)] if n > 1 else [])]
    return [*start, code, *words] if code else [*start, "-m", "deskcheck", *words]


@pytest.mark.slow
def test_two_processes_have_the_losses_of_one_and_go_on_after_a_kill(
    base: Path, data: Path, tmp_path: Path
) -> None:
    subprocess.run(launched(base, data, tmp_path / "two", 1, n=2), check=True)
    subprocess.run(launched(base, data, tmp_path / "one", 2, n=1), check=True)
    assert logged(tmp_path / "two") == pytest.approx(logged(tmp_path / "one"), rel=1e-3)
    asked = [json.loads(line) for line in (tmp_path / "two" / "evals.jsonl").read_text().splitlines()]
    assert [one["step"] for one in asked] == [0, 1, 2, 3, 4], "by one process alone"
    assert hub_watch.read_exams(tmp_path / "one" / "evals.jsonl")[-1].loss == pytest.approx(
        asked[-1]["loss"], rel=1e-3
    )
    dying = tmp_path / "dying.py"
    dying.write_text(
        "import os, signal\n"
        "from deskcheck.training.hub import watch as hub_watch\n"
        "def die(self, args, state, control, **_):\n"
        "    if state.global_step == 3 and os.environ['RANK'] == '1': os.kill(os.getpid(), signal.SIGKILL)\n"
        "hub_watch.Logged.on_step_end = die\n"
        "from deskcheck.cli import main\n"
        "main()\n"
    )
    died = subprocess.run(
        launched(base, data, tmp_path / "cut", 1, n=2, code=str(dying)), capture_output=True, check=False
    )
    assert died.returncode and not (tmp_path / "cut" / "model").exists()
    subprocess.run(launched(base, data, tmp_path / "cut", 1, "--resume", n=2), check=True)
    assert same_weights(tmp_path / "cut", tmp_path / "two", within=1e-6)
