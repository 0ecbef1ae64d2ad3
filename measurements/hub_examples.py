"""Memory of a process that reads the examples of a tuning run: 12 million of 150 tokens, by default.

    python measurements/hub_examples.py [--examples 12000000] [--no-share]

Parts of a run are 65,536 examples each; here one part is made and linked as often as needed, so the disk
holds it once while every link is mapped for itself. Then all rows are laid out, the order of an epoch is
drawn as the trainer draws it, and 2,000 rows are read. Pages of mapped files are the kernel's cache: it drops
them where memory is short.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

PER_PART, PER_GROUP, TOKENS, ANSWER, SHARED, READ = 65_536, 8, 150, 10, 100, 2_000


def main() -> int:
    """Make the parts, lay out the rows, read some; print seconds and the most memory."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--examples", type=int, default=12_000_000)
    parser.add_argument("--no-share", action="store_true", help="each example for itself, more rows")
    given = parser.parse_args()
    try:
        measure(given.examples, share=not given.no_share)
    except ImportError as error:
        print(f"not run: {error.name} is missing (pip install 'deskcheck[train]')")
    return 0


def measure(n_examples: int, *, share: bool) -> None:
    """Make, map and read `n_examples` in this process; print the memory of each part in MB."""
    import numpy as np
    from msgspec.structs import replace
    from torch.utils.data import RandomSampler

    from deskcheck.training.hub.rows import Rows
    from deskcheck.training.hub.shards import Encoded, Stored, _write_part

    draw = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = [
            Encoded(
                draw.integers(0, 100_000, TOKENS, np.int32), TOKENS - ANSWER, 0, n, n // PER_GROUP, SHARED
            )
            for n in range(PER_PART)
        ]
        part = _write_part(folder, "part-00000.arrow", made, Counter(programs=PER_PART // PER_GROUP), [])
        parts = [part]
        for number in range(1, -(-n_examples // PER_PART)):
            file = f"part-{number:05}.arrow"
            os.link(folder / part.file, folder / file)
            parts.append(replace(part, file=file))
        print(f"before: {memory()}")
        started = time.process_time()
        stored = Stored(folder, parts)
        print(f"opened: {memory()}")
        kept = np.ones(len(stored), np.bool_)
        rows = Rows(stored, kept, max_length=4096, share=share, packing=False, seed=0)
        laid_out = time.process_time() - started
        print(f"laid out: {memory()}")
        for count, number in enumerate(RandomSampler(rows)):  # type: ignore[arg-type]
            if count == READ:
                break
            rows[number]
        print(
            f"{len(stored):,} examples of {TOKENS} tokens in {len(rows):,} rows: laid out in "
            f"{laid_out:.0f} s, {memory()}"
        )


def memory() -> str:
    """What this process holds, in MB of 10**6 bytes."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    found = {line.split(":")[0]: int(line.split()[1]) * 1024 // 10**6 for line in lines if "kB" in line}
    return f"{found['RssAnon']:,} MB of its own, {found['RssFile']:,} MB of files mapped into it"


if __name__ == "__main__":
    sys.exit(main())
