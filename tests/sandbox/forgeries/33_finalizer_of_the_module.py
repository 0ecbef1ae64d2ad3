# way: code that runs when the call is over | tries: __del__ of the value that the call gives | want: refused
import sys

TEXT = "\n" * 28 + "def f(x):\n    return x + 6\n"


def forged(program_id):
    from deskcheck.records import Limits
    from deskcheck.tracing.job import run
    from deskcheck.tracing.program import encode_request
    from deskcheck.tracing.program import make_program
    import msgspec

    own = make_program(TEXT, "f", "36", origin="")
    return run(encode_request(msgspec.structs.replace(own, id=program_id), Limits()))


body = forged("forgery_33")


def patch():
    sys.modules["deskcheck.tracing.job"].pack = lambda packed: body


class Late(int):
    def __del__(self, modules=sys.modules, body=body):
        modules["deskcheck.tracing.job"].pack = lambda packed: body


def f(x):
    return Late(9)
