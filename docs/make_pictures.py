"""Take the pictures of the docs: `python docs/make_pictures.py` writes docs/viewer.png and docs/report.png.

The shipped model executes a small program beside the truth; the page stands at the first divergence. It then
answers held-out and hand-written programs in two ways; the report stands at its first screen. Needs
playwright, a Chromium and the extra `eval`.
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
ASKED = (("easy", "100"), ("core", "20"))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        viewer, report, logs = (Path(folder) / name for name in ("page.html", "report.html", "logs"))
        deskcheck(
            "view", "examples/gcd.py", "--call", "f(1071, 462)", "--model", "tiny", "--out", str(viewer)
        )
        for benchmark, limit in ASKED:
            strategies = ["--strategy", "direct", "--strategy", "sub", "--max-steps", "60"]
            deskcheck(
                *("eval", "--model", "tiny", "--benchmark", benchmark, "--limit", limit),
                *("--log-dir", str(logs), *strategies),
            )
        deskcheck("report", str(logs), "--out", str(report))
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        take(browser, viewer, "viewer.png", height=640)
        take(browser, report, "report.png", height=720)
        browser.close()


def deskcheck(*arguments: str) -> None:
    """Run one command; an evaluation with unread answers ends with 1."""
    done = subprocess.run([sys.executable, "-m", "deskcheck", *arguments], cwd=DOCS.parent, check=False)
    if done.returncode > 1:
        sys.exit(done.returncode)


def take(browser: Any, file: Path, name: str, *, height: int) -> None:
    """Write one picture of a page's first screen."""
    page = browser.new_page(viewport={"width": WIDTH, "height": height}, color_scheme="light")
    page.goto(file.as_uri())
    page.evaluate("deskcheck.ready.then(() => true)")
    page.wait_for_timeout(500)
    page.screenshot(path=DOCS / name)
    page.close()
    print(f"{DOCS / name}: {(DOCS / name).stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
