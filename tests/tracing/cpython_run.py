"""CPython's own tests as traced programs, with small budgets and large ones between them.

    python -m tests.tracing.cpython_run test_copy test_gc     prints a row a module; exit code 1 on a failure

Each test method runs untraced first. Then every second one runs under a budget that cuts most of them, drawn
from a seed, and the others under a large one; all of Lib but unittest and importlib is stepped into. Laws:
a test that was not cut ends as it does untraced, behind whatever was cut before it; every trace passes
`check_packed`; nothing is left in `sys.exc_info()`; all tests pass untraced again at the end. Modules run in
a process each (`test_cpython_tests.py`).
"""

from __future__ import annotations

import asyncio
import contextlib
import doctest
import gc
import importlib
import io
import os
import platform
import signal
import sys
import time
import unittest
import warnings
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from types import CodeType, ModuleType
from typing import NamedTuple

from deskcheck.format.buffers import Packed
from deskcheck.records import Granularity, Limits, Program, Returned, StepLimit
from deskcheck.tracing import run, source_facts
from deskcheck.tracing.collect import check_packed
from deskcheck.tracing.packed import Invalid, pack, unpack
from deskcheck.tracing.source_facts import table_of

MODULES = (
    "test_sys_settrace", "test_collections", "test_coroutines", "test_copy", "test_textwrap", "test_asyncgen",
    "test_list", "test_scope", "test_generators", "test_fractions", "test_dict", "test_contextlib",
    "test_exceptions", "test_heapq", "test_bisect", "test_deque", "test_set", "test_itertools",
    "test_operator", "test_with", "test_dataclasses", "test_weakref", "test_gc", "test_functools",
    "test_enum", "test_re", "test_ordered_dict", "test_decimal",
)  # fmt: skip
SMALL, LARGE = (10, 3_000), 60_000
"""Steps: where a small budget is drawn from, and the large one."""
_LIB = str(Path(os.__file__).parent)
_NOT_OURS = tuple(
    f"{_LIB}{os.sep}{name}" for name in ("unittest", "importlib", "test" + os.sep + "support", "threading.py")
)
TEST_S = 20
"""A traced test that takes longer is ended and counted as slow; untraced it has a fortieth of that."""
KNOWN = {
    "test_sys_settrace.*.test_08_settrace_and_return": "a tracer of its own on a traced frame",
    "test_sys_settrace.*.test_09_settrace_and_raise": "a tracer of its own on a traced frame",
    "test_sys_settrace.TestLinesAfterTraceStarted.test_events": "a tracer of its own on a traced frame",
    "test_sys_settrace.*.test_no_line_event_after_creating_generator": "a tracer in C gets instructions",
    "test_set.*.test_container_iterator": "members live as long as an iterator over their set",
    "test_gc.GCTests.test_get_objects": "asks for all objects of the process",
    "test_gc.GCTests.test_get_objects_arguments": "asks for all objects of the process",
    "test_gc.GCTogglingTests.test_bug1055820c": "no collection by itself",
    "test_gc.GCTogglingTests.test_bug1055820d": "no collection by itself",
    "test_re.ReTests.test_search_anchor_at_beginning": "asserts that a search takes less than 0.1 s",
    "test_functools.TestLRUC.test_lru_reentrancy_with_len": "replaces len() for the tracer too",
    "test_functools.TestLRUPy.test_lru_reentrancy_with_len": "replaces len() for the tracer too",
}
"""Tests that end otherwise when they are traced, and what docs/tracing.md says of that."""


def is_known(name: str) -> bool:
    """Whether a test is among those that end otherwise."""
    return any(fnmatchcase(name, pattern) for pattern in KNOWN)


class Row(NamedTuple):
    """What became of one module's tests."""

    module: str
    tests: int
    whole: int
    """Of them traced from start to end."""
    cut: int
    left_out: int
    """Skipped untraced, failing untraced, slow, or known to end otherwise."""
    slow: int
    """Traced, but not over in time."""
    steps: int
    failures: list[str]


class _Slow(BaseException):
    pass


def own(code: CodeType) -> str | None:
    """Its path below Lib; None for what runs the tests, and for what is no file of Lib."""
    file = code.co_filename
    if not file.startswith(_LIB) or file.startswith(_NOT_OURS) or "site-packages" in file:
        return None
    return file[len(_LIB) + 1 :].replace(os.sep, "/")


