"""Read the figures of two papers, Execution Tuning and "Large Language Models as Code Executors".

PUBLISHED["execution_tuning"]["longest"]["collatz"]    from published.toml, which names the sources
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

PUBLISHED: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
