# way: switches of a frame | tries: f_trace_lines = False in its own frame | want: refused
import sys


def f(x):
    sys._getframe().f_trace_lines = False
    a = 1  # step
    a = 2  # step
    return a + x + 4  # step
