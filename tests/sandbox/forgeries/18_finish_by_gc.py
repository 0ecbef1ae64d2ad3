# way: the writer of frames | tries: the writer among all objects | want: refused
import gc

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


gc.unfreeze()
for thing in gc.get_objects():
    for found in gc.get_referents(thing):
        if getattr(found, "__name__", "") == "finish" and "_batch" in str(found.__module__):
            found(1, forged("forgery_18"), b"")
