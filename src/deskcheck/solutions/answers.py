"""Run answers that predict an input: only the program's output for this input shows if they are right.

    execute([(task, Answer("1, 2")), ..]) -> [Executed("1, 2", "3"), ..]      in the same order

Answers to one program share a child process if they are only literals. Literals have no effects, so these
answers cannot influence each other (`answer_job`). With `whole` (policy `published`), a text may be any
expression; every text but a plain call with literals gets its own child. If a shared child fails (time,
memory, a crash), its answers are run again one by one, so that an endless answer does not affect the others.
Equal texts for the same program are run once. A call in another language is run by that language's tracer. An
answer to a program with a blank is inserted into the program's test, which runs in bubblewrap
(`sandbox/foreign.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import msgspec

from deskcheck.errors import DataError
from deskcheck.grading.foreign import BLANK, arguments_in
from deskcheck.grading.verdict import literal_arguments
from deskcheck.languages import offers, part
from deskcheck.records import Answer, Executed, Job, JobDone, JobResult, Limits, Program, Task, Trace
from deskcheck.sandbox import containment
from deskcheck.sandbox.foreign import TOOLCHAINS, run_all_foreign
from deskcheck.solutions.answer_job import FUNCTION, Request
from deskcheck.tracers import trace_programs
from deskcheck.tracing.literal import outcome_text
from deskcheck.tracing.program import make_program

# A child stops endless answers itself (`answer_job.CPU_S`; CRUXEval's harness gives 3 s of wall clock). These
# limits are for runs that it cannot stop: a single call into C, or a program that catches every exception.
LIMITS = Limits(time_s=10.0, trace_bytes=1 << 20)
SHARED_LIMITS = Limits(time_s=60.0, trace_bytes=1 << 20)
SHARED = 25
"""Maximum number of answers in one child. If one of them breaks the child, few have to be run again."""

NOT_LITERAL = "not run: an argument is no literal"
"""Outcome of an answer in another language that could be more than a call; it equals no truth."""

Pair = tuple[Task, Answer]
Run = Callable[[Iterable[Job]], Iterator[JobResult]]


def execute(
    pairs: Sequence[Pair],
    *,
    whole: bool = False,
    workers: int = 0,
    require: str = "limits",
    run: Run | None = None,
) -> list[Executed]:
    """Return the outcome of every answer, whose text is the arguments of the call.

    With `whole`, a text is an expression that contains the call. `workers`: 0 = one per core. `require` is
    the weakest containment level that is accepted; `run` replaces `containment.run`. SandboxUnavailable if
    the level does not hold, or if expressions are not trusted there.
    """
    others = [(task, answer) for task, answer in pairs if task.program.language != "python"]
    if others:
        blanks = iter(_run_foreign([pair for pair in others if _has_blank(pair[0])], workers))
        calls = iter(_run_traced([pair for pair in others if not _has_blank(pair[0])], workers, require))
        rest = [(task, answer) for task, answer in pairs if task.program.language == "python"]
        known = iter(execute(rest, whole=whole, workers=workers, require=require, run=run) if rest else [])
        return [
            next(known if task.program.language == "python" else blanks if _has_blank(task) else calls)
            for task, _ in pairs
        ]
    if run is None:

        def run(jobs: Iterable[Job]) -> Iterator[JobResult]:
            return containment.run(jobs, workers=workers, require=require)

    requests = _requests(pairs, whole)
    if any(request.whole for request in requests):  # literals have no effects, others may
        containment.admit("untrusted", "answers that are expressions")
    # A text that does not parse fails without being run. Most texts that are no plain call do not parse.
    outcomes = {
        (request.program.id, request.texts[0]): "raises SyntaxError"
        for request in requests
        if request.whole and not part(request.program.language, "is_expression")(request.texts[0])
    }
    requests = [one for one in requests if (one.program.id, one.texts[0]) not in outcomes]
    alone = _run_all(requests, run, outcomes)
    _run_all(alone, run, outcomes)
    return [Executed(answer.text, outcomes[task.program.id, answer.text]) for task, answer in pairs]


def _has_blank(task: Task) -> bool:
    """Tell whether the answer goes into a blank of the program's own test instead of a call."""
    return task.program.language in TOOLCHAINS and BLANK in task.program.source


