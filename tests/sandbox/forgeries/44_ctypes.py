# way: descriptors and native code | tries: ctypes exchanges the bytes of a function of ours | want: refused or listed
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


body = forged("forgery_44")
import ctypes

sys.modules["deskcheck.tracing.packed"].body = body
packing = sys.modules["deskcheck.tracing.job"].pack
own = (lambda packed: body).__code__


class Function(ctypes.Structure):
    _fields_ = [("head", ctypes.c_ssize_t * 2)]


for offset in range(2, 16):
    place = ctypes.c_ssize_t.from_address(id(packing) + 8 * offset)
    if place.value == id(packing.__code__):
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(own))
        place.value = id(own)
        break
