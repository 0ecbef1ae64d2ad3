"""Give `platform` the processor's name, for which the standard library would start `uname -p`.

prepare()        in the zygote, once: no program is there yet, and a program may start none

`platform.platform()`, `platform.uname()` unpacked and `platform.processor()` ask for it.
"""

from __future__ import annotations

import os
import platform
from typing import Any

_COMMAND = ["uname", "-p"]


def prepare() -> None:
    """Make `platform.processor()` answer from now on what the command prints here."""
    name = _printed()
    processors: Any = vars(platform).get("_Processor")
    if processors is not None and not hasattr(processors, "get_linux"):
        processors.get_linux = lambda: name


def _printed() -> str:
    """Return what the command prints; "" if it cannot be run, as `platform` takes it then."""
    reader, writer = os.pipe()
    try:
        redirected = [(os.POSIX_SPAWN_DUP2, writer, 1)]
        process = os.posix_spawnp(_COMMAND[0], _COMMAND, {}, file_actions=redirected)
    except OSError:
        os.close(reader)
        return ""
    finally:
        os.close(writer)
    with open(reader, "rb") as printed:
        text = printed.read()
    status = os.waitpid(process, 0)[1]
    return "" if status else text.decode("utf-8", "replace").strip()
