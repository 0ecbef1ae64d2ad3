"""Speed and memory of the site of `deskcheck demo --site` in a real Chromium that has one core.

    python measurements/demo_site.py [--rounds 3]

Each round has a browser of its own with empty caches. First step: seconds from the request for the page to
the network's first step on the first example, which is executed as soon as the page allows it. Steps a
second: of each of the twelve examples, from its first step to its last. Memory: the largest sum of the
proportional set sizes of all processes of the browser, which counts a shared page once. Medians over rounds,
the largest in brackets. Other work on the machine adds to the times, and little to the processor time, which
all processes of the browser take together.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import tempfile
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright

from deskcheck.browser.examples import examples
from deskcheck.browser.site import server_of, write_site

WAIT_S = 120.0


class Speed(NamedTuple):
    """Steps a second, and steps for each second of processor time."""

    by_clock: float
    by_processor: float


class Round(NamedTuple):
    """Times in seconds, speeds and largest memory in MB of one browser, from opening to the last example."""

    ready_s: float
    first_step_s: float
    first_step_cpu_s: float
    """Processor time until the first step."""
    speeds: list[Speed]
    """Of each example with at least five steps."""
    memory_mb: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, size in write_site(folder):
            print(f"{name:16} {size / 1e6:5.1f} MB")
        server = server_of(folder)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/"
        rounds = [measured(address) for _ in range(options.rounds)]
        server.shutdown()
    print(f"{options.rounds} browsers on one core, caches empty: median (largest)")
    for what, values in (
        ("Python is ready, s", [one.ready_s for one in rounds]),
        ("first step of the network, s", [one.first_step_s for one in rounds]),
        ("processor time until then, s", [one.first_step_cpu_s for one in rounds]),
        ("memory of all processes, MB", [one.memory_mb for one in rounds]),
    ):
        print(f"{what:30} {statistics.median(values):7.1f} ({max(values):.1f})")
    speeds = [speed for one in rounds for speed in one.speeds]
    for what, rates in (
        ("steps a second", [speed.by_clock for speed in speeds]),
        ("steps a second of processor time", [speed.by_processor for speed in speeds]),
    ):
        print(
            f"{what}: {statistics.median(rates):.1f}, "
            f"slowest of {len(rates)} runs {min(rates):.1f}, fastest {max(rates):.1f}"
        )


def measured(address: str) -> Round:
    """Open the site in a fresh browser that has one core, and execute all examples."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    core = min(os.sched_getaffinity(0))
    with sync_playwright() as playwright:
        command = f'#!/bin/sh\nexec taskset -c {core} {path} "$@"\n'
        with tempfile.TemporaryDirectory() as folder:
            pinned = Path(folder) / "chromium"
            pinned.write_text(command)
            pinned.chmod(0o755)
            browser = playwright.chromium.launch(executable_path=str(pinned), args=["--no-sandbox"])
            page = browser.new_page()
            memory = Memory()
            began = time.monotonic()
            page.goto(address)
            until(page, "!document.getElementById('execute').disabled")
            ready_s = time.monotonic() - began
            page.click("#execute")
            until(page, "deskcheckSite.steps.length > 0")
            first_s, first_cpu_s = time.monotonic() - began, processor_time()
            speeds = [speed for at in range(len(examples())) if (speed := executed(page, at)) is not None]
            peak = memory.stop()
            browser.close()
    return Round(ready_s, first_s, first_cpu_s, speeds, peak / 1e6)


def executed(page: Any, at: int) -> Speed | None:
    """Execute an example to its end; None below five steps."""
    until(page, "deskcheckSite.state === 'ready'")
    page.select_option("#example", str(at))
    page.check("#beyond")
    until(page, "!document.getElementById('execute').disabled")
    before = processor_time()
    page.click("#execute")
    until(page, "deskcheckSite.state === 'ready'")
    n, seconds = page.evaluate(
        "[deskcheckSite.steps.length, (deskcheckSite.last - deskcheckSite.first) / 1000]"
    )
    return Speed((n - 1) / seconds, n / (processor_time() - before)) if n >= 5 else None


def until(page: Any, condition: str) -> None:
    """Wait for a condition; the page's content policy forbids that of playwright."""
    end = time.monotonic() + WAIT_S
    while not page.evaluate(condition):
        if time.monotonic() > end:
            raise TimeoutError(f"{condition}: {page.inner_text('#status')}")
        time.sleep(0.02)


class Memory:
    """The largest memory of all processes of the browser, looked at four times a second."""

    def __init__(self) -> None:
        self.peak, self._ends = 0, threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()

    def stop(self) -> int:
        """End the watching; return the largest memory of all processes, in bytes."""
        self._ends.set()
        self._thread.join()
        return self.peak

    def _watch(self) -> None:
        while not self._ends.wait(0.25):
            self.peak = max(self.peak, sum(map(proportional_size, browser_processes())))


def browser_processes() -> list[int]:
    """Processes of Chromium that this one began, itself or through others."""
    parents: dict[int, int] = {}
    programs: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                programs[int(entry.name)] = os.readlink(entry / "exe")
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:  # it has ended, or is another user's
                continue
    ours = {os.getpid()}
    while new := {pid for pid, parent in parents.items() if parent in ours} - ours:
        ours |= new
    return [pid for pid, program in programs.items() if pid in ours and "chrom" in Path(program).name]


def processor_time() -> float:
    """Seconds of processor time that the processes of the browser took so far."""
    ticks = 0
    for pid in browser_processes():
        try:
            fields = (Path("/proc") / str(pid) / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def proportional_size(pid: int) -> int:
    """Bytes of a process, a page that n processes share counted as its nth part; 0 if it has ended."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    size = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(size[1]) * 1024 if size else 0


if __name__ == "__main__":
    main()
