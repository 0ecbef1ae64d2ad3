# way: other code objects | tries: the entry's name leads to a call with another argument | want: refused | bindings
import functools


def f(x):
    return x + 6  # step


f = functools.partial(lambda g, x: g(36), f)
