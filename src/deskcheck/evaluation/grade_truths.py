"""Leave out truths that were made by this machine, not by the program: a missing package, the clock.

    without_machine_truths(task_set) -> TaskSet      such tasks are dropped, with the reason, and counted

`raises ModuleNotFoundError` says what is installed here, and a date says when the run was made. No answer can
be right or wrong by it. A run with a refused effect has no truth to begin with (`truth.py`).
"""

from __future__ import annotations

from msgspec.structs import replace

from deskcheck.evaluation.truth import Dropped, TaskSet
from deskcheck.languages import offers, part
from deskcheck.records import Program, Task

_IMPORTS = ("raises ModuleNotFoundError", "raises ImportError")
_CLOCK = frozenset(
    {
        "datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time", "time.time_ns",
        "time.localtime", "time.gmtime", "time.ctime", "time.asctime", "time.perf_counter", "time.monotonic",
        "uuid.uuid1", "uuid.uuid4", "os.urandom", "secrets.token_hex", "secrets.randbelow",
    }
)  # fmt: skip
"""Calls whose result changes from run to run."""


def without_machine_truths(task_set: TaskSet) -> TaskSet:
    """Return the tasks whose truth is the program's own; the others are dropped, with their reason."""
    remaining, dropped = [], []
    for task in task_set.tasks:
        if reason := _made_here(task):
            dropped.append(Dropped(task.id, reason, task.expected[:200]))
        else:
            remaining.append(task)
    return replace(task_set, tasks=remaining, dropped=[*task_set.dropped, *dropped]) if dropped else task_set


def _made_here(task: Task) -> str:
    """Return why a truth says something about this machine; "" if it does not."""
    source = task.program.source
    if task.expected in _IMPORTS:
        return (
            "" if "raise ModuleNotFoundError" in source or "raise ImportError" in source else "import error"
        )
    if not any(call.rpartition(".")[2] + "(" in source for call in _CLOCK):
        return ""
    executed = set(task.truth.events.line)
    return "reads the clock" if any(line in executed for line in _clock_lines(task.program)) else ""


def _clock_lines(program: Program) -> list[int]:
    """Return the lines that call a clock or a source of chance; none if the source does not parse."""
    if not offers(program.language, "method_calls"):
        return []
    calls: list[tuple[int, str]] = part(program.language, "method_calls")(program.source)
    return [line for line, name in calls if name in _CLOCK]
