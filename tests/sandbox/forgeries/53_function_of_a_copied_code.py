# way: code that is not in the source | tries: a function is made of a copy of code under another file name | want: refused
import types


def g(x):
    x += 6  # step
    return x  # step


g = types.FunctionType(g.__code__.replace(co_filename="elsewhere.py"), globals())


def f(x):
    return g(x)  # step
