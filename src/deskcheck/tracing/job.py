"""Trace one program as a job of the sandbox: bytes in, bytes out.

    payload = program.encode_request(..)        the request as bytes
    preparer()(payload) -> (code, table)        compiled code, and facts about the source for the checks
                                                (source_facts.py); called before any program of the batch runs
    run(payload, code) -> a packed trace        the sandbox calls it by the name "deskcheck.tracing.job:run"

While a long trace is recorded, its columns are sent as parts; `run` then returns only the trace's head
(`packed.unpack_parts` joins them). The job runs in the sandbox's child. Its result is not to be trusted:
`collect` validates it in the parent.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType

import msgspec

from deskcheck.format.buffers import Packed
from deskcheck.records import Limits, MemoryLimit, Raised
from deskcheck.sandbox import parts
from deskcheck.tracing.access import pause_collector, resume_collector
from deskcheck.tracing.execution import Compiled, compile_program
from deskcheck.tracing.packed import pack, pack_head
from deskcheck.tracing.program import decode_request, encode_request, make_program
from deskcheck.tracing.run import packed_program
from deskcheck.tracing.source_facts import table_of_code

FUNCTION = "deskcheck.tracing.job:run"
_WARM_RUNS = 10  # more than the interpreter needs before it specializes code
# Together, these programs use most of the code in tracer and packing that tiny programs use.
_SAMPLES = (
    "def f(n):\n    t = 0\n    for i in range(n):\n        t += i * i\n    return t\n",
    "def f(n):\n    d = {}\n    while n:\n        d[n % 3] = [n, str(n)]\n        n -= 1\n    return d\n",
    "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\n",
    "def f(n):\n    xs = [n, 4]\n    xs.append(n)\n    xs.sort()\n    return [x for x in xs if x > 1]\n",
    "def f(n):\n    s = ''\n    for c in 'ab':\n        s += c.upper()\n    print(s, n, 1.5)\n    return s\n",
    "def f(n):\n    try:\n        return [n][n]\n    except IndexError:\n        raise KeyError from None\n",
)


def preparer() -> Callable[[bytes], tuple[Compiled, bytes]]:
    """Return a function that compiles the programs of one batch, each source once even with several inputs.

    The function returns (compiled code, table). The table is b"" for a program that does not compile.
    """
    known: dict[str, CodeType] = {}

    def prepare(payload: bytes) -> tuple[Compiled, bytes]:
        program, _, _ = decode_request(payload)
        body = known.get(program.source)
        compiled = compile_program(program, _copied(body) if body is not None else None)
        if len(compiled) == 2:
            return compiled, b""
        known[program.source] = compiled[0]
        return compiled, table_of_code(compiled[0], program.source, program.entry)

    return prepare


def _copied(code: CodeType) -> CodeType:
    """Return a copy of code that was never run; a run specializes instructions and could change traces."""
    inner = (_copied(one) if isinstance(one, CodeType) else one for one in code.co_consts)
    return code.replace(co_consts=tuple(inner))


# What CPython itself raises where the sandbox's limit leaves no room: for an object, for a thread's stack.
_OUT_OF_MEMORY = {("MemoryError", ""), ("RuntimeError", "can't start new thread")}


def run(payload: bytes, compiled: Compiled | None = None) -> bytes:
    """Trace one program and return its packed trace, or only the head of a long trace.

    A MemoryError without a message is recorded as the memory limit, not as an exception of the program.
    """
    program, limits, granularity = decode_request(payload)
    held = pause_collector(shown=True)
    try:
        packed = packed_program(program, limits, granularity=granularity, sink=parts.send, compiled=compiled)
    finally:
        resume_collector(held)
    outcome = packed.head.outcome
    if isinstance(outcome, Raised) and (outcome.type, outcome.message) in _OUT_OF_MEMORY:
        head = msgspec.structs.replace(packed.head, outcome=MemoryLimit(limits.memory_bytes))
        packed = Packed(head, packed.columns, packed.offsets)
    return pack_head(packed.head) if packed.is_streamed else pack(packed)


def samples() -> list[bytes]:
    """Return payloads that a zygote runs before it forks; children then share specialized code and caches."""
    programs = [make_program(text, "f", "3", origin="") for text in _SAMPLES]
    return [encode_request(program, Limits()) for program in programs] * _WARM_RUNS
