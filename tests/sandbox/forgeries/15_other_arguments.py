# way: other code objects | tries: the entry's name leads to a call with another argument | want: refused
import functools


def f(x):
    return x + 6  # step


globals().update(f=functools.partial(lambda g, x: g(36), f))
