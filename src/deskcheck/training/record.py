"""Write and read the record of a training run (`run.json` in its folder): settings, versions, counts, times.

The record is written before the first step, so that `--resume` continues with the same plan, and completed at
the end. Times and the machine stand only in this file, never in the data.
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
    """Command line that repeats the run."""
    preset: Preset
    seed: int
    budget: int
    """Tokens for which data was made, padding included; 0 = rows were made during training."""
    start_from: str
    """Folder of the first weights; "" = random weights."""
    held_out: str
    """Family of the held-out programs for the scores."""
    versions: dict[str, str]
    commit: str
    machine: str
    decontamination: str = ""
    """Digest of the fingerprints that programs were compared with; "" = an edition older than digests."""
    start_decontamination: str = ""
    """`decontamination` of the run that gave the first weights; "" = unknown."""
    grown_from: Shape | None = None
    """Size of the model of the first weights, if it is smaller."""
    minutes: float = 0.0
    """Length of the run in minutes; 0 = its length is `budget`."""
    n_steps: int = 0
    n_tokens: int = 0
    """Tokens trained on, without padding."""
    n_loss: int = 0
    """Tokens with loss among `n_tokens`."""
    n_repeated: int = 0
    """Rows that were repeated because no new ones were ready."""
    n_lost: int = 0
    """Parts of the data that were lost with a worker that died."""
    data: PartReport = NOTHING
    data_s: float = 0.0
    """Seconds of waiting for data; data that was made during training costs none."""
    train_s: float = 0.0
    """Seconds of training by the wall clock, over all attempts of a resumed run."""


def write(run: TrainRun, out: Path) -> TrainRun:
    """Store the record in the run's folder."""
    out.mkdir(parents=True, exist_ok=True)
    part = out / f"{NAME}.part"
    part.write_bytes(msgspec.json.format(msgspec.json.encode(run), indent=1) + b"\n")
    part.replace(out / NAME)  # a full disk or a kill leaves the old one whole
    return run


def read(out: Path) -> TrainRun | None:
    """Read the record of the run in a folder; None if there is none. DataError for another kind of run."""
    path = out / NAME
    try:
        return msgspec.json.decode(path.read_bytes(), type=TrainRun) if path.is_file() else None
    except msgspec.DecodeError as error:
        raise DataError(
            f"'{path}' is no record of a run from scratch ({error}); choose another --out, or name "
            "the --model of the run that is there"
        ) from None


def decontamination_of(start_from: str) -> str:
    """Return the `decontamination` of the run that gave the first weights; "" if their folder has none."""
    try:
        run = read(Path(start_from)) if start_from else None
    except DataError:
        return ""
    return run.decontamination if run else ""


def is_free(out: Path) -> bool:
    """Whether the folder holds neither the record nor the rows of a run."""
    return not ((out / NAME).exists() or any((out / "data").glob("*-part-*.npz")))


def forget(out: Path) -> None:
    """Remove the files of a refused run from its folder, and the folder if it is then empty."""
    rows = out / "data"
    for path in [out / NAME, out / LOG_NAME, rows / "plan.json", *rows.glob("*-part-*.npz")]:
        path.unlink(missing_ok=True)
    for folder in (rows, out):
        with suppress(OSError):  # something else is in it
            folder.rmdir()


def versions() -> dict[str, str]:
    """Return the versions of Python and of the libraries that a run depends on."""
    numbers = {"python": platform.python_version()}
    for name in LIBRARIES:
        try:
            numbers[name] = version(name)
        except PackageNotFoundError:
            numbers[name] = "absent"
    return numbers


def machine(threads: int, device: str, workers: int) -> str:
    """Describe processor, GPU and threads, without names of hosts."""
    found = f"{platform.machine()} {sys.platform}, {threads} threads, {workers} processes making data"
    if device == "cpu":
        return found
    import torch

    name = torch.cuda.get_device_name() if device.startswith("cuda") else device
    return f"{found}, {name}"
