"""The browser of the viewer's tests, for the report's pages."""

from tests.viewer.conftest import browser, open_page

__all__ = ["browser", "open_page"]
