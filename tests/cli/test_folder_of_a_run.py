"""`deskcheck train` without --out writes into a folder named after the preset or the model."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from deskcheck.cli import app
from deskcheck.errors import UserError


@pytest.mark.parametrize(
    ("arguments", "folder"),
    [
        ([], "runs/tiny"),
        (["--preset", "micro"], "runs/micro"),
        (["--model", "Qwen/Qwen2.5-Coder-0.5B"], "runs/Qwen2.5-Coder-0.5B"),
        (["--model", "models/mine/"], "runs/mine"),
        (["--model", "Qwen/Qwen2.5-Coder-0.5B", "--out", "runs/x"], "runs/x"),
    ],
)
def test_the_folder_is_named_after_what_is_trained(
    arguments: list[str], folder: str, monkeypatch: pytest.MonkeyPatch
):
    train, data = (
        pytest.importorskip(f"deskcheck.training.{name}", exc_type=ImportError)
        for name in ("train", "hub.data")
    )
    written: list[str] = []

    def of_preset(options: SimpleNamespace, **rest: object) -> None:
        written.append(options.out)

    def of_model(given: dict[str, str], *rest: object) -> None:
        written.append(given["out"])
        raise UserError("no model is trained here")

    monkeypatch.setattr(train, "train", of_preset)
    monkeypatch.setattr(data, "hub_options", of_model)
    CliRunner().invoke(app, ["train", *arguments])
    assert written == [folder]
