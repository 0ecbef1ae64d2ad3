"""real: functions of the standard library and of PyPI packages, with calls that were run before.

    programs(SourceOptions(source="real", family="train"))            -> Program ... of the training half
    programs(SourceOptions(source="real", family="held-out", path="boltons"))      -> the same of one package

A program is a function's text with the names of its module that it needs, and one call with literals, from
its docstring or made by type. All programs were run when the set was fixed (`corpus/library_pins.py`): each
is deterministic, takes 3 to 1,000 steps, and returns a literal. They are cut out of installed packages, so
deskcheck ships none of their text; `note` counts the programs that cannot be made here. Half of the packages,
by a hash of the name, are held out for evaluation (`--benchmark real`), and none of their functions is in the
other half.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

from deskcheck.corpus.library import HELD_OUT, TRAIN, side_of
from deskcheck.corpus.library_pins import Missing, known_pins, pinned
from deskcheck.errors import UnknownName, UserError
from deskcheck.plugins import SourceOptions
from deskcheck.records import Program

TRUST = "pinned"  # containment.admit: every program equals the pinned one to the last character
TAKES = ("path", "family", "start", "n")


def programs(options: SourceOptions) -> Iterator[Program]:
    """Yield `n` programs (0 = all) of one half from number `start` on, of those that can be made here.

    UserError if none can be made, UnknownName for another half or package.
    """
    made = [one for one in _side(options) if isinstance(one, Program)]
    if not made:
        raise UserError(f"no program can be made here: {note(options)}")
    yield from made[options.start : options.start + options.n if options.n else None]


def note(options: SourceOptions) -> str:
    """Return one line with the number of programs that can be made here, and the reasons for the others."""
    found = _side(options)
    reasons = Counter(one.reason for one in found if isinstance(one, Missing))
    shown = ", ".join(f"{n} {reason}" for reason, n in reasons.most_common(5))
    more = f", and {len(reasons) - 5} packages more" if len(reasons) > 5 else ""
    n_missing = reasons.total()
    text = f"{len(found) - n_missing:,} of {len(found):,} pinned programs can be made here"
    return f"{text}; {n_missing:,} not ({shown}{more})" if reasons else text


def _side(options: SourceOptions) -> tuple[Program | Missing, ...]:
    side = options.family or TRAIN
    if side not in (TRAIN, HELD_OUT):
        raise UnknownName("side of the source 'real' (--family)", side, [TRAIN, HELD_OUT])
    names = [one.name for one in known_pins().packages if one.side == side]
    if options.path and options.path not in names and side_of(options.path) != side:
        raise UserError(f"'{options.path}' is on the other side: --family {side_of(options.path)}")
    if options.path and options.path not in names:
        raise UnknownName(f"package on the side '{side}'", options.path, names)
    return tuple(pinned(side, only=options.path)) if options.path else whole(side)


@cache
def whole(side: str) -> tuple[Program | Missing, ...]:
    """Return all pinned programs of one half, made again or missing, in the order of the file."""
    return tuple(pinned(side))
