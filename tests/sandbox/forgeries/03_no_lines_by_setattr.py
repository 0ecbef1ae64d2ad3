# way: switches of a frame | tries: the same, by setattr and a name put together | want: refused
import sys


def f(x):
    setattr(sys._getframe(), "f_trace" + "_lines", 0 == 1)
    a = 1  # step
    a = 2  # step
    return a + x + 4  # step
