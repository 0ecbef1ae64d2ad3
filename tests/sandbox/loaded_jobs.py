"""Say which modules a child of the sandbox has loaded.

act(b"") -> their names, with a blank between two
"""

from __future__ import annotations

import sys


def act(_payload: bytes) -> bytes:
    """Return the names of the loaded modules."""
    return " ".join(sys.modules).encode()
