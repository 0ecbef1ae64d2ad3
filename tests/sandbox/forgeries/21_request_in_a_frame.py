# way: the request in our hands | tries: the program's record in a caller's frame gets other arguments | want: refused
import sys

import msgspec


def f(x):
    return x + 6  # step


frame = sys._getframe()
while frame is not None:
    for name, value in list(frame.f_locals.items()):
        if type(value).__name__ == "Program":
            frame.f_locals[name] = msgspec.structs.replace(value, arguments="36")
        if name == "make_call":
            frame.f_locals[name] = lambda namespace: lambda: f(36)
    frame = frame.f_back
