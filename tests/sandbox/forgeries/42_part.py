# way: descriptors and native code | tries: parts of a long trace of its own | want: refused
import sys


def f(x):
    parts = sys.modules["deskcheck.sandbox.parts"]
    for number in range(12):
        parts.send(number, bytes(800))
    a = 6  # step
    return a + x  # step
