# way: trace functions and monitoring | tries: a trace function of its own takes the place of ours | want: refused
import sys


def f(x):
    sys.settrace(lambda *event: None)
    a = 1  # step
    a = 2  # step
    return a + x + 4  # step
