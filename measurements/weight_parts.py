"""The weights of a small model in a few files of bounded size, and back into one that training goes on from.

    python measurements/weight_parts.py PARTS --out FOLDER      then: deskcheck train --from FOLDER, or export

`gpu_recipe.py` writes such parts: fp16, as an exported model has them, or bf16. The optimizer stays
behind, so a run that goes on from here warms up again.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from deskcheck.errors import DataError, DeskcheckError, UserError
from deskcheck.models.tiny import Shape
from deskcheck.training.graph import Weights

PART_BYTES = 15 << 20
PATTERN = "weights-*-of-*.safetensors"


def write_parts(
    weights: Weights, shape: Shape, folder: Path, *, part_bytes: int = PART_BYTES, bf16: bool = False
) -> list[Path]:
    """The files written; parts of an earlier time are removed. UserError where one weight is too large.

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
    written = []
    for number, part in enumerate(parts, 1):
        written.append(folder / f"weights-{'bf16-' * bf16}{number}-of-{len(parts)}.safetensors")
        save_file(part, str(written[-1]))
    (folder / "config.json").write_bytes(msgspec.json.format(msgspec.json.encode(shape), indent=2) + b"\n")
    return written


def read_parts(folder: Path) -> Weights:
    """Weights by name: fp16, or fp32 where the parts are bf16. DataError where a part is missing."""
    from safetensors.numpy import load_file

    files = sorted(folder.glob(PATTERN))
    wanted = int(files[0].stem.rsplit("-", 1)[1]) if files else 1
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


def join(parts: Path, out: Path) -> None:
    """Write the parts of a folder as one checkpoint that `deskcheck train --from` and `export` read."""
    from safetensors.numpy import save_file

    weights = read_parts(parts)
    out.mkdir(parents=True, exist_ok=True)
    save_file(weights, str(out / "model.safetensors"))
    shutil.copyfile(parts / "config.json", out / "config.json")


def main() -> int:
    """Join the parts that a folder holds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("parts", type=Path, nargs="?")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    if not (given.parts and given.out):
        print("not run: name a folder of parts, and --out")
        return 0
    try:
        join(given.parts, given.out)
    except DeskcheckError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
