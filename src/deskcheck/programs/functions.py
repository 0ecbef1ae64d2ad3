"""functions: all functions and methods of any Python code that can run alone, with tested calls.

    deskcheck build functions more-itertools --out data/mine      an installed package; python = the library
    deskcheck build functions src/ --out data/mine                a folder, file, FOLDER@COMMIT, archive
    deskcheck build functions code.parquet --out data/mine        rows of code, with their asserts
    deskcheck build functions installed --out data/mine           every package here; a,b names several

A function is cut out with the parts of its module and package that it needs: helpers, classes, constants,
imports of the standard library. A method is cut out with the parts of its class that it reaches. A generator
is called through a function that lists its items. Calls come from asserts and doctests first, then from
annotations, defaults and the use of each parameter in the body. Each call is run once in the sandbox. If
fewer than six calls (or `--calls-each`) show something new, similar arguments and constants of the code are
tried. `--inputs hypothesis` draws more arguments; `--inputs MODEL` asks a model if there are still too few.
Up to six calls are kept: first the calls that reach new lines or branches, then calls with new answers, then
others. A function that always returns the same value gets no others, unless this value is None. A function
without a program is dropped with its reason. The kept calls run a second time in other processes and are
dropped if the runs differ.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from itertools import groupby, islice
from random import Random

from msgspec import Struct

from deskcheck.corpus.calls import asserted_calls, written_calls
from deskcheck.corpus.drawn_inputs import drawn
from deskcheck.corpus.library_cut import cut, cut_class, is_generator
from deskcheck.corpus.library_inputs import calls
from deskcheck.corpus.library_module import Function, Module, Modules, Unfit
from deskcheck.corpus.library_pins import WRONG_INPUT, judge, reached
from deskcheck.corpus.library_rules import ANY_CODE
from deskcheck.corpus.methods import defined_in, entries
from deskcheck.corpus.mutation import mutants, values_of
from deskcheck.corpus.texts import Text, count_of, texts_of
from deskcheck.errors import BadSource, UserError
from deskcheck.format.buffers import COLUMN_NUMBER, Packed, trace_of
from deskcheck.plugins import SourceOptions
from deskcheck.records import EventKind, Limits, Program, Raised, Returned, Skipped, Trace
from deskcheck.tracers import Asking, Choice, Trials
from deskcheck.tracing.program import make_program

LIMITS = Limits(max_steps=20_000, time_s=2.0)
"""Limits of a run, if the caller gives none."""
TAKES = ("path", "columns", "inputs", "license", "calls_each")  # fields of SourceOptions that are read
FILTERS = ("near-duplicate",)
PER_FUNCTION = 6
"""Largest number of calls of a function, if `--calls-each` is not given."""
HYPOTHESIS = "hypothesis"
NO_INPUTS = "no inputs of the types that it wants were found"
ASKED_AT_ONCE = 16
"""Functions that are looked at together; a model is asked about those with too few new runs in one batch."""
PROMPT = """Write up to 8 calls of the Python function below, one on each line and nothing else. Every
argument is a literal. Together they take as many branches and lines as possible and give different results.
Write them as this call: {}

