"""A YAML file of TRL's and PEFT's fields is merged into a run; a finished model is uploaded, or copied."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs the extra 'train'")
pytest.importorskip("peft", reason="needs the extra 'train'")

from tests.training.test_hub import logged, options, silent

from deskcheck.cli import training as cli_training
from deskcheck.errors import UserError
from deskcheck.training.hub.data import hub_options
from deskcheck.training.hub.model import tuned_options
from deskcheck.training.hub.push import check_push
from deskcheck.training.hub.tuning import _config, _lora, fine_tune

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")  # of TRL and PEFT about names that change
GIVEN = {"model": "m", "data": "d", "out": "o", "layouts": [], "seed": 1, "resume": False}
SETTINGS = """
learning_rate: 3e-4
lr_scheduler_type: linear
weight_decay: 0.1
max_steps: 2
bf16: false
optim: adafactor
lora: {r: 2, lora_dropout: 0.25, target_modules: [q_proj, v_proj], use_rslora: true}
"""


def file(folder: Path, text: str) -> str:
    (folder / "sft.yaml").write_text(text)
    return str(folder / "sft.yaml")


def test_fields_reach_trl_and_peft(tmp_path: Path) -> None:
    found = hub_options(GIVEN, ["accumulate=3"], file(tmp_path, SETTINGS))
    config, lora = _config(found, bf16=found.bf16), _lora(found)
    assert (config.learning_rate, config.lr_scheduler_type.value, config.weight_decay) == (
        3e-4,
        "linear",
        0.1,
    )
    assert (config.max_steps, config.gradient_accumulation_steps, config.bf16) == (2, 3, False)
    assert config.optim.value == "adafactor"
    assert (lora.r, lora.lora_alpha, lora.lora_dropout, lora.use_rslora) == (2, 4, 0.25, True)
    assert lora.target_modules == {"q_proj", "v_proj"}
    assert hub_options(GIVEN, [], file(tmp_path, "lora: {}")).lora == 8


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("learning_rat: 1", "learning_rat is no field of TRL's SFTConfig; near: learning_rate"),
        ("lora: {rank: 1}", "rank is no field of PEFT's LoraConfig"),
        ("lora: 3", "lora is to hold fields, not 3"),
        ("quantization: {load_in_4bits: true}", "near: load_in_4bit"),
        ("quantization: {load_in_4bit: true}", "give a section lora beside"),
        ("output_dir: x", "output_dir belongs to the command; say --out"),
        ("completion_only_loss: false", "fixed here: whole answers carry loss"),
        ("weight_decay: much", "weight_decay: 'much' is no number"),
        ("- 3", "a list; wanted: lines of FIELD: VALUE"),
        ("a: [", "is no YAML"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        hub_options(GIVEN, [], file(tmp_path, text))


def test_what_is_set_twice_or_refused_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"--set learning_rate and --config .* both set it"):
        hub_options(GIVEN, ["learning_rate=1"], file(tmp_path, SETTINGS))
    with pytest.raises(UserError, match="No such file"):
        hub_options(GIVEN, [], str(tmp_path / "none.yaml"))
    with pytest.raises(UserError, match="setting of --set"):
        hub_options(GIVEN, ["trainer=x"])
    wrong = hub_options(GIVEN, [], file(tmp_path, "lr_scheduler_type: spiral"))
    with pytest.raises(UserError, match=r"TRL refuses these settings: .*spiral"):
        _config(wrong, bf16=False)
    with pytest.raises(UserError, match=r"^--config is for tuning"):
        cli_training.train(config="x.yaml")


def test_a_run_by_a_file_is_recorded_and_copied_to_a_folder(base: Path, data: Path, tmp_path: Path) -> None:
    words = {**GIVEN, "model": str(base), "data": str(data), "out": str(tmp_path / "run")}
    chosen = hub_options({**words, "push_to_hub": f"{tmp_path}/dry"}, [], file(tmp_path, SETTINGS))
    said: list[str] = []
    folder = fine_tune(chosen, say=said.append)
    assert len(logged(tmp_path / "run")) == 2
    stored = tuned_options(tmp_path / "run") or {}
    assert stored["trainer"]["optim"] == "adafactor" and stored["lora_config"]["lora_dropout"] == 0.25
    assert "nothing was uploaded" in said[-1]
    copied = {path.name: path.read_bytes() for path in (tmp_path / "dry").iterdir()}
    assert copied == {path.name: path.read_bytes() for path in folder.iterdir()}
    assert b"tokens a pass" in copied["README.md"]


class Hub:
    """In the place of huggingface_hub's: what is asked of it."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def whoami(self) -> None:
        self.asked.append("whoami")

    def create_repo(self, name: str, **more: Any) -> None:
        self.asked.append((name, more))

    def create_branch(self, name: str, **more: Any) -> None:
        self.asked.append((name, more))

    def upload_folder(self, **more: Any) -> Any:
        self.asked.append((more["repo_id"], more["revision"], Path(more["folder_path"]).name))
        return SimpleNamespace(commit_url="https://hub/me/tuned/commit/1")


def test_a_model_is_uploaded_privately_to_its_revision(
    base: Path, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub

    hub = Hub()
    monkeypatch.setattr(huggingface_hub, "HfApi", lambda: hub)
    more = {"steps": 1, "push_to_hub": "me/tuned", "push_revision": "v1"}
    said: list[str] = []
    fine_tune(options(base, data, tmp_path / "run", **more), say=said.append)
    assert hub.asked == [
        "whoami",
        ("me/tuned", {"private": True, "exist_ok": True}),
        ("me/tuned", {"branch": "v1", "exist_ok": True}),
        ("me/tuned", "v1", "model"),
    ]
    assert said[-1] == "its files are at https://hub/me/tuned/commit/1"
    fine_tune(options(base, data, tmp_path / "run", **more, resume=True), say=silent)
    assert len(hub.asked) == 7, "a finished run uploads again"


def test_a_hub_that_does_not_know_one_is_said_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import huggingface_hub
    from huggingface_hub.errors import LocalTokenNotFoundError

    def unknown(self: Hub) -> None:
        raise LocalTokenNotFoundError("Token is required")

    monkeypatch.setattr(Hub, "whoami", unknown)
    monkeypatch.setattr(huggingface_hub, "HfApi", Hub)
    with pytest.raises(UserError, match=r"does not know you \(Token is required\).*hf auth login"):
        check_push("me/tuned")
    with pytest.raises(UserError, match="Repo id"):
        check_push("a/b/c")
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match="is a file"):
        check_push(f"{tmp_path}/file")
