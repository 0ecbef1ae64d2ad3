# way: trace functions and monitoring | tries: sys.settrace(None) | want: refused
import sys


def f(x):
    sys.settrace(None)
    a = 1  # step
    a = 2  # step
    return a + x + 4  # step
