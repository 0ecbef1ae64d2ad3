"""What a training run depended on and what it took: `run.json` in its folder.

Written before the first step (so that `--resume` goes on with the same plan) and completed at the end.
Times and the machine stand here, never in the data.
"""

from __future__ import annotations

import platform
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec
from msgspec import Struct

from deskcheck.errors import DataError
from deskcheck.models.tiny import Shape
from deskcheck.training.data import PackReport
from deskcheck.training.presets import Preset
from deskcheck.training.stream import PartReport

NAME = "run.json"
LOG_NAME = "train.jsonl"
LIBRARIES = ("deskcheck", "torch", "transformers", "trl", "tokenizers")
NOTHING = PartReport(0, 0, 0, 0, PackReport(0, 0, 0, 0, 0, 0))


class TrainRun(Struct, frozen=True):
    """Record of one training run, as in run.json."""

    command: str
    """The command line that makes it anew, with the length in tokens."""
    preset: Preset
    seed: int
    budget: int
    """Tokens that data was made for, padding included; 0 = rows were made while it was trained."""
    start_from: str
    """Folder that the first weights came from; "" = random."""
    held_out: str
    """Family of the held-out programs that it is scored on."""
    versions: dict[str, str]
    commit: str
    machine: str
    decontamination: str = ""
    """Digest of the fingerprints that programs were compared with; "" = an edition before these."""
    start_decontamination: str = ""
    """The same of the run that the first weights came from; "" = not known."""
    grown_from: Shape | None = None
    """Size of the model that the first weights are of, where it is smaller."""
    minutes: float = 0.0
    """Asked for; 0 = the length is the budget."""
    n_steps: int = 0
    n_tokens: int = 0
    """Trained on, without padding."""
    n_loss: int = 0
    """Of these, with loss."""
    stopped: str = ""
    """Why a gate ended it before its time; "" = it did not."""
    n_repeated: int = 0
    """Rows that came another time since no new ones were ready."""
    data: PartReport = NOTHING
    data_s: float = 0.0
    """Waited for data; what was made beside training is not in it."""
    train_s: float = 0.0
    """Wall clock; of all attempts together where the run was resumed."""


def write(run: TrainRun, out: Path) -> TrainRun:
    """Store the record in the run's folder."""
    out.mkdir(parents=True, exist_ok=True)
    part = out / f"{NAME}.part"
    part.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n")
    part.replace(out / NAME)  # a full disk or a kill leaves the old one whole
    return run


def read(out: Path) -> TrainRun | None:
    """The record of the run in a folder; None where there is none. DataError where it is of another kind."""
    path = out / NAME
    try:
        return msgspec.json.decode(path.read_bytes(), type=TrainRun) if path.is_file() else None
    except msgspec.DecodeError as error:
        raise DataError(
            f"'{path}' is no record of a run from scratch ({error}); choose another --out, or name "
            "the --model of the run that is there"
        ) from None


def decontamination_of(start_from: str) -> str:
    """Digest that the run of these first weights was compared with; "" where their folder does not say."""
    try:
        run = read(Path(start_from)) if start_from else None
    except DataError:
        return ""
    return run.decontamination if run else ""


def is_free(out: Path) -> bool:
    """Whether the folder holds neither a run nor rows of one."""
    return not ((out / NAME).exists() or any((out / "data").glob("*-part-*.npz")))


def forget(out: Path) -> None:
    """Take away what a refused run left in a free folder, and the folder if nothing else is in it."""
    rows = out / "data"
    for path in [out / NAME, out / LOG_NAME, rows / "plan.json", *rows.glob("*-part-*.npz")]:
        path.unlink(missing_ok=True)
    for folder in (rows, out):
        with suppress(OSError):  # something else is in it
            folder.rmdir()


def versions() -> dict[str, str]:
    """Python and the libraries that a run depends on."""
    found = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found


def machine(threads: int, device: str, workers: int) -> str:
    """Processor, GPU and threads, no names of hosts."""
    found = f"{platform.machine()} {sys.platform}, {threads} threads, {workers} processes making data"
    if device == "cpu":
        return found
    import torch

    name = torch.cuda.get_device_name() if device.startswith("cuda") else device
    return f"{found}, {name}"
