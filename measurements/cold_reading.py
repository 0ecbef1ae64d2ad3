"""Ten pages and ten modules for two readers who did not write them, drawn by a seed.

    python measurements/cold_reading.py [--seed 18] [--commit c1b34fd]

Each reader marks the sentences that docs/glossary.md and our rules for words forbid, or that had to be read
twice; a page may have two. Drawn among the pages that people write and the modules of the package, as a
commit has them, without the programs of benchmarks: a later file changes no draw. What was marked and mended
stands in docs/log/.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
from pathlib import Path

PROGRAMS = ("core_problems", "classic_programs", "written")
ROOT = Path(__file__).parents[1]
BY_SCRIPTS = (
    "docs/strategies/",
    "docs/results.md",
    "docs/audit.md",
    "docs/api.md",
    "docs/commands.md",
    "docs/layouts.md",
)


def main() -> None:
    """Print ten pages and ten modules, one path a line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=18)
    parser.add_argument("--commit", default="c1b34fd")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    command = ["git", "-C", str(ROOT), "ls-tree", "-r", "--name-only", options.commit]
    names = sorted(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())
    names = [
        name for name in names if not name.startswith(BY_SCRIPTS) and Path(name).parent.name not in PROGRAMS
    ]
    pages = [name for name in names if re.fullmatch(r"docs/.*\.md|README.md|CONTRIBUTING.md", name)]
    modules = [name for name in names if re.fullmatch(r"src/deskcheck/.*\.py", name)]
    for drawn in (pages, modules):
        print(*sorted(rng.sample(drawn, 10)), sep="\n")


if __name__ == "__main__":
    main()
