"""The process that runs JavaScript: python -m deskcheck.languages.javascript.worker LEVEL FOLDER BYTES

BYTES is the heap that a program may use. The process confines itself before V8 starts, because a confinement
does not reach threads that run already. Then it reads requests from its standard input and answers on its
standard output, each a message with its length before it. Every program has a V8 isolate of its own. The
process ends with its supervisor, and V8 ends it if memory runs out.

A program is limited in files, network and processes (by the containment level), in heap (by V8) and in other
memory (RLIMIT_DATA). There is no protection from faults of V8: each program gets a fresh isolate, not a fresh
process.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from deskcheck.sandbox.service import read_message, write_message

HERE = Path(__file__).parent
PARSER_FILES = (
    "vendor/acorn.js", "vendor/acorn-typescript.js", "engine/text.js", "engine/scopes.js",
    "engine/expressions.js", "engine/calls.js", "engine/types.js", "engine/instrument.js", "engine/page.js",
    "engine/forms.js", "engine/facts.js",
)  # fmt: skip
RECORDER_FILES = ("recorder", "columns", "values", "objects", "compare", "marks", "variables", "hooks")
"""Files in engine/ that are joined into one function; `engine/recorder.js` describes it."""
ENGINE_BYTES = 700 << 20
"""Private memory that V8 maps before any program runs; mini-racer 0.14.1 mapped 571 MB."""
STACK_KB = 6000
MAX_FILE_BYTES = 1 << 22  # size of a file that the process may write
MAX_CPU_S = 1 << 20  # no bound in practice: the engine limits the time of each program
NOW_MS = 1_704_067_200_000
"""Time at which the clock of each program starts, in milliseconds since 1970: the beginning of 2024, UTC."""
MAX_TURNS = 100_000
"""Largest number of timers that one run may fire."""


class Request(Struct, frozen=True, array_like=True):
    """One program to run, with its limits, as the engine sends it."""

    source: str
    is_typescript: bool
    call: str | None
    """Expression to evaluate after the file has run; None = the file is a script, traced as a whole."""
    arguments: list[str]
    """Words after the name of a script; empty for a call."""
    max_steps: int
    trace_bytes: int
    value_bytes: int
    depth: int
    """Not read: the recorder has no limit on nested containers."""
    nodes: int
    output_bytes: int
    full: bool = False
    """Compare every object at every step instead of those that code could have changed: for tests."""
    is_plain: bool = False
    """Run the program without probes, so that its output can be compared: for tests."""
    has_expressions: bool = False
    """Record the values of expressions too."""
    is_text: bool = False
    """Do not run the program: the report is the table of facts about its text."""


class Reply(Struct, frozen=True, array_like=True):
    """Result of a request: either an error of the parser, or the recorder's report and columns."""

    report: str
    """JSON of the recorder, or of the facts about a text."""
    columns: dict[str, bytes]
    """Columns of the trace, by name."""
    failure: str = ""
    """Message of the parser; "" = the source parses."""
    line: int = 0
    """Line of the failure."""


_PARSE = """(() => {
  try { return JSON.stringify(FUNCTION(ARGUMENTS)); }
  catch (error) { return JSON.stringify({failure: `${error.message}`, line: error.loc?.line ?? 0}); }
})()"""
_PLAIN = "(function(exports,require,module,__filename,__dirname){SOURCE\n})"
_NO_TABLE: dict[str, list[Any]] = {
    "sites": [],
    "groups": [],
    "codes": [],
    "spans": [],
    "spoken": [],
    "classes": [],
    "notes": [],
}
# A program with one of these texts can give an array element a getter, so elements are read by descriptor.
_WEIRD = (
    "defineProperty",
    "defineProperties",
    "__define",
    "Reflect",
    "eval",
    "Function",
    "create",
    "prototype",
)
# A program with one of these texts can change objects in ways that the probes do not see: all are compared.
_UNBOUND = (".bind", "eval", "Function", "Reflect", "Proxy", "with")


