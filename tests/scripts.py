"""Scripts of measurements/ and docs/ as modules, for the tests that look into them.

load_script("measurements/equal_output.py").digest(b"")
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]


def load_script(name: str) -> ModuleType:
    """The file of that path, run as a module of its own and not kept."""
    spec = importlib.util.spec_from_file_location(f"script_{Path(name).stem}", ROOT / name)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
