"""The parsers that ship are those that are pinned, and the base package does not load them."""

from __future__ import annotations

import subprocess
import sys

import javascript_parsers as vendor


def test_what_ships_is_what_is_pinned():
    assert vendor.check() == []
    assert all(pin["license"] == "MIT" for pin in vendor.pins())


def test_a_changed_parser_is_told(tmp_path, monkeypatch):
    for path in vendor.VENDOR.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    with open(tmp_path / "acorn.js", "a") as file:
        file.write(" ")
    monkeypatch.setattr(vendor, "VENDOR", tmp_path)
    assert vendor.check() == ["acorn.js differs from its pin (acorn 8.19.0)"]


def test_the_base_package_loads_no_engine():
    code = "import sys, deskcheck.cli; print([m for m in sys.modules if 'javascript' in m or 'racer' in m])"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "[]\n"
