"""Size and speed of the pages of `deskcheck view` in a real Chromium: opened, stepped, jumped about.

    python measurements/viewing.py [--steps 100000|1000000] [--only NAME]

Five programs of about that many steps each, three of 1,000,000. Bytes a step count the whole file, shell
included. Times are medians (and the largest) until the drawing is laid out; a busy machine adds to them.
Needs playwright and a Chromium (`apt-get install chromium`). `.ci/run` prints both sizes on every push.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from deskcheck.records import Limits
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program
from deskcheck.viewer.document import View, page_of, shell_bytes

SOURCE = """\
def bubble(n):
    seed, xs = 12345, []
    for i in range(n):
        seed = (seed * 1103515245 + 12345) % 2147483648
        xs.append(seed % 1000)
    for i in range(n):
        for j in range(n - 1 - i):
            if xs[j] > xs[j + 1]:
                t = xs[j]
                xs[j] = xs[j + 1]
                xs[j + 1] = t
    return xs

def collatz(limit):
    best = 0
    for start in range(1, limit):
        n, steps = start, 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        best = max(best, steps)
    return best

def words(n):
    text, count = '', {}
    for i in range(n):
        text += chr(97 + i * 7 % 26)
        word = text[-5:]
        count[word] = count.get(word, 0) + 1
    return len(text)

class Node:
    def __init__(self, value):
        self.value = value
        self.next = None

def linked(n):
    head = None
    for i in range(n):
        node = Node(i)
        node.next = head
        head = node
    total = 0
    while head:
        total += head.value
        head = head.next
    return total

def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
"""
# Calls of about 100,000 steps, and of at least 1,000,000.
CALLS = (("bubble", 238), ("collatz", 640), ("words", 25_000), ("linked", 11_100), ("fib", 23))
LONG_CALLS = (("bubble", 755), ("collatz", 5_500), ("words", 250_000))
WALK = """async () => {
  const field = document.getElementById("step"), next = document.querySelector('[data-move="next"]');
  const n = parseInt(document.getElementById("of").textContent.replace(/\\D/g, ""));
  const timed = (act) => {
    const start = performance.now();
    act();
    document.body.offsetHeight;
    return performance.now() - start;
  };
  const jumps = [], steps = [];
  for (let i = 0; i < 60; i++) {
    field.value = 1 + (i * 7919 * 31) % n;
    jumps.push(timed(() => field.dispatchEvent(new Event("change"))));
  }
  for (let i = 0; i < 100; i++) steps.push(timed(() => next.click()));
  return { open: performance.getEntriesByName("deskcheck-drawn")[0].startTime, jumps, steps };
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100_000)
    parser.add_argument("--only", choices=[name for name, _ in CALLS], help="one program")
    options = parser.parse_args()
    wanted, calls = options.steps, CALLS if options.steps <= 100_000 else LONG_CALLS
    print(f"shell: {shell_bytes():,} bytes")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        print(f"Chromium {browser.version}; times in ms: median (largest)")
        columns = f"{'program':10} {'steps':>9} {'bytes':>9} {'a step':>6} {'written s':>9} {'open':>6}"
        print(f"{columns}  step          jump")
        for name, argument in [call for call in calls if options.only in (None, call[0])]:
            print(measured(browser, Path(folder), name, argument, wanted), flush=True)


def measured(browser: Any, folder: Path, name: str, argument: int, wanted: int) -> str:
    """One line of the table."""
    program = make_program(SOURCE, name, str(argument), origin="measurement")
    limits = Limits(max_steps=wanted, trace_bytes=1 << 30)
    trace = trace_program(program, limits)
    start = time.process_time()
    text = page_of(View(program, [trace]))
    written_s = time.process_time() - start
    file = folder / f"{name}.html"
    file.write_text(text, encoding="utf-8")
    page = browser.new_page()
    opened = []
    for _ in range(5):
        page.goto(file.as_uri())
        page.evaluate("deskcheck.ready.then(() => true)")
        opened.append(page.evaluate("performance.getEntriesByName('deskcheck-drawn')[0].startTime"))
    page.wait_for_timeout(2000)
    found = page.evaluate(WALK)
    page.close()
    times = [f"{statistics.median(found[key]):5.1f} ({max(found[key]):5.1f})" for key in ("steps", "jumps")]
    size = len(text.encode())
    return (
        f"{name:10} {trace.n_steps:>9,} {size:>9,} {size / trace.n_steps:>6.2f} {written_s:>9.2f} "
        f"{statistics.median(opened):>6.0f}  {times[0]} {times[1]}"
    )


if __name__ == "__main__":
    main()
