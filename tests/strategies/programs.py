"""Programs, their tasks, and a model that executes them without a mistake: what tests of strategies share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import Any

import msgspec

from deskcheck import plugins
from deskcheck.layouts.debugger import stop
from deskcheck.records import Completion, Granularity, Limits, Program, Prompt, Rollout, Task, Trace
from deskcheck.states.jumps import Run, landing
from deskcheck.states.steps import steps
from deskcheck.states.visits import entry_lines
from deskcheck.strategies import Settings
from deskcheck.tracing import run as tracing_run
from deskcheck.tracing.access import has_native
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program
from deskcheck.tracing.reference import trace_program

SUM = """\
import math

def f(xs):
    '''Adds what is greater than one.'''
    total = 0
    for x in xs:
        if x > 1:
            total += helper(x)
    return total

def helper(x):
    return math.floor(x)
"""
CLASS = """\
class Solution:
    limit = 3

    def solve(self, n):
        s = ''
        while n and len(s) < self.limit:
            s += str(n % 2)
            n //= 2
        return s[::-1]
"""
RAISES = """\
def f(d):
    try:
        return d['a']['b']
    except TypeError:
        raise KeyError('b')
"""


def program_of(source: str, entry: str, arguments: str) -> Program:
    return make_program(source, entry, arguments, origin="test", license="MIT")


@cache
def task_of(source: str, entry: str, arguments: str) -> Task:
    program = program_of(source, entry, arguments)
    trace = trace_program(program, Limits())
    return Task(program.id, "test", "output", program, outcome_text(trace), trace, program.id)


def tasks() -> list[Task]:
    return [
        task_of(SUM, "f", "[1, 5, 2]"),
        task_of(CLASS, "Solution().solve", "n=5"),
        task_of(RAISES, "f", "{'a': 1}"),
    ]


def answer_text(task: Task) -> str:
    """What a right answer says."""
    if task.grading == "executed":
        return task.program.call
    if task.grading == "any":
        return repr(eval(task.expected)[0])
    return task.expected


def gold(name: str, strategy: ModuleType, task: Task, settings: Settings) -> Callable[[Prompt], str]:
    """A model that is never wrong: prompt -> text."""
    answer = f"[ANSWER]{answer_text(task)}[/ANSWER]"
    if strategy.TRAINED:
        return trained(layout_of(name, strategy), task)
    if name in ("iip-static", "iip-oracle"):
        return lambda prompt: answer if "[ANSWER]" in last(prompt) else "STATE: x = 1; y = [2]"
    if name == "iip-dynamic":
        lines = [line for _, line in entry_lines(task.truth)]
        place = {"at": 0}

        def walk(prompt: Prompt) -> str:
            if "STATE:" in last(prompt) and "NEXT" not in last(prompt):  # to be checked once more
                return str(place["said"])
            place["at"] = place["at"] % len(lines) + 1
            more = place["at"] < len(lines)
            said = f"STATE: x = {place['at']}\n" + (f"NEXT: {lines[place['at']]}" if more else answer)
            place["said"] = said  # type: ignore[assignment]
            return said

        return walk
    return lambda prompt: f"I see. {answer}"


def layout_of(name: str, strategy: ModuleType) -> str:
    """The layout in which a strategy asks; its own name where it names none."""
    return str(getattr(strategy, "LAYOUT", name))


def trained(name: str, task: Task) -> Callable[[Prompt], str]:
    """The targets of the layout, found by their prompts, or by where a jump of any length lands."""
    if name in ("line-n", "debugger"):
        return jumping(list(steps(task.truth)))
    layout = plugins.load("layout", name)
    granularity = getattr(layout, "GRANULARITY", Granularity.LINE)
    if name == "instruction-n":
        return jumping(list(steps(finer(task, granularity), granularity=granularity)))
    if granularity is not Granularity.LINE:
        task = msgspec.structs.replace(task, truth=finer(task, granularity))
    texts = {example.prompt: example.target for example in layout.render(task.truth, task.program)}
    return lambda prompt: texts["".join(message.text for message in prompt.messages)]


def jumping(run: Run) -> Callable[[Prompt], str]:
    """Where a jump, or a debugger's command, lands."""
    places = {str(before): number for number, (before, _, _) in reversed(list(enumerate(run)))}

    def land(prompt: Prompt) -> str:
        state, command = last(prompt).rstrip("\n").split("\n")[-2:]
        if command.startswith("skip "):
            return str(landing(run, places[state], int(command.removeprefix("skip "))))
        return str(stop(run, places[state], command))

    return land


def finer(task: Task, granularity: Granularity) -> Trace:
    """The same run, step by step."""
    return tracing_run.trace_program(task.program, Limits(), granularity=granularity)


def fine_enough(name: str) -> bool:
    """Can the truth of this layout be traced here?"""
    layout_name = layout_of(name, plugins.load("strategy", name))
    if layout_name not in plugins.names("layout"):
        return True
    layout = plugins.load("layout", layout_name)
    return has_native() or getattr(layout, "GRANULARITY", Granularity.LINE) is Granularity.LINE


def last(prompt: Prompt) -> str:
    return prompt.messages[-1].text


def roll_out(
    strategy: Any, task: Task, speak: Callable[[Prompt], str | Completion], settings: Settings | None = None
) -> tuple[Rollout, list[Prompt]]:
    """Let the strategy ask a function; the rollout, and what was asked."""
    asked: list[Prompt] = []

    async def ask(prompt: Prompt) -> Completion:
        asked.append(prompt)
        said = speak(prompt)
        return said if isinstance(said, Completion) else Completion(said, "stop", 1, 1)

    done = asyncio.run(strategy.run(task, ask, settings or Settings()))
    return msgspec.structs.replace(done), asked
