"""Re-execute every program of the public sets; list what disagrees with the recorded answers, with reasons.

    DESKCHECK_DATA=folder python measurements/truth.py [--all] [--only leetcode --file FILE]

Prints per set: drafts, asserts that are none, tasks with a truth, disagreements by reason, seconds, and
the largest memory of this process so far; --all lists every disagreement, --file names another file
of a set. The expected counts stand in tests/benchmarks/test_truth_of_all.py.
"""

from __future__ import annotations

import argparse
import os
import resource
import time
from collections import Counter
from pathlib import Path

from deskcheck.evaluation.truth import build_tasks
from deskcheck.sandbox.containment import describe

SETS = {
    "cruxeval": "cruxeval/cruxeval.jsonl",
    "livecodebench-exec": "livecodebench-exec/problems.jsonl",
    "mbpp": "mbpp/mbpp.jsonl",
    "mbpp-sanitized": "mbpp/sanitized-mbpp.json",
    "humaneval": "human-eval/HumanEval.jsonl",
    "leetcode": "leetcode/LeetCodeDataset-v0.2.0-train.jsonl.gz",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--all", action="store_true", help="list every disagreement")
    parser.add_argument("--only", default="", help="one of the sets")
    parser.add_argument("--file", default="", help="with --only: another file of the set, below the folder")
    arguments = parser.parse_args()
    folder = os.environ.get("DESKCHECK_DATA", "")
    if not folder:
        print("truth: skipped, DESKCHECK_DATA does not name a folder of public data")
        return
    print(describe())
    for name, file in SETS.items():
        if arguments.only and name != arguments.only:
            continue
        file = arguments.file if arguments.only and arguments.file else file
        start = time.perf_counter()
        found = build_tasks(name, data=str(Path(folder) / file))
        seconds = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # KiB on Linux
        reasons = Counter(one.reason for one in found.disagreements)
        said = ", ".join(f"{reason} {n}" for reason, n in reasons.most_common()) or "none"
        print(
            f"{name}: {len(found.ids)} drafts, {len(found.skipped)} asserts that are none; "
            f"{len(found.tasks)} with a truth; disagreements: {said}; {seconds:.0f} s; "
            f"{peak:.0f} MiB",
            flush=True,
        )
        for one in found.disagreements if arguments.all else ():
            print(f"    {one.id}: recorded {one.recorded[:60]}, executed {one.executed[:90]} ({one.reason})")


if __name__ == "__main__":
    main()
