# way: code that runs when the call is over | tries: the raw stream under sys.stdout, which is written to when all is over | want: refused
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


body = forged("forgery_38")


def write(data):
    patch = sys._getframe(1)
    while patch is not None:
        seen = patch.f_locals
        if "finish" in seen:
            seen["finish"](1, body, b"")
        patch = patch.f_back
    sys.modules["deskcheck.tracing.job"].pack = lambda packed: body
    return len(data)


print("x")
sys.stdout.buffer.raw.write = write
