"""Check model-written code by assert-style tests, in a way that keeps the verdict out of the code's reach.

    check_all([Check(source, "assert f(3) == 6", "f")]) -> [Checked("passed", "")]

The solution runs in one sandboxed process, which gets the solution's source and the arguments of the calls,
but no expected value. The tests run in another process, with a stub in place of the solution's function. The
process of the tests accepts values by exact type, and stand-ins for instances of subclasses
(check_values.py). So an object that pretends to equal everything passes no test, a search through the frames
finds no result list, and there is no expected value to copy.

Covered: tests of HumanEval (`def check(candidate)`) and MBPP (assert lines), helper functions of the task
(`helpers`), changed list, dict and set arguments, exceptions by built-in type, loops and random arguments.
Not covered, and therefore "not checked" with the reason: functions or objects as arguments, uses of results
whose outcome is not known (the items of a generator, `==` of a class of the solution), calls that the sandbox
refuses. Not covered, and perhaps "failed": tests of classes, messages of exceptions, `is` between a result
and an argument. A solution can still send any value to the tests, but this is the same as returning the
value.
"""

from __future__ import annotations

import builtins
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from deskcheck.corpus.definitions import names_bound, names_read
from deskcheck.records import Job, JobDone, JobResult, Limits
from deskcheck.sandbox import containment
from deskcheck.solutions.check_jobs import (
    LIBRARIES,
    RUN_CALLS,
    RUN_TESTS,
    Call,
    CallRequest,
    Ended,
    TestEnd,
    TestRequest,
)

# Maximum number of rounds, each of which finds the calls that the tests need and runs them. Most tests need
# one round; in the worst case each call needs one.
ROUNDS = 200
# Rounds of calls after which calls are no longer predicted but added one by one.
PREDICTIONS = 20
LIMITS = Limits(time_s=3.0, trace_bytes=16 << 20)
REFUSED = "refused"
"""Beginning of a reason that names a system call which the sandbox refused: "refused network:socket"."""


class Check(Struct, frozen=True):
    """One solution and its tests."""

    source: str
    """The solution as a whole module, prompt included."""
    test: str
    """Assert lines, or a module that defines `check(candidate)`."""
    entry: str
    """Name of the function that the solution has to define."""
    helpers: str = ""
    """Code of the task that runs before the tests, which may use it (HumanEval: the prompt and "pass")."""


class Checked(Struct, frozen=True):
    """The verdict on one solution."""

    verdict: Literal["passed", "failed", "not checked"]
    why: str
    """"AssertionError, line 3", "time limit", ..; "refused network:socket" if the sandbox refused a call;
    "" if the solution passed."""


class _State:
    """State of one check between rounds."""

    def __init__(self, check: Check) -> None:
        self.check = check
        self.calls: list[Call] = []
        self.known: list[Ended] = []
        self.predict = True
        """False = calls are added one by one, because a predicted call failed or predictions were wrong."""
        self.n_rounds = 0
        self.result = self._look()

    def _look(self) -> Checked | None:
        """Return the verdict if it is known without running anything, else None."""
        check = self.check
        defined = names_bound(check.source)
        if check.entry not in defined:
            return Checked("failed", f"the candidate defines no function {check.entry}")
        used = names_read(check.test)
        # These names never come from the solution; with its own `abs` it could pass many tests.
        own = names_bound(check.test) | names_bound(check.helpers) | {*dir(builtins), *LIBRARIES, check.entry}
        if foreign := (used & defined) - own:
            return Checked("not checked", f"the tests use {min(foreign)}, which only the candidate defines")
        return None


def check_all(
    checks: Sequence[Check],
    *,
    limits: Limits = LIMITS,
    workers: int = 0,
    level: str = "",
    i_trust_this_code: bool = False,
    after_run: Callable[[int, int], None] = lambda number, total: None,
) -> list[Checked]:
    """Return the verdicts in order. SandboxUnavailable at containment level `limits`, if not trusted.

    `limits` are those of each process. `workers`: 0 = one per core. `level`: "" = the strongest containment
    level; a named one is used as it is, trusted or not. `after_run` is called when the tests of a solution
    have run for the first time, with the number of such solutions so far and of all solutions.
    """
    if not level:
        containment.admit("untrusted", "code to check", i_trust_this_code=i_trust_this_code)
    states = [_State(check) for check in checks]
    for round_ in range(ROUNDS):
        open_ones = [state for state in states if state.result is None]
        if not open_ones:
            break
        ends = _run(RUN_TESTS, [_test_request(state) for state in open_ones], limits, workers, level)
        waiting = []
        for number, (state, end) in enumerate(zip(open_ones, ends, strict=True), 1):
            if _take_tests(state, end):
                waiting.append(state)
            if round_ == 0:
                after_run(number, len(states))
        calls = [CallRequest(state.check.source, state.calls) for state in waiting]
        for state, result in zip(waiting, _run(RUN_CALLS, calls, limits, workers, level), strict=True):
            _take_calls(state, result)
    return [state.result or Checked("not checked", f"more than {ROUNDS} rounds of calls") for state in states]


def _test_request(state: _State) -> TestRequest:
    return TestRequest(
        state.check.test,
        state.check.helpers,
        state.check.entry,
        state.calls,
        state.known,
        predict=state.predict,
    )


def _run(
    function: str, requests: Sequence[Struct], limits: Limits, workers: int, level: str
) -> Iterable[JobResult]:
    jobs = [
        Job(str(i), function, msgspec.msgpack.encode(request), limits) for i, request in enumerate(requests)
    ]
    return containment.run(jobs, workers=workers or os.cpu_count() or 1, level=level)


def _take_tests(state: _State, result: JobResult) -> bool:
    """Store how the tests ended; return whether calls have to be run."""
    done = result.result
    if not isinstance(done, JobDone):
        if state.predict:  # a failed prediction is no verdict
            state.predict = False
        else:
            state.result = Checked("not checked", f"the tests ended by {_tag(done.outcome)}")
        return False
    try:
        end = msgspec.msgpack.decode(done.payload, type=TestEnd)
    except msgspec.MsgspecError as error:
        state.result = Checked("not checked", f"rejected: {error}")
        return False
    if end.impossible:
        state.result = Checked("not checked", end.impossible)
    elif end.error:
        state.result = Checked("failed", end.error)
    elif not end.needs:
        state.result = Checked("passed", "")
    state.calls = end.needs
    return state.result is None


def _take_calls(state: _State, result: JobResult) -> None:
    """Store how the calls ended; a call that failed may end the check, or end the predictions."""
    ends = _ends(result, len(state.calls))
    state.n_rounds += 1
    if not isinstance(ends, str):
        state.known = ends
        state.predict = state.predict and state.n_rounds < PREDICTIONS
    elif not state.predict:
        # A solution with a refused call may be right elsewhere, so it is not counted as failed.
        state.result = Checked("not checked" if ends.startswith(REFUSED) else "failed", ends)
    else:  # the tests may never make the call that failed; from here on, calls are added one by one
        state.calls, state.known, state.predict = [], [], False


def _ends(result: JobResult, n: int) -> list[Ended] | str:
    """Return the ends of all calls, or why there are none."""
    done = result.result
    if not isinstance(done, JobDone):
        return _tag(done.outcome)
    if result.refusals:
        return f"{REFUSED} {', '.join(result.refusals)}"
    try:
        ends = msgspec.msgpack.decode(done.payload, type=list[Ended])
    except msgspec.MsgspecError as error:
        return f"rejected: {error}"
    return ends if len(ends) == n else f"rejected: {len(ends)} results of {n} calls"


def _tag(outcome: Any) -> str:
    return str(type(outcome).__struct_config__.tag)
