"""What the models of a comparison do beyond its held-out programs: real code, long runs, published sets.

    programs_of_set("real", n=300, granularity=Granularity.LINE) -> Asked(held_out, n_left_out)
    ask(models, "real", out, n=300, majority="<- 0")                -> [SetScores, ..], kept in out/sets

real      functions of the standard library and of PyPI packages, split by package: the first n of benchmark
          `real`, which no training program shares its form with
long      Collatz, the binary counter and Fibonacci at about 10 to 1,000 lines; the inputs of benchmark `long`
NAME=FILE a published set, of which every look is written down first (`looks.jsonl`)

Programs of others run in the sandbox. A run without an end that can be an answer is left out and counted.
Every model's answers are kept, so that nothing is asked twice; those to a published set with the sha256 of
its file, and another file under its name is refused.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.records import Granularity, Item, Limits, Raised, Returned
from deskcheck.tracing.collect import trace_programs
from deskcheck.training.scores.long_chains import run_chains
from layout_study.baselines import ALONE, WITHOUT_MODEL, without_model
from layout_study.programs import fine
from layout_study.scores import (
    STEPWISE,
    HeldOut,
    LayoutScores,
    ProgramScore,
    StepScore,
    layout_steps,
    whole_programs,
)

REAL, LONG = "real", "long"
OWN = (REAL, LONG)
"""Sets that may be looked at as often as wanted."""
LONG_STEPS = (10, 30, 100, 300, 1000)
LONG_PROGRAMS = ("collatz", "counter", "fibonacci")
LIMITS = {REAL: Limits(max_steps=1_001, value_bytes=1 << 12), LONG: Limits(max_steps=5_000)}
PUBLISHED_LIMITS = Limits(max_steps=10_000)
MAX_STEPS = {REAL: 200, LONG: 2_000}
"""Lines of a chain, at most; none of a true run's length is looked at."""
PUBLISHED_STEPS = 200
BY_LINES = frozenset({"line-1", "line-1-full", "sub"})
"""Layouts whose chain can be followed line by line beside the true run."""


class Asked(NamedTuple):
    """The programs of a set, traced."""

    held_out: list[HeldOut]
    n_left_out: int
    """No installed text, no end within the limits, or another run at this granularity."""


class SetScores(Struct, frozen=True):
    """One model on one set."""

    name: str
    """Layout, or "before tuning, LAYOUT"."""
    seed: int
    """-1 = before tuning."""
    n_left_out: int
    scores: LayoutScores
    lengths: list[int] = []
    """Lines of the true runs, one a program."""
    reached: list[int] = []
    """Right steps before the first wrong one, where a layout goes line by line; else none."""
    data_sha256: str = ""
    """Of the file of a published set."""


def programs_of_set(name: str, *, n: int, granularity: Granularity, workers: int = 1) -> Asked:
    """The programs of a set, or "NAME=FILE" of a published one."""
    benchmark, _, data = name.partition("=")
    options = {}
    if benchmark == LONG:
        options = {"steps": ",".join(map(str, LONG_STEPS)), "programs": ",".join(LONG_PROGRAMS)}
    found = list(plugins.load("benchmark", benchmark).items(data, **options))
    items = [one for one in found if isinstance(one, Item)]
    missing = len(found) - len(items)
    if benchmark == REAL:
        items, missing = items[:n], 0
    limits = LIMITS.get(benchmark, PUBLISHED_LIMITS)
    programs = [item.program for item in items]
    traced = trace_programs(programs, limits, workers=workers, granularity=granularity)
    held_out = [
        HeldOut(program, trace, item.cluster)
        for item, (program, trace) in zip(items, traced, strict=True)
        if isinstance(trace.outcome, Returned | Raised)
    ]
    return Asked(held_out, missing + len(items) - len(held_out))


def set_scores(model: Any, layout: str, name: str, asked: Asked) -> tuple[LayoutScores, list[int]]:
    """One model in its layout on a set; steps by part are asked of `real` alone."""
    benchmark = name.partition("=")[0]
    if benchmark == LONG and layout in BY_LINES:
        return _followed(model, layout, asked.held_out)
    most = MAX_STEPS.get(benchmark, PUBLISHED_STEPS)
    programs = whole_programs(model, layout, asked.held_out, max_steps=most)
    steps: list[StepScore] = []
    n_tokens = -1.0
    if benchmark == REAL and layout in STEPWISE:
        steps, n_tokens = layout_steps(model, layout, asked.held_out, most=MOST_QUESTIONS)
    return LayoutScores(layout, programs, steps, n_tokens), []


