"""Report a full disk with one message, whatever error torch or safetensors raises.

with report_full_disk(out):
    torch.save(..)
-> DataError: could not write to 'runs/a': No space left on device; 12 MiB are free on its disk. ..
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deskcheck.errors import DataError

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_WRITE_ERRORS = ("inline_container", "PytorchStreamWriter", "No space left", "I/O error", "File too large")
"""Texts by which failed writes of torch and safetensors are recognized."""


@contextmanager
def report_full_disk(out: Path) -> Iterator[None]:
    """Raise DataError if the block cannot write a file. `out`: its folder, for the message."""
    from safetensors import SafetensorError

    try:
        yield
    except (RuntimeError, SafetensorError, OSError) as error:
        is_full = isinstance(error, OSError) and error.errno in _FULL
        if not is_full and not any(mark in str(error) for mark in _WRITE_ERRORS):
            raise
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        free = shutil.disk_usage(out).free / 2**20
        raise DataError(
            f"could not write to '{out}': {reason.splitlines()[0]}; {free:,.0f} MiB are free on its disk. "
            "Earlier checkpoints are kept. Free some space, then run the same command with --resume"
        ) from error