def _run_traced(pairs: Sequence[Pair], workers: int, require: str) -> list[Executed]:
    """Run calls in another language with its tracer, each with its own answer as arguments.

    A text that is no list of literals is not run: it could be more than a call.
    """
    programs = {
        number: make_program(
            task.program.source,
            task.program.entry,
            answer.text,
            origin=task.program.origin,
            language=task.program.language,
        )
        for number, (task, answer) in enumerate(pairs)
        if _is_plain(task.program, answer.text)
    }
    runs = trace_programs(programs.values(), LIMITS, workers=workers, require=require) if programs else ()
    outcomes = dict(zip(programs, (_said_by(trace) for _, trace in runs), strict=True))
    return [
        Executed(answer.text, outcomes.get(number, NOT_LITERAL)) for number, (_, answer) in enumerate(pairs)
    ]


def _is_plain(program: Program, arguments: str) -> bool:
    """Tell whether arguments are literals; True if the language has no function to tell."""
    if not offers(program.language, "call_arguments"):
        return True
    return literal_arguments(f"{program.entry}({arguments})", program.entry, program.language) is not None


def _said_by(trace: Trace) -> str:
    try:
        return outcome_text(trace)
    except DataError as error:
        return str(error)


def _run_foreign(pairs: Sequence[Pair], workers: int) -> list[Executed]:
    """Run programs of other languages with the answers in their blanks.

    The outcome is the expected one if the program's test passes, else why it fails.
    """
    sources: dict[tuple[str, str], str] = {}
    for task, answer in pairs:
        arguments = arguments_in(answer.text, task.program.language, task.program.entry)
        if arguments is not None:
            source = task.program.source.replace(BLANK, arguments)
            sources[task.program.language, source] = ""
    for language in {language for language, _ in sources}:
        texts = [source for spoken, source in sources if spoken == language]
        for source, why in zip(texts, run_all_foreign(texts, language, workers=workers or 2), strict=True):
            sources[language, source] = why
    return [Executed(answer.text, _foreign_outcome(task, answer, sources)) for task, answer in pairs]


def _foreign_outcome(task: Task, answer: Answer, sources: dict[tuple[str, str], str]) -> str:
    arguments = arguments_in(answer.text, task.program.language, task.program.entry)
    if arguments is None:
        return "no arguments that are literals"
    why = sources[task.program.language, task.program.source.replace(BLANK, arguments)]
    return f"its test fails: {why}" if why else task.expected


def _requests(pairs: Sequence[Pair], whole: bool) -> list[Request]:
    """Group the distinct texts of every program: calls with literals together, other expressions alone."""
    programs = {task.program.id: task.program for task, _ in pairs}
    texts: dict[str, dict[str, None]] = {}
    for task, answer in pairs:
        texts.setdefault(task.program.id, {})[answer.text] = None
    requests = []
    for identity, reply in texts.items():
        program = programs[identity]
        calls = {text: literal_arguments(text, program.entry) if whole else text for text in reply}
        plain = {text: arguments for text, arguments in calls.items() if arguments is not None}
        requests += [
            Request(program, part, [plain[text] for text in part], False)
            for part in _parts(list(plain), SHARED)
        ]
        requests += [Request(program, [text], [text], True) for text in reply if text not in plain]
    return requests


def _parts(texts: list[str], size: int) -> Iterator[list[str]]:
    for start in range(0, len(texts), size):
        yield texts[start : start + size]


def _run_all(requests: list[Request], run: Run, outcomes: dict[tuple[str, str], str]) -> list[Request]:
    """Run the requests and store their outcomes; return the answers of failed shared children, one by one."""
    again: list[Request] = []
    jobs = (
        Job(
            str(number),
            FUNCTION,
            msgspec.msgpack.encode(request),
            SHARED_LIMITS if len(request.answers) > 1 else LIMITS,
            alone=request.whole,
        )
        for number, request in enumerate(requests)
    )
    for request, result in zip(requests, run(jobs), strict=True):
        results = _outcomes(result, len(request.answers))
        if results is None and len(request.answers) > 1:
            pieces = zip(request.texts, request.answers, strict=True)
            again += [Request(request.program, [text], [answer], False) for text, answer in pieces]
            continue
        for number, text in enumerate(request.texts):
            outcomes[request.program.id, text] = results[number] if results else _ended(result)
    return again


def _outcomes(result: JobResult, n: int) -> list[str] | None:
    if not isinstance(result.result, JobDone):
        return None
    try:
        found = msgspec.msgpack.decode(result.result.payload, type=list[str])
    except msgspec.MsgspecError:
        return None
    return found if len(found) == n else None


def _ended(result: JobResult) -> str:
    """Return the text for a run without an outcome, which counts as wrong."""
    outcome = result.result
    if isinstance(outcome, JobDone):
        return "ended without a readable outcome"
    return f"ended by {outcome.outcome.__struct_config__.tag}"
