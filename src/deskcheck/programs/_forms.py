"""Which programs are evaluated on: their normal forms, by benchmark, so that none of them is ever trained on.

    normal_form(source) in evaluation_forms() -> keep it out
    report() -> the table of benchmarks, programs and forms for a card

Stored in evaluation_forms.json, so that what training leaves out does not depend on which public data lies on
this machine; hashes alone, no benchmark's text. Made by `python measurements/evaluation_forms.py --write` on
every Python in turn (which generated programs are held out depends on it: the file holds all of them).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct


class Forms(Struct, frozen=True):
    """The programs of one benchmark."""

    programs: int
    """Different sources that were read."""
    forms: list[str]
    """Sorted; fewer than the sources where some differ in names and constants alone."""


class KnownForms(Struct, frozen=True):
    """All that is kept out of training."""

    date: str
    benchmarks: dict[str, Forms]
    """Benchmark, or "held-out FAMILY"."""


@cache
def known_forms() -> KnownForms:
    """The file that ships."""
    data = files("deskcheck.programs").joinpath("evaluation_forms.json").read_bytes()
    return msgspec.json.decode(data, type=KnownForms)


@cache
def evaluation_forms() -> frozenset[str]:
    """Normal forms of all programs that deskcheck evaluates on."""
    return frozenset(form for one in known_forms().benchmarks.values() for form in one.forms)


def report() -> str:
    """A table for a card: every benchmark with its programs and its forms."""
    lines = ["| kept out of training | programs | forms |", "|---|---|---|"]
    lines += [
        f"| {name} | {one.programs:,} | {len(one.forms):,} |"
        for name, one in known_forms().benchmarks.items()
    ]
    return "\n".join([*lines, f"| together | | {len(evaluation_forms()):,} |"]) + "\n"
