"""Take the README's picture of the step viewer: `python docs/make_pictures.py` writes docs/viewer.png.

The shipped model executes a small program beside the truth; the page stands at the first divergence. Needs
playwright, a Chromium and the extra `eval`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

DOCS = Path(__file__).parent
SIZE = {"width": 1180, "height": 640}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "page.html"
        call = "f(1071, 462)"
        command = [sys.executable, "-m", "deskcheck", "view", "examples/gcd.py", "--call", call]
        command += ["--model", "tiny", "--out", str(page_file)]
        subprocess.run(command, check=True, cwd=DOCS.parent)
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(page_file.as_uri())
        page.evaluate("deskcheck.ready.then(() => true)")
        page.wait_for_timeout(500)
        page.screenshot(path=DOCS / "viewer.png")
        browser.close()
    print(f"{DOCS / 'viewer.png'}: {(DOCS / 'viewer.png').stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
