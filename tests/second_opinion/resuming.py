"""From how many states a program can be executed on, from its trace alone; what is refused, by reason.

    DESKCHECK_DATA=.. python -m tests.second_opinion.resuming [--each 5] [--n 200] [--show 3]

Sources: core, CRUXEval and LiveCodeBench execution (where DESKCHECK_DATA has them), generated programs.
Of each program some line events are drawn (seeded); at each the state is rebuilt from the trace, the rest is
executed, and the result compared with the run's own: same exact types and contents, or the same exception. In
this process, not contained: benchmark programs only. A wrong result is never counted as refused.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tests.second_opinion.rebuild import rebuilt
from tests.second_opinion.resume import resume
from tests.second_opinion.same import same_outcome

from deskcheck import plugins
from deskcheck.errors import NotResumable
from deskcheck.programs.generated import traced
from deskcheck.records import EventKind, Limits, Program, Raised, Returned
from deskcheck.tracing.run import trace_program

CRUXEVAL, LIVECODEBENCH = "cruxeval/cruxeval.jsonl", "livecodebench-exec/problems.jsonl"
LIMITS = Limits(max_steps=20_000)
PER_STATE_S = 5.0


class TooLong(BaseException):
    """The rest ran longer than a whole run should."""


def alarm(*_: object) -> None:
    raise TooLong


def sources(n: int) -> Iterator[tuple[str, list[Program]]]:
    """Name -> programs."""
    folder = os.environ.get("DESKCHECK_DATA", "")
    for name, file in (("core", ""), ("cruxeval", CRUXEVAL), ("livecodebench-exec", LIVECODEBENCH)):
        path = Path(folder, file) if file else None
        if path is not None and not (folder and path.exists()):
            print(f"{name}: not measured, DESKCHECK_DATA does not hold {file}")
            continue
        items = plugins.load("benchmark", name).drafts(str(path or ""))
        yield name, [item.program for item in items][: n or None]
    yield "generated, hard", [program for program, _ in traced("hard", seed=5, n=n or 400)]


def reason_of(error: NotResumable) -> str:
    """The message without its names and numbers."""
    text = re.sub(r"'[^']*'", "..", str(error))
    text = re.sub(r"\b[\w.]*(?:<\w+>)[\w.<>]*", "..", text)
    text = re.sub(r"(?<= of )[\w.]+(?=,| |$)|(?<=: )[\w.]+$|(?<= is it in )[\w.]+", "..", text)
    return re.sub(r"\d+", "n", text)


def measure(name: str, programs: list[Program], *, each: int, show: int) -> dict[str, object]:
    """Counts of one source."""
    rng = random.Random(1)
    counts: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    n_programs = 0
    for program in programs:
        trace = trace_program(program, LIMITS)
        if not isinstance(trace.outcome, Returned | Raised):
            counts["run did not end"] += 1
            continue
        lines = [i for i, kind in enumerate(trace.events.kind) if kind == EventKind.LINE]
        n_programs += 1
        for index in sorted(rng.sample(lines, min(each, len(lines)))):
            verdict = "same"
            try:
                signal.setitimer(signal.ITIMER_REAL, PER_STATE_S)
                with rebuilt(program, trace, index) as state:
                    value, error = None, None
                    try:
                        value = resume(program, state.frames, state.namespace)
                    except NotResumable:
                        raise
                    except TooLong:
                        verdict = "wrong"
                    except BaseException as raised:
                        error = raised
                    if verdict == "same" and not same_outcome(trace, value, error):
                        verdict = "wrong"
                if verdict == "wrong" and counts["wrong"] < show:
                    where = (
                        f"{program.origin} {program.call[:60]} event {index} line {trace.events.line[index]}"
                    )
                    print(f"  wrong: {where}: {value!r:.80} {error!r:.80}")
            except NotResumable as error:
                verdict = "refused"
                refused[reason_of(error)] += 1
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
            counts[verdict] += 1
    n = counts["same"] + counts["wrong"] + counts["refused"]
    print(
        f"{name}: {n_programs} programs, {n} states: {counts['same']} the same result "
        f"({100 * counts['same'] / max(n, 1):.1f} %), {counts['wrong']} wrong, {counts['refused']} refused; "
        f"{counts['run did not end']} runs that did not end"
    )
    for reason, times in refused.most_common():
        print(f"  {times:6} {reason}")
    return {"programs": n_programs, **counts, "reasons": dict(refused)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=5, help="states of each program")
    parser.add_argument("--n", type=int, default=0, help="programs of each source; 0 = all")
    parser.add_argument("--show", type=int, default=3, help="wrong results to show")
    parser.add_argument("--json", default="", help="also write the counts here")
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, alarm)
    start = time.perf_counter()
    report = {
        name: measure(name, programs, each=options.each, show=options.show)
        for name, programs in sources(options.n)
    }
    print(f"{time.perf_counter() - start:.0f} s")
    if options.json:
        with open(options.json, "w") as file:
            json.dump(report, file, indent=1)


if __name__ == "__main__":
    main()
