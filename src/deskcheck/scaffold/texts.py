"""Texts of the files that `deskcheck new` writes, with {name} for the plug-in's name: modules, rows, pages.

BENCHMARK.format(name="maps") -> a module that works as it stands; ROWS are the three rows of its tests
"""

from __future__ import annotations

import json

BENCHMARK = '''"""{name}: one sentence on what it asks about.

    deskcheck eval --model tiny --benchmark {name} --data rows.jsonl

A row is {{"id": .., "code": .., "entry": .., "arguments": .., "output": ..}}. Recorded answers: `output`,
compared with the executed ones. Source: name it. License: name it.
"""

from __future__ import annotations

from collections.abc import Iterator

from deskcheck.data_files import given, read_rows, text_field
from deskcheck.records import TaskDraft
from deskcheck.tracing.program import make_program

HUB = None
ORIGIN = "{name}"
FIELDS = ("id", "code", "entry", "arguments", "output")


def drafts(data: str) -> Iterator[TaskDraft]:
    """Read the rows of the file `data`, one program with one call each."""
    path = given(data)
    for number, row in read_rows(path):
        identity, code, entry, arguments, output = (text_field(row, part, path, number) for part in FIELDS)
        program = make_program(code, entry, arguments, origin=f"{{ORIGIN}}:{{identity}}")
        yield TaskDraft(identity, program, output, program.id)
'''
STRATEGY = '''"""{name}: one sentence on how the model is asked.

    Task -> one Prompt -> the value between [ANSWER] and [/ANSWER]

Source: name it. The first paragraphs stand in `turns/question.py`.
"""

from __future__ import annotations

from deskcheck.grading.verdict import answer_of
from deskcheck.records import Prompt, Rollout, Task
from deskcheck.strategies import ANY, Ask, Settings
from deskcheck.turns.question import prompt_of

HOW = {{"en": "Write {{form}} between [ANSWER] and [/ANSWER]."}}
MAX_TOKENS = 1024

EXPERIMENTAL = True
FITS = ANY
SETTINGS: frozenset[str] = frozenset()
TRAINED = False
AT_ONCE = True


def opening(task: Task, settings: Settings) -> Prompt:
    """Make the only prompt of the rollout."""
    return prompt_of(task, HOW, settings, max_tokens=MAX_TOKENS)


async def run(task: Task, ask: Ask, settings: Settings) -> Rollout:
    """Ask one question and read its answer."""
    completion = await ask(opening(task, settings))
    return Rollout(answer_of(task, completion), [completion])
'''
STEPPING = '''"""{name}: the model writes one step at a time.

    head and state -> the next step, until a step ends the run; each state goes into the next prompt

Source: name it. For models trained on the layout `{layout}`.
"""

from __future__ import annotations

from {origin} import LAYOUT, body
from deskcheck.turns import derived
from deskcheck.turns.chain import Stepwise

EXPERIMENTAL = True
FITS = derived.FITS
WHY = derived.WHY
SETTINGS = frozenset({{"max_steps", "on_error"}})
TRAINED = True
CHAIN = "states"

LOOP = Stepwise(LAYOUT, body)
opening, run, refusal = LOOP.opening, LOOP.run, LOOP.refusal
estimate = LOOP.estimate
'''
QUESTION = '''"""{name}: how many lines does the call run?

Source: name it. The answer is a whole number.
"""

from __future__ import annotations

from deskcheck.questions import NotAsked
from deskcheck.records import Raised, Returned, RunQuestion, TaskDraft, Trace
from deskcheck.states.visits import visits

QUESTION = {{"en": "How many lines does the call {{call}} run?", "zh": "调用 {{call}} 共执行多少行？"}}
FORM = {{"en": "the number as a Python integer", "zh": "该数字，写成 Python 整数"}}


def questions(draft: TaskDraft, trace: Trace) -> list[RunQuestion]:
    """Ask one question a run: the number of executed lines."""
    if not isinstance(trace.outcome, Returned | Raised):
        raise NotAsked(f"{{trace.outcome.__struct_config__.tag}}: {{trace.outcome}}")
    return [RunQuestion("", str(len(visits(draft.program, trace))), {{"call": draft.program.call}})]
'''
LAYOUT = '''"""{name}: one step an example, the state in and the step out.

    head "[{name}]" and the numbered code, body "@2 | n=3" -> "@3 | m=4"

Source: name it. Kept: every state and step of the run.
"""

from __future__ import annotations

from deskcheck.records import Example, Program, Trace
from deskcheck.states.steps import example, line_body, run_of, state_of

EXPERIMENTAL = True
LAYOUT = "{name}"
body = line_body


def render(trace: Trace, program: Program) -> list[Example]:
    """Write one example for each step of the run."""
    return [
        example(LAYOUT, program, trace, body(before, program), str(step), number)
        for number, (before, step, _) in enumerate(run_of(trace))
    ]


def parse(program: Program, examples: list[Example]) -> list[tuple[str, str]]:
    """Read the state and the step of each example, as text."""
    return [(state_of(each.prompt, program, LAYOUT), each.target) for each in examples]


def keeps(trace: Trace) -> list[tuple[str, str]]:
    """Return what `parse` reads from the examples of a trace: each state with its step."""
    return [(str(before), str(step)) for before, step, _ in run_of(trace)]
'''
SUMMARY = '''"""{name}: one sentence on the values that it describes.

    library.Kind -> "what is shown"

Read objects through `look` alone, so that no code of the program runs.
"""

from __future__ import annotations

from typing import Any

from deskcheck.summaries import Look, Summary


def describe(value: Any, look: Look) -> str:
    """Describe one object by a field that C code or its own dictionary holds."""
    return look.text(look.attribute(value, "name"))


SUMMARIES = {{"library.Kind": Summary(describe)}}
'''
ROWS = [
    {
        "id": f"row-{number}",
        "code": "def f(xs):\n    found = []\n    for x in xs:\n        if x % 2 == 0:\n"
        "            found.append(x)\n    return found\n",
        "entry": "f",
        "arguments": arguments,
        "output": output,
    }
    for number, (arguments, output) in enumerate(
        [("[1, 2, 4]", "[2, 4]"), ("[6, 3]", "[6]"), ("[5, 8, 8, 1]", "[8, 8]")]
    )
]
QUESTIONS_PAGE = "docs/questions.md"
QUESTION_ROW = "| `{name}` | how many lines does the call run? | a whole number | |"
BENCHMARKS_PAGE = "docs/benchmarks/README.md"
BENCHMARK_ROW = "| [{name}]({name}.md) | one sentence on what it asks about | three rows | a file |"
PAGE = """\
# {name}

One sentence on what it asks about.

- **Source**: name it. **License**: name it.
- **Tasks**: how many; what a cluster is. **Truth**: executed.
"""
LANGUAGE = '''"""{name}: one sentence on the language.

    facts("add 1\\nmul 2\\n") -> Facts(statement_lines=[1, 2], assigned={{1: ["x"], 2: ["x"]}})

Source: name it. Here a line is "add N" or "mul N" and changes the variable x; a literal is one of Python.
`PARTS` in `languages/__init__.py` lists all parts. What needs an absent part names it.
"""

from __future__ import annotations

import ast

from deskcheck.errors import BadSource
from deskcheck.languages import EntryLines, Facts, Unit


def facts(source: str) -> Facts:
    """Return the statements and the assigned names of a source, by lines from 1."""
    lines = range(1, len(source.splitlines()) + 1)
    return Facts(statement_lines=list(lines), assigned={{line: ["x"] for line in lines}})


def entry(source: str, name: str) -> EntryLines:
    """Return the lines of the function that is called; here all lines belong to it."""
    units = [Unit(number, number, text) for number, text in enumerate(source.splitlines(), 1)]
    numbers = frozenset(range(1, len(units) + 1))
    return EntryLines(units, 1, numbers, numbers, [])


def read(text: str, *, most: int) -> object:
    """Read one literal. BadSource if the text is none."""
    if len(text) > most:
        raise BadSource(f"a literal of {{len(text)}} characters is longer than {{most}}")
    try:
        value: object = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise BadSource(f"'{{text[:40]}}' is no literal: {{error}}") from None
    return value


def same(a: object, b: object, *, policy: str, tolerance: float) -> bool:
    """Tell whether two values are one answer under a policy."""
    return a == b and (policy != "strict" or type(a) is type(b))
'''
TRACER = '''"""The tracer of {name}: executes each program and records its lines.

    trace_packed(programs, limits) -> (program, packed), ..

Source: name it. docs/format.md explains the columns. Programs are untrusted: code that can do harm runs in
the sandbox, as in `languages/javascript/tracer.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from deskcheck.format.buffers import Packed, packed_of
from deskcheck.records import (
    ChangeColumns,
    Code,
    CompileFailure,
    EventColumns,
    EventKind,
    Fidelity,
    FrameColumns,
    Limits,
    Op,
    Place,
    Program,
    Returned,
    StepLimit,
    Trace,
    ValueColumns,
    ValueKind,
)
from deskcheck.tracing.execution import empty_trace


def trace_packed(programs: Iterable[Program], limits: Limits, **how: Any) -> Iterator[tuple[Program, Packed]]:
    """Yield each program with its run as columns, in the order of the programs."""
    for program in programs:
        yield program, packed_of(run_of(program, limits))


def run_of(program: Program, limits: Limits) -> Trace:
    """Execute one program and record each line with the value that x has after it."""
    about = replace(
        empty_trace(program.id, limits, StepLimit(limits.max_steps)),
        language=program.language,
        runtime="{name} 1",
        fidelity=Fidelity("{name}", ["values"]),
    )
    lines = [line.split() for line in program.source.splitlines()]
    if len(lines) > limits.max_steps:
        return about
    numbers: list[int] = []
    try:
        numbers.append(int(program.arguments))
        for word, number in lines:
            x, n = numbers[-1], int(number)
            numbers.append({{"add": x + n, "mul": x * n}}[word])
    except (KeyError, ValueError) as error:
        return replace(about, outcome=CompileFailure(f"not understood: {{error}}", len(numbers)))
    return _recorded(about, numbers)


def _recorded(about: Trace, numbers: list[int]) -> Trace:
    """Return the trace of a call that binds x to the numbers, one after the other."""
    n = len(numbers) - 1
    places = list(range(n + 1))
    return replace(
        about,
        outcome=Returned(n + 1),
        codes=[Code("f", 0, 1, "function")],
        frames=FrameColumns([0], [-1]),
        events=EventColumns(
            kind=[EventKind.CALL, *[EventKind.LINE] * n, EventKind.RETURN],
            step=[*places, n],
            frame=[0] * (n + 2),
            line=[1, *places[1:], n],
            value=[-1] * (n + 1) + [n + 1],
            changes_end=[1, *places[1:], n + 1],
        ),
        changes=ChangeColumns(
            place=[Place.LOCAL] * (n + 1),
            owner=[0] * (n + 1),
            key=[0] * (n + 1),
            index=[-1] * (n + 1),
            op=[Op.SET] * (n + 1),
            value=[place + 1 for place in places],
        ),
        values=ValueColumns(
            kind=[ValueKind.STR, *[ValueKind.INT] * (n + 1)],
            number=[0, *numbers],
            real=[0.0] * (n + 2),
            data=[b"x", *[b""] * (n + 1)],
            type=[0, *[1] * (n + 1)],
        ),
        names=["str", "int"],
    )
'''
LANGUAGE_PROGRAM = (
    json.dumps({"source": "add 1\nmul 2\n", "entry": "f", "arguments": "3", "returns": "8"}) + "\n"
)
