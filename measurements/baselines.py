"""What guessing earns on `core`, `fresh` and `real`: copy an argument, give the commonest answer.

    python measurements/baselines.py [--month 2026-11] [--n 200]

copy: the first, or the last, argument of the call is the answer. majority: the commonest answer of all other
programs of the benchmark. Neither reads the program. Shares in percent, 95 % intervals clustered by program.
A model without the program is another baseline (`deskcheck eval --strategy no-code`).
"""

from __future__ import annotations

import argparse
import ast
import sys
from collections import Counter

from deskcheck.evaluation.truth import build_tasks
from deskcheck.grading.verdict import score
from deskcheck.records import Answer, Task
from deskcheck.statistics.summary import clustered_interval, percent_ends


def main() -> int:
    """Print a row for each benchmark and way of guessing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--month", default="2026-11")
    parser.add_argument("--n", type=int, default=200)
    given = parser.parse_args()
    ways = {"copy the first argument": 0, "copy the last argument": -1}
    fresh = {"month": given.month, "n": str(given.n)}
    for name, options in (("core", {}), ("fresh", fresh), ("real", {})):
        tasks = build_tasks(name, options=options).tasks
        guesses = {way: [copied(task, place) for task in tasks] for way, place in ways.items()}
        guesses["majority"] = majority(tasks)
        for way, answers in guesses.items():
            right = [
                float(score(task, Answer(text)).verdict == "right") if text else 0.0
                for task, text in zip(tasks, answers, strict=True)
            ]
            found = clustered_interval(right, [task.cluster for task in tasks])
            ends = percent_ends(found.low, found.high)
            print(f"{name}, {way}: {sum(right):.0f} of {len(tasks)}, {100 * found.mean:.1f} % [{ends}]")
    return 0


def copied(task: Task, place: int) -> str:
    """The argument at a place as it stands in the call; "" for a call without arguments."""
    call = ast.parse(f"f({task.program.arguments})", mode="eval").body
    assert isinstance(call, ast.Call)
    arguments = [*call.args, *(one.value for one in call.keywords)]
    return ast.unparse(arguments[place]) if arguments else ""


def majority(tasks: list[Task]) -> list[str]:
    """For each task the commonest answer of the tasks of other programs."""
    of_all = Counter(task.expected for task in tasks)
    own: dict[str, Counter[str]] = {}
    for task in tasks:
        own.setdefault(task.cluster, Counter())[task.expected] += 1
    return [max(of_all, key=lambda text: (of_all[text] - own[task.cluster][text], text)) for task in tasks]


if __name__ == "__main__":
    sys.exit(main())
