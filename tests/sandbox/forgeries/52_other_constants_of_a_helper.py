# way: code that is not in the source | tries: a constant in a helper is replaced | want: refused
def g(x):
    a = 100  # never
    return a + x  # never


g.__code__ = g.__code__.replace(co_consts=tuple(6 if c == 100 else c for c in g.__code__.co_consts))


def f(x):
    return g(x)  # step
