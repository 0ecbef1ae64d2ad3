"""A disk that takes no more, said in one way: torch and safetensors say it in words of their own.

with disk(out):
    torch.save(..)
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deskcheck.errors import DataError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
UNWRITTEN = ("inline_container", "PytorchStreamWriter", "No space left", "I/O error", "File too large")
"""What torch's and safetensors' errors say when a file cannot be written."""


@contextmanager
def disk(out: Path) -> Iterator[None]:
    """DataError where a file below `out` could not be written."""
    from safetensors import SafetensorError

    try:
        yield
    except (RuntimeError, SafetensorError, OSError) as error:
        is_full = isinstance(error, OSError) and error.errno in FULL
        if not is_full and not any(mark in str(error) for mark in UNWRITTEN):
            raise
        free = shutil.disk_usage(out).free / 2**20
        raise DataError(
            f"'{out}': a file could not be written ({free:,.0f} MiB are free); what was finished before is "
            "kept, and the same command with --resume goes on from the last whole checkpoint"
        ) from error
