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


class Log:
    """What the pages of one test said and asked for."""

    def __init__(self) -> None:
        self.trouble: list[str] = []
        self.asked: list[str] = []


class Watcher:
    """Makes pages, and writes what they say to the log of the test under way."""

    def __init__(self, browser: Any) -> None:
        self.browser = browser
        self.log = Log()

    def page(self, **options: Any) -> Any:
        """A new page in a context of its own, without a network."""
        options = {"viewport": {"width": 1280, "height": 800}, "offline": True} | options
        page = self.browser.new_context(**options).new_page()
        page.set_default_timeout(10_000)  # ms
        page.on("pageerror", lambda error: self.log.trouble.append(f"{error} {error.stack}"))
        page.on(
            "console", lambda m: self.log.trouble.append(m.text) if m.type in ("error", "warning") else None
        )
        page.on(
            "dialog", lambda dialog: (self.log.trouble.append(f"dialog {dialog.message}"), dialog.dismiss())
        )
        page.on("request", lambda request: self.log.asked.append(request.url))
        return page


@pytest.fixture(scope="module")
def watcher(browser: Any) -> Watcher:
    return Watcher(browser)


@pytest.fixture(scope="module")
def plain_page(watcher: Watcher) -> Any:
    """A page for all tests of a file, one after the other; to begin a context takes as long as many tests."""
    return watcher.page()


@pytest.fixture
def open_page(watcher: Watcher, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    """A function: text or file of a page, options of the context -> the page opened, without a network.

    A context of its own have pages with options, and all but the first of a test; `again` is a page of this
    test that shows the text anew. After the test: no error, no message in the console but of `trouble_with`,
    no request but the file's.
    """
    watcher.log = log = Log()
    pages: list[Any] = []
    shared: Any = None
    expected = list(HARMLESS)

    def opened(
        html: str | Path, *, fragment: str = "", trouble_with: str = "", again: Any = None, **options: Any
    ) -> Any:
        nonlocal shared
        expected.extend([trouble_with] if trouble_with else [])
        if again is not None:
            page = again
        elif options or pages:
            page = watcher.page(**options)
        else:
            page = shared = request.getfixturevalue("plain_page")
        pages.append(page)
        file = html if isinstance(html, Path) else tmp_path / f"page{len(pages)}.html"
        if isinstance(html, str):
            file.write_text(html, encoding="utf-8")
        page.goto(file.as_uri() + fragment)
        if options.get("java_script_enabled", True):
            page.evaluate("deskcheck.ready.then(() => true)")
        return page

    yield opened
    for page in pages:
        if page is shared:
            page.mouse.move(0, 0)  # where nothing reacts to it
            page.evaluate("sessionStorage.clear()")
        else:
            page.context.close()
    assert [text for text in log.trouble if not any(word in text for word in expected)] == []
    assert [url for url in log.asked if not url.startswith("file:")] == []
