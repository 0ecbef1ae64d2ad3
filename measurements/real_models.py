"""Published answers of real models: every stored answer of the data folder, graded and taken apart.

    python measurements/real_models.py --data DIR [--check]

DIR holds what the projects publish, one folder each, fetched at a pinned commit (`lay_out.py` makes it); no
text of theirs enters this repository. No model is asked. Writes docs/results.md with its chart, and
docs/audit.md, in whole: every sentence stands in stored_answers/. `--check` writes nothing, and ends with 1
if a page differs. The last lines say how many answers were read, in how much processor time and memory.
"""

from __future__ import annotations

import argparse
import difflib
import os
import resource
import sys
import time
from pathlib import Path

from stored_answers import audit, findings
from stored_answers.everything import read_everything
from stored_answers.picture import chart

PICTURE = "results.svg"


def difference_of(pages: dict[str, str], folder: Path) -> str | None:
    """Return the first lines that differ from the pages of a folder; None if all are the same."""
    lines: list[str] = []
    for name, text in pages.items():
        written = (folder / name).read_text(encoding="utf-8") if (folder / name).is_file() else ""
        lines += difflib.unified_diff(
            written.split("\n"), text.split("\n"), str(folder / name), "made from the answers", "", "", 0, ""
        )
    return "\n".join(lines[:40]) if lines else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, default=os.environ.get("DESKCHECK_DATA"), help="see above")
    parser.add_argument("--out", type=Path, default=Path("docs"), help="folder of the two pages")
    parser.add_argument("--check", action="store_true", help="compare with the pages of --out; write nothing")
    parser.add_argument("--workers", type=int, default=2, help="sources read at a time")
    options = parser.parse_args()
    if options.data is None:
        print("nothing graded: --data DIR, or the variable DESKCHECK_DATA, says where the stored answers lie")
        return
    started = time.monotonic()
    found = read_everything(Path(options.data), options.workers)
    rows = findings.chart_rows(found)
    pages = {
        "results.md": "\n".join(findings.page(found, PICTURE)),
        "audit.md": "\n".join(audit.page(found, Path(options.data))),
        PICTURE: chart(rows, rows[0].output.n_clusters),
    }
    if options.check:
        sys.exit(difference_of(pages, options.out))
    for name, text in pages.items():
        (options.out / name).write_text(text, encoding="utf-8")
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    cpu = sum(used.ru_utime + used.ru_stime for used in (own, children))
    print(f"{found.n_answers:,} answers read, graded and reported in {options.out}: {', '.join(pages)}")
    print(
        f"{time.monotonic() - started:.0f} s, {cpu:.0f} s of processor time, {own.ru_maxrss / 1024:.0f} MB "
        f"here and at most {children.ru_maxrss / 1024:.0f} MB in each other process"
    )


if __name__ == "__main__":
    main()
