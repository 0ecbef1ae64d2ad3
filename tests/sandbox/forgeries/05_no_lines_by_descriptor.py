# way: switches of a frame | tries: the switch is set through its descriptor | want: refused
import sys
import types


def f(x):
    types.FrameType.f_trace_lines.__set__(sys._getframe(), False)
    a = 1  # step
    a = 2  # step
    return a + x + 4  # step
