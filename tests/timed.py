"""Run a command, print its processor time, and leave the figure for tests/test_bars.py.

    python -m tests.timed .venv/quick.json python -m pytest tests/format

Processor time of the command and of all its processes: unlike a clock it says the same on a busy machine.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path


def main(record: str, *command: str) -> int:
    """Run the command and return its exit status; only a success is recorded."""
    status = subprocess.run(command, check=False).returncode
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = round(used.ru_utime + used.ru_stime, 1)
    print(f"{seconds} s of processor time")
    if not status:
        Path(record).write_text(json.dumps({"processor_s": seconds}), encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
