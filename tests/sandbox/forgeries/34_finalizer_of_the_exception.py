# way: code that runs when the call is over | tries: __del__ of the exception that ends the call | want: refused
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
    raise Late  # step


body = forged("forgery_34")


class Late(Exception):
    def __del__(self):
        frame = sys._getframe()
        while frame is not None:
            for value in list(frame.f_locals.values()):
                if hasattr(value, "last_return"):
                    value.start()
                    g()
                    value.stop()
            frame = frame.f_back
        job = sys.modules["deskcheck.tracing.job"]
        job.pack = lambda packed, body=body: body


def g():
    return 42
