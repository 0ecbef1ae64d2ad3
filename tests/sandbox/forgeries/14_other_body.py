# way: other code objects | tries: the entry runs the code of another function | want: refused
def g(x):
    return 42


def f(x):
    return x + 6  # step


f.__code__ = g.__code__.replace(co_name="f", co_qualname="f", co_firstlineno=f.__code__.co_firstlineno)
