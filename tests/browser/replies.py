"""The command line's network on programs: python -m tests.browser.replies < calls > replies, both as JSON.

A process of its own: in that of the tests the event loop belongs to the browser.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from deskcheck.evaluation.execute import run_execute
from deskcheck.models import tiny
from deskcheck.records import Limits
from deskcheck.tracing.program import make_program, split_call
from deskcheck.tracing.reference import trace_program


def main() -> None:
    """Print the tokens of all replies and the answer, for each (source, call)."""
    replies: list[list[int]] = []
    completion = tiny.TinyModel.completion

    def recorded(self: tiny.TinyModel, row: Any) -> Any:
        replies.append(list(row.out))
        return completion(self, row)

    tiny.TinyModel.completion = recorded  # type: ignore[method-assign]  # to see the tokens of a reply
    rows = []
    for source, call in json.load(sys.stdin):
        replies.clear()
        program = make_program(source, *split_call(call, source, file="it"), origin="test")
        truth = trace_program(program, Limits())
        done = run_execute(program, truth, model="tiny", max_steps=300, model_args=[])
        rows.append((list(replies), getattr(done.answer, "text", str(done.answer))))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
