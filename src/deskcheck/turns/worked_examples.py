"""Explain a layout to chat models that were never trained on it: its notation, and worked examples.

    rules("line-1")        -> the notation in words
    examples("line-1", 2)  -> two pairs of a user and an assistant message

The layout itself makes the examples from runs of three small programs, so they cannot disagree with it. They
are this project's own and in no benchmark. Layouts of single steps show three steps of each program: the
call, one in the middle, the end.
"""

from __future__ import annotations

from functools import cache

from deskcheck import plugins
from deskcheck.errors import UserError
from deskcheck.questions import tasks_of_all
from deskcheck.records import Example, Limits, Message, Task, TaskDraft
from deskcheck.tracing.program import make_program
from deskcheck.tracing.run import trace_program

RULES = """\
You execute Python programs by hand, in a fixed notation. Reply with nothing but that notation: no
explanation, no markdown. The program's lines are marked @1, @2, ...

A state is one line: "@4 | xs=[1, 2]; s=0" means that line 4 is about to run and what the variables hold.
">2 | n=3" means that the function whose header is line 2 has just been called with n=3. Frames of callers
come first, separated by " / ". "~1=iter([1, 2])@1" is the iterator of the outermost running for loop and how
many items it has given; a range shows what is left of it: "~1=iter(range(2, 5))". "#1[1, 2]" ... "#1" is one
mutable object that several names hold. Values are written as Python's repr() writes them.
A step is one line: "@3 | s=1; -t" goes to line 3, s is now 1 and t is gone; only what changed is written.
">2 | n=3" calls, "<- 7" returns 7, "!KeyError('k')" raises in this frame, "!!KeyError('k')" leaves the frame
by it.

{layout}"""
_SUM = """\
def f(xs):
    total = 0
    for x in xs:
        if x > 1:
            total += x
    return total
"""
_CALLS = """\
def g(s):
    return s[::-1] + '!'

def f(word, n):
    while n:
        word = g(word)
        n -= 1
    return {'word': word}
"""
_RAISES = """\
def f(d, key):
    seen = []
    seen.append(key)
    return d[key] if len(seen) > 1 else d[seen[0] + 1]
"""
PROGRAMS = ((_SUM, "f", "[1, 5, 2]"), (_CALLS, "f", "'ab', 2"), (_RAISES, "f", "{1: 'a'}, 1"))
STEPS = (0, 3, -1)
"""Indices of the shown examples of a layout of single steps: the call, one in the middle, the end."""


def rules(layout: str) -> str:
    """Return the system message that explains a layout's notation."""
    return RULES.format(layout=plugins.load("layout", layout).NOTATION)


@cache
def examples(layout: str, n: int) -> tuple[Message, ...]:
    """Return the first n worked examples, as turns of a conversation."""
    picked: list[Example] = []
    for source, entry, arguments in PROGRAMS:
        program = make_program(source, entry, arguments, origin="deskcheck")
        rendered = plugins.load("layout", layout).render(trace_program(program, Limits()), program)
        picked += rendered if len(rendered) == 1 else [rendered[step] for step in STEPS]
    turns = [[Message("user", one.prompt), Message("assistant", one.target)] for one in picked[:n]]
    return tuple(message for turn in turns for message in turn)


@cache
def tasks(kind: str) -> tuple[Task, ...]:
    """Return one task of this kind for each of the programs that has such a question. UserError if none."""
    runs = []
    for source, entry, arguments in PROGRAMS:
        program = make_program(source, entry, arguments, origin="deskcheck")
        runs.append((TaskDraft(program.id, program, "", program.id), trace_program(program, Limits())))
    asked = [made[0] for made in tasks_of_all(kind, runs, benchmark="") if isinstance(made, list)]
    if not asked:
        raise UserError(f"there is no worked example of '{kind}' tasks, so few-shot cannot ask them")
    return tuple(asked)
