# way: the writer of frames | tries: the loop of the batch is started again with a function of its own | want: refused
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


body = forged("forgery_19")
batch = sys.modules["deskcheck.sandbox._batch"]
for name in ("run", "next", "open"):
    try:
        batch.__dict__[name](*([lambda payload: (1, body), ()] if name == "run" else []))
    except Exception:
        continue
