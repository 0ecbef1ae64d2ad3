"""pytest plugin: write a page for each failed test, or record the calls that tests make into a package.

    pytest --deskcheck-on-failure failures/                  an index, and a page for each failed test
    pytest --deskcheck-out calls/ --deskcheck-scope toolz    a dataset of calls

Without these options the plugin does nothing and imports nothing of ours. It changes no test: functions are
not wrapped, and a recorded call that uses up its budget continues untraced. Errors of the recorder are
reported, not raised. Nothing is sandboxed: the tests run in this process as always. With xdist every worker
records, and the controller process merges the records. See docs/pytest.md.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options, whose defaults docs/pytest.md lists."""
    group = parser.getgroup("deskcheck", "record the calls that tests make (not contained: in this process)")
    add = group.addoption
    add("--deskcheck-on-failure", default="", metavar="DIR", help="write a page for each failed test here")
    add("--deskcheck-out", default="", metavar="DIR", help="record calls into this dataset folder")
    add("--deskcheck-scope", action="append", default=[], metavar="PKG", help="package or module; repeatable")
    add(
        "--deskcheck-no-redact",
        action="store_true",
        help="show passwords, tokens and keys in what is written",
    )
    add("--deskcheck-max-calls", type=int, default=20, metavar="N", help="calls kept of one function (20)")
    add("--deskcheck-max-steps", type=int, metavar="N", help="line events of a call (2000), a test (100000)")
    add(
        "--deskcheck-max-bytes",
        type=int,
        metavar="N",
        help="bytes of a call's trace (1 MB), a test's (16 MB)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Start recording if the options ask for it."""
    if config.getoption("--deskcheck-on-failure"):
        if config.getoption("--deskcheck-out"):
            raise pytest.UsageError(
                "--deskcheck-on-failure and --deskcheck-out record in turn: give one of them"
            )
        config.pluginmanager.register(_Failures(config), "deskcheck-failures")
        return
    if not config.getoption("--deskcheck-out"):
        if config.getoption("--deskcheck-scope"):
            raise pytest.UsageError("--deskcheck-scope needs --deskcheck-out DIR, where the traces go")
        return
    if not config.getoption("--deskcheck-scope"):
        raise pytest.UsageError("--deskcheck-out needs --deskcheck-scope PKG: whose calls are to be recorded")
    config.pluginmanager.register(_Recording(config), "deskcheck-recording")


class _Failures:
    """Recorder of the tests that run in one process; each failed test gets a page."""

    def __init__(self, config: pytest.Config) -> None:
        from deskcheck.errors import UserError
        from deskcheck.tracing.calls import FailedCalls
        from deskcheck.viewer.failures import project_files

        self._folder = Path(config.getoption("--deskcheck-on-failure")).absolute()
        _check_folder(self._folder)
        self._redactor = _redactor(config)
        self._root = config.rootpath.resolve()
        self._is_worker = hasattr(config, "workerinput")
        self._rows: list[Any] = []
        self._failure = ""
        try:
            limits = _limits(config, max_steps=100_000, trace_bytes=1 << 24, value_bytes=1 << 16)
            self._calls = FailedCalls(project_files(self._root), limits=limits)
        except UserError as error:
            raise pytest.UsageError(f"--deskcheck-on-failure: {error}") from None

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        """Record the fixtures of a test."""
        self._calls.clear()
        with self._calls.recording(where=item.nodeid):
            yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Record the test itself."""
        self._calls.clear()
        with self._calls.recording(where=item.nodeid):
            yield

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        """Write the page of a test that failed before its teardown, and put its index row into the report."""
        outcome: Any = yield
        report = outcome.get_result()
        if report.failed and report.when != "teardown":
            report.user_properties.append(("deskcheck", self._row(item.nodeid, report)))

    def _row(self, name: str, report: pytest.TestReport) -> dict[str, Any]:
        """Write the page of a failed test, and return its row of the index."""
        from msgspec import to_builtins
        from msgspec.structs import replace

        from deskcheck.errors import DeskcheckError
        from deskcheck.viewer.failures import Entry, failure_of, texts_of, write_failure

        redact = self._redactor()
        last = str(report.longrepr).strip().rpartition("\n")[2]
        name, last = (redact.text(name), redact.text(last)) if redact else (name, last)
        try:
            found = self._calls.last()
            if found is None:
                entry = Entry(name, "", last, "nothing of it was recorded", [])
            else:
                program, trace = found
                path = program.origin.split(":")[1]
                texts = dict(texts_of(trace, self._root))
                if redact:
                    for text in texts.values():
                        redact.learn_source(text)
                    program, trace = redact.run(program, trace)
                    name, last = redact.text(name), redact.text(last)
                    texts = {file: redact.source(text) for file, text in texts.items()}
                failure = failure_of(program, trace, path=path, texts=texts)
                entry = write_failure(failure, self._folder, name)
                if not entry.line:  # at a limit the trace does not reach the failing line
                    entry = replace(entry, line=last)
        except (DeskcheckError, OSError) as error:  # a failure here must not change the test's verdict
            entry = Entry(name, "", last, f"its page could not be written: {error}", [])
        sent: dict[str, Any] = to_builtins(entry)
        return sent

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Collect the rows; with xdist the controller process gets those of all workers."""
        self._rows += [row for key, row in report.user_properties if key == "deskcheck"]

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Write the index."""
        from msgspec import convert

        from deskcheck.viewer.failures import Entry, write_index

        if self._rows and not self._is_worker:
            try:
                write_index([convert(row, Entry) for row in self._rows], self._folder)
            except OSError as error:  # it must not change the tests' verdict
                self._failure = f"; {self._folder} cannot be written: {error.strerror}"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say in one line where the pages are."""
        n = len(self._rows)
        if n and not self._is_worker:
            where = self._failure or f", step by step: {self._folder / 'index.html'}"
            terminalreporter.write_line(f"deskcheck: {n} failed {'test' if n == 1 else 'tests'}{where}")


class _Recording:
    """Recorder of the calls into a package, in one process of a test run."""

    def __init__(self, config: pytest.Config) -> None:
        from deskcheck.errors import DeskcheckError, MissingExtra

        try:
            from deskcheck.dataset.calls import CallFolder, Part
        except ModuleNotFoundError as error:
            missing = MissingExtra(str(error.name), "data", "--deskcheck-out")
            raise pytest.UsageError(str(missing)) from None
        self._redactor = _redactor(config)
        self._out = Path(config.getoption("--deskcheck-out")).absolute()
        self._scope: list[str] = config.getoption("--deskcheck-scope")
        self._max_calls: int = config.getoption("--deskcheck-max-calls")
        self._limits = _limits(config, max_steps=2_000, trace_bytes=1 << 20, value_bytes=1 << 12)
        self._tests_s = 0.0
        self._recorder: Any = None
        self._merged: Any = None
        self._failure = ""
        worker: dict[str, Any] | None = getattr(config, "workerinput", None)
        self._folder = None
        try:
            if worker is None:
                self._folder = CallFolder(
                    self._out, scope=self._scope, limits=self._limits, max_calls=self._max_calls
                )
            self._part = Part(self._out, worker=worker["workerid"] if worker else "main")
        except DeskcheckError as error:
            raise pytest.UsageError(f"--deskcheck-out: {error}") from None

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        """Resolve the scope after collection, when conftest files have set the path."""
        from deskcheck.errors import UserError
        from deskcheck.tracing.calls import CallRecorder, package_files

        try:
            scopes = [package_files(name) for name in self._scope]
        except UserError as error:
            raise pytest.UsageError(f"--deskcheck-scope: {error}") from None

        def file_of(filename: str) -> str | None:
            return next((found for scope in scopes if (found := scope(filename)) is not None), None)

        self._recorder = CallRecorder(
            file_of,
            self._add,
            limits=self._limits,
            max_calls=self._max_calls,
            n_kept=self._part.n_kept,
        )

    def _add(self, program: Any, packed: Any) -> bool:
        """Add a call to this process's part of the dataset, without its secrets."""
        from deskcheck.format.buffers import packed_of, trace_of

        redact = self._redactor()
        if redact:
            program, trace = redact.run(program, trace_of(packed))
            packed = packed_of(trace)
        return bool(self._part.add(program, packed))

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        """Record the test itself, not its fixtures."""
        if self._recorder is None:
            yield
            return
        started = time.perf_counter()
        with self._recorder.recording(where=item.nodeid):
            yield
        self._tests_s += time.perf_counter() - started

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """Write the recorded calls; the controller process merges those of all workers."""
        from deskcheck.errors import DeskcheckError

        try:
            if self._recorder is not None:
                self._recorder.close()
                self._part.close(self._recorder.counts, tests_s=self._tests_s)
            if self._folder is not None:
                self._merged = self._folder.merge()
        except DeskcheckError as error:  # a failure here must not change the tests' verdict
            self._failure = str(error)

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print the counts: seen = recorded + each reason for dropping."""
        if self._folder is None:
            return
        terminalreporter.section("deskcheck: calls recorded, not contained, in the tests' own process")
        for line in [f"failed: {self._failure}"] if self._failure else self._lines():
            terminalreporter.write_line(line)

    def _lines(self) -> Iterator[str]:
        found = self._merged
        if found is None:
            return
        yield (
            f"{found.n_seen} outermost calls into {', '.join(self._scope)}: {found.n_kept} recorded, "
            f"{found.n_seen - found.n_kept} not"
        )
        for reason, n in sorted(found.dropped.items(), key=lambda item: -item[1]):
            yield f"  {n:7} {reason}"
        yield (
            f"{found.n_literal} with literal arguments, {found.n_cut} cut at a budget; "
            f"{found.n_events} events, {found.n_bytes / 1e3:,.1f} kB in folder {self._out}"
        )
        yield f"recorded calls took {found.recorded_s:.1f} s of {found.tests_s:.1f} s in tests"


def _redactor(config: pytest.Config) -> Any:
    """Return a function that makes a Redactor for one run; it returns None if nothing is to be hidden."""
    from deskcheck.errors import UserError
    from deskcheck.tracing.redaction.redactor import Redactor, Rules

    if config.getoption("--deskcheck-no-redact"):
        return lambda: None
    try:
        rules = Rules.of(config.rootpath)
    except UserError as error:
        raise pytest.UsageError(str(error)) from None
    return lambda: Redactor(rules, environment=os.environ, option="--deskcheck-no-redact")


def _check_folder(folder: Path) -> None:
    """Raise UsageError for a folder that cannot be made or written; it is not made before a test fails."""
    first = next(place for place in (folder, *folder.parents) if place.exists())
    if not first.is_dir():
        raise pytest.UsageError(f"--deskcheck-on-failure: {first} is a file; name a folder for the pages")
    if not os.access(first, os.W_OK | os.X_OK):
        raise pytest.UsageError(f"--deskcheck-on-failure: {first} cannot be written; name another folder")


def _limits(config: pytest.Config, *, max_steps: int, trace_bytes: int, value_bytes: int) -> Any:
    """Return the budgets of a recorded call or test: the options', else these. UsageError for one below 1."""
    from deskcheck.records import Limits

    steps, size = config.getoption("--deskcheck-max-steps"), config.getoption("--deskcheck-max-bytes")
    steps, size = max_steps if steps is None else steps, trace_bytes if size is None else size
    if min(config.getoption("--deskcheck-max-calls"), steps, size) < 1:
        raise pytest.UsageError("--deskcheck-max-calls, -steps and -bytes must be greater than 0")
    return Limits(max_steps=steps, trace_bytes=size, value_bytes=value_bytes, nodes=2_000, depth=8)
