"""Figures of two papers, read from published.toml: PUBLISHED["execution_tuning"]["longest"]["collatz"]."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

PUBLISHED: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
