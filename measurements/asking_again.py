"""Does a second try help where a step of `tiny` cannot be read? Whole programs, and what the tries cost.

    python measurements/asking_again.py [--model DIR] [--layout line-1] [--n 500]

Held-out programs of `easy`, the development set. `stop`: the first answer that cannot be read ends the run.
`reask`: such a step is asked again at temperature 0.7, up to three times; `vote`: of five answers at that
temperature the commonest counts (`turns/chain.py`). Differences are paired by program. The number of runs
that end at such a step is the most that either can win.
"""

from __future__ import annotations

import argparse
import sys
import time

from msgspec.structs import replace

from deskcheck.models.tiny import load
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.records import NoAnswer
from deskcheck.statistics.summary import clustered_interval, percent_ends
from deskcheck.training.scores.held_out import chain_settings
from deskcheck.training.scores.loops import attempts, is_right, tasks

UNREAD = ("unparsable", "truncated")
MOST_LINES = 64
WAYS = ("stop", "reask", "vote")


def main() -> int:
    """Print right answers, unread steps and tokens of `stop`, `reask` and `vote`, and their differences."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--model", default="")
    parser.add_argument("--layout", default="line-1")
    parser.add_argument("--n", type=int, default=500)
    given = parser.parse_args()
    model = load(given.model, threads=1)
    asked = tasks(list(traced("easy", seed=HELD_OUT["easy"], n=given.n)))
    verdicts: dict[str, list[float]] = {}
    clusters = [task.cluster for task in asked]
    print("| on_error | right | ended at an unread step | questions | tokens | processor s |")
    print("|---|---|---|---|---|---|")
    for way in WAYS:
        started = time.process_time()
        settings = replace(chain_settings(given.layout, MOST_LINES), on_error=way)
        done = attempts(model, given.layout, asked, settings)
        spent = time.process_time() - started
        right = [float(is_right(task, one)) for task, one in zip(asked, done, strict=True)]
        verdicts[way] = right
        bounds = clustered_interval(right, clusters)
        unread = sum(isinstance(one.answer, NoAnswer) and one.answer.reason in UNREAD for one in done)
        questions = [completion for one in done for completion in one.completions]
        print(
            f"| {way} | {100 * bounds.mean:.1f} % {percent_ends(bounds.low, bounds.high)} "
            f"| {unread} of {len(done)} "
            f"| {len(questions):,} | {sum(one.n_tokens_out for one in questions):,} | {spent:.1f} |"
        )
    print()
    for way in WAYS[1:]:
        moved = [b - a for a, b in zip(verdicts["stop"], verdicts[way], strict=True)]
        bounds = clustered_interval(moved, clusters)
        print(f"{way} minus stop: {100 * bounds.mean:+.1f} points {percent_ends(bounds.low, bounds.high)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
