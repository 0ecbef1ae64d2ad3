"""How a run ended, as text: its outcome, what it printed, and what to do about what went wrong.

outcome_lines(trace, sources)  -> "returned 8 after 11 steps"; an exception with the lines that it passed
output_lines(output, whole)    -> "it printed 3 bytes:", "| 29"
hint_lines(trace, program)     -> "note: its standard input is empty; --stdin FILE gives it one"
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deskcheck.records import (
    CompileFailure,
    Crashed,
    Event,
    EventKind,
    MemoryLimit,
    OutputLimit,
    Program,
    Raised,
    Refused,
    Returned,
    StepLimit,
    TimeLimit,
    Trace,
    ValueKind,
)
from deskcheck.tracing.program import bundle_of, is_script
from deskcheck.tracing.replay import HeapObject, State, events, final_state, text_of
from deskcheck.viewer.sources import Sources
from deskcheck.viewer.values import NAMED_ONLY, fitting_text, short

_OUTPUT_HEAD, _OUTPUT_TAIL = 40, 20  # lines shown of a long output
_OUTPUT_WIDTH = 400
# What the rules of the sandbox say that a program did; each is followed by ":" and the system call.
_RULES = {
    "write": "it tried to create or change a file",
    "network": "it tried to use the network",
    "process": "it tried to start another process",
    "signal": "it tried to signal a process",
    "inspect": "it tried to look into another process",
    "limits": "it tried to change its limits",
    "folder": "it tried to change its folder",
    "system-call": "it made a system call that no Python program needs",
}


def outcome_lines(trace: Trace, sources: Sources) -> Iterator[str]:
    """The outcome in words; of an exception also its lines and causes."""
    outcome = trace.outcome
    if isinstance(outcome, Returned):
        value = fitting_text(final_state(trace), outcome.value)
        yield f"returned {short(value)} after {_steps(trace)}"
    elif isinstance(outcome, Raised):
        yield from _raised_lines(trace, outcome, sources)
    elif isinstance(outcome, StepLimit):
        yield f"stopped at the limit of {outcome.limit} steps; --max-steps changes it"
    elif isinstance(outcome, TimeLimit):
        yield f"stopped by the clock after {outcome.limit_s:g} s, nothing recorded; --time-limit changes it"
    elif isinstance(outcome, OutputLimit):
        yield f"stopped: its {outcome.what} grew beyond {_size(outcome.limit_bytes)}{_recorded(trace)}"
    elif isinstance(outcome, MemoryLimit):
        given = _size(outcome.limit_bytes)
        yield f"stopped: it needed more than the {given} of memory it was given{_recorded(trace)}"
    elif isinstance(outcome, Crashed):
        yield f"its process died ({outcome.cause}); what was recorded died with it"
    elif isinstance(outcome, CompileFailure):
        yield f"does not compile, line {outcome.line}: {outcome.message}"
    elif isinstance(outcome, Refused):
        yield f"refused: {outcome.rule}"
        yield from _refused_lines(outcome)
    else:
        yield f"not accepted: its result failed a check of ours ({outcome.check})"


def _steps(trace: Trace) -> str:
    return "1 step" if trace.n_steps == 1 else f"{trace.n_steps} steps"


def _size(n_bytes: int) -> str:
    return f"{n_bytes >> 20} MB" if n_bytes % (1 << 20) == 0 else f"{n_bytes} bytes"


def _recorded(trace: Trace) -> str:
    return "" if trace.n_steps else "; nothing was recorded"


def _refused_lines(outcome: Refused) -> Iterator[str]:
    """What the program did that the sandbox does not allow, and where it may."""
    rule, _, call = outcome.rule.partition(",")[0].partition(":")
    if rule in _RULES:
        made = f" ({call})" if call else ""
        yield f"note: {_RULES[rule]}{made}; the sandbox refuses that, so the run is discarded"
        yield "note: to run a program that you trust with your files and network: deskcheck trace --trust .."


def _raised_lines(trace: Trace, outcome: Raised, sources: Sources) -> Iterator[str]:
    """The exception with the lines that it passed, innermost last, and what caused it."""
    steps = f"after {_steps(trace)}"
    if outcome.type == "SystemExit":
        yield f"exited with {outcome.message or 'no code'} {steps}"
        return
    message = f": {outcome.message}" if outcome.message else ""
    yield f"raised {outcome.type}{short(message)} {steps}"
    for event in reversed(_passed(trace, outcome.value)):
        name = trace.codes[trace.frames.code[event.frame]].name
        where = sources.names[sources.file(event.frame)]
        at = f"{where}, line {event.line}" if where else f"line {event.line}"
        yield short(f"  {at} in {name}: {sources.line(event)}")
    if outcome.value >= 0:
        yield from _causes(trace, outcome.value)


def _passed(trace: Trace, handle: int) -> list[Event]:
    """Where the exception that ended the run was raised last in each frame, innermost frame first."""
    found: dict[int, Event] = {}
    for event in events(trace):
        if event.kind is EventKind.RAISE and event.value == handle:
            found.pop(event.frame, None)
            found[event.frame] = event
    return list(found.values())


def _causes(trace: Trace, handle: int) -> Iterator[str]:
    state = final_state(trace)
    seen: set[int] = set()
    found = state.object(handle)
    while found is not None and found.number not in seen:
        seen.add(found.number)
        named = {text_of(trace, key): value for key, value in found.entries.items()}
        cause = named.get("__cause__", named.get("__context__", -1))
        if cause < 0 or trace.values.kind[cause] != ValueKind.REF:
            return
        how = "caused by" if "__cause__" in named else "while handling"
        found = state.object(cause)
        assert found is not None
        yield short(f"{how} {_exception_text(state, found)}")


def _exception_text(state: State, found: HeapObject) -> str:
    """Type and arguments, as the last line of a traceback."""
    for key, value in found.entries.items():
        arguments = state.object(value) if text_of(state.trace, key) == "args" else None
        if arguments is not None and arguments.items:
            return f"{found.type}: {', '.join(fitting_text(state, handle) for handle in arguments.items)}"
    return found.type


def output_lines(output: bytes, *, whole: bool = False) -> Iterator[str]:
    """What the program printed, as text; much of it is cut in the middle unless `whole`."""
    if not output:
        return
    yield f"it printed {len(output)} bytes:"
    lines = output.decode("utf-8", "replace").removesuffix("\n").split("\n")
    if whole:
        yield from (f"| {line}" for line in lines)
        return
    n_hidden = len(lines) - _OUTPUT_HEAD - _OUTPUT_TAIL
    if n_hidden <= 1:
        yield from (f"| {_cut(line)}" for line in lines)
        return
    yield from (f"| {_cut(line)}" for line in lines[:_OUTPUT_HEAD])
    yield f"  ... {n_hidden} lines not shown; --all shows them ..."
    yield from (f"| {_cut(line)}" for line in lines[-_OUTPUT_TAIL:])


def _cut(line: str) -> str:
    if len(line) <= _OUTPUT_WIDTH:
        return line
    return f"{line[:_OUTPUT_WIDTH]} … {len(line) - _OUTPUT_WIDTH} more characters"


# ------------------------------------------------------------------ what to do next


def hint_lines(trace: Trace, program: Program) -> Iterator[str]:
    """What to do about a run that went wrong for a reason that this command can mend."""
    outcome = trace.outcome
    if isinstance(outcome, Raised):
        if outcome.type in ("FileNotFoundError", "ModuleNotFoundError"):
            yield "note: the program is given the files that its imports name; --file PATH gives it one more"
        bundle = bundle_of(program)
        if outcome.type == "EOFError" and not (bundle and bundle.stdin):
            yield "note: its standard input is empty; pipe something into this command, or use --stdin FILE"
        if outcome.type == "ImportError" and "no known parent package" in outcome.message:
            yield "note: a file with relative imports runs as a module: deskcheck trace -m PACKAGE.MODULE"
    if is_script(program) and trace.n_steps and not _does_more(trace):
        yield f"note: {_idle_text(program.source)}"


def _idle_text(source: str) -> str:
    """Why a script did nothing that could be shown."""
    if not source.strip():
        return "the file is empty: there is nothing to run"
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError):
        body = []
    if not body:
        return "the file holds comments alone: there is nothing to run"
    if any(isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) for one in body):
        return "the file only defines things; --call 'f(3)' traces a call"
    if all(isinstance(one, ast.Import | ast.ImportFrom) for one in body):
        return "the file only imports; code of other files is one step"
    return "no statement of the file changes a variable or calls a function of its own"


def _does_more(trace: Trace) -> bool:
    """Whether a script calls anything of its own, or makes data."""
    made = {trace.codes[code].kind for code in trace.frames.code}
    if made - {"module", "class"} or not isinstance(trace.outcome, Returned):
        return True
    state = final_state(trace)
    for name, handle in state.globals.items():
        found = state.object(handle)
        if name[:2] != "__" and (found is None or found.kind not in NAMED_ONLY):
            return True
    return False
