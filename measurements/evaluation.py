"""Evaluations at scale: samples a second beside Inspect's own, memory, a kill in the middle, one very long
chain.

    python measurements/evaluation.py [--samples 10000] [--steps 14055]

Both are asked with one provider of Inspect's that answers at once, so what is measured is everything around a
model. Each part runs in a process of its own; costs are CPU time (the machine may be busy) with wall time
beside. "Do nothing" is an Inspect task that only asks, and whose scorer says "wrong": the least that asking
can be. Aims: at most 1.1 times Inspect's processor time, memory at N <= 1.5 times that at N / 5, every sample
exactly once after a kill; a chain of 14,055 steps in < 60 s with <= 200 bytes of Inspect's log a step.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from deskcheck.records import Limits, Task

SUM = "def f(n):\n    s = 0\n    while n > 0:\n        s += n\n        n -= 1\n    return s\n"


def peak_mb() -> float:
    """Highest resident size of this process so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measured(run: Callable[[], object], n: int) -> dict[str, float]:
    """CPU and wall seconds, samples a CPU second, memory before and after."""
    before_mb, wall, cpu = peak_mb(), time.perf_counter(), time.process_time()
    run()
    cpu_s, wall_s = time.process_time() - cpu, time.perf_counter() - wall
    return {"n": n, "cpu_s": cpu_s, "wall_s": wall_s, "mb": peak_mb(), "before_mb": before_mb}


def provide() -> None:
    """Register the model that both are asked with: a provider of Inspect's that answers at once."""
    from inspect_ai.model import ModelAPI, ModelOutput, modelapi

    @modelapi(name="nothing")
    class Nothing(ModelAPI):  # type: ignore[misc]
        async def generate(self, input: Any, tools: Any, tool_choice: Any, config: Any) -> ModelOutput:
            return ModelOutput.from_content("nothing", "[ANSWER]6[/ANSWER]")

        def max_connections(self) -> int:
            return 256


def part_inspect(n: int, folder: str) -> dict[str, float]:
    """Inspect alone."""
    from inspect_ai import Task as InspectTask
    from inspect_ai import eval as inspect_eval
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.scorer import Score, accuracy, scorer
    from inspect_ai.solver import generate

    provide()

    @scorer(metrics=[accuracy()], name="wrong")
    def wrong() -> Any:
        async def judge(state: Any, target: Any) -> Score:
            return Score(value="I")

        return judge

    samples = [Sample(id=f"t{number}", input=text(number), target="1") for number in range(n)]

    def run() -> None:
        inspect_eval(
            InspectTask(dataset=MemoryDataset(samples), solver=generate(), scorer=wrong()),
            model="nothing/x", log_dir=folder, display="none", log_level="error", score_display=False,
            log_realtime=False, log_model_api=False, ctl_server=False, max_samples=256, log_header_only=True,
        )  # fmt: skip

    return measured(run, n)


def text(number: int) -> str:
    """A prompt as long as ours."""
    return f"{SUM}\n{number}\n" + "What does the call return? " * 12


def part_ours(n: int, folder: str) -> dict[str, float]:
    """As many samples through `deskcheck eval`, strategy vanilla; it goes on from what is there."""
    from deskcheck.evaluation.plan import Plan
    from deskcheck.evaluation.run import run_plan
    from deskcheck.evaluation.terminal import Progress
    from deskcheck.evaluation.truth import TaskSet

    provide()
    tasks = many_tasks(n)

    def build(benchmark: str, **given: Any) -> TaskSet:
        return TaskSet(benchmark, tasks, [], [], [task.id for task in tasks], True, "made here")

    class Silent(Progress):
        def say(self, line: str) -> None:
            pass

    plan = Plan(models=["nothing/x"], strategies=["vanilla"], log_dir=folder, max_connections=256)
    return measured(lambda: run_plan(plan, build_tasks=build, screen=Silent()), n)


def many_tasks(n: int) -> list[Task]:
    """n programs that differ in a comment, with the truth of one."""
    from deskcheck.tracing.program import make_program
    from deskcheck.tracing.reference import trace_program

    trace = trace_program(make_program(SUM, "f", "3", origin="benchmark"), Limits())
    programs = [make_program(f"{SUM}# {number}\n", "f", "3", origin="benchmark") for number in range(n)]
    return [
        Task(f"t{number}", "core", "output", program, "6", trace, f"t{number}")
        for number, program in enumerate(programs)
    ]


