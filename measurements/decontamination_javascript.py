"""Plant changed copies of benchmark programs in JavaScript, count those found; count false alarms.

    python measurements/decontamination_javascript.py           copies, and generated twins (DESKCHECK_DATA)
    python measurements/decontamination_javascript.py FOLDER    false alarms in npm packages

The programs are those of CRUXEval-X in JavaScript and the twins of `core`; `copies.js` changes them. A copy
counts as found if any benchmark is named. FOLDER holds `node_modules`: packages whose functions gave the
weights (`javascript_packages.py`), and OTHERS, which gave none. Needs the extra `javascript`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from deskcheck.benchmarks import core, cruxeval_x
from deskcheck.corpus.twins.statements import in_javascript
from deskcheck.decontamination.near import program_copy
from deskcheck.decontamination.prints import MODULE
from deskcheck.programs.generated import FAMILIES, candidate, family_of
from deskcheck.records import Program, TaskDraft
from deskcheck.tracing.program import make_program
from javascript_packages import PACKAGES, modules_of

OTHERS = (
    "mathjs",
    "decimal.js",
    "complex.js",
    "typed-function",
    "seedrandom",
    "get-intrinsic",
    "object-inspect",
)
ACORN = Path(__file__).parent.parent / "src/deskcheck/languages/javascript/vendor/acorn.js"
_CODE = """
import json, sys
from py_mini_racer import MiniRacer
v8 = MiniRacer()
for path in sys.argv[1:]:
    v8.eval(open(path, encoding="utf-8").read() + ";0")
for line in sys.stdin:
    print(v8.eval("copies(" + ",".join(map(json.dumps, json.loads(line))) + ")"))
v8.close()
"""


def copies_of(programs: Sequence[Program]) -> list[dict[str, str | None]]:
    """Name of each change -> the changed text, for every program; V8 runs in a process of its own."""
    words = [sys.executable, "-c", _CODE, str(ACORN), str(Path(__file__).with_name("copies.js"))]
    given = "".join(json.dumps([one.source, one.entry]) + "\n" for one in programs)
    done = subprocess.run(words, input=given, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def programs() -> dict[str, list[Program]]:
    """The programs that are copied, by benchmark."""
    path = Path(os.environ["DESKCHECK_DATA"], "cruxeval-x", "js.jsonl.gz")
    drafts = {
        "cruxeval-x, js": list(cruxeval_x.drafts(str(path))),
        "core": [draft for draft in core.drafts("", language="javascript") if draft.id.endswith(":0")],
    }
    return {
        name: [draft.program for draft in these if isinstance(draft, TaskDraft)]
        for name, these in drafts.items()
    }


def is_found(text: str, language: str) -> bool:
    """Whether a text is taken for a copy; None of its functions is the entry, so all are searched."""
    return (
        program_copy(make_program(text, "none of these", "", origin="files:a", language=language)) is not None
    )


def copies_table(every: int, *, named: bool) -> Iterator[str]:
    """A row a change, a column a benchmark: copies found of copies planted."""
    given = {name: these[::every] for name, these in programs().items()}
    made = {name: copies_of(these) for name, these in given.items()}
    changes = list(dict.fromkeys(change for rows in made.values() for row in rows for change in row))
    failures = [change for change in changes if change.startswith("failed")]
    yield f"| change | {' | '.join(given)} | together |"
    yield "|---" * (len(given) + 2) + "|"
    sums = Counter[str]()
    for change in (change for change in changes if change not in failures):
        counts = {}
        for name, rows in made.items():
            texts = [row[change] for row in rows]
            language = "typescript" if change == "types added" else "javascript"
            hits = [text is not None and is_found(text, language) for text in texts]
            counts[name] = sum(hits), sum(text is not None for text in texts)
            if named:
                missed = [n for n, text in enumerate(texts) if text is not None and not hits[n]]
                yield from (f"  {name}: {missed}",) if missed else ()
        found, n = (sum(column) for column in zip(*counts.values(), strict=True))
        sums.update({} if change.startswith("apart") else {"n": n, "found": found})
        cells = [f"{hit:,} of {of:,}" for hit, of in counts.values()]
        yield f"| {change} | {' | '.join(cells)} | {100 * found / max(n, 1):.2f} % |"
    yield f"all but those apart: {sums['found']:,} of {sums['n']:,}; not written: {failures}"


def library_table(folder: Path) -> Iterator[str]:
    """How many functions of npm packages are taken for copies, each searched with what it reaches."""
    from deskcheck.decontamination.javascript import units_of
    from deskcheck.decontamination.near import JAVASCRIPT_FILE, fingerprints, nearest

    for what, packages in (("that gave the weights", tuple(PACKAGES)), ("that gave none", OTHERS)):
        n, counts, benchmarks, seen = 0, Counter[str](), Counter[str](), set[str]()
        for package in packages:
            for path in modules_of(folder / "node_modules" / package):
                try:
                    units = units_of(path.read_text(encoding="utf-8"), "javascript")
                except (SyntaxError, UnicodeDecodeError, RecursionError):
                    continue
                for unit in units:
                    if unit.name == MODULE or unit.whole in seen:
                        continue
                    seen.add(unit.whole)
                    n += 1
                    match = nearest([unit], [unit], fingerprints(JAVASCRIPT_FILE))
                    if match is not None:
                        counts["the same" if match.same else "near"] += 1
                        benchmarks[match.benchmark] += 1
        share = 100 * counts.total() / max(n, 1)
        yield f"packages {what}: {n:,} functions, taken for copies {counts.total():,} = {share:.2f} %"
        yield f"  {dict(counts)}, {dict(benchmarks)}"


def generated_table(n: int) -> Iterator[str]:
    """How many twins of generated programs, of a training seed, are left out of training."""
    for family in FAMILIES:
        counts, total = Counter[str](), 0
        for number in range(n):
            pair = candidate(family_of(family), 77, number)
            if pair is None or program_copy(pair[0]) is not None:
                continue
            total += 1
            match = program_copy(in_javascript(pair[0]))
            if match is not None:
                counts[f"{match.benchmark}, {'the same' if match.same else 'near'}"] += 1
        yield f"{family}:javascript: {total:,} programs, left out {counts.total():,} {dict(counts)}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", help="npm packages: false alarms in them")
    parser.add_argument("--every", type=int, default=1, help="plant every nth program alone")
    parser.add_argument("--generated", type=int, default=1000, help="candidates of each generated family")
    parser.add_argument("--missed", action="store_true", help="number the programs whose copy was not found")
    given = parser.parse_args()
    if given.folder is not None:
        lines = library_table(given.folder)
    elif "DESKCHECK_DATA" not in os.environ:
        print("not run: DESKCHECK_DATA names the folder of the public data")
        return
    else:
        lines = copies_table(given.every, named=given.missed)
    for line in lines:
        print(line, flush=True)
    for line in generated_table(given.generated) if given.folder is None else ():
        print(line, flush=True)


if __name__ == "__main__":
    main()
