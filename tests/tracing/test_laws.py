"""Laws over drawn programs and over our own: traced = untraced, replay = live, the same bytes."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from tests.tracing import live_state
from tests.tracing.drawn_programs import sources
from tests.tracing.telling import traced
from tests.tracing.watched_programs import PROGRAMS

from deskcheck.records import Limits
from deskcheck.tracing import codes, execution, reference
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference.check import check
from deskcheck.tracing.source_facts import table_of

ROOT = Path(__file__).parents[2]


def pictures_agree(source: str, entry: str = "f", arguments: str = "") -> None:
    live_state.SLOTS.clear()
    for code in codes.code_objects(compile(source, "<program>", "exec", dont_inherit=True)):
        live_state.SLOTS[code.co_qualname] = codes.CodeFacts(code).names
    trace, live = live_state.watched(source, entry, arguments)
    for expected, found in zip(live, live_state.replayed(trace), strict=True):
        assert found == expected
    program = make_program(source, entry, arguments, origin="test")
    check(trace, program, Limits(), table_of(program))


@settings(max_examples=60)
@given(sources())
def test_replay_is_live_on_drawn_programs(source: str) -> None:
    pictures_agree(source)


def structure(value: object, seen: list[object]) -> str:
    """Text of a result, aliases shown, without running code of the program."""
    for index, other in enumerate(seen):
        if other is value and not isinstance(value, int | str | float | None):
            return f"#{index}"
    seen.append(value)
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}{[structure(item, seen) for item in value]}"
    if isinstance(value, dict):
        pairs = [(structure(k, seen), structure(v, seen)) for k, v in dict.items(value)]
        return f"{type(value).__name__}{pairs}"
    if isinstance(value, set | frozenset):
        return f"{type(value).__name__}{sorted(map(repr, value))}"
    if hasattr(value, "__dict__"):
        return f"{type(value).__qualname__}{structure(vars(value), seen)}"
    return f"{type(value).__name__} {value!r}"


def outcome_of(run: object) -> tuple[str, str]:
    """Result or exception, and what was printed."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            result = structure(run(), [])  # type: ignore[operator]
        except Exception as error:
            result = f"{type(error).__name__} {error.args!r}"
    return result, printed.getvalue()


def both_outcomes(source: str, entry: str, arguments: str) -> tuple[object, object]:
    program = make_program(source, entry, arguments, origin="test")

    def untraced() -> object:
        with execution.module_namespace(program) as namespace:
            return eval(program.call, namespace)

    original = reference.run_traced
    kept: list[object] = []

    def keeping(tracer, call, program_id, **more):  # type: ignore[no-untyped-def]
        def calling() -> object:
            kept.append(call())
            return kept[-1]

        return original(tracer, calling, program_id, **more)

    def with_trace() -> object:
        trace = reference.trace_program(program, Limits())
        if not kept:
            raise AssertionError(trace.outcome)
        return kept[-1]

    reference.run_traced = keeping  # type: ignore[assignment]
    try:
        return outcome_of(untraced), outcome_of(with_trace)
    finally:
        reference.run_traced = original


@settings(max_examples=60)
@given(sources())
def test_traced_is_untraced_on_drawn_programs(source: str) -> None:
    untraced, with_trace = both_outcomes(source, "f", "")
    assert with_trace == untraced


@pytest.mark.parametrize("name", PROGRAMS)
def test_traced_is_untraced_on_watched_programs(name: str) -> None:
    untraced, with_trace = both_outcomes(*PROGRAMS[name])
    assert with_trace == untraced


_ENCODE_ALL = """
import hashlib, sys
sys.path.insert(0, {root!r})
import msgspec
from tests.tracing.telling import traced
from tests.tracing.watched_programs import PROGRAMS
names = sorted(PROGRAMS, reverse={backwards})
junk = [object() for _ in range({junk})]
found = {{}}
for name in names:
    source, entry, arguments = PROGRAMS[name]
    found[name] = hashlib.sha256(msgspec.msgpack.encode(traced(source,
    f"{{entry}}({{arguments}})"))).hexdigest()
print(sorted(found.items()))
"""


def test_a_trace_is_the_same_bytes_in_any_process_order_and_hash_seed() -> None:
    outputs = []
    for seed, backwards, junk in [("0", False, 0), ("1", True, 12_345), ("77", False, 7)]:
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        script = _ENCODE_ALL.format(root=str(ROOT), backwards=backwards, junk=junk)
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1] == outputs[2]


@settings(max_examples=30)
@given(sources())
def test_a_trace_is_the_same_bytes_twice(source: str) -> None:
    assert msgspec.msgpack.encode(traced(source)) == msgspec.msgpack.encode(traced(source))
