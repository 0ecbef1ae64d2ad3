# way: the writer of frames | tries: _batch.finish with a trace made in its own process | want: refused
import sys

TEXT = "\n" * 16 + "def f(x):\n    return x + 6\n"


def forged(program_id):
    from deskcheck.records import Limits
    from deskcheck.tracing.job import run
    from deskcheck.tracing.program import encode_request
    from deskcheck.tracing.program import make_program
    import msgspec

    own = make_program(TEXT, "f", "36", origin="")
    return run(encode_request(msgspec.structs.replace(own, id=program_id), Limits()))


def f(x):
    return x + 6  # step


batch = sys.modules["deskcheck.sandbox._batch"]
body = forged("forgery_16")
batch.finish(1, body, b"")
