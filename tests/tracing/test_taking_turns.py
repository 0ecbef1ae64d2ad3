"""Frames that are suspended and go on: generators, tasks, threads."""

from __future__ import annotations

import pytest
from tests.tracing.telling import called, names, script

from deskcheck.records import EventKind, Returned, Trace
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.replay import final_state


def kinds(trace: Trace, name: str) -> list[str]:
    """Kinds of the events of one function, LINE left out."""
    events = zip(trace.events.kind, trace.events.frame, strict=True)
    names = [trace.codes[code].name for code in trace.frames.code]
    return [EventKind(kind).name for kind, frame in events if names[frame] == name and kind != EventKind.LINE]


def test_generators_are_suspended_and_go_on_whoever_drives_them() -> None:
    source = """\
def inner():
    got = yield 1
    try:
        yield got
    finally:
        print("closed")

def outer():
    yield from inner()

g = outer()
print(next(g), g.send("x"))
g.close()
"""
    trace = script(source)
    pattern = ["CALL", "YIELD", "RESUME", "YIELD", "RESUME", "RAISE", "UNWIND"]
    assert kinds(trace, "inner") == pattern
    assert kinds(trace, "outer") == pattern


ASYNC = """\
import asyncio

async def count(name, log):
    for i in range(2):
        await asyncio.sleep(0)
        log.append(name + str(i))
    return name

async def numbers():
    for i in range(2):
        yield i
        await asyncio.sleep(0)

class Door:
    async def __aenter__(self):
        await asyncio.sleep(0)
        return self
    async def __aexit__(self, *error):
        await asyncio.sleep(0)

async def main():
    log = []
    async with Door():
        names = await asyncio.gather(count("a", log), count("b", log))
    return names, log, [i async for i in numbers()]
"""


def test_tasks_have_numbers_and_take_turns() -> None:
    trace = called(ASYNC, "asyncio.run(main())", {})
    assert outcome_text(trace) == "(['a', 'b'], ['a0', 'b0', 'a1', 'b1'], [0, 1])"
    code = {name: number for number, name in enumerate(c.name for c in trace.codes)}
    threads: dict[int, set[int]] = {}
    for frame, thread in zip(trace.events.frame, trace.events.thread, strict=True):
        threads.setdefault(frame, set()).add(thread)
    of_count = [threads[frame] for frame, c in enumerate(trace.frames.code) if c == code["count"]]
    of_main = [threads[frame] for frame, c in enumerate(trace.frames.code) if c == code["main"]]
    assert (of_main, of_count) == ([{0}], [{1}, {2}])
    assert kinds(trace, "count")[:4] == ["CALL", "YIELD", "CALL", "YIELD"]


THREADS = """\
import threading
lock = threading.Lock()
total = 0

def work(n):
    global total
    for i in range(n):
        with lock:
            total += i

class Worker(threading.Thread):
    def run(self):
        self.found = sum(range(4))

threads = [threading.Thread(target=work, args=(3,)) for _ in range(2)] + [Worker()]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(total, threads[-1].found)
"""


def test_threads_are_recorded_each_with_its_number(capsys: pytest.CaptureFixture[str]) -> None:
    trace = script(THREADS)
    assert capsys.readouterr().out == "6 6\n"
    assert set(trace.events.thread) == {0, 1, 2, 3}
    parents = {
        trace.frames.parent[f] for f, t in zip(trace.events.frame, trace.events.thread, strict=True) if t
    }
    assert parents == {-1}
    assert kinds(trace, "work").count("RETURN") == 2 and kinds(trace, "Worker.run") == ["CALL", "RETURN"]
    assert names(final_state(trace), "")["total"] == "6"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_thread_that_raises_leaves_its_exception_in_the_trace() -> None:
    source = "import threading\ndef work():\n    raise KeyError(1)\n"
    source += "t = threading.Thread(target=work)\nt.start(); t.join()\n"
    trace = script(source)
    assert isinstance(trace.outcome, Returned)
    assert kinds(trace, "work") == ["CALL", "RAISE", "UNWIND"]


def test_a_thread_that_goes_on_and_one_that_is_not_seen_are_said() -> None:
    source = """\
import threading
began, go = threading.Event(), threading.Event()
def f():
    def work():
        began.set()
        go.wait()
    threading.Thread(target=work, daemon=True).start()
    return began.wait()
"""
    trace = called(source, "f()", {})
    assert any("went on after the call" in note for note in trace.fidelity.notes)
    # One that has not come to a line of the program.
    source = """\
import threading, time
def f():
    threading.Thread(target=time.sleep, args=(1,), daemon=True).start()
"""
    trace = called(source, "f()", {})
    assert any("went on after the call" in note for note in trace.fidelity.notes)
    source = "import _thread\ndef f():\n    _thread.start_new_thread(print, ())\n"
    assert "threads started by _thread not recorded" in called(source, "f()", {}).fidelity.notes


def test_a_script_waits_for_its_threads_as_python_does() -> None:
    source = "import threading, time\ndone = []\ndef work():\n    time.sleep(0.02)\n    done.append(1)\n"
    source += "threading.Thread(target=work).start()\n"
    assert (
        "#" in names(final_state(script(source)), "")["done"]
        and kinds(script(source), "work")[-1] == "RETURN"
    )
