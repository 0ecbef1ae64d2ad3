"""Which source tree made a dataset, a run or a model.

commit() -> "4ca4619f.. with changes"
"""

from __future__ import annotations

import subprocess
from pathlib import Path

UNKNOWN = "unknown"


def commit() -> str:
    """The commit of the source tree that this runs from, with a mark if the package differs from it.

    "unknown" for an installed wheel, and where there is no git. Only changes of the package itself count.
    """
    folder = str(Path(__file__).parent)

    def git(*words: str) -> str:
        command = ["git", "-C", folder, *words, "--", folder]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()

    try:
        found = git("log", "-1", "--format=%H")
        changed = bool(found and git("status", "--porcelain"))
    except OSError:
        return UNKNOWN
    return f"{found} with changes" if changed else found or UNKNOWN
