# way: the writer of frames | tries: the writer and the program in a caller's frame | want: refused
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


frame = sys._getframe()
seen = {}
while frame is not None:
    seen = {**frame.f_locals, **seen}
    frame = frame.f_back
seen["finish"](1, forged(seen["program"].id), b"")
