"""The site of `deskcheck demo --site`, written once and served; skipped where its parts can't be had."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.viewer.conftest import HARMLESS, browser

from deskcheck.browser import site as writing
from deskcheck.errors import Unobtainable

__all__ = ["browser"]
EXPECTED = (
    *HARMLESS,
    "Pyodide has suffered a fatal error",
    "Maximum call stack",
    "Stack trace",
    "The cause of the fatal error was:",
    "Evaluating a string as JavaScript",
)
"""Beginnings of what the console may say: a program that is nested too deeply ends its Python, and axe tries
to evaluate a text. The page's policy forbids that, so nothing of the page can do it."""
LOAD_S = 90.0
"""Most seconds that a page may take for one thing on a machine with other work."""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder, in a folder of its own, so that a page finds its files only by relative names."""
    root = tmp_path_factory.mktemp("host")
    try:
        writing.write_site(str(root / "a" / "demo"))
    except Unobtainable as error:
        pytest.skip(f"the parts of the site: {error}")
    return root / "a" / "demo"


@pytest.fixture(scope="session")
def host(site: Path) -> Iterator[str]:
    """The address of the site in a subfolder of a static host."""
    server = writing.server_of(str(site.parents[1]))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}/a/demo/"
    server.shutdown()
    server.server_close()
    thread.join()


class Site:
    """A page of the site, and what it said and asked for."""

    def __init__(self, page: Any, address: str) -> None:
        self.page, self.address = page, address
        self.trouble: list[str] = []
        self.asked: list[str] = []
        page.on("pageerror", lambda error: self.trouble.append(f"{error} {error.stack}"))
        page.on("console", lambda m: self.trouble.append(m.text) if m.type in ("error", "warning") else None)
        page.on("dialog", lambda dialog: (self.trouble.append(dialog.message), dialog.dismiss()))
        page.context.on("request", lambda request: self.asked.append(request.url))

    def until(self, condition: str, within: float = LOAD_S) -> None:
        """Wait for a condition; the page's content policy forbids that of playwright."""
        end = time.monotonic() + within
        while not self.page.evaluate(condition):
            assert time.monotonic() < end, (condition, self.page.inner_text("#status"), self.trouble)
            time.sleep(0.03)

    def ready(self) -> None:
        """Wait until a run can begin."""
        self.until("!document.getElementById('trace').disabled")

    def type(self, source: str, call: str) -> None:
        """Fill the form."""
        self.page.fill("#source", source)
        self.page.fill("#call", call)

    def run(self, source: str, call: str, *, button: str = "execute") -> dict[str, Any]:
        """Run a call to its end; what the page knows of it."""
        self.ready()
        self.type(source, call)
        self.page.click(f"#{button}")
        self.until("deskcheckSite.state !== 'running'")
        known: dict[str, Any] = self.page.evaluate("deskcheckSite")
        return known | {"status": self.page.inner_text("#status")}

    def shown(self, selector: str) -> str:
        """The text of an element of the viewer, once the viewer has written it."""
        element = self.page.frame_locator("#viewer iframe").locator(selector)
        end = time.monotonic() + LOAD_S
        while not (text := element.inner_text()):
            assert time.monotonic() < end, (selector, self.page.inner_text("#status"), self.trouble)
            time.sleep(0.03)
        return str(text)

    def outcome(self) -> str:
        """What the viewer says of the end of the run."""
        return self.shown("#outcome")

    def saved(self) -> bytes:
        """The bytes of the run that the page offers."""
        with self.page.expect_download() as download:
            self.page.click("#save")
        return Path(download.value.path()).read_bytes()


@pytest.fixture(scope="module")
def page(browser: Any, host: str) -> Iterator[Site]:
    """One page for all tests of a file; in the end nothing else was asked, and there was no trouble."""
    opened = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    opened.set_default_timeout(20_000)  # ms
    site = Site(opened, host)
    opened.goto(host)
    yield site
    opened.context.close()
    assert [text for text in site.trouble if not any(word in text for word in EXPECTED)] == []
    allowed = (host, f"blob:{host[: host.index('/a/')]}", "about:")
    assert [url for url in site.asked if not url.startswith(allowed)] == []
