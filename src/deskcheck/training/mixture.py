"""Draw programs one at a time from several datasets, by weights and a seed, in several layouts.

    mixture = read_mixture(Path("mix.toml"))
    interleaved(mixture, programs_of)           -> program, program, ..      in the order of the draws
    Splits(mixture, programs_of).has(program)   -> whether it is in the mixture's split

    seed = 1
    n = 100_000                             # programs of all splits; 0 = all programs of all parts
    split = "train"                         # one of the shares; whole families are split
    shares = { train = 0.9, test = 0.1 }
    [[part]]
    data = "data/easy"                      # a folder of `deskcheck build`, or generated:easy
    weight = 2.0                            # 2 of every 2 + 1 programs are of this part
    layouts = { line-1 = 1.0, instruction-1 = 0.25 }
    [[part]]
    data = "data/mine"
    layouts = { compact = 1.0 }

The number after a layout is the share of the part's programs that are written in this layout. A part without
further programs drops out, and the draws continue among the other parts. With another `split`, the same file
draws the same programs but keeps those of that split. Training and evaluation therefore have no family in
common.
"""

from __future__ import annotations

import hashlib
import math
import random
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct, field

from deskcheck.decontamination.families import Families
from deskcheck.errors import DataError, UserError
from deskcheck.records import Program

SUFFIX = ".toml"
Item = TypeVar("Item")


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """One source of a mixture."""

    data: str
    layouts: dict[str, float]
    weight: float = 1.0


class Mixture(Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of a mixture file."""

    part: list[Part]
    seed: int = 0
    n: int = 0
    split: str = ""
    shares: dict[str, float] = field(default_factory=dict)


def read_mixture(path: Path) -> Mixture:
    """Read a mixture file. DataError if it is malformed, UserError for a value that is not allowed."""
    try:
        mixture = msgspec.convert(tomllib.loads(path.read_text("utf-8-sig")), Mixture)
    except OSError as error:
        raise UserError(f"no mixture at '{path}': {error.strerror}") from None
    except (ValueError, msgspec.ValidationError) as error:
        raise DataError(
            f"{path} is no mixture: {error}; write a [[part]] for each dataset (docs/fine-tuning.md)"
        ) from None
    if not mixture.part:
        raise UserError(f"{path} has no [[part]]; write one for each dataset (docs/fine-tuning.md)")
    if mixture.n < 0:
        raise UserError(f"{path}: n = {mixture.n}; 0 or more")
    for part in mixture.part:
        if not (part.weight > 0 and math.isfinite(part.weight)):
            raise UserError(f"{path}: weight {part.weight:g} of '{part.data}'; a number over 0")
        if not part.layouts or not all(0 < share <= 1 for share in part.layouts.values()):
            raise UserError(f"{path}: '{part.data}' needs layouts, each with a share over 0 and at most 1")
    if mixture.split and not mixture.shares:
        raise UserError(f"{path}: split '{mixture.split}' needs shares = {{ {mixture.split} = 0.9, .. }}")
    if mixture.shares and mixture.split not in mixture.shares:
        raise UserError(f"{path}: split '{mixture.split}' is none of {', '.join(mixture.shares)}")
    for split, share in mixture.shares.items():
        if not (share > 0 and math.isfinite(share)):
            raise UserError(f"{path}: share {share:g} of split '{split}'; a number over 0")
    return mixture


def interleaved(mixture: Mixture, items_of: Callable[[Part], Iterator[Item]]) -> Iterator[Item]:
    """Yield `mixture.n` items (0 = all), each from a part chosen by weight; nothing is read ahead.

    `items_of`: function that yields the items of a part, such as programs.
    """
    draw = random.Random(mixture.seed)
    streams = [(part.weight, items_of(part)) for part in mixture.part]
    n_given = 0
    while streams and (not mixture.n or n_given < mixture.n):
        index = draw.choices(range(len(streams)), [weight for weight, _ in streams])[0]
        item = next(streams[index][1], None)
        if item is None:
            del streams[index]
            continue
        n_given += 1
        yield item


class Splits:
    """The split of each family of programs; it does not depend on the wanted split or the weights.

    If a mixture has shares, all its programs are read once before the first program is drawn.
    """

    def __init__(self, mixture: Mixture, programs_of: Callable[[Part], Iterator[Program]]) -> None:
        self._mixture = mixture
        self._families = Families()
        if mixture.shares:  # all in the order of the file, so that families do not depend on draws
            for part in mixture.part:
                for program in programs_of(part):
                    with suppress(SyntaxError):  # of a newer Python: counted when it is drawn
                        self._families.of(program)

    def has(self, program: Program) -> bool:
        """Whether the program is in the split of the mixture. SyntaxError if it is not Python."""
        if not self._mixture.shares:
            return True
        return self.of(program) == self._mixture.split

    def of(self, program: Program) -> str:
        """Return the split of the program's family. SyntaxError if it is not Python."""
        shares = self._mixture.shares
        name = f"{self._mixture.seed}:{self._families.of(program).name}"
        at = int.from_bytes(hashlib.sha256(name.encode("utf-8", "replace")).digest()[:8], "big") / 2**64
        at *= sum(shares.values())
        for split, share in shares.items():
            at -= share
            if at < 0:
                return split
        return split
