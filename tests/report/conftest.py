"""The browser of the viewer's tests, for the report's pages."""

from tests.viewer.conftest import browser, open_page, plain_page, watcher

__all__ = ["browser", "open_page", "plain_page", "watcher"]
