"""A headless Chromium for the tests of pages; where there is none they are skipped, with the reason."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

# A change of size that is told within one frame is told again in the next: no trouble of ours.
HARMLESS = ("ResizeObserver loop",)


@pytest.fixture(scope="module")  # its event loop must end before other tests run theirs
def browser() -> Iterator[Any]:
    api = pytest.importorskip(
        "playwright.sync_api", reason="pages need playwright: pip install deskcheck[dev]"
    )
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("pages need a Chromium: apt-get install chromium")
    arguments = ["--disable-dev-shm-usage", "--force-color-profile=srgb", "--no-sandbox"]
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=arguments)
        yield found
        found.close()


Opened = Callable[..., Any]


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Opened]:
    """A function: text or file of a page, options of the context -> the page opened, without a network.

    After the test: no error, no message in the console but of `trouble_with`, no request but the file's.
    """
    contexts, trouble, asked, expected = [], [], [], list(HARMLESS)

    def opened(html: str | Path, *, fragment: str = "", trouble_with: str = "", **options: Any) -> Any:
        expected.extend([trouble_with] if trouble_with else [])
        options = {"viewport": {"width": 1280, "height": 800}, "offline": True} | options
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)  # ms
        page.on("pageerror", lambda error: trouble.append(f"{error} {error.stack}"))
        page.on("console", lambda m: trouble.append(m.text) if m.type in ("error", "warning") else None)
        page.on("dialog", lambda dialog: (trouble.append(f"dialog {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: asked.append(request.url))
        file = html if isinstance(html, Path) else tmp_path / f"page{len(contexts)}.html"
        if isinstance(html, str):
            file.write_text(html, encoding="utf-8")
        page.goto(file.as_uri() + fragment)
        if options.get("java_script_enabled", True):
            page.evaluate("deskcheck.ready.then(() => true)")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [text for text in trouble if not any(word in text for word in expected)] == []
    assert [url for url in asked if not url.startswith("file:")] == []
