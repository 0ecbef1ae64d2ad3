# way: code that runs when the call is over | tries: a timer's signal, whose handler runs in our code | want: refused
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
    big = list(range(50_000))  # step
    return x + len(big) - 49_994  # step


body = forged("forgery_37")


def patch():
    sys.modules["deskcheck.tracing.job"].pack = lambda packed: body


import signal

signal.signal(
    signal.SIGVTALRM, lambda number, frame: patch() if frame.f_code.co_filename != "<program>" else None
)
signal.setitimer(signal.ITIMER_VIRTUAL, 1e-5, 1e-5)
