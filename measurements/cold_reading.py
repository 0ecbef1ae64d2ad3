"""Ten pages and ten modules for two readers who did not write them, drawn by a seed.

    python measurements/cold_reading.py [--seed 18]

Each reader marks the sentences that docs/glossary.md and our rules for words forbid, or that had to be read
twice; a page may have two. Drawn among the pages that people write (tests/test_docs_length.py) and the
modules of the package, the problems of `core` apart; what was marked and mended stands in docs/log/.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

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
    rng = random.Random(parser.parse_args().seed)
    pages = [*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    modules = ROOT.glob("src/deskcheck/**/*.py")
    for paths in (pages, modules):
        names = sorted(path.relative_to(ROOT).as_posix() for path in paths)
        names = [name for name in names if not name.startswith(BY_SCRIPTS) and "core_problems" not in name]
        print(*sorted(rng.sample(names, 10)), sep="\n")


if __name__ == "__main__":
    main()