def tests_of(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    """The test cases, in order."""
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from tests_of(one)
        else:
            yield one


def ended(test: unittest.TestCase) -> str:
    """How a test ends: its failures and errors by their types, or what it says of itself."""
    result = unittest.TestResult()
    # By hand: contextlib is stepped into, so a budget may end it before it has put the streams back.
    before = sys.stdout, sys.stderr, warnings.filters[:]
    sys.stdout = sys.stderr = io.StringIO()
    warnings.simplefilter("ignore")
    try:
        type(test)(test._testMethodName).run(result)
    finally:
        sys.stdout, sys.stderr, warnings.filters[:] = before
    if result.skipped:
        return "skipped"
    return (
        "passed" if result.wasSuccessful() else f"{len(result.failures)} failed, {len(result.errors)} broke"
    )


def traced(
    test: unittest.TestCase, module: ModuleType, limits: Limits, granularity: Granularity
) -> tuple[Packed, str]:
    """The packed trace of a test, and how it ended."""
    names = [name for name in source_facts.global_names(_code(module)) if name in vars(module)]
    told: list[str] = []
    native = run.Native(own, [(0, vars(module), names)], limits=limits, granularity=granularity)
    packed = run.run_native(
        native, lambda: told.append(ended(test)), "cpython", limits=limits, codes=[_code(module)]
    )
    return packed, told[0] if told else "cut"


def run_module(name: str, *, seed: int = 7, most: int = 0) -> Row:
    """All test methods of `test.NAME`, or the first so many."""
    module = importlib.import_module(f"test.{name}")
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    tests = [test for test in tests_of(suite) if not isinstance(test, doctest.DocTestCase)][: most or None]
    rng, failures, expected = Random(f"{seed}:{name}"), [], {}
    _set_up(tests)
    for test in tests:
        started = time.perf_counter()
        expected[test.id()] = ended(test)
        if time.perf_counter() - started > TEST_S / 40:
            expected[test.id()] = "slow"
    kept = [
        test
        for test in tests
        if expected[test.id()] == "passed" and not is_known(test.id().removeprefix("test."))
    ]
    whole = cut = slow = steps = 0
    for number, test in enumerate(kept):
        limits = Limits(max_steps=rng.randint(*SMALL) if number % 2 else LARGE, trace_bytes=1 << 28)
        granularity = (Granularity.LINE, Granularity.LINE, Granularity.INSTRUCTION)[number % 3]
        try:
            with _at_most(TEST_S) as late, _World(module):
                packed, end = traced(test, module, limits, granularity)
            if late:
                slow += 1
                continue
        except _Slow:
            slow += 1
            continue
        except Exception as error:  # whatever our own code raises here is a failure to report, with its test
            failures.append(f"{test.id()}: the tracer: {type(error).__name__}: {error}")
            continue
        steps += packed.n_steps
        is_cut = not isinstance(packed.outcome, Returned)
        whole, cut = whole + (not is_cut), cut + is_cut
        if is_cut and not isinstance(packed.outcome, StepLimit):
            failures.append(f"{test.id()}: ended by {str(packed.outcome)[:200]}")
        if not is_cut and end != expected[test.id()]:
            failures.append(f"{test.id()}: {expected[test.id()]} untraced, {end} traced")
        if sys.exc_info() != (None, None, None):
            failures.append(f"{test.id()}: leaves {sys.exc_info()[1]!r} handled")
        failures += [f"{test.id()}: check: {wrong}" for wrong in _refused(packed, module, limits)]
        gc.collect()
    for test in kept:
        if (end := ended(test)) != expected[test.id()]:
            failures.append(f"{test.id()}: {end} untraced afterwards")
    return Row(name, len(tests), whole, cut, len(tests) - len(kept), slow, steps, failures)


def _refused(packed: Packed, module: ModuleType, limits: Limits) -> list[str]:
    source = Path(str(module.__file__)).read_text(encoding="utf-8")
    program = Program(packed.program_id, "python", source, "f", "", "library", "PSF-2.0")
    try:
        check_packed(unpack(pack(packed)), program, limits, table_of(program))
    except Invalid as wrong:
        return [str(wrong)]
    return []


def _code(module: ModuleType) -> CodeType:
    file = str(module.__file__)
    if file not in _CODES:
        _CODES[file] = compile(Path(file).read_text(encoding="utf-8"), file, "exec")
    return _CODES[file]


_CODES: dict[str, CodeType] = {}


def _set_up(tests: list[unittest.TestCase]) -> None:
    """What the test classes and modules prepare once."""
    for kind in dict.fromkeys(type(test) for test in tests):
        kind.setUpClass()


class _World:
    """Puts back what a test that was ended has no time to; contextlib cannot, being stepped into."""

    def __init__(self, module: ModuleType) -> None:
        self._decimals = [one for one in vars(module).values() if hasattr(one, "getcontext")]

    def __enter__(self) -> None:
        self._contexts = [one.getcontext().copy() for one in self._decimals]
        self._modules = dict(sys.modules)
        self._warn = warnings._warn_unawaited_coroutine  # type: ignore[attr-defined]  # undocumented

    def __exit__(self, *_: object) -> None:
        sys.modules.clear()
        sys.modules.update(self._modules)
        warnings._warn_unawaited_coroutine = self._warn  # type: ignore[attr-defined]  # as above
        asyncio.events._set_running_loop(None)
        for one, context in zip(self._decimals, self._contexts, strict=True):
            one.setcontext(context)


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[list[bool]]:
    """The list is filled where the time was over: a test may swallow what ends it."""
    is_late: list[bool] = []

    def late(_signal: int, _frame: object) -> None:
        is_late.append(True)
        raise _Slow

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield is_late
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def main() -> int:
    names = [name for name in sys.argv[1:] if not name.startswith("-")] or list(MODULES)
    print(f"CPython {platform.python_version()}")
    titles = f"{'module':20}{'tests':>7}{'whole':>7}{'cut':>7}{'left out':>10}{'slow':>6}{'steps':>12}"
    print(f"{titles}{'failures':>10}")
    failures = []
    for name in names:
        row = run_module(name)
        print(
            f"{row.module:20}{row.tests:7,}{row.whole:7,}{row.cut:7,}{row.left_out:10,}{row.slow:6,}{row.steps:12,}"
            f"{len(row.failures):10,}",
            *row.failures,
            sep="\n",
            flush=True,
        )
        failures += row.failures
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