MOST_QUESTIONS = 3_000
"""About single steps, of one model on one set; of more, every second one, or third .. is asked."""


def _followed(model: Any, layout: str, held_out: list[HeldOut]) -> tuple[LayoutScores, list[int]]:
    """Long chains, left at the first wrong step: no chain that was wrong once is counted as right."""
    runs = [(one.program, one.trace) for one in held_out]
    done = run_chains(model, runs, layout=layout, stop_when_wrong=True, max_steps=MAX_STEPS[LONG])
    programs = [
        ProgramScore(
            one.form,
            one.program.id,
            chain.right and chain.n_right == chain.n_true,
            chain.finished,
            chain.n_tokens,
        )
        for one, chain in zip(held_out, done, strict=True)
    ]
    return LayoutScores(layout, programs, [], -1.0), [chain.n_right for chain in done]


class Model(NamedTuple):
    """A model to be asked; loaded once it is needed."""

    name: str
    layout: str
    seed: int
    load: Callable[[], Any]


def ask(
    models: Sequence[Model],
    name: str,
    out: Path,
    *,
    n: int,
    majority: str,
    until: float = math.inf,
    workers: int = 1,
) -> list[SetScores]:
    """Every model that was not asked about the set yet, until the clock says so; all that is there."""
    check_data(models, name, out)
    (out / "sets").mkdir(exist_ok=True)
    sha256 = digest_of_data(name)
    known: dict[Granularity, Asked] = {}

    def programs(granularity: Granularity) -> Asked:
        if granularity not in known:
            known[granularity] = programs_of_set(name, n=n, granularity=granularity, workers=workers)
        return known[granularity]

    for model in models:
        path = _file_of(model.name, model.seed, name, out)
        if path.is_file() or time.monotonic() >= until:
            continue
        asked = programs(fine(model.layout))
        found, reached = set_scores(model.load(), model.layout, name, asked)
        kept = SetScores(
            model.name, model.seed, asked.n_left_out, found, _lengths(asked), reached, data_sha256=sha256
        )
        _write(kept, name, out)
    if not _file_of(ALONE, -1, name, out).is_file() and time.monotonic() < until:
        asked = programs(Granularity.LINE)
        for own, scores in without_model(asked.held_out, majority).items():
            kept = SetScores(own, -1, asked.n_left_out, scores, _lengths(asked), data_sha256=sha256)
            _write(kept, name, out)
    return answers(models, name, out)


def digest_of_data(name: str) -> str:
    """sha256 of the file of a published set, "NAME=FILE"; "" for a set of our own."""
    data = name.partition("=")[2]
    return hashlib.sha256(Path(data).read_bytes()).hexdigest() if data else ""


def check_data(models: Sequence[Model], name: str, out: Path) -> None:
    """UserError where the folder holds answers to another file under the name of this published set."""
    sha256 = digest_of_data(name)
    for one in answers(models, name, out) if sha256 else []:
        if one.data_sha256 != sha256:
            has = one.data_sha256[:16] or "not noted"
            raise UserError(
                f"'{out}' holds answers to another file of {name.partition('=')[0]} (sha256 {has}, this one "
                f"{sha256[:16]}); ask about that file, or choose another --out"
            )


def _lengths(asked: Asked) -> list[int]:
    return [one.trace.n_steps for one in asked.held_out]


def _write(found: SetScores, name: str, out: Path) -> None:
    _file_of(found.name, found.seed, name, out).write_bytes(msgspec.json.encode(found))


def answers(models: Sequence[Model], name: str, out: Path) -> list[SetScores]:
    """What is there: models, then what needs none."""
    who = [*((model.name, model.seed) for model in models), *((own, -1) for own in WITHOUT_MODEL)]
    paths = [_file_of(own, seed, name, out) for own, seed in who]
    return [msgspec.json.decode(path.read_bytes(), type=SetScores) for path in paths if path.is_file()]


def _file_of(own: str, seed: int, name: str, out: Path) -> Path:
    words = own.replace(",", "").replace(" ", "-")
    return out / "sets" / f"{name.partition('=')[0]}-{words}-seed-{seed}.json"


def note_look(name: str, out: Path) -> None:
    """Written down before anything is asked."""
    benchmark, _, data = name.partition("=")
    at = time.strftime("%Y-%m-%dT%H:%M:%S")
    look = {"benchmark": benchmark, "data": Path(data).name, "sha256": digest_of_data(name), "at": at}
    with (out / "looks.jsonl").open("a") as file:
        file.write(json.dumps(look) + "\n")


def looks(out: Path) -> list[dict[str, str]]:
    """Every look so far."""
    path = out / "looks.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []
