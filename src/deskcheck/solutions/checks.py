"""Check model-written code by assert-style tests, so that the code can not reach the verdict.

    check_all([Check(source, "assert f(3) == 6", "f")]) -> [Checked("passed", "")]
    run_calls([(source, [("f", (3,), {})])])            -> [[Returned value or Failed], ..]

The candidate runs in one contained process, which is given its source and the arguments of the calls and
never an expected value; the tests run in another one, where a stub stands for the candidate's function and
only plain values, by exact type, come in. So an object that equals everything equals nothing, a walk through
the frames finds no result list, and there is no expected value to copy.

Covered: HumanEval (`def check(candidate)`) and MBPP (assert lines) tests, helper functions of the task
(`helpers`), changed list, dict and set arguments, exceptions by built-in type, loops and random arguments.
Not covered, and so "not checked" or "failed" with the reason: functions or objects as arguments, results
that are not plain (numpy, generators, own classes), calls that the sandbox refuses, tests of classes,
messages of exceptions, `is` between a result and an argument. A candidate may still claim any value; that is
the same as returning it.
"""

from __future__ import annotations

import ast
import builtins
import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

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
from deskcheck.solutions.check_values import pack_value, unpack_value

# Rounds of "which calls do the tests need, what do they give": one for most tests, one a call at worst.
ROUNDS = 200
PREDICTIONS = 20
LIMITS = Limits(time_s=3.0, trace_bytes=16 << 20)
REFUSED = "refused"
"""How a reason begins that names a system call which the sandbox refused: "refused network:socket"."""


class Check(Struct, frozen=True):
    """One candidate and its tests."""

    source: str
    """The candidate: a whole module, prompt included."""
    test: str
    """Assert lines, or a module that defines `check(candidate)`."""
    entry: str
    """The function that is asked for."""
    helpers: str = ""
    """Code of the task's own that the tests use too (HumanEval: the prompt and "pass"); run beside them."""


class Checked(Struct, frozen=True):
    """The verdict on one candidate."""

    verdict: Literal["passed", "failed", "not checked"]
    why: str
    """"AssertionError, line 3", "time limit", ..; "refused network:socket" where it was not checked for that;
    "" if it passed."""


class Failed(Struct, frozen=True):
    """A call, or all calls of a candidate, without a value."""

    why: str


class _State:
    """One check on its way: what is known so far."""

    def __init__(self, check: Check) -> None:
        self.check = check
        self.calls: list[Call] = []
        self.known: list[Ended] = []
        self.predict = True
        """False: calls are added one by one, because a predicted one went wrong or predictions don't hold."""
        self.n_rounds = 0
        self.result = self._look()

    def _look(self) -> Checked | None:
        """What can be said without running anything."""
        check = self.check
        defined = _names_of(check.source)
        if check.entry not in defined:
            return Checked("failed", f"the candidate defines no function {check.entry}")
        used = {node.id for node in ast.walk(_parsed(check.test)) if isinstance(node, ast.Name)}
        # Were they the candidate's, `def abs(x): return 0` would pass many a test.
        own = _names_of(check.test) | _names_of(check.helpers) | {*dir(builtins), *LIBRARIES, check.entry}
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
    """Verdicts in order. SandboxUnavailable at level "limits", unless `i_trust_this_code`.

    `after_run` is given the number of each solution whose tests ran, and how many there are.
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


def run_calls(
    candidates: Iterable[tuple[str, Sequence[tuple[str, tuple[object, ...], dict[str, object]]]]],
    *,
    limits: Limits = LIMITS,
    workers: int = 0,
    level: str = "",
    i_trust_this_code: bool = False,
) -> list[list[object]]:
    """What every call of every candidate gives: a plain value, an `Opaque`, or `Failed`."""
    if not level:
        containment.admit("untrusted", "code to run", i_trust_this_code=i_trust_this_code)
    requests = [
        CallRequest(source, [Call(name, pack_value((args, kwargs))) for name, args, kwargs in calls])
        for source, calls in candidates
    ]
    found: list[list[object]] = []
    for request, result in zip(requests, _run(RUN_CALLS, requests, limits, workers, level), strict=True):
        ends = _ends(result, len(request.calls))
        if isinstance(ends, str):
            found.append([Failed(ends)] * len(request.calls))
        else:
            found.append([Failed(f"raises {e.error}") if e.error else _value(e.value) for e in ends])
    return found


def _value(data: bytes) -> object:
    try:
        return unpack_value(data)
    except ValueError as error:
        return Failed(f"rejected: {error}")


def _names_of(source: str) -> set[str]:
    """Names that a text binds at its top: functions, classes, what it assigns and imports."""
    found: set[str] = set()
    for node in _parsed(source).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Assign(targets=targets):
                found |= {part.id for one in targets for part in ast.walk(one) if isinstance(part, ast.Name)}
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in names}
    return found


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module(body=[], type_ignores=[])


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
    """Enter how the tests ended; whether calls have to be run."""
    done = result.result
    if not isinstance(done, JobDone):
        if state.predict:  # predicting is a help, not a verdict
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
    ends = _ends(result, len(state.calls))
    state.n_rounds += 1
    if not isinstance(ends, str):
        state.known = ends
        state.predict = state.predict and state.n_rounds < PREDICTIONS
    elif not state.predict:
        # What the sandbox refuses may be right elsewhere: nobody knows.
        state.result = Checked("not checked" if ends.startswith(REFUSED) else "failed", ends)
    else:  # by a call that the tests may never make: from here on one by one
        state.calls, state.known, state.predict = [], [], False


def _ends(result: JobResult, n: int) -> list[Ended] | str:
    """How the calls ended, or why there is none of it."""
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
