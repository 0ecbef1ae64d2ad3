"""No program finds what another one of its batch has changed, whichever reachable object that was."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from deskcheck.cli import main
from deskcheck.format.shards import read_pairs
from deskcheck.records import Job, JobDone, Limits
from deskcheck.sandbox import containment, running, worker
from deskcheck.sandbox.supervisor import run_jobs
from deskcheck.sandbox.worker import can_batch
from deskcheck.tracing import collect
from deskcheck.tracing.collect import read_result
from deskcheck.tracing.job import FUNCTION
from deskcheck.tracing.program import encode_request

pytestmark = pytest.mark.skipif(not can_batch(), reason="batches need Linux and the C extension")
LIMITS = Limits(time_s=20.0, memory_bytes=512 << 20, output_bytes=1 << 16)
WATCHED, UNWATCHED = "tests.sandbox.reachable_jobs:act", "tests.sandbox.unwatched_jobs:act"


@pytest.fixture(autouse=True)
def in_company(monkeypatch: pytest.MonkeyPatch) -> None:
    """All jobs run in one zygote, so that addresses mean the same; no clock cuts a batch."""
    monkeypatch.setattr(worker, "AUDIT_EVERY", 1 << 40)
    monkeypatch.setattr(worker, "BATCH_S", 1e9)
    monkeypatch.setattr(worker, "WORN_CHILDREN", 1 << 40)
    monkeypatch.setattr(worker, "WORN_S", 1e9)
    monkeypatch.setattr(running, "PATIENCE_S", 1e9)


def kinds_of_objects(function: str) -> list[str]:
    (result,) = run_jobs([Job("0", function, b"count", LIMITS)], workers=1)
    assert isinstance(result.result, JobDone)
    return result.result.payload.decode().split(" ")


def leaks(numbers: Sequence[int], function: str) -> tuple[list[str], int]:
    """What was changed, of the changes that the next program sees; and how many changes were made."""
    texts = [f"read {n}" for n in numbers] + [f"{word} {n}" for n in numbers for word in ("change", "read")]
    jobs = [Job(str(i), function, text.encode(), LIMITS) for i, text in enumerate(texts)]
    results = [result.result for result in run_jobs(jobs, workers=1, batch=64)]
    pairs = results[len(numbers) :]
    found, n_made = [], 0
    for before, change, after in zip(results, pairs[::2], pairs[1::2], strict=False):
        made = change.payload.decode() if isinstance(change, JobDone) else repr(change)
        n_made += bool(made)
        if before != after:
            found.append(made)
    return found, n_made


def drawn(kinds: Sequence[str], *, each: int, seed: int) -> list[int]:
    """Numbers of some objects of every type."""
    of_kind: dict[str, list[int]] = {}
    for number, kind in enumerate(kinds):
        of_kind.setdefault(kind, []).append(number)
    rng = random.Random(seed)
    return [n for numbers in of_kind.values() for n in rng.sample(numbers, min(each, len(numbers)))]


def test_a_drawn_change_of_any_reachable_object_is_hidden_from_the_next_program():
    numbers = drawn(kinds_of_objects(WATCHED), each=2, seed=0)
    found, n_made = leaks(numbers, WATCHED)
    assert found == []
    assert n_made > 100


def test_every_way_to_change_a_function_or_a_class_is_noticed():
    kinds = kinds_of_objects(WATCHED)
    numbers = [
        n
        for kind in ("function", "type", "ABCMeta")
        for n in [i for i, k in enumerate(kinds) if k == kind][:24]
    ]
    found, n_made = leaks(numbers, WATCHED)
    assert found == []
    assert n_made > 20


def test_without_the_watch_of_their_inside_changes_are_seen():
    numbers = drawn(kinds_of_objects(UNWATCHED), each=1, seed=0)
    found, n_made = leaks(numbers, UNWATCHED)
    assert len(found) > n_made // 3 > 10


@pytest.mark.slow
def test_every_change_of_a_reachable_object_is_hidden_from_the_next_program():
    kinds = kinds_of_objects(WATCHED)
    found, n_made = leaks(range(len(kinds)), WATCHED)
    print(f"{len(kinds)} objects, {n_made} changed, {len(found)} seen by the next program")
    assert found == []


# What each writer does, and what its reader returns; nothing here is hostile.
PAIRS = {
    "the first day of the week": (
        "import calendar",
        "calendar.setfirstweekday(2)",
        "calendar.firstweekday()",
    ),
    "days of a month": ("import calendar", "calendar.mdays[2] = 30", "calendar.monthrange(2023, 2)"),
    "format of a name": ("import calendar", "calendar.month_abbr.format = '%d'", "calendar.month_abbr[3]"),
    "context for new threads": (
        "import decimal",
        "decimal.DefaultContext.prec = 5",
        "decimal.Context().prec",
    ),
    "context of a standard": ("import decimal", "decimal.BasicContext.traps.clear()", "decimal.BasicContext"),
    "table of escapes": ("import json", "json.encoder.ESCAPE_DCT['z'] = '!'", "len(json.encoder.ESCAPE_DCT)"),
    "words of the language": ("import keyword", "keyword.softkwlist.clear()", "keyword.softkwlist"),
    "attribute of a function": ("import copy", "copy.deepcopy.seen = n", "hasattr(copy.deepcopy, 'seen')"),
    "attribute of a member": ("import re", "re.M.note = 'multi'", "hasattr(re.M, 'note')"),
    "table of a class": (
        "import textwrap",
        "textwrap.TextWrapper.unicode_whitespace_trans[98] = 99",
        "textwrap.TextWrapper().fill('a b')",
    ),
    "text of a function": ("import heapq", "heapq.merge.__doc__ = 'none'", "len(heapq.merge.__doc__)"),
    "name of a class": ("import fractions", "fractions.Fraction.__name__ = 'F'", "fractions.Fraction(1, 2)"),
    "an abstract function": (
        "import abc\nimport random",
        "abc.abstractmethod(random.sample)",
        "str(abc.ABCMeta('A', (), {'s': random.sample})())[:20]",
    ),
    "a final function": (
        "import random\nimport typing",
        "typing.final(random.choice)",
        "random.choice.__doc__[:9]",
    ),
    "a builtin of Python": ("n = 1", "exit.eof = 'now'", "repr(exit)"),
    "the environment of C code": (
        "import contextlib\nimport time",
        "contextlib.os.putenv('TZ', 'EST5EDT')",
        "time.mktime((2024, 1, 1, 0, 0, 0, 0, 0, 0))",
    ),
    "a handler of codecs": (
        "import json",
        "json.codecs.register_error('mine', lambda error: ('?', error.end))",
        "'\\xe9'.encode('ascii', 'mine')",
    ),
    "a search for codecs": (
        "import json",
        "json.codecs.register({'mine': json.codecs.lookup('utf-8')}.get)",
        "'e'.encode('mine')",
    ),
    "hooks of generators": (
        "import statistics",
        "statistics.sys.set_asyncgen_hooks(print, None)",
        "statistics.sys.get_asyncgen_hooks()[0]",
    ),
    "the place in the output": (
        "import contextlib",
        "contextlib.os.lseek(1, 5, 0)",
        "contextlib.os.lseek(1, 0, 1)",
    ),
    "what a pattern leads to": (
        """\
