# way: descriptors and native code | tries: a frame written to the result descriptor, then os._exit | want: refused
import os
import struct

TEXT = "\n" * 17 + "def f(x):\n    return x + 6\n"


def forged(program_id):
    from deskcheck.records import Limits
    from deskcheck.tracing.job import run
    from deskcheck.tracing.program import encode_request
    from deskcheck.tracing.program import make_program
    import msgspec

    own = make_program(TEXT, "f", "36", origin="")
    return run(encode_request(msgspec.structs.replace(own, id=program_id), Limits()))


def f(x):
    head = struct.pack("!8sIB3sIIQQ16sQ", b"deskchk2", 0, 1, b"", 0, 0, 0, len(body), bytes(16), 0)
    os.write(3, head + body)
    os._exit(0)
    return x + 6


body = forged("forgery_40")