{}"""
MUTANTS = 2
"""Number of changed arguments to try for each wanted call of a function with too few new runs."""
_THREAD = COLUMN_NUMBER["events.thread"]
Branches = frozenset[tuple[int, int, int]]
"""Branches of a run, as `_branches` returns them."""


class _Run(Struct):
    """One run of a call that may become a program, with the lines, branches and answer of the run."""

    program: Program
    packed: Packed
    lines: frozenset[int]
    branches: Branches
    answer: str
    raised: bool


class _Function(Struct):
    """A function with its calls and the results of their runs."""

    origin: str
    node: Function
    example: Program
    calls: set[str]
    """All calls made, whether run or not."""
    waiting: list[Program]
    """Calls that have not been run yet."""
    good: list[_Run]
    differed: list[tuple[Program, Packed]]
    """Runs whose result was different after other programs than alone: a defect of the sandbox."""
    reasons: Counter[str]
    key: str
    """Digest of the function and of its calls before any run; a resumed build finds its choice by it."""

    def add(self, program: Program, packed: Packed) -> None:
        """Take the result of a trial run into `good`, or count the reason against it.

        A run that differed from its comparison also goes into `differed`.
        """
        if packed.compared:
            self.differed.append((program, packed))
        why = _unfit(packed)
        trace = None if why else trace_of(packed)
        why, answer = (why, "") if trace is None else judge(trace, any_length=True)
        if trace is None or why:
            self.reasons[why] += 1
        else:
            raised = isinstance(trace.outcome, Raised)
            self.good.append(_Run(program, packed, reached(trace), _branches(trace), answer, raised))


_Found = _Function | Program | Skipped
"""A function to try; or, without a trial, a finished program or the reason why a function has none."""


def programs(options: SourceOptions, trials: Trials | None = None) -> Iterator[Program | Skipped]:
    """Yield programs, and a Skipped for each function without one, in the order of the files.

    `trials`: runs calls and keeps the choices of an earlier attempt; None = a new one. UserError without a
    path.
    """
    if not options.path:
        raise UserError("name the code: deskcheck build functions PATH-OR-PACKAGE --out DIR")
    if trials is None:
        from deskcheck.tracing.collect import trace_packed

        trials = Trials(trace_packed, LIMITS)
    places = options.path.split(",")
    n_calls = options.calls_each or PER_FUNCTION
    trials.n_places = sum(map(count_of, places))
    texts = (text for place in places for text in texts_of(place, columns=options.columns))
    found = (
        trial
        for reader, group in groupby(texts, key=lambda text: text.read if isinstance(text, Text) else None)
        for others in (Modules(reader) if reader else None,)
        for text in group
        for trial in _of_text(text, others, options, trials)
    )
    tried = _tried(found, trials)
    if trials.ask is not None:
        tried = _tried(_written(tried, trials.ask, n_calls), trials)
    for trial in _tried((_mutated(function, n_calls) for function in tried), trials):
        if isinstance(trial, Skipped | Program):
            yield trial
            continue
        runs = [(run.program, run.packed) for run in _filled(trial.good, n_calls)]
        runs += trial.differed  # for the quarantine of the build
        trials.choices[trial.key] = choice = _choice_of(trial, [program for program, _ in runs])
        for program, packed in runs:
            trials.keep(program, packed)
            yield program
        if not runs:
            yield Skipped(trial.origin, choice.reason)


def _choice_of(function: _Function, programs: list[Program]) -> Choice:
    if programs:
        return Choice([(one.entry, one.arguments, one.origin) for one in programs])
    if function.reasons:
        return Choice(reason=function.reasons.most_common(1)[0][0])
    return Choice(reason="only raises" if function.calls else NO_INPUTS)


def _key_of(origin: str, example: Program, programs: list[Program]) -> str:
    digest = hashlib.sha256(origin.encode("utf-8", "surrogatepass"))
    for part in (example.source, *(one.call for one in programs)):
        digest.update(b"\0" + part.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:24]


def _from_choice(choice: Choice, origin: str, example: Program) -> Iterator[Program | Skipped]:
    """Yield the programs that an earlier attempt at the build chose for a function, or why there are none."""
    for entry, arguments, call in choice.calls:
        yield make_program(example.source, entry, arguments, origin=call, license=example.license)
    if not choice.calls:
        yield Skipped(origin, choice.reason)


def recorded(options: SourceOptions) -> SourceOptions:
    """Return the options to record in a dataset, with only the last part of each path."""
    from msgspec.structs import replace

    places = [place.rstrip("/").rpartition("/")[2] for place in options.path.split(",")]
    return replace(options, path=",".join(places))


def _of_text(
    text: Text | Skipped, others: Modules | None, options: SourceOptions, trials: Trials
) -> Iterator[_Function | Program | Skipped]:
    trials.n_open += 1
    if isinstance(text, Skipped):
        yield Skipped(f"functions:{text.id}", text.reason)
        return
    try:
        module = Module(text.text, text.path, others)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield Skipped(f"functions:{text.place}", "does not parse")
        return
    asserted = asserted_calls(text.text, text.tests)
    license = text.license or options.license
    for owner, node in defined_in(module):
        name = f"{owner.name}.{node.name}" if owner else node.name
        entry = node.name
        origin = f"functions:{text.place}:{name}"
        try:
            draws = HYPOTHESIS in options.inputs
            if owner is not None:
                source = cut_class(module, owner, node, ANY_CODE).source  # type: ignore[arg-type]  # or Unfit
                entry_calls = entries(module, owner, node, seed=origin, draws=draws)  # type: ignore[arg-type]
                if is_generator(node):  # type: ignore[arg-type]  # or Unfit above
                    source, entry = _driven(source, node.name, owner.name)
                    entry_calls = [
                        (f"{part.rpartition('.')[0]}.{entry}", given) for part, given in entry_calls
                    ]
            else:
                part = cut(module, node.name, ANY_CODE)
                source = part.source
                if is_generator(part.node):
                    source, entry = _driven(source, node.name)
                given = dict.fromkeys([*asserted.get(node.name, ()), *calls(part.node, seed=origin)])
                given |= dict.fromkeys(drawn(part.node, seed=origin) if draws else ())
                entry_calls = [(entry, arguments) for arguments in given]
            results = [
                make_program(source, entry, arguments, origin=f"{origin}:{number}", license=license)
                for number, (entry, arguments) in enumerate(entry_calls)
            ]
        except Unfit as why:
            yield Skipped(origin, str(why))
            continue
        except (BadSource, RecursionError) as why:
            yield Skipped(origin, "does not parse" if isinstance(why, BadSource) else "nested too deeply")
            continue
        if not results and (trials.ask is None or owner is not None):
            yield Skipped(origin, NO_INPUTS)
            continue
        # A model may know inputs where the rules found none; it is shown a call without arguments.
        bare = make_program(source, entry, "", origin=f"{origin}:0", license=license)
        first = results[0] if results else bare
        key = _key_of(origin, first, results)
        if key in trials.choices:
            yield from _from_choice(trials.choices[key], origin, first)
            continue
        calls_made = {program.call for program in results}
        yield _Function(origin, node, first, calls_made, results, [], [], Counter(), key)


def _driven(source: str, name: str, owner: str = "") -> tuple[str, str]:
    """Return a program with a function that lists all items of a generator, and that function's name.

    For a method, the function becomes a method of its class `owner`.
    """
    entry = f"all_of_{name}"
    while re.search(rf"\b{entry}\b", source):
        entry += "_"
    if not owner:
        return f"{source}\n\ndef {entry}(*args, **kwargs):\n    return list({name}(*args, **kwargs))\n", entry
    method = f"def {entry}(self, *args, **kwargs):\n    return list(self.{name}(*args, **kwargs))\n"
    return f"{source}\n\n{method}\n\n{owner}.{entry} = {entry}\n", entry


def _tried(functions: Iterable[_Found], trials: Trials) -> Iterator[_Found]:
    """Run all waiting calls and yield the functions in order.

    The calls are one stream, so that no function has to wait for another's slowest call.
    """
    waiting: deque[_Found] = deque()

    def feed() -> Iterator[Program]:
        for function in functions:
            waiting.append(function)
            if isinstance(function, _Function):
                yield from tuple(function.waiting)

    def ready() -> Iterator[_Found]:
        while waiting and not (isinstance(waiting[0], _Function) and waiting[0].waiting):
            yield waiting.popleft()

    for program, packed in trials.run(feed()):
        yield from ready()
        trial = waiting[0]
        assert isinstance(trial, _Function) and trial.waiting[0].id == program.id
        del trial.waiting[0]
        trial.add(program, packed)
        yield from ready()
    yield from ready()


def _written(functions: Iterable[_Found], ask: Asking, n_calls: int) -> Iterator[_Found]:
    """Add calls written by a model to functions with too few new runs; ask about many functions at once."""
    source = iter(functions)
    while batch := list(islice(source, ASKED_AT_ONCE)):
        poor = [
            trial
            for trial in batch
            if isinstance(trial, _Function) and len(_new(trial.good, n_calls)) < n_calls
        ]
        answers = (
            ask([PROMPT.format(trial.example.call, trial.example.source) for trial in poor]) if poor else []
        )
        for trial, answer in zip(poor, answers, strict=True):
            first = trial.example
            for number, (entry, arguments) in enumerate(written_calls(answer, first.entry)):
                origin = f"{first.origin}.model.{number}"
                program = make_program(first.source, entry, arguments, origin=origin, license=first.license)
                if program.call not in trial.calls:
                    trial.calls.add(program.call)
                    trial.waiting.append(program)
        yield from batch


def _mutated(function: _Found, n_calls: int) -> _Found:
    """Add calls with changed arguments to a function with too few new runs."""
    if not isinstance(function, _Function) or not function.good:
        return function
    kept = _new(function.good, n_calls)
    if len(kept) >= n_calls:
        return function
    mined = values_of(function.node)
    for number, run in enumerate(kept):
        first = run.program
        random = Random(f"{first.origin}:{number}")
        for arguments in mutants(first.arguments, random, mined, n=max(2, MUTANTS * n_calls // len(kept))):
            origin = f"{first.origin}.{len(function.waiting)}"
            mutant = make_program(first.source, first.entry, arguments, origin=origin, license=first.license)
            if mutant.call not in function.calls:
                function.calls.add(mutant.call)
                function.waiting.append(mutant)
    return function


def _new(runs: list[_Run], n_calls: int) -> list[_Run]:
    """Return the runs that take new lines or branches, then the runs with new answers, up to `n_calls`.

    A run that raises counts only if another run returns; otherwise its inputs are probably just wrong.
    """
    by_id: dict[str, _Run] = {}
    seen: set[object] = set()
    answers: set[str] = set()
    for wants_new in (True, False):
        for run in _sound(runs):
            is_new = not seen.issuperset(run.lines | run.branches) if wants_new else run.answer not in answers
            if run.program.id not in by_id and is_new and len(by_id) < n_calls:
                by_id[run.program.id] = run
                seen |= run.lines | run.branches
                answers.add(run.answer)
    return list(by_id.values())


def _filled(runs: list[_Run], n_calls: int) -> list[_Run]:
    """Return the new runs, and further runs up to `n_calls`, those with a new number of steps first.

    If all answers are the same, there are no further runs, unless the answer is None: the effects may differ.
    """
    kept = _new(runs, n_calls)
    answers = {run.answer for run in kept}
    if len(answers) < 2 and answers != {"None"}:
        return kept
    lengths = {run.packed.n_steps for run in kept}
    ids = {run.program.id for run in kept}
    others = [run for run in _sound(runs) if run.program.id not in ids]
    others.sort(key=lambda run: run.packed.n_steps in lengths)
    return [*kept, *others][:n_calls]


def _sound(runs: list[_Run]) -> list[_Run]:
    """Return the runs that return a value, then the runs that raise; without the first, nothing."""
    good = [run for run in runs if not run.raised]
    return [*good, *(run for run in runs if run.raised and good)]


def _unfit(packed: Packed) -> str:
    """Return the reason against a run that shows without reading its events; "" if there is none.

    `judge` reads the events.
    """
    outcome = packed.outcome
    if isinstance(outcome, Raised) and (outcome.type in WRONG_INPUT or outcome.line < 0):
        return NO_INPUTS
    if not isinstance(outcome, Returned | Raised):
        return f"ended by {outcome.__struct_config__.tag}"
    if not packed.n_steps:
        return "runs no line of its own"
    if any(packed.columns[_THREAD]):
        return "starts threads"
    return "too large a value" if packed.head.fidelity.notes else ""


def _branches(trace: Trace) -> Branches:
    """Return the pairs of successive lines within a frame, each with the number of the frame's code."""
    branches: set[tuple[int, int, int]] = set()
    last: dict[int, int] = {}
    events, codes = trace.events, trace.frames.code
    for kind, frame, line in zip(events.kind, events.frame, events.line, strict=True):
        if kind == EventKind.LINE:
            if frame in last:
                branches.add((codes[frame], last[frame], line))
            last[frame] = line
    return frozenset(branches)
