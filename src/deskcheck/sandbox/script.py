"""Run one script in a contained process, like `python -c`, and tell whether it came to its end.

    run_script("assert 1 + 1 == 2", time_s=30) -> Ran("", "")
    run_script("print(1); 1 / 0", time_s=30)   -> Ran("1\\n", "ZeroDivisionError: division by zero")

Covered: the containment of every job, SystemExit with its status, `__name__ == "__main__"`.
Not covered: standard input, arguments, files. Tests in one script with the tested code prove nothing, because
that code can end the script early (`sys.exit(0)`), here as in a container. `solutions/checks.py` runs the two
in separate processes.
"""

from __future__ import annotations

import sys
from types import ModuleType

import msgspec
from msgspec import Struct

from deskcheck.records import Job, JobDone, Limits
from deskcheck.sandbox import containment
from deskcheck.sandbox.compiling import steady_code

FUNCTION = "deskcheck.sandbox.script:run"
MOST_WORDS = 500
"""Most characters of an exception's name and message that are returned."""


class Ran(Struct, frozen=True):
    """Output and end of a contained script."""

    output: str
    """Printed output of the script."""
    why: str
    """Exception, exit status, refused call or limit that ended it; "" if it came to its end."""
    is_late: bool = False
    """Whether the time limit ended it."""


def run_script(source: str, *, time_s: float, i_trust_this_code: bool = False) -> Ran:
    """Run a script to its end, for at most `time_s` seconds.

    SandboxUnavailable at containment level "limits", unless the code is trusted.
    """
    containment.admit("untrusted", "a script", i_trust_this_code=i_trust_this_code)
    job = Job("script", FUNCTION, source.encode("utf-8", "surrogatepass"), Limits(time_s=time_s))
    (done,) = containment.run([job], workers=1)
    output = done.output.decode("utf-8", "replace")
    if not isinstance(done.result, JobDone):
        tag = str(type(done.result.outcome).__struct_config__.tag)
        return Ran(output, tag, is_late=tag == "time limit")
    if done.refusals:
        return Ran(output, f"refused {', '.join(done.refusals)}")
    try:
        return Ran(output, msgspec.msgpack.decode(done.result.payload, type=str))
    except msgspec.MsgspecError as error:
        return Ran(output, f"rejected: {error}")


def run(payload: bytes) -> bytes:
    """Run the script as a job; return why it ended early as encoded text, or ""."""
    encode = msgspec.msgpack.encode
    module = ModuleType("__main__")
    module.__dict__["__builtins__"] = sys.modules["builtins"].__dict__
    sys.modules["__main__"] = module
    try:
        source = payload.decode("utf-8", "surrogatepass")
        exec(steady_code(source, "<script>"), module.__dict__)
    except MemoryError:
        raise  # the sandbox reports it as a memory limit
    except SystemExit as error:
        return encode("" if error.code in (None, 0) else f"SystemExit: {error.code!r}"[:MOST_WORDS])
    except BaseException as error:
        return encode(_words(error))
    return encode("")


def _words(error: BaseException) -> str:
    name = type.__dict__["__name__"].__get__(type(error))
    try:
        text = str(error)
    except BaseException:  # the script's own class
        text = ""
    return f"{name}: {text}"[:MOST_WORDS].encode("utf-8", "replace").decode() if text else str(name)