def part_chain(steps: int, folder: str) -> dict[str, float]:
    """One program of about that many steps, by line-1 and a model that is never wrong."""
    from deskcheck.evaluation.plan import Plan
    from deskcheck.evaluation.run import run_plan
    from deskcheck.evaluation.terminal import Progress
    from deskcheck.evaluation.truth import TaskSet
    from deskcheck.models import Question
    from deskcheck.records import Completion
    from deskcheck.states.steps import steps as steps_of
    from deskcheck.tracing.program import make_program
    from deskcheck.tracing.reference import trace_program

    n = (steps - 3) // 3
    program = make_program(SUM, "f", str(n), origin="benchmark")
    trace = trace_program(program, Limits())
    said = [str(step) for _, step, _ in steps_of(trace)]
    task = Task("long", "core", "output", program, str(n * (n + 1) // 2), trace, "long")

    def speak(question: Question) -> Completion:
        return Completion(said[question.call], "stop", 1, 1)

    def build(benchmark: str, **given: Any) -> TaskSet:
        return TaskSet(benchmark, [task], [], [], ["long"], True, "made here")

    class Silent(Progress):
        def say(self, line: str) -> None:
            pass

    plan = Plan(
        models=["scripted"], strategies=["line-1"], log_dir=folder, model_args={"answers": speak},
        settings={"max_steps": steps + 10},
    )  # fmt: skip
    found: list[Any] = []
    times = measured(lambda: found.append(run_plan(plan, build_tasks=build, screen=Silent())), len(said))
    assert found[0].rows[0].right == 1
    sizes = {path.suffix: path.stat().st_size for path in Path(found[0].folders[0]).iterdir()}
    return {**times, "log_bytes": sizes[".eval"], "kept_bytes": sizes[".jsonl"], "steps": trace.n_steps}


PARTS = {"inspect": part_inspect, "ours": part_ours, "chain": part_chain}


def child(part: str, n: int, folder: str) -> dict[str, float]:
    """Run one part in a process of its own."""
    done = subprocess.run(command(part, n, folder), check=True, capture_output=True, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def command(part: str, n: int, folder: str) -> list[str]:
    """How a part is started."""
    return [sys.executable, __file__, "--part", part, "--samples", str(n), "--folder", folder]


def killed_and_resumed(n: int, folder: str) -> str:
    """Start, kill when a third is answered, start again; what is there in the end."""
    started = subprocess.Popen(command("ours", n, folder), stdout=subprocess.DEVNULL)
    while not (files := list(Path(folder).glob("*/answers.jsonl"))) or n_lines(files[0]) < n // 3:
        if started.poll() is not None:
            return "it ended before it could be killed"
        time.sleep(0.2)
    os.kill(started.pid, signal.SIGKILL)
    started.wait()
    n_before = n_lines(files[0])
    child("ours", n, folder)
    rows = [json.loads(line) for line in (files[0].parent / "results.jsonl").open()]
    asked = [json.loads(line)["task"] for line in files[0].open() if line.endswith("\n")]
    once = len({row["task"] for row in rows}) == len(rows) == n
    return (
        f"killed after {n_before:,} answers, resumed: {len(rows):,} results, every task exactly once: {once};"
        f" {len(asked) - len(set(asked))} asked twice"
    )


def n_lines(path: Path) -> int:
    """Whole lines of a file that is being written."""
    return path.read_bytes().count(b"\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--samples", type=int, default=10_000)
    parser.add_argument("--steps", type=int, default=14_055)
    parser.add_argument("--part", choices=PARTS, default="")
    parser.add_argument("--folder", default="")
    given = parser.parse_args()
    if given.part:
        print(json.dumps(PARTS[given.part](given.samples, given.folder)))
        return
    n = given.samples
    with tempfile.TemporaryDirectory() as place:
        chain = child("chain", given.steps, f"{place}/chain")
        print(
            f"chain of {chain['steps']:,.0f} line events: {chain['wall_s']:.1f} s wall, {chain['cpu_s']:.1f} "
            f"s CPU, {chain['log_bytes'] / chain['n']:.0f} bytes of Inspect's log a step"
        )
        small = child("ours", n // 5, f"{place}/small")
        theirs = child("inspect", n, f"{place}/theirs")
        ours = child("ours", n, f"{place}/ours")
        for name, one in (("Inspect, do nothing", theirs), ("deskcheck, vanilla", ours)):
            print(
                f"{name}: {n:,} samples, {n / one['cpu_s']:.0f} a CPU second, {n / one['wall_s']:.0f} a "
                f"second, {one['mb']:.0f} MB"
            )
        print(f"processor time: {ours['cpu_s'] / theirs['cpu_s']:.2f} of Inspect's (aim 1.1)")
        print(f"memory: {ours['mb'] / small['mb']:.2f} times that at {n // 5:,} (aim 1.5)")
        print(killed_and_resumed(n, f"{place}/killed"))


if __name__ == "__main__":
    main()
