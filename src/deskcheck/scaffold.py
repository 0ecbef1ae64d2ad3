"""Write the files of a new plug-in of this repository: its module, the row of its tests, its page.

    write_new("benchmark", "maps", Path())    -> [src/deskcheck/benchmarks/maps.py, tests/.., docs/..]
    make_pages("strategy", "two-looks", Path())    pages made by scripts, or the reason why not

The new files work at once: a benchmark of three rows, a strategy that asks once or steps in a layout, a
question about the number of executed lines, a layout of one step per example. Existing files are never
overwritten. The tests find strategies, questions and layouts by themselves, so only a benchmark needs rows
for them; benchmarks and questions are listed in a page of docs/. Scripts of docs/ and tests/ generate the
pages that hold a prompt or an example. In a package of your own, an entry point names the same file
(CONTRIBUTING).
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from keyword import iskeyword
from pathlib import Path

from msgspec import Struct

from deskcheck.errors import UserError

MOST_LETTERS = 40
"""Length of a name: with more letters the first lines of the new files would be too long."""
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

from deskcheck.layouts.{module} import LAYOUT, body
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


class Kind(Struct, frozen=True):
    """What `deskcheck new` writes for one kind of plug-in, and what tests it. Texts may hold {name}."""

    folder: str
    """Folder of the package, and group of entry points."""
    module: str
    """Text of the new module."""
    tests: str
    """Files and folders of tests that ask every plug-in of the kind."""
    stepping: str = ""
    """Text of the module if `--layout` names a layout; "" = the option is refused."""
    texts: dict[str, str] = {}
    """Path -> text of further new files."""
    row: tuple[str, str] = ("", "")
    """Page that lists all plug-ins of the kind in its first table, and the new row; "" = none."""
    page_script: tuple[str, ...] = ()
    """Words behind `python` that write the page of the plug-in."""


KINDS = {
    "benchmark": Kind(
        "benchmarks",
        BENCHMARK,
        "tests/benchmarks tests/evaluation/test_pairs.py",
        texts={
            "tests/benchmarks/rows_of/{name}.jsonl": "".join(json.dumps(row) + "\n" for row in ROWS),
            "docs/benchmarks/{name}.md": PAGE,
        },
        row=(BENCHMARKS_PAGE, BENCHMARK_ROW),
        page_script=(
            *("-m", "pytest", "-q", "tests/benchmarks/test_pages.py"),
            *("-k", "[{name}]", "--update-golden"),
        ),
    ),
    "question": Kind(
        "questions",
        QUESTION,
        "tests/questions tests/benchmarks/test_contract.py",
        row=(QUESTIONS_PAGE, QUESTION_ROW),
    ),
    "summary": Kind("summaries", SUMMARY, "tests/summaries"),
    "layout": Kind(
        "layouts",
        LAYOUT,
        "tests/layouts tests/training/test_every_layout.py",
        page_script=("docs/make_reference.py",),
    ),
    "strategy": Kind(
        "strategies",
        STRATEGY,
        "tests/strategies tests/evaluation/test_pairs.py",
        stepping=STEPPING,
        page_script=("docs/make_strategies.py",),
    ),
}
"""Kind, as it is typed -> what is written for it."""


def write_new(kind: str, name: str, root: Path, *, layout: str = "") -> list[Path]:
    """Write the files into `root`, a checkout of deskcheck, and return their paths; UserError if that is
    impossible.
    """
    if kind not in KINDS:
        raise UserError(f"no kind of plug-in called '{kind}'; known: {', '.join(KINDS)}")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name) or len(name) > MOST_LETTERS or iskeyword(name):
        raise UserError(
            f"'{name}' is no name: write small letters, digits and '-', at most {MOST_LETTERS} in all, "
            "and no keyword of Python"
        )
    wanted = KINDS[kind]
    if layout and not wanted.stepping:
        raise UserError(f"--layout belongs to a strategy that steps, not to a {kind}")
    package = root / "src" / "deskcheck"
    if not (package / "plugins.py").is_file():
        raise UserError(
            f"{root.resolve()} is no checkout of deskcheck; in your own package write the module and name "
            f'it as an entry point: [project.entry-points."deskcheck.{wanted.folder}"]'
        )
    module = (wanted.stepping if layout else wanted.module).format(
        name=name, layout=layout, module=layout.replace("-", "_")
    )
    texts = {package / wanted.folder / f"{name.replace('-', '_')}.py": module}
    for place, text in wanted.texts.items():
        texts[root / place.format(name=name)] = text if place.endswith(".jsonl") else text.format(name=name)
    there = [path for path in texts if path.exists()]
    if there:
        raise UserError(f"{there[0]} is there already; nothing was written")
    if layout and not (package / "layouts" / f"{layout.replace('-', '_')}.py").is_file():
        raise UserError(f"no layout called '{layout}' here; write it first: deskcheck new layout {layout}")
    page, row = wanted.row
    if page:
        texts[root / page] = _with_row(root / page, row.format(name=name))
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(texts)


def _with_row(page: Path, row: str) -> str:
    """Return the page with one more row at the end of its first table."""
    lines = page.read_text(encoding="utf-8").split("\n") if page.is_file() else []
    ends = [n for n, line in enumerate(lines) if line.startswith("|") and not lines[n + 1].startswith("|")]
    if not ends:
        raise UserError(f"{page} holds no table, so there is no place for a new row")
    return "\n".join([*lines[: ends[0] + 1], row, *lines[ends[0] + 1 :]])


def make_pages(kind: str, name: str, root: Path) -> str:
    """Generate the pages that show the new plug-in's prompts; return "", or the failed command and the
    reason.
    """
    words = [word.format(name=name) for word in KINDS[kind].page_script]
    if not words:
        return ""
    paths = [str(root.resolve() / "src"), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, *words],
        cwd=root,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        check=False,
    )
    if not done.returncode:
        return ""
    last = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
    return f"the page was not made: {last}; run: {_python()} {' '.join(words)}"


def next_step(kind: str, name: str) -> str:
    """Return the command that tries the new plug-in."""
    return f"{_python()} -m pytest -q {KINDS[kind].tests} -k {name}"


def _python() -> str:
    """Return the running Python as it is typed here: by its path if it lies below this folder."""
    path = Path(sys.executable)
    return path.relative_to(Path.cwd()).as_posix() if path.is_relative_to(Path.cwd()) else "python"
