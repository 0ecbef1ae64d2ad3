"""A model's weights as a few small files, to be carried from the machine that trained them to another.

    write_carried(weights, shape, folder)    folder/{weights-1-of-4.safetensors, .., config.json}
    deskcheck train --from folder            goes on from them;  deskcheck export folder  makes the model file

fp16, as the exported model has them, or bf16, and no file above PART_BYTES; the optimiser stays behind, so
a run that goes on from here warms up again.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from deskcheck.errors import DataError, UserError
from deskcheck.models.tiny import Shape
from deskcheck.training.graph import Weights

PART_BYTES = 15 << 20
PATTERN = "weights-*-of-*.safetensors"
ALONG = (
    "run.json",
    "train.jsonl",
    "scores.json",
    "long.json",
    "drills.json",
    "skips.json",
    "model/README.md",
)
"""Of a run's folder: what is told of it goes along."""


def write_carried(
    weights: Weights, shape: Shape, folder: Path, *, part_bytes: int = PART_BYTES, bf16: bool = False
) -> list[Path]:
    """The files written; those of an earlier time are removed. UserError where one weight is too large.

    `bf16`: the upper halves of fp32, rounded, as whole numbers; the names of these files say so.
    """
    from safetensors.numpy import save_file

    kind = upper_halves if bf16 else (lambda value: np.asarray(value, np.float16))
    small = {name: kind(value) for name, value in sorted(weights.items())}
    parts: list[Weights] = [{}]
    for name, value in small.items():
        if value.nbytes > part_bytes:
            raise UserError(f"weight '{name}' alone has {value.nbytes:,} bytes, more than {part_bytes:,}")
        if sum(one.nbytes for one in parts[-1].values()) + value.nbytes > part_bytes:
            parts.append({})
        parts[-1][name] = value
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(PATTERN):
        old.unlink()
    found = []
    for number, part in enumerate(parts, 1):
        found.append(folder / f"weights-{'bf16-' * bf16}{number}-of-{len(parts)}.safetensors")
        save_file(part, str(found[-1]))
    (folder / "config.json").write_bytes(msgspec.json.format(msgspec.json.encode(shape), indent=2) + b"\n")
    return found


def read_carried(folder: Path) -> Weights:
    """The weights of a folder. DataError where a file is missing."""
    from safetensors.numpy import load_file

    files = sorted(folder.glob(PATTERN))
    wanted = int(files[0].stem.rsplit("-", 1)[1])
    if len(files) != wanted:
        raise DataError(f"'{folder}' holds {len(files)} of {wanted} files of weights; copy the others there")
    loaded = {name: value for file in files for name, value in load_file(str(file)).items()}
    if "-bf16-" not in files[0].name:
        return loaded
    return {name: (value.astype(np.uint32) << 16).view(np.float32) for name, value in loaded.items()}


def upper_halves(value: np.ndarray[Any, np.dtype[Any]]) -> np.ndarray[Any, np.dtype[Any]]:
    """The bits of a weight in bfloat16, to the nearest even: uint16, since numpy has no such number."""
    bits = np.ascontiguousarray(value, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def is_carried(folder: Path) -> bool:
    """Whether a folder holds weights in this form."""
    return any(folder.glob(PATTERN))


def carry(run: Path, weights: Weights, shape: Shape, folder: Path) -> list[Path]:
    """Write the weights of a run, and what the run tells of itself."""
    found = write_carried(weights, shape, folder)
    for name in ALONG:
        if (run / name).is_file():
            shutil.copyfile(run / name, folder / Path(name).name)
    return found
