"""Take the pictures of the docs: viewer.png, javascript.png and report.png.

    python docs/make_pictures.py                all three
    python docs/make_pictures.py javascript     that picture alone

The shipped model executes a small program beside the truth; the page stands at the first divergence. A
program in JavaScript stands at the expressions of one line. The model then answers held-out and hand-written
programs in two ways; the report stands at its first screen. Needs playwright, a Chromium, and the extras
`eval` and `javascript`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parent
WIDTH = 1180
HEIGHTS = {"viewer": 640, "javascript": 600, "report": 720}
AT = {"javascript": "#s=10&v=expression"}
"""Name of a picture -> the moment at which its page stands; others stand where they open."""
ASKED = (("easy", "100"), ("core", "20"))


def main() -> None:
    wanted = sys.argv[1:] or ["viewer", "javascript", "report"]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for name in wanted:
            page = Path(folder) / f"{name}.html"
            PAGES[name](page)
            take(browser, page, f"{name}.png", at=AT.get(name, ""), height=HEIGHTS[name])
        browser.close()


def write_viewer(page: Path) -> None:
    deskcheck("view", "examples/gcd.py", "--call", "f(1071, 462)", "--model", "tiny", "--out", str(page))


def write_javascript(page: Path) -> None:
    deskcheck("view", "examples/anagrams.js", "--call", "f(['tea', 'tan', 'eat'])", "--out", str(page))


def write_report(page: Path) -> None:
    logs = page.with_name("logs")
    for benchmark, limit in ASKED:
        strategies = ["--strategy", "direct", "--strategy", "sub", "--max-steps", "60"]
        deskcheck(
            *("eval", "--model", "tiny", "--benchmark", benchmark, "--limit", limit),
            *("--log-dir", str(logs), *strategies),
        )
    deskcheck("report", str(logs), "--out", str(page))


PAGES = {"viewer": write_viewer, "javascript": write_javascript, "report": write_report}


def deskcheck(*arguments: str) -> None:
    """Run one command; an evaluation with unread answers ends with 1."""
    done = subprocess.run([sys.executable, "-m", "deskcheck", *arguments], cwd=DOCS.parent, check=False)
    if done.returncode > 1:
        sys.exit(done.returncode)


def take(browser: Any, file: Path, name: str, *, at: str, height: int) -> None:
    """Write one picture of a page's first screen, at a moment of its address."""
    page = browser.new_page(viewport={"width": WIDTH, "height": height}, color_scheme="light")
    page.goto(file.as_uri() + at)
    page.evaluate("deskcheck.ready.then(() => true)")
    page.wait_for_timeout(500)
    page.screenshot(path=DOCS / name)
    page.close()
    print(f"{DOCS / name}: {(DOCS / name).stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
