# way: our modules | tries: the code of a function of ours is exchanged | want: refused
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


body = forged("forgery_28")
job = sys.modules["deskcheck.tracing.job"]


def run(payload):
    return sys.modules["__program__"].body


def packed_program(*arguments, **options):
    raise SystemExit


job.body = body
job.pack.__code__ = (lambda packed: __import__("sys").modules["deskcheck.tracing.job"].body).__code__
