"""Run programs of `hostile/` at one level and say how each ended and what harm was seen, as JSON.

    python -m tests.sandbox.hostile_run '{"level": "kernel", "names": ["01_infinite_loop"], "uid": 65534, ..}'

A program of its own so that it can be run as another user. Between two hostile programs stands one whose
answer is known: it must be right.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from deskcheck.errors import DataError
from deskcheck.records import Job, Limits, Raised, Returned, Trace
from deskcheck.sandbox import containment, worker
from deskcheck.sandbox.wire import Report
from deskcheck.tracing.collect import read_result
from deskcheck.tracing.job import FUNCTION
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import encode_request, make_program

FOLDER = Path(__file__).parent / "hostile"
NEXT = "def f(x):\n    y = x * 2\n    return y\n"
MARK = "hostile_was_here"
CANARY = "untouched"
TAMPERING = {"24_settrace_off", "25_monitoring_off"}
MAX_STEPS = 300_000  # 62 takes 200,002
ROOMY_S = 60.0  # for a program that ends by itself, however slow the machine is
LINE = 1  # docs/format.md: the kind of a line event


class Surroundings:
    """What a program could harm: a canary file, a listener, writable folders."""

    def __init__(self, folder: Path, *, own_places: bool) -> None:
        self._canary = folder / "canary.txt"
        self._canary.write_text(CANARY, encoding="utf-8")
        self._listener = socket.socket()
        self._listener.bind(("127.0.0.1", 0))
        self._listener.listen()
        self._listener.setblocking(False)
        self._changed = {
            "/var/tmp/deskcheck_canary.txt": str(self._canary),
            "45877": str(self._listener.getsockname()[1]),
        }
        places = ["/var/tmp", "/dev/shm", "/usr/local", "/tmp"]
        if own_places:  # with the layers off the writing is to stay in the throw-away folder
            self._changed |= {f'"{place}"': f'"{folder}"' for place in places} | {
                "touch /tmp": f"touch {folder}"
            }
        self._places = [folder, Path.cwd(), Path(os.path.expanduser("~")), *map(Path, places)]

    def source(self, name: str) -> str:
        """The program's text, aimed at these surroundings."""
        text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
        for old, new in self._changed.items():
            text = text.replace(old, new)
        if name.startswith("30_"):  # it is to find the parent's secret, not its own text
            text = text.partition("\n")[2].replace('"SECRET"', '"SEC" "RET"')
        return text

    def harm(self) -> list[str]:
        """Everything that is not as it was."""
        found = []
        if not self._canary.exists() or self._canary.read_text(encoding="utf-8") != CANARY:
            found.append("the canary was changed")
        found += [f"{place / MARK} was written" for place in self._places if (place / MARK).exists()]
        with contextlib.suppress(BlockingIOError):
            self._listener.accept()
            found.append("the listener was called")
        return found


def main(request: str) -> None:
    """Print how each program ended, how the ones between them did, and all harm seen, as one JSON object."""
    asked = json.loads(request)
    folder = Path(asked["folder"])
    if asked["uid"] != os.getuid():
        os.setgroups([])
        os.setresgid(asked["uid"], asked["uid"], asked["uid"])
        os.setresuid(asked["uid"], asked["uid"], asked["uid"])
    if asked["level"] == "limits":
        worker.AUDIT_EVERY = 1 << 40  # an audit would meet the harm that the first run did
    os.environ["SECRET_TOKEN"] = "SECRET_EXPECTED"
    os.chdir(folder)
    scratch = folder / "scratch"
    scratch.mkdir()
    tempfile.tempdir = str(scratch)
    around = Surroundings(folder, own_places=asked["level"] == "limits")
    descriptors = set(os.listdir("/proc/self/fd"))
    reports: list[Report] = []
    ends, nexts = {}, []
    for name, text in run(asked, around, reports):
        if name:
            ends[name] = text
        else:
            nexts.append(text)
    (report,) = reports
    print(
        json.dumps({
            "ends": ends,
            "nexts": sorted(set(nexts)),
            "harm": around.harm(),
            "mismatched": report.n_mismatched,
            "descriptors left": len(os.listdir("/proc/self/fd")) - len(descriptors),
            "files left": sorted(path.name for path in scratch.iterdir()),
            "processes left": processes_of(str(scratch)),
        })
    )  # fmt: skip


def run(asked: dict[str, Any], around: Surroundings, reports: list[Report]) -> Iterator[tuple[str, str]]:
    """(name, how it ended) of the hostile ones, ("", "right") of those between them, in order."""
    roomy = Limits(time_s=ROOMY_S, memory_bytes=512 << 20, max_steps=MAX_STEPS)
    hasty = replace(roomy, time_s=asked["time_s"])
    programs = []
    for name in asked["names"]:
        limits = hasty if name in asked["timed"] else roomy
        programs.append((name, make_program(around.source(name), "f", "3", origin=name), limits))
        programs.append(("", make_program(NEXT, "f", str(len(programs)), origin="next"), roomy))
    jobs = [
        Job(str(number), FUNCTION, encode_request(program, limits), limits)
        for number, (_, program, limits) in enumerate(programs)
    ]
    results = containment.run(jobs, workers=2, level=asked["level"], report=reports.append)
    for result, (name, program, limits) in zip(results, programs, strict=True):
        trace = read_result(result, program, limits)
        text = words(trace)
        if name in TAMPERING:  # a short trace must not pass for a whole one
            text += f" in {sum(kind == LINE for kind in trace.events.kind)} lines"
        if not name and text == f"returned {2 * int(program.arguments)}":
            text = "right"
        yield name, text


def words(trace: Trace) -> str:
    """How a run ended, in a line: "returned 6", "raised KeyError", "time limit", "refused write"."""
    outcome = trace.outcome
    if isinstance(outcome, Returned):
        try:
            text = f"returned {outcome_text(trace)}"
        except DataError as error:
            text = f"opaque: {str(error).partition(' returned ')[2]}"
    elif isinstance(outcome, Raised):
        text = f"raised {outcome.type}"
    else:
        name = type(outcome).__struct_config__.tag
        text = f"{name} {getattr(outcome, 'rule', getattr(outcome, 'cause', getattr(outcome, 'check', '')))}"
    notes = [note for note in trace.fidelity.notes if not note.startswith("no C extension")]
    flags = [*trace.determinism.reads, *notes]
    return text.strip()[:300] + (f" [{', '.join(flags)}]" if flags else "")


def processes_of(mark: str) -> int:
    """Processes with `mark` on their command line: zygotes and what they forked name their folder there."""
    found = 0
    for line in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found += mark.encode() in line.read_bytes() and int(line.parent.name) != os.getpid()
    return found


if __name__ == "__main__":
    main(sys.argv[1])
