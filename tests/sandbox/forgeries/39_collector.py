# way: code that runs when the call is over | tries: the collector's callbacks | want: refused
import sys

TEXT = "\n" * 34 + "def f(x):\n    return x + 6\n"


def forged(program_id):
    from deskcheck.records import Limits
    from deskcheck.tracing.job import run
    from deskcheck.tracing.program import encode_request
    from deskcheck.tracing.program import make_program
    import msgspec

    own = make_program(TEXT, "f", "36", origin="")
    return run(encode_request(msgspec.structs.replace(own, id=program_id), Limits()))


body = forged("forgery_39")


def patch():
    sys.modules["deskcheck.tracing.job"].pack = lambda packed: body


import gc

gc.callbacks.append(lambda phase, info: patch())
gc.set_threshold(1)
gc.enable()


def f(x):
    gc.enable()
    gc.set_threshold(1)
    return x + 6  # step
