"""No number of the value table is shown anywhere in the public API: everything that it offers is walked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import deskcheck
from deskcheck.errors import UserError
from deskcheck.result_rows import Result

PLAIN = (deskcheck.Limits, deskcheck.Score, Result)
"""Records that are public themselves; they hold texts and counts."""
SHOWN = 271_828
"""The only number of the program: any other integer would be a handle, a line or a count."""


class Node:
    def __init__(self, value: int) -> None:
        self.value = value


def makes(n: int) -> Node:
    spare = [str(i) for i in range(30)]  # so that handles are large
    node = Node(n)
    del spare
    return node


def fails(n: int) -> None:
    spare = [str(i) for i in range(30)]
    raise ValueError(n, len(spare))


def members(value: object) -> Iterator[tuple[str, object]]:
    """Everything that a public name of an object gives, methods without an argument included."""
    names = [name for name in dir(value) if name[0] != "_"]
    for name in names:
        if name in ("show", "save", "at", "to_pandas", "count", "index"):
            continue
        try:
            member = getattr(value, name)
        except UserError:
            continue
        if not callable(member):
            yield name, member


def walk(start: object) -> Iterator[object]:
    """Every object that is reached from one by public names and by iterating."""
    waiting, seen = [start], set()
    while waiting:
        value = waiting.pop()
        if id(value) in seen or isinstance(value, str | int | float | bytes | bool | None | Path):
            if isinstance(value, int):
                yield value
            continue
        seen.add(id(value))
        yield value
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, list | tuple | set | frozenset):
            waiting += list(value)
        elif type(value).__module__.startswith("deskcheck."):
            waiting += [member for _, member in members(value)]
            if isinstance(value, deskcheck.Trace | deskcheck.Recording):
                waiting += list(getattr(value, "steps", []))
    return


def all_of(start: object) -> list[object]:
    return list(walk(start))


def check(start: object) -> int:
    """No record but the public ones, and no number that is too large for a line or a count."""
    found = all_of(start)
    records = [one for one in found if isinstance(one, msgspec.Struct) and not isinstance(one, PLAIN)]
    assert records == []
    for one in found:
        text = repr(one)
        assert not re.search(r"\b(handle|Returned|Raised|EventKind)\b", text), text
    return len(found)


def test_a_trace_shows_values_and_no_number_of_the_table():
    t = deskcheck.trace(makes, SHOWN)
    handle = t._record.outcome.value
    assert handle > 30  # a number that no line, count or value of this program has
    numbers = {one for one in all_of(t) if isinstance(one, int) and not isinstance(one, bool)}
    lines = set(range(makes.__code__.co_firstlineno - 12, makes.__code__.co_firstlineno + 12))
    assert numbers - lines - set(range(len(t) + 1)) - {SHOWN} - set(range(30)) == set()
    assert str(handle) not in re.findall(r"\d+", repr(t)) and check(t) > 100


def test_an_exception_a_recording_and_a_data_frame_show_none(tmp_path: Path):
    assert check(deskcheck.trace(fails, SHOWN).raised) >= 3
    recording = deskcheck.record()
    with recording:
        makes(SHOWN)
    assert check(recording) > 100
    t = deskcheck.trace(makes, SHOWN)
    assert check(deskcheck.load(t.save(tmp_path / "run.deskcheck"))) > 100
    pandas = pytest.importorskip("pandas", reason="needs the extra 'eval'")
    frame = t.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert {type(one) for row in frame["locals"] for one in row.values()} <= {
        int,
        list,
        deskcheck.StandIn,
    }


def test_what_models_and_datasets_give_shows_none(tmp_path: Path):
    pytest.importorskip("inspect_ai", reason="needs the extra 'eval'")
    pytest.importorskip("onnxruntime", reason="needs the extra 'eval'")
    run = deskcheck.execute("def f(n):\n    return n\n", call="f(2)")
    assert check(run) > 10 and check(list(run)) > 5
    data = deskcheck.build("generated", family="easy", n=2, out=tmp_path / "data", workers=1)
    assert check(data) >= 5 and all(check(trace) > 10 for trace in data)


def test_the_walk_finds_a_record_where_one_is_shown(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(deskcheck.Trace, "outcome", property(lambda self: self._record.outcome))
    with pytest.raises(AssertionError):
        check(deskcheck.trace(makes, SHOWN))
