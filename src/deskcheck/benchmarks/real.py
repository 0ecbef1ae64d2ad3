"""real: functions of the standard library and of PyPI packages that no training of ours has seen.

    deskcheck eval --model deskcheck/tiny --benchmark real --strategy line-1 --limit 200

Source: the held-out packages of `programs/real.py` (half of all, by a hash of the name), pinned by version
and sha256. License: that of each package, in the tag "license". No package ships with deskcheck: the programs
are cut out of installed packages, and programs of missing packages are skipped and counted. There are no
recorded answers; the truth is executed. The order is shuffled with a fixed seed, so that the first N drafts
are a sample of all packages. Options: package=NAME.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from deskcheck.corpus.library import HELD_OUT
from deskcheck.corpus.library_pins import Missing, known_pins
from deskcheck.errors import UnknownName, UserError
from deskcheck.programs.real import whole
from deskcheck.records import Skipped, TaskDraft

HUB = None


def drafts(data: str, *, package: str = "") -> Iterator[TaskDraft | Skipped]:
    """Yield the programs of the held-out packages; `data` must be empty."""
    if data:
        raise UserError(f"benchmark 'real' is made from what is installed; leave out --data {data}")
    names = [program.name for program in known_pins().packages if program.side == HELD_OUT]
    if package and package not in names:
        raise UnknownName("held-out package", package, names)
    found = list(whole(HELD_OUT))
    Random("real").shuffle(found)
    for program in found:
        name, path, function, number = _parts(program.origin)
        if package and name != package:
            continue
        function = f"{path.removesuffix('.py').removesuffix('/__init__').replace('/', '.')}.{function}"
        identity = f"{function}:{number}"
        if isinstance(program, Missing):
            yield Skipped(identity, program.reason)
        else:
            tags = {"package": name, "license": program.license}
            yield TaskDraft(identity, program, recorded="", cluster=function, tags=tags)


def _parts(origin: str) -> tuple[str, str, str, str]:
    """Split "real:python:textwrap:textwrap.py:dedent:3" into package, path, function and number."""
    package, path, function, number = origin.removeprefix("real:").rsplit(":", 3)
    return package, path, function, number