def get(thing, name, u='_' + '_'):
    M = type('M', (type,), {u + 'instancecheck' + u: lambda *_: True})
    A = M('A', (), {u + 'match_args' + u: (u + name + u,)})
    match thing:
        case A(found): return found
def days():
    (kind,) = [c for c in get(object, 'subclasses')() if get(c, 'name') == 'Calendar']
    return get(get(kind, 'init'), 'glo' + 'bals')['mdays']""",
        "days()[2] = 99",
        "days()[2]",
    ),
}


@pytest.mark.parametrize("is_screened", [True, False], ids=["screened", "compared alone"])
def test_readers_in_a_built_dataset_have_the_trace_that_they_have_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_screened: bool
):
    """Without the screen, no text runs alone: the comparison after each program has to see every change."""
    if not is_screened:
        monkeypatch.setattr(collect, "is_suspicious", lambda _: False)
    folder, out = tmp_path / "programs", tmp_path / "out"
    folder.mkdir()
    for number, (module, write, read) in enumerate(PAIRS.values()):
        for role, lines in (("a", f"{write}\n    return n"), ("b", f"return {number}, {read}")):
            text = f"# deskcheck: f(3)\n{module}\ndef f(n):\n    {lines}\n"
            (folder / f"{number:02}{role}.py").write_text(text)
    arguments = ["build", "files", str(folder), "--out", str(out), "--workers", "1"]
    monkeypatch.setattr(sys, "argv", ["deskcheck", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in (0, None)
    built = [(program, trace) for program, trace in read_pairs(out) if "return n" not in program.source]
    assert len(built) == len(PAIRS)
    jobs = [
        Job(str(number), FUNCTION, encode_request(program, Limits()), Limits(), alone=True)
        for number, (program, _) in enumerate(built)
    ]
    for (program, trace), result in zip(
        built, run_jobs(jobs, workers=1, level=containment.find().level), strict=True
    ):
        assert trace == read_result(result, program, Limits()), program.source
