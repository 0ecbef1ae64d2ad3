"""Below a generator into which something is thrown lie those that delegated to it, as `f_back` says."""

from __future__ import annotations

import pytest
from tests.tracing.test_native import all_agree, made, same, traced_native

from deskcheck.records import Granularity, Returned, Trace
from deskcheck.tracing.replay import states

HEAD = """
import asyncio, sys, types
seen = []
def see():
    names, frame = [], sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == see.__code__.co_filename:
            names.append(frame.f_code.co_name)
        frame = frame.f_back
    seen.append(names[::-1])
def inner(log):
    while True:
        try:
            x = yield log
            see()
        except ValueError as error:
            see()
            log.append(str(error))
            got = yield 7
            see()
            if len(log) > 2:
                return 9
        finally:
            see()
def middle(log):
    r = yield from inner(log)
    see()
    log.append(r)
    yield 11
def outer(log):
    try:
        yield from middle(log)
    except KeyError:
        see()
        yield 13
async def sleeper():
    try:
        await asyncio.sleep(10)
    except asyncio.CancelledError:
        see()
        raise
    finally:
        see()
async def between():
    x = 5
    await asyncio.wait_for(sleeper(), 20)
async def main():
    task = asyncio.create_task(between())
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        see()
@types.coroutine
def pause():
    try:
        yield 1
    except ValueError:
        see()
        yield 2
async def waits():
    await pause()
    see()
"""
BODIES = {
    "values after a throw": "b.throw(ValueError('a')); next(b); b.throw(ValueError('b')); next(b); b.close()",
    "to the end": "\n".join(["b.throw(ValueError('a'))", "next(b)"] * 3),
    "what nobody catches": "b.throw(KeyError()); next(b, None)",
    "a close after a throw": "b.throw(ValueError('a')); b.close()",
    "two at once": "c = outer(log); next(c); b.throw(ValueError('a')); c.throw(ValueError('b')); next(c)",
    "a coroutine": "c = waits(); c.send(None); c.throw(ValueError()); c.close()",
    "a cancelled task": "asyncio.run(main())",
}


def source_of(body: str) -> str:
    lines = [
        "log = []",
        "b = outer(log)",
        "next(b)",
        *(line.strip() for line in body.replace(";", "\n").split("\n")),
        "return seen",
    ]
    return HEAD + "def f():\n" + "".join(f"    {line}\n" for line in lines)


def stacks_of(trace: Trace) -> list[list[str]]:
    """The names of the frames below each call of `see`."""
    found = []
    for event, state in states(trace):
        names = [trace.codes[trace.frames.code[frame.number]].name for frame in state.frames]
        if event.kind.name == "CALL" and names[-1] == "see":
            found.append(names[:-1])
    return found


def in_plain_python(source: str) -> list[list[str]]:
    space: dict[str, object] = {"__name__": "program"}
    exec(compile(source, "program.py", "exec"), space)
    return space["f"]()  # type: ignore[operator, no-any-return]  # a function, as its text says


@pytest.mark.parametrize("body", BODIES)
def test_the_frames_of_a_delegation_are_those_that_python_shows(body: str) -> None:
    source = source_of(BODIES[body])
    truth = in_plain_python(source)
    assert len(truth) > 1
    trace = all_agree(made(source)) if "asyncio" not in BODIES[body] else traced_native(made(source))
    assert isinstance(trace.outcome, Returned), trace.outcome
    assert stacks_of(trace) == truth
    for granularity in (Granularity.EXPRESSION, Granularity.INSTRUCTION):
        fine = traced_native(made(source), granularity=granularity)
        same(fine, traced_native(made(source), granularity=granularity, brute=True))
        assert stacks_of(fine) == truth
