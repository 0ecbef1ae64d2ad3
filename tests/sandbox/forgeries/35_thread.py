# way: code that runs when the call is over | tries: a thread that outlives the call and waits for our frames | want: refused
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


body = forged("forgery_35")


def patch():
    sys.modules["deskcheck.tracing.job"].pack = lambda packed: body


import threading
import time


def wait():
    job = sys.modules["deskcheck.tracing.job"]
    while True:
        for frame in list(sys._current_frames().values()):
            if frame.f_code.co_filename.endswith(("buffers.py", "run.py", "packed.py")):
                patch()
        time.sleep(0)


threading.Thread(target=wait, daemon=True).start()
sys.setswitchinterval(1e-6)