class Engine:
    """V8 with the parsers loaded, and a fresh realm, an isolate with its global objects, for each program."""

    def __init__(self, memory_bytes: int) -> None:
        from py_mini_racer import MiniRacer, _mini_racer, init_mini_racer

        heap_mb = max(memory_bytes >> 20, 16)
        flags = ("--single-threaded", f"--max-heap-size={heap_mb}", f"--stack-size={STACK_KB}")
        init_mini_racer(flags=flags)
        # MiniRacer's timers run in real time and would be among the program's names; `host.js` has its own.
        _mini_racer.INSTALL_SET_TIMEOUT = "0"
        self._new = MiniRacer
        self._parser = MiniRacer()
        for name in PARSER_FILES:
            self._parser.eval(_text(name) + "\n0")
        self._realm = realm_text()
        self.version = self._parser.v8_version

    def run(self, request: Request) -> Reply:
        """Run one program in a realm of its own."""
        arguments = f"{json.dumps(request.source)}, " + json.dumps(
            {
                "typescript": request.is_typescript,
                "call": request.call,
                "expressions": request.has_expressions,
            }
        )
        function = "deskcheckFacts" if request.is_text else "deskcheckInstrument"
        text = str(self._parser.eval(_PARSE.replace("FUNCTION", function).replace("ARGUMENTS", arguments, 1)))
        if request.is_text and not text.startswith('{"failure"'):
            return Reply(text, {})
        made = json.loads(text)
        if request.is_plain:
            made |= {"code": _PLAIN.replace("SOURCE", request.source, 1), "table": _NO_TABLE}
        if "failure" in made:
            return Reply("", {}, made["failure"], made["line"])
        realm = self._new()
        try:
            return self._run(realm, request, made)
        finally:
            realm.close()

    def _run(self, realm: Any, request: Request, parsed: dict[str, Any]) -> Reply:
        settings = {
            "maxSteps": request.max_steps, "traceBytes": request.trace_bytes,
            "valueBytes": request.value_bytes, "maxNodes": request.nodes, "outputBytes": request.output_bytes,
            "maxCalls": 9000, "now": NOW_MS, "argv": request.arguments,
            "isCall": request.call is not None, "source": request.source, "prefix": parsed["prefix"],
            "columns": COLUMNS, "expressions": request.has_expressions,
            "weird": any(word in request.source for word in _WEIRD),
            "full": request.full or any(word in request.source for word in _UNBOUND),
        }  # fmt: skip
        realm.eval(self._realm)
        run = realm.eval(
            f"deskcheckRun({json.dumps(parsed['code'])},{json.dumps(parsed['table'])},{json.dumps(settings)})"
        )
        state = _called(run["begin"])
        for _ in range(MAX_TURNS):
            if state != "more":
                break
            state = _called(run["more"])
        report = str(run["finish"]())
        columns = {name: bytes(run["column"]()) for name in COLUMNS}
        return Reply(report, columns)


COLUMNS = (
    "events.kind", "events.frame", "events.line", "events.value", "events.changes_end", "events.step",
    "events.end_line", "events.column", "events.end_column",
    "changes.place", "changes.owner", "changes.key", "changes.index", "changes.op", "changes.value",
    "values.kind", "values.low", "values.high", "values.real", "values.type", "values.at",
    "values.data.bytes", "objects.kind", "objects.type", "objects.text", "frames.code", "frames.parent",
)  # fmt: skip


def realm_text() -> str:
    """Return the scripts that run in a realm before its program: natives, recorder, inspect, host, run."""
    recorder = "\n".join(_text(f"engine/{name}.js") for name in RECORDER_FILES)
    joined = f'globalThis.deskcheckRecorder = function (options, info) {{\n"use strict";\n{recorder}\n}};'
    rest = [_text(f"engine/{name}.js") for name in ("inspect", "host", "run")]
    return "\n".join([_text("engine/natives.js"), joined, *rest, "0"])


def _called(function: Any) -> str:
    return str(function())


def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def main(level: str, folder: str, memory_bytes: int) -> None:
    """Confine this process, then serve requests until the standard input ends."""
    from deskcheck.sandbox.confine import prepare

    box = prepare(level, folder)
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    _text(PARSER_FILES[0])
    box.confine(
        keep=(requests.fileno(), replies.fileno()),
        memory_bytes=memory_bytes + ENGINE_BYTES,
        cpu_s=MAX_CPU_S,
        output_bytes=MAX_FILE_BYTES,
        counts="data",
    )
    engine = Engine(memory_bytes)
    write_message(replies, engine.version.encode())
    while True:
        try:
            data = read_message(requests)
        except EOFError:
            os._exit(0)  # Python's own end would wait for a thread of V8 that has ended: it can hang
        reply = engine.run(msgspec.msgpack.decode(data, type=Request))
        write_message(replies, msgspec.msgpack.encode(reply))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
