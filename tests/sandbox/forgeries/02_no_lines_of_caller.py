# way: switches of a frame | tries: a helper switches the lines of its caller off | want: refused
import sys


def hide():
    sys._getframe(1).f_trace_lines = False


def f(x):
    hide()
    a = 1  # step
    a = 2  # step
    return a + x + 4  # step
