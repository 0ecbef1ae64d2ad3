# way: code that runs when the call is over | tries: an audit hook | want: refused
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


body = forged("forgery_36")


def patch():
    sys.modules["deskcheck.tracing.job"].pack = lambda packed: body


busy = []


def hook(event, arguments):
    if busy or event == "sys.addaudithook":
        return
    busy.append(event)
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename.endswith(("job.py", "run.py")):
            patch()
        frame = frame.f_back
    busy.clear()


sys.addaudithook(hook)
