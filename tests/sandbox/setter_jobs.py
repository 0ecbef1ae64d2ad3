"""Run a text of Python inside a child of the sandbox, and give back what it calls `out`.

act(b"out = 3") -> b"3"
"""

from __future__ import annotations


def act(payload: bytes) -> bytes:
    """Return the text of `out`, or of the exception."""
    names: dict[str, object] = {}
    try:
        exec(payload, names)
    except Exception as error:
        return repr(error).encode()
    return repr(names.get("out")).encode()
