# way: switches of a frame | tries: the frame's trace function is deleted | want: refused
import sys


def f(x):
    frame = sys._getframe()
    frame.f_trace = None
    del frame.f_trace
    a = 1  # step
    a = 2  # step
    return a + x + 4  # step
