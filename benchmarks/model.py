"""Steps and tokens a second of the shipped model, one question at a time and 64 together.

    python benchmarks/model.py

Questions are line-1 steps of held-out `easy` programs. Medians of 3 after one warm-up, two threads.
"""

from __future__ import annotations

import statistics
import time

from deskcheck.models.tiny import Request, load
from deskcheck.plugins import load as plugin
from deskcheck.programs.generated import HELD_OUT, traced
from deskcheck.representations._prompt import body_of, head

N = 256


def requests() -> list[Request]:
    """The first N held-out questions."""
    found: list[Request] = []
    for program, trace in traced("easy", seed=HELD_OUT["easy"], n=60):
        code = head("line-1", program)
        for example in plugin("representation", "line-1").render(trace, program):
            found.append(Request(code, body_of(example.prompt, program, "line-1"), 64, []))
    return found[:N]


def main() -> None:
    model, asked = load(), requests()
    for size in (1, 64):
        readings = []
        for _ in range(4):
            start = time.perf_counter()
            answers = [a for i in range(0, len(asked), size) for a in model.generate(asked[i : i + size])]
            took_s = time.perf_counter() - start
            readings.append((len(asked) / took_s, sum(a.n_tokens_out for a in answers) / took_s))
        steps = statistics.median(r[0] for r in readings[1:])
        tokens = statistics.median(r[1] for r in readings[1:])
        print(f"batch {size:2}: {steps:,.0f} steps/s, {tokens:,.0f} new tokens/s (n = {len(asked)} steps)")


if __name__ == "__main__":
    main()
