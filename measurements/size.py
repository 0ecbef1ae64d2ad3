"""Lines of the package by part: Python, C and JavaScript, without programs to execute and parsers of others.

    python measurements/size.py [--commit 6047933]

All lines of tracked files count, blank ones and comments too. Programs that are data stand apart: benchmarks,
the written corpus and its twins. So do the vendored parsers, which others wrote.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = "src/deskcheck/"
LANGUAGES = {"py": "Python", "c": "C", "h": "C", "js": "JavaScript", "mjs": "JavaScript"}
APART = {
    "programs to execute": re.compile(r"core_problems/|classic_programs/|corpus/written/|corpus/twins/"),
    "parsers of others": re.compile(r"/vendor/"),
}


def counted(commit: str) -> Counter[tuple[str, str]]:
    """Part and language -> lines, as a commit has them."""
    listed = subprocess.run(
        ["git", "-C", str(ROOT), "ls-tree", "-r", "--name-only", commit, PACKAGE],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    names = [name for name in listed.stdout.splitlines() if name.rpartition(".")[2] in LANGUAGES]
    wanted = "".join(f"{commit}:{name}\n" for name in names)
    done = subprocess.run(
        ["git", "-C", str(ROOT), "cat-file", "--batch"],
        input=wanted.encode(),
        capture_output=True,
        check=True,
    )
    lines: Counter[tuple[str, str]] = Counter()
    rest = done.stdout
    for name in names:
        head, _, rest = rest.partition(b"\n")
        size = int(head.split()[2])
        inner = name.removeprefix(PACKAGE)
        part = inner.partition("/")[0] if "/" in inner else "(files of the package itself)"
        part = next((what for what, form in APART.items() if form.search(name)), part)
        lines[part, LANGUAGES[name.rpartition(".")[2]]] += rest[:size].count(b"\n")
        rest = rest[size + 1 :]
    return lines


def main() -> None:
    """Print a table, the largest part first, and the sum without what stands apart."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--commit", default="HEAD")
    lines = counted(parser.parse_args().commit)
    parts: Counter[str] = Counter()
    for (part, _), n in lines.items():
        parts[part] += n
    languages = ("Python", "C", "JavaScript")
    print(f"{'part':32}" + "".join(f"{language:>12}" for language in languages))
    for part, _ in parts.most_common():
        print(f"{part:32}" + "".join(f"{lines[part, language]:12,}" for language in languages))
    print(
        f"\nwithout {' and '.join(APART)}: {sum(n for part, n in parts.items() if part not in APART):,} lines"
    )


if __name__ == "__main__":
    main()
