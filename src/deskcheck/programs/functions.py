"""functions: every function of any Python code that stands alone, with calls that were tried.

    deskcheck build functions more-itertools --out data/mine      an installed package; python = the library
    deskcheck build functions src/ --out data/mine                a folder, file, FOLDER@COMMIT, archive
    deskcheck build functions code.parquet --out data/mine        rows of code, with their asserts
    deskcheck build functions installed --out data/mine           every package here; a,b names several

A function is cut out with what it needs of its module: helpers, constants, imports of the standard library.
Its calls come from asserts and doctests first, then from annotations, defaults and what the body does with
each parameter. Each is run once in the sandbox; up to six are kept, those that reach new lines first. What
makes no program is read and dropped with its reason.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from deskcheck.corpus.library_cut import Module, Unfit, cut
from deskcheck.corpus.library_inputs import calls, literal_arguments
from deskcheck.corpus.library_pins import judge, reached
from deskcheck.corpus.texts import Text, texts_of
from deskcheck.errors import BadSource, UserError
from deskcheck.options import SourceOptions
from deskcheck.records import Limits, Program, Raised, Skipped, Trace
from deskcheck.tracing.program import make_program

PER_FUNCTION = 6
TRIED_TOGETHER = 64
"""Functions whose calls are run in one go."""
TRIAL = Limits(max_steps=20_000, time_s=2.0)


class _Function(Struct):
    programs: list[Program]


def programs(options: SourceOptions) -> Iterator[Program | Skipped]:
    """Programs and what became none, function by function in the order of the files."""
    if not options.path:
        raise UserError("name the code: deskcheck build functions PATH-OR-PACKAGE --out DIR")
    texts = (text for place in options.path.split(",") for text in texts_of(place, columns=options.columns))
    found = (one for text in texts for one in _of_text(text, options))
    while together := list(islice(found, TRIED_TOGETHER)):
        yield from _chosen(together)


def recorded(options: SourceOptions) -> SourceOptions:
    """What a dataset says of these options: the last part of the path, not the path as typed."""
    from msgspec.structs import replace

    places = [place.rstrip("/").rpartition("/")[2] for place in options.path.split(",")]
    return replace(options, path=",".join(places))


def _of_text(text: Text | Skipped, options: SourceOptions) -> Iterator[_Function | Skipped]:
    if isinstance(text, Skipped):
        yield Skipped(f"functions:{text.id}", text.reason)
        return
    try:
        module = Module(text.text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield Skipped(f"functions:{text.place}", "does not parse")
        return
    asserted = _asserted(text.text, text.tests)
    licence = text.licence or options.licence
    for node in module.functions():
        origin = f"functions:{text.place}:{node.name}"
        try:
            one = cut(module, node.name)
            arguments = dict.fromkeys([*asserted.get(node.name, ()), *calls(one.node, seed=origin)])
            made = [
                make_program(one.source, node.name, given, origin=f"{origin}:{number}", licence=licence)
                for number, given in enumerate(arguments)
            ]
        except Unfit as why:
            yield Skipped(origin, str(why))
            continue
        except (BadSource, RecursionError) as why:
            yield Skipped(origin, "does not parse" if isinstance(why, BadSource) else "nested too deeply")
            continue
        yield _Function(made) if made else Skipped(origin, "no inputs of the types that it wants were found")


def _asserted(*texts: str) -> dict[str, list[str]]:
    """Function -> arguments of its calls with literals in asserts, in order."""
    found: dict[str, list[str]] = {}
    for text in texts:
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Assert):
                for call in ast.walk(node.test):
                    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
                        arguments = literal_arguments(call)
                        if arguments is not None:
                            found.setdefault(call.func.id, []).append(arguments)
    return found


def _chosen(together: list[_Function | Skipped]) -> Iterator[Program | Skipped]:
    """Runs all calls, and keeps those of each function that show something new."""
    from deskcheck.tracing.collect import trace_programs

    tried = [program for one in together if isinstance(one, _Function) for program in one.programs]
    traces = {program.id: trace for program, trace in trace_programs(tried, TRIAL)}
    for one in together:
        if isinstance(one, Skipped):
            yield one
            continue
        kept, why = _new(one.programs, traces)
        yield from kept
        if not kept:
            yield Skipped(one.programs[0].origin.rpartition(":")[0], why)


def _new(programs: list[Program], traces: dict[str, Trace]) -> tuple[list[Program], str]:
    """Programs that reach lines no earlier one reached, then those with another answer; why there is none.

    A run that raises shows something only beside one that returns: else its inputs are just wrong.
    """
    good: list[tuple[Program, frozenset[int], str]] = []
    raising: list[tuple[Program, frozenset[int], str]] = []
    reasons: Counter[str] = Counter()
    for program in programs:
        trace = traces[program.id]
        why, answer = judge(trace)
        if why:
            reasons[why] += 1
        else:
            (raising if isinstance(trace.outcome, Raised) else good).append((program, reached(trace), answer))
    kept: dict[str, Program] = {}
    lines: set[int] = set()
    answers: set[str] = set()
    for wants_lines in (True, False):
        for program, own, answer in [*good, *(raising if good else [])]:
            new = bool(own - lines) if wants_lines else answer not in answers
            if program.id not in kept and new and len(kept) < PER_FUNCTION:
                kept[program.id] = program
                lines |= own
                answers.add(answer)
    return list(kept.values()), reasons.most_common(1)[0][0] if reasons else "only raises"
