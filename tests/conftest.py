"""What every test shares: the public data folder, golden files, Hypothesis settings.

    def test_x(data): data("cruxeval/cruxeval.jsonl").read_text()    # skips, with the reason, if it is absent
    def test_y(golden): golden("trace_collatz.txt", text)            # `pytest --update-golden` writes it anew

Hypothesis draws the same examples in every run; `HYPOTHESIS_PROFILE=explore` draws new ones, and more.
"""

from __future__ import annotations

import functools
import gc
import gzip
import importlib.metadata
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

PUBLIC = Path(__file__).parent / "public"
RERUN = Path(__file__).parent / "sandbox"
IS_MAIN_PYTHON = sys.version_info[:2] == (3, 11)
"""The one on which everything runs; tests marked `one_python`, and those of a browser, run on no other."""
LONG_FIRST = (
    "browser/test_site.py",
    "test_readme.py",
    "test_time_to_read.py",
    "evaluation/test_grade_parity.py",
    "languages/c/test_tracer.py",
    "evaluation/test_pairs.py",
    "evaluation/test_error_injection.py",
    "benchmarks/test_real_data.py",
    "benchmarks/test_contract.py",
    "tables/test_presets_run.py",
    "tracing/test_redaction.py",
    "test_third_party.py",
    "dataset/test_ahead.py",
    "dataset/test_build_command.py",
    "test_extension.py",
    "cli/test_demo.py",
    "cli/test_examples.py",
    "decontamination/test_near.py",
    "tracing/test_lines.py",
    "dataset/test_killed.py",
    "test_imports.py",
    "test_damage.py",
    "statistics/test_coverage.py",
    "test_errors.py",
    "viewer/test_page.py",
    "layouts/test_laws.py",
    "benchmarks/test_core.py",
    "tracing/test_hidden.py",
    "test_pytest_failures.py",
    "tracing/test_collect.py",
    "training/test_downstream.py",
    "report/test_browser.py",
    "solutions/test_checks.py",
    "tracing/test_native.py",
    "tracing/test_packed.py",
    "training/test_chains.py",
    "languages/test_every_language.py",
    "programs/test_functions.py",
    "evaluation/test_transformers_serve.py",
    "test_wheel.py",
    "test_bars.py",
    "sandbox/test_budgets_leave_no_mark.py",
    "api/test_examples.py",
    "cli/test_view_as_trace.py",
    "evaluation/test_grade_command.py",
    "sandbox/test_sandbox_run.py",
    "evaluation/test_levels.py",
)
"""Files of eight seconds and more begin, so that no worker waits for the others at the end.

`test_wheel.py` is among the last of them: until then the wheel is built.
"""
# Inspect looks through the files of all distributions at each task of a package that is installed editable.
importlib.metadata.packages_distributions = functools.cache(importlib.metadata.packages_distributions)
# Several workers and servers share the processors: threads of torch that wait for one another only take time.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["DESKCHECK_TRUTH"] = "off"  # nothing is left in the user's cache, and no test finds another's runs

settings.register_profile(
    "same", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile(
    "explore", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


class Failures:
    """A line for each failure at the time it happens: a run of ten minutes is not watched to its end."""

    def __init__(self, config: pytest.Config) -> None:
        self._plugins = config.pluginmanager

    @pytest.hookimpl(trylast=True)  # after the letter of the test
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed or report.outcome == "rerun":
            self._write(report, report.when)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._write(report, "import")

    def _write(self, report: pytest.TestReport | pytest.CollectReport, when: str) -> None:
        terminal = self._plugins.get_plugin("terminalreporter")  # it comes after the conftest
        if terminal is not None:
            crash = getattr(report.longrepr, "reprcrash", None)
            why = str(crash.message if crash else report.longrepr or "").strip().partition("\n")[0]
            verdict = "FAILED" if report.failed else "RERUN"
            part = f" ({when})" * (when != "call")
            terminal.write_line(f"\n{verdict} NOW {report.nodeid}{part}: {why[:300]}")


def pytest_configure(config: pytest.Config) -> None:
    """Ctrl-C as a terminal gives it, to the tests and what they start: a job in the background ignores it.

    Failures are printed at once, by the process that has the terminal and not by its workers. Files go to the
    workers in the order of LONG_FIRST, not by the number of their tests.
    """
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Failures(config))
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--rerun-sandbox", action="store_true", help="run failed tests of the sandbox again, twice"
    )
    parser.addoption(
        "--every-test", action="store_true", help="on this Python also what says the same on every one"
    )
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Only tests of the sandbox may fail once: they race clocks. Long files begin; `one_python` on 3.11."""
    if config.getoption("--rerun-sandbox"):
        for item in items:
            if RERUN in item.path.parents:
                item.add_marker(pytest.mark.flaky(reruns=2, reruns_delay=2))
    place = {Path(__file__).parent / name: number for number, name in enumerate(LONG_FIRST)}
    items.sort(key=lambda item: place.get(item.path, len(place)))
    if not IS_MAIN_PYTHON and not config.getoption("--every-test"):
        same = [
            item
            for item in items
            if item.get_closest_marker("one_python") or "open_page" in getattr(item, "fixturenames", ())
        ]
        config.hook.pytest_deselected(items=same)
        items[:] = [item for item in items if item not in set(same)]


def pytest_collection_finish() -> None:
    """All modules are loaded: no later collection goes through them again, after a run of Inspect neither."""
    gc.collect()
    gc.freeze()
    gc.unfreeze = lambda: None


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Why a test was run again: the plug-in that does it names the test alone. What was left out."""
    if not IS_MAIN_PYTHON and not terminalreporter.config.getoption("--every-test"):
        terminalreporter.write_line("tests marked one_python ran on 3.11 alone; here too with --every-test")
    for report in terminalreporter.stats.get("rerun", []):
        terminalreporter.section(f"why {report.nodeid} was run again")
        terminalreporter.write_line(report.longreprtext)


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """A function: relative name -> path of a file of public data; the test is skipped where it is absent.

    Files that ship with the tests (`tests/public`) are there in any case.
    """
    unpacked = tmp_path_factory.mktemp("public")

    def find(name: str) -> Path:
        folder = os.environ.get("DESKCHECK_DATA", "")
        shipped, path = PUBLIC / f"{name}.gz", unpacked / name
        if shipped.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(gzip.decompress(shipped.read_bytes()))
            return path
        if not folder:
            pytest.skip(f"needs public data '{name}': DESKCHECK_DATA does not name a folder")
        path = Path(folder).resolve() / name
        if not path.exists():
            pytest.skip(f"needs public data '{name}': not in the folder that DESKCHECK_DATA names")
        return path

    return find


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """A function: name, text -> asserts that the text is that of `golden/<name>` beside the test file."""

    def check(name: str, text: str) -> None:
        path = request.path.parent / "golden" / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), (
            f"no golden file {path.name}; write it with: pytest --update-golden {request.path.name}"
        )
        assert text == path.read_text(encoding="utf-8")

    return check
